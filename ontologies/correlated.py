"""Correlated wavefunctions: perturbation theory and coupled cluster on Hartree–Fock orbitals."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import model_validator

from ogm import GraphModel, Unit

from .level import Level, Reference, ResolvedLevel
from .quantum import EnergyResult, RelaxedGeometry, StabilityLabel, length, with_derived
from .units import Debye, Dipole, Hartree, Number
from .vibrations import VibrationalAnalysis

HartreePerChargeAndBohr: TypeAlias = Annotated[float, Unit("E_h-PER-E-BOHR", own=True)]


class BasisExtrapolation(GraphModel):
    """How energies in two basis sets are taken to the limit of a complete one.

    Hartree–Fock goes like exp(−α√X) with the cardinal number X, correlation like X^−β.

    Attributes:
        smaller_basis: the name of one set.
        larger_basis: of the next of its family.
        smaller_cardinal: the cardinal number of one, 2 for double-zeta.
        larger_cardinal: of the next.
        reference_exponent: α.
        correlation_exponent: β.
    """

    smaller_basis: str
    larger_basis: str
    smaller_cardinal: int
    larger_cardinal: int
    reference_exponent: Number
    correlation_exponent: Number = 3.0


class BasisSetEnergy(GraphModel):
    """The energy in one of the basis sets that an extrapolation starts from.

    Attributes:
        basis: the name of the set.
        cardinal_number: 2 for double-zeta.
        reference_energy: of Hartree–Fock.
        correlation_energy: what correlation adds to it.
    """

    basis: str
    cardinal_number: int
    reference_energy: Hartree
    correlation_energy: Hartree


class CorrelatedLevel(Level):
    """A method that adds the correlation of the electrons to a Hartree–Fock energy.

    Attributes:
        method: `MP2`, `DF-MP2`, `CCSD` or `CCSD(T)`.
        basis: the name of the basis set, in its usual spelling.
        reference: which orbitals electrons of alpha and beta spin share in the Hartree–Fock
            solution.
        all_electrons: whether the electrons of the cores are correlated too; else those of the
            chemical core are left out: 2 for each atom from boron to magnesium, 10 from aluminium
            to zinc, 18 from gallium to strontium, and so on.
        fitting_basis: the set that the integrals of the correlation energy are fitted with; empty
            where they are not. Hartree–Fock itself is never fitted.
        spherical: real solid harmonics, as opposed to Cartesian functions.
        core_potential: the set of effective core potentials that the basis set is made for, as in
            `LevelOfTheory`.
        scf_tolerance: largest change of the energy in the last cycle of Hartree–Fock.
        amplitude_tolerance: largest norm of the change of the amplitudes in the last cycle of
            coupled cluster; the energy changes by less than a hundredth of that, in Eh.
        extrapolation: how the limit of a complete basis set is found; `basis` names both sets
            then, as in `cc-pV[TQ]Z`. None for the energy in one set.
    """

    basis: str
    reference: Reference
    all_electrons: bool = False
    fitting_basis: str = ""
    spherical: bool = True
    core_potential: str = ""
    scf_tolerance: Hartree = 1e-10
    amplitude_tolerance: Number = 1e-6
    extrapolation: BasisExtrapolation | None = None

    @property
    def words(self) -> dict[str, str]:
        """What a search may name a part of."""
        return {"method": self.method, "basis": self.basis}

    @property
    def label(self) -> str:
        """The usual short form, such as UCCSD(T)/cc-pVTZ (frozen core)."""
        prefix = "U" if self.reference == "unrestricted" else ""
        core = "all electrons" if self.all_electrons else "frozen core"
        kind = core if self.spherical else f"Cartesian, {core}"
        return f"{prefix}{self.method}/{self.basis} ({kind})"


class CorrelatedResolution(ResolvedLevel):
    """What the name of a correlated method, a basis set and their options mean.

    Attributes:
        basis: the basis set, as given.
        level: what they mean.
    """

    basis: str
    level: CorrelatedLevel  # pyright: ignore[reportIncompatibleVariableOverride]  # it is frozen


class CorrelatedResult(EnergyResult):
    """What every correlated calculation reports of its (last) geometry.

    Attributes:
        level: a correlated method.
        converged: whether Hartree–Fock and the amplitudes reached their thresholds (results that
            did not are never stored).
        reference_energy: of Hartree–Fock.
        correlation_energy: what correlation adds to it, triples included.
        opposite_spin_energy: the part of the pairs of electrons of opposite spin; None where it
            was not told apart.
        same_spin_energy: likewise of those of the same spin.
        triples_energy: the perturbative triples; None where the method has none.
        t1_diagnostic: the norm of the amplitudes of single excitations over the root of the number
            of correlated electrons; None where there are none.
        frozen_orbitals: doubly occupied orbitals that are left out of the correlation.
        correlated_electrons: how many are in it.
        scf_cycles: number of cycles of Hartree–Fock.
        amplitude_cycles: number of cycles of coupled cluster; 0 where nothing was iterated.
        spin_squared: expectation value of S² of an unrestricted reference; None for a restricted.
        scf_path: what was tried until Hartree–Fock converged, as in `ElectronicResult`.
        stability: what is known of the Hartree–Fock solution, as in `ElectronicResult`.
        basis_set_energies: what an extrapolation starts from, the smaller set first; all else is
            of the limit, or of the larger set. Empty without one.
    """

    level: CorrelatedLevel  # pyright: ignore[reportIncompatibleVariableOverride]  # it is frozen
    converged: bool
    reference_energy: Hartree
    correlation_energy: Hartree
    opposite_spin_energy: Hartree | None = None
    same_spin_energy: Hartree | None = None
    triples_energy: Hartree | None = None
    t1_diagnostic: Number | None = None
    frozen_orbitals: int = 0
    correlated_electrons: int = 0
    scf_cycles: int = 0
    amplitude_cycles: int = 0
    spin_squared: float | None = None
    scf_path: tuple[str, ...] = ("DIIS",)
    stability: StabilityLabel = "not analysed"
    basis_set_energies: tuple[BasisSetEnergy, ...] = ()


class CorrelatedEnergy(CorrelatedResult):
    """A correlated energy at a fixed geometry."""


class CorrelatedDipole(CorrelatedResult):
    """A correlated energy at a fixed geometry, and the dipole that its slope in a field is.

    Attributes:
        dipole: relative to the centre of mass, shape (3,).
        reference_dipole: of Hartree–Fock, likewise.
        dipole_error: what the slope is off by at Hartree–Fock, where the dipole is known without.
        field_strength: of the fields, in both directions along each axis.
        dipole_moment: the length of the dipole; derived, so that it can be queried.
    """

    dipole: Dipole
    reference_dipole: Dipole
    dipole_error: Debye
    field_strength: HartreePerChargeAndBohr
    dipole_moment: Debye | None = None

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, data: Any) -> Any:
        return with_derived(data, "dipole", dipole_moment=length)


class CorrelatedOptimisation(  # pyright: ignore[reportIncompatibleVariableOverride]
    CorrelatedResult, RelaxedGeometry
):
    """A geometry relaxed by a correlated method."""


class CorrelatedFrequencies(  # pyright: ignore[reportIncompatibleVariableOverride]
    CorrelatedResult, VibrationalAnalysis
):
    """Harmonic vibrations by a correlated method."""
