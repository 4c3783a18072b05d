"""What can be asked of the excitations of molecules, and how such a request is prepared."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.excitations import ResponseName, SolventResponse
from ontologies.gaps import MoleculeSet, SingletTripletGap, SingletTripletGaps
from ontologies.level import Level
from ontologies.quantum import Convergence
from triplestore.errors import GraficoError, InputError
from workflows.dft.request.forms import IN_WORDS, RELAXING, Force, Steps, Task
from workflows.dft.request.states import RESPONSES, States
from workflows.engine import Executor
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import Form
from workflows.engine.request.request import Request
from workflows.engine.request.rules import Rare, Words
from workflows.engine.request.workflow import Ready, prepare
from workflows.registry import workflows
from workflows.registry.levels import LevelForm
from workflows.text.words import count

from .compare import Order
from .graph import EXCITATIONS, AskedMolecule, GapState
from .subject import MOLECULE_SETS

OWN = ("task", "order", "force")
"""What is not asked of each molecule as it stands."""


class GapRequest(Form):
    """What is asked of the excited states of molecules."""

    task: Annotated[
        Task,
        IN_WORDS,
        Field(
            description="energy of the geometries as they are; optimise them first; frequencies "
            "too, to show that they are minima."
        ),
    ] = "optimise"
    states: Annotated[States, Field(description="Excited states of each spin, how many.")] = 5
    response: Annotated[
        ResponseName, RESPONSES, Field(description="How excited states are found.")
    ] = "TDDFT"
    order: Annotated[
        Order,
        Words({"as given": ("input", "none"), "strength": ("f", "oscillatorstrength")}),
        Field(description="Of the table: ascending S1, T1 or gap, or the brightest S1 first."),
    ] = "as given"
    solvent_response: Annotated[
        SolventResponse, Rare(), Field(description="How the solvent follows an excitation.")
    ] = "non-equilibrium"
    max_steps: Annotated[Steps, RELAXING, Field(description="Steps of an optimisation.")] = 100
    convergence: Annotated[
        Convergence, RELAXING, Rare(), Field(description="Thresholds of an optimisation.")
    ] = "normal"
    force: Force = False

    def words(self) -> dict[str, Any]:
        """Return what is asked of the singlets of each molecule."""
        fields = type(self).model_fields
        changed = {n: v for n, v in self if n not in OWN and v != fields[n].default}
        return {"task": self.task, "states": self.states, "spin": "singlet", **changed}

    def triplet_words(self) -> dict[str, Any]:
        """Return what is asked of its triplets, at the geometry of these."""
        left = {n: v for n, v in self.words().items() if n not in ("max_steps", "convergence")}
        return {**left, "task": "energy", "spin": "triplet"}


async def prepare_gaps(
    given: Given[MoleculeSet], request: GapRequest, wanted: LevelForm, executor: Executor
) -> Prepared[GapState]:
    """Find out what is asked of molecules.

    Raises:
        InputError: a molecule has an open shell, or what is asked does not fit it or the level.
    """
    members, workflow = given.model, workflows().named("dft")
    check_closed(members)
    level = wanted.in_words()
    words, below = request.words() | level, request.triplet_words() | level

    async def ask(name: str, atoms: ConceptualAtoms) -> tuple[AskedMolecule, Ready]:
        try:
            ready = await prepare(Request.of(workflow, (atoms,), words), executor.unheard())
            again = await prepare(Request.of(workflow, (atoms,), below), executor.unheard())
        except GraficoError as error:
            error.found = f"{name}: {error.found}"
            raise
        return AskedMolecule(name, ready, below), again

    found = await asyncio.gather(*map(ask, members.names, members.molecules))
    readies = [one for asked, again in found for one in (asked.singlets, again)]
    levels = {
        one.iri: one for ready in readies for one in ready.prepared.about if isinstance(one, Level)
    }
    asked = {one.name: one for one, _ in found}
    state = GapState(
        members,
        asked,
        request.response,
        request.task != "energy",
        request.task == "frequencies",
        request.order,
    )

    async def begin() -> GapState:  # what the molecules came to before is remembered
        return state

    remarks = [remark for ready in readies for remark in ready.prepared.remarks]
    label = next(iter(levels.values())).label
    many = len(members.names)
    what = members.names[0] if many == 1 else count(many, "molecule")
    return Prepared(
        state,
        EXCITATIONS.goal(f"S1 and T1 of {what}", whole=True),
        (members, *levels.values()),
        f"{what} at {label}",
        tuple(cost for ready in readies for cost in ready.prepared.costs),
        tuple(dict.fromkeys(remarks)),
        begin=begin,
    )


def check_closed(members: MoleculeSet) -> None:
    """Check that each molecule has a closed shell: without, there is no S1 and no T1.

    Raises:
        InputError: some have not; names them all.
    """
    wrong = [
        f"{name} has the multiplicity {atoms.multiplicity}"
        for name, atoms in zip(members.names, members.molecules, strict=True)
        if atoms.multiplicity != 1
    ]
    if wrong:
        raise InputError(
            "S1 and T1 were asked for",
            f"{'; '.join(wrong)}; only a closed shell has excited singlets and triplets",
            "leave it out, and ask for its excited states alone (run, states), which keep its M_S",
        )


DEFINITION = Definition(
    EXCITATIONS,
    (GapRequest, LevelForm),
    MOLECULE_SETS,
    prepare_gaps,
    help="S1, its oscillator strength, T1 and the gap between them, of each at the geometry of its "
    "ground state. Each molecule is computed as if it had been asked for alone, so that nothing is "
    "computed twice; one that fails leaves the others.",
    makes=(SingletTripletGaps, SingletTripletGap),
)
