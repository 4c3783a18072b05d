"""Where a remote store is: its two endpoints, and who asks."""

from __future__ import annotations

import base64
import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from triplestore.errors import InputError

USER, PASSWORD, TOKEN = "GRAFICO_STORE_USER", "GRAFICO_STORE_PASSWORD", "GRAFICO_STORE_TOKEN"

# Path of the query endpoint -> path of the update endpoint, the first that matches. What matches
# none (Blazegraph, Virtuoso, Stardog behind one path) takes both at the same URL.
_UPDATE_PATHS = (
    (re.compile(r"/query$"), "/update"),  # Oxigraph, Fuseki
    (re.compile(r"^(/[^/]+)/sparql$"), r"\1/update"),  # Fuseki: /DATASET/sparql
    (re.compile(r"(/repositories/[^/]+)$"), r"\1/statements"),  # RDF4J, GraphDB
)
_BLAZEGRAPH = re.compile(r"^/(blazegraph|bigdata)/sparql$|/namespace/[^/]+/sparql$")


@dataclass(frozen=True)
class Address:
    """The endpoints of a SPARQL server.

    Args:
        url: what was given, in its normal form; it opens the same store again.
        query: URL that takes queries.
        update: URL that takes updates, on the same server.
        blazegraph: whether the path is one of Blazegraph's.
    """

    url: str
    query: str
    update: str
    blazegraph: bool


@dataclass(frozen=True)
class Credentials:
    """What shows a server who asks; it never appears in a text.

    Args:
        header: the value of the header `Authorization`, or None.
        secrets: what must not be repeated, wherever a server says it.
    """

    header: str | None = field(default=None, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def hide(self, text: str) -> str:
        """Return a text of the server's without the secrets."""
        for secret in self.secrets:
            text = text.replace(secret, "…")
        return text


def read_address(url: str) -> Address:
    """Find the endpoints that a URL names.

    The URL is the one for queries. The one for updates follows from it, or stands behind
    `#update=`, absolute or relative to it.

    Raises:
        InputError: it is no such URL, or it holds a password; that is not repeated.
    """

    def refuse(found: str, advice: str) -> NoReturn:
        raise InputError(f"cannot open the store {_shown(url)!r}", found, advice)

    try:
        parts = urlsplit(url)
        name, port = parts.hostname, parts.port
    except ValueError as error:
        refuse(f"it is no URL: {error}", "write http://host:port/path")
    if "@" in parts.netloc:
        refuse(
            "it holds a user name or a password",
            f"leave them out and set {USER} and {PASSWORD}, or {TOKEN}",
        )
    if not name or re.search(r"[^\x21-\x7e]", url):
        refuse(
            "it names no host, or has characters that a URL cannot have",
            "write http://host:port/path",
        )
    if parts.query:
        refuse("it has parameters", "give the plain URL of the query endpoint, without ? and &")
    host = f"[{name}]" if ":" in name else name
    netloc = host if port is None else f"{host}:{port}"
    path = parts.path or "/"
    if path == "/":
        path = "/query"  # a bare Oxigraph
    scheme = parts.scheme.lower()
    query = urlunsplit((scheme, netloc, path, "", ""))
    update = _update_path(path)
    if parts.fragment:
        word, _, given = parts.fragment.partition("=")
        other = urlsplit(urljoin(query, given))
        if word != "update" or not given or other.query:
            refuse("its fragment is not #update= and a URL", "write e.g. …/sparql#update=/update")
        if (other.scheme, other.netloc.lower()) != (scheme, netloc):
            refuse("queries and updates go to different servers", "name one server")
        update = other.path or "/"
    shown = query if update == _update_path(path) else f"{query}#update={update}"
    return Address(
        shown,
        query,
        urlunsplit((scheme, netloc, update, "", "")),
        _BLAZEGRAPH.search(path) is not None,
    )


def read_credentials(address: Address, environment: Mapping[str, str] | None = None) -> Credentials:
    """Read from the environment who asks.

    Raises:
        InputError: half of it is missing, or it would travel readable for everybody.
    """
    environment = os.environ if environment is None else environment
    user, password = environment.get(USER, ""), environment.get(PASSWORD, "")
    token = environment.get(TOKEN, "")
    asked = f"cannot open the store {address.url!r}"
    if not (user or password or token):
        return Credentials()
    if token and (user or password):
        raise InputError(asked, f"{TOKEN} and {USER} are both set", "unset one of them")
    if not token and not (user and password):
        raise InputError(asked, f"of {USER} and {PASSWORD} only one is set", "set both, or neither")
    if re.search(r"[\x00-\x1f\x7f]", user + password + token) or not token.isascii():
        raise InputError(
            asked, "the credentials hold characters that cannot be sent", "see how they were set"
        )
    parts = urlsplit(address.query)
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise InputError(
            asked,
            "over plain http everybody on the way could read the credentials",
            f"use https, or a tunnel to this host (ssh -L); or unset {USER} and {TOKEN}",
        )
    if token:
        return Credentials(f"Bearer {token}", (token,))
    if ":" in user:
        raise InputError(asked, f"{USER} holds a colon", "give a name without")
    encoded = base64.b64encode(f"{user}:{password}".encode()).decode()
    return Credentials(f"Basic {encoded}", (encoded, password))


def is_loopback(host: str) -> bool:
    """Whether a host is this machine by its very name."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _update_path(path: str) -> str:
    if _BLAZEGRAPH.search(path):
        return path
    for pattern, replacement in _UPDATE_PATHS:
        changed, count = pattern.subn(replacement, path)
        if count:
            return changed
    return path


def _shown(url: str) -> str:
    """Return a URL as it may be repeated: without what could be a secret."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.split("@")[-1].split("?")[0]
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(SplitResult(parts.scheme, place, parts.path, "", ""))
