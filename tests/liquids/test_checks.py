"""Verifiers: steps that somebody else has written are repaired, or refused with the reason."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triplestore.errors import InputError
from workflows.liquids.checks import Review, capping, rests, verified
from workflows.liquids.hardware import HardwareFile, strokes
from workflows.liquids.protocol import protocol
from workflows.liquids.reading import design_of
from workflows.liquids.steps import Laid, Step, lay, planned
from workflows.liquids.substances import known

DESIGNS = Path(__file__).parent / "designs"


def laid(number: int) -> Laid:
    text = (DESIGNS / f"exp{number}.yaml").read_text(encoding="utf-8")
    return lay(known(design_of(text))[0])


FOURTH = laid(4)
FIFTH = laid(5)
STEPS = planned(FOURTH)


def simple(**more: Any) -> dict[str, Any]:
    return {
        "name": "simple",
        "chemicals": {
            "water": {"state": "liquid", "structure": "O"},
            "ether": {"state": "liquid", "structure": "CCOCC"},
            "salt": {"state": "solid", "structure": "[Na+].[Cl-]"},
            "acid": {"state": "liquid", "structure": "OS(=O)(=O)O", "acid": True},
            "sodium": {"state": "solid", "structure": "[Na]"},
        },
        "solid_volume": "neglected",
        "samples": [{"amounts": {"salt": "5 mg", "water": "900 µL", "acid": "100 µL"}}],
        "plate": {"array": "6x8", "capacity": "2 mL"},
        **more,
    }


@given(st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_steps_in_disorder_come_out_as_planned(data: st.DataObject) -> None:
    """Whatever is lost, doubled, exchanged or wrong, the same is done in an order that may be."""
    some = data.draw(st.permutations(STEPS))
    lost = data.draw(st.sets(st.integers(0, len(some) - 1), max_size=6))
    some = [one for index, one in enumerate(some) if index not in lost]
    some += data.draw(st.lists(st.sampled_from(STEPS), max_size=4))
    review = verified(FOURTH, some)

    def key(steps: list[Step]) -> list[str]:
        return sorted(f"{one!r}" for one in steps)

    assert key(review.steps) == key(STEPS)
    assert bool(review.repairs) == (review.steps != some)
    again = verified(FOURTH, review.steps)
    assert again.steps == review.steps
    assert again.repairs == []


def without(*dropped: str) -> list[Step]:
    return [one for one in STEPS if one.parameter not in dropped]


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (without("Cap"), "Plate 1 is capped before"),
        (without("methanol"), r"Add methanol .* was missing"),
        ([*STEPS[:2], STEPS[1], *STEPS[2:]], "one Add a chemical and plate"),
        ([*STEPS[1:2], STEPS[8], *STEPS[2:8], STEPS[0], *STEPS[9:]], "put in order"),
        (
            [*STEPS[:9], Step(action="Set", parameter="StirRate", plate="Plate 2", unit="rpm",
                              value=300.0), *STEPS[9:]],
            "the design does not ask for it",
        ),
        ([*STEPS[:4], *STEPS[9:], *STEPS[4:9]], "came after the caps"),
    ],
)  # fmt: skip
def test_a_repair_says_what_was_wrong(steps: list[Step], said: str) -> None:
    review = verified(FOURTH, steps)
    assert any(map(re.compile(said).search, review.repairs)), review.repairs


def test_amounts_that_differ_are_set_to_those_of_the_design() -> None:
    first = STEPS[0]
    wrong = first.model_copy(update={"values": dict.fromkeys(first.values, 1.0)})
    review = verified(FOURTH, [wrong, *STEPS[1:]])
    assert review.steps == STEPS
    assert "benzoic acid" in review.repairs[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"unit": "µL"}, "counts a solid in µL"),
        ({"plate": "Plate 3"}, "names Plate 3, which is not there"),
        ({"values": {"Z9": 1.0}}, "names vial Z9"),
        ({"values": {"C2": -1.0}}, "negative"),
        ({"values": {"C2": float("nan")}}, "negative or absurd"),
    ],
)
def test_what_cannot_be_repaired_is_refused(change: dict[str, Any], said: str) -> None:
    steps = [STEPS[0].model_copy(update=change), *STEPS[1:]]
    with pytest.raises(InputError, match=said):
        verified(FOURTH, steps)


def test_rates_are_set_back_after_the_delay_and_never_without_one() -> None:
    stirred = [one for one in STEPS if not (one.parameter == "StirRate" and not one.value)]
    review = Review(stirred)
    rests(FOURTH, review)
    zero = [one for one in review.steps if one.parameter == "StirRate"]
    assert [one.value for one in zero] == [700, 0]
    assert review.steps.index(zero[1]) > next(
        index for index, one in enumerate(review.steps) if one.parameter == "Delay"
    )
    review = Review(without("Delay"))
    rests(FOURTH, review)
    assert "say for how long" in review.refusals[0]


def test_vials_that_are_carried_are_capped_before_the_station_is_hot() -> None:
    review = Review([one for one in planned(FIFTH) if one.parameter != "Cap"])
    capping(FIFTH, review)
    kept = [one.parameter for one in review.steps]
    assert kept.index("Cap") < kept.index("HeatingTemp")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"order": ["acid", "water", "salt"]}, "acid goes into water"),
        ({"order": ["ether", "salt"], "samples": [{"amounts": {"ether": "1 mL", "salt": "5 mg"}}]},
         "comes after ether, which is not aqueous"),
        ({"samples": [{"amounts": {"sodium": "5 mg", "water": "1 mL"}}]}, "react violently"),
        ({"samples": [{"amounts": {"water": "10 mL"}}]}, "fill it by 500.0%"),
        ({"samples": [{"amounts": {"water": "0 mL"}}]}, "nothing goes into vial A1"),
        ({"tip": "1e-9 µL"}, "too small"),
        ({"stocks": {"k": {"of": "acid", "in": "salt", "concentration": "1 M"}}}, "a solid"),
        ({"stocks": {"k": {"of": "salt", "in": "water", "concentration": "150 wt%"}}}, "than all"),
        ({"chemicals": {"wet": {"state": "liquid", "structure": "[H]O[H]"},
                        "lah": {"state": "solid", "structure": "[Li+].[AlH4-]"}},
          "samples": [{"amounts": {"lah": "5 mg", "wet": "1 mL"}}]}, "react violently"),
        ({"chemicals": {"aqua": {"state": "liquid", "structure": "[OH2]"},
                        "cl": {"state": "liquid", "structure": "CC(=O)Cl"}},
          "samples": [{"amounts": {"cl": "5 µL", "aqua": "1 mL"}}]}, "react violently"),
        ({"chemicals": {"tabun": {"state": "liquid"}},
          "samples": [{"amounts": {"tabun": "1 mL"}}]}, "whoever asks"),
        ({"process": [{"do": "timed heat", "temperature": "60 °C", "times": ["900 h"]}]},
         "up to two weeks"),
        ({"process": [{"do": "stir", "rate": "60 rpm", "time": "900 h"}]}, "up to two weeks"),
        ({"samples": [{"amounts": {"water": "100 µL"}}]}, "fill it by 5.0%"),
        ({"samples": [{"amounts": {"water": "1 mL"}, "replicates": 49}]}, "49 samples and 48"),
        ({"samples": [{"amounts": {"water": "1 mL"}, "replicates": 97}]}, "equal to 96"),
        ({"plate": {"array": "6x8", "capacity": "3 mL"}}, "hold 2 mL, not 3 mL"),
        ({"plate": {"array": "8x12", "capacity": "1.2 mL"},
          "samples": [{"amounts": {"water": "500 µL"}}],
          "process": [{"do": "stir", "rate": "500 rpm", "time": "5 min"}]}, "which no device does"),
        ({"process": [{"do": "heat", "temperature": "181 °C", "time": "5 min"}]}, "25 to 180 °C"),
        ({"process": [{"do": "stir", "rate": "701 rpm", "time": "5 min"}]}, "at most 700 rpm"),
        ({"process": [{"do": "vortex", "rate": "1001 rpm", "time": "5 min"}]}, "at most 1000 rpm"),
        ({"process": [{"do": "dilute", "factor": 1.5, "volume": "1.5 mL", "with": "water",
                       "plate": {"array": "6x8", "capacity": "2 mL"}}] * 2}, "than two plates"),
        ({"process": [{"do": "dilute", "factor": 1.1, "volume": "1.5 mL", "with": "water",
                       "plate": {"array": "6x8", "capacity": "2 mL"}}]}, "are taken from vial A1"),
        ({"process": [{"do": "dilute", "factor": 2, "volume": "10 mL", "with": "water",
                       "plate": {"array": "2x4", "capacity": "20 mL"}}],
          "samples": [{"amounts": {"water": "1 mL"}, "vials": "F1"}]}, "has no fellow"),
        ({"chemicals": {"water": {"state": "liquid", "structure": "O", "molar_mass": "28 g/mol"}},
          "samples": [{"amounts": {"water": "1 mL"}}]}, "its structure has 18.015"),
        ({"chemicals": {"water": {"state": "liquid", "structure": "O(("}},
          "samples": [{"amounts": {"water": "1 mL"}}]}, "the chemical water"),
    ],
)  # fmt: skip
def test_a_design_that_must_not_be_carried_out_is_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        protocol(simple(**more))


@pytest.mark.parametrize("waters", [0, 6])
def test_a_hydrate_meets_water_and_what_has_none_does_not(waters: int) -> None:
    structure = "O." * waters + "[Al+3].[Cl-].[Cl-].[Cl-]"
    design = simple(
        chemicals={
            "water": {"state": "liquid", "structure": "O"},
            "aluminium chloride": {"state": "solid", "structure": structure},
        },
        samples=[{"amounts": {"aluminium chloride": "5 mg", "water": "1 mL"}}],
    )
    if waters:
        assert protocol(design).steps
    else:
        with pytest.raises(InputError, match="react violently"):
            protocol(design)


def test_solids_may_go_into_aqueous_liquids() -> None:
    found = protocol(simple(order=["water", "salt", "acid"]))
    assert [one.parameter for one in found.steps] == ["water", "salt", "acid"]


def test_what_is_on_a_list_of_weapons_stops() -> None:
    chemicals = {"mustard": {"state": "liquid", "structure": "ClCCSCCCl"}}
    with pytest.raises(InputError, match="whoever asks"):
        protocol(simple(chemicals=chemicals, samples=[{"amounts": {"mustard": "1 mL"}}]))


def test_volatile_liquids_are_capped_and_uncapped_vials_closed_again() -> None:
    chemicals = {
        "water": {"state": "liquid", "structure": "O"},
        "ether": {"state": "liquid", "structure": "CCOCC", "volatile": True},
    }
    process = [
        {"do": "heat", "temperature": "30 °C", "time": "5 min"},
        {"do": "dilute", "factor": 10, "volume": "1 mL", "with": "water",
         "plate": {"array": "6x8", "capacity": "2 mL"}},
    ]  # fmt: skip
    samples = [{"amounts": {"ether": "1 mL"}}]
    found = protocol(simple(chemicals=chemicals, process=process, samples=samples))
    told = [(one.parameter, one.plate) for one in found.steps]
    assert told[-4:] == [
        ("Uncap", "Plate 1"), ("Discrete", "Plate 1"), ("Cap", "Plate 1"), ("Cap", "Plate 2"),
    ]  # fmt: skip
    assert found.repairs == ()


def test_a_person_caps_what_the_device_cannot() -> None:
    plate = {"array": "8x12", "capacity": "1.2 mL", "capped_by_hand": True}
    process = [{"do": "heat", "temperature": "60 °C", "time": "5 min"}]
    samples = [{"amounts": {"water": "500 µL"}}]
    found = protocol(simple(plate=plate, process=process, samples=samples))
    assert "Set Cap in Plate 1 (by hand)" in map(str, found.steps)
    assert any("by hand" in one for one in found.remarks)


@given(st.floats(1e-3, 1e5), st.floats(10, 5000))
def test_strokes_fit_the_tip_and_add_up(amount: float, tip: float) -> None:
    found = strokes(amount, tip)
    assert max(found) <= tip * (1 + 1e-9)
    assert sum(found) == pytest.approx(amount, rel=1e-9)
    assert len(found) <= amount / tip + 1


def test_the_hardware_file_has_all_that_is_added() -> None:
    text = (DESIGNS / "exp1.yaml").read_text(encoding="utf-8")
    found = protocol(text).hardware
    assert HardwareFile.model_validate_json(found.model_dump_json()) == found
    assert found.status == "planned"
    assert found.chemicals["naphthalene"].inchi_key == "UFWIBTONFRDIAS-UHFFFAOYSA-N"
    for name, one in found.chemicals.items():
        each = [dose for step in found.steps if step.parameter == name for dose in step.doses]
        assert sum(sum(dose.strokes) for dose in each) == pytest.approx(one.needed, rel=1e-9)
    assert all(len(dose.strokes) == 10 for dose in found.steps[1].doses)  # 9,996 µL by 1 mL


def test_the_published_schema_is_that_of_the_hardware_file() -> None:
    path = Path(__file__).parents[2] / "docs" / "hardware.schema.json"
    published = json.loads(path.read_text(encoding="utf-8"))
    assert published.pop("$schema").endswith("2020-12/schema")
    assert published == HardwareFile.model_json_schema()
