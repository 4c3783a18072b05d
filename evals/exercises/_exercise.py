"""An exercise is put to the agent, and what came of it is gathered."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from pydantic_ai.models import Model
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from evals.asking import talk
from grafico.session.client import Grafico
from ogm import GraphModel, KnowledgeGraph, Link
from ogm.terms import full_iri
from ontologies.factors import HARTREE
from ontologies.provenance import Outcome, Run

from ._numeric import PUBLISHED, STRICT, Aspect, Tolerances, analysis_of, judged, score
from ._references import STRUCTURES, Reference, known, reference
from ._sums import Total, opened

EV = HARTREE["eV"]

RESULT = re.compile(r"g:id/\w+/[\w-]+")
NUMBER = re.compile(r"[-−]?\d+\.\d+")


REPORTS: dict[str, float] = {
    **{"input": 1, "convergence": 1, "reports": 1},
    **{"values": 1, "structures": 1},
}
"""What the rubric for reports weighs."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Exercise(_Strict):
    """What is asked.

    Attributes:
        text: the question.
        files: structures that lie in the folder of the conversation, by their names here.
        comment: what stands behind the comments of the files.
    """

    text: str = Field(min_length=1)
    files: tuple[str, ...] = ()
    comment: str = ""


class Wanted(_Strict):
    """What a right answer comes to.

    Attributes:
        topic: the exercise.
        level: 1 or 2, as the article has them.
        molecules: which have to be there, by the names of their references.
        results: what they come to together.
        rubric: parts of the rubric, see `PARTS`, and how much each weighs.
        judged: what only a judge can tell, in words by name.
    """

    topic: str
    level: int
    molecules: tuple[str, ...]
    results: tuple[Total, ...] = ()
    rubric: dict[str, float] = REPORTS
    judged: dict[str, str] = {}


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
        for one in known(topic)
        if one["profile"] == profile
    ]
    return Dataset(
        name=topic, cases=cases, evaluators=[Numeric(), Rubric(), Supported(), Referenced()]
    )


def task(session: Grafico, model: Model[Any] | str) -> Callable[[Exercise], Done]:
    """Return what puts an exercise to an agent, in a conversation and a folder of its own."""

    def ask(exercise: Exercise) -> Done:
        with tempfile.TemporaryDirectory(prefix="grafico-exercise-") as place:
            folder = Path(place)
            for name in exercise.files:
                lines = (STRUCTURES / f"{name}.xyz").read_text("utf-8").splitlines()
                lines[1] += f" {exercise.comment}" * bool(exercise.comment)
                (folder / f"{name}.xyz").write_text("\n".join([*lines, ""]), "utf-8")
            talked = talk(session, model, [exercise.text], folder)
            reply = talked.replies[-1]
            made = [folder / name for name in reply.files if (folder / name).is_file()]
            pages = [one.read_text("utf-8", "replace") for one in made]
        told = (session.kg.pull(GraphModel, full_iri(iri)) for iri in _told(talked.messages))
        pulled = [each for one in told for each in came_of(one, session.kg)]
        return Done(reply.text, opened(pulled, session.kg), pages, talked.unsourced)

    return ask


def _told(messages: str) -> list[str]:
    """Return the names of results that tools told of, each once, where it was told last."""
    parts = (part for one in json.loads(messages) for part in one["parts"])
    replies = (json.dumps(one) for one in parts if one["part_kind"] == "tool-return")
    named = [iri for one in replies for iri in RESULT.findall(one)]
    return list(dict.fromkeys(reversed(named)))[::-1]


def came_of(one: GraphModel, kg: KnowledgeGraph) -> Iterator[GraphModel]:
    """Yield a result; of a run all results, with those of the runs that are its parts."""
    if not isinstance(one, Run):
        yield one
        return
    for part in kg.find(Run, parent=Link[Run](one.iri)):
        yield from came_of(part, kg)
    for end in kg.find(Outcome, run=Link[Run](one.iri)):
        yield from (link.load(kg) for link in end.results)


def references(wanted: Wanted) -> list[Reference]:
    """Return the references of a case."""
    return [reference(name) for name in wanted.molecules]


def _aspects(done: Done, wanted: Wanted, tolerances: Tolerances) -> list[Aspect]:
    """Return what is looked at of molecules, and of what they come to."""
    found = judged(done.objects, references(wanted), tolerances)
    return [*found, *(a for one in wanted.results for a in one.judged(done.objects, tolerances))]


def right(done: Done, wanted: Wanted) -> bool:
    """Tell whether all is right as the article has it."""
    return score(_aspects(done, wanted, PUBLISHED)) == 1


@dataclass(repr=False)
class Numeric(Evaluator[Exercise, Done, Wanted]):
    """The share of right aspects: `numeric` as the article has it, `strict` more narrowly."""

    def evaluate(self, ctx: Context) -> Mapping[str, EvaluationReason]:
        assert ctx.metadata is not None
        found = {
            name: _aspects(ctx.output, ctx.metadata, tolerances)
            for name, tolerances in (("numeric", PUBLISHED), ("strict", STRICT))
        }
        return {name: EvaluationReason(score(one), _wrong(one)) for name, one in found.items()}


Part: TypeAlias = Callable[[Done, Wanted, Sequence[Aspect]], float | None]


def _share(aspects: Sequence[Aspect]) -> float | None:
    """Return the share of aspects that are right; None of nothing."""
    return score(aspects) if aspects else None


def _of(*names: str) -> Part:
    return lambda _, __, aspects: _share([one for one in aspects if one.name in names])


def _each(charged: bool) -> Part:
    """Return the share of molecules, or of ions, of which all is right."""

    def part(done: Done, wanted: Wanted, aspects: Sequence[Aspect]) -> float:
        kind = [one for one in references(wanted) if bool(one.charge) is charged]
        return sum(score(judged(done.objects, [one], PUBLISHED)) == 1 for one in kind) / len(kind)

    return part


def _results(done: Done, wanted: Wanted, aspects: Sequence[Aspect]) -> float | None:
    return _share([a for one in wanted.results for a in one.judged(done.objects, PUBLISHED)])


def _answer(done: Done, wanted: Wanted, aspects: Sequence[Aspect]) -> float | None:
    """Return the share of results that the answer or a file has."""
    text = "\n".join([done.text, *done.pages])
    numbers = [float(one.replace("−", "-")) for one in NUMBER.findall(text)]
    there = [one.written(value, numbers) for one in wanted.results for value in one.known]
    return sum(there) / len(there) if there else None


def _reports(done: Done, wanted: Wanted, aspects: Sequence[Aspect]) -> float:
    every = [_report(done, one) for one in references(wanted)]
    return sum(there for there, _ in every) / len(every)


def _values(done: Done, wanted: Wanted, aspects: Sequence[Aspect]) -> float:
    every = [_report(done, one) for one in references(wanted)]
    return sum(whole for _, whole in every) / len(every)


PARTS: Mapping[str, Part] = {
    "input": _of("level", "state"),
    "convergence": _of("converged", "no imaginary mode"),
    "structures": _of("structure"),
    "energies": _of("enthalpy", "Gibbs energy"),
    "neutral": _each(charged=False),
    "ions": _each(charged=True),
    "results": _results,
    "reports": _reports,
    "values": _values,
    "answer": _answer,
}
"""Parts of rubrics that need no judge, each from 0 to 1."""


def decided(done: Done, wanted: Wanted) -> tuple[dict[str, float], dict[str, float]]:
    """Return what the parts of the rubric weigh that can be decided here, and their values."""
    aspects = _aspects(done, wanted, PUBLISHED)
    every = {name: PARTS[name](done, wanted, aspects) for name in wanted.rubric}
    parts = {name: part for name, part in every.items() if part is not None}
    return {name: wanted.rubric[name] for name in parts}, parts


@dataclass(repr=False)
class Rubric(Evaluator[Exercise, Done, Wanted]):
    """The rubric of an exercise, as far as no judge is needed."""

    def evaluate(self, ctx: Context) -> Mapping[str, EvaluationReason]:
        assert ctx.metadata is not None
        weights, parts = decided(ctx.output, ctx.metadata)
        lacking = ", ".join(f"{name} {part:.0%}" for name, part in parts.items() if part < 1)
        whole = sum(weights[name] * part for name, part in parts.items()) / sum(weights.values())
        return {"rubric": EvaluationReason(whole, lacking or None)}


@dataclass(repr=False)
class Supported(Evaluator[Exercise, Done, Wanted]):
    """Every number of the answer was given by a tool or by the question."""

    def evaluate(self, ctx: Context) -> Mapping[str, EvaluationReason]:
        bare = ", ".join(ctx.output.unsourced)
        return {"supported": EvaluationReason(not bare, f"no source has {bare}" if bare else None)}


@dataclass(repr=False)
class Referenced(Evaluator[Exercise, Done, Wanted]):
    """Every value has been found by another program; without that, nothing passes."""

    def evaluate(self, ctx: Context) -> Mapping[str, EvaluationReason]:
        assert ctx.metadata is not None
        lacking = [name for name in ctx.metadata.molecules if not reference(name).source]
        told = f"no program has been asked yet for {', '.join(lacking)}"
        return {"referenced": EvaluationReason(False, told)} if lacking else {}


def _report(done: Done, wanted: Reference) -> tuple[bool, bool]:
    """Tell whether a page has the energy of a molecule, and whether it has all that was asked for.

    That is the gap (in Eh or eV), the dipole moment, the charges by Mulliken and the point group,
    as the object has them.
    """
    found = analysis_of(done.objects, wanted.atoms)
    if found is None or found.gap is None:
        return False, False
    asked = [(1e-3, one) for one in np.abs(found.mulliken_charges)]
    if not wanted.charge:
        asked.append((1e-2, float(np.linalg.norm(found.dipole))))
    there = False
    for page in done.pages:
        numbers = np.array([abs(float(one.replace("−", "-"))) for one in NUMBER.findall(page)])
        close = [bool((abs(numbers - one) <= within).any()) for within, one in asked]
        gap = (abs(numbers - found.gap) <= 1e-4) | (abs(numbers - found.gap * EV) <= 1e-2)
        if not (abs(numbers - abs(found.energy)) <= 1e-4).any():
            continue
        there = True
        group = re.search(rf"\b{re.escape(found.point_group)}\b", page)
        if all(close) and gap.any() and group:
            return True, True
    return there, False


def _wrong(aspects: Sequence[Aspect]) -> str | None:
    told = [f"{one.molecule}: {one.name}: {one.wrong}" for one in aspects if one.wrong]
    return "; ".join(told) or None
