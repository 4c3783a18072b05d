"""``python -m evals.estimates``: how far estimated times are off, before and after learning.

Molecules are computed at several levels. Then half of them, drawn by chance, are the past from
which estimates for the others are learnt, many times; and once for each level all others are. What
a calculation was estimated to take, from nothing and by what was learnt, is set beside what it
took. All is kept in a store, so that a run that was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grafico import Grafico
from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.provenance import Activity
from workflows.dft.request.molecule_cost import MoleculeCost, corrected
from workflows.engine.request.cost import Granted
from workflows.engine.request.measured import Measured, Took
from workflows.registry.levels import offered

MOLECULES = (
    "CO", "CF", "CC", "CCO", "CC=C", "CC(C)=O", "CN(C)C=O", "c1ccccc1", "c1ccncc1", "CC(=O)O",
    "NC=O", "CCF", "CCC", "c1ccoc1", "NCC(=O)O", "c1ccsc1", "CN", "CC#N", "NC(N)=O", "CCCC",
)  # fmt: skip

"""Each of another composition, by which the halves are told apart."""

LARGER = (
    "CC(=O)Oc1ccccc1C(=O)O",
    "CC(=O)Nc1ccc(O)cc1",
    "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
    "CN1CCCC1c1cccnc1",
    "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
    "OCC1OC(O)C(O)C(O)C1O",
    "CC1(C)C2CCC1(C)C(=O)C2",
    "CC(C)C1CCC(C)CC1O",
    "COc1cc(C=O)ccc1O",
    "CCCCCCCCCCCC",
    "c1ccc2cc3ccccc3cc2c1",
    "CC12CCC3C(C1CCC2O)CCC4=CC(=O)CCC34C",
)
"""For tight binding, which takes no time for the others."""

ASKED: tuple[tuple[Sequence[str], dict[str, Any]], ...] = (
    (LARGER, {"method": "GFN2-xTB", "task": "frequencies"}),
    (MOLECULES, {"method": "HF", "basis": "STO-3G", "task": "frequencies"}),
    (
        MOLECULES[:9],
        {"method": "PBE", "basis": "def2-SVP", "density_fitting": True, "task": "optimise"},
    ),
    (MOLECULES[:9], {"method": "B3LYP", "basis": "def2-SVP", "task": "energy"}),
)

SPLITS, SEED = 50, 1
STAGES = {"energy": "energy", "optimise": "optimise", "frequencies": "frequencies"}


@dataclass(frozen=True)
class Timed:
    """A request that was computed.

    Attributes:
        subject: of which molecule.
        part: what was priced.
        seconds: that its calculations took.
        threads: that they had.
    """

    subject: str
    part: MoleculeCost
    seconds: float
    threads: int


class Half(Measured):
    """Answers from some calculations alone.

    Args:
        kg: the store.
        known: tells which.
    """

    def __init__(self, kg: KnowledgeGraph, known: Callable[[ConceptualAtoms, Level], bool]) -> None:
        super().__init__(kg)
        self._tells = known

    def of(self, calculation: str, level: str) -> tuple[Took, ...]:
        return tuple(one for one in super().of(calculation, level) if self._among(one))

    def _among(self, took: Took) -> bool:
        atoms = next(one for one in took.used if isinstance(one, ConceptualAtoms))
        level = next(one for one in took.used if isinstance(one, Level))
        return self._tells(atoms, level)


@dataclass(frozen=True)
class Off:
    """How far estimates were off.

    Attributes:
        median: the factor that half of them were off by at most, either way.
        most: the factor that nine of ten were.
        stated: the median of the factors that were stated.
        within: the share that was off by less than was stated.
        number: of estimates.
    """

    median: float
    most: float
    stated: float
    within: float
    number: int


def off(estimates: Sequence[tuple[float, float, float]]) -> Off:
    """Return how far estimates were off: each as estimate, stated factor and measured time."""
    far = sorted(abs(math.log(thought / took)) for thought, _, took in estimates)
    within = [abs(math.log(thought / took)) <= math.log(f) for thought, f, took in estimates]
    return Off(
        math.exp(statistics.median(far)),
        math.exp(far[math.ceil(0.9 * len(far)) - 1]),
        statistics.median(f for _, f, _ in estimates),
        sum(within) / len(within),
        len(far),
    )


def timed(session: Grafico, subjects: Sequence[str], asked: dict[str, Any]) -> Iterator[Timed]:
    """Compute molecules at a level, and iterate over what each took."""
    for subject in subjects:
        ready = session.wait_for(lambda s=subject: session.prepare_async(s, **asked))
        (part,) = ready.prepared.costs
        assert isinstance(part, MoleculeCost)
        answers = session.run(subject, **asked).answers
        names = {offered(part.level).calculation(name).name for name in STAGES}
        done = [one.activity for one in answers if one.activity.calculation in names]
        assert all(isinstance(one, Activity) for one in done)
        yield Timed(subject, part, sum(one.wall_time for one in done), done[0].threads)


def estimates(
    tests: Sequence[Timed], measured: Measured | None
) -> Iterator[tuple[float, float, float]]:
    """Iterate over estimates, the factors that they state, and what was measured."""
    for one in tests:
        granted = Granted(one.threads, measured=measured)
        thought = offered(one.part.level).cost(
            one.part.atoms, one.part.level, one.part.request, granted
        )
        told = corrected(one.part, thought, granted)
        yield told.seconds, told.factor, one.seconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how far estimates are off, before and after; see the module."""
    parser = argparse.ArgumentParser(prog="python -m evals.estimates", description=__doc__)
    parser.add_argument("--store", type=Path, default=Path("estimates-store"))
    parser.add_argument(
        "--molecules", type=int, default=len(MOLECULES), help="the first so many alone"
    )
    parser.add_argument("--json", action="store_true", dest="as_json")
    said = parser.parse_args(arguments)
    chance = random.Random(SEED)
    table: dict[str, dict[str, Off]] = {}
    with Grafico(said.store, threads_per_calculation=1) as session:
        for subjects, asked in ASKED:
            kind = list(timed(session, subjects[: said.molecules], asked))
            formulas = [one.part.atoms.formula for one in kind]
            assert len(set(formulas)) == len(formulas)
            learnt: list[tuple[float, float, float]] = []
            for _ in range(SPLITS):
                past = set(chance.sample(formulas, len(formulas) // 2))
                half = Half(session.kg, lambda atoms, _, past=past: atoms.formula in past)
                tests = [one for one in kind if one.part.atoms.formula not in past]
                learnt += estimates(tests, half)
            own = kind[0].part.level.iri
            others = Half(session.kg, lambda _, at, own=own: at.iri != own)
            name = " ".join(str(value) for value in asked.values() if value is not True)
            table[name] = {
                "from nothing": off(list(estimates(kind, None))),
                "from other levels": off(list(estimates(kind, others))),
                "from half of the molecules": off(learnt),
            }
    if said.as_json:
        print(json.dumps({k: {n: vars(o) for n, o in v.items()} for k, v in table.items()}))
        return 0
    for name, rows in table.items():
        print(name)
        for how, one in rows.items():
            print(
                f"  {how:27} half within {one.median:.2f}, nine of ten within {one.most:.2f}; "
                f"stated {one.stated:.2f}, held by {one.within:.0%} of {one.number}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
