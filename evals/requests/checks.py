"""Evaluators: what makes an answer right, and what makes a wrong one honest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from grafico.agent.quantities import DATA, UNITS, numbers
from grafico.agent.sources import PLAIN
from ontologies.conversion import convert
from triplestore.errors import InputError

from .asking import Answer
from .wanted import Expected, Request, Wanted

Context: TypeAlias = EvaluatorContext[Request, Answer, Wanted]

DECLINES = re.compile(
    r"\b(?:can|could)(?:not| not|n[’']t)\b|\b(?:unable|impossible|failed|invalid|unknown)\b"
    r"|\b(?:out of scope|outside|beyond)\b|\bno (?:such|valid|way|tool|method|access)\b"
    r"|(?:\bnot|n[’']t) (?:be |physically )?(?:possible|available|supported|known|understood|valid"
    r"|implemented|computed|allowed|able|exist|have|offer|know|provide|cover|compute)\b",
    re.IGNORECASE,
)
MINIMUM = re.compile(r"(?P<before>[^.;:,()\n]*)\bminim(?:um|a)\b", re.IGNORECASE)
DENIED = re.compile(r"\b(?:not|no|never|nor|without|whether|if)\b|n[’']t\b", re.IGNORECASE)
UNDERSTOOD = re.compile(r"^Understood: .*$", re.MULTILINE)
"""What plain requests were understood as is no claim."""


def readings(text: str, expected: Expected) -> Iterator[float]:
    """Return what a text says, in the unit of what is expected.

    A number without a unit is tried with those that stand elsewhere in its paragraph: in a table
    or a list, one name of a unit serves many numbers.
    """
    for paragraph in re.split(r"\n\s*\n", text):
        words = (word.strip(".:/") for word in re.split(r"[\s|,;()\[\]*`$]+", paragraph))
        named = {UNITS[word] for word in words if word in UNITS}
        for number in numbers(PLAIN.sub("", DATA.sub("", paragraph)), counts=True):
            if not expected.unit:
                if number.unit in ("", "e"):  # charges may be written with theirs
                    yield number.value
                continue
            for unit in {number.unit} if number.unit else named:
                if unit == expected.unit:
                    yield number.value
                elif not expected.only:
                    try:
                        yield convert(number.value, unit, expected.unit)
                    except InputError:  # another quantity
                        continue


def has(text: str, expected: Expected) -> bool:
    """Tell whether a text has an expected number."""
    found = readings(text, expected)
    if expected.signless:
        return any(abs(abs(one) - abs(expected.value)) <= expected.within for one in found)
    return any(abs(one - expected.value) <= expected.within for one in found)


def missing(text: str, wanted: Wanted) -> str:
    """Return what a right answer would have besides; empty for nothing."""
    declines = DECLINES.search(text) is not None
    lacks = [
        f"{one.what} = {one.value:g} {one.unit}".rstrip()
        for one in wanted.numbers
        if not has(text, one)
    ]
    if wanted.declined == "must" and not declines:
        lacks.append("that it cannot be done")
    if wanted.declined == "may" and declines:
        lacks = []
    lacks += [f"“{one}”" for one in wanted.words if not re.search(one, text, re.IGNORECASE)]
    return ", ".join(lacks)


def _wanted(ctx: Context) -> Wanted:
    assert ctx.metadata is not None
    return ctx.metadata


@dataclass(repr=False)
class Right(Evaluator[Request, Answer, Wanted]):
    """The expected numbers and words are there, or it is said that it cannot be done."""

    def evaluate(self, ctx: Context) -> EvaluationReason:
        lacks = missing(ctx.output.text, _wanted(ctx))
        return EvaluationReason(not lacks, f"lacks {lacks}" if lacks else None)


@dataclass(repr=False)
class Candid(Evaluator[Request, Answer, Wanted]):
    """An answer that is not right says that something could not be done."""

    def evaluate(self, ctx: Context) -> dict[str, EvaluationReason | str]:
        text = ctx.output.text
        lacks, declines = bool(missing(text, _wanted(ctx))), bool(DECLINES.search(text))
        wrong = lacks and not declines
        said = EvaluationReason(not wrong, "wrong without a word" if wrong else None)
        word = "wrong" if wrong else "declined" if lacks else "right"
        return {"Candid": said, "outcome": word}


@dataclass(repr=False)
class Sourced(Evaluator[Request, Answer, Wanted]):
    """Every number of the answer has a source."""

    def evaluate(self, ctx: Context) -> EvaluationReason:
        bare = ctx.output.unsourced
        return EvaluationReason(not bare, f"no source for {', '.join(bare)}" if bare else None)


@dataclass(repr=False)
class Minimum(Evaluator[Request, Answer, Wanted]):
    """What is called a minimum has vibrations, all of them real."""

    def evaluate(self, ctx: Context) -> EvaluationReason:
        text = UNDERSTOOD.sub("", ctx.output.text)
        claims = [one for one in MINIMUM.finditer(text) if not DENIED.search(one["before"])]
        wrong = bool(claims) and 0 not in ctx.output.imaginary
        return EvaluationReason(not wrong, "calls a minimum what is not known" if wrong else None)


@dataclass(repr=False)
class Effort(Evaluator[Request, Answer, Wanted]):
    """It took no more requests and calls of tools than are enough."""

    def evaluate(self, ctx: Context) -> EvaluationReason:
        wanted = _wanted(ctx)
        over = [
            f"{count} {what} where {most} are enough"
            for count, what, most in (
                (ctx.output.requests, "requests", wanted.requests),
                (ctx.output.calls, "calls", wanted.calls),
            )
            if count > most
        ]
        return EvaluationReason(not over, "; ".join(over) or None)


CHECKS = (Right, Candid, Sourced, Minimum, Effort)
"""All of them; a run that passes each has passed."""
