"""Who asks for something that a job computes now waits for that job: nothing is computed twice."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.provenance import Activity
from triplestore.errors import InputError
from workflows.engine import Event
from workflows.engine.execution.task import in_flight
from workflows.engine.jobs.job import Job
from workflows.engine.runners.cluster import Cluster

pytest.importorskip("tblite")

XTB: dict[str, Any] = {"method": "GFN2-xTB"}
CHAIN = "CCCCCCCCCC"
"""Its vibrations take long enough to ask for them meanwhile."""


@pytest.fixture
def heard() -> list[Event]:
    return []


@pytest.fixture
def session(tmp_path: Path, heard: list[Event]) -> Iterator[Grafico]:
    with Grafico(tmp_path / "store", threads_per_calculation=1, listener=heard.append) as one:
        one.settings.clusters["there"] = Cluster()
        yield one


def sent(session: Grafico, subject: str, on: str = "there", **asked: Any) -> Job:
    ready = session.wait_for(lambda: session.prepare_async(subject, **XTB, **asked))
    job = session.perform(ready, on=on)
    assert isinstance(job, Job)
    return job


def made_twice(session: Grafico) -> list[str]:
    """Return what was computed more than once, but for what takes a moment."""
    counted = Counter((one.calculation, one.key) for one in session.kg.find(Activity))
    return [name for (name, _), times in counted.items() if times > 1 and "." in name]


def test_a_calculation_of_a_job_is_waited_for(session: Grafico, heard: list[Event]) -> None:
    job = sent(session, CHAIN, task="frequencies")
    result = session.run(CHAIN, task="optimise", **XTB)
    reasons = [str(one.data["reason"]) for one in heard if one.kind == "waiting"]
    assert any(f"{job.name} computes it on there" in reason for reason in reasons), reasons
    assert all(answer.reused for answer in result.answers)
    session.follow(job.name)
    assert not made_twice(session)


def test_it_is_computed_here_when_the_job_is_cancelled(session: Grafico) -> None:
    job = sent(session, CHAIN, task="frequencies")
    done: list[Any] = []

    def ask() -> None:
        with Grafico(session.settings.store, threads_per_calculation=1) as other:
            done.append(other.run(CHAIN, task="optimise", **XTB))

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(0.5)
    session.cancel(job.name)
    asking.join(120)
    assert done[0].status == "finished"


def test_a_job_comes_after_the_one_that_computes_what_it_begins_with(session: Grafico) -> None:
    first = sent(session, CHAIN, task="optimise")
    second = sent(session, CHAIN, task="frequencies")
    assert second.after == (first.name,)
    assert not isinstance(session.follow(second.name), Job)  # it has come to its result
    assert not made_twice(session)
    assert {job.state for job in session.jobs()} == {"finished"}
    for name in (first.name, second.name):
        assert not (session.desk.named(name).folder / "seed.nq").exists()


def test_what_another_cluster_computes_is_not_sent_to_a_second(
    session: Grafico, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    session.settings.clusters["other"] = Cluster(folder=elsewhere)
    first = sent(session, CHAIN, task="optimise")
    ready = session.wait_for(lambda: session.prepare_async(CHAIN, task="frequencies", **XTB))
    with pytest.raises(InputError, match=f"{first.name} computes what that begins with on there"):
        session.perform(ready, on="other")
    session.cancel(first.name)
    assert isinstance(session.perform(ready, on="other"), Job)


def until(true: Callable[[], object]) -> None:
    patience = time.monotonic() + 60
    while not true():
        assert time.monotonic() < patience
        time.sleep(0.02)


def test_it_goes_on_where_the_other_was_cut_off(session: Grafico, heard: list[Event]) -> None:
    """From here to a job and back: the steps of an optimisation are counted on."""
    asked: dict[str, Any] = {"method": "HF", "basis": "def2-SVP", "task": "optimise"}
    tasks = session.desk.folder.parent / "tasks"

    def steps() -> list[int]:
        return [int(one.data["step"]) for one in heard if "step" in one.data]

    running = session.start(lambda: session.run_async("OCCO", **asked))
    until(lambda: len(steps()) > 1)
    ready = session.wait_for(lambda: session.prepare_async("OCCO", **asked))
    with pytest.raises(InputError, match="another command on this machine computes that now"):
        session.perform(ready, on="there")
    running.cancel()
    until(lambda: {one["state"] for one in in_flight(tasks)} == {"cut off, can go on"})
    here = steps()[-1]
    heard.clear()

    job = session.perform(ready, on="there")
    place = session.desk.named(job.name)
    until(lambda: any("step" in one.data for one, _ in place.events(1)))
    session.cancel(job.name)
    there = [int(one.data["step"]) for one, _ in place.events(1) if "step" in one.data]
    assert there[0] >= here > 1  # a step that was told may not have been kept yet

    running = session.start(lambda: session.run_async("OCCO", **asked))
    until(lambda: steps())
    running.cancel()
    assert steps()[0] >= there[-1]
