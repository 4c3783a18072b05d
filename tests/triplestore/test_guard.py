"""The guard lets good queries pass and refuses the rest, quickly and without a crash."""

import subprocess
import sys
import time
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triplestore import Limits, QueryError, check_query, open_store

CORPUS = tomllib.loads((Path(__file__).parent / "queries.toml").read_text())


@pytest.mark.parametrize("query", CORPUS["allowed"])
def test_reading_queries_pass(query: str):
    check_query(query)
    with open_store("memory:") as store:
        store.query(query)  # what passes can be run


@pytest.mark.parametrize("query", CORPUS["refused"])
def test_everything_else_is_refused(query: str):
    with pytest.raises(QueryError):
        check_query(query)


@pytest.mark.parametrize(("query", "words"), CORPUS["reasons"].items())
def test_a_refusal_says_where_and_why(query: str, words: str):
    with pytest.raises(QueryError) as caught:
        check_query(query)
    assert words in str(caught.value)


def test_the_corpus_is_large_enough_to_mean_something():
    assert len(set(CORPUS["allowed"])) >= 40
    assert len(set(CORPUS["refused"])) >= 40


# Each of these ends the process or keeps it busy for minutes when the parser sees it.
CHAINS = {
    "braces": "SELECT * {" + "{" * 15_000,
    "balanced braces": "SELECT * " + "{" * 5_000 + "}" * 5_000,
    "parentheses": "SELECT * {FILTER" + "(" * 20_000 + "1" + ")" * 20_000 + "}",
    "brackets": "SELECT * {?s ?p " + "[?p " * 5_000 + "]" * 5_000 + "}",
    "quoted triples": "SELECT * {" + "<<" * 20_000 + "}",
    "not": "SELECT * {FILTER(" + "!" * 60_000 + "true)}",
    "or": "SELECT * {FILTER(1" + "||1" * 20_000 + ")}",
    "plus": "SELECT * {FILTER(1" + "+1" * 30_000 + ")}",
    "union": "SELECT * {{}" + "UNION{}" * 8_000 + "}",
    "optional": "SELECT * {" + "OPTIONAL{?s ?p 1}" * 3_000 + "}",
    "bind": "SELECT * {" + "".join(f"BIND(1 AS ?x{i})" for i in range(3_000)) + "}",
    "triples": "SELECT * {" + "?s ?p 1." * 7_000 + "}",
    "predicates": "SELECT * {?s ?p 1" + ";?p 1" * 9_000 + "}",
    "objects": "SELECT * {?s ?p 1" + ",1" * 25_000 + "}",
    "list": "SELECT * {?s ?p (" + "1 " * 20_000 + ")}",
    "path": "SELECT * {?s <a:b>" + "/<a:b>" * 9_000 + " ?o}",
    "subqueries": "SELECT * {" + "{SELECT * {}}" * 4_000 + "}",
    "having": "SELECT (1 AS ?x) {} HAVING" + "(1)" * 15_000,
}


@pytest.mark.parametrize("name", CHAINS)
def test_deep_and_long_queries_are_refused_before_the_parser_sees_them(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("triplestore.guard._check_syntax", lambda _: pytest.fail("it saw it"))
    started = time.perf_counter()
    with pytest.raises(QueryError, match="more than"):
        check_query(CHAINS[name])
    assert time.perf_counter() - started < 0.5


def test_queries_at_the_limits_are_parsed_in_good_time():
    """In a process of its own: a crash of the parser must fail this test, not end the run."""
    code = """if True:
        import threading, time
        from triplestore import check_query
        parts, operators = 78, 240
        texts = [
            "SELECT * {?s ?p 1" + ";?p 1" * parts + "}",
            "SELECT * {" + "?s ?p 1." * parts + "}",
            "SELECT * {?s <a:b>" + "/<a:b>" * parts + " ?o}",
            "SELECT * {?s ?p (" + "1 " * (parts // 2) + ")}",
            "SELECT * {FILTER(1" + "+1" * operators + ")}",
            "SELECT * {FILTER(" + "!" * operators + "true)}",
            "SELECT * {" + "OPTIONAL{?s ?p 1}" * parts + "}",
            "SELECT * {" + "{?s ?p 1}UNION" * (parts - 1) + "{}}",
            "SELECT * {" + "{" * 30 + "?s ?p ?o" + "}" * 30 + "}",
            "SELECT * {VALUES ?x {" + "<http://x/abcdefgh> " * 3000 + "}}",
        ]
        def run():
            for text in texts:
                started = time.perf_counter()
                check_query(text)
                assert time.perf_counter() - started < 5, text[:40]
            print("all parsed")
        threading.stack_size(1 << 20)
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "all parsed", done.stderr


@pytest.mark.parametrize(
    "text",
    ['"' * 60_000, "<a" * 30_000, '"\\' * 30_000, "a:" * 30_000, '"""\\' * 15_000, "<" * 60_000,
     "a." * 30_000, "'''" + "''" * 29_000, "_:" * 30_000, "#" * 60_000, "\n" * 60_000],
    ids=lambda text: repr(text[:6]),
)  # fmt: skip
def test_hostile_text_takes_linear_time(text: str):
    started = time.perf_counter()
    with pytest.raises(QueryError):
        check_query(text, Limits(parts=10**9, operators=10**9))
    assert time.perf_counter() - started < 1.0


def test_a_query_beyond_the_size_limit_is_refused():
    with pytest.raises(QueryError, match="longer than 64000 bytes"):
        check_query("SELECT * { ?s ?p '" + "ü" * 32_000 + "' }")


def test_own_queries_cannot_call_another_server_either():
    with open_store("memory:") as store:
        with pytest.raises(QueryError, match="SERVICE"):
            store.query("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }")
        assert store.query('ASK { FILTER("SERVICE" = "SERVICE") }') is True


WORDS = r"""SELECT ASK CONSTRUCT WHERE { } ( ) [ ] < > << >> <a:b> ?x $y ex:a : _:b "s" 's' ''' " '
\ \u0022 \" # . ; , | || && ! ^ ^^ / * + - 1 1.5 1e5 @en true a FILTER SERVICE FROM LOAD VALUES
UNDEF UNION OPTIONAL PREFIX é"""
PIECES = st.sampled_from([*WORDS.split(), '"""', "\ud800", "\0", "\n", " ", "\u2028"])


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join)))
def test_no_text_crashes_the_guard(text: str):
    with suppress(QueryError):
        check_query(text)
