"""The agent: a language model plans, the graphs do the work, the knowledge graph remembers.

The public names are loaded when first used; only `Agent` needs pydantic-ai.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agent import Agent
    from .context import Approval, Told, ToolContext
    from .reply import Reply

__all__ = ["Agent", "Approval", "Reply", "Told", "ToolContext"]


def __getattr__(name: str) -> Any:
    match name:
        case "Agent":
            from .agent import Agent

            return Agent
        case "Approval" | "Told" | "ToolContext":
            from . import context

            return getattr(context, name)
        case "Reply":
            from .reply import Reply

            return Reply
        case _:
            raise AttributeError(f"module 'grafico.agent' has no attribute {name!r}")
