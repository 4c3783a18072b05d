"""Lengths, angles and charges that are asked for in words: columns of every table."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from tests.typed import typed
from workflows.show.asked_facts import asked_facts, meant_among
from workflows.show.blocks import Fact
from workflows.show.object_blocks import Around

FAST = ("-t", "1", "--quiet")

FLUOROMETHANE = ConceptualAtoms(
    numbers=np.array([6, 9, 1, 1, 1]),
    positions=np.array(
        [
            [0.0, 0.0, 0.0],
            [0.0, 0.0, 1.39],
            [1.03, 0.0, -0.36],
            [-0.515, 0.892, -0.36],
            [-0.515, -0.892, -0.30],
        ]
    ),
)
"""With one hydrogen that is a little off, so that its bonds differ."""


def answers(words: str, atoms: ConceptualAtoms = FLUOROMETHANE) -> dict[str, Fact]:
    return asked_facts(Around((), (atoms,)), [words])


@pytest.mark.parametrize(
    "words",
    ["distance C-F", "C-F", "F-C", "C–F distance (Å)", "r(CF)", "R(1,2)", "bond length C1-F2",
     "distance 1 2", "distance 2-1", "bond C-F", "d(C-F)", "length of the C-F bond"],
)  # fmt: skip
def test_a_distance_is_read_as_people_write_it(words: str) -> None:
    [fact] = answers(words).values()
    assert (fact.value, fact.unit, fact.name) == (pytest.approx(1.39), "Å", words)


@pytest.mark.parametrize("words", ["angle F-C-H3", "A(2,1,3)", "F2-C1-H3", "angle 3 1 2"])
def test_an_angle_is_that_of_its_atoms(words: str) -> None:
    [fact] = answers(words).values()
    inside = math.degrees(math.acos(-0.36 / math.hypot(1.03, 0.36)))
    assert (fact.value, fact.unit) == (pytest.approx(inside), "°")


def test_several_bonds_of_a_kind_are_a_mean_with_its_ends() -> None:
    found = answers("C-H")
    mean, low, high = (one.value for one in found.values())
    each = [math.hypot(1.03, 0.36), math.hypot(0.515, 0.892, 0.36), math.hypot(0.515, 0.892, 0.30)]
    assert (mean, low, high) == (
        pytest.approx(sum(each) / 3),
        pytest.approx(min(each)),
        pytest.approx(max(each)),
    )
    assert {one.asked for one in found.values()} == {"C-H"}
    assert "mean of 3" in found["C-H"].label


def test_all_bonds_are_told_by_their_elements() -> None:
    assert {"distance C-F", "distance C-H"} <= {*answers("bond lengths")}
    kinds = {one.label.split(",")[0] for one in answers("angles").values()}
    assert kinds == {"F–C–H angle", "H–C–H angle"}


def test_atoms_that_no_bond_holds_are_the_nearest() -> None:
    [fact] = answers("distance F-H").values()
    assert fact.value == pytest.approx(math.hypot(0.515, 0.892, 1.69))
    assert "nearest" in fact.label


@pytest.mark.parametrize(
    "words", ["distance C-Br", "gap", "S1-T1", "energy", "angle C-F", "C-F-9", "charge Q", "", "CF"]
)
def test_other_words_are_not_answered(words: str) -> None:
    assert not answers(words)


def test_a_dihedral_has_the_sign_of_iupac_and_none_where_mirror_images_are() -> None:
    rows = [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [1.4, 0.0, 0.0], [1.4, 0.0, 1.0]]
    peroxide = ConceptualAtoms(numbers=np.array([1, 8, 8, 1]), positions=np.array(rows))
    [fact] = answers("H-O-O-H", peroxide).values()
    assert fact.value == pytest.approx(90.0)
    [same] = answers("D(1,2,3,4)", peroxide).values()
    assert same.value == fact.value


ACID = ConceptualAtoms(
    numbers=np.array([6, 8, 8, 1, 1]),
    positions=np.array(
        [[0.0, 0.0, 0.0], [1.2, 0.0, 0.0], [-0.7, 1.15, 0.0], [-1.67, 1.1, 0.0], [-0.6, -0.94, 0.0]]
    ),
)
"""Formic acid, C=O 1.2 Å, C–O 1.346 Å."""


def test_a_double_bond_is_another_one_than_any() -> None:
    [double] = answers("C=O", ACID).values()
    assert (double.value, "C=O" in double.label) == (pytest.approx(1.2), True)
    assert answers("C-O", ACID)["C-O"].value == pytest.approx((1.2 + math.hypot(0.7, 1.15)) / 2)
    [angle] = answers("O=C-O", ACID).values()
    assert angle.value == pytest.approx(180 - math.degrees(math.atan2(1.15, 0.7)))
    assert not answers("C#O", ACID)


def test_names_of_numbers_are_read_as_people_say_them() -> None:
    facts = {
        "dipole": Fact("dipole", 1.0, "D", "dipole"),
        "energy": Fact("energy", -1.0, "Eh", "energy"),
        "gap": Fact("HOMO–LUMO gap", 0.3, "Eh", "gap"),
    }
    for words, name in {
        "dipole moment": "dipole",
        "Dipole (D)": "dipole",
        "total energy": "energy",
        "HOMO-LUMO gap": "gap",
        "gap_Eh": "gap",
        "dipole in D": "dipole",
        "colour": "",
    }.items():
        assert meant_among(words, facts) == name


def test_any_table_has_them(folder: Path) -> None:
    asked = ("compare", folder / "water.xyz", "--method", "GFN1-xTB,GFN2-xTB", *FAST)
    store = ("--store", folder / "store")
    columns = ("--columns", "O-H, angle H-O-H, charge O, bond order O-H")
    told = json.loads(typed(*asked, *columns, *store, "--json").stdout)
    for row in told["rows"]:
        assert row["values"]["O-H"] == pytest.approx(0.9572, abs=1e-4)  # as in the file
        assert row["values"]["angle H-O-H"] == pytest.approx(104.52, abs=0.03)
        assert -1 < row["values"]["charge O"] < -0.3
        assert 0.8 < row["values"]["bond order O-H"] < 1.1
    text = typed(*asked, "--columns", "distance O-Br", *store, status=2).output
    assert "of the atoms in it: distance C-F" in " ".join(text.split())


def test_rows_of_a_batch_have_them_and_one_that_lacks_them_says_so(
    session: Grafico, tmp_path: Path
) -> None:
    (tmp_path / "m.csv").write_text("name,smiles\nwater,O\nammonia,N\n")
    asked = ("batch", tmp_path / "m.csv", "--method", "GFN2-xTB", *FAST, "--store", tmp_path / "s")
    table = tmp_path / "t.csv"
    typed(*asked, "--columns", "charge O", "-o", table)
    head, water, ammonia = table.read_text().splitlines()
    assert head == "name,smiles,reason,charge O_e"
    assert float(water.rpartition(",")[2]) < -0.3
    assert "no charge O here" in ammonia
    typed(*asked, "--columns", "bond lengths", "-o", table)
    assert table.read_text().splitlines()[0] == "name,smiles,distance O-H_Å,distance N-H_Å"


def test_differences_of_angles_go_the_shorter_way() -> None:
    from workflows.batch.comparison import Quantity

    turned = Quantity.of(Fact("dihedral", -170.0, "°", "d"))
    assert turned.step(-170.0, 175.0) == pytest.approx(-15.0)
