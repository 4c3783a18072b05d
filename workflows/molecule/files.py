"""Structures from files: XYZ, extended XYZ, MOL, SDF, CIF, POSCAR and those of other programs."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ontologies.atoms import CLOSEST_ATOMS, ConceptualAtoms, make_atoms
from ontologies.connectivity import nearest_if_unbonded
from ontologies.factors import BOHR
from ontologies.units import Floats

from .poscar import is_poscar, read_poscar
from .several import chosen, one_of
from .text import read_text, refuse

OTHERS = {
    ".pdb": "pdb_mol2:read_pdb",
    ".ent": "pdb_mol2:read_pdb",
    ".mol2": "pdb_mol2:read_mol2",
    ".gjf": "program_inputs:read_gaussian",
    ".com": "program_inputs:read_gaussian",
    ".inp": "program_inputs:read_orca",
    ".cube": "program_inputs:read_cube",
    ".cub": "program_inputs:read_cube",
    ".fchk": "written_by_programs:read_fchk",
    ".fch": "written_by_programs:read_fchk",
    ".molden": "written_by_programs:read_molden",
    ".coord": "written_by_programs:read_coord",
    ".tmol": "written_by_programs:read_coord",
}
"""Who reads the files of other programs, by their endings: a module here and its function."""

SOMETIMES = {
    ".out": "workflows.outputs.geometry:read_output",
    ".log": "workflows.outputs.geometry:read_output",
    ".json": f"{__package__}.written_by_programs:read_qcschema",
}
"""Who reads files that may be anything, where one is named: no folder is searched for them."""

COUNT = re.compile(r"\s*\d{1,9}[ \t]*\r?\n")
"""How XYZ begins, which xtb writes into files that end in .log."""

THINNEST, WIDEST = 0.5, 100_000.0
"""Å. Layers of a crystal are farther apart, and no cell that is computed is wider."""


@dataclass(frozen=True)
class FileContent:
    """What a file says of a structure.

    Attributes:
        atoms: the structure.
        comment: its comment line or title: data, which nothing here obeys.
        mol: RDKit's molecule with the bonds of the file, atom by atom; None where it has none.
        remarks: what was made of it that a person should know, in words.
        spin: where its multiplicity is from: `file` where that says it, `table` or `rule` where it
            was read from bonds; empty where it is the lowest that the electrons allow, or given.
    """

    atoms: ConceptualAtoms
    comment: str = ""
    mol: Any = None
    remarks: tuple[str, ...] = ()
    spin: Literal["file", "table", "rule", ""] = ""


def read_file(
    path: Path, charge: int | None = None, multiplicity: int | None = None
) -> ConceptualAtoms:
    """Read the one structure of a file; coordinates in Å.

    The comment line of an XYZ file may say `charge=1 multiplicity=2` and `units=bohr`, and a
    lattice makes the structure periodic. A MOL or SDF file must hold every hydrogen and three
    dimensions, a CIF whole atoms only; its symmetry is applied.

    Args:
        path: the file; `.mol`, `.sdf`, `.cif`, POSCAR and those of `OTHERS` are read as such, all
            others as XYZ, each also compressed (`.xyz.gz`). Of several structures `path.xyz#3` is
            the third.
        charge: total charge in e; None for what the file says, else 0.
        multiplicity: 2S+1; None for what the file says, else the lowest possible, as also where
            `charge` is not that of the file.

    Raises:
        NotFoundError: there is no such file, or not so many structures in it.
        InputError: it holds no structure, several, or one that cannot be; says the line.
        ResourceError: it could not be read.
    """
    return read_content(path, charge, multiplicity).atoms


def read_content(
    path: Path, charge: int | None = None, multiplicity: int | None = None
) -> FileContent:
    """Read the one structure of a file with its comment and bonds; see `read_file`."""
    path, number = chosen(path)
    text = read_text(path)
    kind = Path(path.name.lower().removesuffix(".gz")).suffix
    text = one_of(path, kind, text, number)
    if number:
        path = path.with_name(f"{path.name}#{number}")
    return content_of(path, kind, text, charge, multiplicity)


def content_of(
    path: Path,
    kind: str,
    text: str,
    charge: int | None = None,
    multiplicity: int | None = None,
    *,
    positions: Floats | None = None,
) -> FileContent:
    """Read the one structure in the text of a file; see `read_file`.

    Args:
        path: what the text is called in messages.
        kind: the file's suffix.
        text: what stands in it.
        charge: total charge in e; None for what the text says, else 0.
        multiplicity: 2S+1; None for what the text says.
        positions: Å, in the place of those of the text; None for these.

    Raises:
        InputError: it holds no structure, several, or one that cannot be; says the line.
    """
    match kind:
        case ".mol" | ".sdf":
            from .molfile import read_mol

            values = read_mol(path, text)
        case ".cif":
            from .cif import read_cif

            values = read_cif(path, text)
        case _ if kind in OTHERS or (kind in SOMETIMES and not COUNT.match(text)):
            module, function = SOMETIMES.get(kind, f"{__package__}.{OTHERS.get(kind)}").split(":")
            values = getattr(import_module(module), function)(path, text)
        case _ if is_poscar(path, kind):
            values = read_poscar(path, text)
        case _:
            from .xyz import read_xyz

            values = read_xyz(path, text)
    if positions is not None:
        values["positions"] = positions
    return content_of_values(path, values, charge, multiplicity)


def content_of_values(
    path: Path, values: dict[str, Any], charge: int | None = None, multiplicity: int | None = None
) -> FileContent:
    """Return what the values of a structure say, read from a text or an object.

    Args:
        path: what it is called in messages.
        values: fields of `ConceptualAtoms`, and `comment`, `mol`, `remark`, `asks` and `spin`, see
            there.
        charge: total charge in e; None for what the values say, else 0.
        multiplicity: 2S+1; None for what the values say.

    Raises:
        InputError: it is one that cannot be.
    """
    comment, mol = values.pop("comment", ""), values.pop("mol", None)
    told = (values.pop("remark", ""), values.pop("asks", ""))
    spin = values.pop("spin", "file" if values.get("multiplicity") is not None else "")
    if charge is not None:
        if charge != values.get("charge", 0):
            values.pop("multiplicity", None)
            spin = ""
            mol = None  # its bonds are those of another charge
        values["charge"] = charge
    if multiplicity is not None:
        values["multiplicity"], spin = multiplicity, ""
    if "cell" in values:
        widest = float(np.abs(values["cell"]).max())
        if not widest <= WIDEST:
            refuse(path, f"its cell is {widest:.3g} Å wide; {WIDEST:,.0f} Å are allowed")
    atoms = make_atoms(str(path), **values)
    if atoms.is_periodic:
        check_images(path, atoms)
    return FileContent(atoms, comment, mol, tuple(filter(None, (*told, _loose(atoms)))), spin)


def _loose(atoms: ConceptualAtoms) -> str:
    """Return a remark where no two atoms are near enough to be bonded."""
    apart = nearest_if_unbonded(atoms)
    if apart is None:
        return ""
    said = f"no two of its atoms are bonded: the nearest are {apart:.2f} Å apart"
    if nearest_if_unbonded(atoms.moved_to(atoms.positions * BOHR)) is not None:
        return said
    return f"{said}; if the file is in bohr, say so (units=bohr in the comment line of XYZ)"


def check_images(path: Path, atoms: ConceptualAtoms) -> None:
    """Refuse atoms that meet another one, or themselves, across a boundary of the cell."""
    from scipy.spatial import KDTree

    cell = np.array(atoms.cell)
    faces = np.linalg.norm(np.cross(cell[[1, 2, 0]], cell[[2, 0, 1]]), axis=1)
    heights: Floats = abs(np.linalg.det(cell)) / faces
    if heights.min() < THINNEST:
        problem = f"its cell is only {heights.min():.3f} Å thick"
        refuse(path, problem, "are its lengths in Å?")
    # copies of those near a face; the cell is thicker than the distance that matters
    places: Floats = atoms.positions @ np.linalg.inv(cell)
    periodic = np.array(atoms.periodic, bool)
    places[:, periodic] -= np.floor(places[:, periodic])
    near = CLOSEST_ATOMS / heights
    numbers = np.arange(len(places))
    all_places, all_numbers = places, numbers
    for axis in np.flatnonzero(periodic):
        low, high = all_places[:, axis] <= near[axis], all_places[:, axis] >= 1 - near[axis]
        step = np.eye(3)[axis]
        all_places = np.vstack([all_places, all_places[low] + step, all_places[high] - step])
        all_numbers = np.concatenate([all_numbers, all_numbers[low], all_numbers[high]])
    tree = KDTree(all_places @ cell)
    nearest: tuple[Floats, Any] = tree.query(places @ cell, 2, distance_upper_bound=CLOSEST_ATOMS)
    apart, which = nearest
    closest = int(apart[:, 1].argmin())
    if apart[closest, 1] < CLOSEST_ATOMS:
        one, two = sorted(all_numbers[which[closest]].tolist())
        said = f"atoms {one + 1} and {two + 1} are {apart[closest, 1]:.3f} Å apart across the cell"
        refuse(path, said, "is an atom given twice, or the cell too small?")
