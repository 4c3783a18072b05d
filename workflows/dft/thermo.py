"""Thermochemistry of the ideal gas from harmonic vibrations."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any, Literal

from ontologies.atoms import ConceptualAtoms
from ontologies.vibrations import FrequencyAnalysis, Thermochemistry
from triplestore.errors import InputError
from workflows.engine import Backend, calculation

IDEAL_GAS = Backend(
    name="ase",
    epoch="1",
    preload=("ase.thermochemistry", "pymatgen.symmetry.analyzer", "workflows.dft.thermo"),
    packages=("ase", "pymatgen", "numpy"),
)

SYMMETRY_TOLERANCE = 0.1
"""Å. Optimised geometries are symmetric to within some 1e-3 Å only."""


@calculation("dft.thermochemistry", version="1", backend=IDEAL_GAS)
def thermochemistry(
    frequencies: FrequencyAnalysis, temperature: float, pressure: float
) -> Thermochemistry:
    """Compute the functions of an ideal gas of rigid rotors and harmonic oscillators.

    Args:
        frequencies: of a minimum.
        temperature: in K.
        pressure: in Pa.

    Raises:
        InputError: the geometry is no minimum.

    Source: C. J. Cramer, Essentials of Computational Chemistry, 2nd ed., chapter 10, as
    implemented in ASE.
    """
    from ase import units
    from ase.thermochemistry import IdealGasThermo

    atoms = frequencies.atoms
    if frequencies.stationarity != "minimum":
        raise InputError(
            f"the thermochemistry of {atoms.formula} was asked for",
            f"its geometry is a {frequencies.stationarity} geometry",
            "give the frequencies of a minimum",
        )
    group, symmetry_number, shape = rotor(atoms)
    quanta = frequencies.wavenumbers * units.invcm
    gas = IdealGasThermo(
        vib_energies=list(quanta),
        geometry=shape,
        potentialenergy=frequencies.energy * units.Hartree,
        atoms=atoms.to_ase(),
        symmetrynumber=symmetry_number,
        spin=(atoms.multiplicity - 1) / 2,
    )
    entropy = gas.get_entropy(temperature, pressure, verbose=False)
    gibbs_energy = gas.get_gibbs_energy(temperature, pressure, verbose=False)
    return Thermochemistry(
        frequencies=frequencies,
        temperature=temperature,
        pressure=pressure,
        symmetry_number=symmetry_number,
        point_group=group,
        symmetry_tolerance=SYMMETRY_TOLERANCE,
        zero_point_energy=float(quanta.sum() / 2 / units.Hartree),
        enthalpy=float(gas.get_enthalpy(temperature, verbose=False) / units.Hartree),
        entropy=float(entropy / units.Hartree),
        gibbs_energy=float(gibbs_energy / units.Hartree),
    )


def rotor(atoms: ConceptualAtoms) -> tuple[str, int, Literal["monatomic", "linear", "nonlinear"]]:
    """Return point group, rotational symmetry number and ASE's word for the shape."""
    if len(atoms.numbers) == 1:
        return "Kh", 1, "monatomic"
    from pymatgen.symmetry.analyzer import PointGroupAnalyzer

    molecule: Any = atoms.to_pymatgen()
    found = PointGroupAnalyzer(molecule, tolerance=SYMMETRY_TOLERANCE)
    group = str(found.sch_symbol)
    if group in ("D*h", "C*v"):
        return group.replace("*", "∞"), 2 if group == "D*h" else 1, "linear"
    return group, int(found.get_rotational_symmetry_number()), "nonlinear"
