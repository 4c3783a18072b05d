"""Lines through acids of known pKa, against scipy, numpy and closed formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import constants, stats

from ontologies.factors import HARTREE
from triplestore.errors import InputError, RecipeError
from workflows.acidity.calibration import (
    check_count,
    fitted,
    rt_ln_10,
    usual_calibration,
)

KCAL = HARTREE["kcal/mol"]
KNOWN = [(0.4663, 4.76), (0.4577, 2.586), (0.4590, 2.86), (0.4480, 0.23), (0.4702, 4.87)]
ROOM = 298.15


def test_a_unit_of_pka_at_room_temperature() -> None:
    """RT ln 10 is 5.708 kJ/mol, 1.364 kcal/mol."""
    assert rt_ln_10(ROOM) * KCAL == pytest.approx(1.3643, abs=1e-4)
    joule = constants.R * ROOM * math.log(10)
    assert rt_ln_10(ROOM) * HARTREE["kJ/mol"] == pytest.approx(joule / 1000, rel=1e-9)


def test_the_regression_is_that_of_scipy() -> None:
    line = fitted("regression", KNOWN, ROOM)
    x, y = np.array(KNOWN).T
    slope, intercept, *_ = map(float, stats.linregress(x, y))
    assert line.slope == pytest.approx(slope * rt_ln_10(ROOM), rel=1e-9)
    for at in (0.44, 0.46, 0.48):
        assert line.pka(at) == pytest.approx(intercept + slope * at, abs=1e-8)


def test_its_interval_is_that_of_the_general_linear_model() -> None:
    """Var = s² (1 + aᵀ (XᵀX)⁻¹ a), with the design matrix X."""
    line = fitted("regression", KNOWN, ROOM)
    x, y = np.array(KNOWN).T
    design = np.column_stack([np.ones_like(x), x])
    beta, *_ = np.linalg.lstsq(design, y, rcond=None)
    s2 = ((y - design @ beta) ** 2).sum() / (len(x) - 2)
    inverse = np.linalg.inv(design.T @ design)
    for at in (0.44, 0.46):
        a = np.array([1.0, at])
        error = math.sqrt(s2 * (1 + a @ inverse @ a))
        assert line.standard_error(at) == pytest.approx(error, rel=1e-6)
        half = stats.t.ppf(0.975, len(x) - 2) * error
        assert line.half_interval(at) == pytest.approx(half, rel=1e-6)


def test_the_fixed_slope_is_an_average_of_differences_to_each_acid() -> None:
    """Each reference acid says pKa + ΔΔG / RT ln 10; the error is that of a new member."""
    line = fitted("fixed slope", KNOWN, ROOM)
    at = 0.455
    each = np.array([pka + (at - energy) / rt_ln_10(ROOM) for energy, pka in KNOWN])
    assert line.slope == 1.0
    assert line.pka(at) == pytest.approx(each.mean(), abs=1e-9)
    error = each.std(ddof=1) * math.sqrt(1 + 1 / len(each))
    assert line.standard_error(at) == pytest.approx(error, rel=1e-9)
    half = stats.t.ppf(0.975, len(each) - 1) * error
    assert line.half_interval(at) == pytest.approx(half, rel=1e-9)
    # the average of a shift of the pKa by a given proton comes to the same
    direct = fitted("none", [], ROOM, -0.43)
    shift = np.mean([pka - direct.pka(energy) for energy, pka in KNOWN])
    assert line.pka(at) == pytest.approx(direct.pka(at) + shift, abs=1e-9)


def test_points_on_a_line_leave_nothing() -> None:
    unit = rt_ln_10(ROOM)
    exact = [(0.45 + n * unit / 0.5, 1.0 + n) for n in range(4)]
    line = fitted("regression", exact, ROOM)
    assert line.slope == pytest.approx(0.5, rel=1e-9)
    assert line.standard_error(0.46) == pytest.approx(0.0, abs=1e-6)


def test_one_acid_says_nothing_of_the_error() -> None:
    line = fitted("fixed slope", KNOWN[:1], ROOM)
    assert line.pka(KNOWN[0][0]) == pytest.approx(4.76)
    assert line.standard_error(0.45) is None
    assert line.half_interval(0.45) is None


def test_two_acids_have_an_error_and_no_interval() -> None:
    """Student's would be thirteen times the error, of a single difference."""
    line = fitted("fixed slope", KNOWN[:2], ROOM)
    assert line.standard_error(0.45) is not None
    assert line.half_interval(0.45) is None
    assert fitted("fixed slope", KNOWN[:3], ROOM).half_interval(0.45) is not None
    assert fitted("regression", KNOWN[:3], ROOM).half_interval(0.45) is None


def test_beyond_the_acids_is_said() -> None:
    line = fitted("fixed slope", KNOWN, ROOM)
    assert line.beyond(0.46) == ""
    assert "stronger than all of them, by 1.88 kcal/mol" in line.beyond(0.445)  # 3 mEh
    assert "beyond that of pKa 4.87" in line.beyond(0.48)
    assert fitted("none", [], ROOM, -0.43).beyond(0.445) == ""


@pytest.mark.parametrize(
    ("measured", "usual"),
    [
        ([], "none"),
        ([4.76], "fixed slope"),
        ([4.76, 2.586, 2.86], "fixed slope"),
        ([4.76, 4.87, 4.2, 3.75], "fixed slope"),
        ([4.76, 2.586, 2.86, 1.35], "regression"),
    ],
)
def test_what_is_usual(measured: list[float], usual: str) -> None:
    assert usual_calibration(measured) == usual


def test_too_few_or_too_alike() -> None:
    with pytest.raises(InputError, match="it needs 3"):
        check_count("regression", 2)
    with pytest.raises(InputError, match="it needs 1"):
        check_count("fixed slope", 0)
    check_count("none", 0)
    with pytest.raises(RecipeError, match="do not tell them apart"):
        fitted("regression", [(0.45, 1.0), (0.45, 2.0), (0.45, 3.0)], ROOM)
