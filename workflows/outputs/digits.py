"""Whether a number stands in a text: what a parser says is compared with the digits themselves."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

NUMBER = re.compile(r"(?<![\w.])[-+]?\d*\.\d{3,}(?:[DdEe][-+]?\d+)?")

DECIMALS = 5
"""Fewest decimals of a number that is taken for an energy in Eh."""

SAME = 1e-13
"""How far a number may be off that was changed to other units and back, relative to it."""


@dataclass(frozen=True)
class Found:
    """A number of a text.

    Attributes:
        value: as it stands there with most decimals.
        decimals: how many those are.
        at: where it stands last, in characters.
    """

    value: float
    decimals: int
    at: int


class Numbers:
    """The numbers of a text that have decimals.

    Args:
        text: of a job.
    """

    def __init__(self, text: str) -> None:
        places: list[int] = []
        values: list[float] = []
        decimals: list[int] = []
        for met in NUMBER.finditer(text):
            token = met[0].replace("D", "E").replace("d", "e").replace("e", "E")
            mantissa, _, power = token.partition("E")
            shift = int(power) if len(power) < 5 and power else 0
            places.append(met.start())
            values.append(float(f"{mantissa}E{shift}"))
            decimals.append(len(mantissa.partition(".")[2]) - shift)
        self._places, self._decimals = np.array(places), np.array(decimals)
        self._values = np.array(values)
        self._order = np.argsort(self._values, kind="stable")
        self._sorted = self._values[self._order]
        self._breaks = [met.start() for met in re.finditer("\n", text)]

    def line(self, at: int) -> int:
        """Return the line of a place, from 0."""
        return bisect_right(self._breaks, at)

    def find(self, wanted: float, fewest: int = DECIMALS) -> Found | None:
        """Return a number as it stands there; None if it does not, with so many decimals.

        A parser that read it has no other digits: one that is merely near is another number.
        """
        slack = max(SAME * abs(wanted), 1e-14)
        low, high = np.searchsorted(self._sorted, [wanted - slack, wanted + slack])
        fits = [one for one in self._order[low:high].tolist() if self._decimals[one] >= fewest]
        if not fits:
            return None
        best = max(fits, key=lambda one: (self._decimals[one], one))
        value, decimals = float(self._values[best]), int(self._decimals[best])
        return Found(value, decimals, int(self._places[max(fits)]))

    def first_of(self, wanted: Iterable[float], fewest: int = DECIMALS) -> Found | None:
        """Return the first of some readings of a number that stands there."""
        return next((met for one in wanted if (met := self.find(one, fewest))), None)
