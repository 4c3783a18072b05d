"""What runs came to without a calculation of its own is found like what a calculation made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.session.search import Hit
from ogm import GraphModel
from ogm.keeping import restore

BEFORE = Path(__file__).with_name("stored") / "first.zip"
HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G", "task": "energy"}
RELAXED: dict[str, Any] = {**HF, "task": "optimise"}
FLUORINE = "[H][H] + FF -> 2 F"


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with Grafico("memory:", threads_per_calculation=1) as opened:
        opened.run("C1CC1", workflow="strain", method="GFN-FF", task="optimise")
        opened.run(FLUORINE, workflow="react", **RELAXED)
        opened.run(
            "formic acid", workflow="pka", solvent="water", reference_acid=["CO=15.5"], **RELAXED
        )
        opened.run("C=O", workflow="excite", method="HF", basis="STO-3G", response="TDA")
        yield opened


def only(hits: list[Hit]) -> Hit:
    """Return the one result that was found."""
    assert [hit.result for hit in hits] == [hits[0].result]
    return hits[0]


def stored(session: Grafico, iri: str) -> Any:
    """Return an object as it is stored."""
    return session.kg.pull(GraphModel, iri)


def test_a_ring_strain_is_found_by_its_ring(session: Grafico) -> None:
    hit = only(session.find("cyclopropane", name="strain_energy"))
    assert (hit.kind, hit.formula, hit.smiles) == ("RingStrain", "C3H6", "C1CC1")
    assert (hit.level, hit.unit) == ("GFN-FF", "E_h")
    assert hit.value == stored(session, hit.result).strain_energy
    assert session.find("cyclopropane", name="strain_energy", method="HF") == []
    assert session.find("ethane", name="strain_energy") == []  # the strain is not of ethane


def test_a_reaction_energy_is_found_by_each_that_takes_part(session: Grafico) -> None:
    found = {text: only(session.find(text, name="energy_change")) for text in ("[H][H]", "FF", "F")}
    assert {hit.formula for hit in found.values()} == {"H2", "F2", "FH"}
    assert len({hit.result for hit in found.values()}) == 1
    named = session.find(FLUORINE, name="energy_change")
    assert only(named).formula == FLUORINE
    assert session.find("[H][H]", name="energy_change", method="GFN2") == []
    every = {hit.formula for hit in session.find(name="energy_change")}
    assert FLUORINE in every  # as what it is, not as one of its species
    # the reaction on which the strain rests stands for itself
    assert only(session.find("CC", name="energy_change")).level == "GFN-FF"


def test_what_was_remembered_again_is_one_row_with_its_newest_date(session: Grafico) -> None:
    before = only(session.find("FF", name="energy_change"))
    session.run(FLUORINE, workflow="react", **RELAXED)
    after = only(session.find("FF", name="energy_change"))
    assert after.result == before.result
    assert after.ended > before.ended
    # what a calculation made keeps the date at which it was made
    made = session.run("FF", **HF).last.iri
    first = [hit.ended for hit in session.find("FF") if hit.result == made]
    session.run("FF", **HF)
    assert [hit.ended for hit in session.find("FF") if hit.result == made] == first


def test_a_pka_is_found_with_and_without_a_subject(session: Grafico) -> None:
    hits = [session.find(name="pka"), session.find("formic acid", name="pKa")]
    assert hits[0] == hits[1]
    hit = only(hits[0])
    assert (hit.kind, hit.smiles) == ("AcidityConstant", "O=CO")
    assert hit.value == stored(session, hit.result).acid.pka
    assert session.find("water", name="pka") == []


def test_of_several_gaps_the_one_of_the_molecule_is_found(session: Grafico) -> None:
    hit = only(session.find("formaldehyde", name="singlet_triplet_gap"))
    assert (hit.kind, hit.unit, hit.smiles) == ("SingletTripletGap", "EV", "C=O")
    assert hit.value == stored(session, hit.result).singlet_triplet_gap


def test_what_is_shown_of_a_result_begins_with_what_it_came_to(session: Grafico) -> None:
    shown = session.show(session.find(name="pka")[0].result)  # HF/STO-3G: where none can be
    assert [label for label, *_ in shown.headline][:2] == [
        "ΔE of deprotonation, less that of CO",  # far from its only reference acid
        "not plausible",
    ]
    for name, label in (
        ("strain_energy", "strain, ΔE"),
        ("energy_change", "ΔE"),
        ("singlet_triplet_gap", "S1"),
        ("dipole_moment", "energy"),
    ):
        portrait = session.show(session.find(name=name)[0].result)
        assert portrait.headline[0][0] == label
        assert [*vars(portrait)][:2] == ["iri", "headline"]
    [level] = {hit.level for hit in session.find("C=O")}
    assert level
    assert session.show(session.find("C=O")[0].atoms).headline[0][0] == "molecule"


def test_what_repeats_another_result_is_not_found_beside_it(session: Grafico) -> None:
    for molecule in ("[H][H]", "FF", "C1CC1", "formic acid", "C=O"):
        hits = session.find(molecule)
        assert hits, molecule
        assert all(stored(session, hit.result).identity() == "result" for hit in hits)


def test_what_was_stored_before_is_found(tmp_path: Path) -> None:
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        restore(session.kg, BEFORE)
        hit = only(session.find("O=O", name="ground_multiplicity"))
        assert (hit.kind, hit.value, hit.level) == ("SpinStateScan", 3, "UHF/STO-3G")
