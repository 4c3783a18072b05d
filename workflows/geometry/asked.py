"""Lengths, angles and charges of the atoms that a person names, as numbers of any table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations, pairwise, product
from statistics import fmean
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import connectivity
from ontologies.elements import SYMBOLS
from triplestore.errors import GraficoError
from workflows.show.asked_facts import reads_words
from workflows.show.blocks import Fact
from workflows.show.object_blocks import Around

from .constraints import measured

KINDS = {2: "distance", 3: "angle", 4: "dihedral angle"}
"""What so many atoms span."""

UNITS = {2: ("Å", ".4f", 0.001), 3: ("°", ".2f", 0.1), 4: ("°", ".2f", 0.1)}
"""How it is written, and by how much several may differ to be one number."""

_KIND = {
    2: r"(?:bond )?(?:distances?|lengths?)|bonds?|r(?=\W)|R(?=\W)|d\((?=\w+\W\w+\))",
    3: r"(?:bond )?angles?|∠|[aA](?=\()",
    4: r"(?:dihedral|torsion)(?:al)?(?: angles?)?s?|[dD](?=\()",
}
_ATOM = r"(?:[A-Z][a-z]?\d*|\d+)"
_ATOMS = re.compile(rf"{_ATOM}(?:[\s,\-–—=#≡:.]*{_ATOM}){{1,3}}")
_BETWEEN = re.compile(rf"{_ATOM}(?:[-–—=#≡]{_ATOM}){{1,3}}")
_ASIDE = re.compile(r"\bbonds?\b|\bof\b|\bthe\b|\bin\b|\(?Å\)?|\(?°\)?|\(deg(?:rees)?\)|[()]")

MOST = 40
"""Kinds of bonds or angles that are told, where nobody says which."""


@reads_words("distance C-F", "angle H-O-H", "dihedral 1-2-3-4", "bond lengths")
def _(words: str, around: Around) -> Iterator[Fact]:
    atoms = next((one for one in around.about if isinstance(one, ConceptualAtoms)), None)
    meant = _meant(words)
    if atoms is None or meant is None:
        return
    number, names = meant
    if names:
        yield from _facts(words, atoms, number, names, _orders(words, names))
        return
    kinds = dict.fromkeys(
        min(kind, kind[::-1], key=_hydrogen_last)
        for path in _bonded_paths(atoms, number)
        if len(kind := tuple(atoms.symbols[n] for n in path)) == number
    )
    for kind in [*kinds][:MOST]:
        yield from _facts(f"{KINDS[number]} {'-'.join(kind)}", atoms, number, kind)


def _hydrogen_last(kind: Sequence[str]) -> list[tuple[bool, str]]:
    return [(one == "H", one) for one in kind]


def _meant(words: str) -> tuple[int, tuple[str, ...]] | None:
    """Return how many atoms span what is meant, and which; no atoms for all; None for nothing."""
    for number, kind in reversed(_KIND.items()):
        if (said := re.search(rf"(?<!\w)(?:{kind})", words)) is None:
            continue
        rest = _ASIDE.sub(" ", words[: said.start()] + " " + words[said.end() :]).strip()
        if not rest:
            return None if len(said[0]) < 4 else (number, ())
        names = _named(rest) if _ATOMS.fullmatch(rest) else ()
        if len(names) == number:
            return number, names
    names = _named(words) if _BETWEEN.fullmatch(words.strip()) else ()
    return (len(names), names) if names else None


def _named(text: str) -> tuple[str, ...]:
    """Return the atoms of a text: elements, numbers from 1, or both; none if one is no element."""
    names = tuple(re.findall(_ATOM, text))
    elements = (re.sub(r"\d", "", one) for one in names)
    return names if all(not one or one in SYMBOLS for one in elements) else ()


ORDERS = {"=": 2.0, "#": 3.0, "≡": 3.0}
"""Of bonds, as SMILES write them."""


def _orders(words: str, names: Sequence[str]) -> tuple[float, ...]:
    """Return which orders bonds between the atoms of a text are to have; 0 for any."""
    between = r"[\s,\-–—=#≡:.]*".join(f"{re.escape(one)}" for one in names)
    found = re.search(between, words)
    marks = re.split(_ATOM, found[0])[1:-1] if found else []
    return tuple(next((ORDERS[c] for c in one if c in ORDERS), 0.0) for one in marks)


def _facts(
    words: str,
    atoms: ConceptualAtoms,
    number: int,
    names: Sequence[str],
    orders: Sequence[float] = (),
) -> Iterator[Fact]:
    """Return what the atoms of such names come to: one number, or mean, smallest and largest."""
    values, bonded = _values(atoms, number, names, orders)
    if not values:
        return
    signs = [next((c for c, n in ORDERS.items() if n == one), "–") for one in orders]
    signs = signs or ["–"] * (number - 1)
    label = f"{names[0]}{''.join(map(''.join, zip(signs, names[1:], strict=True)))} {KINDS[number]}"
    unit, digits, same = UNITS[number]
    lowest, highest = min(values), max(values)
    if not bonded:  # the nearest of those that no bond holds
        away = "" if len(values) == 1 else ", nearest"
        yield Fact(label + away, lowest, unit, words, digits=digits)
    elif highest - lowest <= same:
        yield Fact(label, fmean(values), unit, words, digits=digits)
    else:
        if number < 4:  # a mean of dihedral angles says nothing
            mean = f"{label}, mean of {len(values)}"
            yield Fact(mean, fmean(values), unit, words, digits=digits)
        yield Fact(f"{label}, smallest", lowest, unit, f"{words} smallest", digits=digits)
        yield Fact(f"{label}, largest", highest, unit, f"{words} largest", digits=digits)


def _values(
    atoms: ConceptualAtoms, number: int, names: Sequence[str], orders: Sequence[float] = ()
) -> tuple[list[float], bool]:
    """Return the values of all atoms of such names, and whether bonds hold these together.

    Of dihedral angles with several values the sign is left out: mirror images have both.
    """
    if all(name.strip("0123456789") == "" or name[-1].isdigit() for name in names):
        chosen = [_numbers(atoms, name) for name in names]
        if not all(chosen) or len({n for [n] in chosen}) < number or atoms.cell is not None:
            return [], False
        return [measured(atoms.positions, [n for [n] in chosen])], True
    each = [{*_numbers(atoms, name)} for name in names]

    def fits(path: Sequence[int]) -> bool:
        return all(n in some for n, some in zip(path, each, strict=True))

    if atoms.cell is not None:
        if number > 2:  # a bond to the next cell has no place among the atoms
            return [], False
        bonds = connectivity(atoms).bonds
        ends = ((one, (one.first, one.second)) for one in bonds)
        return [one.length for one, path in ends if fits(path) or fits(path[::-1])], True
    both = ((one, one[::-1]) for one in _bonded_paths(atoms, number))
    ways = ([p for p in two if fits(p) and _ordered(atoms, p, orders)] for two in both)
    paths = [found[0] for found in ways if found]
    values = [measured(atoms.positions, path) for path in paths]
    if number == 4 and len(values) > 1:
        values = [abs(value) for value in values]
    if not values and number == 2 and not any(orders):
        pairs = ((i, j) for i, j in product(*each) if i != j)
        return [measured(atoms.positions, pair) for pair in pairs], False
    return values, True


def _ordered(atoms: ConceptualAtoms, path: Sequence[int], orders: Sequence[float]) -> bool:
    """Tell whether the bonds of a path have the orders that are asked for."""
    if not any(orders):
        return True
    from workflows.molecule.bonds import perceive  # RDKit, where a mark asks for it

    with suppress(GraficoError):
        mol: Any = perceive(atoms)[0]
        bonds = [mol.GetBondBetweenAtoms(i, j) for i, j in pairwise(path)]
        each = zip(bonds, orders, strict=True)
        return all(bond and order in (0.0, bond.GetBondTypeAsDouble()) for bond, order in each)
    return False


def _numbers(atoms: ConceptualAtoms, name: str) -> list[int]:
    """Return the atoms that an element, a number from 1, or both stand for, counted from 0."""
    element, number = name.rstrip("0123456789"), re.sub(r"\D", "", name)
    return [
        at
        for at, symbol in enumerate(atoms.symbols)
        if element in ("", symbol) and number in ("", str(at + 1))
    ]


def _bonded_paths(atoms: ConceptualAtoms, number: int) -> Iterator[tuple[int, ...]]:
    """Iterate over so many atoms in a row, each bonded to the next, in one of both directions."""
    beside: dict[int, list[int]] = {}
    pairs = sorted({(one.first, one.second) for one in connectivity(atoms).bonds})
    for i, j in pairs:
        beside.setdefault(i, []).append(j)
        beside.setdefault(j, []).append(i)
    if number == 2:
        yield from pairs
    elif number == 3:
        for middle, others in sorted(beside.items()):
            yield from ((i, middle, j) for i, j in combinations(sorted(others), 2))
    else:
        for i, j in pairs:
            ends = product(beside[i], beside[j])
            yield from ((a, i, j, b) for a, b in ends if len({a, i, j, b}) == 4)


_CHARGE = re.compile(
    r"(?i:(?:(?P<scheme>mulliken|l[oö]wdin|iao|hirshfeld|esp|resp)[ _-])?(?:(?:partial|atomic) )?"
    rf"charges?)(?: (?:of |on )?(?P<atom>{_ATOM}))?"
)


SCHEMES = {
    "mulliken": "Mulliken",
    "lowdin": "Löwdin",
    "iao": "IAO",
    "hirshfeld": "Hirshfeld",
    "esp": "ESP",
    "resp": "RESP",
}


@reads_words("charge O", "Mulliken charges")
def _(words: str, around: Around) -> Iterator[Fact]:
    said = _CHARGE.fullmatch(re.sub(r"[_()]", " ", words).strip())
    atoms = next((one for one in around.about if isinstance(one, ConceptualAtoms)), None)
    if said is None or atoms is None:
        return
    scheme = (said["scheme"] or "").lower().replace("ö", "o")
    found: dict[str, Any] = {}
    for result in around.results:
        for plan in type(result).fields():
            kind = plan.name.removesuffix("_charges")
            values = getattr(result, plan.name) if kind != plan.name else None
            if values is not None and np.shape(values) == (len(atoms.symbols),):
                found[kind] = values
    if not found or (scheme and scheme not in found):
        return
    kind = scheme or next(iter(found))
    chosen = _numbers(atoms, said["atom"] or "")
    for at in chosen[:MOST]:
        atom = f"{atoms.symbols[at]}{at + 1}"
        name = words if len(chosen) == 1 else f"charge {atom}"
        yield Fact(
            f"{SCHEMES.get(kind, kind)} charge of {atom}",
            float(found[kind][at]),
            "e",
            name,
            digits="+.4f",
        )


_BOND_ORDER = re.compile(
    rf"(?i:(?:(?P<scheme>mayer|wiberg)'?s? )?bond orders?) (?:of )?(?P<atoms>{_BETWEEN.pattern})"
)


@reads_words("bond order C-O")
def _(words: str, around: Around) -> Iterator[Fact]:
    said = _BOND_ORDER.fullmatch(words.strip().replace("_", " "))
    atoms = next((one for one in around.about if isinstance(one, ConceptualAtoms)), None)
    names = _named(said["atoms"]) if said else ()
    if said is None or atoms is None or len(names) != 2:
        return
    field = "wiberg_bond_orders" if (said["scheme"] or "").lower() == "wiberg" else "bond_orders"
    matrix = next(
        (m for one in around.results if (m := getattr(one, field, None)) is not None), None
    )
    first, second = ({*_numbers(atoms, name)} for name in names)
    pairs = [
        pair
        for pair in _bonded_paths(atoms, 2)
        if (pair[0] in first and pair[1] in second) or (pair[1] in first and pair[0] in second)
    ]
    if matrix is None or not pairs or np.shape(matrix) != (len(atoms.symbols),) * 2:
        return
    values = [float(matrix[pair]) for pair in pairs]
    label = f"{'–'.join(names)} bond order"
    if max(values) - min(values) < 0.005:
        yield Fact(label, fmean(values), "", words, digits=".3f")
        return
    yield Fact(f"{label}, mean of {len(values)}", fmean(values), "", words, digits=".3f")
    yield Fact(f"{label}, smallest", min(values), "", f"{words} smallest", digits=".3f")
    yield Fact(f"{label}, largest", max(values), "", f"{words} largest", digits=".3f")
