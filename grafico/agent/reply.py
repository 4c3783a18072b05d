"""`Reply`: what came of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from .attachments import Attached
from .sources import Number, marked


@dataclass(frozen=True)
class Usage:
    """What a question cost.

    Attributes:
        requests: answered by the model.
        input_tokens: cached ones included.
        cached_tokens: of these, read from the provider's cache.
        output_tokens: thinking included.
        cost: US dollars; None where the price of the model is not known.
        seconds: wall time in all.
        model_seconds: of these, waiting for the model.
        tool_seconds: of these, at least one tool was at work.
    """

    requests: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal | None = None
    seconds: float = 0.0
    model_seconds: float = 0.0
    tool_seconds: float = 0.0

    @property
    def own_seconds(self) -> float:
        """Neither the model nor the tools."""
        return max(0.0, self.seconds - self.model_seconds - self.tool_seconds)


@dataclass(frozen=True)
class Reply:
    """What came of a question.

    Attributes:
        text: the answer.
        numbers: each number of it, and where it comes from.
        runs: IRIs of the runs that tools told of for this question, in order.
        files: files in the folder that they made.
        attached: structures that came with the question.
        notes: what a person should know of how it was answered.
        model: its name.
        usage: what it cost.
        conversation: its IRI, to go on with; see `Agent`.
        outcome: `failed` if every calculation did; `declined` if the rules understood nothing.
    """

    text: str
    numbers: Sequence[Number]
    runs: Sequence[str]
    files: Sequence[str]
    attached: Sequence[Attached]
    notes: Sequence[str]
    model: str
    usage: Usage
    conversation: str
    outcome: Literal["answered", "declined", "failed"]

    @property
    def unsourced(self) -> list[Number]:
        """Numbers that have no source."""
        return [number for number in self.numbers if number.source is None]

    @property
    def marked(self) -> str:
        """The answer, with a mark behind each number that has no source."""
        return marked(self.text, self.numbers)

    def as_dict(self) -> dict[str, Any]:
        """Return what JSON can hold of it."""
        usage = self.usage
        return {
            "text": self.text,
            "numbers": [
                {"text": n.text, "value": n.value, "unit": n.unit, "source": n.source, "how": n.how}
                | ({"rests_on": list(n.rests_on)} if n.rests_on else {})
                for n in self.numbers
            ],
            "runs": list(self.runs),
            "files": list(self.files),
            "attached": [vars(one) for one in self.attached],
            "notes": list(self.notes),
            "model": self.model,
            "conversation": self.conversation,
            "outcome": self.outcome,
            "usage": {
                "requests": usage.requests,
                "input_tokens": usage.input_tokens,
                "cached_tokens": usage.cached_tokens,
                "output_tokens": usage.output_tokens,
                "cost_USD": None if usage.cost is None else float(usage.cost),
                "seconds": round(usage.seconds, 3),
                "model_seconds": round(usage.model_seconds, 3),
                "tool_seconds": round(usage.tool_seconds, 3),
            },
        }
