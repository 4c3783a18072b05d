"""Learned potentials with SevenNet: what can be computed at their levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ontologies.potentials import MultifidelityPotential
from workflows.potentials.learned import LearnedProgram, dispersion_said

from .levels import SEVENNET as PACKAGE
from .levels import TRAINED_ON
from .request import SevenNetRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms


class SevenNetProgram(LearnedProgram[MultifidelityPotential]):
    """What SevenNet computes of crystals; l3i5 takes three times as long as the others."""

    package, form, methods = PACKAGE, SevenNetRequest, ("SevenNet",)
    start, an_atom, base, memory, factor = 10.0, 0.006, 1200.0, 8.0, 5.0

    def remarks(self, atoms: ConceptualAtoms, level: MultifidelityPotential) -> tuple[str, ...]:
        return (
            f"{level.method} {level.model} was trained on {TRAINED_ON[level.modal]}: no dispersion "
            f"is in it, and {dispersion_said(level)} is added; its energies are compared with its "
            "own alone",
        )

    def settings(self, level: MultifidelityPotential) -> tuple[str, ...]:
        return (f"modal {level.modal}",) if level.modal else ()


SEVENNET = SevenNetProgram()
