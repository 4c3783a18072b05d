"""The server over HTTP: on this machine unless said otherwise, and only for whom it is meant."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

from grafico.serving import connections
from grafico.serving.listening import address, is_here, listen, read_place, serve
from triplestore.errors import InputError

from ..say import say
from .contexts import KEPT
from .sessions import MOST, Sessions
from .token import NAME, given_token, kept_token

if TYPE_CHECKING:
    from mcp.server.lowlevel.server import Server
    from starlette.types import ASGIApp, Receive, Scope, Send


class Guard:
    """Lets in who shows the token.

    Args:
        app: what is guarded.
        token: the token.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        shown = Headers(scope=scope).get("authorization", "").encode("latin-1")
        kind, _, token = shown.partition(b" ")
        if kind.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token):
            await self._app(scope, receive, send)
            return
        refused = PlainTextResponse(
            "show the token of this server (Authorization: Bearer …)\n",
            status_code=401,
            headers={"WWW-Authenticate": "Bearer"},
        )
        await refused(scope, receive, send)


def admission(host: str, names: Sequence[str], open_to_all: bool) -> tuple[str, str]:
    """Return the token that clients must show, empty where none is needed, and a line on it.

    Raises:
        InputError: others than this machine's could come in, and that is not agreed to in full.
        ResourceError: a token cannot be kept.
    """
    asked = f"cannot listen on {host}"
    if not is_here(host) and not names:
        raise InputError(
            asked,
            "other machines reach that",
            "say under which names with --allow-host NAME, or listen on 127.0.0.1",
        )
    if open_to_all:
        if names or not is_here(host):
            problem = "others could come in, and --no-token lets in everybody"
            raise InputError(asked, problem, "leave out --no-token")
        return "", (
            "NO TOKEN: every user and every program of this machine can come in, read and fill "
            "this store, run Python and occupy the processor; without --no-token they cannot"
        )
    if token := given_token(asked):
        return token, f"clients show the token of {NAME} (Authorization: Bearer …)"
    token, path = kept_token(asked)
    return token, f'clients show the token in {path}: "Authorization: Bearer $(cat {path})"'


def make_app(server: Server[Any], names: Sequence[str] = (), token: str = "") -> ASGIApp:
    """Return the server as an ASGI application.

    Args:
        server: the server.
        names: by which clients may call this machine, besides its own for itself: a page of the
            web that has its name point here is refused.
        token: of who may come in; empty for all.
    """
    own = ["127.0.0.1", "localhost", "[::1]"]
    hosts = [form for name in (*own, *names) for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    app = server.streamable_http_app(
        transport_security=TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins),
        session_idle_timeout=KEPT,
        max_sessions=MOST + connections.MOST,
    )
    bounded = Sessions(app)
    return Guard(bounded, token) if token else bounded


def serve_http(
    server: Server[Any], place: str, names: Sequence[str], open_to_all: bool = False
) -> None:
    """Serve until this process is told to end.

    Raises:
        InputError: it must not listen there as it is asked to.
        ResourceError: it cannot.
    """
    host, port = read_place(place)
    token, told = admission(host, names, open_to_all)
    with listen(host, port) as listening:
        say(f"listening on {address(listening)}/mcp\n{told}", err=True)
        serve(make_app(server, names, token), listening)
