"""The pKa of acids from the request to what is stored, against differences taken by hand."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import constants

from grafico import Grafico
from ontologies.acidity import AcidityConstant
from tests.asking import made, refuse
from tests.typed import typed
from triplestore.errors import GraficoError
from workflows.show.blocks import Fact
from workflows.show.object_blocks import blocks_of, doubts_of

KCAL = 627.5094740631
UNIT = constants.R * 298.15 * math.log(10) / 4184
"""RT ln 10 at 298.15 K, kcal/mol."""

DIRECT: dict[str, Any] = {"method": "HF", "basis": "3-21G", "solvent": "water"}
XTB: dict[str, Any] = {"method": "GFN2-xTB", "solvent": "water", "task": "energy"}
KNOWN = ("CC(=O)O=4.76", "OC(=O)CF=2.586", "OC(=O)CCl=2.86")
WIDE = (*KNOWN, "Oc1ccccc1=9.99")


def pka(session: Grafico, acid: str | Path, **asked: Any) -> AcidityConstant:
    return made(session, "acidity", acid, AcidityConstant, **{**XTB, **asked})


def lost(session: Grafico, acid: str, base: str) -> float:
    """What it takes to lose the proton, kcal/mol, of molecules that are computed alone."""
    left, one = (session.run(text, **XTB) for text in (base, acid))
    assert left.reused, f"{base} is remembered"
    assert one.reused, f"{acid} is remembered"
    return (left.energy - one.energy) * KCAL


def test_reference_acids_calibrate(session: Grafico) -> None:
    """The published case; few acids: the slope is that of theory. All species are shared."""
    found = pka(session, "OC(=O)C(F)Cl", reference_acid=KNOWN)
    pairs = [("CC(=O)O", "CC(=O)[O-]"), ("OC(=O)CF", "O=C([O-])CF"), ("OC(=O)CCl", "O=C([O-])CCl")]
    known = np.array([lost(session, *pair) for pair in pairs])
    own = lost(session, "OC(=O)C(F)Cl", "O=C([O-])C(F)Cl")
    measured = np.array([4.76, 2.586, 2.86])
    each = measured + (own - known) / UNIT
    assert found.calibration == "fixed slope"
    assert found.relative_slope == 1.0
    assert found.acid.pka == pytest.approx(each.mean(), abs=1e-4)
    assert found.standard_error == pytest.approx(each.std(ddof=1) * (4 / 3) ** 0.5, abs=1e-4)
    assert found.half_interval == pytest.approx(4.302653 * (found.standard_error or 0), rel=1e-5)
    told = [one.measured_pka for one in found.calibrating_acids]
    assert told == measured.tolist()
    left = [one.residual or 0.0 for one in found.calibrating_acids]
    assert sum(left) == pytest.approx(0.0, abs=1e-9)
    assert not found.thermal
    outside = any("outside the reference acids: stronger" in one for one in found.remarks)
    assert outside == bool(own < known.min())


def test_what_is_remembered_is_not_computed(session: Grafico) -> None:
    pka(session, "OC(=O)C(F)Cl", reference_acid=KNOWN)
    again = session.run("OC(=O)C(F)Cl", workflow="acidity", reference_acid=KNOWN, **XTB)
    assert again.reused


def test_a_line_through_many(session: Grafico) -> None:
    """Four acids over more than three units: slope and intercept are fitted."""
    found = pka(session, "OC=O", reference_acid=WIDE)
    x = [one.deprotonation_energy for one in found.calibrating_acids]
    y = [one.measured_pka for one in found.calibrating_acids]
    slope, intercept = np.polyfit(np.array(x), np.array(y, float), 1)
    assert found.calibration == "regression"
    own = found.acid.deprotonation_energy
    assert found.acid.pka == pytest.approx(slope * own + intercept, abs=1e-6)
    assert found.relative_slope == pytest.approx(slope * UNIT / KCAL, rel=1e-5)
    formula = found.relative_slope * (own + found.proton_gibbs_energy) * KCAL / UNIT
    assert found.acid.pka == pytest.approx(formula, abs=1e-4), "as the class says"
    fixed = pka(session, "OC=O", reference_acid=WIDE, calibration="average")
    assert fixed.calibration == "fixed slope"
    assert fixed.acid.pka != pytest.approx(found.acid.pka, abs=0.01)


def test_the_direct_cycle(session: Grafico) -> None:
    """G(A⁻) - G(HA) + G(H⁺), over RT ln 10, with the proton's three terms as they are given."""
    asked: dict[str, Any] = {**DIRECT, "task": "frequencies"}
    found = pka(session, "F", **asked)
    acid, base = (session.run(text, **asked) for text in ("F", "[F-]"))
    assert acid.reused
    assert base.reused
    assert acid.thermochemistry is not None
    assert base.thermochemistry is not None
    change = (base.thermochemistry.gibbs_energy - acid.thermochemistry.gibbs_energy) * KCAL
    assert found.acid.pka == pytest.approx((change - 265.9 - 6.28 + 1.89) / UNIT, abs=1e-3)
    assert found.calibration == "none"
    assert found.standard_error is None
    assert "a protocol, not a prediction" in " ".join(found.remarks)
    facts = [one for one in blocks_of(found).blocks if isinstance(one, Fact)]
    headline, *others = [one for one in facts if one.headline]
    assert "pka" not in {one.name for one in others}
    assert (headline.label, headline.unit) == ("ΔG of deprotonation", "kcal/mol")
    assert headline.value == pytest.approx(found.acid.pka * UNIT, abs=1e-3)
    [number] = [one for one in facts if one.name == "pka"]
    assert number.label == "pKa, not calibrated", "whoever looks for it finds it"
    other = pka(session, "F", proton_solvation=-262.4, **asked)
    assert other.acid.pka - found.acid.pka == pytest.approx(3.5 / UNIT, abs=1e-4)


def test_energies_at_another_level(session: Grafico) -> None:
    one = pka(session, "[H]F", reference_acid=("C#N=9.21",), energy_at="HF/STO-3G")
    assert one.level.label == "HF/STO-3G in C-PCM water"
    assert "GFN2-xTB" in one.geometry_level.label
    assert one.standard_error is None
    assert "one reference acid says nothing of the uncertainty" in one.remarks


def headlines(found: AcidityConstant) -> list[Fact]:
    return [one for one in blocks_of(found).blocks if isinstance(one, Fact) and one.headline]


def test_one_reference_acid_far_away_gives_no_headline(session: Grafico) -> None:
    """Acetic acid (4.76) beside formic acid alone: the method is off by five units."""
    far = pka(session, "CC(=O)O", reference_acid=("formic acid=3.75",))
    [told] = headlines(far)
    apart = (far.acid.pka - 3.75) * UNIT
    assert told.value == pytest.approx(apart, abs=1e-3)
    assert told.label == "ΔE of deprotonation, less that of formic acid"
    assert any("no pKa follows" in one for one in far.remarks)
    near = pka(session, "OC=O", reference_acid=("CC(=O)O=4.76", "OC(=O)CF=2.586"))
    assert [one.name for one in headlines(near)] == ["pka"]


def test_a_geometry_keeps_its_shape(session: Grafico, tmp_path: Path) -> None:
    """The base of a file is its geometry without the proton; atoms are those of the file."""
    path = tmp_path / "acid.xyz"
    path.write_text(
        "5\nformic acid\nC 0 0.42 0\nO -1.03 -0.44 0\nO 1.16 0.11 0\nH -0.38 1.45 0\n"
        "H -0.65 -1.33 0\n"
    )
    found = pka(session, path, reference_acid=KNOWN[:1])
    acid, base, _ = found.acid.reaction.species
    assert base.smiles == "O=C[O-]"
    np.testing.assert_allclose(base.atoms.positions, acid.atoms.positions[:4])
    taken = pka(session, path, reference_acid=KNOWN[:1], proton="H5")
    assert taken.acid == found.acid
    with pytest.raises(GraficoError, match="atom 1 is C"):
        pka(session, path, reference_acid=KNOWN[:1], proton="1")


def test_the_lowest_conformer(session: Grafico) -> None:
    """It lies at or below the one that is built, of the acid and of its base."""
    words: dict[str, Any] = {"reference_acid": ("C#N=9.21",), "task": "optimise"}
    built = pka(session, "OC=O", **words)
    done = session.run("OC=O", workflow="acidity", conformers=4, **{**XTB, **words})
    [lowest] = done.ran.made
    for one, other in zip(lowest.acid.species_energies, built.acid.species_energies, strict=True):
        assert one.energy <= other.energy + 5e-5
    assert any("OC=O: " in one and "conformer" in one for one in done.remarks)


@pytest.mark.parametrize(
    ("acid", "asked", "problem"),
    [
        ("OC=O", {"reference_acid": ("CC(=O)O=4.76", "acetic acid=4.75")}, "stands there twice"),
        ("OC=O", {"reference_acid": ("CC(=O)O=4.76", "CC(=O)[O-]=4.76")}, "the base of CC(=O)O"),
        ("CC(=O)O", {"reference_acid": ("CC(=O)O=4.76",)}, "it is the acid that is asked for"),
        ("OC=O", {"reference_acid": ("CC(=O)O",)}, "does not end with = and a pKa"),
        ("OC=O", {"reference_acid": ("CC(=O)O=strong",)}, "does not end with = and a pKa"),
        ("OC=O", {"reference_acid": ("CC(=O)O=476",)}, "476 is no pKa"),
        ("OC=O", {"reference_acid": ("CCC=50",)}, "no hydrogen on O, N, S"),
        ("[Na+].OC(=O)[O-]", {"reference_acid": KNOWN}, "a salt of several ions"),
        ("C", {"reference_acid": KNOWN}, "no hydrogen on O, N, S"),
        ("OCC(O)CO", {"reference_acid": KNOWN}, "several protons can leave"),
        ("OC=O", {"reference_acid": KNOWN[:2], "calibration": "regression"}, "it needs 3"),
        ("OC=O", {"reference_acid": KNOWN, "calibration": "none"}, "there are 3 reference acids"),
        ("OC=O", {"reference_acid": KNOWN, "proton_gas": -6.0}, "it has no effect"),
        ("OC=O", {}, "task energy gives no Gibbs energies"),
        (
            "OC=O",
            {"task": "frequencies", "solvent": None},
            "energies of GFN2-xTB count from a zero",
        ),
        ("OC=O", {"task": "frequencies", "solvent": None, "method": "MP2"}, "have no solvent"),
        ("OC=O", {"task": "frequencies", "temperature": 310.0}, "those at 298.15 K"),
        ("OC=O", {"task": "frequencies"}, "energies of GFN2-xTB count from a zero of its own"),
        ("OC=O", {"task": "frequencies", "conformers": 5}, "a zero of its own"),
        ("OC=O", {"task": "frequencies", "method": "GFN1-xTB"}, "a zero of its own"),
        ("OC=O", {"task": "frequencies", "proton_solvation": -100.0}, "a zero of its own"),
        ("F", {**DIRECT, "task": "frequencies", "energy_at": "GFN2-xTB"}, "a zero of its own"),
        ("F", {**DIRECT, "task": "frequencies", "solvent": "acetonitrile"}, "known here in water"),
        ("F", {**DIRECT, "task": "frequencies", "solvent": None, "dielectric": 40.0}, "dielectric"),
        (
            "F",
            {"task": "frequencies", "energy_at": "MP2/STO-3G"},
            "MP2/STO-3G (frozen core) have no",
        ),
        ("OP(=O)(O)O", {"reference_acid": ("O=P([O-])(O)O=7.2", "OP(=O)(O)[O-]=7.2")}, "twice"),
        ("OC=O", {"reference_acid": ("OP(=O)(O)O=2.1", "OP(=O)(O)[O-]=2.1")}, "both have the pKa"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(
    session: Grafico, acid: str, asked: dict[str, Any], problem: str
) -> None:
    refuse(session, "acidity", acid, problem, **{**XTB, **asked})


def test_energies_of_a_functional_at_geometries_of_another_zero(session: Grafico) -> None:
    """What counts is the zero of the energies; vibrations are differences within one level."""
    found = pka(session, "F", task="frequencies", energy_at="HF/3-21G")
    assert found.calibration == "none"
    assert found.level.label == "HF/3-21G in C-PCM water"


def test_an_acid_is_in_water_where_no_solvent_is_named(session: Grafico) -> None:
    asked: dict[str, Any] = {"task": "frequencies", **DIRECT}
    named = pka(session, "F", **asked)
    done = session.run("F", workflow="acidity", **{**asked, "solvent": None})
    assert "in water, for no solvent is named" in done.remarks
    assert pka(session, "F", **{**asked, "solvent": None}).iri == named.iri


def test_the_proton_of_another_solvent_is_taken_where_it_is_given(session: Grafico) -> None:
    asked: dict[str, Any] = {**DIRECT, "solvent": "acetonitrile", "task": "frequencies"}
    found = pka(session, "F", proton_solvation=-260.2, **asked)
    assert found.proton_gibbs_energy * KCAL == pytest.approx(-260.2 - 6.28 + 1.89)


def test_the_temperature_of_references(session: Grafico) -> None:
    asked: dict[str, Any] = {**XTB, "task": "frequencies", "temperature": 350.0}
    done = session.run("OC=O", workflow="acidity", reference_acid=KNOWN[:1], **asked)
    assert any("count as measured at 350 K" in one for one in done.remarks)


def test_a_pka_that_is_not_plausible_is_no_headline(tmp_path: Path) -> None:
    """A reference of the wrong value, as a slip of a finger: acetic acid of 47.6 in water."""
    words = [
        "OC=O",
        "--method",
        "GFN2-xTB",
        "--solvent",
        "water",
        "--task",
        "energy",
        "--quiet",
        "--store",
        str(tmp_path / "store"),
    ]
    slip = [*words, "--reference-acid", "CC(=O)O=47.6"]
    told = typed("pka", *slip, status=3)
    assert "is not plausible: it lies outside -15 to 40" in told.stdout
    lines = [line.split()[0] for line in told.stdout.splitlines() if line.strip()]
    assert "pKa" not in lines, "the number is no headline"
    said = json.loads(typed("pka", *slip, "--json", status=3).stdout)
    assert said["status"] == "finished", "what was asked was computed, and is stored"
    [warning] = said["implausible"]
    assert warning.startswith("pKa 4")
    facts = [one for section in said["blocks"] for one in section["blocks"]]
    [number] = [one for one in facts if one.get("name") == "pka" and one["kind"] == "fact"]
    assert number["minor"], "whoever looks for it finds it"
    assert not number.get("headline")
    listed = typed("runs", "--store", tmp_path / "store")
    assert "implausible" in listed.stdout
    typed("show", said["run"], "--store", str(tmp_path / "store"))
    well = typed("pka", *words, "--reference-acid", "CC(=O)O=4.76", "--json")
    assert json.loads(well.stdout)["implausible"] == []
    assert "298.15 K" in typed("pka", *words, "--reference-acid", "CC(=O)O=4.76").stdout


def test_a_batch_has_a_column_and_a_remark_for_it(tmp_path: Path) -> None:
    """Where most of a batch is well, what is not stands beside it and fails nothing."""
    source, table = tmp_path / "acids.csv", tmp_path / "table.csv"
    source.write_text("name,smiles\nformic,OC=O\nurea,NC(=O)N\n")
    words = ["batch", str(source), "--workflow", "pka", "--method", "GFN2-xTB", "--solvent",
             "water", "--task", "energy", "--reference-acid", "OC(=O)CF=-14.9",
             "--reference-acid", "OC(=O)CCl=-14.6",
             "--quiet", "--store", str(tmp_path / "store")]  # fmt: skip
    told = typed(*words, "-o", str(table))
    with table.open(encoding="utf-8", newline="") as stream:
        rows = {row["name"]: row for row in csv.DictReader(stream)}
    for name, row in rows.items():
        outside = not -15 <= float(row["pka"]) <= 40
        assert ("is not plausible" in row["implausible"]) == outside, name
        assert row["remarks"].endswith(row["implausible"]) or not outside
    assert {bool(row["implausible"]) for row in rows.values()} == {True, False}
    assert "1 entry came to a number that is not plausible" in told.stdout
    seen = typed(*words)
    assert "pKa" in seen.stdout.splitlines()[0], "the column is there for the others"


def test_what_was_stored_before_it_was_refused_is_named(tmp_path: Path) -> None:
    """A pKa by the proton from outside at GFN2-xTB, as earlier versions have recorded them."""
    store = tmp_path / "store"
    with Grafico(store=store) as session:
        found = pka(session, "OC=O", reference_acid=KNOWN[:1])
        before = found.model_copy(
            update={"calibration": "none", "calibrating_acids": (), "remarks": ()}
        )
        session.kg.push(before)
        assert not doubts_of(found)
        [doubt] = doubts_of(before)
    assert "a proton from outside does not fit them" in doubt.text
    told = typed("fsck", "--json", "--store", str(store))
    findings = json.loads(told.stdout)["findings"]
    assert [one["subject"] for one in findings if one["kind"] == "implausible"] == [before.iri]


def test_a_reference_acid_from_a_file_is_recorded_by_its_structure(
    session: Grafico, tmp_path: Path
) -> None:
    """The run is gone on with where that file is not, such as in a job."""
    path = str(tmp_path / "methanol.mol")
    typed("convert", "CO", "-o", path)
    said = (f"{path}=15.5", "CC(=O)O = 4.76")
    ready = session.wait_for(
        lambda: session.prepare_async("O=CO", workflow="acidity", reference_acid=said, **XTB)
    )
    first, second = ready.forms[0].model_dump()["reference_acid"]
    name, _, number = first.rpartition("=")
    assert (session.atoms(name).formula, number) == ("CH4O", "15.5")
    assert second == said[1], "what is no file stays as it was said"
