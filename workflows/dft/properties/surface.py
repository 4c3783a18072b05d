"""The surface of a mean field: geometries, vibrations, paths with Hartree–Fock or a functional."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import Optimisation
from ontologies.units import Floats
from ontologies.vibrations import FrequencyAnalysis
from workflows.engine import context
from workflows.geometry.harmonic import Derivatives
from workflows.geometry.surface import LevelSurface, another_state
from workflows.geometry.surface_calculations import SurfaceCalculations

from ..level.fitting import revision
from ..level.resolving import PYSCF
from ..scf.meanfield import mean_field, molecule
from ..scf.response import revision as response_revision
from ..scf.scf import adopt, converge, electronic, solve, watch
from .derivatives import second_derivatives

SAME_PLACE = 1e-12
"""Bohr. What a geometry is moved by when its coordinates are converted there and back."""


class MeanFieldSurface(LevelSurface[LevelOfTheory]):
    """The surface of a mean field; each SCF starts from the orbitals of the geometry before.

    The level's instabilities are followed at each step.

    Attributes:
        mf: the mean field at the last geometry.
    """

    has_dipole = True

    def __init__(self, atoms: ConceptualAtoms, level: LevelOfTheory) -> None:
        super().__init__(atoms, level)
        self.mf = mean_field(molecule(atoms, level), level)

    def start(self) -> tuple[float, Floats]:
        """Return energy and gradient of the molecule as it is given, or remember its SCF."""
        mf = converge(self.mf, self.atoms, self.level)
        self.energy = float(mf.e_tot)
        if len(self.atoms.numbers) == 1:
            return self.energy, np.zeros((1, 3))
        context().report("gradient", energy=self.energy)
        return self.energy, np.asarray(mf.nuc_grad_method().kernel(), float)

    def _solve(self, positions: Floats) -> tuple[float, Floats]:
        mf, mol = self.mf, self.mf.mol.copy()
        mol.set_geom_(positions, unit="Angstrom")
        if np.abs(mol.atom_coords() - mf.mol.atom_coords()).max() > SAME_PLACE:
            mf.reset(mol)
        solve(mf, self.atoms, self.level)
        gradient: Floats = np.asarray(mf.nuc_grad_method().kernel(), float)
        return float(mf.e_tot), gradient

    @property
    def findings(self) -> dict[str, Any]:
        return electronic(self.mf)

    def other_state(self, relaxed: ConceptualAtoms) -> tuple[str, ...]:
        """Say if an SCF from the usual guess ends in another state at the final geometry.

        What was seen of the stability of that one holds for the surface's if they are the same.
        """
        fresh = mean_field(molecule(relaxed, self.level), self.level)

        def apart() -> float:
            return float(converge(fresh, relaxed, self.level).e_tot) - float(self.mf.e_tot)

        said = another_state(apart, "the SCF does", "the SCF at the final geometry ends in")
        if said:
            watch(self.mf, self.level)
        else:
            adopt(self.mf, fresh)
        return said

    def derivatives(self, checkpoint: Path | None = None) -> Derivatives:
        return second_derivatives(
            self.mf, self.atoms.moved_to(self.positions), self.level, checkpoint
        )

    def kept(self) -> Mapping[str, Any]:
        return {"mo_coeff": self.mf.mo_coeff, "mo_occ": self.mf.mo_occ}

    def take_up(self, kept: Mapping[str, Any]) -> None:
        self.mf.mo_coeff, self.mf.mo_occ = kept["mo_coeff"], kept["mo_occ"]


def both_revisions(inputs: Sequence[GraphModel]) -> str:
    """Return the revisions of the density fitting and of the response."""
    return "+".join(filter(None, (revision(inputs), response_revision(inputs))))


_ON_SURFACE = SurfaceCalculations(__name__, "dft", PYSCF, MeanFieldSurface, revision=revision)

optimise = _ON_SURFACE.optimise(Optimisation, title="optimisation")
frequencies = _ON_SURFACE.frequencies(FrequencyAnalysis, version="2", revision=both_revisions)
saddle_point = _ON_SURFACE.saddle_point()
reaction_path = _ON_SURFACE.reaction_path()
elastic_band = _ON_SURFACE.elastic_band()
