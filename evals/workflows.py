"""A case for every workflow that there is, beside what another program or the literature has."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from ogm.terms import full_iri
from ontologies.provenance import Run

from .exercises._exercise import came_of
from .running import ROOT
from .sets import Profile

FILE = Path(__file__).with_suffix(".yaml")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Expected(_Strict):
    """What has to come out, and who says so."""

    way: str
    value: float | str
    within: float = 0.0
    source: str
    topic: str = "workflows"


class Call(_Strict):
    """A workflow with its subject, which is text or a file.

    Attributes:
        workflow: its name in the catalogue.
        subject: what it is about; None for nothing, or for the file.
        file: text of a file that is its subject; empty for none.
        suffix: of that file.
        arguments: its own, and those of calculations.
        elsewhere: the set of cases that has it in place of this one.
    """

    workflow: str
    subject: str | None = None
    file: str = ""
    suffix: str = "xyz"
    arguments: dict[str, Any] = {}
    elsewhere: str = ""


@dataclass(frozen=True)
class Made:
    """What a workflow made, each before what it is in."""

    objects: list[Any]


def all_calls() -> dict[str, tuple[Call, Expected | None]]:
    """Return what the file has, by the name of the workflow."""
    found: dict[str, tuple[Call, Expected | None]] = {}
    for one in yaml.safe_load(FILE.read_text("utf-8")):
        name, expected = one.pop("name"), one.pop("expect", None)
        found[name] = Call(workflow=name, **one), expected and Expected(**expected)
    return found


def dataset(profile: Profile) -> Dataset[Call, Made, Expected]:
    """Return the cases; a profile changes nothing."""
    cases = [
        Case(name=name, inputs=call, metadata=expected)
        for name, (call, expected) in all_calls().items()
        if expected
    ]
    return Dataset(name="workflows", cases=cases, evaluators=[Found()])


def task(session: Any, model: Any) -> Callable[[Call], Made]:
    """Return what runs a workflow; `{before}` is the run of the case before."""
    before = [""]

    def ran(call: Call) -> Made:
        with tempfile.TemporaryDirectory(prefix="grafico-workflow-") as folder:
            subject: Any = call.subject
            if call.file:
                subject = Path(folder) / f"subject.{call.suffix}"
                subject.write_text(call.file, "utf-8")
            elif subject == "{before}":
                subject = before[0]
            elif subject and (ROOT / subject).is_file():
                subject = ROOT / subject
            done = session.run(subject, workflow=call.workflow, **call.arguments)
        before[0] = full_iri(done.run)
        return Made([*came_of(session.kg.pull(Run, before[0]), session.kg)])

    return ran


@dataclass(repr=False)
class Found(Evaluator[Call, Made, Expected]):
    """The value is there, as near as allowed."""

    def evaluate(self, ctx: EvaluatorContext[Call, Made, Expected]) -> dict[str, EvaluationReason]:
        """Compare the value, or a difference of two."""
        wanted = ctx.metadata
        assert wanted is not None
        found = [along(ctx.output.objects, one) for one in wanted.way.split(" - ")]
        value = found[0] if len(found) == 1 else found[0] - found[1]
        if isinstance(wanted.value, str):
            close = value == wanted.value
        else:
            close = math.isclose(value, wanted.value, rel_tol=0, abs_tol=wanted.within)
        told = None if close else f"{value} for {wanted.value} ({wanted.source})"
        return {"right": EvaluationReason(close, told)}


def along(objects: list[Any], way: str) -> Any:
    """Return a value of the last object of a class.

    Raises:
        LookupError: there is no such object.
    """
    kind, *steps = way.split(".")
    found: Any = next((one for one in reversed(objects) if type(one).__name__ == kind), None)
    if found is None:
        there = ", ".join(sorted({type(one).__name__ for one in objects})) or "nothing"
        raise LookupError(f"no {kind} was made; there is {there}")
    for step in steps:
        found = found[int(step)] if step.isdigit() else getattr(found, step)
    return found
