"""Views of a run: the same blocks as text, as JSON and for a model, live and from the store."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from grafico import ConceptualAtoms, Grafico, Result
from grafico.views.brief import MOST_ITEMS, MOST_ROWS, brief, headlines
from grafico.views.jsonable import jsonable, run_as_dict
from grafico.views.progress import Progress
from grafico.views.text import amount, fact_text, rows
from ogm import GraphModel
from tests.ontologies.instances import BRIGHT, POINT, WATER
from workflows.engine import Event
from workflows.show.blocks import Block, Column, Fact, Note, Section, Table
from workflows.show.object_blocks import blocks_of
from workflows.show.run_blocks import RunSummary, read_run, run_blocks


@pytest.fixture(scope="module")
def result(session: Grafico) -> Result:
    bent = ConceptualAtoms(
        numbers=[8, 1, 1], positions=[[0, 0, 0.12], [0, 0.76, -0.48], [0, -0.76, -0.48]]
    )
    asked: dict[str, Any] = {"method": "HF", "basis": "STO-3G", "task": "frequencies"}
    return session.run(bent, analysis=True, states=2, **asked)


def facts(sections: tuple[Section, ...]) -> dict[str, Fact]:
    blocks: list[Block] = [block for section in sections for block in section.blocks]
    return {b.name: b for b in reversed(blocks) if isinstance(b, Fact) and not b.minor}


def test_a_run_reads_the_same_from_the_store(session: Grafico, result: Result) -> None:
    live, stored = run_blocks(result.ran), run_blocks(read_run(session.kg, result.run))
    assert [s.name for s in live] == [s.name for s in stored]
    assert rows(live[1:-1]) == rows(stored[1:-1])
    ours, theirs = facts(live), facts(stored)
    for name in ("formula", "label", "geometry", "energy", "gibbs_energy", "geometry_iri"):
        assert ours[name].value == theirs[name].value
    assert theirs["energy"].iri == result.answers[-1].recorded


@pytest.mark.parametrize("charge", [0, 1])
def test_a_geometry_that_nobody_gave_is_said_to_be_built(session: Grafico, charge: int) -> None:
    asked: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
    built = session.run("hydrogen fluoride", charge=charge, **asked)
    for ran in (built.ran, read_run(session.kg, built.run)):
        assert facts(run_blocks(ran))["geometry"].value == "built from a name, not relaxed"
    relaxed = session.run("hydrogen fluoride", charge=charge, task="optimise", **asked)
    for ran in (relaxed.ran, read_run(session.kg, relaxed.run)):
        assert facts(run_blocks(ran))["geometry"].value == "stationary, not verified"
    moved = ConceptualAtoms(numbers=[9, 1], positions=[[0, 0, 0], [0, 0, 0.95]], charge=charge)
    given = session.run(moved, **asked)
    for ran in (given.ran, read_run(session.kg, given.run)):
        assert facts(run_blocks(ran))["geometry"].value == "as given"


def test_an_energy_comes_first_and_once(result: Result) -> None:
    sections = run_blocks(result.ran)
    labels = [label for label, _ in rows(sections)]
    assert labels[:4] == ["molecule", "level of theory", "geometry", "energy"]
    assert labels.count("energy") == labels.count("dipole") == labels.count("point group") == 1
    own = {s.name: [b.label for b in s.blocks if isinstance(b, Fact) and b.minor] for s in sections}
    assert "energy" in own["Optimisation"], "it is a detail of the others"


def test_a_model_is_told_numbers_with_their_units(result: Result) -> None:
    told = json.loads(json.dumps(brief(result.ran), allow_nan=False))
    values = told["values"]
    assert values["energy_Eh"] == pytest.approx(result.energy, abs=1e-8)
    heat = result.thermochemistry
    assert heat is not None
    assert values["gibbs_energy_Eh"] == pytest.approx(heat.gibbs_energy, abs=1e-8)
    assert {
        "dipole_D",
        "homo_eV",
        "lumo_eV",
        "gap_eV",
        "imaginary_modes",
        "optimisation_steps",
        "lowest_wavenumber_cm-1",
        "entropy_Eh/K",
        "temperature_K",
        "pressure_Pa",
    } <= set(values)
    assert [set(state) >= {"eV", "nm", "f"} for state in values["states"]] == [True, True]
    assert len(told["details"]["wavenumbers_cm-1"]) == 3
    assert set(told["details"]["Mulliken_e"]) == {"O1", "H2 H3"}
    assert "gap_Eh" not in values, "of one quantity in several units one is told"
    assert headlines(run_blocks(result.ran))["energy_Eh"] == values["energy_Eh"]
    assert told["reading"].startswith("H2O (charge +0, multiplicity 1) at HF/STO-3G; geometry min")
    assert set(told["results"]) == {type(a.result).__name__ for a in result.all_answers}


def test_lists_end_after_an_item(result: Result) -> None:
    many = MOST_ROWS + 3
    states: list[float] = [5.0 + n / 7 for n in range(many)]
    found = BRIGHT.model_copy(
        update={
            "excitation_energies": states,
            "oscillator_strengths": [0.1] * many,
            "transition_dipoles": [[0, 0, 0.5]] * many,
            "transitions": (),
            "lowest_excitation": None,
            "brightest_excitation": None,
            "brightest_strength": None,
        }
    )
    ran = replace(result.ran, answers=(replace(result.answers[0], result=found),))
    told_of = brief(ran)
    values = told_of["values"]
    assert [one["eV"] for one in values["states"]] == [round(e, 4) for e in states[:MOST_ROWS]]
    assert values["states_in_all"] == f"{many}, all in ExcitedStates"
    counted = Table(
        "Modes",
        (Column("mode"), Column("wavenumbers", "cm⁻¹", digits=".1f")),
        tuple((n, 1000.04 + n) for n in range(1, MOST_ITEMS + 8)),
        "modes",
        lines="columns",
    )
    section = Section("x", (counted,), name="X")
    details = brief(ran, (section,))["details"]
    assert details["wavenumbers_cm-1"] == [1000.0 + n for n in range(1, MOST_ITEMS + 1)]
    assert details["wavenumbers_cm-1 in all"] == MOST_ITEMS + 7


def test_a_class_of_which_nobody_has_heard_is_told_everywhere(result: Result) -> None:
    class Polarity(GraphModel, identity="result"):
        """Of a solvent."""

        solvent_polarity: float

    made = Polarity(solvent_polarity=63.1).identified("https://w3id.org/grafico/id/Polarity/1")
    del Polarity
    ran = replace(result.ran, made=(made,))
    assert ("solvent polarity", "63.1") in rows(run_blocks(ran))
    assert brief(ran)["values"]["solvent_polarity"] == 63.1
    blocks = run_as_dict(ran)["blocks"]
    [section] = [one for one in blocks if one.get("name") == "Polarity"]
    assert section["blocks"][0] == {
        "kind": "fact",
        "label": "solvent polarity",
        "value": 63.1,
        "name": "solvent_polarity",
        "iri": made.iri,
    }


def test_json_has_no_number_that_json_does_not_know() -> None:
    odd = Section("odd", (Fact("x", (float("nan"), 1.0)), Note("y")))
    assert json.dumps(jsonable((odd,)), allow_nan=False)
    assert jsonable((odd,))[0]["blocks"] == [
        {"kind": "fact", "label": "x", "value": [None, 1.0]},
        {"kind": "note", "text": "y"},
    ]
    assert json.dumps(jsonable((blocks_of(WATER), blocks_of(POINT))), allow_nan=False)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (Fact("energy", -1.5, "Eh", digits=".8f"), "-1.50000000 Eh"),
        (Fact("steps", 1, "steps"), "1 step"),
        (
            Fact("steps", 3, "steps", also=(Fact("gradient", 1e-5, "Eh/bohr"),)),
            "3 steps  gradient 1e-05 Eh/bohr",
        ),
        (
            Fact("gap", 0.5, "Eh", "gap", also=(Fact("", 13.6057, "eV", "gap", digits=".2f"),)),
            "0.5 Eh = 13.61 eV",
        ),
        (Fact("set", 100.0, "°C", "t", also=(Fact("", 50.0, "min", "d"),)), "100 °C, 50 min"),
        (
            Fact("G", -1.0, "Eh", digits=".2f", at=(Fact("T", 300.0, "K"), Fact("p", 1e5, "Pa"))),
            "-1.00 Eh at 300 K and 100000 Pa",
        ),
        (Fact("wavefunction", False, digits="stable|unstable"), "unstable"),
        (Fact("charge", 0, digits="+d"), "+0"),
        (Fact("ground state", 3, digits="multiplicity {}"), "multiplicity 3"),
        (Fact("constants", (1.0, 2.5), "GHz", digits=".1f", note="mean"), "1.0, 2.5 GHz (mean)"),
        (Fact("run", "https://w3id.org/grafico/id/Run/1"), "g:id/Run/1"),
    ],
)
def test_facts_as_text(fact: Fact, text: str) -> None:
    assert fact_text(fact) == text


def test_angles_have_their_sign_at_once() -> None:
    assert amount(104.5, "°") == "104.5°"


def test_an_unfinished_run_says_what_to_do() -> None:
    ran = RunSummary("https://w3id.org/grafico/id/Run/1", "goal unmet", "not a minimum", (WATER,))
    told = brief(ran)
    assert told["goal_unmet"]["found"] == "not a minimum"
    assert "resume" in told["goal_unmet"]["advice"]
    assert told["values"] == {}
    assert [label for label, _ in rows(run_blocks(ran))] == ["molecule", "run"]


def test_what_is_computed_is_called_as_its_calculation_says() -> None:
    from workflows.dft.properties.energy import single_point

    assert single_point.title == "energy"
    told = Progress().line(Event("started", "dft.single_point", {"threads": 2}))
    assert told == "energy: computing with 2 threads"
    told = Progress().line(Event("started", "elsewhere.unknown", {"threads": 1}))
    assert told == "elsewhere.unknown: computing with 1 thread"
