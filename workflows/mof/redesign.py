"""Of which blocks of the library a framework can be built, and on which net.

A crystal is cut at its metals, for that asks for no list of blocks. A library cuts where its
authors did: a node may hold the pyridines of its linkers, and nodes without a metal have linkers
of their own. So bonds that hold a framework together, those in no small ring, are sorted into
kinds by what is around them, and each way of cutting some kinds and keeping the others is followed
as long as every piece is a block of the library. What is around a bond is looked at to several
distances: linkers that lie either way round make far surroundings differ that are of one kind.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import BlockGeometry, FrameworkDesign
from ontologies.units import Floats

from .codes import block_code
from .cutting import MOST_STEPS, Search, colours_of, kinds_of, loose_bonds
from .designed import designed
from .drawn import drawn
from .fingerprints import recognise
from .found_blocks import blocks_of
from .known_blocks import names_by_code
from .library import block_named, is_installed
from .nets import Edge, branching, components
from .pieces import Bonds, CrystalPiece, Cut, Pieces, cut_apart, quotient
from .standing import Stands, stands

MOST_KINDS = 40
"""Kinds of bonds that may be cut. What has more is looked at to shorter distances."""

MOST_TRIED = 100
"""Ways to cut in which one piece of each kind is a block of the library; then all are looked at."""

MOST_DESIGNS = 20


@dataclass(frozen=True)
class Redesigns:
    """Of what a framework can be built.

    Attributes:
        designs: net and blocks of the library.
        pieces: as the first of them cuts the framework; None if there is none.
        remark: why there may be some although none was found; empty if all was tried.
    """

    designs: tuple[FrameworkDesign, ...]
    pieces: Pieces | None = None
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
    if not is_installed():
        return Redesigns(())
    numbers: list[int] = atoms.numbers.tolist()
    found: dict[str, tuple[bool, FrameworkDesign, Pieces]] = {}
    tried: set[frozenset[Edge]] = set()
    maker = _Maker(atoms, bonds)
    whole, loose = True, loose_bonds(numbers, bonds, members)
    for colours in colours_of(numbers, bonds, members):
        kinds = kinds_of(loose, colours)
        if len(set(kinds.values())) > MOST_KINDS:
            whole = False
            break
        search = Search(numbers, bonds, members, kinds, colours)
        for cut in search.ways():
            apart = frozenset(edge for edge, kind in kinds.items() if kind in cut)
            if len(tried) == MOST_TRIED:
                whole = False
                break
            if apart in tried:
                continue
            tried.add(apart)
            pieces = cut_apart(numbers, bonds, members, apart)
            design = maker.design(pieces)
            if design is not None:
                other = {one.block.block_code for one in design.blocks} != set(codes)
                found.setdefault(design.iri, (other, design, pieces))
        whole &= search.steps <= MOST_STEPS
    order = sorted(found.values(), key=lambda one: (one[0], len(one[1].name), one[1].name))
    remark = (
        ""
        if order or whole
        else ("it is too irregular to look for all blocks of the library in it")
    )
    designs = tuple(design for _, design, _ in order[:MOST_DESIGNS])
    return Redesigns(designs, order[0][2] if order else None, remark)


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

    def _code(self, piece: CrystalPiece, cuts: Sequence[Cut]) -> str:
        """Return what a piece is as a block, its ends being where it was cut."""
        place = {atom: number for number, atom in enumerate(piece.members)}
        held = [atom for cut in cuts for atom in (cut.first, cut.second) if atom in place]
        key = piece.members, tuple(sorted(held))
        if key not in self._codes:
            apart = {frozenset((cut.first, cut.second)) for cut in cuts}
            pairs = {
                (place[one], place[other])
                for one in piece.members
                for other, _ in self._bonds.around[one]
                if other in place and one < other and frozenset((one, other)) not in apart
            }
            numbers = [self._numbers[atom] for atom in piece.members]
            bonded = np.array(sorted(pairs), np.int64).reshape(-1, 2)
            self._codes[key] = block_code(numbers, bonded, [place[atom] for atom in held])
        return self._codes[key]

    def _nearest(
        self, names: Sequence[str], piece: CrystalPiece, cuts: Sequence[Cut]
    ) -> BlockGeometry:
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
        net,
        [shapes[next(iter(one))] for one in vertices],
        [shapes[next(iter(one))] if one else None for one in edges],
    )
