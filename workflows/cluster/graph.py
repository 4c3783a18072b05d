"""The graph that puts a solvent around a molecule, relaxes the clusters and compares them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.clusters import SolventCluster
from ontologies.conformers import ConformerCandidates
from triplestore.errors import GraficoError, RecipeError
from workflows.conformer.ensemble import Computed
from workflows.conformer.graph import compute_alone
from workflows.engine import Call, Executor, Findings, StepGraph, fan_out, step

from .compare import compared


@dataclass(frozen=True)
class ClusterPlan:
    """What is asked of a cluster.

    Attributes:
        solute: the molecule in the middle.
        solvent: a molecule of the solvent.
        solvent_name: what the person called it.
        count: how many of it.
        smiles: the bonds of the whole cluster; empty where these are not known.
        engine: what makes geometries, with its settings.
        sampling: makes them, by name.
        further: samples each further; None where that is left out.
        kept: how many geometries of each are relaxed.
        words: what is asked of each geometry, as of a molecule alone.
    """

    solute: ConceptualAtoms
    solvent: ConceptualAtoms
    solvent_name: str
    count: int
    smiles: str
    engine: str
    sampling: Mapping[str, Call[ConformerCandidates]]
    further: Callable[[ConceptualAtoms], Call[ConformerCandidates]] | None
    kept: int
    words: Mapping[str, Any]


@dataclass(frozen=True)
class ClusterState(Findings):
    """Where a run stands.

    Attributes:
        plan: what is asked.
        remarks: what is to be known of it.
        structures: geometries to start from, by name.
        computed: what each came to, and the molecules alone.
        errors: why others came to nothing.
        cluster: the clusters.
    """

    plan: ClusterPlan
    remarks: tuple[str, ...] = ()
    structures: Mapping[str, ConceptualAtoms] = field(default_factory=dict[str, ConceptualAtoms])
    computed: Mapping[str, Computed] = field(default_factory=dict[str, Computed])
    errors: Mapping[str, GraficoError] = field(default_factory=dict[str, GraficoError])
    cluster: SolventCluster | None = None

    @property
    def product(self) -> GraphModel | None:
        """The lowest cluster."""
        return self.cluster.ensemble.lowest.atoms if self.cluster else None


@step("starting clusters", done="are placed")
async def place_solvent(state: ClusterState, executor: Executor) -> ClusterState:
    """Put solvent molecules around the molecule, in several ways in parallel."""
    plan, new = state.plan, list[str]()

    async def place(
        sampling: Call[ConformerCandidates],
    ) -> tuple[list[ConceptualAtoms], tuple[str, ...]]:
        made = await executor.run(sampling)
        new.extend([] if made.reused else [made.recorded])
        if plan.further is None:
            return list(made.result.structures), made.result.remarks
        moved = await executor.run(plan.further(made.result.structures[0]))
        new.extend([] if moved.reused else [moved.recorded])
        return list(moved.result.structures[: plan.kept]), moved.result.remarks

    parts = await fan_out(executor, plan.sampling, place)
    if not parts.results:
        raise _nothing(plan, parts.errors)
    structures = {
        f"{name}, geometry {number}": atoms
        for name, (found, _) in parts.results.items()
        for number, atoms in enumerate(found, 1)
    }
    remarks = [f"{name}: {one}" for name, (_, told) in parts.results.items() for one in told]
    remarks += [f"{name} came to nothing: {error}" for name, error in parts.errors.items()]
    return replace(
        state, structures=structures, remarks=(*state.remarks, *remarks), remembered=not new
    )


@step("clusters", needs="starting clusters", done="are relaxed", cost=10.0)
async def compute_clusters(state: ClusterState, executor: Executor) -> ClusterState:
    """Relax each cluster and the molecules alone, in parallel, as if asked for one by one."""
    plan, new = state.plan, list[str]()

    async def compute(atoms: ConceptualAtoms) -> Computed:
        found, remembered = await compute_alone(atoms, plan.words, executor)
        new.extend([] if remembered else [atoms.iri])
        return found

    alone = {"solute": plan.solute, "solvent": plan.solvent}
    parts = await fan_out(executor, {**alone, **state.structures}, compute)
    if missing := [name for name in alone if name not in parts.results]:
        raise parts.errors[missing[0]]
    if len(parts.results) == len(alone):
        raise _nothing(plan, parts.errors)
    remembered = not new and state.remembered is not False
    return replace(state, computed=parts.results, errors=parts.errors, remembered=remembered)


@step("comparison", needs="clusters", done="is recorded")
async def compare_clusters(state: ClusterState, executor: Executor) -> ClusterState:
    """Leave out what reacted, tell clusters that are alike once, and record the rest."""
    plan = state.plan
    found = compared(
        plan.solute,
        plan.solvent,
        plan.solvent_name,
        plan.count,
        plan.smiles,
        plan.engine,
        state.structures,
        state.computed,
        state.errors,
        state.remarks,
    )
    executor.record(found.ensemble, found)
    return replace(state, cluster=found, found=(found, found.ensemble))


CLUSTERS = StepGraph("clusters", place_solvent, compute_clusters, compare_clusters)


def _nothing(plan: ClusterPlan, errors: Mapping[str, GraficoError]) -> RecipeError:
    name, error = next(iter(errors.items()))
    return RecipeError(
        f"{plan.solute.formula} with {plan.count} {plan.solvent_name} was asked for",
        f"none of {len(errors)} clusters came to a result; {name}: {error}",
        "change what is asked, and resume the run",
    )
