"""The level of theory: `grafico run benzene --method huckel`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.level import ResolvedLevel
from ontologies.quantum import EnergyResult
from workflows.engine import Call, Cost, Granted
from workflows.levels import LevelForm, Program

from .calculations import energy, resolve
from .model import Huckel


class HuckelForm(LevelForm):
    """Hückel's method, as a person names it."""

    resonance: Annotated[
        float, Field(gt=0, description="Hückel: the energy -β of two neighbours, in eV.")
    ] = 2.7

    def resolution(self, atoms: ConceptualAtoms) -> Call[ResolvedLevel]:
        return resolve.bind(self.method, self.resonance)


class HuckelProgram(Program[Huckel]):
    """Energies only."""

    form = HuckelForm
    methods = ("Hückel",)
    forces = False

    def recognises(self, method: str) -> bool:
        return method.lower() in ("huckel", "hückel", "hueckel")

    def energy(self, atoms: ConceptualAtoms, level: Huckel) -> Call[EnergyResult]:
        return energy.bind(atoms, level)

    def is_short(self, atoms: ConceptualAtoms, level: Huckel, request: Any) -> bool:
        return True

    def cost(self, atoms: ConceptualAtoms, level: Huckel, request: Any, granted: Granted) -> Cost:
        return Cost(f"{len(atoms.numbers)} atoms", 0.1, 100.0)


HUCKEL = HuckelProgram()
