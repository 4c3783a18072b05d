"""The device commanded by several processes, one after the other, at once, and killed ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ogm import KnowledgeGraph
from ontologies.laboratory import SynthesizerCommand
from ontologies.provenance import Outcome, Run
from tests.microwave.table import check_history, steps
from triplestore import open_store

ROOT = Path(__file__).resolve().parents[2]
WISH = ("--vial", "3", "--temperature", "100", "--duration", "50", "--pressure", "3", "--heat")
ALL = [
    "allocate_session",
    "open_lid",
    "load_vial",
    "close_lid",
    "update_heating_parameters",
    "heat_vial",
]

RIVAL = """
import asyncio, sys
from ogm import KnowledgeGraph
from triplestore import InputError, open_store
from workflows.engine import Executor
from workflows.microwave import Microwave, OpenLid, RefusedError, UpdateHeatingParameters
with open_store(sys.argv[1]) as store:
    executor = Executor(KnowledgeGraph(store))
    device = Microwave(executor, sys.argv[2])
    device.read()
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        for number in range(int(sys.argv[3])):
            asyncio.run(device.do(UpdateHeatingParameters(temperature=30 + number)))
        asyncio.run(device.do(OpenLid()))
        print("done")
    except RefusedError as error:
        print(error)
    executor.close()
"""


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def microwave(store: Path, *arguments: str) -> subprocess.Popen[str]:
    return start("-m", "tests.agreeing", "microwave", "--store", str(store), *arguments)


def answer(store: Path, *arguments: str) -> dict:
    process = microwave(store, *arguments, "--json", "--quiet")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return json.loads(out)


def test_another_process_goes_on_where_the_first_stopped(tmp_path: Path) -> None:
    store = tmp_path / "store"
    answer(store, "--open-lid", "--vial", "3")
    answer(store, *WISH[2:8], "--speed", "60000")
    found = answer(store, "--heat", "--conversion", "--speed", "60000")
    assert found["state"]["heated"] == {
        "temperature_degC": 100.0,
        "duration_min": 50.0,
        "pressure_atm": 3.0,
    }
    assert found["conversion"]["percent"] == pytest.approx(90.0787, abs=1e-3)
    with open_store(str(store)) as opened:
        kg = KnowledgeGraph(opened)
        done = list(steps(check_history(kg, "microwave"), kg))
    expected = [*ALL[:3], "update_heating_parameters", "close_lid", "heat_vial", ""]
    assert done == expected


def test_of_processes_that_command_at_once_one_opens_the_lid(tmp_path: Path) -> None:
    """Each sets the temperature five times and then opens the lid; all in one history."""
    store, count, times = tmp_path / "store", 3, 5
    answer(store, "--session", "--device", "shared")
    rivals = [start("-c", RIVAL, str(store), "shared", str(times)) for _ in range(count)]
    for rival in rivals:
        assert rival.stdout is not None
        assert rival.stdout.readline() == "ready\n"
    for rival in rivals:
        assert rival.stdin is not None
        rival.stdin.write("go\n")
        rival.stdin.flush()
    said = sorted(rival.communicate(timeout=60)[0].strip() for rival in rivals)
    assert said.count("done") == 1
    assert all("the lid is open" in text for text in said if text != "done")
    with open_store(str(store)) as opened:
        kg = KnowledgeGraph(opened)
        done = list(steps(check_history(kg, "shared"), kg))
        refused = [c for c in kg.find(SynthesizerCommand) if c.refusal]
    assert done.count("update_heating_parameters") == count * times
    assert done.count("open_lid") == 1
    assert len(refused) == count - 1


@pytest.mark.parametrize("lines", [2, 6], ids=["after 2", "while heating"])
def test_killed_between_commands_the_same_request_goes_on(tmp_path: Path, lines: int) -> None:
    store = tmp_path / "store"
    # slow enough to be killed while it heats, quick enough to wait for the rest
    process = microwave(store, *WISH, "--speed", "1500")
    assert process.stderr is not None
    for _ in range(lines):
        process.stderr.readline()
    process.kill()
    process.communicate()
    with open_store(str(store)) as opened:
        kg = KnowledgeGraph(opened)
        before = list(steps(check_history(kg, "microwave"), kg))
    assert before == ALL[: len(before)]
    assert len(before) >= min(lines, 5)
    found = answer(store, *WISH, "--speed", "60000")
    assert found["state"]["heated"]
    with open_store(str(store)) as opened:
        kg = KnowledgeGraph(opened)
        done = list(steps(check_history(kg, "microwave"), kg))
        # nothing twice; its end is a state of its own only if somebody waited for it
        assert done in ([*ALL, ""], [*ALL])
        assert len(kg.find(Run)) == 2
        assert len(kg.find(Outcome)) == 1


def test_two_with_the_same_wish_at_once_heat_once(tmp_path: Path) -> None:
    """Whoever finds the device commanded by the other gives way, and may ask again."""
    store = tmp_path / "store"
    processes = [microwave(store, *WISH, "--speed", "60000") for _ in range(2)]
    ended: dict[int, tuple[str, str]] = {}

    def wait(number: int) -> None:
        ended[number] = processes[number].communicate(timeout=60)

    threads = [threading.Thread(target=wait, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = sorted(process.returncode for process in processes)
    assert codes in ([0, 0], [0, 1]), ended  # one after the other, or at once
    if codes == [0, 1]:
        assert any(
            # before it was asked, or between the yes and the command, which voids the yes
            "another process has commanded" in said[1] or "nobody agreed" in said[1]
            for said in ended.values()
        ), ended
    with open_store(str(store)) as opened:
        kg = KnowledgeGraph(opened)
        assert list(steps(check_history(kg, "microwave"), kg)) == [*ALL, ""]
