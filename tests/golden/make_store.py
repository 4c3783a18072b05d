"""``python -m tests.golden.make_store FILE``: ask the requests of a new store, and save it.

`stored/second.zip` was made so, once; it is not to be made again, for it stands for the stores that
people have. A later version of Grafico gets a store of its own beside it.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from click.testing import CliRunner

from grafico import Grafico
from grafico.cli.app import main
from ogm.keeping import backup
from tests.agreeing import agreeing
from tests.golden.requests import (
    FAILED,
    INTERRUPTED,
    KILLED,
    MICROWAVE,
    QUESTION,
    REQUESTS,
    UNMET,
    Request,
)
from triplestore.errors import GraficoError
from workflows.engine import Choice, Event, GoalRouter
from workflows.engine.graph.router import Crossroads


class Impatient(GoalRouter):
    """Ends a run after an optimisation."""

    async def choose(self, at: Crossroads) -> Choice:
        if at.steps and at.steps[-1] == "Optimise":
            return Choice(None, "that is enough for today")
        return await super().choose(at)


def ask(session: Grafico, request: Request, **more: object) -> object:
    return getattr(session, request.verb)(request.molecule, **request.asked, **more)


def killed(store: Path) -> None:
    """Ask, and be killed after the optimisation."""

    def listen(event: Event) -> None:
        if (event.kind, event.subject) == ("node", "Frequencies"):
            os.kill(os.getpid(), signal.SIGKILL)

    with Grafico(store, threads_per_calculation=1, listener=listen) as session:
        ask(session, KILLED)


async def interrupted(store: Path) -> None:
    """Ask, and cancel it while the vibrations are computed."""
    reached = asyncio.Event()
    loop = asyncio.get_running_loop()

    def listen(event: Event) -> None:
        if (event.kind, event.subject) == ("node", "Frequencies"):
            loop.call_soon_threadsafe(reached.set)

    with Grafico(store, threads_per_calculation=1, listener=listen) as session:
        running = asyncio.ensure_future(
            session.run_async(INTERRUPTED.molecule, **INTERRUPTED.asked)
        )
        await reached.wait()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


def make(store: Path, file: Path) -> None:
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=killed, args=(store,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL, process.exitcode
    asyncio.run(interrupted(store))
    with Grafico(store, threads_per_calculation=1) as session:
        for name, request in REQUESTS.items():
            ask(session, request)
            print(name, flush=True)
        ask(session, UNMET, router=Impatient())
        with suppress(GraficoError):
            ask(session, FAILED)
        [hydrogen] = session.find("[HH]", method="PBE")
    cube = (
        "cube",
        hydrogen.result,
        "--orbital",
        "homo",
        "--spacing",
        "0.25",
        "-o",
        str(store.parent / "homo.cube"),
    )
    for words in (("microwave", *MICROWAVE), ("ask", QUESTION), cube):
        with agreeing():
            done = CliRunner().invoke(main, [*words, "--store", str(store)])
        print(done.output)
        assert done.exit_code == 0, done
    with Grafico(store) as session:
        print(backup(session.kg, file))
        for line in session.runs(parts=True):
            print(line.status, line.subject)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder) / "store", Path(sys.argv[1]))
