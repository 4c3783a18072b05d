"""The graph that puts a solvent around a molecule, relaxes the clusters and compares them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_graph import End, GraphRunContext

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.clusters import SolventCluster
from ontologies.conformers import ConformerCandidates
from triplestore.errors import GraficoError, RecipeError
from workflows.conformer.ensemble import Computed
from workflows.conformer.graph import compute_alone
from workflows.engine import Call, Done, Executor, Finish, Graph, Node, fan_out
from workflows.engine.graph.run import Journey

from .compare import compared


@dataclass(frozen=True)
class ClusterSituation:
    """What the planner knows.

    Attributes:
        placed: whether there are clusters to start from.
        computed: whether each has its energy.
        ranked: whether they are compared.
    """

    placed: bool = False
    computed: bool = False
    ranked: bool = False


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
class ClusterState:
    """Where a run stands.

    Attributes:
        plan: what is asked.
        remarks: what is to be known of it.
        situation: what is known.
        structures: geometries to start from, by name.
        computed: what each came to, and the molecules alone.
        errors: why others came to nothing.
        remembered: whether nothing of it was computed.
        found: the clusters.
    """

    plan: ClusterPlan
    remarks: tuple[str, ...] = ()
    situation: ClusterSituation = ClusterSituation()
    structures: Mapping[str, ConceptualAtoms] = field(default_factory=dict[str, ConceptualAtoms])
    computed: Mapping[str, Computed] = field(default_factory=dict[str, Computed])
    errors: Mapping[str, GraficoError] = field(default_factory=dict[str, GraficoError])
    remembered: bool | None = None
    found: SolventCluster | None = None

    @property
    def recorded(self) -> Sequence[str]:
        """The clusters, and their geometries as an ensemble."""
        return [self.found.iri, self.found.ensemble.iri] if self.found else []

    @property
    def product(self) -> GraphModel | None:
        """The lowest cluster."""
        return self.found.ensemble.lowest.atoms if self.found else None


class PlaceSolvent(Node[ClusterState]):
    """Put solvent molecules around the molecule, in several ways in parallel."""

    def precondition(self, situation: ClusterSituation) -> str | None:
        return "there are clusters to start from" if situation.placed else None

    def effect(self, situation: ClusterSituation) -> ClusterSituation:
        return replace(situation, placed=True)

    async def work(self, state: ClusterState, executor: Executor) -> Done[ClusterState]:
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
        return Done(
            replace(
                state,
                structures=structures,
                remarks=(*state.remarks, *remarks),
                remembered=not new,
                situation=self.effect(state.situation),
            )
        )

    async def run(
        self, ctx: GraphRunContext[Journey[ClusterState], None]
    ) -> ComputeClusters | End[Finish]:
        return await self.proceed(ctx)


class ComputeClusters(Node[ClusterState]):
    """Relax each cluster and the molecules alone, in parallel, as if asked for one by one."""

    def precondition(self, situation: ClusterSituation) -> str | None:
        if not situation.placed:
            return "there is no cluster to start from"
        return "the clusters are relaxed" if situation.computed else None

    def effect(self, situation: ClusterSituation) -> ClusterSituation:
        return replace(situation, computed=True)

    def cost(self, situation: ClusterSituation) -> float:
        return 10.0

    async def work(self, state: ClusterState, executor: Executor) -> Done[ClusterState]:
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
        return Done(
            replace(
                state,
                computed=parts.results,
                errors=parts.errors,
                remembered=not new and state.remembered is not False,
                situation=self.effect(state.situation),
            )
        )

    async def run(
        self, ctx: GraphRunContext[Journey[ClusterState], None]
    ) -> CompareClusters | End[Finish]:
        return await self.proceed(ctx)


class CompareClusters(Node[ClusterState]):
    """Leave out what reacted, tell clusters that are alike once, and record the rest."""

    def precondition(self, situation: ClusterSituation) -> str | None:
        if not situation.computed:
            return "the clusters are not relaxed"
        return "the clusters are recorded" if situation.ranked else None

    def effect(self, situation: ClusterSituation) -> ClusterSituation:
        return replace(situation, ranked=True)

    async def work(self, state: ClusterState, executor: Executor) -> Done[ClusterState]:
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
        return Done(replace(state, found=found, situation=self.effect(state.situation)))

    async def run(self, ctx: GraphRunContext[Journey[ClusterState], None]) -> End[Finish]:
        return await self.proceed(ctx)


CLUSTERS: Graph[ClusterState] = Graph("clusters", PlaceSolvent, ComputeClusters, CompareClusters)


def _nothing(plan: ClusterPlan, errors: Mapping[str, GraficoError]) -> RecipeError:
    name, error = next(iter(errors.items()))
    return RecipeError(
        f"{plan.solute.formula} with {plan.count} {plan.solvent_name} was asked for",
        f"none of {len(errors)} clusters came to a result; {name}: {error}",
        "change what is asked, and resume the run",
    )
