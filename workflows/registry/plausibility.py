"""Numbers that are not plausible: a domain says between what bounds its quantities lie.

A result that lies outside was computed as asked, is stored and can be read, but it is no headline:
a warning stands in its place, a command that came to it ends with a status of its own, and the
table of a batch has a column for it. A domain declares its bounds in a module `plausible` of its
folder, so that what was stored before is looked at in the same way:

    WATER = Bounds(-15.0, 40.0, "", "pKa in water")

    @doubts(AcidityConstant)
    def _(found: AcidityConstant) -> Iterator[Doubt]:
        yield from WATER.doubt(found.acid.pka, "pKa", facts=("pka",))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ogm import GraphModel
from workflows.show.blocks import Block, Fact

IMPLAUSIBLE = "implausible"
"""Name of the warning, and of the column in which a batch has it."""

ModelT = TypeVar("ModelT", bound=GraphModel)
DoubtHook = Callable[[ModelT], "Iterable[Doubt]"]
OwnedBlock = tuple[type[GraphModel], Block]

DOUBTS: dict[type[GraphModel], Callable[[Any], Iterable[Doubt]]] = {}
"""What the domains say of their classes; filled where they are imported."""


@dataclass(frozen=True)
class Doubt:
    """Why a number of a result is not to be believed.

    Attributes:
        text: what it is, with its unit, and between what bounds such numbers lie.
        facts: names of the facts that it takes from the head of the result.
    """

    text: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Bounds:
    """Between what a quantity lies that can be believed, ends included.

    Attributes:
        low: the lowest.
        high: the highest.
        unit: symbol of the unit of both; empty for none.
        why: what the bounds hold for, and why: it follows them in brackets.
        digits: how a number is written, as in `format`.
    """

    low: float
    high: float
    unit: str
    why: str
    digits: str = ".2f"

    def doubt(self, value: float, what: str, facts: tuple[str, ...] = ()) -> Iterator[Doubt]:
        """Yield why a value is not to be believed; nothing where it lies within, ends included.

        Args:
            value: in the unit of the bounds.
            what: what it is of, such as `pKa`.
            facts: names of the facts that show it.
        """
        if self.low <= value <= self.high:  # what is not a number does not
            return
        number = f"{what} {value:{self.digits}} {self.unit}".rstrip()
        bounds = f"{self.low:g} to {self.high:g} {self.unit}".rstrip()
        yield Doubt(f"{number} is not plausible: it lies outside {bounds} ({self.why})", facts)


def doubts(cls: type[ModelT]) -> Callable[[DoubtHook[ModelT]], DoubtHook[ModelT]]:
    """Have a function say what is not plausible of a class and of all derived from it."""

    def keep(hook: DoubtHook[ModelT]) -> DoubtHook[ModelT]:
        DOUBTS[cls] = hook
        return hook

    return keep


def with_warning(blocks: Sequence[OwnedBlock], found: Sequence[Doubt]) -> list[OwnedBlock]:
    """Return blocks with a warning in the place of facts that are not to be believed.

    These become details: whoever wants to know the numbers finds them.
    """
    if not found or not blocks:
        return [*blocks]
    doubted = {name for one in found for name in one.facts}
    text = "; ".join(dict.fromkeys(one.text for one in found))
    places = [
        at
        for at, (_, block) in enumerate(blocks)
        if isinstance(block, Fact) and block.name in doubted
    ]
    first = places[0] if places else 0
    warning = Fact("not plausible", text, name=IMPLAUSIBLE, headline=True, iri=blocks[first][1].iri)
    shown: list[OwnedBlock] = [
        (owner, replace(block, minor=True, headline=False))
        if at in places and isinstance(block, Fact)
        else (owner, block)
        for at, (owner, block) in enumerate(blocks)
    ]
    shown.insert(first, (blocks[first][0], warning))
    return shown


def warning_in(blocks: Iterable[Block]) -> str:
    """Return the warning that stands among blocks; empty for none."""
    return next(
        (str(one.value) for one in blocks if isinstance(one, Fact) and one.name == IMPLAUSIBLE), ""
    )
