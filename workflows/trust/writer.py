"""Who makes typed requests of words.

A door says who that is (`Caller.writer`): what a person types may be sent to a language model that
they pay for. What comes of it is checked like everything that somebody else wrote.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

    from .wording import Missing

ROUNDS = 5
"""How often a writer is asked for one request, refusals included."""

Questions: TypeAlias = Callable[[str, Sequence[str]], Awaitable["str | None"]]
"""Puts a question with suggested answers to a person; None for no answer."""

ModelT = TypeVar("ModelT", bound="BaseModel")
FoundT = TypeVar("FoundT")


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
