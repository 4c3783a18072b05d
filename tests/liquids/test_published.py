"""Five published experiments from typed designs: amounts of each vial, and steps."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from workflows.liquids.protocol import Protocol, protocol
from workflows.liquids.reading import design_of

HERE = Path(__file__).parent
EVERY = (1, 2, 3, 4, 5)


def planned(number: int) -> Protocol:
    return protocol((HERE / "designs" / f"exp{number}.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", EVERY)
def test_amounts_are_within_half_a_percent_of_the_published_ones(number: int) -> None:
    found = planned(number).amounts["Plate 1"]
    named = set[tuple[str, str]]()
    with (HERE / "published" / f"exp{number}.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            wanted, vial, name = float(row["amount"]), row["vial"], row["chemical"]
            made = found[vial].get(name, 0.0)
            assert made == pytest.approx(wanted, rel=5e-3), (vial, name)
            named |= {(vial, name)} if wanted else set()
    assert named == {(vial, name) for vial, each in found.items() for name in each}


def published(number: int) -> list[dict[str, Any]]:
    text = (HERE / "published" / f"exp{number}.json").read_text(encoding="utf-8")
    return json.loads(text)["steps"]


@pytest.mark.parametrize("number", EVERY)
def test_steps_are_the_published_ones(number: int) -> None:
    """F1 is 1.0 where names, plates, units and each value that is published are compared."""
    steps = list(planned(number).steps)
    free = list(steps)
    hits = 0
    for one in published(number):
        implied = re.match(r"(?:value not given; )?([\d.]+) implied", str(one.get("note") or ""))
        value = float(implied[1]) if implied else one.get("value")
        unit = (one.get("unit") or "").replace("u", "µ")
        for step in free:
            same = (step.action, step.parameter, step.plate) == (
                one["action"], one["parameter"], one["plate"],
            )  # fmt: skip
            if (
                same
                and (value is None or step.value == value)
                and (not unit or step.unit == unit)
                and step.to == one.get("to", "")
            ):
                free.remove(step)
                hits += 1
                break
    precision, recall = hits / len(steps), hits / len(published(number))
    assert 2 * precision * recall / (precision + recall) == 1.0


def test_a_plan_needs_no_repair_and_its_parts_stand_in_order() -> None:
    for number in EVERY:
        assert planned(number).repairs == ()
    steps = planned(4).steps
    assert [one.parameter for one in steps[:2]] == ["benzoic acid", "water"]
    assert steps[8].parameter == "0.5 M sulfuric acid"  # acid into water, last
    assert [one.parameter for one in steps[9:12]] == ["Cap", "StirRate", "HeatingTemp"]


def test_the_second_plate_of_experiment_4_is_diluted_ten_times() -> None:
    found = planned(4)
    assert set(found.amounts["Plate 2"]) == set(found.amounts["Plate 1"])
    assert all(each == {"water": 900.0} for each in found.amounts["Plate 2"].values())
    transfer = next(one for one in found.steps if one.action == "Transfer")
    assert set(transfer.values.values()) == {100.0}


def test_each_vial_of_experiment_5_has_its_time() -> None:
    timers = next(one for one in planned(5).steps if one.parameter == "VialTimers")
    assert Counter(timers.values.values()) == dict.fromkeys((15, 30, 60, 90, 120, 150), 4)
    assert timers.values["B3"] == 60


@pytest.mark.parametrize("number", EVERY)
def test_a_design_is_read_again_as_it_is_written(number: int) -> None:
    design = planned(number).design
    assert design_of(design.model_dump_json(by_alias=True)) == design
