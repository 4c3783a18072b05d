"""Other cells of the same crystal, and its CIF with the operations of its space group."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias

import numpy as np

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import ComponentError, InputError

from .relaxing import SYMMETRY
from .supercell import repeated
from .surface import cell_of

Kept: TypeAlias = Literal["as given", "primitive", "conventional"]

MOST = 100_000
"""Atoms of a supercell."""

TIMES = re.compile(r"\s*(\d{1,3})\s*(?:[x×*, ]\s*(\d{1,3})\s*[x×*, ]\s*(\d{1,3})\s*)?")


def check_repeats(atoms: ConceptualAtoms, asked: str) -> None:
    """Check that a structure is a crystal.

    Raises:
        InputError: it is a molecule, or repeats in some directions only.
    """
    if atoms.periodic is None or not atoms.periodic.all():
        what = "repeats in some directions only" if atoms.is_periodic else "is a molecule"
        raise InputError(
            asked, f"it {what}, and has no other cell", "give a crystal, or leave it out"
        )


def supercell(atoms: ConceptualAtoms, times: str) -> ConceptualAtoms:
    """Return a crystal with several cells as one.

    Args:
        atoms: the crystal.
        times: how many along each lattice vector, such as `2x2x1`, or `2` for all.

    Raises:
        InputError: it is no crystal, these are no numbers, or it would be too large.
    """
    asked = f"{times[:40]} cells of {atoms.formula} as one were asked for"
    check_repeats(atoms, asked)
    found = TIMES.fullmatch(times)
    numbers = [int(one) for one in found.groups() if one] if found else []
    if not numbers or 0 in numbers:
        raise InputError(
            asked, "these are no numbers of cells", "write 2x2x1, or 2 for all directions"
        )
    repeats = np.array(numbers * 3 if len(numbers) == 1 else numbers, np.int64)
    count = int(repeats.prod())
    if count * len(atoms.numbers) > MOST:
        raise InputError(
            asked,
            f"these are {count * len(atoms.numbers)} atoms; {MOST} are allowed",
            "ask for fewer cells",
        )
    places, cell = repeated(atoms.positions, cell_of(atoms), repeats)
    return ConceptualAtoms(
        numbers=np.tile(atoms.numbers, count), positions=places, cell=cell, periodic=[True] * 3
    )


def standard(atoms: ConceptualAtoms, which: Kept) -> ConceptualAtoms:
    """Return the primitive or the conventional cell of a crystal, as its space group has it.

    Raises:
        InputError: it is no crystal, or no symmetry is found.
        ComponentError: spglib is not there.
    """
    if which == "as given":
        return atoms
    asked = f"the {which} cell of {atoms.formula} was asked for"
    check_repeats(atoms, asked)
    try:
        import spglib
    except ImportError as error:
        raise ComponentError(
            asked, f"spglib cannot be loaded: {error}", "pip install spglib"
        ) from None
    here: Any = cell_of(atoms), atoms.positions @ np.linalg.inv(cell_of(atoms)), atoms.numbers
    found: Any = spglib.standardize_cell(
        here, to_primitive=which == "primitive", no_idealize=False, symprec=SYMMETRY
    )
    if found is None:
        raise InputError(
            asked,
            f"no symmetry is found within {SYMMETRY:g} Å",
            "check the structure: atoms may overlap",
        )
    cell, places, numbers = found
    return ConceptualAtoms(numbers=numbers, positions=places @ cell, cell=cell, periodic=[True] * 3)


def symmetric_cif(atoms: ConceptualAtoms, title: str) -> tuple[str, str]:
    """Return a crystal as a CIF with the operations of its space group, and what to know of it.

    The cell is the conventional one; atoms stand where the group puts them.

    Raises:
        InputError: it is no crystal, or no symmetry is found.
        ComponentError: pymatgen is not there.
    """
    asked = f"a CIF of {atoms.formula} with its symmetry was asked for"
    check_repeats(atoms, asked)
    try:
        from pymatgen.core import Lattice, Structure
        from pymatgen.io.cif import CifWriter
        from pymatgen.symmetry.analyzer import SymmetryUndeterminedError
    except ImportError as error:
        raise ComponentError(
            asked, f"pymatgen cannot be loaded: {error}", "pip install pymatgen"
        ) from None
    structure = Structure(
        Lattice(cell_of(atoms)), atoms.symbols, atoms.positions, coords_are_cartesian=True
    )
    try:
        text = str(CifWriter(structure, symprec=SYMMETRY, significant_figures=8))
    except (SymmetryUndeterminedError, TypeError) as error:
        raise InputError(
            asked, f"no symmetry is found within {SYMMETRY:g} Å: {error}", "write it without"
        ) from error
    name = re.search(r"_symmetry_space_group_name_H-M\s+'?([^'\n]+)'?", text)
    number = re.search(r"_symmetry_Int_Tables_number\s+(\d+)", text)
    group = f"{name[1].strip()} ({number[1]})" if name and number else "P1"
    note = (
        f"space group {group}, within {SYMMETRY:g} Å: the conventional cell, with atoms where the "
        "group puts them"
    )
    safe = re.sub(r"\W+", "_", title or atoms.formula)
    return re.sub(r"(?m)^data_.*$", f"data_{safe}", text, count=1), note
