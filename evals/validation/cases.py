"""The entries as cases: compute, compare, and write docs/validation.md."""

from __future__ import annotations

import os
import pkgutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic_evals import Case, Dataset, set_eval_attribute
from pydantic_evals.evaluators import Evaluator, EvaluatorContext

from evals.running import Outcome
from evals.sets import Profile
from grafico import Grafico
from triplestore.errors import ComponentError, GraficoError

from . import psi4, table
from .entries import Entry, Verdict
from .laboratory import At, Laboratory


@dataclass(frozen=True)
class Kind:
    """What `--only` knows of an entry."""

    topic: str


@dataclass(repr=False)
class Within(Evaluator[Entry, Verdict, Kind]):
    """The value is as near to the reference as allowed."""

    def evaluate(self, ctx: EvaluatorContext[Entry, Verdict, Kind]) -> dict[str, Any]:
        return {"Within": ctx.output.passed, "outcome": ctx.output.word}


def all_entries() -> list[Entry]:
    """Return the entries of every module here that has some, their kinds in alphabetical order."""
    names = (found.name for found in pkgutil.iter_modules([str(Path(__file__).parent)]))
    modules = (import_module(f"{__package__}.{name}") for name in names)
    every = (entry for one in modules if hasattr(one, "entries") for entry in one.entries())
    return sorted(every, key=lambda entry: entry.kind.casefold())


def title(entry: Entry) -> str:
    """Return what tells an entry from all others, its source too."""
    return f"{entry.name}; {entry.source}"


def dataset(profile: Profile) -> Dataset[Entry, Verdict, Kind]:
    """Return the entries as cases; a profile changes nothing."""
    cases = [Case(name=title(one), inputs=one, metadata=Kind(one.kind)) for one in all_entries()]
    return Dataset(name="validation", cases=cases, evaluators=[Within()])


def task(session: Grafico, model: object = "") -> Callable[[Entry], Verdict]:
    """Return what computes both values of an entry, and says so."""
    os.environ["OMP_NUM_THREADS"] = "1"  # of Psi4 and xtb
    laboratory = Laboratory(session)

    def judged(entry: Entry) -> Verdict:
        verdict = judge(entry, laboratory)
        for name in ("ours", "reference", "problem", "left_out", "remembered"):
            set_eval_attribute(name, getattr(verdict, name))
        set_eval_attribute("progress", _progress(verdict))
        return verdict

    return judged


def judge(entry: Entry, laboratory: Laboratory) -> Verdict:
    """Compute both values of an entry."""
    started, before = time.perf_counter(), laboratory.computed
    ours = reference = None
    problem, left_out = "", False
    try:
        reference = entry.reference() if callable(entry.reference) else entry.reference
        ours = entry.ours(At(laboratory, entry.level))
    except ComponentError as error:
        problem, left_out = str(error), True
    except (GraficoError, AssertionError) as error:
        problem = f"{type(error).__name__}: {error}"
    return Verdict(
        entry,
        ours,
        reference,
        time.perf_counter() - started,
        laboratory.computed == before,
        " ".join(problem.split()),
        left_out,
    )


def conclude(outcomes: Sequence[Outcome], whole: bool) -> tuple[str, bool]:
    """Write the page if every entry was judged; return what to say, and whether all are within."""
    entries = {title(one): one for one in all_entries()}
    verdicts = [
        Verdict(
            entries[one.case],
            said.get("ours"),
            said.get("reference"),
            one.seconds,
            said.get("remembered", False),
            one.error or said.get("problem", ""),
            said.get("left_out", False),
        )
        for one in outcomes
        for said in (one.attributes,)
    ]
    missing = [verdict for verdict in verdicts if verdict.left_out]
    outside = [verdict for verdict in verdicts if not verdict.passed and not verdict.left_out]
    page = "docs/validation.md is left as it is: not every entry was judged"
    if whole and not missing:
        seconds = sum(verdict.seconds for verdict in verdicts)
        table.write(table.document(verdicts, psi4.version(), seconds))
        page = "docs/validation.md is written"
    counted = f"{len(verdicts)} entries: {len(outside)} outside, {len(missing)} left out"
    return f"{counted}; {page}", not outside


def _progress(verdict: Verdict) -> str:
    entry = verdict.entry
    if verdict.problem or verdict.ours is None:
        return ""
    said = f"{entry.text(verdict.ours)} {entry.unit}".rstrip()
    if verdict.deviation is not None:
        said += f" (off by {entry.text(verdict.deviation, '+')}, allowed {entry.allowed:g})"
    return said + (", remembered" if verdict.remembered else "")
