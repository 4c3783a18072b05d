"""A crystal at a level of theory: all that a program must say of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import GIGAPASCAL
from ontologies.level import Level
from ontologies.units import Floats
from triplestore.errors import InputError, RecipeError

LevelT = TypeVar("LevelT", bound=Level)


@dataclass(frozen=True)
class Solved:
    """What a crystal is at one geometry.

    Attributes:
        energy: of the cell, in Eh.
        gradient: by the positions, in Eh/bohr, shape (atoms, 3).
        stress: the derivative of the energy by the strain over the volume, in Eh/bohr³, positive
            under tension, shape (3, 3); None where the level has none.
        gap: between the highest occupied and the lowest empty orbital of all k-points that were
            solved, in eV; None where the level has no orbitals, or none is empty.
    """

    energy: float
    gradient: Floats
    stress: Floats | None = None
    gap: float | None = None


class CrystalSurface(ABC, Generic[LevelT]):
    """A crystal at a level of theory, at one geometry and cell after the other.

    Args:
        atoms: the crystal.
        level: the level of theory.

    Attributes:
        paired: whether the level suits cells of paired electrons alone; not where it knows none.
    """

    paired: ClassVar[bool] = True

    def __init__(self, atoms: ConceptualAtoms, level: LevelT) -> None:
        asked = f"{level.label} of {atoms.formula} was asked for"
        check_crystal(atoms, asked, paired=self.paired)
        self.atoms, self.level = atoms, level

    @property
    def asked(self) -> str:
        """What errors say was asked for."""
        return f"{self.level.label} of {self.atoms.formula} was asked for"

    @abstractmethod
    def _solve(self, positions: Floats, cell: Floats) -> Solved:
        """Solve it at positions in Å, shape (atoms, 3), and lattice vectors in Å as rows."""

    def energy_at(self, positions: Floats, cell: Floats) -> float:
        """Return the energy alone, in Eh; of levels where that takes less, they say how.

        Raises:
            GraficoError: it could not be computed.
        """
        return self.at(positions, cell).energy

    def at(self, positions: Floats, cell: Floats) -> Solved:
        """Return energy, gradient and stress at positions and lattice vectors in Å.

        Raises:
            GraficoError: it could not be computed.
        """
        found = self._solve(positions, cell)
        stress = np.zeros(()) if found.stress is None else found.stress
        if not all(np.isfinite(one).all() for one in (found.energy, found.gradient, stress)):
            raise RecipeError(
                self.asked,
                "energy, forces or stress are not finite numbers",
                "check the structure, or ask for another method",
            )
        return found

    def remarks(self) -> tuple[str, ...]:
        """Return what is to be known of the last numbers, in words."""
        return ()


def findings(found: Solved) -> Mapping[str, Any]:
    """Return what a `CrystalResult` says of a geometry, but for its inputs."""
    stress = None if found.stress is None else found.stress * GIGAPASCAL
    made = {"energy": found.energy, "gradient": found.gradient, "stress": stress}
    return made if found.gap is None else made | {"band_gap": found.gap}


def cell_of(atoms: ConceptualAtoms) -> Floats:
    """Return the lattice vectors of a crystal in Å as rows."""
    assert atoms.cell is not None
    return np.array(atoms.cell, float)


METALS = frozenset((3, 4, 11, 12, 13, *range(19, 32), *range(37, 51), *range(55, 84)))
"""Atomic numbers of the elements that, alone or with each other, make metals."""

NEAREST = 0.4
"""Å. Atoms that are nearer, images across the border of the cell among them, overlap."""


def is_metal(atoms: ConceptualAtoms) -> bool:
    """Return whether a crystal has elements alone that make metals."""
    return METALS.issuperset(atoms.numbers.tolist())


def overlapping(atoms: ConceptualAtoms) -> tuple[int, int, float] | None:
    """Return the two nearest atoms that overlap, counted from 0, and how far they are in Å."""
    from ase import Atoms, neighborlist

    crystal = Atoms(atoms.numbers, atoms.positions, cell=cell_of(atoms), pbc=True)
    listing: Any = neighborlist
    first, second, far = listing.neighbor_list("ijd", crystal, NEAREST)
    if not len(far):
        return None
    least = int(far.argmin())
    return int(first[least]), int(second[least]), float(far[least])


def check_crystal(atoms: ConceptualAtoms, asked: str, *, paired: bool = True) -> None:
    """Check that a structure is a crystal that any level can be asked for.

    Args:
        atoms: the structure.
        asked: what was asked for, as one clause.
        paired: whether its electrons have to be paired.

    Raises:
        InputError: it repeats in some directions only, has a charge or unpaired electrons, or atoms
            overlap.
    """
    if atoms.periodic is None or not atoms.periodic.all():
        raise InputError(
            asked,
            "it repeats in some directions only",
            'give it a cell in all three (in extended XYZ pbc="T T T"), with room above a layer',
        )
    if atoms.charge:
        raise InputError(
            f"{asked} with charge {atoms.charge:+d}",
            "the energy of a charged cell that repeats is infinite, and what programs make of it "
            "depends on its size",
            "add the counter-ions, or cut a molecule out of it",
        )
    if paired and atoms.multiplicity != 1:
        raise InputError(
            f"{asked} with multiplicity {atoms.multiplicity}",
            "crystals are computed with all electrons paired",
            "give a cell of paired electrons: twice as large, or with the atoms that it lacks",
        )
    if (near := overlapping(atoms)) is not None:
        one, other, far = near
        symbols = atoms.symbols
        raise InputError(
            asked,
            f"atoms {one + 1} ({symbols[one]}) and {other + 1} ({symbols[other]}) are {far:.3f} Å "
            "apart across the border of the cell: they overlap",
            "check cell and coordinates: an atom may be there twice, or the cell be too small",
        )
