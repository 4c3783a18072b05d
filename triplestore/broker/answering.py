"""The way of an answer: written by the process that has the quads, read by the one that asked."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pyoxigraph as ox

from triplestore.bounds import Bounds
from triplestore.broker import wire
from triplestore.broker.sink import AnswerSink, Full
from triplestore.guard.check import check_local
from triplestore.quads import query_errors
from triplestore.store import Answer, Table, Triples


def write_answer(
    quads: ox.Store,
    sparql: str,
    send: Callable[[bytes | bytearray], None],
    bounds: Bounds,
    deadline: float,
) -> tuple[str, str | None]:
    """Answer a query into `send`: solutions and booleans as TSV, triples as N-Triples.

    TSV has half the bytes of JSON, is read as fast, gives back every term exactly, and has one
    line a row, so rows can be counted and an answer cut at a line end.

    Returns:
        The kind of answer (`table`, `boolean` or `triples`) and what was cut, if anything.
    """
    check_local(sparql)
    sink = AnswerSink(send, bounds, deadline)
    try:
        with query_errors(sparql):
            sink.fill(quads.query(sparql))
    except Full as full:
        cut = str(full)
    else:
        cut = None
    sink.finish()
    return sink.kind, cut


class Died(Exception):
    """Who answers died while it was at work on the query of somebody else."""


def receive_answer(
    link: socket.socket, deadline: float, *, guarded: bool = False
) -> tuple[bytes, bytearray, bytearray]:
    """Receive a whole answer: how it ended, its data, and what was said at the end.

    Raises:
        wire.Broken: the other side went away; the request may be repeated elsewhere.
        wire.Late: the deadline passed.
        Died: the other side went away while it evaluated a guarded query.
    """
    data, begun = bytearray(), False
    while True:
        try:
            found, part = wire.receive(link, deadline)
        except wire.FrameBroken as error:
            if begun:
                raise Died from error
            raise
        if found in (wire.END, wire.ERROR):
            return found, data, part
        if found == wire.LEAVING:
            raise wire.FrameBroken("it leaves")
        if found == wire.BEGUN and guarded:
            begun = True
        elif found == wire.DATA:
            data += part
        else:
            raise wire.FrameBroken(f"an unexpected frame {found!r}")


def read_answer(data: bytearray, end: dict[str, object]) -> Answer:
    """Read the answer that `write_answer` wrote; `end` is what was said at its end."""
    kind, cut = str(end.get("kind")), end.get("cut")
    note = None if cut is None else str(cut)
    if kind == "boolean":
        return data.startswith(b"true")
    if kind == "triples":
        answer = Triples(quad.triple for quad in ox.parse(bytes(data), ox.RdfFormat.N_TRIPLES))
        answer.cut = note
        return answer
    results = ox.parse_query_results(bytes(data), ox.QueryResultsFormat.TSV)
    assert isinstance(results, ox.QuerySolutions)
    names = tuple(variable.value for variable in results.variables)
    return Table(names, [tuple(row) for row in results], note)
