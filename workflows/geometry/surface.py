"""A molecule at a level of theory as an energy surface: all that a program must say of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR
from ontologies.level import Level
from ontologies.units import Floats
from triplestore.errors import NotConvergedError, RecipeError

from .harmonic import Derivatives, central_differences

LevelT = TypeVar("LevelT", bound=Level)

SAME_STATE = 1e-5
"""Eh. Solutions at one geometry that differ by more are different states."""

JUMP = 5e-3
"""Eh. A step of 0.01 bohr changes the energy by less, in the steepest of bonds."""


class LevelSurface(ABC, Generic[LevelT]):
    """A molecule at a level of theory, at one geometry after the other.

    A program writes `_solve`, and what else is its own: second derivatives that it has, what a
    result says beside the energy, what it can start again from. `SurfaceCalculations` makes
    relaxation, vibrations, saddle points, paths and bands of it.

    Args:
        atoms: the molecule.
        level: the level of theory.

    Attributes:
        step: bohr. How far an atom is moved for a difference of gradients.
        every: differences after which they are kept, to go on from there.
        left: what is said where such a step ends in another state, and what helps.
        has_dipole: whether `dipole` is known, of which infrared intensities are made.
        positions: the last geometry in Å.
        energy: there, in Eh.
    """

    step: float = 0.005
    every: ClassVar[int] = 1
    left: ClassVar[tuple[str, str]] = ("the energy jumps", "ask for another method")
    has_dipole: bool = False

    def __init__(self, atoms: ConceptualAtoms, level: LevelT) -> None:
        self.atoms, self.level, self.positions = atoms, level, atoms.positions
        self.energy = np.nan

    @classmethod
    @contextmanager
    def opened(cls, atoms: ConceptualAtoms, level: LevelT) -> Generator[Self]:
        """Give one for as long as it is needed; a program that needs a folder makes it here."""
        yield cls(atoms, level)

    @abstractmethod
    def _solve(self, positions: Floats) -> tuple[float, Floats]:
        """Return energy (Eh) and gradient (Eh/bohr, shape (atoms, 3)) at positions in Å."""

    @property
    def asked(self) -> str:
        """What errors say was asked for."""
        return f"{self.level.label} of {self.atoms.formula} was asked for"

    def at(self, positions: Floats) -> tuple[float, Floats]:
        """Return energy (Eh) and gradient (Eh/bohr, shape (atoms, 3)) at positions in Å.

        Raises:
            GraficoError: it could not be computed.
        """
        self.positions = positions
        energy, gradient = self._solve(positions)
        if not (np.isfinite(energy) and np.isfinite(gradient).all()):
            raise RecipeError(
                self.asked,
                "energy or gradient are not finite numbers",
                "check the geometry, or ask for another method",
            )
        self.energy = energy
        return energy, gradient

    def start(self) -> tuple[float, Floats]:
        """Return energy and gradient of the molecule as it is given, from the usual guess."""
        return self.at(self.atoms.positions)

    @property
    def findings(self) -> Mapping[str, Any]:
        """What a result says of the last geometry, but for its inputs: fields of its class."""
        return {"energy": self.energy}

    def said(self, more: Sequence[str]) -> dict[str, Any]:
        """Return what a result says of the last geometry, and what else is to be known of it."""
        found = dict(self.findings)
        return found | {"remarks": (*found.get("remarks", ()), *more)}

    @property
    def dipole(self) -> Floats:
        """The dipole at the last geometry in e·bohr, about the origin; where `has_dipole`."""
        raise NotImplementedError

    @property
    def state_energy(self) -> float:
        """The energy in Eh by which states are told from each other at the last geometry."""
        return self.energy

    def other_state(self, relaxed: ConceptualAtoms) -> tuple[str, ...]:
        """Say if a solution from the usual guess is another state at the final geometry.

        Nothing where a geometry has one energy, wherever it is come from.
        """
        return ()

    def derivatives(self, checkpoint: Path | None = None) -> Derivatives:
        """Return second derivatives of the energy, and those of the dipole, at the last geometry.

        These are central differences; a program that has analytic ones returns them.

        Args:
            checkpoint: where each gradient is kept, to go on from there; None for nowhere.

        Raises:
            RecipeError: the solution at a displaced geometry is another state.
        """
        here, energy = self.positions, self.energy
        near, kept = self._nearby(), self.kept()
        state = near.state_energy

        def beside(shift: Floats) -> tuple[Floats, Floats]:
            near.take_up(kept)
            _, gradient = near.at(here + shift * BOHR)
            check_state(self.atoms, self.step, near.state_energy - state, *self.left)
            return gradient, near.dipole if near.has_dipole else np.zeros(3)

        count = len(self.atoms.numbers)
        found = central_differences(
            count, self.step, beside, checkpoint=checkpoint, every=self.every
        )
        self.positions, self.energy = here, energy
        return found if self.has_dipole else replace(found, dipoles=None)

    def _nearby(self) -> Self:
        """Return the surface that displaced geometries are computed on, in the state of this."""
        return self

    def curvature(self) -> Floats:
        """Return second derivatives at the last geometry, Eh/bohr², shape (atoms, atoms, 3, 3)."""
        return self.derivatives().hessian

    def kept(self) -> Mapping[str, Any]:
        """Return arrays from which it would start again, such as orbitals; empty for nothing."""
        return {}

    def take_up(self, kept: Mapping[str, Any]) -> None:
        """Start from what was kept; more may stand there than it has kept itself."""
        return


def check_state(atoms: ConceptualAtoms, step: float, apart: float, ended: str, advice: str) -> None:
    """Check that a solution beside a geometry is the same state as there.

    Args:
        atoms: the geometry.
        step: how far from it, in bohr.
        apart: how far the energies are, in Eh.
        ended: what is to be said if it is another.
        advice: what helps then.

    Raises:
        RecipeError: it is another.
    """
    if abs(apart) > JUMP:
        raise RecipeError(
            f"second derivatives of the energy of {atoms.formula} were asked for",
            f"{step:g} bohr away {ended}, {apart:+.4f} Eh",
            advice,
        )


def another_state(apart: Callable[[], float], solution: str, ended: str) -> tuple[str, ...]:
    """Say if what the usual guess leads to at a final geometry is another state.

    Args:
        apart: returns how far its energy is from that of the surface, in Eh.
        solution: what may not converge, such as `the SCF does`.
        ended: what is to be said if it is another.
    """
    try:
        above = apart()
    except NotConvergedError:
        return (f"from the usual guess, {solution} not converge at the final geometry",)
    if abs(above) <= SAME_STATE:
        return ()
    how = "lower" if above < 0 else "higher"
    return (
        f"from the usual guess, {ended} another state, {abs(above):.6f} Eh {how}; results computed "
        "at this geometry are for that one",
    )
