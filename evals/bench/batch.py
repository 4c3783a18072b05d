"""A batch of small molecules through Grafico, beside the bare PySCF script of the same numbers.

Both are whole programs, timed from start to end with all that they import and start, on all cores
as each does by default: PySCF with a thread a core, Grafico with one slot of as many. A third gives
each calculation one thread, in as many slots as there are cores. They take turns.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from workflows.engine.local.devices import usable_cores

from . import programs
from .figures import Figure, below, say, shown
from .molecules import Job, jobs, write_jobs
from .programs import limits

PAIRS = 1
WITHIN = 1.05
SAME = 1e-8  # Eh
THROUGH = ("-m", "evals.bench.through")
SCRIPT = Path(__file__).with_name("plain_pyscf.py")


@dataclass(frozen=True)
class Done:
    """What a batch took and came to.

    Attributes:
        whole: seconds of the whole program.
        seconds: from the first file to the last result, once everything was imported.
        processor: seconds of all processors, with those of its children.
        energies: in Eh, in the order of the jobs.
    """

    whole: float
    seconds: float
    processor: float
    energies: tuple[float, ...]


def measure(
    folder: Path,
    pairs: int = PAIRS,
    batch: Sequence[Job] | None = None,
    cores: int | None = None,
) -> Iterator[Figure]:
    """Compare whole programs that do the same batch.

    Args:
        folder: for files and stores.
        pairs: how often each is run.
        batch: the calculations; None for a batch that takes about a minute.
        cores: for each program; None for all.
    """
    batch = jobs(folder) if batch is None else batch
    cores = cores or usable_cores()
    limited = limits(folder, cores)
    minutes = "a few minutes" if pairs == 1 else f"{pairs} times a few minutes"
    say(f"batch: {len(batch)} calculations with and without Grafico, {minutes}…")
    bare: list[Done] = []
    ours: list[Done] = []
    slots: list[Done] = []
    for pair in range(pairs):
        place = folder / f"pair-{pair}"
        place.mkdir()
        bare.append(run(place / "bare", batch, [str(SCRIPT)], **limited))
        ours.append(run(place / "ours", batch, [*THROUGH, "turn", str(place / "1")], **limited))
        if cores > 1:
            wide = {**limited, "GRAFICO_SLOTS": str(cores)}
            slots.append(run(place / "slots", batch, [*THROUGH, "once", str(place / "2")], **wide))
    what = f"batch of {len(batch)}"
    yield compared(what, ours, bare, "whole", "s", f"bare PySCF, {cores} threads both", WITHIN)
    yield compared(f"{what}, imports not counted", ours, bare, "seconds", "s", "bare PySCF", None)
    yield compared(f"{what}, processor time", ours, bare, "processor", "s", "bare PySCF", None)
    for others, against in ((ours, "Grafico's default: one slot of all"), (bare, "bare PySCF")):
        if slots:
            name = f"{what}, {cores} one-thread slots"
            yield compared(name, slots, others, "whole", "s", against, None)
    energies = np.array([taken.energies for taken in (*bare, *ours, *slots)])
    apart = float(np.abs(energies - energies[0]).max())
    yield below("energies, largest difference", apart, SAME, "Eh", "bare PySCF", None)


def compared(
    name: str,
    ours: Sequence[Done],
    others: Sequence[Done],
    what: str,
    unit: str,
    against: str,
    most: float | None,
) -> Figure:
    """Return the pair of the median ratio as a figure, and say how far the others are spread."""
    pairs = [(getattr(a, what), getattr(b, what)) for a, b in zip(ours, others, strict=True)]
    ratios = sorted(a / b for a, b in pairs)
    median = statistics.median_high(ratios)
    mine, theirs = next(pair for pair in pairs if pair[0] / pair[1] == median)
    spread = f" ({len(pairs)} pairs, {ratios[0]:.3f} to {ratios[-1]:.3f})" * (len(pairs) > 1)
    if most is None:
        return shown(name + spread, mine, theirs, unit, against)
    target = f"at most {most:g} times{spread}"
    return Figure(name, mine, theirs, unit, against, target, median <= most)


def run(place: Path, batch: Sequence[Job], program: Sequence[str], **more: Any) -> Done:
    """Let a program do a batch, and return what it took.

    Args:
        place: a new folder for what it reads and writes.
        batch: what it is to do.
        program: arguments of Python.
        more: variables of its environment.

    Raises:
        RuntimeError: it failed; the message has its last words.
    """
    place.mkdir()
    write_jobs(place / "jobs.json", batch)
    results = place / "results.json"
    taken = programs.run([*program, str(place / "jobs.json"), str(results)], **more)
    told = json.loads(results.read_text())
    energies = tuple(float(result["energy"]) for result in told["results"])
    return Done(taken.whole, told["seconds"], told["processor"], energies)
