"""What is compared: a quantity, where it comes from, and how far it may be off."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from .laboratory import At
from .level import Level

Value = float | str


@dataclass(frozen=True)
class Entry:
    """One line of the table.

    Attributes:
        kind: the section that it belongs to.
        molecule: what it is about.
        quantity: what is compared.
        unit: of the numbers; empty for words.
        level: of theory; None where none takes part.
        ours: computes Grafico's value.
        reference: the other value, or what finds it out.
        allowed: how far ours may be off.
        why: the reason for that much.
        source: of the reference.
    """

    kind: str
    molecule: str
    quantity: str
    unit: str
    level: Level | None
    ours: Callable[[At], Value]
    reference: Value | Callable[[], Value]
    allowed: float
    why: str
    source: str

    @property
    def name(self) -> str:
        """What tells it from all others."""
        level = f", {self.level.label}" if self.level else ""
        return f"{self.kind}: {self.quantity} of {self.molecule}{level}"

    @property
    def decimals(self) -> int:
        """How many decimals show a deviation of the allowed size with two digits."""
        return max(0, 1 - math.floor(math.log10(self.allowed))) if self.allowed else 0

    def text(self, value: Value, sign: str = "") -> str:
        """Return a value as the table has it."""
        if isinstance(value, str):
            return value
        return f"{value:{sign}.{self.decimals}f}".replace("-", "−")


@dataclass(frozen=True)
class Verdict:
    """How an entry came out.

    Attributes:
        entry: what was compared.
        ours: Grafico's value; None if there is none.
        reference: the other; None if there is none.
        seconds: how long both took.
        remembered: whether no calculation of Grafico had to be done.
        problem: why there is no value; empty if there is.
        left_out: whether the entry could not be done here, for want of a program.
    """

    entry: Entry
    ours: Value | None = None
    reference: Value | None = None
    seconds: float = 0.0
    remembered: bool = False
    problem: str = ""
    left_out: bool = False

    @property
    def deviation(self) -> float | None:
        """Ours less the reference; None for words."""
        if isinstance(self.ours, str) or isinstance(self.reference, str):
            return None
        if self.ours is None or self.reference is None:
            return None
        return self.ours - self.reference

    @property
    def passed(self) -> bool:
        """Whether ours is as near as allowed."""
        if self.deviation is not None:
            return abs(self.deviation) <= self.entry.allowed
        return self.ours is not None and self.ours == self.reference

    @property
    def word(self) -> str:
        """Passed or not, in a word."""
        if self.left_out:
            return "left out"
        return "failed" if self.problem else "ok" if self.passed else "OUTSIDE"
