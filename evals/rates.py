"""How often, and how sure: means over tasks, pass@k, pass^k, and their intervals.

A task is a case, with all its runs. What is estimated is estimated for each task from its runs and
then averaged over tasks; a run that broke counts as 0. Published tables pool all runs of all tasks
first, which takes the spread between tasks for chance; `pooled` does that, to stand beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, isnan
from statistics import fmean
from typing import Any

from .running import JUDGED, Outcome

SURE = 0.95
FEW = 20
"""Tasks below which percentages have no decimals."""

CRITERIA: Mapping[str, tuple[float | None, float | None]] = {
    "numeric ≥ 0.90, judge ≥ 0.90": (0.9, 0.9),
    "numeric = 1": (1.0, None),
    "numeric = 1, judge ≥ 0.90": (1.0, 0.9),
}
"""What has been published as a pass: the least of both scores."""

CHECKS = "every check"


@dataclass(frozen=True)
class Task:
    """A case, and how its runs came out.

    Attributes:
        cases: the set.
        name: of the case.
        topic: of the case.
        level: of the case; 0 for none.
        runs: how they came out.
    """

    cases: str
    name: str
    topic: str
    level: int
    runs: Sequence[Outcome]

    @property
    def passes(self) -> int:
        """How many runs passed."""
        return sum(run.passed for run in self.runs)

    def score(self, name: str) -> float | None:
        """Return the mean of a score or check, 0 for runs that broke; None where no run has it."""
        values = [_value(run, name) for run in self.runs]
        known = [one for one in values if one is not None]
        return fmean(known) if known else None

    def mean(self, name: str) -> float | None:
        """Return what a run cost in the mean; None where it is not known of one that ended."""
        ended = [run for run in self.runs if not run.error]
        found = [run.metrics.get(name) for run in ended]
        known = [one for one in found if one is not None]
        return fmean(known) if known and len(known) == len(found) else None


def _value(run: Outcome, name: str) -> float | None:
    found = {**run.checks, **run.scores}.get(name)
    return float(found) if found is not None else 0.0 if run.broken else None


def tasks(outcomes: Sequence[Outcome]) -> list[Task]:
    """Return the tasks of outcomes, in order."""
    found: dict[tuple[str, str], list[Outcome]] = {}
    for one in outcomes:
        found.setdefault((one.cases, one.case), []).append(one)
    return [
        Task(cases, name, runs[0].topic, runs[0].level, runs)
        for (cases, name), runs in found.items()
    ]


def meets(run: Outcome, criterion: str) -> bool:
    """Tell whether a run passes by a criterion; see `criteria`."""
    if criterion == CHECKS:
        return run.passed
    numeric, judge = CRITERIA[criterion]
    wanted = {"numeric": numeric, "judge": judge}
    return not run.broken and all(
        run.scores.get(name, 0.0) >= least for name, least in wanted.items() if least is not None
    )


def criteria(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the criteria that outcomes can be held to, by the scores that there are."""
    there = {name for one in outcomes for name in one.scores}
    found = [
        name
        for name, (_, judge) in CRITERIA.items()
        if "numeric" in there and (judge is None or "judge" in there)
    ]
    return found or [CHECKS]


def at_least_one(passes: int, count: int, k: int) -> float:
    """Return pass@k: how likely one of k runs passes at least.

    Source: the unbiased estimate of M. Chen et al., arXiv:2107.03374 (2021).
    """
    return 1 - comb(count - passes, k) / comb(count, k)


def all_of(passes: int, count: int, k: int) -> float:
    """Return pass^k: how likely all of k runs pass.

    Source: the unbiased estimate of S. Yao et al., arXiv:2406.12045 (2024).
    """
    return comb(passes, k) / comb(count, k)


RATES: Mapping[str, Callable[[int, int, int], float]] = {"pass@k": at_least_one, "pass^k": all_of}


def by_task(found: Sequence[Task], criterion: str, rate: str, k: int) -> list[float]:
    """Return pass@k or pass^k of each task."""
    how = RATES[rate]
    return [how(sum(meets(run, criterion) for run in one.runs), len(one.runs), k) for one in found]


def rates(found: Sequence[Task], criterion: str = CHECKS) -> dict[str, list[float]]:
    """Return the means over tasks of pass@k and of pass^k, for every k."""
    steps = range(1, 1 + min((len(one.runs) for one in found), default=0))
    return {rate: [fmean(by_task(found, criterion, rate, k)) for k in steps] for rate in RATES}


def pooled(passes: int, count: int, k: int) -> dict[str, float]:
    """Return both as published tables have them: all runs of all tasks in one urn."""
    return {rate: how(passes, count, k) for rate, how in RATES.items()}


def interval(values: Sequence[float], low: float = 0.0, high: float = 1.0) -> tuple[float, float]:
    """Return between what a mean over tasks lies, with 95 %.

    BCa bootstrap over tasks (B. Efron, J. Am. Stat. Assoc. 82, 171 (1987)); the same values give
    the same interval. Where all n tasks agree, nothing can be drawn from their spread. Then a task
    that differs has a share of at most p = 1 − 0.05^(1/n), as an exact one-sided bound, and may be
    anything between `low` and `high`.

    Args:
        values: one a task.
        low: the least that a task can have.
        high: the most.
    """
    count = len(values)
    if not count:
        return low, high
    if max(values) - min(values) < 1e-12:
        share = 1 - (1 - SURE) ** (1 / count)
        agreed = (1 - share) * values[0]
        return agreed + share * low, agreed + share * high
    import numpy as np
    from scipy import stats

    bootstrap: Any = getattr(stats, "bootstrap")  # noqa: B009 - scipy has no types
    dice = np.random.default_rng(0)
    data = (np.asarray(values),)
    found = bootstrap(data, np.mean, confidence_level=SURE, method="BCa", rng=dice)
    bottom, top = float(found.confidence_interval.low), float(found.confidence_interval.high)
    return (low, high) if isnan(bottom) or isnan(top) else (bottom, top)


def paired(
    ours: Sequence[Task], theirs: Sequence[Task], criterion: str = CHECKS
) -> tuple[float, tuple[float, float], int]:
    """Return by how much more ours passes, its interval, and over how many tasks both have.

    Raises:
        ValueError: there is none.
    """
    others = {(one.cases, one.name): one for one in theirs}
    both = [(one, others[one.cases, one.name]) for one in ours if (one.cases, one.name) in others]
    if not both:
        raise ValueError("the two have no task in common")
    first, second = (by_task(side, criterion, "pass@k", 1) for side in zip(*both, strict=True))
    apart = [one - other for one, other in zip(first, second, strict=True)]
    return fmean(apart), interval(apart, -1.0, 1.0), len(apart)


def percent(value: float, count: int) -> str:
    """Return a share as it is written for so many tasks."""
    return f"{100 * value:.{0 if count < FEW else 1}f} %"


def with_interval(values: Sequence[float]) -> str:
    """Return a mean over tasks with its interval."""
    low, high = (percent(one, len(values)) for one in interval(values))
    return f"{percent(fmean(values), len(values))} ({low.removesuffix(' %')}–{high})"


def agreement(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float | None]:
    """Return how far two judges agree.

    Returns:
        The mean of how far they lie apart; the share of runs in which both say, or neither, that it
        passes (0.9); and Cohen's kappa of that (J. Cohen, Educ. Psychol. Meas. 20, 37 (1960)),
        None where both always say the same, so that chance explains everything.
    """
    apart = fmean(abs(one - other) for one, other in pairs)
    says = [(one >= JUDGED, other >= JUDGED) for one, other in pairs]
    same = fmean(one == other for one, other in says)
    first, second = fmean(one for one, _ in says), fmean(other for _, other in says)
    chance = first * second + (1 - first) * (1 - second)
    return apart, same, None if chance == 1 else (same - chance) / (1 - chance)
