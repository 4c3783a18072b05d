"""How many conformers of flexible molecules are found: ``python -m evals --cases conformers``.

For each molecule the conformers at GFN2-xTB are looked for as `grafico conformers` does, once
for each seed. What there is to be found, up to a window above the lowest, are the
conformers that any of these led to: every combination of the angles of all rotors, relaxed at
GFN2-xTB from where a force field leaves them with the rotors held; 400 embedded starts of another
seed; published geometries of GMTKN55 where there are some; and what the seeds themselves found.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_evals import Case, Dataset, set_eval_attribute
from pydantic_evals.evaluators import Evaluator, EvaluatorContext

from evals.sets import Profile
from evals.validation.published_conformers import geometries
from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerCandidates, SamenessThresholds
from ontologies.connectivity import changes
from ontologies.factors import HARTREE
from ontologies.tightbinding import TightBindingOptimisation
from triplestore.errors import GraficoError
from workflows.conformer.candidates import candidates
from workflows.conformer.fields import ForceField
from workflows.conformer.metadynamics import metadynamics
from workflows.conformer.numbering import numbered, with_positions
from workflows.conformer.rotors import grid, rotors, turned
from workflows.conformer.sameness import groups
from workflows.molecule.embedding import embed, force_field
from workflows.programs.xtb import XTB
from workflows.tightbinding.calculations import optimise
from workflows.tightbinding.levels import resolve_level

KCAL = HARTREE["kcal/mol"]

MOLECULES = {
    "pentane": "CCCCC",
    "hexane": "CCCCCC",
    "1-butanol": "CCCCO",
    "ethylene glycol": "OCCO",
    "1,3-propanediol": "OCCCO",
    "1,4-butanediol": "OCCCCO",
    "propylamine": "CCCN",
    "glycine": "NCC(=O)O",
    "β-alanine": "NCCC(=O)O",
    "butanoic acid": "CCCC(=O)O",
    "diethyl ether": "CCOCC",
    "1,2-dimethoxyethane": "COCCOC",
    "methylcyclohexane": "CC1CCCCC1",
    "cycloheptane": "C1CCCCCC1",
    "cyclooctane": "C1CCCCCCC1",
}

PUBLISHED = {
    "CCCCC": ("ACONF", "P_"),
    "CCCCCC": ("ACONF", "H_"),
    "OCCCCO": ("BUT14DIOL", "B"),
}
"""Collection of published geometries, and how their names begin."""

MANY, OTHER_SEED, WIDE = 400, 2026, 20.0
"""Embedded starts of the reference, their seed, and kcal/mol up to which they are relaxed."""

MOST_POINTS = 800


@dataclass
class Search:
    """The conformers of one molecule; each start is relaxed once.

    Attributes:
        atoms: a geometry.
        smiles: its bonds.
    """

    atoms: ConceptualAtoms
    smiles: str

    def relaxed(self, starts: Sequence[ConceptualAtoms]) -> list[TightBindingOptimisation]:
        """Return what starts become, those that are still the molecule."""
        level, done = resolve_level("GFN2-xTB").level, list[TightBindingOptimisation]()
        for start in starts:
            try:
                one = optimise(start, level, 300)
            except GraficoError as error:
                print(f"{self.smiles}: {error}", file=sys.stderr)
                continue
            if not changes(self.atoms, one.atoms):
                done.append(one)
        return self.apart(done)

    def apart(self, found: Sequence[TightBindingOptimisation]) -> list[TightBindingOptimisation]:
        """Return conformers, each once, of lowest energy first."""
        places = self._groups(found)
        return [found[group[0]] for group in places]

    def _groups(self, found: Sequence[TightBindingOptimisation]) -> list[list[int]]:
        structures, energies = [one.atoms for one in found], [one.energy for one in found]
        return groups(structures, energies, SamenessThresholds(), self.smiles)

    def recalled(
        self,
        found: Sequence[TightBindingOptimisation],
        reference: Sequence[TightBindingOptimisation],
        window: float,
    ) -> tuple[int, int]:
        """Return how many of the reference were found, and of how many, up to kcal/mol."""
        together = [*reference, *found]
        low = min(one.energy for one in together)
        near = [
            group
            for group in self._groups(together)
            if (together[group[0]].energy - low) * KCAL <= window
        ]
        return sum(any(place >= len(reference) for place in group) for group in near), len(near)

    def reference_starts(self) -> Iterator[ConceptualAtoms]:
        """Yield the geometries from which all that there is should be found."""
        mol: Any = numbered(self.atoms, self.smiles)
        found = rotors(mol)
        name = force_field(mol)
        field = ForceField(mol, name)
        held: list[tuple[float, ConceptualAtoms]] = []
        for angles in grid(found, MOST_POINTS) if found else []:
            shape = turned(with_positions(mol, self.atoms.positions), found, angles)
            energy, positions = field.relaxed(shape, found, angles)
            held.append((energy / KCAL, self.atoms.moved_to(positions)))
        apart = SamenessThresholds(energy_gap=0.05 / KCAL, deviation=0.1, rotation=0.01)
        structures = [one for _, one in held]
        alike = groups(structures, [energy for energy, _ in held], apart, self.smiles)
        yield from (structures[group[0]] for group in alike)
        yield from candidates(self.atoms, self.smiles, MANY, OTHER_SEED, WIDE).structures
        collection, prefix = PUBLISHED.get(self.smiles, ("", ""))
        for name, one in geometries(collection).items() if collection else ():
            if name.startswith(prefix):
                mol = numbered(one, self.smiles)
                same = numbered(self.atoms, self.smiles).GetSubstructMatch(mol)
                positions = self.atoms.positions.copy()
                positions[list(same)] = one.positions
                yield self.atoms.moved_to(positions)


def by_embedding(atoms: ConceptualAtoms, smiles: str, seed: int) -> ConformerCandidates:
    """Return geometries as `grafico conformers --sampler embedding` makes them."""
    return candidates(atoms, smiles, 200, seed)


def by_metadynamics(atoms: ConceptualAtoms, smiles: str, seed: int) -> ConformerCandidates:
    """Return geometries as `grafico conformers --sampler metadynamics` makes them."""
    return metadynamics(atoms, XTB.required("metadynamics was asked for"), seed=seed)


SAMPLERS = {"embedding": by_embedding, "metadynamics": by_metadynamics}


Counts = dict[float, list[tuple[int, int]]]
"""What each seed found, and of how many, by window."""


@dataclass(frozen=True)
class Sought:
    """A molecule whose conformers are looked for.

    Attributes:
        topic: the sampler.
        smiles: of the molecule.
        seeds: of the sampler.
        windows: kcal/mol above the lowest.
    """

    topic: str
    smiles: str
    seeds: tuple[int, ...]
    windows: tuple[float, ...]


@dataclass(repr=False)
class Found(Evaluator[Sought, Counts, Sought]):
    """How many of the conformers of each window its worst seed finds."""

    def evaluate(self, ctx: EvaluatorContext[Sought, Counts, Sought]) -> dict[str, float]:
        return {
            f"found up to {window:g} kcal/mol": min(one / max(1, of) for one, of in counts)
            for window, counts in ctx.output.items()
        }


def dataset(profile: Profile) -> Dataset[Sought, Counts, Sought]:
    """Return the molecules; `full` has three seeds, a wider window, and metadynamics, too."""
    cases: list[Case[Sought, Counts, Sought]] = []
    for sampler in SAMPLERS if profile == "full" else ["embedding"]:
        for name, smiles in MOLECULES.items():
            seeds, windows = ((1,), (3.0,)) if profile == "small" else ((1, 2, 3), (3.0, 6.0))
            asked = Sought(sampler, smiles, seeds, windows)
            title = name if sampler == "embedding" else f"{name} by {sampler}"
            cases.append(Case(name=title, inputs=asked, metadata=asked))
    return Dataset(name="conformers", cases=cases, evaluators=[Found()])


def task(session: object = None, model: object = "") -> Callable[[Sought], Counts]:
    """Return what looks for the conformers of a molecule."""
    return judged


def judged(asked: Sought) -> Counts:
    """Return what each seed found of what there is, and say what it took."""
    made = embed(asked.smiles, "smiles")
    search = Search(made.atoms, made.smiles)
    found: list[list[TightBindingOptimisation]] = []
    starts: list[int] = []
    seconds: list[float] = []
    for seed in asked.seeds:
        began = sum(os.times()[:4])
        sampled = SAMPLERS[asked.topic](search.atoms, search.smiles, seed).structures
        found.append(search.relaxed(sampled))
        starts.append(len(sampled))
        seconds.append(sum(os.times()[:4]) - began)  # of programs of their own, too
    others = search.relaxed(list(search.reference_starts()))
    every = search.apart([*others, *(one for each in found for one in each)])
    counts = {
        window: [search.recalled(each, every, window) for each in found] for window in asked.windows
    }
    cells = [
        f"{_range([one for one, _ in each])} of {each[0][1]} up to {window:g} kcal/mol"
        for window, each in counts.items()
    ]
    cpu = _range([round(one) for one in seconds])
    told = f"{', '.join(cells)}; {_range(starts)} relaxed, {cpu} CPU s a seed"
    set_eval_attribute("progress", told)
    return counts


def _range(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low}–{high}"
