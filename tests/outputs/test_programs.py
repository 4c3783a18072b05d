"""Outputs of real programs: what is read of them stands in them, whatever their parser says."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ontologies.factors import HARTREE
from ontologies.outputs import (
    NOT_SAID,
    ImportedEnergy,
    ImportedOptimisation,
    ImportedResult,
    ImportedThermochemistry,
    ImportedVibrations,
)
from ontologies.provenance import Activity, FileReading, Outcome, Run
from tests.typed import typed
from workflows.outputs.programs import PROGRAMS

DATA = Path(__file__).parent / "data"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def told(store: Path, *files: Path, status: int = 0) -> list[dict[str, Any]]:
    """What `grafico import` says of files."""
    said = typed("import", *files, "--store", store, "--json", status=status)
    return json.loads(said.stdout)


def test_an_energy_is_that_of_the_file_to_its_last_digit(store: Path) -> None:
    (one,) = told(store, DATA / "psi4_hf.out")
    assert one["fate"] == "new"
    assert one["energy"] == -74.96294665659144
    assert one["level"] == "HF/STO-3G (Psi4 1.3.2, read from a file)"
    text = (DATA / "psi4_hf.out").read_text()
    with Grafico(store) as grafico:
        (found,) = grafico.kg.find(ImportedEnergy)
        assert found.energy == -74.96294665659144
        assert repr(found.energy) in text.splitlines()[found.energy_line - 1]
        assert found.source.name == "psi4_hf.out"
        assert (found.first_line, found.last_line) == (1, len(text.rstrip().splitlines()))
        assert found.level.solvent == ""  # nothing in the file speaks of anything around it
        assert (found.homo, found.lumo) == (-0.391243, 0.605576)
        assert found.atoms.numbers.tolist() == [8, 1, 1]
        assert np.linalg.norm(found.atoms.positions[0] - found.atoms.positions[1]) == (
            pytest.approx(np.hypot(0.757, 0.586), abs=1e-6)
        )


def test_the_dipole_is_that_of_the_file(store: Path) -> None:
    """In debye and as printed; not of an ion, and not beside a correlated energy."""
    printed = {"psi4_hf": 1.7257, "xtb_ohess": 2.218}
    for name in ("psi4_hf", "xtb_ohess", "psi4_opt_freq", "psi4_cation", "psi4_mp2"):
        rows = told(store, DATA / f"{name}.out")
        text = (DATA / f"{name}.out").read_text()
        with Grafico(store) as grafico:
            links = [iri for row in rows for iri in row["results"] if "Thermo" not in iri]
            for found in grafico.kg.pull_all(ImportedResult, links):
                if name in ("psi4_cation", "psi4_mp2"):
                    assert found.dipole_moment is None
                else:
                    assert found.dipole_moment == pytest.approx(printed.get(name, 1.7), abs=0.03)
                    assert str(found.dipole_moment) in text


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("ORCA", "x,y,z [Debye]:\nMagnitude (Debye)      :      2.07234\n"),
        (
            "Gaussian",
            " Dipole moment (field-independent basis, Debye):\n"
            "    X=              0.0000    Y=              0.0000    Z=             -2.0723  Tot="
            "              2.0723\n",
        ),
        (
            "Q-Chem",
            "    Dipole Moment (Debye)\n         X       0.0000      Y       0.0000      Z      "
            "-2.0723\n       Tot       2.0723\n",
        ),
    ],
)
def test_dipoles_of_programs_that_are_not_here(program: str, text: str) -> None:
    """By lines as their manuals and published outputs have them."""
    (one,) = [one for one in PROGRAMS if one.name == program]
    assert one.dipole is not None
    assert float(one.dipole.findall(text)[-1]) == pytest.approx(2.0723, abs=1e-4)


def test_a_charged_radical_has_the_charge_and_the_spin_of_its_file(store: Path) -> None:
    (one,) = told(store, DATA / "psi4_cation.out")
    with Grafico(store) as grafico:
        (found,) = grafico.kg.pull_all(ImportedEnergy, one["results"])
        assert (found.atoms.charge, found.atoms.multiplicity) == (1, 2)


def test_a_correlated_energy_is_that_of_its_method(store: Path) -> None:
    (one,) = told(store, DATA / "psi4_mp2.out")
    assert one["energy"] == pytest.approx(-74.99844888, abs=1e-8)
    assert one["level"].startswith("DF-MP2/STO-3G")
    with Grafico(store) as grafico:
        (found,) = grafico.kg.pull_all(ImportedEnergy, one["results"])
        assert found.level.frozen_core == NOT_SAID


def test_two_jobs_of_one_file_are_not_merged(store: Path) -> None:
    first, second = told(store, DATA / "psi4_two_jobs.out")
    assert (first["job"], second["job"]) == (1, 2)
    assert first["level"].startswith("DF-HF/STO-3G ")
    assert second["level"].startswith("DF-HF/CC-PVDZ ")
    assert first["energy"] == pytest.approx(-74.963033, abs=1e-6)
    assert second["energy"] == pytest.approx(-76.026773, abs=1e-6)


def test_vibrations_behind_an_optimisation_are_another_job(store: Path) -> None:
    relaxed, vibrations = told(store, DATA / "psi4_opt_freq.out")
    with Grafico(store) as grafico:
        (path,) = grafico.kg.pull_all(ImportedOptimisation, relaxed["results"])
        assert path.steps == len(path.energies) == 4
        assert path.trajectory is not None
        assert path.trajectory.shape == (4, 3, 3)
        assert np.array_equal(path.trajectory[-1], path.atoms.positions)
        assert path.initial is not None
        assert np.array_equal(path.trajectory[0], path.initial.positions)
        assert (np.diff(path.energies) < 0).all()
        (found,) = grafico.kg.find(ImportedVibrations)
        assert found.iri in vibrations["results"]
        assert found.wavenumbers.tolist() == [2170.7903, 4138.6889, 4389.2471]
        assert found.atoms.equivalent(path.atoms, 1e-4)


def test_what_xtb_prints_in_hartree_is_kept_in_hartree(store: Path) -> None:
    (one,) = told(store, DATA / "xtb_ohess.out")
    assert one["energy"] == -5.070544134494
    with Grafico(store) as grafico:
        (heat,) = grafico.kg.find(ImportedThermochemistry)
        assert heat.zero_point_energy == 0.020104561071
        assert heat.enthalpy == -5.046658586094
        assert heat.gibbs_energy == -5.068059103621
        (found,) = grafico.kg.find(ImportedVibrations)
        assert found.wavenumbers.tolist() == [1540.99, 3637.81, 3646.08]
        # half the sum of the quanta, by the constants of CODATA
        quanta = found.wavenumbers.sum() / 2 / HARTREE["cm⁻¹"]
        assert heat.zero_point_energy == pytest.approx(quanta, abs=2e-7)
        assert found.homo is not None
        assert found.lumo is not None
        gap = (found.lumo - found.homo) * HARTREE["eV"]
        assert gap == pytest.approx(14.373, abs=1e-3)
        (path,) = grafico.kg.find(ImportedOptimisation)
        assert path.trajectory is None  # four energies, and the last geometry alone
        assert any("multiplicity" in one for one in path.remarks)


def test_what_went_to_standard_error_may_stand_in_the_middle(store: Path, tmp_path: Path) -> None:
    """`xtb m.xyz --ohess > m.out 2>&1` writes some lines wherever it is."""
    lines = (DATA / "xtb_ohess.out").read_text().splitlines(keepends=True)
    aside = (
        "Note: The following floating-point exceptions are signalling: IEEE_UNDERFLOW_FLAG\n",
        "normal termination of xtb\n",
    )
    table = next(place for place, line in enumerate(lines) if "covCN" in line)
    both = tmp_path / "both.out"
    both.write_text("".join([*lines[: table + 2], *aside, *lines[table + 2 :]]))
    (one,) = told(store, both)
    assert one["energy"] == -5.070544134494
    (alone,) = told(store, DATA / "xtb_ohess.out")
    assert alone["energy"] == one["energy"]


def test_a_file_without_a_geometry_is_refused_and_says_so(store: Path) -> None:
    (one,) = told(store, DATA / "xtb_energy.out", status=1)
    assert one["fate"] == "refused"
    assert "no geometry" in one["message"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("psi4_failed.out", "the SCF did not converge: Could not converge SCF iterations in 3"),
        ("xtb_failed.out", "the SCF did not converge"),
    ],
)
def test_a_failed_run_is_kept_as_one_with_its_reason(store: Path, name: str, why: str) -> None:
    (one,) = told(store, DATA / name)
    assert one["fate"] == "failed run"
    assert one["energy"] is None
    assert one["results"] == []
    assert why in one["message"]
    with Grafico(store) as grafico:
        run = grafico.kg.pull(Run, one["run"])
        (end,) = grafico.kg.find(Outcome, run=run)
        assert end.status == "failed"
        assert why in end.message
        assert not grafico.kg.find(ImportedEnergy)
        assert "failed" in typed("runs", "--store", store).stdout


@pytest.mark.parametrize("lines", [100, 300, 1000])
def test_an_optimisation_that_was_cut_off_is_no_result(
    store: Path, tmp_path: Path, lines: int
) -> None:
    whole = (DATA / "psi4_opt_freq.out").read_text().splitlines()[:lines]
    (tmp_path / "cut.out").write_text("\n".join(whole))
    (one,) = told(store, tmp_path / "cut.out")
    assert one["fate"] == "failed run"
    assert f"line {_last(whole)} is its last" in one["message"]


def _last(lines: list[str]) -> int:
    return max(number for number, line in enumerate(lines, 1) if line.strip())


def test_it_is_found_shown_and_reported_as_what_was_not_computed_here(
    store: Path, tmp_path: Path
) -> None:
    (one,) = told(store, DATA / "psi4_hf.out")
    label = "read from a file"
    assert label in typed("find", "O", "--store", store).stdout
    assert label in typed("find", "--method", "HF", "--basis", "sto3g", "--store", store).stdout
    page = tmp_path / "report.html"
    typed("report", one["run"], "--store", store, "-o", page)
    told_there = page.read_text()
    assert "not computed here" in told_there
    assert "psi4_hf.out" in told_there
    assert "Everything was computed" not in told_there
    (result,) = one["results"]
    shown = typed("show", result, "--store", store).stdout
    assert "psi4_hf.out" in shown or "OutputFile" in shown
    typed("resume", one["run"], "--store", store, status=2)
    typed("fsck", "--store", store)


def test_it_never_answers_a_request(store: Path, tmp_path: Path) -> None:
    (one,) = told(store, DATA / "psi4_hf.out")
    with Grafico(store) as grafico:
        (found,) = grafico.kg.pull_all(ImportedEnergy, one["results"])
        ours = grafico.run(found.atoms, method="HF", basis="STO-3G")
        assert not ours.reused
        assert ours.energy == pytest.approx(found.energy, abs=1e-6)  # two programs, one number
        assert type(ours.level) is not type(found.level)
        assert grafico.run(found.atoms, method="HF", basis="STO-3G").reused
        both = grafico.find(found.atoms)
        assert {hit.kind for hit in both} == {"ImportedEnergy", "SinglePoint"}


def test_doing_it_again_changes_nothing(store: Path, tmp_path: Path) -> None:
    (one,) = told(store, DATA / "psi4_hf.out")
    shutil.copy(DATA / "psi4_hf.out", tmp_path / "other name.txt")
    (again,) = told(store, tmp_path / "other name.txt")
    assert (again["fate"], again["run"]) == ("there", one["run"])
    with Grafico(store) as grafico:
        assert len(grafico.kg.find(Run)) == 1
        readings = grafico.kg.find(Activity)
        assert [type(one) for one in readings] == [FileReading]


def test_it_goes_into_another_store_with_what_it_rests_on(store: Path, tmp_path: Path) -> None:
    (one,) = told(store, DATA / "psi4_hf.out")
    typed("export", one["run"], "-o", tmp_path / "run.zip", "--store", store)
    typed("import", tmp_path / "run.zip", "--store", tmp_path / "copy")
    assert "read from a file" in typed("find", "--store", tmp_path / "copy").stdout


@pytest.mark.skipif(shutil.which("psi4") is None, reason="needs Psi4")
def test_what_psi4_has_just_computed_is_what_we_compute(store: Path, tmp_path: Path) -> None:
    (tmp_path / "a.in").write_text(
        "molecule {\n0 1\nN 0.0 0.0 0.12\nH 0.0 0.94 -0.26\nH 0.81 -0.47 -0.26\n"
        "H -0.81 -0.47 -0.26\n}\nset basis 6-31g\nset scf_type pk\nset d_convergence 9\n"
        "set e_convergence 10\nenergy('scf')\n"
    )
    command = ["psi4", "-i", "a.in", "-o", "a.out"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=300, capture_output=True)
    (one,) = told(store, tmp_path / "a.out")
    with Grafico(store) as grafico:
        (found,) = grafico.kg.pull_all(ImportedEnergy, one["results"])
        ours = grafico.run(found.atoms, method="HF", basis="6-31G")
        assert ours.energy == pytest.approx(found.energy, abs=1e-7)
