"""GFN-FF with the program xtb: what can be computed at its level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ontologies.forcefield import ForceField
from triplestore.errors import InputError
from workflows.engine.request.cost import Cost
from workflows.registry.levels import Program
from workflows.registry.references import Described, cited
from workflows.text.words import count

from .levels import is_force_field
from .request import ForceFieldRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.reactions import Conserved
    from ontologies.vibrations import VibrationalAnalysis
    from workflows.dft.request.forms import DFTRequest
    from workflows.engine import Call
    from workflows.engine.request.cost import Granted

CALL, PAIR = 0.02, 2e-7
"""s. A call of xtb, and what each pair of atoms adds: a chain of 1,000 atoms takes 0.2 s."""

BASE = 150.0
"""MB."""


class GFNFFProgram(Program[ForceField]):
    """What xtb computes by GFN-FF; loaded when it is asked for."""

    calculations: ClassVar = {
        "energy": ".calculations:single_point",
        "optimise": ".calculations:optimise",
    }
    form = ForceFieldRequest
    methods = ("GFN-FF",)
    orbitals = False

    def recognises(self, method: str) -> bool:
        return is_force_field(method)

    def frequencies(self, atoms: ConceptualAtoms, level: ForceField) -> Call[VibrationalAnalysis]:
        raise self._without_vibrations(level)

    def check(self, atoms: ConceptualAtoms, level: ForceField, request: DFTRequest) -> None:
        if request.task == "frequencies":
            raise self._without_vibrations(level)

    def _without_vibrations(self, level: ForceField) -> InputError:
        return InputError(
            f"vibrations at {level.label} were asked for",
            "they are not computed at this level",
            "ask for the task optimise, or for GFN2-xTB",
        )

    def remarks(self, atoms: ConceptualAtoms, level: ForceField) -> tuple[str, ...]:
        if atoms.multiplicity == 1:
            return ()
        return ("GFN-FF knows no spin: every multiplicity has the same energy",)

    def of_reactions(self, level: ForceField, kept: Conserved) -> tuple[str, ...]:
        return (
            "GFN-FF breaks no bonds: each molecule has the terms of its own bonds, so that "
            "energies of molecules with other bonds are not to be compared; ask for GFN2-xTB, or "
            "for a functional",
        )

    def described(self, level: ForceField, numbers: Sequence[int]) -> Described:
        parts = [cited("method", level.method, f"the force field {level.method}")]
        if around := level.solvation:
            text = f"the continuum model {around.model} of {around.solvent}"
            parts.append(cited("solvation", around.model, text))
        return Described(tuple(parts))

    def is_short(self, atoms: ConceptualAtoms, level: ForceField, request: DFTRequest) -> bool:
        return _seconds(atoms, request) < 10.0

    def cost(
        self, atoms: ConceptualAtoms, level: ForceField, request: DFTRequest, granted: Granted
    ) -> Cost:
        return Cost(
            count(len(atoms.numbers), "atom"),
            _seconds(atoms, request),
            BASE,
            factor=4.0,
            advice="ask for a smaller molecule, or for less",
        )


def _seconds(atoms: ConceptualAtoms, request: DFTRequest) -> float:
    many = len(atoms.numbers)
    steps = 1 if request.task == "energy" else min(request.max_steps, 12 + many)
    return steps * (CALL + PAIR * many**2)


GFN_FF = GFNFFProgram()
