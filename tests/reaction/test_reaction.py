"""Reactions from the equation to what is stored, against hand-made differences and limits."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from grafico import Grafico
from grafico.views.text import rows
from ontologies.provenance import Activity, Run
from ontologies.reactions import ReactionEnergy
from tests.asking import made, refuse
from triplestore.errors import GraficoError, InputError
from workflows.reaction.blocks import _constant  # pyright: ignore[reportPrivateUsage]
from workflows.reaction.combine import conserved, to_one_molar
from workflows.show.object_blocks import blocks_of

KJ = 2625.499639480
HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}


def react(session: Grafico, equation: str, **asked: Any) -> ReactionEnergy:
    return made(session, "reaction", equation, ReactionEnergy, **{**HF, **asked})


def test_it_is_the_difference_of_its_species(session: Grafico) -> None:
    """Each was computed as if asked for alone, and is linked."""
    found = react(session, "[H][H] + FF -> 2 F")
    sums = dict.fromkeys(("energy", "enthalpy", "gibbs_energy"), 0.0)
    for text, count in (("[H][H]", -1), ("FF", -1), ("F", 2)):
        alone = session.run(text, task="frequencies", **HF)
        assert alone.reused, "nothing is computed twice"
        heat = alone.thermochemistry
        assert heat is not None
        sums["energy"] += count * alone.energy
        sums["enthalpy"] += count * heat.enthalpy
        sums["gibbs_energy"] += count * heat.gibbs_energy
        [part] = [one for one in found.species_energies if one.species.name == text]
        assert part.thermochemistry is not None
        assert part.thermochemistry.iri == alone.heat.recorded
    assert found.energy_change == pytest.approx(sums["energy"], abs=1e-12)
    assert found.enthalpy_change == pytest.approx(sums["enthalpy"], abs=1e-12)
    assert found.gibbs_change == pytest.approx(sums["gibbs_energy"], abs=1e-12)
    assert found.gibbs_change_molar == found.gibbs_change, "as many particles as before"
    assert found.conserved == "unpaired electrons"
    assert found.temperature == 298.15
    told = dict(rows([blocks_of(found)]))
    energies = r"FF  multiplicity 1, E -?[\d.]+ Eh, H -?[\d.]+ Eh, G -?[\d.]+ Eh"
    assert any(re.match(energies, str(text)) for text in told.values()), told


def test_another_reaction_shares_what_is_known(session: Grafico) -> None:
    react(session, "[H][H] + FF -> 2 F")
    before = {one.iri for one in session.kg.find(Activity, calculation="dft.optimise")}
    react(session, "F + [H] -> [F] + [H][H]")
    after = {one.iri for one in session.kg.find(Activity, calculation="dft.optimise")}
    assert len(after - before) == 2, "two atoms"
    again = session.run("F + [H] -> [F] + [H][H]", workflow="reaction", **HF)
    assert again.reused


def test_the_proton_and_the_standard_state(session: Grafico) -> None:
    """A bare proton has 5/2 RT and the entropy of Sackur and Tetrode: 108.95 J/(mol K) at 1 bar."""
    found = react(session, "[H] -> [H+] + [H-]{-1}".replace("[H] ->", "2 [H] ->"))
    proton = next(one for one in found.species_energies if one.species.name == "[H+]")
    assert proton.energy == 0.0
    assert proton.enthalpy is not None
    assert proton.gibbs_energy is not None
    assert proton.enthalpy * KJ == pytest.approx(6.197, abs=1e-3)
    entropy = (proton.enthalpy - proton.gibbs_energy) * KJ * 1000 / 298.15
    bar = entropy + 8.314462618 * math.log(1.01325)
    assert bar == pytest.approx(108.95, abs=0.02)  # CODATA key values: 108.946
    assert [one.unbound for one in found.species_energies if one.species.name == "[H-]"] == [True]
    assert "above zero" in " ".join(found.remarks)
    # 1 atm to 1 mol/L at 298.15 K: 1.894 kcal/mol
    assert to_one_molar(298.15, 101325) * 627.5094740631 == pytest.approx(1.894, abs=1e-3)
    taken = react(session, "[H] + [F] -> F")
    assert taken.gibbs_change is not None
    assert taken.gibbs_change_molar is not None
    more = (taken.gibbs_change_molar - taken.gibbs_change) * 627.5094740631
    assert more == pytest.approx(-1.894, abs=1e-3)


def test_the_ground_state_of_what_a_formula_gets_wrong(session: Grafico) -> None:
    done = session.run("O=O -> 2 [O]", workflow="reaction", task="energy", **HF)
    [found] = done.ran.made
    spins = {one.species.name: one.species.atoms.multiplicity for one in found.species_energies}
    assert spins == {"O=O": 3, "[O]": 3}
    assert any("multiplicity 3 taken" in one and "(O=O)" in one for one in done.remarks)
    gap = react(session, "O=O -> O=O{singlet}", task="energy")
    assert gap.energy_change > 0.02, "the closed-shell singlet lies above the triplet"


def test_energies_at_another_level(session: Grafico) -> None:
    found = react(session, "[H][H] + FF -> 2 F", energy_at="HF/3-21G")
    assert found.level.label == "HF/3-21G"
    assert found.geometry_level.label == "HF/STO-3G"
    assert [one.level for one in session.runs(1)] == ["HF/3-21G//HF/STO-3G"]
    low = react(session, "[H][H] + FF -> 2 F")
    assert [one.level for one in session.runs(1)] == ["HF/STO-3G"]
    thermal = found.enthalpy_change - found.energy_change  # pyright: ignore
    assert thermal == pytest.approx(low.enthalpy_change - low.energy_change, abs=1e-12)  # pyright: ignore
    assert abs(found.energy_change - low.energy_change) > 1e-3
    for level, problem in (
        ("/STO-3G", "a level is a method, or"),
        ("GFN2-xTB/STO-3G", "has no basis set"),
        ("HF/nonsense", "nonsense"),
    ):
        with pytest.raises(GraficoError, match=problem):
            react(session, "[H][H] + FF -> 2 F", energy_at=level)


@pytest.mark.parametrize(
    ("equation", "kept"),
    [
        ("CCC + C -> 2 CC", "bond types"),  # CH4 and CH2 become two CH3
        ("C1CCCCC1 + 6 CC -> 6 CCC", "bond types and hybridisation"),  # Wheeler et al., cyclohexane
        ("CC=O + C -> CC + C=O", "bond types"),
        ("C=C + [H][H] -> CC", "unpaired electrons"),
        ("CC -> 2 [CH3]", "nothing"),
        ("O=O -> O=O{singlet}", "nothing"),
        ("2 [H] -> [H+] + [H-]", "nothing"),
        ("[Li+] + [Cl-] + [Na] -> [Li] + [Cl-] + [Na+]", "unpaired electrons"),
        ("1/3 CCC + 1/3 C -> 2/3 CC", "bond types"),
        ("c1ccccc1 + 6 C -> 3 C=C + 3 CC", "bond types"),
    ],
)
def test_what_both_sides_have(session: Grafico, equation: str, kept: str) -> None:
    ready = session.wait_for(lambda: session.prepare_async(equation, workflow="reaction", **HF))
    assert conserved(ready.given.model) == kept


def test_what_fails_is_named_and_resumed(session: Grafico) -> None:
    """The others stay; the same run goes on with what it needs."""
    equation = "C#N -> [C-]#[NH+]"
    with pytest.raises(GraficoError, match="of 2 species have none"):
        react(session, equation, task="optimise", max_steps=1)
    [run] = [one for one in session.kg.find(Run, graph="reaction") if one.subject == equation]
    done = session.resume(run.iri, max_steps=50)
    [found] = done.ran.made
    assert done.status == "finished"
    assert found.energy_change * KJ > 0, "HNC lies above HCN"


@pytest.mark.parametrize(
    ("equation", "problem"),
    [
        ("CC -> C", "not balanced"),
        ("[NH4+] -> N + [H]", "the charge after the arrow is 1 e less"),
        ("C -> C", "both sides are the same"),
        ("C + xyzzyplugh -> C", "xyzzyplugh"),
        ("C{-20} -> C{-20}", ""),
        ("nothing.xyz -> C", "nothing.xyz"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(
    session: Grafico, equation: str, problem: str
) -> None:
    refuse(session, "reaction", equation, problem, **HF)


def test_a_catalyst_is_left_out(session: Grafico) -> None:
    found = react(session, "F + [H][H] + FF -> 3 F", task="energy")
    counts = {one.species.name: one.species.coefficient for one in found.species_energies}
    assert counts == {"F": 2.0, "[H][H]": -1.0, "FF": -1.0}
    with pytest.raises(InputError, match="both sides are the same"):
        react(session, "2 F -> F + F")


def test_spin_orbit_coupling_is_a_line_of_its_own_and_off_by_default(session: Grafico) -> None:
    """F: the lowest level is 0.385 kcal/mol below the mean of 2P, as the tables have it."""
    usual = react(session, "[H] + [F] -> F")
    asked = react(session, "[H] + [F] -> F", spin_orbit=True)
    for found, on in ((usual, False), (asked, True)):
        assert found.spin_orbit is on
        assert found.spin_orbit_change is not None
        assert found.spin_orbit_change * 627.5094740631 == pytest.approx(0.385, abs=0.001)
    for name in ("enthalpy_change", "gibbs_change"):
        more = getattr(asked, name) - getattr(usual, name)
        assert more == pytest.approx(usual.spin_orbit_change, abs=1e-10)
    assert asked.energy_change == usual.energy_change
    assert any("[F]: enthalpy and Gibbs energy of F count from" in one for one in usual.remarks)
    closed = react(session, "[H][H] + C#C -> C=C")
    assert closed.spin_orbit_change is None


@pytest.mark.parametrize(
    ("change", "constant"),
    [(-4.73, 6.74), (-32.90, 5.8e5), (5.708, 0.1)],
    ids=["2 NO2 -> N2O4", "N2 + 3 H2 -> 2 NH3", "a factor of ten"],
)
def test_an_equilibrium_constant_is_that_of_the_free_energy(change: float, constant: float) -> None:
    """Gibbs energies of formation at 298.15 K: NO2 51.31, N2O4 97.89, NH3 -16.45 kJ/mol (CRC)."""
    (fact,) = _constant(change, 298.15, "partial pressures in bar")
    assert fact.value == pytest.approx(constant, rel=0.01)
    assert "log10 K" in fact.note
    assert "; partial pressures in bar; " in fact.note


def test_a_constant_beyond_any_number_is_left_out() -> None:
    assert not list(_constant(-5000.0, 298.15, "bar"))
