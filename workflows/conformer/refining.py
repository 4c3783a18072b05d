"""What can be asked of an ensemble at another level, and how such a request is prepared."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import Conformer, ConformerEnsemble, ConformersOfFile
from ontologies.level import Level
from triplestore.errors import InputError
from workflows.dft.request.forms import IN_WORDS, Task
from workflows.engine import Executor
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import prepare
from workflows.registry import workflows
from workflows.registry.levels import LevelForm
from workflows.text.words import count

from .forms import KCAL, EnsembleRequest
from .graph import REFINEMENT, EnsemblePlan, EnsembleState
from .result import Conformers
from .subject import ENSEMBLE_OR_FILE, Geometries


class RefinementRequest(EnsembleRequest):
    """What is asked of the conformers of an ensemble."""

    task: Annotated[
        Task,
        IN_WORDS,
        Field(
            description="energy of the geometries as they are; optimise them; frequencies too, "
            "for Gibbs energies and to show that they are minima."
        ),
    ] = "optimise"
    cumulative: Annotated[
        float,
        Field(gt=0, le=1, description="Conformers are taken until their weights add up to this."),
    ] = 0.95


async def prepare_refinement(
    given: Given[Geometries],
    request: RefinementRequest,
    wanted: LevelForm,
    executor: Executor,
) -> Prepared[EnsembleState]:
    """Find out what is asked of the conformers of an ensemble.

    Raises:
        InputError: Gibbs energies without vibrations, or what does not fit the molecule or level.
    """
    ensemble = given.model
    if request.weights == "Gibbs energy" and request.task != "frequencies":
        raise InputError(
            "weights by Gibbs energies were asked for",
            f"the task is {request.task}",
            "ask for the task frequencies, or for weights by energies",
        )
    starts, remarks = _starts(ensemble, request)
    words = request.of_each(request.task, wanted.in_words())
    workflow, quiet = workflows().named("dft"), executor.unheard()
    readies = await asyncio.gather(
        *(prepare(Request.of(workflow, (one,), words), quiet) for one in starts.values())
    )
    levels = {
        one.iri: one for ready in readies for one in ready.prepared.about if isinstance(one, Level)
    }
    level = next(iter(levels.values()))
    plan = EnsemblePlan(
        words, request.thresholds, request.window / KCAL, request.weights, request.temperature
    )
    state = EnsembleState(
        ensemble.molecule,
        ensemble.smiles,
        level,
        plan,
        structures=starts,
        sampler=ensemble.sampler,
        refined=ensemble.iri if isinstance(ensemble, ConformerEnsemble) else "",
        remarks=tuple(remarks),
        known=REFINEMENT.known("starting geometries"),
    )

    async def begin() -> EnsembleState:  # what its geometries came to before is remembered
        return state

    return Prepared(
        state,
        REFINEMENT.goal("a refined ensemble", whole=True),
        (ensemble, *levels.values()),
        f"{count(len(starts), 'conformer')} of {ensemble.molecule.formula} at {level.label}",
        tuple(cost for ready in readies for cost in ready.prepared.costs),
        tuple(dict.fromkeys(one for ready in readies for one in ready.prepared.remarks)),
        begin=begin,
    )


def _starts(
    ensemble: Geometries, request: RefinementRequest
) -> tuple[dict[str, ConceptualAtoms], list[str]]:
    """Return the geometries that are taken, by name, and what to know of the choice.

    Those of a file are all taken: nobody here has weighted them.
    """
    if isinstance(ensemble, ConformersOfFile):
        starts = {f"structure {n}": one for n, one in enumerate(ensemble.structures, 1)}
        remarks = [ensemble.sampler]
        remarks += ["geometries are those of the file"] if request.task == "energy" else []
        return starts, remarks
    chosen = heaviest(ensemble, request.cumulative)
    share = sum(one.weight for one in chosen)
    remarks = [
        f"{len(chosen)} of {count(len(ensemble.conformers), 'conformer')} taken, "
        f"{100 * share:.1f} % of the molecules at {ensemble.level.label}"
    ]
    if request.task == "energy":
        remarks.append(f"geometries are those at {ensemble.level.label}")
    return {f"conformer {one.number}": one.atoms for one in chosen}, remarks


def heaviest(ensemble: ConformerEnsemble, cumulative: float) -> list[Conformer]:
    """Return the conformers of largest weights that add up to a share, by their numbers."""
    total, chosen = 0.0, list[Conformer]()
    for one in sorted(ensemble.conformers, key=lambda one: -one.weight):
        if total >= cumulative - 1e-9:
            break
        chosen.append(one)
        total += one.weight
    return sorted(chosen, key=lambda one: one.number)


DEFINITION = Definition(
    REFINEMENT,
    (RefinementRequest, LevelForm),
    ENSEMBLE_OR_FILE,
    prepare_refinement,
    Conformers.of,
    help="The conformers that make up most of the molecules are computed at a level, each as if it "
    "had been asked for alone; those that become alike are merged, saddle points are left along "
    "their imaginary modes, and weights are found anew. What fails is named, and a resumed run "
    "tries it again.",
    makes=(ConformerEnsemble,),
)
