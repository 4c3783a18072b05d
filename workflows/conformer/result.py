"""What Python and JSON are handed of an ensemble."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import Conformer, ConformerEnsemble
from ontologies.factors import HARTREE
from ontologies.quantum import EnergyResult
from triplestore.errors import NotFoundError
from workflows.engine.request.workflow import Finished
from workflows.show.displayed_run import DisplayedRun
from workflows.show.run_blocks import RunSummary

from .weights import average, told

KCAL, KJ = HARTREE["kcal/mol"], HARTREE["kJ/mol"]


@dataclass(frozen=True)
class Conformers(DisplayedRun):
    """The conformers of a molecule.

    Attributes:
        run: IRI of the run.
        status: `finished`, or `goal unmet` where conformers failed.
        message: in words.
        ensemble: as it is stored.
        summary: the run as views see it.
        reused: whether everything was remembered and nothing computed.
        results: what each conformer came to, in their order.
    """

    run: str
    status: str
    message: str
    ensemble: ConformerEnsemble
    summary: RunSummary
    reused: bool
    results: tuple[EnergyResult, ...]

    @classmethod
    def of(cls, done: Finished) -> Conformers:
        """Return what a run of the graph came to."""
        found: ConformerEnsemble = done.state.ensemble
        links = [one.result.iri for one in found.conformers]
        results = done.ready.executor.kg.pull_all(EnergyResult, links)
        # It is about the molecule: what was refined would be shown beside what it became.
        summary = replace(done.ran, about=(found.lowest.atoms, found.level))
        return cls(done.run, done.status, done.message, found, summary, done.reused, tuple(results))

    @property
    def ran(self) -> RunSummary:
        """The run as views see it."""
        return self.summary

    @property
    def conformers(self) -> tuple[Conformer, ...]:
        """The conformers, of lowest energy first."""
        return self.ensemble.conformers

    def __len__(self) -> int:
        """Return how many conformers there are."""
        return len(self.conformers)

    def __iter__(self) -> Iterator[Conformer]:
        """Iterate over the conformers, of lowest energy first."""
        return iter(self.conformers)

    def __getitem__(self, number: int) -> Conformer:
        """Return a conformer, counted from 0."""
        return self.conformers[number]

    @property
    def atoms(self) -> ConceptualAtoms:
        """The geometry of the lowest conformer."""
        return self.ensemble.lowest.atoms

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was assumed and what to know, each once."""
        return tuple(dict.fromkeys((*self.ran.remarks, *told(self.ensemble))))

    def average(self, name: str) -> float:
        """Return the mean of a quantity of the results over the conformers, by their weights.

        Args:
            name: of a number of the results, such as `energy` or `homo`; of a vector such as
                `dipole` its length is taken, as conformers stand in frames of their own.

        Returns:
            In the unit of the quantity.

        Raises:
            NotFoundError: a result has no such number.
        """
        values = [_number(one, name) for one in self.results]
        return average(values, [one.weight for one in self.conformers])

    def as_json(self) -> dict[str, Any]:
        """Return the ensemble as JSON can hold it; units stand in the names."""
        found = self.ensemble
        low = found.lowest.energy
        return {
            "run": self.run,
            "status": self.status,
            "message": self.message,
            "remarks": list(self.remarks),
            "reused": self.reused,
            "iri": found.iri,
            "molecule": found.molecule.iri,
            "smiles": found.smiles,
            "level": found.level.label,
            "sampler": found.sampler,
            "weighted_by": found.weighted_by,
            "temperature_K": found.temperature,
            "conformers": [
                {
                    "number": one.number,
                    "energy_Eh": one.energy,
                    "relative_energy_kcal_mol": (one.energy - low) * KCAL,
                    "gibbs_energy_Eh": one.gibbs_energy,
                    "degeneracy": one.degeneracy,
                    "weight": one.weight,
                    "atoms": one.atoms.iri,
                    "result": one.result.iri,
                }
                for one in found.conformers
            ],
            "mean_energy_Eh": found.mean_energy,
            "conformational_entropy_J_mol_K": None
            if found.conformational_entropy is None
            else found.conformational_entropy * KJ * 1000,
            "ensemble_gibbs_Eh": found.ensemble_gibbs,
            "left_out": list(found.left_out),
        }


def _number(result: EnergyResult, name: str) -> float:
    value: Any = getattr(result, name, None)
    if np.shape(value) == (3,) and isinstance(value, np.ndarray):
        return math.hypot(*value.tolist())
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise NotFoundError(
        f"the mean of {name[:80]!r} over conformers was asked for",
        f"a {type(result).__name__} has no number of that name",
        "ask for one that every result has, such as energy or dipole",
    )
