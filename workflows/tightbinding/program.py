"""GFN1-xTB and GFN2-xTB with tblite: what can be computed at their levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ontologies.tightbinding import TightBinding
from workflows.registry.levels import Program
from workflows.registry.references import Described, cited

from .request import TightBindingRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.reactions import Conserved
    from workflows.dft.request.forms import DFTRequest
    from workflows.engine.request.cost import Cost, Granted


class TBLite(Program[TightBinding]):
    """What tblite computes; loaded when it is asked for."""

    calculations: ClassVar = {
        "energy": ".calculations:single_point",
        "optimise": ".calculations:optimise",
        "frequencies": ".calculations:frequencies",
        "saddle_point": ".calculations:saddle_point",
        "reaction_path": ".calculations:reaction_path",
        "elastic_band": ".calculations:elastic_band",
        "cell_energy": ".crystal:cell_energy",
        "crystal_energy": ".crystal:crystal_energy",
        "relax_crystal": ".crystal:relax_crystal",
        "analysis": ".calculations:single_point",  # an energy has charges, bond orders and orbitals
    }
    form = TightBindingRequest
    methods = ("GFN1-xTB", "GFN2-xTB")

    def recognises(self, method: str) -> bool:
        from .levels import is_tight_binding

        return is_tight_binding(method)

    def check(self, atoms: ConceptualAtoms, level: TightBinding, request: DFTRequest) -> None:
        from .electrons import valence_of

        if atoms.is_periodic:
            from .crystal import check_insulator

            check_insulator(atoms, level)
        else:
            valence_of(atoms)

    def remarks(self, atoms: ConceptualAtoms, level: TightBinding) -> tuple[str, ...]:
        """Return what a person should know of open shells, and of a crystal's supercell.

        Source: H. Neugebauer et al., J. Comput. Chem. 44, 2120 (2023), doi:10.1002/jcc.27185.
        """
        if level.supercell is not None:
            from .crystal import said_of

            return (said_of(atoms, level),)
        if atoms.multiplicity == 1:
            return ()
        return (
            f"{level.method} has no terms that depend on spin: states of other multiplicities lie "
            "too near each other, and their order may be wrong (dioxygen comes out as a singlet)",
        )

    def of_reactions(self, level: TightBinding, kept: Conserved) -> tuple[str, ...]:
        """Return what is not to be trusted of energies of reactions: by how much was measured.

        Beside experiment (S. J. Blanksby, G. B. Ellison, Acc. Chem. Res. 36, 255 (2003),
        doi:10.1021/ar020230d, quoted from memory), ΔH at 298 K in kcal/mol with GFN2-xTB: H–H 118
        (104), H–CH3 129 (105), H–OH 150 (119), H–NH2 132 (108), CH3–CH3 124 (90), CH3–OH 142 (92),
        CH3–Cl 100 (84), F–F 50 (38). CO + H2O -> CO2 + H2 −65 (−10, from the NIST-JANAF tables).
        """
        if kept == "unpaired electrons":
            return (
                f"{level.method} is made for geometries, vibrations and interactions: energies of "
                "reactions that keep no bonds may be off by tens of kcal/mol with GFN2-xTB (ΔH of "
                "CO + H2O -> CO2 + H2 −65, measured −10): take energies of a functional at these "
                "geometries (energy_at, such as B3LYP-D4/def2-TZVP)",
            )
        if kept != "nothing":
            return ()
        return (
            f"{level.method} makes bonds that break into radicals too strong, by 12 to 50 kcal/mol "
            "for small molecules with GFN2-xTB (methanol C–O 142, measured 92): take energies of "
            "a functional at these geometries (energy_at, such as B3LYP-D4/def2-TZVP); the "
            "order of like bonds is more to be trusted",
        )

    def described(self, level: TightBinding, numbers: Sequence[int]) -> Described:
        parts = [cited("method", level.method, level.method)]
        settings = [f"electronic temperature {level.electronic_temperature:g} K"]
        if around := level.solvation:
            text = f"the continuum model {around.model} of {around.solvent}"
            parts.append(cited("solvation", around.model, text))
        settings.append(f"tblite's accuracy {level.accuracy:g}")
        if level.supercell is not None:
            times = "×".join(map(str, level.supercell.tolist()))
            settings.append(f"{times} cells at the Γ point")
        return Described(tuple(parts), tuple(settings))

    def is_short(self, atoms: ConceptualAtoms, level: TightBinding, request: DFTRequest) -> bool:
        from .cost import is_short

        return level.supercell is None and is_short(atoms, request)

    def cost(
        self, atoms: ConceptualAtoms, level: TightBinding, request: DFTRequest, granted: Granted
    ) -> Cost:
        from .cost import cost

        return cost(atoms, level, request)


TBLITE = TBLite()
