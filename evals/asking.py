"""A question is put to the agent, and what reports need of the conversation is noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_ai.models import Model
from pydantic_evals import set_eval_attribute

from grafico.agent import Agent
from grafico.agent.context import Approve
from grafico.agent.prompt import prompt
from grafico.agent.reply import Reply
from grafico.agent.tools import usable
from grafico.session.client import Grafico

from .controls import Limited
from .spending import preamble


@dataclass(frozen=True)
class Talk:
    """A conversation that is over.

    Attributes:
        replies: one a question.
        messages: JSON of pydantic-ai's.
    """

    replies: Sequence[Reply]
    messages: str

    @property
    def unsourced(self) -> list[str]:
        """Numbers of the last answer that no tool gave."""
        return [f"{one.text} {one.unit}".rstrip() for one in self.replies[-1].unsourced]


def talk(
    session: Grafico,
    model: Model[Any] | str,
    questions: Sequence[str],
    folder: Path | None = None,
    approve: Approve | None = None,
) -> Talk:
    """Ask in a conversation of its own, and note it for reports.

    Args:
        session: in which tools work.
        model: that answers.
        questions: one after the other.
        folder: of the files of the conversation; None for a temporary one.
        approve: who agrees to commands of devices; None for nobody.
    """
    with Agent(model, session=session, folder=folder, approve=approve) as agent:
        replies = [agent.ask(text) for text in questions]
        done = Talk(replies, agent.messages)
    offered = usable(session.settings)
    said = prompt(python="run_python" in offered)
    if isinstance(model, Limited):
        offered = {name: one for name, one in offered.items() if model.offers(name)}
        said = model.instructions or said
    set_eval_attribute("answer", replies[-1].text)
    set_eval_attribute("conversation", done.messages)
    set_eval_attribute("preamble", preamble(said, offered))
    set_eval_attribute("metrics", _metrics(replies))
    return done


def _metrics(replies: Sequence[Reply]) -> Mapping[str, float]:
    """Return what answers cost as it was reported; the price only where it is known of all."""
    spent = [one.usage for one in replies]
    found: dict[str, float] = {
        name: sum(getattr(one, name) for one in spent)
        for name in ("input_tokens", "output_tokens", "seconds", "model_seconds", "tool_seconds")
    }
    costs = [one.cost for one in spent if one.cost is not None]
    return found | ({"cost_USD": float(sum(costs))} if len(costs) == len(spent) else {})
