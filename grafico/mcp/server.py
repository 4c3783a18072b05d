"""The server itself: which tools there are, what comes of a call, and what can be read."""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import anyio
import mcp.types as wire
from mcp.server.lowlevel.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic_core import from_json, to_json

from triplestore.errors import GraficoError
from triplestore.release import release

from .hub import Hub

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from grafico.agent.context import ToolContext
    from grafico.agent.toolbox import Returned
    from grafico.session.client import Grafico
    from grafico.session.settings import Settings

    from .contexts import ClientContexts

THREADS = 64
"""In which clients' queries wait for their answers; they take no room until they are needed."""

ANSWERABLE = 24 * 3600.0
"""Seconds that a person may think about a question that travels with a result."""

_log = logging.getLogger(__name__)


def make_server(
    settings: Settings, opened: Callable[[], Grafico], folder: Path | None = None, yes: bool = False
) -> Server[Hub]:
    """Return the server; see `Hub`."""

    @asynccontextmanager
    async def lifespan(_: Server[Hub]) -> AsyncGenerator[Hub]:
        # A loop has six threads on two cores: slow queries of three clients would fill them.
        threads = ThreadPoolExecutor(THREADS, "grafico-mcp")
        asyncio.get_running_loop().set_default_executor(threads)
        hub = Hub(settings, opened, folder, yes)
        warming = asyncio.create_task(hub.warm_up())
        try:
            yield hub
        finally:
            with anyio.CancelScope(shield=True):
                await asyncio.wait((warming,))
            hub.close()

    from .prompts import get_prompt, list_prompts
    from .resources import list_resources, list_templates, read_resource

    server = Server(
        "grafico",
        title="Grafico",
        version=release(),
        lifespan=lifespan,
        description="Computational chemistry that remembers: nothing is computed twice.",
        instructions=instructions(),
        get_tool_input_schema=lambda _: None,  # no argument travels in a header
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
    security = RequestStateSecurity.ephemeral(ttl=ANSWERABLE)
    server.middleware.append(RequestStateBoundary(security, default_audience="grafico"))
    return server


def instructions() -> str:
    """Return what a model is told of the server: what `grafico ask` tells it, as far as it fits."""
    from grafico.agent.prompt import prompt

    fitting = ("Plan.", "Numbers.", "Failures.", "Data.")
    told = [part for part in prompt().split("\n\n") if part.startswith(fitting)]
    return "\n\n".join(
        (
            "Grafico computes chemistry and remembers all results in a knowledge graph.",
            "Objects. Tools take and give IRIs (g:id/...). Copy them exactly. A molecule is a "
            "name, a SMILES, an IRI or a structure file by name; coordinates are read from files "
            "only.",
            *told,
        )
    )


async def list_tools(ctx: ServerRequestContext[Hub], _: Any) -> wire.ListToolsResult:
    """Answer `tools/list`."""
    await ctx.lifespan_context.tools()
    return wire.ListToolsResult(tools=ctx.lifespan_context.told)


async def call_tool(
    ctx: ServerRequestContext[Hub], params: wire.CallToolRequestParams
) -> wire.CallToolResult | wire.InputRequiredResult:
    """Answer `tools/call`."""
    hub = ctx.lifespan_context
    tool = (await hub.tools()).get(params.name)
    if tool is None:
        known = ", ".join(await hub.tools())
        found = f"there is no tool {params.name[:60]!r}; there are: {known}"
        raise MCPError(wire.INVALID_PARAMS, found)

    from grafico.agent.toolbox import ArgumentsError, Returned, as_error

    from .calls import ClientCall

    try:
        session, contexts = await hub.session(), await hub.contexts()
    except GraficoError as error:
        return as_result(Returned({"error": as_error(error)}))
    except Exception as error:
        _log.exception("the session could not be opened")
        fault = GraficoError("cannot open a session", f"{type(error).__name__}: {error}")
        return as_result(Returned({"error": as_error(fault)}))
    client = client_of(ctx)
    with contexts.at(client) as context:
        call = ClientCall(ctx, params, contexts.questions, contexts.trusted)
        context.client = call.client or "an MCP client"

        async def work() -> Returned:
            async with contexts.share(client) if tool.reads else nullcontext():
                return await tool(context, params.arguments or {})

        try:
            came = await call.run(work, session.executor.events)
        except ArgumentsError as error:
            return as_result(Returned({"error": as_error(error)}))
        if isinstance(came, wire.InputRequiredResult):
            return came
        return as_result(came, links(contexts, context, came))


def client_of(ctx: ServerRequestContext[Hub]) -> str | None:
    """Return who the client is, as far as it can be known again.

    Over stdio there is one. Over HTTP a client has a session, whose identifier the transport has
    checked; since 2026-07-28 there are none.
    """
    if ctx.request is None:
        return ""
    if ctx.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
        return ctx.request.headers.get("mcp-session-id")
    return None


def as_result(came: Returned, more: list[wire.ResourceLink] | None = None) -> wire.CallToolResult:
    """Return what came of a call as clients read it: text, structure, picture, files."""
    text = to_json(came.found, inf_nan_mode="null", fallback=str)
    content: list[wire.ContentBlock] = [wire.TextContent(text=text.decode())]
    if came.image is not None:
        picture = base64.b64encode(came.image).decode()
        content.append(wire.ImageContent(data=picture, mime_type="image/png"))
    return wire.CallToolResult(
        content=[*content, *(more or ())],
        structured_content=from_json(text),
        is_error="error" in came.found,
    )


def links(
    contexts: ClientContexts, context: ToolContext, came: Returned
) -> list[wire.ResourceLink]:
    """Return links to the files that a tool has made."""
    from .resources import FILE, mime_type

    found: list[wire.ResourceLink] = []
    named = [came.found, *(row for one in came.found.values() for row in _rows(one))]
    files = [name for row in named for name in (row.get("file"), *row.get("files", ()))]
    for name in dict.fromkeys(one for one in files if isinstance(one, str)):
        with suppress(GraficoError):
            if (path := context.path(name)).is_file():
                uri = FILE.expand({"name": contexts.offer(path)})
                found.append(
                    wire.ResourceLink(
                        uri=uri, name=name, mime_type=mime_type(path), size=path.stat().st_size
                    )
                )
    return found


def _rows(node: Any) -> list[dict[str, Any]]:
    every = cast("list[Any]", node) if isinstance(node, list) else []
    return [cast("dict[str, Any]", one) for one in every if isinstance(one, dict)]
