"""What every store does alike."""

import math
import threading
import time
from pathlib import Path

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode

from tests.triplestore.helpers import RUNAWAY, XSD, many, size
from triplestore import InputError, QueryError, Store, Table, TimeLimitError, open_store
from triplestore.bounds import Bounds


def objects(store: Store) -> list:
    table = store.query("SELECT ?o { ?s ?p ?o } ORDER BY ?o")
    assert isinstance(table, Table)
    return [row[0] for row in table.rows]


def test_what_was_inserted_is_found(store: Store):
    store.insert(b'<http://x/a> <http://x/p> "one" .\n')
    table = store.query("SELECT ?s ?o ?none { ?s <http://x/p> ?o OPTIONAL { ?o ?q ?none } }")
    assert table == Table(("s", "o", "none"), [(NamedNode("http://x/a"), Literal("one"), None)])


def test_an_empty_store_has_no_rows_and_says_no(store: Store):
    assert store.query("SELECT ?s { ?s ?p ?o }") == Table(("s",), [])
    assert store.query("ASK { ?s ?p ?o }") is False
    assert store.query("CONSTRUCT WHERE { ?s ?p ?o }") == []


def test_a_solution_without_variables_is_still_a_row(store: Store):
    assert store.query("SELECT * {}") == Table((), [()])


def test_ask_construct_and_describe(store: Store):
    store.insert(b"<http://x/a> <http://x/p> <http://x/b> .\n")
    assert store.query("ASK { <http://x/a> ?p ?o }") is True
    for form in ("CONSTRUCT WHERE { ?s ?p ?o }", "DESCRIBE <http://x/a>"):
        answer = store.query(form)
        assert isinstance(answer, list)
        assert [str(t) for t in answer] == ["<http://x/a> <http://x/p> <http://x/b>"]


def test_repeating_an_insertion_changes_nothing(store: Store):
    for _ in range(3):
        store.insert(many(2) + many(2, "<http://x/g>"))
    assert size(store) == 4


def test_repeating_an_insertion_changes_nothing_even_with_blank_nodes(local: Store):
    for _ in range(3):
        local.insert(b'_:b <http://x/p> "x" .\n<http://x/a> <http://x/q> _:b .\n')
    assert size(local) == 2
    assert local.query("ASK { ?a <http://x/q> ?b . ?b <http://x/p> 'x' }") is True


def test_servers_take_no_blank_nodes(remote: Store):
    for quads in (b'_:b <http://x/p> "x" .\n', b"<http://x/a> <http://x/p> _:b .\n"):
        with pytest.raises(InputError, match=r"_:b is a blank node.*use IRIs"):
            remote.insert(many(1) + quads)
    assert size(remote) == 0


def test_named_graphs_are_kept_apart(store: Store):
    store.insert(many(2, "<http://x/g>"))
    assert store.query("ASK { ?s ?p ?o }") is False
    assert store.query("ASK { GRAPH <http://x/g> { ?s ?p ?o } }") is True


@pytest.mark.parametrize(
    "bad",
    [b"nonsense", b"<http://x/a> <http://x/p> .\n", b"\xff\xfe\n", b'<a> <b> "relative" .\n'],
    ids=["text", "two terms", "not UTF-8", "relative"],
)
def test_malformed_quads_store_nothing_and_say_where(store: Store, bad: bytes):
    with pytest.raises(InputError, match="line 4"):
        store.insert(many(3) + bad)
    assert size(store) == 0


@pytest.mark.parametrize("more", [b"", b"<http://x/b> <http://x/p> _:b .\n"], ids=["", "blank"])
def test_a_literal_that_cannot_be_read_back_is_refused_with_a_way_out(
    local: Store, more: bytes
) -> None:
    large = b'<http://x/a> <http://x/p> "' + b"x" * (16 << 20) + b'" .\n'
    with pytest.raises(InputError, match=r"more than 15 MiB.*in a file.*nothing was stored"):
        local.insert(large + more)
    assert local.query("ASK { ?s ?p ?o }") is False


def test_a_row_that_cannot_be_read_is_refused_with_a_way_out(local: Store) -> None:
    """A query can make of small literals a large one."""
    local.insert(b'<http://x/a> <http://x/p> "' + b"x" * (1 << 20) + b'" .\n')
    doubled = "SELECT (CONCAT(?o, ?o, ?o, ?o) AS ?x) { ?s ?p ?o }"
    for query in (doubled, f"CONSTRUCT {{ ?s ?p ?x }} {{ {{ {doubled} }} ?s ?p ?o }}"):
        with pytest.raises(QueryError, match=r"more than 2 MiB.*SUBSTR"):
            local.query_guarded(query, Bounds())
    part = local.query_guarded(doubled.replace("?o, ?o, ?o, ?o", "?o, SUBSTR(?o, 1, 9)"), Bounds())
    assert isinstance(part, Table)
    assert len(part.rows) == 1


def test_strings_of_every_kind_come_back_exactly(store: Store):
    texts = [
        "",
        " ",
        "a\tb\nc\rd\\e\"f'g",
        "\0\x7f\u2028\ufeff",
        "é 漢 😀",
        "<x>",
        "_:a",
        "5",
        "\\t",
    ]
    for text in texts:
        store.insert(f"<http://x/a> <http://x/p> {Literal(text)} .\n".encode())
    assert {o.value for o in objects(store)} == set(texts)


def test_numbers_of_every_kind_come_back_exactly(store: Store):
    # Blazegraph has no sign of zero; objects have none either
    zero = 0.0 if "blazegraph" in store.url else -0.0
    numbers = [0.1 + 0.2, 1e-300, -1.5e300, 5e-324, zero, math.inf, -math.inf, math.nan]
    for i, number in enumerate(numbers):
        text = repr(number).replace("inf", "INF").replace("nan", "NaN")
        store.insert(f'<http://x/{i}> <http://x/p> "{text}"^^<{XSD}double> .\n'.encode())
    table = store.query("SELECT ?o { ?s ?p ?o } ORDER BY ?s")
    assert isinstance(table, Table)
    found = [float(row[0].value) for row in table.rows if isinstance(row[0], Literal)]
    assert list(map(repr, found)) == list(map(repr, numbers))


def test_other_terms_come_back_exactly(store: Store):
    terms = [
        NamedNode("http://x/ü?q=%20#é"),
        Literal("x", language="de-ch"),
        Literal(True),
        Literal("2026-11-01T10:00:00Z", datatype=NamedNode(XSD + "dateTime")),
        Literal("own", datatype=NamedNode("http://x/type")),
    ]
    for term in terms:
        store.insert(f"<http://x/a> <http://x/p> {term} .\n".encode())
    assert set(objects(store)) == set(terms)


def test_labels_of_blank_nodes_are_kept(local: Store):
    local.insert(b"<http://x/a> <http://x/p> _:b.c .\n")
    assert objects(local) == [BlankNode("b.c")]


@pytest.mark.parametrize("rows", [0, 1, 999, 1000, 1001, 2499, 2500, 2501, None])
def test_rows_are_cut_at_the_limit_and_the_answer_says_so(store: Store, rows: int | None):
    store.insert(many(2500))
    table = store.query("SELECT ?s ?o { ?s ?p ?o }", max_rows=rows)
    triples = store.query("CONSTRUCT WHERE { ?s ?p ?o }", max_rows=rows)
    expected = 2500 if rows is None else min(rows, 2500)
    note = None if expected == 2500 else f"cut after {rows} rows"
    assert isinstance(table, Table)
    assert isinstance(triples, list)
    assert len(set(table.rows)) == len(table.rows) == expected
    assert len(set(triples)) == len(triples) == expected
    assert table.cut == note == getattr(triples, "cut", "missing")


@pytest.mark.parametrize("bad", ["SELECT {", "INSERT DATA { <a:a> <a:b> 1 }", "", "\ud800"])
def test_what_is_no_query_is_refused_and_changes_nothing(store: Store, bad: str):
    with pytest.raises(QueryError):
        store.query(bad)
    assert size(store) == 0


def test_a_runaway_query_ends_at_its_time_limit(store: Store):
    # Few enough that the thread which the memory store leaves behind ends some seconds later.
    store.insert(many(400))
    started = time.monotonic()
    with pytest.raises(TimeLimitError):
        store.query(RUNAWAY, timeout=0.3)
    assert time.monotonic() - started < 30
    assert size(store) == 400


def test_a_closed_store_says_so(store: Store):
    store.close()
    with pytest.raises(InputError, match="closed"):
        store.query("ASK {}")


def test_threads_share_a_store(store: Store):
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for i in range(20):
                store.insert(f'<http://x/{number}> <http://x/p> "{i}" .\n'.encode(), durable=False)
                assert store.query(f"ASK {{ <http://x/{number}> ?p '{i}' }}") is True
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert size(store) == 160


@pytest.mark.parametrize("write", [str, lambda p: p.as_uri(), lambda p: f"file://localhost{p}"])
def test_a_folder_is_named_by_path_or_url_and_its_url_opens_it_again(folder: Path, write):
    folder = folder / "with space"
    with open_store(write(folder)) as store:
        assert store.home == folder
        assert folder.is_dir()
        with open_store(store.url) as again:
            assert again.home == folder


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://", "names no host"),
        ("HTTPS:x.org", "names no host"),
        ("s3://bucket", "s3 is not a kind of store"),
        ("file://elsewhere/path", "absolute path on this host"),
        ("", "names no folder"),
        ("a\0b", "names no folder"),
    ],
)
def test_other_urls_are_refused_with_a_way_out(url: str, words: str):
    with pytest.raises(InputError, match=words) as caught:
        open_store(url)
    assert caught.value.advice


def test_a_number_is_stored_once_however_it_is_spelt(store: Store):
    for spelling in ("1.0", "1", "1e0", "0.1E1"):
        store.insert(f'<http://x/a> <http://x/p> "{spelling}"^^<{XSD}double> .\n'.encode())
    table = store.query("SELECT ?o { <http://x/a> <http://x/p> ?o }")
    assert isinstance(table, Table)
    assert len(table.rows) == 1


TRIPLE_TERM = b"<http://x/a> <http://x/p> <<( <http://x/s> <http://x/q> <http://x/o> )>> .\n"


def test_a_triple_as_a_term_is_refused(local: Store):
    with pytest.raises(InputError, match="triple as its object"):
        local.insert(many(2) + TRIPLE_TERM)
    assert size(local) == 0
    local.insert(b'<http://x/a> <http://x/p> "<<( a b c )>>" .\n')
    assert objects(local) == [Literal("<<( a b c )>>")]
