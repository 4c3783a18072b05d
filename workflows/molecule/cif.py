"""Crystals from and to CIF files."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any, cast

import numpy as np

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError
from workflows.caller import caller, quoted

from .text import MOST_ATOMS, SUPPORTED, refuse

LARGEST = 5_000_000
"""Characters. Most CIF files with more hold measured intensities, which are not needed."""

OPERATIONS = (
    "_space_group_symop_operation_xyz", "_space_group_symop_operation_xyz_",
    "_space_group_symop.operation_xyz", "_symmetry_equiv_pos_as_xyz",
    "_symmetry_equiv_pos_as_xyz_",
)  # fmt: skip
MOST_OPERATIONS, LONGEST_OPERATION = 192, 100
"""Of a space group, with centring; and characters of one."""

MOST_IMAGES, MOST_SITES = 20_000, 10_000
"""Atoms times operations, and atoms: each image is compared with those before."""

ORDER = "make an ordered structure of it"


def read_cif(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the one crystal in a CIF file, its symmetry applied.

    Raises:
        InputError: no crystal, several, places that are taken in part, atoms without coordinates.

    Source: S. R. Hall, F. H. Allen, I. D. Brown, Acta Crystallogr. A 47, 655 (1991).
    """
    from pymatgen.core import DummySpecies

    crystal = crystal_of(path, text)
    for site in crystal:
        if not site.is_ordered:
            found = f"a place is taken in part or by several elements ({site.species_string})"
            refuse(path, found, ORDER)
        if isinstance(site.specie, DummySpecies):
            label = quoted(site.label, "one of its atoms")
            refuse(path, f"{label} is no element", "name each atom")
        if site.specie.name in ("D", "T"):
            found = f"isotopes such as {site.specie.name} are not supported yet"
            refuse(path, found, "write H")
    return {
        "numbers": [site.specie.Z for site in crystal],
        "positions": crystal.cart_coords,
        "cell": crystal.lattice.matrix,
        "periodic": [True, True, True],
    }


def crystal_of(path: Path, text: str, *, in_part: bool = False) -> Any:
    """Return the one crystal in a CIF file as pymatgen has it, its symmetry applied.

    Args:
        path: what the text is called in messages.
        text: what stands in it.
        in_part: whether places may be taken in part or by several elements; of those that the file
            says exclude each other the ones that are taken more often are returned.

    Raises:
        InputError: no crystal, several, places that are taken in part, atoms without coordinates.
    """
    from pymatgen.io.cif import CifParser

    if len(text) > LARGEST:
        size = f"it has {len(text) / 1e6:.0f} MB; {LARGEST / 1e6:.0f} are allowed for a CIF"
        refuse(path, size, "remove the measured data")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it tolerates is checked here
        try:
            most = 100.0 if in_part else 1.0
            parser = CifParser.from_str(text, occupancy_tolerance=most, site_tolerance=1e-3)
            if in_part:
                _choose_groups(parser)
            blocks = cast("dict[str, dict[str, Any]]", parser.as_dict())
            wanted = [block for block in blocks.values() if "_atom_site_label" in block
                      or "_atom_site_type_symbol" in block]  # fmt: skip
            if len(wanted) > 1:
                refuse(path, f"it holds {len(wanted)} structures", "give a file with one of them")
            if not wanted:
                refuse(path, "it is no CIF file with atoms and a cell", SUPPORTED)
            _check_size(path, wanted[0])
            _check_places(path, wanted[0])
            [crystal] = parser.parse_structures(
                primitive=False, on_error="raise", check_occu=not in_part
            )
        except InputError:
            raise
        except Exception as error:  # pymatgen raises whatever its parts do
            if "ccupancy" in str(error):
                refuse(path, "a place is taken in part or by several elements", ORDER)
            told = quoted(re.sub(r"\s+", " ", str(error)), "it is written otherwise")
            found = f"{type(error).__name__}: {told}"
            refuse(path, f"it is no CIF file that can be read ({found})", SUPPORTED)
    if len(crystal) > MOST_ATOMS:
        refuse(path, f"its cell has {len(crystal)} atoms; {MOST_ATOMS} are allowed")
    return crystal


def _choose_groups(parser: Any) -> None:
    """Leave out atoms of which the file says that others are there in their place.

    Of the groups of an assembly the one that is taken most stays, the first of several.
    """
    for block in parser._cif.data.values():
        rows = block.data
        groups = rows.get("_atom_site_disorder_group")
        if not isinstance(groups, list):
            continue
        size = len(groups)
        assemblies = rows.get("_atom_site_disorder_assembly", ["."] * size)
        shares = rows.get("_atom_site_occupancy", ["1"] * size)
        taken: dict[str, dict[str, float]] = {}
        for assembly, group, share in zip(assemblies, groups, shares, strict=True):
            if group not in (".", "?"):
                known = taken.setdefault(assembly, {})
                known[group] = max(known.get(group, 0.0), _number(share))
        best = {one: max(known, key=lambda group: known[group]) for one, known in taken.items()}
        kept = [
            place for place, (assembly, group) in enumerate(zip(assemblies, groups, strict=True))
            if group in (".", "?") or group == best[assembly]
        ]  # fmt: skip
        for name, column in list(rows.items()):
            if name.startswith("_atom_site_") and isinstance(column, list) and len(column) == size:
                rows[name] = [column[place] for place in kept]


def _number(text: str) -> float:
    """Return a number of a CIF, 1 where it is none."""
    try:
        return float(re.sub(r"\(\d+\)$", "", text))
    except ValueError:
        return 1.0


def _check_size(path: Path, block: dict[str, Any]) -> None:
    """Refuse what would be multiplied to more than may be, before it is."""
    operations = max((len(block.get(name, ())) for name in OPERATIONS), default=0)
    if operations > MOST_OPERATIONS:
        problem = f"it has {operations} symmetry operations; no space group has more than"
        refuse(path, f"{problem} {MOST_OPERATIONS}", "write all atoms out (P 1)")
    longest = max((len(str(one)) for name in OPERATIONS for one in block.get(name, ())), default=0)
    if longest > LONGEST_OPERATION:
        problem = f"a symmetry operation has {longest} characters; {LONGEST_OPERATION} are allowed"
        refuse(path, problem)
    atoms = len(block.get("_atom_site_label", block.get("_atom_site_type_symbol", ())))
    if operations * atoms > MOST_IMAGES:
        problem = f"its {operations} symmetry operations make {operations * atoms:,} of its atoms"
        refuse(path, f"{problem}; {MOST_IMAGES:,} are allowed", "remove what is there twice")
    if atoms > MOST_SITES:
        refuse(path, f"it has {atoms:,} atoms; {MOST_SITES:,} are allowed in a CIF")


def _check_places(path: Path, block: dict[str, Any]) -> None:
    """Refuse atoms without coordinates, which pymatgen reads as zeros or drops."""
    labels: list[str] = block.get("_atom_site_label", block.get("_atom_site_type_symbol", []))
    for axis in ("x", "y", "z"):
        column: list[str] = block.get(f"_atom_site_fract_{axis}", [])
        if len(column) != len(labels):
            refuse(path, f"its atoms have no fractional {axis} coordinates", SUPPORTED)
        for label, value in zip(labels, column, strict=True):
            number = re.sub(r"\(\d+\)$", "", str(value))
            try:
                finite = bool(np.isfinite(float(number)))
            except ValueError:
                finite = False
            if not finite:
                which = f"atom {label}" if caller().is_person else "an atom"
                said = quoted(str(value), "of something else")
                refuse(path, f"{which} has the {axis} coordinate {said}: no number")


def write_cif(atoms: ConceptualAtoms, title: str) -> str:
    """Return a crystal as CIF text, every atom of the cell written out (space group P1)."""
    cell = np.array(atoms.cell)
    a, b, c = lengths = np.linalg.norm(cell, axis=1)
    cosines = (cell[1] @ cell[2] / b / c, cell[0] @ cell[2] / a / c, cell[0] @ cell[1] / a / b)
    angles = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
    name = re.sub(r"\W+", "_", title, flags=re.ASCII).strip("_")[:60] or atoms.formula
    lines = [f"data_{name}", "_symmetry_space_group_name_H-M 'P 1'",
             "_symmetry_Int_Tables_number 1"]  # fmt: skip
    lines += [f"_cell_length_{x} {length:.9f}" for x, length in zip("abc", lengths, strict=True)]
    names = ("alpha", "beta", "gamma")
    lines += [f"_cell_angle_{n} {angle:.9f}" for n, angle in zip(names, angles, strict=True)]
    lines += ["loop_", "_symmetry_equiv_pos_as_xyz", "'x, y, z'", "loop_"]
    columns = ("label", "type_symbol", "fract_x", "fract_y", "fract_z", "occupancy")
    lines += [f"_atom_site_{column}" for column in columns]
    places = atoms.positions @ np.linalg.inv(cell)
    for index, (symbol, place) in enumerate(zip(atoms.symbols, places.tolist(), strict=True)):
        x, y, z = place
        lines.append(f"{symbol}{index + 1} {symbol} {x:.12f} {y:.12f} {z:.12f} 1")
    return "\n".join([*lines, ""])
