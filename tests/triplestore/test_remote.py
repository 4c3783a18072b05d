"""Stores on servers: real ones, and servers at the edge that fail in every way a server can."""

import gc
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ports import free_port
from tests.triplestore.helpers import RUNAWAY, XSD, many, size, wait_until
from tests.triplestore.servers import Answerer, OddServer, OxigraphServer, reply
from triplestore import (
    ConflictError,
    GraficoError,
    InputError,
    NotFoundError,
    QueryError,
    ResourceError,
    Table,
    TimeLimitError,
    open_store,
)
from triplestore.memory import MemoryStore
from triplestore.remote.address import Credentials, read_address, read_credentials
from triplestore.remote.store import RemoteStore

Odd = Callable[[Answerer], OddServer]
SELECT = "SELECT ?s { ?s ?p ?o }"
NONE = b'{"head":{"vars":["s"]},"results":{"bindings":[]}}'
ROW = b'{"s":{"type":"uri","value":"http://x/a"}}'
SECRET = "hunter2-very-secret"


def rows(count: int) -> bytes:
    return b'{"head":{"vars":["s"]},"results":{"bindings":[' + b",".join([ROW] * count) + b"]}}"


# --- addresses and credentials -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "query", "update"),
    [
        ("http://h:7878", "http://h:7878/query", "http://h:7878/update"),
        ("http://h:7878/", "http://h:7878/query", "http://h:7878/update"),
        ("http://h:7878/query", "http://h:7878/query", "http://h:7878/update"),
        ("HTTPS://H.org/ds/query", "https://h.org/ds/query", "https://h.org/ds/update"),
        ("http://h/ds/sparql", "http://h/ds/sparql", "http://h/ds/update"),
        (
            "http://h/rdf4j/repositories/x",
            "http://h/rdf4j/repositories/x",
            "http://h/rdf4j/repositories/x/statements",
        ),
        (
            "http://h:9/blazegraph/namespace/kb/sparql",
            "http://h:9/blazegraph/namespace/kb/sparql",
            "http://h:9/blazegraph/namespace/kb/sparql",
        ),
        ("http://h/blazegraph/sparql", "http://h/blazegraph/sparql", "http://h/blazegraph/sparql"),
        ("http://h/sparql", "http://h/sparql", "http://h/sparql"),
        ("http://h/sparql#update=/write", "http://h/sparql", "http://h/write"),
        (
            "http://[::1]:80/q/a#update=http://[::1]:80/b",
            "http://[::1]:80/q/a",
            "http://[::1]:80/b",
        ),
    ],
)
def test_the_endpoints_follow_from_the_url_and_its_normal_form_names_the_same(url, query, update):
    address = read_address(url)
    assert (address.query, address.update) == (query, update)
    assert read_address(address.url) == address


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (f"http://ada:{SECRET}@h/sparql", "user name or a password"),
        (f"https://{SECRET}@h/sparql", "user name or a password"),
        (f"http://h/sparql?key={SECRET}", "has parameters"),
        (f"http://h/sparql#update=//ada:{SECRET}@h/b", "different servers"),
        ("http://h/sparql#update=http://other/b", "different servers"),
        ("http://h/sparql#elsewhere", "fragment"),
        ("http://h:port/sparql", "no URL"),
        ("http://h:99999/sparql", "no URL"),
        ("http:///sparql", "names no host"),
        ("http://h/a b", "characters"),
        ("http://h/a\r\nX: y", "characters"),
        ("http://[/", "no URL"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_and_no_secret_is_repeated(url: str, words: str):
    with pytest.raises(InputError, match=words) as caught:
        open_store(url)
    assert caught.value.advice
    assert SECRET not in str(caught.value)


USER = {"GRAFICO_STORE_USER": "ada", "GRAFICO_STORE_PASSWORD": SECRET}


@pytest.mark.parametrize(
    ("url", "environment", "words"),
    [
        ("http://example.org/sparql", USER, "plain http"),
        ("http://10.0.0.1/sparql", {"GRAFICO_STORE_TOKEN": SECRET}, "plain http"),
        ("http://localhost.evil.org/sparql", USER, "plain http"),
        ("https://h/sparql", {"GRAFICO_STORE_USER": "ada"}, "only one is set"),
        ("https://h/sparql", {"GRAFICO_STORE_PASSWORD": SECRET}, "only one is set"),
        ("https://h/sparql", {**USER, "GRAFICO_STORE_TOKEN": SECRET}, "both set"),
        ("https://h/sparql", {"GRAFICO_STORE_TOKEN": SECRET + "\n"}, "cannot be sent"),
        ("https://h/sparql", {**USER, "GRAFICO_STORE_USER": "a:b"}, "colon"),
    ],
)
def test_credentials_that_cannot_be_used_safely_are_refused(url, environment, words):
    with pytest.raises(InputError, match=words) as caught:
        read_credentials(read_address(url), environment)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["https://h/q", "http://localhost/q", "http://127.9.0.1/q", "http://[::1]:80/q"]
)
def test_credentials_travel_encrypted_or_not_beyond_this_machine(url: str):
    assert read_credentials(read_address(url), USER).header


def test_credentials_are_sent_with_each_request_and_appear_nowhere_else(
    odd: Odd, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(0)

    def echo(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        header = handler.headers["Authorization"]
        reply(handler, f"denied: {header} {SECRET}".encode(), "text/plain", 403)

    server = odd(echo)
    for name, value in USER.items():
        monkeypatch.setenv(name, value)
    with open_store(server.url) as store:
        texts = [
            repr(store),
            store.url,
            repr(vars(store)),
            repr(read_credentials(read_address(store.url))),
        ]
        for ask in (lambda: store.query(SELECT), lambda: store.insert(many(1))):
            with pytest.raises(InputError, match="GRAFICO_STORE_USER") as caught:
                ask()
            texts += [str(caught.value), repr(caught.value)]
    assert len(server.seen) == 2
    for _, headers, _ in server.seen:
        assert headers["Authorization"].startswith("Basic ")
        texts.append(caplog.text)
    encoded = server.seen[0][1]["Authorization"].removeprefix("Basic ")
    assert not [text for text in texts if SECRET in text or encoded in text]


def test_a_token_is_sent_as_such(odd: Odd, monkeypatch: pytest.MonkeyPatch):
    server = odd(lambda handler, body: reply(handler, NONE))
    monkeypatch.setenv("GRAFICO_STORE_TOKEN", SECRET)
    with open_store(server.url) as store:
        store.query(SELECT)
    assert server.seen[0][1]["Authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_the_error_names_the_new_place(odd: Odd, status: int):
    other = odd(lambda handler, body: reply(handler, NONE))
    place = f"http://ada:{SECRET}@127.0.0.1:{other.port}/query"
    server = odd(lambda handler, body: reply(handler, b"", status=status, Location=place))
    with RemoteStore(server.url, credentials=Credentials("Basic x", ("x",))) as store:
        for ask in (lambda: store.query(SELECT), lambda: store.insert(many(1))):
            with pytest.raises(InputError, match=f"moved to http://127.0.0.1:{other.port}/query"):
                ask()
    assert not other.seen


# --- answers that are none ---------------------------------------------------------------------


@pytest.mark.parametrize("length", [None, -1])
@pytest.mark.parametrize("cut", [1, 20, 60, len(rows(3)) - 1])
def test_a_truncated_answer_behind_a_200_is_an_error(odd: Odd, cut: int, length: int | None):
    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        handler.close_connection = True
        reply(handler, rows(3)[:cut], length=length)

    with RemoteStore(odd(answer).url) as store, pytest.raises(ResourceError, match="whole"):
        store.query(SELECT)


@pytest.mark.parametrize("query", [SELECT, "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }"])
def test_an_answer_shorter_than_announced_is_an_error(odd: Odd, query: str):
    triples = b"<http://x/a> <http://x/p> <http://x/b> .\n"

    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        handler.close_connection = True
        if query is SELECT:
            reply(handler, rows(3), length=len(rows(3)) + 10)
        else:
            reply(handler, triples, "application/n-triples", length=2 * len(triples))

    with RemoteStore(odd(answer).url) as store, pytest.raises(ResourceError, match="cut short"):
        store.query(query)


@pytest.mark.parametrize("end", [b"", b"zz\r\n", b"5\r\nab"])
def test_a_chunked_answer_without_its_end_is_an_error(odd: Odd, end: bytes):
    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        handler.close_connection = True
        handler.send_response(200)
        handler.send_header("Content-Type", "application/n-triples")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        triple = b"<http://x/a> <http://x/p> <http://x/b> .\n"
        handler.wfile.write(b"%x\r\n%s\r\n%s" % (len(triple), triple, end))

    with RemoteStore(odd(answer).url) as store, pytest.raises(GraficoError, match=r"short|HTTP"):
        store.query("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }")


def test_triples_whose_end_nobody_tells_are_an_error(odd: Odd):
    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        handler.close_connection = True
        reply(handler, b"<http://x/a> <http://x/p> 1 .\n", "application/n-triples", length=None)

    with RemoteStore(odd(answer).url) as store, pytest.raises(ResourceError, match=r"where.*ends"):
        store.query("DESCRIBE <http://x/a>")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html><body>Please log in</body></html>", "text/html"),
        (b"<html><body>Please log in</body></html>", "application/sparql-results+json"),
        (b"{}", "application/json"),
        (b"null", "application/sparql-results+json"),
        (b"", "application/sparql-results+json"),
        (b'{"head":{},"boolean":true}', "application/sparql-results+json"),
        (rows(2) + b"\njava.lang.OutOfMemoryError", "application/sparql-results+json"),
        (b"\xff\xfe" * 50, "application/sparql-results+json"),
        (
            b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"odd","value":1}}]}}',
            "application/sparql-results+json",
        ),
    ],
)
def test_a_page_or_nonsense_behind_a_200_is_an_error(odd: Odd, body: bytes, kind: str):
    server = odd(lambda handler, _: reply(handler, body, kind))
    with RemoteStore(server.url) as store, pytest.raises(ResourceError) as caught:
        store.query(SELECT)
    assert caught.value.advice


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300), triples=st.booleans())
def test_whatever_a_server_sends_the_error_is_ours(odd: Odd, data: bytes, triples: bool):
    kind = "application/n-triples" if triples else "application/sparql-results+json"
    server = odd(lambda handler, _: reply(handler, data, kind))
    with RemoteStore(server.url) as store:
        try:
            answer = store.query("DESCRIBE <a:a>" if triples else SELECT)
        except ResourceError:
            return
    assert triples or data
    assert isinstance(answer, list if triples else Table)


def test_raw_nonsense_instead_of_http_is_an_error(odd: Odd):
    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")
        handler.close_connection = True

    with RemoteStore(odd(answer).url) as store, pytest.raises(GraficoError, match="HTTP"):
        store.query(SELECT)


def test_an_update_that_a_page_answers_with_200_is_not_believed(odd: Odd):
    page = b"<html>welcome to the hotel</html>"
    server = odd(lambda handler, body: reply(handler, page, "text/html"))
    with RemoteStore(server.url) as store, pytest.raises(ResourceError, match="text/html"):
        store.insert(many(1))

    def nothing(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        said = b'{"head":{},"boolean":false}' if b"ASK" in body else b"done"
        reply(handler, said)

    with RemoteStore(odd(nothing).url) as store, pytest.raises(ResourceError, match="nothing"):
        store.insert(many(1))


# --- what is tried again, and what is not ------------------------------------------------------


@pytest.mark.parametrize("status", [502, 503, 504])
@pytest.mark.parametrize("times", [1, 2])
def test_a_server_that_is_busy_for_a_moment_is_asked_again(odd: Odd, status: int, times: int):
    left = [times] * 2

    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        write = handler.path == "/update"
        if left[write]:
            left[write] -= 1
            reply(handler, b"busy", "text/plain", status)
        elif write:
            reply(handler, b"", status=204)
        else:
            reply(handler, rows(1))

    server = odd(answer)
    with RemoteStore(server.url) as store:
        assert store.query(SELECT) == Table(("s",), [(ox.NamedNode("http://x/a"),)])
        store.insert(many(2))
    assert len(server.seen) == 2 * times + 2
    updates = [body for path, _, body in server.seen if path == "/update"]
    assert updates == [updates[0]] * (times + 1)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, QueryError),
        (401, InputError),
        (403, InputError),
        (404, NotFoundError),
        (405, InputError),
        (413, InputError),
        (418, InputError),
        (429, ResourceError),
        (500, ResourceError),
        (599, ResourceError),
        (201, ResourceError),
    ],
)
def test_what_the_server_refuses_is_not_asked_again(odd: Odd, status: int, kind: type):
    server = odd(lambda handler, body: reply(handler, b"<h1>No &amp; no</h1>", "text/html", status))
    with RemoteStore(server.url) as store, pytest.raises(GraficoError) as caught:
        store.query(SELECT)
    assert type(caught.value) is kind
    assert f"{status}: No" in caught.value.found
    assert caught.value.advice
    assert len(server.seen) == 1


def test_a_server_that_stays_busy_is_given_up_within_seconds(odd: Odd):
    server = odd(lambda handler, body: reply(handler, b"later", "text/plain", 503))
    started = time.monotonic()
    with RemoteStore(server.url) as store, pytest.raises(ResourceError, match="503: later"):
        store.insert(many(1))
    assert time.monotonic() - started < 60
    assert 3 < len(server.seen) < 10


def test_connections_that_the_server_closed_while_idle_are_no_failure(odd: Odd):
    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        reply(handler, rows(1))
        handler.close_connection = True  # without a word of warning

    server = odd(answer)
    with RemoteStore(server.url) as store:
        for _ in range(5):
            store.query(SELECT)
            time.sleep(0.02)
    assert len(server.seen) == 5


def test_a_connection_that_breaks_before_the_answer_is_tried_again(odd: Odd):
    left = [2]

    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        if left[0]:
            left[0] -= 1
            handler.close_connection = True
            return
        reply(handler, b"", status=204)

    server = odd(answer)
    with RemoteStore(server.url) as store:
        store.insert(many(1))
    assert len(server.seen) == 3


def test_an_offline_server_is_named_within_seconds_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("triplestore.remote.transport._PATIENCE", 0.2)  # the next test waits it out
    url = f"http://127.0.0.1:{free_port()}/query"
    for ask in (lambda s: s.query(SELECT), lambda s: s.insert(many(1)), lambda s: list(s.dump())):
        started = time.monotonic()
        with RemoteStore(url) as store, pytest.raises(ResourceError) as caught:
            ask(store)
        assert time.monotonic() - started < 30
        assert url in caught.value.found
        assert "refused" in caught.value.found
        assert caught.value.advice


def test_a_server_that_comes_back_soon_is_not_missed(tmp_path: Path):
    port = free_port()
    server = subprocess.Popen(
        [
            "sh",
            "-c",
            f'sleep 0.7; exec "$0" serve --bind 127.0.0.1:{port}',
            str(Path(sys.executable).with_name("oxigraph")),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with RemoteStore(f"http://127.0.0.1:{port}") as store:
            store.insert(many(3))
            assert size(store) == 3
    finally:
        server.kill()
        server.wait()


def test_a_name_that_does_not_resolve_is_an_error_that_says_so():
    unreachable = pytest.raises(ResourceError, match=r"nowhere\.invalid.*cannot be reached")
    with RemoteStore("http://nowhere.invalid/sparql") as store, unreachable:
        store.query(SELECT)


# --- limits ------------------------------------------------------------------------------------


def drip(handler: BaseHTTPRequestHandler, data: bytes, pause: float = 0.05) -> None:
    for i in range(len(data)):
        handler.wfile.write(data[i : i + 1])
        handler.wfile.flush()
        time.sleep(pause)


@pytest.mark.parametrize("stage", ["silence", "headers", "body"])
def test_a_server_that_hangs_or_drips_ends_at_the_time_limit(odd: Odd, stage: str):
    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        if stage == "silence":
            time.sleep(20)
        elif stage == "headers":
            drip(handler, b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 100)
        else:
            reply(handler, b"", length=10_000)
            drip(handler, rows(100))

    started = time.monotonic()
    with RemoteStore(odd(answer).url) as store, pytest.raises(TimeLimitError):
        store.query(SELECT, timeout=0.3)
    assert time.monotonic() - started < 15


def test_an_insertion_without_an_answer_says_that_the_outcome_is_open(
    odd: Odd, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("triplestore.remote.store._INSERT_LIMIT", 0.3)
    server = odd(lambda handler, body: time.sleep(2))
    with RemoteStore(server.url) as store, pytest.raises(TimeLimitError) as caught:
        store.insert(many(1))
    assert "whether it was stored is open" in caught.value.found
    assert "safe" in caught.value.advice


def test_an_answer_without_end_stops_at_the_limit_of_bytes_and_says_so(odd: Odd):
    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        reply(handler, rows(1)[:-3], length=None)
        while True:
            handler.wfile.write(b"," + ROW)

    with RemoteStore(odd(answer).url, max_bytes=100_000) as store:
        table = store.query(SELECT)
    assert isinstance(table, Table)
    assert 2000 < len(table.rows) < 2500
    assert table.cut == f"cut after {len(table.rows)} rows, as more would exceed 100000 bytes"


def test_the_limit_of_bytes_cuts_triples_at_a_line(oxigraph_server: OxigraphServer):
    oxigraph_server.clear()
    with RemoteStore(oxigraph_server.url, max_bytes=10_000) as store:
        store.insert(many(2000))
        triples = store.query("CONSTRUCT WHERE { ?s ?p ?o }")
    assert isinstance(triples, list)
    assert 100 < len(triples) < 400
    assert "10000 bytes" in str(getattr(triples, "cut", None))


def test_a_limit_of_rows_stops_reading(odd: Odd):
    sent = [0]

    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        reply(handler, rows(1)[:-3], length=None)
        while True:
            handler.wfile.write((b"," + ROW) * 1000)
            sent[0] += 1000

    with RemoteStore(odd(answer).url) as store:
        table = store.query(SELECT, max_rows=10)
    assert isinstance(table, Table)
    assert (len(table.rows), table.cut) == (10, "cut after 10 rows")
    before = sent[0]
    wait_until(lambda: sent[0] == before or (time.sleep(0.1), sent[0])[1] == sent[0])


def test_a_limit_of_the_servers_own_is_told_as_such(oxigraph_server: OxigraphServer):
    oxigraph_server.clear()
    with RemoteStore(oxigraph_server.url) as store:
        store.insert(many(1000))
        with pytest.raises(TimeLimitError):
            store.query(RUNAWAY, timeout=30)


def test_blazegraph_is_told_to_stop_and_to_write_nothing(odd: Odd):
    server = odd(lambda handler, body: reply(handler, NONE))
    with RemoteStore(f"http://127.0.0.1:{server.port}/blazegraph/namespace/kb/sparql") as store:
        store.query(SELECT, timeout=7)
    path, headers, _ = server.seen[-1]
    assert headers["X-bigdata-max-query-millis"] == "7000"
    assert headers["X-bigdata-read-only"] == "yes"
    assert headers["Accept"] == "application/sparql-results+json"
    assert "default-graph-uri" in path


# --- what is asked and stored ------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        "# to insert an address\nSELECT ?s { ?s ?p ?o }",
        "PREFIX add: <http://x/drop#> # ADD\n select ?s { ?s ?p ?o }",
        "BASE <http://x/>PREFIX : <create>SELECT ?s{?s ?p ?o}",
        "\ufeff SELECT ?s { ?s ?p ?o }"[1:],
        "prefix insert: <http://x/> ASK { ?s insert:p ?o }",
    ],
)
def test_words_of_updates_in_comments_and_prefixes_mean_nothing(remote: RemoteStore, query: str):
    remote.insert(many(1))
    assert remote.query(query) is True or len(remote.query(query).rows) == 1  # pyright: ignore


@pytest.mark.parametrize(
    "text",
    [
        "DROP ALL",
        "INSERT DATA { <a:a> <a:b> 1 }",
        "PREFIX a: <a:a> CLEAR ALL",
        "# SELECT",
        "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "LOAD <http://x/>",
    ],
)
def test_what_is_no_query_or_reaches_out_never_leaves_this_process(odd: Odd, text: str):
    server = odd(lambda handler, body: reply(handler, NONE))
    with RemoteStore(server.url) as store, pytest.raises(QueryError):
        store.query(text)
    assert not server.seen


def test_what_a_server_says_about_a_malformed_query_is_one_short_line(remote: RemoteStore):
    with pytest.raises(QueryError) as caught:
        remote.query("SELECT ?s {\n ?s ?p }")
    assert "400" in caught.value.found
    assert "\tat" not in caught.value.found
    assert len(caught.value.found) < 400


def test_a_place_that_the_server_does_not_know_is_not_found(remote: RemoteStore):
    *front, name, last = remote.url.split("/")
    url = "/".join([*front, "nowhere", last] if "namespace" in front else [*front, name, "nowhere"])
    for ask in (lambda s: s.query(SELECT), lambda s: s.insert(many(1))):
        with RemoteStore(url) as store, pytest.raises(NotFoundError):
            ask(store)


def test_the_unnamed_graph_is_asked_unless_a_graph_is_named(remote: RemoteStore):
    remote.insert(
        b'<http://x/a> <http://x/p> "1" .\n<http://x/b> <http://x/p> "2" <http://x/g> .\n'
        b'<http://x/c> <http://x/p> "3" <http://x/h> .\n'
    )
    ask = "SELECT ?s {{ {} }} ORDER BY ?s".format
    for pattern, expected in (
        ("?s ?p ?o", "a"),
        ("GRAPH ?g { ?s ?p ?o }", "bc"),
        ("GRAPH <http://x/g> { ?s ?p ?o }", "b"),
        ("{ ?s ?p ?o } UNION { GRAPH <http://x/h> { ?s ?p ?o } }", "ac"),
        ("?s ?p ?o FILTER NOT EXISTS { GRAPH ?g { ?s ?p ?o } }", "a"),
    ):
        table = remote.query(ask(pattern))
        assert isinstance(table, Table)
        assert [row[0].value[-1] for row in table.rows] == list(expected), pattern  # pyright: ignore


def test_an_infinity_that_a_server_computes_is_written_as_such(remote: RemoteStore):
    table = remote.query("SELECT (1.0e308 * 10.0e0 AS ?x) (-1.0e308 * 10.0e0 AS ?y) {}")
    assert isinstance(table, Table)
    assert [getattr(term, "value", None) for term in table.rows[0]] == ["INF", "-INF"]


def test_a_large_insertion_is_streamed_in_one_transaction(remote: RemoteStore):
    text = "é" * 1_500_000  # more than 2 MB by itself
    remote.insert(many(40_000) + f'<http://x/l> <http://x/long> "{text}" .\n'.encode())
    assert size(remote) == 40_001
    table = remote.query("SELECT ?o { ?s <http://x/long> ?o }")
    assert isinstance(table, Table)
    assert table.rows == [(ox.Literal(text),)]


def test_a_long_body_travels_in_chunks_and_a_short_one_does_not(odd: Odd):
    server = odd(lambda handler, body: reply(handler, b"", status=204))
    with RemoteStore(server.url) as store:
        store.insert(many(1))
        store.insert(many(100_000))
    (_, short, _), (_, long, body) = server.seen
    assert "Transfer-Encoding" not in short
    assert long["Transfer-Encoding"] == "chunked"
    assert body.count(b" .\n") == 100_000


def test_a_dump_holds_every_quad_as_whole_lines(remote: RemoteStore):
    quads = (
        many(30_000)
        + many(2000, "<http://x/g>")
        + f'<http://x/é> <http://x/p> "a\\nb\\u0000\U0001f600"@en .\n'
        f'<http://x/d> <http://x/p> "-0.5"^^<{XSD}double> <http://x/h> .\n'.encode()
    )
    remote.insert(quads)
    pieces = list(remote.dump())
    assert all(piece.endswith(b"\n") for piece in pieces)
    assert len(pieces) > 2
    with MemoryStore() as copy, MemoryStore() as original:
        copy.insert(b"".join(pieces))
        original.insert(quads)
        assert sorted(b"".join(copy.dump()).splitlines()) == sorted(
            b"".join(original.dump()).splitlines()
        )


def test_a_dump_that_breaks_off_is_an_error(odd: Odd):
    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        handler.close_connection = True
        row = {name: {"type": "uri", "value": "http://x/a"} for name in "spo"}
        text = json.dumps({"head": {"vars": list("spo")}, "results": {"bindings": [row] * 9}})
        reply(handler, text.encode()[:-20], length=None)

    with RemoteStore(odd(answer).url) as store, pytest.raises(ResourceError, match="whole"):
        list(store.dump())


def test_a_thousand_settled_objects_are_checked_in_one_request(remote: RemoteStore):
    lines = [f'<http://x/{i}> <http://x/p{j}> "{i} {j}" .' for i in range(1000) for j in range(8)]
    subjects = [f"http://x/{i}" for i in range(1000)]
    quads = "\n".join(lines).encode()
    for _ in range(2):
        remote.insert(quads, settled=subjects)
    lines[-1] = '<http://x/999> <http://x/p7> "other" .'
    with pytest.raises(ConflictError) as caught:
        remote.insert(
            "\n".join([*lines, "<http://x/n> a:a a:b ."][:-1]).encode()
            + b'\n<http://x/n> <http://x/p> "new" .',
            settled=subjects,
        )
    assert caught.value.asked == "store <http://x/999>"
    assert caught.value.found == '<http://x/p7>: "999 7" is stored, "other" was given'
    assert size(remote) == 8000


def test_more_settled_values_than_fit_are_looked_at_before_and_after(
    oxigraph: RemoteStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("triplestore.remote.store._TOGETHER", 40)
    subjects = [f"http://x/{i}" for i in range(100)]
    oxigraph.insert(many(100), settled=subjects)
    oxigraph.insert(many(100), settled=subjects)
    changed = many(100).replace(b'"57"', b'"x"') + b'<http://x/new> <http://x/p> "1" .\n'
    with pytest.raises(ConflictError, match='"57" is stored, "x" was given'):
        oxigraph.insert(changed, settled=subjects)
    assert size(oxigraph) == 100


def test_very_many_values_of_one_settled_property_are_checked_too(remote: RemoteStore):
    quads = many(60).replace(b"<http://x/", b"<http://x/s> <http://y/")
    quads = b"".join(b'<http://x/s> <http://x/p> "%d" .\n' % i for i in range(60))
    for _ in range(2):
        remote.insert(quads, settled=["http://x/s"])
    with pytest.raises(ConflictError):
        remote.insert(quads.replace(b'"7"', b'"seven"'), settled=["http://x/s"])
    assert size(remote) == 60


# --- many at once, and interrupted -------------------------------------------------------------


def test_threads_reuse_connections_and_processes_open_their_own(oxigraph: RemoteStore):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: oxigraph.insert(many(i % 5 + 1)), range(40)))
    assert size(oxigraph) == 5
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if size(oxigraph) == 5 else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert size(oxigraph) == 5


def test_an_interrupted_request_leaves_the_store_usable(oxigraph: RemoteStore):
    code = f"""if True:
        import signal, sys, threading, os, time
        from triplestore.remote.store import RemoteStore
        with RemoteStore({oxigraph.url!r}) as store:
            threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                store.query({RUNAWAY!r}, timeout=20)
            except KeyboardInterrupt:
                print("interrupted", store.query("ASK {{ ?s ?p ?o }}"))
    """
    oxigraph.insert(many(1000))
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout == "interrupted True\n", done.stderr


def test_a_server_killed_in_the_middle_is_an_error_and_threads_do_not_hang(tmp_path: Path):
    server = OxigraphServer(tmp_path)
    errors: list[GraficoError] = []
    with RemoteStore(server.url) as store:
        store.insert(many(1000))

        def ask() -> None:
            with pytest.raises(GraficoError) as caught:
                store.query(RUNAWAY, timeout=20)
            errors.append(caught.value)

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        server.stop()
        for thread in threads:
            thread.join(10)
    assert len(errors) == 2
    assert all(isinstance(error, ResourceError) for error in errors)


def test_an_error_may_be_dropped_in_another_thread_than_it_came_from(odd: Odd):
    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        handler.close_connection = True
        reply(handler, rows(3)[:-5], length=(None, len(rows(3)))[b"?a" in body])

    def ask(query: str) -> GraficoError:
        with pytest.raises(GraficoError) as caught:
            store.query(query) if query else list(store.dump())
        return caught.value

    with RemoteStore(odd(answer).url) as store, ThreadPoolExecutor(1) as pool:
        for query in (SELECT, "SELECT ?a { ?a ?p ?o }", ""):
            error = pool.submit(ask, query).result()
            assert isinstance(error, ResourceError)
            del error
            gc.collect()


def test_a_port_that_takes_connections_and_says_nothing_is_a_time_limit():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with RemoteStore(f"http://127.0.0.1:{port}") as store, pytest.raises(TimeLimitError):
            store.query(SELECT, timeout=0.2)


def test_the_home_is_what_was_given(oxigraph_server: OxigraphServer, tmp_path: Path):
    with open_store(oxigraph_server.url) as store:
        assert store.home is None
    with open_store(oxigraph_server.url, tmp_path) as store:
        assert store.home == tmp_path
        with open_store(store.url) as again:
            assert again.url == store.url
