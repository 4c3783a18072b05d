"""Tight binding of crystals by tblite: a supercell at the Γ point, as large as the level says."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR, HARTREE
from ontologies.tightbinding import TightBinding
from ontologies.units import Floats, Integers
from triplestore.errors import InputError, NotConvergedError, RecipeError
from workflows.crystal.calculations import CrystalCalculations
from workflows.crystal.supercell import repeated, shortest
from workflows.crystal.surface import CrystalSurface, Solved, cell_of, check_crystal, is_metal

from .electrons import check_elements
from .hamiltonian import KELVIN, library
from .levels import TBLITE

GAP = 0.1
"""eV. Where occupied and empty orbitals are nearer, the Γ point alone tells nothing."""


def check_insulator(atoms: ConceptualAtoms, level: TightBinding) -> None:
    """Check that a crystal can be computed at the Γ point of a supercell.

    Raises:
        InputError: it is charged, open-shell or a metal, has an element without parameters, or a
            solvent is around it.
    """
    asked = f"{level.label} of {atoms.formula} was asked for"
    check_crystal(atoms, asked)
    check_elements(atoms, asked)
    if level.solvation is not None:
        raise InputError(
            asked, "a crystal that fills its cell has no solvent around it", "leave it out"
        )
    if is_metal(atoms):
        raise InputError(
            asked,
            "it is a metal, whose electrons need many k-points: tblite has the Γ point alone, and "
            "its energies change with the supercell",
            "metals are not computed in this version: cut a cluster out of it, or take another "
            "program (VASP, CP2K, Quantum ESPRESSO)",
        )


class PeriodicHamiltonian(CrystalSurface[TightBinding]):
    """The tight-binding Hamiltonian of a crystal's supercell, at one geometry after the other.

    Energy and stress are those of the supercell, the former for a cell; forces are means over the
    images of an atom, which are alike.

    Args:
        atoms: the crystal.
        level: the method and the supercell.

    Raises:
        InputError: see `check_insulator`.
        ComponentError: tblite is not there.
    """

    def __init__(self, atoms: ConceptualAtoms, level: TightBinding) -> None:
        super().__init__(atoms, level)
        check_insulator(atoms, level)
        assert level.supercell is not None
        self.repeats: Integers = level.supercell
        self.count = int(np.prod(self.repeats))
        self._last: Any = None
        self._calculator: Any = None

    def _solve(self, positions: Floats, cell: Floats) -> Solved:
        """Solve it.

        Raises:
            InputError: it has no gap.
            NotConvergedError: the charges did not become self-consistent.
            RecipeError: tblite failed.
        """
        failed, level = library().TBLiteRuntimeError, self.level
        places, vectors = repeated(positions, cell, self.repeats)
        try:
            if self._calculator is None:
                self._calculator = library().Calculator(
                    level.method,
                    np.tile(self.atoms.numbers, self.count),
                    places / BOHR,
                    lattice=vectors / BOHR,
                    periodic=np.ones(3, bool),
                    color=False,
                )
                self._calculator.set("verbosity", 0)
                self._calculator.set("accuracy", level.accuracy)
                self._calculator.set("temperature", level.electronic_temperature * KELVIN)
            else:
                self._calculator.update(positions=places / BOHR, lattice=vectors / BOHR)
            self._last = raw = self._calculator.singlepoint(self._last)
            energy, virial = float(raw["energy"]), np.array(raw["virial"], float)
            gradient = np.array(raw["gradient"], float)
        except failed as error:
            said = " ".join(str(error).split())
            kind = NotConvergedError if "not converged" in said else RecipeError
            raise kind(
                self.asked,
                f"tblite says: {said}",
                "check the structure (hydrogens, atoms that overlap); a higher electronic "
                "temperature, a larger supercell or GFN1-xTB may help",
            ) from None
        gap = self._check_gap()
        volume = abs(float(np.linalg.det(vectors))) / BOHR**3
        each = gradient.reshape(self.count, len(positions), 3)
        stress = (virial + virial.T) / 2 / volume
        return Solved(energy / self.count, each.mean(axis=0), stress, gap)

    def _check_gap(self) -> float | None:
        """Refuse what has no gap between occupied and empty orbitals; return it in eV."""
        held = np.array(self._last["orbital-occupations"], float)
        energies = np.array(self._last["orbital-energies"], float)
        full = round(held.sum() / 2)
        if not 0 < full < len(energies):
            return None
        gap = float(energies[full] - energies[full - 1]) * HARTREE["eV"]
        if gap < GAP:
            raise InputError(
                self.asked,
                f"its occupied and empty orbitals are {gap:.2f} eV apart: a metal, whose electrons "
                "need many k-points, and tblite has the Γ point alone",
                "check the structure; for a small gap ask for GTH-PBE with k-points",
            )
        return gap

    def remarks(self) -> tuple[str, ...]:
        return (said_of(self.atoms, self.level),)


def said_of(atoms: ConceptualAtoms, level: TightBinding) -> str:
    """Say which supercell is solved."""
    assert level.supercell is not None
    way, count = level.supercell, int(np.prod(level.supercell))
    apart = shortest(way[:, None] * cell_of(atoms))
    times = "×".join(map(str, way.tolist()))
    off = level.method == "GFN2-xTB" and apart < EXACT
    return (
        f"Γ point alone: {times} cells, {count * len(atoms.numbers)} atoms, images {apart:.1f} Å "
        "apart; a larger supercell (images_apart, or converge) says how far that is enough"
        + "; nearer than 7.5 Å the stress of GFN2-xTB is some 0.2 GPa off"
        * off
    )


EXACT = 7.5
"""Å. Beyond it tblite's stress by GFN2-xTB is the derivative of its energy: see the tests."""


_OF_CRYSTALS = CrystalCalculations(__name__, "tightbinding", TBLITE, PeriodicHamiltonian)

cell_energy = _OF_CRYSTALS.cell_energy()
crystal_energy = _OF_CRYSTALS.crystal_energy()
relax_crystal = _OF_CRYSTALS.relax_crystal()
