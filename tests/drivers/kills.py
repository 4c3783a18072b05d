"""A device is driven by a stranger's module while program and module are killed.

The file is the world: the module writes a line into it for each command that it does, and nobody
else does. A person who is asked what became of an operation looks there.

    python -m tests.drivers.kills SEED KILLS
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import threading
from pathlib import Path

from ogm import KnowledgeGraph
from ontologies.operations import Operation, OperationEnd
from tests.agreeing import agreeing
from triplestore import open_store
from triplestore.errors import ConsentError, CrashError, RecordError
from workflows.drivers.files import card_of
from workflows.drivers.module_device import ModuleDevice
from workflows.drivers.reading import read_module
from workflows.engine import Executor
from workflows.engine.devices.brought import brought
from workflows.engine.devices.card import Card
from workflows.engine.devices.operations import Said
from workflows.trust.programs import program_of, trust

MODULE = """
import os, random, time

level = 0
at = "bench"

def _do(text):
    cut = random.random()
    time.sleep(0.05 * random.random())
    if cut < 0.06:
        os.kill(os.getppid(), 9)
        time.sleep(0.2)
    if 0.06 < cut < 0.1:
        os._exit(1)
    if 0.1 < cut < 0.14:
        raise OSError("the line is dead")
    with open({world!r}, "a", encoding="utf-8") as file:
        file.write(text + "\\n")
    if 0.86 < cut < 0.9:
        raise OSError("the line is dead")
    if 0.9 < cut < 0.94:
        os._exit(1)
    if cut > 0.94:
        os.kill(os.getppid(), 9)
    time.sleep(0.05 * random.random())

def fill():
    global level
    if level >= 12:
        raise RuntimeError("it is full")
    _do("fill")
    level = level + 1
"""

GOAL, WANTED = "level=12", ["fill"] * 12
DONE, DOUBT, FAILED = 0, 3, 4


def carried(store: Path, card: Card, module: Path, said: Said | None) -> int:
    """Bring the device to the goal, or go on; return how that ended."""
    with open_store(str(store)) as opened:
        executor = Executor(KnowledgeGraph(opened))
        try:
            with agreeing():
                device = ModuleDevice.of(card, module, 60.0)
                asyncio.run(brought(card, GOAL, executor, None, device, said))
        except ConsentError as error:
            if "nobody knows whether it was done" not in str(error):
                raise
            return DOUBT
        except (CrashError, RecordError):
            return FAILED
        finally:
            executor.close()
    return DONE


def child(store: Path, card: Card, module: Path, said: Said | None, delay: float | None) -> int:
    """Do it in a process of its own; return its exit status, or -9."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    try:
        if delay is not None:
            kill = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGKILL))
            kill.daemon = True
            kill.start()
        os._exit(carried(store, card, module, said))
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        os._exit(5)


def stands(store: Path) -> tuple[int, int, int]:
    """Return how many operations were sent, are open, and are done."""
    with open_store(str(store)) as opened:
        kg = KnowledgeGraph(opened)
        ends = kg.find(OperationEnd)
        sent = len(kg.find(Operation))
        return sent, sent - len(ends), sum(one.outcome == "done" for one in ends)


def main(seed: int, kills: int) -> dict[str, int]:
    """Kill, look, say and go on until all of it is done; check the world.

    Raises:
        AssertionError: a command was repeated or lost, or a doubtful one not asked.
    """
    chance = random.Random(seed)
    told = {"kills": 0, "failures": 0, "doubts": 0, "commands": 0, "plans": 0}
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="kills")
    while told["kills"] < kills:
        with tempfile.TemporaryDirectory(prefix="kills") as folder:
            store, world, module = (Path(folder) / name for name in ("store", "world", "cup.py"))
            world.touch()
            module.write_text(MODULE.format(world=str(world)), encoding="utf-8")
            found = read_module(module.read_text(encoding="utf-8"), "cup.py").model_dump()
            card = card_of(found | {"unknown": [], "source": {**found["source"], "put_back": True}})
            with agreeing():
                asyncio.run(trust(program_of(module)))
            said, ended, lines = None, -1, list[str]()
            while ended != DONE:
                delay = chance.uniform(0.1, 2.0) if chance.random() < 0.3 else None
                _, open_before, _ = stands(store)
                ended = child(store, card, module, said, delay)
                assert ended in (DONE, DOUBT, FAILED, -signal.SIGKILL), ended
                lines = world.read_text(encoding="utf-8").splitlines()
                sent, doubtful, done = stands(store)
                told["kills"] += ended == -signal.SIGKILL
                told["failures"] += ended == FAILED
                assert doubtful in (0, 1)
                assert len(lines) - done in ((0, 1) if doubtful else (0,)), "repeated or lost"
                if open_before and said is None:
                    assert ended in (DOUBT, -signal.SIGKILL), "a doubtful command was not asked for"
                if ended == DOUBT:
                    told["doubts"] += 1
                    said = Said(sent, "done" if len(lines) > done else "undone")
                elif not doubtful or said is None or sent != said.number:
                    said = None
            assert lines == WANTED
            told["commands"] += len(lines)
            told["plans"] += 1
    return told


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]))))
