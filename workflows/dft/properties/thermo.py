"""Thermochemistry of the ideal gas from harmonic vibrations and electronic levels."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ogm import GraphModel
from ontologies.outputs import (
    ImportedThermochemistry,
    ImportedVibrations,
    ThermochemistryOfImported,
)
from ontologies.units import Floats
from ontologies.vibrations import (
    ElectronicLevel,
    Thermochemistry,
    Treatment,
    VibrationalAnalysis,
)
from triplestore.errors import InputError
from workflows.engine import Backend, calculation
from workflows.geometry.symmetry import SYMMETRY_TOLERANCE, Shape, rotor
from workflows.text.words import count

from .electronic_levels import electronic_gas, lowering, measured_levels
from .electronic_remarks import concerns, electronic_remarks

IDEAL_GAS = Backend(
    name="ase",
    epoch="1",
    preload=("ase.thermochemistry", "workflows.dft.properties.thermo"),
    packages=("ase", "numpy", "scipy"),
)

MOST_SHOWN = 5

CUTOFF = 100.0
"""1/cm. At this wavenumber the entropy is half that of the oscillator, half that of the rotor."""

SOFT = 50.0
"""1/cm. Below it the entropy of an oscillator says little of a real mode; a remark is due."""

ATMOSPHERE = 101325.0
"""Pa. What programs take where nobody says a pressure."""

CLOSE = 2e-5
"""Eh. Masses of isotopes, or their means, and digits of wavenumbers make no more."""

MEAN_INERTIA = 1e-44
"""kg m². The mean moment of inertia that bounds the free rotor's: that of molecules of some size.
"""


def _revision(inputs: Sequence[GraphModel]) -> str:
    """Name the revision by what counts: electronic levels and what is said of open shells."""
    for one in inputs:
        if isinstance(one, VibrationalAnalysis | ImportedVibrations):
            return "levels" if concerns(one.atoms) else ""
    return ""


@calculation("dft.thermochemistry", version="2", backend=IDEAL_GAS, brief=True, revision=_revision)
def thermochemistry(
    frequencies: VibrationalAnalysis,
    temperature: float,
    pressure: float,
    *,
    symmetry_number: int = 0,
    treatment: Treatment = "harmonic",
    spin_orbit: bool = False,
) -> Thermochemistry:
    """Compute the functions of an ideal gas of rigid rotors and harmonic oscillators.

    Masses are means over the natural isotopes, of the vibrations and of the rotor. The electrons of
    atoms and diatomic molecules are in the levels that were measured, where the table has them; of
    all else in their ground state, whose degeneracy is the multiplicity. Quasi-RRHO changes the
    entropy of vibration alone, and with it the Gibbs energy; zero-point energy and enthalpy stay
    those of oscillators.

    Args:
        frequencies: of a minimum.
        temperature: in K.
        pressure: in Pa.
        symmetry_number: of rotation; 0 for that of the point group that is found.
        treatment: of soft modes.
        spin_orbit: whether the lowest measured level lies below the electronic energy by as much as
            below the mean of its term.

    Raises:
        InputError: the geometry is no minimum, or a value is out of its range.

    Sources: C. J. Cramer, Essentials of Computational Chemistry, 2nd ed., chapter 10, as
    implemented in ASE; quasi-RRHO: S. Grimme, Chem. Eur. J. 18, 9955 (2012).
    """
    asked = f"the thermochemistry of {frequencies.atoms.formula} was asked for"
    if frequencies.stationarity != "minimum":
        raise InputError(
            asked,
            f"its geometry is a {frequencies.stationarity} geometry",
            "give the frequencies of a minimum",
        )
    return _ideal_gas(
        frequencies,
        asked,
        temperature,
        pressure,
        symmetry_number,
        treatment,
        measured_levels(frequencies.atoms),
        spin_orbit,
        electronic_remarks(frequencies.atoms, temperature, spin_orbit),
    )


@calculation(
    "dft.activated_thermochemistry",
    version="1",
    backend=IDEAL_GAS,
    brief=True,
    title="thermochemistry of the transition state",
)
def activated_thermochemistry(
    frequencies: VibrationalAnalysis,
    temperature: float,
    pressure: float,
    *,
    treatment: Treatment = "harmonic",
) -> Thermochemistry:
    """Compute these functions of a transition state, whose imaginary mode counts for nothing.

    Args:
        frequencies: of a saddle point of the first order.
        temperature: in K.
        pressure: in Pa.
        treatment: of soft modes.

    Raises:
        InputError: the geometry is none, or a value is out of its range.
    """
    asked = f"the thermochemistry of the transition state {frequencies.atoms.formula} was asked for"
    if frequencies.stationarity != "saddle point" or frequencies.imaginary != 1:
        raise InputError(
            asked,
            f"its geometry is a {frequencies.stationarity} with "
            f"{count(frequencies.imaginary, 'imaginary mode')}",
            "give the frequencies of a saddle point with one",
        )
    return _ideal_gas(frequencies, asked, temperature, pressure, 0, treatment)


@calculation(
    "imported.thermochemistry",
    version="1",
    backend=IDEAL_GAS,
    brief=True,
    revision=_revision,
    title="thermochemistry of vibrations that were read",
)
def imported_thermochemistry(
    frequencies: ImportedVibrations,
    temperature: float,
    pressure: float,
    *,
    symmetry_number: int = 0,
    treatment: Treatment = "harmonic",
    spin_orbit: bool = False,
    printed: ImportedThermochemistry | None = None,
) -> ThermochemistryOfImported:
    """Compute the same from the geometry, the wavenumbers and the energy of a file.

    That its geometry is stationary is what the file says: there is no gradient.

    Args:
        frequencies: as they were read.
        temperature: in K.
        pressure: in Pa.
        symmetry_number: see `thermochemistry`.
        treatment: likewise.
        spin_orbit: likewise.
        printed: what the file itself has, which a remark compares with what comes of this.

    Raises:
        InputError: a mode is imaginary, modes are missing, or a value is out of its range.
    """
    asked = f"the thermochemistry of {frequencies.atoms.formula} was asked for"
    count_of, place = len(frequencies.wavenumbers), frequencies.place
    shape = rotor(frequencies.atoms)[2]
    atoms = len(frequencies.atoms.numbers)
    fits = {"monatomic": (0,), "linear": (3 * atoms - 5,), "nonlinear": (3 * atoms - 6,)}[shape]
    if frequencies.imaginary or count_of not in fits:
        found = (
            f"{count(frequencies.imaginary, 'imaginary mode')} in {place}"
            if frequencies.imaginary
            else f"{count(count_of, 'vibration')} in {place}, and a {shape} molecule of "
            f"{count(atoms, 'atom')} has {fits[0]}"
        )
        raise InputError(
            asked,
            f"there {'are' if frequencies.imaginary != 1 else 'is'} {found}",
            "give the frequencies of a minimum, or name a level to compute them here",
        )

    def of(
        at: float, under: float, number: int, how: Treatment, told: tuple[str, ...] = ()
    ) -> ThermochemistryOfImported:
        levels = measured_levels(frequencies.atoms)
        made = _ideal_gas(frequencies, asked, at, under, number, how, levels, spin_orbit, told)
        assert isinstance(made, ThermochemistryOfImported)  # as the frequencies are
        return made

    remarks = [
        "computed here from the geometry, the wavenumbers and the energy of "
        f"{place}; that the geometry is a minimum is what the file says",
        *electronic_remarks(frequencies.atoms, temperature, spin_orbit),
    ]
    if printed is not None and printed.temperature and printed.gibbs_energy is not None:
        own = of(printed.temperature, printed.pressure or ATMOSPHERE, symmetry_number, "harmonic")
        remarks.append(_beside(own, printed))
    return of(temperature, pressure, symmetry_number, treatment, tuple(remarks))


def _beside(own: Thermochemistry, printed: ImportedThermochemistry) -> str:
    """Compare what is computed here with what a file has at its own temperature."""
    assert printed.gibbs_energy is not None
    apart = own.gibbs_energy - printed.gibbs_energy
    number = printed.symmetry_number
    said = f"{number}" if number else "not said"
    under = f"{printed.pressure:g} Pa" if printed.pressure else f"not said, {ATMOSPHERE:g} Pa taken"
    return (
        f"at {printed.temperature:g} K ({under}) the file has the Gibbs energy "
        f"{printed.gibbs_energy:.8f} Eh (symmetry number {said}), and the same is "
        f"{own.gibbs_energy:.8f} Eh here (symmetry number {own.symmetry_number}, harmonic): "
        f"{apart:+.1e} Eh apart"
        + ("" if abs(apart) < CLOSE else "; its treatment of soft modes or symmetry is another")
    )


def _ideal_gas(
    frequencies: VibrationalAnalysis | ImportedVibrations,
    asked: str,
    temperature: float,
    pressure: float,
    symmetry_number: int,
    treatment: Treatment,
    levels: tuple[ElectronicLevel, ...] = (),
    spin_orbit: bool = False,
    remarks: tuple[str, ...] = (),
) -> Thermochemistry:
    """Return the functions of an ideal gas whose real modes count."""
    from ase import units
    from ase.thermochemistry import IdealGasThermo

    atoms, waves = frequencies.atoms, np.sort(frequencies.wavenumbers)[frequencies.imaginary :]
    if not (temperature > 0 and pressure > 0 and symmetry_number >= 0):
        raise InputError(
            asked,
            f"the temperature is {temperature:g} K, the pressure {pressure:g} Pa, the symmetry "
            f"number {symmetry_number}",
            "give a temperature and a pressure above zero, and a symmetry number from 1, or 0 for "
            "the one that is found",
        )
    group, found, shape = rotor(atoms)
    shape = _shape_of_modes(frequencies, shape)
    quanta = waves * units.invcm
    gas = IdealGasThermo(
        vib_energies=list(quanta),
        geometry=shape,
        potentialenergy=frequencies.energy * units.Hartree,
        atoms=atoms.to_ase(),
        symmetrynumber=symmetry_number or found,
        spin=0 if levels else (atoms.multiplicity - 1) / 2,
        vib_selection="all",
    )
    read = isinstance(frequencies, ImportedVibrations)
    enthalpy = gas.get_enthalpy(temperature, verbose=False)
    entropy = gas.get_entropy(temperature, pressure, verbose=False)
    if treatment == "quasi-RRHO":
        oscillators = oscillator_entropies(waves, temperature)
        mixed = interpolated_entropies(waves, temperature)
        entropy += float((mixed - oscillators).sum()) * units.kB
    lower = None
    if levels:
        lower = lowering(levels)
        energy, disorder = electronic_gas(levels, temperature)
        enthalpy += (energy - (lower if spin_orbit else 0.0)) * units.Hartree
        entropy += disorder * units.Hartree
    said: dict[str, Any] = {"frequencies": frequencies}
    return (ThermochemistryOfImported if read else Thermochemistry)(
        **said,
        temperature=temperature,
        pressure=pressure,
        symmetry_number=symmetry_number or found,
        point_group=group,
        symmetry_tolerance=SYMMETRY_TOLERANCE,
        zero_point_energy=float(quanta.sum() / 2 / units.Hartree),
        enthalpy=float(enthalpy / units.Hartree),
        entropy=float(entropy / units.Hartree),
        gibbs_energy=float((enthalpy - temperature * entropy) / units.Hartree),
        treatment=treatment,
        cutoff=CUTOFF if treatment == "quasi-RRHO" else None,
        electronic_levels=levels,
        spin_orbit_lowering=lower,
        spin_orbit=spin_orbit and lower is not None,
        remarks=remarks,
    )


def soft_modes(found: Thermochemistry) -> str:
    """Say what quasi-RRHO would change of a Gibbs energy with soft modes; empty if there are none.

    It is made from what is stored, so that it is said of old results too.

    Args:
        found: any thermochemistry.
    """
    from ase import units

    waves = found.frequencies.wavenumbers
    waves = waves[waves > 0]
    soft = waves[waves < SOFT]
    if found.treatment != "harmonic" or not len(soft):
        return ""
    temperature = found.temperature
    entropies = oscillator_entropies(waves, temperature), interpolated_entropies(waves, temperature)
    change = float((entropies[0] - entropies[1]).sum()) * units.kB * temperature  # eV
    shown = ", ".join(f"{wave:.1f}" for wave in soft[:MOST_SHOWN])
    more = ", …" if len(soft) > MOST_SHOWN else ""
    return (
        f"{count(len(soft), 'mode')} below {SOFT:g} cm⁻¹ ({shown}{more} cm⁻¹) as harmonic "
        f"oscillators: with quasi-RRHO the Gibbs energy at {temperature:g} K would be "
        f"{found.gibbs_energy + change / units.Hartree:.6f} Eh, that is "
        f"{change / units.Hartree:+.6f} Eh = {change * units.mol / units.kJ:+.2f} kJ/mol "
        "(treatment quasi-RRHO)"
    )


def _shape_of_modes(frequencies: VibrationalAnalysis | ImportedVibrations, shape: Shape) -> Shape:
    """Return linear or nonlinear as the modes were counted: a hair's breadth may lie between."""
    if shape == "monatomic":
        return shape
    linear = len(frequencies.wavenumbers) == 3 * len(frequencies.atoms.numbers) - 5
    return "linear" if linear else "nonlinear"


def oscillator_entropies(wavenumbers: Floats, temperature: float) -> Floats:
    """Return the entropy of each harmonic oscillator in units of the Boltzmann constant.

    Args:
        wavenumbers: in 1/cm, all positive.
        temperature: in K.
    """
    from ase import units

    ratio = wavenumbers * units.invcm / (units.kB * temperature)
    return ratio / np.expm1(ratio) - np.log(-np.expm1(-ratio))


def interpolated_entropies(
    wavenumbers: Floats, temperature: float, cutoff: float = CUTOFF
) -> Floats:
    """Return the entropy of each mode between oscillator and free rotor, likewise.

    Args:
        wavenumbers: in 1/cm, all positive.
        temperature: in K.
        cutoff: where both count the same, in 1/cm.

    Source: S. Grimme, Chem. Eur. J. 18, 9955 (2012).
    """
    from scipy.constants import c, h, k

    free = h / (8 * np.pi**2 * 100 * c * wavenumbers)  # moment of inertia that has this quantum
    inertia = free * MEAN_INERTIA / (free + MEAN_INERTIA)
    rotors = 0.5 + 0.5 * np.log(8 * np.pi**3 * inertia * k * temperature / h**2)
    weights = 1 / (1 + (cutoff / wavenumbers) ** 4)
    return weights * oscillator_entropies(wavenumbers, temperature) + (1 - weights) * rotors
