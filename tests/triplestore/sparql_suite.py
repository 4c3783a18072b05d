"""The W3C's SPARQL 1.1 query tests, asked as somebody else's queries are, of every kind of store.

``python -m tests.triplestore.sparql_suite FOLDER [--store memory folder oxigraph blazegraph]``
reads the manifests below FOLDER (a copy of the folder ``sparql/sparql11`` of w3c/rdf-tests, which
is not part of Grafico), puts each test's data into an empty store, asks its query, and compares the
answer with the published one. A *refused* query got an error that says so, a *wrong* one another
answer. ``--table`` prints what is not right as it stands in docs/stores.md.
"""

from __future__ import annotations

import argparse
import json
import re
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pyoxigraph as ox
from rdflib import RDF, Graph, Namespace, URIRef
from rdflib.collection import Collection

from tests.ports import free_port
from triplestore import Store, Table, open_store
from triplestore.bounds import Bounds
from triplestore.errors import GraficoError
from triplestore.guard.check import check_query

MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
QT = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-query#")
RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
KINDS = ("memory", "folder", "oxigraph", "blazegraph")
BLANK = "urn:blank:"
"""What a blank node of the data is called in a store: servers do not keep their labels."""
_NUMBERS = re.compile(r"XMLSchema#(integer|decimal|double|float|\w*(Integer|nt|ong|hort|yte))$")
FORMATS = {".ttl": ox.RdfFormat.TURTLE, ".rdf": ox.RdfFormat.RDF_XML, ".nt": ox.RdfFormat.N_TRIPLES}
RESULTS = {
    ".srx": ox.QueryResultsFormat.XML,
    ".srj": ox.QueryResultsFormat.JSON,
    ".tsv": ox.QueryResultsFormat.TSV,
}


@dataclass(frozen=True)
class Case:
    """One test: files of its query, of its data (unnamed and named graphs) and of its answer."""

    name: str
    query: Path
    data: tuple[Path, ...]
    graphs: tuple[Path, ...]
    result: Path


@dataclass(frozen=True)
class Verdict:
    """How a store answered: `right`, `refused`, `wrong` or `error`, and what was said."""

    case: str
    how: str
    said: str = ""


def cases(folder: Path) -> Iterator[Case]:
    """Iterate over the query evaluation tests of a folder, without those of entailment regimes.

    Raises:
        FileNotFoundError: the folder has no manifests.
    """
    manifests = sorted(folder.glob("*/manifest.ttl"))
    if not manifests:
        raise FileNotFoundError(f"{folder} has no folder with a manifest.ttl")
    for manifest in manifests:
        if manifest.parent.name == "entailment":
            continue
        graph = Graph().parse(manifest, format="turtle", publicID=manifest.as_uri())
        for entries in graph.objects(URIRef(manifest.as_uri()), MF.entries):
            for test in Collection(graph, entries):
                action, result = graph.value(test, MF.action), graph.value(test, MF.result)
                kind = graph.value(test, RDF.type)
                if kind != MF.QueryEvaluationTest or action is None or result is None:
                    continue
                name = f"{manifest.parent.name}/{str(test).rpartition('#')[2]}"
                query = graph.value(action, QT.query)
                path = _path(result)
                if query is None or path.suffix not in (*FORMATS, *RESULTS):
                    continue
                yield Case(
                    name,
                    _path(query),
                    tuple(map(_path, graph.objects(action, QT.data))),
                    tuple(map(_path, graph.objects(action, QT.graphData))),
                    path,
                )


def verdict(case: Case, store: Store) -> Verdict:
    """Ask an empty store a test's query, as a query of somebody else is asked."""
    text = case.query.read_text(encoding="utf-8")
    if not re.search(r"^\s*BASE", text, re.IGNORECASE | re.MULTILINE):
        text = f"BASE <{case.query.as_uri()}>\n{text}"
    try:
        store.insert("".join(_quads(case)).encode())
        check_query(text)
        found = store.query_guarded(text, Bounds())
    except GraficoError as error:
        refused = type(error).__name__ in ("QueryError", "InputError")
        return Verdict(case.name, "refused" if refused else "error", str(error))
    want, got = _expected(case.result), _answered(found)
    if want == got:
        return Verdict(case.name, "right")
    missing, more = want - got, got - want
    return Verdict(case.name, "wrong", f"missing {_few(missing)}; too many {_few(more)}")


def _path(iri: Any) -> Path:
    return Path(unquote(urlsplit(str(iri)).path))


def _quads(case: Case) -> Iterator[str]:
    for files, named in ((case.data, False), (case.graphs, True)):
        for path in files:
            name = f" <{path.as_uri()}>" if named else ""
            for triple in _triples(path):
                subject, value = _named(triple.subject), _named(triple.object)
                yield f"{subject} {triple.predicate} {value}{name} .\n"


def _triples(path: Path) -> Iterator[ox.Quad]:
    return ox.parse(
        path.read_bytes(),
        format=FORMATS[path.suffix],
        base_iri=path.as_uri(),
        rename_blank_nodes=False,
    )


def _named(term: Any) -> str:
    return f"<{BLANK}{term.value}>" if isinstance(term, ox.BlankNode) else str(term)


def _key(term: Any, blank: dict[str, str]) -> str:
    """Return a term by its value: blank nodes by when they come first, numbers as numbers."""
    if term is None:
        return ""
    if isinstance(term, ox.BlankNode) or str(term).startswith(f"<{BLANK}"):
        return blank.setdefault(str(term), "_:")
    if isinstance(term, ox.Literal) and _NUMBERS.search(term.datatype.value):
        try:
            return f"{float(term.value):.12g}^^{term.datatype.value}"
        except ValueError:
            pass
    if isinstance(term, ox.Literal) and term.datatype.value.endswith("#boolean"):
        return {"0": "false", "1": "true"}.get(term.value, term.value) + "^^boolean"
    return str(term).lower() if isinstance(term, ox.Literal) and term.language else str(term)


def _counted(variables: list[str], rows: Iterator[tuple[Any, ...]]) -> Counter[str]:
    kept: Counter[str] = Counter()
    for row in rows:
        pairs = sorted(zip(variables, row, strict=True))
        kept[" ".join(f"?{name}={_key(term, {})}" for name, term in pairs if term is not None)] += 1
    return kept


def _answered(found: Any) -> Counter[str]:
    if isinstance(found, bool):
        return Counter([str(found)])
    if isinstance(found, Table):
        return _counted(list(found.variables), iter(found.rows))
    return Counter(_triple(one) for one in set(found))


def _triple(one: Any) -> str:
    return " ".join(_key(term, {}) for term in (one.subject, one.predicate, one.object))


def _expected(path: Path) -> Counter[str]:
    if path.suffix in RESULTS:
        parsed: Any = ox.parse_query_results(path.read_bytes(), format=RESULTS[path.suffix])
        if not isinstance(parsed, ox.QuerySolutions):
            return Counter([str(bool(parsed))])
        names = [variable.value for variable in parsed.variables]
        return _counted(names, (tuple(one[name] for name in names) for one in parsed))
    triples = list(_triples(path))
    if not any(RS in str(one.predicate) for one in triples):
        return Counter(_triple(one) for one in set(triples))
    table: dict[Any, dict[str, list[Any]]] = {}
    for one in triples:
        table.setdefault(one.subject, {}).setdefault(one.predicate.value[len(RS) :], []).append(
            one.object
        )
    kept: Counter[str] = Counter()
    for row in (about for about in table.values() if "binding" in about):
        found = {table[one]["variable"][0].value: table[one]["value"][0] for one in row["binding"]}
        kept += _counted(list(found), iter([tuple(found.values())]))
    return kept


def _few(rows: Counter[str]) -> str:
    return json.dumps(list(rows.elements())[:3])[:300]


@contextmanager
def _oxigraph(work: Path) -> Generator[Store]:
    """Serve an empty folder by Oxigraph on loopback."""
    port = free_port()
    program = [str(Path(sys.executable).with_name("oxigraph")), "serve", "--location", str(work)]
    quiet = subprocess.DEVNULL
    child = subprocess.Popen(
        [*program, "--bind", f"127.0.0.1:{port}", "--timeout-s", "45"], stdout=quiet, stderr=quiet
    )
    try:
        until = time.monotonic() + 20
        while child.poll() is None and time.monotonic() < until:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            time.sleep(0.01)
        with open_store(f"http://127.0.0.1:{port}") as store:
            yield store
    finally:
        child.kill()
        child.wait()


def _empty_stores(name: str, stack: ExitStack) -> Callable[[], AbstractContextManager[Store]]:
    """Return what opens an empty store of a kind."""
    # A broker looks after its folder for a moment longer.
    made = tempfile.TemporaryDirectory(prefix="grafico-sparql-", ignore_cleanup_errors=True)
    work = Path(stack.enter_context(made))
    if name == "memory":
        return lambda: open_store("memory:")
    if name == "folder":
        return lambda: open_store(str(work / uuid.uuid4().hex))
    if name == "oxigraph":
        return lambda: _oxigraph(work / uuid.uuid4().hex)
    from triplestore.remote.blazegraph import Blazegraph

    server = stack.enter_context(Blazegraph(work / "blazegraph", memory="1g"))
    return lambda: open_store(server.create(uuid.uuid4().hex))


def verdicts(folder: Path, names: Iterable[str], only: str = "") -> dict[str, list[Verdict]]:
    """Return how each kind of store answers each test, by the kind's name.

    Args:
        folder: of the tests.
        names: some of `KINDS`.
        only: text that is in the names of the tests asked for.

    Raises:
        FileNotFoundError: the folder has no tests.
    """
    wanted = [case for case in cases(folder.resolve()) if only in case.name]
    told: dict[str, list[Verdict]] = {}
    for name in names:
        with ExitStack() as stack:
            opened, told[name] = _empty_stores(name, stack), []
            for case in wanted:
                with opened() as store:
                    told[name].append(verdict(case, store))
    return told


def table(told: dict[str, list[Verdict]]) -> list[str]:
    """Return the lines of a table, in Markdown, of what is not right everywhere."""
    how = {name: {one.case: one.how for one in found} for name, found in told.items()}
    lines = [f"| test | {' | '.join(told)} |", f"|---|{'---|' * len(told)}"]
    for case in sorted({case for found in how.values() for case in found}):
        row = [found[case] for found in how.values()]
        if set(row) != {"right"}:
            lines.append(f"| {case} | {' | '.join(row)} |")
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Run the tests and print what was not answered right."""
    parser = argparse.ArgumentParser(prog="python -m tests.triplestore.sparql_suite")
    parser.add_argument("folder", type=Path, help="a copy of sparql/sparql11 of w3c/rdf-tests")
    parser.add_argument("--store", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--only", default="", help="tests whose name has this in it")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true")
    shape.add_argument("--table", action="store_true")
    asked = parser.parse_args(arguments)
    try:
        told = verdicts(asked.folder, asked.store, asked.only)
    except FileNotFoundError as error:
        parser.error(str(error))
    if asked.json:
        print(json.dumps({name: [asdict(one) for one in found] for name, found in told.items()}))
    elif asked.table:
        print("\n".join(table(told)))
    else:
        for name, found in told.items():
            counts = Counter(one.how for one in found)
            print(f"{name}: {', '.join(f'{number} {how}' for how, number in counts.items())}")
            for one in found:
                if one.how != "right":
                    print(f"  {one.how:8} {one.case}: {one.said[:400]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
