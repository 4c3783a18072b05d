"""What is named here was named the same when the first results were stored.

Everything is made by hand, of numbers that no processor rounds in a way of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ogm import GraphModel, Link
from ontologies import (
    ConceptualAtoms,
    Dispersion,
    Fragment,
    FrequencyAnalysis,
    GeometryConstraints,
    HeatingParameters,
    InteractionEnergy,
    LevelOfTheory,
    LevelResolution,
    SinglePoint,
    Solvation,
    SpinState,
    SpinStateScan,
    Synthesizer,
    SynthesizerState,
)
from ontologies.comparison import FragmentEnergy
from ontologies.provenance import Device, Software
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.analysis import analyse
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.excitation import excitations
from workflows.dft.properties.stability import stability
from workflows.dft.properties.surface import frequencies, optimise
from workflows.dft.properties.thermo import thermochemistry
from workflows.dft.properties.volumes import density_volume, orbital_volume
from workflows.dft.request.forms import LevelRequest
from workflows.dft.scf.ghosts import fragment_energy
from workflows.engine import Call
from workflows.molecule.embedding import embed

WATER = ConceptualAtoms(
    numbers=[8, 1, 1], positions=[[0, 0, 0.125], [0, 0.75, -0.5], [0, -0.75, -0.5]]
)
OXYGEN = ConceptualAtoms(numbers=[8, 8], positions=[[0, 0, 0], [0, 0, 1.2505]], multiplicity=3)
METHYL = ConceptualAtoms(
    numbers=[6, 1, 1, 1],
    positions=[[0, 0, 0], [1.0625, 0, 0], [-0.53125, 0.9375, 0], [-0.53125, -0.9375, 0]],
)
HYDROXIDE = ConceptualAtoms(numbers=[8, 1], positions=[[0, 0, 0], [0, 0, 1]], charge=-1)
SALT = ConceptualAtoms(
    numbers=[11, 17],
    positions=[[0, 0, 0], [2.75, 0, 0]],
    periodic=[True, True, True],
    cell=[[0, 2.75, 2.75], [2.75, 0, 2.75], [2.75, 2.75, 0]],
)
DIMER = ConceptualAtoms(numbers=[2, 2], positions=[[0, 0, 0], [0, 0, 3.0005]])

HF = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")
OPEN = LevelOfTheory(method="HF", basis="STO-3G", reference="unrestricted")
HALF_OPEN = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted open-shell")
B3LYP = LevelOfTheory(
    method="B3LYP",
    basis="def2-SVP",
    reference="restricted",
    functional=("402 1.0",),
    exact_exchange=0.2,
    long_range_exchange=0.2,
    grid_level=3,
)
D4 = Dispersion(
    kind="D4", functional="b3lyp", damping_parameters=("a1=0.4", "s8=2.0"), three_body=True
)
IN_WATER = Solvation(model="C-PCM", solvent="water", dielectric=78.5, optical_dielectric=1.75)
LEVELS = {
    "HF": HF,
    "HF, unrestricted": OPEN,
    "HF, restricted open-shell": HALF_OPEN,
    "B3LYP": B3LYP,
    "B3LYP with dispersion": B3LYP.model_copy(update={"dispersion": D4}),
    "B3LYP in a solvent": B3LYP.model_copy(update={"solvation": IN_WATER}),
    "B3LYP, density-fitted": B3LYP.model_copy(
        update={"density_fitting": True, "auxiliary_basis": "def2-universal-jkfit"}
    ),
    "B3LYP, Cartesian": B3LYP.model_copy(update={"basis": "6-31G*", "spherical": False}),
    "B3LYP with a finer grid": B3LYP.model_copy(update={"grid_level": 5}),
    "B3LYP, stable": B3LYP.model_copy(update={"follow_instabilities": True}),
    "with a core potential": B3LYP.model_copy(update={"core_potential": "LANL2DZ"}),
    "range-separated, with VV10": B3LYP.model_copy(
        update={
            "method": "wB97X-V", "functional": ("466 1.0",), "exact_exchange": 0.167,
            "long_range_exchange": 1.0, "range_separation": 0.3, "nonlocal_correlation": "VV10",
            "nonlocal_parameters": ("b=6.0", "C=0.01"),
        }
    ),
    "everything": LevelOfTheory(
        method="B3LYP", basis="def2-TZVP", reference="restricted open-shell",
        functional=("402 1.0",), exact_exchange=0.2, long_range_exchange=0.2, grid_level=4,
        dispersion=D4, solvation=IN_WATER, core_potential="def2-TZVP", density_fitting=True,
        auxiliary_basis="def2-universal-jkfit, even-tempered", scf_tolerance=1e-10,
        follow_instabilities=True,
    ),
}  # fmt: skip

HELD = GeometryConstraints.model_validate(
    {
        "frozen": [2],
        "distance_atoms": [[1, 0]],
        "distances": [1.0],
        "angle_atoms": [[2, 0, 1]],
        "angles": [104.5],
    }
)
TURNED = GeometryConstraints.model_validate(
    {"dihedral_atoms": [[3, 2, 1, 0]], "dihedrals": [180.0]}
)
FIRST = Fragment(members=np.array([True, False]))
SECOND = Fragment(members=np.array([False, True]))
CHARGED = Fragment(members=np.array([True, False]), charge=1, multiplicity=2)

ID = "https://w3id.org/grafico/id/"
POINT = SinglePoint(
    atoms=WATER,
    level=HF,
    energy=-75.0,
    converged=True,
    scf_cycles=8,
    dipole=np.array([0, 0, 2.0]),
    mulliken_charges=np.array([-0.5, 0.25, 0.25]),
).identified(ID + "SinglePoint/1")
AMONG = FragmentEnergy(
    supermolecule=DIMER, level=HF, fragment=FIRST, energy=-2.75, converged=True, scf_cycles=2
).identified(ID + "FragmentEnergy/1")
VIBRATIONS = FrequencyAnalysis(
    atoms=WATER,
    level=HF,
    energy=-75.0,
    converged=True,
    scf_cycles=8,
    dipole=np.array([0, 0, 2.0]),
    mulliken_charges=np.array([-0.5, 0.25, 0.25]),
    wavenumbers=np.array([1600.0, 3700.0, 3800.0]),
    modes=np.zeros((3, 3, 3)),
    reduced_masses=np.ones(3),
    hessian=np.zeros((3, 3, 3, 3)),
    imaginary=0,
    max_gradient=1e-5,
    stationarity="minimum",
).identified(ID + "FrequencyAnalysis/1")
STATE = SpinState(multiplicity=1, level=HF, energy=-75.0, result=Link(POINT))
SCAN = SpinStateScan(atoms=WATER, states=(STATE,), ground_multiplicity=1, relaxed=False)
BOUND = InteractionEnergy(
    atoms=DIMER,
    level=HF,
    fragments=(FIRST, SECOND),
    uncorrected=-0.5,
    corrected=-0.25,
    superposition_error=0.25,
    whole=Link(POINT),
    separate=(Link(POINT), Link(POINT)),
    with_ghosts=(Link(AMONG), Link(AMONG)),
)

MICROWAVE = Synthesizer(name="microwave")
HEATING = HeatingParameters(heating_temperature=100.0, heating_duration=50.0, heating_pressure=3.0)

VALUES: dict[str, GraphModel] = {
    "atoms: water": WATER,
    "atoms: triplet oxygen": OXYGEN,
    "atoms: methyl radical": METHYL,
    "atoms: hydroxide": HYDROXIDE,
    "atoms: rock salt": SALT,
    **{f"level: {name}": level for name, level in LEVELS.items()},
    "dispersion: D4": D4,
    "solvation: water": IN_WATER,
    "constraints: of a distance, an angle and an atom": HELD,
    "constraints: of a dihedral": TURNED,
    "fragment: neutral": FIRST,
    "fragment: charged": CHARGED,
    "spin states: one": STATE,
    "spin states: scan": SCAN,
    "interaction: of two atoms": BOUND,
    "software: PySCF": Software(name="pyscf", version="2.14.0"),
    "device: a processor": Device(kind="cpu", name="a processor"),
    "synthesizer: microwave": MICROWAVE,
    "synthesizer: parameters": HEATING,
    "synthesizer: parameters, none": HeatingParameters(),
    "synthesizer: state": SynthesizerState.model_validate(
        {
            "synthesizer": MICROWAVE,
            "step": 1,
            "since": "2026-11-21T12:00:00Z",
            "lid_open": False,
            "parameters": HEATING,
            "heating": False,
            "heated": False,
            "speed": 600.0,
        }
    ),
}

CALLS: dict[str, Call[Any]] = {
    **{f"energy: water, {name}": single_point.bind(WATER, of) for name, of in LEVELS.items()},
    "energy: triplet oxygen": single_point.bind(OXYGEN, OPEN),
    "energy: methyl radical": single_point.bind(METHYL, OPEN),
    "energy: hydroxide": single_point.bind(HYDROXIDE, B3LYP),
    "optimise: water": optimise.bind(WATER, HF),
    "optimise: water, more steps": optimise.bind(WATER, HF, 200),
    "optimise: water, tight": optimise.bind(WATER, HF, 100, convergence="tight"),
    "optimise: water, held": optimise.bind(WATER, HF, 100, constraints=HELD),
    "optimise: water, loose and held": optimise.bind(
        WATER, B3LYP, 50, convergence="loose", constraints=HELD
    ),
    "optimise: triplet oxygen": optimise.bind(OXYGEN, OPEN),
    "frequencies: water at HF": frequencies.bind(WATER, HF),
    "frequencies: water at B3LYP": frequencies.bind(WATER, B3LYP),
    "frequencies: triplet oxygen": frequencies.bind(OXYGEN, OPEN),
    "frequencies: triplet oxygen, restricted open-shell": frequencies.bind(OXYGEN, HALF_OPEN),
    "thermochemistry: as usual": thermochemistry.bind(VIBRATIONS, 298.15, 101325.0),
    "thermochemistry: hot, with a symmetry number, quasi-RRHO": thermochemistry.bind(
        VIBRATIONS, 350.0, 100000.0, symmetry_number=2, treatment="quasi-RRHO"
    ),
    "analysis: water at HF": analyse.bind(WATER, HF),
    "analysis: water at B3LYP": analyse.bind(WATER, B3LYP),
    "excitations: five": excitations.bind(WATER, HF),
    "excitations: three triplets by TDA": excitations.bind(WATER, B3LYP, 3, "TDA", "triplet"),
    "excitations: in a solvent that follows": excitations.bind(
        WATER, LEVELS["B3LYP in a solvent"], 2, "TDDFT", "singlet", "equilibrium"
    ),
    "stability: water": stability.bind(WATER, HF),
    "stability: triplet oxygen": stability.bind(OXYGEN, OPEN),
    "volume: HOMO": orbital_volume.bind(WATER, HF, "homo"),
    "volume: LUMO of beta spin": orbital_volume.bind(OXYGEN, OPEN, "lumo", "beta", 0.25),
    "volume: density": density_volume.bind(WATER, HF),
    "volume: spin density": density_volume.bind(OXYGEN, OPEN, "spin density", 0.25),
    "fragment: among ghosts": fragment_energy.bind(DIMER, HF, FIRST),
    "fragment: charged, among ghosts": fragment_energy.bind(DIMER, OPEN, CHARGED),
    "level: HF": resolve_level.bind("HF", "STO-3G", "restricted"),
    "level: with everything": resolve_level.bind(
        "B3LYP",
        "def2-TZVP",
        "unrestricted",
        dispersion="d4",
        solvation="SMD",
        solvent="water",
        density_fitting=True,
        auxiliary_basis="def2-universal-jkfit",
        cartesian=True,
        grid_level=5,
        follow_instabilities=True,
        scf_tolerance=1e-10,
    ),
    "level: as a person asks": LevelRequest(
        method="B3LYP-D4", basis="def2-TZVP", solvent="water"
    ).resolution(WATER),
    "level: as a person asks for an open shell": LevelRequest(
        method="PBE0", basis="def2-SVP", density_fitting=True, grid=4, stable=True, dielectric=10.0
    ).resolution(OXYGEN),
    "structure: of a SMILES": embed.bind("O", "smiles"),
    "structure: of a name": embed.bind("water", "name"),
    "structure: of a name that PubChem knows": embed.bind("water", "name", "PubChem"),
}

RESOLVED: dict[str, LevelRequest] = {
    "HF": LevelRequest(method="hf", basis="sto3g"),
    "B3LYP": LevelRequest(method="b3lyp", basis="def2svp"),
    "B3LYP with D4 in water": LevelRequest(method="B3LYP-D4", basis="6-31G*", solvent="water"),
    "PBE0, density-fitted": LevelRequest(method="PBE0", basis="def2-SVP", density_fitting=True),
    "wB97X-V, Cartesian, fine": LevelRequest(
        method="wB97X-V", basis="6-31G*", cartesian=True, grid=5
    ),
    "SMD": LevelRequest(method="HF", basis="STO-3G", solvent="ethanol", solvation="SMD"),
    "restricted open-shell, stable": LevelRequest(
        method="HF", basis="STO-3G", reference="restricted open-shell", stable=True
    ),
}
"""What people ask for; what it means is told by PySCF and its tables."""


def backend(call: Call[Any]) -> str:
    """Return the program that a calculation is done with, as it stands in keys."""
    return f"{call.calculation.backend.name}, epoch {call.calculation.backend.epoch}"


def resolved(call: Call[LevelResolution]) -> str:
    """Return the IRI of the level that is meant."""
    return call.calculation(**call.arguments).level.iri


def names() -> dict[str, dict[str, str]]:
    """Return the names of everything here."""
    return {
        "objects": {name: model.iri for name, model in VALUES.items()},
        "calls": {name: call.key for name, call in CALLS.items()},
        "families": {name: call.family for name, call in CALLS.items()},
        "backends": {call.calculation.name: backend(call) for call in CALLS.values()},
        "levels as people ask for them": {
            name: resolved(wanted.resolution(WATER)) for name, wanted in RESOLVED.items()
        },
    }
