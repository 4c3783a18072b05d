"""``grafico slots`` and ``resume``, beside commands that are interrupted and killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.provenance import Outcome, Run
from tests.dft.structures import FORMALDEHYDE


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
        command(*words, "--store", str(store), "--json"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    return json.loads(said.stdout)


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_was_cut_off_is_seen_and_goes_on(
    molecule: Path, tmp_path: Path, how: signal.Signals
) -> None:
    store = tmp_path / "store"
    asked = ("--task", "optimise", "--method", "HF", "--basis", "def2-SVP", "--cores", "1")
    running = subprocess.Popen(
        command("run", str(molecule), *asked, "--quiet", "--store", str(store)),
        stderr=subprocess.DEVNULL,
    )
    tasks = store / "tasks"
    wait_for(lambda: any(tasks.glob("*/checkpoint")))
    busy = grafico("slots", store=store)
    running.send_signal(how)
    assert running.wait(20) == (130 if how == signal.SIGTERM else -how)
    held = [one for one in busy["held"] if one["pid"] == running.pid]
    assert [one["what"] for one in held] == ["dft.optimise"]
    assert [task["state"] for task in busy["tasks"]] == ["computing"]
    after = grafico("slots", store=store)
    assert [one for one in after["held"] if one["pid"] == running.pid] == []
    assert [task["state"] for task in after["tasks"]] == ["cut off, can go on"]

    with Grafico(store) as session:
        run = session.runs(1)[0].run
        said = [outcome.message for outcome in session.kg.find(Outcome)]
    assert [text.startswith("interrupted") for text in said] == [True] * (how == signal.SIGTERM)

    result = grafico("resume", run, "--cores", "1", "--quiet", store=store)
    assert result["status"] == "finished"
    assert list(tasks.iterdir()) == []
    with Grafico(store) as session:
        last = session.kg.find(Run)[-1]
        assert last.iri == result["run"] != run
        assert session.resume(run).reused


def test_slots_says_what_there_is_in_words(tmp_path: Path) -> None:
    env = {**os.environ, "GRAFICO_THREADS": "1", "GRAFICO_MEMORY": "500", "PATH": "/nowhere"}
    said = subprocess.run(
        command("slots", "--store", "memory:"), capture_output=True, text=True, check=True, env=env
    )
    assert said.stdout.startswith("1 core, 500 MB\n")
