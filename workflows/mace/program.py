"""Learned potentials of checkpoints with MACE: what can be computed at their levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ontologies.potentials import CheckpointPotential
from workflows.engine.request.cost import Cost
from workflows.registry.levels import Program
from workflows.registry.references import Described, cited
from workflows.text.names import plain
from workflows.text.words import count

from .request import MACERequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from workflows.dft.request.forms import DFTRequest
    from workflows.engine.request.cost import Granted

START, AN_ATOM = 15.0, 0.01
"""s. Until PyTorch and the model are there; energy, forces and stress for each atom: a guess, as
checkpoints differ tenfold, and none could be had for this."""

BASE, MEMORY = 1500.0, 15.0
"""MB. Of PyTorch; for each atom, likewise."""


class MACEProgram(Program[CheckpointPotential]):
    """What MACE computes of crystals; loaded when it is asked for."""

    calculations: ClassVar = {
        "crystal_energy": ".crystal:crystal_energy",
        "relax_crystal": ".crystal:relax_crystal",
        "energy": ".crystal:crystal_energy",
        "optimise": ".crystal:relax_crystal",
    }
    form = MACERequest
    methods = ("MACE",)

    def recognises(self, method: str) -> bool:
        return plain(method) == "mace"

    def check(
        self, atoms: ConceptualAtoms, level: CheckpointPotential, request: DFTRequest
    ) -> None:
        from .crystal import check_known

        check_known(atoms, level)

    def remarks(self, atoms: ConceptualAtoms, level: CheckpointPotential) -> tuple[str, ...]:
        return (
            f"what {level.model} was trained on is not known here, nor whether dispersion is in it "
            "(none is added); its energies are compared with its own alone",
        )

    def described(self, level: CheckpointPotential, numbers: Sequence[int]) -> Described:
        part = cited("method", level.method, f"the learned potential {level.method} {level.model}")
        settings = (
            f"head {level.head}",
            level.precision,
            f"weights with the SHA-256 {level.weights}",
            "no dispersion added",
        )
        return Described((part,), settings)

    def is_short(
        self, atoms: ConceptualAtoms, level: CheckpointPotential, request: DFTRequest
    ) -> bool:
        return False

    def cost(
        self,
        atoms: ConceptualAtoms,
        level: CheckpointPotential,
        request: DFTRequest,
        granted: Granted,
    ) -> Cost:
        many = len(atoms.numbers)
        steps = 1 if request.task == "energy" else request.max_steps
        return Cost(
            count(many, "atom"),
            START + AN_ATOM * many * steps,
            BASE + MEMORY * many,
            factor=10.0,
            advice="ask for a smaller cell, or for fewer steps",
        )


MACE = MACEProgram()
