"""Objects of the classes of `ontologies.outputs`."""

from datetime import UTC, datetime
from typing import Any

import numpy as np

from ogm import GraphModel, Link
from ontologies.outputs import (
    ImportedEnergy,
    ImportedExcitations,
    ImportedLevel,
    ImportedOptimisation,
    ImportedScan,
    ImportedThermochemistry,
    ImportedVibrations,
    OutputFile,
    ThermochemistryOfImported,
)
from ontologies.provenance import Device, FileReading, Software
from tests.ontologies.instances import WATER

FILE = OutputFile(name="water.out", digest="9f" * 32, bytes=1200, line_count=40, encoding="Latin-1")
SAID = ImportedLevel(
    method="MP2", program="Gaussian", program_version="16", basis="6-31G(d)", solvent="water",
    grid="(75, 302)", frozen_core="yes",
)  # fmt: skip
PLACE: dict[str, Any] = {
    "atoms": WATER, "level": SAID, "energy": -76.1, "remarks": ("a remark",), "source": FILE,
    "file_job": 2, "first_line": 11, "last_line": 40, "energy_line": 30, "homo": -0.39,
    "lumo": 0.6, "dipole_moment": 1.7, "mulliken_charges": np.array([-0.4, 0.2, 0.2]),
}  # fmt: skip
ENERGY = ImportedEnergy(**PLACE).identified("urn:read-energy")
RELAXED = ImportedOptimisation(
    **PLACE, initial=WATER, energies=np.array([-76.0, -76.1]), steps=2,
    trajectory=np.stack([WATER.positions, WATER.positions]),
).identified("urn:read-optimisation")  # fmt: skip
VIBRATIONS = ImportedVibrations(
    **PLACE, wavenumbers=np.array([1600.0, 3700.0, 3800.0]), imaginary=0,
    infrared=np.array([60.0, 5.0, 20.0]),
).identified("urn:read-vibrations")  # fmt: skip
HEAT = ImportedThermochemistry(
    frequencies=VIBRATIONS, temperature=298.15, pressure=101325.0, zero_point_energy=0.02,
    enthalpy=-76.07, entropy=7e-5, gibbs_energy=-76.09, symmetry_number=2, remarks=("a remark",),
).identified("urn:read-thermochemistry")  # fmt: skip
OWN_HEAT = ThermochemistryOfImported(
    frequencies=VIBRATIONS, temperature=350.0, pressure=101325.0, symmetry_number=2,
    point_group="C2v", symmetry_tolerance=0.05, zero_point_energy=0.02, enthalpy=-76.07,
    entropy=7e-5, gibbs_energy=-76.09, remarks=("a remark",),
).identified("urn:own-thermochemistry")  # fmt: skip
EXCITATIONS = ImportedExcitations(
    **PLACE, excitation_energies=np.array([7.5, 9.1]), oscillator_strengths=np.array([0.05, 0.1])
).identified("urn:read-excitations")
SCAN = ImportedScan(
    **PLACE, coordinate="distance", members=np.array([0, 1]), distances=np.array([0.9, 1.0]),
    energies=np.array([-76.0, -76.1]), trajectory=np.stack([WATER.positions, WATER.positions]),
    relaxed=True, points_file=FILE,
).identified("urn:read-scan")  # fmt: skip
BEND = ImportedScan(
    **PLACE, coordinate="angle", members=np.array([1, 0, 2]), angles=np.array([100.0, 104.0]),
    energies=np.array([-76.0, -76.1]), trajectory=np.stack([WATER.positions, WATER.positions]),
    relaxed=False,
).identified("urn:read-bend")  # fmt: skip
READING = FileReading(
    calculation="imported.read", version="1", epoch="cclib 1.8.1", key="k", family="k",
    signature=0.0, used=frozenset([Link[GraphModel](FILE)]), generated=Link[GraphModel](ENERGY),
    started=datetime(2026, 11, 27, tzinfo=UTC), ended=datetime(2026, 11, 27, tzinfo=UTC),
    wall_time=0.1, threads=1, device=Device(kind="cpu", name="a processor"),
    software=frozenset([Software(name="cclib", version="1.8.1")]),
)  # fmt: skip
EVERYTHING: list[GraphModel] = [
    FILE, SAID, ENERGY, RELAXED, VIBRATIONS, HEAT, OWN_HEAT, EXCITATIONS, SCAN, BEND,
    READING,
]  # fmt: skip
