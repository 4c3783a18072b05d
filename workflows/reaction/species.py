"""What is asked of each species of a reaction: it runs alone, so that all reactions share it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ogm import GraphModel, Link
from ontologies.connectivity import changes
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.reactions import ReactionSpecies, SpeciesEnergy
from ontologies.vibrations import Thermochemistry
from triplestore.errors import GraficoError, RecipeError
from workflows.dft.graphs.situation import DFTState
from workflows.dft.request.forms import DFTRequest
from workflows.dft.spin_check import lower_state
from workflows.engine import Executor, Parts, fan_out
from workflows.engine.request.cost import Priced
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import Ready, completed, prepare
from workflows.registry import workflows


@dataclass(frozen=True)
class SpeciesTask:
    """What is asked of a species.

    Attributes:
        species: which.
        ready: what is asked at the level of its geometry.
        energy_words: the level of its energy, in words; None where it is the same.
        words: task and level of its geometry, in words.
    """

    species: ReactionSpecies
    ready: Ready
    energy_words: Mapping[str, Any] | None = None
    words: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def level_words(self) -> Mapping[str, Any]:
        """The level of its energy, in words."""
        if self.energy_words is not None:
            return self.energy_words
        return {n: said for n, said in self.words.items() if n not in DFTRequest.model_fields}


@dataclass(frozen=True)
class Questions:
    """What is asked of several species.

    Attributes:
        asked: of each, by its name.
        about: molecules and levels from which they start.
        energy_levels: the levels of the energies.
        costs: what it consists of.
        remarks: what was assumed, each once, with the species that it holds for if not for all.
    """

    asked: Mapping[str, SpeciesTask]
    about: tuple[GraphModel, ...]
    energy_levels: tuple[Level, ...]
    costs: tuple[Priced, ...]
    remarks: tuple[str, ...]

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of the geometries; references of species may differ."""
        return _levels(self.about)


def _levels(about: Iterable[GraphModel]) -> tuple[Level, ...]:
    return tuple({one.iri: one for one in about if isinstance(one, Level)}.values())


async def ask_species(
    species: Sequence[ReactionSpecies],
    words: Mapping[str, Any],
    energy_words: Mapping[str, Any] | None,
    executor: Executor,
) -> Questions:
    """Find out what is asked of several species.

    Args:
        species: which.
        words: task and level of the geometries.
        energy_words: the level of the energies; None where it is the same.
        executor: what will compute it.

    Raises:
        InputError: what is asked does not fit a species or its level; or there is no such level.
    """
    workflow = workflows().named("dft")

    async def ask(
        one: ReactionSpecies,
    ) -> tuple[SpeciesTask, list[Priced], tuple[GraphModel, ...]]:
        try:
            ready = await prepare(Request.of(workflow, (one.atoms,), words), executor.unheard())
            costs, last = list(ready.prepared.costs), ready
            if energy_words is not None:
                last = await prepare(
                    Request.of(workflow, (one.atoms,), energy_words), executor.unheard()
                )
                costs += last.prepared.costs
        except GraficoError as error:
            error.found = f"{one.name}: {error.found}"
            raise
        return SpeciesTask(one, ready, energy_words, words), costs, last.prepared.about

    found = await asyncio.gather(*map(ask, species))
    asked = dict(zip(_names(species), (one for one, *_ in found), strict=True))
    remarks: dict[str, list[str]] = {}
    for name, one in asked.items():
        for remark in one.ready.prepared.remarks:
            remarks.setdefault(remark, []).append(name)
    return Questions(
        asked,
        tuple(one for each in asked.values() for one in each.ready.prepared.about),
        _levels(one for _, _, about in found for one in about),
        tuple(cost for _, costs, _ in found for cost in costs),
        tuple(
            one if len(named) == len(asked) else f"{one} ({', '.join(named)})"
            for one, named in remarks.items()
        ),
    )


def _names(species: Sequence[ReactionSpecies]) -> list[str]:
    """Return a name for each species; those that are called the same are counted."""
    names: list[str] = []
    for one in species:
        again = sum(name.partition(" #")[0] == one.name for name in names)
        names.append(f"{one.name} #{again + 1}" if again else one.name)
    return names


async def species_energy(asked: SpeciesTask, executor: Executor) -> tuple[SpeciesEnergy, bool]:
    """Compute one species, or remember it; return its energy, and whether it was remembered.

    Raises:
        GraficoError: it failed, or missed what was asked of it.
    """
    done = await completed(asked.ready, executor)
    state, remembered = cast("DFTState", done.state), done.reused
    answer, heat = state.answers[-1], state.heat
    corrections = dict[str, float]()
    if heat is not None:
        low, found = answer.result.energy, heat.result
        corrections = {
            "zero_point_energy": found.zero_point_energy,
            "enthalpy": found.enthalpy - low,
            "gibbs_energy": found.gibbs_energy - low,
        }
    if asked.energy_words is not None:
        again = await prepare(
            Request.of(asked.ready.workflow, (state.atoms,), asked.energy_words), executor
        )
        done = await completed(again)
        remembered, answer = remembered and done.reused, done.state.answers[-1]
    result: EnergyResult = answer.result
    for name in corrections.keys() - {"zero_point_energy"}:
        corrections[name] += result.energy
    other, known = await lower_state(
        asked.species.smiles, state.atoms, result.energy, asked.level_words, executor
    )
    homo = getattr(result, "homo", None)
    changed = changes(asked.species.atoms, state.atoms)
    whole = SpeciesEnergy(
        species=asked.species,
        level=result.level,
        energy=result.energy,
        **corrections,
        result=Link[EnergyResult](answer.recorded),
        thermochemistry=Link[Thermochemistry](heat.recorded) if heat else None,
        unbound=bool(asked.species.atoms.charge < 0 and homo is not None and homo > 0),
        bonds_changed=str(changed) if changed else "",
        lower_multiplicity=other[0] if other else None,
        lower_energy=other[1] if other else None,
        spin_orbit_lowering=(heat.result.spin_orbit_lowering or None) if heat else None,
    )
    return whole, remembered and known


async def species_energies(
    asked: Mapping[str, SpeciesTask], executor: Executor, name: str, *, every: bool = True
) -> tuple[Parts[SpeciesEnergy], bool]:
    """Compute species in parallel; return their energies, and whether all were remembered.

    Args:
        asked: what is asked of each, by name.
        executor: does it.
        name: of what their energies are asked for.
        every: whether all are needed; else those that have none stand among the errors.

    Raises:
        RecipeError: species that are needed have none.
    """
    new: list[str] = []

    async def compute(one: SpeciesTask) -> SpeciesEnergy:
        energy, remembered = await species_energy(one, executor)
        new.extend([] if remembered else [one.species.name])
        return energy

    parts = await fan_out(executor, asked, compute)
    if parts.errors and (every or not parts.results):
        raise missing(name, parts)
    return parts, not new


def missing(name: str, parts: Parts[SpeciesEnergy]) -> RecipeError:
    """Return what to say where species have no energy.

    Args:
        name: of what their energies were asked for.
        parts: what came of them.
    """
    told = "; ".join(f"{one}: {error}" for one, error in parts.errors.items())
    known = f"; what is kept: {', '.join(parts.results)}" if parts.results else ""
    count = len(parts.errors) + len(parts.results)
    return RecipeError(
        f"the energies of {name} were asked for",
        f"{len(parts.errors)} of {count} species have none: {told}",
        f"resume the run with what they need, or ask otherwise{known}",
    )
