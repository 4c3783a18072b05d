"""The graph that finds the energies of the species of reactions and takes their differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic_graph import End, GraphRunContext

from ogm import GraphModel
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.reactions import Reaction, ReactionEnergy, SpeciesEnergy
from ontologies.vibrations import Thermochemistry
from workflows.engine import Done, Executor, Finish, Graph, Node
from workflows.engine.graph.run import Journey

from .combine import combined
from .species import Asked, species_energies


@dataclass(frozen=True)
class ReactionSituation:
    """What the planner knows.

    Attributes:
        computed: whether the energies are known.
        combined: whether their difference is.
    """

    computed: bool = False
    combined: bool = False


Conclude = Callable[[Sequence[ReactionEnergy]], GraphModel]
"""What is made of the energies of several reactions, in their order."""


@dataclass(frozen=True)
class ReactionState:
    """Where a run stands.

    Attributes:
        reactions: which; several share their species.
        asked: of their species, by names.
        relaxed: whether geometries are relaxed.
        conclude: what is made of what they take or give; None where that is the answer.
        situation: what is known.
        energies: what the species came to, by their names.
        remembered: whether nothing of it was computed.
        found: what each reaction takes or gives.
        concluded: what was made of that.
    """

    reactions: tuple[Reaction, ...]
    asked: Mapping[str, Asked]
    relaxed: bool = True
    conclude: Conclude | None = None
    situation: ReactionSituation = ReactionSituation()
    energies: Mapping[str, SpeciesEnergy] = field(default_factory=dict[str, SpeciesEnergy])
    remembered: bool | None = None
    found: tuple[ReactionEnergy, ...] = ()
    concluded: GraphModel | None = None

    @property
    def recorded(self) -> Sequence[str]:
        """What it all came to."""
        last = (self.concluded,) if self.concluded else self.found
        return [one.iri for one in last]

    @property
    def product(self) -> GraphModel | None:
        """None: nothing is made of what it is about."""
        return None


class ComputeSpecies(Node[ReactionState]):
    """Compute each species, in parallel, as if it had been asked for alone."""

    def precondition(self, situation: ReactionSituation) -> str | None:
        return "the energies are known" if situation.computed else None

    def effect(self, situation: ReactionSituation) -> ReactionSituation:
        return replace(situation, computed=True)

    def cost(self, situation: ReactionSituation) -> float:
        return 10.0

    async def work(self, state: ReactionState, executor: Executor) -> Done[ReactionState]:
        names = ", ".join(one.name for one in state.reactions)
        energies, remembered = await species_energies(state.asked, executor, names)
        situation = self.effect(state.situation)
        return Done(replace(state, energies=energies, situation=situation, remembered=remembered))

    async def run(
        self, ctx: GraphRunContext[Journey[ReactionState], None]
    ) -> CombineSpecies | End[Finish]:
        return await self.proceed(ctx)


class CombineSpecies(Node[ReactionState]):
    """Take the difference of products and reactants and record it."""

    def precondition(self, situation: ReactionSituation) -> str | None:
        if not situation.computed:
            return "the energies are not known"
        return "the difference is known" if situation.combined else None

    def effect(self, situation: ReactionSituation) -> ReactionSituation:
        return replace(situation, combined=True)

    async def work(self, state: ReactionState, executor: Executor) -> Done[ReactionState]:
        known = {
            asked.species.atoms.iri: (asked, state.energies[name])
            for name, asked in state.asked.items()
        }
        results = executor.kg.pull_all(
            EnergyResult, [one.result.iri for one in state.energies.values()]
        )
        remarks = {one.iri: list(one.remarks) for one in results}
        linked = {
            one.result.iri: one.thermochemistry.iri
            for one in state.energies.values()
            if one.thermochemistry
        }
        heats = executor.kg.pull_all(Thermochemistry, [*linked.values()])
        for result, one in zip(linked, heats, strict=True):
            remarks[result] += one.remarks
        heat = heats[0] if heats else None
        found: list[ReactionEnergy] = []
        for reaction in state.reactions:
            parts = [known[one.atoms.iri] for one in reaction.species]
            energies = [
                energy.model_copy(update={"species": one})
                for one, (_, energy) in zip(reaction.species, parts, strict=True)
            ]
            largest = max((asked for asked, _ in parts), key=_size)
            level = next(one for one in largest.ready.prepared.about if isinstance(one, Level))
            found.append(
                combined(
                    reaction,
                    level,
                    energies,
                    heat,
                    relaxed=state.relaxed,
                    lowers=any(one.spin_orbit for one in heats),
                    remarks=[remarks[one.result.iri] for one in energies],
                )
            )
        last = state.conclude(found) if state.conclude else None
        executor.record(*found, *([last] if last else []))
        done = replace(state, found=tuple(found), concluded=last)
        return Done(replace(done, situation=self.effect(state.situation)))

    async def run(self, ctx: GraphRunContext[Journey[ReactionState], None]) -> End[Finish]:
        return await self.proceed(ctx)


def graph_of(name: str) -> Graph[ReactionState]:
    """Return the graph of a workflow whose question reactions answer."""
    return Graph(name, ComputeSpecies, CombineSpecies)


REACTION = graph_of("reaction")


def _size(asked: Asked) -> int:
    return len(asked.species.atoms.numbers)
