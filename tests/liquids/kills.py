"""A protocol is carried out while program and driver are killed: what was done is in a file.

The file is the world: the driver writes a line into it for each operation that it does, with what
is in all vials then, and nobody else does. A person who is asked what became of an operation looks
there. Now and then the driver reads half of what is there: then all of it is discarded and begun
again.

    python -m tests.liquids.kills SEED KILLS
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import signal
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from ogm import KnowledgeGraph
from ontologies.liquids import LiquidDesign, PreparedSamples, SimulatedSamples
from ontologies.operations import Operation, OperationEnd
from triplestore import open_store
from triplestore.errors import ConsentError, RecordError
from workflows.engine import Executor
from workflows.engine.devices.operations import Said
from workflows.liquids.protocol import Protocol, protocol
from workflows.liquids.reading import design_of
from workflows.liquids.running import carry_out, operations
from workflows.liquids.simulator import Reading
from workflows.liquids.steps import Step
from workflows.trust.caller import Caller, ConsentQuestion, asked_by

DESIGN = Path(__file__).parent / "designs" / "exp1.yaml"
DONE, DOUBT, FAILED, MISREAD = 0, 3, 4, 6
Cut = Literal["before", "after", "fails before", "fails after", "any time", "misreads"]
CUTS: tuple[Cut, ...] = (*get_args(Cut), "any time")


class Bench:
    """A device whose operations are lines of a file.

    Args:
        world: the file.
        cut: when program or driver are killed.
        at: the number of the operation, of this process, at which that happens.
    """

    name, simulated, halt, precision = "left bench", False, None, 1e-9

    def __init__(self, world: Path, cut: Cut, at: int) -> None:
        self._world, self._cut, self._left = world, cut, at

    def begin(self, done: Sequence[Step]) -> None:
        del done

    async def do(self, command: Step, /) -> Reading:
        self._left -= 1
        if not self._left and self._cut == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        if not self._left and self._cut == "fails before":
            raise OSError("the line is dead")
        volumes = volumes_in(self._world)
        moved = moving(command)
        for vial, amount in moved.items():
            volumes[vial] = volumes.get(vial, 0.0) + amount
        with self._world.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps([command.model_dump_json(), volumes])}\n")
        if not self._left and self._cut == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        if not self._left and self._cut == "fails after":
            raise OSError("the line is dead")
        wrong = not self._left and self._cut == "misreads"
        return {vial: volumes[vial] * (0.5 if wrong else 1) for vial in moved}


def moving(command: Step) -> dict[str, float]:
    """Return the µL that come into vials, and with a minus those that leave."""
    if command.unit != "µL":
        return {}
    into = command.to or command.plate
    moved = {f"{into} {vial}": amount for vial, amount in command.values.items()}
    if command.action == "Transfer":
        assert into != command.plate
        moved |= {f"{command.plate} {vial}": -amount for vial, amount in command.values.items()}
    return moved


def lines_of(world: Path) -> list[str]:
    """Return what was done, as it was told."""
    return [json.loads(line)[0] for line in world.read_text(encoding="utf-8").splitlines()]


def volumes_in(world: Path) -> dict[str, float]:
    """Return the µL in each vial."""
    lines = world.read_text(encoding="utf-8").splitlines()
    return json.loads(lines[-1])[1] if lines else {}


def last_number(store: Path) -> tuple[int, int]:
    """Return the number of the last operation of the device, and its place."""
    with open_store(str(store)) as opened:
        all_of_them = KnowledgeGraph(opened).find(Operation)
        last = max(all_of_them, key=lambda one: one.operation_number)
    return last.operation_number, last.place_in_work


def held(made: PreparedSamples) -> dict[str, float]:
    """Return the µL in each vial as they are stored."""
    return {
        f"{plate} {vial}": sum(value for value, unit in doses.values() if unit == "µL")
        for plate, vials in json.loads(made.contents).items()
        for vial, doses in vials.items()
    }


async def agree(_: ConsentQuestion) -> bool:
    return True


def carried(store: Path, found: Protocol, device: Bench, said: Said | None) -> int:
    """Carry a protocol out, or go on; return how it ended."""
    design = LiquidDesign(name=found.design.name, text=found.design.model_dump_json(by_alias=True))
    with open_store(str(store)) as opened:
        executor = Executor(KnowledgeGraph(opened))
        try:
            with asked_by(Caller(is_person=True, ask=agree)):
                asyncio.run(carry_out(found, design, device, executor, said=said))
        except ConsentError as error:
            if "nobody knows whether it was done" not in str(error):
                raise
            return DOUBT
        except RecordError as error:
            if "as it reads" not in str(error):
                raise
            return MISREAD
        except OSError:
            return FAILED
        finally:
            executor.close()
    return DONE


def child(
    store: Path, found: Protocol, device: Bench, said: Said | None, delay: float | None
) -> int:
    """Carry a protocol out in a process of its own; return its exit status, or -9."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    try:
        if delay is not None:
            kill = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGKILL))
            kill.daemon = True
            kill.start()
        os._exit(carried(store, found, device, said))
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        os._exit(5)


def kept_open(store: Path) -> int:
    """Start a process that keeps the store open, which saves its start each time; return its id."""
    process = os.fork()
    if not process:
        with open_store(str(store)):
            signal.pause()
    return process


def open_ones(store: Path) -> int:
    """Return how many operations were sent of which nothing is known."""
    with open_store(str(store)) as opened:
        kg = KnowledgeGraph(opened)
        return len(kg.find(Operation)) - len(kg.find(OperationEnd))


def main(seed: int, kills: int) -> dict[str, int]:
    """Kill, look, say and go on until all of it is done; check the world.

    Raises:
        AssertionError: an operation was repeated or lost, a doubtful one not asked, a wrong reading
            forgotten, or something else counted than there is.
    """
    chance = random.Random(seed)
    found = protocol(design_of(DESIGN))
    wanted = [one.model_dump_json() for _, one in operations(found.steps, found.laid)]
    told = {"kills": 0, "doubts": 0, "protocols": 0, "operations": 0, "misread": 0}
    with tempfile.TemporaryDirectory(prefix="kills") as folder:
        store, world = Path(folder) / "store", Path(folder) / "world"
        said: Said | None = None
        keeper = kept_open(store)
        world.touch()
        try:
            while told["kills"] < kills or not told["protocols"]:
                cut = chance.choice(CUTS)
                delay = chance.uniform(0.02, 0.4) if cut == "any time" else None
                device = Bench(world, cut, chance.randint(1, 12))
                doubtful = open_ones(store)
                assert doubtful in (0, 1)
                ended = child(store, found, device, said, delay)
                assert ended in (DONE, DOUBT, FAILED, MISREAD, -signal.SIGKILL), ended
                lines = lines_of(world)
                assert lines == wanted[: len(lines)], "repeated, lost or out of order"
                told["kills"] += ended in (FAILED, -signal.SIGKILL)
                if ended == DOUBT:
                    assert doubtful
                    assert said is None
                    told["doubts"] += 1
                    number, place = last_number(store)
                    said = Said(number, "done" if len(lines) == place else "undone")
                    continue
                if ended == MISREAD:
                    told["misread"] += 1
                    again = child(store, found, Bench(world, "misreads", 0), None, None)
                    assert again == MISREAD, "what was read is forgotten"
                    assert lines_of(world) == lines, "something was done after a wrong reading"
                    world.write_text("", encoding="utf-8")  # a person empties the vials
                    said = Said(last_number(store)[0], "discarded")
                    continue
                if doubtful and said is None:
                    assert ended == -signal.SIGKILL, "a doubtful operation was not asked for"
                said = None
                if ended == DONE:
                    assert lines == wanted
                    with open_store(str(store)) as opened:
                        every = KnowledgeGraph(opened).find(PreparedSamples)
                    counted = held(max(every, key=lambda one: one.ended))
                    for vial, there in volumes_in(world).items():
                        assert math.isclose(counted[vial], there, rel_tol=1e-9, abs_tol=1e-6), vial
                    told["protocols"] += 1
                    told["operations"] += len(lines)
                    world.write_text("", encoding="utf-8")
            with open_store(str(store)) as opened:
                kg = KnowledgeGraph(opened)
                assert len(kg.find(PreparedSamples)) == told["protocols"]
                assert not kg.find(SimulatedSamples)
        finally:
            os.kill(keeper, signal.SIGKILL)
            os.waitpid(keeper, 0)
    return told


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]))))
