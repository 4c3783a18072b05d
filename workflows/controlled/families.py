"""Whether a substance belongs to a family that a list describes, with the list's own limits."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from .lists import Family, lists
from .parts import Part, key, parts_of

SHORT = 3
"""Carbon atoms of methyl, ethyl and the propyls, of which none is a ring."""

ENDLESS = 1_000_000
"""Carbon atoms of what is no alkyl."""


def families_of(part: Part, *, groups: bool = True) -> Iterator[Family]:
    """Iterate over the families that a molecule or an ion belongs to.

    Args:
        part: the molecule or ion.
        groups: whether groups that only warn are looked for, too.
    """
    excepted = ""
    for family, pattern, limits, without in _patterns():
        if not groups and family.on.tier == "warning":
            continue
        if not part.mol.HasSubstructMatch(pattern):
            continue
        if without:
            excepted = excepted or key(part.unloaded)[0]
            if excepted in without:
                continue
        if not limits or any(
            all(_fits(part.mol, pattern, match, at, most) for at, most in limits.items())
            for match in part.mol.GetSubstructMatches(pattern, uniquify=False, maxMatches=200)
        ):
            yield family


@functools.cache
def _patterns() -> tuple[tuple[Family, Any, dict[int, int], frozenset[str]], ...]:
    """Return families with their pattern, limits by its atoms, and keys of those left out."""
    from rdkit import Chem

    found: list[tuple[Family, Any, dict[int, int], frozenset[str]]] = []
    for family in lists().families:
        pattern: Any = Chem.MolFromSmarts(family.smarts)
        atoms = list(pattern.GetAtoms())
        limits = {atom.GetIdx(): atom.GetAtomMapNum() for atom in atoms if atom.GetAtomMapNum()}
        without = frozenset(parts_of(one)[0].key[0] for one in family.excepted)
        found.append((family, pattern, limits, without))
    return tuple(found)


def _fits(mol: Any, pattern: Any, match: tuple[int, ...], at: int, most: int) -> bool:
    """Tell whether what stands at an atom besides is alkyl of at most so many carbon atoms.

    Args:
        mol: what is compared.
        pattern: of the family.
        match: its atoms in `mol`.
        at: which of them.
        most: carbon atoms.
    """
    atom = mol.GetAtomWithIdx(match[at])
    sizes: list[int] = []
    for neighbour in atom.GetNeighbors():
        if neighbour.GetAtomicNum() == 1:
            continue
        if neighbour.GetIdx() in match:
            if pattern.GetBondBetweenAtoms(at, match.index(neighbour.GetIdx())) is None:
                return False  # a ring that the family has not
            continue
        size = _alkyl(mol, match, match[at], neighbour.GetIdx(), ring=most > SHORT)
        sizes.append(size or ENDLESS)
    if atom.GetAtomicNum() == 6:
        if most == SHORT and atom.IsInRing():
            return False
        return 1 + sum(sizes) <= most
    if atom.GetFormalCharge() > 0 and len(sizes) > 2:
        sizes.remove(max(sizes))  # that which alkylates may be any
    return all(size <= most for size in sizes)


def _alkyl(mol: Any, match: tuple[int, ...], origin: int, first: int, *, ring: bool) -> int:
    """Return how many carbon atoms a group of nothing else has; 0 if it is no such group."""
    seen, waiting = {first}, [first]
    while waiting:
        atom = mol.GetAtomWithIdx(waiting.pop())
        if atom.GetAtomicNum() != 6 or atom.GetIsAromatic() or atom.GetFormalCharge():
            return 0
        if atom.IsInRing() and not ring:
            return 0
        for bond in atom.GetBonds():
            other = bond.GetOtherAtom(atom)
            index = other.GetIdx()
            if (index == origin and atom.GetIdx() == first) or other.GetAtomicNum() == 1:
                continue
            if index in match:
                return 0  # a ring with what the family has in common
            if bond.GetBondTypeAsDouble() != 1.0:
                return 0
            if index not in seen:
                seen.add(index)
                waiting.append(index)
    return len(seen)
