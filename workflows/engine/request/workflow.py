"""How a request to any workflow is prepared, estimated, performed and resumed."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from ogm import GraphModel
from triplestore.errors import InputError, RecipeError
from workflows.registry.catalogue import Action, Workflow
from workflows.show.displayed_run import DisplayedRun
from workflows.show.run_blocks import RunSummary
from workflows.text.words import count
from workflows.trust.caller import asked_by, caller, without_files

from ..execution.answer import DeferredError
from ..execution.events import Scope, within
from ..execution.executor import Executor
from ..execution.meter import BeyondError, Meter, metered
from ..graph.planner import Goal, Plans, plan
from ..graph.replaying import replayed
from ..graph.router import Router
from ..graph.run import Finish, run_graph, spelt
from ..graph.stored_runs import stored_run
from .budget import computed_before
from .consent import told_to_wait
from .cost import Cost, check
from .definition import Given, Prepared, PreparedAction, Subject, SubjectT
from .endings import check_ending
from .form import Form
from .previous import read_previous, said_in, typed
from .request import Request, following, understood
from .rules import TakesLevel

if TYPE_CHECKING:
    from ..execution.answer import Answer
    from ..local.slots import Slots


@dataclass(frozen=True)
class Ready:
    """A request that was understood: structure, level and costs are found once.

    Attributes:
        workflow: what is asked for.
        given: what it is about.
        forms: what is asked, filled in.
        prepared: what it means.
        executor: what will compute it.
        hours: what is too long unless somebody agrees.
        former: IRI of the run that it goes on with; empty for a new one.
        estimated: whether somebody has seen its estimate, so that no other is made.
    """

    workflow: Workflow
    given: Given[Any]
    forms: tuple[Form, ...]
    prepared: Prepared[Any]
    executor: Executor
    hours: float
    former: str = ""
    estimated: bool = False

    @property
    def force(self) -> bool:
        """Whether somebody has agreed to it, whatever it takes, as a part of what is asked."""
        return bool(getattr(self.forms[0], "force", False))

    @property
    def asked(self) -> str:
        """What is asked for, as a person would say."""
        about = self.prepared.label or self.subject
        command = self.workflow.command
        return command if about == command else f"{command}: {about}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was assumed and what to know, each once."""
        return tuple(dict.fromkeys((*self.given.remarks, *self.prepared.remarks)))

    @property
    def besides(self) -> tuple[GraphModel, ...]:
        """What the run is about besides its subject, such as a level."""
        return tuple(one for one in self.prepared.about if one != self.given.model)

    @property
    def subject(self) -> str:
        """What it is about, as a person would say."""
        return self.given.text or self.workflow.whole.subject.label(self.given.model)

    def plans(self) -> Plans:
        """Return the cheapest ways to what is asked; nothing is done."""
        prepared = self.prepared
        if prepared.plans is not None:
            return prepared.plans()
        candidates, _ = self.workflow.whole.graph.bind(self.forms[0])
        goal = prepared.goal or Goal("", lambda _: True)
        return plan(candidates, prepared.state.situation, goal)

    def estimate(
        self,
        hours: float | None = None,
        *,
        force: bool = False,
        slots: Slots | None = None,
        processors: Collection[str] = (),
    ) -> Cost | None:
        """Return what it will take; None where that is not worth an estimate.

        Args:
            hours: what is too long; None for the settings'.
            force: whether everything may pass.
            slots: where it is to be computed; None for those of its executor.
            processors: names of the processors there; empty for that of this machine.

        Raises:
            ResourceError: it is estimated to take longer, or more memory or disk than there is.
        """
        limit = self.hours if hours is None else hours
        costs, goal = self.prepared.costs, self.prepared.goal
        text = goal.text if goal else ""
        if not costs:
            return None
        policy = self.executor.policy
        if slots is not None:
            policy = replace(policy, slots=slots, threads_per_calculation=None)
        executor = self.executor.under(policy)
        return check(
            costs, text, executor, limit, force=force, processors=processors, less=self._less()
        )

    def _less(self) -> str:
        """Return the options of the same at geometries that take less; empty where there are none.

        It is that of a form that has a field for the level of energies by itself.
        """
        asked, level = self.forms[0], self.forms[-1]
        whole = {name: getattr(level, name, "") for name in ("method", "basis")}
        if not all(whole.values()) or {*said_in(level)} - {*whole}:
            return ""
        for name, offered in type(asked).offered().items():
            rule = next((one for one in offered.metadata if isinstance(one, TakesLevel)), None)
            if (
                rule
                and not getattr(asked, name)
                and rule.where.holds(getattr(asked, rule.where.field))
            ):
                command = self.workflow.command
                words = typed(command, "", {"method": rule.method, name: "/".join(whole.values())})
                return f"grafico {command} …{words.removeprefix(command)}"
        return ""


@dataclass(frozen=True)
class Finished(DisplayedRun):
    """What a request came to.

    Attributes:
        run: IRI of the run.
        status: `finished`, or `goal unmet` with the reason in `message`.
        message: in words.
        state: the last state of the run.
        ready: the request.
    """

    run: str
    status: str
    message: str
    state: Any = field(repr=False)
    ready: Ready = field(repr=False)

    @classmethod
    def of(cls, done: Finished) -> Self:
        """Return the same as one of this class."""
        return cls(done.run, done.status, done.message, done.state, done.ready)

    @property
    def last(self) -> GraphModel:
        """The last result.

        Raises:
            NotFoundError: the run ended before it had one.
        """
        return self.last_of(self.answers)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was assumed and what to know, each once."""
        return self.ready.remarks

    @property
    def built(self) -> str:
        """What its subject was built from, where that is what it was in the end; else empty."""
        given = self.ready.given
        return given.built if self.product in (None, given.model) else ""

    @property
    def product(self) -> GraphModel | None:
        """What the run has made of its subject, such as the last geometry."""
        return self.state.product

    @property
    def answers(self) -> tuple[Answer[GraphModel], ...]:
        """The calculations that the last state rests on, in order."""
        return tuple(getattr(self.state, "answers", ()))

    @property
    def reused(self) -> bool:
        """Whether everything was remembered and nothing computed."""
        known: bool | None = getattr(self.state, "remembered", None)
        return all(answer.reused for answer in self.answers) if known is None else known

    @property
    def ran(self) -> RunSummary:
        """The run as views see it."""
        product = self.product
        subject = product if isinstance(product, type(self.ready.given.model)) else None
        about = (subject or self.ready.given.model, *self.ready.besides)
        known = {answer.recorded for answer in self.answers}
        made = [iri for iri in self.state.recorded if iri not in known]
        return RunSummary(
            self.run,
            self.status,
            self.message,
            about,
            self.answers,
            tuple(self.ready.executor.kg.pull_all(GraphModel, made)),
            self.remarks,
            "" if product is None else product.iri,
            self.ready.subject,
            remembered=getattr(self.state, "remembered", None),
            built=self.built,
        )


async def prepare(
    request: Request, executor: Executor, *, hours: float = 24.0, listed: bool = False
) -> Ready:
    """Find out what a request means.

    Args:
        request: what is asked, of one subject at most.
        executor: what will compute it.
        hours: what is too long unless somebody agrees.
        listed: whether the subject stands in a list, which may be somebody else's: it is read as
            no file.

    Raises:
        InputError: it has several subjects.
        GraficoError: the subject cannot be found; see the workflow.
    """
    kind, (*_, options) = request.workflow.whole.subject, request.forms
    if len(request.subjects) > 1:
        raise InputError(
            f"{request.workflow.command} was asked of {count(len(request.subjects), kind.name)}",
            "it is prepared for one at a time",
            "prepare each of `request.each()`, or run all",
        )
    subject = request.subjects[0] if request.subjects else None
    with asked_by(without_files() if listed else caller()):
        given = await read(kind, subject, options, executor, request.said)
    given, forms = following(request.workflow.whole, given, request.forms[:-1], request.said)
    _tell(kind, given, executor)
    return await _ready(request.workflow, given, forms, executor, hours)


async def prepare_action(
    action: Action,
    subject: object,
    asked: Mapping[str, Any],
    executor: Executor,
    *,
    defaults: Mapping[str, Any] | None = None,
    file: str = "",
    listed: bool = False,
) -> PreparedAction:
    """Find out what is asked of an action; see `prepare`.

    Args:
        action: what is asked for.
        subject: what it is about: text, a path, or an object of its kind.
        asked: fields of its forms and of its subject's form; None is as good as not said.
        executor: what will compute it.
        defaults: of the settings; they fill in only what a form takes.
        file: the name of the file that is to be written, if somebody gave one.
        listed: whether the subject stands in a list; see `prepare`.

    Raises:
        InputError: a field that there is not, a value that cannot be, or one without an effect.
        GraficoError: the subject cannot be found; see the action.
    """
    whole = action.whole
    if file and whole.endings and not asked.get(whole.format_field):
        check_ending(file, whole.endings, whole.unwritten)
    about, (*forms, options), said = understood(
        whole, () if subject is None else (subject,), asked, defaults
    )
    with asked_by(without_files() if listed else caller()):
        given = await read(whole.subject, about[0] if about else None, options, executor, said)
    given, filled = following(whole, given, forms, said)
    _tell(whole.subject, given, executor)
    return await whole.prepare(replace(given, said=said), *filled, executor, file)


async def _ready(
    workflow: Workflow,
    given: Given[Any],
    forms: Sequence[Form],
    executor: Executor,
    hours: float,
    former: str = "",
) -> Ready:
    prepared: Prepared[Any] = await workflow.whole.prepare(given, *forms, executor)
    recorded = (prepared.request or forms[0], *forms[1:])
    if prepared.level is not None:
        recorded = (recorded[0], prepared.level, *recorded[2:])
    return Ready(workflow, given, recorded, prepared, executor, hours, former)


async def read(
    kind: Subject[SubjectT],
    subject: object,
    options: Form,
    executor: Executor,
    said: Collection[str] = (),
) -> Given[SubjectT]:
    """Return what a request is about, beside fields that were said.

    What another request came to stands for its run.
    """
    if isinstance(subject, DisplayedRun) and subject.run:
        subject = subject.run
    return (await kind.read(subject, options, executor)).without_said(said)


def _tell(kind: Subject[SubjectT], given: Given[SubjectT], executor: Executor) -> None:
    """Tell the listeners what a request is about."""
    label = kind.label(given.model)
    executor.emit(
        "subject", label, iri=given.model.iri, given=given.text, remarks=list(given.remarks)
    )


async def perform(ready: Ready, *, router: Router | None = None, force: bool = False) -> Any:
    """Do what was asked, or remember it.

    Args:
        ready: the request.
        router: who chooses the steps; the goal router if None.
        force: whether it may take longer than the limit: somebody has agreed.

    Returns:
        What the workflow makes of its `Finished`.

    Raises:
        ResourceError: it is estimated to take longer than may be without a yes, or has taken
            longer; then it can be resumed.
        ConsentError: a person has to agree to a step, and none has; the run can be resumed.
        GraficoError: a calculation failed; the run is recorded as failed.
    """
    with told_to_wait(ready.asked):
        return public_result(await finished(ready, router=router, force=force))


async def reopen(
    run: str,
    executor: Executor,
    *,
    asked: Mapping[str, Any] | None = None,
    hours: float = 24.0,
) -> Ready:
    """Find out what is left of any run, to perform it again where it ended or was cut off.

    Args:
        run: its IRI, or that of what was requested as a whole, such as a batch.
        executor: runs and records what is still to be done; what was computed is remembered.
        asked: what is asked otherwise than then, such as more steps.
        hours: what is too long unless somebody agrees.

    Raises:
        NotFoundError: the run, or its workflow, is not there.
        InputError: it is something else.
        RecordError: what it started from is not stored, or does not say what was asked.
    """
    former = read_previous(run, executor.kg)
    forms = former.asked_otherwise(asked or {})
    return await _ready(former.workflow, former.given, forms, executor, hours, former.run.iri)


async def resume(
    run: str,
    executor: Executor,
    *,
    router: Router | None = None,
    force: bool = False,
    asked: Mapping[str, Any] | None = None,
    hours: float = 24.0,
) -> Any:
    """Enter any run again: `reopen` and `perform`."""
    ready = await reopen(run, executor, asked=asked, hours=hours)
    return await perform(ready, router=router, force=force)


async def finished(ready: Ready, *, router: Router | None = None, force: bool = False) -> Finished:
    """Do what was asked; see `perform`, which hands out what the workflow makes of it.

    Raises:
        ApprovalError: a person has to agree to a step, and none has.
    """
    force = force or ready.force
    if not ready.estimated:
        ready.estimate(force=force)
    whole, prepared, executor = ready.workflow.whole, ready.prepared, ready.executor
    former = ready.former
    if prepared.goal is None:
        return Finished("", "finished", "", prepared.state, ready)
    graph, about = whole.graph, [one.iri for one in prepared.about]
    meter = Meter(
        math.inf if force else ready.hours * 3600,
        lambda: computed_before(executor.kg, former, graph.name, spelt(ready.forms), about),
    )
    state = prepared.state if prepared.begin is None else await prepared.begin()
    behind: tuple[str, ...] = ()
    with metered(meter):
        if former and prepared.begin is None and _starts_alike(former, about, executor):
            try:
                before = await replayed(graph, state, former, executor.recomputing(False))
            except (BeyondError, DeferredError) as error:
                error.run = former
                raise
            state = before.state
            if stored_run(executor.kg, former).forms == spelt(ready.forms):
                behind = before.behind
        finish: Finish = await run_graph(
            graph,
            state,
            ready.forms[0],
            prepared.goal,
            executor,
            subject=ready.subject,
            about=prepared.about,
            beside=ready.given.beside,
            router=router,
            forms=ready.forms,
            resume_from=former,
            behind=behind,
        )
        if prepared.after is not None and finish.status == "finished":
            with within(Scope(finish.run)):  # what it computes is a part of this run
                more = await prepared.after(finish.state)
            told = replace(prepared, remarks=(*prepared.remarks, *more))
            ready = replace(ready, prepared=told)
    await whole.subject.settle(executor)
    return Finished(finish.run, finish.status, finish.message, finish.state, ready)


async def completed(ready: Ready, executor: Executor | None = None) -> Finished:
    """Do what was asked as a part of another run, without an estimate of its own.

    Args:
        ready: what was asked.
        executor: what computes it, and tells of it; None for the one that has prepared it.

    Raises:
        RecipeError: it ended with a goal unmet; names its run.
        ApprovalError: a person has to agree to a step of it, and none has.
        GraficoError: a calculation failed.
    """
    executor = executor or ready.executor
    done = await finished(replace(ready, estimated=True, executor=executor))
    if done.status != "finished":
        error = RecipeError(
            f"{ready.prepared.label} was asked for",
            f"{done.status}: {done.message}",
            "resume its run, or change what is asked",
        )
        error.run = done.run
        raise error
    return done


def _starts_alike(former: str, about: Sequence[str], executor: Executor) -> bool:
    """Return whether a run started from the very same, so that its steps are steps of this one."""
    return {link.iri for link in stored_run(executor.kg, former).about} == set(about)


def public_result(done: Finished) -> Any:
    """Return what the workflow makes of what a request came to."""
    result = done.ready.workflow.whole.result
    return done if result is None else result(done)
