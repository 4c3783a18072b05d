"""Nets as they are drawn: cell, places, kinds of vertices and edges, and what symmetry allows."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
import itertools
from collections import Counter
from dataclasses import dataclass

import numpy as np

from ontologies.mofs import EdgeKind, Net, VertexKind, figure_of
from ontologies.units import Floats, Integers
from triplestore.errors import InputError

from .cgd import read_embedded
from .library import net_text


@dataclass(frozen=True)
class DrawnNet:
    """A net with places and symmetry.

    Attributes:
        name: its symbol.
        group: its space group.
        cell: lattice vectors as rows, in edges of the net.
        places: of the vertices, in parts of the cell.
        kinds: which kind each vertex is.
        ends: of each edge, its two vertices.
        steps: of each edge, into which cell it leads.
        pairs: kinds of edges: the kinds of vertices at their ends, the lower first.
        strains: symmetric matrices by which the cell may be stretched without losing symmetry.
        cells: how many cells of the net there are.
    """

    name: str
    group: str
    cell: Floats
    places: Floats
    kinds: tuple[int, ...]
    ends: Integers
    steps: Integers
    pairs: tuple[tuple[int, int], ...]
    strains: Floats
    cells: int = 1

    @functools.cached_property
    def edge_kinds(self) -> list[int]:
        """Which kind each edge is."""
        known = {pair: number for number, pair in enumerate(self.pairs)}
        return [known[_pair(self.kinds, one, other)] for one, other in self.ends.tolist()]

    @functools.cached_property
    def around(self) -> list[list[tuple[int, int]]]:
        """Of each vertex: its edges, each with 0 where it is their first end, else 1.

        They come in the same order in each cell.
        """
        found = [list[tuple[int, int]]() for _ in self.kinds]
        for edge, (one, other) in enumerate(self.ends.tolist()):
            found[one].append((edge, 0))
            found[other].append((edge, 1))
        of_one = len(self.ends) // self.cells
        for near in found:
            near.sort(key=lambda one: (one[0] % of_one, one[1]))
        return found

    def vectors(self, positions: Floats, cell: Floats) -> Floats:
        """Return the way from the first to the second vertex of each edge."""
        return positions[self.ends[:, 1]] + self.steps @ cell - positions[self.ends[:, 0]]

    def directions(self, vertex: int) -> Floats:
        """Return the directions in which the edges of a vertex leave it, as drawn."""
        ways = self.vectors(self.places @ self.cell, self.cell)
        return np.array([ways[edge] * (1 - 2 * end) for edge, end in self.around[vertex]])

    def repeated(self, times: tuple[int, int, int]) -> DrawnNet:
        """Return the same net in a cell so many times as long in each direction."""
        if times == (1, 1, 1):
            return self
        shifts = np.array(list(itertools.product(*map(range, times))), np.int64)
        number = {tuple(shift): at for at, shift in enumerate(shifts.tolist())}
        count, by = len(self.kinds), np.array(times, np.int64)
        ends: list[tuple[int, int]] = []
        steps: list[list[int]] = []
        for shift in shifts:
            for (one, other), step in zip(self.ends.tolist(), self.steps, strict=True):
                whole, rest = np.divmod(shift + step, by)
                here, there = number[tuple(shift.tolist())], number[tuple(rest.tolist())]
                ends.append((here * count + one, there * count + other))
                steps.append(whole.tolist())
        return DrawnNet(
            self.name,
            self.group,
            self.cell * by[:, None],
            ((self.places[None] + shifts[:, None]) / by).reshape(-1, 3),
            self.kinds * len(shifts),
            np.array(ends, np.int64),
            np.array(steps, np.int64),
            self.pairs,
            self.strains,
            self.cells * len(shifts),
        )

    @functools.cached_property
    def net(self) -> Net:
        """What is stored of it."""
        vertices, edges = Counter(self.kinds), Counter(self.edge_kinds)
        return Net(
            name=self.name,
            space_group=self.group,
            vertex_kinds=tuple(
                VertexKind(
                    kind_number=kind,
                    per_cell=vertices[kind],
                    figure=figure_of(self.directions(self.kinds.index(kind))),
                )
                for kind in sorted(vertices)
            ),
            edge_kinds=tuple(
                EdgeKind(
                    kind_number=number,
                    first_vertex=first,
                    second_vertex=second,
                    per_cell=edges[number],
                )
                for number, (first, second) in enumerate(self.pairs)
            ),
        )


@functools.lru_cache(maxsize=64)
def drawn(name: str) -> DrawnNet:
    """Return a net of PORMAKE.

    Raises:
        NotFoundError: there is none of that name.
        InputError: its file contradicts itself.
    """
    from ase.geometry import cellpar_to_cell

    text = net_text(name)
    try:
        found = read_embedded(text)
    except ValueError as error:
        raise InputError(
            f"the net {name} was asked for",
            f"its file cannot be used: {error}",
            "choose another net",
        ) from error
    cell: Floats = cellpar_to_cell(found.cell)
    kinds = tuple(found.kinds)
    ends = np.array([edge[:2] for edge in found.net.edges], np.int64)
    pairs = sorted({_pair(kinds, one, other) for one, other in ends.tolist()})
    turns = [cell.T @ turn @ np.linalg.inv(cell.T) for turn, _ in found.operations]
    return DrawnNet(
        found.name,
        found.group,
        cell,
        np.array(found.places),
        kinds,
        ends,
        np.array([edge[2] for edge in found.net.edges], np.int64),
        tuple(pairs),
        _strains(turns),
    )


def _pair(kinds: tuple[int, ...], one: int, other: int) -> tuple[int, int]:
    """Return the kinds of two vertices, the lower first."""
    return min(kinds[one], kinds[other]), max(kinds[one], kinds[other])


def _strains(turns: list[Floats]) -> Floats:
    """Return independent symmetric matrices that rotations leave as they are."""
    kept: list[Floats] = []
    for row, column in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        unit = np.zeros((3, 3))
        unit[row, column] = unit[column, row] = 1.0
        mean: Floats = np.mean([turn @ unit @ turn.T for turn in turns], axis=0)
        for known in kept:
            mean = mean - np.sum(mean * known) / np.sum(known * known) * known
        if np.abs(mean).max() > 1e-3:
            kept.append(mean)
    return np.array(kept)
