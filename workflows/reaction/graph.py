"""The graph that finds the energies of the species of reactions and takes their differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ogm import GraphModel
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.reactions import Reaction, ReactionEnergy, SpeciesEnergy
from ontologies.vibrations import Thermochemistry
from triplestore.errors import GraficoError
from workflows.engine import Executor, Findings, Parts, StepGraph, step

from .combine import combined
from .species import SpeciesTask, missing, species_energies

Conclude = Callable[[Sequence[ReactionEnergy], Mapping[int, str]], GraphModel]
"""What is made of the energies of several reactions, in their order, and of the reasons why others
have none, by their places among all."""


@dataclass(frozen=True)
class ReactionState(Findings):
    """Where a run stands.

    Attributes:
        reactions: which; several share their species.
        asked: of their species, by names.
        relaxed: whether geometries are relaxed.
        conclude: what is made of what they take or give; None where that is the answer.
        every: whether all of the reactions are needed; else some of them may be missing.
        energies: what the species came to, by their names.
        errors: why others came to nothing.
    """

    reactions: tuple[Reaction, ...]
    asked: Mapping[str, SpeciesTask]
    relaxed: bool = True
    conclude: Conclude | None = None
    every: bool = True
    energies: Mapping[str, SpeciesEnergy] = field(default_factory=dict[str, SpeciesEnergy])
    errors: Mapping[str, GraficoError] = field(default_factory=dict[str, GraficoError])


@step("energies", cost=10.0)
async def compute_species(state: ReactionState, executor: Executor) -> ReactionState:
    """Compute each species, in parallel, as if it had been asked for alone."""
    names = ", ".join(one.name for one in state.reactions)
    parts, remembered = await species_energies(state.asked, executor, names, every=state.every)
    return replace(state, energies=parts.results, errors=parts.errors, remembered=remembered)


@step("difference", needs="energies")
async def combine_species(state: ReactionState, executor: Executor) -> ReactionState:
    """Take the difference of products and reactants and record it.

    Raises:
        RecipeError: each reaction has a species without an energy.
    """
    known = {
        asked.species.atoms.iri: (asked, state.energies[name])
        for name, asked in state.asked.items()
        if name in state.energies
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
    failures: dict[int, str] = {}
    for place, reaction in enumerate(state.reactions):
        if lacking := _lacking(state, reaction):
            failures[place] = "; ".join(f"{name}: {why}" for name, why in lacking.items())
            continue
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
    if not found:
        names = ", ".join(one.name for one in state.reactions)
        raise missing(names, Parts(state.energies, state.errors))
    last = [state.conclude(found, failures)] if state.conclude else []
    executor.record(*found, *last)
    return replace(state, found=tuple(last or found))


def _lacking(state: ReactionState, reaction: Reaction) -> Mapping[str, GraficoError]:
    """Return the species of a reaction that have no energy, each with the reason."""
    iris = {one.atoms.iri for one in reaction.species}
    failed = {name: state.asked[name].species.atoms.iri for name in state.errors}
    return {name: state.errors[name] for name, iri in failed.items() if iri in iris}


def graph_of(name: str) -> StepGraph[ReactionState]:
    """Return the graph of a workflow whose question reactions answer."""
    return StepGraph(name, compute_species, combine_species)


REACTION = graph_of("reaction")


def _size(asked: SpeciesTask) -> int:
    return len(asked.species.atoms.numbers)
