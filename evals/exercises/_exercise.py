"""An exercise is put to the agent, and what came of it is gathered."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field
from pydantic_ai.models import Model
from pydantic_evals import Case, Dataset, set_eval_attribute
from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from grafico.agent import Agent
from grafico.session.client import Grafico
from ogm import GraphModel
from ogm.terms import full_iri

from ._numeric import PUBLISHED, STRICT, Aspect, judged, score
from ._references import STRUCTURES, Reference, reference

CASES = Path(__file__).with_name("cases.yaml")
RESULT = re.compile(r"g:id/\w+/[\w-]+")
DIGITS = 4
"""Decimals of an energy that a report has to have."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Exercise(_Strict):
    """What is asked.

    Attributes:
        text: the question.
        files: structures that lie in the folder of the conversation, by their names here.
    """

    text: str = Field(min_length=1)
    files: tuple[str, ...] = ()


class Wanted(_Strict):
    """What a right answer comes to.

    Attributes:
        topic: the exercise.
        level: 1 or 2, as the article has them.
        molecules: which have to be there, by the names of their references.
    """

    topic: str
    level: int
    molecules: tuple[str, ...]


@dataclass(frozen=True)
class Done:
    """What came of it.

    Attributes:
        text: the answer.
        objects: results that tools told of, in order.
        pages: texts of the files that were made.
        unsourced: numbers of the answer that no tool gave.
    """

    text: str
    objects: Sequence[GraphModel]
    pages: Sequence[str]
    unsourced: Sequence[str]


Cases: TypeAlias = Dataset[Exercise, Done, Wanted]
Context: TypeAlias = EvaluatorContext[Exercise, Done, Wanted]


def dataset(topic: str, profile: str) -> Cases:
    """Return the cases of an exercise."""
    cases = [
        Case(name=one["name"], inputs=Exercise(**one["inputs"]), metadata=Wanted(**one["metadata"]))
        for one in _known()
        if one["metadata"]["topic"] == topic and one["profile"] == profile
    ]
    return Dataset(name=topic, cases=cases, evaluators=[Numeric(), Rubric(), Supported()])


def task(session: Grafico, model: Model[Any] | str) -> Callable[[Exercise], Done]:
    """Return what puts an exercise to an agent, in a conversation and a folder of its own."""

    def ask(exercise: Exercise) -> Done:
        with tempfile.TemporaryDirectory(prefix="grafico-exercise-") as place:
            folder = Path(place)
            for name in exercise.files:
                shutil.copy(STRUCTURES / f"{name}.xyz", folder)
            with Agent(model, session=session, folder=folder) as agent:
                reply = agent.ask(exercise.text)
                messages = agent.messages
            set_eval_attribute("conversation", messages)
            made = [folder / name for name in reply.files if (folder / name).is_file()]
            pages = [one.read_text("utf-8", "replace") for one in made]
        named = dict.fromkeys(RESULT.findall(str(messages)))
        pulled = [session.kg.pull(GraphModel, full_iri(iri)) for iri in named]
        bare = [f"{one.text} {one.unit}".rstrip() for one in reply.unsourced]
        return Done(reply.text, pulled, pages, bare)

    return ask


def references(wanted: Wanted) -> list[Reference]:
    """Return the references of a case."""
    return [reference(name) for name in wanted.molecules]


@dataclass(repr=False)
class Numeric(Evaluator[Exercise, Done, Wanted]):
    """The share of right aspects: `numeric` as the article has it, `strict` more narrowly."""

    def evaluate(self, ctx: Context) -> Mapping[str, EvaluationReason]:
        assert ctx.metadata is not None
        wanted = references(ctx.metadata)
        found = {
            name: judged(ctx.output.objects, wanted, tolerances)
            for name, tolerances in (("numeric", PUBLISHED), ("strict", STRICT))
        }
        return {name: EvaluationReason(score(one), _wrong(one)) for name, one in found.items()}


@dataclass(repr=False)
class Rubric(Evaluator[Exercise, Done, Wanted]):
    """The rubric for reports, as far as no judge is needed: five parts of 20 %.

    Inputs (level, charge, multiplicity), convergence, a report for each molecule, its values in
    that report, and the structure.
    """

    def evaluate(self, ctx: Context) -> Mapping[str, EvaluationReason]:
        assert ctx.metadata is not None
        wanted = references(ctx.metadata)
        aspects = judged(ctx.output.objects, wanted, PUBLISHED)
        reports = [_report(ctx.output.pages, one) for one in wanted]
        parts = {
            "input": score([one for one in aspects if one.name in ("level", "state")]),
            "convergence": score([one for one in aspects if one.name == "converged"]),
            "reports": sum(bool(page) for page in reports) / len(wanted),
            "values": sum(
                one.point_group in page for page, one in zip(reports, wanted, strict=True)
            )
            / len(wanted),
            "structures": score([one for one in aspects if one.name == "structure"]),
        }
        lacking = ", ".join(f"{name} {part:.0%}" for name, part in parts.items() if part < 1)
        whole = sum(parts.values()) / len(parts)
        return {"rubric": EvaluationReason(whole, lacking or None)}


@dataclass(repr=False)
class Supported(Evaluator[Exercise, Done, Wanted]):
    """Every number of the answer was given by a tool or by the question."""

    def evaluate(self, ctx: Context) -> Mapping[str, EvaluationReason]:
        bare = ", ".join(ctx.output.unsourced)
        return {"supported": EvaluationReason(not bare, f"no source has {bare}" if bare else None)}


def _report(pages: Sequence[str], wanted: Reference) -> str:
    """Return the page that has a molecule's energy; empty if there is none."""
    energy = str(wanted.energy).partition(".")
    start = f"{energy[0]}.{energy[2][: DIGITS - 1]}".lstrip("-")
    return next((page for page in pages if start in page), "")


def _wrong(aspects: Sequence[Aspect]) -> str | None:
    told = [f"{one.molecule}: {one.name}: {one.wrong}" for one in aspects if one.wrong]
    return "; ".join(told) or None


@cache
def _known() -> Sequence[Mapping[str, Any]]:
    return cast("Sequence[Mapping[str, Any]]", yaml.safe_load(CASES.read_text("utf-8")))
