"""Learned potentials with CHGNet: what can be computed at their levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ontologies.potentials import LearnedPotential
from workflows.engine.request.cost import Cost
from workflows.registry.levels import Program
from workflows.registry.references import Described, cited
from workflows.text.names import plain
from workflows.text.words import count

from .request import CHGNetRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from workflows.dft.request.forms import DFTRequest
    from workflows.engine.request.cost import Granted

START, AN_ATOM = 6.0, 0.004
"""s. Until PyTorch and the weights are there; energy, forces and stress for each atom."""

BASE, MEMORY = 1000.0, 6.0
"""MB. Of PyTorch; for each atom."""


class CHGNetProgram(Program[LearnedPotential]):
    """What CHGNet computes of crystals; loaded when it is asked for."""

    calculations: ClassVar = {
        "crystal_energy": ".crystal:crystal_energy",
        "relax_crystal": ".crystal:relax_crystal",
        "energy": ".crystal:crystal_energy",
        "optimise": ".crystal:relax_crystal",
    }
    form = CHGNetRequest
    methods = ("CHGNet",)

    def recognises(self, method: str) -> bool:
        return plain(method) == "chgnet"

    def check(self, atoms: ConceptualAtoms, level: LearnedPotential, request: DFTRequest) -> None:
        from .crystal import check_known

        check_known(atoms, level)

    def remarks(self, atoms: ConceptualAtoms, level: LearnedPotential) -> tuple[str, ...]:
        from .levels import TRAINED_ON

        return (
            f"{level.method} {level.model} was trained on {TRAINED_ON[level.model]}: no dispersion "
            "is in it; its energies count from those of free atoms of its own and are compared "
            "with its own alone",
        )

    def described(self, level: LearnedPotential, numbers: Sequence[int]) -> Described:
        text = f"the learned potential {level.method} {level.model}"
        part = cited("method", level.method, text)
        settings = ("no dispersion", f"weights with the SHA-256 {level.weights}")
        return Described((part,), settings)

    def is_short(
        self, atoms: ConceptualAtoms, level: LearnedPotential, request: DFTRequest
    ) -> bool:
        return False

    def cost(
        self, atoms: ConceptualAtoms, level: LearnedPotential, request: DFTRequest, granted: Granted
    ) -> Cost:
        """Return what a crystal takes on one core: as much for each atom, whatever the crystal."""
        many = len(atoms.numbers)
        steps = 1 if request.task == "energy" else request.max_steps
        return Cost(
            count(many, "atom"),
            START + AN_ATOM * many * steps,
            BASE + MEMORY * many,
            factor=4.0,
            advice="ask for a smaller cell, or for fewer steps",
        )


CHGNET = CHGNetProgram()
