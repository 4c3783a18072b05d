"""The nets that have names, by their keys: how the table is made, and how a net is looked up in it.

The table stands beside this module. It holds the nets of PORMAKE, which come from the RCSR, and
the layers of regular polygons, which are not among them. To write it again, where PORMAKE is
installed (minutes):

    python3 -m workflows.mof.fingerprints
"""

from __future__ import annotations

import csv
import functools
import importlib.util
import itertools
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ontologies.units import Floats
from triplestore.errors import ComponentError
from workflows.text.words import count

from .nets import Edge, Key, Net, components, key_of, ordered

TABLE = Path(__file__).with_name("fingerprints.csv")

COLUMNS = ("name", "dimension", "vertices", "edges", "degrees", "exact", "key")

Points = tuple[tuple[float, float], ...]

HEXAGONAL, SQUARE = (1 / 2, math.sqrt(3) / 2), (0.0, 1.0)


def _polygon(corners: int, radius: float, first: float) -> Points:
    """Return the corners of a polygon around the origin; the angle of the first is in degrees."""
    angles = [math.radians(first + 360 * corner / corners) for corner in range(corners)]
    return tuple((radius * math.cos(angle), radius * math.sin(angle)) for angle in angles)


_TRIANGLE, _SHIFT = 1 / math.sqrt(3), (2 + math.sqrt(3)) / math.sqrt(3)

LAYERS: Mapping[str, tuple[float, tuple[float, float], Points]] = {
    "sql": (1.0, SQUARE, ((0.0, 0.0),)),
    "hxl": (1.0, HEXAGONAL, ((0.0, 0.0),)),
    "hcb": (math.sqrt(3), HEXAGONAL, ((0.0, 0.0), (0.0, 1.0))),
    "kgm": (2.0, HEXAGONAL, ((0.0, 0.0), (1.0, 0.0), (0.5, math.sqrt(3) / 2))),
    "fes": (1 + math.sqrt(2), SQUARE, _polygon(4, math.sqrt(0.5), 0)),
    "htb": (1 + math.sqrt(3), HEXAGONAL, _polygon(6, 1.0, 30)),
    "hca": (
        2 + math.sqrt(3),
        HEXAGONAL,
        _polygon(3, _TRIANGLE, 90) + tuple((x, y + _SHIFT) for x, y in _polygon(3, _TRIANGLE, 30)),
    ),
    "fxt": (3 + math.sqrt(3), HEXAGONAL, _polygon(12, 0.5 / math.sin(math.radians(15)), 15)),
}
"""Layers of regular polygons: length of both vectors, direction of the second, and vertices. Those
that are 1 apart are joined."""


KAGOME_DUAL = Net(
    3,
    tuple(
        (0, one, cell)
        for one, cells in ((1, ((0, 0), (-1, 0), (0, -1))), (2, ((0, 0), (1, 0), (0, 1))))
        for cell in cells
    ),
    2,
)
"""kgd: corners of hexagonal cells, each joined to the middles of the six triangles around it."""


def layer(name: str) -> Net:
    """Return one of `LAYERS`."""
    length, (x, y), points = LAYERS[name]
    cell: Floats = length * np.array([[1.0, 0.0], [x, y]])
    found: set[Edge] = set()
    for (one, a), (other, b) in itertools.product(enumerate(points), repeat=2):
        for steps in itertools.product(range(-2, 3), repeat=2):
            apart = np.array(b) + np.array(steps) @ cell - np.array(a)
            if abs(float(np.linalg.norm(apart)) - 1) < 1e-6:
                found.add(ordered(one, other, steps))
    return Net(len(points), tuple(sorted(found)), 2)


@dataclass(frozen=True)
class Recognition:
    """The name of a net.

    Attributes:
        names: of nets that have this key, the shortest first; none if no net of the table has it,
            several if they are one graph that lies in space in several ways, or if the key is not
            exact. Two colours of vertices make no other net.
        key: what the net is by itself.
    """

    names: tuple[str, ...]
    key: Key


@functools.cache
def table() -> Mapping[str, tuple[str, ...]]:
    """Return the names of nets by their keys."""
    found: dict[str, list[str]] = defaultdict(list)
    with TABLE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            found[row["key"]].append(row["name"])
    return {key: _plain(names) for key, names in found.items()}


def _plain(names: list[str]) -> tuple[str, ...]:
    """Return names of one net, the shortest first, without that of its binary variant."""
    ordered = sorted(names, key=lambda one: (len(one), one))
    return tuple(one for one in ordered if not (one.endswith("-b") and one[:-2] in names))


def recognise(net: Net) -> Recognition:
    """Return the names of a connected net that repeats in two or three directions.

    See `nets.key_of` for what it must be like.
    """
    key = key_of(net)
    return Recognition(table().get(key.text, ()), key)


def folder() -> Path:
    """Return where PORMAKE keeps its nets; the package is not imported, which takes seconds.

    Raises:
        ComponentError: it is not installed.
    """
    found = importlib.util.find_spec("pormake")
    if found is None or not found.submodule_search_locations:
        raise ComponentError(
            "the nets of PORMAKE were asked for",
            "it is not installed",
            "install it: pip install 'grafico-chem[mof]'",
        )
    return Path(found.submodule_search_locations[0]) / "database" / "topologies"


def read(path: Path) -> Net:
    """Return the net of a CGD file.

    Raises:
        ValueError: it is none of one part that repeats in all directions; says why.
    """
    from .cgd import read_cgd

    _, net = read_cgd(path.read_text(encoding="utf-8"))
    parts = components(net)
    if len(parts) != 1 or parts[0].copies != 1:
        raise ValueError(f"it is {count(len(parts), 'net')}, or repeats in fewer directions")
    return net


def rows(failed: dict[str, str]) -> Iterator[tuple[str, int, int, int, str, str, str]]:
    """Yield the rows of the table; put into `failed` why nets have none."""
    yield _row("kgd", KAGOME_DUAL)
    for name in LAYERS:
        yield _row(name, layer(name))
    for path in sorted(folder().glob("*.cgd")):
        try:
            yield _row(path.stem, read(path))
        except ValueError as error:
            failed[path.stem] = str(error)


def _row(name: str, net: Net) -> tuple[str, int, int, int, str, str, str]:
    key = key_of(net)
    degrees = " ".join(map(str, sorted(set(net.degrees))))
    exact = "yes" if key.exact else "no"
    return name, net.dimension, key.vertices, key.edges, degrees, exact, key.text


def main() -> None:
    """Write the table, and print which nets are not in it and which share a key."""
    failed: dict[str, str] = {}
    found = sorted(rows(failed))
    with TABLE.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(found)
    table.cache_clear()
    print(f"{count(len(found), 'net')} in {TABLE.name}")
    for name, reason in failed.items():
        print(f"not among them: {name}: {reason}")
    for names in table().values():
        if len(names) > 1:
            print(f"share a key: {', '.join(names)}")
    print(f"without an exact key: {', '.join(row[0] for row in found if row[5] == 'no')}")


if __name__ == "__main__":
    main()
