"""Structures from files: XYZ, extended XYZ, MOL, SDF and CIF."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ontologies.atoms import CLOSEST_ATOMS, ConceptualAtoms, make_atoms

from .text import read_text, refuse

THINNEST = 0.5
"""Å. Layers of a crystal are farther apart."""


@dataclass(frozen=True)
class FileContent:
    """What a file says of a structure.

    Attributes:
        atoms: the structure.
        comment: its comment line or title: data, which nothing here obeys.
        mol: RDKit's molecule with the bonds of the file, atom by atom; None where it has none.
    """

    atoms: ConceptualAtoms
    comment: str = ""
    mol: Any = None


def read_file(
    path: Path, charge: int | None = None, multiplicity: int | None = None
) -> ConceptualAtoms:
    """Read the one structure of a file; coordinates in Å.

    The comment line of an XYZ file may say `charge=1 multiplicity=2`, and a lattice makes the
    structure periodic. A MOL or SDF file must hold every hydrogen and three dimensions, a CIF
    whole atoms only; its symmetry is applied.

    Args:
        path: the file; `.mol`, `.sdf` and `.cif` are read as such, all others as XYZ.
        charge: total charge in e; None for what the file says, else 0.
        multiplicity: 2S+1; None for what the file says, else the lowest possible, as also where
            `charge` is not that of the file.

    Raises:
        NotFoundError: there is no such file.
        InputError: it holds no structure, several, or one that cannot be; says the line.
        ResourceError: it could not be read.
    """
    return read_content(path, charge, multiplicity).atoms


def read_content(
    path: Path, charge: int | None = None, multiplicity: int | None = None
) -> FileContent:
    """Read the one structure of a file with its comment and bonds; see `read_file`."""
    path = path.expanduser()
    text = read_text(path)
    match path.suffix.lower():
        case ".mol" | ".sdf":
            from .molfile import read_mol

            values = read_mol(path, text)
        case ".cif":
            from .cif import read_cif

            values = read_cif(path, text)
        case _:
            from .xyz import read_xyz

            values = read_xyz(path, text)
    comment, mol = values.pop("comment", ""), values.pop("mol", None)
    if charge is not None:
        if charge != values.get("charge", 0):
            values.pop("multiplicity", None)
            mol = None  # its bonds are those of another charge
        values["charge"] = charge
    if multiplicity is not None:
        values["multiplicity"] = multiplicity
    atoms = make_atoms(str(path), **values)
    if atoms.is_periodic:
        _check_images(path, atoms)
    return FileContent(atoms, comment, mol)


def _check_images(path: Path, atoms: ConceptualAtoms) -> None:
    """Refuse atoms that meet another one, or themselves, across a boundary of the cell."""
    from ase.neighborlist import neighbor_list

    cell = np.array(atoms.cell)
    faces = np.linalg.norm(np.cross(cell[[1, 2, 0]], cell[[2, 0, 1]]), axis=1)
    thinnest = float((abs(np.linalg.det(cell)) / faces).min())
    if thinnest < THINNEST:
        refuse(path, f"its cell is only {thinnest:.3f} Å thick", "are its lengths in Å?")
    first, second, apart = neighbor_list("ijd", atoms.to_ase(), CLOSEST_ATOMS)
    if len(first):
        one, two = sorted((int(first[0]), int(second[0])))
        found = f"atoms {one + 1} and {two + 1} are {float(apart[0]):.3f} Å apart across the cell"
        refuse(path, found, "is an atom given twice, or the cell too small?")
