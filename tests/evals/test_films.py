"""The published scores of the film station, as far as what was scored is published."""

from __future__ import annotations

import pytest

from evals.films import PUBLISHED, Score, score, slips, steps_of
from workflows.films.station import Order


def without(task: int, *left_out: str) -> list[str | Order]:
    return [
        one for one in steps_of(task) if not (isinstance(one, Order) and one.command in left_out)
    ]


def test_tasks_have_as_many_steps_as_published() -> None:
    assert [len(steps_of(task)) for task in (1, 2, 3)] == [8, 10, 25]


@pytest.mark.parametrize("task", [1, 2, 3])
def test_plans_score_as_the_best(task: int) -> None:
    assert score(task, steps_of(task)) == Score(100, 100)


def test_listing_2_scores_as_table_4_says() -> None:
    """GPT-4o-mini left out `close_clamp`: 7 of 8, and it stops after step 6."""
    found = score(1, without(1, "close_clamp"))
    (correctness, _, _), (execution, _, _) = PUBLISHED["GPT-4o-mini", "before"]
    assert (found.correctness, found.execution) == (correctness, execution) == (87.5, 75)


def test_task_2_without_what_it_was_taught_scores_as_published() -> None:
    """GPT-4o: what it was taught is exactly the vacuum of the stage."""
    found = score(2, without(2, "stage_vacuum_on"))
    (_, correctness, _), (_, execution, _) = PUBLISHED["GPT-4o", "before"]
    assert (found.correctness, found.execution) == (correctness, execution) == (90, 70)


def test_a_wrong_order_has_all_steps_and_stops() -> None:
    steps = steps_of(2)
    at = [n for n, one in enumerate(steps) if isinstance(one, Order) and "vacuum" in one.command]
    on, off = at[-2:]
    steps[on], steps[off] = steps[off], steps[on]
    assert score(2, steps) == Score(100, 70)


def test_one_published_figure_is_no_number_of_steps() -> None:
    assert slips() == [
        "execution of GPT-4o before, task 3: 39 % is no number of 25 steps; 10 are 40 %"
    ]
