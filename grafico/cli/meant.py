"""Options by other names than those that are listed: taken where one alone can be meant, and told.

What else people call an option is declared beside it: of the fields of forms by `OtherNames`, of a
command's own options by `Option`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

import click

from ..say import say

NUMBER = re.compile(r"[1-9]\d*")


class Worded:
    """A kind of value that has words; a word alone may stand for option and value: `--opt`.

    Attributes:
        of: the option without which it has no effect; empty for none.
    """

    of: str = ""

    def meaning(self, value: str) -> str:
        """Return the value that a person means; empty for none."""
        del value
        return ""


class Option(click.Option):
    """An option that people also call otherwise.

    Args:
        otherwise: other names, without hyphens before them; they are taken, and not listed.
        numbers: how many numbers may stand behind it, each by itself, where one text is taken.
    """

    def __init__(
        self, *args: Any, otherwise: Sequence[str] = (), numbers: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.otherwise = tuple(otherwise)
        self.numbers = numbers


def as_listed(params: Iterable[click.Parameter], args: Sequence[str]) -> list[str]:
    """Return arguments with options by the names that are listed; tells which had others."""
    options = [one for one in params if isinstance(one, click.Option)]
    by_name = {name: one for one in options for name in (*one.opts, *one.secondary_opts)}
    others = _others(options, by_name)
    taken: list[str] = []
    chosen: dict[str, list[str]] = {}
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return [*_chosen(by_name, chosen, taken), word, *rest]
        name, equals, value = word.partition("=")
        if word.startswith("--") and name not in by_name:
            same = name.replace("_", "-")
            listed = same if same in by_name else others.get(same.lower())
            if not listed and not equals and (option := _choosing(options, same[2:])):
                chosen.setdefault(option, []).append(same[2:])
                continue
            if listed:
                if listed != same:
                    say(f"note: {name}: taken as {listed}", err=True)
                name, word = listed, f"{listed}{equals}{value}"
        taken.append(word)
        count = getattr(by_name.get(name), "numbers", 0)
        behind = len(list(takewhile(NUMBER.fullmatch, rest)))
        if count and not equals and behind > 1 and behind != count:
            numbers = " ".join(map(str, range(1, count + 1)))
            raise click.BadParameter(
                f"{behind} numbers stand behind it; it takes {count}, as in {name} {numbers}",
                param=by_name[name],
            )
        if count and not equals and len(rest) >= count:
            each, behind = rest[:count], rest[count:]
            if all(map(NUMBER.fullmatch, each)):
                taken.append(" ".join(each))
                rest = behind
    return _chosen(by_name, chosen, taken)


def takes(params: Iterable[click.Parameter], name: str) -> bool:
    """Tell whether an option is taken, by whatever name."""
    options = [one for one in params if isinstance(one, click.Option)]
    listed = {opt for one in options for opt in (*one.opts, *one.secondary_opts)}
    same = name.replace("_", "-")
    if name in listed or same in listed:
        return True
    return same.lower() in _others(options, listed) or bool(_choosing(options, same[2:]))


def _choosing(options: Iterable[click.Option], word: str) -> str:
    """Return the one option of which a word is a choice, as `opt` is of --task; empty for none.

    One that has no effect without another is not meant so.
    """
    worded = [(one.opts[0], one.type) for one in options if isinstance(one.type, Worded)]
    found = {name for name, kind in worded if kind.meaning(word) and not kind.of}
    return found.pop() if len(found) == 1 else ""


def _chosen(
    by_name: Mapping[str, click.Option], chosen: Mapping[str, list[str]], taken: list[str]
) -> list[str]:
    """Return arguments with the choices that were written as if they were options; tells so."""
    for name, words in chosen.items():
        at = taken.index(name) + 1 if name in taken[:-1] else 0
        kind, value = by_name[name].type, " ".join([*taken[at : at + 1 if at else 0], *words])
        value = (kind.meaning(value) if isinstance(kind, Worded) else "") or value
        told = ", ".join(f"--{word}" for word in words)
        say(f"note: {told}: taken as {name} {value}", err=True)
        taken = [*taken[:at], value, *taken[at + 1 :]] if at else [*taken, name, value]
    return taken


def _others(options: Iterable[click.Option], known: Iterable[str]) -> dict[str, str]:
    """Return the listed names of options by those that one alone has besides."""
    found: dict[str, set[str]] = {}
    for one in options:
        for other in one.otherwise if isinstance(one, Option) else ():
            listed = next((opt for opt in one.opts if opt.startswith("--")), one.opts[0])
            found.setdefault(f"--{other.replace('_', '-')}", set()).add(listed)
    names = {*known}
    return {n: each.pop() for n, each in found.items() if len(each) == 1 and n not in names}


class Command(click.Command):
    """A command that takes its options by the other names that they have, too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            listed = as_listed(self.get_params(ctx), args)
        except click.BadParameter as error:
            error.ctx = ctx
            raise
        return super().parse_args(ctx, listed)


output_names = ("out", "outfile", "output-file", "save", "file")
"""What people call the file that is written."""
