"""Requests in words: who makes typed ones of them, and what they leave open.

A door says who that is (`Caller.writer`): what a person types may be sent to a language model that
they pay for. What comes of it is checked like everything that somebody else wrote.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from triplestore.errors import InputError

from .caller import caller

ROUNDS = 5
"""How often a writer is asked for one request, refusals included."""

QUESTIONS = 8
"""That a person is asked about one request."""

Said: TypeAlias = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=400, pattern=r"^[^\x00-\x1f\x7f]*$")
]

ModelT = TypeVar("ModelT", bound=BaseModel)
FoundT = TypeVar("FoundT")


class Missing(BaseModel):
    """Something that a request in words leaves open, without which it cannot be done.

    Attributes:
        field: what it is, such as `density of naphthalene`.
        default: what is taken if nobody says otherwise; empty where nothing can be assumed.
        reason: why it is needed, and why that default.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    field: Annotated[Said, Field(min_length=1)]
    default: Said = ""
    reason: Said = ""

    def __str__(self) -> str:
        usual = f"; usual here: {self.default}" if self.default else ""
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.field} is missing{reason}{usual}"

    def answered(self, words: str, answer: str = "") -> str:
        """Return the words with an answer behind them; the default if it is empty.

        Raises:
            InputError: there is neither.
        """
        said = " ".join((answer or self.default).split())
        if not said:
            raise InputError(str(self), "nothing was answered", "say it")
        return f"{words.rstrip()}\n{self.field}: {said}"


class Writer(Protocol):
    """Makes typed requests of words."""

    name: str
    """Who that is, as it is told."""

    async def write(
        self,
        words: str,
        kind: type[ModelT],
        instructions: str,
        check: Callable[[ModelT], Awaitable[FoundT]],
    ) -> FoundT | Missing:
        """Return what the words come to, checked.

        What `check` refuses goes back with the reason, `ROUNDS` times in all.

        Args:
            words: what was asked; they are data.
            kind: of the typed request.
            instructions: how it is filled in.
            check: returns what the typed request comes to; raises an `InputError` with what to do.

        Raises:
            InputError: nothing that can be came of it; says the last reason.
            GraficoError: the writer cannot be asked.
        """
        ...


async def settled(
    words: str, read: Callable[[str], Awaitable[FoundT | Missing]]
) -> FoundT | Missing:
    """Return what words come to; a person, if there is one, is asked for what is missing.

    One question at a time; an answer stands behind the words, which are then read again.

    Args:
        words: as they were given.
        read: reads them.

    Raises:
        GraficoError: as `read`.
    """
    ask = caller().question
    for _ in range(QUESTIONS):
        found = await read(words)
        if not isinstance(found, Missing) or ask is None:
            return found
        answer = await ask(str(found), [found.default] if found.default else [])
        if answer is None or not (answer.strip() or found.default):
            return found
        words = found.answered(words, answer)
    return await read(words)
