"""``grafico slots`` and ``resume``, beside commands that are interrupted and killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from grafico import Grafico
from grafico.cli.app import main
from ontologies import make_atoms
from ontologies.provenance import Outcome, Run
from tests.dft.structures import FORMALDEHYDE
from tests.triplestore.helpers import wait_until
from tests.typed import typed
from tests.warm import program
from workflows.engine.execution.task import in_flight
from workflows.engine.local.tokens import Tokens, tokens_folder


@pytest.fixture
def molecule(tmp_path: Path) -> Path:
    path = tmp_path / "formaldehyde.xyz"
    rows = zip(FORMALDEHYDE.symbols, FORMALDEHYDE.positions.tolist(), strict=True)
    lines = [f"{symbol} {x} {y} {z}" for symbol, (x, y, z) in rows]
    path.write_text("\n".join([str(len(lines)), "", *lines, ""]))
    return path


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "grafico", *words]


def grafico(*words: str, store: Path) -> Any:
    said = subprocess.run(
        [*program(), *words, "--store", str(store), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    return json.loads(said.stdout)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_was_cut_off_is_seen_and_goes_on(
    molecule: Path, tmp_path: Path, how: signal.Signals
) -> None:
    store = tmp_path / "store"
    asked = ("--task", "optimise", "--method", "HF", "--basis", "def2-SVP", "-t", "1")
    running = subprocess.Popen(
        command("run", str(molecule), *asked, "--quiet", "--store", str(store)),
        stderr=subprocess.DEVNULL,
    )
    tasks = store / "tasks"
    wait_until(lambda: any(tasks.glob("*/checkpoint")))
    held, busy = Tokens(tokens_folder()).holders(), in_flight(tasks)  # quicker than the command
    running.send_signal(how)
    assert running.wait(20) == (130 if how == signal.SIGTERM else -how)
    assert [one["what"] for one in held if one["pid"] == running.pid] == ["dft.optimise"]
    assert [task["state"] for task in busy] == ["computing"]
    after = grafico("slots", store=store)
    assert [one for one in after["held"] if one["pid"] == running.pid] == []
    assert [task["state"] for task in after["tasks"]] == ["cut off, can go on"]

    with Grafico(store) as session:
        run = session.runs(1)[0].run
        status, recorded = session.runs(1)[0].status, session.kg.find(Outcome)
    by_hand = how == signal.SIGTERM
    assert status == ("interrupted" if by_hand else "not finished")
    assert [outcome.status for outcome in recorded] == ["interrupted"] * by_hand
    assert all(outcome.message.startswith("interrupted") for outcome in recorded)

    result = grafico("resume", run, "-t", "1", "--quiet", store=store)
    assert result["status"] == "finished"
    assert list(tasks.iterdir()) == []
    with Grafico(store) as session:
        last = session.kg.find(Run)[-1]
        assert last.iri == result["run"] != run
        assert session.resume(run).reused


def test_what_is_no_run_cannot_be_gone_on_with(tmp_path: Path) -> None:
    store = tmp_path / "store"
    atoms = make_atoms("H2", numbers=[1, 1], positions=[[0, 0, 0], [0, 0, 1]])
    with Grafico(store) as session:
        session.kg.push(atoms)
    for words in (("resume", atoms.iri), ("graph", "--run", atoms.iri)):
        said = subprocess.run(
            command(*words, "--store", str(store)), capture_output=True, text=True, check=False
        )
        assert said.returncode == 2
        assert "that is a ConceptualAtoms\n  try: give the IRI of a run" in said.stderr


def test_a_run_goes_on_with_what_is_asked_otherwise(tmp_path: Path) -> None:
    store = tmp_path / "store"

    def said(*words: str, status: int = 0) -> Result:
        return typed(*words, "--store", str(store), status=status)

    asked = ("--method", "HF", "--basis", "STO-3G", "--task", "optimise", "--quiet", "-t", "1")
    said("run", "[H]O[H]", *asked, "--max-steps", "1", status=1)
    with Grafico(store) as session:
        run = session.runs(1)[0].run
    words = said("resume", run, "--help").stdout
    assert "--max-steps" in words
    assert "[default: 1]" in words, "as it was asked then"
    assert "--lid" not in words
    said("resume", run, "--quiet", status=1)
    for wrong, reason in (
        (("--max-step", "30"), "No such option '--max-step'"),
        (("--charge", "1"), "No such option '--charge'"),
        (("--temperature", "300"), "with task optimise that has no effect"),
        (("--max-steps", "none"), "'none' is not a whole number"),
    ):
        assert reason in said("resume", *wrong, run, status=2).stderr
    assert "No such option" in said("resume", "--max-steps", "9", "water", status=2).stderr
    done = json.loads(said("resume", "--max-steps", "30", run, "--quiet", "--json").stdout)
    assert done["status"] == "finished"
    with Grafico(store) as session:
        again = session.kg.pull(Run, done["run"])
    assert again.resumes is not None
    assert again.resumes.iri == run
    assert json.loads(again.request)["max_steps"] == 30


def test_slots_tells_of_those_that_are_passed_over(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "grafico-slots")
    with tokens.alone():
        ticket = tokens.wait("cpu", {"what": "dft.optimise", "threads": 2})
    passed_over: list[bool] = []
    for age in (0.0, 60.0):
        looked = time.time() - age
        os.utime(ticket[1], times=(looked, looked))
        said = CliRunner().invoke(  # a process of its own starts in seconds on a busy machine
            main, ["slots", "--store", "memory:"], env={"XDG_RUNTIME_DIR": str(tmp_path)}
        )
        assert f"waiting: dft.optimise, 2 threads, process {os.getpid()} since" in said.stdout
        passed_over.append("passed over" in said.stdout)
    tokens.leave(ticket)
    assert passed_over == [False, True]


def test_slots_says_what_there_is_in_words(tmp_path: Path) -> None:
    env = {**os.environ, "GRAFICO_TOTAL_CORES": "1", "GRAFICO_MEMORY": "500", "PATH": "/nowhere"}
    said = subprocess.run(
        command("slots", "--store", "memory:"), capture_output=True, text=True, check=True, env=env
    )
    assert said.stdout.startswith("1 core, 500 MB\n")
