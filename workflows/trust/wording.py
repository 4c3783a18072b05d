"""What a request in words leaves open, and how a person is asked for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from triplestore.errors import InputError

QUESTIONS = 8
"""That a person is asked about one request."""

PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]*$"
"""A model may have written it, and a terminal shows it."""

Said: TypeAlias = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=400, pattern=PRINTABLE)
]

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


async def settled(
    words: str,
    read: Callable[[str], Awaitable[FoundT | Missing]],
    ask: Callable[[str, Sequence[str]], Awaitable[str | None]] | None,
) -> FoundT | Missing:
    """Return what words come to; a person, if one can be asked, says what is missing.

    One question at a time; an answer stands behind the words, which are then read again.

    Args:
        words: as they were given.
        read: reads them.
        ask: puts a question to a person; None where nobody can be asked.

    Raises:
        GraficoError: as `read`.
    """
    for _ in range(QUESTIONS):
        found = await read(words)
        if not isinstance(found, Missing) or ask is None:
            return found
        answer = await ask(str(found), [found.default] if found.default else [])
        if answer is None or not (answer.strip() or found.default):
            return found
        words = found.answered(words, answer)
    return await read(words)
