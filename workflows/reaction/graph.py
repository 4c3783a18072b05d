"""The graph that finds the energies of the species of a reaction and takes their difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from pydantic_graph import End, GraphRunContext

from ogm import GraphModel, Link
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.reactions import Reaction, ReactionEnergy, ReactionSpecies, SpeciesEnergy
from ontologies.vibrations import Thermochemistry
from triplestore.errors import RecipeError
from workflows.dft.graphs.situation import DFTState
from workflows.engine import Done, Executor, Finish, Graph, Node, Parts, fan_out
from workflows.engine.graph.run import Journey
from workflows.engine.request.workflow import Finished, Ready, finished, prepare

from .combine import combined


@dataclass(frozen=True)
class ReactionSituation:
    """What the planner knows.

    Attributes:
        computed: whether the energies are known.
        combined: whether their difference is.
    """

    computed: bool = False
    combined: bool = False


@dataclass(frozen=True)
class Asked:
    """What is asked of a species.

    Attributes:
        species: which.
        ready: what is asked at the level of its geometry.
        energy_words: the level of its energy, in words; None where it is the same.
    """

    species: ReactionSpecies
    ready: Ready
    energy_words: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ReactionState:
    """Where a run stands.

    Attributes:
        reaction: which.
        asked: of its species, by their names.
        relaxed: whether geometries are relaxed.
        situation: what is known.
        energies: what the species came to, by their names.
        remembered: whether nothing of it was computed.
        found: what the reaction takes or gives.
    """

    reaction: Reaction
    asked: Mapping[str, Asked]
    relaxed: bool = True
    situation: ReactionSituation = ReactionSituation()
    energies: Mapping[str, SpeciesEnergy] = field(default_factory=dict[str, SpeciesEnergy])
    remembered: bool | None = None
    found: ReactionEnergy | None = None

    @property
    def recorded(self) -> Sequence[str]:
        """What it takes or gives."""
        return [self.found.iri] if self.found else []

    @property
    def product(self) -> GraphModel | None:
        """None: nothing is made of the reaction itself."""
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
        new: list[str] = []

        async def compute(asked: Asked) -> SpeciesEnergy:
            energy, remembered = await species_energy(asked, executor)
            new.extend([] if remembered else [asked.species.name])
            return energy

        parts = await fan_out(executor, state.asked, compute)
        if parts.errors:
            raise _missing(state, parts)
        situation, remembered = self.effect(state.situation), not new
        return Done(
            replace(state, energies=parts.results, situation=situation, remembered=remembered)
        )

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
        energies = tuple(state.energies.values())
        largest = max(state.asked.values(), key=lambda one: len(one.species.atoms.numbers))
        level = next(one for one in largest.ready.prepared.about if isinstance(one, Level))
        heats = [one.thermochemistry for one in energies if one.thermochemistry]
        heat = executor.kg.pull(Thermochemistry, heats[0].iri) if heats else None
        results = executor.kg.pull_all(EnergyResult, [one.result.iri for one in energies])
        found = combined(
            state.reaction, level, energies, heat, relaxed=state.relaxed,
            remarks=[list(one.remarks) for one in results],
        )  # fmt: skip
        executor.record(found)
        return Done(replace(state, found=found, situation=self.effect(state.situation)))

    async def run(self, ctx: GraphRunContext[Journey[ReactionState], None]) -> End[Finish]:
        return await self.proceed(ctx)


REACTION: Graph[ReactionState] = Graph("reaction", ComputeSpecies, CombineSpecies)


async def species_energy(asked: Asked, executor: Executor) -> tuple[SpeciesEnergy, bool]:
    """Compute one species, or remember it; return its energy, and whether it was remembered.

    Raises:
        GraficoError: it failed, or missed what was asked of it.
    """
    done = await _whole(asked.ready)
    state, remembered = cast("DFTState", done.state), done.reused
    answer, heat = state.answers[-1], state.heat
    corrections = dict[str, float]()
    if heat is not None:
        low, found = answer.result.energy, heat.result
        corrections = {
            "zero_point_energy": found.zero_point_energy, "enthalpy": found.enthalpy - low,
            "gibbs_energy": found.gibbs_energy - low,
        }  # fmt: skip
    if asked.energy_words is not None:
        again = await prepare(asked.ready.workflow, state.atoms, asked.energy_words, executor)
        done = await _whole(again)
        remembered, answer = remembered and done.reused, done.state.answers[-1]
    result: EnergyResult = answer.result
    for name in corrections.keys() - {"zero_point_energy"}:
        corrections[name] += result.energy
    homo = getattr(result, "homo", None)
    whole = SpeciesEnergy(
        species=asked.species, level=result.level, energy=result.energy, **corrections,
        result=Link[EnergyResult](answer.recorded),
        thermochemistry=Link[Thermochemistry](heat.recorded) if heat else None,
        unbound=bool(asked.species.atoms.charge < 0 and homo is not None and homo > 0),
    )  # fmt: skip
    return whole, remembered


async def _whole(ready: Ready) -> Finished:
    done = await finished(replace(ready, estimated=True))
    if done.status != "finished":
        error = RecipeError(
            f"{ready.prepared.label} was asked for", f"{done.status}: {done.message}",
            "resume its run, or change what is asked",
        )  # fmt: skip
        error.run = done.run
        raise error
    return done


def _missing(state: ReactionState, parts: Parts[SpeciesEnergy]) -> RecipeError:
    told = "; ".join(f"{name}: {error}" for name, error in parts.errors.items())
    known = ", ".join(parts.results) or "none"
    return RecipeError(
        f"the energies of {state.reaction.name} were asked for",
        f"{len(parts.errors)} of {len(state.asked)} species have none: {told}",
        f"resume the run with what they need, or ask otherwise; what is kept: {known}",
    )
