"""Spectra of ensembles, against what each conformer gives alone and sums written out in numpy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ontologies.conformers import ConformerEnsemble
from ontologies.excitations import ExcitedStates
from ontologies.provenance import Activity
from ontologies.spectra import (
    ConformerStates,
    ConformerVibrations,
    ElectronicSpectrum,
    InfraredSpectrum,
    SpectrumComparison,
)
from ontologies.vibrations import VibrationalAnalysis
from tests.asking import made
from triplestore.errors import GraficoError
from workflows.show.blocks import Chart, Table
from workflows.show.object_blocks import blocks_of

from .ensembles import ensemble, turned

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
TDA: dict[str, Any] = {**HF, "kind": "uv", "response": "TDA"}
PER_EV = 8065.543937


@pytest.fixture(scope="module")
def acrolein(session: Grafico) -> ConformerEnsemble:
    """s-trans and s-cis, at GFN2-xTB."""
    return ensemble(session, "C=CC=O", (0, 1, 2, 3), (0, 180), method="GFN2-xTB")


def electronic(session: Grafico, given: object, **asked: Any) -> ElectronicSpectrum:
    return made(session, "spectra", given, ElectronicSpectrum, **{**TDA, **asked})


def infrared(session: Grafico, given: object, **asked: Any) -> InfraredSpectrum:
    return made(session, "spectra", given, InfraredSpectrum, **{"kind": "ir", **asked})


def test_the_sum_is_that_of_the_stored_numbers(
    session: Grafico, acrolein: ConformerEnsemble
) -> None:
    """Each conformer as it is alone, broadened over eV, times its weight."""
    found = electronic(session, acrolein.iri, up_to=13, cumulative=1, width=0.5)
    assert [one.number for one in found.conformers] == [1, 2]
    curve = np.zeros(len(found.photon_energies))
    half = 0.25 / math.sqrt(math.log(2))
    for one, conformer in zip(found.conformers, acrolein.conformers, strict=True):
        assert isinstance(one, ConformerStates)
        assert one.weight == conformer.weight
        assert one.atoms.iri == conformer.atoms.iri, "the geometry is that of the ensemble"
        states = len(one.excitation_energies)
        alone: Any = session.run(conformer.atoms, states=states, response="TDA", **HF)
        assert alone.reused
        assert alone.answers[-1].recorded == one.result.iri
        assert isinstance(alone.last, ExcitedStates)
        assert alone.last.excitation_energies.tolist() == one.excitation_energies.tolist()
        for energy, strength in zip(
            alone.last.excitation_energies, alone.last.oscillator_strengths, strict=True
        ):
            height = strength / (4.319e-9 * math.sqrt(math.pi) * half * PER_EV)
            curve += (
                conformer.weight
                * height
                * np.exp(-(((found.photon_energies - energy) / half) ** 2))
            )
    assert found.absorption == pytest.approx(curve, rel=1e-6, abs=1e-6)
    top = found.highest
    assert top is not None
    place = found.photon_energies[curve.argmax()]
    assert top.photon_energy == pytest.approx(place, abs=0.05)
    assert top.peak_absorption >= curve.max()
    assert top.wavelength == pytest.approx(1239.841984 / top.photon_energy)
    assert top.energy_error > 0
    again = session.run(acrolein, workflow="spectra", **TDA, up_to=13, cumulative=1, width=0.5)
    assert again.reused
    assert again.ran.made[0].iri == found.iri


def test_what_weighs_little_is_left_out_and_told(
    session: Grafico, acrolein: ConformerEnsemble
) -> None:
    first, second = acrolein.conformers
    found = electronic(session, acrolein, up_to=13, cumulative=first.weight - 0.01)
    assert [one.number for one in found.conformers] == [1]
    [text] = found.left_out
    assert text.startswith(f"conformer 2 ({100 * second.weight:.1f} %)")
    alone = electronic(session, first.atoms, up_to=13, geometry="as given")
    assert found.absorption == pytest.approx(alone.absorption), "its share is all of it"


def test_states_are_added_until_the_window_is_covered(session: Grafico) -> None:
    atoms = session.run("C=O", task="optimise", **HF).atoms
    found = electronic(session, atoms, up_to=25, geometry="as given")
    [one] = found.conformers
    assert isinstance(one, ConformerStates)
    assert len(one.excitation_energies) == 20
    assert one.excitation_energies.max() > 25 + found.band_width
    hydrogen = electronic(session, "[H][H]", up_to=50)
    [one] = hydrogen.conformers
    assert len(one.lines[0]) == 1, "one pair of orbitals"
    assert any("all that the basis set allows" in remark for remark in hydrogen.remarks)


def test_a_molecule_is_relaxed_first(session: Grafico) -> None:
    found = electronic(session, "C=O", up_to=13)
    relaxed = session.run("C=O", task="optimise", **HF)
    assert relaxed.reused
    assert found.conformers[0].atoms.iri == relaxed.atoms.iri
    assert found.temperature is None
    assert found.weights.tolist() == [1.0]


def test_saturated_molecules_need_diffuse_functions(session: Grafico) -> None:
    water = electronic(session, "water", up_to=20)
    assert any("no π system" in remark for remark in water.remarks)
    diffuse = electronic(session, "water", up_to=12, basis="6-31+G", geometry="as given")
    assert not any("diffuse" in remark for remark in diffuse.remarks)


def test_the_response_of_the_solvent_is_that_of_its_electrons(session: Grafico) -> None:
    """n² of n-heptane is 1.926 (n = 1.3878, CRC Handbook), and not the 1.78 of water."""
    done = session.run(
        "C=O {heptane}; C=O {water}; C=O {gas}",
        workflow="spectra",
        **TDA,
        up_to=13,
        geometry="as given",
    )
    [found] = done.ran.made
    assert isinstance(found, SpectrumComparison)
    spectra = [one for one in found.spectra if isinstance(one, ElectronicSpectrum)]
    assert [one.name for one in spectra] == ["C=O in heptane", "C=O in water", "C=O in gas"]
    heptane, water, gas = spectra
    assert heptane.surroundings == water.surroundings == "non-equilibrium"
    assert heptane.dielectric == pytest.approx(1.3878**2, abs=1e-3)
    assert water.dielectric == pytest.approx(1.333**2, abs=2e-3)
    assert (gas.surroundings, gas.dielectric) == ("gas phase", None)
    states = session.kg.pull(ExcitedStates, heptane.conformers[0].result.iri)
    assert states.dielectric == heptane.dielectric
    for shift, other in zip(found.shifts, (water, gas), strict=True):
        assert heptane.highest
        assert other.highest
        assert shift.energy_shift == other.highest.photon_energy - heptane.highest.photon_energy
        assert shift.wavelength_shift == other.highest.wavelength - heptane.highest.wavelength
    assert session.resume(done.run).ran.made == done.ran.made


def test_another_method_says_what_depends_on_it(session: Grafico) -> None:
    done = session.run(
        "C=O; C=C", workflow="spectra", **TDA, up_to=14, against="PBE0", geometry="as given"
    )
    [found] = done.ran.made
    assert isinstance(found, SpectrumComparison)
    assert [one.name for one in found.spectra] == ["C=O, HF", "C=C, HF", "C=O, PBE0", "C=C, PBE0"]
    tops = [one.highest.photon_energy for one in found.spectra if one.highest]
    [shift] = found.shifts
    assert shift.energy_shift == pytest.approx(tops[1] - tops[0])
    assert shift.other_energy_shift == pytest.approx(tops[3] - tops[2])
    assert (shift.method, shift.other_method) == ("HF", "PBE0")


def test_infrared_lines_at_the_level_of_the_ensemble(
    session: Grafico, acrolein: ConformerEnsemble
) -> None:
    """What is stationary there is not relaxed again."""
    before = len(session.kg.find(Activity, calculation="tightbinding.optimise"))
    found = infrared(session, acrolein, own_level=True, cumulative=1, line_width=15)
    assert len(session.kg.find(Activity, calculation="tightbinding.optimise")) == before
    assert found.level == acrolein.level
    curve = np.zeros(len(found.wavenumbers))
    for one, conformer in zip(found.conformers, acrolein.conformers, strict=True):
        assert isinstance(one, ConformerVibrations)
        assert one.atoms.iri == conformer.atoms.iri
        analysis = session.kg.pull(VibrationalAnalysis, one.result.iri)
        assert analysis.infrared is not None
        for wave, light in zip(analysis.wavenumbers, analysis.infrared, strict=True):
            line = 7.5 / math.pi / ((found.wavenumbers - wave) ** 2 + 7.5**2)
            curve += conformer.weight * light * line * 100 / math.log(10)
    assert found.absorption == pytest.approx(curve, rel=1e-6)
    top = found.highest
    assert top is not None
    assert 1600 < top.wavenumber < 1850, "C=O stretch"


def test_geometries_that_are_not_stationary_are_told(
    session: Grafico, acrolein: ConformerEnsemble
) -> None:
    there = infrared(session, acrolein, **HF, geometry="as given", imaginary="keep", cumulative=0.5)
    assert any("not at a stationary geometry" in remark for remark in there.remarks)
    scale: dict[str, Any] = {"scale": 0.9, "scale_source": "by hand"}
    relaxed = infrared(session, acrolein, **HF, cumulative=0.5, **scale)
    assert relaxed.remarks == ()
    assert (relaxed.scale, relaxed.scale_source) == (0.9, "by hand")
    [one] = relaxed.conformers
    assert isinstance(one, ConformerVibrations)
    near = np.abs(0.9 * one.wavenumbers - max(t.wavenumber for t in relaxed.maxima)).min()
    assert near < 2


def test_conformers_with_imaginary_modes_are_named_and_dropped_or_kept(session: Grafico) -> None:
    """Eclipsed methanol, relaxed with its symmetry: a saddle point of the rotation."""
    flat = turned("CO", (2, 0, 1, 5), 0)
    both = ensemble(session, "CO", (2, 0, 1, 5), (180,), **HF)
    saddle = session.run(flat, task="optimise", constraints="dihedral 3 1 2 6 0", **HF).answers[-1]
    two = both.model_copy(
        update={
            "conformers": (
                both.lowest.model_copy(update={"weight": 0.8}),
                both.lowest.model_copy(
                    update={"number": 2, "weight": 0.2, "atoms": saddle.result.atoms}
                ),
            )
        }
    )
    dropped = infrared(session, two, **HF, geometry="as given", cumulative=1)
    assert [one.number for one in dropped.conformers] == [1]
    [text] = dropped.left_out
    assert text.startswith("conformer 2 (20.0 %): imaginary at ")
    kept = infrared(session, two, **HF, geometry="as given", cumulative=1, imaginary="keep")
    assert [one.number for one in kept.conformers] == [1, 2]
    assert any("its other modes are in the sum" in remark for remark in kept.remarks)
    last = kept.conformers[1]
    assert isinstance(last, ConformerVibrations)
    assert last.imaginary == 1
    assert len(last.wavenumbers) == 11
    with pytest.raises(GraficoError, match="none of its conformers can be in it"):
        infrared(session, saddle.result.atoms, **HF, geometry="as given")


def test_one_that_fails_leaves_the_others(session: Grafico, acrolein: ConformerEnsemble) -> None:
    asked: dict[str, Any] = {"kind": "ir", "method": "GFN1-xTB", "cumulative": 1}
    done = session.run(f"C=O; {acrolein.iri}", workflow="spectra", **asked, max_steps=100)
    [whole] = done.ran.made
    other = ensemble(session, "OO", (2, 0, 1, 3), (115,), method="GFN1-xTB")
    far = turned("OO", (2, 0, 1, 3), 60)
    mixed = other.model_copy(
        update={
            "conformers": (
                other.lowest.model_copy(update={"weight": 0.7}),
                other.lowest.model_copy(update={"number": 2, "weight": 0.3, "atoms": far}),
            )
        }
    )
    done = session.run(mixed, workflow="spectra", **asked, max_steps=1)
    assert done.status == "goal unmet"
    assert "conformer 2" in done.message
    [found] = done.ran.made
    assert [one.number for one in found.conformers] == [1]
    assert found.failures[0].startswith("conformer 2: ")
    mended = session.resume(done.run, max_steps=100)
    assert mended.status == "finished"
    [found] = mended.ran.made
    assert [one.number for one in found.conformers] == [1, 2]
    assert any("may have become one" in remark for remark in found.remarks)
    assert isinstance(whole, SpectrumComparison)


def test_open_shells_keep_what_they_have(session: Grafico) -> None:
    found = electronic(session, "[CH3]", up_to=13)
    assert any("open shell" in remark for remark in found.remarks)


def test_what_is_shown(session: Grafico, acrolein: ConformerEnsemble) -> None:
    found = electronic(session, acrolein, up_to=13, cumulative=1, width=0.5)
    blocks = blocks_of(found).blocks
    [chart] = [one for one in blocks if isinstance(one, Chart)]
    assert [one.kind for one in chart.series] == ["line", "sticks", "sticks"]
    assert chart.series[0].x[0] == pytest.approx(found.photon_energies[0])
    assert max(chart.series[0].y) == pytest.approx(
        found.highest and found.highest.peak_absorption, 1e-4
    )
    sticks = sum(sum(one.y) for one in chart.series[1:])
    total = found.weights.sum()
    wanted = sum(
        one.weight / total * one.lines[1][one.lines[0] <= found.photon_energies[-1]].sum()
        for one in found.conformers
    )
    assert sticks == pytest.approx(wanted, rel=1e-3)
    tables = {one.name: one for one in blocks if isinstance(one, Table)}
    assert {column.unit for column in tables["maxima"].columns} == {"eV", "nm", "cm⁻¹", "L/mol/cm"}
    assert len(tables["conformers"].rows) == 2
