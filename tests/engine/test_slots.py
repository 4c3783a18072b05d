"""Slots: nobody waits in vain, nothing is handed out twice, nothing leaks."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from ogm import KnowledgeGraph
from tests.engine import toys
from tests.engine.toys import Number
from triplestore import open_store
from triplestore.broker.folder import socket_path
from triplestore.errors import InputError, ResourceError
from workflows.engine import Event, Executor, Slots
from workflows.engine.local.devices import (
    Gpu,
    find_gpus,
    physical_memory,
    read_quota,
    read_smi,
    usable_cores,
    visible,
)
from workflows.engine.local.pool import environment
from workflows.engine.local.slots import Lease
from workflows.engine.local.tokens import SILENT, Tokens, tokens_folder

ROOT = Path(__file__).resolve().parents[2]

H200 = "0, GPU-2f3c9f0e-7a11-5d0c-8a3d-6b8d1d1b8f10, NVIDIA H200, 143771\n"
FOUR = """\
0, GPU-5d1fd1f2-3c2b-4f9a-9b1e-0c7ad0d10001, NVIDIA A100-SXM4-40GB, 40960
1, GPU-5d1fd1f2-3c2b-4f9a-9b1e-0c7ad0d10002, NVIDIA A100-SXM4-40GB, 40960
2, GPU-8e77c0de-0000-4f9a-9b1e-0c7ad0d10003, NVIDIA GeForce GT 1030, 2001
3, GPU-9f0aa0de-0000-4f9a-9b1e-0c7ad0d10004, NVIDIA GH200, 480GB, [N/A]
"""
CARDS = [Gpu("GPU-a", 0, "A", 24_000), Gpu("GPU-b", 1, "B", 24_000)]


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    return Tokens(tmp_path / "tokens")


@pytest.mark.parametrize("shared", [False, True])
async def test_a_thousand_random_cancels_lose_no_token(shared: bool, tokens: Tokens) -> None:
    slots = Slots(total_cores=4, memory=4000, gpus=CARDS, tokens=tokens if shared else None)
    held: dict[str, int] = {"cpu": 0, "GPU-a": 0, "GPU-b": 0}
    order = random.Random(7)

    async def use() -> None:
        gpu = order.random() < 0.4
        size = order.choice([1, 8001, 24_000]) if gpu else None
        async with slots.lease(order.randint(1, 4), gpu=gpu, gpu_memory=size) as lease:
            used = lease.gpu_memory // 8000 if gpu else lease.threads
            held[lease.device] += used
            try:
                assert held[lease.device] <= (3 if gpu else 4)
                await asyncio.sleep(order.choice([0, 0, 0.001]))
            finally:
                held[lease.device] -= used

    cancelled = 0
    while cancelled < 1000:
        jobs = [asyncio.ensure_future(use()) for _ in range(20)]
        for job in jobs:
            if order.random() < 0.6:
                await asyncio.sleep(order.choice([0, 0, 0, 0.0005]))
                cancelled += job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        assert not any(job.exception() for job in jobs if not job.cancelled())
    assert set(held.values()) == {0}
    async with asyncio.timeout(1), slots.lease(4) as lease:
        assert lease.threads == 4
        for _ in range(2):
            async with slots.lease(gpu=True, gpu_memory=24_000) as lease:
                assert lease.gpu_memory == 24_000
    assert (tokens.holders(), tokens.queue()) == ([], [])


async def test_a_large_request_does_not_starve_among_small_ones(tokens: Tokens) -> None:
    slots = Slots(total_cores=4, memory=4000, tokens=tokens)
    served: list[str] = []

    async def small() -> None:
        while "large" not in served:
            async with slots.lease(1):
                await asyncio.sleep(0.002)

    async def large() -> None:
        async with slots.lease(4):
            served.append("large")

    many = [asyncio.ensure_future(small()) for _ in range(12)]
    await asyncio.sleep(0.01)
    async with asyncio.timeout(2):
        await large()
    await asyncio.gather(*many)


async def test_a_wait_for_a_card_holds_up_nobody_who_wants_cores() -> None:
    slots = Slots(total_cores=2, memory=2000, gpus=CARDS[:1])
    async with slots.lease(gpu=True, gpu_memory=24_000):
        blocked = asyncio.ensure_future(slots.lease(gpu=True).__aenter__())
        async with asyncio.timeout(1), slots.lease(2):
            pass
        blocked.cancel()
        await asyncio.gather(blocked, return_exceptions=True)


@pytest.mark.parametrize("shared", [False, True])
async def test_what_takes_a_moment_waits_for_its_like_only(shared: bool, tokens: Tokens) -> None:
    slots = Slots(total_cores=2, memory=2000, tokens=tokens if shared else None)
    async with slots.lease(2):
        waiting = asyncio.ensure_future(slots.lease(1).__aenter__())
        async with (
            asyncio.timeout(5),
            slots.lease(brief=True) as first,
            slots.lease(brief=True),
        ):
            assert (first.device, first.threads, first.memory) == ("cpu", 2, 1000)
            third = slots.lease(brief=True)
            entering = asyncio.ensure_future(third.__aenter__())
            await asyncio.sleep(0)
            assert not entering.done()  # as many at once as there are cores
        async with asyncio.timeout(5):
            await entering
        await third.__aexit__(None, None, None)
        assert not waiting.done()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    assert (tokens.holders(), tokens.queue()) == ([], [])


async def test_three_to_a_card_the_emptiest_first_and_large_requests_take_more() -> None:
    slots = Slots(total_cores=12, memory=12_000, gpus=CARDS)
    leases = [slots.lease(gpu=True) for _ in range(6)]
    held = [await lease.__aenter__() for lease in leases]
    assert sorted(lease.device for lease in held) == ["GPU-a"] * 3 + ["GPU-b"] * 3
    assert [lease.device for lease in held[:2]] == ["GPU-a", "GPU-b"]
    assert {(lease.threads, lease.memory, lease.gpu_memory) for lease in held} == {(2, 2000, 8000)}
    reasons: list[str] = []
    seventh = asyncio.ensure_future(slots.lease(gpu=True, waiting=reasons.append).__aenter__())
    await asyncio.sleep(0.01)
    assert not seventh.done()
    assert len(reasons) == 1
    await leases[4].__aexit__(None, None, None)
    assert (await seventh).device == held[4].device
    for asked in (24_001, 10**9):
        with pytest.raises(InputError, match="the largest here has 24,000 MB"):
            async with slots.lease(gpu=True, gpu_memory=asked):
                pass
    with pytest.raises(InputError, match="none that Grafico may use"):
        async with Slots(gpus=[]).lease(gpu=True):
            pass


def test_a_worker_sees_its_own_card_and_no_other() -> None:
    without = environment(Lease("cpu", 2, 1000))
    assert (without["CUDA_VISIBLE_DEVICES"], without["OMP_NUM_THREADS"]) == ("", "2")
    card = environment(Lease("GPU-a", 1, 1000, 8000))
    assert (card["CUDA_VISIBLE_DEVICES"], card["CUPY_GPU_MEMORY_LIMIT"]) == ("GPU-a", "8000000000")


def test_a_worker_finds_the_store_where_everybody_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the store's process has died, a worker that asks it starts another, for all."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    there = environment(Lease("cpu", 1, 1000))
    ask = "import sys, triplestore.broker.folder as f; print(f.socket_path(f.Path(sys.argv[1])))"
    command = [sys.executable, "-c", ask, str(tmp_path)]
    told = subprocess.run(command, env=there, capture_output=True, text=True, check=True).stdout
    assert told.strip() == socket_path(tmp_path)


async def test_settings_share_out_the_machine() -> None:
    async with Slots(total_cores=8, memory=8000).lease() as lease:
        assert (lease.threads, lease.memory) == (8, 8000)
    async with Slots(total_cores=8, memory=8000, slots=4, patience=60).lease() as lease:
        assert (lease.threads, lease.memory, lease.patience) == (2, 2000, 60)
    async with Slots(total_cores=8, slots=2, gpus=CARDS).lease(gpu=True) as lease:
        assert (lease.threads, lease.gpu_memory) == (2, 12_000)


def test_what_nvidia_smi_says_is_read() -> None:
    assert read_smi(H200)[0] == Gpu(H200[3:43], 0, "NVIDIA H200", 150755)
    cards = read_smi(FOUR)
    assert [card.index for card in cards] == [0, 1, 2, 3]
    assert (cards[3].name, cards[3].memory) == ("NVIDIA GH200, 480GB", 0)
    for nothing in (
        "",
        "No devices were found\n",
        "Failed to initialize NVML: Driver/library version mismatch\n",
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n",
    ):
        assert read_smi(nothing) == []


def test_cuda_visible_devices_chooses_and_orders() -> None:
    cards = read_smi(FOUR)
    seen = {
        None: [0, 1, 2, 3],
        "": [],
        "-1": [],
        "2,0": [2, 0],
        "1,7,0": [1],
        "1,1,0": [1],
        "GPU-8e77": [2],
        "GPU-5d1f": [],
        f"{cards[1].uuid},0": [1, 0],
        "none": [],
        " 3, 0": [3, 0],
    }
    assert {a: [card.index for card in visible(cards, a)] for a in seen} == seen


def test_cards_are_found_by_asking_the_program_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text(f"#!/bin/sh\n[ $# = 2 ] || exit 2\nprintf '%s' '{FOUR}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert [card.index for card in find_gpus()] == [0, 1, 2, 3]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert [card.index for card in find_gpus()] == [1]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert find_gpus() == []
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    program.write_text("#!/bin/sh\necho broken driver\nexit 18\n")
    assert find_gpus() == []
    program.unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_gpus() == []


def test_a_container_s_quota_is_read() -> None:
    quotas = {
        "150000 100000\n": 1.5,
        "-1\n100000\n": None,
        "max 100000\n": None,
        "": None,
        "x y": None,
        "5 0": None,
    }
    assert {text: read_quota(text) for text in quotas} == quotas


V1 = "9:memory:/docker/abc/in\n4:cpu,cpuacct:/docker/abc/in\n3:cpuset:/\n1:name=systemd:/\n0::/\n"
V2 = "0::/user.slice/job.scope\n"
NONE = "9223372036854771712\n"  # what v1 says where nothing is set
LIMITS = {
    "v2, its own group": (V2, {"user.slice/job.scope/cpu.max": "100000 100000",
                               "user.slice/job.scope/memory.max": "100000000\n"}),
    "v2, the group above": (V2, {"user.slice/job.scope/cpu.max": "max 100000",
                                 "user.slice/job.scope/memory.max": "max\n",
                                 "user.slice/cpu.max": "50000 100000",
                                 "user.slice/memory.max": "100000000\n"}),
    "v2, the smallest counts": (V2, {"user.slice/job.scope/cpu.max": "800000 100000",
                                     "user.slice/job.scope/memory.max": "900000000\n",
                                     "user.slice/cpu.max": "100000 100000",
                                     "user.slice/memory.max": "100000000\n"}),
    "v2, in a container": ("0::/\n", {"cpu.max": "100000 100000", "memory.max": "100000000\n"}),
    "v2, outside of the namespace": ("0::/../other\n", {"cpu.max": "100000 100000",
                                                        "memory.max": "100000000\n"}),
    "v1, its own group": (V1, {"cpu/docker/abc/in/cpu.cfs_quota_us": "100000\n",
                               "cpu/docker/abc/in/cpu.cfs_period_us": "100000\n",
                               "memory/docker/abc/in/memory.limit_in_bytes": "100000000\n"}),
    "v1, the group above": (V1, {"cpu/docker/abc/in/cpu.cfs_quota_us": "-1\n",
                                 "cpu/docker/abc/in/cpu.cfs_period_us": "100000\n",
                                 "cpu/docker/cpu.cfs_quota_us": "50000\n",
                                 "cpu/docker/cpu.cfs_period_us": "100000\n",
                                 "memory/docker/abc/in/memory.limit_in_bytes": NONE,
                                 "memory/docker/memory.limit_in_bytes": "100000000\n"}),
    "v1, a container that sees its host's path": (V1, {
        "cpu/cpu.cfs_quota_us": "100000\n", "cpu/cpu.cfs_period_us": "100000\n",
        "memory/memory.limit_in_bytes": "100000000\n"}),
}  # fmt: skip


@pytest.mark.parametrize("where", LIMITS)
def test_the_limits_of_all_groups_above_a_process_bind_it(where: str, tmp_path: Path) -> None:
    said, files = LIMITS[where]
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(said)
    for name, text in files.items():
        path = tmp_path / "sys/fs/cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert usable_cores(tmp_path) == 1
    assert physical_memory(tmp_path) == 80


def test_without_groups_the_machine_is_the_limit(tmp_path: Path) -> None:
    mine = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))
    assert usable_cores(tmp_path) == len(mine(0))
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert physical_memory(tmp_path) == int(there * 0.8 / 1e6)


HOLDER = """
    import asyncio, sys
    from pathlib import Path
    from workflows.engine.local.tokens import Tokens
    from workflows.engine.local.slots import Slots

    async def main():
        slots = Slots(total_cores=2, memory=2000, tokens=Tokens(Path(sys.argv[1])))
        for _ in range(int(sys.argv[3])):
            async with slots.lease(int(sys.argv[2]), what="test"):
                with open(sys.argv[4], "a") as file:
                    file.write(f"+{sys.argv[2]}\\n")
                await asyncio.sleep(float(sys.argv[5]))
                with open(sys.argv[4], "a") as file:
                    file.write(f"-{sys.argv[2]}\\n")

    asyncio.run(main())
"""


def hold(tokens: Tokens, threads: int, times: int, log: Path, seconds: float) -> subprocess.Popen:
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            textwrap.dedent(HOLDER),
            str(tokens.folder),
            str(threads),
            str(times),
            str(log),
            str(seconds),
        ],
        cwd=ROOT,
    )


def test_processes_share_the_cores_and_large_requests_get_their_turn(
    tokens: Tokens, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    everybody = [hold(tokens, n, 8, log, 0.01) for n in (1, 1, 2)]
    assert [process.wait(60) for process in everybody] == [0, 0, 0]
    held = 0
    for line in log.read_text().split():
        held += int(line)
        assert 0 <= held <= 2
    assert log.read_text().count("+2") == 8
    assert (tokens.holders(), tokens.queue()) == ([], [])


async def test_what_a_killed_process_held_is_free_at_once(tokens: Tokens, tmp_path: Path) -> None:
    log = tmp_path / "log"
    holder = hold(tokens, 2, 1, log, 60)
    end = time.monotonic() + 20
    while not log.exists():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
    assert [(h["token"], h["pid"], h["what"]) for h in tokens.holders()] == [
        ("cpu_000", holder.pid, "test"),
        ("cpu_001", holder.pid, "test"),
    ]
    slots, reasons = Slots(total_cores=2, memory=2000, tokens=tokens), list[str]()

    async def wait() -> None:
        async with slots.lease(1, what="mine", waiting=reasons.append):
            pass

    job = asyncio.ensure_future(wait())
    await asyncio.sleep(0.1)
    assert not job.done()
    assert str(holder.pid) in reasons[0]
    assert [(w["pid"], w["what"]) for w in tokens.queue()] == [(os.getpid(), "mine")]
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    async with asyncio.timeout(1):
        await job
    assert (tokens.holders(), tokens.queue()) == ([], [])


async def test_who_was_stopped_is_passed_over_and_has_its_turn_when_it_goes_on(
    tokens: Tokens, tmp_path: Path
) -> None:
    log, slots = tmp_path / "log", Slots(total_cores=2, memory=2000, tokens=tokens)
    async with slots.lease(2), asyncio.timeout(20):
        waiter = hold(tokens, 2, 1, log, 0.01)
        while [one["pid"] for one in tokens.queue()] != [waiter.pid]:
            await asyncio.sleep(0.02)
        waiter.send_signal(signal.SIGSTOP)
        await asyncio.sleep(0.1)
    others: list[asyncio.Task[None]] = []

    async def use(seconds: float) -> None:
        async with slots.lease(2):
            await asyncio.sleep(seconds)

    try:
        others.append(asyncio.ensure_future(use(0.0)))
        await asyncio.sleep(SILENT / 2)
        assert not others[0].done()  # it may only be slow
        async with asyncio.timeout(SILENT + 2):
            await others[0]
        assert [(one["pid"], one["silent"]) for one in tokens.queue()] == [(waiter.pid, True)]
        async with asyncio.timeout(1):
            await use(0.0)
        assert not log.exists()
        others.append(asyncio.ensure_future(use(0.5)))
        await asyncio.sleep(0.1)
        waiter.send_signal(signal.SIGCONT)
        await asyncio.sleep(0.2)  # it looks again, and is first again
        others.append(asyncio.ensure_future(use(0.0)))
        async with asyncio.timeout(5):
            await others[1]
            while not log.exists():
                assert not others[2].done()
                await asyncio.sleep(0.001)
            await others[2]
        assert waiter.wait(20) == 0
    finally:
        waiter.kill()
        await asyncio.gather(*others, return_exceptions=True)
    assert (tokens.holders(), tokens.queue()) == ([], [])


STOPPED = """
    import asyncio, os, signal, sys
    from pathlib import Path
    from workflows.engine.local import tokens
    from workflows.engine.local.slots import Slots

    class Tokens(tokens.Tokens):
        def free(self, names):
            found = super().free(names)
            if not os.path.exists(sys.argv[2]):
                open(sys.argv[2], "w").close()
                os.kill(os.getpid(), signal.SIGSTOP)
            return found

    async def main():
        async with Slots(total_cores=2, memory=2000, tokens=Tokens(Path(sys.argv[1]))).lease(2):
            print("held")

    asyncio.run(main())
"""


async def test_who_was_stopped_while_it_took_a_slot_holds_up_nobody(
    tokens: Tokens, tmp_path: Path
) -> None:
    taking = subprocess.Popen(
        [
            sys.executable,
            "-c",
            textwrap.dedent(STOPPED),
            str(tokens.folder),
            str(tmp_path / "mark"),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    try:
        os.waitpid(taking.pid, os.WUNTRACED)  # until it is stopped
        started = time.monotonic()
        async with Slots(total_cores=2, memory=2000, tokens=tokens).lease(2):
            assert time.monotonic() - started > SILENT - 1  # nobody else was alone meanwhile
            taking.send_signal(signal.SIGCONT)
            while not tokens.queue():  # what it had found free is not, so it waits
                await asyncio.sleep(0.01)
        assert taking.communicate(timeout=20)[0] == b"held\n"
    finally:
        taking.kill()
    assert (taking.returncode, tokens.holders(), tokens.queue()) == (0, [], [])


def test_a_ticket_of_the_dead_holds_up_nobody(tokens: Tokens) -> None:
    (tokens.folder / "queue" / "00000001-cpu").write_text("{}")
    with tokens.alone():
        assert tokens.is_first("cpu", None)
    assert list((tokens.folder / "queue").iterdir()) == []


async def test_a_folder_that_cannot_be_used_is_an_error_and_not_a_wait(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ResourceError, match="slots of this machine"):
        Tokens(tmp_path / "file")
    tokens = Tokens(tmp_path / "tokens")
    (tokens.folder / "token").rmdir()
    (tokens.folder / "token").touch()
    slots = Slots(total_cores=1, memory=1000, tokens=tokens)
    with pytest.raises(ResourceError, match="slots of this machine"):
        async with slots.lease(1):
            pass
    shutil.rmtree(tokens.folder)  # as the system does when a login ends: it is made again
    async with slots.lease(1):
        assert len(tokens.holders()) == 1


def test_a_folder_that_others_may_have_made_or_may_change_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name in the temporary folder can be guessed, so another user may be there first."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", "")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    place, elsewhere = tokens_folder(), tmp_path / "elsewhere"
    assert place.parent == tmp_path
    elsewhere.mkdir(mode=0o700)
    place.symlink_to(elsewhere)
    with pytest.raises(ResourceError, match=r"is a link to .*elsewhere"):
        Tokens(place)
    assert list(elsewhere.iterdir()) == []
    place.unlink()
    for mode in (0o770, 0o707, 0o722):
        place.mkdir()
        place.chmod(mode)
        with pytest.raises(ResourceError, match=r"open to others .*TMPDIR"):
            Tokens(place)
        assert list(place.iterdir()) == []
        place.rmdir()
    own = Tokens(place)
    assert place.stat().st_mode & 0o777 == 0o700
    shutil.rmtree(place)  # the system sweeps, and somebody else is quicker
    place.symlink_to(elsewhere)
    with pytest.raises(ResourceError, match="is a link"), own.alone():
        pass
    assert list(elsewhere.iterdir()) == []


def test_a_folder_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Tokens(tmp_path / "tokens")
    another = os.geteuid() + 1
    monkeypatch.setattr("os.geteuid", lambda: another)
    with pytest.raises(ResourceError, match="it belongs to user"):
        Tokens(tmp_path / "tokens")


async def test_an_own_limit_holds_nobody_else_up(tmp_path: Path) -> None:
    small = Slots(total_cores=1, memory=1000, tokens=Tokens(tmp_path / "tokens"))
    other = Slots(total_cores=2, memory=1000, tokens=Tokens(tmp_path / "tokens"))
    async with small.lease(1):
        waiting = asyncio.ensure_future(small.lease(1).__aenter__())
        await asyncio.sleep(0.3)
        assert not waiting.done()
        async with asyncio.timeout(2), other.lease(1):
            pass
        waiting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await waiting


async def test_those_who_wait_share_the_cores() -> None:
    slots = Slots(total_cores=4, memory=4000)
    release = asyncio.Event()
    got: list[tuple[str, int, int]] = []

    async def take(name: str, threads: int | None = None) -> None:
        async with slots.lease(threads) as lease:
            got.append((name, lease.threads, lease.memory))
            if name == "first":
                await release.wait()
            elif name != "last":
                await asyncio.sleep(0.01)

    async with asyncio.TaskGroup() as group:
        group.create_task(take("first"))
        await asyncio.sleep(0)
        for name in ("second", "third"):
            group.create_task(take(name))
        await asyncio.sleep(0)
        release.set()
    await take("last")
    assert got[0] == ("first", 4, 4000)  # alone: all of them
    assert sorted(got[1:3]) == [("second", 2, 2000), ("third", 2, 2000)]
    assert got[3] == ("last", 4, 4000)


async def test_slots_that_were_set_are_not_shared_out_anew() -> None:
    slots = Slots(total_cores=4, slots=2)
    async with slots.lease() as one, slots.lease() as other:
        assert (one.threads, other.threads) == (2, 2)


async def test_one_of_another_process_is_a_guest_while_all_cores_are_held(
    tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who looks at a small molecule does not wait for what takes hours, and takes no core."""
    monkeypatch.setattr("workflows.engine.local.slots.GUEST_AFTER", 0.2)
    busy, *others = (
        Slots(total_cores=2, memory=2000, tokens=Tokens(tokens.folder)) for _ in range(3)
    )
    async with asyncio.timeout(60), busy.lease():
        mine = asyncio.ensure_future(busy.lease().__aenter__())  # of who has cores: no guest
        named = asyncio.ensure_future(others[1].lease(1).__aenter__())  # nor with cores by number
        async with others[0].lease() as guest:
            assert (guest.threads, guest.memory) == (1, 500)
            held = [one["token"] for one in tokens.holders()]
            assert held == ["cpu_000", "cpu_001", "guest_000"]
            second = asyncio.ensure_future(others[1].lease().__aenter__())  # one at a time
            await asyncio.sleep(1)
            assert not any(one.done() for one in (mine, named, second))
        named.cancel()
        await asyncio.gather(named, return_exceptions=True)
        assert (await second).threads == 1
        assert not mine.done()
        mine.cancel()
        await asyncio.gather(mine, return_exceptions=True)


async def test_quiet_work_says_for_whom_it_waits(tokens: Tokens, tmp_path: Path) -> None:
    """An entry of a batch goes by a quiet twin, and a pack of them by none: both say so."""
    log = tmp_path / "log"
    holder = hold(tokens, 2, 1, log, 60)
    try:
        async with asyncio.timeout(60):
            while not log.exists():
                await asyncio.sleep(0.02)
            events: list[Event] = []
            slots = Slots(total_cores=2, memory=2000, tokens=tokens)
            with open_store("memory:") as store:
                executor = Executor(KnowledgeGraph(store), slots, listener=events.append)
                quiet, call = executor.unheard().unheard(), toys.double.bind(Number(value=4))
                for waits in (quiet.run(call), executor.bundle(call, 1)):
                    job = asyncio.ensure_future(waits)
                    events.clear()
                    while not any(event.kind == "waiting" for event in events):
                        assert not job.done()
                        await asyncio.sleep(0.02)
                    job.cancel()
                    await asyncio.gather(job, return_exceptions=True)
                    told = [str(event.data["reason"]) for event in events]
                    assert told == [f"the cpu slots are held by process {holder.pid} (test)"]
                executor.close()
    finally:
        holder.kill()
        holder.wait()
