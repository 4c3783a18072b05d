"""What is asked, and what a right answer has in it."""

from __future__ import annotations

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

Declining: TypeAlias = Literal["must", "may", "no"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Request(_Strict):
    """What a person asks.

    Attributes:
        text: the request, with the structure that was pasted into it.
        before: what was asked before it in the same conversation.
    """

    text: str = Field(min_length=1)
    before: tuple[str, ...] = ()


class Expected(_Strict):
    """A number that a right answer has.

    Attributes:
        what: its name.
        value: in `unit`.
        unit: as `grafico.agent.sources.UNITS` has it; empty for none, and for charges in e.
        within: how far the answer may be off, rounding included.
        source: who found the value, if not Grafico.
        signless: whether a sentence may carry its sign (`higher by 3.2`).
        only: whether no other unit will do, because this one was asked for.
    """

    what: str
    value: float
    unit: str
    within: float = Field(gt=0)
    source: str = Field(min_length=8)
    signless: bool = False
    only: bool = False


class Wanted(_Strict):
    """What a right answer has in it.

    Attributes:
        topic: a word for cases alike.
        numbers: all of them have to be there.
        words: patterns that have to be found, whatever their case.
        declined: whether the request must be declined, may be, or must not.
        because: why a request is to be declined or words are expected.
        requests: how many to the model are enough.
        calls: how many of tools are enough.
    """

    topic: str
    numbers: tuple[Expected, ...] = ()
    words: tuple[str, ...] = ()
    declined: Declining = "no"
    because: str = ""
    requests: Annotated[int, Field(ge=1)] = 6
    calls: Annotated[int, Field(ge=0)] = 6

    @model_validator(mode="after")
    def _decidable(self) -> Self:
        if not self.numbers and not self.words and self.declined != "must":
            raise ValueError("nothing is expected: give numbers, words, or `declined: must`")
        if (self.declined != "no" or self.words) and not self.because:
            raise ValueError("say in `because` why it is declined, or where the words come from")
        return self
