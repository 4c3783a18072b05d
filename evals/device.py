"""Benchmarks of paths, states and outputs, shown on the microwave synthesizer.

A path: were permitted commands given, with permitted arguments, in a permitted order. A state: does
the device stand as it was to. An output: has the answer the form that was wanted. The first two are
read from what the graph recorded, never from words; what is expected is in the file beside. Each
run has a device of its own, so that runs are independent trials.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from ontologies.laboratory import HeatingParameters, SynthesizerCommand, SynthesizerState

from .asking import talk
from .running import session_for
from .sets import Profile

FILE = Path(__file__).with_suffix(".yaml")

SETTINGS = tuple(HeatingParameters.model_fields)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PermittedPath(_Strict):
    """Which transitions may be taken.

    Attributes:
        steps: each as often as it stands here, with its arguments, which are compared by value.
        order: pairs of names; no step of the first name stands behind all of the second.
    """

    steps: tuple[dict[str, Any], ...]
    order: tuple[tuple[str, str], ...] = ()

    def wrong(self, taken: Sequence[Mapping[str, Any]]) -> str:
        """Return what is wrong with a path; empty for nothing."""
        left = [dict(one) for one in self.steps]
        for step in taken:
            if dict(step) not in left:
                return f"{_said(step)} is not permitted, or too often"
            left.remove(dict(step))
        if left:
            return f"{', '.join(map(_said, left))} is missing"
        names = [str(one["name"]) for one in taken]
        late = next((p for p in self.order if names.index(p[0]) > _last(names, p[1])), None)
        return f"{late[1]} before {late[0]}" if late else ""


class Wanted(_Strict):
    """What has to come of a question; None for what is not looked at."""

    topic: str = "device"
    path: PermittedPath | None = None
    state: dict[str, Any] | None = None
    output: str | None = None


class Asked(_Strict):
    """What is asked, in one conversation."""

    text: tuple[str, ...]


@dataclass(frozen=True)
class Trace:
    """What came of a question.

    Attributes:
        path: the transitions that were taken, in order, each a name with its arguments.
        state: where it ended; empty where nothing was done.
        text: the last answer.
    """

    path: Sequence[Mapping[str, Any]]
    state: Mapping[str, Any]
    text: str


def dataset(profile: Profile) -> Dataset[Asked, Trace, Wanted]:
    """Return the cases; a profile changes nothing."""
    cases = [
        Case(name=one.pop("name"), inputs=Asked(text=one.pop("asks")), metadata=Wanted(**one))
        for one in yaml.safe_load(FILE.read_text("utf-8"))
    ]
    return Dataset(name="device", cases=cases, evaluators=[Taken(), Reached(), Told()])


def task(session: Any, model: Any) -> Callable[[Asked], Trace]:
    """Return what asks in a conversation and a store of its own, of a person who agrees."""

    def ask(asked: Asked) -> Trace:
        with session_for("memory:") as own:
            done = talk(own, model, asked.text, approve=lambda _: True)
            commands = [one for one in own.kg.find(SynthesizerCommand) if not one.refusal]
            states = sorted(own.kg.find(SynthesizerState), key=lambda one: one.step)
        path = [_step(one) for one in sorted(commands, key=lambda one: one.given)]
        return Trace(path, _state(states[-1]) if states else {}, done.replies[-1].text)

    return ask


def _step(one: SynthesizerCommand) -> dict[str, Any]:
    found: dict[str, Any] = {"name": one.name}
    if one.vial is not None:
        found["vial"] = one.vial
    return found | _set(one.parameters)


def _state(one: SynthesizerState) -> dict[str, Any]:
    names = ("lid_open", "vial", "heated")
    return {name: getattr(one, name) for name in names} | _set(one.parameters)


def _set(values: HeatingParameters | None) -> dict[str, Any]:
    found = {name: getattr(values, name, None) for name in SETTINGS}
    return {name: value for name, value in found.items() if value is not None}


def _last(names: Sequence[str], name: str) -> int:
    return len(names) - 1 - [*reversed(names)].index(name)


def _said(step: Mapping[str, Any]) -> str:
    return f"{step['name']}({', '.join(f'{k}={v}' for k, v in step.items() if k != 'name')})"


Context = EvaluatorContext[Asked, Trace, Wanted]


def _held(name: str, wrong: str) -> dict[str, EvaluationReason]:
    return {name: EvaluationReason(not wrong, f"{name}: {wrong}" if wrong else None)}


@dataclass(repr=False)
class Taken(Evaluator[Asked, Trace, Wanted]):
    """A permitted path was taken."""

    def evaluate(self, ctx: Context) -> dict[str, EvaluationReason]:
        """Compare by value."""
        wanted = ctx.metadata.path if ctx.metadata else None
        return _held("path", wanted.wrong(ctx.output.path)) if wanted else {}


@dataclass(repr=False)
class Reached(Evaluator[Asked, Trace, Wanted]):
    """A final state was reached, as far as it is given."""

    def evaluate(self, ctx: Context) -> dict[str, EvaluationReason]:
        """Compare by value."""
        wanted = ctx.metadata.state if ctx.metadata else None
        if wanted is None:
            return {}
        other = [n for n, v in wanted.items() if ctx.output.state.get(n, "not there") != v]
        told = (f"{n} is {ctx.output.state.get(n, 'not there')}, not {wanted[n]}" for n in other)
        return _held("state", ", ".join(told))


@dataclass(repr=False)
class Told(Evaluator[Asked, Trace, Wanted]):
    """The answer has what it was to have: a pattern."""

    def evaluate(self, ctx: Context) -> dict[str, EvaluationReason]:
        """Search the answer."""
        wanted = ctx.metadata.output if ctx.metadata else None
        if wanted is None:
            return {}
        there = re.search(wanted, ctx.output.text, re.IGNORECASE)
        return _held("output", "" if there else f"nothing in the answer is like {wanted}")
