"""Results are found by the substance that their structures are."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ogm import Link
from ontologies import ConceptualAtoms, Identification
from ontologies.connectivity import PERCEPTION
from ontologies.provenance import Run, Software
from ontologies.quantum import SinglePoint
from tests.ontologies.instances import SALT
from tests.typed import typed
from tests.warm import program
from triplestore.errors import InputError, NotFoundError, TimeLimitError
from workflows.molecule import embed
from workflows.molecule.identify import AS_GIVEN, identify, substance
from workflows.molecule.substances import identify_stored

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
ROOT = Path(__file__).parents[2]
FULLERENE = (
    "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1c1c6c6"
    "c%11c2c2c7c3c3c8c4c4c9c5c1c1c6c2c3c41"
)


def test_every_result_of_a_substance_is_found_however_it_was_given(
    session: Grafico, tmp_path: Path
) -> None:
    file = tmp_path / "w.xyz"
    file.write_text("3\n\nO 0 0 0.1\nH 0 0.75 -0.45\nH 0 -0.75 -0.45\n")
    made = {session.run("water", **HF).last.iri, session.run(file, **HF).last.iri}
    made |= {session.run("O", task="optimise", **HF).last.iri}
    session.run("[OH-]", **HF)
    for given in ("O", "water", "InChI=1S/H2O/h1H2", "XLYOFNOQVPJJNP-UHFFFAOYSA-N", "H2O"):
        assert made <= {hit.result for hit in session.find(given)}, given
        assert {hit.smiles for hit in session.find(given)} == {"O"}
    assert {hit.formula for hit in session.find("O", by="connectivity")} == {"H2O", "HO"}
    assert [hit.formula for hit in session.find("[OH-]")] == ["HO"]
    assert session.find("methane") == []
    assert session.find("O", method="B3LYP") == []


def test_stereochemistry_that_is_left_open_may_be_any(session: Grafico) -> None:
    one, two = "C[C@H](F)Cl", "C[C@@H](F)Cl"
    made = {text: session.run(text, **HF).last.iri for text in (one, two)}
    assert {hit.result for hit in session.find("CC(F)Cl")} == set(made.values())
    for text, iri in made.items():
        assert [hit.result for hit in session.find(text)] == [iri]
    atoms = session.atoms(made[one])
    mirrored = atoms.moved_to(atoms.positions * np.array([1, 1, -1]))
    found = [identify(structure).inchi_key for structure in (atoms, mirrored)]
    assert found == [substance(text).inchi_key for text in (one, two)]


def test_a_molecule_is_found_by_a_part_of_it(session: Grafico) -> None:
    session.run("CO", **HF)
    assert {hit.smiles for hit in session.find("[CH3][OX2H]", by="substructure")} == {"CO"}
    assert session.find("[#92]", by="substructure") == []
    with pytest.raises(InputError, match="no SMARTS"):
        session.find("[bad", by="substructure")


def test_what_was_stored_before_is_identified_when_it_is_searched(session: Grafico) -> None:
    embedding = session.wait_for(lambda: session.executor.run(embed.bind("CCO", "smiles"))).result
    assert session.kg.find(Identification, smiles="CCO") == []
    assert session.find("CCO") == []  # no energy of it
    [known] = session.kg.find(Identification, smiles="CCO")
    assert known.identifies.iri == embedding.atoms.iri
    assert known.inchi_key == "LFQSCWFLJHTTHZ-UHFFFAOYSA-N"  # ethanol, as PubChem has it (CID 702)
    session.wait_for(lambda: identify_stored(session.executor))
    assert session.wait_for(lambda: identify_stored(session.executor)) == 0


def test_a_geometry_has_one_identification_whatever_is_computed_of_it(session: Grafico) -> None:
    relaxed = session.run("OO", method="GFN2-xTB", task="optimise")
    session.run(session.atoms(relaxed.run), method="GFN1-xTB")  # its notation is not told again
    session.find("OO")
    told = Counter(one.identifies.iri for one in session.kg.find(Identification))
    assert set(told.values()) == {1}


def test_runs_of_one_moment_are_always_listed_in_the_same_order() -> None:
    made = [
        Run(
            graph="dft", goal="energy", subject=str(number), request="{}", started=NOON,
            software=Software(name="Grafico", version="0"),
        )
        for number in range(9)
    ]  # fmt: skip
    with Grafico("memory:", threads_per_calculation=1) as own:
        own.kg.push(*made)
        latest = sorted((run.iri for run in made), reverse=True)
        assert [line.run for line in own.runs()] == latest
        assert [line.run for line in own.runs(4)] == latest[:4]


def test_a_result_does_not_fail_over_what_its_structure_is(session: Grafico) -> None:
    session.executor.recorded.append("urn:x:nothing")  # as if it could not be read any more
    made = session.run("[Ne]", **HF)
    assert made.status == "finished"
    assert [hit.result for hit in session.find("[Ne]")] == [made.last.iri]  # found out now


def test_why_a_structure_has_no_substance_is_said(session: Grafico) -> None:
    assert identify(SALT).reason == "it is periodic"
    with pytest.raises(InputError, match="it is periodic"):
        session.find(SALT)
    with pytest.raises(NotFoundError):
        session.find("no such molecule at all")


def test_bonds_that_are_known_need_not_be_perceived() -> None:
    from rdkit import Chem

    apart = ConceptualAtoms(numbers=[1, 17], positions=[[0, 0, 0], [0, 0, 3.0]])
    given = Chem.AddHs(Chem.MolFromSmiles("[H]Cl", sanitize=True))
    mol = (
        Chem.RenumberAtoms(given, [1, 0]) if given.GetAtomWithIdx(0).GetAtomicNum() == 17 else given
    )
    found = identify(apart, mol)
    assert (found.perception, found.smiles) == (AS_GIVEN, "Cl")


def test_bonds_of_a_notation_count_where_distances_mislead(session: Grafico) -> None:
    session.run("CSc1ccc(C(C)=O)o1", method="GFN2-xTB")  # distances read as an ion within
    (hit,) = session.find("CSc1ccc(C(C)=O)o1")
    assert hit.smiles == "CSc1ccc(C(C)=O)o1"


def test_a_form_that_was_taken_is_said_in_the_substance(session: Grafico) -> None:
    session.run("CC(F)Cl", method="GFN2-xTB")
    (hit,) = session.find("CC(F)Cl", method="GFN2-xTB")
    assert hit.smiles in {"C[C@H](F)Cl", "C[C@@H](F)Cl"}


def test_a_part_that_takes_for_ever_ends_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFICO_QUERY_SECONDS", "2")
    hostile = "~".join(["*"] * 40) + "~[#7]"
    with Grafico("memory:", threads_per_calculation=1) as session:
        known = Identification(
            identifies=Link(SALT), perception=PERCEPTION, inchi_key="", smiles=FULLERENE
        )
        session.kg.push(SALT, known)
        with pytest.raises(TimeLimitError, match="2 s of processor time"):
            session.find(hostile, by="substructure")
        with pytest.raises(InputError, match="501 characters"):
            session.find("C" * 501, by="substructure")


def test_the_command_prints_a_table_or_json(tmp_path: Path) -> None:
    environment = {**os.environ, "GRAFICO_STORE": str(tmp_path / "store")}

    def grafico(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*program(), *words],
            cwd=ROOT,
            env=environment,
            timeout=300,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    ran = grafico("run", "[He]", "--method", "HF", "--basis", "STO-3G", "-t", "1", "--json")
    assert ran.returncode == 0, ran.stderr
    [hit] = json.loads(grafico("find", "helium", "--json").stdout)
    assert (hit["formula"], hit["smiles"], hit["unit"]) == ("He", "[He]", "E_h")
    assert hit["value"] == pytest.approx(-2.8077839575)  # Szabo and Ostlund give -2.80778 Eh
    assert "HF/STO-3G" in grafico("find", "[He]").stdout
    assert "nothing is stored" in grafico("find", "neon").stdout
    assert json.loads(grafico("find", "[He]", "--property", "g:Energy", "--json").stdout) == [hit]
    assert "near it are: dipole_moment" in grafico("find", "--property", "dipol_moment").stderr
    for words in (["find", "c1"], ["find", "[x", "--by", "substructure"], ["find", "--limit", "0"]):
        done = grafico(*words)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_an_empty_name_finds_nothing_by_mistake(store: Path) -> None:
    done = subprocess.run(
        [*program(), "find", "", "--json", "--store", str(store)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 2
    assert "leave it out" in json.loads(done.stderr)["error"]["advice"]


@pytest.mark.parametrize("words", [("runs", "--bogus"), ("runs", "--limit", "x"), ("query",)])
def test_a_command_that_is_called_wrongly_says_so_in_json(words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [*program(), *words, "--json"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 2
    error = json.loads(done.stderr)["error"]
    assert error["kind"] == "InputError"
    assert error["advice"] == f"see `grafico {words[0]} --help`"


def test_a_dipole_is_shown_as_tables_show_it(tmp_path: Path) -> None:
    """Its length, in D; small arrays are shown as the numbers that are stored."""
    where = ("--store", f"{tmp_path}/store")
    typed("run", "water", "--level", "HF/STO-3G", "--task", "energy", *where)
    with Grafico(f"{tmp_path}/store") as session:
        [hit] = session.find("water", name="dipole")
        result = session.kg.pull(SinglePoint, hit.result)
        assert result.mulliken_charges is not None
        assert (hit.value, hit.unit) == (result.dipole_moment, "DEBYE")
        [charges] = session.find("water", name="mulliken_charges")
        assert charges.value == result.mulliken_charges.tolist()
    shown = typed("find", "water", "--property", "dipole", *where).stdout
    assert "dipole (D)" in shown
    assert f"{hit.value:.10g}" in shown
    shown = typed("find", "water", "--property", "mulliken_charges", *where).stdout
    assert "array" not in shown
    assert "(e)" in shown


def test_a_word_that_names_no_molecule_is_a_level_or_a_quantity(tmp_path: Path) -> None:
    store = ("--store", tmp_path / "s")
    typed("run", "[H][H]", "--method", "HF", "--basis", "STO-3G", "-t", "1", "--quiet", *store)
    for word, option in (("HF/STO-3G", "--level"), ("dipole", "--property")):
        found = typed("find", word, *store).output
        assert f"read as: grafico find {option} {word}" in found
        assert "H2" in found
    assert "no molecule of that name" in typed("find", "PBE0", *store, status=2).output
    table = tmp_path / "t.md"
    typed("find", "[H][H]", *store, "-o", table)
    assert table.read_text().startswith("| formula | SMILES | energy (Eh) |")


def test_a_run_by_its_name_alone_is_shown(tmp_path: Path) -> None:
    store = ("--store", tmp_path / "s")
    typed("batch", "water", "methane", "--method", "GFN2-xTB", "-t", "1", "--quiet", *store)
    for name in ("last", "#1", "1"):
        shown = typed(name, *store).output
        assert f"read as: grafico show {name}" in shown.replace("'", "")
        assert "-5.07020801" in shown  # the rows of the batch
    again = typed("batch", "#1", "--columns", "gap", "--top", "1", *store).output
    assert "HOMO–LUMO gap (eV)" in again
    assert "methane" not in again
