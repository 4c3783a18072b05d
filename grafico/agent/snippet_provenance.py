"""Which numbers of a snippet were computed from what it has read, and which constants they rest on.

Seen is what came of it when it was run again (see `grafico.sandbox.rerun`): a number that was
computed from others changes with them, and changes little where they change little. What code
cannot be caught at is a function made up around the numbers that it reads; then its constants
stand in the code, which is kept, and are named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from grafico.sandbox.rerun import SIZES, Shift

from .arithmetic import is_free
from .quantities import numbers

if TYPE_CHECKING:
    from grafico.sandbox import Ran
    from grafico.sandbox.rerun import Again
    from grafico.sandbox.values import Cited

UNMOVED = 5e-3
"""Share of a number below which it has stayed what it was, where those read changed by `FULL`."""

FULL = SIZES["up"]

ROOM = 10.0
"""How much less than in proportion a number may change where those read change less."""

JUMP = 0.01
"""Share of a number, and of its largest change, by which it may change where those read are all but
the same."""

MOST = 40
"""Constants that are named."""


def unread(ran: Ran) -> str:
    """Return why no number of a snippet was computed from what it has read; empty if some may be.

    Where it can be tried, single numbers are judged by `is_derived`.
    """
    if not ran.ok:
        return "it did not run to its end"
    if not ran.again:
        return "the code has read no number that was computed"
    went = {one.shift for one in _went(ran.again)}
    if "same" not in went or "billionth" not in went or len(went) < 3:
        return "it cannot be run again with other numbers in the place of those that it has read"
    return ""


def unfounded(ran: Ran, text: str, name: str) -> list[str]:
    """Return the numbers in a text of a snippet that were not computed from what it has read.

    Args:
        ran: the snippet.
        text: its `stdout` or `value`, which may be cut.
        name: which of them.
    """
    whole: str = getattr(ran, name)
    found, count = [*numbers(text, counts=True)], len([*numbers(whole, counts=True)])
    if unread(ran):
        return list(dict.fromkeys(one.text for one in found))
    again: dict[Shift, list[float]] = {
        one.shift: [other.value for other in numbers(getattr(one, name), counts=True)]
        for one in _went(ran.again)
    }
    bad: dict[str, None] = {}
    for at, one in enumerate(found):
        trials: dict[Shift, float] = {
            shift: _there(one.value, at, those, count) for shift, those in again.items()
        }
        cut = len(text) < len(whole) and one.end >= len(text)
        if cut or not is_derived(one.value, trials, one.within):
            bad[one.text] = None
    return list(bad)


def is_kept(ran: Ran, at: int) -> bool:
    """Tell whether a number that a snippet wants kept was computed from what it has read."""
    if unread(ran):
        return False
    own, again = ran.kept[at], dict[Shift, float]()
    for one in _went(ran.again):
        if len(one.kept) == len(ran.kept) and one.kept[at].name == own.name:
            again[one.shift] = one.kept[at].value
    written = next(numbers(f"{own.value!r}", counts=True), None)  # it may have been rounded
    return is_derived(own.value, again, written.within if written else 0.0)


def is_derived(value: float, again: Mapping[Shift, float], within: float) -> bool:
    """Tell whether a number was computed from others, by what became of it when they changed.

    It has to change with them, about in proportion or more: what stays the same while they change
    a little, and is another thing when they change more, was chosen by a condition. And it has to
    stay when they do.

    Args:
        value: as it was.
        again: as it was when they were changed.
        within: half of its last digit.
    """
    seen = 2 * within + 1e-12 * abs(value)
    if "same" not in again or abs(again["same"] - value) > seen:
        return False
    if not value:
        return True  # nothing comes of nothing, such as the first of relative energies
    changes = dict[float, float]()
    for shift, size in SIZES.items():
        if shift in again:
            changes[size] = max(abs(again[shift] - value), changes.get(size, 0.0))
    sizes = sorted(changes, reverse=True)
    # by chance, where large changes cancel in a regression, one size may leave it where it was
    if all(changes[one] <= within + UNMOVED * abs(value) * one / FULL for one in sizes):
        return False
    for large, small in pairwise(sizes):
        least = changes[large] * small / large / ROOM
        if least > seen and changes[small] < least:
            return False
    last = changes.get(SIZES["billionth"], 0.0)
    return last <= seen + JUMP * (abs(value) + max(changes.values()))


def _there(value: float, at: int, others: Sequence[float], count: int) -> float:
    """Return what became of a number: what stands in its place, or else the nearest."""
    if len(others) == count:
        return others[at]
    return min(others, key=lambda one: abs(one - value), default=float("inf"))


def _went(again: Sequence[Again]) -> list[Again]:
    return [one for one in again if one.ok]


# --- constants -----------------------------------------------------------------------------------


def constants(code: str, cited: Sequence[Cited] = ()) -> list[str]:
    """Return the constants that are written in code, as they are written, each once.

    Those of texts are among them; whole numbers up to 1,000, powers of ten, exact factors of
    units and what the code has cited are not.
    """
    known = {one.reference for one in cited} | {abs(one.value) for one in cited}
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return []
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value not in known:
            found |= dict.fromkeys(_written(node.value, ast.get_source_segment(code, node)))
    return list(found)[:MOST]


def _written(value: object, source: str | None) -> Iterator[str]:
    if isinstance(value, bool):
        return
    if isinstance(value, int | float | complex):
        size = abs(value)
        if not is_free(size):
            yield source or repr(value)
        return
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    if isinstance(text, str):
        for number in numbers(text, counts=True):
            if not is_free(abs(number.value)):
                yield number.text
