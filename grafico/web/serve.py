"""Serving the page on this machine, for the one who has started it."""

from __future__ import annotations

import secrets
import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING

from grafico.serving.guard import Guard
from grafico.serving.listening import address, is_here, listen, read_place, serve
from triplestore.errors import InputError, ResourceError

from ..say import say
from .room import Room
from .routes import PAGE, make_app

if TYPE_CHECKING:
    from grafico.session.client import Grafico

USUAL = "127.0.0.1:8642"
"""Where the page is, if that is free."""


def serve_page(opened: Callable[[], Grafico], place: str, browse: bool) -> None:
    """Serve until this process is told to end.

    Args:
        opened: opens the session, in a thread, when the page is there already.
        place: `[HOST:]PORT`; empty for the usual one, or any that is free.
        browse: open it in a browser.

    Raises:
        InputError: others than this machine's could come in there.
        ResourceError: nothing can listen there, or the page was not built.
    """
    if not (PAGE / "index.html").is_file():
        advice = "build it (`make page`), or install a release"
        raise ResourceError("the page was to be served", "it was not built", advice)
    host, port = read_place(place or USUAL)
    if not is_here(host):
        raise InputError(
            f"cannot serve the page on {host}",
            "other machines reach that, and a page is for one person at this machine",
            "serve it here, and come by a tunnel: ssh -L 8642:127.0.0.1:8642 THAT_MACHINE",
        )
    try:
        listening = listen(host, port)
    except ResourceError:
        if place:
            raise
        listening = listen(host, 0)
    token = secrets.token_urlsafe(24)
    here = address(listening)
    port = listening.getsockname()[1]
    hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))
    with listening:
        whole = f"{here}/#token={token}"
        say(f"the page: {whole}\nonly who has this address can use it; Ctrl-C ends it", err=True)
        if browse:
            webbrowser.open(whole)
        serve(Guard(make_app(Room(opened)), hosts, token), listening)
