"""The outcomes of a run of the evals: as lines, as JSON, and beside those of an earlier run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triplestore.errors import InputError

from .rates import (
    RATES,
    Task,
    agreement,
    by_task,
    criteria,
    interval,
    meets,
    paired,
    percent,
    pooled,
    rates,
    tasks,
    with_interval,
)  # fmt: skip
from .running import Experiment, Outcome

LONG = 33
"""Letters of a name in the table."""


@dataclass(frozen=True)
class Results:
    """What came of a run of the evals.

    Attributes:
        experiment: what was held fixed.
        sets: the outcomes of each set of cases.
    """

    experiment: Experiment
    sets: Mapping[str, Sequence[Outcome]]

    @property
    def all(self) -> list[Outcome]:
        """Every outcome."""
        return [one for outcomes in self.sets.values() for one in outcomes]

    @property
    def shown(self) -> dict[str, Sequence[Outcome]]:
        """The sets, and exercises of several sets together, as they are published."""
        levels = {name: one for name, one in self.sets.items() if any(run.level for run in one)}
        together = [run for one in levels.values() for run in one]
        return {**self.sets, **({"exercises": together} if len(levels) > 1 else {})}

    def as_dict(self) -> dict[str, Any]:
        """Return what JSON can hold of it; conversations stay in the store."""
        sums = {name: _summary(one) for name, one in self.shown.items()}
        together = [sums.pop(name) for name in self.shown.keys() - self.sets.keys()]
        for one in together:
            del one["outcomes"]
        return {**vars(self.experiment), "sets": sums, "together": together[0] if together else {}}


def read(file: Path) -> Results:
    """Return what an earlier run printed with `--json`.

    Raises:
        InputError: it is not there, or something else.
    """
    asked = f"cannot compare with {file}"
    try:
        found: Any = json.loads(file.read_text(encoding="utf-8"))
        found.pop("together", None)
        held = {
            name: [Outcome.model_validate(each) for each in one["outcomes"]]
            for name, one in found.pop("sets").items()
        }
        return Results(Experiment(**found), held)
    except OSError as error:
        raise InputError(asked, error.strerror or "it cannot be read") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        advice = "give what an earlier run printed with --json"
        raise InputError(asked, "it is not the JSON of a run of the evals", advice) from error


def _summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    found = tasks(outcomes)
    summed: dict[str, Any] = {}
    for criterion in criteria(outcomes):
        passes = sum(meets(one, criterion) for one in outcomes)
        once = by_task(found, criterion, "pass@k", 1)
        steps = range(1, 1 + min(len(one.runs) for one in found))
        summed[criterion] = {
            **rates(found, criterion),
            "interval": interval(once),
            "pooled": {
                rate: [pooled(passes, len(outcomes), k)[rate] for k in steps] for rate in RATES
            },
        }
    written = [
        one.model_dump(mode="json", exclude={"attributes": {"conversation"}}) for one in outcomes
    ]
    for one, outcome in zip(written, outcomes, strict=True):
        one |= {"passed": outcome.passed, "outcome": outcome.word}
    return {"criteria": summed, "scores": scores(found), "outcomes": written}


def scores(found: Sequence[Task]) -> dict[str, float]:
    """Return the mean over tasks of each score, 0 for what broke."""
    names = dict.fromkeys(name for one in found for run in one.runs for name in run.scores)
    values = {name: [one.score(name) for one in found] for name in names}
    known = {name: [one for one in each if one is not None] for name, each in values.items()}
    return {name: sum(each) / len(each) for name, each in known.items()}


def checks(found: Sequence[Task]) -> dict[str, tuple[int, int, list[float]]]:
    """Return for each of several checks: trials, successes, and the share of each task."""
    names = dict.fromkeys(name for one in found for run in one.runs for name in run.checks)
    told: dict[str, tuple[int, int, list[float]]] = {}
    for name in names if len(names) > 1 else ():
        having = [one for one in found if any(name in run.checks for run in one.runs)]
        runs = [run for one in having for run in one.runs]
        passes = sum(run.checks.get(name, False) for run in runs)
        told[name] = len(runs), passes, [one.score(name) or 0.0 for one in having]
    return told


def lines(results: Results) -> Iterator[str]:
    """Return tables of all sets."""
    for place, (name, outcomes) in enumerate(results.shown.items()):
        yield from [""] * bool(place)
        if name in results.sets:
            yield from [*_table(tasks(outcomes)), ""]
        counted = Counter(one.word for one in outcomes)
        counted.pop("broken", None)
        words = ", ".join(f"{count} {word}" for word, count in counted.items())
        broken = sum(bool(one.error) for one in outcomes)
        passed = sum(one.passed for one in outcomes)
        yield (
            f"{results.experiment.model}, {name}: {len(outcomes) - broken} answers"
            f"{words and ': '}{words}; {passed} passed; {broken} broken"
        )
        yield from _rates(outcomes)


def _table(found: Sequence[Task]) -> Iterator[str]:
    spent = any("requests" in run.metrics for one in found for run in one.runs)
    shown = list(scores(found))
    costs = f" {'requests':>8s} {'calls':>5s} {'tokens':>8s} {'USD':>7s}" if spent else ""
    heads = "".join(f" {name[:8]:>8s}" for name in shown)
    yield f"{'case':{LONG}s} {'topic':13s} {'passed':>6s}{heads}{costs} {'s':>6s}  outcomes"
    for one in found:
        values = "".join(f" {_short(one.score(name), '.3f'):>8s}" for name in shown)
        if spent:
            columns = ("requests", 8, ".1f"), ("calls", 5, ".1f"), ("tokens", 8, ".0f")
            for cost, wide, form in (*columns, ("cost_USD", 7, ".4f")):
                values += f" {_short(one.mean(cost), form):>{wide}s}"
        seconds = sum(run.seconds for run in one.runs) / len(one.runs)
        yield (
            f"{one.name:{LONG}s} {one.topic:13s} {f'{one.passes}/{len(one.runs)}':>6s}{values}"
            f" {seconds:6.1f}  {_outcomes(one)}"
        )


def _rates(outcomes: Sequence[Outcome]) -> Iterator[str]:
    found = tasks(outcomes)
    for name, value in scores(found).items():
        yield f"{name}: {value:.3f} (mean over tasks, 0 for what broke)"
    for name, (trials, successes, values) in checks(found).items():
        share = f"{with_interval(values)} of {len(values)} tasks"
        yield f"{name}: {successes} of {trials} trials, {share}"
    judged = [run.metrics for one in found for run in one.runs if "judge 2" in run.metrics]
    if judged:
        apart, same, kappa = agreement([(one["judge 1"], one["judge 2"]) for one in judged])
        chance = "" if kappa is None else f", kappa {kappa:.2f}"
        yield f"two judges: {apart:.3f} apart, {same:.0%} of runs alike by 0.90{chance}"
    for criterion in criteria(outcomes):
        once = by_task(found, criterion, "pass@k", 1)
        yield f"{criterion}: {with_interval(once)} of {len(found)} tasks, 95 % over tasks"
        for rate, values in rates(found, criterion).items():
            each = (f"{percent(one, len(found))} (k={k})" for k, one in enumerate(values, 1))
            yield f"{rate}: {', '.join(each)}"
        passes, count = sum(meets(one, criterion) for one in outcomes), len(outcomes)
        if count > len(found):
            each = (
                f"{rate} {percent(value, len(found))}"
                for rate, value in pooled(passes, count, min(3, count)).items()
            )
            yield f"pooled over all runs, as published tables do, k=3: {', '.join(each)}"


def regressions(ours: Results, theirs: Results) -> Iterator[tuple[Task, Task, float]]:
    """Yield the tasks that both have, and by how much more ours passes."""
    for name, outcomes in ours.sets.items():
        others = {one.name: one for one in tasks(theirs.sets.get(name, ()))}
        for one in tasks(outcomes):
            if one.name in others:
                other = others[one.name]
                yield one, other, one.passes / len(one.runs) - other.passes / len(other.runs)


def compared(ours: Results, theirs: Results) -> Iterator[str]:
    """Return what differs from an earlier run."""
    yield f"beside {theirs.experiment.model} ({theirs.experiment.release}):"
    for name, outcomes in ours.sets.items():
        for criterion in criteria(outcomes):
            try:
                pair = tasks(outcomes), tasks(theirs.sets.get(name, ()))
                mean, (low, high), count = paired(*pair, criterion)
            except ValueError as error:
                yield f"{name}: {error}"
                break
            yield (
                f"{name}, {criterion}: {percent(mean, count)} passed more"
                f" ({percent(low, count)} to {percent(high, count)}) over {count} tasks"
            )
    for one, other, apart in regressions(ours, theirs):
        if apart:
            word = "better" if apart > 0 else "WORSE"
            before, now = (f"{each.passes}/{len(each.runs)}" for each in (other, one))
            yield f"{word:6s} {one.cases}: {one.name}: {before} → {now}"


def _outcomes(case: Task) -> str:
    counts = Counter(run.word for run in case.runs)
    if len(case.runs) == 1:
        return "".join(counts)
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _short(value: float | None, form: str) -> str:
    return "?" if value is None else format(value, form)
