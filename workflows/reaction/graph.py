"""The graph that finds the energies of the species of reactions and takes their differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ogm import GraphModel
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.reactions import Reaction, ReactionEnergy, SpeciesEnergy
from ontologies.vibrations import Thermochemistry
from workflows.engine import Executor, Findings, StepGraph, step

from .combine import combined
from .species import SpeciesTask, species_energies

Conclude = Callable[[Sequence[ReactionEnergy]], GraphModel]
"""What is made of the energies of several reactions, in their order."""


@dataclass(frozen=True)
class ReactionState(Findings):
    """Where a run stands.

    Attributes:
        reactions: which; several share their species.
        asked: of their species, by names.
        relaxed: whether geometries are relaxed.
        conclude: what is made of what they take or give; None where that is the answer.
        energies: what the species came to, by their names.
    """

    reactions: tuple[Reaction, ...]
    asked: Mapping[str, SpeciesTask]
    relaxed: bool = True
    conclude: Conclude | None = None
    energies: Mapping[str, SpeciesEnergy] = field(default_factory=dict[str, SpeciesEnergy])


@step("energies", cost=10.0)
async def compute_species(state: ReactionState, executor: Executor) -> ReactionState:
    """Compute each species, in parallel, as if it had been asked for alone."""
    names = ", ".join(one.name for one in state.reactions)
    energies, remembered = await species_energies(state.asked, executor, names)
    return replace(state, energies=energies, remembered=remembered)


@step("difference", needs="energies")
async def combine_species(state: ReactionState, executor: Executor) -> ReactionState:
    """Take the difference of products and reactants and record it."""
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
    last = [state.conclude(found)] if state.conclude else []
    executor.record(*found, *last)
    return replace(state, found=tuple(last or found))


def graph_of(name: str) -> StepGraph[ReactionState]:
    """Return the graph of a workflow whose question reactions answer."""
    return StepGraph(name, compute_species, combine_species)


REACTION = graph_of("reaction")


def _size(asked: SpeciesTask) -> int:
    return len(asked.species.atoms.numbers)
