"""``--plot``, and reports that begin with the answer."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import click
import pytest

from tests.grafico.test_cli import FAST, WATER, Shell

SCAN = ("scan", "OO", "--coordinate", "dihedral 3 1 2 4", "--start", "120", "--end", "180",
        "--step", "30", "--method", "GFN2-xTB", "-t", "1", "--quiet")  # fmt: skip


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    (tmp_path / "water.xyz").write_text(WATER)
    return Shell(tmp_path)


def numbers(file: Path) -> list[list[str]]:
    return list(csv.reader(file.read_text().splitlines()))


def test_every_verb_of_a_workflow_draws_its_result() -> None:
    from grafico.cli.app import main
    from grafico.cli.verbs import Verb
    from workflows.registry import Workflow, workflows

    for one in workflows().verbs:
        names = {name for param in Verb(one).own_params() for name in param.opts}
        if one.name != "batch":  # its rows are drawn where they are looked through
            assert ("--plot" in names) is isinstance(one, Workflow), one.command
    for name in ("resume", "report"):
        command = main.get_command(click.Context(main), name)
        assert command
        assert any("--plot" in param.opts for param in command.params), name


def test_a_scan_is_drawn_and_its_report_begins_with_the_curve(shell: Shell) -> None:
    (shell.folder / "curve.png").write_text("what stood there before")
    out, err = shell(*SCAN, "--plot", "curve.png", "--plot", "curve.csv", "--json")
    run = json.loads(out)["run"]
    assert (shell.folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    written = [str(shell.folder / name) for name in ("curve.png", "curve.csv")]
    assert re.findall(r"written to (.*)", err) == written, "the answer, not its parts"
    head, *rows = numbers(shell.folder / "curve.csv")
    assert head == ["dihedral 3-1-2-4 / °", "ΔE / kJ/mol"]
    assert [float(angle) for angle, _ in rows] == [120.0, 150.0, 180.0]
    assert min(float(energy) for _, energy in rows) == 0.0

    out, err = shell("report", run, "--plot", "again.csv", "--plot", "again.pdf")
    assert not (shell.folder / "report.html").exists()
    assert numbers(shell.folder / "again.csv") == [head, *rows]
    assert (shell.folder / "again.pdf").read_bytes().startswith(b"%PDF")
    shell("report", run, "-o", "page.html", "--plot", "again.svg")
    assert "Energy along the dihedral" in (shell.folder / "again.svg").read_text()
    page = (shell.folder / "page.html").read_text()
    body = page.partition("<article")[2]
    assert "H₂O₂: a scan of the dihedral" in re.sub(r"<[^>]*>", "", body.partition("</h2>")[0])
    assert body.index("Energy along the dihedral") < body.index("<h3")
    unfolded = re.sub(r"<details.*?</details>", "", body, flags=re.DOTALL)
    assert re.findall(r"<svg class=\"chart\"[^>]*><title>([^<]*)", unfolded) == [
        "Energy along the dihedral 3-1-2-4"
    ]
    assert "g:id/" not in re.sub(r"<[^>]*>", "", unfolded), "names are behind details"
    drawn = re.findall(r'class="scene">(.*?)</script>', body)
    assert len(drawn) == len(set(drawn)) >= 2, "no structure stands in it twice"


def test_what_cannot_be_drawn_is_said_before_anything_is_computed(shell: Shell) -> None:
    run = ("run", "water.xyz", *FAST, "--quiet", "--plot")
    for more, word in (
        (("water.gif",), r"\.png, \.svg, \.pdf, \.csv"),
        (("no/folder/x.png",), "no folder"),
        (("x.png", "--plan"), "grafico report RUN --plot"),
        (("x.png", "--on", "here"), "grafico report RUN --plot"),
    ):
        _, err = shell(*run, *more, status=2)
        assert re.search(word, err)
    assert not (shell.folder / "store").exists()


def test_a_result_without_a_chart_is_shown_and_says_what_it_has(shell: Shell) -> None:
    energy = ("run", "water.xyz", "--task", "energy", *FAST, "--quiet", "--plot", "e.png")
    out, err = shell(*energy, status=1)
    assert "energy" in out
    assert "this result has none; it has the tables Cartesian coordinates (--plot pos" in err
    assert not (shell.folder / "e.png").exists()
    assert len(json.loads(shell("runs", "--json")[0])) == 1


def test_the_named_file_has_the_chart_of_what_was_asked_and_no_other(shell: Shell) -> None:
    """How the geometry was found is drawn where it is asked for by its name."""
    words = ("run", "water.xyz", "--method", "HF", "--basis", "STO-3G", "--task", "optimise")
    _, err = shell(*words, "--states", "2", "--quiet", "--plot", "uv.csv")
    told = [line for line in err.splitlines() if line.startswith("written to ")]
    assert [line.rpartition("/")[2] for line in told] == ["uv.csv"]
    assert [one.name for one in shell.folder.glob("*.csv")] == ["uv.csv"]
    _, err = shell("report", "last", "--plot", "course.csv")
    assert numbers(shell.folder / "uv.csv")[0] != numbers(shell.folder / "course.csv")[0]
    assert "step" in numbers(shell.folder / "course.csv")[0][0]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder where no file can be made")
def test_a_folder_where_nothing_can_be_made_is_told(shell: Shell) -> None:
    out, err = shell("run", "water.xyz", *FAST, "--quiet", "-o", "/proc/x.xyz", status=2)
    assert out == ""
    assert "no file can be made in /proc" in err


def test_a_store_that_is_new_is_told(shell: Shell) -> None:
    """A slip in its path must not look like an empty store."""
    there = str(shell.folder / "slip" / "store")
    first = shell("run", "water.xyz", *FAST, "--quiet", "--store", there)
    again = shell("run", "water.xyz", *FAST, "--quiet", "--store", there)
    assert f"a new store is made: {there}" in first[1]
    assert "new store" not in again[1]


def test_a_csv_file_of_the_name_of_a_table_has_that_table(shell: Shell) -> None:
    words = ("run", "water.xyz", *FAST, "--task", "energy", "--analysis", "--quiet")
    _, err = shell(*words, "--plot", "charges.csv", "--plot", "bonds.csv")
    assert "orbitals" not in err
    head, *rows = numbers(shell.folder / "charges.csv")
    assert head[0] == "atom"
    assert "Hirshfeld" in " ".join(head)
    assert len(rows) == 3
    assert sum(float(row[-1]) for row in rows) == pytest.approx(0.0, abs=1e-3)
    assert len(numbers(shell.folder / "bonds.csv")) == 3
