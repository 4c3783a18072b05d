"""What the engine costs around a calculation: its overhead, a cache hit, the start of a command."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .figures import Figure, below, in_turn, milliseconds, say

CALCULATIONS = 20
HITS = 50
STARTS = 7


def measure(folder: Path) -> Iterator[Figure]:
    """Measure calculations, their look-up, and whole commands."""
    store = str(folder / "calculations")
    say("calculation: overhead, cache hits and start-up, about half a minute…")
    yield from overhead(store)
    yield recall(store)
    yield from start_up(store)


def overhead(store: str) -> list[Figure]:
    """Measure a calculation and a cache hit against the bare PySCF call in a warm process."""
    from pyscf import gto, scf

    from grafico import ConceptualAtoms, Grafico
    from ontologies.level import LevelOfTheory
    from workflows.dft.properties.energy import single_point

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

    def look_up(step: int, session: Grafico, level: LevelOfTheory) -> None:
        session.wait_for(lambda: session.executor.run(single_point.bind(water(step), level)))

    with Grafico(store, threads_per_calculation=1) as session:
        for step in (-1, -2, -3):
            ours(step, session)
            bare(step)
        calculation, baseline = in_turn(CALCULATIONS, lambda i: ours(i, session), bare)
    with Grafico(store, threads_per_calculation=1) as session:
        ours(0, session)
        [level] = session.kg.find(LevelOfTheory)
        hit, alone = in_turn(
            HITS,
            lambda i: ours(i % CALCULATIONS, session),
            lambda i: look_up((i + 7) % CALCULATIONS, session, level),
        )
    extra, more = calculation - baseline, hit - alone
    return [
        Figure(
            f"calculation (extra {extra:.1f} ms)",
            calculation,
            baseline,
            "ms",
            "bare PySCF, water HF/STO-3G",
            "under 20 ms extra",
            extra < 20,
        ),
        Figure(
            f"cache hit with its run's record (extra {more:.1f} ms)",
            hit,
            alone,
            "ms",
            "look-up alone",
            "under 3 ms extra",
            more < 3,
        ),
    ]


def recall(store: str) -> Figure:
    """Measure the look-up of one calculation alone, without the record of a run."""
    from grafico import ConceptualAtoms
    from ogm import KnowledgeGraph
    from ontologies.level import LevelOfTheory
    from triplestore import open_store
    from workflows.dft.properties.energy import single_point
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
    return below("cache hit alone", ours, 5, "ms", "empty query", bare)


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
            [
                *grafico,
                "run",
                "--store",
                store,
                "--method",
                "HF",
                "--basis",
                "STO-3G",
                "examples/water.xyz",
            ],
            2000.0,
        ),
    }
    figures: list[Figure] = []
    for name, (command, limit) in commands.items():
        start(command)
        ours, empty = in_turn(
            STARTS, lambda _, c=command: start(c), lambda _: start([sys.executable, "-c", ""])
        )
        figures.append(below(name, ours, limit, "ms", "empty Python program", empty))
    return figures
