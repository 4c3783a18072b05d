"""Potentials of half reactions, against differences by hand, limits, and the hydrogen electrode."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from scipy import constants

from grafico import Grafico
from ontologies.redox import ReductionPotential
from tests.asking import made, refuse
from tests.typed import typed
from triplestore.errors import InputError
from workflows.redox.electrodes import electrode_potential, proton_in_water
from workflows.show.blocks import Fact
from workflows.show.object_blocks import blocks_of

EV = 27.211386245981
KCAL = 627.5094740631
MOLAR = constants.R * 298.15 * math.log(1000 * constants.R * 298.15 / 101325) / 4184 / KCAL
"""From 1 atm to 1 mol/L, Eh."""

GFN2: dict[str, Any] = {"method": "GFN2-xTB", "solvent": "water", "basis": None}
HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}


def redox(session: Grafico, equation: str, **asked: Any) -> ReductionPotential:
    return made(session, "redox", equation, ReductionPotential, **{**HF, **asked})


def gibbs(session: Grafico, molecule: str, **asked: Any) -> float:
    """In solution at 1 mol/L, Eh, of a molecule that is computed alone."""
    alone = session.run(molecule, task="frequencies", **HF, **asked)
    assert alone.reused, "nothing is computed twice"
    assert alone.thermochemistry is not None
    return alone.thermochemistry.gibbs_energy + MOLAR


def test_an_electron_is_taken_up(session: Grafico) -> None:
    found = redox(session, "[F] + e- -> [F-]")
    change = gibbs(session, "[F-]") - gibbs(session, "[F]")
    assert found.gibbs_energy_of_reduction == pytest.approx(change, abs=1e-9)
    assert found.potential == pytest.approx(-change * EV - 4.28, abs=1e-6)
    assert found.half_reaction.name == "[F] + e- -> [F-]"
    turned = redox(session, "[F-] -> [F] + e-")
    assert turned.potential == pytest.approx(found.potential, abs=1e-9)
    assert turned.half_reaction.name == found.half_reaction.name
    double = redox(session, "2 [F] + 2 e- -> 2 [F-]")
    assert double.potential == pytest.approx(found.potential, abs=1e-9)


def test_protons_and_their_potential_are_one_choice(session: Grafico) -> None:
    """With as many protons as electrons the absolute potential cancels; without them it stays."""
    found = redox(session, "FF + 2 H+ + 2 e- -> 2 F")
    change = 2 * gibbs(session, "F") - gibbs(session, "FF")
    proton = (-6.28 + 1.89 - 265.9) / KCAL
    assert found.gibbs_energy_of_reduction == pytest.approx(change - 2 * proton, abs=1e-8)
    other = redox(session, "FF + 2 H+ + 2 e- -> 2 F", absolute_potential=4.44)
    assert other.potential == pytest.approx(found.potential, abs=1e-6)
    assert (other.proton_in_water - found.proton_in_water) * KCAL == pytest.approx(3.69, abs=0.01)
    bare = redox(session, "[F] + e- -> [F-]")
    moved = redox(session, "[F] + e- -> [F-]", absolute_potential=4.44)
    assert moved.potential - bare.potential == pytest.approx(-0.16, abs=1e-9)


def test_the_ph(session: Grafico) -> None:
    """Nernst: 59.16 mV a unit for as many protons as electrons."""
    acid = redox(session, "FF + 2 H+ + 2 e- -> 2 F")
    neutral = redox(session, "FF + 2 H+ + 2 e- -> 2 F", ph=7)
    assert neutral.potential - acid.potential == pytest.approx(-7 * 0.05916, abs=1e-4)


def test_the_hydrogen_electrode_has_no_potential(session: Grafico) -> None:
    """Proton and potential fit each other: H2 that is computed well comes out at zero.

    H2 stands at 1 mol/L, not at 1 bar: RT ln 24.5 over 2 F, -41 mV. Full configuration interaction
    in cc-pVQZ lies 0.7 mEh above the limit: 10 mV.
    """
    found = redox(
        session, "2 H+ + 2 e- -> [H][H]", method="HF", basis="cc-pVTZ", energy_at="CCSD/cc-pVQZ"
    )
    assert found.potential == pytest.approx(-MOLAR * EV / 2, abs=0.03)


def test_electrodes(session: Grafico) -> None:
    hydrogen = redox(session, "[F] + e- -> [F-]")
    calomel = redox(session, "[F] + e- -> [F-]", electrode="SCE")
    assert hydrogen.potential - calomel.potential == pytest.approx(0.241)
    own = redox(session, "[F] + e- -> [F-]", electrode="Fc+/Fc", electrode_potential=0.5)
    assert hydrogen.potential - own.potential == pytest.approx(0.5)
    assert electrode_potential("Fc+/Fc", "Water") == 0.400
    assert electrode_potential("Fc+/Fc", "acetonitrile") == 0.624
    with pytest.raises(InputError, match="water and acetonitrile"):
        electrode_potential("Fc+/Fc", "hexane")
    assert proton_in_water(4.28) * KCAL == pytest.approx(-270.29)


def test_energies_alone(session: Grafico) -> None:
    found = redox(session, "[F] + e- -> [F-]", task="energy")
    energies = [one.energy for one in found.reaction_energy.species_energies]
    assert found.potential == pytest.approx((energies[0] - energies[1]) * EV - 4.28, abs=1e-6)
    assert any("without vibrations" in one for one in found.remarks)
    assert any("STO-3G has no diffuse functions" in one for one in found.remarks)
    wide = redox(session, "[F] + e- -> [F-]", task="energy", basis="6-31++G")
    assert not any("diffuse" in one for one in wide.remarks)
    assert wide.potential > found.potential + 1


@pytest.mark.parametrize(
    ("equation", "asked", "problem"),
    [
        ("[F] -> [F-]", {}, "no electrons"),
        ("[F] + 2 e- -> [F-]", {}, "the charge after the arrow is 1 e more"),
        ("FF + 2 e- -> [F-]", {}, "F is missing after the arrow"),
        ("FF + H+ + 2 e- -> 2 F", {}, "H is missing before the arrow"),
        ("H+ + e- -> ", {}, "nothing stands after"),
        ("e- -> e-", {}, "no electrons"),
        ("2 H+ + 2 e- -> [H][H]", {"task": "energy"}, "task energy gives no Gibbs energies"),
        ("2 H+ + 2 e- -> [H][H]", {"solvent": "acetonitrile"}, "its protons are those of water"),
        ("2 H+ + 2 e- -> [H][H]", {"temperature": 350.0}, "is known at 298.15 K"),
        ("[F] + e- -> [F-]", {"ph": 7.0}, "it has no protons"),
        ("[F] + e- -> [F-]", {"temperature": 350.0}, "are known at 298.15 K"),
        (
            "[F] + e- -> [F-]",
            {"temperature": 350.0, "absolute_potential": 4.2, "electrode": "SCE"},
            "are known at 298.15 K",
        ),
        (
            "[F] + e- -> [F-]",
            {"temperature": 350.0, "electrode": "SCE", "electrode_potential": 0.2},
            "are known at 298.15 K",
        ),
        ("FF + 2 e- -> 2 [F-]", GFN2, "energies of GFN2-xTB count from a zero of its own"),
        ("FF + 2 e- -> 2 [F-]", {**GFN2, "electrode": "Fc+/Fc"}, "a zero of its own"),
        ("O=O + 4 H+ + 4 e- -> 2 O", {**GFN2, "ph": 7}, "a zero of its own"),
        ("FF + 2 e- -> 2 [F-]", {"energy_at": "GFN1-xTB"}, "GFN1-xTB count from a zero of its own"),
        ("O=C1C=CC(=O)C=C1 + 2 H+ + 2 e- -> Oc1ccc(O)cc1", GFN2, "a zero of its own"),
        ("[F] + e- -> [F-]", {"electrode": "Fc+/Fc"}, "ferrocene is known here"),
        ("[F] + e- -> [F-]", {"electrode": "mercury"}, "mercury"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(
    session: Grafico, equation: str, asked: dict[str, Any], problem: str
) -> None:
    refuse(session, "redox", equation, problem, **{**HF, **asked})


def test_the_temperature_is_that_of_the_constants_that_are_given(session: Grafico) -> None:
    found = redox(session, "[F] + e- -> [F-]", temperature=350.0, absolute_potential=4.2)
    assert found.reaction_energy.temperature == 350.0
    [fact] = [one for one in facts(found) if one.name == "potential"]
    assert [one.value for one in fact.at] == [350.0]
    alone = redox(session, "[F] + e- -> [F-]", task="energy")
    [fact] = [one for one in facts(alone) if one.name == "potential"]
    assert [(one.value, one.unit) for one in fact.at] == [(298.15, "K")]


def test_energies_without_the_solvent_of_the_geometries_are_told(session: Grafico) -> None:
    found = redox(
        session, "[F] + e- -> [F-]", task="energy", solvent="water", energy_at="MP2/STO-3G"
    )
    assert any("gas phase, geometries those of a solution" in one for one in found.remarks)


def test_electrodes_of_water_beside_another_solvent(session: Grafico) -> None:
    done = session.run(
        "[F] + e- -> [F-]", workflow="redox", electrode="SCE", solvent="acetonitrile", **HF
    )
    assert any("junction of the two liquids" in one for one in done.remarks)


def test_what_is_not_plausible_is_no_headline(tmp_path: Path) -> None:
    """STO-3G has no room for the electron: fluorine comes to -14 V."""
    words = ["redox", "FF + 2 e- -> 2 [F-]", "--method", "HF", "--basis", "STO-3G", "--quiet",
             "--task", "energy", "--store", str(tmp_path / "store")]  # fmt: skip
    told = typed(*words, status=3)
    assert "V is not plausible: it lies outside -6 to 6 V" in told.stdout
    said = json.loads(typed(*words, "--json", status=3).stdout)
    assert len(said["implausible"]) == 1
    typed("resume", said["run"], "--quiet", *words[-2:], status=3)
    page = tmp_path / "page.html"
    typed("report", "-o", str(page), *words[-2:])
    assert "is not plausible" in page.read_text("utf-8")


def facts(found: ReductionPotential) -> list[Fact]:
    return [one for one in blocks_of(found).blocks if isinstance(one, Fact)]
