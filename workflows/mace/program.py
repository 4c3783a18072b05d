"""Learned potentials of checkpoints with MACE: what can be computed at their levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ontologies.potentials import CheckpointPotential
from workflows.potentials.learned import LearnedProgram, dispersion_said

from .levels import MACE as PACKAGE
from .request import MACERequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms


class MACEProgram(LearnedProgram[CheckpointPotential]):
    """What MACE computes of crystals; times are a guess, as checkpoints differ tenfold."""

    package, form, methods = PACKAGE, MACERequest, ("MACE",)
    start, an_atom, base, memory, factor = 15.0, 0.01, 1500.0, 15.0, 10.0

    def remarks(self, atoms: ConceptualAtoms, level: CheckpointPotential) -> tuple[str, ...]:
        return (
            f"what {level.model} was trained on is not known here, nor whether dispersion is in it "
            f"({dispersion_said(level)} is added); its energies are compared with its own alone",
        )

    def settings(self, level: CheckpointPotential) -> tuple[str, ...]:
        return f"head {level.head}", level.precision


MACE = MACEProgram()
