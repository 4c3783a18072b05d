"""An oven is commanded while program and driver are killed: what it did is in a file.

The file is the world: the driver writes a line into it for each command that it does, and says of
each whether an oven allows it, by rules of its own. A person who is asked what became of an
operation looks there. What bakes goes on while nobody runs.

    python -m tests.drivers.oven_kills SEED KILLS
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
import time
from pathlib import Path
from typing import Any, Literal, get_args

from ogm import KnowledgeGraph, Link
from ontologies.operations import Operation, OperationEnd
from tests.liquids.kills import agree, kept_open, open_ones
from triplestore import open_store
from triplestore.errors import ConsentError
from workflows.drivers.files import card_of
from workflows.drivers.request import stored
from workflows.engine import Executor, run_graph
from workflows.engine.devices.described import CardCommand, DescribedGraph, Telling
from workflows.engine.devices.driven import Driven
from workflows.engine.devices.operations import Said
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.wish import Wish
from workflows.trust.caller import Caller, asked_by

CARD = card_of(
    """
name: left oven
states:
  door: {begins: open, values: [open, closed]}
  hot: {begins: false}
  baked: {begins: false}
commands:
  open_door: {refused: [{when: door == 'open', because: it is open}], makes: {door: "'open'"}}
  close_door:
    refused: [{when: door == 'closed', because: it is closed}]
    makes: {door: "'closed'"}
  put_in: {refused: [{when: door != 'open', because: the door is closed}], makes: {baked: false}}
  bake:
    arguments: {seconds: {kind: float, low: 0, high: 10, unit: s}}
    refused: [{when: door != 'closed', because: the door is open}]
    makes: {hot: true, baked: false}
    lasts:
      time: given.seconds
      refuses: it is hot for {remaining}; wait
      makes: {hot: false, baked: true}
"""
)
GOALS = (
    "seconds=0.15, baked=true, door=open",
    "baked=false, door=open, hot=false",
    "seconds=0.3, hot=true",
    "seconds=0.05, baked=true, door=closed",
)
DONE, DOUBT, FAILED = 0, 3, 4
Cut = Literal["before", "after", "fails before", "fails after", "any time", "never"]
CUTS: tuple[Cut, ...] = (*get_args(Cut), "any time")


def world_of(file: Path) -> dict[str, Any]:
    """Return how the oven stands now, and check that it was never told what breaks it."""
    door, baked, until, loaded = "open", False, 0.0, False
    for line in file.read_text(encoding="utf-8").splitlines():
        done = json.loads(line)
        hot = done["at"] < until
        baked = baked or (loaded and not hot)
        loaded = loaded and hot
        assert not hot, f"{done} while it is hot"
        if done["command"] == "bake":
            assert door == "closed", "it bakes with an open door"
            until, baked, loaded = done["at"] + done["given"]["seconds"], False, True
        elif done["command"] == "put_in":
            assert door == "open", "through a closed door"
            baked = False
        else:
            after = "open" if done["command"] == "open_door" else "closed"
            assert door != after, "it stands so already"
            door = after
    hot = time.time() < until
    return {"door": door, "hot": hot, "baked": baked or (loaded and not hot)}


class Oven:
    """A device whose operations are lines of a file.

    Args:
        world: the file.
        cut: when program or driver are killed.
        at: the number of the operation, of this process, at which that happens.
    """

    name, simulated, halt = CARD.name, False, None

    def __init__(self, world: Path, cut: Cut, at: int) -> None:
        self._world, self._cut, self._left = world, cut, at

    def begin(self, at: Standing) -> None:
        del at

    async def do(self, command: CardCommand, /) -> dict[str, Any]:
        self._left -= 1
        if not self._left and self._cut == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        if not self._left and self._cut == "fails before":
            raise OSError("the line is dead")
        line = {"command": command.verb, "given": command.arguments, "at": time.time()}
        with self._world.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(line)}\n")
        if not self._left and self._cut == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        if not self._left and self._cut == "fails after":
            raise OSError("the line is dead")
        return world_of(self._world)


async def commanded(goal: str, device: Oven, executor: Executor, said: Said | None) -> None:
    """Bring the oven to where a goal wants it."""
    wish = Wish.of(goal, CARD)
    graph, model = DescribedGraph(CARD, wish), stored(CARD)
    form = Telling(device=CARD.name, goal=wish.text, card=CARD.model_dump_json())
    bench = await Driven(executor, device, graph, model).begun(said)
    subject, about = device.name, (model,)
    end = await run_graph(
        graph, bench, form, wish.goal, executor, subject=subject, about=about, forms=(form,)
    )
    assert end.status == "finished", end.message


def child(store: Path, goal: str, device: Oven, said: Said | None, delay: float | None) -> int:
    """Command the oven in a process of its own; return its exit status, or -9."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    try:
        if delay is not None:
            kill = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGKILL))
            kill.daemon = True
            kill.start()
        with open_store(str(store)) as opened:
            executor = Executor(KnowledgeGraph(opened))
            try:
                with asked_by(Caller(is_person=True, ask=agree)):
                    asyncio.run(commanded(goal, device, executor, said))
            except ConsentError as error:
                os._exit(DOUBT if "nobody knows whether it was done" in str(error) else 5)
            except OSError:
                os._exit(FAILED)
            executor.close()
        os._exit(DONE)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        os._exit(5)


def recorded(store: Path) -> tuple[int, list[str]]:
    """Return the number of the last operation, and the commands that are recorded as done."""
    with open_store(str(store)) as opened:
        kg = KnowledgeGraph(opened)
        every = sorted(kg.find(Operation), key=lambda one: one.operation_number)
        ends = {end.operation: end.outcome for end in kg.find(OperationEnd)}
    done = [one for one in every if ends.get(Link[Operation](one)) == "done"]
    return every[-1].operation_number, [json.loads(one.told)["command"] for one in done]


def main(seed: int, kills: int) -> dict[str, int]:
    """Kill, look, say and go on; check the world after each process.

    Raises:
        AssertionError: a command was repeated, lost or forbidden, a doubtful one not asked for, or
            the oven stands otherwise than was asked.
    """
    chance = random.Random(seed)
    told, lines = {"kills": 0, "doubts": 0, "requests": 0, "operations": 0}, list[str]()
    with tempfile.TemporaryDirectory(prefix="kills") as folder:
        store, world = Path(folder) / "store", Path(folder) / "world"
        said, goal, keeper = None, GOALS[0], kept_open(store)
        world.touch()
        try:
            while told["kills"] < kills or not told["requests"]:
                cut = chance.choice(CUTS)
                delay = chance.uniform(0.02, 0.5) if cut == "any time" else None
                doubtful = open_ones(store)
                assert doubtful in (0, 1)
                ended = child(store, goal, Oven(world, cut, chance.randint(1, 4)), said, delay)
                assert ended in (DONE, DOUBT, FAILED, -signal.SIGKILL), ended
                lines = [json.loads(x)["command"] for x in world.read_text("utf-8").splitlines()]
                stands = world_of(world)
                told["kills"] += ended in (FAILED, -signal.SIGKILL)
                if ended == DOUBT:
                    assert doubtful
                    assert said is None
                    told["doubts"] += 1
                    number, done = recorded(store)
                    assert lines[: len(done)] == done
                    said = Said(number, "done" if len(lines) > len(done) else "undone")
                    continue
                if doubtful and said is None:
                    assert ended == -signal.SIGKILL, "a doubtful operation was not asked for"
                said = None
                if ended == DONE:
                    assert recorded(store)[1] == lines, "repeated, lost or out of order"
                    for name, one in Wish.of(goal, CARD).states.items():
                        assert stands[name] == one or name == "hot", (goal, stands)
                    told["requests"] += 1
                    goal = chance.choice(GOALS)
            told["operations"] = len(lines)
        finally:
            os.kill(keeper, signal.SIGKILL)
            os.waitpid(keeper, 0)
    return told


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]))))
