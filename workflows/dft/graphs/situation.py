"""Where a run of the DFT graph stands: the state, and what a planner sees of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.vibrations import Thermochemistry
from workflows.engine import Answer, Done

Geometry: TypeAlias = Literal[
    "as given",
    "constrained",
    "stationary",
    "minimum",
    "saddle point",
    "not stationary",
    "not relaxed",
]

STANDING: tuple[Geometry, ...] = ("stationary", "minimum")


@dataclass(frozen=True)
class Situation:
    """What the planner knows.

    Attributes:
        geometry: the label of the geometry.
        energy: whether the energy at it is known.
        thermochemistry: whether that of it is known.
        known: the properties of it that are known, by name, in order.
        repairs: how often it was pushed off a saddle point or relaxed anew.
        descents: how often an unstable wavefunction was left for a lower one.
        lacking: what the level has not: `forces`, and properties by name.
        crystal: whether it repeats.
    """

    geometry: Geometry = "as given"
    energy: bool = False
    thermochemistry: bool = False
    known: tuple[str, ...] = ()
    repairs: int = 0
    descents: int = 0
    lacking: frozenset[str] = frozenset()
    crystal: bool = False

    def elsewhere(self, geometry: Geometry, *, energy: bool = True, repairs: int = 0) -> Situation:
        """Return the situation at another geometry, of which nothing else is known.

        Args:
            geometry: its label.
            energy: whether its energy is known.
            repairs: how many are added.
        """
        return Situation(
            geometry,
            energy,
            repairs=self.repairs + repairs,
            descents=self.descents,
            lacking=self.lacking,
            crystal=self.crystal,
        )


@dataclass(frozen=True)
class DFTState:
    """Where a run stands.

    Attributes:
        atoms: the last geometry.
        level: the level of theory, that of the last results.
        situation: what is known.
        answers: every result, in order.
        heat: the thermochemistry.
    """

    atoms: ConceptualAtoms
    level: Level
    situation: Situation = Situation()
    answers: tuple[Answer[EnergyResult], ...] = ()
    heat: Answer[Thermochemistry] | None = None

    @property
    def recorded(self) -> Sequence[str]:
        """IRIs of the results so far."""
        last = [self.heat.recorded] if self.heat else []
        return [*(answer.recorded for answer in self.answers), *last]

    @property
    def product(self) -> ConceptualAtoms:
        """The last geometry."""
        return self.atoms

    def after(self, answer: Answer[Any], situation: Situation) -> Done[DFTState]:
        """Return the state after a calculation, at the geometry of its result."""
        atoms = answer.result.atoms
        answers = (*self.answers, answer)
        return Done(replace(self, atoms=atoms, situation=situation, answers=answers), answer)
