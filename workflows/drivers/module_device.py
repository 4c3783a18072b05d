"""`ModuleDevice`: a real device, driven by the module that its file was read from."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

from triplestore.errors import InputError, RecordError
from workflows.engine.devices.card import Card
from workflows.engine.devices.command import RefusedError, refused
from workflows.engine.devices.described import CardCommand
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.terms import Value, is_value
from workflows.text.safe_text import on_one_line
from workflows.trust.programs import Program, trusted

from .process import DriverProcess

DEADLINE = 600.0
"""Seconds that a command may take where nobody says another."""


class ModuleDevice:
    """A device whose module runs in a process of its own, from `async with` on.

    What the module reports of its states is compared with what the file says, after each command.

    Args:
        card: what it is; no question of it may be open.
        program: the module, trusted.
        seconds: that a command may take.

    Raises:
        InputError: the file was read from another module.
    """

    simulated = False

    def __init__(self, card: Card, program: Program, seconds: float = DEADLINE) -> None:
        self.card, self.program, self.name, self._seconds = card, program, card.name, seconds
        source = hashlib.sha256(program.text.encode(errors="surrogatepass")).hexdigest()
        if card.source.sha256 != source:
            asked = f"{card.name} was to be driven by {Path(program.place).name}"
            found = "the device file was read from another module, or from another state of it"
            if not card.source.sha256:
                found = "the device file does not say from which module it was read"
            place = shlex.quote(on_one_line(program.place))
            raise InputError(asked, found, f"read it anew: grafico device add {place}")
        self._process = DriverProcess(
            card.name,
            {
                "file": program.place,
                "text": program.text,
                "part": card.source.part,
                "arguments": card.source.arguments,
                "states": list(card.states),
                "halt": card.halt,
            },
        )
        self._seen: tuple[str, ...] = ()  # states that it reports
        self.reported: dict[str, Value] = {}
        self._at, self._put = Standing.of(card.begins, card), dict[str, Value]()

    @classmethod
    def of(cls, card: Card, file: str | Path, seconds: float = DEADLINE) -> Self:
        """Return the device of a module that the person who asks has trusted; nothing runs.

        Raises:
            TrustError: they have not, or no person asks.
            GraficoError: the file cannot be read, or is not the module that the card is of.
        """
        return cls(card, trusted(file, f"{card.name} was to be driven"), seconds)

    async def __aenter__(self) -> Self:
        found = self._values(await self._process.start())
        self._seen = tuple(found)
        self.reported = {} if self.card.source.put_back else found
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._process.close()

    @property
    def halt(self) -> Callable[[], None] | None:
        """Calls the module's function that halts; None where there is none."""
        return self._process.halt if self.card.halt else None

    @property
    def checks(self) -> tuple[str, ...]:
        """What a person has to know of it who agrees to a command."""
        blind = [name for name in self.card.states if name not in self._seen]
        told = f"its module reports {', '.join(self._seen) or 'none of its states'}"
        if blind and self._seen:
            told += f", not {', '.join(blind)}"
        module = f"{self.program.place} (SHA-256 {self.program.digest})"
        if (source := self.card.source).part:
            given = ", ".join(f"{name}={one!r}" for name, one in source.arguments.items())
            module += f", as {source.part}({given})"
        return (
            f"driven by {module}; after {self._seconds:g} s without an answer it is ended",
            f"{told}; what is not reported is not compared" if blind else told,
            *([f"when it is stopped, its {self.card.halt}() is called"] if self.card.halt else ()),
        )

    def begin(self, at: Standing) -> None:
        """Know where it stands; a module that remembers nothing itself is told so."""
        self._at = at
        self._put = dict(at.by_name) if self.card.source.put_back else {}

    async def do(self, command: CardCommand, /) -> dict[str, Value]:
        """Have the module do one command, and return the states after it.

        Raises:
            RefusedError: it is refused, and the module was not called.
            RecordError: the module reports otherwise than the command leaves it.
            CrashError: the module has failed; nobody knows what was done.
            TimeLimitError: it has said nothing in time; likewise.
        """
        if reason := command.precondition(self._at):
            raise refused(command, reason)
        expected = command.change(self._at)
        kinds = {name: one.kind for name, one in command.said_of.arguments.items()}
        given = {
            name: float(one) if kinds[name] == "float" else one  # pyright: ignore[reportArgumentType]
            for name, one in command.arguments.items()
            if one is not None
        }
        found = await self._process.do(command.called, given, self._seconds, self._put)
        self._put = {}
        if "refused" in found:
            advice = "read the module anew: grafico device add"
            raise RefusedError(command.cannot, found["refused"], advice)
        stands = expected.but(**self._values(found["states"]))
        if stands != expected:
            asked = f"{command.verb} was done by {self.name}"
            told = f"it reports {stands}, and {expected} is what that leaves"
            raise RecordError(asked, told, "look at it, then say `last` what became of it")
        self._at = stands
        return dict(stands.by_name)

    def _values(self, states: Mapping[str, Any]) -> dict[str, Value]:
        """Return what the module reports of its states.

        Raises:
            RecordError: something of it is no value of a state.
        """
        for name, one in states.items():
            if not is_value(one):
                told = f"its module reports {name} as {one!r:.40}"
                raise RecordError(f"{self.name} was to be read", told, "look at it")
        return dict(states)
