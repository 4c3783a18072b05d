"""Spectra from the command line, what is refused, and how lists are read."""

from __future__ import annotations

import re
from typing import Any

import pytest

from grafico import Grafico
from grafico.views.vega_axes import extent
from ontologies.level import Level
from ontologies.spectra import ElectronicSpectrum, SpectrumSample
from tests.asking import made, refuse
from triplestore.errors import GraficoError
from workflows.engine.request.form import fill
from workflows.registry.levels import LevelForm
from workflows.show.blocks import Chart, Note, Table
from workflows.show.object_blocks import blocks_of, heads
from workflows.spectrum.request import SpectrumRequest, level_of

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}


@pytest.mark.parametrize(
    ("given", "asked", "problem"),
    [
        ("C=O", {"width": 0}, "0.01"),
        ("C=O", {"width": -0.3}, "0.01"),
        ("C=O", {"kind": "ir", "line_width": 0}, "0.5"),
        ("C=O", {"kind": "ir", "width": 0.3}, "no effect"),
        ("C=O", {"scale": 0.9}, "no effect"),
        ("C=O", {"kind": "ir", "scale_source": "me"}, "no factor"),
        ("C=O", {"up_to": float("nan")}, "up_to"),
        ("C=O", {"cumulative": 0}, "cumulative"),
        ("C=O", {"own_level": True}, "it has no ensemble"),
        ("C=O", {"own_level": True, "against": "PBE"}, "own_level"),
        ("C=O", {"against": "NOSUCH"}, "NOSUCH"),
        ("C=O {nosuchsolvent}", {}, "nosuchsolvent"),
        ("C=O {}", {}, "it says nothing"),
        ("", {}, "there are 0"),
        ("; ".join(["C=O"] * 21), {}, "there are 21"),
        (7, {}, "a int is none"),
        ("C=O; xyzzyplugh", {}, "xyzzyplugh"),
        ("https://w3id.org/grafico/id/ConformerEnsemble/0123456789abcdef", {}, "0123456789abcdef"),
        ("C=O", {"method": "GFN2-xTB", "basis": None}, "excited states"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(
    session: Grafico, given: object, asked: dict[str, Any], problem: str
) -> None:
    refuse(session, "spectra", given, problem, **{**HF, **asked})


def test_an_iri_of_something_else_is_told(session: Grafico) -> None:
    session.run("[H][H]", **HF)
    level = session.kg.find(Level)[0]
    with pytest.raises(GraficoError, match="IRI of an ensemble or a cluster"):
        session.run(level.iri, workflow="spectra", **HF)


def test_a_window_without_states_is_told(session: Grafico) -> None:
    with pytest.raises(GraficoError, match=r"lies at .* nm\) at HF/STO-3G.*up_to` 25"):
        session.run("[H][H]", workflow="spectra", **HF, geometry="as given", up_to=2)


def test_the_level_of_a_run_is_not_taken_over_and_that_is_told(session: Grafico) -> None:
    run = session.run("water", **HF).run
    asked: dict[str, Any] = {"method": "HF", "basis": "3-21G", "up_to": 20, "response": "TDA"}
    found = session.spectrum(run, **asked)
    assert any("run at HF/STO-3G; its level is not taken over" in one for one in found.remarks)
    asked["basis"] = "STO-3G"
    found = session.spectrum(run, **asked)
    assert not any("not taken over" in one for one in found.remarks), "it is the same"


def test_a_spectrum_without_a_band_says_so(session: Grafico) -> None:
    """The lowest excitation of formaldehyde is forbidden by its symmetry."""
    done = session.run("formaldehyde", workflow="spectrum", **HF, up_to=6.2)
    [found] = session.kg.find(ElectronicSpectrum, name="formaldehyde", up_to=6.2)
    [head] = [one for one in heads(found) if one.name == "no_maximum"]
    assert re.fullmatch(r"none up to 6.2 eV; 1 state at 4\.\d\d eV, f < 0.0001", str(head.value))
    blocks = blocks_of(found).blocks
    [chart] = [one for one in blocks if isinstance(one, Chart)]
    assert max(chart.series[0].y) < 1e-6
    high = extent(chart.series[0].y, chart.y, 100, nice=True).high
    assert high == pytest.approx(1.0), "noise does not fill the axis"
    line = next(one for one in session.runs() if one.run == done.run)
    assert "none up to 6.2 eV" in f"{line}"


@pytest.mark.parametrize("name", ["acrolein", "formaldehyde", "water"])
def test_the_first_band_that_is_seen_is_shown_where_nobody_said_up_to_where(
    session: Grafico, name: str
) -> None:
    found = made(session, "spectra", name, ElectronicSpectrum, **HF)
    [one] = found.conformers
    bright = one.lines[0][one.lines[1] >= 1e-3].min()
    assert bright > 6.2
    first = min(top.photon_energy for top in found.maxima if top.peak_absorption >= 1)
    assert bright - 0.1 < first < found.up_to
    assert one.lines[0].max() >= found.up_to + found.band_width, "all states up to there"
    assert "zero" not in f"{blocks_of(found)}"
    assert any("not the usual 6.2 eV" in text for text in found.remarks)


def test_a_curve_that_ends_before_its_band_is_not_called_zero(session: Grafico) -> None:
    whole = made(session, "spectra", "acrolein", ElectronicSpectrum, **HF)
    bright = whole.maxima[0].photon_energy
    asked = {**HF, "up_to": bright - 0.2}
    found = made(session, "spectra", "acrolein", ElectronicSpectrum, **asked)
    assert found.up_to == pytest.approx(bright - 0.2), "as it was asked for"
    assert found.absorption.max() > 1000
    blocks = blocks_of(found).blocks
    [note] = [b.text for b in blocks if isinstance(b, Note) and "maximum" in b.text]
    assert "curve climbs" in note
    assert f"{bright:.2f}"[:3] in note
    [head] = [one for one in heads(found) if one.name == "no_maximum"]
    assert "where the curve still climbs" in str(head.value)
    tables = {one.name: one for one in blocks if isinstance(one, Table)}
    state = tables["states"].rows[0]
    assert state[-1] == "n → π*"
    assert isinstance(state[3], float)
    assert state[3] < 1e-3
    assert not any("±" in column.label for column in tables["maxima"].columns)


def test_an_atom_has_no_infrared_spectrum(session: Grafico) -> None:
    with pytest.raises(GraficoError, match="no vibrations"):
        session.run("[He]", workflow="spectra", **HF, kind="ir")


def test_the_solvent_of_an_ensemble_is_that_of_any_model(session: Grafico) -> None:
    """Of an ensemble in water, `SMD` alone means SMD water; `{gas}` means no model."""
    found = session.run("C", workflow="conformers", solvent="water", sampler="embedding").ensemble
    wanted = fill(LevelForm, {**HF, "solvation": "SMD"})
    for solvent, label in (
        ("", {"solvation": "SMD", "solvent": "water"}),
        ("heptane", {"solvation": "SMD", "solvent": "heptane"}),
        ("gas", {}),
    ):
        sample = SpectrumSample(name="methane", ensemble=found, solvent=solvent)
        level = level_of(sample, fill(SpectrumRequest, {}), wanted)
        assert level.in_words() == {**HF, **label}
