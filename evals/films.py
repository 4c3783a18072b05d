"""How programs for the film station are scored, as published: correctness and execution.

A. Vriza et al., "Operating robotic laboratories with large language models and teachable agents"
(2025), A.5: the steps of a task that are there, and the steps before the first that cannot be done,
in per cent of those that the task has. The programs that were scored are not published but one
(Listing 2), nor are the steps of tasks 2 and 3 but their number; here these are as this station
plans them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workflows.films.commands import DELIVERED
from workflows.films.graph import FilmRequest, plans
from workflows.films.station import Order

HEADER = "import_libraries"
"""The first step of each task, which commands nothing."""

TASKS = {
    1: FilmRequest(vial="polymer_A"),
    2: FilmRequest(substrate=True),
    3: FilmRequest(film="polymer_A"),
}

PUBLISHED = {
    ("GPT-4o-mini", "before"): ((87.5, 70, 44), (75, 50, 24)),
    ("GPT-4o", "before"): ((100, 90, 48), (100, 70, 39)),
    ("Claude 3.5 Sonnet", "before"): ((75, 60, 64), (50, 60, 32)),
    ("GPT-4o-mini", "taught"): ((100, 100, 84), (100, 100, 84)),
    ("GPT-4o", "taught"): ((100, 100, 100), (100, 100, 100)),
    ("Claude 3.5 Sonnet", "taught"): ((100, 100, 100), (100, 100, 100)),
}
"""Correctness and execution in per cent, of tasks 1 to 3: Tables 2 and 3."""


@dataclass(frozen=True)
class Score:
    """What a program is worth, in per cent.

    Attributes:
        correctness: of the steps of the task that are in it.
        execution: of the steps before the first that cannot be done.
    """

    correctness: float
    execution: float


def steps_of(task: int) -> list[str | Order]:
    """Return the steps of a task, by number: 8, 10 and 25."""
    found = plans(TASKS[task], DELIVERED).first() or ()
    return [HEADER, *(one for one in found if isinstance(one, Order))]


def score(task: int, steps: Sequence[str | Order]) -> Score:
    """Return what a program is worth for a task.

    Args:
        task: 1 to 3.
        steps: the program.
    """
    wanted = steps_of(task)
    at, done = DELIVERED, 0
    for one in steps:
        if isinstance(one, Order):
            if one.precondition(at):
                break
            at = one.effect(at)
        done += 1
    there = sum(one in steps for one in wanted)
    return Score(100 * there / len(wanted), 100 * min(done, len(wanted)) / len(wanted))


def slips() -> list[str]:
    """Return which published figures no whole number of steps comes to, in words."""
    found = list[str]()
    for (model, when), figures in PUBLISHED.items():
        for name, row in zip(("correctness", "execution"), figures, strict=True):
            for task, value in enumerate(row, 1):
                count = len(steps_of(task))
                if (value * count) % 100:
                    near = round(value * count / 100)
                    found.append(
                        f"{name} of {model} {when}, task {task}: {value} % is no number of "
                        f"{count} steps; {near} are {100 * near / count:g} %"
                    )
    return found
