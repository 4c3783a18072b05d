"""Learned potentials with CHGNet: what can be computed at their levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ontologies.potentials import LearnedPotential

from .learned import LearnedProgram, dispersion_said
from .levels import CHGNET as PACKAGE
from .levels import TRAINED_ON
from .request import CHGNetRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms


class CHGNetProgram(LearnedProgram[LearnedPotential]):
    """What CHGNet computes of crystals."""

    package, form, methods = PACKAGE, CHGNetRequest, ("CHGNet",)
    start, an_atom, base, memory, factor = 6.0, 0.004, 1000.0, 6.0, 4.0

    def remarks(self, atoms: ConceptualAtoms, level: LearnedPotential) -> tuple[str, ...]:
        return (
            f"{level.method} {level.model} was trained on {TRAINED_ON[level.model]}: no dispersion "
            f"is in it, and {dispersion_said(level)} is added; its energies count from those of "
            "free atoms of its own and are compared with its own alone",
        )


CHGNET = CHGNetProgram()
