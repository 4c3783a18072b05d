"""`AskRouter`: a person chooses from the menu, at the terminal or through a callback."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from typing import IO, Any, TypeAlias

from triplestore.errors import InputError
from workflows.text.safe_text import printable

from .graph import Node
from .router import Choice, Crossroads, forced

Ask: TypeAlias = Callable[[str, Crossroads], Awaitable[str | None]]
"""Puts a question to a person; returns the answer, None when there is nobody any more."""

ATTEMPTS = 20
"""Answers that make no sense before the run ends."""

END = ("e", "end")
WHY = ("?", "why")


class AskRouter:
    """Asks a person.

    The answer is the number or the name of a node; `e` to end the run, where it may end; `?` for
    the reasons why the other nodes are not possible. Who hangs up (Ctrl-D) ends the run where it
    may end.

    Args:
        ask: puts the question; the terminal if None.
    """

    name = "person"

    def __init__(self, ask: Ask | None = None) -> None:
        self._ask = ask or Terminal()
        self._turn = asyncio.Lock()  # of several runs, one asks at a time

    async def choose(self, at: Crossroads) -> Choice:
        """Return what the person chose.

        Raises:
            InputError: there is nobody to ask, or no answer that makes sense.
        """
        only = forced(at)
        if only is not None:
            return only
        async with self._turn:
            return await self._choose(at)

    async def _choose(self, at: Crossroads) -> Choice:
        text = question(at)
        for _ in range(ATTEMPTS):
            answer = await self._ask(text, at)
            if answer is None:
                return self._nobody(at)
            word = answer.strip().casefold()
            if word in WHY:
                text = refusals(at)
            elif word in END and at.menu.may_end:
                return Choice(None, "the person ended the run")
            elif (node := chosen(at, word)) is not None:
                return Choice(node, "the person chose it")
            else:
                text = f"{answer.strip()[:40]!r} is not among them.\n{question(at)}"
        raise InputError(
            "nobody could choose the next step",
            f"{ATTEMPTS} answers that were not on the menu",
            "answer with the number of an option",
        )

    def _nobody(self, at: Crossroads) -> Choice:
        if at.menu.may_end:
            return Choice(None, "the person hung up")
        raise InputError(
            "nobody could choose the next step",
            "the input ended, and the run may not end here",
            "go on from the run's last state, or let the goal router choose",
        )


def question(at: Crossroads) -> str:
    """Return the menu as a person sees it."""
    lines = [f"{at.subject}: {at.goal.text}".removeprefix(": ")]
    if at.goal.reached(at.situation):
        lines.append("The goal is reached.")
    for number, node in enumerate(at.menu.options, 1):
        lines.append(f"  {number}  {node.with_fields}: {node.summary}")
    if at.menu.may_end:
        lines.append("  e  end the run")
    if at.menu.refused:
        lines.append(f"  ?  why not {', '.join(at.menu.refused)}")
    return "\n".join([*lines, "next: "])


def refusals(at: Crossroads) -> str:
    """Return why the other nodes are not possible."""
    lines = [f"  {name}: {reason}" for name, reason in at.menu.refused.items()]
    return "\n".join([*lines, "next: "])


def chosen(at: Crossroads, word: str) -> Node[Any] | None:
    """Return the option of that number or name; None if there is not exactly one."""
    options = at.menu.options
    if word.isascii() and word.isdigit():
        number = int(word) if len(word) < 6 else 0
        return options[number - 1] if 1 <= number <= len(options) else None
    named = [node for node in options if node.name.casefold() == word]
    return named[0] if len(named) == 1 else None


class Terminal:
    """Asks at the terminal.

    It waits in the event loop, not in a thread: a run that is cancelled, by Ctrl-C too, waits no
    longer, and calculations of other runs go on meanwhile.

    Args:
        source: file descriptor that is read.
        sink: where questions go; standard error if None.
    """

    def __init__(self, source: int = 0, sink: IO[str] | None = None) -> None:
        self._source = source
        self._sink = sink
        self._read = b""

    async def __call__(self, text: str, at: Crossroads) -> str | None:
        """Put a question and return the line that is typed, None at its end (Ctrl-D).

        Raises:
            InputError: standard input is not a terminal.
        """
        if not os.isatty(self._source):
            raise InputError(
                "nobody could choose the next step",
                "standard input is not a terminal",
                "start it in a terminal, or let the goal router choose",
            )
        sink = self._sink or sys.stderr
        sink.write(printable(text))
        sink.flush()
        while b"\n" not in self._read:
            more = await self._more()
            if not more:
                line, self._read = self._read, b""
                return line.decode(errors="replace") or None
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return line.decode(errors="replace")

    async def _more(self) -> bytes:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._source, lambda: ready.done() or ready.set_result(None))
        try:
            await ready
        finally:
            loop.remove_reader(self._source)
        try:
            return os.read(self._source, 4096)
        except OSError:  # the terminal is gone
            return b""
