"""What Grafico itself costs, as ratios measured in one run: ``make bench``.

Each figure stands beside a baseline of the same run, taken in turn with it, so that a slow or busy
machine slows both. Medians; times in ms.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

CALCULATIONS = 20
HITS = 50
STARTS = 7


@dataclass(frozen=True)
class Figure:
    """One measurement.

    Attributes:
        name: what was measured.
        ours: median in ms.
        baseline: median of the baseline in ms.
        against: what the baseline is.
        target: what was aimed at, in words.
        met: whether it was reached.
    """

    name: str
    ours: float
    baseline: float
    against: str
    target: str
    met: bool


def milliseconds(function: Callable[[], Any]) -> float:
    """Return how long a call takes."""
    started = time.perf_counter()
    function()
    return (time.perf_counter() - started) * 1e3


def in_turn(times: int, *functions: Callable[[int], Any]) -> list[float]:
    """Call functions in turn and return the median of each."""
    measured = [[milliseconds(lambda f=f, i=i: f(i)) for f in functions] for i in range(times)]
    return [statistics.median(column) for column in zip(*measured, strict=True)]


def overhead(store: str) -> list[Figure]:
    """Measure a calculation and a cache hit against the bare PySCF call in a warm process."""
    from pyscf import gto, scf

    from grafico import ConceptualAtoms, Grafico

    def water(step: int) -> ConceptualAtoms:
        z = 0.1 + 0.001 * step
        return ConceptualAtoms(
            numbers=[8, 1, 1], positions=[[0, 0, z], [0, 0.757, -0.469], [0, -0.757, -0.469]]
        )

    def bare(step: int) -> None:
        atoms = water(step)
        mol = gto.M(
            atom=list(zip(atoms.symbols, atoms.positions.tolist(), strict=True)),
            basis="sto-3g",
            verbose=0,
        )
        mf = scf.RHF(mol)
        mf.kernel()
        mf.mulliken_pop(verbose=0)
        mf.dip_moment(verbose=0)

    def ours(step: int, session: Grafico) -> None:
        session.run(water(step), method="HF", basis="STO-3G")

    with Grafico(store, cores=1) as session:
        for step in (-1, -2, -3):
            ours(step, session)
            bare(step)
        calculation, baseline = in_turn(CALCULATIONS, lambda i: ours(i, session), bare)
    with Grafico(store, cores=1) as session:
        ours(0, session)
        hit, again = in_turn(HITS, lambda i: ours(i % CALCULATIONS, session), bare)
    extra = calculation - baseline
    return [
        Figure(
            f"calculation (extra {extra:.1f} ms)", calculation, baseline,
            "bare PySCF, water HF/STO-3G", "under 20 ms extra", extra < 20,
        ),
        Figure("cache hit with its run's record", hit, again, "bare PySCF", "under 5 ms", hit < 5),
    ]  # fmt: skip


def recall(store: str) -> Figure:
    """Measure the look-up of one calculation alone, without the record of a run."""
    from grafico import ConceptualAtoms
    from ogm import KnowledgeGraph
    from ontologies.quantum import LevelOfTheory
    from triplestore import open_store
    from workflows.dft.calculations import single_point
    from workflows.engine import Executor

    with open_store(store) as opened:
        level = KnowledgeGraph(opened).find(LevelOfTheory)[0]

        def hit(step: int) -> None:
            z = 0.1 + 0.001 * (step % CALCULATIONS)
            atoms = ConceptualAtoms(
                numbers=[8, 1, 1], positions=[[0, 0, z], [0, 0.757, -0.469], [0, -0.757, -0.469]]
            )
            executor = Executor(KnowledgeGraph(opened))
            assert executor.recall(single_point.bind(atoms, level)) is not None

        def ping(_: int) -> None:
            opened.query("ASK {}")

        ours, bare = in_turn(HITS, hit, ping)
    return Figure("cache hit alone", ours, bare, "empty query", "under 5 ms", ours < 5)


def start(arguments: Sequence[str]) -> float:
    """Return how long a program takes from start to end."""
    return milliseconds(lambda: subprocess.run(arguments, check=True, capture_output=True))


def start_up(store: str) -> list[Figure]:
    """Measure whole commands against an empty Python program."""
    grafico = [sys.executable, "-m", "grafico"]
    commands = {
        "grafico --help": ([*grafico, "--help"], 400.0),
        "grafico query": ([*grafico, "query", "--store", store, "ASK {}"], 1000.0),
        "grafico run, remembered": (
            [*grafico, "run", "--store", store, "--method", "HF", "--basis", "STO-3G",
             "examples/water.xyz"], 2000.0,
        ),
    }  # fmt: skip
    figures: list[Figure] = []
    for name, (command, limit) in commands.items():
        start(command)
        ours, empty = in_turn(
            STARTS, lambda _, c=command: start(c), lambda _: start([sys.executable, "-c", ""])
        )
        target = f"under {limit:.0f} ms"
        figures.append(Figure(name, ours, empty, "empty Python program", target, ours < limit))
    return figures


def main() -> None:
    """Measure everything and print a table, or JSON with ``--json``."""
    os.environ["OMP_NUM_THREADS"] = "1"
    os.chdir(Path(__file__).resolve().parents[1])
    with tempfile.TemporaryDirectory(prefix="grafico-bench-") as folder:
        store = str(Path(folder) / "store")
        print("measuring, about half a minute…", file=sys.stderr)
        figures = [*overhead(store), recall(store), *start_up(store)]
    if "--json" in sys.argv:
        print(json.dumps([asdict(figure) for figure in figures], indent=2))
        return
    print(f"{'what':40s} {'ours':>8s} {'baseline':>9s} {'ratio':>7s}  target")
    for figure in figures:
        ratio = figure.ours / figure.baseline
        said = f"{figure.target}: {'met' if figure.met else 'MISSED'}"
        print(
            f"{figure.name:40s} {figure.ours:8.1f} {figure.baseline:9.1f} {ratio:7.2f}  {said}"
            f"  (against {figure.against})"
        )


if __name__ == "__main__":
    main()
