"""Means, pass@k and pass^k, their intervals, and what a crash counts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext

from evals.page import text, write
from evals.rates import (
    CHECKS,
    CRITERIA,
    by_task,
    criteria,
    interval,
    paired,
    percent,
    pooled,
    rates,
    tasks,
)
from evals.results import Results, compared, lines, read, scores
from evals.running import Experiment, Kept, Outcome, run, session_for
from triplestore.errors import InputError

# R. Sun et al., El Agente Gráfico, table S5: pass@1, 3, 5, 10 and pass^1, 3, 5, 10
PUBLISHED = {
    "gpt-4.1": "0.63 0.95 0.99 1.00 0.63 0.25 0.10 0.01",
    "gpt-5": "0.82 0.99 1.00 1.00 0.82 0.54 0.36 0.12",
    "gpt-5.1": "0.70 0.97 1.00 1.00 0.70 0.34 0.16 0.02",
    "gpt-5.2": "0.75 0.99 1.00 1.00 0.75 0.42 0.23 0.05",
    "minimax-m2": "0.43 0.81 0.94 1.00 0.42 0.07 0.01 0.00",
    "qwen3-max": "0.39 0.78 0.92 0.99 0.39 0.06 0.01 0.00",
    "sonnet-3.7": "0.43 0.82 0.95 1.00 0.43 0.08 0.01 0.00",
    "sonnet-4.5": "0.62 0.95 0.99 1.00 0.62 0.24 0.09 0.01",
}
STEPS = (1, 3, 5, 10)


class Full(Evaluator[int, int, None]):
    def evaluate(self, ctx: EvaluatorContext[int, int, None]) -> dict[str, float]:
        return {"numeric": 1.0}


def half(number: int) -> int:
    if number % 2:
        raise RuntimeError("planted")
    return number


def outcome(case: str, numeric: float, judge: float | None = None, run: int = 1) -> Outcome:
    scores = {"numeric": numeric} | ({} if judge is None else {"judge": judge})
    return Outcome(cases="x", case=case, run=run, scores=scores)


def test_five_crashes_in_ten_are_a_half() -> None:
    cases = Dataset(
        name="planted",
        cases=[Case(name=str(one), inputs=one) for one in range(10)],
        evaluators=[Full()],
    )
    with session_for("memory:") as session:
        experiment = Experiment.of(session, "none", "small")
        outcomes = run(cases, half, Kept(session.kg, experiment, "planted"))
        again = run(cases, half, Kept(session.kg, experiment, "planted"))
    assert again == outcomes
    found = tasks(outcomes)
    assert scores(found) == {"numeric": 0.5}
    for criterion in (CHECKS, "numeric = 1"):
        assert rates(found, criterion) == {"pass@k": [0.5], "pass^k": [0.5]}
    assert "5 passed; 5 broken" in "\n".join(lines(Results(experiment, {"planted": outcomes})))


def test_what_a_provider_did_not_answer_is_asked_again() -> None:
    asked: list[int] = []

    async def task(number: int) -> int:
        asked.append(number)
        raise TimeoutError("no provider") if number else ValueError("a fault of the model")

    cases = Dataset(name="planted", cases=[Case(name=str(one), inputs=one) for one in (0, 1)])
    with session_for("memory:") as session:
        kept = Kept(session.kg, Experiment.of(session, "none", "small"), "planted")
        outcomes = [run(cases, task, kept) for _ in range(2)][1]
    assert asked == [0, 1, 1]
    assert [one.unanswered for one in outcomes] == [False, True]
    assert all(one.broken for one in outcomes)


@pytest.mark.parametrize("model", PUBLISHED)
def test_the_pooled_estimate_is_that_of_the_published_table(model: str) -> None:
    """There is a count of passes of 120 that gives all eight figures, as they are rounded."""
    shown = list(map(float, PUBLISHED[model].split()))

    def figures(passes: int) -> list[float]:
        each = [pooled(passes, 120, k) for k in STEPS]
        return [one[rate] for rate in ("pass@k", "pass^k") for one in each]

    fits = [
        passes
        for passes in range(121)
        if all(abs(a - b) < 0.00501 for a, b in zip(figures(passes), shown, strict=True))
    ]
    assert fits
    assert model != "gpt-5" or fits == [98]


def test_the_mean_over_tasks_is_another_number_than_the_pooled() -> None:
    outcomes = [outcome("always", 1.0, run=n) for n in range(1, 11)]
    outcomes += [outcome("never", 0.0, run=n) for n in range(1, 11)]
    assert rates(tasks(outcomes), "numeric = 1")["pass^k"] == [0.5] * 10
    assert pooled(10, 20, 10)["pass^k"] < 1e-4


def test_three_criteria() -> None:
    outcomes = [outcome(str(n), *one) for n, one in enumerate([(1, 1), (0.95, 0.9), (1, 0.5)])]
    assert criteria(outcomes) == list(CRITERIA)
    passes = [by_task(tasks(outcomes), name, "pass@k", 1) for name in CRITERIA]
    assert passes == [[1, 1, 0], [1, 0, 1], [1, 0, 0]]
    assert criteria([outcome("x", 1.0)]) == ["numeric = 1"]
    assert criteria([Outcome(cases="x", case="x")]) == [CHECKS]


def test_intervals() -> None:
    low, high = interval([1.0, 0.9, 0.4, 1.0, 0.8, 0.2])
    assert 0.3 < low < 0.55
    assert 0.85 < high < 1
    assert interval([1.0] * 12) == pytest.approx((0.05 ** (1 / 12), 1.0))  # 0.779
    assert interval([0.0] * 12) == pytest.approx((0.0, 1 - 0.05 ** (1 / 12)))
    assert interval([]) == (0, 1)
    assert (percent(0.777, 19), percent(0.777, 20)) == ("78 %", "77.7 %")


def test_two_systems_are_compared_task_by_task(tmp_path: Path) -> None:
    ours = [outcome("a", 1.0), outcome("b", 0.0), outcome("c", 1.0)]
    theirs = [outcome("a", 1.0), outcome("b", 1.0), outcome("d", 1.0)]
    mean, (low, high), count = paired(tasks(ours), tasks(theirs), "numeric = 1")
    assert (mean, count) == (-0.5, 2)
    assert low <= mean <= high
    with session_for("memory:") as session:
        experiment = Experiment.of(session, "none", "small")
    first, second = (Results(experiment, {"x": one}) for one in (ours, theirs))
    assert "better" not in "\n".join(compared(first, second))
    file = tmp_path / "earlier.json"
    file.write_text(json.dumps(second.as_dict()), encoding="utf-8")
    assert list(compared(first, read(file))) == list(compared(first, second))
    shown = text(first, read(file))
    assert shown.count("REGRESSION") >= 1
    assert not re.search(r"(?:src|href)=[\"']?https?:", shown)
    page = tmp_path / "evals.html"
    write(page, first)
    assert "REGRESSION" not in page.read_text(encoding="utf-8")
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="an earlier run printed with --json"):
        read(file)
