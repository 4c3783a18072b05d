"""Which kinds of bonds of a framework may be cut so that every piece is a block of the library."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from ontologies.elements import hill_formula

from .codes import block_code, is_metal
from .known_blocks import largest, names_by_code
from .nets import Edge
from .pieces import Bonds, Cell, between, cut_apart, quotient

RING = 8
"""Bonds of a ring: what stands in one of so many or fewer holds a block together."""

DISTANCES = (2, 3, 4, 6, 8, 12)
"""Bonds, to which the surroundings of an atom are looked at."""

MOST_STEPS = 5_000
"""Choices that are followed at each distance."""

Place = tuple[int, Cell]


def colours_of(
    numbers: Sequence[int], bonds: Bonds, members: Collection[int]
) -> Iterator[dict[int, int]]:
    """Iterate over numbers of atoms, the same for what has the same around it, from near to far."""
    inside = set(members)
    near = {atom: [other for other, _ in bonds.around[atom] if other in inside] for atom in inside}
    told = _ranked({atom: (numbers[atom], len(near[atom])) for atom in inside})
    for distance in range(1, DISTANCES[-1] + 1):
        finer = _ranked(
            {atom: (told[atom], *sorted(told[at] for at in near[atom])) for atom in inside}
        )
        same, told = len(set(finer.values())) == len(set(told.values())), finer
        if same or distance in DISTANCES:
            yield told
        if same:
            return


def _ranked(keys: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys.values())))}
    return {atom: ranks[key] for atom, key in keys.items()}


def loose_bonds(numbers: Sequence[int], bonds: Bonds, members: Collection[int]) -> list[Edge]:
    """Return the bonds that may be cut: in no small ring, and with the framework at both ends."""
    inside = set(members)
    loose = [
        edge for edge in bonds.edges if inside.issuperset(edge[:2]) and not in_ring(bonds, edge)
    ]
    while True:
        fragments = cut_apart(numbers, bonds, members, frozenset(loose))
        ends = {number for number, many in enumerate(quotient(fragments).degrees) if many < 2}
        of = {atom: at for at, piece in enumerate(fragments.pieces) for atom in piece.members}
        kept = [edge for edge in loose if not ends & {of[edge[0]], of[edge[1]]}]
        if len(kept) == len(loose):
            return loose
        loose = kept


def kinds_of(loose: Sequence[Edge], colours: Mapping[int, int]) -> dict[Edge, int]:
    """Return bonds, each with its kind."""
    told = {edge: tuple(sorted((colours[edge[0]], colours[edge[1]]))) for edge in loose}
    ranks = {key: rank for rank, key in enumerate(sorted(set(told.values())))}
    return {edge: ranks[key] for edge, key in told.items()}


def in_ring(bonds: Bonds, edge: Edge) -> bool:
    """Return whether a bond stands in a small ring."""
    start: Place = (edge[0], (0, 0, 0))
    x, y, z = edge[2]
    goal: Place = (edge[1], (x, y, z))
    seen: set[Place] = {start}
    border = [start]
    for step in range(RING - 1):
        reached: list[Place] = []
        for place in border:
            for other, cell in bonds.around[place[0]]:
                there = other, _sum(place[1], cell)
                if there == goal and (step or place != start):
                    return True
                if there not in seen and there != goal:
                    seen.add(there)
                    reached.append(there)
        border = reached
    return False


def _sum(one: Cell, other: Sequence[int]) -> Cell:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


class Search:
    """Which kinds of bonds may be cut so that every piece is a block of the library.

    Args:
        numbers: atomic numbers.
        bonds: of the crystal.
        members: the atoms of the framework.
        kinds: the bonds that may be cut, each with its kind.
        colours: of the atoms.
    """

    def __init__(
        self,
        numbers: Sequence[int],
        bonds: Bonds,
        members: Collection[int],
        kinds: Mapping[Edge, int],
        colours: Mapping[int, int],
    ) -> None:
        self._numbers, self._kinds, self.steps = numbers, kinds, 0
        self._fragments = cut_apart(numbers, bonds, members, frozenset(kinds)).pieces
        self._where: dict[int, Place] = {
            atom: (number, cell)
            for number, piece in enumerate(self._fragments)
            for atom, cell in zip(piece.members, piece.cells, strict=True)
        }
        self._inner: list[list[tuple[Place, Place]]] = [[] for _ in self._fragments]
        self._leads: list[list[tuple[int, int, int, Place]]] = [[] for _ in self._fragments]
        for one, other, cell in bonds.edges:
            if one not in self._where or other not in self._where:
                continue
            (here, first), (there, second) = self._where[one], self._where[other]
            kind = kinds.get((one, other, cell))
            if kind is None:
                self._inner[here].append(((one, first), (other, second)))
                continue
            x, y, z = between(first, cell, second)
            self._leads[here].append((kind, one, other, (there, (x, y, z))))
            self._leads[there].append((kind, other, one, (here, (-x, -y, -z))))
        first_of: dict[tuple[int, ...], int] = {}
        for number, piece in enumerate(self._fragments):
            first_of.setdefault(tuple(sorted(colours[atom] for atom in piece.members)), number)
        self._starts = sorted(
            first_of.values(),
            key=lambda at: not any(is_metal(numbers[atom]) for atom in self._fragments[at].members),
        )
        self._shapes = {tuple(code.split("-")[:2]) for code in names_by_code()}
        self._known: dict[frozenset[Place], bool] = {}

    def ways(self, decided: Mapping[int, bool] | None = None) -> Iterator[frozenset[int]]:
        """Iterate over sets of kinds to cut."""
        decided = decided or {}
        self.steps += 1
        for start in self._starts:
            if self.steps > MOST_STEPS:
                return
            grown = self._grown(start, decided)
            if grown is None:
                return
            pieces, undecided = grown
            if undecided is not None:
                for cut in (True, False):
                    yield from self.ways({**decided, undecided: cut})
                return
            if not self._is_known(pieces, decided):
                return
        yield frozenset(kind for kind, cut in decided.items() if cut)

    def _grown(
        self, start: int, decided: Mapping[int, bool]
    ) -> tuple[frozenset[Place], int | None] | None:
        """Return the fragments of a piece, and a kind of bond at it that is not decided.

        None if it is larger than any block, or goes on without end.
        """
        cells: dict[int, Cell] = {start: (0, 0, 0)}
        queue, size = deque([start]), 0
        while queue:
            here = queue.popleft()
            size += len(self._fragments[here].members)
            if size > largest() or self._fragments[here].dimension:
                return None
            for kind, _, _, (there, step) in self._leads[here]:
                if kind not in decided:
                    return frozenset(cells.items()), kind
                if decided[kind]:
                    continue
                cell = _sum(cells[here], step)
                if there not in cells:
                    cells[there] = cell
                    queue.append(there)
                elif cells[there] != cell:
                    return None
        return frozenset(cells.items()), None

    def _is_known(self, pieces: frozenset[Place], decided: Mapping[int, bool]) -> bool:
        """Return whether a piece is a block of the library."""
        atoms = [atom for at, _ in sorted(pieces) for atom in self._fragments[at].members]
        ends = [mine for at, _ in pieces for kind, mine, _, _ in self._leads[at] if decided[kind]]
        formula = hill_formula([self._numbers[atom] for atom in atoms])
        if (formula, str(len(ends))) not in self._shapes:
            return False
        if pieces not in self._known:
            place = {atom: number for number, atom in enumerate(atoms)}
            pairs = [
                (place[one], place[other])
                for at, _ in pieces
                for (one, _), (other, _) in self._inner[at]
            ]
            pairs += [
                (place[mine], place[other])
                for at, _ in pieces
                for kind, mine, other, _ in self._leads[at]
                if not decided[kind] and place[mine] < place[other]
            ]
            code = block_code(
                [self._numbers[atom] for atom in atoms],
                np.array(pairs, np.int64).reshape(-1, 2),
                [place[atom] for atom in ends],
            )
            self._known[pieces] = code in names_by_code()
        return self._known[pieces]
