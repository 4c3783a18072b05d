"""What a notebook shows of results and of what a session hands out: the same blocks, three ways."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pyoxigraph import Literal

from grafico import ConceptualAtoms, Grafico, Result
from grafico.session.query_table import QueryTable
from triplestore.errors import NotFoundError

KINDS = {"text/html", "text/plain", "application/json"}


@pytest.fixture(scope="module")
def result(session: Grafico) -> Result:
    helium = ConceptualAtoms(numbers=[2], positions=[[0, 0, 0]])
    return session.run(helium, method="HF", basis="STO-3G")


def shown(value: Any, **wanted: Any) -> dict[str, Any]:
    return value._repr_mimebundle_(**wanted)


def test_a_result_is_shown_as_its_blocks(result: Result) -> None:
    bundle = shown(result)
    assert set(bundle) == KINDS
    energy = f"{result.energy:.8f}"
    assert energy.replace("-", "−") in bundle["text/html"]
    assert f'<data value="{result.energy!r}">' in bundle["text/html"]
    assert "<script" not in bundle["text/html"]
    assert energy in bundle["text/plain"]
    facts = [
        block
        for section in json.loads(json.dumps(bundle["application/json"], allow_nan=False))
        for block in section["blocks"]
        if block["kind"] == "fact" and block["name"] == "energy"
    ]
    assert facts[0]["value"] == result.energy
    assert facts[0]["unit"] == "Eh"
    assert result._repr_html_() == bundle["text/html"]


def test_a_front_end_chooses_what_it_shows(result: Result) -> None:
    assert set(shown(result, include={"text/plain"})) == {"text/plain"}
    assert set(shown(result, exclude={"text/html"})) == KINDS - {"text/html"}


def test_what_is_typed_in_python_is_shown_as_it_is_printed(session: Grafico) -> None:
    result = session.run("O", method="GFN2-xTB", task="frequencies")
    assert repr(result) == str(result) == shown(result)["text/plain"]
    assert "energy " in repr(result)
    assert "ConceptualAtoms(" not in repr(result)
    assert "<array of shape (3, 3, 3, 3)>" in repr(result.last)  # its Hessian
    beside = session.compare("O", method=["HF", "PBE"], basis="STO-3G")
    head = str(beside).splitlines()[0]
    assert "method" in head
    assert "dipole (D)" in head
    assert "Infrared spectrum" in repr(result.plot())
    assert "frame()" in repr(session.batch(["[He]"], method="HF", basis="STO-3G"))
    rows = session.scan("OO", coordinate="dihedral 3 1 2 4", points=3, method="GFN2-xTB")
    assert len(rows.frame()) == 3
    assert "energy_Eh" in rows.frame()


def test_what_results_hold_is_an_attribute(session: Grafico) -> None:
    result = session.run("O", method="GFN2-xTB", task="frequencies")
    heat = result.thermochemistry
    assert heat is not None
    held: Any = result
    assert held.wavenumbers.tolist() == heat.frequencies.wavenumbers.tolist()
    assert held.mulliken_charges.sum() == pytest.approx(0, abs=1e-6)
    assert held.point_group == "C2v"
    assert held.positions.tolist() == result.atoms.positions.tolist()
    assert held.to_ase().get_chemical_formula() == "H2O"
    assert held.gap_eV == result.values["gap_eV"]
    assert {"gap_eV", "wavenumbers", "positions"} <= set(dir(result))
    assert result.frame("charges")["mulliken_charges_e"].tolist() == pytest.approx(
        held.mulliken_charges.tolist()
    )
    assert result.frame().gap_eV.tolist() == [held.gap_eV]
    for slip, said in {
        "gap": r"near it: .values\['gap_Eh'\] is 0.5",
        "charges": r"near it: .mulliken_charges, .frame\('charges'\)",
        "xyz": "near it: .to_xyz",
        "frequencies": r"it has also .*\.wavenumbers",
        "forces": r"its numbers are in .values: energy_Eh, .*\.atoms",
    }.items():
        with pytest.raises(AttributeError, match=said):
            getattr(held, slip)
    with pytest.raises(NotFoundError, match=r"there are: .*charges"):
        result.frame("spins")


def test_arrays_of_several_molecules_are_nobodys(session: Grafico) -> None:
    came: Any = session.react("[H][H] -> [H] + [H]", method="GFN2-xTB", task="energy")
    with pytest.raises(AttributeError, match=r"its numbers are in .values: energy_change"):
        came.orbital_energies  # noqa: B018


def test_runs_and_other_objects_are_shown_by_their_names(session: Grafico, result: Result) -> None:
    sections = session.blocks(result.run)
    assert "−2.80" in str(shown(sections)["text/html"])
    assert sections[0].name == "about"
    one = session.blocks(result.level.iri)
    assert "HF/STO-3G" in shown(one)["text/plain"]
    assert "HF/STO-3G" in str(one[0]._repr_html_())


def test_a_query_gives_a_table_to_notebooks_and_to_pandas(session: Grafico, result: Result) -> None:
    table = session.query(f"""
        SELECT ?formula ?energy ?label {{
            <{result.last.iri}> g:energy ?energy ; g:atoms/g:formula ?formula
            OPTIONAL {{ <{result.last.iri}> rdfs:label ?label }}
        }}""")
    assert isinstance(table, QueryTable)
    frame = table.frame()
    assert list(frame.columns) == ["formula", "energy", "label"]
    assert frame["energy"].dtype == float
    assert frame.loc[0, "energy"] == result.energy
    assert frame.loc[0, "formula"] == "He"
    html = table._repr_html_()
    assert html is not None
    assert f"{result.energy:.8f}".replace("-", "−") in html or repr(result.energy) in html


def test_an_answer_that_was_cut_says_so_and_markup_in_it_is_text(session: Grafico) -> None:
    table = QueryTable(("said",), [(Literal("<script>alert(1)</script>"),)], "cut after 1 row")
    html = table._repr_html_()
    assert html is not None
    assert "<script" not in html
    assert "Cut after 1 row" in html
