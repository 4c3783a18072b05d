"""Hartree–Fock and density functionals with PySCF: what can be computed at their levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ontologies.level import LevelOfTheory
from triplestore.errors import InputError
from workflows.registry.levels import Program

from .request.forms import DFTRequest, LevelRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.quantum import EnergyResult
    from ontologies.wavefunction import StabilityAnalysis
    from workflows.engine import Call
    from workflows.engine.request.cost import Cost, Granted
    from workflows.registry.properties import Property
    from workflows.registry.references import Described


class PySCF(Program[LevelOfTheory]):
    """What PySCF computes at a level of theory; loaded when it is asked for."""

    calculations: ClassVar = {
        "energy": ".properties.energy:single_point",
        "fragment_energy": ".scf.ghosts:fragment_energy",
        "optimise": ".properties.surface:optimise",
        "frequencies": ".properties.surface:frequencies",
        "saddle_point": ".properties.surface:saddle_point",
        "reaction_path": ".properties.surface:reaction_path",
        "elastic_band": ".properties.surface:elastic_band",
    }
    form = LevelRequest
    methods = ("HF", "density functionals")
    usual = True

    def recognises(self, method: str) -> bool:
        from .level.methods import is_known

        return is_known(method)

    def check(self, atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest) -> None:
        if atoms.is_periodic:
            raise self.without_crystals(atoms, level)

    def property_of(
        self,
        wanted: Property,
        atoms: ConceptualAtoms,
        level: LevelOfTheory,
        asked: Mapping[str, Any],
    ) -> Call[EnergyResult]:
        if level.solvation is None and "solvent_response" in asked:
            asked = {**asked, "solvent_response": "non-equilibrium"}
        return super().property_of(wanted, atoms, level, asked)

    def below(self, level: LevelOfTheory, found: StabilityAnalysis) -> LevelOfTheory:
        changes: dict[str, Any] = {"follow_instabilities": True}
        if found.internal:
            changes["reference"] = "unrestricted"
        return level.model_copy(update=changes)

    def remarks(self, atoms: ConceptualAtoms, level: LevelOfTheory) -> tuple[str, ...]:
        from .level.bases import relativity_remark
        from .level.fitting import fitting_remark

        numbers = atoms.numbers.tolist()
        try:
            both = relativity_remark(numbers, level), fitting_remark(numbers, level)
        except InputError:  # the calculation will say so, and the record of its run
            return ()
        return tuple(filter(None, both))

    def counts_from_free_particles(self, level: LevelOfTheory) -> bool:
        """Return that they do: effective core potentials move cores, not protons or electrons."""
        return True

    def described(self, level: LevelOfTheory, numbers: Sequence[int]) -> Described:
        from .level.citing import described

        return described(level, numbers)

    def is_short(self, atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest) -> bool:
        from .request.estimate import is_short

        return is_short(atoms, level, request)

    def cost(
        self, atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest, granted: Granted
    ) -> Cost:
        from .request.estimate import cost

        return cost(atoms, level, request, granted)


PYSCF = PySCF()
