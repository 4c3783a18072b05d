"""Coordinates named by elements: the dihedral H-O-O-H, or the only bond that turns."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import connectivity
from ontologies.elements import SYMBOLS
from triplestore.errors import InputError
from workflows.geometry.constraint_text import ATOMS
from workflows.geometry.constraints import UNITS, impossible, measured

NAMED = re.compile(r"(distance|angle|dihedral)((?:[\s-]+[A-Z][a-z]?)*)")

DOUBLE = 1.40
"""Å. Carbon atoms that are nearer are held by more than a single bond."""


FLAT = 0.3
"""Å³. The volume that three bonds span at most where they are in a plane."""


def with_kind(text: str) -> str:
    """Return atoms with the kind of coordinate that so many have; anything else as it is.

    Two have a distance, three an angle and four a dihedral angle: `H-O-O-H`, `3-1-2-4`.
    """
    parts = re.split(r"[\s,-]+", text.strip())
    kinds = [kind for kind, count in ATOMS.items() if count == len(parts)]
    atoms = all(part.isdecimal() or part in SYMBOLS[1:] for part in parts)
    alike = len({part.isdecimal() for part in parts}) == 1
    return " ".join([*kinds, *parts]) if kinds and atoms and alike else text


def read_named(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the kind of a coordinate and the elements of its atoms; None where it has numbers.

    A dihedral angle may name two elements, those of the bond that turns, or none: the only one.
    """
    found = NAMED.fullmatch(text.strip())
    if found is None:
        return None
    kind, elements = found[1], tuple(re.findall("[A-Z][a-z]?", found[2]))
    fits = len(elements) == ATOMS[kind] or (kind == "dihedral" and len(elements) in (0, 2))
    return (kind, elements) if fits and {*elements} <= {*SYMBOLS[1:]} else None


def numbered(text: str, atoms: ConceptualAtoms) -> str:
    """Return a coordinate that is named by elements with the numbers of its atoms.

    Raises:
        InputError: there is none, or there are several that are not alike.
    """
    kind, elements = read_named(text) or ("", ())
    symbols, bonded = _graph(atoms)
    ranks = _ranks(symbols, bonded)
    turns = kind == "dihedral" and len(elements) < 4
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for path in _paths(bonded, ATOMS[kind]):
        said = tuple(symbols[n] for n in (path[1:3] if turns else path))
        if said == elements or (turns and not elements and _may_turn(atoms, bonded, path)):
            alike = tuple(ranks[n] for n in (path[1:3] if kind == "dihedral" else path))
            key = min(alike, alike[::-1])
            found[key] = min(found.get(key, path), path, key=lambda one: _light(one, symbols))
    if turns:  # a methyl group turns, too, but is not what is meant beside another bond
        found = {k: p for k, p in found.items() if _light(p, symbols)[0] == 0} or found
    asked = f"the {text} of {atoms.formula} was asked for"
    each = [" ".join([kind, *(str(n + 1) for n in path)]) for path in found.values()]
    if not each:
        raise InputError(
            asked, "it has none", f"number the atoms: {kind} 1 2 3 4"[: -8 + 2 * ATOMS[kind]]
        )
    if each[1:]:
        some = ", ".join(each[:6])
        raise InputError(asked, f"it has several that are not alike: {some}", "choose one of them")
    return each[0]


MOST_OFFERED = 6
"""Coordinates of a kind that are offered."""


def offer(atoms: ConceptualAtoms) -> str:
    """Return in words what can be driven in a structure: the bonds that turn, else what it has.

    Of coordinates that are alike one is named; atoms are counted from 1.
    """
    symbols, bonded = _graph(atoms)
    ranks = _ranks(symbols, bonded)
    for kind in ("dihedral", "angle", "distance"):
        found: dict[tuple[int, ...], tuple[int, ...]] = {}
        for path in _paths(bonded, ATOMS[kind]):
            if kind == "dihedral" and not _may_turn(atoms, bonded, path):
                continue
            if impossible(kind, measured(atoms.positions, path)):  # it lies on a line
                continue
            alike = tuple(ranks[n] for n in (path[1:3] if kind == "dihedral" else path))
            key = min(alike, alike[::-1])
            found[key] = min(found.get(key, path), path, key=lambda one: _light(one, symbols))
        if found:
            least = sorted(found.values(), key=lambda one: _light(one, symbols))[:MOST_OFFERED]
            return ", ".join(_offered(kind, path, atoms, symbols) for path in least)
    return ""


def _offered(kind: str, path: tuple[int, ...], atoms: ConceptualAtoms, symbols: list[str]) -> str:
    at = "–".join(f"{symbols[n]}{n + 1}" for n in path)
    value = f"{measured(atoms.positions, path):.4g}{UNITS[kind]}"
    return f"`{kind}` {' '.join(str(n + 1) for n in path)} ({at}, now {value})"


def turn(atoms: ConceptualAtoms, members: tuple[int, ...]) -> tuple[float, str]:
    """Return after how many degrees the curve of a dihedral angle comes again, and why.

    Three like groups at an end of the bond, as of a methyl group, make it a third of a turn, two in
    a plane, as of a phenyl or a nitro group, half of one. Groups that can themselves be turned
    do not count.

    Returns:
        360 and no reason where no symmetry is seen.
    """
    symbols, bonded = _graph(atoms)
    ranks, folds = _ranks(symbols, bonded), list[int]()
    reasons: list[str] = []
    for end, other in (members[1:3], members[2:0:-1]):
        groups = sorted(bonded[end] - {other})
        rigid = all(
            len({ranks[n] for n in bonded[one] - {end}}) <= 1
            and all(len(bonded[n]) == 1 for n in bonded[one] - {end})
            for one in groups
        )
        around = atoms.positions[groups] - atoms.positions[end]
        flat = (
            abs(np.linalg.det([*around, atoms.positions[other] - atoms.positions[end]])) < FLAT
            if len(groups) == 2
            else False
        )
        ring = len(groups) == 2 and _joined(bonded, groups[0], groups[1], end)
        if len({ranks[n] for n in groups}) == 1 and (
            (len(groups) == 3 and rigid) or (flat and (rigid or ring))
        ):
            folds.append(len(groups))
            reasons.append(f"the {symbols[groups[0]]} at {symbols[end]}{end + 1}")
    what = " and ".join(reasons)
    return 360.0 / math.lcm(*folds), f"{what} are alike" if what else ""


def _joined(bonded: list[set[int]], first: int, second: int, without: int) -> bool:
    """Return whether two atoms hang together without a third."""
    reached, edge = {without}, {first}
    while edge:
        reached |= edge
        edge = {n for one in edge for n in bonded[one]} - reached
    return second in reached


def _graph(atoms: ConceptualAtoms) -> tuple[list[str], list[set[int]]]:
    """Return the symbols of atoms, and to which each is bonded."""
    bonded: list[set[int]] = [set() for _ in atoms.numbers]
    for bond in connectivity(atoms).bonds:
        bonded[bond.first].add(bond.second)
        bonded[bond.second].add(bond.first)
    return [str(SYMBOLS[int(number)]) for number in atoms.numbers], bonded


def _ranks(symbols: list[str], bonded: list[set[int]]) -> list[int]:
    """Return numbers that atoms share which no walk along bonds tells apart (Morgan, 1965)."""
    known: list[object] = [*symbols]
    for _ in symbols:
        known = [
            (known[n], *sorted(map(repr, (known[m] for m in some))))
            for n, some in enumerate(bonded)
        ]
        order = {one: n for n, one in enumerate(sorted({*map(repr, known)}))}
        known = [order[repr(one)] for one in known]
    return [int(str(one)) for one in known]


def _paths(bonded: list[set[int]], length: int) -> Iterator[tuple[int, ...]]:
    grown: list[tuple[int, ...]] = [(n,) for n in range(len(bonded))]
    for _ in range(length - 1):
        grown = [(*path, n) for path in grown for n in sorted(bonded[path[-1]] - {*path})]
    yield from grown


def _may_turn(atoms: ConceptualAtoms, bonded: list[set[int]], path: tuple[int, ...]) -> bool:
    """Return whether the middle bond is in no ring and no double bond of carbon."""
    first, second = path[1:3]
    if all(int(atoms.numbers[n]) == 6 for n in (first, second)):
        apart = float(((atoms.positions[first] - atoms.positions[second]) ** 2).sum()) ** 0.5
        if apart < DOUBLE:
            return False
    return not any(_joined(bonded, one, second, first) for one in bonded[first] - {second})


def _light(path: tuple[int, ...], symbols: list[str]) -> tuple[int, tuple[int, ...]]:
    """Return how many atoms of a path are hydrogen, then their numbers: the least is usual."""
    return sum(symbols[n] == "H" for n in path), path
