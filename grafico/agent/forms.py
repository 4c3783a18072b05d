"""What can be asked without words: the forms of workflows, and what a request would do."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from grafico.session.settings import USUAL
from triplestore.errors import ComponentError, GraficoError, InputError, NotFoundError, RecipeError
from workflows.engine.request.request import Request
from workflows.engine.request.rules import For, choices_of, is_rare, noun_of
from workflows.engine.request.stored import stored_or_last
from workflows.engine.request.with_units import unit_of
from workflows.registry import Action, Workflow, workflows
from workflows.trust.caller import Caller, asked_by

from .nodes import list_of, mapping_of
from .rules.calls import commands
from .rules.model import call_of

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from grafico.session.client import Grafico
    from workflows.engine.request.workflow import Ready


GRID = ".cube"
"""Ending of the files that hold a function in space."""


def forms() -> list[dict[str, Any]]:
    """Return what can be asked, the usual one first, as a page shows it."""
    found: list[dict[str, Any]] = []
    every = workflows()
    for one in sorted(every.values(), key=lambda each: (each is not every.usual, each.command)):
        with suppress(ComponentError):  # it needs what is not installed
            found.append(_form(one))
    return found


def _form(workflow: Workflow) -> dict[str, Any]:
    whole = workflow.whole
    return {
        "name": workflow.name,
        "command": workflow.command,
        "title": _in_words(workflow.title, whole.subject.metavar),
        "help": _in_words(whole.help, whole.subject.metavar),
        "subject": {
            "name": whole.subject.name,
            "asked": bool(whole.subject.metavar),
            "help": _in_words(whole.subject.help, whole.subject.metavar),
            "drawn": whole.subject.name == workflows().usual.whole.subject.name,
        },
        "fields": [_field(name, field) for name, field in whole.arguments.items()],
    }


def _in_words(text: str, metavar: str) -> str:
    """Return a text of a command line for who sees none: `MOLECULE` is a molecule."""
    said = metavar.lower().replace("_", " ")
    if not said.replace(" ", "").isalpha():
        return text
    plural = said.endswith("s") and not said.endswith("ss")
    one = said if plural else f"{'an' if said[0] in 'aeiou' else 'a'} {said}"
    whole = re.sub(rf"\b{metavar}\b", one, text)
    return whole[:1].upper() + whole[1:]


def _field(name: str, field: FieldInfo) -> dict[str, Any]:
    usual = USUAL.get(name)
    default = field.default if not field.is_required() else None
    shown = usual if usual is not None else default
    return {
        "name": name,
        "label": noun_of(name, field),
        "help": field.description or "",
        "kind": _kind(field.annotation),
        "choices": list(choices_of(field.annotation)) or list(field.examples or ()),
        "unit": unit_of(field) or "",
        "usual": shown if isinstance(shown, str | int | float | bool) else None,
        "required": field.is_required(),
        "rare": is_rare(field),
        "for": [
            {"field": one.field, "values": list(one.values)}
            for one in field.metadata
            if isinstance(one, For)
        ],
    }


def _kind(annotation: Any) -> str:
    """Return how a field is filled in: a `flag`, a `choice`, a number, a `text`, a `list`."""
    while get_origin(annotation) in (Union, types.UnionType, Annotated):
        annotation = next(one for one in get_args(annotation) if one is not type(None))
    if annotation is bool or get_args(annotation) == (True,):
        return "flag"
    if get_origin(annotation) is Literal:
        return "choice"
    if get_origin(annotation) in (tuple, list):
        return "list"
    return {int: "integer", float: "number"}.get(annotation, "text")


def formats() -> list[str]:
    """Return the formats in which objects are written, as names of files end."""
    ends = dict.fromkeys(end for one in _writing() for end in one.whole.endings)
    return [end.removeprefix(".") for end in ends]


async def written(
    session: Grafico, iris: Sequence[str], form: str, caller: Caller, **said: str
) -> str | bytes:
    """Return the first of some objects that can be written in a format, or a function of it.

    Args:
        session: has the objects.
        iris: of the objects.
        form: the ending of a name of a file, without its point.
        caller: for whom.
        said: what else the writing is asked with.

    Raises:
        InputError: nothing writes that.
        GraficoError: of none of them; why not of the last.
    """
    grids = [one for one in workflows().actions if GRID in one.whole.endings]
    ways = [one for one in (*_writing(), *grids) if f".{form}" in one.whole.endings]
    asked = "a file was asked for"
    if not ways:
        raise InputError(asked, f"nothing writes {form!r}", f"one of {', '.join(formats())}")
    failed: GraficoError = NotFoundError(asked, "it is of no object", "name one")
    for iri, one in product(iris, ways):  # some write structures, some what runs came to
        try:
            with asked_by(caller):  # the session's loop has a context of its own
                ready = await session.prepare_action_async(one, iri, file=f"it.{form}", **said)
                return (await ready.make()).text
        except GraficoError as error:
            failed = error
    raise failed


def _writing() -> list[Action]:
    """Return what writes objects as they are; others write what they found out about one."""
    return [one for one in workflows().actions if one.of_results or one.whole.format_field]


def examples() -> list[str]:
    """Return what can be proposed to somebody who has asked nothing yet."""
    return [one.wish for one in workflows().values() if one.wish]


def surfaces(session: Grafico, iri: str) -> list[dict[str, Any]]:
    """Return the fields by which a function in space is chosen that can be drawn of an object.

    Args:
        session: has the object.
        iri: of a result, or of a run, of which the last result counts.
    """
    writing = next((one for one in workflows().actions if GRID in one.whole.endings), None)
    if writing is None:
        return []
    kind = writing.whole.subject.model
    if not isinstance(stored_or_last(session.kg, iri, lambda one: isinstance(one, kind)), kind):
        return []
    return [_field(name, field) for name, field in writing.whole.arguments.items()]


def request_of(session: Grafico, said: Mapping[str, Any]) -> Request:
    """Return the request that a form makes.

    Raises:
        InputError: it cannot be.
        NotFoundError: there is no such workflow.
    """
    chosen = workflows().named(str(said.get("workflow", "")))
    subjects = [str(one) for one in list_of(said.get("subjects"))]
    given = mapping_of(said.get("arguments"))
    asked = {name: one for name, one in given.items() if one not in (None, "", [])}
    return Request.of(chosen, subjects, chosen.whole.translated(asked), session.settings.defaults)


def command_of(request: Request) -> str:
    """Return the command line that does the same."""
    return "\n".join(commands(call_of(request)))


async def plan_of(session: Grafico, request: Request) -> dict[str, Any]:
    """Return what a request would do: how it was read, its steps, what it takes.

    Raises:
        RecipeError: there is no way to what is asked.
        GraficoError: it cannot be read.
    """
    told: list[dict[str, Any]] = []
    for one in request.each() if request.subjects else [request]:
        subject = one.subjects[0] if one.subjects else None
        asked: dict[str, Any] = {**one.arguments, "workflow": one.workflow.name}
        ready = await session.prepare_async(subject, **asked)
        cost = ready.estimate(force=True)
        told.append(
            {
                "label": ready.prepared.label,
                "steps": _steps(ready),
                "estimate": cost.text if cost else "",
                "seconds": cost.seconds if cost else None,
                "remarks": list(ready.prepared.remarks),
            }
        )
    return {"plans": told, "command": command_of(request), "python": "\n".join(_python(request))}


def _steps(ready: Ready) -> list[str]:
    """Return the steps of the cheapest way; none where there is nothing to be reached."""
    if ready.prepared.goal is None:
        return []
    plans = ready.plans()
    for way in plans:
        names = [str(getattr(node, "verb", node.name)) for node in way]
        return [re.sub("(?<=[a-z])(?=[A-Z])", " ", name).capitalize() for name in names]
    asked = f"a plan for {ready.prepared.label} was asked for"
    raise RecipeError(asked, f"there is none: {plans.obstacles}", "ask for something else")


def _python(request: Request) -> Iterator[str]:
    """Iterate over lines of Python that do the same."""
    yield "from grafico import Grafico"
    yield ""
    yield "with Grafico() as session:"
    workflow = {} if request.workflow is workflows().usual else {"workflow": request.workflow.name}
    said = ", ".join(f"{n}={one!r}" for n, one in {**workflow, **request.arguments}.items())
    for subject in request.subjects or (None,):
        words = ", ".join(filter(None, ["" if subject is None else repr(str(subject)), said]))
        yield f"    print(session.run({words}))"
