"""What the engine costs around a calculation: its overhead, a cache hit, the start of a command."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pyscf import gto, scf

from grafico import ConceptualAtoms, Grafico
from ogm import KnowledgeGraph
from ontologies.level import LevelOfTheory
from ontologies.quantum import SinglePoint
from triplestore import open_store
from workflows.dft.properties.energy import single_point
from workflows.engine import Call, Executor

from .figures import Figure, below, in_turn, more, say

CALCULATIONS, HITS, STARTS = 20, 50, 7

COMMANDS = {
    "grafico --help": ("--help", 400.0),
    "grafico query": ("query --store {store} ASK{{}}", 1000.0),
    "grafico run, remembered": (
        "run --store {store} --method HF --basis STO-3G examples/water.xyz", 2000.0,
    ),
}  # fmt: skip
"""Whole commands, and how many ms they may take."""


def measure(folder: Path) -> Iterator[Figure]:
    """Measure calculations, their look-up, and whole commands."""
    store = str(folder / "calculations")
    say("calculation: overhead, cache hits and start-up, about half a minute…")
    yield from overhead(store)
    yield recall(store)
    yield from start_up(store)


def water(step: int) -> ConceptualAtoms:
    """Return water in a shape of its own."""
    places = [[0, 0, 0.1 + 0.001 * step], [0, 0.757, -0.469], [0, -0.757, -0.469]]
    return ConceptualAtoms(numbers=[8, 1, 1], positions=places)


def overhead(store: str) -> Iterator[Figure]:
    """Measure a calculation and a cache hit against the bare PySCF call in a warm process."""

    def bare(step: int) -> None:
        atoms = water(step)
        places = list(zip(atoms.symbols, atoms.positions.tolist(), strict=True))
        mf = scf.RHF(gto.M(atom=places, basis="sto-3g", verbose=0))
        mf.kernel()
        mf.mulliken_pop(verbose=0)
        mf.dip_moment(verbose=0)

    def ours(step: int, session: Grafico) -> None:
        session.run(water(step), method="HF", basis="STO-3G")

    with Grafico(store, threads_per_calculation=1) as session:
        for step in (-1, -2, -3):
            ours(step, session)
            bare(step)
        calculation, baseline = in_turn(CALCULATIONS, lambda i: ours(i, session), bare)
    yield more("calculation", calculation, baseline, 20, "ms", "bare PySCF, water HF/STO-3G")
    with Grafico(store, threads_per_calculation=1) as session:
        ours(0, session)
        [level] = session.kg.find(LevelOfTheory)

        def look_up(step: int) -> None:
            session.wait_for(lambda: session.executor.run(call(step + 7, level)))

        hit, alone = in_turn(HITS, lambda i: ours(i % CALCULATIONS, session), look_up)
    yield more("cache hit with its run's record", hit, alone, 3, "ms", "look-up alone")


def call(step: int, level: LevelOfTheory) -> Call[SinglePoint]:
    """Return the call of one of the calculations."""
    return single_point.bind(water(step % CALCULATIONS), level)


def recall(store: str) -> Figure:
    """Measure the look-up of one calculation alone, without the record of a run."""
    with open_store(store) as opened:
        level = KnowledgeGraph(opened).find(LevelOfTheory)[0]

        def hit(step: int) -> None:
            assert Executor(KnowledgeGraph(opened)).recall(call(step, level)) is not None

        ours, bare = in_turn(HITS, hit, lambda _: opened.query("ASK {}") and None)
    return below("cache hit alone", ours, 5, "ms", "empty query", bare)


def start(arguments: Sequence[str]) -> None:
    """Let Python run a program to its end, without looking at it meanwhile."""
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def start_up(store: str) -> Iterator[Figure]:
    """Measure whole commands against an empty Python program."""
    for name, (words, limit) in COMMANDS.items():
        command = ["-m", "grafico", *words.format(store=store).split()]
        start(command)
        ours, empty = in_turn(
            STARTS, lambda _, command=command: start(command), lambda _: start(["-c", ""])
        )
        yield below(name, ours, limit, "ms", "empty Python program", empty)
