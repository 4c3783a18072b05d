"""Recipes of the field as prompts, which a person picks in the assistant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp.types as wire
from mcp.shared.exceptions import MCPError

from triplestore.errors import NotFoundError
from workflows.text.safe_text import printable

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from .hub import Hub


async def list_prompts(ctx: ServerRequestContext[Hub], _: Any) -> wire.ListPromptsResult:
    """Answer `prompts/list`."""
    there = await ctx.lifespan_context.skills()
    about = [wire.PromptArgument(name=ABOUT, description="What it is to be done with.")]
    return wire.ListPromptsResult(
        prompts=[
            wire.Prompt(name=one.name, description=one.description, arguments=about)
            for one in there.found.values()
        ]
    )


async def get_prompt(
    ctx: ServerRequestContext[Hub], params: wire.GetPromptRequestParams
) -> wire.GetPromptResult:
    """Answer `prompts/get`: the recipe, and what it is to be done with."""
    there = await ctx.lifespan_context.skills()
    try:
        skill = there.named(params.name)
    except NotFoundError as error:
        raise MCPError(wire.INVALID_PARAMS, printable(str(error))) from error
    about = (params.arguments or {}).get(ABOUT, "").strip()
    text = f"{skill.body}\n\nDo this with: {about}" if about else skill.body
    content = wire.TextContent(text=text)
    return wire.GetPromptResult(
        description=skill.description, messages=[wire.PromptMessage(role="user", content=content)]
    )


ABOUT = "about"
"""The argument of a prompt: what a person wants to have computed."""
