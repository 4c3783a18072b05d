"""What tests of jobs do, whoever computes them: submit, look after, count."""

import time
from collections import Counter
from typing import Any

from grafico import Grafico
from ontologies.provenance import Activity
from workflows.engine.jobs.desk import Desk, JobStart
from workflows.engine.jobs.job import Job
from workflows.engine.request.workflow import Finished
from workflows.engine.runners.cluster import HERE

XTB: dict[str, Any] = {"method": "GFN2-xTB"}
PATIENCE = 180.0


def submitted(
    session: Grafico,
    desk: Desk,
    subject: str = "O",
    *,
    on: str = "",
    plan: JobStart | None = None,
    **asked: Any,
) -> Any:
    """Submit what is asked, by GFN2-xTB if nothing is said, to the desk's cluster but `here`."""
    on = on or next(one for one in desk.clusters if one != HERE)
    usual = {} if asked.get("workflow") == "batch" else XTB

    async def submit() -> Job | Finished:
        return await desk.submit(
            await session.prepare_async(subject, **{**usual, **asked}), on, plan
        )

    return session.wait_for(submit)


def ended(session: Grafico, desk: Desk, job: Job) -> Job:
    """Look after a job until it has ended."""
    until = time.monotonic() + PATIENCE
    while not (now := desk.named(job.name).job).ended and time.monotonic() < until:
        session.wait_for(desk.tend)
        time.sleep(0.1)
    log = desk.named(job.name).part(1) / "log.txt"
    assert now.ended, f"{now.state}: {now.parts}; {log.read_text() if log.exists() else 'no log'}"
    return now


def made_twice(session: Grafico) -> list[str]:
    """Return what was computed more than once."""
    counted = Counter((one.calculation, one.key) for one in session.kg.find(Activity))
    return [name for (name, _), times in counted.items() if times > 1]
