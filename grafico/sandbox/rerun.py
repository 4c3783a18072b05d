"""A snippet's answers again, with the same numbers or with others.

What a number that a snippet has printed rests on cannot be seen from its code: constants hide in
texts, in names of files, in the time. But it can be tried. The snippet is run again with the
answers that it was given: a number that comes out the same when every number that was read is
another one was not computed from what was read, and one that comes out differently when nothing
was changed hangs on chance or on the time.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from triplestore.errors import GraficoError

from .inside.frames import pack
from .values import Cited, Kept, LimitError, SnippetAccess, SourcedAnswer, asked, cite, keep

Shift: TypeAlias = Literal["same", "up", "down", "thousandth", "millionth", "billionth"]
"""How numbers differ from those that were read: not at all; by 20 to 60 % of each, where whole ones
become the next; by as much less, where whole ones stay; by smaller and smaller shares, which tell
a formula from a condition that looks for the true numbers."""

SIZES: Mapping[Shift, float] = {
    "up": 0.4,
    "down": 0.4,
    "thousandth": 1e-3,
    "millionth": 1e-6,
    "billionth": 1e-9,
}
"""By which share they differ, on average."""

SEEDS, MOST_APART = 64, 40
"""Seeds that are tried, and numbers that are looked at, until all change by unlike shares."""

_SIGNS = {"down": -1.0}
_ODD = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64)


@dataclass(frozen=True)
class Again:
    """What came of a snippet that was run again.

    Attributes:
        shift: with which numbers.
        ok: whether it ran to its end.
        stdout: what it printed.
        value: its last expression as text.
        kept: numbers that it wanted kept, in order.
    """

    shift: Shift
    ok: bool
    stdout: str
    value: str
    kept: tuple[Kept, ...]


@dataclass(frozen=True)
class Answers:
    """Gives a snippet the answers that it was given before; asks no store.

    Args:
        given: by request.
        shift: how the numbers in them that are sources are changed.
        seed: equal numbers become equal ones; others become others for another seed.
    """

    given: Mapping[str, SourcedAnswer]
    shift: Shift
    seed: int

    def answer(self, request: Mapping[str, Any], reading: SnippetAccess) -> bytes:
        """Return the frame of an answer; what goes wrong is an answer too."""
        reading.requests += 1
        try:
            if reading.requests > reading.limits.requests:
                raise LimitError(f"a snippet may ask {reading.limits.requests} times")
            match request:
                case {"op": "keep", "name": str(name), "value": float(value), "unit": str(unit)}:
                    keep(Kept(name.strip(), value, unit.strip(), ()), reading)
                    return pack({})
                case {
                    "op": "cite",
                    "value": float(value),
                    "unit": str(unit),
                    "reference": str(said),
                }:
                    cite(Cited(value, unit.strip(), " ".join(said.split())), reading)
                    return pack({})
                case _:
                    pass
        except GraficoError as error:
            return pack({"error": "", "message": str(error)})
        one = self.given.get(asked(request))
        if one is None:
            return pack({"error": "", "message": "this was not asked for before"})
        return pack(*self.shifted(one))

    def shifted(self, one: SourcedAnswer) -> tuple[dict[str, Any], bytes]:
        """Return an answer with other numbers."""
        head, body = one.head, one.body
        if self.shift == "same" or not one.sources:
            return head, body
        if "dtype" in head:
            array = np.frombuffer(body, head["dtype"])
            return head, self.numbers(array).astype(head["dtype"]).tobytes()
        if "rows" in head:
            rows = [
                [self.number(x) if (i, j) in one.sources else x for j, x in enumerate(row)]
                for i, row in enumerate(head["rows"])
            ]
            return {**head, "rows": rows}, body
        fields = {
            name: self._tagged(tagged) if name in one.sources or tagged[0] == "time" else tagged
            for name, tagged in head["fields"].items()
        }
        return {**head, "fields": fields}, body

    def _tagged(self, tagged: Any) -> Any:
        tag, item = tagged
        if tag == "items":
            return tag, [self._tagged(one) for one in cast("list[Any]", item)]
        if tag == "time":
            moment = datetime.fromisoformat(item)
            second = float(moment.timestamp() % 86_400) + 1.0
            apart = self.number(second) - second
            return tag, (moment + timedelta(seconds=apart)).isoformat()
        return (tag, self.number(item)) if tag == "plain" else tagged

    def number(self, value: Any) -> Any:
        """Return another number in the place of one; anything else as it is."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        if isinstance(value, int):
            return value + 1 if self.shift == "up" else value
        return float(self.numbers(np.array([value]))[0])

    def numbers(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return other numbers in the place of those of an array: equal ones for equal ones."""
        if array.dtype.kind in "iu":
            return array + 1 if self.shift == "up" else array
        if array.dtype.kind != "f":
            return array
        by = _SIGNS.get(self.shift, 1.0) * SIZES[self.shift] * _shares(array, self.seed)
        return array * (1.0 + by)


def seed_for(given: Iterable[SourcedAnswer]) -> int:
    """Return a seed that nobody can know, by which the numbers given change by unlike shares.

    Two that changed by nearly the same share would leave their quotient where it was, as if it had
    not been computed from them.
    """
    few = np.array(list(dict.fromkeys(islice(_plain_numbers(given), MOST_APART))))
    seeds = [secrets.randbits(63) for _ in range(SEEDS)]
    if few.size < 2:
        return seeds[0]
    return max(seeds, key=lambda seed: float(np.diff(np.sort(_shares(few, seed))).min()))


def _plain_numbers(given: Iterable[SourcedAnswer]) -> Iterator[float]:
    """Yield the sizes of numbers that are sources; not those of arrays, which are many."""
    for one in given:
        rows = enumerate(one.head.get("rows", ()))
        cells = [x for i, row in rows for j, x in enumerate(row) if (i, j) in one.sources]
        fields: Mapping[str, Any] = one.head.get("fields", {})
        tagged = [x for name, (tag, x) in fields.items() if name in one.sources and tag == "plain"]
        yield from (abs(x) for x in (*cells, *tagged) if isinstance(x, float))


def _shares(array: np.ndarray[Any, Any], seed: int) -> np.ndarray[Any, Any]:
    """Return 0.5 to 1.5 for each number: the same for the same size, by chance for others."""
    bits = np.abs(array).astype(np.float64).view(np.uint64) ^ np.uint64(seed)
    with np.errstate(over="ignore"):
        for odd, by in zip(_ODD, (30, 27, 31), strict=True):
            bits = (bits ^ (bits >> np.uint64(by))) * odd
    return 0.5 + (bits >> np.uint64(11)).astype(np.float64) / 2.0**53
