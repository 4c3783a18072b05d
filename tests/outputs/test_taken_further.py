"""What was read from files is drawn, made into spectra and thermochemistry, and found."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ontologies.outputs import (
    ImportedExcitations,
    ImportedThermochemistry,
    ImportedVibrations,
    OutputFile,
    ThermochemistryOfImported,
)
from ontologies.spectra import (
    ElectronicSpectrum,
    InfraredSpectrum,
    SpectrumSample,
    SpectrumSamples,
)
from ontologies.vibrations import VibrationalAnalysis
from tests.typed import typed
from triplestore.errors import InputError
from workflows.engine.request.definition import Given
from workflows.registry.levels import StoredLevel
from workflows.show.blocks import Chart
from workflows.spectrum.graph import SpectraState
from workflows.spectrum.request import SpectrumRequest, prepare_spectra

DATA = Path(__file__).parent / "data"
WATER, FORMALDEHYDE = DATA / "psi4_opt_freq.out", DATA / "nwchem_tddft.out"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def rows_of(store: Path, file: Path) -> list[dict[str, Any]]:
    return json.loads(typed("import", file, "--store", store, "--json").stdout)


def columns(file: Path) -> list[str]:
    return file.read_text().splitlines()[0].split(",")


def test_what_was_read_has_the_charts_of_ours(store: Path, tmp_path: Path) -> None:
    """Excitations, vibrations and the course of an optimisation, by the run and by the result."""
    relaxed, vibrations = rows_of(store, WATER)
    (excited,) = rows_of(store, FORMALDEHYDE)
    heads = {"course": "step", "ir": "wavenumber / cm⁻¹", "uv": "energy / eV"}
    for name, row in (("course", relaxed), ("ir", vibrations), ("uv", excited)):
        for given in (row["run"], *row["results"]):
            file = tmp_path / f"{name}.csv"
            typed("report", given, "--store", store, "--plot", file)
            assert columns(file)[0] == heads[name]
            file.unlink()
    with Grafico(store) as grafico:
        (found,) = grafico.kg.find(ImportedExcitations)
    text = FORMALDEHYDE.read_text()
    roots = re.findall(r"Root +\d+ singlet .* ([\d.]+) eV", text)
    strengths = re.findall(r"Dipole Oscillator Strength +([\d.]+)", text)
    assert found.excitation_energies == pytest.approx([float(one) for one in roots], abs=6e-4)
    assert found.oscillator_strengths == pytest.approx([float(one) for one in strengths], abs=1e-5)


def test_a_spectrum_of_what_was_read_computes_nothing(store: Path, tmp_path: Path) -> None:
    rows_of(store, FORMALDEHYDE)
    done = typed("spectrum", "last", "--store", store, "--plot", tmp_path / "uv.csv")
    assert "read from a file" in done.stdout
    assert "computing" not in done.stderr
    with Grafico(store) as grafico:
        (found,) = grafico.kg.find(ElectronicSpectrum)
        (read,) = grafico.kg.find(ImportedExcitations)
        assert found.level == read.level
        assert found.response == "not said"
        # the strongest state stands alone but for one of a hundredth of its strength 0.09 eV above
        assert found.highest is not None
        assert found.highest.photon_energy == pytest.approx(9.114, abs=0.005)
    _, row = rows_of(store, WATER)
    typed("spectrum", row["run"], "--kind", "ir", "--store", store)
    with Grafico(store) as grafico:
        (infrared,) = grafico.kg.find(InfraredSpectrum)
        assert [round(one.wavenumber, 1) for one in infrared.maxima] == [2170.8, 4138.7, 4389.2]
        assert not grafico.kg.find(VibrationalAnalysis)
    refused = typed("spectrum", row["run"], "--store", store, status=2).stderr
    assert "the report of the run draws what was read" in refused
    assert "--level" in refused


def test_a_level_that_is_named_is_computed_and_darkness_is_told(
    store: Path, tmp_path: Path
) -> None:
    """The first state of formaldehyde, n → π*, is forbidden by symmetry."""
    rows_of(store, FORMALDEHYDE)
    asked = ("--level", "HF/STO-3G", "--up-to", "5", "--geometry", "as given", "-t", "1")
    done = typed("spectrum", "last", "--store", store, *asked, "--plot", tmp_path / "uv.svg")
    assert "No line up to 5 eV absorbs" in done.stdout
    assert "--up-to 11" in done.stdout
    drawn = (tmp_path / "uv.svg").read_text()
    assert "No line up to 5 eV absorbs" in drawn
    assert "up_to" not in drawn + done.stdout
    with Grafico(store) as grafico:
        [found] = grafico.kg.find(ElectronicSpectrum)
        assert found.level.label == "HF/STO-3G"


def test_thermochemistry_of_what_was_read(store: Path) -> None:
    """Psi4 prints G at 298.15 K; at other temperatures dG/dT is -S."""
    _, row = rows_of(store, WATER)
    run = row["run"]
    with Grafico(store, accept=["imported"]) as grafico:
        (printed,) = grafico.kg.find(ImportedThermochemistry)
        assert printed.enthalpy == -74.93775055
        assert printed.gibbs_energy == -74.95926577
        assert printed.entropy == pytest.approx(0.07216239e-3)
        assert (printed.temperature, printed.pressure) == (298.15, 101325.0)
        assert printed.symmetry_number == 2
        usual = grafico.run(run, task="frequencies")
        heat = usual.thermochemistry
        assert isinstance(heat, ThermochemistryOfImported)
        assert heat.gibbs_energy == pytest.approx(printed.gibbs_energy, abs=1e-5)
        assert heat.enthalpy == pytest.approx(printed.enthalpy, abs=1e-6)
        assert heat.symmetry_number == printed.symmetry_number
        assert heat.frequencies == printed.frequencies
        assert not grafico.kg.find(VibrationalAnalysis)
        low, high = (
            grafico.run(run, task="frequencies", temperature=at).thermochemistry
            for at in (349.0, 351.0)
        )
        middle = grafico.run(run, task="frequencies", temperature=350.0, pressure=2e5)
        assert low
        assert high
        assert middle.thermochemistry
        at_pressure = middle.thermochemistry
        plain = grafico.run(run, task="frequencies", temperature=350.0).thermochemistry
        assert plain is not None
        slope = (high.gibbs_energy - low.gibbs_energy) / 2
        assert slope == pytest.approx(-plain.entropy, rel=1e-5)
        boltzmann = 3.166811563e-6  # Eh/K
        rise = boltzmann * 350 * np.log(2e5 / 101325)
        assert at_pressure.gibbs_energy - plain.gibbs_energy == pytest.approx(rise, rel=1e-6)
        named = grafico.run(run, task="frequencies", method="HF", basis="STO-3G")
        assert named.thermochemistry == heat
    shown = typed("show", usual.run, "--store", store).stdout
    for said in ("-74.95926577", "symmetry number 2", "computed here: thermochemistry"):
        assert said in shown


def test_thermochemistry_of_what_was_read_goes_on_where_it_was_killed(store: Path) -> None:
    """The yes to what was read is that of the run: nobody has to give it again."""
    _, row = rows_of(store, WATER)
    script = str(Path(sys.executable).with_name("grafico"))
    asked = ("--task", "frequencies", "--temperature", "350", "--accept", "imported")
    command = [script, "run", row["run"], *asked, "--store", str(store)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if b"thermochemistry" in line:
                break
        process.send_signal(signal.SIGKILL)
    (latest, *_) = json.loads(typed("runs", "--store", store, "--json").stdout)
    if latest["status"] == "finished":  # it was quicker than the signal
        pytest.skip("it ended before it was killed")
    assert latest["status"] == "not finished"
    shown = typed("resume", "last", "--store", store).stdout
    assert "350 K" in shown
    with Grafico(store, accept=["imported"]) as grafico:
        found = grafico.kg.find(ThermochemistryOfImported)
        assert [one.temperature for one in found] == [350.0]
        whole = grafico.run(row["run"], task="frequencies", temperature=350.0)
        assert whole.thermochemistry == found[0]
        assert whole.reused


def test_a_spectrum_of_several_files_goes_on_with_the_files_it_had_or_not_at_all(
    store: Path, tmp_path: Path
) -> None:
    """The level of the first is kept: of another whose readings differ, none is guessed."""
    rows_of(store, DATA / "nwchem_freq.out")
    rows_of(store, WATER)
    with Grafico(store) as grafico:
        known = grafico.kg.find(ImportedVibrations)
        level = next(one.level for one in known if one.level.program == "NWChem")
        samples = SpectrumSamples(
            samples=tuple(SpectrumSample(name=one.level.program, atoms=one.atoms) for one in known)
        )

        def goes_on() -> SpectraState:
            asked = SpectrumRequest(kind="ir")
            stored = StoredLevel(method=level.method, level=level.iri)
            given = Given(samples, "two files")
            prepared = prepare_spectra(given, asked, stored, grafico.executor)
            return asyncio.run(prepared).state

        levels = {one.level.iri for one in goes_on().asked.values()}
        assert levels == {one.level.iri for one in known}
    other = tmp_path / "other.out"
    other.write_text(WATER.read_text().replace("STO-3G", "STO-6G"))
    rows_of(store, other)
    with Grafico(store) as grafico, pytest.raises(InputError, match="which was meant is not kept"):
        goes_on()


def test_why_vibrations_are_not_taken_is_said(store: Path) -> None:
    _, row = rows_of(store, WATER)
    asked = ("run", row["run"], "--task", "frequencies", "--store", store, "-t", "1")
    other = typed(*asked, "--level", "HF/3-21G", "--accept", "imported", "--plan")
    assert "has the basis set STO-3G, not 3-21G" in other.stderr
    assert "the level of the file is taken" in other.stderr
    silent = typed(*asked, "--level", "HF/STO-3G", "--plan")
    assert "Optimise" in silent.stdout  # nobody has accepted it
    with Grafico(store, accept=["imported"]) as grafico:
        first = grafico.kg.find(ImportedVibrations)[0].atoms
        moved = first.moved_to(first.positions + 0.5)
        taken = grafico.run(moved, task="frequencies", method="HF", basis="STO-3G")
        assert isinstance(taken.last, ImportedVibrations)
        assert np.allclose(taken.last.atoms.positions, moved.positions)


def test_energies_alone_make_no_thermochemistry(store: Path) -> None:
    (row,) = rows_of(store, DATA / "psi4_hf.out")
    asked = ("run", row["run"], "--task", "frequencies", "--store", store)
    done = typed(*asked, "--accept", "imported", status=2)
    assert "no vibrations of this structure were read" in done.stderr
    assert "name a level" in done.stderr


def test_only_what_is_left_goes_on(store: Path) -> None:
    (row,) = rows_of(store, DATA / "psi4_hf.out")
    assert "resume" not in typed("show", row["run"], "--store", store).stdout
    (failed,) = rows_of(store, DATA / "psi4_failed.out")
    assert "grafico resume" not in typed("show", failed["run"], "--store", store).stdout
    with Grafico(store) as grafico:
        done = grafico.run("[H][H]", method="HF", basis="STO-3G")
        assert "resume" not in typed("show", done.run, "--store", store).stdout
        short = grafico.run("O", method="HF", basis="STO-3G", task="energy")
        assert short.status == "finished"


def test_a_result_stands_for_the_run_that_made_it(store: Path) -> None:
    with Grafico(store) as grafico:
        first = grafico.run("[H][H]", method="HF", basis="STO-3G")
        again = grafico.run("[H][H]", method="HF", basis="STO-3G")
        result = first.answers[0].recorded
        assert again.answers[0].recorded == result
        from workflows.engine.graph.stored_runs import stored_run

        assert stored_run(grafico.kg, result).iri == first.run
        with pytest.raises(InputError, match="give the IRI of a run"):
            stored_run(grafico.kg, first.atoms.iri)


def test_who_would_withdraw_a_result_or_a_file_is_told_its_run(store: Path) -> None:
    (row,) = rows_of(store, DATA / "psi4_hf.out")
    with Grafico(store) as grafico:
        (file,) = grafico.kg.find(OutputFile)
        for iri in (row["results"][0], file.iri):
            with pytest.raises(InputError, match=row["run"].rpartition("/")[2]):
                grafico.withdraw(iri, why="it lies")
        assert grafico.withdraw(row["run"], why="it lies").marked[0] == row["run"]


def test_charts_say_that_they_were_read(store: Path) -> None:
    (row,) = rows_of(store, FORMALDEHYDE)
    from workflows.show.run_blocks import read_run, run_blocks

    with Grafico(store) as grafico:
        blocks = [one for s in run_blocks(read_run(grafico.kg, row["run"])) for one in s.blocks]
        (chart,) = [one for one in blocks if isinstance(one, Chart)]
        assert "Read from nwchem_tddft.out" in chart.note
