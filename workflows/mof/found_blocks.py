"""The building blocks of a framework that was taken apart, each told once for where it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import BlockGeometry, Placement
from ontologies.units import Floats

from .codes import block_geometry
from .pieces import Pieces, places
from .standing import Standing

SAME_SHAPE = 0.5
"""Å, by which distances between the ends of a block may differ from those of the same block."""


def blocks_of(atoms: ConceptualAtoms, pieces: Pieces, found_in: str) -> list[BlockGeometry]:
    """Return the block of each piece; where pieces have one block, the same atoms stand for all."""
    ends: dict[int, list[tuple[int, Floats]]] = defaultdict(list)
    where = {
        atom: (number, place)
        for number, piece in enumerate(pieces.pieces)
        for place, atom in enumerate(piece.members)
    }
    shapes = [places(atoms, piece) for piece in pieces.pieces]
    cell = np.array(atoms.cell)
    for cut in pieces.cuts:
        way = atoms.positions[cut.second] + np.array(cut.cell) @ cell - atoms.positions[cut.first]
        for atom, half in ((cut.first, way / 2), (cut.second, -way / 2)):
            if atom in where:
                number, place = where[atom]
                ends[number].append((place, shapes[number][place] + half))
    made: list[BlockGeometry] = []
    for number, piece in enumerate(pieces.pieces):
        centre = shapes[number].mean(axis=0)
        made.append(
            block_geometry(
                ConceptualAtoms(
                    numbers=atoms.numbers[list(piece.members)], positions=shapes[number] - centre
                ),
                np.array([point for _, point in ends[number]]).reshape(-1, 3) - centre,
                [place for place, _ in ends[number]],
                found_in,
            )
        )
    found: dict[str, list[BlockGeometry]] = defaultdict(list)
    for block in made:
        found[block.block.block_code].append(block)
    stand_for: dict[int, BlockGeometry] = {}
    for alike in found.values():
        for number, group in enumerate(by_shape(alike)):
            first = group[0]
            if number:
                first = block_geometry(
                    first.atoms,
                    first.connection_points,
                    first.connected_atoms.tolist(),
                    found_in,
                    number=number,
                )
            stand_for |= {id(block): first for block in group}
    return [stand_for[id(block)] for block in made]


def placements_of(
    blocks: Sequence[BlockGeometry], stand: Sequence[Standing]
) -> tuple[Placement, ...]:
    """Return the blocks of pieces, each told once for each kind of places on which it stands."""
    found: dict[tuple[str, str, int], list[int]] = defaultdict(list)
    for number, (block, place) in enumerate(zip(blocks, stand, strict=True)):
        kind = -1 if place.kind is None else place.kind
        found[place.on, block.block.block_code, kind].append(number)
    return tuple(
        Placement(
            block=blocks[alike[0]].block,
            placed_on=stand[alike[0]].on,
            kind_number=stand[alike[0]].kind,
            placements=len(alike),
            geometry=blocks[alike[0]],
            figure=stand[alike[0]].figure,
            figure_rmsd=stand[alike[0]].rmsd,
        )
        for _, alike in sorted(found.items(), key=lambda one: (one[0][0] == "edge", *one[0][1:]))
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
