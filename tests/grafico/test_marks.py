"""What was withdrawn is not remembered, not shown unasked, and can be taken back into use."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from grafico import Grafico
from grafico.cli.app import main
from ontologies.marks import Withdrawal
from ontologies.provenance import Run
from tests.stores import IN_BLAZEGRAPH
from triplestore.errors import InputError, NotFoundError

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}


def test_a_withdrawn_run_is_computed_anew() -> None:
    with Grafico("memory:", threads_per_calculation=1) as g:
        g.run("helium", **HF)
        g.run("helium", **HF)  # remembered: it rests on the first one
        second, first = (line.run for line in g.runs())
        done = g.withdraw(first, why="wrong basis set")
        assert done.marked[0] == first
        assert done.runs == [second]
        assert [line.run for line in g.runs()] == [second]
        assert [line.withdrawn for line in g.runs(withdrawn=True)] == [False, True]
        assert g.find("helium") == []
        assert len(g.find("helium", withdrawn=True)) == 1
        assert "wrong basis set" in g.show(first).note
        again = g.run("helium", **HF)
        third = g.runs()[0].run
        assert len(g.find("helium")) == 1
        assert again.energy == pytest.approx(-2.807784, abs=1e-6)
        kept = g.kg.find(Withdrawal)[0]
        assert kept.why == "wrong basis set"
        assert kept.noted_by
        back = g.withdraw(first, undo=True)
        assert set(back.marked) == set(done.marked)
        assert [line.run for line in g.runs()] == [third, second, first]
        assert len(g.find("helium")) == 2


def test_what_rests_on_it_may_follow() -> None:
    with Grafico("memory:", threads_per_calculation=1) as g:
        g.run("[H][H]", **HF, task="optimise")
        g.run("[H][H]", **HF, task="frequencies")  # at the geometry that the first one found
        second, first = (line.run for line in g.runs())
        done = g.withdraw(first, why="a trial", with_dependents=True)
        assert second in done.marked
        assert done.runs == done.activities == []
        assert g.runs() == []
        assert g.find("[H][H]") == []


def test_a_result_is_not_withdrawn_and_a_reason_is_needed() -> None:
    with Grafico("memory:", threads_per_calculation=1) as g:
        g.run("helium", **HF)
        with pytest.raises(InputError, match="SinglePoint"):
            g.withdraw(g.find("helium")[0].result, why="x")
        with pytest.raises(InputError, match="reason"):
            g.withdraw("last")
        with pytest.raises(NotFoundError, match="not withdrawn"):
            g.withdraw("last", undo=True)
        assert len(g.runs()) == 1


def test_a_tag_is_a_name(tmp_path: Path) -> None:
    with Grafico(tmp_path, threads_per_calculation=1) as g:
        g.run("helium", **HF)
        g.run("neon", **HF)
    neon, helium = (run["run"] for run in json.loads(_said(tmp_path, "runs", "--json")))
    tagged = json.loads(_said(tmp_path, "tag", "#1", "Paper-2", "he", "--json"))
    assert tagged == {"iri": helium, "tags": ["he", "paper-2"]}
    assert json.loads(_said(tmp_path, "show", "paper-2", "--json"))["iri"] == helium
    _said(tmp_path, "tag", "last", "paper-2")
    with Grafico(tmp_path) as g:
        with pytest.raises(InputError, match="several"):
            g.iri("paper-2")
        assert g.tag(helium, "paper-2", remove=True) == ["he"]
        assert g.iri("paper-2") == neon
        for word in ("last", "r7", "cafe", "12", "a b", ""):
            with pytest.raises(InputError):
                g.tag(helium, word)


def test_the_command_says_what_rests_on_it(tmp_path: Path) -> None:
    with Grafico(tmp_path, threads_per_calculation=1) as g:
        g.run("helium", **HF)
        g.run("helium", **HF)
    out = _said(tmp_path, "withdraw", "r1", "--why", "wrong isomer")
    assert "on it rests, unchanged" in out
    assert "withdrawn" in _said(tmp_path, "runs", "--withdrawn")
    assert len(json.loads(_said(tmp_path, "runs", "--json"))) == 1
    assert "back in use" in _said(tmp_path, "withdraw", "r1", "--undo")
    assert len(json.loads(_said(tmp_path, "runs", "--json"))) == 2


def _said(store: Path, *words: str) -> str:
    got = CliRunner().invoke(main, [*words, "--store", str(store)])
    assert got.exit_code == 0, got.output
    return got.stdout


def test_what_somebody_else_says_of_what_is_here_counts_after_a_yes(tmp_path: Path) -> None:
    def said(store: str, *words: str) -> str:
        got = CliRunner().invoke(main, [*words, "--store", str(tmp_path / store)])
        assert got.exit_code == 0, got.output
        return got.stderr

    def mine(*words: str) -> list[dict[str, Any]]:
        return json.loads(_said(tmp_path / "mine", "runs", "--json", *words))

    first, second = str(tmp_path / "first.zip"), str(tmp_path / "second.zip")
    with Grafico(tmp_path / "mine", threads_per_calculation=1) as g:
        g.run("helium", **HF)
    said("mine", "export", "last", "-o", first)
    assert "left out" not in said("other", "import", first)
    said("other", "withdraw", "last", "--why", "somebody else says so")
    said("other", "tag", "last", "theirs")
    said("other", "export", "last", "-o", second)
    told = said("mine", "import", second)
    assert "3 marks of somebody else on what was here already: left out" in told
    assert "somebody else says so" in told
    assert "the tag theirs" in told
    assert len(mine()) == 1
    assert mine("--tag", "theirs") == []
    assert "withdraws" not in said("third", "import", first)
    assert "it withdraws 2 runs and activities" in said("third", "import", second, "--marks")
    # what comes along with its own objects is the word of who made them
    assert "left out" not in said("fourth", "import", second)
    assert json.loads(_said(tmp_path / "fourth", "runs", "--json")) == []
    assert "it withdraws 2 runs and activities" in said("mine", "import", second, "--marks")
    assert mine() == []
    said("other", "withdraw", "last", "--undo")
    said("other", "export", "last", "-o", second, "--force")
    assert "left out" in said("mine", "import", second)
    assert mine() == []
    assert "takes back into use" in said("mine", "import", second, "--marks")
    assert len(mine()) == 1


def test_a_report_says_first_that_it_is_withdrawn_and_a_paper_refuses(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with Grafico(store, threads_per_calculation=1) as g:
        g.run("helium", **HF)
        g.run("helium", **HF)  # rests on the first
        assert "do not rely on this" not in g.report("r1")
        g.withdraw("r1", why="wrong <isomer>")
        page, other, both = g.report("r1"), g.report("r2"), g.report("r1", "r2")
    for text in (page, other):
        assert "Withdrawn: do not rely on this." in text
        assert "wrong &lt;isomer&gt;" in text
        assert text.index("Withdrawn: do not") < text.index("-2.80778")
    assert "What it rests on was withdrawn by" in other
    assert both.count(": withdrawn") >= 2
    output = str(tmp_path / "si.md")
    got = CliRunner().invoke(main, ["si", "r1", "-o", output, "--store", str(store)])
    assert got.exit_code != 0
    assert "it was withdrawn by" in got.stderr
    assert "wrong <isomer>" in got.stderr
    assert not Path(output).exists()


@pytest.mark.parametrize("kind", ["oxigraph", IN_BLAZEGRAPH])
def test_it_is_so_on_servers(kind: str, request: pytest.FixtureRequest) -> None:
    store = request.getfixturevalue(kind)
    with Grafico(store.url, threads_per_calculation=1) as g:
        g.run("helium", **HF)
        g.run("helium", **HF)
        second, first = (line.run for line in g.runs())
        done = g.withdraw(first, why="wrong basis set")
        assert done.runs == [second]
        assert [line.run for line in g.runs()] == [second]
        assert g.find("helium") == []
        assert "wrong basis set" in g.show(first).note
        assert "Withdrawn: do not rely on this." in g.report(second)
        again = g.run("helium", **HF)
        assert not again.reused
        assert len(g.find("helium")) == 1
        g.tag("last", "right")
        assert [hit.formula for hit in g.find(tag="right")] == ["He"]
        assert [line.subject for line in g.runs(tag="right")] == ["helium"]
        g.withdraw(first, undo=True)
        assert len(g.runs()) == 3
        assert len(g.find("helium", formula="He", workflow="run", since="an hour ago")) == 2


def test_last_is_the_last_run_that_has_ended(tmp_path: Path) -> None:
    """One that began meanwhile is not meant, and what is withdrawn is told by more than an IRI."""
    with Grafico(tmp_path, threads_per_calculation=1) as g:
        g.run("helium", **HF)
        g.run("helium", **HF)
        begun = g.kg.pull(Run, g.runs()[0].run).model_copy(update={"started": datetime.now(UTC)})
        g.kg.push(begun)
        assert g.runs()[0].run == begun.iri
    out = _said(tmp_path, "withdraw", "last~1", "--why", "wrong basis set")
    first, second = out.splitlines()[:2]
    assert first.startswith("withdrawn")
    for word in ("helium", "energy", "HF/STO-3G", "-2.807784 Eh", "finished"):
        assert word in second
    lines = json.loads(_said(tmp_path, "runs", "--json"))
    assert [(one["status"], one["rests"]) for one in lines] == [
        ("not finished", False),
        ("finished", True),
    ]
    assert "rests on what is withdrawn" in " ".join(_said(tmp_path, "runs").split())
    done = json.loads(_said(tmp_path, "withdraw", "last", "--why", "that too", "--json"))
    assert done["marked"][0] == lines[1]["run"]
    with Grafico(tmp_path) as g, pytest.raises(NotFoundError, match="none of them has ended"):
        g.withdraw("last", why="no more")
