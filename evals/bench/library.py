"""A library of small molecules through ``grafico batch``, beside the same functions called bare.

Both are whole programs on all cores; each does the first tenth and then, in a new store, the whole,
so that what a molecule takes is told apart from what a start takes. ``python -m evals.bench.library
NUMBER`` prints molecules.
"""

from __future__ import annotations

import csv
import itertools
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from workflows.engine.local.devices import usable_cores

from .figures import Figure, below, more, say, shown
from .programs import Taken, run

MOLECULES = 1000
METHOD = "GFN2-xTB"
OVERHEAD = 5.0  # ms
AGAIN = 5.0  # s
SAME = 1e-8  # Eh
SEED = 7

CORES = (
    "C({0}){1}", "C({0})C{1}", "C=C({0}){1}", "C({0})CC{1}", "C1CC1({0}){1}", "C({0})OC{1}",
    "C({0})=NC{1}", "C1CCC1({0}){1}", "C1C({0})CC1{1}", "c1cc({0})oc1{1}", "c1cc({0})[nH]c1{1}",
    "c1cc({0})sc1{1}", "C1CC({0})OC1{1}", "c1c({0})cccc1{1}", "c1cc({0})ccc1{1}",
    "c1nc({0})ccc1{1}", "c1nc({0})ncc1{1}", "C1CCCCC1({0}){1}", "O=C1C({0})CCC1{1}",
    "C({0})C#CC{1}", "C({0})C(=O)N{1}", "C({0})S(=O)(=O)C{1}",
)  # fmt: skip
"""Chains and rings with two places."""

GROUPS = (
    "[H]", "C", "CC", "C(C)C", "C3CC3", "O", "OC", "CO", "N", "NC", "N(C)C", "F", "Cl", "C#N",
    "C=O", "C(C)=O", "C(=O)O", "C(=O)OC", "C(N)=O", "C(F)(F)F", "S", "SC", "C=C", "C#C",
    "[N+](=O)[O-]", "c3ccccc3", "c3ccncc3", "N3CCOCC3", "CCO", "CCN", "COC", "OC(F)F",
)  # fmt: skip


def library(number: int) -> list[str]:
    """Return SMILES of small molecules, each once; there are some 13,000."""
    from workflows.molecule.notation import canonical

    ways = list(itertools.product(CORES, GROUPS, GROUPS))
    random.Random(SEED).shuffle(ways)
    known: dict[str, None] = {}
    for core, *two in ways:
        if len(known) == number:
            break
        text = core.format(*two)
        known[canonical(text, text)] = None
    return list(known)


def measure(folder: Path, number: int = MOLECULES) -> Iterator[Figure]:
    """Compute a library twice, and then again what is remembered.

    Args:
        folder: for files and stores.
        number: of molecules.
    """
    say(f"library: {number:,} molecules with and without Grafico, a few minutes…")
    cores = usable_cores()
    smiles = library(number)
    few = number // 10
    bare: list[Taken] = []
    ours: list[Taken] = []
    for size in (few, number):
        source = folder / f"library-{size}.smi"
        source.write_text("".join(f"{one} {at}\n" for at, one in enumerate(smiles[:size], 1)))
        program = ["-m", "evals.bench.bare_library", str(source), METHOD, str(cores)]
        bare.append(run([*program, str(folder / "energies.json")]))
        ours.append(run(*batch(folder, size, "table.csv")))
    mine, theirs = (
        (two.processor - one.processor) / (number - few) * 1e3 for one, two in (ours, bare)
    )
    what, against = f"library of {number:,}", "embedding and tblite alone"
    whole, plain = ours[1], bare[1]
    yield shown(what, whole.whole, plain.whole, "s", against)
    yield more("processor time a molecule", mine, theirs, OVERHEAD, "ms", against)
    busy, alone = (one.processor / one.whole / cores * 100 for one in (whole, plain))
    yield shown("cores busy, from start to end", busy, alone, "%", against)
    few_memory, than = ours[0].memory, f"{few:,} molecules"
    yield shown("most memory of a process", whole.memory, few_memory, "MB", than)
    again = run(*batch(folder, number, "again.csv"))
    yield below(f"{what} that is remembered", again.whole, AGAIN, "s", "no limit", None)
    energies: list[float] = json.loads((folder / "energies.json").read_text())
    apart = max(
        abs(one - other) for one, other in zip(told(folder / "table.csv"), energies, strict=True)
    )
    yield below("energies, largest difference", apart, SAME, "Eh", against, None)


def batch(folder: Path, size: int, table: str) -> tuple[list[str], Path]:
    """Return the arguments of Python for a batch of a library, and the folder of its store."""
    store = folder / f"store-{size}"
    return [
        "-m", "grafico", "batch", str(folder / f"library-{size}.smi"), "--method", METHOD,
        "-t", "1", "--quiet", "--force", "--store", str(store), "-o", str(folder / table),
    ], store  # fmt: skip


def told(table: Path) -> list[float]:
    """Return the energies of a table, in Eh."""
    with table.open(newline="") as file:
        return [float(row["energy_Eh"]) for row in csv.DictReader(file)]


if __name__ == "__main__":
    print("\n".join(library(int(sys.argv[1]))))
