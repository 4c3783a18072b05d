"""Equations as people type them: `CH4+2O2->CO2+2H2O`, `2H2(g) + O2(g) = 2H2O(l)`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from ontologies.elements import SYMBOLS

ATOMS = r"(?:[A-Z][a-z]?\d{0,3}|\((?:[A-Z][a-z]?\d{0,3})+\)\d{0,3})"
FORMULA = rf"{ATOMS}{{1,40}}(?:\^?\d?[+-])?"
PHASE = r"\s?\((?:g|l|s|aq|gas|liquid|liq|solid)\)"
NUMBER = r"(?:\d{1,3}(?:\.\d{1,4}|/\d{1,3})?|½)"
ONE = rf"(?:{NUMBER}\s?[*·×]?\s?)?{FORMULA}(?:{PHASE})?"
ARROWS = r"(?:-+>|=+>|<=+>|<-+>|[→⟶⇒⇌⇄])"
SIDE = rf"{ONE}(?:\s?\+\s?{ONE}){{0,9}}"
EITHER = rf"{SIDE}(?:\s?{ARROWS}\s?|\s=\s){SIDE}"
"""Sides and arrow, with spaces or without; an equals sign without is a double bond."""
COMPACT = rf"(?=\S*\+){SIDE}={SIDE}"
PLAIN = re.compile(
    rf"(?<![^\s\0,;:(])(?:{EITHER}|{COMPACT.replace(chr(92) + 's?', '')})(?![^\s\0,;:.?!)])"
)
"""An equation of formulas."""
GOES_ON = (re.compile(r"(?:[+=>→⟶⇒⇌⇄]|(?<![\w.])\d{1,3})\s?$"),
           re.compile(rf"\s?(?:\+|=|{ARROWS})"))  # fmt: skip
"""What stands before, and after, what is a part of an equation with names or SMILES."""

SIDES = re.compile(rf"(?P<left>{SIDE})\s?(?:{ARROWS}|=)\s?(?P<right>{SIDE})")
FIRST = re.compile(
    rf"(?:(?P<count>{NUMBER})\s?[*·×]?\s?)?(?P<what>{FORMULA})(?:{PHASE})?"
    rf"(?:\s?\+\s?(?P<rest>{SIDE}))?"
)
GLUED = re.compile(rf"({NUMBER})(?:\s?[*·×]\s?(?=\S)|(?={FORMULA}$))")
"""A count that stands at its formula: `2H2O`, `2*H2O`."""
OF_PHASE = re.compile(rf"({FORMULA}){PHASE}$")
CONDENSED = re.compile(rf"{FORMULA}\s?\((?:l|s|aq|liquid|liq|solid)\)")
"""A species that is said not to be a gas."""


def is_formula(text: str) -> bool:
    """Tell whether all symbols in a text are those of elements."""
    return all(one in SYMBOLS for one in re.findall("[A-Z][a-z]?", text)) and not re.search(
        r"[A-Za-z]0", text
    )


def plain_equations(text: str) -> Iterator[tuple[int, int]]:
    """Iterate over where equations of formulas stand in a text, start and end."""
    for found in PLAIN.finditer(text):
        before, after = text[: found.start()], text[found.end() :]
        whole = not GOES_ON[0].search(before) and not GOES_ON[1].match(after)
        if whole and is_formula(found[0]):
            yield found.span()


def spaced(text: str) -> str:
    """Return an equation of formulas with spaces where they belong, without phases; else the text.

    `CH4+2O2=CO2+2H2O(l)` becomes `CH4 + 2 O2 -> CO2 + 2 H2O`.
    """
    found = SIDES.fullmatch(text.strip()) if PLAIN.fullmatch(text.strip()) else None
    if found is None:
        return text
    told: list[str] = []
    for side in (found["left"], found["right"]):
        parts = list[str]()
        while side:
            one = FIRST.fullmatch(side)
            assert one is not None
            parts.append(" ".join(filter(None, (one["count"], one["what"]))))
            side = one["rest"] or ""
        told.append(" + ".join(parts))
    return " -> ".join(told)


def balanced(species: Sequence[Mapping[object, int]], reactants: int) -> list[Fraction]:
    """Return the least whole counts with which an equation balances; nothing unless one way does.

    Args:
        species: how much of what is conserved (atoms by element, charge) each has.
        reactants: how many of them stand before the arrow.

    Returns:
        Counts above zero, in the order of the species.
    """
    kinds = sorted({kind for one in species for kind in one}, key=str)
    rows = [
        [
            Fraction(one.get(kind, 0) * (1 if at < reactants else -1))
            for at, one in enumerate(species)
        ]
        for kind in kinds
    ]
    pivots: list[int] = []
    for column in range(len(species)):
        at = len(pivots)
        lead = next((r for r in range(at, len(rows)) if rows[r][column]), None)
        if lead is None:
            continue
        rows[at], rows[lead] = rows[lead], rows[at]
        rows[at] = [value / rows[at][column] for value in rows[at]]
        for r in range(len(rows)):
            if r != at and rows[r][column]:
                rows[r] = [a - rows[r][column] * b for a, b in zip(rows[r], rows[at], strict=True)]
        pivots.append(column)
    free = [column for column in range(len(species)) if column not in pivots]
    if len(free) != 1:
        return []
    counts = [Fraction(1)] * len(species)
    for at, column in enumerate(pivots):
        counts[column] = -rows[at][free[0]]
    if any(one <= 0 for one in counts):
        return []
    whole = math.lcm(*(one.denominator for one in counts))
    least = math.gcd(*(int(one * whole) for one in counts))
    return [one * whole / least for one in counts]


def equation(names: Sequence[str], counts: Sequence[Fraction], reactants: int) -> str:
    """Return an equation as it is written: `2 H2 + O2 -> 2 H2O`."""
    told = [
        name if count == 1 else f"{count} {name}" for name, count in zip(names, counts, strict=True)
    ]
    return f"{' + '.join(told[:reactants])} -> {' + '.join(told[reactants:])}"
