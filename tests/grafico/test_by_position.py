"""What is said in Python without names: levels and tasks behind a subject, places as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from ase.build import bulk, molecule

from grafico import Grafico
from triplestore.errors import InputError

PLACES = np.array([[0.0, 0.0, 0.0], [0.96, 0.0, 0.0], [-0.24, 0.93, 0.0]])
WATER = "3\n\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n"


def test_texts_behind_a_subject_are_the_level_and_the_task(session: Grafico) -> None:
    named = session.request("water", method="GFN2-xTB", task="optimise").arguments
    assert session.request("water", "GFN2-xTB", "optimise").arguments == named
    assert session.request("water", "opt", method="GFN2-xTB").arguments == named
    level = session.request("water", method="HF", basis="STO-3G").arguments
    assert session.request("water", "HF", "STO-3G").arguments == level
    assert session.request("water", "HF/STO-3G").arguments == level
    asked = session.request("C + O -> C=O + [H][H]", "GFN2-xTB", workflow="reaction").arguments
    assert asked == {"method": "GFN2-xTB"}
    asked = session.request("CCCC", "gfn2", workflow="conformers").arguments
    assert asked == {"method": "GFN2-xTB"}
    asked = session.request("OO", "H-O-O-H", "gfn2", workflow="scan").arguments
    assert asked == {"coordinate": "dihedral H-O-O-H", "method": "gfn2"}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3-1-2-4", "dihedral 3 1 2 4"),
        ("1 2 3", "angle 1 2 3"),
        ("H-O-O-H", "dihedral H-O-O-H"),
    ],
)
def test_as_many_atoms_say_which_coordinate_is_meant(
    session: Grafico, text: str, meant: str
) -> None:
    asked = session.request("OO", workflow="scan", coordinate=text, end=90.0).arguments
    assert asked["coordinate"] == meant


def test_what_has_no_place_is_refused_with_names(session: Grafico) -> None:
    for given in (3, ["HF", "PBE"], None):
        with pytest.raises(InputError, match=r"nothing says of what it is the value.*level="):
            session.request("water", given)
    with pytest.raises(InputError, match=r"give `method` alone"):
        session.request("water", "GFN2-xTB", method="GFN1-xTB")
    with pytest.raises(InputError, match=r"name it: kind="):
        session.request("CCCC", "B3LYP/def2-SVP", workflow="conformers")


def test_a_task_is_a_verb(session: Grafico) -> None:
    held: Any = session
    assert held.optimise("[H][H]", "GFN2-xTB").message == "a stationary geometry"
    assert held.energy("[H][H]", "GFN2-xTB").status == "finished"
    for none in ("optimisee", "tight", "gfn2"):
        with pytest.raises(AttributeError, match="a session has no"):
            getattr(held, none)


def test_a_comparison_takes_a_list_behind_its_subject(session: Grafico) -> None:
    held: Any = session
    beside = held.compare("[He]", ["HF", "GFN2-xTB"])
    assert [row.said["method"] for row in beside.comparison.rows] == ["HF", "GFN2-xTB"]


@pytest.mark.parametrize("given", [
    ((["O", "H", "H"], PLACES)), ((np.array([8, 1, 1]), PLACES)),
    [("O", 0, 0, 0), ("H", 0.96, 0, 0), ("H", -0.24, 0.93, 0)],
    [["o", (0, 0, 0)], [1, (0.96, 0, 0)], ["H", (-0.24, 0.93, 0)]],
    {"symbols": ["O", "H", "H"], "positions": PLACES.tolist()},
])  # fmt: skip
def test_symbols_and_places_are_one_structure(session: Grafico, given: Any) -> None:
    found = session.run(given, method="GFN2-xTB")
    assert found.energy == session.run(WATER, method="GFN2-xTB").energy


def test_places_may_stand_behind_symbols(session: Grafico) -> None:
    found = session.run(["O", "H", "H"], PLACES, "GFN2-xTB")
    assert found.atoms.positions == pytest.approx(PLACES)
    carbon, nitrogen = session.run(["C", "N"], "GFN2-xTB")  # SMILES, not symbols
    assert (carbon.atoms.formula, nitrogen.atoms.formula) == ("CH4", "H3N")


def test_a_column_of_pandas_is_a_list(session: Grafico) -> None:
    column = pd.DataFrame({"smiles": ["C", "N"]}).smiles
    methane, ammonia = session.run(column, "GFN2-xTB")
    assert (methane.atoms.formula, ammonia.atoms.formula) == ("CH4", "H3N")


def test_structures_of_other_libraries(session: Grafico) -> None:
    from pymatgen.core import Molecule, Structure
    from pyscf import gto
    from qcelemental import models

    pymatgen: Any = Molecule
    hydroxide = session.run(pymatgen(["O", "H"], [[0, 0, 0], [0, 0, 0.97]]), "gfn2", charge=-1)
    assert (hydroxide.atoms.charge, hydroxide.atoms.multiplicity) == (-1, 1)
    triplet = pymatgen(["O", "O"], [[0, 0, 0], [0, 0, 1.2]], spin_multiplicity=3)
    assert session.run(triplet, "gfn2").atoms.multiplicity == 3
    oxygen: Any = gto
    mole = oxygen.M(atom="O 0 0 0; O 0 0 1.2", spin=2, verbose=0)
    assert session.run(mole, "gfn2").energy == session.run(triplet, "gfn2").energy
    kinds: Any = models
    schema = kinds.Molecule(symbols=["He"], geometry=[0, 0, 0])
    assert session.run(schema, "gfn2").atoms.formula == "He"
    silicon: Any = Structure.from_ase_atoms(bulk("Si"))
    asked = session.request(silicon, "GFN1-xTB")
    assert asked.subjects == (silicon,)
    cell = session.convert(silicon, to="vasp").text
    assert "Si" in cell.splitlines()[5]


def test_what_cclib_has_parsed_is_its_last_geometry(session: Grafico) -> None:
    from cclib.parser.data import ccData

    water = molecule("H2O")
    far = water.positions + 1
    parsed: Any = ccData(
        {"atomnos": water.numbers, "atomcoords": np.array([far, water.positions]), "charge": 1}
    )
    found = session.run(parsed, "gfn2").atoms
    assert found.positions == pytest.approx(water.positions)
    assert (found.charge, found.multiplicity) == (1, 2)


@pytest.mark.parametrize("said", [
    {"multiplicity": "triplet"}, {"mult": 3}, {"uhf": 2}, {"unpaired": 2}, {"spin": "triplet"},
    {"multiplicity": "Triplet"},
])  # fmt: skip
def test_a_multiplicity_in_all_usual_ways(session: Grafico, said: dict[str, Any]) -> None:
    assert session.run("[CH2]", "gfn2", **said).atoms.multiplicity == 3


def test_a_number_of_spin_is_asked_back(session: Grafico) -> None:
    with pytest.raises(InputError, match=r".uhf. 2 \(unpaired electrons\) or .multiplicity. 2"):
        session.request("[CH2]", "gfn2", spin=2)
    asked = session.request("C=O", "HF/STO-3G", states=1, spin="triplet").arguments
    assert asked["spin"] == "triplet"
    wrong: dict[str, Any]
    for wrong in ({"uhf": -1}, {"uhf": "two"}, {"multiplicity": "triple"}, {"multiplicity": 0}):
        with pytest.raises(InputError):
            session.request("[CH2]", "gfn2", **wrong)
    with pytest.raises(InputError, match="multiplicity"):
        session.request("[CH2]", "gfn2", uhf=2, multiplicity=1)


def test_a_subject_may_be_named_by_its_notation(session: Grafico) -> None:
    assert session.run(smiles="O", method="gfn2").atoms.formula == "H2O"
    assert session.run(name="ethanol", method="gfn2").atoms.formula == "C2H6O"
    assert session.run(atoms=molecule("H2O"), method="gfn2", q=1).atoms.charge == 1
    with pytest.raises(InputError, match="smiles='O' was asked for"):
        session.request("N", smiles="O")


def test_a_batch_takes_objects(session: Grafico) -> None:
    from rdkit import Chem

    relaxed = session.run("O", "GFN2-xTB", "optimise")
    table = session.batch(
        [molecule("H2O"), Chem.MolFromSmiles("C"), relaxed, "N"], method="GFN2-xTB"
    ).frame()
    assert table.status.tolist() == ["finished"] * 4
    assert table.energy_Eh[2] == pytest.approx(relaxed.energy, abs=1e-12)
    assert table.energy_Eh[0] == session.run(molecule("H2O"), "GFN2-xTB").energy
    for strange in (object(), 3, {"a": 1}):
        with pytest.raises(InputError, match=r"given as a .*that is no structure"):
            session.run(strange, "GFN2-xTB")
    with pytest.raises(InputError, match=r"given as a object; that is no structure"):
        session.batch([object()], method="GFN2-xTB")


def test_conformers_are_a_sequence(session: Grafico) -> None:
    found = session.conformers("CCCC")
    assert len(found) == len(found.conformers) == len(list(found))
    assert found[0].atoms == found.atoms


def test_a_batch_takes_lists_of_settings(session: Grafico) -> None:
    methods = ["GFN1-xTB", "GFN2-xTB"]
    table = session.batch(["O", "C"], method=methods).frame()
    assert sorted(zip(table.name, table.method, strict=True)) == [
        (name, method) for name in ("C", "O") for method in methods
    ]
    held = session.batch(["O"], method="GFN2-xTB", task="optimise", constraints=["freeze 1 2"])
    assert held.frame().status.tolist() == ["finished"]


def test_a_level_is_told_from_what_else_a_text_may_be(session: Grafico) -> None:
    asked = session.request("O.O", "GFN2-xTB", workflow="counterpoise").arguments
    assert asked == {"method": "GFN2-xTB"}
    asked = session.request("O.O", "1-3 4-6", "HF", "STO-3G", workflow="counterpoise").arguments
    assert asked["method"] == "HF"
    assert asked["basis"] == "STO-3G"
    assert asked["fragments"]


def test_results_are_arguments_too(session: Grafico) -> None:
    held: Any = session
    built, relaxed = session.run("OO", "gfn2"), session.run("OO", "gfn2", "opt")
    assert held.rmsd(built, relaxed)["all atoms"] > 0
    assert held.dissociate("OO", "gfn2").frame()["bond"].tolist()


def test_a_comparison_is_about_one(session: Grafico) -> None:
    held: Any = session
    with pytest.raises(InputError, match="one at a time"):
        held.compare(["O", "C"], ["GFN1-xTB", "GFN2-xTB"])


def test_what_a_person_can_mend_is_told_without_the_way_inside(session: Grafico) -> None:
    import traceback

    with pytest.raises(InputError) as told:
        session.run("O", "gfn2", metod="gfn1")
    files = [one.filename for one in traceback.extract_tb(told.value.__traceback__)]
    assert [name for name in files if "workflows" in name] == []
    with pytest.raises(InputError, match="none is named"):
        session.run(None, "gfn2")
