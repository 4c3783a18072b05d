"""Crystals from and to CIF files."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError
from workflows.trust.caller import caller, quoted

from .cif_blocks import UNSAID, blocks_with_atoms, several, usual
from .cif_sites import GROUP, Sites, cell_of
from .text import MOST_ATOMS, SUPPORTED, refuse

LARGEST = 5_000_000
"""Characters. Most CIF files with more hold measured intensities, which are not needed."""

MOST_SITES = MOST_ATOMS
"""Atoms that are listed; with their images by symmetry there may not be more either."""

EMPTY = "data_none\n_cell_length_a 1\n"
"""What pymatgen's reader is made of; the block that is wanted is handed to it."""

EQUAL = 0.01
"""By which two shares differ that are equal."""

ORDER = "make an ordered structure of it"


def read_cif(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the one crystal in a CIF file, its symmetry applied.

    Raises:
        InputError: no crystal, several, places that are taken in part, atoms without coordinates.

    Source: S. R. Hall, F. H. Allen, I. D. Brown, Acta Crystallogr. A 47, 655 (1991).
    """
    from pymatgen.core import DummySpecies

    crystal = crystal_of(path, text)
    for site in crystal.sites:
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
        "numbers": [site.specie.Z for site in crystal.sites],
        "positions": crystal.positions,
        "cell": crystal.cell,
        "periodic": [True, True, True],
        "remark": crystal.assumed,
    }


def crystal_of(path: Path, text: str, *, in_part: bool = False) -> Sites:
    """Return the sites of the one crystal in a CIF file, its symmetry applied.

    Blocks without atoms, such as the one about the publication, are left out.

    Args:
        path: what the text is called in messages.
        text: what stands in it.
        in_part: whether places may be taken in part or by several elements; of those that the file
            says exclude each other the ones that are taken more often are returned.

    Raises:
        InputError: no crystal, several, places that are taken in part, atoms without coordinates.
    """
    from pymatgen.io.cif import CifBlock, CifParser

    if len(text) > LARGEST:
        size = f"it has {len(text) / 1e6:.0f} MB; {LARGEST / 1e6:.0f} are allowed for a CIF"
        refuse(path, size, "remove the measured data")
    blocks = blocks_with_atoms(text)
    if len(blocks) > 1:
        refuse(path, several(blocks), f"choose one by its number, such as {path}#1")
    if not blocks:
        refuse(path, "it is no CIF file with atoms and a cell", SUPPORTED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it tolerates is checked here
        try:
            block: Any = CifBlock.from_str(usual(blocks[0]))
            _check_listed(path, block.data)
            parser: Any = CifParser.from_str(EMPTY)
            block = parser._sanitize_data(block)
            if in_part:
                _choose_groups(block.data)
            _check_places(path, block.data)
            return cell_of(path, parser, block, in_part=in_part)
        except InputError:
            raise
        except Exception as error:  # pymatgen raises whatever its parts do
            if "ccupancy" in str(error):
                refuse(path, "a place is taken in part or by several elements", ORDER)
            told = quoted(re.sub(r"\s+", " ", str(error)), "it is written otherwise")
            found = f"{type(error).__name__}: {told}"
            refuse(path, f"it is no CIF file that can be read ({found})", SUPPORTED)


def _choose_groups(rows: dict[str, Any]) -> None:
    """Leave out atoms of which the file says that others are there in their place.

    Of the groups of an assembly the one that is taken most stays. Where several are there equally
    often all stay, and rows say of which group they are: an image by symmetry may be of another.
    """
    groups = rows.get("_atom_site_disorder_group")
    if not isinstance(groups, list):
        return
    size = len(groups)
    named = rows.get("_atom_site_disorder_assembly")
    assemblies = [
        (assembly, group.startswith("-"))  # a negative one is disordered about its own image
        for assembly, group in zip(named or ["."] * size, groups, strict=True)
    ]
    shares = rows.get("_atom_site_occupancy", ["1"] * size)
    taken: dict[tuple[str, bool], dict[str, float]] = {}
    for assembly, group, share in zip(assemblies, groups, shares, strict=True):
        if group not in UNSAID:
            known = taken.setdefault(assembly, {})
            known[group] = max(known.get(group, 0.0), _number(share))
    best = {
        one: [group for group, share in known.items() if share > max(known.values()) - EQUAL]
        for one, known in taken.items()
    }
    kept = [
        place
        for place, (assembly, group) in enumerate(zip(assemblies, groups, strict=True))
        if group in UNSAID or group in best[assembly]
    ]
    rows[GROUP] = [
        "" if group in UNSAID or len(best[assembly]) < 2 else f"{assembly} {group}"
        for assembly, group in zip(assemblies, groups, strict=True)
    ]
    for name, column in list(rows.items()):
        if name.startswith("_atom_site_") and isinstance(column, list) and len(column) == size:
            rows[name] = [column[place] for place in kept]


def _number(text: str) -> float:
    """Return a number of a CIF, 1 where it is none."""
    try:
        return float(re.sub(r"\(\d+\)$", "", text))
    except ValueError:
        return 1.0


def _check_listed(path: Path, rows: dict[str, Any]) -> None:
    """Refuse more atoms than can be; name those that have nothing but an element."""
    symbols = rows.get("_atom_site_type_symbol", [])
    labels = rows.setdefault("_atom_site_label", [f"{s}{n}" for n, s in enumerate(symbols, 1)])
    if len(labels) > MOST_SITES:
        refuse(path, f"it has {len(labels):,} atoms; {MOST_SITES:,} are allowed in a CIF")


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
    lines = [
        f"data_{name}",
        "_symmetry_space_group_name_H-M 'P 1'",
        "_symmetry_Int_Tables_number 1",
    ]
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
