"""Hartree–Fock and density functionals with PySCF: what can be computed at their levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ontologies.level import LevelOfTheory
from triplestore.errors import InputError
from workflows.engine.request.form import field_text
from workflows.levels import Program

from .request.forms import DFTRequest, LevelRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.excitations import ExcitedStates, ResponseName, SolventResponse, StateSpin
    from ontologies.quantum import Convergence, GeometryConstraints, Optimisation, SinglePoint
    from ontologies.transition import ElasticBand, PathBranch, SaddleSearch
    from ontologies.vibrations import FrequencyAnalysis, VibrationalAnalysis
    from ontologies.wavefunction import StabilityAnalysis, WavefunctionAnalysis
    from workflows.engine import Call
    from workflows.engine.request.cost import Cost, Granted


class PySCF(Program[LevelOfTheory]):
    """What PySCF computes at a level of theory; loaded when it is asked for."""

    form = LevelRequest
    methods = ("HF", "density functionals")
    offers = frozenset({"analysis", "states", "stability"})
    usual = True

    def recognises(self, method: str) -> bool:
        from .level.methods import is_known

        return is_known(method)

    def energy(self, atoms: ConceptualAtoms, level: LevelOfTheory) -> Call[SinglePoint]:
        from .properties.energy import single_point

        return single_point.bind(atoms, level)

    def optimise(
        self,
        atoms: ConceptualAtoms,
        level: LevelOfTheory,
        max_steps: int = 100,
        *,
        convergence: Convergence = "normal",
        constraints: GeometryConstraints | None = None,
    ) -> Call[Optimisation]:
        from .properties.relaxation import optimise

        return optimise.bind(
            atoms, level, max_steps, convergence=convergence, constraints=constraints
        )

    def frequencies(self, atoms: ConceptualAtoms, level: LevelOfTheory) -> Call[FrequencyAnalysis]:
        from .properties.vibration import frequencies

        return frequencies.bind(atoms, level)

    def saddle_point(
        self,
        atoms: ConceptualAtoms,
        level: LevelOfTheory,
        max_steps: int = 100,
        *,
        convergence: Convergence = "normal",
    ) -> Call[SaddleSearch]:
        from .properties.saddle import saddle_point

        return saddle_point.bind(atoms, level, max_steps, convergence=convergence)

    def reaction_path(
        self, frequencies: VibrationalAnalysis, forward: bool, max_steps: int = 200
    ) -> Call[PathBranch]:
        from .properties.path import reaction_path

        return reaction_path.bind(frequencies, forward, max_steps)

    def elastic_band(
        self,
        initial: ConceptualAtoms,
        final: ConceptualAtoms,
        level: LevelOfTheory,
        images: int = 9,
    ) -> Call[ElasticBand]:
        from .properties.band import elastic_band

        return elastic_band.bind(initial, final, level, images)

    def analyse(self, atoms: ConceptualAtoms, level: LevelOfTheory) -> Call[WavefunctionAnalysis]:
        from .properties.analysis import analyse

        return analyse.bind(atoms, level)

    def excite(
        self,
        atoms: ConceptualAtoms,
        level: LevelOfTheory,
        states: int,
        response: ResponseName = "TDDFT",
        spin: StateSpin = "singlet",
        solvent_response: SolventResponse = "non-equilibrium",
    ) -> Call[ExcitedStates]:
        from .properties.excitation import excitations

        solvent = solvent_response if level.solvation else "non-equilibrium"
        return excitations.bind(atoms, level, states, response, spin, solvent)

    def stability(self, atoms: ConceptualAtoms, level: LevelOfTheory) -> Call[StabilityAnalysis]:
        from .properties.stability import stability

        return stability.bind(atoms, level)

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

    def is_short(self, atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest) -> bool:
        from .request.estimate import is_short

        return is_short(atoms, level, request)

    def cost(
        self, atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest, granted: Granted
    ) -> Cost:
        from .request.estimate import cost

        return cost(atoms, level, request, granted)


PYSCF = PySCF()
