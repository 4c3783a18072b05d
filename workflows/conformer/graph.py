"""The graph that relaxes geometries of a molecule, merges those alike, and weights the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ogm import GraphModel, Link
from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import (
    ConformerCandidates,
    ConformerEnsemble,
    SamenessThresholds,
    WeightedBy,
)
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.vibrations import Thermochemistry
from triplestore.errors import GraficoError, RecipeError
from workflows.dft.graphs.situation import DFTState
from workflows.engine import Call, Done, Executor, Findings, StepGraph, fan_out, step
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import completed, prepare
from workflows.registry import workflows

from .ensemble import Computed, assemble
from .settling import TIGHTLY, settled


@dataclass(frozen=True)
class EnsemblePlan:
    """How geometries become an ensemble.

    Attributes:
        words: what is asked of each geometry, as of a molecule alone.
        thresholds: by which geometries are one conformer.
        window: Eh above the lowest, within which conformers are kept.
        weighted_by: what weights come from.
        temperature: of these, in K.
        settles: whether one of each kind is relaxed again, very tightly.
    """

    words: Mapping[str, Any]
    thresholds: SamenessThresholds
    window: float
    weighted_by: WeightedBy = "energy"
    temperature: float = 298.15
    settles: bool = False


@dataclass(frozen=True)
class EnsembleState(Findings):
    """Where a run stands.

    Attributes:
        molecule: which.
        smiles: its bonds; empty where these are not known.
        level: at which geometries are computed.
        plan: how they become an ensemble.
        sampling: makes geometries; None where they are given.
        structures: these, by name.
        sampler: what made them.
        refined: IRI of the ensemble that they come from, if they do.
        remarks: what is to be known of them.
        computed: what each came to, by name.
        errors: why others came to nothing.
        ensemble: what was made of them.
    """

    molecule: ConceptualAtoms
    smiles: str
    level: Level
    plan: EnsemblePlan
    sampling: Call[ConformerCandidates] | None = None
    structures: Mapping[str, ConceptualAtoms] = field(default_factory=dict[str, ConceptualAtoms])
    sampler: str = ""
    refined: str = ""
    remarks: tuple[str, ...] = ()
    computed: Mapping[str, Computed] = field(default_factory=dict[str, Computed])
    errors: Mapping[str, GraficoError] = field(default_factory=dict[str, GraficoError])
    ensemble: ConformerEnsemble | None = None

    @property
    def product(self) -> GraphModel | None:
        """The geometry of the lowest conformer."""
        return self.ensemble.lowest.atoms if self.ensemble else None


@step("starting geometries", done="are made")
async def sample_conformers(state: EnsembleState, executor: Executor) -> Done[EnsembleState]:
    """Make geometries of the molecule from which conformers are relaxed."""
    assert state.sampling is not None  # where geometries are given, this step is done
    answer = await executor.run(state.sampling)
    made = answer.result
    after = replace(
        state,
        sampler=made.sampler,
        remarks=(*state.remarks, *made.remarks),
        structures={f"start {n}": one for n, one in enumerate(made.structures, 1)},
        remembered=answer.reused,
    )
    return Done(after, answer)


@step("geometries", needs="starting geometries", done="are computed", cost=10.0, parts=True)
async def compute_conformers(state: EnsembleState, executor: Executor) -> EnsembleState:
    """Compute each geometry, in parallel, as if it had been asked for alone.

    Where it is relaxed only, the lowest of those alike is relaxed again, very tightly.
    """
    new, plan = [] if state.remembered is not False else ["candidates"], state.plan

    async def compute(atoms: ConceptualAtoms, **more: Any) -> Computed:
        found, remembered = await compute_alone(atoms, {**plan.words, **more}, executor)
        new.extend([] if remembered else [atoms.iri])
        return found

    parts = await fan_out(executor, state.structures, compute)
    if not parts.results:
        name, error = next(iter(parts.errors.items()))
        raise RecipeError(
            f"the conformers of {state.molecule.formula} at {state.level.label} were asked for",
            f"none of {len(parts.errors)} geometries came to a result; {name}: {error}",
            "change what is asked, and resume the run",
        )
    computed, told = parts.results, list[str]()
    if plan.settles:
        computed, told = await settled(
            state.molecule,
            state.smiles,
            computed,
            plan.thresholds,
            plan.window,
            lambda atoms: compute(atoms, convergence=TIGHTLY),
            executor,
        )
    return replace(
        state,
        computed=computed,
        errors=parts.errors,
        remembered=not new,
        remarks=(*state.remarks, *told),
    )


@step("ensemble", needs="geometries", done="is recorded")
async def rank_conformers(state: EnsembleState, executor: Executor) -> EnsembleState:
    """Leave out what is no conformer of the molecule, merge those alike, weight the rest."""
    plan = state.plan
    found = assemble(
        state.molecule,
        state.smiles,
        state.computed,
        state.structures,
        state.errors,
        thresholds=plan.thresholds,
        window=plan.window,
        weighted_by=plan.weighted_by,
        temperature=plan.temperature,
        sampler=state.sampler,
        remarks=state.remarks,
        refined=Link[ConformerEnsemble](state.refined) if state.refined else None,
    )
    executor.record(found)
    return replace(state, ensemble=found, found=(found,), missing=tuple(state.errors))


def graph_of(name: str) -> StepGraph[EnsembleState]:
    """Return the graph of a workflow that makes an ensemble."""
    return StepGraph(name, sample_conformers, compute_conformers, rank_conformers)


CONFORMERS, REFINEMENT = graph_of("conformers"), graph_of("refinement")


async def compute_alone(
    atoms: ConceptualAtoms, words: Mapping[str, Any], executor: Executor
) -> tuple[Computed, bool]:
    """Compute a geometry as a molecule of its own, or remember it.

    Args:
        atoms: where it starts.
        words: task and level.
        executor: what computes.

    Returns:
        What it came to, and whether that was remembered.

    Raises:
        GraficoError: it failed, or missed what was asked of it.
    """
    workflow = workflows().named("dft")
    ready = await prepare(Request.of(workflow, (atoms,), words), executor.unheard())
    done = await completed(ready, executor)
    state: DFTState = done.state
    answer, heat = state.answers[-1], state.heat
    result: EnergyResult = answer.result
    found = Computed(
        state.atoms,
        result.level,
        result.energy,
        Link[EnergyResult](answer.recorded),
        heat.result.gibbs_energy if heat else None,
        Link[Thermochemistry](heat.recorded) if heat else None,
        state.situation.repairs,
    )
    return found, done.reused
