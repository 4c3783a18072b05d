"""The energy surface of GFN-FF: the program xtb, called once for each geometry."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR
from ontologies.forcefield import ForceField
from ontologies.units import Floats
from triplestore.errors import RecipeError
from workflows.geometry.harmonic import central_differences
from workflows.xtb import XTB, options_of, run_xtb

STEP = 0.005
"""Bohr. How far an atom is moved for second derivatives."""


class GFNFF:
    """GFN-FF of a molecule, at one geometry after the other.

    The bonds, and with them the terms of the force field, are those that xtb sees at the first
    geometry: it keeps them in its folder and reads them again.

    Args:
        atoms: the molecule.
        level: the force field and its surroundings.
        folder: where xtb works, empty at first.

    Raises:
        InputError: no parameters for an element, or no such electrons.
        ComponentError: xtb is not installed, or of another version than the level's.
    """

    def __init__(self, atoms: ConceptualAtoms, level: ForceField, folder: Path) -> None:
        self.atoms, self.folder, self.positions = atoms, folder, atoms.positions
        self._asked = f"{level.label} of {atoms.formula} was asked for"
        solvent = level.solvation.solvent if level.solvation else ""
        self._options = [*options_of(atoms, "GFN-FF", solvent), "--grad"]
        XTB.expected(self._asked, level.program_version)

    def at(self, positions: Floats) -> tuple[float, Floats]:
        """Return energy (Eh) and gradient (Eh/bohr, shape (atoms, 3)) at positions in Å.

        Raises:
            RecipeError: xtb failed, or did not write them.
        """
        self.positions = positions
        (self.folder / "gradient").unlink(missing_ok=True)  # xtb adds to what is there
        moved = self.atoms.moved_to(positions)
        output = run_xtb(moved, self._options, self.folder, self._asked)
        found = read_gradient(output.file("gradient") or "", len(positions))
        if found is None:
            raise XTB.failed(self._asked, output, "check the geometry")
        energy, gradient = found
        if not (math.isfinite(energy) and np.isfinite(gradient).all()):
            raise RecipeError(
                self._asked,
                "energy or gradient are not finite numbers",
                "check the geometry, or ask for another method",
            )
        return energy, gradient

    def curvature(self) -> Floats:
        """Return second derivatives at the last positions, by differences of gradients."""
        start, count = self.positions, len(self.atoms.numbers)

        def beside(shift: Floats) -> tuple[Floats, Floats]:
            return self.at(start + shift * BOHR)[1], np.zeros(3)

        return central_differences(count, STEP, beside, "differences").hessian

    def kept(self) -> Mapping[str, Any]:
        """Return nothing: to start anew takes a moment."""
        return {}

    def take_up(self, kept: Mapping[str, Any]) -> None:
        """Do nothing."""


def read_gradient(text: str, count: int) -> tuple[float, Floats] | None:
    """Return energy and gradient of a Turbomole file `gradient`; None if they are not there.

    Args:
        text: of one geometry: a line with the energy, then a line an atom with its place, then a
            line an atom with its gradient.
        count: of atoms.
    """
    lines = text.splitlines()
    try:
        head = lines[1].split("=")
        energy = float(head[2].split()[0])
        rows = [line.replace("D", "E").split() for line in lines[2 + count : 2 + 2 * count]]
        gradient = np.array(rows, float)
    except (IndexError, ValueError):
        return None
    return (energy, gradient) if gradient.shape == (count, 3) else None
