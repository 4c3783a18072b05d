"""Electrons in thermochemistry: measured levels against tables, degenerate states in words."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from ogm import GraphModel, KnowledgeGraph, Link
from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.factors import HARTREE
from ontologies.provenance import Activity, Device
from ontologies.tightbinding import TightBinding
from ontologies.vibrations import Thermochemistry, VibrationalAnalysis
from tests.dft.structures import CARBON_DIOXIDE, METHYL, PLANAR_AMMONIA, WATER, atoms, single
from triplestore import open_store
from triplestore.errors import ComponentError
from workflows.dft.properties import degeneracy
from workflows.dft.properties.electronic_levels import _table  # pyright: ignore[reportPrivateUsage]
from workflows.dft.properties.thermo import thermochemistry
from workflows.engine.execution.outdated import outdated
from workflows.geometry.symmetry import point_group, symmetrised

KJ, KCAL = HARTREE["kJ/mol"], HARTREE["kcal/mol"]
R = 8.31446261815324

# Entropies in J/mol/K at 298.15 K and 1,000 K, 1 bar, of the polynomials of NASA's CEA
# (nasa_gas.yaml of Cantera 3.2), which rest on levels of their own; 0: they do not go down to there
CEA = """
H 114.72 139.87  He 126.15 151.31  Li 138.78 163.94  Be 136.28 161.43  B 153.44 178.60
C 158.10 183.28  N 153.30 178.46  O 161.06 186.79  F 158.75 185.38  Ne 146.33 171.48
Na 153.72 178.87  Mg 148.65 173.80  Al 164.55 189.97  Si 167.98 193.80  P 163.20 188.35
S 167.83 195.17  Cl 165.19 192.42  Ar 154.85 180.00  K 160.34 185.50  Ca 154.89 180.04
Ti 180.30 207.38  V 0 212.25  Cr 174.31 199.47  Fe 180.49 210.06  Ni 0 211.71
Cu 166.40 191.55  Zn 160.99 186.15  Br 175.02 200.30  Kr 164.09 189.24  I 180.79 205.94
Xe 169.68 194.84  C+ 154.66 179.90  N+ 159.80 185.18  O+ 154.96 180.11  F+ 161.73 188.71
Si+ 163.43 190.33  P+ 0 194.81  Cl+ 167.56 195.76  Ar+ 166.40 193.07  Fe+ 181.86 213.23
O- 157.80 183.43  S- 164.92 191.79
"""

LETTERS = "SPDFG"


def vibrating(given: ConceptualAtoms, *wavenumbers: float) -> VibrationalAnalysis:
    modes, size = len(wavenumbers), len(given.numbers)
    return VibrationalAnalysis(
        atoms=given,
        level=TightBinding(method="GFN2-xTB"),
        energy=-1.0,
        wavenumbers=np.array(wavenumbers),
        modes=np.zeros((modes, size, 3)),
        reduced_masses=np.ones(modes),
        hessian=np.zeros((size, size, 3, 3)),
        imaginary=0,
        max_gradient=0.0,
        stationarity="minimum",
    )


def gas(given: ConceptualAtoms, *waves: float, at: float = 298.15, **more: Any) -> Thermochemistry:
    return thermochemistry(vibrating(given, *waves), at, 1e5, **more)


def entropy(heat: Thermochemistry) -> float:
    return heat.entropy * KJ * 1000


def atom(name: str) -> ConceptualAtoms:
    """Return an atom or ion in its tabulated ground state."""
    number, charge = SYMBOLS.index(name.rstrip("+-")), name.count("+") - name.count("-")
    [term] = {one.term_symbol for one in _table()[(number,), charge] if one.term_energy == 0}
    [spins] = re.findall(r"\d", term)
    return single(number, charge=charge, multiplicity=int(spins))


def linear(numbers: list[int], places: list[float], **more: Any) -> ConceptualAtoms:
    return atoms(numbers, [[0, 0, z] for z in places], **more)


def ring(size: int, radius: float, outer: float, **more: Any) -> ConceptualAtoms:
    turns = 2 * np.pi * np.arange(size) / size
    circle = np.column_stack([np.cos(turns), np.sin(turns), 0 * turns])
    points = np.vstack([radius * circle, outer * circle])
    return atoms([6] * size + [1] * size, points.tolist(), **more)


def three(centre: int, ends: int, length: float, angle: float, top: Any = (), **more: Any):
    """Return a centre, three ends at an angle from the axis, and what is on it at some height."""
    lean, turns = np.radians(angle), 2 * np.pi * np.arange(3) / 3
    points = length * np.column_stack(
        [np.sin(lean) * np.cos(turns), np.sin(lean) * np.sin(turns), np.full(3, np.cos(lean))]
    )
    above = [(number, [0, 0, height]) for number, height in top]
    numbers = [centre, *(number for number, _ in above), ends, ends, ends]
    places = np.vstack([np.zeros(3), *(place for _, place in above), points])
    return atoms(numbers, places.tolist(), **more)


METHOXY = three(6, 1, 1.10, 110, [(8, 1.37)])
NITRATE = three(7, 8, 1.24, 90)
ACETYLENE = linear([1, 6, 6, 1], [-1.68, -0.62, 0.62, 1.68], charge=1)


def test_the_table_is_whole_and_its_terms_hold_all_their_states() -> None:
    """(2S+1)(2L+1) states a term of an atom; of each element up to krypton there is an atom."""
    table = _table()
    assert {numbers for numbers, charge in table if len(numbers) == 1 and not charge} >= {
        (number,) for number in range(1, 37)
    }
    for (numbers, charge), levels in table.items():
        name = (numbers, charge)
        assert levels[0].term_energy == 0, name
        spins = {int(re.findall(r"\d", one.term_symbol)[0]) for one in levels}
        electrons = sum(numbers) - charge
        assert all(one % 2 != electrons % 2 for one in spins), name
        for term in {one.term_symbol for one in levels}:
            states = sum(one.statistical_weight for one in levels if one.term_symbol == term)
            [(spin, kind)] = re.findall(r"(\d)(\w+)", term)
            if len(numbers) == 1:
                assert states == int(spin) * (2 * LETTERS.index(kind) + 1), (name, term)
            else:
                assert states == int(spin) * (1 if kind.startswith("Sigma") else 2), (name, term)


@pytest.mark.parametrize(("name", "cold", "hot"), re.findall(r"(\S+) (\S+) (\S+)", CEA))
def test_entropies_of_atoms_are_those_of_nasa(name: str, cold: str, hot: str) -> None:
    for temperature, expected in ((298.15, float(cold)), (1000.0, float(hot))):
        if expected:
            found = entropy(gas(atom(name), at=temperature))
            assert found == pytest.approx(expected, abs=0.03), temperature


@pytest.mark.parametrize(
    ("given", "wavenumber", "expected"),
    [
        # bond and quantum of Huber and Herzberg; entropies of NIST-JANAF, 4th ed., at 1 bar
        (linear([7, 8], [0, 1.1508], multiplicity=2), 1876, 210.76),
        (linear([8, 1], [0, 0.9697], multiplicity=2), 3568, 183.71),
        (linear([8, 8], [0, 1.2075], multiplicity=3), 1556, 205.15),
    ],
)
def test_entropies_of_open_shell_diatomics(
    given: ConceptualAtoms, wavenumber: float, expected: float
) -> None:
    assert entropy(gas(given, wavenumber)) == pytest.approx(expected, abs=0.3)


def test_low_states_of_oxygen_count_where_it_is_hot() -> None:
    """At 3,000 K the singlets of O2 (7,882 and 13,121 cm⁻¹) add 0.63 J/mol/K, by hand."""
    hot = gas(linear([8, 8], [0, 1.2075], multiplicity=3), 1556, at=3000.0)
    assert [one.statistical_weight for one in hot.electronic_levels] == [3, 2, 1]
    assert hot.spin_orbit_lowering == 0
    x = np.array([0, 7882.4, 13120.9]) / (0.6950348 * 3000)
    shares = np.array([3, 2, 1]) * np.exp(-x)
    more = math.log(shares.sum() / 3) + (shares * x).sum() / shares.sum()
    assert more * R == pytest.approx(0.633, abs=0.001)
    quantum, turn = 1556 / (0.6950348 * 3000), 3000 * 0.6950348 / (2 * 1.4456)
    rest = math.log(3) + more + math.log(turn) + 1
    rest += quantum / math.expm1(quantum) - math.log(-math.expm1(-quantum))
    moving = 152.0 + 2.5 * R * math.log(3000 / 298.15)  # Sackur and Tetrode for 31.998 Da
    assert entropy(hot) == pytest.approx(moving + rest * R, abs=0.2)


@pytest.mark.parametrize(
    ("name", "kilocalories"),
    # E(J-weighted mean) − E(lowest level): C. W. Bauschlicher and others, G2 and G3 papers:
    # B 0.05e-3 Eh, C 0.14, O 0.36, F 0.61, Si 0.68, S 0.89, Cl 1.34, Br 5.6
    [
        ("B", 0.03),
        ("C", 0.085),
        ("O", 0.22),
        ("F", 0.385),
        ("Si", 0.43),
        ("S", 0.56),
        ("Cl", 0.84),
        ("Br", 3.51),
        ("N", 0.0),
        ("Ar", 0.0),
    ],
)
def test_the_lowering_by_spin_orbit_coupling_is_a_line_of_its_own(
    name: str, kilocalories: float
) -> None:
    usual, lowered = gas(atom(name)), gas(atom(name), spin_orbit=True)
    lower = usual.spin_orbit_lowering
    assert lower is not None
    assert lower * KCAL == pytest.approx(kilocalories, abs=0.01)
    assert (usual.spin_orbit, lowered.spin_orbit) == (False, True)
    assert usual.enthalpy - lowered.enthalpy == pytest.approx(lower, abs=1e-12)
    assert usual.gibbs_energy - lowered.gibbs_energy == pytest.approx(lower, abs=1e-12)
    assert usual.entropy == lowered.entropy
    assert any("lowest level" in text for text in usual.remarks) == (kilocalories > 0)


def test_hot_levels_of_a_term_have_its_mean_energy() -> None:
    """Where kT is far above the splitting, the mean energy is that of the term."""
    hot = gas(atom("B"), at=9e4)
    assert hot.spin_orbit_lowering is not None
    ideal = 2.5 * R * 9e4 / 1000 / KJ
    assert hot.enthalpy + 1.0 - ideal == pytest.approx(hot.spin_orbit_lowering, rel=1e-2)


def test_closed_shells_are_as_they_were_and_stay_remembered() -> None:
    water = vibrating(WATER, 1600.0, 3700.0, 3800.0)
    assert thermochemistry.bind(water, 298.15, 1e5).version == "2"
    assert thermochemistry.bind(vibrating(single(18)), 298.15, 1e5).version == "2"
    for given in (atom("F"), atom("N"), linear([6, 6], [0, 1.24]), METHOXY):
        assert thermochemistry.bind(vibrating(given), 298.15, 1e5).version == "2+levels"
    found = thermochemistry(water, 298.15, 1e5)
    assert (found.electronic_levels, found.spin_orbit_lowering, found.remarks) == ((), None, ())


def test_stored_entropies_without_levels_are_named_and_others_not() -> None:
    """As `grafico fsck` and `grafico runs` name them."""
    kg, noon = KnowledgeGraph(open_store("memory:")), datetime(2026, 5, 4, 12, tzinfo=UTC)
    for name, given in (("F", atom("F")), ("Ar", atom("Ar"))):
        looked = vibrating(given).identified(f"https://example.org/{name}/vibrations")
        made = thermochemistry(looked, 298.15, 1e5).identified(f"https://example.org/{name}")
        call = thermochemistry.bind(looked, 298.15, 1e5)
        activity = Activity(
            calculation=call.calculation.name,
            version="2",
            epoch="1",
            key=f"{name} before",
            family=call.family,
            signature=call.signature,
            used=frozenset({Link[GraphModel](looked)}),
            generated=Link[GraphModel](made),
            started=noon,
            ended=noon,
            wall_time=1,
            threads=1,
            device=Device(kind="cpu", name="one"),
            software=frozenset(),
        )
        kg.push(looked, made, activity)
    [(named, why)] = outdated(kg, known={thermochemistry.name: thermochemistry}).items()
    assert named == "https://example.org/F"
    assert "today it is 2+levels" in why


def test_what_is_not_in_the_table_is_said() -> None:
    other = gas(single(6, multiplicity=1))
    assert "multiplicity 3 (3P)" in other.remarks[0]
    assert not other.electronic_levels
    assert entropy(other) == pytest.approx(139.86, abs=0.01), "of a single state"
    excited = gas(linear([5, 5], [0, 1.6], multiplicity=1), 1000.0)
    assert "has the multiplicity 3 (3Sigma-)" in excited.remarks[0]
    ion = gas(single(26, charge=2, multiplicity=5))
    assert "no measured levels of Fe+2" in ion.remarks[0]
    asked = gas(METHYL, 500.0, 1400, 1400, 3000, 3100, 3100, spin_orbit=True)
    assert "no lowering by spin–orbit coupling is known of CH3" in asked.remarks[0]
    assert not asked.spin_orbit
    assert "above 3000 K" in gas(atom("Ti"), at=5000.0).remarks[-1]


@pytest.mark.parametrize(
    ("given", "group", "states"),
    [
        (METHOXY, "C3v", 2),
        (three(6, 9, 1.33, 110, [(8, 1.36)]), "C3v", 2),
        (ring(5, 1.20, 2.28), "D5h", 2),
        (ring(6, 1.395, 2.48, charge=1), "D6h", 2),
        (ring(3, 0.80, 1.88), "D3h", 2),
        (ACETYLENE, "D∞h", 2),
        (linear([7, 6, 8], [-1.23, 0, 1.19]), "C∞v", 2),
        (CARBON_DIOXIDE.model_copy(update={"charge": 1, "multiplicity": 2}), "D∞h", 2),
        (
            atoms(
                [6, 1, 1, 1, 1],
                [
                    [0, 0, 0],
                    [0.63, 0.63, 0.63],
                    [0.63, -0.63, -0.63],
                    [-0.63, 0.63, -0.63],
                    [-0.63, -0.63, 0.63],
                ],
                charge=1,
            ),
            "Td",
            3,
        ),
    ],
)
@pytest.mark.parametrize("off", [0.0, 0.04])
def test_degenerate_ground_states_are_told(
    given: ConceptualAtoms, group: str, states: int, off: float
) -> None:
    """Also where the geometry is distorted, as that of such a state is."""
    push = np.random.default_rng(4).uniform(-off, off, given.positions.shape)
    found = degeneracy.spatial_degeneracy(given.moved_to(given.positions + push))
    assert found is not None
    assert (found.group, found.states, found.gap) == (group, states, 0.0)


def test_near_degenerate_states_are_told_too() -> None:
    """The ground state of NO3 is ²A2′, and strongly coupled with ²E′."""
    found = degeneracy.spatial_degeneracy(NITRATE)
    assert found is not None
    assert found.gap * HARTREE["eV"] == pytest.approx(0.6, abs=0.2)
    said = gas(NITRATE, *[500.0] * 6).remarks[0]
    assert said.startswith("a state of NO3 that is degenerate in space lies near")


@pytest.mark.parametrize(
    "given",
    [
        METHYL,
        PLANAR_AMMONIA.model_copy(update={"charge": 1, "multiplicity": 2}),
        three(6, 9, 1.32, 108),
        three(14, 1, 1.48, 108),
        linear([6, 6, 8], [-1.37, 0, 1.16], multiplicity=3),
        linear([1, 6, 6, 7], [-1.06, 0, 1.3, 2.5], multiplicity=3),
        atoms([6, 8, 1], [[0, 0, 0], [0, 0, 1.18], [0.93, 0, -0.63]]),
        atoms([7, 8, 8], [[0, 0, 0], [0, 1.10, 0.47], [0, -1.10, 0.47]]),
        WATER.model_copy(update={"charge": 1, "multiplicity": 2}),
    ],
    ids=["CH3", "NH3+", "CF3", "SiH3", "CCO", "HCCN", "HCO", "NO2", "H2O+"],
)
def test_other_open_shells_are_not(given: ConceptualAtoms) -> None:
    assert degeneracy.spatial_degeneracy(given) is None


def test_the_words_have_what_it_may_come_to() -> None:
    [said] = gas(METHOXY, *[1000.0] * 9).remarks
    assert "R ln 2 = 5.76 J/mol/K" in said
    assert "1.72 kJ/mol = 0.41 kcal/mol" in said
    bent = METHOXY.moved_to(METHOXY.positions + np.eye(5)[2][:, None] * [0.15, 0, 0.05])
    [said] = gas(bent, *[1000.0] * 9).remarks
    assert "distorted to Cs, is one of 3 equal ones, which its symmetry number (1, not 3)" in said


def test_without_its_orbitals_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(given: ConceptualAtoms) -> Any:
        raise ComponentError("orbitals were asked for", "tblite cannot be loaded", "install it")

    monkeypatch.setattr(degeneracy, "_orbitals", none)
    [said] = gas(METHOXY, *[1000.0] * 9).remarks
    assert "could not be found out (tblite cannot be loaded)" in said


def test_symmetrised_places_have_the_group_exactly() -> None:
    push = np.random.default_rng(7).uniform(-0.05, 0.05, METHOXY.positions.shape)
    name, number, points = symmetrised(METHOXY.moved_to(METHOXY.positions + push), 0.2)
    assert (name, number) == ("C3v", 3)
    assert point_group(METHOXY.moved_to(points), 1e-4) == "C3v"
