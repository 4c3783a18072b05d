"""Runs in which a person or a model chooses the steps, computed elsewhere between the choices."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from grafico import Grafico
from grafico.session.routing import word_of
from ontologies.provenance import Activity, Outcome, Transition
from triplestore.errors import InputError
from workflows.engine import AskRouter, Crossroads, ModelRouter
from workflows.engine.jobs.desk import Desk
from workflows.engine.jobs.job import Job
from workflows.engine.runners.base import Submission
from workflows.engine.runners.cluster import Cluster
from workflows.engine.runners.detached import DetachedRunner, process_of

pytest.importorskip("tblite")

ASKED: dict[str, Any] = {"method": "GFN2-xTB", "task": "frequencies"}
WAY = ("optimise", "frequencies", "thermochemistry")
PATIENCE = 120.0


class Person:
    """Answers in turn, and keeps the questions; hangs up when nothing is left to say."""

    def __init__(self, *answers: str) -> None:
        self._left = list(answers)
        self.questions: list[str] = []

    async def __call__(self, text: str, at: Crossroads) -> str | None:
        self.questions.append(text)
        return self._left.pop(0) if self._left else None

    @property
    def router(self) -> AskRouter:
        return AskRouter(self)


def steps(session: Grafico) -> list[tuple[Any, ...]]:
    """What was chosen by whom from what, in the order of time."""
    every = sorted(session.kg.find(Transition), key=lambda one: one.started)
    return [(s.node, s.inputs, s.chosen_by, s.reason, s.menu, s.refused, s.failure) for s in every]


def made(session: Grafico) -> list[str]:
    """The calculations that were done, none of them twice."""
    every = session.kg.find(Activity)
    assert len({one.key for one in every}) == len(every)
    return sorted(one.calculation for one in every)


def waited(session: Grafico, job: Job) -> Job:
    """The job when it waits for a choice or has ended."""
    until = time.monotonic() + PATIENCE
    while not (now := session.wait_for(lambda: session.desk.look(job.name))).ended:
        assert time.monotonic() < until, now
        time.sleep(0.1)
    return now


def test_a_job_waits_for_each_choice_and_comes_to_the_same(
    session: Grafico, tmp_path: Path
) -> None:
    with Grafico(tmp_path / "other", threads_per_calculation=1) as other:
        alone = Person(*WAY)
        here = other.run("O", **ASKED, router=alone.router)
        person = Person(*WAY)
        job = session.run("O", **ASKED, router=person.router, on="here")
        assert isinstance(job, Job)
        assert (job.router, [one.node for one in job.chosen]) == ("person", ["Optimise"])
        assert len(person.questions) == 1

        job = waited(session, job)
        assert job.state == "waiting for a choice"
        [ended] = [one for one in session.kg.find(Outcome) if one.run.iri == job.parts[0].run]
        assert ended.status == "interrupted"
        assert {"Frequencies", "Analyse"} <= {*ended.pending}
        assert job.parts[0].told == f"after Optimise: {', '.join(ended.pending)} or the end"
        assert session.follow(job.name) == job, "nobody is asked, so that it still waits"
        again: Any = session.run("O", **ASKED, on="here")
        assert again == job, "who asks for the same meanwhile gets that job"

        there: Any = session.follow(job.name, router=person.router)
        assert there.status == here.status == "finished"
        assert person.questions == alone.questions
        assert steps(session) == steps(other)
        assert made(session) == made(other)
        assert there.message == here.message
        assert there.energy == pytest.approx(here.energy, abs=1e-9)
        assert session.desk.named(job.name).job.state == "finished"
        followed: Any = session.follow(job.name)
        assert followed.energy == there.energy


def test_a_person_may_end_it_early(session: Grafico) -> None:
    job = session.run("N", **ASKED, router=Person("optimise").router, on="here")
    waited(session, job)
    got: Any = session.resume(job.name, router=Person("e").router)
    assert got.status == "goal unmet"
    job = session.desk.named(job.name).job
    assert (job.state, job.parts[0].attempt) == ("goal unmet", 1)
    result: Any = session.follow(job.name)
    assert (result.status, result.message) == (got.status, got.message)
    assert "tightbinding.frequencies" not in {one.calculation for one in session.kg.find(Activity)}


def test_of_two_choices_the_first_counts_and_the_plan_can_go_on(session: Grafico) -> None:
    job = session.run("O", **ASKED, router=Person("optimise").router, on="here")
    waited(session, job)

    async def both() -> tuple[Any, Any]:
        chosen = asyncio.Event()

        async def late(text: str, at: Crossroads) -> str:
            await chosen.wait()
            return "e"

        second = asyncio.ensure_future(session.resume_async(job.name, router=AskRouter(late)))
        await asyncio.sleep(0.2)
        first = await session.resume_async(job.name, router=Person("frequencies").router)
        chosen.set()
        return first, await second

    first, second = session.wait_for(both)
    assert first.parts[0].attempt == second.parts[0].attempt == 2
    assert (first.name, first.run) == (second.name, second.run)
    assert waited(session, job).parts[0].told.startswith("after Frequencies: Thermochemistry")
    end: Any = session.follow(job.name, router="goal")
    assert end.status == "finished"
    chosen_by = [one[2] for one in steps(session)]
    assert chosen_by == ["person", "person", "goal"]
    [part] = session.desk.named(job.name).job.parts
    assert (part.state, part.attempt) == ("finished", 2), "what takes a moment is done here"


class Dying(DetachedRunner):
    """Starts a part, and is killed before anybody notes it."""

    dies = False

    async def submit(self, part: Submission) -> Sequence[str]:
        native = await super().submit(part)
        if self.dies:
            raise KeyboardInterrupt
        return native


def test_whoever_dies_after_a_choice_it_is_made_once(session: Grafico) -> None:
    runner = Dying()
    desk = Desk(session.kg, {"there": Cluster()}, lambda *_: runner)
    session.__dict__["desk"] = desk
    job = session.run("O", **ASKED, router=Person("optimise").router, on="there")
    waited(session, job)

    person = Person("frequencies")

    async def killed() -> bool:
        try:
            await session.resume_async(job.name, router=person.router)
        except KeyboardInterrupt:
            return True
        return False

    runner.dies = True
    assert session.wait_for(killed)
    part = desk.named(job.name).job.parts[0]
    assert (part.state, part.native, part.attempt) == ("submitting", "", 2)
    runner.dies = False
    job = session.wait_for(lambda: desk.look(job.name))
    process = process_of(job.parts[0].native)
    if process is not None:  # the program dies too: the next attempt makes the same choice
        for one in [
            process,
            *process.children(recursive=True),
        ]:  # else it tells of its worker's end
            try:
                one.kill()
            except psutil.NoSuchProcess:
                continue
    job = waited(session, job)
    assert job.state == "waiting for a choice"
    assert len(person.questions) == 1
    assert sorted({one[0] for one in steps(session)}) == ["Frequencies", "Optimise"]
    assert {"tightbinding.optimise", "tightbinding.frequencies"} <= {*made(session)}
    assert session.cancel(job.name).state == "cancelled"
    job = session.resume(job.name)
    assert waited(session, job).state == "waiting for a choice"


def test_nobody_to_ask_leaves_it_waiting(session: Grafico, tmp_path: Path) -> None:
    job = session.run("[H][H]", **ASKED, router=Person("optimise").router, on="here")
    job = waited(session, job)
    with pytest.raises(InputError, match="nobody could choose"):
        session.resume(job.name, router=AskRouter())  # there is no terminal
    assert session.desk.named(job.name).job.state == "waiting for a choice"

    def grafico(*words: str, status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "grafico", *words, "--store", str(tmp_path / "store")],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == status, done.stderr
        return done.stdout

    listed = grafico("jobs")
    assert "waiting for a choice: after Optimise: Frequencies" in listed
    assert f"choose: grafico resume {job.name} --router ask" in listed
    assert "waiting for a choice" in grafico("follow", job.name, "--quiet", status=1)
    told = json.loads(grafico("resume", job.name, "--router", "goal", "--json", "--follow"))
    assert told["status"] == "finished"


def test_a_model_chooses_where_it_can_be_asked(session: Grafico) -> None:
    messages = pytest.importorskip("pydantic_ai.messages")
    function = pytest.importorskip("pydantic_ai.models.function")
    left = ["Optimise", "Frequencies", "Thermochemistry", "end"]
    seen: list[Any] = []

    def pick(asked: list[Any], info: Any) -> Any:
        seen.append(json.loads(asked[-1].parts[-1].content)["steps so far"])
        call = {"pick": left.pop(0), "reason": "as told"}
        return messages.ModelResponse(
            parts=[messages.ToolCallPart(info.output_tools[0].name, call)]
        )

    router = ModelRouter(function.FunctionModel(pick, model_name="scripted"))
    job = session.run("O", **ASKED, router=router, on="here")
    assert job.router == "model scripted"
    end: Any = session.follow(job.name, router=router)
    assert end.status == "finished"
    taken = ["Optimise", "Frequencies", "Thermochemistry"]
    assert seen == [taken[:n] for n in range(4)]
    assert {one[2:4] for one in steps(session)} == {("model scripted", "as told")}
    with pytest.raises(InputError, match="no word gives that one"):
        word_of("somebody")
