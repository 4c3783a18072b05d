"""Barriers over transition states that are searched, verified and followed down to both ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from ontologies.transition import ReactionBarrier

from . import structures as s
from .entries import Entry
from .laboratory import At
from .level import Level
from .psi4 import Job
from .sources import AMMONIA, BHROT, DBH

KIND = "barriers"
KCAL = HARTREE["kcal/mol"]

# Guesses of transition states, made by hand
CYANIDE = s.read("C 0 0 0\nN 0 0 1.17\nH 1.15 0 0.5")
NEARLY_FLAT = s.read("N 0 0 0.02\nH 1 0 0\nH -0.5 0.866 0\nH -0.5 -0.866 0")
ECLIPSED = s.read(
    "C 0 0 0.765\nC 0 0 -0.765\nH 1.02 0 1.13\nH -0.51 0.883 1.13\nH -0.51 -0.883 1.13\n"
    "H 1.02 0.03 -1.13\nH -0.51 0.9 -1.13\nH -0.51 -0.87 -1.13"
)
METHANOL_ECLIPSED = s.read(
    "C -0.0467 0.6644 0\nO -0.0467 -0.7585 0\nH -1.0870 0.9767 0\nH 0.4365 1.0733 0.8906\n"
    "H 0.4365 1.0733 -0.8906\nH -0.9658 -1.0555 0.03"
)

# Psi4 follows no path: it is given minima too; and a flat ammonia, since from 0.02 Å beside the
# plane its search (1.3.2) ends the program
CYANIDE_AT_CARBON = s.read("C 0 0 0\nN 0 0 1.15\nH 0 0 -1.07")
CYANIDE_AT_NITROGEN = s.read("C 0 0 0\nN 0 0 1.17\nH 0 0 2.17")
PLANAR = s.read("N 0 0 0\nH 1 0 0\nH -0.5 0.8660254 0\nH -0.5 -0.8660254 0")

FITTED = Level("M06-2X", "def2-SVP", {"density_fitting": True})
SPLIT = Level("HF", "6-31G*", {"cartesian": True})

FUNCTIONAL = "usual error of the functional, and of so small a basis set"
ROTATION = "correlation is missing, and so small a basis set"
SEARCHES = "thresholds of both optimisations"


@dataclass(frozen=True)
class Crossing:
    """A barrier that is published.

    Attributes:
        reaction: what happens, in words.
        guess: a geometry near the transition state.
        value: in kcal/mol, electronic energies alone.
        source: of the value.
        reverse: whether it is counted from the higher end.
        level: of theory.
        allowed: in kcal/mol.
        why: the reason for that much.
    """

    reaction: str
    guess: ConceptualAtoms
    value: float
    source: str
    reverse: bool = False
    level: Level = FITTED
    allowed: float = 4.0
    why: str = FUNCTIONAL


CROSSINGS = (
    Crossing("HCN → HNC", CYANIDE, 48.14, DBH),
    Crossing("HNC → HCN", CYANIDE, 32.92, DBH, reverse=True),
    Crossing("NH3, inversion", NEARLY_FLAT, 5.24, AMMONIA),
    Crossing("C2H6, rotation", ECLIPSED, 2.73, BHROT, level=SPLIT, allowed=0.6, why=ROTATION),
    Crossing(
        "CH3OH, rotation", METHANOL_ECLIPSED, 1.01, BHROT, level=SPLIT, allowed=0.6, why=ROTATION
    ),
)


def entries() -> Iterator[Entry]:
    """Return the entries of this kind."""
    for one in CROSSINGS:
        yield Entry(
            KIND,
            one.reaction,
            "barrier",
            "kcal/mol",
            one.level,
            lambda at, one=one: barrier(at, one.guess, one.reverse).energy_barrier * KCAL,
            one.value,
            one.allowed,
            one.why,
            one.source,
        )
    yield from _searched()


def barrier(at: At, guess: ConceptualAtoms, reverse: bool = False) -> ReactionBarrier:
    """Return the barrier that the workflow finds from a guess."""
    done = at.laboratory.session.run(
        guess,
        workflow="transition",
        method=at.named.method,
        basis=at.named.basis,
        convergence="tight",
        **at.named.options,
    )
    at.laboratory.computed += not done.reused
    [found] = [one for one in done.barriers if one.reverse == reverse]
    return found


def _searched() -> Iterator[Entry]:
    """Psi4 searches its own saddle points and minima, without a path."""
    top = _job(CYANIDE, "saddle", "vibrations")
    ends = _job(CYANIDE_AT_CARBON, "relaxed", "vibrations"), _job(CYANIDE_AT_NITROGEN, "relaxed")
    flat, pyramid = _job(PLANAR, "saddle"), _job(s.AMMONIA, "relaxed")
    for reaction, guess, saddle, minimum, reverse in (
        ("HCN → HNC", CYANIDE, top, ends[0], False),
        ("HNC → HCN", CYANIDE, top, ends[1], True),
        ("NH3, inversion", NEARLY_FLAT, flat, pyramid, False),
    ):
        yield _entry(
            reaction,
            "barrier",
            "kcal/mol",
            lambda at, guess=guess, reverse=reverse: (
                barrier(at, guess, reverse).energy_barrier * KCAL
            ),
            lambda saddle=saddle, minimum=minimum: (
                (saddle.run()["saddle"] - minimum.run()["minimum"]) * KCAL
            ),
            0.002,
        )
    yield _entry(
        "HCN → HNC",
        "imaginary wavenumber",
        "cm⁻¹",
        lambda at: barrier(at, CYANIDE).reaction_path.transition_state.wavenumber,
        lambda: min(top.run()["wavenumbers"]),
        1.0,
    )
    yield _entry(
        "HCN → HNC",
        "Gibbs energy of activation at 298.15 K, 1 atm",
        "kcal/mol",
        lambda at: barrier(at, CYANIDE).gibbs_barrier * KCAL,
        lambda: (_gibbs(top) - _gibbs(ends[0])) * KCAL,
        0.005,
    )


def _entry(
    reaction: str,
    quantity: str,
    unit: str,
    ours: Callable[[At], float],
    theirs: Callable[[], float],
    allowed: float,
) -> Entry:
    return Entry(
        KIND,
        reaction,
        quantity,
        unit,
        SPLIT,
        ours,
        theirs,
        allowed,
        SEARCHES,
        "Psi4, run beside",
    )


def _job(atoms: ConceptualAtoms, *more: str) -> Job:
    return Job(atoms, "hf", "6-31G*", more, cartesian=True)


def _gibbs(job: Job) -> float:
    return job.run()["heat"]["298.15"]["GIBBS FREE ENERGY"]
