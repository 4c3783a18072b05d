"""HTTP to one server: whole answers in bounded time, or an error that says what is wrong.

`http.client` does the protocol. What it leaves open is decided here: one time limit for all of a
request, connections that are kept, no redirects, and what may be tried again.
"""

from __future__ import annotations

import http.client
import os
import re
import ssl
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from triplestore.errors import (
    ComponentError,
    GraficoError,
    InputError,
    NotFoundError,
    QueryError,
    ResourceError,
    TimeLimitError,
)
from triplestore.remote.address import PASSWORD, TOKEN, USER, Address, Credentials
from triplestore.remote.connection import LATE, Body, Connection, ConnectionBroken

_PATIENCE = 3.0  # seconds of trying again, all in all
_PIECE = 64 * 1024
_BUSY = (502, 503, 504)
_MALFORMED = re.compile(rb"MalformedQueryException|NumberFormatException")


@dataclass(frozen=True)
class Request:
    """One request; all that are made here may be repeated.

    Args:
        asked: what is asked, as the first part of an error.
        url: where.
        headers: beside those of the transport.
        body: makes the pieces of the body anew for each attempt.
        limit: seconds for the request and its answer; None for no limit while bytes come.
        writes: whether it changes the store.
        method: of HTTP.
        good: what status an answer has.
    """

    asked: str
    url: str
    headers: Mapping[str, str]
    body: Callable[[], bytes | Iterator[bytes]]
    limit: float | None
    writes: bool = False
    method: str = "POST"
    good: tuple[int, ...] = (200, 204)


class Transport:
    """Requests to the server of one address; usable from several threads.

    Args:
        address: the endpoints.
        credentials: sent to this server with each request, and to no other.
    """

    def __init__(self, address: Address, credentials: Credentials) -> None:
        self.address, self._credentials = address, credentials
        self._origin = urlsplit(address.query)
        self._pid = os.getpid()
        # `append` and `pop` of a list are atomic, so the list needs no lock of its own.
        self._idle: list[Connection] = []
        self._tls: ssl.SSLContext | None = None
        self.sent = 0

    @contextmanager
    def send(self, request: Request) -> Generator[Body]:
        """Send a request and give the body of its answer, whose status was good.

        The connection is kept for the next request if the body was read to its end.

        Raises:
            TimeLimitError: the time limit has passed.
            InputError: the server refuses the request, or sends it elsewhere.
            ResourceError: no answer, or none that is whole.
            ComponentError: the server does not speak the protocol.
        """
        self.sent += 1
        with self._errors(request):
            link, answer = self._try(request)
            try:
                body = Body(answer, link)
                if answer.status not in request.good:
                    raise self._refusal(request, answer, body)
                yield body
                if answer.isclosed() and not answer.will_close:
                    self._idle.append(link)
                    link = None
            finally:
                if link is not None:
                    answer.close()  # half of it may still be on its way
                    link.close()

    def close(self) -> None:
        """Close the connections that nobody uses."""
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _try(self, request: Request) -> tuple[Connection, http.client.HTTPResponse]:
        """Send until there is an answer, as long as it is worth it."""
        started, pause = time.monotonic(), 0.1
        deadline = None if request.limit is None else started + request.limit
        while True:
            link, reused = self._take(deadline)
            again = time.monotonic() - started < _PATIENCE
            try:
                path, question, parameters = request.url.partition("?")
                path = urlsplit(path).path + question + parameters
                answer = link.exchange(request.method, path, request.body(), self._headers(request))
                if answer.status not in _BUSY or not again:
                    return link, answer
                link.close()
            except TimeoutError:
                link.close()
                raise
            except (ConnectionError, http.client.HTTPException) as error:
                link.close()
                if reused:
                    self.close()  # the server hung up on it, and on its like, while it was idle
                    continue
                if not again or not isinstance(error, ConnectionError):
                    raise
            except BaseException:
                link.close()
                raise
            time.sleep(pause)
            pause = min(2 * pause, 1.0)

    def _take(self, deadline: float | None) -> tuple[Connection, bool]:
        if self._pid != os.getpid():
            # A forked child: the connections are the parent's.
            inherited, self._idle, self._pid = self._idle, [], os.getpid()
            for link in inherited:
                link.close()
        with suppress(IndexError):
            link = self._idle.pop()
            link.deadline = deadline
            return link, True
        if self._origin.scheme == "https" and self._tls is None:
            self._tls = ssl.create_default_context()
        return Connection(
            self._origin.hostname or "", self._origin.port, self._tls, deadline
        ), False

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {"User-Agent": "grafico", **request.headers}
        if self._credentials.header:
            headers["Authorization"] = self._credentials.header
        return headers

    @contextmanager
    def _errors(self, request: Request) -> Generator[None]:
        """Say what went wrong on the way."""
        asked, place = request.asked, self.address.url
        open_end = "; whether it was stored is open" if request.writes else ""
        again = "ask again, that is safe" if request.writes else "narrow it or raise the limit"
        try:
            yield
        except GraficoError:
            raise
        except TimeoutError:
            limit = "" if request.limit is None else f" in {request.limit:g} s"
            raise TimeLimitError(asked, f"no answer{limit}{open_end}", again) from None
        except ssl.SSLCertVerificationError as error:
            raise ComponentError(
                asked,
                f"the certificate of {place} is not valid: {error.verify_message}",
                "mend it, or name your own authority in SSL_CERT_FILE",
            ) from None
        except ConnectionBroken as error:
            raise ResourceError(
                asked, f"{place}: {error}{open_end}", "ask again; see the server's log"
            ) from None
        except http.client.HTTPException as error:
            raise ComponentError(
                asked,
                f"{place} does not speak HTTP as it should: {type(error).__name__}",
                "see whether a SPARQL server listens there",
            ) from None
        except OSError as error:
            reason = error.strerror or str(error)
            raise ResourceError(
                asked,
                f"{place} cannot be reached: {reason}{open_end}",
                "see that server and network are there; a store in a folder needs neither",
            ) from None

    def _refusal(
        self, request: Request, answer: http.client.HTTPResponse, body: Body
    ) -> GraficoError:
        """The error for an answer that is no success."""
        status, asked = answer.status, request.asked
        if 300 <= status < 400:
            target = re.split(r"[?#]", answer.getheader("Location") or "another place")[0]
            return InputError(
                asked,
                f"{self.address.url} has moved to {re.sub('//[^/]*@', '//', target)[:200]}",
                "give the new URL; a redirect is not followed",
            )
        text = body.read_all(_PIECE)
        words = self._credentials.hide(message_of(text)) or "without a word"
        problem = f"the server answered {status}: {words}"
        if LATE.search(text):
            return TimeLimitError(asked, problem, "narrow it or raise the limit")
        if status == 500 and _MALFORMED.search(text):
            status = 400
        match status:
            case 400:
                kind = InputError if request.writes else QueryError
                return kind(asked, problem, "mend it there")
            case 401 | 403 | 407:
                advice = f"set {USER} and {PASSWORD}, or {TOKEN}, to what the server wants"
                return InputError(asked, problem, advice)
            case 404 | 410:
                return NotFoundError(asked, problem, "see docs/stores.md for the URLs of servers")
            case 405 | 406 | 415 | 501:
                return InputError(
                    asked, problem, "see that the URL is a SPARQL endpoint that may be written to"
                )
            case 408 | 504:
                return TimeLimitError(asked, problem, "ask again")
            case 413:
                return InputError(asked, problem, "ask for, or insert, less at once")
            case 429 | 502 | 503:
                return ResourceError(asked, problem, "wait a little and ask again")
            case _ if 400 <= status < 500:
                return InputError(asked, problem, "see the server's manual")
            case _:
                return ResourceError(asked, problem, "see the server's log, and ask again")


def message_of(text: bytes) -> str:
    """Return what a server says about an error, as one short line."""
    words = text.decode("utf-8", "replace")
    words = re.sub(r"<(style|script).*?</\1\s*>|<[^<>]*>", " ", words[:20_000], flags=re.S | re.I)
    # Of a Java stack trace, the message of the exception.
    words = re.split(r"\n\s+at ", words)[0]
    if match := re.search(r"(?:.*\b[\w.]+(?:Exception|Error): )(.*)", words, re.S):
        words = match[1]
    words = re.sub(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+", " ", words).strip()
    return words if len(words) <= 300 else words[:300] + "…"
