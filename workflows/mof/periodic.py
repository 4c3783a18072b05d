"""Bonds of a crystal as a graph that repeats."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from ontologies.atoms import ConceptualAtoms

from .alternatives import possible_bonds
from .nets import Edge, Net, ordered

SAME = 1e-4
"""Å. Two lengths of one bond."""


def bond_net(atoms: ConceptualAtoms) -> Net:
    """Return atoms and bonds of a crystal, each bond with the cell into which it leads.

    Atoms that are nearer than two can be, alternatives of one, are not bonded.
    """
    from ase.neighborlist import primitive_neighbor_list

    bonds = possible_bonds(atoms)
    lengths: dict[tuple[int, int], list[float]] = {}
    for bond in bonds:
        lengths.setdefault((bond.first, bond.second), []).append(bond.length)
    longest = max((bond.length for bond in bonds), default=0.0) + SAME
    edges: set[Edge] = set()
    if bonds:
        first, second, apart, steps = primitive_neighbor_list(
            "ijdS", atoms.periodic, atoms.cell, atoms.positions, longest
        )
        rows = zip(first.tolist(), second.tolist(), apart.tolist(), steps.tolist(), strict=True)
        for one, other, length, step in rows:
            pair = min(one, other), max(one, other)
            if any(abs(length - known) < SAME for known in lengths.get(pair, ())):
                edges.add(ordered(one, other, tuple(step)))
    return Net(len(atoms.numbers), tuple(sorted(edges)))
