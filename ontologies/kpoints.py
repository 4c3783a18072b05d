"""Kohn–Sham in crystals with k-points: its levels."""

from __future__ import annotations

from .crystals import Repeats
from .level import Level, ResolvedLevel
from .units import Hartree


class PeriodicKohnSham(Level):
    """A functional in a crystal: pseudopotentials, Gaussian functions, densities on a grid.

    Attributes:
        method: such as `GTH-PBE`: the functional with its pseudopotentials.
        basis: of Gaussian functions, made for these pseudopotentials.
        k_points: along each reciprocal lattice vector, Γ among them, shape (3,).
        grid_cutoff: of the plane waves of the grid that densities stand on.
    """

    basis: str
    k_points: Repeats
    grid_cutoff: Hartree

    @property
    def label(self) -> str:
        """The usual short form, such as GTH-PBE/gth-szv (2×2×2 k, 100 Eh)."""
        times = "×".join(map(str, self.k_points.tolist()))
        return f"{self.method}/{self.basis} ({times} k, {self.grid_cutoff:g} Eh)"


class PeriodicKohnShamResolution(ResolvedLevel):
    """What the name of a functional in a crystal and its options mean.

    Attributes:
        level: what they mean.
    """

    level: PeriodicKohnSham  # pyright: ignore[reportIncompatibleVariableOverride]  # it is frozen
