"""The command line as a person meets it: whole processes, exit status, words."""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from grafico.cli.app import fail
from grafico.cli.forms import option
from ogm.terms import BASE
from tests.warm import program
from triplestore import open_store
from workflows.dft.request.forms import DFTRequest
from workflows.engine.request.form import fill

ROOT = Path(__file__).resolve().parents[2]
WATER = """3
water
O 0.0 0.0 0.117176
H 0.0 0.756950 -0.468706
H 0.0 -0.756950 -0.468706
"""
FAST = ("--method", "HF", "--basis", "STO-3G", "-t", "1")


def listen_to_interrupts() -> None:
    """Undo what a shell does to programs that it starts in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Shell:
    """Runs the command line in a folder with a store of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "GRAFICO_STORE": str(folder / "store"),
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "120",
        }

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "grafico", *arguments],
            cwd=self.folder,
            text=True,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=listen_to_interrupts,
        )

    def __call__(self, *arguments: str, status: int = 0, stdin: str = "") -> tuple[str, str]:
        done = subprocess.run(
            [*program(), *arguments],
            cwd=self.folder,
            env=self.environment,
            text=True,
            input=stdin,
            capture_output=True,
            timeout=120,
        )
        out, err = done.stdout, done.stderr
        assert done.returncode == status, f"{done.returncode}\n{out}\n{err}"
        if status:
            assert "Traceback" not in out + err
        return out, err

    def on_a_terminal(self, width: int, *arguments: str) -> list[str]:
        """Return the lines that a terminal of that width would get on standard output."""
        ours, theirs = os.openpty()
        with subprocess.Popen(
            [*program(), *arguments],
            cwd=self.folder,
            stdout=theirs,
            env={**self.environment, "COLUMNS": str(width), "TERM": "xterm", "NO_COLOR": "1"},
        ) as process:
            os.close(theirs)
            said = b""
            with contextlib.suppress(OSError):  # Linux says so when the other side is closed
                while part := os.read(ours, 65536):
                    said += part
            os.close(ours)
        assert process.returncode == 0
        return re.sub(r"\x1b\[[\d;]*m", "", said.decode()).splitlines()


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    folder = tmp_path_factory.mktemp("cli")
    (folder / "water.xyz").write_text(WATER)
    return Shell(folder)


def test_a_result_is_printed_and_remembered(shell: Shell) -> None:
    out, err = shell("run", "water.xyz", "--task", "frequencies", *FAST)
    assert "minimum (no imaginary mode at this level)" in out
    assert "-74.96590" in out, "HF/STO-3G minimum (W. J. Hehre et al., 1986)"
    assert "step   1" in err
    assert "largest gradient" in err
    out, err = shell("run", "water.xyz", "--task", "frequencies", *FAST)
    assert "remembered, nothing computed" in out
    assert "step" not in err


def test_json_carries_units_and_identities(shell: Shell) -> None:
    out, _ = shell("run", "water.xyz", *FAST, "--json", "--quiet")
    said = json.loads(out)
    result = said["results"][-1]
    assert said["status"] == "finished"
    assert result["units"]["energy"] == "E_h"
    assert result["energy"] == pytest.approx(-74.96, abs=0.01)
    assert result["converged"] is True
    assert result["iri"].startswith("https://w3id.org/grafico/id/SinglePoint/")
    assert said["atoms"]["formula"] == "H2O"


@pytest.mark.parametrize(
    ("written", "meant"), [("optimize", "optimise"), ("Freq", "frequencies"), ("energy", "energy")]
)
def test_options_understand_the_words_of_other_programs(written: str, meant: str) -> None:
    task = click.Command("any", params=[option("task", DFTRequest.model_fields["task"], None)])
    assert task.make_context("any", ["--task", written]).params == {"task": meant}
    with pytest.raises(click.BadParameter, match="optimise"):
        task.make_context("any", ["--task", "dance"])


@pytest.mark.parametrize(
    ("flag", "written", "meant"),
    [
        ("temperature", "25C", 298.15),
        ("temperature", "-5 °C", 268.15),
        ("temperature", "77 F", 298.15),
        ("temperature", "298.15K", 298.15),
        ("temperature", "350", 350.0),
        ("pressure", "1 atm", 101325.0),
        ("pressure", "2 bar", 200000.0),
    ],
)
def test_numbers_are_read_with_their_units(flag: str, written: str, meant: float) -> None:
    one = click.Command("any", params=[option(flag, DFTRequest.model_fields[flag], None)])
    assert one.make_context("any", [f"--{flag}", written]).params == {flag: meant}
    asked = fill(DFTRequest, {"task": "frequencies", flag: written})
    assert getattr(asked, flag) == meant


def test_a_cube_of_a_run_without_orbitals_says_at_what_it_is(shell: Shell) -> None:
    shell("run", "water.xyz", "--method", "GFN2-xTB", "--quiet")
    _, err = shell("cube", "last", "--orbital", "homo", status=2)
    assert "that run is at GFN2-xTB, and has no orbitals here" in err


def test_quiet_means_quiet(shell: Shell) -> None:
    _, err = shell("run", "water.xyz", *FAST, "--quiet")
    assert err == ""


def test_query_prints_tables_json_and_csv(shell: Shell) -> None:
    shell("run", "water.xyz", *FAST)
    sparql = "SELECT ?f ?e { ?r a g:SinglePoint ; g:energy ?e ; g:atoms/g:formula ?f }"
    out, err = shell("query", sparql)
    assert "H2O" in out
    assert err == "1 row\n"
    found = json.loads(shell("query", sparql, "--format", "json")[0])
    assert found["rows"][0]["f"] == "H2O"
    assert isinstance(found["rows"][0]["e"], float)
    rows = list(csv.DictReader(io.StringIO(shell("query", sparql, "--format", "csv")[0])))
    assert float(rows[0]["e"]) == found["rows"][0]["e"]
    dipoles = "SELECT ?d { ?r a g:SinglePoint ; g:dipole ?d }"
    (row,) = json.loads(shell("query", dipoles, "--json")[0])["rows"]
    assert len(row["d"]) == 3
    assert str(row["d"]) in shell("query", dipoles)[0]
    assert shell("query", "-", stdin="ASK { ?a g:formula 'H2O' }")[0] == "true\n"
    (shell.folder / "ask.rq").write_text("ASK { ?a g:formula 'Xe' }")
    assert shell("query", "ask.rq")[0] == "false\n"
    out, err = shell("query", "SELECT ?e { ?r g:totalEnergie ?e }", "--json")
    assert json.loads(out)["rows"] == []
    assert "g:totalEnergie: no class or property is called so; did you mean g:" in err


def test_a_query_that_is_empty_is_said_to_be(shell: Shell) -> None:
    (shell.folder / "empty.rq").write_text("\n")
    for empty in ("", "  \n", "empty.rq", "-"):
        _, err = shell("query", empty, status=2)
        assert "problem: it is empty" in err


def test_show_runs_and_report(shell: Shell) -> None:
    shell("run", "water.xyz", *FAST)
    listed = json.loads(shell("runs", "--json")[0])
    assert listed[0]["subject"] == "water.xyz"
    assert listed[0]["status"] == "finished"
    run = listed[0]["run"]
    out, _ = shell("show", run.replace("https://w3id.org/grafico/", ""))
    assert "asked: an energy at this geometry" in out
    assert "status: finished" in out
    assert "HOMO" in out
    assert "g:schemaVersion" not in out
    out, _ = shell("show", "last", "--all")
    assert "g:Run" in out
    assert "prov:startedAtTime" in out
    result = json.loads(shell("query", "SELECT ?r { ?r a g:SinglePoint }", "--json")[0])
    out, _ = shell("show", result["rows"][0]["r"])
    assert " E_h" in out
    assert "prov:generated" in out
    out, _ = shell("report", run, "-o", "page.html")
    page = (shell.folder / "page.html").read_text()
    assert str(shell.folder / "page.html") in out
    assert "H2O" in page or "H₂O" in page
    assert "<svg" in page


@pytest.mark.parametrize("width", [80, 100, 200])
def test_on_a_terminal_nothing_that_is_copied_is_folded(shell: Shell, width: int) -> None:
    shell("run", "water.xyz", *FAST)
    (shell.folder / "of_water_with_a_long_name_that_tells_much.xyz").write_text(WATER)
    shell("run", "of_water_with_a_long_name_that_tells_much.xyz", *FAST)
    latest = json.loads(shell("runs", "--json")[0])[:2]
    lines = shell.on_a_terminal(width, "runs", "--limit", "2")
    assert max(map(len, lines)) <= width
    for run in latest:
        words = [f"#{run['number']}", f"{run['energy']:.6f}"]
        for piece in (*words, run["started"][:16].replace("T", " "), "HF/STO-3G", "finished"):
            assert any(piece in line for line in lines), piece
    assert any("of_water_" in line for line in lines)
    assert ("…" in "".join(lines)) == (width < 200), "the subject is what is shortened"
    sparql = "SELECT ?r ?e ?a { ?r a g:SinglePoint ; g:energy ?e ; g:atoms ?a }"
    row = json.loads(shell("query", sparql, "--json")[0])["rows"][0]
    table = "\n".join(shell.on_a_terminal(width, "query", sparql))
    for value in (row["r"], row["a"], str(row["e"])):
        assert value.replace("https://w3id.org/grafico/", "g:") in table
    shown = "\n".join(shell.on_a_terminal(width, "show", row["r"]))
    assert row["a"].replace("https://w3id.org/grafico/", "g:") in shown


def test_what_is_stored_cannot_command_the_terminal(shell: Shell) -> None:
    sparql = r"SELECT ('red \u001B[31m [bold]x[/] :smile:\nnext' AS ?text) {}"
    table = shell("query", sparql)[0]
    assert "\x1b" not in table
    assert "[bold]x[/] :smile: next" in table


@pytest.mark.parametrize("form", ["table", "json", "csv"])
@pytest.mark.parametrize("head", ["SELECT *", "CONSTRUCT { ?s ?p ?o }"])
def test_what_was_cut_is_said(shell: Shell, head: str, form: str) -> None:
    shell("run", "water.xyz", *FAST)
    sparql = f"{head} {{ ?s ?p ?o }}"
    out, err = shell("query", sparql, "--limit", "3", "--format", form)
    assert "this is not the whole answer: cut after 3 rows; --limit N prints more" in err
    if form == "json":
        assert json.loads(out)["cut"] == "cut after 3 rows"
    assert "whole" not in shell("query", sparql, "--limit", "100000", "--format", form)[1]


def test_runs_that_are_not_listed_are_mentioned(shell: Shell) -> None:
    shell("run", "water.xyz", *FAST)
    shell("run", "water.xyz", *FAST)
    out, err = shell("runs", "--limit", "1")
    assert out.count("#") == 1
    assert err == "these are the latest 1; --limit N lists more\n"
    out, err = shell("runs", "--limit", "1", "--json")
    assert len(json.loads(out)) == 1
    assert "--limit N" in err
    assert shell("runs", "--limit", "1000")[1] == ""


def test_a_spin_that_is_not_that_of_the_ground_state_is_remarked(shell: Shell) -> None:
    (shell.folder / "o2.xyz").write_text("2\n\nO 0 0 0\nO 0 0 1.2\n")
    out, _ = shell("run", "o2.xyz", *FAST)
    assert "multiplicity 1 taken, but the ground state of O2 has 3" in out
    assert "(multiplicity=3)" in out
    said = json.loads(shell("run", "o2.xyz", *FAST, "--json")[0])
    assert "the ground state of O2 has 3" in said["remarks"][-1]
    said = json.loads(shell("run", "o2.xyz", *FAST, "--multiplicity", "3", "--json")[0])
    assert said["atoms"]["multiplicity"] == 3
    assert "ground state" not in str(said["remarks"])


def test_a_notation_is_read_in_its_ground_state_and_says_so(shell: Shell) -> None:
    said = json.loads(shell("run", "O=O", *FAST, "--json")[0])
    assert said["atoms"]["multiplicity"] == 3
    assert "multiplicity 3 taken, 1 may be asked for" in str(said["remarks"])
    said = json.loads(shell("run", "O=O", *FAST, "--multiplicity", "1", "--json")[0])
    assert said["atoms"]["multiplicity"] == 1
    assert "taken" not in str(said["remarks"])


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOENT, "not there (any more): ask again"),
        (errno.EACCES, "permission"),
        (errno.ENOSPC, "free some space"),
        (errno.EMFILE, "ulimit -n"),
        (errno.EIO, "see the cause"),
    ],
)
def test_what_to_do_depends_on_what_the_system_said(
    capsys: pytest.CaptureFixture[str], number: int, words: str
) -> None:
    assert fail(OSError(number, os.strerror(number), "/some/file"), {}) == 1
    err = capsys.readouterr().err
    assert words in err
    assert f"/some/file: {os.strerror(number)}" in err
    assert "free space or permission" not in err


def test_a_store_that_is_removed_during_a_run_is_said(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    process = shell.start("run", "CCO", "--task", "optimise", *FAST)
    assert process.stderr is not None
    for line in process.stderr:
        if "optimisation: computing" in line:
            break
    shutil.rmtree(tmp_path / "store")
    _, err = process.communicate(timeout=60)
    assert process.returncode in (1, 2)
    assert "Traceback" not in err
    assert "it is gone" in err or "No such file" in err  # as it was reading or writing
    assert "again" in err
    assert "space" not in err


BAD = [
    (("run", "nosuchmolecule"), "nosuchmolecule"),
    (("run", "C1CC"), "C1CC"),
    (("run", "InChI=1S/H2O/h1H3"), "InChI"),
    (("run", "C(C)(C)(C)(C)C"), "C(C)(C)(C)(C)C"),
    (("run", "missing.xyz"), "missing.xyz"),
    (("run", ""), ""),
    (("run", "water.xyz", "--multiplicity", "2"), "multiplicity 2 cannot be"),
    (("run", "water.xyz", "--charge", "99"), "charge +99"),
    (("run", "water.xyz", "--basis", "def2-SVPP2"), "did you mean"),
    (("run", "water.xyz", "--method", "B3LPY"), "did you mean B3LYP"),
    (("run", "iodine.xyz", "--method", "HF", "--basis", "6-31G*"), "no functions for I"),
    (("run", "count.xyz"), "count.xyz"),
    (("run", "nonsense.xyz"), "nonsense.xyz"),
    (("run", "twice.xyz"), "apart"),
    (("run", "empty.xyz"), "empty"),
    (("run", "./"), "folder"),
    (("run", "https://w3id.org/grafico/id/ConceptualAtoms/0"), "nothing is stored of"),
    (("run", "https://example.org/x> ?p ?o"), "not an IRI"),
    (("run", "water.xyz", "-t", "9999"), "9999 cores"),
    (("run", "water.xyz", "-t", "0"), "threads_per_calculation"),
    (("run", "water.xyz", "--max-steps", "0"), "max_steps"),
    (("run", "water.xyz", "--temperature", "-1"), "give 1 to 100000"),
    (
        ("run", "water.xyz", "--temperature", "3 furlong"),
        "'furlong' is no unit",
    ),
    (("run", "water.xyz", "--temperature", "warm"), "'warm' is not a number"),
    (("pka", "phenol", "--reference", "acetic acid=4.76"), "Near it: `--reference-acid`"),
    (("run", "water.xyz", "--temperature", "350"), "with task energy that has no effect"),
    (
        ("run", "water.xyz", "--constraints", "freeze 1"),
        "ask for --task optimise, or leave --constraints out",
    ),
    (("run", "water.xyz", "--response", "tda"), "with no states that has no effect"),
    (("run", "water.xyz", "--states", "0"), "give 1 to 500"),
    (("run", "water.xyz", "--temperature", "inf"), "temperature"),
    (("run", "water.xyz", "--task", "dance"), "dance"),
    (("run", "water.xyz", "--method", ""), "method ''"),
    (("run", "water.xyz", "--basis", ""), "basis set ''"),
    (("query", "SELECT"), "error at 1:7"),
    (("query", "missing.rq"), "there is no such file"),
    (("query", "folder.rq"), "Is a directory"),
    (("query", "binary.rq"), "no text in UTF-8"),
    (("query", "ASK { ?s ?p ?o }", "--limit", "99999999999999999999"), "limit"),
    (("runs", "--limit", "99999999999999999999"), "limit"),
    (("query", "DELETE WHERE { ?s ?p ?o }"), "DELETE"),
    (("query", "SELECT * { SERVICE <http://localhost:1/> { ?s ?p ?o } }"), "SERVICE"),
    (("show", "id/Run/none"), "nothing of that name"),
    (("report", "id/Run/none"), "id/Run/none"),
    (("report", "nothing"), "nothing is called so"),
    (("report", "-o", ""), "it is a folder"),
    (("cube", "id/Run/none", "--density"), "check the IRI"),
    (("run", "water.xyz", "--store", "water.xyz"), "water.xyz"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=[" ".join(a[:4]) for a, _ in BAD])
def test_bad_input_is_one_clear_message(
    shell: Shell, arguments: tuple[str, ...], words: str
) -> None:
    files = {
        "iodine.xyz": "2\n\nI 0 0 0\nH 0 0 1.6\n",
        "count.xyz": "4\nwater\nO 0 0 0\nH 0 0 1\nH 0 1 0\n",
        "nonsense.xyz": "three\natoms and more\n",
        "twice.xyz": "3\n\nO 0 0 0\nH 0 0 1\nH 0 0 1\n",
        "empty.xyz": "",
    }
    for name, content in files.items():
        (shell.folder / name).write_text(content)
    (shell.folder / "binary.rq").write_bytes(b"\x80\x81")
    (shell.folder / "folder.rq").mkdir(exist_ok=True)
    count, wrong = (
        "SELECT (COUNT(*) AS ?n) { ?s a ?c }",
        f"ASK {{ ?a <{BASE}formula> ?f FILTER(?f IN ('H2', 'HO')) }}",
    )
    with open_store(str(shell.folder / "store")) as store:
        before = store.query(count)
        _, err = shell(*arguments, status=2)
        after = store.query(count)
        assert store.query(wrong) is False
    assert words in err
    assert len(err) < 2500
    if arguments[:2] not in {("run", "water.xyz"), ("run", "iodine.xyz")}:
        assert before == after, "nothing half-written"


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_output_that_is_closed_is_no_fault(shell: Shell, closed: str) -> None:
    number = {"stdout": 1, "stderr": 2}[closed]
    for arguments in (("runs",), ("query", "ASK { ?s ?p ?o }"), ("run", "water.xyz", *FAST)):
        script = f'exec "$0" -m grafico "$@" {number}>&-'
        done = subprocess.run(
            ["sh", "-c", script, sys.executable, *arguments],
            cwd=shell.folder,
            env=shell.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        assert "went wrong" not in done.stderr


def test_a_server_that_is_not_there_is_said(shell: Shell) -> None:
    """Status 1: the same request may work later."""
    store = ("--store", "http://localhost:1/sparql")
    for arguments in (("run", "water.xyz"), ("runs",), ("query", "ASK { ?s ?p ?o }")):
        _, err = shell(*arguments, *store, status=1)
        assert "http://localhost:1/sparql cannot be reached" in err


def test_errors_come_as_json_when_asked(shell: Shell) -> None:
    _, err = shell("run", "water.xyz", "--method", "B3LPY", "--json", "--quiet", status=2)
    said = json.loads(err)["error"]
    assert said["kind"] == "InputError"
    assert "B3LYP" in said["advice"]


def test_debug_shows_where_an_error_came_from(shell: Shell) -> None:
    process = shell.start("run", "water.xyz", "--method", "B3LPY", "--debug")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2  # as without it
    assert "Traceback" in err
    assert "did you mean B3LYP" in err.rpartition("grafico: ")[2]


def test_an_output_that_cannot_be_written_is_said(shell: Shell) -> None:
    shell("run", "water.xyz", *FAST)
    _, err = shell("report", "-o", "no/such/folder/page.html", status=2)
    assert "no/such/folder" in err


def test_settings_come_in_their_order(shell: Shell) -> None:
    """Command line, environment, project file, default."""
    folder = shell.folder / "project"
    folder.mkdir()
    (folder / "water.xyz").write_text(WATER)
    (folder / "grafico.toml").write_text(
        'method = "HF"\nbasis = "STO-3G"\nthreads_per_calculation = 1\n'
    )
    project = Shell(folder)
    project.environment["GRAFICO_BASIS"] = "3-21G"
    for more, expected in (((), ("HF", "3-21G")), (("--method", "PBE"), ("PBE", "3-21G"))):
        level = json.loads(project("run", "water.xyz", "--json", *more)[0])["level"]
        assert (level["method"], level["basis"]) == expected
    del project.environment["GRAFICO_BASIS"]
    (folder / "grafico.toml").write_text("colour = 'blue'\n")
    assert "there is no setting colour" in project("run", "water.xyz", status=2)[1]
    (folder / "grafico.toml").write_text("metod = 'HF'\n")
    assert "did you mean method?" in project("run", "water.xyz", status=2)[1]
    (folder / "grafico.toml").write_text("hours = -1\n")
    assert "hours=-1: it must be greater than 0" in project("run", "water.xyz", status=2)[1]
    (folder / "grafico.toml").write_text("not toml")
    assert "settings in grafico.toml" in project("run", "water.xyz", status=2)[1]


def test_killed_during_the_frequencies_the_optimisation_is_not_repeated(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    (tmp_path / "ethane.xyz").write_text(
        "8\n\nC 0 0 0.76\nC 0 0 -0.76\nH 1.01 0 1.16\nH -0.505 0.875 1.16\nH -0.505 -0.875 1.16\n"
        "H -1.01 0 -1.16\nH 0.505 -0.875 -1.16\nH 0.505 0.875 -1.16\n"
    )
    wanted = ("run", "ethane.xyz", "--task", "frequencies", *FAST)
    process = shell.start(*wanted)
    assert process.stderr is not None
    for line in process.stderr:
        if "second derivatives" in line:
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
    assert process.stdout is not None
    process.stdout.close()
    line = json.loads(shell("runs", "--json")[0])[0]
    assert line["status"] == "not finished"
    _, err = shell(*wanted)
    assert "optimisation: remembered" in err
    assert "frequencies: computing" in err
    assert list((tmp_path / "store" / "tasks").iterdir()) == []
    count = "SELECT ?c (COUNT(?a) AS ?n) { ?a a g:Activity ; g:calculation ?c } GROUP BY ?c"
    rows = json.loads(shell("query", count, "--json")[0])["rows"]
    assert {row["c"]: row["n"] for row in rows} == {
        "dft.resolve_level": 1,
        "dft.optimise": 1,
        "dft.frequencies": 1,
        "dft.thermochemistry": 1,
    }


def test_settings_of_other_programs_do_not_change_numbers(shell: Shell, tmp_path: Path) -> None:
    """PySCF reads a file in the home or working folder; Python imports what lies there."""
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "water.xyz").write_text(WATER)
    for name in (".pyscf_conf.py", "numpy.py"):
        (folder / name).write_text("raise SystemExit('read')\n")
    here = Shell(folder)
    here.environment["HOME"] = str(folder)
    del here.environment["PYTHONPATH"]
    script = Path(sys.executable).with_name("grafico")
    done = subprocess.run(
        [script, "run", "water.xyz", *FAST, "--json"],
        cwd=folder,
        env=here.environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    ours = json.loads(shell("run", "water.xyz", *FAST, "--json")[0])
    assert json.loads(done.stdout)["results"][-1]["energy"] == pytest.approx(
        ours["results"][-1]["energy"], abs=1e-9
    )


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_ends_at_once_and_leaves_nothing_running(
    shell: Shell, how: signal.Signals
) -> None:
    process = shell.start("run", "c1ccccc1", "--task", "frequencies", "--basis", "def2-TZVP")
    assert process.stderr is not None
    for line in process.stderr:
        if "SCF cycle" in line or "optimisation: computing" in line:
            break
    time.sleep(1)
    started = time.monotonic()
    process.send_signal(how)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "failed" not in err
    assert time.monotonic() - started < 25
    assert not list((shell.folder / "store" / "tasks").iterdir())
    assert json.loads(shell("runs", "--json", "--limit", "1")[0])[0]["status"] == "interrupted"


def test_an_iri_can_be_pasted_as_it_is_printed(shell: Shell) -> None:
    out, _ = shell("run", "[He]", *FAST, "--quiet", "--json")
    iri = json.loads(out)["atoms"]["iri"]
    short = iri.replace("https://w3id.org/grafico/", "g:")
    for given in (short, short.removeprefix("g:"), iri):
        out, _ = shell("run", given, *FAST, "--quiet", "--json")
        assert json.loads(out)["reused"]
