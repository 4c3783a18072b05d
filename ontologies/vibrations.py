"""Vibrations: frequencies, thermochemistry, and the way off a saddle point."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, model_validator

from ogm import ADDED, GraphModel, Link, PartOf

from .atoms import ConceptualAtoms
from .quantum import ElectronicResult, EnergyResult, least, with_derived
from .units import (
    Angstrom,
    Hartree,
    HartreePerBohr,
    HartreePerKelvin,
    Hessian,
    InfraredIntensities,
    Kelvin,
    Modes,
    Pascal,
    ReducedMasses,
    Wavenumber,
    Wavenumbers,
)

Stationarity: TypeAlias = Literal["minimum", "saddle point", "not stationary"]
Treatment: TypeAlias = Literal["harmonic", "quasi-RRHO"]


class VibrationalAnalysis(EnergyResult):
    """Harmonic vibrations at a geometry, at any level.

    Attributes:
        wavenumbers: translation and rotation projected out; imaginary ones are negative.
        modes: Cartesian displacements, each of norm one, shape (modes, atoms, 3).
        reduced_masses: shape (modes,).
        hessian: second derivatives of the energy, shape (atoms, atoms, 3, 3).
        imaginary: how many wavenumbers are imaginary.
        max_gradient: largest component of the gradient at the geometry, in the frame where it
            was computed.
        infrared: intensities of absorption in the double harmonic approximation, shape (modes,);
            None where they were not computed.
        stationarity: `minimum` (no imaginary mode), `saddle point`, or `not stationary` where
            the gradient is too large for either word.
        lowest_wavenumber: the least of `wavenumbers`, negative if it is imaginary; derived, so
            that it can be queried. None for a single atom.
    """

    wavenumbers: Wavenumbers
    modes: Modes
    reduced_masses: ReducedMasses
    hessian: Hessian
    imaginary: Annotated[int, Field(ge=0)]
    max_gradient: HartreePerBohr
    stationarity: Stationarity
    infrared: InfraredIntensities | None = None
    lowest_wavenumber: Wavenumber | None = None

    @model_validator(mode="before")
    @classmethod
    def _derive_lowest(cls, data: Any) -> Any:
        return with_derived(data, "wavenumbers", lowest_wavenumber=least)


class FrequencyAnalysis(  # pyright: ignore[reportIncompatibleVariableOverride]  # levels are frozen
    ElectronicResult, VibrationalAnalysis, schema=2, upgrades={1: ADDED}
):
    """Harmonic vibrations with Hartree–Fock or a functional."""


class ElectronicLevel(GraphModel):
    """An electronic level as it was measured.

    Attributes:
        term_symbol: such as `3P` or `2Pi`: multiplicity, then orbital angular momentum.
        sublevel: within the term, such as `J=3/2`; empty where the term is taken whole.
        statistical_weight: how many states it is.
        term_energy: above the lowest level.
        tabulated_in: where the number comes from.
    """

    term_symbol: str
    sublevel: str = ""
    statistical_weight: Annotated[int, Field(ge=1)]
    term_energy: Wavenumber
    tabulated_in: str


class Thermochemistry(GraphModel, identity="result"):
    """Ideal gas, rigid rotor, harmonic oscillator at one temperature and pressure.

    With a quasi-harmonic treatment, soft modes count for less than the oscillator says. The
    electrons are in the levels that were measured, where they are tabulated; else in one level of
    as many states as the multiplicity says.

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
        treatment: of soft modes: as harmonic oscillators, or their entropy interpolated to that
            of a free rotor (`quasi-RRHO`).
        cutoff: the wavenumber around which that interpolation goes; None for oscillators.
        electronic_levels: the measured levels that count, the lowest first; empty where none are
            tabulated, and the multiplicity alone counts.
        spin_orbit_lowering: how far the lowest of these levels lies below the mean of its term, for
            which the electronic energy of a calculation without spin–orbit coupling stands; None
            without levels.
        spin_orbit: whether enthalpy and Gibbs energy are lower by that; if not, they count from the
            lowest level as if it lay at the electronic energy.
        remarks: what a reader must know.
    """

    frequencies: VibrationalAnalysis
    temperature: Kelvin
    pressure: Pascal
    symmetry_number: int
    point_group: str
    symmetry_tolerance: Angstrom
    zero_point_energy: Hartree
    enthalpy: Hartree
    entropy: HartreePerKelvin
    gibbs_energy: Hartree
    treatment: Treatment = "harmonic"
    cutoff: Wavenumber | None = None
    electronic_levels: tuple[ElectronicLevel, ...] = ()
    spin_orbit_lowering: Hartree | None = None
    spin_orbit: bool = False
    remarks: tuple[str, ...] = ()


class Displacement(GraphModel):
    """A geometry pushed off a saddle point along an imaginary mode.

    Attributes:
        source: the frequency analysis that found the mode.
        wavenumber: of the mode, negative for imaginary.
        amplitude: the largest displacement of an atom.
        atoms: the new geometry.
    """

    source: Link[VibrationalAnalysis]
    wavenumber: Wavenumber
    amplitude: Angstrom
    atoms: Annotated[ConceptualAtoms, PartOf()]
