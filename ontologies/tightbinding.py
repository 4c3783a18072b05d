"""Semi-empirical tight binding: its levels, and what a calculation at one of them gives."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic import model_validator

from ogm import GraphModel

from .crystals import Repeats
from .level import Level, ResolvedLevel
from .quantum import EnergyResult, RelaxedGeometry, length, with_derived
from .units import (
    AtomicCharges,
    BondOrders,
    Debye,
    Dipole,
    Hartree,
    Kelvin,
    Number,
    Occupations,
    OrbitalEnergies,
)
from .vibrations import VibrationalAnalysis

BornModel: TypeAlias = Literal["ALPB", "GBSA"]


class BornSolvation(GraphModel):
    """A generalised Born continuum with a surface term, fitted to one solvent for one method.

    Attributes:
        model: `ALPB` (analytical linearised Poisson–Boltzmann) or `GBSA` (generalised Born with
            solvent accessible surface area).
        solvent: its usual English name.
    """

    model: BornModel
    solvent: str


class TightBinding(Level):
    """A method of the GFN family, which needs no basis set: it brings a minimal one of its own.

    Attributes:
        method: `GFN1-xTB` or `GFN2-xTB`.
        program: the library that computes.
        solvation: a continuum around the molecule; None for the gas phase.
        electronic_temperature: of the Fermi distribution of the electrons.
        accuracy: factor on the program's thresholds of self-consistency: 1 stands for 1e-6 Eh of
            the energy and 2e-5 e of the charges, less is finer.
        supercell: of a crystal, how many cells along each lattice vector are solved together, at
            the Γ point alone, shape (3,); None for a molecule.
    """

    program: str = "tblite"
    solvation: BornSolvation | None = None
    electronic_temperature: Kelvin = 300.0
    accuracy: Number = 0.01
    supercell: Repeats | None = None

    @property
    def words(self) -> dict[str, str]:
        """What a search may name a part of."""
        around = self.solvation
        return {"method": self.method, "solvent": around.solvent if around else ""}

    @property
    def label(self) -> str:
        """The usual short form, such as GFN2-xTB in ALPB water, or GFN1-xTB (3×3×3 cells, Γ)."""
        around = self.solvation
        parts = [self.method, f"in {around.model} {around.solvent}" if around else ""]
        if self.supercell is not None:
            parts.append(f"({'×'.join(map(str, self.supercell.tolist()))} cells, Γ)")
        fields = type(self).model_fields
        if self.electronic_temperature != fields["electronic_temperature"].default:
            parts.append(f"({self.electronic_temperature:g} K electrons)")
        if self.accuracy != fields["accuracy"].default:
            parts.append(f"(accuracy {self.accuracy:g})")
        return " ".join(filter(None, parts))


class TightBindingResolution(ResolvedLevel):
    """What the name of a tight-binding method and its options mean for the program.

    Attributes:
        level: what they mean.
    """

    level: TightBinding  # pyright: ignore[reportIncompatibleVariableOverride]  # it is frozen


class TightBindingResult(EnergyResult):
    """What every tight-binding calculation reports of its (last) geometry.

    Attributes:
        level: a method of the GFN family.
        dipole: relative to the centre of mass, shape (3,).
        mulliken_charges: in the method's own minimal basis, shape (atoms,).
        bond_orders: of Mayer in that basis, which xTB calls those of Wiberg, shape (atoms, atoms).
        homo: energy of the highest orbital that holds an electron; None without valence electrons.
        lumo: energy of the lowest orbital that holds none; None if there is no such.
        orbital_energies: of the valence orbitals, which both spins share, shape (orbitals,).
        occupations: how many electrons each holds, smeared by the electronic temperature.
        solvation_free_energy: the energy less that in the gas phase at this geometry, what it
            costs to polarise the molecule included; None in the gas phase, and where it does not
            converge there.
        dipole_moment: the length of the dipole; derived, so that it can be queried.
    """

    level: TightBinding  # pyright: ignore[reportIncompatibleVariableOverride]  # it is frozen
    dipole: Dipole
    mulliken_charges: AtomicCharges
    bond_orders: BondOrders
    orbital_energies: OrbitalEnergies
    occupations: Occupations
    homo: Hartree | None = None
    lumo: Hartree | None = None
    solvation_free_energy: Hartree | None = None
    dipole_moment: Debye | None = None

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, data: Any) -> Any:
        return with_derived(data, "dipole", dipole_moment=length)

    @property
    def homo_lumo_gap(self) -> float | None:
        """LUMO less HOMO, in Eh; None for open shells."""
        if self.atoms.multiplicity != 1 or self.homo is None or self.lumo is None:
            return None
        return self.lumo - self.homo


class TightBindingEnergy(TightBindingResult):
    """Energy and properties by tight binding at a fixed geometry."""


class TightBindingOptimisation(  # pyright: ignore[reportIncompatibleVariableOverride]
    TightBindingResult, RelaxedGeometry
):
    """A geometry relaxed by tight binding."""


class TightBindingFrequencies(  # pyright: ignore[reportIncompatibleVariableOverride]
    TightBindingResult, VibrationalAnalysis
):
    """Harmonic vibrations by tight binding."""
