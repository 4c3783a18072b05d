"""The energy surface of GFN-FF: the program xtb, called once for each geometry."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.forcefield import ForceField
from ontologies.units import Floats
from workflows.geometry.surface import LevelSurface
from workflows.programs.installed import scratch
from workflows.programs.xtb import XTB, options_of, run_xtb


class GFNFF(LevelSurface[ForceField]):
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

    Source: S. Spicher, S. Grimme, Angew. Chem. Int. Ed. 59, 15665 (2020).
    """

    def __init__(self, atoms: ConceptualAtoms, level: ForceField, folder: Path) -> None:
        super().__init__(atoms, level)
        self.folder = folder
        solvent = level.solvation.solvent if level.solvation else ""
        self._options = [*options_of(atoms, "GFN-FF", solvent), "--grad"]
        XTB.expected(self.asked, level.program_version)

    @classmethod
    @contextmanager
    def opened(cls, atoms: ConceptualAtoms, level: ForceField) -> Generator[Self]:
        with scratch() as folder:
            yield cls(atoms, level, folder)

    def _solve(self, positions: Floats) -> tuple[float, Floats]:
        """Call xtb.

        Raises:
            RecipeError: it failed, or did not write energy and gradient.
        """
        (self.folder / "gradient").unlink(missing_ok=True)  # xtb adds to what is there
        moved = self.atoms.moved_to(positions)
        output = run_xtb(moved, self._options, self.folder, self.asked)
        found = read_gradient(output.file("gradient") or "", len(positions))
        if found is None:
            raise XTB.failed(self.asked, output, "check the geometry")
        return found


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
