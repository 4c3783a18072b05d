"""A batch that is killed again and again comes to the same table as one that is left in peace.

``python -m tests.batch.survival --kills 20`` runs the same command on some 60 molecules until it is
done, and ends its processes at random moments: the whole process group of the driver, the driver
alone, a worker, the process that holds the store; by SIGKILL, SIGINT and SIGTERM. Then the table is
that of an undisturbed run, nothing that was recorded was computed again, and nothing is left
behind.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from grafico import Grafico
from ogm import GRAFICO
from triplestore import Table

WAYS = ("group", "driver", "worker", "interrupt", "group", "driver", "broker", "terminate")
"""What is ended, in turn."""

LATEST = 9.0
"""Seconds after which a run is ended at the latest."""

QUICK = 10.0
"""Seconds within which a driver ends that was asked to, and what a dead one has left."""

TOLERANCE = 1e-5
"""By which numbers of two tables may differ, in the units of their columns: an optimisation that
is gone on with ends at another point within the same thresholds."""

OWN = ("run", "geometry")
"""Columns that differ from store to store."""


def molecules(number: int) -> list[str]:
    """Return as many SMILES of small molecules, all different."""
    ends = ("O", "N", "F", "C#N", "C=O", "C(=O)O", "S", "Cl", "OC", "C(N)=O")
    stems = ("C", "CC", "CCC", "C1CCC1", "c1ccccc1", "C=C", "C1CC1")
    return [stem + end for stem in stems for end in ends][:number]


@dataclass
class Place:
    """A store with folders of its own, in which commands run.

    Attributes:
        folder: that holds all of it.
        source: the molecules.
        words: of the command.
    """

    folder: Path
    source: Path
    words: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in ("tmp", "run"):
            (self.folder / name).mkdir(parents=True, mode=0o700)

    @property
    def store(self) -> Path:
        """Where results go."""
        return self.folder / "store"

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables of all its processes, by which they are found."""
        return {
            **os.environ,
            "GRAFICO_STORE": str(self.store),
            "TMPDIR": str(self.folder / "tmp"),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "OMP_NUM_THREADS": "1",
        }

    def start(self) -> subprocess.Popen[str]:
        """Start the command, in a process group of its own."""
        command = [
            sys.executable,
            "-m",
            "grafico",
            "batch",
            str(self.source),
            *self.words,
            "-t",
            "1",
            "-o",
            str(self.folder / "table.csv"),
        ]
        with (self.folder / "log").open("a") as log:
            return subprocess.Popen(
                command,
                env=self.environment,
                stdout=subprocess.DEVNULL,
                stderr=log,
                text=True,
                start_new_session=True,
                preexec_fn=_heed,
            )

    def processes(self) -> Iterator[psutil.Process]:
        """Iterate over all that works on this store."""
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                ours = process.environ().get("TMPDIR") == str(self.folder / "tmp")
                if ours or str(self.store) in process.cmdline():
                    yield process

    def of_kind(self, *words: str) -> list[psutil.Process]:
        """Return those of its processes whose command has one of some words."""
        found: list[psutil.Process] = []
        for process in self.processes():
            with suppress(psutil.Error):
                if any(word in " ".join(process.cmdline()) for word in words):
                    found.append(process)
        return found

    def rows(self) -> list[dict[str, str]]:
        """Return the table, sorted, without what differs from store to store."""
        with (self.folder / "table.csv").open(newline="") as file:
            found = [{k: v for k, v in row.items() if k not in OWN} for row in csv.DictReader(file)]
        return sorted(found, key=lambda row: int(row["index"]))

    def computed_twice(self) -> list[str]:
        """Return the keys of calculations that were recorded more than once."""
        g = GRAFICO.term
        with Grafico(self.store) as session:
            answer = session.kg.store.query(f"""
                SELECT ?key {{ ?one a <{g("Activity")}> ; <{g("key")}> ?key }}
                GROUP BY ?key HAVING (COUNT(?one) > 1)""")
        assert isinstance(answer, Table)
        return [str(getattr(key, "value", key)) for (key,) in answer.rows]

    def left_behind(self) -> list[str]:
        """Return files and processes that should have gone with the command."""
        deadline = time.monotonic() + QUICK
        while True:
            broker = self.of_kind("triplestore.broker")
            others = [one for one in self.processes() if one not in broker]
            if not others or time.monotonic() > deadline:
                break
            time.sleep(0.2)
        files = [*(self.folder / "tmp").iterdir(), *self.store.glob("tasks/*")]
        return [*map(str, files), *map(str, others)]


def _heed() -> None:
    """Heed Ctrl-C, which shells let programs in the background ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def differences(one: list[dict[str, str]], other: list[dict[str, str]]) -> list[str]:
    """Return in which cells two tables differ."""
    if len(one) != len(other) or one[0].keys() != other[0].keys():
        return [f"{len(one)} rows of {list(one[0])}, {len(other)} of {list(other[0])}"]
    return [
        f"{first['name']}, {name}: {first[name]!r}, {second[name]!r}"
        for first, second in zip(one, other, strict=True)
        for name in first
        if not _alike(first[name], second[name])
    ]


def _alike(one: str, other: str) -> bool:
    try:
        return abs(float(one) - float(other)) <= TOLERANCE * max(1.0, abs(float(one)))
    except ValueError:
        return one == other


def end(place: Place, driver: subprocess.Popen[str], way: str) -> str:
    """End processes in a way; return what came of it."""
    clock = time.monotonic()
    match way:
        case "group":
            os.killpg(driver.pid, signal.SIGKILL)
        case "driver":
            driver.kill()
        case "interrupt" | "terminate":
            what = signal.SIGINT if way == "interrupt" else signal.SIGTERM
            os.killpg(driver.pid, what)
        case _:
            module = "triplestore.broker" if way == "broker" else "workflows.engine.local"
            found = sorted(place.of_kind(module), key=lambda one: one.create_time())
            for one in found[-1:]:  # the youngest is at work
                with suppress(psutil.Error):
                    one.kill()
            return f"{way}: {len(found)} found, the driver goes on"
    driver.wait()
    return f"{way}: ended with {driver.returncode} after {time.monotonic() - clock:.1f} s"


def disturbed(place: Place, number: int, kills: int, chance: random.Random) -> int:
    """Run the command again and again until it is done.

    Args:
        place: where.
        number: how often others were disturbed before.
        kills: how often all may be.
        chance: says when.

    Returns:
        How often all were disturbed.
    """
    while True:
        driver = place.start()
        way = WAYS[number % len(WAYS)]
        if number < kills:
            with suppress(subprocess.TimeoutExpired):
                driver.wait(chance.uniform(0.5, LATEST))
            if driver.poll() is None:
                number += 1
                print(f"  {number:2d} {end(place, driver, way)}", flush=True)
        status = driver.wait()
        if status == 0:
            return number
        if status > 0:
            print(f"     the driver ended with {status}; the last it said:", flush=True)
            print("     " + (place.folder / "log").read_text().strip().splitlines()[-1])


def main() -> None:
    """Print what each disturbance did, and end with 1 where anything was lost, double or left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--molecules", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("words", nargs="*", default=["--method", "GFN2-xTB", "--task", "optimise"])
    said = parser.parse_args()
    chance = random.Random(said.seed)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="grafico-survival-") as folder:
        source = Path(folder, "molecules.csv")
        rows = [f"m{at},{smiles}\n" for at, smiles in enumerate(molecules(said.molecules))]
        source.write_text("id,smiles\n" + "".join(rows))
        peace = Place(Path(folder, "peace"), source, tuple(said.words))
        clock = time.monotonic()
        if peace.start().wait() != 0:
            sys.exit((peace.folder / "log").read_text())
        print(f"undisturbed: {time.monotonic() - clock:.1f} s, {len(peace.rows())} rows")
        done = number = 0
        while done < said.kills:
            number += 1
            place = Place(Path(folder, f"round-{number}"), source, tuple(said.words))
            clock = time.monotonic()
            done = disturbed(place, done, said.kills, chance)
            print(f"round {number}: {time.monotonic() - clock:.1f} s", flush=True)
            wrong += differences(peace.rows(), place.rows())
            wrong += [f"computed twice: {key}" for key in place.computed_twice()]
            wrong += [f"left behind: {one}" for one in place.left_behind()]
    print("\n".join(wrong) or "the same table each time, nothing computed twice, nothing left")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
