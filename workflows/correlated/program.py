"""MP2, DF-MP2, CCSD and CCSD(T) with PySCF: what can be computed at their levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ontologies.correlated import CorrelatedLevel
from triplestore.errors import InputError
from workflows.registry.levels import Program
from workflows.registry.references import Described, basis_cited, cited

from .request import CorrelatedRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from workflows.dft.request.forms import DFTRequest
    from workflows.engine.request.cost import Cost, Granted


class Correlated(Program[CorrelatedLevel]):
    """What PySCF computes of correlated wavefunctions; loaded when it is asked for."""

    calculations: ClassVar = {
        "energy": ".energy:single_point",
        "fragment_energy": ".ghosts:fragment_energy",
        "optimise": ".calculations:optimise",
        "frequencies": ".calculations:frequencies",
        "saddle_point": ".calculations:saddle_point",
        "reaction_path": ".calculations:reaction_path",
        "elastic_band": ".calculations:elastic_band",
    }
    form = CorrelatedRequest
    methods = ("MP2", "DF-MP2", "CCSD", "CCSD(T)")

    def recognises(self, method: str) -> bool:
        from .levels import is_correlated

        return is_correlated(method)

    def check(self, atoms: ConceptualAtoms, level: CorrelatedLevel, request: DFTRequest) -> None:
        if request.task != "energy" and level.extrapolation:
            raise self.without_forces(level)

    def without_forces(self, level: CorrelatedLevel) -> InputError:
        return InputError(
            f"a relaxed geometry or vibrations at {level.label} were asked for",
            f"{level.method} in {level.basis}, a limit of two basis sets, has energies only here",
            "ask for the task energy; relax in one basis set, or with a functional, and take this "
            "energy there",
        )

    def remarks(self, atoms: ConceptualAtoms, level: CorrelatedLevel) -> tuple[str, ...]:
        from workflows.dft.level.bases import relativity_remark

        from .levels import hartree_fock

        try:
            said = relativity_remark(atoms.numbers.tolist(), hartree_fock(level))
        except InputError:  # the calculation will say so, and the record of its run
            return ()
        return (said,) if said else ()

    def counts_from_free_particles(self, level: CorrelatedLevel) -> bool:
        """Return that they do: effective core potentials move cores, not protons or electrons."""
        return True

    def described(self, level: CorrelatedLevel, numbers: Sequence[int]) -> Described:
        from workflows.dft.level.citing import harmonics

        parts = [cited("method", level.method, level.method)]
        limit = level.extrapolation
        bases = [limit.smaller_basis, limit.larger_basis] if limit else [level.basis]
        for name in bases:
            parts += basis_cited(name, numbers)
        if level.fitting_basis:
            parts += basis_cited(level.fitting_basis, numbers, "the fitting set")
        settings = [f"{level.reference} Hartree–Fock reference", harmonics(level.spherical)]
        settings.append("all electrons correlated" if level.all_electrons else "frozen core")
        settings.append(f"SCF threshold {level.scf_tolerance:g} Eh")
        if limit:
            settings.append(
                f"extrapolated to the limit of the basis set: Hartree–Fock as exp(−α√X) with "
                f"α = {limit.reference_exponent:g}, correlation as "
                f"X^−{limit.correlation_exponent:g}"
            )
        return Described(tuple(parts), tuple(settings))

    def is_short(self, atoms: ConceptualAtoms, level: CorrelatedLevel, request: DFTRequest) -> bool:
        from .cost import is_short

        return is_short(atoms, level, request)

    def cost(
        self, atoms: ConceptualAtoms, level: CorrelatedLevel, request: DFTRequest, granted: Granted
    ) -> Cost:
        from .cost import cost

        return cost(atoms, level, request, granted)


PYSCF = Correlated()
