"""A batch as a page: all of its rows, as its table has them, and nothing that could run."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.session.inspection import shorten
from grafico.views.batch_page import LivePages, batch_page
from grafico.views.row_files import write_rows
from ogm import Link
from ontologies.collection import Batch, Collection
from tests.typed import typed
from triplestore.errors import InputError
from workflows.batch.result import BatchResult
from workflows.engine import Event

HOSTILE = "</script><script>alert(1)</script>"

LIBRARY = f"""name,smiles,shelf,"{HOSTILE}",energy_Eh
<img src=x onerror=alert(1)>,O,1,{HOSTILE},5
b,C1CC,2,,
c,N,3.5,x,7
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grafico]:
    with Grafico(tmp_path_factory.mktemp("page") / "store", threads_per_calculation=1) as grafico:
        yield grafico


@pytest.fixture(scope="module")
def result(session: Grafico, tmp_path_factory: pytest.TempPathFactory) -> BatchResult:
    path = tmp_path_factory.mktemp("library") / "library.csv"
    path.write_text(LIBRARY)
    return session.batch(path, method="GFN1-xTB").result()


class Page(HTMLParser):
    """The scripts of a page, and the cells of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[tuple[str, str]] = []
        self.tags: list[str] = []
        self._kind: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._kind = dict(attrs).get("class") or "" if tag == "script" else None

    def handle_data(self, data: str) -> None:
        if self._kind is not None:
            self.scripts.append((self._kind, data))
            self._kind = None


def data_of(text: str) -> dict[str, Any]:
    [rows] = [data for kind, data in Page(text).scripts if kind == "rows"]
    return json.loads(rows)


def test_the_page_has_the_numbers_of_the_table(result: BatchResult, tmp_path: Path) -> None:
    write_rows(result, tmp_path / "table.csv")
    write_rows(result, tmp_path / "page.html")
    text = (tmp_path / "table.csv").read_text("utf-8")
    table = list(csv.DictReader(text.splitlines()))
    data = data_of((tmp_path / "page.html").read_text("utf-8"))
    place = {(one["label"], one["unit"]): k for k, one in enumerate(data["columns"])}
    energy, shelf = place["energy", "Eh"], place["shelf", ""]
    assert data["columns"][energy]["number"]
    assert data["columns"][shelf]["number"], "a column of the source that holds numbers"
    assert len(data["rows"]) == len(table) == 3
    for row, line in zip(data["rows"], table, strict=True):
        said = line["energy_Eh (computed)"]
        assert row[energy] == (float(said) if said else None)
        assert row[shelf] == float(line["shelf"])
        assert row[place["run", ""]] == (line["run"] or None)
    assert [row[place["status", ""]] for row in data["rows"]] == [
        "finished",
        "unreadable",
        "finished",
    ]


def test_what_only_looks_like_a_number_stays_as_it_is_written(
    session: Grafico, tmp_path: Path
) -> None:
    path = tmp_path / "ids.csv"
    path.write_text(
        "name,smiles,shelf,lot,long,cid,pka\na,C1CC,0012,10_1,12345678901234567,5311101,-.5e1\n"
    )
    result = session.batch(path, method="GFN1-xTB").result()
    text = batch_page(result)
    data = data_of(text)
    names = [one["label"] for one in data["columns"]]
    found = {name: data["rows"][0][names.index(name)] for name in names}
    assert found["shelf"] == "0012"
    assert found["lot"] == "10_1"
    assert found["long"] == "12345678901234567"
    assert found["cid"] == 5311101
    assert found["pka"] == -5.0
    assert ">5311101</data>" in text, "whole numbers are written in full"


def test_what_others_have_written_does_not_run(result: BatchResult) -> None:
    text = batch_page(result)
    page = Page(text)
    assert [kind for kind, _ in page.scripts] == ["rows", ""]
    assert "img" not in page.tags
    assert HOSTILE not in text
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    assert "default-src 'none'" in policy[1]
    assert "unsafe" not in policy[1]
    names = [one["name"] for one in data_of(text)["columns"]]
    assert HOSTILE in names, "and is told as it is"


def test_the_report_of_a_batch_is_this_page(session: Grafico, result: BatchResult) -> None:
    page = session.report(result.run)
    assert data_of(page) == data_of(batch_page(result))
    assert "refresh" not in page
    stored = BatchResult.stored(session.kg, result.run)
    assert stored is not None
    assert stored.counts == result.counts
    assert session.blocks(result.run)[0].title == "batch"
    [row] = [row for row in result.rows() if row.entry.name == "c"]
    assert BatchResult.stored(session.kg, row.run) is None
    assert "GFN1-xTB" in session.report(row.run)


def test_a_batch_is_shown_and_resumed_by_its_own_iri(session: Grafico, tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("name,smiles\na,[H][H]\nb,Cl\n")
    first = session.batch(path, method="GFN1-xTB", said={"limit": 1}).result()
    iri = first.batch.iri
    assert f"grafico resume {shorten(iri)}" in session.show(iri).note
    again = session.resume(iri, limit=2)
    assert again.batch.iri == iri
    assert [row.status for row in again.rows()] == ["finished", "finished"]
    assert data_of(session.report(iri)) == data_of(batch_page(again)), "that of the latest run"
    assert session.blocks(iri) == session.blocks(again.run)
    hits = session.find(iri)
    assert {hit.smiles for hit in hits} == {"[H][H]", "Cl"}
    assert {hit.kind for hit in hits} == {"TightBindingEnergy"}
    assert session.find(iri, method="B3LYP") == []
    with pytest.raises(InputError, match="that is a Collection"):
        session.report(first.collection.iri)
    never = Batch(collection=Link[Collection](first.collection), workflow="dft", settings=("{}",))
    session.kg.push(never)
    with pytest.raises(InputError, match="that is a Batch"):
        session.resume(never.iri)


def test_a_batch_of_few_entries_is_shown_as_that(session: Grafico, tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("name,smiles\na,[H][H]\nb,F\n")
    result = session.batch(path, method="GFN1-xTB", said={"limit": 1}).result()
    stored = BatchResult.stored(session.kg, result.run)
    assert stored is not None
    assert [row.entry.name for row in stored.rows()] == ["a"]
    assert stored.counts["open"] == 0


def test_pages_are_written_while_a_batch_goes_on(
    session: Grafico, result: BatchResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grafico.views.batch_page.EVERY", 0.05)
    path = tmp_path / "page.html"
    pages = LivePages([path])
    with pages.written(session.kg):
        assert not path.exists(), "nothing is known yet"
        pages(Event("run", result.run))
        while not path.exists():
            pass
    assert len(data_of(path.read_text("utf-8"))["rows"]) == 3
    path.unlink()
    with pytest.raises(KeyboardInterrupt), LivePages([path]).written(session.kg):
        raise KeyboardInterrupt
    assert not path.exists(), "no run has begun"


def test_a_page_of_a_batch_that_is_open_says_so_and_is_read_again(
    session: Grafico, result: BatchResult, tmp_path: Path
) -> None:
    path = tmp_path / "half.csv"
    path.write_text("name,smiles\na,[H][H]\nb,Cl\n")
    session.batch(path, method="GFN1-xTB", said={"limit": 1}).result()
    stored = BatchResult.stored(session.kg, session.runs(1)[0].run)
    assert stored is not None
    stored.entries.limit = None
    page = batch_page(stored, again=5)
    assert '<meta http-equiv="refresh" content="5">' in page
    assert "1 of 2 have ended" in page


def test_a_page_from_the_command_line(tmp_path: Path) -> None:

    (tmp_path / "one.smi").write_text("O water\n")
    source, page, store = (str(tmp_path / name) for name in ("one.smi", "page.html", "store"))
    words = ["batch", source, "--method", "GFN1-xTB", "-o", page, "--store", store, "--quiet"]
    typed(*words)
    text = Path(page).read_text("utf-8")
    assert "refresh" not in text
    assert data_of(text)["rows"][0][0] == "water"
