"""What every kind of result looks like as JSON and in `grafico show`: finite, and with units."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from grafico import ConceptualAtoms, Grafico, Result
from grafico.views.brief import brief
from grafico.views.jsonable import run_as_dict
from grafico.views.text import rows
from ontologies.vibrations import FrequencyAnalysis
from workflows.dft.properties.thermo import thermochemistry
from workflows.show.run_blocks import run_blocks

WATER = ConceptualAtoms(
    numbers=[8, 1, 1], positions=[[0, 0, 0.12], [0, 0.76, -0.48], [0, -0.76, -0.48]]
)
WITHOUT_UNIT = {
    "scf_cycles",
    "spin_squared",
    "steps",
    "imaginary",
    "symmetry_number",
    "reoptimisations",
    "stable_spin_squared",
    "frozen",
    "distance_atoms",
    "angle_atoms",
    "dihedral_atoms",
}
"""Counts, numbers of atoms, and ⟨S²⟩."""

BESIDE = {"energy_difference_Eh", "wall_time_s", "moved", "units"}
"""What stands beside a result's fields; the units are in the names."""


@pytest.fixture(scope="module")
def results(session: Grafico) -> dict[str, Result]:
    small: dict[str, Any] = {"method": "HF", "basis": "STO-3G", "states": 2, "analysis": True}
    oxygen = WATER.model_copy(update={"numbers": [8], "positions": [[0, 0, 0]], "multiplicity": 3})
    return {
        "minimum": session.run(
            WATER,
            task="frequencies",
            treatment="quasi-RRHO",
            stability=True,
            solvent="water",
            **small,
        ),
        "held": session.run(WATER, task="optimise", constraints=("distance 1 2 1.0",), **small),
        "open": session.run(oxygen, method="B3LYP-D4", basis="STO-3G", analysis=True),
    }


def numbers(value: Any, name: str) -> Iterator[tuple[str, float]]:
    """Every number of a value as JSON has it, by the name of the field that holds it."""
    match value:
        case bool() | str() | None:
            return
        case int() | float():
            yield name, value
        case list():
            for part in value:
                yield from numbers(part, name)
        case dict():
            for key, part in value.items():
                yield from numbers(part, key)
        case _:
            raise TypeError(f"{name} is a {type(value).__name__}")


@pytest.mark.parametrize("name", ["minimum", "held", "open"])
def test_each_number_is_finite_and_has_a_unit(results: dict[str, Result], name: str) -> None:
    said = json.loads(json.dumps(run_as_dict(results[name].ran), allow_nan=False))
    kinds = {one["kind"] for one in said["results"]}
    assert "WavefunctionAnalysis" in kinds
    for one in said["results"]:
        fields = {key: part for key, part in one.items() if key not in BESIDE}
        constraints = fields.pop("constraints", None) or {}
        found = [*numbers(fields, ""), *numbers(constraints, "")]
        assert all(math.isfinite(number) for _, number in found)
        lacking = {key for key, _ in numbers(fields, "")} - set(one["units"]) - WITHOUT_UNIT
        assert not lacking, one["kind"]
    assert said["atoms"]["units"]["positions"] == "ANGSTROM"
    assert said["level"]["units"]["scf_tolerance"] == "E_h"


@pytest.mark.parametrize("name", ["minimum", "held", "open"])
def test_each_can_be_shown_and_told(
    session: Grafico, results: dict[str, Result], name: str
) -> None:
    result = results[name]
    for answer in result.all_answers:
        portrait = session.show(answer.recorded)
        shown = {property_ for property_, _ in portrait.properties}
        assert shown
        json.dumps(vars(portrait))
    told = dict(rows(run_blocks(result.ran)))
    assert told["energy"].endswith(" Eh")
    assert "nan" not in " ".join(told.values()).lower().split()
    assert session.report(result.run).count("<article") == 1


def test_what_there_is_of_each_kind(results: dict[str, Result]) -> None:
    kinds = {type(a.result).__name__ for one in results.values() for a in one.all_answers}
    assert kinds == {
        "Optimisation",
        "FrequencyAnalysis",
        "Thermochemistry",
        "WavefunctionAnalysis",
        "ExcitedStates",
        "StabilityAnalysis",
    }


def test_soft_modes_are_told_everywhere(results: dict[str, Result]) -> None:
    whole = results["minimum"]
    assert whole.heat
    assert not any("quasi-RRHO" in note for note in whole.notes)
    found = whole.heat.result.frequencies
    assert isinstance(found, FrequencyAnalysis)
    waves = found.wavenumbers.copy()
    waves[0] = 20.0
    loose = found.model_copy(update={"wavenumbers": waves})
    heat = replace(whole.heat, result=thermochemistry(loose, 298.15, 1e5))
    result = replace(whole, heat=heat)
    said = "1 mode below 50 cm⁻¹ (20.0 cm⁻¹)"
    assert any(
        text.startswith(said) and "kJ/mol" in text for _, text in rows(run_blocks(result.ran))
    )
    assert any(note.startswith(said) for note in run_as_dict(result.ran)["notes"])
    assert any(note.startswith(said) for note in brief(result.ran)["remarks"])
