"""Jobs that are killed again and again come to the same table as the same request in peace.

``python -m tests.queues.job_kills --kills 50 --seed 1`` screens small molecules through a Slurm of
its own on this machine (``--on here``: as processes of their own) and ends at random moments what
takes part: the command that submits or looks, alone or with its process group; a job's program; one
of its workers; Slurm's controller and its daemon of the node, as a power cut would. In the end the
table is that of an undisturbed local run, and no calculation was recorded twice. Only root can
start a Slurm.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import psutil

from tests.batch.survival import Place, differences, molecules

WAYS = ("driver", "program", "worker", "group", "slurmctld", "slurmd")
"""What is ended, drawn at random; the daemons only where there are any."""

LATEST = 4.0
"""Seconds between two kills at the most."""

AWAY = 2.0
"""Seconds that a daemon is away at the most."""

PATIENT = 10
"""Commands in a row that may end with an error, while a daemon is away."""

CLUSTER = """[clusters.screening]
scheduler = "{scheduler}"
hours = 0.5
memory = 2000
parts = {parts}
tries = 100
"""


class Daemons(Protocol):
    """The Slurm of the tests, as far as it is needed here."""

    environment: dict[str, str]

    def kill(self, daemon: str) -> None:
        """Kill a daemon as a power cut would."""
        ...

    def start(self, daemon: str) -> None:
        """Start a daemon, if it does not run."""
        ...

    def look_after(self) -> None:
        """Resume a node that was drained, as an administrator would."""
        ...


@dataclass
class Screening(Place):
    """A screening that is handed to jobs.

    Attributes:
        parts: jobs among which it is shared out.
        daemons: of the Slurm; None for processes of their own.
        killed: how often what was ended.
        resumed: how often a person would have had to resume a job.
    """

    parts: int = 3
    daemons: Daemons | None = None
    killed: Counter[str] = field(default_factory=Counter[str])
    resumed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        scheduler = "none" if self.daemons is None else "slurm"
        text = CLUSTER.format(scheduler=scheduler, parts=self.parts)
        own = self.folder / "config" / "grafico"
        own.mkdir(parents=True)
        (own / "grafico.toml").write_text(text)

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables of all its processes: the cluster is described in the user's own file."""
        return {**super().environment, "XDG_CONFIG_HOME": str(self.folder / "config")}

    def command(self, *words: str) -> subprocess.Popen[str]:
        """Start a command of Grafico, in a process group of its own."""
        with (self.folder / "log").open("a") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "grafico", *words],
                stdout=subprocess.PIPE,
                stderr=log,
                env={**self.environment, **(self.daemons.environment if self.daemons else {})},
                cwd=self.folder,
                text=True,
                start_new_session=True,
            )

    def programs(self) -> list[psutil.Process]:
        """Return the programs of jobs that compute or start."""
        found: list[psutil.Process] = []
        for one in psutil.process_iter(["cmdline"]):
            words: list[str] = one.info["cmdline"] or []
            ours = words[:1] == [sys.executable] and "workflows.engine.jobs.node" in words
            if ours and any(str(self.store) in word for word in words):
                found.append(one)
        return found

    def end(self, way: str, driver: subprocess.Popen[str], chance: random.Random) -> bool:
        """End something; tell whether it was there."""
        victims: Sequence[psutil.Process] = ()
        match way:
            case "driver" | "group":
                if driver.poll() is not None:
                    return False
                with suppress(ProcessLookupError):
                    os.killpg(driver.pid, signal.SIGKILL) if way == "group" else driver.kill()
            case "program":
                victims = self.programs()
            case "worker":
                for one in self.programs():
                    with suppress(psutil.Error):
                        victims = [*victims, *one.children(recursive=True)]
            case _:
                if self.daemons is None:
                    return False
                self.daemons.kill(way)
                time.sleep(chance.uniform(0, AWAY))
                self.daemons.start(way)
        if way in ("program", "worker"):
            if not victims:
                return False
            with suppress(psutil.Error):
                chance.choice(victims).kill()
        self.killed[way] += 1
        return True

    def disturbed(self, kills: int, chance: random.Random, patience: float = 900.0) -> str:
        """Submit, look after it and be killed, until all has ended; return how.

        Args:
            kills: how often something is ended at the most.
            chance: says what and when.
            patience: s after which it is given up.
        """
        before, until = sum(self.killed.values()), time.monotonic() + patience
        submitted, state, errors = False, "", 0
        batch = ("batch", str(self.source), *self.words, "--on", "screening", "--json", "--quiet")
        while time.monotonic() < until:
            driver = self.command(*(("jobs", "--json") if submitted else batch))
            if sum(self.killed.values()) - before < kills:
                with suppress(subprocess.TimeoutExpired):
                    driver.wait(chance.uniform(0.0, LATEST))
                ways = sorted(WAYS, key=lambda way: (self.killed[way], chance.random()))
                any(self.end(way, driver, chance) for way in ways)
            if self.daemons is not None:
                self.daemons.look_after()
            said, _ = driver.communicate()
            if driver.returncode > 0:
                errors += 1
                if errors > PATIENT:
                    return (self.folder / "log").read_text()[-500:]
            if driver.returncode:
                continue
            errors = 0
            told = json.loads(said)
            if not submitted:
                submitted, state = True, told.get("state", told.get("status", ""))
                continue
            states = {one["name"]: one["state"] for one in told}
            state = "finished" if set(states.values()) == {"finished"} else str(states)
            for name, one in states.items():
                if one in ("failed", "cancelled"):
                    self.resumed += 1
                    self.command("resume", name, "--quiet").communicate()
            if states and all(one in ("finished", "goal unmet") for one in states.values()):
                break
            time.sleep(0.2)
        return state

    def attempts(self) -> int:
        """Return how often parts were submitted."""
        found = [json.loads(one.read_text()) for one in self.store.glob("jobs/*/job.json")]
        return sum(part["attempt"] for one in found for part in one["parts"])


def compared(screening: Screening, peace: Place) -> list[str]:
    """Return what a screening and one in peace differ in, and what was recorded twice."""
    screening.start().wait()  # all of it is remembered: it writes the table
    return [
        *differences(peace.rows(), screening.rows()),
        *(f"computed twice: {key}" for key in screening.computed_twice()),
    ]


def main() -> None:
    """Print what each round came to, and end with 1 where anything was lost or double."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--molecules", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", choices=("slurm", "here"), default="slurm")
    parser.add_argument("words", nargs="*", default=["--method", "GFN2-xTB", "--task", "optimise"])
    said = parser.parse_args()
    chance = random.Random(said.seed)
    slurm = None
    if said.on == "slurm":
        from tests.queues.slurm import Slurm

        slurm = Slurm()
    wrong: list[str] = []
    try:
        with tempfile.TemporaryDirectory(prefix="grafico-job-kills-") as folder:
            source = Path(folder, "molecules.csv")
            rows = [f"m{at},{smiles}\n" for at, smiles in enumerate(molecules(said.molecules))]
            source.write_text("id,smiles\n" + "".join(rows))
            peace = Place(Path(folder, "peace"), source, tuple(said.words))
            if peace.start().wait() != 0:
                sys.exit((peace.folder / "log").read_text())
            done = number = 0
            while done < said.kills:
                number += 1
                clock = time.monotonic()
                place = Screening(
                    Path(folder, f"round-{number}"), source, tuple(said.words), daemons=slurm
                )
                state = place.disturbed(said.kills - done, chance)
                killed = sum(place.killed.values())
                done += killed
                found = compared(place, peace)
                wrong += found if state == "finished" else [*found, f"it is {state}"]
                print(
                    f"round {number}: {killed} kills ({dict(place.killed)}), {state} after "
                    f"{time.monotonic() - clock:.0f} s and {place.attempts()} submissions of "
                    f"{place.parts} parts, resumed {place.resumed} times; wrong: {len(found)}",
                    flush=True,
                )
                if not killed:
                    break
    finally:
        if slurm is not None:
            slurm.stop()
    print("\n".join(wrong) or "the same table each time, nothing computed twice")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
