"""Quantum chemistry: levels of theory and what is computed at them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, cast

from pydantic import Field, model_validator

from ogm import GraphModel, Link, Unit

from .atoms import ConceptualAtoms
from .units import (
    Angstrom,
    AtomicCharges,
    Dipole,
    EnergySeries,
    Hartree,
    HartreePerBohr,
    HartreePerKelvin,
    Hessian,
    Kelvin,
    Modes,
    Pascal,
    ReducedMasses,
    Wavenumber,
    Wavenumbers,
)

Reference: TypeAlias = Literal["restricted", "unrestricted"]
Stationarity: TypeAlias = Literal["minimum", "saddle point", "not stationary"]


class LevelOfTheory(GraphModel):
    """What was really computed: the names as given and what they resolved to.

    Attributes:
        method: the name, in its usual spelling (`HF`, `B3LYP`).
        basis: the name of the basis set, in its usual spelling.
        reference: whether alpha and beta electrons share orbitals.
        functional: the components by their names and numbers in libxc, with coefficients;
            empty for Hartree–Fock.
        exact_exchange: fraction of exact exchange (at short range where it is range-separated).
        long_range_exchange: fraction of exact exchange at long range.
        range_separation: the parameter ω in 1/bohr, 0 where there is none.
        nonlocal_correlation: the non-local part (`VV10`), empty where there is none.
        grid_level: PySCF's integration grid, 0 (coarse) to 9; None for Hartree–Fock.
        spherical: real solid harmonics, as opposed to Cartesian functions.
        density_fitting: whether the Coulomb and exchange integrals are fitted.
        scf_tolerance: largest change of the energy in the last SCF cycle.
    """

    method: str
    basis: str
    reference: Reference
    functional: tuple[str, ...] = ()
    exact_exchange: float = 1.0
    long_range_exchange: float = 1.0
    range_separation: Annotated[float, Unit("PER-BOHR", own=True)] = 0.0
    nonlocal_correlation: str = ""
    grid_level: int | None = None
    spherical: bool = True
    density_fitting: bool = False
    scf_tolerance: Hartree = 1e-9

    @property
    def label(self) -> str:
        """The usual short form, such as UB3LYP/def2-SVP."""
        prefix = "U" if self.reference == "unrestricted" else ""
        return f"{prefix}{self.method}/{self.basis}"


class LevelResolution(GraphModel, identity="result"):
    """What a method and a basis set mean for the engine that computes them."""

    method: str
    basis: str
    level: LevelOfTheory


class ElectronicResult(GraphModel, identity="result"):
    """What every electronic structure calculation reports of its (last) geometry.

    Attributes:
        atoms: the geometry that the numbers belong to.
        level: the level of theory.
        energy: total energy, nuclear repulsion included.
        converged: whether the SCF reached its threshold (results that did not are never stored).
        scf_cycles: number of SCF cycles at this geometry.
        dipole: relative to the centre of mass, shape (3,).
        mulliken_charges: shape (atoms,).
        homo: energy of the highest occupied orbital, of either spin.
        lumo: energy of the lowest empty orbital, of either spin; None if the basis has none.
        spin_squared: expectation value of S²; None for a restricted reference.
    """

    atoms: ConceptualAtoms
    level: LevelOfTheory
    energy: Hartree
    converged: bool
    scf_cycles: int
    dipole: Dipole
    mulliken_charges: AtomicCharges
    homo: Hartree | None = None
    lumo: Hartree | None = None
    spin_squared: float | None = None


class SinglePoint(ElectronicResult):
    """Electronic energy at a fixed geometry."""


class Optimisation(ElectronicResult):
    """A geometry relaxed to a stationary point; `atoms` is where it ended.

    Attributes:
        initial: where it started.
        steps: number of optimisation steps.
        max_gradient: largest component of the gradient at the end, in the frame where it was
            computed (in a turned one, a component can be √3 times as large).
        energies: the energy at each step, shape (steps,).
        criteria: the thresholds that were met, by the optimiser's name for them.
        extent: of `atoms`, see `ConceptualAtoms.extent`; derived, so that copies can be queried.
    """

    initial: ConceptualAtoms
    steps: int
    max_gradient: HartreePerBohr
    energies: EnergySeries
    criteria: str
    extent: Angstrom | None = None

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        values = dict(cast("Mapping[str, Any]", data))
        if values.get("extent") is None and isinstance(values.get("atoms"), ConceptualAtoms):
            values["extent"] = values["atoms"].extent
        return values


class FrequencyAnalysis(ElectronicResult):
    """Harmonic vibrations at a geometry.

    Attributes:
        wavenumbers: translation and rotation projected out; imaginary ones are negative.
        modes: Cartesian displacements, each of norm one, shape (modes, atoms, 3).
        reduced_masses: shape (modes,).
        hessian: second derivatives of the energy, shape (atoms, atoms, 3, 3).
        imaginary: how many wavenumbers are imaginary.
        max_gradient: largest component of the gradient at the geometry, in the frame where it
            was computed.
        stationarity: `minimum` (no imaginary mode), `saddle point`, or `not stationary` where
            the gradient is too large for either word.
    """

    wavenumbers: Wavenumbers
    modes: Modes
    reduced_masses: ReducedMasses
    hessian: Hessian
    imaginary: Annotated[int, Field(ge=0)]
    max_gradient: HartreePerBohr
    stationarity: Stationarity


class Thermochemistry(GraphModel, identity="result"):
    """Ideal gas, rigid rotor, harmonic oscillator at one temperature and pressure.

    Attributes:
        frequencies: the vibrations of a minimum.
        temperature: in K.
        pressure: in Pa.
        symmetry_number: rotational symmetry number.
        point_group: in the Schoenflies notation, found within `symmetry_tolerance`.
        symmetry_tolerance: distance that atoms may be off their symmetric places.
        zero_point_energy: half the sum of the harmonic quanta.
        enthalpy: electronic energy, zero-point energy and thermal enthalpy.
        entropy: per molecule.
        gibbs_energy: enthalpy less temperature times entropy.
    """

    frequencies: FrequencyAnalysis
    temperature: Kelvin
    pressure: Pascal
    symmetry_number: int
    point_group: str
    symmetry_tolerance: Angstrom
    zero_point_energy: Hartree
    enthalpy: Hartree
    entropy: HartreePerKelvin
    gibbs_energy: Hartree


class Displacement(GraphModel):
    """A geometry pushed off a saddle point along an imaginary mode.

    Attributes:
        source: the frequency analysis that found the mode.
        wavenumber: of the mode, negative for imaginary.
        amplitude: the largest displacement of an atom.
        atoms: the new geometry.
    """

    source: Link[FrequencyAnalysis]
    wavenumber: Wavenumber
    amplitude: Angstrom
    atoms: ConceptualAtoms


class Embedding(GraphModel, identity="result"):
    """Three-dimensional atoms made from a notation.

    Attributes:
        notation: what was given.
        kind: how it was read.
        smiles: the canonical SMILES of it.
        atoms: the structure.
        method: how the coordinates were made.
    """

    notation: str
    kind: Literal["smiles", "name"]
    smiles: str
    atoms: ConceptualAtoms
    method: str
