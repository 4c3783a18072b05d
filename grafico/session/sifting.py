"""What is kept of what was found: the newest of a molecule and level, by their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from ogm import Unit
from ontologies.derived import DerivedQuantity
from ontologies.units import symbol
from triplestore.errors import InputError
from workflows.engine.request.with_units import in_unit

from .search import Hit

MOST = 10_000
"""Results that are looked at, where not just the newest are wanted."""

RELAXED = "relaxed"
"""What is known of a geometry that is preferred."""

BOUND = re.compile(r"\s*([<>]=?|[≥≤])\s*(.+)")
"""A bound as people write it: `>2`, `< 1.5 D`."""


@dataclass(frozen=True)
class Sifting:
    """What is kept of results, and in which order.

    Attributes:
        above: values above it alone, as a number in the unit that is shown, or with its own unit.
        below: likewise.
        sort: by value, the smallest first; else the newest first.
        largest: by value, the largest first.
        every: also older and intermediate values of the same molecule at the same level.
    """

    above: str | float | None = None
    below: str | float | None = None
    sort: bool = False
    largest: bool = False
    every: bool = True

    @property
    def needed(self) -> int:
        """How many results must be looked at, beside those that are shown."""
        return 0 if self.every and not self.by_value else MOST

    @property
    def by_value(self) -> bool:
        """Whether the values are compared."""
        return self.sort or self.largest or self.above is not None or self.below is not None

    def of(self, hits: Iterable[Hit]) -> list[Hit]:
        """Return what is kept of results, which come newest first.

        Raises:
            InputError: a bound is no number, or in another unit; the values are none.
        """
        kept = [*hits] if self.every else newest(hits)
        if self.by_value:
            for one in kept:
                _ordered(one)
        if self.above is not None:
            kept = [one for one in kept if one.value > _bound(self.above, one)]
        if self.below is not None:
            kept = [one for one in kept if one.value < _bound(self.below, one)]
        if self.sort or self.largest:
            kept.sort(key=lambda one: one.value, reverse=self.largest)
        return kept


def newest(hits: Iterable[Hit]) -> list[Hit]:
    """Return of each molecule at each level the newest; what is of neither stands for itself.

    The newest of a geometry that is relaxed at that level comes before newer ones of others.
    """
    kept: dict[object, Hit] = {}
    for one in hits:
        alone = one.kind == DerivedQuantity.__name__ or not (one.formula and one.level)
        which = one.result if alone else (one.formula, one.smiles or one.atoms, one.level, one.unit)
        if which not in kept or (one.standing == RELAXED != kept[which].standing):
            kept[which] = one
    return [*kept.values()]


def unit_symbol(hit: Hit) -> str:
    """Return what people write for its unit; what code has derived says it as code wrote it."""
    return hit.unit if hit.kind == DerivedQuantity.__name__ else symbol(Unit(hit.unit))


def bounds(texts: Sequence[str]) -> dict[str, str]:
    """Return what bounds as people write them mean, such as `>2`; none where one is no bound."""
    found: dict[str, str] = {}
    for text in texts:
        match = BOUND.fullmatch(text)
        if match is None:
            return {}
        found["above" if match[1][0] in ">≥" else "below"] = match[2]
    return found


def _ordered(hit: Hit) -> None:
    if isinstance(hit.value, int | float) and not isinstance(hit.value, bool):
        return
    raise InputError(
        f"values of {hit.formula or hit.result} were to be compared",
        "they are no single numbers, but vectors, arrays or words",
        "name a quantity that is one number, such as dipole_moment",
    )


def _bound(said: str | float, hit: Hit) -> float:
    unit = unit_symbol(hit)
    if isinstance(said, str):
        value = in_unit(said, unit) if unit else None
        try:
            return float(said) if value is None else value
        except ValueError as error:
            raise InputError(
                f"a value of {said[:80]!r} was to be compared with",
                "that is no number",
                f"give a number in {unit}" if unit else "give a number",
            ) from error
    return cast("float", said)
