"""How often: pass@k and pass^k of each case, then their means, and what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean
from typing import Any, TypeAlias

from pydantic_evals.reporting import EvaluationReport, ReportCase, ReportCaseFailure

from .asking import Answer, metrics
from .checks import CHECKS
from .wanted import Request, Wanted

Report: TypeAlias = EvaluationReport[Request, Answer, Wanted]
Run: TypeAlias = ReportCase[Request, Answer, Wanted]
Broken: TypeAlias = ReportCaseFailure[Request, Answer, Wanted]

COSTS = ("requests", "calls", "input_tokens", "output_tokens", "cost_USD", "seconds")


def passed(run: Run) -> bool:
    """Tell whether a run passed every check; a check that broke is not passed."""
    held = [one.value for one in run.assertions.values()]
    return len(held) == len(CHECKS) and all(held)


def outcome(run: Run) -> str:
    """Return `right`, `declined` (not right, and it says so), or `wrong`."""
    held = {name: one.value for name, one in run.assertions.items()}
    return "right" if held.get("Right") else "declined" if held.get("Candid") else "wrong"


def reasons(run: Run) -> str:
    """Return why a run did not pass; empty if it did."""
    said = [one.reason or name for name, one in run.assertions.items() if not one.value]
    said += [f"{one.name} broke: {one.error_message}" for one in run.evaluator_failures]
    return "; ".join(said)


@dataclass(frozen=True)
class Tried:
    """A case, and how its runs came out.

    Attributes:
        name: of the case.
        topic: of the case.
        runs: those that came to an answer.
        broken: those that did not.
    """

    name: str
    topic: str
    runs: Sequence[Run]
    broken: Sequence[Broken]

    @property
    def count(self) -> int:
        """How many runs there were."""
        return len(self.runs) + len(self.broken)

    @property
    def passes(self) -> int:
        """How many of them passed."""
        return sum(map(passed, self.runs))

    def at(self, k: int) -> float:
        """Return pass@k: how likely one of k runs passes at least.

        Source: the unbiased estimate of M. Chen et al., arXiv:2107.03374 (2021).
        """
        return 1 - comb(self.count - self.passes, k) / comb(self.count, k)

    def all_of(self, k: int) -> float:
        """Return pass^k: how likely all of k runs pass.

        Source: the unbiased estimate of S. Yao et al., arXiv:2406.12045 (2024).
        """
        return comb(self.passes, k) / comb(self.count, k)

    def mean(self, name: str) -> float | None:
        """Return what a run cost; None where that is not known."""
        found = [metrics(run.output).get(name) for run in self.runs]
        known = [one for one in found if one is not None]
        return fmean(known) if known and len(known) == len(found) else None


def tried(report: Report) -> list[Tried]:
    """Return the cases of a report, in order."""
    found: dict[str, tuple[str, list[Run], list[Broken]]] = {}
    for one in (*report.cases, *report.failures):
        topic = one.metadata.topic if one.metadata else ""
        _, runs, broken = found.setdefault(one.source_case_name or one.name, (topic, [], []))
        if isinstance(one, ReportCase):
            runs.append(one)
        else:
            broken.append(one)
    return [Tried(name, *parts) for name, parts in found.items()]


def rates(cases: Sequence[Tried]) -> Mapping[str, list[float]]:
    """Return the means over cases of pass@k and of pass^k, for every k."""
    steps = range(1, 1 + min((one.count for one in cases), default=0))
    return {
        "pass@k": [fmean(one.at(k) for one in cases) for k in steps],
        "pass^k": [fmean(one.all_of(k) for one in cases) for k in steps],
    }


def is_broken(report: Report) -> bool:
    """Tell whether something could not be judged."""
    return bool(report.failures) or any(run.evaluator_failures for run in report.cases)


def as_dict(report: Report, model: str) -> dict[str, Any]:
    """Return everything for JSON."""
    cases = tried(report)
    return {
        "model": model,
        **rates(cases),
        "cases": [
            {
                "name": one.name,
                "topic": one.topic,
                "passed": one.passes,
                "runs": [
                    {
                        "outcome": outcome(run),
                        "checks": {name: held.value for name, held in run.assertions.items()},
                        "reasons": reasons(run),
                        "answer": run.output.text,
                        **metrics(run.output),
                    }
                    for run in one.runs
                ],
                "broken": [run.error_message for run in one.broken],
            }
            for one in cases
        ],
    }


def lines(report: Report, model: str) -> Iterator[str]:
    """Return the table."""
    cases = tried(report)
    yield (
        f"{'case':33s} {'topic':13s} {'passed':>6s} {'requests':>8s} {'calls':>5s}"
        f" {'tokens':>8s} {'USD':>7s} {'s':>6s}  outcomes"
    )
    for one in cases:
        costs = {name: one.mean(name) for name in COSTS}
        tokens = (costs["input_tokens"] or 0) + (costs["output_tokens"] or 0)
        yield (
            f"{one.name:33s} {one.topic:13s} {f'{one.passes}/{one.count}':>6s}"
            f" {_short(costs['requests'], '.1f'):>8s} {_short(costs['calls'], '.1f'):>5s}"
            f" {tokens:8.0f} {_short(costs['cost_USD'], '.4f'):>7s}"
            f" {_short(costs['seconds'], '.1f'):>6s}  {_outcomes(one)}"
        )
    yield ""
    outcomes = Counter(map(outcome, report.cases))
    counted = ", ".join(f"{outcomes[name]} {name}" for name in ("right", "declined", "wrong"))
    sound = sum(map(passed, report.cases))
    yield (
        f"{model}: {len(report.cases)} answers: {counted}; {sound} passed;"
        f" {len(report.failures)} broken"
    )
    for name, values in rates(cases).items():
        shown = (f"{100 * one:.0f} % (k={k})" for k, one in enumerate(values, 1))
        yield f"{name}: {', '.join(shown)}"


def _outcomes(case: Tried) -> str:
    counts = Counter(map(outcome, case.runs))
    counts.update(broken=len(case.broken))
    kept = {name: count for name, count in counts.items() if count}
    if case.count == 1:
        return "".join(kept)
    return ", ".join(f"{count} {name}" for name, count in kept.items())


def _short(value: float | None, form: str) -> str:
    return "?" if value is None else format(value, form)
