"""A store on a server that speaks SPARQL 1.1: Oxigraph, Blazegraph and their like.

SPARQLWrapper builds the requests that ask. They are sent by `triplestore.remote.transport`, because
its own way to send follows redirects with the credentials, has no limit for the whole of an answer
and opens a connection each time. The form of a query is found here, because its own search takes a
comment with the word `address` for an ADD.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from triplestore.bounds import MAX_BYTES, Bounds
from triplestore.errors import InputError, ResourceError
from triplestore.guard.check import check_local
from triplestore.immutable import conflict
from triplestore.machine import spare_memory
from triplestore.quads import disk_error, parse_quads
from triplestore.reach import by_levels, by_path, by_search
from triplestore.remote.address import Credentials, read_address, read_credentials
from triplestore.remote.asking import (
    Wrapper,
    as_file,
    form_of,
    read_answer,
    whole,
)
from triplestore.remote.blazegraph_bugs import check_answerable
from triplestore.remote.canonical import canonical, canonical_quads, for_blazegraph, spelt
from triplestore.remote.conditional import (
    NULL_GRAPH,
    Pairs,
    changed,
    check_portable,
    insert_data,
    insert_if,
    settled_pairs,
)
from triplestore.remote.connection import Body
from triplestore.remote.namespace import Namespace
from triplestore.remote.threaded import in_thread
from triplestore.remote.transport import Request, Transport
from triplestore.store import Answer, Store, Table

_INSERT_LIMIT = 600.0
# Beyond the limit that a server is told, so that its own word arrives first.
_SLACK = 0.5
# Settled values in one conditional request; more are looked at before and after instead.
_TOGETHER = 20_000
_JSON = "application/sparql-results+json"
_JSONS = (_JSON, "application/json")
_TRIPLES = ("application/n-triples", "text/plain")
_PIECE = 256 * 1024


class RemoteStore(Store):
    """Quads on a SPARQL 1.1 server; several processes, threads and machines may use it at once.

    Nothing is asked of the server before the first request.

    Args:
        url: the URL of the query endpoint; see `read_address`.
        home: the folder for journals and array files, created when missing; None for none.
        max_bytes: bytes of an answer after which it is cut.
        credentials: who asks; None for the environment's.

    Raises:
        InputError: the URL, the credentials or the folder cannot be used.
        ResourceError: the folder cannot be created because the disk is full.
    """

    def __init__(
        self,
        url: str,
        home: Path | None = None,
        *,
        max_bytes: int = MAX_BYTES,
        credentials: Credentials | None = None,
    ) -> None:
        self._address = read_address(url)
        self._home, self._max_bytes, self._closed = home, max_bytes, False
        if credentials is None:
            credentials = read_credentials(self._address)
        if home is not None:
            try:
                home.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise disk_error(f"use {home} beside the store {self.url!r}", error) from error
        self._transport = Transport(self._address, credentials)
        self._namespace = Namespace(self._transport) if self._address.blazegraph else None

    def __repr__(self) -> str:
        return f"RemoteStore({self.url!r})"

    @property
    def url(self) -> str:
        """The URL of the query endpoint."""
        return self._address.url

    @property
    def home(self) -> Path | None:
        """The folder for journals and array files that was given, if any."""
        return self._home

    @property
    def requests(self) -> int:
        """How many requests this client has sent, repetitions apart."""
        return self._transport.sent

    def query(self, sparql: str, *, timeout: float = 45.0, max_rows: int | None = None) -> Answer:
        """Answer a query; see `Store.query`.

        The server is told the limit if it is Blazegraph; another works on until its own limit.
        """
        return self._query(sparql, Bounds(timeout, max_rows, self._max_bytes))

    def query_guarded(self, sparql: str, bounds: Bounds) -> Answer:
        """Answer a query of somebody else; see `Store.query_guarded`.

        The server evaluates it, as all others, within the memory that it was given itself.
        """
        most = min(bounds.max_bytes, self._max_bytes)
        memory = spare_memory() if bounds.memory is None else bounds.memory
        return self._query(sparql, replace(bounds, max_bytes=most, memory=memory))

    def _query(self, sparql: str, bounds: Bounds) -> Answer:
        self._check_open()
        graphs: list[str] = []
        if self._address.blazegraph and re.search(r"\bgraph\b", sparql, re.IGNORECASE):
            # A dataset has the named graphs that are named, and no others.
            listed = self._ask("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }", bounds, union=True)
            assert isinstance(listed, Table)
            graphs = [_value(row[0]) for row in listed.rows if _value(row[0]) != NULL_GRAPH]
        return self._ask(sparql, bounds, graphs=graphs)

    def reach(self, iris: Sequence[str], along: Sequence[str] | None = ()) -> Table:
        """Return subjects and what can be reached from them; see `Store.reach`.

        Blazegraph is asked level by level, or, where everything is followed, for its own search.
        """
        self._check_open()

        def ask(sparql: str) -> Table:
            table = self._ask(sparql, Bounds(45.0, None, self._max_bytes), ours=True)
            assert isinstance(table, Table)
            return table

        if not self._address.blazegraph:
            return ask(by_path(iris, along))
        return by_search(iris, ask) if along is None else by_levels(iris, along, ask)

    def insert(self, quads: bytes, *, durable: bool = True, settled: Collection[str] = ()) -> None:
        """Add N-Quads in one transaction; see `Store.insert`.

        How soon they are on the disk is the server's choice. Up to 20,000 values of settled
        subjects are checked in the transaction that stores; of more it is looked before and after.
        """
        del durable
        self._check_open()
        parsed = parse_quads(quads)
        check_portable(parsed)
        parsed = canonical_quads(parsed)
        if self._namespace is not None:
            self._namespace.check_writable()
            parsed = for_blazegraph(parsed)
        pairs = settled_pairs(parsed, settled)
        if not parsed:
            return
        if sum(map(len, pairs.values())) <= _TOGETHER:
            body = partial(insert_if, parsed, pairs, self._address.blazegraph)
            sure = self._update(body if pairs else partial(insert_data, parsed))
            self._check_pairs(pairs, "")
        else:
            self._check_pairs(pairs, "")
            sure = self._update(partial(insert_data, parsed))
            self._check_pairs(pairs, "it was stored at the same moment, and now both are there; ")
        if not sure:
            self._confirm(parsed[0])

    def flush(self) -> None:
        """Do nothing: a server brings each update to its disk by itself."""
        self._check_open()

    def dump(self) -> Iterator[bytes]:
        """Iterate over all quads as N-Quads, in the order in which the server gives them.

        They are asked for in one query for the unnamed graph and one for the others (Blazegraph:
        one for all), so each is a snapshot if the server reads so, and both together are not one.
        """
        self._check_open()
        return in_thread(self._dump)

    def close(self) -> None:
        """Close the connections."""
        self._closed = True
        self._transport.close()

    def _check_open(self) -> None:
        if self._closed:
            raise InputError(f"use the store {self.url!r}", "it was closed", "open it again")

    def _ask(
        self,
        sparql: str,
        bounds: Bounds,
        *,
        graphs: Iterable[str] = (),
        union: bool = False,
        ours: bool = False,
    ) -> Answer:
        sent = self._send(sparql, bounds.timeout, graphs, union, ours)
        with sent as (form, body), whole(body, bounds):
            return read_answer(form, body, bounds)

    @contextmanager
    def _send(
        self,
        sparql: str,
        timeout: float | None,
        graphs: Iterable[str] = (),
        union: bool = False,
        ours: bool = False,
    ) -> Generator[tuple[str, Body]]:
        """Send a query and give its form and the answer.

        Only one of ours may name a service; its literals have the form in which they are stored.
        """
        if not ours:
            check_local(sparql)
        form = form_of(sparql)
        if not ours:
            sparql = spelt(sparql, java=self._namespace is not None and self._namespace.good)
            if self._namespace is not None:
                check_answerable(sparql)
        accept = _TRIPLES if form in ("CONSTRUCT", "DESCRIBE") else _JSONS
        parameters: list[tuple[str, str]] = []
        if self._address.blazegraph and not union:
            parameters.append(("default-graph-uri", NULL_GRAPH))
            parameters += [("named-graph-uri", graph) for graph in graphs]
        wrapper = Wrapper(self._address, form, sparql, parameters)
        if form in ("CONSTRUCT", "DESCRIBE"):
            # Blazegraph knows N-Triples by its old name alone, and gives RDF/XML otherwise.
            wrapper.addCustomHttpHeader("Accept", accept[self._address.blazegraph])
        else:
            wrapper.addCustomHttpHeader("Accept", _JSON)
        wrapper.addCustomHttpHeader("X-BIGDATA-READ-ONLY", "yes")
        if timeout is not None:
            limit = str(max(1, round(timeout * 1000)))
            wrapper.addCustomHttpHeader("X-BIGDATA-MAX-QUERY-MILLIS", limit)
        request = wrapper.request(None if timeout is None else timeout + _SLACK)
        with self._transport.send(request) as body:
            if body.kind not in accept:
                kind = body.kind or "something without a name"
                raise ResourceError(
                    request.asked,
                    f"{self.url} answered with {kind}, not with {accept[0]}",
                    "see that the URL is a SPARQL endpoint, and no page or login stands before it",
                )
            if accept is _TRIPLES and not body.ends:
                raise ResourceError(
                    request.asked,
                    "the server does not say where its answer ends",
                    "ask with SELECT, whose answers have an end of their own",
                )
            yield form, body

    def _update(self, body: Callable[[], Iterator[bytes]]) -> bool:
        """Send an update; false if a page came with a 200 that need not be the store's."""
        headers = {
            "Content-Type": "application/sparql-update; charset=utf-8",
            # Blazegraph answers in HTML, whatever is asked for.
            "Accept": "*/*",
        }
        request = Request(
            f"insert quads into {self.url}",
            self._address.update,
            headers,
            lambda: _in_one_piece(body()),
            _INSERT_LIMIT,
            writes=True,
        )
        with self._transport.send(request) as answer:
            text = answer.read_all(64 * 1024)
        return answer.status == 204 or b"mutationCount=" in text

    def _confirm(self, sample: ox.Quad) -> None:
        """Look whether an update was done at all."""
        where = f"{sample.subject} {sample.predicate} ?o"
        if isinstance(sample.graph_name, ox.NamedNode):
            where = f"GRAPH {sample.graph_name} {{ {where} }}"
        if self.query(f"ASK {{ {where} }}") is not True:
            raise ResourceError(
                f"insert quads into {self.url}",
                f"{self._address.update} answered, but stored nothing",
                "see that it is the URL for updates; another is given with #update=URL",
            )

    def _check_pairs(self, pairs: Pairs, note: str) -> None:
        """Look whether the stored values of settled subjects are those that were given."""
        items = list(pairs.items())
        for start in range(0, len(items), _TOGETHER // 4):
            part = dict(items[start : start + _TOGETHER // 4])
            pattern = changed(part, self._address.blazegraph)
            first = f"SELECT ?s ?p {{ {pattern} }} ORDER BY ?p LIMIT 1"
            present = self._ask(first, Bounds(_INSERT_LIMIT, None, self._max_bytes), ours=True)
            assert isinstance(present, Table)
            for subject, predicate in present.rows:
                assert isinstance(subject, ox.NamedNode)
                assert isinstance(predicate, ox.NamedNode)
                old = self.query(f"SELECT ?o {{ {subject} {predicate} ?o }}")
                assert isinstance(old, Table)
                error = conflict(
                    str(subject),
                    str(predicate),
                    {str(row[0]) for row in old.rows},
                    part[subject, predicate],
                )
                raise type(error)(error.asked, error.found, note + error.advice)

    def _dump(self) -> Generator[bytes]:
        queries = ["SELECT ?s ?p ?o ?g { GRAPH ?g { ?s ?p ?o } }"]
        if not self._address.blazegraph:
            queries.insert(0, "SELECT ?s ?p ?o { ?s ?p ?o }")
        for sparql in queries:
            with self._send(sparql, None, union=True) as (_, body), whole(body, Bounds()):
                yield from _lines(body)
                body.read_all(_PIECE)


def _lines(body: Body) -> Iterator[bytes]:
    """Read solutions of `?s ?p ?o` and perhaps `?g` as pieces of N-Quads."""
    results = ox.parse_query_results(as_file(body), ox.QueryResultsFormat.JSON)
    try:
        assert isinstance(results, ox.QuerySolutions)
        piece = bytearray()
        for row in results:
            s, p, o, *g = tuple(row)
            graph = "" if not g or _value(g[0]) == NULL_GRAPH else f" {g[0]}"
            piece += f"{s} {p} {_plain(o)}{graph} .\n".encode()
            if len(piece) > _PIECE:
                yield bytes(piece)
                piece.clear()
        if piece:
            yield bytes(piece)
    finally:
        del results  # in the thread that made it, although an error may hold this frame


def _plain(term: Any) -> str:
    return str(canonical(term))


def _value(term: Any) -> str:
    return str(getattr(term, "value", ""))


def _in_one_piece(pieces: Iterator[bytes]) -> bytes | Iterator[bytes]:
    """Return a short body as bytes, which every proxy takes, and a long one as a stream."""
    first = next(pieces, b"")
    second = next(pieces, None)
    return first if second is None else chain((first, second), pieces)
