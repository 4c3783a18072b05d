"""What a building block is, whatever its atoms are numbered like and however it is turned."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import NONMETALS, connectivity
from ontologies.elements import hill_formula
from ontologies.mofs import BlockGeometry, BuildingBlock, MetalNode, OrganicLinker
from ontologies.units import Floats, Integers

HALF_METALS = (5, 14, 32, 33, 34, 51, 52, 84, 85)
"""Boron, silicon and what is between metals and nonmetals: a block of them alone is organic."""


def is_metal(number: int) -> bool:
    """Return whether an element is a metal."""
    return number not in NONMETALS and number not in HALF_METALS


def bonds_of(atoms: ConceptualAtoms) -> Integers:
    """Return pairs of bonded atoms; metals are not bonded to metals, however near they are."""
    numbers = atoms.numbers.tolist()
    pairs = sorted(
        {
            (bond.first, bond.second)
            for bond in connectivity(atoms).bonds
            if not (is_metal(numbers[bond.first]) and is_metal(numbers[bond.second]))
        }
    )
    return np.array(pairs, np.int64).reshape(-1, 2)


def block_code(numbers: Sequence[int], bonded: Integers, connected: Sequence[int]) -> str:
    """Return the code of a block by its elements, bonds and connections: no shape is in it.

    Each atom is told by its element, its connections and how many atoms of which kind there are at
    which distance in bonds, then by those of its neighbours, as often as there are atoms.

    Args:
        numbers: atomic numbers.
        bonded: pairs of bonded atoms.
        connected: the atom of each connection.
    """
    count = len(numbers)
    near = [list[int]() for _ in range(count)]
    pairs: list[tuple[int, int]] = [(int(one), int(other)) for one, other in bonded]
    for one, other in pairs:
        near[one].append(other)
        near[other].append(one)
    hangs = [0] * count
    for atom in connected:
        hangs[atom] += 1
    labels = [f"{number}.{hangs[atom]}" for atom, number in enumerate(numbers)]
    told = [
        _digest(f"{labels[atom]} {sorted((step, labels[at]) for at, step in _steps(near, atom))}")
        for atom in range(count)
    ]
    for _ in range(count):
        kinds = len(set(told))
        told = [
            _digest(f"{told[atom]} {sorted(told[at] for at in near[atom])}")
            for atom in range(count)
        ]
        if len(set(told)) == kinds:
            break
    formula = hill_formula(list(numbers))
    return f"{formula}-{len(connected)}-{_digest(str(sorted(told)))[:12]}"


def _steps(near: list[list[int]], start: int) -> list[tuple[int, int]]:
    """Return each atom that can be reached, and over how many bonds."""
    found, border = {start: 0}, [start]
    while border:
        border = list(
            dict.fromkeys(other for atom in border for other in near[atom] if other not in found)
        )
        far = max(found.values()) + 1
        found |= dict.fromkeys(border, far)
    return list(found.items())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def block_geometry(
    atoms: ConceptualAtoms,
    connection_points: Floats,
    connected_atoms: Sequence[int],
    found_in: str,
    *,
    number: int = 0,
) -> BlockGeometry:
    """Return a building block with its atoms.

    Args:
        atoms: the real ones, without a cell.
        connection_points: where it ends, in Å.
        connected_atoms: the atom of each of these.
        found_in: where it comes from.
        number: tells it from blocks of the same code but another shape; 0 for the first.
    """
    bonded = bonds_of(atoms)
    numbers = atoms.numbers.tolist()
    code = block_code(numbers, bonded, connected_atoms)
    kind: type[BuildingBlock] = MetalNode if any(map(is_metal, numbers)) else OrganicLinker
    block = kind(
        block_code=f"{code}-{number}" if number else code,
        formula=atoms.formula,
        connections=len(connected_atoms),
    )
    return BlockGeometry(
        block=block,
        atoms=atoms,
        connection_points=connection_points,
        connected_atoms=np.array(connected_atoms, np.int64),
        bonded=bonded,
        found_in=found_in,
    )


def described(block: BuildingBlock) -> str:
    """Return a block in a few words."""
    kind = "node" if isinstance(block, MetalNode) or block.connections > 2 else "linker"
    return f"{kind} {block.formula} with {block.connections} connections"
