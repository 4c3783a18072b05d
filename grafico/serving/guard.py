"""`Guard`: who may ask a server of this machine, and what its answers let a browser do."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Nothing of other servers, nothing inline."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}

OPEN = ("GET", "HEAD")
"""Methods by which the page itself is read, which holds nothing of anybody."""


class Guard:
    """Lets in pages of this server that show its token.

    A page of somebody else is refused by its origin, and by the host that it has asked for where
    its name was made to point here. There is no cookie: browsers send those of one port to all.

    Args:
        app: what is guarded.
        hosts: by which this server is called, with its port.
        token: of who may ask; the page shows it in a header.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], token: str) -> None:
        self._app, self._hosts, self._token = app, hosts, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        why = self._refused(scope)
        if why is None:
            await self._app(scope, receive, answer)
            return
        status, found, advice = why
        said = {"kind": "TrustError", "asked": "cannot answer", "found": found, "advice": advice}
        await JSONResponse({"error": said}, status)(scope, receive, answer)

    def _refused(self, scope: Scope) -> tuple[int, str, str] | None:
        """Return why a request is not answered: status, what was found, what to do."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self._hosts:
            return 421, "this server is not called so", "open the address that it has printed"
        if origin is not None and origin.removeprefix("http://") not in self._hosts:
            return 403, "another page asks", "open the address that this server has printed"
        if not scope["path"].startswith("/api/"):
            if scope["method"] in OPEN:
                return None
            return 405, "the page is read only", "ask under /api/"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "another page asks", "open the address that this server has printed"
        kind, _, token = headers.get("authorization", "").encode("latin-1").partition(b" ")
        if kind.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token):
            return None
        return 401, "the token is missing or wrong", "open the address that this server has printed"
