"""``grafico web``: the page where people talk, watch and look."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from .forms import threads_option
from .options import options, session, trace_option

if TYPE_CHECKING:
    from ..session.client import Grafico


@click.command()
@options(
    click.option(
        "--at",
        "place",
        metavar="[HOST:]PORT",
        default="",
        help="Serve it there.  [default: port 8642 of this machine, or one that is free]",
    ),
    click.option("--no-browser", is_flag=True, help="Do not open it in a browser."),
    threads_option,
    trace_option,
)
def web(
    place: str,
    no_browser: bool,
    threads: int | None,
    trace: str | None,
    store: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Open a page on this machine: conversation, live structures, runs.

    It needs no network and no key, and nobody else can use it. See docs/page.md.
    """
    from triplestore.errors import ComponentError

    try:
        from ..web.serve import serve_page
    except ImportError as error:
        raise ComponentError.extra("cannot serve the page", "a web server", "page") from error

    def opened() -> Grafico:
        return session(store, threads_per_calculation=threads, trace=trace)

    seen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    serve_page(opened, place, browse=seen and not no_browser)
