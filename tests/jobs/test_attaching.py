"""Who asks for something that a job computes now waits for that job: nothing is computed twice."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.provenance import Activity
from triplestore.errors import InputError
from workflows.engine import Event
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
    job = session.send(ready, on)
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
    assert session.follow(second.name).status == "finished"
    assert not made_twice(session)
    for name in (first.name, second.name):
        assert not (session.desk.named(name).folder / "seed.nq").exists()


def test_what_another_cluster_computes_is_not_sent_to_a_second(session: Grafico) -> None:
    elsewhere = session.settings.home / "elsewhere"
    elsewhere.mkdir()
    session.settings.clusters["other"] = Cluster(folder=elsewhere)
    first = sent(session, CHAIN, task="optimise")
    ready = session.wait_for(lambda: session.prepare_async(CHAIN, task="frequencies", **XTB))
    with pytest.raises(InputError, match=f"{first.name} computes that on there"):
        session.send(ready, "other")
    session.cancel(first.name)
    assert isinstance(session.send(ready, "other"), Job)
