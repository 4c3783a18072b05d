"""Objects of crystals: their levels, energies and relaxations."""

import numpy as np

from ogm import GraphModel, Link
from ontologies.atoms import ConceptualAtoms
from ontologies.compression import EquationOfState, VolumePoint
from ontologies.crystals import CellEnergy, CrystalEnergy, CrystalRelaxation
from ontologies.kpoints import PeriodicKohnSham, PeriodicKohnShamResolution
from ontologies.quantum import EnergyResult
from tests.ontologies.instances import named

CELL = np.diag([3.0, 3.2, 3.6])
HYDROGEN = ConceptualAtoms(
    numbers=[1, 1],
    positions=[[0.1, 0.2, 0.1], [0.25, 0.1, 0.95]],
    cell=CELL,
    periodic=[True, True, True],
)
LEVEL = PeriodicKohnSham(
    method="GTH-PBE",
    basis="gth-szv",
    k_points=np.array([1, 1, 2]),
    grid_cutoff=60.0,
)
MEANT = named(PeriodicKohnShamResolution, method="gth-pbe", level=LEVEL)
SLOPES = np.array([[0.0, 0.0, 1e-3], [0.0, 0.0, -1e-3]])
POINT = named(
    CrystalEnergy, atoms=HYDROGEN, level=LEVEL, energy=-1.1, gradient=SLOPES, stress=np.eye(3)
)
LED = named(
    CrystalRelaxation,
    atoms=HYDROGEN,
    level=LEVEL,
    energy=-1.1,
    gradient=SLOPES,
    stress=np.eye(3),
    initial=HYDROGEN,
    converged=False,
    steps=1,
    max_steps=1,
    force_threshold=0.01,
    stress_threshold=0.1,
    relaxed_cell=True,
    max_stress=1.0,
    left_force=0.05,
    geometries=np.stack([HYDROGEN.positions] * 2),
    cells=np.stack([CELL] * 2),
    energies=np.array([-1.0, -1.1]),
    gradients=np.stack([SLOPES] * 2),
    stresses=np.stack([np.eye(3)] * 2),
)
ALONE = named(CellEnergy, atoms=HYDROGEN, level=LEVEL, energy=-1.1)
PRESSED = VolumePoint(
    cell_volume=34.56,
    energy=-1.1,
    atoms=Link[ConceptualAtoms](HYDROGEN.iri),
    result=Link[EnergyResult](ALONE.iri),
)
CURVE = EquationOfState(
    atoms=HYDROGEN,
    level=LEVEL,
    points=(PRESSED,),
    space_group="P-1 (2)",
    equilibrium_volume=34.0,
    equilibrium_volume_error=0.1,
    equilibrium_energy=-1.11,
    lattice_lengths=np.array([3.0, 3.2, 3.6]),
    lattice_error=0.01,
    bulk_modulus=12.0,
    bulk_modulus_error=0.5,
    pressure_derivative=4.0,
    pressure_derivative_error=0.3,
    residual=1e-6,
    equilibrium=HYDROGEN,
)
UNKNOWN = EquationOfState(
    atoms=HYDROGEN,
    level=LEVEL,
    points=(PRESSED,),
    relaxed=True,
    problem="the minimum lies outside",
    failures=("94 % of the volume: it failed",),
    remarks=("an upper bound",),
)
EVERYTHING: list[GraphModel] = [LEVEL, MEANT, POINT, LED, ALONE, PRESSED, CURVE, UNKNOWN]
