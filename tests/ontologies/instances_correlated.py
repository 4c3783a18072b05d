"""Objects of the classes of `ontologies.correlated`."""

from typing import Any

import numpy as np

from ogm import GraphModel
from ontologies.correlated import (
    BasisExtrapolation,
    BasisSetEnergy,
    CorrelatedDipole,
    CorrelatedEnergy,
    CorrelatedFrequencies,
    CorrelatedLevel,
    CorrelatedOptimisation,
    CorrelatedResolution,
)
from tests.ontologies.instances import WATER, named

LIMIT = BasisExtrapolation(
    smaller_basis="cc-pVTZ",
    larger_basis="cc-pVQZ",
    smaller_cardinal=3,
    larger_cardinal=4,
    reference_exponent=6.3,
    correlation_exponent=2.9,
)
IN_ONE = BasisSetEnergy(
    basis="cc-pVTZ", cardinal_number=3, reference_energy=-76.05, correlation_energy=-0.27
)
COUPLED = CorrelatedLevel(
    method="CCSD(T)",
    basis="cc-pVTZ",
    reference="unrestricted",
    all_electrons=True,
    fitting_basis="cc-pvtz-ri",
    spherical=False,
    core_potential="lanl2dz",
    scf_tolerance=1e-9,
    amplitude_tolerance=1e-7,
    extrapolation=LIMIT,
)
PARTS: dict[str, Any] = {
    "atoms": WATER, "level": COUPLED, "energy": -76.3, "converged": True,
    "reference_energy": -76.05, "correlation_energy": -0.25, "opposite_spin_energy": -0.18,
    "same_spin_energy": -0.06, "triples_energy": -0.01, "t1_diagnostic": 0.007,
    "frozen_orbitals": 1, "correlated_electrons": 8, "scf_cycles": 9, "amplitude_cycles": 10,
    "spin_squared": 0.75, "scf_path": ("DIIS", "damping"), "stability": "stable",
    "basis_set_energies": (IN_ONE,),
}  # fmt: skip
MEANT = named(CorrelatedResolution, method="ccsd(t)", basis="cc-pvtz", level=COUPLED)
POINT = named(CorrelatedEnergy, **PARTS, remarks=("as it is",))
EASED = named(
    CorrelatedOptimisation,
    **PARTS,
    initial=WATER,
    steps=2,
    max_gradient=1e-5,
    energies=[-76.2, -76.3],
    criteria="GAU",
)
SHAKEN = named(
    CorrelatedFrequencies,
    **PARTS,
    wavenumbers=[1500.0, 3600.0, 3650.0],
    modes=np.zeros((3, 3, 3)),
    reduced_masses=[1.1, 1.0, 1.1],
    hessian=np.zeros((3, 3, 3, 3)),
    imaginary=0,
    max_gradient=1e-5,
    stationarity="minimum",
)
POLAR = named(
    CorrelatedDipole,
    **PARTS,
    dipole=[0.0, 0.3, 1.9],
    reference_dipole=[0.0, 0.3, 2.0],
    dipole_error=1e-5,
    field_strength=0.001,
)
EVERYTHING: list[GraphModel] = [LIMIT, IN_ONE, COUPLED, MEANT, POINT, EASED, SHAKEN, POLAR]
