"""What Python and JSON are handed of an ensemble."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import Conformer, ConformerEnsemble
from ontologies.factors import HARTREE
from workflows.engine.request.workflow import Finished
from workflows.run_blocks import DisplayedRun, RunSummary

KCAL = HARTREE["kcal/mol"]


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
    """

    run: str
    status: str
    message: str
    ensemble: ConformerEnsemble
    summary: RunSummary
    reused: bool

    @classmethod
    def of(cls, done: Finished) -> Conformers:
        """Return what a run of the graph came to."""
        return cls(done.run, done.status, done.message, done.state.found, done.ran, done.reused)

    @property
    def ran(self) -> RunSummary:
        """The run as views see it."""
        return self.summary

    @property
    def conformers(self) -> tuple[Conformer, ...]:
        """The conformers, of lowest energy first."""
        return self.ensemble.conformers

    @property
    def atoms(self) -> ConceptualAtoms:
        """The geometry of the lowest conformer."""
        return self.ensemble.lowest.atoms

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was assumed and what to know, each once."""
        return tuple(dict.fromkeys((*self.ran.remarks, *self.ensemble.remarks)))

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
            "left_out": list(found.left_out),
        }
