"""Charts of the report: their numbers, their labels, and that they never break."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

import numpy as np
import pytest

from grafico.charts import LABELS, absorption, bands, course, infrared, lines, sticks
from grafico.orbitals import Channel, diagram, rows
from ontologies.factors import EV_WAVENUMBER, HARTREE

SVG = "{http://www.w3.org/2000/svg}"


def channel(spin: str, energies: Sequence[float], occupations: Sequence[float]) -> Channel:
    """Return a channel from energies in eV."""
    return Channel(spin, np.array(energies) / HARTREE["eV"], np.array(occupations, float))


def texts(drawn: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(drawn).iter("text")]


def lines_of(drawn: str) -> list[tuple[str, float, float]]:
    """Return the kind, the left end and the height of each orbital."""
    found = re.findall(r'class="(real|empty)" d="M([\d.]+) ([\d.]+)h', drawn)
    return [(kind, float(x), float(y)) for kind, x, y in found]


def test_charts_of_anything() -> None:
    nothing = np.zeros(0)
    for drawn in (
        *(course(energies) for energies in ([0.0], [1.0, -1.0, 0.0], [0.0] * 100)),
        sticks([]), sticks([-500.0, 100.0]),
        infrared(nothing, nothing), infrared(np.array([-100.0, 50.0]), np.zeros(2)),
        absorption(np.array([0.3]), np.zeros(1)),
        absorption(np.array([1.0, 25.0]), np.array([1e-9, 2.0])),
        diagram([channel("alpha", [-0.5], [1])]),
        diagram([channel("alpha", [-500, -9, -9, 1], [1, 1, 1, 0]),
                 channel("beta", [3, 3], [0, 0])]),
    ):  # fmt: skip
        ElementTree.fromstring(drawn)
        assert not re.search("nan|inf[^r]", drawn)
        assert drawn.count("<title>") >= 1


def test_imaginary_modes_stand_apart() -> None:
    drawn = sticks([-500.0, 100.0])
    assert "Wavenumbers: 1 real, 1 imaginary" in drawn
    assert 'class="imaginary"' in drawn
    assert "500i" in texts(drawn)


def test_the_areas_of_bands_are_those_of_the_textbooks() -> None:
    """f = 4.319e-9 ∫ε dν̃ (Stephens, Harada 2010); A in km/mol is 0.01 ln 10 ∫ε dν̃."""
    energies, strengths = np.array([3.0, 8.0]), np.array([0.25, 1.5])
    at = np.linspace(0, 12, 20_001)
    area = np.trapezoid(bands(energies, strengths, at), at * EV_WAVENUMBER)
    assert 4.319e-9 * area == pytest.approx(1.75, rel=1e-6)
    at = np.linspace(-200_000, 204_000, 2_000_001)
    area = np.trapezoid(lines(np.array([1600.0, 3700.0]), np.array([70.0, 9.0]), at), at)
    assert 0.01 * np.log(10) * area == pytest.approx(79.0, rel=1e-3)
    # f = 1 with a half width of 3099.6 1/cm (0.3843 eV) at 1/e: 1.3062974e8/3099.6, and so
    # with the one that is drawn
    peak = float(bands(np.array([5.0]), np.array([1.0]), np.array([5.0]))[0])
    assert peak == pytest.approx(1.3062974e8 / (0.4 * 8065.544), rel=2e-4)


def test_axes_are_named_with_their_units() -> None:
    one = np.ones(1)
    assert {"wavenumber / cm⁻¹", "ε / L mol⁻¹ cm⁻¹"} <= set(texts(infrared(1600 * one, one)))
    names = {"energy / eV", "wavelength / nm", "ε / L mol⁻¹ cm⁻¹"}
    assert names <= set(texts(absorption(4 * one, one)))
    assert {"step", "ΔE / kJ mol⁻¹"} <= set(texts(course([2.0, 0.0])))
    assert "orbital energy / eV" in texts(diagram([channel("both spins", [-9, 1], [2, 0])]))


def test_the_strongest_peaks_are_labelled_and_no_label_hides_another() -> None:
    places = np.array([3700.0, 3690.0, 1600.0, 800.0])
    labels = set(texts(infrared(places, np.array([90.0, 80.0, 50.0, 0.1]))))
    assert {"3700", "1600"} <= labels
    assert not {"3690", "800"} & labels
    many = infrared(np.linspace(400, 3900, 60), np.linspace(50, 90, 60))
    assert many.count('class="peak"') == LABELS


def test_degenerate_orbitals_stand_beside_each_other() -> None:
    drawn = diagram([channel("both spins", [-10.0, -10.0, 2.0], [2.0, 2.0, 0.0])])
    (one, left, low), (two, right, same), (three, _, high) = lines_of(drawn)
    assert [one, two, three] == ["real", "real", "empty"]
    assert left < right
    assert low == same
    assert high < low


def test_orbitals_are_named_with_their_energies_electrons_and_gap() -> None:
    drawn = diagram([channel("both spins", [-550, -13.0, -11.0, 4.0, 6.0], [2, 2, 2, 0, 0])])
    assert len(lines_of(drawn)) == 4  # the core is too far down
    said = texts(drawn)
    assert {"HOMO −11.00", "LUMO 4.00", "−13.00", "gap 15.00 eV", "both spins"} <= set(said)
    assert drawn.count('class="spin"') == 4
    assert "orbital 3: −11.000 eV, occupation 2" in drawn


def test_each_spin_has_its_own_frontier() -> None:
    shown = [
        channel("alpha", [-20, -9, -9, 5], [1, 1, 1, 0]),
        channel("beta", [-18, -3, -3, 7], [1, 0, 0, 0]),
    ]
    assert [one.names for one in shown] == [{2: "HOMO", 3: "LUMO"}, {0: "HOMO", 1: "LUMO"}]
    assert [one.electrons(0) for one in shown] == ["↑", "↓"]
    said = texts(diagram(shown))
    assert {"HOMO −9.00", "LUMO 5.00", "HOMO −18.00", "LUMO −3.00", "alpha", "beta"} <= set(said)


def test_orbitals_that_hold_one_electron_of_shared_ones_are_singly_occupied() -> None:
    shared = channel("both spins", [-20, -9, -9, 5], [2, 1, 1, 0])
    assert shared.names == {1: "SOMO", 2: "SOMO", 3: "LUMO"}
    assert [shared.electrons(n) for n in range(4)] == ["↑↓", "↑", "↑", ""]
    assert not any("gap" in text for text in texts(diagram([shared])))


def test_a_table_of_orbitals_keeps_to_the_frontier_of_every_spin() -> None:
    energies = [float(n) for n in range(60)]
    alpha = channel("alpha", energies, [1] * 30 + [0] * 30)
    beta = channel("beta", energies, [1] * 28 + [0] * 32)
    window = rows([alpha, beta])
    assert (window.start, window.stop) == (20, 38)
    assert rows([channel("both spins", [-9, 1], [2, 0])]) == range(2)
