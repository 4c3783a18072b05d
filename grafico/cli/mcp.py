"""``grafico mcp``: the tools of ``grafico ask`` for assistants, by the Model Context Protocol."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..say import say
from .forms import threads_option
from .options import options, session, trace_option

if TYPE_CHECKING:
    from ..session.client import Grafico


@click.command()
@options(
    click.option(
        "--http",
        "place",
        metavar="[HOST:]PORT",
        help="Serve streamable HTTP there.  [default: standard input and output]",
    ),
    click.option(
        "--allow-host",
        "names",
        metavar="NAME",
        multiple=True,
        help="With --http: let in others than this machine's, who call it so. May be "
        "given several times.",
    ),
    click.option(
        "--no-token",
        "open_to_all",
        is_flag=True,
        help="With --http: let in every user and program of this machine.",
    ),
    click.option(
        "--folder",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Of the structures that can be read and the files that are made.  "
        "[default: here; with --http a temporary one for each client]",
    ),
    click.option("--yes", is_flag=True, help="Agree to what takes long, costs or asks a server."),
    threads_option,
    trace_option,
    click.option("--quiet", is_flag=True, help="Show no progress on standard error."),
)
def mcp(
    place: str | None,
    names: tuple[str, ...],
    open_to_all: bool,
    folder: Path | None,
    yes: bool,
    threads: int | None,
    trace: str | None,
    quiet: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Serve Grafico's tools to an assistant, by the Model Context Protocol.

    The assistant starts this command itself; see docs/mcp.md for what to tell it.
    """
    from triplestore.errors import ComponentError, InputError

    from ..session.settings import read_settings
    from ..views.progress import Progress

    settings = read_settings(store=store, trace=trace)
    settings.check_places()  # now, not when an assistant first asks
    if place is None and names:
        raise click.UsageError("--allow-host is for --http")
    if place is None and open_to_all:
        raise click.UsageError("--no-token is for --http")
    if place is not None and folder is not None:
        raise click.UsageError("with --http each client has a folder of its own: no --folder")
    here = (folder or Path()).resolve()
    if place is None and not os.access(here, os.W_OK):
        raise InputError(
            f"cannot serve tools, with their files in {here}",
            "nothing can be written there",
            "choose a folder with --folder",
        )
    try:
        from ..mcp.server import make_server
    except ImportError as error:
        raise ComponentError.extra(
            "cannot serve tools",
            "the SDK of the Model Context Protocol",
            "mcp",
        ) from error

    def opened() -> Grafico:
        return session(
            store,
            threads_per_calculation=threads,
            listener=Progress(quiet),
            trace=trace,
        )

    if place is None:
        import asyncio

        from ..mcp.stdio import serve_pipe

        if sys.stdin.isatty():
            say("this talks to assistants, see docs/mcp.md; Ctrl-C ends it", err=True)
        asyncio.run(serve_pipe(make_server(settings, opened, here, yes)))
    else:
        from ..mcp.web import serve_http

        serve_http(make_server(settings, opened, None, yes), place, names, open_to_all)
