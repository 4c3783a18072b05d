"""What steps do to the world besides computing, and what of that may be done without asking."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

WORDS = {
    "device": "it commands a device",
    "network": "it sends something to a server",
    "money": "it spends money",
    "irreversible": "it does what cannot be undone",
    "making": "it lets chemicals be made",
    "teaching": "it changes how a device is commanded from now on",
    "memo": "it is recalled to people and models from now on",
}
"""Each effect that a step may have, as the reason why a person has to agree."""

STANDING = frozenset({"network", "money"})
"""Those that a person's settings can allow once and for all."""

AT_A_DOOR = frozenset({"making"})
"""Those to which a person agrees at a terminal or a page of Grafico: no other program's word is a
yes, not even of a client that the settings name."""


@dataclass(frozen=True)
class Many:
    """A closed set of operations that one yes is for: some steps, once for each part.

    Attributes:
        graph: of the runs that are the parts.
        nodes: names of its steps.
        parts: their keys.
    """

    graph: str
    nodes: frozenset[str]
    parts: frozenset[str]


@dataclass(frozen=True)
class Target:
    """What a step would act on, as it stands.

    Attributes:
        name: of the device; of the server, for `network`.
        version: of the state that the device is in; empty where it has none.
        bound: IRIs or digests of what it works on besides its own fields, the subject of the run
            and the product so far.
        checks: what was found, in words, for who has to agree.
        dollars: that it may spend, in US dollars; None where nobody knows.
        many: what else a yes to it is for, where the work consists of other runs.
        halt: ends what the device does, if that can be done.
    """

    name: str = ""
    version: str = ""
    bound: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    dollars: float | None = None
    many: Many | None = None
    halt: Callable[[], None] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Allowed:
    """What a person's own settings allow without asking.

    Attributes:
        hosts: that steps may send something to.
        dollars: that they may spend within a day, in US dollars.
    """

    hosts: frozenset[str] = frozenset()
    dollars: float = 0.0

    def covers(self, effects: frozenset[str], target: Target, spent: float) -> bool:
        """Tell whether all effects of a step are allowed.

        Args:
            effects: of the step.
            target: what it would act on.
            spent: US dollars that have been spent within a day.
        """
        if not effects <= STANDING:
            return False
        if "network" in effects and target.name.lower() not in self.hosts:
            return False
        if "money" in effects or target.dollars:
            cost = target.dollars
            return cost is not None and 0 <= cost <= self.dollars - spent
        return True


def checked_effects(said: Any, owner: str) -> frozenset[str]:
    """Return the effects that a class of nodes declares.

    Raises:
        TypeError: one of them is none, or it is no set.
    """
    if not isinstance(said, frozenset | set):
        raise TypeError(f"{owner}.effects is no set, such as frozenset({{'device'}})")
    known: frozenset[str] = frozenset(str(one) for one in said)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if strange := sorted(known - WORDS.keys()):
        raise TypeError(f"{owner}.effects: {', '.join(strange)}; there are: {', '.join(WORDS)}")
    return known


def why(effects: Iterable[str]) -> str:
    """Return why a person has to agree to some effects, as one clause; empty for none."""
    having = frozenset(effects)
    return "; ".join(text for name, text in WORDS.items() if name in having)
