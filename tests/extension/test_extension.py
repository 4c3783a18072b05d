"""A package of another brings a subject, results, a level and a workflow: every door takes them.

The package is the toy of docs/extending.md, as it stands there. It is in no list of ours, so that
every list which somebody would have to edit by hand fails here. Energies are those of the closed
formulas: of a ring of n atoms α + 2β cos 2πk/n, of a chain α + 2β cos πk/(n+1) (C. A. Coulson,
B. O'Leary, R. B. Mallion, Hückel Theory for Organic Chemists, 1978).
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.extension.conftest import ROOT, Shell
from tests.mcp.helpers import found, kept, words
from workflows.engine.execution.task import in_flight

RING = ("ring of 6", "--task", "bonds")
BETA = 2.7
"""eV."""

HEXAGON = [(1.39 * math.cos(k * math.pi / 3), 1.39 * math.sin(k * math.pi / 3)) for k in range(6)]
BENZENE = "12\nbenzene\n" + "".join(
    f"C {x:.6f} {y:.6f} 0\nH {x * 2.48 / 1.39:.6f} {y * 2.48 / 1.39:.6f} 0\n" for x, y in HEXAGON
)


@pytest.fixture(scope="module")
def shell(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path_factory.mktemp("shell"), site)


@pytest.fixture(scope="module")
def bare(shell: Shell) -> Shell:
    """The same store, where the toy is not installed."""
    found = Shell(shell.folder)
    found.store = shell.store
    return found


@pytest.fixture(scope="module")
def ran(shell: Shell) -> dict[str, Any]:
    """A run of the toy's verb."""
    return json.loads(shell("pi", *RING, "--json")[0])


# --- command line ----------------------------------------------------------------------------


def test_help_lists_the_verb_and_imports_nothing_of_it(shell: Shell) -> None:
    said, _ = shell("--help")
    assert "  pi  " in said
    assert "Find the pi orbitals of a chain" in said
    loaded = shell.script(
        "import sys; from click.testing import CliRunner; from grafico.cli.app import main;"
        "assert ' pi ' in CliRunner().invoke(main, ['--help']).output;"
        "print(*(one for one in sys.modules if one.split('.')[0] in"
        " ('numpy', 'pydantic', 'pyscf', 'rdkit', 'huckel')))"
    )
    assert loaded.split() == ["huckel"], "its __init__, and nothing that computes"


def test_help_of_the_verb_has_its_options(shell: Shell) -> None:
    said, _ = shell("pi", "--help")
    for text in (
        "SKELETON",
        "--task [orbitals|bonds]",
        "--resonance FLOAT",
        "[default: 2.7]",
        "--ring",
        "--force",
        "--json",
        "'ring of 6'",
        "--task bonds.",
    ):
        assert text in said
    assert "--basis" not in said
    assert "--charge" not in said


def test_the_verb_computes_and_shows(shell: Shell, ran: dict[str, Any]) -> None:
    said, told = shell("pi", *RING)
    assert "ring of 6" in said
    assert f"{-8 * BETA:.3f} eV" in said
    assert f"{2 * BETA:.3f} eV" in said
    assert "0.667" in said, "the bond orders of benzene"
    assert "6-1" in said
    assert "remembered, nothing computed" in said
    assert "orbitals: remembered" in told


def test_json_has_every_field_with_its_unit(ran: dict[str, Any]) -> None:
    text = json.dumps(ran)
    assert ran["status"] == "finished"
    assert ran["run"].startswith("https://w3id.org/grafico/id/Run/")
    for name in ("energy", "gap", "orders"):
        assert f'"{name}' in text, name
    assert str(-8 * BETA)[:5] in text
    assert "energy_difference_eV" in text, "its own unit"
    assert "_Eh" not in text


def test_what_is_computed_again_is_compared_in_its_own_unit(shell: Shell) -> None:
    shell("pi", "chain of 3")
    said, _ = shell("pi", "chain of 3", "--recompute")
    assert "computed again: energy of PiOrbitals +0.0e+00 eV from before" in said


def test_progress_names_what_is_computed(shell: Shell) -> None:
    _, told = shell("pi", "chain 5", "--task", "bonds")
    assert "chain 5 → chain of 5" in told
    assert "orbitals: computing" in told
    assert "bonds: computing" in told
    assert "huckel." not in told


def test_wrong_words_are_refused_with_what_there_is(shell: Shell) -> None:
    _, told = shell("pi", "circle of 4", status=2)
    assert "write 'chain of 4' or 'ring of 6'" in told
    _, told = shell("pi", "ring of 4", "--resonance", "-1", status=2)
    assert "a number above 0" in told
    _, told = shell("pi", "ring of 4", "--basis", "STO-3G", status=2)
    assert "No such option '--basis'" in told


def test_the_plan_is_shown_and_nothing_done(shell: Shell) -> None:
    said, _ = shell("pi", "ring of 5000", "--task", "bonds", "--plan", "--json")
    found = json.loads(said)
    assert found["plans"] == [["FindOrbitals", "FindBonds"]]
    assert found["estimate"]["seconds"] == pytest.approx(125)


def test_what_takes_too_long_is_refused_unless_forced(shell: Shell) -> None:
    long: dict[str, Any] = {"GRAFICO_HOURS": "1e-6"}
    said, told = shell("pi", "chain of 1000", status=1, **long)
    assert "1000 atoms" in told
    assert "(--force)" in told
    assert not said
    said, _ = shell(
        "pi", "chain of 1000", "--force", "--resonance", "1", "--json", GRAFICO_HOURS="24"
    )
    assert json.loads(said)["status"] == "finished"
    gap = 4 * math.sin(math.pi / (2 * 1001))
    assert f"{gap:.6f}"[:7] in said
    said, _ = shell("pi", "chain of 1000", "--force", "--resonance", "1", **long)
    assert "remembered" in said


# --- what is kept ----------------------------------------------------------------------------


def test_the_run_has_all_its_forms(shell: Shell, ran: dict[str, Any]) -> None:
    said, _ = shell("show", ran["run"], "--json")
    found = dict(json.loads(said)["properties"])
    forms = json.loads(found["g:forms"])
    assert forms == {
        "PiRequest": {"task": "bonds", "force": False},
        "Parameters": {"resonance": BETA},
    }
    assert found["g:graph"] == "pi-electrons"


def test_it_stands_in_the_list_of_runs(shell: Shell, ran: dict[str, Any]) -> None:
    said, _ = shell("runs", "--json")
    line = next(one for one in json.loads(said) if one["run"] == ran["run"])
    assert (line["subject"], line["goal"], line["level"]) == ("ring of 6", "the pi bonds", "Hückel")
    assert line["result"], "a headline of what it came to"
    said, _ = shell("runs")
    assert "the pi bonds" in said
    assert "Hückel" in said


def test_objects_are_shown_with_units(shell: Shell, ran: dict[str, Any]) -> None:
    said, _ = shell(
        "query",
        "PREFIX h: <https://example.org/huckel#> SELECT ?o { ?o a h:PiOrbitals"
        " ; h:skeleton/h:carbons 6 }",
        "--json",
    )
    (row,) = json.loads(said)["rows"]
    said, _ = shell("show", row["o"])
    assert "huckel#gap" in said
    assert f"{2 * BETA} EV" in said


def test_the_ontology_has_its_classes(shell: Shell, bare: Shell) -> None:
    said, _ = shell("ontology", "PiOrbitals", "--json")
    (found,) = json.loads(said)["classes"]
    units = {one["term"].strip("<>").partition("#")[2]: one["unit"] for one in found["properties"]}
    assert units == {"skeleton": "", "level": "", "energy": "EV", "gap": "EV", "orbitals": "EV"}
    said, _ = shell("ontology")
    assert "huckel#Skeleton> [value]" in said
    assert "g:ConceptualAtoms [value]" in said
    assert "huckel" not in bare("ontology")[0]
    _, told = bare("ontology", "PiOrbitals", status=2)
    assert "none of that name" in told


def test_it_is_found_by_its_subject_and_a_property(shell: Shell, ran: dict[str, Any]) -> None:
    hits = json.loads(shell("find", "ring of 6", "--property", "gap", "--json")[0])
    (hit,) = [one for one in hits if one["value"] == pytest.approx(2 * BETA)]
    assert {one["formula"] for one in hits} == {"ring of 6"}
    assert hit["class"].endswith("huckel#PiOrbitals")
    assert (hit["unit"], hit["level"]) == ("EV", "Hückel")
    assert "Skeleton" in hit["geometry"]
    assert hit in json.loads(shell("find", "--property", "gap", "--json")[0])
    assert json.loads(shell("find", "ring of 7", "--property", "gap", "--json")[0]) == []
    assert (
        json.loads(shell("find", "ring of 6", "--property", "gap", "--method", "PBE", "--json")[0])
        == []
    )


def test_fsck_finds_no_fault(shell: Shell, bare: Shell, ran: dict[str, Any]) -> None:
    said, _ = shell("fsck")
    assert "no fault was found" in said
    assert "not installed" not in said
    said, _ = bare("fsck")
    assert "no fault was found" in said
    assert "classes that are not installed here" in said


def test_without_the_package_its_objects_are_shown_as_such(
    shell: Shell, bare: Shell, ran: dict[str, Any], tmp_path: Path
) -> None:
    said, _ = bare("runs")
    assert "the pi bonds" in said
    said, _ = bare("show", ran["run"])
    assert "pi-electrons" in said
    iri = "https://example.org/huckel#PiOrbitals"
    said, _ = bare("query", f"SELECT ?o {{ ?o a <{iri}> }} LIMIT 1", "--json")
    found = json.loads(said)["rows"][0]["o"]
    said, _ = bare("show", found)
    assert "not installed here" in said
    page = tmp_path / "report.html"
    bare("report", ran["run"], "-o", str(page))
    text = page.read_text()
    assert f"The class of PiOrbitals, {iri}, is not installed here" in text
    assert "No result was recorded" not in text
    _, told = bare("resume", ran["run"], status=1)
    assert "pi-electrons" in told
    assert "install" in told
    bare("migrate")
    saved, again = tmp_path / "saved", tmp_path / "again"
    bare("backup", str(saved))
    bare("restore", str(saved), "--store", str(again))
    said, _ = shell("pi", *RING, "--store", str(again))
    assert "remembered, nothing computed" in said


# --- resuming --------------------------------------------------------------------------------


def wait_until(holds: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    while not holds():
        assert process.poll() is None, "it ended by itself"
        time.sleep(0.05)


def test_a_run_that_was_killed_inside_a_calculation_goes_on(shell: Shell) -> None:
    """The orbitals of so long a chain take seconds of a worker, which are seen."""
    text = "chain of 2000"
    tasks = shell.store / "tasks"
    process = shell.start("pi", text, "-t", "1", stderr=subprocess.DEVNULL)

    def computes() -> bool:
        """Whether what a child of the command has forked is at work."""
        with suppress(psutil.Error):
            started = psutil.Process(process.pid).children()
            workers = [one for parent in started for one in parent.children()]
            return any(one.cpu_times().user > 0.3 for one in workers)
        return False

    try:
        wait_until(computes, process)
        [task] = in_flight(tasks)
    finally:
        process.kill()
        process.wait()
    assert (task["calculation"], task["state"]) == ("huckel.calculations:orbitals", "computing")
    (line,) = [one for one in json.loads(shell("runs", "--json")[0]) if one["subject"] == text]
    assert line["status"] == "not finished"
    said, told = shell("resume", line["run"], "-t", "1", "--json")
    assert "orbitals: computing" in told, "it had not been finished"
    assert json.loads(said)["status"] == "finished"
    # E = -4β Σ cos πk/(n+1) = 2β (1 - 1/sin(π/(2(n+1)))) for even n
    whole = 2 * BETA * (1 - 1 / math.sin(math.pi / (2 * 2001)))
    assert json.loads(said)["results"][0]["energy"] == pytest.approx(whole, rel=1e-9)
    assert list(tasks.iterdir()) == []


# --- Python ----------------------------------------------------------------------------------


def test_python_takes_fields_and_forms(shell: Shell, ran: dict[str, Any]) -> None:
    said = shell.script(
        """
from grafico import Grafico
from huckel.model import Skeleton
from huckel.workflow import Parameters, PiRequest

with Grafico() as session:
    first = session.run("ring of 6", workflow="pi", task="bonds")
    second = session.run(Skeleton(carbons=6, ring=True), PiRequest(task="bonds"), Parameters())
    assert first.status == second.status == "finished"
    assert first.reused and second.reused
    ready = session.wait_for(lambda: session.prepare_async("ring of 2000", workflow="huckel"))
    print(first.answers[0].result.gap, round(ready.estimate().seconds, 3), ready.prepared.label)
    again = session.resume(first.run)
    print(again.status, again.reused)
    print(max(first.last.orders) < 0.67, "gap" in repr(first))
    print({hit.formula for hit in session.find(Skeleton(carbons=6, ring=True), name="gap")})
"""
    )
    assert said.splitlines() == [
        "5.4 8.0 ring of 2000 at Hückel",
        "finished True",
        "True True",
        "{'ring of 6'}",
    ]


def test_a_notebook_shows_it(shell: Shell, ran: dict[str, Any]) -> None:
    said = shell.script(
        """
from grafico import Grafico

with Grafico() as session:
    print(session.run("ring of 6", workflow="pi", task="bonds")._repr_html_())
"""
    )
    assert "energy of pi electrons" in said
    assert "-21.600" in said.replace("−", "-")


def test_its_own_tests_pass(shell: Shell, toy: Path) -> None:
    shell.script(
        "import sys, pytest; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '--rootdir',"
        f" '.', '-c', '/dev/null', {str(toy / 'test_huckel.py')!r}]))"
    )


# --- levels ----------------------------------------------------------------------------------


def test_the_level_computes_a_molecule(shell: Shell, bare: Shell) -> None:
    (shell.folder / "benzene.xyz").write_text(BENZENE)
    said, _ = shell("run", "benzene.xyz", "--method", "huckel", "--task", "energy")
    assert f"{-8 * BETA / 27.211386245981:.6f}"[:9] in said
    assert "Hückel" in said
    _, told = shell("run", "benzene.xyz", "--method", "huckel", "--task", "optimise", status=2)
    assert "no forces" in told
    _, told = shell("run", "benzene.xyz", "--method", "huckel", "--basis", "STO-3G", status=2)
    assert "no basis set" in told
    assert "--resonance" in shell("run", "--help")[0]
    said, _ = shell("find", "benzene.xyz", "--method", "hückel", "--json")
    (hit,) = json.loads(said)
    assert hit["level"] == "Hückel"
    said, _ = bare("find", "benzene.xyz", "--json")
    (hit,) = json.loads(said)
    assert hit["level"] == "Hückel"
    assert hit["class"].endswith("huckel#HuckelEnergy")


# --- pages -----------------------------------------------------------------------------------


def test_its_graph_is_drawn(shell: Shell, ran: dict[str, Any]) -> None:
    lines = [" ".join(line.split()) for line in shell("graph")[0].splitlines()]
    assert "pi-electrons FindOrbitals, FindBonds" in lines
    said, _ = shell("graph", "pi")
    assert said.startswith("stateDiagram-v2")
    assert "FindOrbitals --> FindBonds" in said
    assert shell("graph", "--run", ran["run"])[0] != said, "its path is marked"


def test_the_report_has_its_blocks(shell: Shell, ran: dict[str, Any], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    shell("report", ran["run"], "-o", str(page))
    text = page.read_text()
    for part in ("energy of pi electrons", "pi bonds", "0.667", "<svg", "Hückel", "huckel 1.0"):
        assert part in text, part


def test_a_page_of_docs_is_made(shell: Shell) -> None:
    shell.script(
        "import runpy, sys; sys.argv = ['', 'page.md']; runpy.run_module("
        "'workflows', run_name='__main__')"
    )
    said = (shell.folder / "page.md").read_text()
    for part in (
        "## grafico pi",
        "SKELETON",
        "`resonance`",
        "2.7",
        "```mermaid",
        "FindOrbitals --> FindBonds",
        "PiOrbitals",
    ):
        assert part in said, part


def test_the_page_of_grafico_is_of_grafico_alone(shell: Shell) -> None:
    kept = (ROOT / "docs" / "workflows.md").read_text()
    done = subprocess.run(
        [sys.executable, "-m", "workflows"],
        cwd=shell.folder,
        text=True,
        env=shell.environment,
        capture_output=True,
    )
    assert done.returncode == 2
    assert "huckel would be in it" in done.stderr
    assert (ROOT / "docs" / "workflows.md").read_text() == kept


# --- models ----------------------------------------------------------------------------------


async def test_an_assistant_elsewhere_runs_and_describes_it(shell: Shell, tmp_path: Path) -> None:
    """Through the protocol, with the SDK's own client."""
    command, *arguments = words("--store", str(shell.store), "--quiet")
    how = StdioServerParameters(
        command=command, args=arguments, cwd=tmp_path, env=shell.environment
    )
    with (tmp_path / "log").open("w") as log:
        async with kept(Client(stdio_client(how, errlog=log))) as client:
            listed = {one.name: one.description or "" for one in (await client.list_tools()).tools}
            assert "; pi" in listed["run_workflow"]
            every = found(await client.call_tool("describe", {}))["workflows"]
            assert any(one.startswith("pi: Find the pi orbitals of a chain") for one in every)
            told = found(await client.call_tool("describe", {"name": "pi"}))
            assert "resonance" in told["arguments"]
            asked: dict[str, Any] = {
                "name": "pi",
                "subjects": ["ring of 6", "chain of 2"],
                "arguments": {"task": "bonds"},
            }
            rows = found(await client.call_tool("run_workflow", asked))["skeletons"]
            assert [row["status"] for row in rows] == ["finished"] * 2
            # benzene 8β, ethene 2β
            energies = [row["values"]["energy_eV"] for row in rows]
            assert energies == pytest.approx([-8 * BETA, -2 * BETA])
            assert "null" not in json.dumps(rows)
            again = found(await client.call_tool("resume", {"run": rows[0]["run"]}))
            assert again["status"] == "finished"
            asked["arguments"] = {"resonance": -1}
            wrong = await client.call_tool("run_workflow", asked)
            assert wrong.is_error
            assert "greater than 0" in json.dumps(found(wrong))


def test_nothing_of_ours_names_it() -> None:
    ours = [
        one
        for folder in ("triplestore", "ogm", "ontologies", "workflows", "grafico")
        for one in (ROOT / folder).rglob("*.py")
    ]
    assert len(ours) > 200
    assert not [one for one in ours if "huckel" in one.read_text().lower()]
