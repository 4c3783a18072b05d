"""Levels of theory: what a method, a basis set and their surroundings really are."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from ogm import GraphModel, PartOf, Unit

from .units import Hartree, Number

Reference: TypeAlias = Literal["restricted", "unrestricted", "restricted open-shell"]
SolvationName: TypeAlias = Literal["C-PCM", "COSMO", "IEF-PCM", "SS(V)PE", "SMD"]
DispersionName: TypeAlias = Literal["D3(0)", "D3(BJ)", "D3M(0)", "D3M(BJ)", "D4"]

SCF_LADDER = (
    "DIIS",
    "better guess",
    "damping",
    "level shift",
    "second order",
    "fractional occupation",
)
"""What is tried, in this order, until an SCF converges."""

USUAL_GRID, USUAL_SCF = 3, 1e-9
"""The integration grid, and Eh by which an SCF may still change, where nobody asks for others."""


class Dispersion(GraphModel):
    """A correction for London dispersion that is added to the electronic energy.

    Attributes:
        kind: the correction, with its damping.
        functional: the functional that its parameters were made for.
        damping_parameters: the damping parameters by name, such as `s8=1.9889`.
        three_body: whether the Axilrod–Teller–Muto term is in it.
    """

    kind: DispersionName
    functional: str
    damping_parameters: tuple[str, ...] = ()
    three_body: bool = False


class Solvation(GraphModel):
    """A polarisable continuum in the place of a solvent.

    Attributes:
        model: the model of the continuum.
        solvent: its usual English name; empty for a continuum of a given permittivity.
        dielectric: the static relative permittivity ε.
        optical_dielectric: the square n² of the refractive index, for fast processes.
    """

    model: SolvationName
    solvent: str
    dielectric: Number
    optical_dielectric: Number | None = None


class OwnBasisSet(GraphModel):
    """A basis set that a person has brought, with the core potentials that are in it.

    Attributes:
        basis_functions: a text in the format of NWChem, exponents in 1/bohr².
    """

    basis_functions: str


class Level(GraphModel):
    """How energies are computed: the method, and the program that computes them.

    A class of levels adds what its methods need, such as a basis set; `workflows.registry.levels`
    says what can be computed at it.

    Attributes:
        method: the name, in its usual spelling (`HF`, `B3LYP`).
        program: the program or library that computes.
    """

    method: str
    program: str = "PySCF"

    @property
    def label(self) -> str:
        """The usual short form."""
        return self.method

    @property
    def words(self) -> dict[str, str]:
        """What a search may name a part of."""
        return {"method": self.method}

    @property
    def unsaid(self) -> tuple[str, ...]:
        """What is not known of it, in words, where it was read from a file; else nothing."""
        return ()


class LevelOfTheory(Level):
    """Hartree–Fock and density functionals: the names as given and what they resolved to.

    Attributes:
        basis: the name of the basis set, in its usual spelling; `def2-SVP; I=def2-TZVP` has
            another for an element, and `own-` begins the name of one that was read from a file, of
            which a digest follows.
        reference: which orbitals electrons of alpha and beta spin share.
        functional: the components by their names and numbers in libxc, with coefficients;
            empty for Hartree–Fock.
        exact_exchange: fraction of exact exchange (at short range where it is range-separated).
        long_range_exchange: fraction of exact exchange at long range.
        range_separation: the parameter ω in 1/bohr, 0 where there is none.
        nonlocal_correlation: the non-local part (`VV10`), empty where there is none.
        nonlocal_parameters: its parameters by name, where they differ from those of the VV10
            of 2010.
        dispersion: a correction for London dispersion.
        solvation: a continuum around the molecule; None for the gas phase.
        grid_level: PySCF's integration grid, 0 (coarse) to 9; None for Hartree–Fock.
        spherical: real solid harmonics, as opposed to Cartesian functions.
        core_potential: the set of effective core potentials that the basis set is made for, for
            the elements that have one there; empty for a set of all electrons, and for def2, whose
            potentials from rubidium on belong to its name.
        density_fitting: whether the Coulomb and exchange integrals are fitted.
        auxiliary_basis: the sets that they are fitted with, of which the first counts that has an
            element (def2 sets beyond krypton only where a core potential stands for its core);
            `even-tempered` are functions that PySCF makes; empty for what PySCF alone chooses.
        scf_tolerance: largest change of the energy in the last SCF cycle.
        scf_ladder: what is tried in this order until the SCF converges.
        follow_instabilities: whether an unstable solution is left for the stable one below it.
        own_basis: what was read from a file; None if nothing was.
    """

    basis: str
    reference: Reference
    functional: tuple[str, ...] = ()
    exact_exchange: float = 1.0
    long_range_exchange: float = 1.0
    range_separation: Annotated[float, Unit("PER-BOHR", own=True)] = 0.0
    nonlocal_correlation: str = ""
    nonlocal_parameters: tuple[str, ...] = ()
    dispersion: Dispersion | None = None
    solvation: Solvation | None = None
    grid_level: int | None = None
    spherical: bool = True
    core_potential: str = ""
    density_fitting: bool = False
    auxiliary_basis: str = ""
    scf_tolerance: Hartree = USUAL_SCF
    scf_ladder: tuple[str, ...] = SCF_LADDER
    follow_instabilities: bool = False
    own_basis: OwnBasisSet | None = None

    @property
    def basis_source(self) -> str:
        """The basis set by name, and what was read from a file from the second line on."""
        return f"{self.basis}\n{self.own_basis.basis_functions}" if self.own_basis else self.basis

    @property
    def words(self) -> dict[str, str]:
        """What a search may name a part of: PBE-D3(BJ) is stored as PBE and D3(BJ)."""
        correction = self.dispersion.kind if self.dispersion else ""
        inside = self.solvation.solvent if self.solvation else ""
        return {"method": self.method + correction, "basis": self.basis, "solvent": inside}

    @property
    def label(self) -> str:
        """The usual short form, such as UB3LYP-D4/def2-SVP in C-PCM water, and what is unusual."""
        prefix = {"unrestricted": "U", "restricted open-shell": "RO"}.get(self.reference, "")
        correction = f"-{self.dispersion.kind}" if self.dispersion else ""
        if correction[:3].lower() in self.method.lower():  # as in wB97X-D3(BJ)
            correction = ""
        parts = [f"{prefix}{self.method}{correction}/{self.basis}"]
        if not self.spherical:
            parts.append("(Cartesian)")
        if self.density_fitting:
            parts.append("(density-fitted)")
        if self.solvation:
            medium = self.solvation.solvent or f"ε = {self.solvation.dielectric:g}"
            parts.append(f"in {self.solvation.model} {medium}")
        other: list[str] = []
        if self.grid_level not in (None, USUAL_GRID):
            other.append(f"grid {self.grid_level}")
        if self.scf_tolerance != USUAL_SCF:
            other.append(f"SCF to {self.scf_tolerance:g} Eh")
        if self.follow_instabilities:
            other.append("stable solution")
        if other:
            parts.append(f"({', '.join(other)})")
        return " ".join(parts)


class ResolvedLevel(GraphModel, identity="result"):
    """What a method and its options mean for the program that computes them.

    Attributes:
        method: the method, as given.
        level: what it means.
        remarks: what a reader must know of it, such as a cost or a history of the name.
    """

    method: str
    level: Annotated[Level, PartOf()]
    remarks: tuple[str, ...] = ()


class LevelResolution(ResolvedLevel):
    """What a method, a basis set and their options mean for Hartree–Fock and functionals.

    Attributes:
        basis: the basis set, as given.
        level: what they mean.
    """

    basis: str
    level: LevelOfTheory  # pyright: ignore[reportIncompatibleVariableOverride]  # it is frozen
