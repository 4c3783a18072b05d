"""How protocols of samples in vials are scored: as published, and strictly.

AutoLabs (github.com/pnnl/autolabs), 2.3: steps are paired by an assignment in which names may
differ by five letters and no value is compared; F1 of these, Spearman's correlation of their order,
and the root mean square deviation of amounts, mg and µL together, by the range of the true ones.
So methanol passes for ethanol, StirRate for VortexRate, and 60 °C for 25 °C. The strict scores
compare what a chemical is (InChIKey, of a stock its strength too), plates, units and values within
0.5 %, and the deviation unit by unit, the larger of which counts.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.stats import spearmanr

from workflows.liquids.design import Design
from workflows.liquids.steps import Step
from workflows.liquids.substances import known

PUBLISHED = Path(__file__).parents[1] / "tests" / "liquids" / "published"
"""Steps and amounts of the five experiments, as they are published."""

LETTERS = 5
"""By which names may differ that are taken for each other."""

FAR = 1e6
WITHIN = 5e-3
"""Relative: values that are taken for equal."""


@dataclass(frozen=True)
class Line:
    """A step as it is scored.

    Attributes:
        action: Add, Set or Transfer.
        parameter: the name of the chemical, or what is set.
        plate: where.
        unit: of the amounts or the value; empty where it is not told.
        value: of the whole plate; None where it is not told.
        to: the plate that is transferred to.
        identity: what the chemical is; None for other steps.
        doses: amounts by vial; empty where they are not told.
    """

    action: str
    parameter: str
    plate: str
    unit: str = ""
    value: float | None = None
    to: str = ""
    identity: Hashable = None
    doses: Mapping[str, float] = field(default_factory=dict[str, float], hash=False)


@dataclass(frozen=True)
class Score:
    """What a protocol is worth.

    Attributes:
        f1: of the steps, as published.
        spearman: of the order of the steps that are paired; NaN for fewer than two.
        nrmse: of the amounts, as published.
        strict_f1: of the steps, by what they are and do.
        strict_nrmse: of the amounts, by what they are and unit by unit.
    """

    f1: float
    spearman: float
    nrmse: float
    strict_f1: float
    strict_nrmse: float


def identities(design: Design) -> dict[str, Hashable]:
    """Return what each name of a design is: an InChIKey, of a stock those in it and its strength.

    Raises:
        InputError: see `known`.
    """
    _, keys, _ = known(design)
    found: dict[str, Hashable] = {name: keys.get(name, name) for name in design.chemicals}
    for name, stock in design.stocks.items():
        strength = (stock.concentration.kind, round(stock.concentration.value, 9))
        found[name] = (found[stock.of], found[stock.solvent], *strength)
    return found


def lines(steps: Sequence[Step], design: Design) -> list[Line]:
    """Return steps as they are scored.

    Raises:
        InputError: see `known`.
    """
    what = identities(design)
    return [
        Line(
            one.action,
            one.parameter,
            one.plate,
            one.unit,
            one.value,
            one.to,
            what.get(one.parameter, one.parameter) if one.action == "Add" else None,
            one.values if one.action == "Add" else {},
        )
        for one in steps
    ]


def published(number: int, design: Design) -> list[Line]:
    """Return the steps of an experiment as they are published, 1 to 5.

    Values that the text implies count; what is told nowhere is not compared.

    Args:
        number: of the experiment.
        design: says what its names are.
    """
    what, amounts = identities(design), dict[str, dict[str, float]]()
    with (PUBLISHED / f"exp{number}.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if float(row["amount"]):
                amounts.setdefault(row["chemical"], {})[row["vial"]] = float(row["amount"])
    text = (PUBLISHED / f"exp{number}.json").read_text(encoding="utf-8")
    found = list[Line]()
    for one in json.loads(text)["steps"]:
        implied = re.match(r"(?:value not given; )?([\d.]+) implied", str(one.get("note") or ""))
        add = one["action"] == "Add"
        found.append(
            Line(
                one["action"],
                one["parameter"],
                one["plate"],
                (one.get("unit") or "").replace("u", "µ"),
                float(implied[1]) if implied else one.get("value"),
                one.get("to", ""),
                what[one["parameter"]] if add else None,
                amounts.get(one["parameter"], {}) if add and one["plate"] == "Plate 1" else {},
            )
        )
    return found


def score(made: Sequence[Line], wanted: Sequence[Line]) -> Score:
    """Return what steps are worth, beside the true ones."""
    loose = _pairs(made, wanted, _apart)
    strict = _pairs(made, wanted, lambda one, other: 0.0 if _same(one, other) else FAR)
    order = math.nan
    if len(loose) > 1:
        found: Any = spearmanr([i for i, _ in loose], [j for _, j in loose])
        order = float(found.statistic)
    return Score(
        _f1(len(loose), len(made), len(wanted)),
        order,
        _pooled(made, wanted),
        _f1(len(strict), len(made), len(wanted)),
        _by_unit(made, wanted),
    )


def _f1(hits: int, made: int, wanted: int) -> float:
    return 2 * hits / (made + wanted) if made + wanted else 1.0


def _pairs(
    made: Sequence[Any], wanted: Sequence[Any], cost: Callable[[Any, Any], float]
) -> list[tuple[int, int]]:
    """Return the cheapest pairs, without those that are too far apart; of equals the nearest."""
    if not made or not wanted:
        return []
    table = np.array([[cost(one, other) for other in wanted] for one in made])
    near = np.abs(np.arange(len(made))[:, None] - np.arange(len(wanted))[None, :])
    rows, columns = linear_sum_assignment(table + 1e-6 * near)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if table[i, j] < FAR]


def _apart(one: Line, other: Line) -> float:
    if (one.action, one.plate) != (other.action, other.plate):
        return FAR * 1e3
    distance = letters_apart(one.parameter, other.parameter)
    return float(distance) if distance <= LETTERS else FAR


def letters_apart(one: str, other: str) -> int:
    """Return the distance of Levenshtein: letters to change, insert or leave out."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, another in enumerate(other, 1):
            change = before + (letter != another)
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, change)
    return row[-1]


def _same(made: Line, wanted: Line) -> bool:
    """Tell whether a step is the other one, as far as that is told."""
    name = made.identity == wanted.identity if wanted.identity else True
    if not name or (not wanted.identity and made.parameter != wanted.parameter):
        return False
    if (made.action, made.plate, made.to) != (wanted.action, wanted.plate, wanted.to):
        return False
    if wanted.unit and made.unit != wanted.unit:
        return False
    if wanted.value is not None and not _close(made.value, wanted.value):
        return False
    return not wanted.doses or (
        made.doses.keys() == wanted.doses.keys()
        and all(_close(made.doses[vial], dose) for vial, dose in wanted.doses.items())
    )


def _close(one: float | None, other: float) -> bool:
    return one is not None and math.isclose(one, other, rel_tol=WITHIN, abs_tol=1e-9)


def _contents(lines: Sequence[Line], name: Callable[[Line], Hashable]) -> dict[Any, float]:
    """Return what is added in all in Plate 1, by name and vial."""
    found = dict[Any, float]()
    for one in lines:
        if one.action == "Add" and one.plate == "Plate 1":
            for vial, dose in one.doses.items():
                key = name(one), vial
                found[key] = found.get(key, 0.0) + dose
    return found


def _pooled(made: Sequence[Line], wanted: Sequence[Line]) -> float:
    """Return the deviation as published: names may differ, mg and µL are taken together."""
    mine = list(dict.fromkeys(one.parameter for one in made if one.action == "Add"))
    true = list(dict.fromkeys(one.parameter for one in wanted if one.action == "Add"))

    def cost(one: str, other: str) -> float:
        distance = letters_apart(one, other)
        return float(distance) if distance <= LETTERS else FAR

    called = {mine[i]: true[j] for i, j in _pairs(mine, true, cost)}
    return _deviation(
        _contents(made, lambda one: called.get(one.parameter, f"made {one.parameter}")),
        _contents(wanted, lambda one: one.parameter),
    )


def _by_unit(made: Sequence[Line], wanted: Sequence[Line]) -> float:
    """Return the larger deviation of mg and µL, by what chemicals are."""
    each = [
        _deviation(
            _contents([one for one in made if one.unit == unit], lambda one: one.identity),
            _contents([one for one in wanted if one.unit == unit], lambda one: one.identity),
        )
        for unit in ("mg", "µL")
    ]
    return max(each)


def _deviation(made: Mapping[Any, float], wanted: Mapping[Any, float]) -> float:
    """Return the root mean square by the range, over each chemical in each vial."""
    names = {name for name, _ in (*made, *wanted)}
    vials = {vial for _, vial in (*made, *wanted)}
    if not names:
        return 0.0
    cells = [(name, vial) for name in names for vial in vials]
    square = math.fsum((made.get(one, 0.0) - wanted.get(one, 0.0)) ** 2 for one in cells)
    true = [wanted.get(one, 0.0) for one in cells]
    width = max(true) - min(true) or max(map(abs, true), default=0.0)
    return math.sqrt(square / len(cells)) / width if width else math.inf
