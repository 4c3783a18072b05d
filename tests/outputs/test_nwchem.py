"""Outputs of NWChem 7.0.2: each number is the file's, and ours at the same level."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.factors import HARTREE
from ontologies.outputs import (
    ImportedExcitations,
    ImportedOptimisation,
    ImportedResult,
    ImportedThermochemistry,
    ImportedVibrations,
)
from tests.typed import typed

DATA = Path(__file__).parent / "data"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def told(store: Path, name: str, status: int = 0) -> list[dict[str, Any]]:
    """What `grafico import` says of an output."""
    file = DATA / f"nwchem_{name}.out"
    return json.loads(typed("import", file, "--store", store, "--json", status=status).stdout)


@pytest.mark.parametrize(
    ("name", "energy"), [("hf", -74.963146766236), ("cation", -74.65577670751)]
)
def test_an_energy_is_that_of_the_file_and_ours(store: Path, name: str, energy: float) -> None:
    (one,) = told(store, name)
    assert one["energy"] == energy
    assert one["level"] == "HF/sto-3g (NWChem 7.0.2, read from a file)"
    with Grafico(store) as grafico:
        (found,) = grafico.kg.find(ImportedResult)
        assert (found.atoms.charge, found.atoms.multiplicity) == (
            (1, 2) if energy > -74.9 else (0, 1)
        )
        ours = grafico.run(found.atoms, method="HF", basis="STO-3G", task="energy")
        assert ours.energy == pytest.approx(energy, abs=1e-7)
        lines = (DATA / f"nwchem_{name}.out").read_text().splitlines()
        assert f"{energy:.12f}" in lines[found.energy_line - 1]


def test_a_molecule_in_a_solvent_says_in_which(store: Path) -> None:
    (one,) = told(store, "cosmo")
    assert one["energy"] == -74.970003019274  # of the molecule in it; -74.96314677 without
    assert "COSMO (dielectric constant 78.4)" in one["level"]


def test_each_element_may_have_a_basis_set_of_its_own(store: Path) -> None:
    (one,) = told(store, "mixed")
    assert one["level"].startswith("HF/sto-3g (H), 3-21g (O) ")
    assert one["energy"] == -75.568191953251


def test_steps_of_an_optimisation_have_their_own_energies(store: Path) -> None:
    """Energies on the way along a step are of no geometry that is printed."""
    (one,) = told(store, "opt")
    with Grafico(store) as grafico:
        (path,) = grafico.kg.pull_all(ImportedOptimisation, one["results"])
        printed = [-74.965899491981, -74.965901191185, -74.96590119208]
        assert path.energies.tolist() == printed
        assert path.trajectory is not None
        first = path.atoms.moved_to(path.trajectory[0])
        for atoms, energy in ((first, path.energies[0]), (path.atoms, path.energy)):
            ours = grafico.run(atoms, method="HF", basis="STO-3G", task="energy")
            assert ours.energy == pytest.approx(float(energy), abs=2e-8)


def test_vibrations_and_their_intensities(store: Path) -> None:
    told(store, "freq")
    with Grafico(store) as grafico:
        (found,) = grafico.kg.find(ImportedVibrations)
        assert found.wavenumbers.tolist() == [2170.245, 4148.873, 4399.245]
        assert found.infrared is not None
        assert found.infrared.tolist() == [7.251, 44.384, 30.016]
        (heat,) = grafico.kg.find(ImportedThermochemistry)
        assert heat.zero_point_energy == 0.024407
        quanta = found.wavenumbers.sum() / 2 / HARTREE["cm⁻¹"]
        assert heat.zero_point_energy == pytest.approx(quanta, rel=1e-3)  # it prints 0.05 % less
        assert heat.enthalpy is None  # the file has the correction alone


def test_strengths_are_those_of_dipole_transitions(store: Path) -> None:
    """NWChem's total is above zero for the forbidden n-π* transition of formaldehyde."""
    told(store, "tddft")
    with Grafico(store) as grafico:
        (found,) = grafico.kg.find(ImportedExcitations)
        text = (DATA / "nwchem_tddft.out").read_text()
        printed = [line.split()[-2] for line in text.splitlines() if line.startswith("  Root ")]
        assert printed
        assert found.excitation_energies.tolist() == [float(one) for one in printed]
        strengths = [line.split()[-1] for line in text.splitlines() if "Dipole Osc" in line]
        assert found.oscillator_strengths is not None
        assert found.oscillator_strengths.tolist() == [float(one) for one in strengths]
        assert found.oscillator_strengths[0] == 0
        assert "Total Oscillator Strength                     0.00000" in text


def test_a_job_behind_another_has_no_geometry(store: Path) -> None:
    first, second = told(store, "two_jobs", status=1)
    assert first["energy"] == -74.963146766236
    assert (second["fate"], second["energy"]) == ("refused", None)
    assert "no geometry" in second["message"]


def test_what_is_no_result_is_none(store: Path) -> None:
    (charges,) = told(store, "charges", status=1)
    assert charges["energy"] is None
    assert "charges around it" in charges["message"]
    (failed,) = told(store, "failed")
    assert failed["fate"] == "failed run"
    assert "the SCF did not converge" in failed["message"]
