"""Relative energies of published conformers: ``python -m evals --cases conformer_energies``.

At the geometries of ACONF and BUT14DIOL of GMTKN55, each relative energy is computed and compared
with its reference. The profile `small` takes GFN2-xTB, `full` wB97X-D4/def2-TZVPD with fitted
integrals and PySCF's grid 1: the SCF alone, which gives the same numbers without the look for
instabilities that may take twice as long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic_evals import Case, Dataset, set_eval_attribute
from pydantic_evals.evaluators import Evaluator, EvaluatorContext

from evals.sets import Profile
from evals.validation.laboratory import At, Laboratory
from evals.validation.level import Level
from evals.validation.published_conformers import Pair, geometries, pairs
from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import solve

KCAL = HARTREE["kcal/mol"]
SETS = ("ACONF", "BUT14DIOL")
LEVELS = {
    "small": Level("GFN2-xTB", ""),
    "full": Level("wB97X-D4", "def2-TZVPD", {"density_fitting": True, "grid_level": 1}),
}
LIMITS = {"small": {"ACONF": 0.6, "BUT14DIOL": 4.0}, "full": {"ACONF": 0.3, "BUT14DIOL": 0.25}}
"""kcal/mol by which an energy may be off: a little more than was found, see docs/conformers.md."""


@dataclass(frozen=True)
class Relative:
    """A relative energy that is asked for.

    Attributes:
        topic: the collection.
        pair: the conformers and the energy in between, kcal/mol.
        theory: its level.
        within: kcal/mol by which it may be off.
    """

    topic: str
    pair: Pair
    theory: Level
    within: float


@dataclass(repr=False)
class Near(Evaluator[Relative, float, Relative]):
    """The energy is as near to the reference as allowed."""

    def evaluate(self, ctx: EvaluatorContext[Relative, float, Relative]) -> bool:
        return abs(ctx.output) <= ctx.inputs.within


def dataset(profile: Profile) -> Dataset[Relative, float, Relative]:
    """Return a case for each relative energy."""
    wanted = [
        Relative(name, pair, LEVELS[profile], LIMITS[profile][name])
        for name in SETS
        for pair in pairs(name)
    ]
    cases = [
        Case(name=f"{one.topic} {one.pair.low} → {one.pair.high}", inputs=one, metadata=one)
        for one in wanted
    ]
    return Dataset(name="conformer energies", cases=cases, evaluators=[Near()])


def task(session: Grafico, model: object = "") -> Callable[[Relative], float]:
    """Return what computes by how much an energy is above its reference, in kcal/mol."""
    laboratory = Laboratory(session)

    @cache
    def energy(name: str, collection: str, tight: bool) -> float:
        at = At(laboratory, LEVELS["small" if tight else "full"])
        atoms = geometries(collection)[name]
        return at.tight_point(atoms).energy if tight else bare_energy(at, atoms)

    def deviation(asked: Relative) -> float:
        pair, tight = asked.pair, not asked.theory.basis
        low, high = (energy(name, asked.topic, tight) for name in (pair.low, pair.high))
        found = (high - low) * KCAL
        off = found - pair.energy
        set_eval_attribute("progress", f"{found:.3f} for {pair.energy:.3f} kcal/mol, {off:+.3f}")
        metrics = {"deviation": off, "absolute deviation": abs(off)}
        set_eval_attribute("metrics", metrics)
        return off

    return deviation


def bare_energy(at: At, atoms: ConceptualAtoms) -> float:
    """Return the energy at a geometry in Eh by the SCF alone, kept nowhere."""
    level = at.level(atoms)
    mf: Any = mean_field(molecule(atoms, level), level)
    mf.verbose = 0
    return float(solve(mf, atoms, level).e_tot)
