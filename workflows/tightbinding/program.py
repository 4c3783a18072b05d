"""GFN1-xTB and GFN2-xTB with tblite: what can be computed at their levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ontologies.tightbinding import TightBinding
from workflows.levels import Program

from .request import TightBindingRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from workflows.dft.request.forms import DFTRequest
    from workflows.engine.request.cost import Cost, Granted


class TBLite(Program[TightBinding]):
    """What tblite computes; loaded when it is asked for."""

    calculations: ClassVar = {
        "energy": ".energy:single_point",
        "optimise": ".relaxation:optimise",
        "frequencies": ".vibration:frequencies",
        "saddle_point": ".saddle:saddle_point",
        "reaction_path": ".path:reaction_path",
        "elastic_band": ".band:elastic_band",
    }
    form = TightBindingRequest
    methods = ("GFN1-xTB", "GFN2-xTB")

    def recognises(self, method: str) -> bool:
        from .levels import is_tight_binding

        return is_tight_binding(method)

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
