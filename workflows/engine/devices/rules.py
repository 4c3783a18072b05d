"""Rules of order among the commands of a device, beside what the commands need themselves.

The situation and the bench of commands that keep rules have a field `taught`; see `taught` beside
this for where rules come from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, TypeVar, cast

Relation: TypeAlias = Literal["before", "then", "never while"]

HeldT = TypeVar("HeldT")


@dataclass(frozen=True)
class Rule:
    """What is taught of two commands.

    Attributes:
        first: a command.
        relation: `before`: the second is refused until the first was done in the same run, or is
            so already. `then`: the first is refused when the second was done in the same run.
            `never while`: the first is refused while what the second makes is so.
        second: another.
    """

    first: str
    relation: Relation
    second: str

    def __str__(self) -> str:
        return f"{self.first} {self.relation} {self.second}"

    @property
    def meaning(self) -> str:
        """What it refuses, in words."""
        if self.relation == "before":
            return (
                f"{self.second} is refused until {self.first} was done in the same run, or is so "
                "already"
            )
        if self.relation == "then":
            return f"{self.first} is refused once {self.second} was done in the same run"
        return f"{self.first} is refused while what {self.second} makes is so"

    @property
    def order(self) -> tuple[str, str] | None:
        """Which command comes first and which later; None where it says nothing of that."""
        return None if self.relation == "never while" else (self.first, self.second)

    @property
    def looked_at(self) -> str:
        """The command that matters, whether it was done or is so."""
        return self.first if self.relation == "before" else self.second

    def refuses(self, command: str, seen: Collection[str], is_so: Callable[[], bool]) -> bool:
        """Tell whether it refuses a command.

        Args:
            command: its name.
            seen: commands that were done in the same run.
            is_so: tells whether the command that is looked at would change nothing.
        """
        if self.relation == "before":
            return command == self.second and self.first not in seen and not is_so()
        if self.relation == "then":
            return command == self.first and self.second in seen
        return command == self.first and is_so()


def contradiction(new: Rule, others: Sequence[Rule]) -> str:
    """Return why a rule cannot hold together with others; empty where it can."""
    if new.first == new.second:
        return f"{new.first} stands on both of its sides"
    later = dict[str, list[Rule]]()
    for one in others:
        if one.order:
            later.setdefault(one.order[0], []).append(one)
    ways = [(new.second, tuple[Rule, ...]())] if new.order else []
    seen = set[str]()
    while ways:
        at, path = ways.pop()
        for one in later.get(at, ()) if at not in seen else ():
            if one.second == new.first:
                told = "; ".join(f"“{each}”" for each in (*path, one))
                return f"what is taught already has it the other way round: {told}"
            ways.append((one.second, (*path, one)))
        seen.add(at)
    for one in others:
        pair = {new.relation, one.relation}
        needs, never = (new, one) if new.relation == "before" else (one, new)
        if pair == {"before", "never while"} and (needs.second, needs.first) == (
            never.first,
            never.second,
        ):
            return f"“{one}” is taught already, and both together never let {never.first} be done"
    return ""


@dataclass(frozen=True)
class Lesson:
    """A rule in force.

    Attributes:
        rule: it.
        by: who taught it and when, in words.
        state: the command of which it matters whether it is so already; None where it cannot be
            given.
    """

    rule: Rule
    by: str
    state: Any = None


@dataclass(frozen=True)
class Taught:
    """What is taught of a device, and how far a run has come with it.

    Attributes:
        lessons: the rules in force.
        seen: commands that were done in this run, of those that rules ask for.
    """

    lessons: tuple[Lesson, ...] = field(default=(), compare=False)
    seen: frozenset[str] = frozenset()

    def after(self, command: str) -> Taught:
        """Return it after a command."""
        asked = {one.rule.looked_at for one in self.lessons if one.rule.order}
        return replace(self, seen=self.seen | {command}) if command in asked else self


UNTAUGHT = Taught()


def noted(command: str, held: HeldT) -> HeldT:
    """Return a situation, or a bench, with a command noted that was done: rules ask for it."""
    known: Any = held
    if not known.taught.lessons:
        return held
    return cast("HeldT", replace(known, taught=known.taught.after(command)))


WHY: dict[Relation, str] = {
    "before": "{first} comes before it, as {by} has taught; do that first",
    "then": "{second} comes after it, as {by} has taught; ask in another run",
    "never while": "it is never done while {second} is so, as {by} has taught; undo that",
}


def forbidden(command: str, situation: Any) -> str | None:
    """Return which rule forbids a command in a situation, and what to do; None if none does."""
    taught: Taught = situation.taught
    for one in taught.lessons:
        rule = one.rule
        if rule.refuses(command, taught.seen, lambda one=one: _is_so(one, situation)):
            why = WHY[rule.relation]
            return why.format(first=rule.first, second=rule.second, by=one.by)
    return None


def _is_so(one: Lesson, situation: Any) -> bool:
    """Tell whether the command that a rule looks at would change nothing."""
    return one.state is not None and one.state.is_so(situation)
