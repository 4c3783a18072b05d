"""Of which blocks of the library a framework can be built, and on which net.

A crystal is cut at its metals, for that asks for no list of blocks. A library cuts where its
authors did: a node may hold the pyridines of its linkers, and nodes without a metal have linkers
of their own. So bonds that hold a framework together, those in no small ring, are sorted into
kinds by what is around them, and each way of cutting some kinds and keeping the others is followed
as long as every piece is a block of the library. What is around a bond is looked at to several
distances: linkers that lie either way round make far surroundings differ that are of one kind.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import hill_formula
from ontologies.mofs import BlockGeometry, FrameworkDesign
from ontologies.units import Floats

from .codes import block_code, is_metal
from .designed import designed
from .drawn import drawn
from .fingerprints import recognise
from .found_blocks import blocks_of
from .known_blocks import largest, names_by_code
from .library import block_named
from .nets import Edge, branching, components
from .pieces import Bonds, Cell, Cut, Piece, Pieces, between, cut_apart, quotient
from .standing import Stands, stands

RING = 8
"""Bonds of a ring: what stands in one of so many or fewer holds a block together."""

DISTANCES = (2, 3, 4, 6, 8, 12)
"""Bonds, to which the surroundings of an atom are looked at."""

MOST_KINDS = 40
"""Kinds of bonds that may be cut. What has more is looked at to shorter distances."""

MOST_STEPS = 5_000
"""Choices that are followed at each distance."""

MOST_DESIGNS = 20

Place = tuple[int, Cell]


@dataclass(frozen=True)
class Redesigns:
    """Of what a framework can be built.

    Attributes:
        designs: net and blocks of the library.
        remark: why there may be others; empty if there are none.
    """

    designs: tuple[FrameworkDesign, ...]
    remark: str = ""


def redesigned(
    atoms: ConceptualAtoms, bonds: Bonds, members: Collection[int], codes: Collection[str]
) -> Redesigns:
    """Return the designs of which building would give the bonds of a framework.

    Args:
        atoms: the crystal.
        bonds: its bonds.
        members: the atoms of the framework.
        codes: of the blocks that cutting at the metals gives: a design of these comes first.
    """
    numbers: list[int] = atoms.numbers.tolist()
    found: dict[str, tuple[bool, FrameworkDesign]] = {}
    tried: set[frozenset[Edge]] = set()
    maker = _Maker(atoms, bonds)
    whole, loose = True, _loose_bonds(numbers, bonds, members)
    for colours in _colours(numbers, bonds, members):
        kinds = _kinds(loose, colours)
        if len(set(kinds.values())) > MOST_KINDS:
            whole = False
            break
        search = _Search(numbers, bonds, members, kinds, colours)
        for cut in search.ways():
            apart = frozenset(edge for edge, kind in kinds.items() if kind in cut)
            if apart in tried:
                continue
            tried.add(apart)
            design = maker.design(cut_apart(numbers, bonds, members, apart))
            if design is not None:
                other = {one.block.block_code for one in design.blocks} != set(codes)
                found[design.iri] = (other, design)
        whole = search.steps <= MOST_STEPS
    order = sorted(found.values(), key=lambda one: (one[0], len(one[1].name), one[1].name))
    remark = "" if whole and len(order) <= MOST_DESIGNS else (
        "not all ways were tried in which blocks of the library may give it"
    )  # fmt: skip
    return Redesigns(tuple(design for _, design in order[:MOST_DESIGNS]), remark)


def _colours(
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


def _loose_bonds(numbers: Sequence[int], bonds: Bonds, members: Collection[int]) -> list[Edge]:
    """Return the bonds that may be cut: in no small ring, and with the framework at both ends."""
    inside = set(members)
    loose = [edge for edge in bonds.edges if inside.issuperset(edge[:2])
             and not _in_ring(bonds, edge)]  # fmt: skip
    while True:
        fragments = cut_apart(numbers, bonds, members, frozenset(loose))
        ends = {number for number, many in enumerate(quotient(fragments).degrees) if many < 2}
        of = {atom: at for at, piece in enumerate(fragments.pieces) for atom in piece.members}
        kept = [edge for edge in loose if not ends & {of[edge[0]], of[edge[1]]}]
        if len(kept) == len(loose):
            return loose
        loose = kept


def _kinds(loose: Sequence[Edge], colours: Mapping[int, int]) -> dict[Edge, int]:
    """Return bonds, each with its kind."""
    told = {edge: tuple(sorted((colours[edge[0]], colours[edge[1]]))) for edge in loose}
    ranks = {key: rank for rank, key in enumerate(sorted(set(told.values())))}
    return {edge: ranks[key] for edge, key in told.items()}


def _in_ring(bonds: Bonds, edge: Edge) -> bool:
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


class _Search:
    """Which kinds of bonds may be cut so that every piece is a block of the library.

    Args:
        numbers: atomic numbers.
        bonds: of the crystal.
        members: the atoms of the framework.
        kinds: the bonds that may be cut, each with its kind.
        colours: of the atoms.
    """

    def __init__(
        self, numbers: Sequence[int], bonds: Bonds, members: Collection[int],
        kinds: Mapping[Edge, int], colours: Mapping[int, int],
    ) -> None:  # fmt: skip
        self._numbers, self._kinds, self.steps = numbers, kinds, 0
        self._fragments = cut_apart(numbers, bonds, members, frozenset(kinds)).pieces
        self._where: dict[int, Place] = {
            atom: (number, cell) for number, piece in enumerate(self._fragments)
            for atom, cell in zip(piece.members, piece.cells, strict=True)
        }  # fmt: skip
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
        ends = [
            mine for at, _ in pieces for kind, mine, _, _ in self._leads[at] if decided[kind]
        ]  # fmt: skip
        formula = hill_formula([self._numbers[atom] for atom in atoms])
        if (formula, str(len(ends))) not in self._shapes:
            return False
        if pieces not in self._known:
            place = {atom: number for number, atom in enumerate(atoms)}
            pairs = [
                (place[one], place[other])
                for at, _ in pieces for (one, _), (other, _) in self._inner[at]
            ]  # fmt: skip
            pairs += [
                (place[mine], place[other])
                for at, _ in pieces for kind, mine, other, _ in self._leads[at]
                if not decided[kind] and place[mine] < place[other]
            ]  # fmt: skip
            code = block_code(
                [self._numbers[atom] for atom in atoms],
                np.array(pairs, np.int64).reshape(-1, 2), [place[atom] for atom in ends],
            )  # fmt: skip
            self._known[pieces] = code in names_by_code()
        return self._known[pieces]


class _Maker:
    """What makes a design of pieces.

    Args:
        atoms: the crystal.
        bonds: its bonds.
    """

    def __init__(self, atoms: ConceptualAtoms, bonds: Bonds) -> None:
        self._atoms, self._bonds = atoms, bonds
        self._numbers: list[int] = atoms.numbers.tolist()
        self._codes: dict[tuple[tuple[int, ...], tuple[int, ...]], str] = {}

    def design(self, pieces: Pieces) -> FrameworkDesign | None:
        """Return the design of pieces that are blocks of the library; None if they make none."""
        if any(piece.dimension for piece in pieces.pieces):
            return None
        of = {atom: at for at, piece in enumerate(pieces.pieces) for atom in piece.members}
        ends: list[list[Cut]] = [[] for _ in pieces.pieces]
        for cut in pieces.cuts:
            ends[of[cut.first]].append(cut)
            ends[of[cut.second]].append(cut)
        blocks: list[BlockGeometry] = []
        for piece, cuts in zip(pieces.pieces, ends, strict=True):
            names = names_by_code().get(self._code(piece, cuts), ())
            if not names:
                return None
            blocks.append(self._nearest(names, piece, cuts))
        parts = [
            (part, recognise(net) if (net := branching(part.net)[0]).dimension == 3 else None)
            for part in components(quotient(pieces))
        ]
        if any(net is None or not net.names for _, net in parts):
            return None
        where = stands(blocks, parts)
        return _filled(where, blocks) if where.net else None

    def _code(self, piece: Piece, cuts: Sequence[Cut]) -> str:
        """Return what a piece is as a block, its ends being where it was cut."""
        place = {atom: number for number, atom in enumerate(piece.members)}
        held = [atom for cut in cuts for atom in (cut.first, cut.second) if atom in place]
        key = piece.members, tuple(sorted(held))
        if key not in self._codes:
            apart = {frozenset((cut.first, cut.second)) for cut in cuts}
            pairs = {
                (place[one], place[other])
                for one in piece.members for other, _ in self._bonds.around[one]
                if other in place and one < other and frozenset((one, other)) not in apart
            }  # fmt: skip
            numbers = [self._numbers[atom] for atom in piece.members]
            bonded = np.array(sorted(pairs), np.int64).reshape(-1, 2)
            self._codes[key] = block_code(numbers, bonded, [place[atom] for atom in held])
        return self._codes[key]

    def _nearest(self, names: Sequence[str], piece: Piece, cuts: Sequence[Cut]) -> BlockGeometry:
        """Return the block of some names that is nearest to a piece in shape."""
        if len(names) == 1:
            return block_named(names[0])
        (found,) = blocks_of(self._atoms, Pieces((piece,), tuple(cuts)), "")
        return min(
            map(block_named, names),
            key=lambda one: round(float(np.abs(_spans(one) - _spans(found)).max()), 2),
        )


def _spans(block: BlockGeometry) -> Floats:
    points = block.connection_points
    return np.sort(np.linalg.norm(points[:, None] - points[None], axis=2), axis=None)


def _filled(where: Stands, blocks: Sequence[BlockGeometry]) -> FrameworkDesign | None:
    """Return the design of blocks that stand where they do; None if kinds hold several."""
    held: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    shapes = {block.iri: block for block in blocks}
    for place, block in zip(where.places, blocks, strict=True):
        if place.kind is None:
            return None
        held[place.on, place.kind][block.iri] += 1
    assert where.net is not None
    net = drawn(where.net.name)
    vertices = [held["vertex", one.kind_number] for one in net.net.vertex_kinds]
    edges = [held["edge", one.kind_number] for one in net.net.edge_kinds]
    if any(len(one) != 1 for one in vertices) or any(len(one) > 1 for one in edges):
        return None
    cells = vertices[0].total() / net.net.vertex_kinds[0].per_cell
    for kind, one in zip(net.net.edge_kinds, edges, strict=True):
        if one and one.total() != round(cells * kind.per_cell):
            return None
    return designed(
        net, [shapes[next(iter(one))] for one in vertices],
        [shapes[next(iter(one))] if one else None for one in edges],
    )  # fmt: skip
