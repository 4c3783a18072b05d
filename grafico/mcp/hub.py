"""What all clients of a server share: the tools, the session, the contexts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import mcp.types as wire

if TYPE_CHECKING:
    from grafico.agent.toolbox import Tool
    from grafico.session.client import Grafico
    from grafico.session.settings import Settings
    from workflows.registry.skills import Skills

    from .contexts import ClientContexts


class Hub:
    """What all clients of a server share, opened when first needed.

    Args:
        settings: decide which tools there are.
        opened: opens the session.
        folder: of the only client; None where there are several.
        yes: agree to what needs a person's yes.
    """

    def __init__(
        self, settings: Settings, opened: Callable[[], Grafico], folder: Path | None, yes: bool
    ) -> None:
        self._settings, self._opened = settings, opened
        self._folder, self._yes = folder, yes
        self._tools: dict[str, Tool] | None = None
        self.told: list[wire.Tool] = []
        self._session: Grafico | None = None
        self._contexts: ClientContexts | None = None
        self._loading, self._opening = asyncio.Lock(), asyncio.Lock()

    async def tools(self) -> dict[str, Tool]:
        """Return the tools that work here."""
        async with self._loading:
            if self._tools is None:
                self._tools = await asyncio.to_thread(self._load)
                self.told = [as_wire_tool(one) for one in self._tools.values()]
            return self._tools

    def _load(self) -> dict[str, Tool]:
        from grafico.agent.tools import usable

        return usable(self._settings)

    async def skills(self) -> Skills:
        """Return the recipes, as they stand now."""
        from workflows.registry.skills import skills

        return await asyncio.to_thread(skills, self._settings.skill_folder)

    async def session(self) -> Grafico:
        """Return the session.

        Raises:
            GraficoError: it cannot be opened now; the next call tries again.
        """
        await self.tools()  # one thread imports at a time
        async with self._opening:
            if self._session is None:
                self._session = await asyncio.to_thread(self._open)
            return self._session

    def _open(self) -> Grafico:
        session = self._opened()
        assert session.executor  # made here, because it looks around on the machine
        return session

    async def contexts(self) -> ClientContexts:
        """Return the contexts of the clients.

        Raises:
            GraficoError: the session cannot be opened.
        """
        session = await self.session()
        if self._contexts is None:
            from .contexts import ClientContexts

            self._contexts = ClientContexts(session, self._folder, self._yes)
        return self._contexts

    async def warm_up(self) -> None:
        """Open what will be needed soon."""
        with suppress(Exception):  # whoever needs it will be told
            await self.session()

    def close(self) -> None:
        """End everything."""
        if self._contexts is not None:
            self._contexts.close()
        if self._session is not None:
            self._session.close()


def as_wire_tool(tool: Tool) -> wire.Tool:
    """Return a tool as clients see it."""
    hints = wire.ToolAnnotations(
        read_only_hint=tool.reads, destructive_hint=tool.commands, open_world_hint=tool.outside
    )
    return wire.Tool(
        name=tool.name, description=tool.description, input_schema=tool.schema, annotations=hints
    )
