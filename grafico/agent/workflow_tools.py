"""Tools that run workflows: the usual one with its arguments, all others by their names.

They are made of what is installed: see `workflows.registry`. Nothing here knows any of them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.fields import FieldInfo

from grafico.session.inspection import shorten
from grafico.session.jobs import IRI
from grafico.views.brief import MOST_ITEMS, brief
from grafico.views.row_choice import RowChoice
from ogm.terms import full_iri
from triplestore.errors import (
    ComponentError,
    ConsentError,
    GraficoError,
    InputError,
    NotFoundError,
    ResourceError,
)
from workflows.batch.comparing import asked_of_each, varied
from workflows.batch.result import BatchResult
from workflows.engine import AskRouter, Crossroads
from workflows.engine.execution.meter import BeyondError
from workflows.engine.graph.effects import why
from workflows.engine.jobs.job import Job
from workflows.engine.request.definition import Definition
from workflows.engine.request.form import Form, fill, is_rare, refuse_unknown
from workflows.engine.request.previous import read_previous
from workflows.engine.request.request import Placement, Request
from workflows.engine.request.workflow import Ready
from workflows.registry import Workflow, workflows
from workflows.show.object_blocks import SMALL
from workflows.text.names import nearest, plain
from workflows.text.words import duration

from .batches import row_choice, rows_told
from .context import ToolContext
from .job_tools import BEGIN, ON, job_told, no_jobs
from .toolbox import ArgumentsError, Batch, Found, Tool, as_error, checked, denied, lean

MOST = 50
"""Subjects of one call."""

FEW = 3
"""Of so many all lists are told, of more the short ones: the others stay behind their IRIs."""

GIVES = "Gives for each IRIs, scalars, remarks; or what went wrong, and its run."

COMPARE = "Give a list of values of an argument, such as method, to have them side by side."

MANY = "batch"
"""The workflow whose result is a table."""

TAKES = "these are"
"""What comes before the form that was missed."""

_log = logging.getLogger(__name__)


def workflow_tools() -> tuple[Tool, ...]:
    """Return the tools for the workflows that are installed."""
    usual = usual_workflow()
    return (*([_calculate(usual)] if usual else ()), _run_workflow(usual), _DESCRIBE, _RESUME)


def usual_workflow() -> Workflow | None:
    """Return the workflow whose arguments stand in a tool of its own, if it can be used."""
    with suppress(NotFoundError, ComponentError):
        return workflows().usual if workflows().usual.whole else None
    return None


def _calculate(workflow: Workflow) -> Tool:
    """Return the tool of the usual workflow."""
    noun = workflow.whole.subject.name

    async def calculate(context: ToolContext, *, request: Request, **_: Any) -> Found:
        return await _each(context, "calculate", request)

    def check(context: ToolContext, values: dict[str, Any]) -> Found:
        asked = dict(values)
        given, again = asked.pop(f"{noun}s"), asked.pop("recompute", False)
        place = Placement(on=asked.pop("on", ""), begin=asked.pop("begin", ""))
        request = _request(context, workflow, given, asked, place)
        return {"request": replace(request, recompute=again)}

    about = Field(min_length=1, max_length=MOST, description=workflow.whole.subject.help)
    again = Field(False)
    own = (
        {f"{noun}s": (Annotated[list[str], Batch], about)},
        {"recompute": (bool, again), "on": (str, ON), "begin": (str, BEGIN)},
    )
    rare = [name for name, field in workflow.whole.arguments.items() if is_rare(field)]
    more = f" More arguments, see describe_workflow {workflow.command}: {', '.join(rare)}."
    return Tool(
        "calculate",
        f"{workflow.title} Several run in parallel; what needs other arguments, in another call. "
        f"{GIVES}{more if rare else ''}",
        form_of("calculate", workflow.whole.arguments, *own),
        calculate,
        hidden=frozenset(rare),
        check=check,
    )


def _run_workflow(usual: Workflow | None) -> Tool:
    """Return the tool of all other workflows."""

    async def run_workflow(
        context: ToolContext, *, request: Request, rows: RowChoice, **_: Any
    ) -> Found:
        return await _each(context, request.workflow.command, request, rows)

    def check(context: ToolContext, values: dict[str, Any]) -> Found:
        chosen = workflows().named(values["name"])
        whole, noun = chosen.whole, chosen.whole.subject.name
        asked = whole.translated(values.get("arguments", {}))
        among = asked.pop(noun, None)  # a subject may stand among the arguments
        subjects = [*values.get("subjects", ()), *([] if among is None else [str(among)])]
        if whole.subject.metavar and not subjects:
            raise InputError(f"{chosen.command} of no {noun} was asked for", "", "name some")
        if varied(chosen, asked):
            each = {n: one for n, one in asked.items() if one is not None}
            refuse_unknown([*whole.arguments], each)
            asked, chosen = asked_of_each(chosen.name, each), workflows().named(MANY)
        place = Placement(on=values.get("on", ""), begin=values.get("begin", ""))
        rows = RowChoice()
        if chosen.name == MANY:  # which of its rows are told is nothing that is computed
            told = {name: asked.pop(name) for name in RowChoice.model_fields if name in asked}
            rows = row_choice(told)
        request = _request(context, chosen, subjects, asked, place)
        asked = request.arguments
        values |= {"subjects": subjects, "arguments": asked}
        if chosen.name == MANY:  # what a person alone may say is no argument of each either
            each = workflows().named(asked["each"]) if asked.get("each") else workflows().usual
            said = {**asked.get("arguments", {}), **asked.get("grid", {})}
            if asked.get("single"):
                said |= asked.get("reading", {})
            refuse_unknown([*each.whole.arguments], said)
        return {"request": request, "rows": rows}

    others = [one for one in workflows().values() if one is not usual]
    lines = "; ".join(f"{one.command} {one.call}".rstrip().replace(" (", "(") for one in others)
    fields: dict[str, Any] = {
        "name": (str, ...),
        "subjects": (Annotated[list[str], Batch], Field(list[str](), max_length=MOST)),
        "arguments": (Found, Field(Found())),
        "on": (str, ""),  # as of calculate
        "begin": (str, ""),
    }
    return Tool(
        "run_workflow",
        "Run another workflow on subjects, with arguments of calculate and its own; all: "
        f"describe_workflow. {lines}",
        create_model("run_workflow", __config__=ConfigDict(extra="forbid"), **fields),
        run_workflow,
        commands=True,
        check=check,
    )


async def _describe(context: ToolContext, name: str = "") -> Found:
    if not name:
        return {one.command: one.title for one in workflows().values()}
    return described(workflows().named(name), context)


_DESCRIBE = Tool(
    "describe_workflow",
    "See what a workflow takes.",
    create_model(
        "describe_workflow",
        __config__=ConfigDict(extra="forbid"),
        name=(str, Field("", description="None: list all.")),
    ),
    _describe,
    reads=True,
)


async def _resume(context: ToolContext, run: str, arguments: Found | None = None) -> Found:
    asked = arguments or {}
    try:
        if not (IRI.match(run) or no_jobs(context.settings)):
            return await _resumed_job(context, run, asked)
        whole = read_previous(full_iri(run), context.session.kg).workflow.whole
        known = [name for name in whole.arguments if whole.fields[name] is not whole.subject.form]
        asked = whole.translated(asked)
        refuse_unknown(known, asked)  # what a person alone may say is not among them
        ready = await context.session.reopen_async(run, **asked)
        return await _performed(context, "resume", {"run": run, **asked}, ready)
    except GraficoError as error:
        return _failed(error)


async def _resumed_job(context: ToolContext, job: str, asked: Found) -> Found:
    """Submit a job again, if a person agrees: one has cancelled it, or it was cut off too often."""
    seen = await context.session.desk.look(job)
    if not seen.ended or seen.state == "finished":
        return job_told(seen)
    if seen.waits_for_choice:
        return await _chosen(context, seen)
    why = f"{seen.name} ({seen.subject}: {seen.goal}) has ended on {seen.cluster}: {seen.state}"
    if not (agreed := await context.agreed("resume", {"run": seen.name}, why)):
        return denied(why, agreed)
    return job_told(await context.session.resume_async(seen.name, **asked))


async def _chosen(context: ToolContext, job: Job) -> Found:
    """Go on with a job that waits for a choice: of the model that chooses its steps, or a person.

    Raises:
        InputError: there is no person, or he does not answer.
    """

    async def ask(text: str, at: Crossroads) -> str:
        ways = [node.name for node in at.menu.options] + ["end"] * at.menu.may_end
        answer = await context.question(text, ways)
        if answer is None:
            raise InputError("nobody could choose the next step", "nobody answers", "ask again")
        return answer

    router = AskRouter(ask) if job.router == AskRouter.name else None
    got = await context.session.resume_async(job.name, router=router)
    return job_told(got) if isinstance(got, Job) else brief(got.ran, got.shown_sections())


_RESUME = Tool(
    "resume",
    "Go on with any run that failed, was cut off or missed its goal.",
    create_model(
        "resume",
        __config__=ConfigDict(extra="forbid"),
        run=(str, Field(description="IRI, or a job's name.")),
        arguments=(
            Found,
            Field(Found(), description="What changes, such as max_steps."),
        ),
    ),
    _resume,
    commands=True,
)


# --- arguments -----------------------------------------------------------------------------------


def form_of(
    name: str,
    fields: Mapping[str, FieldInfo],
    first: Mapping[str, Any] | None = None,
    last: Mapping[str, Any] | None = None,
) -> type[BaseModel]:
    """Return a form of many fields, of which each may be left out; it reads words as `Form` does.

    Args:
        name: of the class.
        fields: of forms.
        first: fields that come before these.
        last: fields that come behind them.
    """
    taken: dict[str, Any] = dict(first or {})
    for one, field in fields.items():
        default = None if field.is_required() else field.default
        kind: Any = field.annotation
        kind = kind | None if default is None else kind
        for rule in field.metadata:
            kind = Annotated[kind, rule]
        taken[one] = (kind, Field(default, description=field.description))
    return create_model(name, __base__=Form, **taken, **(last or {}))


def _request(
    context: ToolContext,
    workflow: Workflow,
    subjects: Sequence[str],
    asked: Mapping[str, Any],
    place: Placement,
) -> Request:
    """Return what is asked; where it was read already, by who calls the tool, that.

    Raises:
        ArgumentsError: the workflow takes no such arguments, or they cannot be.
    """
    said = {name: value for name, value in asked.items() if value is not None}
    for one in context.read():
        if (one.workflow, one.subjects, one.arguments) == (workflow, tuple(subjects), said):
            return replace(one, place=place)
    defaults = context.settings.defaults
    try:
        refuse_unknown(workflow.whole.arguments, said)
        return Request.of(workflow, subjects, said, defaults, place=place)
    except InputError as error:
        raise _refused(workflow, said, defaults, str(error)) from error


def _refused(
    workflow: Workflow, said: Mapping[str, Any], defaults: Mapping[str, Any], first: str
) -> ArgumentsError:
    """Return all that is wrong with arguments, or the first of it, and what just these can be.

    Of one that there is not what the nearest can be: the whole schema has a tool of its own.
    """
    whole = workflow.whole
    fine, wrong = checked(form_of(workflow.name, whole.arguments), said)
    bad = set[str]() if fine is None else set(said) - set(fine)
    wanted = {*bad}
    for name in bad - {*whole.arguments}:
        names = {plain(one): one for one in whole.arguments}
        wanted |= {*nearest(plain(name), names, 1)}
    together: list[str] = []
    for form in whole.all_forms:
        mine = {n: v for n, v in said.items() if n in form.offered() and n not in bad}
        try:
            fill(form, mine, defaults)
        except InputError as error:
            together.append(str(error))
            wanted |= {*mine}
    if fine is None and together:  # each can be, and some have no effect beside the others
        wrong = []
    found = "; ".join([*wrong, *together]) or first
    said_of = _schema(whole, wanted)
    advice = TAKES if said_of else f"see describe_workflow {workflow.command}"
    return ArgumentsError(f"{workflow.command} was asked for", found, advice, said_of)


def _own(whole: Definition[Any, Any]) -> list[str]:
    """Return the arguments of a workflow that the tool of the usual one does not show like that."""
    usual = usual_workflow()
    every = usual.whole.arguments if usual else {}
    inline = {name: field for name, field in every.items() if not is_rare(field)}
    return [name for name, one in whole.arguments.items() if not _alike(one, inline.get(name))]


def _alike(one: FieldInfo, other: FieldInfo | None) -> bool:
    """Return whether what is said of a field is said of another too, perhaps among more."""
    if other is None or not (one.is_required() or one.default == other.default):
        return False
    return (one.description or "") in (other.description or "")


def _schema(whole: Definition[Any, Any], names: Collection[str]) -> Found:
    """Return the JSON schema of some arguments, without what says nothing."""
    fields = {name: field for name, field in whole.arguments.items() if name in names}
    return lean(form_of("arguments", fields).model_json_schema()).get("properties", {})


def described(workflow: Workflow, context: ToolContext) -> Found:
    """Return what can be asked of a workflow; what the usual one takes too is only named."""
    whole, own = workflow.whole, _own(workflow.whole)
    long = duration(min(context.long, context.settings.hours * 3600))
    defaults = context.settings.defaults
    required = [
        name
        for name, field in whole.arguments.items()
        if field.is_required() and name not in defaults
    ]
    table: Found = RowChoice.model_json_schema() if workflow.name == MANY else {}
    found: Found = {
        "name": workflow.command,
        "title": workflow.title,
        "help": whole.help,
        "subjects": whole.subject.help if whole.subject.metavar else "none",
        "arguments": _schema(whole, own),
        "rows": lean(table).get("properties"),
        "required": required,
        "as_calculate": [name for name in whole.arguments if name not in own],
        "compare": COMPARE,
        "needs_a_yes": why(whole.graph.effects) or f"what is estimated to take more than {long}",
    }
    return {name: value for name, value in found.items() if value}


# --- running -------------------------------------------------------------------------------------


async def _each(
    context: ToolContext, name: str, request: Request, rows: RowChoice | None = None
) -> Found:
    """Return what a request comes to for each subject, side by side; one may fail by itself.

    Args:
        context: what is acted on.
        name: what a person is told who has to agree.
        request: what is asked.
        rows: which rows are told of a batch.
    """
    noun = request.workflow.whole.subject.name
    given = request.subjects or (None,)
    lists = MOST_ITEMS if context.whole or len(given) <= FEW else SMALL

    async def one(subject: object) -> Found:
        about = () if subject is None else (str(subject).strip(),)
        ready = await context.session.prepare_async(replace(request, subjects=about))
        told = _named(noun, subject) | request.arguments
        return await _performed(context, name, told, ready, lists, request.place.said, rows)

    async def safely(subject: object) -> Found:
        said = _named(noun, subject)
        try:
            return said | await one(subject)
        except GraficoError as error:
            return said | _failed(error)
        except Exception as error:
            _log.exception("%s of %s failed", request.workflow.name, subject)
            fault = {"kind": "GraficoError", "found": f"a fault in it: {type(error).__name__}"}
            return said | {"status": "failed", "error": fault}

    found = await asyncio.gather(*map(safely, given))
    return {f"{noun}s": found} | ({} if context.whole else _shared(found))


def _named(noun: str, subject: object) -> Found:
    return {} if subject is None else {noun: subject}


def _shared(rows: Sequence[Found]) -> Found:
    """Take out of what is told of each the remarks that most share, and return them once."""
    known = [row for row in rows if "values" in row]
    shared: list[str] = []
    for text in dict.fromkeys(text for row in known for text in row.get("remarks", ())):
        having = [row for row in known if text in row.get("remarks", ())]
        if len(having) < 2 or 2 * len(having) <= len(known):
            continue
        others = [str(next(iter(row.values()))) for row in known if row not in having]
        shared.append(text + (f" (not: {', '.join(others)})" if others else ""))
        for row in having:
            row["remarks"] = [one for one in row["remarks"] if one != text]
            if not row["remarks"]:
                del row["remarks"]
    return {"remarks": shared} if shared else {}


async def _performed(
    context: ToolContext,
    name: str,
    told: Found,
    ready: Ready,
    lists: int = MOST_ITEMS,
    place: Found | None = None,
    rows: RowChoice | None = None,
) -> Found:
    """Do what was prepared, if it is short or a person agrees; and ask again where it takes longer.

    Raises:
        GraficoError: it failed.
    """
    hours = min(context.long / 3600, ready.hours)
    place = place or {}
    told = told | place
    estimate = ""
    try:
        context.session.check_cost(ready, hours, **place)
    except ResourceError as error:
        estimate = error.found
        long = f"{ready.prepared.label}: {estimate}"
        if not (agreed := await context.agreed(name, told, long)):
            return denied(long, agreed) | {"estimate": estimate}
    ready = replace(ready, hours=hours, estimated=True)
    router = f"model:{context.settings.router_model}" if context.settings.router_model else "goal"
    perform = context.session.perform_async
    try:
        result = await perform(ready, router=router, force=bool(estimate), **place)
    except BeyondError as error:
        if not error.run or not await context.agreed(name, told, error.found):
            raise
        again = await context.session.reopen_async(error.run)
        again = replace(again, estimated=True)
        result = await perform(again, router=router, force=True)
    if isinstance(result, Job):
        return job_told(result)
    found = brief(result.ran, result.shown_sections(), lists=lists)
    if isinstance(result, BatchResult):
        found = {name: one for name, one in found.items() if one}
        found |= await asyncio.to_thread(rows_told, context, result, rows or RowChoice())
    return found


def _failed(error: GraficoError) -> Found:
    run = {"run": shorten(error.run)} if error.run else {}
    if isinstance(error, ConsentError):
        return {"status": "pending", "denied": error.found, "advice": error.advice, **run}
    return {"status": "failed", "error": as_error(error), **run}
