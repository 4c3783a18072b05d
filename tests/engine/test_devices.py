"""Who may command a device, what it was told, and that nothing leaves for one that is stopped."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ogm import GRAFICO, KnowledgeGraph, Link
from ogm.terms import RDF_TYPE, XSD
from ontologies.operations import Operation, OperationEnd
from ontologies.provenance import Run
from tests.agreeing import agreeing
from tests.typed import typed
from triplestore import open_store
from triplestore.errors import ConsentError, InputError, RecordError, ResourceError
from workflows.engine import Executor
from workflows.engine.devices import lease
from workflows.engine.devices.command import RefusedError
from workflows.engine.devices.operations import Operations, Said, done_of, doubt
from workflows.trust.caller import NOBODY, PERSON, ConsentQuestion, asked_by

ROOT = Path(__file__).resolve().parents[2]
WORK: Link[Run] = Link("https://w3id.org/grafico/id/Run/1")
HOLDER = """
import asyncio, sys
from pathlib import Path
from workflows.engine.devices.lease import leased

async def hold():
    async with leased(Path(sys.argv[1]), "left bench"):
        print("held", flush=True)
        sys.stdin.readline()

asyncio.run(hold())
"""

FORKED = """
import asyncio, os, sys
from pathlib import Path
from workflows.engine.devices import lease

home = Path(sys.argv[1])

async def look():
    try:
        async with lease.leased(home, "left bench", patience=0):
            print("it has the lease of its parent", flush=True)
    except lease.BusyError as error:
        print(error.found, flush=True)

parent, child = os.pipe(), os.pipe()
with lease.briefly_leased(home, "left bench"):
    if not os.fork():
        asyncio.run(look())
        os.write(child[1], b"x")
        os.read(parent[0], 1)
        os._exit(0)
    os.read(child[0], 1)
print(lease.holder(home, "left bench") or "free", flush=True)
os.write(parent[1], b"x")
"""

BUSY = """
import asyncio, sys, time
from ogm import KnowledgeGraph, Link
from triplestore import open_store
from workflows.engine import Executor
from workflows.engine.devices.lease import StoppedError
from workflows.engine.devices.operations import Operations

class Ticker:
    name, simulated, halt = "left bench", True, None
    async def do(self, command):
        print(time.time(), flush=True)

with open_store(sys.argv[1]) as store:
    executor = Executor(KnowledgeGraph(store))
    device = Operations(executor, Ticker())
    work = Link("https://w3id.org/grafico/id/Run/1")
    try:
        for place in range(1, 100_000):
            asyncio.run(device.do("tick", "tick", work, place, 100_000))
    except StoppedError as error:
        print(error, file=sys.stderr)
    executor.close()
"""


class Lamp:
    """A device that counts what it does, and can be halted."""

    name, simulated = "left bench", True

    def __init__(self) -> None:
        self.done = list[str]()
        self.begun, self.halted = asyncio.Event(), asyncio.Event()
        self.loop: asyncio.AbstractEventLoop | None = None

    def halt(self) -> None:
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self.halted.set)

    async def do(self, command: str, /) -> str:
        if command == "refuse":
            raise RefusedError("it was to refuse", "it does")
        if command == "fail":
            raise OSError("the line is dead")
        if command == "halt":
            raise lease.StoppedError("it was to go on", "it was halted in the middle")
        if command == "long":
            self.begun.set()
            await asyncio.wait_for(self.halted.wait(), 10)
        self.done.append(command)
        return command.upper()


@pytest.fixture
def executor(tmp_path: Path) -> Iterator[Executor]:
    with open_store(str(tmp_path / "store")) as store:
        executor = Executor(KnowledgeGraph(store))
        yield executor
        executor.close()


async def refuse(_: ConsentQuestion) -> bool:
    return False


def never(_: Link[Run]) -> bool:
    return False


async def test_each_operation_has_two_records(executor: Executor) -> None:
    lamp = Lamp()
    device = Operations(executor, lamp)
    assert device.unfinished(never) is None
    for place, told in enumerate(("on", "off"), 1):
        assert await device.do(told, told, WORK, place, 2) == told.upper()
    assert [one.told for one, _ in device.done(WORK)] == ["on", "off"]
    assert [json.loads(end.reading) for _, end in device.done(WORK)] == ["ON", "OFF"]
    assert all(one.sent <= end.ended for one, end in device.done(WORK))
    again = Operations(executor, lamp)
    at = again.unfinished(never)
    assert at is not None
    assert (at.last.operation_number, again.number) == (2, 2)
    assert again.unfinished(lambda work: work == WORK) is None


async def test_a_refusal_is_known_to_have_done_nothing(executor: Executor) -> None:
    device = Operations(executor, Lamp())
    with pytest.raises(RefusedError):
        await device.do("refuse", "refuse", WORK, 1, 1)
    at = device.unfinished(never)
    assert at is not None
    assert at.end is not None
    assert at.end.outcome == "undone"
    await device.do("on", "on", WORK, 1, 1)
    assert [one.operation_number for one, _ in device.done(WORK)] == [2]


async def test_a_driver_that_was_halted_may_have_done_something(executor: Executor) -> None:
    device = Operations(executor, Lamp())
    with pytest.raises(lease.StoppedError, match="in the middle"):
        await device.do("halt", "halt", WORK, 1, 1)
    at = device.unfinished(never)
    assert at is not None
    assert at.end is None, "only a refusal promises that nothing was done"


async def test_what_a_driver_fails_in_is_doubtful_until_a_person_says(executor: Executor) -> None:
    device = Operations(executor, Lamp())
    await device.do("on", "on", WORK, 1, 2)
    with pytest.raises(OSError, match="dead"):
        await device.do("fail", "fail", WORK, 2, 2)
    at = device.unfinished(never)
    assert at is not None
    assert at.end is None
    error = doubt(at, "fail", "`last`")
    assert "operation 2 of 2 (fail) was sent at " in error.found
    assert "'2 done', '… undone'" in error.advice
    with asked_by(NOBODY), pytest.raises(ConsentError, match="only a person can look"):
        await device.settle(at, Said.of("2 done"))
    for wrong in (Said(1, "done"), Said(3, "undone")):
        with pytest.raises(InputError, match="operation 2 is its last"):
            await device.settle(at, wrong)
    await device.settle(at, Said.of("2 done"))
    [first, second] = device.done(WORK)
    assert (first[1].said_by, bool(second[1].said_by)) == ("", True)
    known = device.unfinished(never)
    with pytest.raises(InputError, match="which nobody doubts"):
        await device.settle(known, Said.of("2 undone"))
    await device.settle(known, Said.of("2 discarded"))
    assert device.unfinished(never) is None
    with pytest.raises(InputError, match="it is free"):
        await device.settle(None, Said.of("2 done"))


async def test_what_is_said_of_a_device_that_moves_a_person_is_asked(executor: Executor) -> None:
    lamp = Lamp()
    lamp.simulated = False
    device = Operations(executor, lamp)
    with pytest.raises(OSError, match="dead"):
        await device.do("fail", "fail", WORK, 1, 1)
    at = device.unfinished(never)
    with pytest.raises(ConsentError, match="nobody can be asked here"):
        await device.settle(at, Said.of("1 undone"))
    with asked_by(replace(PERSON, ask=refuse)), pytest.raises(ConsentError, match="has not said"):
        await device.settle(at, Said.of("1 undone"))
    assert not executor.kg.find(OperationEnd)
    with agreeing():
        await device.settle(at, Said.of("1 undone"))
    assert [end.outcome for end in executor.kg.find(OperationEnd)] == ["undone"]


@pytest.mark.parametrize("text", ["", "done", "3", "3 maybe", "x done", "-1 done", "٣ done"])
def test_what_is_said_names_its_operation(text: str) -> None:
    with pytest.raises(InputError, match="say it as in '31 done'"):
        Said.of(text)


async def test_of_two_that_number_alike_one_is_refused(executor: Executor) -> None:
    lamp = Lamp()
    one, other = Operations(executor, lamp), Operations(executor, lamp)
    assert one.number == other.number == 0
    await one.do("on", "on", WORK, 1, 2)
    with pytest.raises(lease.BusyError, match="commanded it meanwhile"):
        await other.do("off", "off", WORK, 1, 2)
    assert lamp.done == ["on"]


async def test_a_record_with_a_gap_is_noticed(executor: Executor) -> None:
    device = Operations(executor, Lamp())
    await device.do("on", "on", WORK, 1, 3)
    await device.do("on", "on", WORK, 1, 3)
    with pytest.raises(RecordError, match=r"are \[1, 1\]"):
        done_of(executor.kg, WORK)


@pytest.mark.parametrize("name", ["🧪 bench", 'a "quoted" \\ bench', "Prüfstand 2"])
async def test_a_device_may_be_called_anything(executor: Executor, name: str) -> None:
    lamp = Lamp()
    lamp.name = name
    await Operations(executor, lamp).do("on", "on", WORK, 1, 1)
    assert Operations(executor, lamp).number == 1


async def test_an_entry_that_cannot_be_read_is_not_passed_by_later(executor: Executor) -> None:
    device = Operations(executor, Lamp())
    await device.do("on", "on", WORK, 1, 2)
    assert device.unfinished(never)
    values = {"instrument": '"left bench"', "simulated": f'"true"^^<{XSD}boolean>'}
    values["operation_number"] = f'"2"^^<{XSD}integer>'
    broken = "<https://w3id.org/grafico/id/Operation/broken>"
    lines = [f"{broken} <{RDF_TYPE}> <{Operation.term()}> ."]
    lines += [f"{broken} <{GRAFICO.term(name)}> {value} ." for name, value in values.items()]
    executor.kg.store.insert("\n".join(lines).encode())
    for _ in range(2):
        with pytest.raises(RecordError):
            device.unfinished(never)


async def test_simulated_and_real_devices_of_a_name_are_different(executor: Executor) -> None:
    await Operations(executor, Lamp()).do("on", "on", WORK, 1, 1)
    real = Lamp()
    real.simulated = False
    assert Operations(executor, real).number == 0


async def test_another_process_is_told_who_has_the_device(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(lease.BusyError) as busy:
            async with lease.leased(tmp_path, "left bench", patience=0):
                pass
        assert "another process has commanded it: " in busy.value.found
        assert f"process {holder.pid} since 20" in busy.value.found
        async with lease.leased(tmp_path, "right bench", patience=0):
            assert lease.holder(tmp_path, "right bench").endswith(f"process {os.getpid()}")
        assert lease.holder(tmp_path, "left bench").endswith(f"process {holder.pid}")
        assert lease.holder(tmp_path, "right bench") == ""
        assert lease.known_devices(tmp_path) == ["left bench", "right bench"]
        holder.kill()  # the system takes the lease away from who dies
    assert lease.holder(tmp_path, "left bench") == ""
    async with (
        lease.leased(tmp_path, "left bench", patience=1),
        lease.leased(tmp_path, "left bench", patience=0),
    ):
        pass


async def test_another_request_of_the_process_is_told_so(tmp_path: Path) -> None:
    taken, over = asyncio.Event(), asyncio.Event()

    async def first() -> None:
        async with lease.leased(tmp_path, "left bench"):
            taken.set()
            await over.wait()

    async def within_first() -> None:
        async with lease.leased(tmp_path, "left bench", patience=0):
            with lease.briefly_leased(tmp_path, "left bench"):
                pass

    task = asyncio.create_task(first())
    await taken.wait()
    with pytest.raises(lease.BusyError, match="another request of this process has commanded it"):
        async with lease.leased(tmp_path, "left bench", patience=0):
            pass
    begun = time.monotonic()
    with (
        pytest.raises(lease.BusyError, match="another request"),
        lease.briefly_leased(tmp_path, "left bench"),
    ):
        pass
    assert time.monotonic() - begun < lease.PATIENCE / 2, "the other could not go on meanwhile"
    over.set()
    await task
    async with lease.leased(tmp_path, "left bench", patience=0):
        await asyncio.create_task(within_first())  # what the owner begins is the owner's
        await asyncio.to_thread(asyncio.run, within_first())
    assert lease.holder(tmp_path, "left bench") == ""


@contextmanager
def full_disk() -> Generator[None]:
    """Let no file be written to."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_on_a_full_disk_a_device_is_neither_locked_nor_forgotten(tmp_path: Path) -> None:
    async with lease.leased(tmp_path, "left bench"):
        pass
    for name in ("left bench", "right bench"):
        with full_disk(), pytest.raises(ResourceError, match="let it be written"):
            async with lease.leased(tmp_path, name, patience=0):
                pass
    assert lease.known_devices(tmp_path) == ["left bench"]
    assert lease.is_known(tmp_path, "right bench")
    assert "right bench is stopped" in typed("stop", "right bench", "--store", str(tmp_path)).output
    for name in ("left bench", "right bench"):
        async with lease.leased(tmp_path, name, patience=0):
            with full_disk():
                assert lease.holder(tmp_path, name).endswith(f"process {os.getpid()}")
        assert lease.holder(tmp_path, name) == ""
    assert lease.known_devices(tmp_path) == ["left bench", "right bench"]


@pytest.mark.parametrize("link", [os.symlink, os.link])
async def test_a_lease_is_written_through_no_link(
    tmp_path: Path, link: Callable[[Path, Path], None]
) -> None:
    """A store of somebody else may hold one to a file of the person's own."""
    async with lease.leased(tmp_path, "left bench"):
        pass
    (place,) = (tmp_path / "devices").glob("*.lease")
    place.unlink()
    mine = tmp_path / "mine"
    mine.write_text("precious")
    link(mine, place)
    with pytest.raises(ResourceError, match="left bench was to be commanded") as caught:
        async with lease.leased(tmp_path, "left bench"):
            pass
    assert caught.type is ResourceError, "it is not busy"
    assert mine.read_text() == "precious"


def test_a_forked_child_has_no_lease(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORKED, str(tmp_path)]  # it forks: no threads here
    told = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert told.startswith("another process has commanded it: "), told
    assert told.endswith("free\n"), "the child does not keep what its parent has given back"


async def test_stopping_halts_the_device_and_nothing_more_leaves(executor: Executor) -> None:
    lamp, home = Lamp(), executor.kg.store.home
    lamp.loop = asyncio.get_running_loop()
    device = Operations(executor, lamp)
    async with lease.leased(home, lamp.name, halt=lamp.halt):
        long = asyncio.create_task(device.do("long", "long", WORK, 1, 2))
        await lamp.begun.wait()
        lease.stop(home, lamp.name)
        await long
        with pytest.raises(lease.StoppedError, match="it was stopped by ") as stopped:
            await device.do("on", "on", WORK, 2, 2)
    assert "grafico stop 'left bench', with the option go-on" in stopped.value.advice
    assert lamp.done == ["long"]
    assert len(executor.kg.find(Operation)) == len(executor.kg.find(OperationEnd)) == 1
    for who, found in ((NOBODY, "only a person"), (PERSON, "nobody can be asked here")):
        with asked_by(who), pytest.raises(ConsentError, match=found):
            await lease.go_on(home, lamp.name)
    with asked_by(replace(PERSON, ask=refuse)), pytest.raises(ConsentError, match="has not said"):
        await lease.go_on(home, lamp.name)
    assert lease.why_stopped(home, lamp.name)
    with agreeing():
        await lease.go_on(home, lamp.name)
    await device.do("on", "on", WORK, 2, 2)
    assert lamp.done == ["long", "on"]


async def test_each_stop_halts_and_a_halt_that_fails_is_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    called = list[float]()

    def halt() -> None:
        called.append(time.monotonic())
        if len(called) == 1:
            raise OSError("the line is dead")

    async def until(number: int) -> None:
        async with asyncio.timeout(20):
            while len(called) < number:
                await asyncio.sleep(lease.LOOK)

    async with (
        lease.leased(tmp_path, "left bench"),
        lease.leased(tmp_path, "left bench", halt=halt),
    ):
        lease.stop(tmp_path, "left bench")
        await until(2)
        assert "left bench is stopped, and could not be halted" in caplog.text
        assert "the line is dead" in caplog.text
        with agreeing():
            await lease.go_on(tmp_path, "left bench")
        await asyncio.sleep(40 * lease.LOOK)
        assert len(called) == 2, "once is enough where it went well"
        lease.stop(tmp_path, "left bench")
        await until(3)
        beaten = (one := next((tmp_path / "devices").glob("*.lease"))).stat().st_mtime
        async with asyncio.timeout(20):
            while one.stat().st_mtime == beaten:
                await asyncio.sleep(lease.LOOK)


def test_after_a_stop_from_another_process_nothing_leaves(tmp_path: Path) -> None:
    store = tmp_path / "store"
    busy = subprocess.Popen(
        [sys.executable, "-c", BUSY, str(store)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with busy:
        assert busy.stdout is not None
        for _ in range(5):
            assert busy.stdout.readline()
        lease.stop(store, "left bench")
        stopped = time.time()
        out, err = busy.communicate(timeout=60)
    assert "it was stopped by " in err
    later = [line for line in out.split() if float(line) > stopped]
    assert len(later) <= 1, "what was let go before it was stopped, and no more"


def test_a_store_in_memory_cannot_be_stopped_from_elsewhere() -> None:
    with pytest.raises(InputError, match="no other process can stop"):
        lease.stop(None, "left bench")
