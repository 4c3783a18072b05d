"""How a namespace of Blazegraph must be set up, how that is seen, and how a new one is made."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Mapping

from triplestore.errors import GraficoError, InputError, NotFoundError
from triplestore.remote.address import read_address, read_credentials
from triplestore.remote.transport import Request, Transport

_STORE = "com.bigdata.rdf.store.AbstractTripleStore."
_LIMIT = 60.0
_log = logging.getLogger(__name__)

# Numbers in binary: otherwise it compares them by their text, and finds no sum or default that it
# computes itself among them. Times as they are written: otherwise they lose their zone and what is
# finer than a millisecond. Every text and IRI by its very letters: the index that is used below the
# threshold takes texts for one that ICU sorts alike (é and e with an accent behind it, Ω and the
# unit, whatever has no width). No IRI is rewritten as a UUID or an address.
_NEEDED = {
    _STORE + "quads": "true",
    _STORE + "inlineXSDDatatypeLiterals": "true",
    _STORE + "inlineDateTimes": "false",
    _STORE + "blobsThreshold": "0",
    _STORE + "inlineURIFactory": "com.bigdata.rdf.internal.NoInlineURIFactory",
}
# What holds where nothing is said.
_DEFAULTS = {_STORE + "inlineXSDDatatypeLiterals": "true"}

PROPERTIES = {
    **_NEEDED,
    _STORE + "textIndex": "false",
    _STORE + "axiomsClass": "com.bigdata.rdf.axioms.NoAxioms",
    "com.bigdata.rdf.sail.truthMaintenance": "false",
}
"""What a namespace for Grafico is made with: in quads mode, without text index and inference."""


class Namespace:
    """The namespace behind an address; it is asked once how it was set up.

    Args:
        transport: to its server.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._lock = threading.Lock()
        self._fault: str | None = None
        self._missing = False
        # The short URL is that of the namespace which Blazegraph is started with.
        query = re.sub(r"/(blazegraph|bigdata)/sparql$", r"/\1/namespace/kb/sparql", self._url)
        self._place = re.sub(r"/sparql$", "/properties", query)

    @property
    def _url(self) -> str:
        return self._transport.address.query

    @property
    def good(self) -> bool:
        """Whether it keeps what it is given; it is said once in the log if not.

        Raises:
            ResourceError: the server cannot be reached.
        """
        with self._lock:
            if self._fault is None:
                self._fault = self._look()
                if self._fault:
                    _log.warning(
                        "%s can only be read (%s). Searches for numbers may miss some, and texts"
                        " may have been taken for others. %s",
                        self._transport.address.url,
                        self._fault,
                        self._way_out(),
                    )
        return not self._fault

    def check_writable(self) -> None:
        """Refuse to write where texts or numbers would be changed.

        Raises:
            InputError: it was set up otherwise, or does not say how.
            NotFoundError: there is none.
        """
        good, asked = self.good, f"insert quads into {self._transport.address.url}"
        if self._missing:
            self._fault = None  # it may be made meanwhile
            raise NotFoundError(
                asked,
                f"the server knows no {self._place}",
                f"{self._make()}; what stands before it must let that URL through",
            )
        if not good:
            problem = f"the namespace would change texts and numbers: {self._fault}"
            raise InputError(asked, problem, self._way_out())

    def _look(self) -> str:
        """Return what is wrong with it; empty for nothing."""
        asked = f"ask how {self._transport.address.url} was set up"
        headers = {"Accept": "text/plain"}
        request = Request(asked, self._place, headers, lambda: b"", _LIMIT, method="GET")
        self._missing = False
        try:
            with self._transport.send(request) as body:
                text = body.read_all(1 << 20).decode("utf-8", "replace")
        except NotFoundError:
            self._missing = True
            return ""
        except InputError as error:
            return f"it does not say how it was set up, at {self._place}: {error.found}"
        said = dict(
            line.split("=", 1) for line in text.splitlines() if "=" in line and line[:1] != "#"
        )
        wrong = [
            f"{name.removeprefix(_STORE)}={said.get(name, 'default')} instead of {value}"
            for name, value in _NEEDED.items()
            if said.get(name, _DEFAULTS.get(name)) != value
        ]
        return ", ".join(wrong)

    def _make(self) -> str:
        server = re.sub(r"/(namespace/[^/]+/)?sparql$", "", self._url)
        return f"make one: python -m triplestore.remote.blazegraph --create NAME --server {server}"

    def _way_out(self) -> str:
        return f"{self._make()}, and bring this one over by grafico backup and grafico restore"


def create(server: str, name: str, **other: str) -> str:
    """Make a namespace, empty and as Grafico needs it, and return its URL.

    Args:
        server: the URL of Blazegraph, as in `http://127.0.0.1:9999/blazegraph`.
        name: of letters, digits, `-` and `_`.
        other: properties that differ, by their short names.

    Raises:
        InputError: the name cannot be used or is taken, or the server is none.
        ResourceError: it cannot be reached.
    """
    asked = f"make the namespace {name!r}"
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", name):
        raise InputError(asked, "the name has other characters", "use letters, digits, - and _")
    server = server.rstrip("/")
    address = read_address(f"{server}/namespace/{name}/sparql")
    lines = {
        "com.bigdata.rdf.sail.namespace": name,
        **PROPERTIES,
        **{_STORE + key: value for key, value in other.items()},
    }
    headers = {"Content-Type": "text/plain"}
    body = written(lines).encode()
    request = Request(
        asked, f"{server}/namespace", headers, lambda: body, _LIMIT, writes=True, good=(201,)
    )
    transport = Transport(address, read_credentials(address))
    try:
        with transport.send(request) as answer:
            answer.read_all(1 << 20)
    except GraficoError as error:
        if "EXISTS" in error.found.upper() or "409" in error.found:
            raise InputError(asked, "there is one of that name", "choose another") from None
        raise
    finally:
        transport.close()
    return address.url


def written(properties: Mapping[str, str]) -> str:
    """Write properties as a Java program reads them."""
    return "".join(f"{name}={value}\n" for name, value in properties.items())
