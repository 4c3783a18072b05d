"""Hartree–Fock and density functionals with PySCF: what can be computed at their levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ontologies.level import LevelOfTheory
from triplestore.errors import InputError
from workflows.engine.request.form import field_text
from workflows.levels import Program

from .request.forms import DFTRequest, LevelRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.excitations import ExcitedStates, ResponseName, SolventResponse, StateSpin
    from ontologies.wavefunction import StabilityAnalysis
    from workflows.engine import Call
    from workflows.engine.request.cost import Cost, Granted


class PySCF(Program[LevelOfTheory]):
    """What PySCF computes at a level of theory; loaded when it is asked for."""

    calculations: ClassVar = {
        "energy": ".properties.energy:single_point",
        "optimise": ".properties.surface:optimise",
        "frequencies": ".properties.surface:frequencies",
        "saddle_point": ".properties.surface:saddle_point",
        "reaction_path": ".properties.surface:reaction_path",
        "elastic_band": ".properties.surface:elastic_band",
        "analyse": ".properties.analysis:analyse",
        "excite": ".properties.excitation:excitations",
        "stability": ".properties.stability:stability",
    }
    form = LevelRequest
    methods = ("HF", "density functionals")
    offers = frozenset({"analysis", "states", "stability"})
    usual = True

    def recognises(self, method: str) -> bool:
        from .level.methods import is_known

        return is_known(method)

    def excite(
        self,
        atoms: ConceptualAtoms,
        level: LevelOfTheory,
        states: int,
        response: ResponseName = "TDDFT",
        spin: StateSpin = "singlet",
        solvent_response: SolventResponse = "non-equilibrium",
    ) -> Call[ExcitedStates]:
        solvent = solvent_response if level.solvation else "non-equilibrium"
        return super().excite(atoms, level, states, response, spin, solvent)

    def below(self, level: LevelOfTheory, found: StabilityAnalysis) -> LevelOfTheory:
        changes: dict[str, Any] = {"follow_instabilities": True}
        if found.internal:
            changes["reference"] = "unrestricted"
        return level.model_copy(update=changes)

    def check(self, atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest) -> None:
        from .properties.excitation import check_states

        if request.states is not None:
            check_states(atoms, level, request.states, request.spin)
        if request.solvent_response != "non-equilibrium" and level.solvation is None:
            raise InputError(
                f"{field_text('solvent_response', request.solvent_response)} was asked for",
                f"{level.label} has no solvent, so that it has no effect",
                "ask for a solvent too, or leave `solvent_response` out",
            )

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

    def is_short(self, atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest) -> bool:
        from .request.estimate import is_short

        return is_short(atoms, level, request)

    def cost(
        self, atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest, granted: Granted
    ) -> Cost:
        from .request.estimate import cost

        return cost(atoms, level, request, granted)


PYSCF = PySCF()
