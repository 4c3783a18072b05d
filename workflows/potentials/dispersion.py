"""Dispersion that is added to a learned potential: D3 of a crystal, by the library s-dftd3."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np

from ontologies.elements import SYMBOLS
from ontologies.factors import BOHR
from ontologies.level import Dispersion, DispersionName
from ontologies.units import Floats, Integers
from triplestore.errors import InputError
from workflows.crystal.surface import Solved
from workflows.text.names import plain

OFFERED: dict[str, DispersionName] = {"d3bj": "D3(BJ)", "d3zero": "D3(0)", "d3": "D3(BJ)"}
"""What can be asked for; D3 without its damping is that of Becke and Johnson."""


def correction_of(text: str, usual: str, asked: str) -> Dispersion | None:
    """Return the correction that a text such as `d3bj` or `d3bj:pbe` names; None for none.

    Args:
        text: the kind, and after a colon the functional whose parameters are meant.
        usual: the functional that the potential was trained on, as the library calls it; empty
            where nobody knows.
        asked: what was asked for, as one clause.

    Raises:
        InputError: there is no such correction, or no functional is known.
        ComponentError: the library is missing.
    """
    from workflows.dft.level.dispersion import dispersion_of

    kind_text, _, functional = text.partition(":")
    if plain(kind_text) in ("", "none", "no"):
        return None
    kind = OFFERED.get(plain(kind_text))
    asked = f"{asked} with the dispersion {text[:80]}"
    if kind is None:
        raise InputError(
            asked,
            "to a learned potential D3 can be added",
            "write d3bj or d3zero, with a functional as in d3bj:pbe",
        )
    functional = functional.strip().lower() or usual
    if not functional:
        raise InputError(
            asked,
            "which functional it was trained on is not known here, and D3 has parameters for each",
            f"name it, as in {plain(kind_text)}:pbe",
        )
    found = dispersion_of(kind, functional)
    if found is None:
        raise InputError(
            asked,
            f"the library has no parameters of {kind} for {functional[:40]}",
            "name another functional, as in d3bj:pbe",
        )
    return found


@dataclass(frozen=True)
class _Crystal:
    """A crystal as PySCF's interface to s-dftd3 takes it; lengths in bohr."""

    numbers: Integers
    positions: Floats
    cell: Floats
    dimension: Literal[3] = 3

    @property
    def natm(self) -> int:
        return len(self.numbers)

    def atom_symbol(self, place: int) -> str:
        return SYMBOLS[int(self.numbers[place])]

    def atom_coords(self) -> Floats:
        return self.positions

    def lattice_vectors(self) -> Floats:
        return self.cell


def dispersion_at(
    correction: Dispersion, numbers: Integers, positions: Floats, cell: Floats
) -> Solved:
    """Return the dispersion of a crystal: pairs up to 60 bohr, as the library has it.

    Args:
        correction: which.
        numbers: atomic numbers, shape (atoms,).
        positions: in Å, shape (atoms, 3).
        cell: lattice vectors in Å as rows.

    Raises:
        RecordError: the library has other parameters than those that were stored.
        ComponentError: it is missing.

    Source: S. Grimme, S. Ehrlich, L. Goerigk, J. Comput. Chem. 32, 1456 (2011),
    doi:10.1002/jcc.21759.
    """
    from pyscf.dispersion.dftd3 import DFTD3Dispersion

    from workflows.dft.level.dispersion import pyscf_dispersion

    version, _, functional = pyscf_dispersion(correction).partition(":")
    crystal = _Crystal(
        numbers, np.ascontiguousarray(positions / BOHR), np.ascontiguousarray(cell / BOHR)
    )
    model = DFTD3Dispersion(cast("Any", crystal), functional, version, correction.three_body)
    found = model.get_dispersion(grad=True)
    volume = abs(float(np.linalg.det(crystal.cell)))
    virial: Floats = np.array(found["virial"], float)
    return Solved(
        float(found["energy"]),
        np.array(found["gradient"], float),
        (virial + virial.T) / 2 / volume,
    )
