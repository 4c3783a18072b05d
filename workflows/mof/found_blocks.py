"""The building blocks of a framework that was taken apart, each told once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import BlockGeometry, Placement
from ontologies.units import Floats

from .codes import block_geometry
from .pieces import Piece, Pieces, places

SAME_SHAPE = 0.5
"""Å, by which distances between the ends of a block may differ from those of the same block."""


def blocks_of(atoms: ConceptualAtoms, pieces: Pieces, found_in: str) -> tuple[Placement, ...]:
    """Return the blocks of a framework, each told once."""
    ends: dict[int, list[tuple[int, Floats]]] = defaultdict(list)
    where = {atom: (number, place) for number, piece in enumerate(pieces.pieces)
             for place, atom in enumerate(piece.members)}  # fmt: skip
    shapes = [places(atoms, piece) for piece in pieces.pieces]
    cell = np.array(atoms.cell)
    for cut in pieces.cuts:
        way = atoms.positions[cut.second] + np.array(cut.cell) @ cell - atoms.positions[cut.first]
        for atom, half in ((cut.first, way / 2), (cut.second, -way / 2)):
            number, place = where[atom]
            ends[number].append((place, shapes[number][place] + half))
    found: dict[str, list[tuple[Piece, BlockGeometry]]] = defaultdict(list)
    for number, piece in enumerate(pieces.pieces):
        block = block_geometry(
            ConceptualAtoms(
                numbers=atoms.numbers[list(piece.members)],
                positions=shapes[number] - shapes[number].mean(axis=0),
            ),
            np.array([point for _, point in ends[number]]).reshape(-1, 3)
            - shapes[number].mean(axis=0),
            [place for place, _ in ends[number]], found_in,
        )  # fmt: skip
        found[block.block.block_code].append((piece, block))
    placements: list[Placement] = []
    for _, alike in sorted(found.items()):
        for number, group in enumerate(by_shape([block for _, block in alike])):
            first = group[0]
            if number:
                first = block_geometry(
                    first.atoms, first.connection_points, first.connected_atoms.tolist(),
                    found_in, number=number,
                )  # fmt: skip
            on_edge = alike[0][0].kind == "linker" and first.block.connections == 2
            placements.append(
                Placement(
                    block=first.block, placed_on="edge" if on_edge else "vertex", kind_number=0,
                    placements=len(group), geometry=first,
                )
            )  # fmt: skip
    return tuple(
        sorted(placements, key=lambda one: (one.placed_on == "edge", one.block.block_code))
    )


def by_shape(blocks: Sequence[BlockGeometry]) -> list[list[BlockGeometry]]:
    """Return blocks in groups of one shape, that with the most distant ends first."""
    groups: list[tuple[Floats, list[BlockGeometry]]] = []
    for block in blocks:
        points = block.connection_points
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)
        lengths = np.sort(apart[np.triu_indices(len(points), 1)])
        for known, group in groups:
            if np.abs(known - lengths).max(initial=0.0) < SAME_SHAPE:
                group.append(block)
                break
        else:
            groups.append((lengths, [block]))
    groups.sort(key=lambda one: -float(one[0].sum()))
    return [group for _, group in groups]
