"""The executor with real workers and real stores."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ogm import KnowledgeGraph, Motion
from ontologies.provenance import Activity
from tests.engine import placed, toys
from tests.engine.placed import Held
from tests.engine.toys import Number
from tests.ontologies.structures import moved, named, shifted
from tests.triplestore.helpers import alive, wait_until
from triplestore import open_store
from triplestore.errors import GraficoError, InputError, RecipeError
from workflows.engine import Event, Executor, Slots
from workflows.engine.execution.calculation import NEAR
from workflows.engine.execution.outdated import outdated
from workflows.engine.execution.task import Task

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[KnowledgeGraph]:
    with open_store(str(tmp_path / "store")) as store:
        yield KnowledgeGraph(store)


@pytest.fixture
async def executor(graph: KnowledgeGraph):
    executor = Executor(graph, threads_per_calculation=1)
    yield executor
    executor.close()


async def test_a_call_is_computed_once_and_then_remembered(
    executor: Executor, tmp_path: Path
) -> None:
    tally = tmp_path / "tally"
    call = toys.double.bind(Number(value=21), str(tally))
    first = await executor.run(call)
    second = await executor.run(call)
    assert (first.result.value, first.reused) == (42, False)
    assert (second.result, second.reused, second.recorded) == (first.result, True, first.recorded)
    assert toys.lines(tally) == 1
    assert first.result.pid != os.getpid()


async def test_another_session_remembers(graph: KnowledgeGraph, tmp_path: Path) -> None:
    call = toys.double.bind(Number(value=1))
    for reused in (False, True):
        executor = Executor(KnowledgeGraph(graph.store), threads_per_calculation=1)
        answer = await executor.run(call)
        executor.close()
        assert answer.reused is reused
        assert answer.activity.calculation == "toys.double"
    stored = KnowledgeGraph(graph.store).find(Activity)
    assert len(stored) == 1
    assert {item.name for item in stored[0].software} == {"Python", "numpy"}
    assert [link.iri for link in stored[0].used] == [Number(value=1).iri]
    assert KnowledgeGraph(graph.store).pull(Number, Number(value=1).iri) == Number(value=1)


async def test_what_met_more_serves_who_asks_for_less(executor: Executor) -> None:
    number = Number(value=3)
    fine = await executor.run(toys.approach.bind(number, "fine", digits=2))
    for care, digits in (("rough", 1), ("fair", 1), ("fine", 1), ("fair", 2)):
        served = await executor.run(toys.approach.bind(number, care, digits=digits))
        assert (served.recorded, served.reused) == (fine.recorded, True)
    other = await executor.run(toys.approach.bind(number, "rough", way="other"))
    assert not other.reused  # of what else differs, nothing serves
    fair = await executor.run(toys.approach.bind(number, "fair", way="other"))
    assert not fair.reused  # what met less does not serve
    again = await executor.run(toys.approach.bind(number, "rough", way="other"))
    assert again.recorded == other.recorded  # its own comes first


async def test_what_met_more_serves_after_a_motion_too(executor: Executor) -> None:
    water = named("H2O")
    fine = await executor.run(placed.measure.bind(water, Held(places=(0,)), care="fine"))
    served = await executor.run(
        placed.measure.bind(shifted(water, 1, 0, 0), Held(places=(0,)), care="rough")
    )
    assert (served.recorded, served.reused) == (fine.recorded, True)
    assert served.deviation is not None
    rough = await executor.run(placed.measure.bind(water, Held(places=(0,))), recompute=True)
    await executor.run(placed.measure.bind(water, Held(places=(0,)), care="fine"), recompute=True)
    again = await executor.run(
        placed.measure.bind(shifted(water, 0, 1, 0), Held(places=(0,)), care="rough")
    )
    assert again.recorded == rough.recorded  # what was asked comes before what serves


async def test_to_compute_again_is_compared_with_its_own_only(executor: Executor) -> None:
    number = Number(value=4)
    await executor.run(toys.approach.bind(number, "fine"))
    rough = toys.approach.bind(number, "rough")
    assert (await executor.run(rough)).reused
    first = await executor.run(rough, recompute=True)
    assert (first.reused, first.former) == (False, None)
    second = await executor.run(rough, recompute=True)
    assert second.former is not None
    assert second.former.recorded == first.recorded


async def test_what_takes_a_moment_does_not_queue_behind_hours(graph: KnowledgeGraph) -> None:
    slots = Slots(total_cores=1, memory=1000)
    executor = Executor(graph, slots)
    try:
        async with slots.lease(1):  # as a calculation of hours would
            async with asyncio.timeout(60):
                assert (await executor.run(toys.glance.bind(Number(value=1)))).result.value == 1
            waits = asyncio.ensure_future(executor.run(toys.double.bind(Number(value=1))))
            done, _ = await asyncio.wait([waits], timeout=0.2)
            assert not done
        assert (await waits).result.value == 2
    finally:
        executor.close()


def test_the_key_holds_every_input_the_version_and_the_epoch() -> None:
    call = toys.slow.bind(Number(value=1), 1.0)
    assert call.key == toys.slow.bind(number=Number(value=1.0), seconds=1.0, tally="").key
    others = [
        toys.slow.bind(Number(value=2), 1.0),
        toys.slow.bind(Number(value=1), 2.0),
        toys.slow.bind(Number(value=1), 1.0, "x"),
        toys.double.bind(Number(value=1)),
    ]
    assert len({call.key, *(other.key for other in others)}) == 5


async def test_only_what_was_wrong_is_computed_again(executor: Executor) -> None:
    """A revision for some inputs leaves the keys of all others as they are."""
    before = toys.halve_before.bind(Number(value=3)), toys.halve_before.bind(Number(value=4))
    today = toys.halve.bind(Number(value=3)), toys.halve.bind(Number(value=4))
    assert before[1].key == today[1].key
    assert (before[0].key, before[0].family) != (today[0].key, today[0].family)
    kept = [(await executor.run(call)).activity for call in before]
    assert not (await executor.run(today[0])).reused
    again = await executor.run(today[0])
    assert again.reused
    assert again.activity.version == "1+odd 2"
    assert (await executor.run(today[1])).reused
    stored = executor.kg.pull(toys.Answer, kept[0].generated.iri)
    assert executor.remembered(stored, toys.halve, Motion()) is None
    stored = executor.kg.pull(toys.Answer, kept[1].generated.iri)
    assert executor.remembered(stored, toys.halve, Motion()) is not None


async def test_outdated_results_are_named_and_so_is_what_rests_on_them(executor: Executor) -> None:
    old = await executor.run(toys.halve_before.bind(Number(value=3)))
    fine = await executor.run(toys.halve_before.bind(Number(value=4)))
    rests, rests_too = [
        (await executor.run(toys.negate.bind(one.result))).activity for one in (old, fine)
    ]
    await executor.run(toys.halve.bind(Number(value=3)))
    today = {call.name: call for call in (toys.halve, toys.negate)}
    found = outdated(executor.kg, known=today)
    assert set(found) == {old.recorded, rests.generated.iri}
    assert "toys.halve 1 " in found[old.recorded]
    assert "1+odd 2" in found[old.recorded]
    assert f"rests on {old.recorded}" in found[rests.generated.iri]
    assert outdated(executor.kg, [rests_too.iri, fine.activity.iri], today) == {}
    assert outdated(executor.kg, [rests.iri], today).keys() == {rests.generated.iri}
    assert outdated(executor.kg, known={}) == {}


async def test_the_very_same_call_is_found_whatever_else_is_stored_of_it(
    executor: Executor,
) -> None:
    """Earlier versions recorded other families and signatures: those are no candidates."""
    done = (await executor.run(placed.compare.bind(named("H2O"), named("CO2")))).activity
    call = placed.compare.bind(named("H2O"), named("C6H6"))
    assert executor.recall(call) is None
    for family, signature in ((call.family, 17.3), ("of another kind", float("inf"))):
        old = {"key": call.key, "family": family, "signature": signature}
        executor.record(done.model_copy(update=old))
        found = executor.recall(call)
        assert found is not None
        assert found.activity.signature == signature
        assert found.reused
    assert (
        executor.recall(placed.compare.bind(shifted(named("H2O"), 1, 0, 0), named("C6H6"))) is None
    )


async def test_inputs_that_number_atoms_move_along(executor: Executor) -> None:
    atoms = named("CH3CH2OH")
    held = Held(places=(0, 2), strength=2.0)
    first = await executor.run(placed.measure.bind(atoms, held))
    for seed in (1, 2):
        copy = moved(atoms, seed)
        motion = copy.motion_from(atoms)
        assert motion is not None
        copy = copy.moved_to(copy.positions.round(5))
        same = placed.measure.bind(copy, held.transformed(motion))
        answer, fresh = await executor.run(same), placed.measure(copy, held.transformed(motion))
        assert answer.reused
        assert answer.recorded == first.recorded
        assert answer.result.held == fresh.held != held
        assert answer.result.middle == pytest.approx(fresh.middle, abs=2e-5)
        assert answer.result.towards == pytest.approx(fresh.towards, abs=4e-5)
        assert answer.result.far == pytest.approx(fresh.far, abs=4e-5)
        weaker = held.transformed(motion).model_copy(update={"strength": 1.0 / seed})
        for other in (held, weaker):
            assert not (await executor.run(placed.measure.bind(copy, other))).reused


async def test_inputs_that_change_places_are_another_calculation(executor: Executor) -> None:
    """Ethanol and its ether share the label, and the sum of the numbers is the same."""
    one, other = named("CH3CH2OH"), named("CH3OCH3")
    there = await executor.run(placed.compare.bind(one, other))
    back = placed.compare.bind(other, one)
    assert back.family == placed.compare.bind(one, other).family
    answer = await executor.run(back)
    assert not answer.reused
    assert answer.result.value == -there.result.value
    for pair in ((moved(one, 1), other), (moved(one, 1), moved(other, 2)), (moved(other, 1), one)):
        assert not (await executor.run(placed.compare.bind(*pair))).reused, "not moved together"


def test_copies_at_the_edge_of_a_family_are_looked_for_in_the_next() -> None:
    held = Held(places=(0,))
    atoms = named("H2O")
    families: set[str] = set()
    for step in range(400):
        stretched = atoms.moved_to(atoms.positions * (1 + step * 1e-4))
        call = placed.measure.bind(stretched, held)
        families.add(call.family)
        copy = stretched.moved_to(stretched.positions * (1 + 4e-5))
        assert abs(copy.extent - stretched.extent) < NEAR
        assert placed.measure.bind(copy, held).family in call.families
        assert len(call.families) <= 2
    assert 15 < len(families) < 30, "ranges of 0.001 Å between 0.43 and 0.45 Å"


async def test_of_several_copies_the_nearest_is_taken(executor: Executor) -> None:
    atoms, held = named("CHFClBr"), Held(places=(0,))
    turned = shifted(atoms.moved_to(atoms.positions[:, [1, 2, 0]]), 0.1, 0.2, 0.3)
    rounded = atoms.moved_to(atoms.positions.round(5))
    first = await executor.run(placed.measure.bind(rounded, held))
    assert (await executor.run(placed.measure.bind(turned, held))).recorded == first.recorded
    exact = await executor.run(placed.measure.bind(turned, held), recompute=True)
    last = shifted(rounded, 0.5, 0.5, 0.5)
    assert (await executor.run(placed.measure.bind(last, held))).recorded == first.recorded
    last = shifted(atoms, 0.5, 0.5, 0.5)
    assert (await executor.run(placed.measure.bind(last, held))).recorded == exact.recorded


async def test_what_is_remembered_is_computed_again_when_asked(
    executor: Executor, tmp_path: Path
) -> None:
    tally = tmp_path / "tally"
    call = toys.double.bind(Number(value=21), str(tally))
    first = await executor.run(call, recompute=True)
    assert (first.reused, first.former) == (False, None)
    again = await executor.run(call, recompute=True)
    assert again.former is not None
    assert (again.reused, again.former.recorded) == (False, first.recorded)
    third = await executor.recomputing().run(call)
    assert third.former is not None
    assert third.former.recorded == again.recorded
    assert toys.lines(tally) == 3
    last = await executor.run(call)
    assert (last.reused, last.recorded, last.former) == (True, third.recorded, None)
    assert len(executor.kg.find(Activity, key=call.key)) == 3


async def test_what_killed_processes_left_is_swept_but_outputs_are_kept(
    graph: KnowledgeGraph, tmp_path: Path
) -> None:
    tasks = tmp_path / "store" / "tasks"
    for name, files in {"dead": ["claim", "call.json"], "done": ["claim", "output.nq"]}.items():
        (tasks / name).mkdir(parents=True)
        for file in files:
            (tasks / name / file).touch()
    (tasks / "held").mkdir()
    with open(tasks / "held" / "claim", "w") as claim:
        fcntl.flock(claim, fcntl.LOCK_EX)
        Executor(graph).close()
        assert sorted(folder.name for folder in tasks.iterdir()) == ["done", "held"]


@pytest.mark.parametrize(
    "change",
    [
        {"calculation": "tests.engine.toys:refuse"},
        {"activity": "../other"},
        {"memo": "/nowhere"},
        {"arrays": "/nowhere"},
        {},
    ],
)
async def test_what_somebody_left_in_a_task_folder_is_not_run(
    executor: Executor, tmp_path: Path, change: dict[str, str]
) -> None:
    """It names another function or other folders, and another number under the name of this one."""
    call = toys.double.bind(Number(value=3))
    folder = tmp_path / "store" / "tasks" / call.key
    folder.mkdir(parents=True)
    for name in ("claim", "checkpoint"):
        (folder / name).touch()
    Task(folder, tmp_path / "store" / "arrays").prepare(call)
    said = json.loads((folder / "call.json").read_text())
    (folder / "call.json").write_text(json.dumps(said | change))
    told = (folder / "input.nq").read_text()
    (folder / "input.nq").write_text(told.replace('"3.0', '"4.0'))
    assert (folder / "input.nq").read_text() != told
    assert (await executor.run(call)).result.value == 6


async def test_no_debris_stays(executor: Executor, tmp_path: Path) -> None:
    await executor.run(toys.double.bind(Number(value=3)))
    with pytest.raises(RecipeError):
        await executor.run(toys.refuse.bind(Number(value=3)))
    assert list((tmp_path / "store" / "tasks").iterdir()) == []


async def test_an_error_of_the_calculation_comes_back_as_it_is(executor: Executor) -> None:
    with pytest.raises(RecipeError) as caught:
        await executor.run(toys.refuse.bind(Number(value=3)))
    assert caught.value.found == "it cannot be had"
    assert caught.value.advice == "ask for something else"


async def test_an_unforeseen_error_says_what_it_was(executor: Executor) -> None:
    with pytest.raises(RecipeError, match="ZeroDivisionError"):
        await executor.run(toys.stumble.bind(Number(value=3)))
    assert (await executor.run(toys.double.bind(Number(value=3)))).result.value == 6


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV])
async def test_a_worker_that_dies_is_an_error_and_the_next_call_works(
    executor: Executor, how: int
) -> None:
    with pytest.raises(GraficoError, match="my last words"):
        await executor.run(toys.die.bind(Number(value=3), how))
    assert (await executor.run(toys.double.bind(Number(value=3)))).result.value == 6


async def test_a_cancelled_calculation_ends_and_gives_its_slot_back(
    executor: Executor, tmp_path: Path
) -> None:
    tally = tmp_path / "pids"
    job = asyncio.ensure_future(executor.run(toys.slow.bind(Number(value=1), 60.0, str(tally))))
    while not toys.lines(tally):
        await asyncio.sleep(0.02)
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert not alive(int(tally.read_text()))
    assert (await executor.run(toys.double.bind(Number(value=3)))).result.value == 6


async def test_a_worker_sees_no_secret_and_its_threads(
    graph: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    executor = Executor(graph, threads_per_calculation=1)
    answer = await executor.run(toys.look_around.bind(Number(value=0)))
    executor.close()
    assert "SOME_API_KEY" not in answer.result.note
    assert "OMP_NUM_THREADS" in answer.result.note
    assert answer.result.value == answer.activity.threads == 1


BESIDE = """
    from tests.engine.toys import TOYS, Answer, Number
    from workflows.engine import calculation

    @calculation("beside.triple", version="1", backend=TOYS)
    def triple(number: Number) -> Answer:
        return Answer(value=3 * number.value, pid=0)
"""

RUNS = """
    import asyncio
    from ogm import KnowledgeGraph
    from triplestore import open_store
    from triplestore.errors import InputError
    from workflows.engine import Executor
    import beside

    def within():
        @calculation("within.triple", version="1", backend=TOYS)
        def triple(number: Number) -> Answer:
            return Answer(value=3 * number.value, pid=0)
        return triple

    async def main():
        executor = Executor(KnowledgeGraph(open_store("memory:")), threads_per_calculation=1)
        for one in (triple, within(), beside.triple):
            assert one(Number(value=2)).value == 6
            try:
                print((await executor.run(one.bind(Number(value=2)))).result.value)
            except InputError as error:
                print(error)
        executor.close()

    asyncio.run(main())
"""


def test_a_calculation_of_a_script_is_refused_and_one_of_a_module_beside_it_works(
    tmp_path: Path,
) -> None:
    (tmp_path / "beside.py").write_text(textwrap.dedent(BESIDE))
    (tmp_path / "script.py").write_text(textwrap.dedent(BESIDE) + textwrap.dedent(RUNS))
    said = subprocess.run(
        [sys.executable, str(tmp_path / "script.py")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd="/",
        capture_output=True,
        text=True,
    )
    script, nested, module = said.stdout.splitlines()
    assert "triple of __main__, a script or notebook; define it at the top level" in script
    assert "within.<locals>.triple" in nested
    assert module == "6.0"


async def test_progress_reaches_the_listener_in_order(graph: KnowledgeGraph) -> None:
    steps: list[int] = []

    def listen(event: Event) -> None:
        if event.kind == "frame":
            steps.append(event.data["step"])

    executor = Executor(graph, threads_per_calculation=1, listener=listen)
    await executor.run(toys.slow.bind(Number(value=0), 0.5))
    executor.close()
    assert steps == list(range(10))


async def test_an_output_that_was_not_recorded_is_taken_in(
    graph: KnowledgeGraph, tmp_path: Path
) -> None:
    """Killed after the output was written and before it was recorded."""
    tally = tmp_path / "tally"
    call = toys.double.bind(Number(value=8), str(tally))
    folder = tmp_path / "store" / "tasks" / call.key
    folder.mkdir(parents=True)
    Task(folder, tmp_path / "store" / "arrays").prepare(call)
    code = (
        "from pathlib import Path; from workflows.engine.local.worker import run; "
        f"run(Path({str(folder)!r}), 1, 1000)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    assert toys.lines(tally) == 1
    left = shutil.copytree(folder, tmp_path / "left")
    executor = Executor(graph, threads_per_calculation=1)
    answer = await executor.run(call)
    assert answer.result.value == 16
    assert toys.lines(tally) == 1
    assert not folder.exists()

    shutil.copytree(left, folder)  # killed after it was recorded and before it was removed
    again = await executor.run(call, recompute=True)
    executor.close()
    assert again.recorded != answer.recorded, "what is recorded already is not computed again"
    assert toys.lines(tally) == 2
    assert not folder.exists()


SCRIPT = """
    import asyncio, sys
    from ogm import KnowledgeGraph
    from tests.engine import toys
    from triplestore import open_store
    from workflows.engine import Executor

    async def main():
        executor = Executor(KnowledgeGraph(open_store(sys.argv[1])), threads_per_calculation=1)
        call = toys.slow.bind(toys.Number(value=5), float(sys.argv[3]), sys.argv[2])
        answer = await executor.run(call)
        print("reused" if answer.reused else "computed", answer.recorded)
        executor.close()

    asyncio.run(main())
"""


def start(store: Path, tally: Path, seconds: float) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), str(store), str(tally), str(seconds)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_of_two_processes_one_computes_and_the_other_waits(tmp_path: Path) -> None:
    store, tally = tmp_path / "store", tmp_path / "pids"
    both = [start(store, tally, 1.0) for _ in range(2)]
    said = [process.communicate(timeout=60)[0].split() for process in both]
    assert sorted(words[0] for words in said) == ["computed", "reused"]
    assert said[0][1] == said[1][1]
    assert toys.lines(tally) == 1


COPIES = """
    import asyncio, sys
    import numpy as np
    from ogm import KnowledgeGraph
    from tests.engine import placed
    from tests.ontologies.structures import moved, named
    from triplestore import open_store
    from workflows.engine import Executor

    async def main(store, tally, seed):
        executor = Executor(KnowledgeGraph(open_store(store)), threads_per_calculation=1)
        first = named("CH3CH2OH")
        atoms, held = first, placed.Held(places=(0, 2))
        if int(seed):
            atoms = moved(first, int(seed))
            held = held.transformed(atoms.motion_from(first))
        atoms = atoms.moved_to(atoms.positions.round(5))
        print("ready", flush=True)
        sys.stdin.readline()
        answer = await executor.run(placed.linger.bind(atoms, held, 1.0, tally))
        fresh = placed.measure(atoms, held)
        assert np.allclose(answer.result.towards, fresh.towards, atol=4e-5)
        print("reused" if answer.reused else "computed", answer.recorded)
        executor.close()

    asyncio.run(main(*sys.argv[1:]))
"""


def test_of_two_processes_that_ask_for_moved_copies_one_computes(tmp_path: Path) -> None:
    store, tally = tmp_path / "store", tmp_path / "tally"
    pair = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(COPIES), str(store), str(tally), str(seed)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in range(2)
    ]
    for process in pair:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in pair:  # at once
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.communicate(timeout=60)[0].split() for process in pair]
    assert sorted(words[0] for words in said) == ["computed", "reused"]
    assert len({words[1] for words in said}) == 1
    assert toys.lines(tally) == 1
    assert list((store / "tasks").iterdir()) == []


async def test_who_waits_for_a_copy_that_fails_computes_and_others_wait_for_nobody(
    graph: KnowledgeGraph, tmp_path: Path
) -> None:
    executor = Executor(graph, Slots(total_cores=6, memory=3000), threads_per_calculation=1)
    tally, held = str(tmp_path / "tally"), Held(places=(0,))
    atoms = named("CHFClBr")
    atoms = atoms.moved_to(atoms.positions.round(5))
    copies = [moved(atoms, seed) for seed in (1, 2, 3)]
    copies = [copy.moved_to(copy.positions.round(5)) for copy in copies]
    mirrored = atoms.moved_to(atoms.positions * [1, 1, -1])
    calls = [
        placed.linger.bind(one, held.transformed(motion), 1.5, tally)
        for one in copies
        if (motion := one.motion_from(atoms)) is not None
    ]
    assert len({call.key for call in calls}) == 3
    jobs = [asyncio.ensure_future(executor.run(call)) for call in calls]
    other = asyncio.ensure_future(executor.run(placed.linger.bind(mirrored, held, 1.5, tally)))
    while toys.lines(Path(tally)) < 2:
        await asyncio.sleep(0.02)
    assert not any(job.done() for job in [*jobs, other]), "the mirror image waits for nobody"
    jobs[0].cancel()
    second, third = await asyncio.gather(*jobs[1:])
    assert jobs[0].cancelled()
    assert (second.reused, third.reused) == (False, True)
    assert third.recorded == second.recorded != (await other).recorded
    assert toys.lines(Path(tally)) == 3
    executor.close()


def test_the_one_who_waits_takes_over_when_the_other_is_killed(tmp_path: Path) -> None:
    store, tally = tmp_path / "store", tmp_path / "pids"
    first = start(store, tally, 3.0)
    wait_until(lambda: toys.lines(tally) == 1)
    second = start(store, tally, 3.0)
    time.sleep(0.5)
    first.kill()
    first.wait()
    assert first.stdout is not None
    first.stdout.close()
    worker = int(tally.read_text().split()[0])
    wait_until(lambda: not alive(worker))
    assert second.communicate(timeout=60)[0].split()[0] == "computed"
    assert toys.lines(tally) == 2
    assert list((store / "tasks").iterdir()) == []


async def test_more_cores_than_there_are_is_refused(graph: KnowledgeGraph) -> None:
    executor = Executor(graph, threads_per_calculation=10_000)
    with pytest.raises(InputError, match="10000 cores"):
        await executor.run(toys.double.bind(Number(value=3)))
    executor.close()


async def test_slots_are_handed_out_in_order_and_none_is_lost() -> None:
    slots = Slots(total_cores=4, memory=4000)
    order: list[int] = []
    held = 0

    async def use(number: int, threads: int) -> None:
        nonlocal held
        async with slots.lease(threads) as lease:
            held += lease.threads
            assert held <= 4
            assert lease.memory == 1000 * threads
            order.append(number)
            try:
                await asyncio.sleep(0.001)
            finally:
                held -= lease.threads

    await asyncio.gather(*(use(i, 4 if i == 3 else 1) for i in range(8)))
    assert order == list(range(8)), "a large request does not starve"

    random.seed(7)
    for _ in range(100):
        jobs = [asyncio.ensure_future(use(i, random.randint(1, 4))) for i in range(10)]
        for job in jobs:
            if random.random() < 0.5:
                await asyncio.sleep(random.choice([0, 0, 0.001]))
                job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
    async with asyncio.timeout(1), slots.lease(4) as lease:
        assert lease.threads == 4


def test_an_executor_serves_one_loop_after_the_other(graph: KnowledgeGraph) -> None:
    executor = Executor(graph, Slots(total_cores=2, memory=1000), threads_per_calculation=1)

    async def ask(value: float) -> float:
        async with asyncio.timeout(30):
            return (await executor.run(toys.double.bind(Number(value=value)))).result.value

    assert [asyncio.run(ask(1.0)), asyncio.run(ask(2.0))] == [2.0, 4.0]
    executor.close()


async def test_what_makes_use_of_one_thread_takes_one_core(graph: KnowledgeGraph) -> None:
    executor = Executor(graph, Slots(total_cores=2, memory=1000))
    async with executor.events.feed() as feed:
        await executor.run(toys.alone.bind(Number(value=1)))
        await executor.run(toys.double.bind(Number(value=1)))
        events = [await anext(feed) for _ in range(len(feed.backlog))]
    executor.close()
    assert [e.data["threads"] for e in events if e.kind == "started"] == [1, 2]
