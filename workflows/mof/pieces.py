"""Which atoms of a framework are nodes and which are linkers.

A node is what hangs together of metals, of what bridges them without carbon, and of the groups that
hold them: carboxylates (phosphonates, sulfonates, …) with their carbon, and oxygen or sulfur
between two metals. What is left of the organic parts are linkers. Linkers that hold a metal by
nitrogen, or by oxygen that holds no second one, are cut at the metal. So are anions of four
fluorine atoms or more around an atom that is no metal, such as SiF6. A metal in the middle of a
linker (a porphyrin) belongs to it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats, Integers

from .alternatives import possible_bonds
from .codes import is_metal
from .nets import Edge, Net, components

Kind = Literal["node", "linker"]

HYDROGEN, CARBON, NITROGEN = 1, 6, 7

HOLDING = (8, 16, 34)
"""Oxygen and those below it, by which acids hold metals."""

ACIDS = (5, 6, 15, 16, 33, 34)
"""What is in the middle of an acid's group."""

FLUORINE, PILLAR = 9, 4
"""Fluorine atoms by which an anion such as SiF6 holds metals apart, at least."""

POCKET = 4
"""A metal with so many bonds to one linker is in the middle of it."""

Cell = tuple[int, int, int]


@dataclass(frozen=True)
class Cut:
    """A bond between two pieces.

    Attributes:
        first: an atom of one piece.
        second: an atom of the other.
        cell: in which cell the second atom is, seen from the first.
    """

    first: int
    second: int
    cell: Cell


@dataclass(frozen=True)
class CrystalPiece:
    """A node or a linker.

    Attributes:
        kind: which.
        members: its atoms.
        cells: in which cell each is, so that bonded ones are beside each other.
        dimension: in how many directions it goes on; 0 for what can be a building block.
    """

    kind: Kind
    members: tuple[int, ...]
    cells: tuple[Cell, ...]
    dimension: int


@dataclass(frozen=True)
class Bonds:
    """The bonds of a crystal.

    Attributes:
        edges: each once; metals are not bonded to metals.
        around: of each atom its neighbours, with their cells.
    """

    edges: tuple[Edge, ...]
    around: list[list[tuple[int, Cell]]]


@dataclass(frozen=True)
class Pieces:
    """What a framework consists of.

    Attributes:
        pieces: nodes and linkers.
        cuts: the bonds between them.
    """

    pieces: tuple[CrystalPiece, ...]
    cuts: tuple[Cut, ...]


def bonds_of_crystal(atoms: ConceptualAtoms) -> Bonds:
    """Return the bonds of a crystal, with cells; atoms nearer than two can be are not bonded."""
    numbers = atoms.numbers.tolist()
    edges: list[Edge] = []
    around: list[list[tuple[int, Cell]]] = [[] for _ in numbers]
    for bond in possible_bonds(atoms):
        one, other, (x, y, z) = bond.first, bond.second, bond.image
        if is_metal(numbers[one]) and is_metal(numbers[other]):
            continue
        edges.append((one, other, bond.image))
        around[one].append((other, bond.image))
        around[other].append((one, (-x, -y, -z)))
    return Bonds(tuple(edges), around)


def parts(edges: Iterable[Edge], among: Iterable[int]) -> list[tuple[Net, list[int]]]:
    """Return what hangs together among some atoms: its own graph, and its atoms."""
    members = sorted(among)
    places = {atom: place for place, atom in enumerate(members)}
    own = [(places[a], places[b], c) for a, b, c in edges if a in places and b in places]
    found = components(Net(len(members), tuple(own)))
    return [(part.net, [members[place] for place in part.members]) for part in found]


def divided(numbers: Sequence[int], bonds: Bonds, atoms: Iterable[int]) -> Pieces:
    """Return the nodes and linkers among some atoms of a crystal."""
    members = set(atoms)
    inner = _inner_metals(numbers, bonds, members)
    outer = {atom for atom in members if is_metal(numbers[atom])} - inner
    nodes = set(outer)
    for _, fragment in parts(bonds.edges, members - outer):
        kinds = [numbers[atom] for atom in fragment]
        if CARBON not in kinds:
            if kinds.count(FLUORINE) < PILLAR or len(kinds) == kinds.count(FLUORINE):
                nodes.update(fragment)
        else:
            nodes.update(_holding(numbers, bonds, set(fragment), outer))
    apart = _between_acids(numbers, bonds, nodes)
    kept = [edge for edge in bonds.edges if edge not in apart]
    sides: tuple[tuple[Kind, set[int]], ...] = (("node", nodes), ("linker", members - nodes))
    pieces = [
        _piece(kind, net.dimension, fragment, bonds, apart)
        for kind, side in sides
        for net, fragment in parts(kept, side)
    ]
    return _without_ends(pieces, bonds, apart, members)


def _inner_metals(numbers: Sequence[int], bonds: Bonds, members: set[int]) -> set[int]:
    """Return metals that have four bonds or more to one linker, in the middle of which they are."""
    metals = {atom for atom in members if is_metal(numbers[atom])}
    found: set[int] = set()
    for net, fragment in parts(bonds.edges, members - metals):
        if net.dimension or CARBON not in (numbers[atom] for atom in fragment):
            continue
        cells = dict(zip(fragment, _unwrapped(fragment, bonds, frozenset()), strict=True))
        holds: dict[tuple[int, Cell], int] = defaultdict(int)
        for atom, cell in cells.items():
            for other, step in bonds.around[atom]:
                if other in metals and numbers[atom] in (NITROGEN, *HOLDING):
                    x, y, z = (a + b for a, b in zip(cell, step, strict=True))
                    holds[other, (x, y, z)] += 1
        nitrogens = {metal for (metal, _), many in holds.items() if many >= POCKET}
        found |= {
            metal
            for metal in nitrogens
            if sum(numbers[other] == NITROGEN for other, _ in bonds.around[metal]) >= 2
        }
    return found


def _holding(
    numbers: Sequence[int], bonds: Bonds, fragment: set[int], metals: set[int]
) -> set[int]:
    """Return the atoms of an organic part that belong to nodes."""
    found: set[int] = set()
    metal_bonds = {
        atom: sum(other in metals for other, _ in bonds.around[atom]) for atom in fragment
    }
    for atom in fragment:
        near = [other for other, _ in bonds.around[atom] if other in fragment]
        if numbers[atom] in HOLDING:
            if metal_bonds[atom] >= 2:
                found.add(atom)
                found.update(other for other in near if numbers[other] == HYDROGEN)
        elif numbers[atom] in ACIDS:
            ends = [
                other
                for other in near
                if numbers[other] in HOLDING
                and all(
                    numbers[far] == HYDROGEN
                    for far, _ in bonds.around[other]
                    if far != atom and far in fragment
                )
            ]
            if len(ends) >= 2 and any(metal_bonds[end] for end in ends):
                found.update((atom, *ends))
                found.update(
                    far
                    for end in ends
                    for far, _ in bonds.around[end]
                    if far in fragment and numbers[far] == HYDROGEN
                )
    return found


def _between_acids(numbers: Sequence[int], bonds: Bonds, nodes: set[int]) -> frozenset[Edge]:
    """Return bonds within nodes that join two of them: that between the carbons of an oxalate."""
    return frozenset(
        edge
        for edge in bonds.edges
        if edge[0] in nodes
        and edge[1] in nodes
        and numbers[edge[0]] == CARBON
        and numbers[edge[1]] == CARBON
    )


def _unwrapped(members: Sequence[int], bonds: Bonds, apart: frozenset[Edge]) -> list[Cell]:
    """Return cells that put bonded atoms beside each other, those of the first atom being zero."""
    inside = set(members)
    cells: dict[int, Cell] = {members[0]: (0, 0, 0)}
    queue = deque([members[0]])
    while queue:
        one = queue.popleft()
        for other, step in bonds.around[one]:
            if other in inside and other not in cells and not _is_apart(one, other, step, apart):
                x, y, z = (a + b for a, b in zip(cells[one], step, strict=True))
                cells[other] = (x, y, z)
                queue.append(other)
    return [cells[member] for member in members]


def _is_apart(one: int, other: int, step: Cell, apart: frozenset[Edge]) -> bool:
    x, y, z = step
    return (one, other, step) in apart or (other, one, (-x, -y, -z)) in apart


def _piece(
    kind: Kind, dimension: int, members: Sequence[int], bonds: Bonds, apart: frozenset[Edge]
) -> CrystalPiece:
    cells = _unwrapped(members, bonds, apart)
    return CrystalPiece(kind, tuple(members), tuple(cells), dimension)


def _without_ends(
    pieces: list[CrystalPiece], bonds: Bonds, apart: frozenset[Edge], members: set[int]
) -> Pieces:
    """Return pieces of which each linker leads to two nodes or more.

    What hangs on one node alone (an acetate's methyl, a solvent at the metal) belongs to it.
    """
    where = {
        atom: (number, cell)
        for number, piece in enumerate(pieces)
        for atom, cell in zip(piece.members, piece.cells, strict=True)
    }
    joins: dict[int, set[tuple[int, Cell]]] = defaultdict(set)
    for one, other, step in bonds.edges:
        if one not in members or other not in members:
            continue
        (a, _), (b, _) = where[one], where[other]
        if a == b and (one, other, step) not in apart:
            continue
        ahead = between(where[one][1], step, where[other][1])
        joins[a].add((b, ahead))
        x, y, z = ahead
        joins[b].add((a, (-x, -y, -z)))
    owner = {
        number: next(iter(joins[number]))[0]
        for number, piece in enumerate(pieces)
        if piece.kind == "linker" and not piece.dimension and len(joins[number]) == 1
    }
    grown: dict[int, list[int]] = defaultdict(list)
    for number, piece in enumerate(pieces):
        grown[owner.get(number, number)] += piece.members
    final = [
        _piece(pieces[number].kind, pieces[number].dimension, sorted(atoms), bonds, apart)
        for number, atoms in sorted(grown.items())
    ]
    of = {atom: number for number, piece in enumerate(final) for atom in piece.members}
    cuts = [
        Cut(one, other, (step[0], step[1], step[2]))
        for one, other, step in bonds.edges
        if one in of and other in of and (of[one] != of[other] or (one, other, step) in apart)
    ]
    return Pieces(tuple(final), tuple(cuts))


def between(first: Cell, step: Sequence[int], second: Cell) -> Cell:
    """Return in which cell a piece is, seen from another, by a bond between their atoms."""
    x, y, z = (a + b - c for a, b, c in zip(first, step, second, strict=True))
    return x, y, z


def cut_apart(
    numbers: Sequence[int], bonds: Bonds, atoms: Iterable[int], apart: frozenset[Edge]
) -> Pieces:
    """Return the pieces among some atoms of a crystal of which these bonds are cut."""
    kept = [edge for edge in bonds.edges if edge not in apart]
    pieces = [
        _piece(
            "node" if any(is_metal(numbers[atom]) for atom in members) else "linker",
            net.dimension,
            members,
            bonds,
            apart,
        )
        for net, members in parts(kept, atoms)
    ]
    return Pieces(
        tuple(pieces),
        tuple(Cut(one, other, (step[0], step[1], step[2])) for one, other, step in sorted(apart)),
    )


def quotient(pieces: Pieces) -> Net:
    """Return the graph of nodes and linkers."""
    where = {
        atom: (number, cell)
        for number, piece in enumerate(pieces.pieces)
        for atom, cell in zip(piece.members, piece.cells, strict=True)
    }
    edges = [
        (
            where[cut.first][0],
            where[cut.second][0],
            between(where[cut.first][1], cut.cell, where[cut.second][1]),
        )
        for cut in pieces.cuts
    ]
    return Net(len(pieces.pieces), tuple(edges))


def places(atoms: ConceptualAtoms, piece: CrystalPiece) -> Floats:
    """Return the positions of the atoms of a piece in Å, bonded ones beside each other."""
    cells: Integers = np.array(piece.cells, np.int64).reshape(-1, 3)
    return atoms.positions[list(piece.members)] + cells @ np.array(atoms.cell)
