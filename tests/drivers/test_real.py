"""A real device is driven by a stranger's module: trusted, in a process of its own, with doubts.

The world is a file into which the module writes a line for each thing that it does.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from ogm import KnowledgeGraph, Link
from ontologies.operations import Operation, OperationEnd
from tests.agreeing import agreeing
from tests.drivers.cup import Bench
from tests.terminal import at_terminal
from tests.typed import typed
from triplestore import open_store
from triplestore.errors import (
    ConsentError,
    CrashError,
    InputError,
    TrustError,
)
from workflows.drivers.files import card_of, written
from workflows.drivers.module_device import ModuleDevice
from workflows.drivers.reading import read_module
from workflows.engine import Executor
from workflows.engine.devices import lease
from workflows.engine.devices.brought import brought, simulated
from workflows.engine.devices.lease import StoppedError
from workflows.engine.graph.waiting import ApprovalError
from workflows.trust.caller import NOBODY, Caller, asked_by
from workflows.trust.programs import program_of, trust

# --- trust ----------------------------------------------------------------------------------------


def test_nothing_of_a_module_runs_before_it_is_trusted(bench: Bench) -> None:
    """What is planted at its beginning would write into the world."""
    card = bench.module()
    with pytest.raises(TrustError, match="you have not trusted it"):
        bench.run(card, "lid=open")
    assert bench.lines == []
    bench.trust()
    assert bench.lines == [], "to trust is not to run"
    assert bench.run(card, "lid=open").steps == ("open_lid",)
    assert bench.lines == ["imported", "open_lid"]


def test_an_edited_file_is_a_stranger_again(bench: Bench) -> None:
    card = bench.trusted()
    bench.file.write_text(bench.file.read_text() + "\n_note('more')\n")
    with pytest.raises(TrustError, match="edited since you trusted it"):
        bench.run(card, "lid=open")
    bench.trust()  # it is not what the device file was read from, either
    with pytest.raises(InputError, match="from another state of it"):
        bench.run(card, "lid=open")
    copy = bench.folder / "other" / "cup.py"
    copy.parent.mkdir()
    copy.write_text(bench.file.read_text())
    assert program_of(copy).problem == "you have not trusted it"
    odd = copy.rename(copy.with_name("cup; id.py"))
    with pytest.raises(TrustError) as raised:
        ModuleDevice.of(card, odd)
    assert raised.value.advice.endswith("; id.py'")  # one word of a shell
    assert bench.lines == []


@pytest.mark.parametrize(
    "who",
    [NOBODY, Caller(folder=Path("/tmp")), Caller(is_person=True, away=True)],
    ids=["nobody", "a model", "a job"],
)
def test_none_but_a_person_has_the_trust_or_gives_it(bench: Bench, who: Caller) -> None:
    card, found = bench.trusted(), program_of(bench.file)
    with asked_by(who), pytest.raises(TrustError, match="a person alone"):
        ModuleDevice.of(card, bench.file)

    async def agree(_: object) -> bool:
        return True

    bench.file.write_text("import this\n")
    other = program_of(bench.file)
    asking = Caller(is_person=who.is_person, folder=who.folder, away=who.away, ask=agree)
    with asked_by(asking), pytest.raises(ConsentError):
        asyncio.run(trust(other))
    assert other.problem
    assert not found.problem
    with asked_by(Caller(is_person=True)), pytest.raises(ConsentError, match="nobody can be asked"):
        asyncio.run(trust(other))


def test_a_person_who_says_no_trusts_nothing(bench: Bench) -> None:
    bench.module()
    shown = list[str]()

    async def disagree(question: Any) -> bool:
        shown.append(question.what)
        return False

    with asked_by(Caller(is_person=True, ask=disagree)), pytest.raises(ConsentError):
        asyncio.run(trust(program_of(bench.file)))
    assert program_of(bench.file).problem
    assert "imports os, sys, time" in shown[0]
    assert program_of(bench.file).digest in shown[0]
    assert f"{bench.file.stat().st_size:,} bytes" in shown[0]


# --- a yes ----------------------------------------------------------------------------------------


def test_a_person_agrees_to_a_plan_with_its_dry_run(bench: Bench) -> None:
    card, asked = bench.trusted(), list[str]()

    async def disagree(question: Any) -> bool:
        asked.append(question.what)
        return False

    device = ModuleDevice.of(card, bench.file)
    with (
        asked_by(Caller(is_person=True, ask=disagree)),
        pytest.raises(ApprovalError),
    ):
        asyncio.run(brought(card, "level=1, lid=closed", bench.executor, None, device))
    [text] = asked
    assert "3 operations, each once" in text
    for line in (
        "dry run: then lid open, level 0", "dry run: then lid open, level 1",
        "dry run: then lid closed, level 1", "its module reports lid, level",
        program_of(bench.file).digest,
        "when it is stopped, the command in progress ends by itself",
    ):  # fmt: skip
        assert line in text
    assert bench.lines == ["imported"]
    assert bench.outcomes == []


def test_a_simulation_never_satisfies_what_is_asked_of_the_real_one(bench: Bench) -> None:
    card = bench.trusted()
    goal = "level=1, lid=closed"
    steps = ("open_lid", "fill", "close_lid")
    assert asyncio.run(simulated(card, goal, bench.executor)).steps == steps
    assert asyncio.run(simulated(card, goal, bench.executor)).steps == ()
    assert bench.lines == []
    came = bench.run(card, goal)
    assert came.steps == steps
    assert bench.done == list(steps)
    assert bench.run(card, goal).steps == ()
    assert bench.outcomes == ["done"] * 3
    [last] = bench.executor.kg.find(Operation, simulated=False, operation_number=3)
    [end] = bench.executor.kg.find(OperationEnd, operation=Link[Operation](last))
    assert json.loads(end.reading) == {"lid": "closed", "level": 1}


def test_without_a_folder_for_its_records_nothing_is_driven(bench: Bench) -> None:
    card = bench.trusted()
    with open_store("memory:") as store, agreeing():
        executor = Executor(KnowledgeGraph(store))
        device = ModuleDevice.of(card, bench.file)
        with pytest.raises(InputError, match="nobody could stop it"):
            asyncio.run(brought(card, "lid=open", executor, None, device))
        executor.close()
    assert bench.lines == []


def test_the_module_sees_no_key_and_no_terminal(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "hunter22")
    look = "_note(repr(sorted(os.environ))); _note(str(os.getsid(0) == os.getpid()))"
    bench.run(bench.trusted(opening=look), "lid=open")
    assert "hunter22" not in bench.world.read_text()
    assert "OPENAI_API_KEY" not in bench.lines[1]
    assert bench.lines[2] == "True", "a session of its own has no terminal"


# --- where it stands ------------------------------------------------------------------------------


def test_a_module_that_reports_otherwise_than_the_records_is_looked_at(bench: Bench) -> None:
    """One whose states are in memory alone has forgotten them; one that asks its device has not."""
    card = bench.trusted()
    card = card.model_copy(update={"source": card.source.model_copy(update={"put_back": False})})
    bench.run(card, "lid=open")
    with pytest.raises(ConsentError, match=r"it reports lid closed.*it stands at lid open"):
        bench.run(card, "level=1")
    assert bench.done == ["open_lid"]
    assert bench.run(card, "level=1", "1 discarded").steps == ("open_lid", "fill")


CLASS = '''
class Cup:
    """A cup at a port."""

    def __init__(self, port):
        self.lid = "closed"
        self.port = port

    def open_lid(self):
        """Open it."""
        with open(self.port, "a") as file:
            file.write("open\\n")
        self.lid = "open"
'''


def test_an_object_of_a_class_is_made_as_the_file_says(bench: Bench) -> None:
    bench.file.write_text(CLASS)
    found: dict[str, Any] = read_module(CLASS, "cup.py").model_dump(mode="json")
    assert found["source"]["part"] == "Cup"
    bench.trust()
    said: dict[str, Any] = found | {"unknown": [], "states": {"lid": {"begins": "closed"}}}
    with pytest.raises(CrashError, match="port"):
        bench.run(card_of(said), "lid=open")
    said["source"] |= {"arguments": {"port": str(bench.world)}}
    [shown, *_] = ModuleDevice.of(card_of(said), bench.file).checks
    assert f"as Cup(port={str(bench.world)!r})" in shown  # what a device file has it do
    assert bench.run(card_of(said), "lid=open").steps == ("open_lid",)
    assert bench.lines == ["open"]


# --- stopping -------------------------------------------------------------------------------------


@pytest.mark.parametrize("halting", ["", "pass"])
def test_when_it_is_stopped_nothing_more_is_sent(bench: Bench, halting: str) -> None:
    """Whatever the module does: here its first command waits until it is halted, or let go on."""
    until = f"_note('opening')\n    while not os.path.exists({str(bench.folder / 'go')!r}): "
    go = f"open({str(bench.folder / 'go')!r}, 'w').close()"
    card = bench.trusted(opening=until + "time.sleep(0.01)", halting=halting and go)
    home = bench.executor.kg.store.home
    raised = list[BaseException]()

    def run() -> None:
        try:
            bench.run(card, "level=1")
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while "opening" not in bench.lines:
        assert thread.is_alive(), raised
    lease.stop(home, card.name)
    if not halting:
        (bench.folder / "go").touch()  # it ends by itself
    thread.join()
    assert isinstance(raised[0], StoppedError), raised
    assert "fill" not in bench.lines
    assert ("halt" in bench.lines) == bool(halting)
    before = bench.lines
    with pytest.raises(StoppedError):
        bench.run(card, "level=1")
    assert bench.lines == before, "it is not even begun"


# --- killed ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", ["filling", "filled"])
def test_killed_in_the_middle_nothing_is_repeated_or_lost(bench: Bench, cut: str) -> None:
    """The module kills whoever commands it, before or after it has done what it was told."""
    once = f"({str(bench.folder / 'cut')!r})"
    kill = (
        f"if not os.path.exists{once}: os.mkdir{once}; os.kill(os.getppid(), 9); time.sleep(1000)"
    )
    card = bench.trusted(**{cut: kill})
    device = bench.folder / "cup.yaml"
    device.write_text(written(card), encoding="utf-8")
    goal = ("--goal", "level=1, lid=closed", "--driver", str(bench.file))
    words = ["device", "run", str(device), *goal, "--store", str(bench.folder / "store")]
    command = [sys.executable, "-m", "tests.agreeing", *words]

    def asked(*more: str) -> subprocess.CompletedProcess[str]:
        root = Path(__file__).resolve().parents[2]
        pipes: Any = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL}
        return subprocess.run([*command, *more], cwd=root, check=False, env=os.environ, **pipes)

    assert asked().returncode == -9
    assert bench.outcomes == ["done", "open"]
    doubted = asked()
    assert doubted.returncode == 1
    assert "operation 2 of 3 (fill) was sent" in " ".join(doubted.stderr.split())
    assert "--last '2 done'" in doubted.stderr
    filled = "fill" in bench.done
    assert filled == (cut == "filled")
    came = asked("--last", "2 done" if filled else "2 undone")
    assert came.returncode == 0, came.stderr
    assert bench.done == ["open_lid", "fill", "close_lid"]
    assert "cup: lid closed, level 1" in came.stdout


# --- as a person does it --------------------------------------------------------------------------


def test_at_a_terminal(bench: Bench) -> None:
    """The file is trusted and the plan agreed to at a terminal; nowhere else."""
    card = bench.module()
    device = bench.folder / "cup.yaml"
    device.write_text(written(card), encoding="utf-8")
    driven = ["--driver", str(bench.file), "--store", str(bench.folder / "shop")]
    run = ["device", "run", str(device), "--goal", "lid=open", *driven]

    def person(*words: str, says: str = "y") -> tuple[int, str]:
        command = [sys.executable, "-m", "grafico", *words]
        return at_terminal(command, says, env=os.environ, cwd=bench.folder)

    refused = typed("trust", bench.file, status=1)
    assert "give the command at a terminal" in refused.output
    assert "grafico trust" in typed(*run, status=2).output
    assert person("trust", str(bench.file), says="n")[0] == 1
    assert json.loads(typed("trust", bench.file, "--json").stdout)["trusted"] is False
    status, shown = person("trust", str(bench.file))
    assert status == 0, shown
    assert "imports os, sys, time" in shown
    assert json.loads(typed("trust", bench.file, "--json").stdout)["trusted"] is True
    assert bench.lines == []
    waits = typed(*run, status=1).output
    assert "nobody agreed" in waits
    assert "grafico approve" in waits
    status, shown = person(*run)
    assert status == 0, shown
    assert "dry run: then lid open, level 0" in shown
    assert bench.done == ["open_lid"]
    assert "no longer trusted" in typed("trust", bench.file, "--remove").output
    assert "you have not trusted it" in typed(*run, status=2).output
