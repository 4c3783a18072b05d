"""The level of theory: `grafico run cluster.xyz --method EMT`."""

from __future__ import annotations

from typing import ClassVar

from emt.model import EffectiveMedium

from ontologies.atoms import ConceptualAtoms
from ontologies.level import ResolvedLevel
from workflows.engine import Call
from workflows.geometry.ase_program import ASEProgram
from workflows.levels import LevelForm


class EMTForm(LevelForm):
    """Effective medium theory, as a person names it: there is one."""

    def resolution(self, atoms: ConceptualAtoms) -> Call[ResolvedLevel]:
        from emt.calculations import resolve

        return resolve.bind(self.method)


class EMTProgram(ASEProgram[EffectiveMedium]):
    """What ASE computes by effective medium theory."""

    calculations: ClassVar = {
        "energy": ".calculations:single_point",
        "optimise": ".calculations:optimise",
        "frequencies": ".calculations:frequencies",
        "saddle_point": ".calculations:saddle_point",
        "reaction_path": ".calculations:reaction_path",
        "elastic_band": ".calculations:elastic_band",
    }
    surface = ".calculations:Surface"
    form = EMTForm
    methods = ("EMT",)


EMT = EMTProgram()
