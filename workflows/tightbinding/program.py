"""GFN1-xTB and GFN2-xTB with tblite: what can be computed at their levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ontologies.tightbinding import TightBinding
from workflows.levels import Program

from .request import TightBindingRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.quantum import Convergence, GeometryConstraints
    from ontologies.tightbinding import (
        TightBindingEnergy,
        TightBindingFrequencies,
        TightBindingOptimisation,
    )
    from ontologies.transition import ElasticBand, PathBranch, SaddleSearch
    from ontologies.vibrations import VibrationalAnalysis
    from workflows.dft.request.forms import DFTRequest
    from workflows.engine import Call
    from workflows.engine.request.cost import Cost, Granted


class TBLite(Program[TightBinding]):
    """What tblite computes; loaded when it is asked for."""

    form = TightBindingRequest
    methods = ("GFN1-xTB", "GFN2-xTB")

    def recognises(self, method: str) -> bool:
        from .levels import is_tight_binding

        return is_tight_binding(method)

    def energy(self, atoms: ConceptualAtoms, level: TightBinding) -> Call[TightBindingEnergy]:
        from .energy import single_point

        return single_point.bind(atoms, level)

    def optimise(
        self,
        atoms: ConceptualAtoms,
        level: TightBinding,
        max_steps: int = 100,
        *,
        convergence: Convergence = "normal",
        constraints: GeometryConstraints | None = None,
    ) -> Call[TightBindingOptimisation]:
        from .relaxation import optimise

        return optimise.bind(
            atoms, level, max_steps, convergence=convergence, constraints=constraints
        )

    def frequencies(
        self, atoms: ConceptualAtoms, level: TightBinding
    ) -> Call[TightBindingFrequencies]:
        from .vibration import frequencies

        return frequencies.bind(atoms, level)

    def saddle_point(
        self,
        atoms: ConceptualAtoms,
        level: TightBinding,
        max_steps: int = 100,
        *,
        convergence: Convergence = "normal",
    ) -> Call[SaddleSearch]:
        from .saddle import saddle_point

        return saddle_point.bind(atoms, level, max_steps, convergence=convergence)

    def reaction_path(
        self, frequencies: VibrationalAnalysis, forward: bool, max_steps: int = 200
    ) -> Call[PathBranch]:
        from .path import reaction_path

        return reaction_path.bind(frequencies, forward, max_steps)

    def elastic_band(
        self,
        initial: ConceptualAtoms,
        final: ConceptualAtoms,
        level: TightBinding,
        images: int = 9,
    ) -> Call[ElasticBand]:
        from .band import elastic_band

        return elastic_band.bind(initial, final, level, images)

    def check(self, atoms: ConceptualAtoms, level: TightBinding, request: DFTRequest) -> None:
        from .electrons import valence_of

        valence_of(atoms)

    def remarks(self, atoms: ConceptualAtoms, level: TightBinding) -> tuple[str, ...]:
        """Return what a person should know of open shells.

        Source: H. Neugebauer et al., J. Comput. Chem. 44, 2120 (2023), doi:10.1002/jcc.27185.
        """
        if atoms.multiplicity == 1:
            return ()
        return (
            f"{level.method} has no terms that depend on spin: states of other multiplicities lie "
            "too near each other, and their order may be wrong (dioxygen comes out as a singlet)",
        )

    def is_short(self, atoms: ConceptualAtoms, level: TightBinding, request: DFTRequest) -> bool:
        from .cost import is_short

        return is_short(atoms, request)

    def cost(
        self, atoms: ConceptualAtoms, level: TightBinding, request: DFTRequest, granted: Granted
    ) -> Cost:
        from .cost import cost

        return cost(atoms, level, request)


TBLITE = TBLite()
