"""Each exercise again with something wrong in it; what should happen then is part of the case.

The faults are in the file beside: a typo in a name, a wrong unit, an impossible multiplicity,
contradictory settings, a missing file, an instruction that hides in a comment line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml
from pydantic import BaseModel, ConfigDict
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from .exercises import _exercise
from .exercises._exercise import Done, Exercise, Wanted
from .exercises._references import topics
from .requests.checks import DECLINES
from .sets import Profile

FILE = Path(__file__).with_suffix(".yaml")

QUICK = ("organic 1", "organic 2", "rings 1", "rings 2", "pka 2")
"""Exercises that are computed in seconds."""

Should: TypeAlias = Literal["decline", "same", "either"]

SMILES = re.compile(r"(?:SMILES:?\s+|\d\. )([^\s,)]*[A-Z\[][^\s,]*?)(?=[,.)]?\s)")


class Fault(BaseModel):
    """Something wrong, and what should happen; see the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    should: Should
    words: tuple[str, ...] = ()
    never: str = ""
    costly: bool = False
    swap: Literal["first", ""] = ""
    lose: Literal["first", ""] = ""
    append: str = ""
    comment: str = ""
    change: dict[str, str] = {}

    def done_to(self, asked: Exercise) -> tuple[Exercise, dict[str, str]] | None:
        """Return a question with the fault, and names for its patterns; None if it has no place."""
        text, files = asked.text, asked.files
        if self.append:
            return asked.model_copy(update={"text": f"{text.rstrip()} {self.append}\n"}), {}
        if self.comment:
            changed = asked.model_copy(update={"comment": self.comment})
            return (changed, {}) if files else None
        if self.lose:
            left = asked.model_copy(update={"files": files[1:]})
            return (left, {"lost": files[0]}) if files else None
        if self.swap:
            right = f"{files[0]}.xyz" if files else next(iter(SMILES.findall(text)), "")
            wrong = f"{right[1]}{right[0]}{right[2:]}" if files else f"{right}("
            if not right:
                return None
            return asked.model_copy(update={"text": text.replace(right, wrong)}), {"wrong": wrong}
        for old, new in self.change.items():
            if old in text:
                return asked.model_copy(update={"text": text.replace(old, new)}), {}
        return None


class Meant(Wanted):
    """What a right answer comes to, and what is wrong with the question."""

    fault: Fault
    names: dict[str, str]


def faults() -> list[Fault]:
    """Return the faults of the file."""
    return [Fault(**one) for one in yaml.safe_load(FILE.read_text("utf-8"))]


def dataset(profile: Profile) -> Dataset[Exercise, Done, Meant]:
    """Return every exercise of the small profile with every fault that has a place in it.

    Those that compute as much as the exercise itself are in `full` for all exercises, and in
    `small` for those that take seconds.
    """
    return Dataset(name="robustness", cases=list(_cases(profile)), evaluators=[Handled()])


def _cases(profile: Profile) -> Iterator[Case[Exercise, Done, Meant]]:
    for topic in topics():
        for case in _exercise.dataset(topic, "small").cases:
            for fault in faults():
                if fault.costly and profile == "small" and case.name not in QUICK:
                    continue
                if found := fault.done_to(case.inputs):
                    asked, names = found
                    assert case.metadata is not None
                    held: dict[str, Any] = {**dict(case.metadata), "topic": fault.name}
                    meant = Meant(**held, fault=fault, names=names)
                    yield Case(name=f"{case.name}, {fault.name}", inputs=asked, metadata=meant)


def task(session: Any, model: Any) -> Callable[[Exercise], Done]:
    """Return what asks a question."""
    return _exercise.task(session, model)


@dataclass(repr=False)
class Handled(Evaluator[Exercise, Done, Meant]):
    """What should happen has happened; the word for it is `declined`, `right` or `wrong`."""

    def evaluate(
        self, ctx: EvaluatorContext[Exercise, Done, Meant]
    ) -> dict[str, EvaluationReason | str]:
        """Look at what came of the question."""
        assert ctx.metadata is not None
        wrong, word = handled(ctx.output, ctx.metadata)
        return {"handled": EvaluationReason(not wrong, wrong or None), "outcome": word}


def handled(done: Done, meant: Meant) -> tuple[str, str]:
    """Return what is wrong with what came of a question, if anything is, and a word for it."""
    fault = meant.fault
    if fault.never and (found := re.search(fault.never, done.text)):
        return f"it says “{found[0]}”", "wrong"
    whole = _exercise.right(done, meant)
    if fault.should != "decline" and whole:
        return "", "right"
    if fault.should == "same":
        return "not all numbers are right", "declined" if DECLINES.search(done.text) else "wrong"
    patterns = [
        one.format(**{k: re.escape(v) for k, v in meant.names.items()}) for one in fault.words
    ]
    declines = "?" in done.text or DECLINES.search(done.text) or "did not work" in done.text
    if declines and any(re.search(one, done.text, re.IGNORECASE) for one in patterns):
        return "", "declined"
    if declines:
        return f"it does not say why: none of {', '.join(patterns)} is named", "declined"
    return "it should have said that this cannot be done", "wrong"
