"""Run sets of cases: each outcome is kept when it is there, and what is kept is not run again."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import itertools
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio import to_thread
from pydantic import BaseModel, ConfigDict, TypeAdapter
from pydantic_evals import Case, Dataset
from pydantic_evals.lifecycle import CaseLifecycle
from pydantic_evals.reporting import ReportCase

from grafico.session.client import Grafico
from grafico.session.models import is_transient
from ogm import GraphModel, KnowledgeGraph
from triplestore.errors import ComponentError
from triplestore.release import release

from .spending import spending

ROOT = Path(__file__).parent.parent
CODE = ("triplestore", "ogm", "ontologies", "workflows", "grafico", "evals")
PINNED = (
    "agent_temperature", "agent_effort", "agent_web", "agent_history_tokens",
    "agent_request_limit", "router_model", "online", "method", "basis", "skill_folder",
)  # fmt: skip
"""Settings that change what is measured; they are recorded with every outcome."""

EXACT, JUDGED = 1.0, 0.9
"""What `numeric` and `judge` have to reach for a run to pass; see `evals.rates.CRITERIA`."""

LEFT_OUT = "left out"
"""The outcome of what cannot be done here, for want of a program; it is run again."""

Dump = TypeAdapter(Any).dump_python


class EvalOutcome(GraphModel, identity="event"):
    """How a run of a case came out.

    Attributes:
        experiment: digest of what was pinned: model, settings, profile, code.
        cases: name of the set.
        body: the `Outcome` as JSON.
    """

    experiment: str
    cases: str
    body: str


class Outcome(BaseModel):
    """How a run of a case came out.

    Attributes:
        cases: name of the set.
        case: name of the case.
        topic: a word for cases alike; empty for none.
        level: of the case, 1 or 2; 0 for none.
        digest: of what the case asks and wants, so that a changed one is run again.
        run: which of its repeats, from 1.
        seconds: of the task.
        error: why there is nothing to judge; empty if there is.
        unanswered: whether it broke for want of a provider or a program: it is run again.
        checks: whether each held.
        scores: 0 to 1, by name.
        labels: words, by the name of their evaluator.
        reasons: of checks that do not hold, of a `numeric` below 1, and of evaluators that broke.
        unjudged: evaluators that broke.
        metrics: numbers that the task counted, and what its conversation cost.
        attributes: what else the task said.
    """

    model_config = ConfigDict(frozen=True)

    cases: str
    case: str
    topic: str = ""
    level: int = 0
    digest: str = ""
    run: int = 1
    seconds: float = 0.0
    error: str = ""
    unanswered: bool = False
    checks: dict[str, bool] = {}
    scores: dict[str, float] = {}
    labels: dict[str, str] = {}
    reasons: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    metrics: dict[str, float] = {}
    attributes: dict[str, Any] = {}

    @property
    def broken(self) -> bool:
        """Whether the task or an evaluator raised."""
        return bool(self.error or self.unjudged)

    @property
    def passed(self) -> bool:
        """Whether all checks hold and the scores are those that a pass takes."""
        exact = self.scores.get("numeric", EXACT) >= EXACT
        judged = self.scores.get("judge", JUDGED) >= JUDGED
        return not self.broken and exact and judged and all(self.checks.values())

    @property
    def word(self) -> str:
        """What stands for it."""
        if self.error:
            return "broken"
        return self.labels.get("outcome", "passed" if self.passed else "failed")

    @property
    def why(self) -> str:
        """Why it did not pass; empty if it did."""
        return " ".join((self.error or "; ".join(self.reasons)).split())


@dataclass(frozen=True)
class Experiment:
    """What is held fixed, and is recorded.

    Attributes:
        model: its name.
        profile: `small` or `full`.
        settings: of the session, those that matter.
        code: digest of the sources.
        release: of Grafico.
        tools: that the model is offered, see `evals.controls`.
        judges: models that judge.
    """

    model: str
    profile: str
    settings: dict[str, Any]
    code: str
    release: str
    tools: str = "all"
    judges: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        session: Grafico,
        model: str,
        profile: str,
        tools: str = "all",
        judges: Sequence[str] = (),
    ) -> Experiment:
        """Return what is pinned in a session."""
        chosen = {name: getattr(session.settings, name) for name in PINNED}
        settings = Dump(chosen, mode="json")
        return cls(model, profile, settings, _code(), release(), tools, tuple(judges))

    @property
    def digest(self) -> str:
        """Of all of it."""
        return _digest(vars(self))


class UnansweredError(Exception):
    """A task broke for want of a provider or a program."""


class Kept:
    """The outcomes of an experiment in a store.

    Args:
        kg: where they are.
        experiment: which.
        cases: the set.
    """

    def __init__(self, kg: KnowledgeGraph, experiment: Experiment, cases: str) -> None:
        self._kg, self._experiment, self._cases = kg, experiment.digest, cases

    def all(self) -> list[Outcome]:
        """Return those that are there, without those to be run again."""
        found = self._kg.find(EvalOutcome, experiment=self._experiment, cases=self._cases)
        every = (Outcome.model_validate_json(one.body) for one in found)
        return [one for one in every if not one.unanswered]

    def add(self, outcome: Outcome) -> None:
        """Keep one more."""
        body = outcome.model_dump_json()
        held = EvalOutcome(experiment=self._experiment, cases=self._cases, body=body)
        self._kg.push(held, durable=False)


def session_for(store: str | Path, *, own_skills: bool = False, web: bool = False) -> Grafico:
    """Return a session that asks nobody outside of this machine but the model.

    Args:
        store: of results.
        own_skills: whether skills count that a person, or an agent, has written.
        web: whether the web may be searched, where the settings let it.
    """
    session = Grafico(store, threads_per_calculation=1, trace="off")
    quiet: dict[str, Any] = {"online": False, "router_model": ""}
    quiet |= {} if own_skills else {"skill_folder": ""}
    quiet |= {} if web else {"agent_web": False}
    session.settings = session.settings.model_copy(update=quiet)
    return session


def say(text: str) -> None:
    """Tell how it goes, beside what is printed."""
    print(text, file=sys.stderr, flush=True)


def run(
    cases: Dataset[Any, Any, Any],
    task: Callable[[Any], Any],
    kept: Kept,
    *,
    name: str = "",
    repeat: int = 1,
    at_once: int = 1,
) -> list[Outcome]:
    """Run every case so many times, leaving out what is kept; return all outcomes in order.

    No task is run again by itself: requests that a provider did not answer are repeated where
    they are made (`grafico.agent`), so that all else that breaks is a result.

    Args:
        cases: with their evaluators.
        task: what is done with the inputs of a case.
        kept: where outcomes are kept as they come.
        name: of the set; that of the dataset if empty.
        repeat: how often each case is run.
        at_once: how many are run side by side.
    """
    there = {(one.case, one.digest, one.run): one for one in kept.all()}
    places = {
        f"{case.name} [{time}/{repeat}]" if repeat > 1 else str(case.name): (
            case, (str(case.name), _asked(case), time),
        )
        for case in cases.cases
        for time in range(1, repeat + 1)
    }  # fmt: skip
    left = {shown: one for shown, one in places.items() if one[1] not in there}
    if there and len(left) < len(places):
        say(f"{len(places) - len(left)} of {len(places)} are in the store")
    count = itertools.count(1)

    class Keeping(CaseLifecycle[Any, Any, Any]):
        async def teardown(self, result: Any) -> None:
            if result is None:  # interrupted
                return
            (title, digest, time), case = left[result.name][1], left[result.name][0]
            outcome = _outcome(result, case, name or cases.name, title, digest, time)
            there[title, digest, time] = outcome
            kept.add(outcome)
            say(f"{next(count):3d}/{len(left)} {_line(outcome, result.name)}")

    if left:
        again = [
            Case(
                name=shown,
                inputs=case.inputs,
                metadata=case.metadata,
                expected_output=case.expected_output,
                evaluators=case.evaluators,
            )
            for shown, (case, _) in left.items()
        ]
        chosen = Dataset(name=cases.name, cases=again, evaluators=cases.evaluators)
        asyncio.run(  # `evaluate_sync` leaves its loop open
            chosen.evaluate(_told(task), max_concurrency=at_once, progress=False, lifecycle=Keeping)
        )
    return [there[key] for _, key in places.values()]


def _told(task: Callable[[Any], Any]) -> Callable[[Any], Awaitable[Any]]:
    """Return a task that tells what broke for want of a provider or a program from all else."""

    async def asked(inputs: Any) -> Any:
        try:
            if inspect.iscoroutinefunction(task):
                return await task(inputs)
            return await to_thread.run_sync(task, inputs)
        except Exception as error:
            behind = (error, error.__cause__, error.__context__)  # the agent words it anew
            lost = any(one is not None and is_transient(one) for one in behind)
            if lost or isinstance(error, ComponentError):
                raise UnansweredError(str(error)) from error
            raise

    return asked


def _outcome(
    result: Any, case: Case[Any, Any, Any], cases: str, title: str, digest: str, time: int
) -> Outcome:
    common: dict[str, Any] = {
        "cases": cases,
        "case": title,
        "topic": getattr(case.metadata, "topic", ""),
        "level": getattr(case.metadata, "level", 0),
        "digest": digest,
        "run": time,
    }
    if not isinstance(result, ReportCase):
        wanting = result.error_message.startswith(UnansweredError.__name__)
        return Outcome(**common, error=result.error_message, unanswered=wanting)
    said = Dump(result.attributes, mode="json", fallback=str)
    labels = {name: one.value for name, one in result.labels.items()}
    spent: dict[str, float] = {}
    if "conversation" in said:
        spent = spending(said["conversation"], int(said.get("preamble", 0)))
    fell = [one.reason or name for name, one in result.assertions.items() if not one.value]
    numeric = result.scores.get("numeric")
    fell += [numeric.reason] if numeric and numeric.value < EXACT and numeric.reason else []
    fell += [f"{one.name} broke: {one.error_message}" for one in result.evaluator_failures]
    fell += [said["problem"]] if said.get("problem") else []
    return Outcome(
        **common,
        seconds=result.task_duration,
        checks={name: bool(one.value) for name, one in result.assertions.items()},
        scores={name: float(one.value) for name, one in result.scores.items()},
        labels=labels,
        unanswered=labels.get("outcome") == LEFT_OUT,
        reasons=tuple(fell),
        unjudged=tuple(one.name for one in result.evaluator_failures),
        metrics={**result.metrics, **said.pop("metrics", {}), **spent},
        attributes=said,
    )


def _line(outcome: Outcome, name: str) -> str:
    word = "BROKEN" if outcome.error else outcome.word
    word = "right but" if word == "right" and not outcome.passed else word
    told = ": ".join(
        part for part in (name, outcome.attributes.get("progress"), outcome.why) if part
    )
    return f"{word:9s} {told} [{outcome.seconds:.1f} s]"


def _asked(case: Case[Any, Any, Any]) -> str:
    """Return a digest of what can be written of a case; of functions, the code's says it."""
    held = (case.inputs, case.metadata, case.expected_output)
    return _digest([_written(one) for one in held])


def _written(one: Any) -> Any:
    try:
        return Dump(one, mode="json", fallback=lambda _: "")
    except Exception:  # what nobody can write is pinned by the digest of the code
        return type(one).__name__


def _digest(what: Any) -> str:
    text = json.dumps(what, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _code() -> str:
    whole = hashlib.sha256()
    for package in CODE:
        for file in sorted((ROOT / package).rglob("*")):
            if file.suffix in (".py", ".yaml", ".csv", ".xyz"):
                whole.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return whole.hexdigest()[:16]
