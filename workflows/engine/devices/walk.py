"""A walk through what a card says: every command in every situation; nothing is done."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, field

from triplestore.errors import RecordError

from .card import Card, CommandCard
from .meaning import done, ended, obstacle, weight
from .standing import Standing
from .terms import Value, constants, names, term
from .wish import choices, product

SITUATIONS = 5_000
"""That a walk looks at."""

WORK = 10_000_000
"""Parts of terms that a walk evaluates, and states that it copies: a few seconds."""


@dataclass
class Walk:
    """What trying every command in every situation has shown.

    Attributes:
        situations: how many were reached.
        possible: in how many of them each command is.
        refusals: why each command was refused, with how often.
        reached: values that each state had.
        dead_ends: situations that no command leads out of.
        wrong: commands that the file contradicts itself about, with why.
        whole: whether everything was tried.
        stopped: after how much work the walk gave up; empty where it was whole.
    """

    situations: int = 0
    possible: dict[str, int] = field(default_factory=dict[str, int])
    refusals: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    reached: dict[str, list[Value]] = field(default_factory=dict[str, list[Value]])
    dead_ends: list[Standing] = field(default_factory=list[Standing])
    wrong: dict[str, str] = field(default_factory=dict[str, str])
    whole: bool = True
    stopped: str = ""

    @property
    def pairs(self) -> int:
        """Pairs of situation and command."""
        return self.situations * len(self.possible)

    @property
    def admissible(self) -> int:
        """Those in which the command is possible."""
        return sum(self.possible.values())

    @property
    def never(self) -> list[str]:
        """Commands that are possible nowhere."""
        return [name for name, times in self.possible.items() if not times]


def walk(card: Card) -> Walk:
    """Try every command in every situation that commands lead to; nothing is done.

    Arguments are tried at their limits, their choices and the values that terms name.
    """
    found = Walk(possible=dict.fromkeys(card.commands, 0))
    found.refusals = {name: {} for name in card.commands}
    reached = {
        name: {(isinstance(x.begins, bool), x.begins): None} for name, x in card.states.items()
    }
    weights = {name: weight(card, name) for name in card.commands}
    every = {name: list(product(_tried(card, one))) for name, one in card.commands.items()}
    first = Standing.of(card.begins, card)
    seen, new, work = {first}, [first], 0

    def led_to(then: Standing) -> None:
        if then in seen:
            return
        if len(seen) >= SITUATIONS:
            found.whole = False
            return
        seen.add(then)
        new.append(then)
        for state, one in then.by_name.items():
            reached[state][isinstance(one, bool), one] = None

    for at in new:
        found.situations += 1
        leads = bool(at.underway)
        if at.underway:
            work += max(weights[one.command] for one in at.underway)
            try:
                led_to(ended(card, at))
            except RecordError as error:
                found.wrong.setdefault(at.underway[0].command, error.found)
        for name, variants in every.items():
            reasons, possible = dict[str, None](), False
            for given in variants:
                work += weights[name]
                if work > WORK:
                    break
                if reason := at.refuses("…") or obstacle(card, name, given, at):
                    reasons[reason.partition("; ")[0]] = None
                    continue
                possible = True
                try:
                    then = done(card, name, given, at)
                except RecordError as error:
                    found.wrong.setdefault(name, error.found)
                    continue
                leads |= then != at
                led_to(then)
            found.possible[name] += possible
            if work > WORK:
                break
            if not possible:
                for reason in list(reasons)[:1]:
                    found.refusals[name][reason] = found.refusals[name].get(reason, 0) + 1
        if work > WORK:
            found.whole = False
            found.stopped = f"after {WORK:,} parts of terms"
            break
        if not leads:
            found.dead_ends.append(at)
    if len(seen) >= SITUATIONS and not found.whole and not found.stopped:
        found.stopped = f"after {SITUATIONS:,} situations"
    found.reached = {state: [one for _, one in values] for state, values in reached.items()}
    return found


def _tried(card: Card, command: CommandCard) -> dict[str, list[Value]]:
    """Return the values of each argument that a walk tries."""
    terms = [term(one.when) for one in command.refused]
    compared = set[Value]().union(*(constants(one) for one in terms))
    beside = {state for one in terms for state in names(one)[0] if _meets(one)}
    compared |= {card.states[state].begins for state in beside}
    found = dict[str, list[Value]]()
    for name, argument in command.arguments.items():
        values = choices(argument) or [argument.low, argument.high, argument.default]
        if not argument.choices and argument.kind != "bool":
            values += sorted(compared, key=repr)
        if argument.kind in ("int", "float") and None in (argument.low, argument.high):
            least = (1 if argument.high is None else argument.high) - 1
            least = least if argument.low is None else argument.low
            values += [least, least + 1]
        if argument.kind == "int":
            values = [
                math.trunc(one) if isinstance(one, float) and one.is_integer() else one
                for one in values
            ]
        if argument.kind == "str" and not argument.choices:
            values += ["a text"]
        fitting = [one for one in values if not argument.against(one)]
        found[name] = list(dict.fromkeys(fitting)) or [argument.default]
    return found


def _meets(one: ast.expr) -> bool:
    """Tell whether states and arguments meet in a term."""
    states, given = names(one)
    return bool(states and given)
