"""Tools that run workflows: the usual one with its arguments, all others by their names.

They are made of what is installed: see `workflows.registry`. Nothing here knows any of them.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import ConfigDict, Field, create_model

from grafico.session.jobs import IRI
from grafico.views.brief import MOST_ITEMS, brief
from grafico.views.row_choice import RowChoice
from ogm.terms import full_iri
from triplestore.errors import (
    GraficoError,
    InputError,
    ResourceError,
)
from workflows.batch.comparing import asked_of_each, varied
from workflows.batch.result import BatchResult
from workflows.engine import AskRouter, Crossroads
from workflows.engine.execution.meter import BeyondError
from workflows.engine.jobs.job import Job
from workflows.engine.request.form import fill
from workflows.engine.request.previous import read_previous
from workflows.engine.request.refusals import refuse_unknown
from workflows.engine.request.request import Placement, Request
from workflows.engine.request.rules import is_rare, rare_names
from workflows.engine.request.workflow import Ready
from workflows.registry import Action, Workflow, Wrapper, workflows
from workflows.show.object_blocks import SMALL
from workflows.text.names import nearest, plain

from .action_tools import FILE, check_action, made, on_stored, subjects_of
from .batches import row_choice, rows_told
from .context import ToolContext
from .describe_tool import describing_tool
from .job_tools import BEGIN, ON, job_told, no_jobs
from .tool_forms import form_of, schema_of, usual_workflow
from .toolbox import ArgumentsError, Batch, Found, Tool, checked, denied, failed

MOST = 50
"""Subjects of one call."""

FEW = 3
"""Of so many all lists are told, of more the short ones: the others stay behind their IRIs."""

NOTHING: Mapping[str, Any] = MappingProxyType({})

MANY = "batch"
"""The workflow whose result is a table."""

TAKES = "these are"
"""What comes before the form that was missed."""

_log = logging.getLogger(__name__)


def workflow_tools(own_skills: str = "") -> tuple[Tool, ...]:
    """Return the tools for the workflows that are installed.

    Args:
        own_skills: the person's folder of skills; empty for none.
    """
    usual = usual_workflow()
    calculate = [_calculate(usual)] if usual else ()
    return (*calculate, _run_workflow(usual), describing_tool(own_skills), _RESUME)


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
    arguments = workflow.whole.arguments
    hidden = frozenset(name for name, field in arguments.items() if is_rare(field))
    rare, topics = rare_names(arguments)
    told = "; ".join([", ".join(rare), *topics])
    more = f" More (describe {workflow.command}): {told}."
    return Tool(
        "calculate",
        f"{workflow.title}{more if hidden else ''}",
        form_of("calculate", arguments, *own),
        calculate,
        hidden=hidden,
        check=check,
    )


def _run_workflow(usual: Workflow | None) -> Tool:
    """Return the tool of all other workflows."""

    async def run_workflow(
        context: ToolContext,
        *,
        request: Request | Action | Wrapper,
        rows: RowChoice | None = None,
        subjects: Sequence[str] = (),
        arguments: Mapping[str, Any] = NOTHING,
        **_: Any,
    ) -> Found:
        if isinstance(request, Action):
            return await made(context, request, subjects, arguments)
        if isinstance(request, Wrapper):
            return await on_stored(context, request, subjects, arguments)
        return await _each(context, request.workflow.command, request, rows)

    def check(context: ToolContext, values: dict[str, Any]) -> Found:
        verb = workflows().verb(values["name"])
        if isinstance(verb, Action):
            if verb.personal:
                found = "a person alone can ask for that"
                raise InputError(f"{verb.command} was asked for", found, "tell the person")
            if values.get("on") or values.get("begin"):
                raise InputError(f"{verb.command} as a job was asked for", "it takes a moment", "")
            about, said = subjects_of(verb, values.get("subjects", ()), values.get("arguments", {}))
            check_action(verb, about, said)
            values |= {"subjects": about, "arguments": said}
            return {"request": verb}
        wrapper = None if verb else workflows().wrapper(values["name"])
        if wrapper is not None and wrapper.whole.stored is not None:
            refuse_unknown(wrapper.whole.form.offered(), values.get("arguments", {}))
            return {"request": wrapper}
        chosen = verb or workflows().named(values["name"])
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
    actions = ", ".join(one.command for one in workflows().actions if not one.personal)
    files = f". Or text, file (argument {FILE}): {actions}" if actions else ""
    others_too = [one.command for one in workflows().wrappers if one.whole.stored is not None]
    files += "".join(f"; {one} RUNS" for one in others_too)
    lines = "; ".join(_lines(others))
    fields: dict[str, Any] = {
        "name": (str, ...),
        "subjects": (Annotated[list[str], Batch], Field(list[str](), max_length=MOST)),
        "arguments": (Found, Field(Found())),
        "on": (str, ""),  # as of calculate
        "begin": (str, ""),
    }
    return Tool(
        "run_workflow",
        f"Run a workflow: subjects, arguments of calculate and own; all: describe. {lines}{files}",
        create_model("run_workflow", __config__=ConfigDict(extra="forbid"), **fields),
        run_workflow,
        commands=True,
        check=check,
    )


def _lines(whole: Sequence[Workflow]) -> Iterator[str]:
    """Iterate over what a model is told of workflows; those of a group without their arguments."""
    groups = Counter(one.command.partition(" ")[0] for one in whole)
    for one in whole:
        alone = groups[one.command.partition(" ")[0]] == 1
        takes = one.call if alone else one.call.partition("(")[0]
        yield f"{one.command} {takes}".rstrip().replace(" (", "(")


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
        return failed(error)


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
    "Go on with a run that failed, was cut off or missed its goal.",
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
    said_of = schema_of(whole, wanted)
    advice = TAKES if said_of else f"see describe {workflow.command}"
    return ArgumentsError(f"{workflow.command} was asked for", found, advice, said_of)


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
            return said | failed(error)
        except Exception as error:
            _log.exception("%s of %s failed", request.workflow.name, subject)
            fault = {"kind": "GraficoError", "found": f"a fault in it: {type(error).__name__}"}
            return said | {"status": "failed", "error": fault}

    found = await asyncio.gather(*map(safely, given))
    return {f"{noun}s": found} | ({} if context.whole else _shared(found))


def _named(noun: str, subject: object) -> Found:
    return {} if subject is None else {noun: subject}


def _shared(rows: Sequence[Found]) -> Found:
    """Take out of what is told of each the remarks that several share, and return them once."""
    known = [row for row in rows if "values" in row]
    shared: list[str] = []
    for text in dict.fromkeys(text for row in known for text in row.get("remarks", ())):
        having = [row for row in known if text in row.get("remarks", ())]
        if len(having) < 2:
            continue
        others = [row for row in known if row not in having]
        few, word = (others, "not: ") if len(others) < len(having) else (having, "")
        names = ", ".join(str(next(iter(row.values()))) for row in few)
        shared.append(text + (f" ({word}{names})" if names else ""))
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
    both = not context.whole  # who reads all of it makes the other unit itself
    found = brief(result.ran, result.shown_sections(), lists=lists, both=both)
    if isinstance(result, BatchResult):
        found = {name: one for name, one in found.items() if one}
        found |= await asyncio.to_thread(rows_told, context, result, rows or RowChoice())
    return found
