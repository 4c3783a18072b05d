"""How what pages say is read, and how they are answered: JSON, files, errors."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, cast

from starlette.responses import JSONResponse, Response

from triplestore.errors import GraficoError, InputError, NotFoundError, ResourceError, TrustError

from .room import Room
from .talk import DOOR

if TYPE_CHECKING:
    from starlette.requests import Request

MOST_BODY = 1_000_000
"""Bytes of what a page says at once, files apart."""

STATUS = ((NotFoundError, 404), (InputError, 400), (TrustError, 403), (ResourceError, 409))


def file_of(content: str | bytes, kind: str, name: str) -> Response:
    """Return what a browser saves as a file of that name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type=kind, headers=headers)


def number_of(text: str, least: int, most: int) -> int:
    """Return a whole number that a page says.

    Raises:
        InputError: it is none, or out of bounds.
    """
    if not text.isdecimal() or not least <= int(text[:9]) <= most:
        raise InputError("a list was asked for", f"{text[:20]!r} is no number for that", "")
    return int(text)


async def body(request: Request) -> dict[str, Any]:
    """Return what a page says.

    Raises:
        InputError: it is too long, or no object of JSON.
    """
    whole = b""
    async for part in request.stream():
        whole += part
        if len(whole) > MOST_BODY:
            raise InputError("a request was read", "it is too long", "attach a file instead")
    try:
        said = json.loads(whole or b"{}")
    except (ValueError, RecursionError) as error:
        raise InputError("a request was read", f"it is no JSON ({error})", "") from error
    if not isinstance(said, dict):
        raise InputError("a request was read", "it is no object of JSON", "")
    return cast("dict[str, Any]", said)


def answering(
    function: Callable[[Request], Awaitable[Any]], room: Room, waits: bool
) -> Callable[[Request], Awaitable[Response]]:
    """Return what answers with JSON, and says what goes wrong; `waits` until the store is open."""

    async def answer(request: Request) -> Response:
        from workflows.trust.caller import Caller, asked_by

        try:
            if waits:
                await room.session()
            with asked_by(Caller(door=DOOR)):  # for whom no file is read
                said = await function(request)
        except GraficoError as error:
            return failure(error, next((n for kind, n in STATUS if isinstance(error, kind)), 500))
        except Exception as error:
            room.log(error)
            fault = GraficoError("a request of the page", f"a fault: {type(error).__name__}")
            return failure(fault, 500)
        if isinstance(said, Response):
            return said
        return JSONResponse(said, headers={"Cache-Control": "no-store"})

    return answer


def failure(error: GraficoError, status: int) -> JSONResponse:
    """Return an error as pages read it."""
    said = {"asked": error.asked, "found": error.found, "advice": error.advice}
    return JSONResponse({"error": {"kind": type(error).__name__, **said}}, status)
