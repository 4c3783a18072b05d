"""The atoms of a cell: those that a CIF file lists, carried on by its symmetry.

Site by site, so that what would grow beyond all bounds is refused as soon as it does: an atom on a
special position is there fewer times than there are operations. Names of elements, cells and space
groups are read by pymatgen.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ontologies.units import Floats

from .cif_settings import operations as operations_of_setting
from .text import MOST_ATOMS, refuse

Place: TypeAlias = tuple[float, float, float]

OPERATIONS = (
    "_symmetry_equiv_pos_as_xyz",
    "_symmetry_equiv_pos_as_xyz_",
    "_space_group_symop_operation_xyz",
    "_space_group_symop_operation_xyz_",
)
GROUPS = (
    "_symmetry_space_group_name_H-M",
    "_space_group_name_H-M_alt",
    "_space_group_name_Hall",
    "_symmetry_space_group_name_Hall",
    "_space_group_IT_number",
    "_symmetry_Int_Tables_number",
)
NO_SYMMETRY = {"P1", "1"}
ASSUMED = "_grafico_assumed"
"""Under which it is kept what was assumed of the symmetry of a file."""

PART = r"(?:[xyz]|(?:\d+\.?\d*|\.\d+)(?:/\d+\.?\d*)?\s*[xyz]?)"
OPERATION = re.compile(rf"\s*[+-]?\s*{PART}(?:\s*[+-]\s*{PART})*\s*", re.IGNORECASE)
"""One coordinate of a symmetry operation: `x-y+1/3`, `1/2+z`, `-x`."""

FORMULA_PART = re.compile(r"([A-Z][a-z]?)(\d{0,6}(?:\.\d{1,6})?)")

MOST_OPERATIONS, LONGEST_OPERATION = 192, 100
"""Of a space group, with centring; and characters of one."""

GROUP = "_atom_site_of_group"
"""Our own column: of which group a site is that is there as often as another, or empty."""

SAME = 1e-3
"""Of the cell, along each axis. Sites that are nearer are one."""

BINS = 64
"""Parts of each axis into which places are sorted."""

WHOLE = 0.999
"""A place that is taken so often is taken always."""

FULL = 1.05
"""A share that is no larger is whole, refined a little too far."""

DENSEST = 2.0
"""Atoms a Å³, alternatives among them; diamond has 0.18."""

THINNEST = 0.01
"""Å. No layers of atoms are nearer to each other."""


class Places:
    """Places of a cell that repeats, by number, among which those near another are found."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._bins: dict[tuple[int, int, int], list[int]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Place]:
        return iter(self._places)

    def add(self, place: Place) -> None:
        """Add a place; its number is how many there were."""
        x, y, z = place
        self._bins[_bin(x), _bin(y), _bin(z)].append(len(self._places))
        self._places.append(place)

    def find(self, place: Place) -> int | None:
        """Return the first place that is the same within `SAME`."""
        around = ({_bin(part - SAME * 1.01), _bin(part + SAME * 1.01)} for part in place)
        found = [
            number
            for x, y, z in itertools.product(*around)
            for number in self._bins.get((x, y, z), ())
            if all(
                abs(apart - round(apart)) < SAME
                for apart in (a - b for a, b in zip(place, self._places[number], strict=True))
            )
        ]
        return min(found, default=None)


def _bin(part: float) -> int:
    return int(part % 1.0 * BINS) % BINS


def operations_of(path: Path, parser: Any, block: Any) -> list[Any]:
    """Return the symmetry operations that a file lists, or else those of its space group.

    Raises:
        InputError: they are too many, or none; or its space group is not known.
    """
    from pymatgen.core.operations import SymmOp

    listed: list[str] = []
    for name in OPERATIONS:
        column: str | list[str] = block.data.get(name, [])
        texts = [column] if isinstance(column, str) else column
        listed = listed or [text for text in texts if text.strip() not in ("", "?", ".")]
    if len(listed) > MOST_OPERATIONS:
        problem = f"it has {len(listed)} symmetry operations; no space group has more than"
        refuse(path, f"{problem} {MOST_OPERATIONS}", "write all atoms out (P 1)")
    found: list[Any] = []
    for text in listed:
        if len(text) > LONGEST_OPERATION:
            problem = f"a symmetry operation has {len(text)} characters"
            refuse(path, f"{problem}; {LONGEST_OPERATION} are allowed")
        parts = text.split(",")
        operation = None
        if len(parts) == 3 and all(map(_is_coordinate, parts)):
            operation = SymmOp.from_xyz_str(text)
        if operation is None or abs(abs(np.linalg.det(operation.rotation_matrix)) - 1) > 1e-6:
            refuse(path, f"{text!r} is no symmetry operation")
        found.append(operation)
    return found or _of_space_group(path, parser, block)


def _is_coordinate(part: str) -> bool:
    """Tell whether a text is one coordinate of an operation, each axis in it once at most."""
    return bool(OPERATION.fullmatch(part)) and max(map(part.lower().count, "xyz")) == 1


def _of_space_group(path: Path, parser: Any, block: Any) -> list[Any]:
    """Return the operations of the space group that a file names; none is named by P 1."""
    for name in OPERATIONS:
        block.data.pop(name, None)
    if (settled := operations_of_setting(block.data)) is not None:
        block.data[ASSUMED] = settled[1]
        return settled[0]
    found = list(parser.get_symops(block))
    named = [str(block.data.get(name, "?")).strip() for name in GROUPS]
    named = [one for one in named if one not in ("", "?", ".")]
    unknown = any("Defaulting to P1" in one for one in parser.warnings)
    if unknown and any(re.sub(r"[\s_]", "", one).upper() not in NO_SYMMETRY for one in named):
        refuse(
            path,
            f"it lists no symmetry operations, and its space group {named[0]!r} is not known",
            "give one with its operations, or with all atoms written out (P 1)",
        )
    return found


@dataclass(frozen=True)
class Sites:
    """The sites of one cell.

    Attributes:
        cell: its vectors in Å, one a row.
        sites: places with what is there, as pymatgen has them.
        formula: how many atoms of each element the file says are in the cell; empty if it does not.
        assumed: of its symmetry, in words; empty for nothing.
    """

    cell: Floats
    sites: list[Any]
    formula: Mapping[str, float]
    assumed: str = ""

    @property
    def positions(self) -> Floats:
        """Where they are, in Å."""
        return np.array([site.coords for site in self.sites])


def cell_of(path: Path, parser: Any, block: Any, *, in_part: bool) -> Sites:
    """Return the sites of one cell.

    Args:
        path: what the file is called in messages.
        parser: pymatgen's reader of CIF files.
        block: the block that is read.
        in_part: whether places may be taken in part, or by more than one atom.

    Raises:
        InputError: there is no cell, or there are too many atoms in it.
        ValueError: an atom cannot be, or is there more than once.
    """
    from pymatgen.core.sites import PeriodicSite

    lattice = parser.get_lattice(block)
    if lattice is None:
        refuse(path, "its cell is not said", "give one with the lengths and angles of its cell")
    thin = min(lattice.d_hkl(face) for face in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    if thin < THINNEST:
        raise ValueError(f"its cell is {thin:.3g} Å thick")
    listed = _listed(path, parser, block, in_part=in_part)
    number = sum(len(one.images) for one in listed)
    if number > DENSEST * lattice.volume:
        found = f"{number:,} atoms in a cell of {lattice.volume:.4g} Å³"
        refuse(path, f"it has {found}", "are its lengths in Å?")
    groups: list[list[Any]] = []
    for kind, group in itertools.groupby(sorted(listed, key=_kind), key=_kind):
        share = sum(kind.values())
        if share > 1 and not in_part:
            raise ValueError(f"Occupancy {share} of {kind}")
        known, sites = Places(), list[Any]()
        for one in group:
            for image in one.images:
                if known.find(image) is None:
                    known.add(image)
                    more: Any = {"label": one.label, "properties": {GROUP: one.group}}
                    sites.append(
                        PeriodicSite(kind, np.array(image), lattice, skip_checks=True, **more)
                    )
        groups.append(sites)
    if not in_part:
        groups.sort(key=lambda sites: sites[0])
    every = [site for sites in groups for site in sites]
    return Sites(lattice.matrix, every, _formula(block), str(block.data.get(ASSUMED, "")))


def _formula(block: Any) -> dict[str, float]:
    """Return how many atoms of each element a file says are in the cell."""
    formula = str(block.data.get("_chemical_formula_sum", ""))
    units = str(block.data.get("_cell_formula_units_Z", ""))
    parts = [FORMULA_PART.fullmatch(part) for part in formula.split()]
    if not parts or not all(parts) or not units.isdecimal() or len(units) > 6:
        return {}
    return {part[1]: int(units) * float(part[2] or 1) for part in parts if part}


@dataclass
class _Listed:
    """An atom that a file lists, or several in one place.

    Attributes:
        kind: elements and how often each is there.
        label: what the file calls it.
        group: of the atoms that are there together; empty for none.
        images: where it is in the cell.
    """

    kind: Any
    label: str
    group: str
    images: list[Place]

    def add(self, kind: Any, label: str) -> None:
        """Add another atom in its place; a whole one of its element is the same, listed twice."""
        (element, share), *others = kind.items()
        if not others and min(share, self.kind[element]) < WHOLE:
            self.kind += kind
        self.label, self.group = label, ""


def _kind(one: _Listed) -> Any:
    return one.kind


def _listed(path: Path, parser: Any, block: Any, *, in_part: bool) -> list[_Listed]:
    """Return the atoms that a file lists; those in one place, or on an image of it, together.

    Raises:
        InputError: they are too many with their images, or one is of no element.
    """
    from pymatgen.core import Composition, DummySpecies, Species, get_el_sp
    from pymatgen.io.cif import str2float

    rows = block.data
    operations = operations_of(path, parser, block)
    charges = parser._parse_oxi_states(block)
    places, found, count = Places(), list[_Listed](), 0
    labels = rows["_atom_site_label"]
    symbols, groups = rows.get("_atom_site_type_symbol", labels), rows.get(GROUP)
    for at, label in enumerate(labels):
        symbol = parser._parse_symbol(symbols[at])
        if not symbol:
            refuse(path, f"{symbols[at][:40]} is no element", "name each atom")
        element: Any = get_el_sp(symbol)
        if charges is not None:
            charge = charges.get(symbol, 0)
            if "_atom_site_type_symbol" in rows:
                charge = charges.get(symbols[at], charge)
            try:
                element = Species(symbol, charge)
            except ValueError:
                element = DummySpecies(symbol, charge)
        try:
            share = str2float(rows["_atom_site_occupancy"][at])
        except (KeyError, ValueError):
            share = 1.0
        if share <= 0 and not in_part:
            continue
        if WHOLE <= share <= FULL:
            share = 1.0
        kind = Composition({element: max(share, 1e-8)})
        x, y, z = (str2float(rows[f"_atom_site_fract_{axis}"][at]) for axis in "xyz")
        match, images = None, Places()
        for image in _images(operations, (x, y, z)):
            match = places.find(image)
            if match is not None:
                found[match].add(kind, label)
                break
            if images.find(image) is None:
                images.add(image)
        if match is None:
            places.add((x, y, z))
            found.append(_Listed(kind, label, groups[at] if groups else "", list(images)))
            count += len(images)
        if count > MOST_ATOMS:
            problem = f"its cell has more than {MOST_ATOMS:,} atoms with their images by symmetry"
            refuse(path, problem, "give its primitive cell, or remove what is there twice")
    return found


def _images(operations: Sequence[Any], place: Place) -> Iterator[Place]:
    """Iterate over the images of a place, in the cell."""
    for operation in operations:
        x, y, z = operation.operate(place).tolist()
        yield x - math.floor(x), y - math.floor(y), z - math.floor(z)
