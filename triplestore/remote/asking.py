"""What is asked of a SPARQL server: how a query is sent, and how its answer is read."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import IO, Any, Protocol, cast

import pyoxigraph as ox
from SPARQLWrapper import POST, POSTDIRECTLY, URLENCODED, SPARQLWrapper

from triplestore.bounds import Bounds
from triplestore.errors import QueryError, ResourceError
from triplestore.remote.address import Address
from triplestore.remote.canonical import canonical
from triplestore.remote.connection import Body
from triplestore.remote.transport import Request
from triplestore.store import Answer, Table, Term, Triples

_FORM = re.compile(
    r"(?:\s|\#[^\r\n]*|BASE\s*<[^<>]*>|PREFIX\s+[^\s:<>]*:\s*<[^<>]*>)*(\w*)", re.IGNORECASE
)
_PIECE = 256 * 1024


class Reader(Protocol):
    """What gives bytes, in pieces of its own choice; none at the end."""

    def read(self, size: int = -1, /) -> bytes: ...


class Wrapper(SPARQLWrapper):
    """Builds the request for one query."""

    def __init__(
        self, address: Address, form: str, sparql: str, parameters: list[tuple[str, str]]
    ) -> None:
        self._form = form
        super().__init__(address.query)
        self.setMethod(POST)
        self.setOnlyConneg(True)
        self.setQuery(sparql)
        for name, value in parameters:
            self.addParameter(name, value)
        # A form may be limited in size, and so may a URL.
        if len(parameters) > 1:
            self.setRequestMethod(URLENCODED)
        else:
            self.setRequestMethod(POSTDIRECTLY)
            # Blazegraph takes it for Latin-1 otherwise.
            self.addCustomHttpHeader("Content-Type", "application/sparql-query; charset=utf-8")

    def _parseQueryType(self, query: str) -> str:
        del query
        return self._form

    def request(self, limit: float | None) -> Request:
        """Return the request, for another to send."""
        try:
            made = self._createRequest()
        except UnicodeEncodeError as error:
            raise QueryError("query a store", str(error), "give Unicode text") from None
        body = cast("bytes", made.data)
        return Request(
            f"query {self.endpoint}",
            made.full_url.removesuffix("?"),
            dict(made.header_items()),
            lambda: body,
            limit,
        )


class Capped:
    """Bytes of an answer up to a limit, and then no more."""

    def __init__(self, source: Reader, limit: int) -> None:
        self._source, self._left, self.full = source, limit, False

    def read(self, size: int = -1, /) -> bytes:
        if self.full:
            return b""
        piece = self._source.read(size)
        self._left -= len(piece)
        if self._left < 0:
            self.full = True
            piece = piece[: self._left]
        return piece


class Joined:
    """N-Triples in which a character beyond U+FFFF is one escape, not the two that Java writes."""

    _PAIR = re.compile(rb"(?<!\\)((?:\\\\)*)\\u([Dd][89ABab]..)\\u([Dd][C-Fc-f]..)")
    _BEGUN = re.compile(
        rb"\\+(?:u(?:[0-9A-Fa-f]{0,3}|[Dd][89ABab]..(?:\\(?:u[0-9A-Fa-f]{0,3})?)?))?\Z"
    )

    def __init__(self, source: Reader) -> None:
        self._source, self._kept = source, b""

    def read(self, size: int = -1, /) -> bytes:
        while piece := self._source.read(max(1, size - len(self._kept)) if size > 0 else size):
            text = self._kept + piece
            begun = self._BEGUN.search(text)
            end = begun.start() if begun else len(text)
            self._kept = text[end:]
            if end:
                return self._PAIR.sub(_one_escape, text[:end])
        text, self._kept = self._kept, b""
        return self._PAIR.sub(_one_escape, text)


def _one_escape(match: re.Match[bytes]) -> bytes:
    high, low = int(match[2], 16), int(match[3], 16)
    return match[1] + b"\\U%08X" % (0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def form_of(sparql: str) -> str:
    """Return the form of a query: its first word behind comments and prefixes."""
    match = _FORM.match(sparql)
    word = match[1].upper() if match else ""
    if word not in ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE"):
        raise QueryError(
            "query a store",
            f"it begins with {word[:40]!r}" if word else "it is no query",
            "write one SELECT, ASK, CONSTRUCT or DESCRIBE query",
        )
    return word


@contextmanager
def whole(body: Body, bounds: Bounds) -> Generator[None]:
    """Say that an answer with a good status is none."""
    try:
        yield
    except MemoryError:
        raise bounds.row_too_large() from None
    except (SyntaxError, ValueError) as error:
        if body.late:
            raise bounds.late() from None
        reason = str(getattr(error, "msg", None) or error)
        raise ResourceError(
            "cannot read the answer to a query",
            f"it is not whole or not valid: {reason[:300]}",
            "ask again; if that does not help, see the server's log and its limits",
        ) from None


def read_answer(form: str, body: Body, bounds: Bounds) -> Answer:
    """Read the answer to a query, up to its limits.

    Raises:
        SyntaxError: it is not whole, or not valid.
        ValueError: it is the answer to something else.
    """
    capped = Capped(body, bounds.max_bytes)
    try:
        if form in ("CONSTRUCT", "DESCRIBE"):
            return _read_triples(capped, bounds)
        return _read_results(capped, form, body, bounds)
    except BaseException as error:
        # Without its frames: what pyoxigraph made must end in the thread that made it.
        raise error.with_traceback(None) from None


def _read_results(capped: Capped, form: str, body: Body, bounds: Bounds) -> Answer:
    results = ox.parse_query_results(as_file(capped), ox.QueryResultsFormat.JSON)
    if isinstance(results, ox.QueryBoolean) != (form == "ASK"):
        raise ValueError("an answer of another form")
    if isinstance(results, ox.QueryBoolean):
        body.read_all(_PIECE)
        return bool(results)
    assert isinstance(results, ox.QuerySolutions)
    names = tuple(variable.value for variable in results.variables)
    rows: list[tuple[Term | None, ...]] = []
    cut = _take((tuple(map(canonical, row)) for row in results), rows, capped, bounds)
    if cut is None:
        body.read_all(_PIECE)
    return Table(names, rows, cut)


def _read_triples(capped: Capped, bounds: Bounds) -> Triples:
    answer = Triples()
    parsed = ox.parse(as_file(Joined(capped)), ox.RdfFormat.N_TRIPLES)
    # CONSTRUCT makes a set, but not every server takes the trouble.
    seen: set[ox.Triple] = set()
    answer.cut = _take(map(_canonical, parsed), answer, capped, bounds, seen)
    return answer


def _canonical(quad: ox.Quad) -> ox.Triple:
    stored = quad.object
    term: Any = canonical(stored)
    return quad.triple if term is stored else ox.Triple(quad.subject, quad.predicate, term)


def _take(
    found: Iterator[Any],
    rows: list[Any],
    capped: Capped,
    bounds: Bounds,
    seen: set[Any] | None = None,
) -> str | None:
    """Fill `rows` up to the limits; returns what was cut, if anything."""
    cells = 0
    try:
        for row in found:
            if seen is not None:
                if row in seen:
                    continue
                seen.add(row)
            if len(rows) == bounds.max_rows:
                return bounds.rows_cut()
            cells += len(row)
            if cells > bounds.max_cells:
                return bounds.cells_cut(len(rows))
            rows.append(row)
    except SyntaxError:
        if not capped.full:
            raise
    return bounds.bytes_cut(len(rows)) if capped.full else None


def as_file(reader: Reader) -> IO[bytes]:
    """Return a reader as pyoxigraph wants it."""
    return cast("IO[bytes]", reader)
