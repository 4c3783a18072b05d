"""Nets of CGD files, the format of Systre and of the RCSR, in which PORMAKE keeps its own."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
import itertools
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from ontologies.units import Floats

from .nets import Edge, Net, ordered

SAME = 2e-3
"""Parts of the cell: coordinates have five decimals, and symmetry adds them up."""

RENAMED = {"Cmca": "Cmce"}
"""Space groups that have other names since 1992."""


@dataclass(frozen=True)
class Embedded:
    """A net as it is drawn.

    Attributes:
        name: its symbol.
        group: its space group.
        cell: three lengths and three angles, in ° and edges of the net.
        net: its vertices and edges.
        places: of the vertices, in parts of the cell.
        kinds: of each vertex, the number of the line that it comes from.
        operations: of the space group, each a rotation and a shift in parts of the cell.
    """

    name: str
    group: str
    cell: list[float]
    net: Net
    places: list[Floats]
    kinds: list[int]
    operations: list[tuple[Floats, Floats]]


def read_cgd(text: str) -> tuple[str, Net]:
    """Return name and net of a CGD file.

    Raises:
        ValueError: it is none, or it contradicts itself; says how.
    """
    found = read_embedded(text)
    return found.name, found.net


def read_embedded(text: str) -> Embedded:
    """Return the net of a CGD file as it is drawn there.

    Raises:
        ValueError: it is none, or it contradicts itself; says how.
    """
    name, group, cell = "", "", [1.0, 1.0, 1.0, 90.0, 90.0, 90.0]
    nodes, edges, centres = (
        list[tuple[int, list[float]]](),
        list[list[float]](),
        list[list[float]](),
    )
    for line in text.splitlines():
        words = line.split("#")[0].split()
        match words:
            case ["NAME", given, *_]:
                name = given
            case ["GROUP", given, *_]:
                group = given
            case ["NODE", _, degree, x, y, z]:
                nodes.append((int(degree), [float(x), float(y), float(z)]))
            case ["EDGE", *ends] if len(ends) == 6:
                edges.append([float(end) for end in ends])
            case ["EDGE_CENTER", *ends] if len(ends) == 3:
                centres.append([float(end) for end in ends])
            case ["CELL", *lengths]:
                cell = [float(length) for length in lengths]
            case [] | ["CRYSTAL" | "END" | "ENDCRYSTAL", *_]:
                pass
            case _:
                raise ValueError(f"a line is not understood: {line[:60]}")
    if not (group and nodes and (edges or centres)):
        raise ValueError("it has no space group, no vertices or no edges")
    operations = _operations(group)
    places: list[Floats] = []
    degrees: list[int] = []
    kinds: list[int] = []
    for kind, (degree, place) in enumerate(nodes):
        for turn, shift in operations:
            image = turn @ place + shift
            if _found(places, image) is None:
                places.append(image - np.floor(image))
                degrees.append(degree)
                kinds.append(kind)
    if not edges:
        edges = [_ends(places, np.array(centre), cell) for centre in centres]
    found: set[Edge] = set()
    for ends in edges:
        for turn, shift in operations:
            one, other = (_found(places, turn @ end + shift) for end in (ends[:3], ends[3:]))
            if one is None or other is None:
                raise ValueError(f"an edge ends where no vertex is: {ends}")
            step = tuple(int(b - a) for a, b in zip(one[1], other[1], strict=True))
            found.add(ordered(one[0], other[0], step))
    net = Net(len(places), tuple(sorted(found)))
    wrong = [(a, b) for a, b in zip(degrees, net.degrees, strict=True) if a != b]
    if wrong:
        said, has = wrong[0]
        raise ValueError(f"a vertex of {said} edges, as it says, has {has}")
    return Embedded(name, group, cell, net, places, kinds, operations)


def _found(places: list[Floats], point: Floats) -> tuple[int, Floats] | None:
    """Return which vertex lies at a point, and in which cell."""
    if not places:
        return None
    apart = point - np.array(places)
    cells = np.rint(apart)
    off = np.abs(apart - cells).max(axis=1)
    best = int(off.argmin())
    return (best, cells[best].astype(int)) if off[best] < SAME else None


def _ends(places: list[Floats], centre: Floats, cell: list[float]) -> list[float]:
    """Return the ends of an edge of which the middle is given: the nearest vertices across it.

    Raises:
        ValueError: there are none.
    """
    from ase.geometry import cellpar_to_cell

    shifts = np.array(list(itertools.product((-1, 0, 1), repeat=3)))
    near = (np.array(places)[:, None] + shifts[None]).reshape(-1, 3)
    lengths = np.linalg.norm((near - centre) @ cellpar_to_cell(cell), axis=1)
    for one in near[np.argsort(lengths)]:
        if _found(places, 2 * centre - one) is not None:
            return [*one.tolist(), *(2 * centre - one).tolist()]
    raise ValueError(f"no vertices are beside the middle of an edge: {centre.tolist()}")


@functools.cache
def _operations(group: str) -> list[tuple[Floats, Floats]]:
    """Return the operations of a space group, centring included.

    Raises:
        ValueError: there is none of this name.
    """
    from pymatgen.symmetry.groups import SpaceGroup

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about how the group is called
        found: Any = SpaceGroup(RENAMED.get(group, group))
    return [(op.rotation_matrix, op.translation_vector) for op in found.symmetry_ops]
