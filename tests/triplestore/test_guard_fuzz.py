"""No text crashes or stalls the guard, and rdflib judges its counts over generated queries."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ogm.terms import PREFIXES
from tests.triplestore.corpus import ALL_ORDINARY, HOSTILE, counts
from tests.triplestore.judge import sizes

# --- fuzzing ----------------------------------------------------------------------------------


class Child:
    """The guard in a process of its own, so that a crash of the parser is seen."""

    def __init__(self) -> None:
        code = """if True:
            import json, sys, time
            from ogm.terms import PREFIXES
            from triplestore import QueryError, check_query
            for line in sys.stdin:
                started = time.process_time()
                try:
                    check_query(json.loads(line), prefixes=PREFIXES)
                    said = True
                except QueryError:
                    said = False
                print(json.dumps([said, time.process_time() - started]), flush=True)
        """
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def check(self, text: str) -> bool:
        """Whether it passes; the time must be short and the process alive."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline()
        assert said, f"the guard died of {text!r} with {self.process.wait(5)}"
        passed, seconds = json.loads(said)
        assert seconds < 20, f"{seconds} s"
        return passed


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    child = Child()
    with child.process:
        yield child
        assert child.process.stdin is not None
        child.process.stdin.close()


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
WORDS = r"""SELECT ASK CONSTRUCT WHERE { } ( ) [ ] < > << >> <a:b> <a> ?x $y g:a g: ex:a a. : _:b
"s" 's' ''' " ' \ \u0022 \" # . ; , | || && ! ^ ^^ / * + - 1 1.5 1e5 .5 @en true a FILTER SERVICE
FROM LOAD VALUES UNDEF UNION OPTIONAL PREFIX BASE é EXISTS NOT BIND AS GRAPH MINUS IN STR"""
PIECES = st.sampled_from([*WORDS.split(), '"""', "\ud800", "\0", "\n", " ", "\u2028", "\ufeff"])
SPLIT = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|<[^<>\s]*>|[?$]?[\w:.\-]+|.', re.DOTALL)
CORPUS = [SPLIT.findall(query) for query in [*ALL_ORDINARY, *HOSTILE["refused"]]]


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """A query of the corpus with pieces of itself and of others moved, doubled or left out."""
    parts = list(draw(st.sampled_from(CORPUS)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(parts)))
        end = min(len(parts), start + draw(st.integers(0, 6)))
        other = draw(st.sampled_from(CORPUS))
        cut = draw(st.integers(0, len(other)))
        repeat = draw(st.sampled_from([0, 1, 1, 2, 30]))
        new = draw(st.sampled_from([other[cut : cut + 8], parts[start:end] * repeat]))
        parts[start:end] = new or [draw(PIECES)]
    return "".join(parts)


TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(PIECES, max_size=40).map("".join),
    st.lists(PIECES, max_size=40).map(" ".join),
    mutations(),
)
FUZZ = settings(max_examples=400, deadline=None, suppress_health_check=SLOW)


@FUZZ
@given(text=TEXTS)
def test_no_text_crashes_or_stalls_the_guard(text: str, child: Child):
    child.check(text)


# --- rdflib as the judge of generated queries -------------------------------------------------

NAMES = st.sampled_from(["?x", "$y", "g:a", "g:a.b", "<http://x/a>", "_:b", "[]"])
OBJECTS = st.one_of(
    NAMES, st.sampled_from(["1", "-2.5", "'s'@en", "'5'^^xsd:integer", "true", "()"])
)
STEPS = st.sampled_from(["g:a", "a", "<http://x/p>", "^g:b", "!g:c", "!(g:a|^g:b|a)"])


def joined(strategy: st.SearchStrategy[str], *marks: str) -> st.SearchStrategy[str]:
    """One to three, with one of the marks between them."""
    pieces = st.lists(strategy, min_size=1, max_size=2)
    return st.tuples(pieces, st.sampled_from(marks)).map(lambda both: both[1].join(both[0]))


PATHS = st.recursive(
    STEPS,
    lambda inner: (
        joined(inner, "/", "|", " / ").map("({})".format) | joined(inner, "/").map("({})*".format)
    ),
    max_leaves=4,
)
VERBS = st.one_of(st.sampled_from(["?p", "a", "g:p"]), PATHS)


def sentences(objects: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lists = joined(objects, " , ", ",")
    return joined(st.tuples(VERBS, lists).map(" ".join), " ; ", " ;; ")


NODES = st.recursive(
    OBJECTS,
    lambda inner: sentences(inner).map("[ {} ]".format) | joined(inner, " ").map("( {} )".format),
    max_leaves=4,
)
TRIPLES = joined(st.tuples(NAMES, sentences(NODES)).map(" ".join), " . ")


def groups(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    group = inner.map("{{ {} }}".format)
    union = st.lists(group, min_size=2, max_size=4).map(" UNION ".join)
    forms = [
        "OPTIONAL {}",
        "MINUS {}",
        "GRAPH ?g {}",
        "FILTER EXISTS {}",
        "FILTER NOT EXISTS {}",
        "{}",
        "FILTER(?x / 2 > 1 || EXISTS {})",
        "{{ SELECT ?x (?y / 2 AS ?z) {} GROUP BY ?x }}",
        "BIND(1 / 2 AS ?new) {}",
        "VALUES (?v ?w) {{ (1 g:a) (UNDEF 2) }} {}",
        "FILTER REGEX(STR(?x), 'a') ?x ?y ?z . {}",
        "VALUES ?v {{ 1 }} ?x ?y ?z {}",
    ]
    wrapped = st.tuples(st.sampled_from(forms), group).map(lambda both: both[0].format(both[1]))
    return st.lists(st.one_of(wrapped, union, inner), min_size=1, max_size=3).map(
        lambda parts: " ".join(
            part if part.endswith("}") or last else part + " ."
            for part, last in zip(parts, [False] * (len(parts) - 1) + [True], strict=True)
        )
    )


PATTERNS = st.recursive(TRIPLES, groups, max_leaves=6)
HEADS = st.sampled_from(
    [
        "SELECT * {{ {} }}",
        "ASK {{ {} }}",
        "DESCRIBE ?x WHERE {{ {} }}",
        "CONSTRUCT {{ ?x ?y (1 2) }} WHERE {{ {} }} ORDER BY ?x",
    ]
)


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(head=HEADS, pattern=PATTERNS)
def test_the_counts_of_generated_queries_are_never_below_those_of_the_algebra(
    head: str, pattern: str
):
    query = head.format(pattern)
    try:
        found = sizes(query, PREFIXES)
    except Exception:  # not every combination is a query: a variable may be bound twice, …
        return
    counted = counts(query)
    assert all(counted[name] >= count for name, count in found.items()), (found, counted)
