"""`Tool`: a typed function that a model may call; its schema is made of the function itself."""

from __future__ import annotations

import inspect
import json
import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic_core import to_jsonable_python

from grafico.session.inspection import shorten
from ogm.terms import BASE
from ogm.validation_errors import readable
from triplestore.errors import ComponentError, ConsentError, GraficoError, InputError
from triplestore.spans import note, span
from workflows.text.names import nearest, plain
from workflows.text.safe_text import printable, printable_json
from workflows.trust.caller import asked_by

if TYPE_CHECKING:
    from grafico.session.settings import Settings

    from .context import ToolContext

Found: TypeAlias = dict[str, Any]
"""What a tool found, ready for JSON: names, scalars and IRIs."""

Off: TypeAlias = "Callable[[Settings], str | None]"
"""Returns why a tool cannot be used with some settings, or None."""

UNSAID = (
    "title",
    "additionalProperties",
    "$defs",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
)
"""What a schema is made shorter by."""

FEW = 8
"""Arguments of a tool that a refusal lists; of more the schema does."""

LONGEST = 400
"""Letters of one value."""

_FOLDERS = re.compile(r"""(?<![\w:/.'"<=#()\[\]])/(?:[^\s'",;:()]+/)+""")
"""What could be the folder of a file; not what somebody has quoted."""

_log = logging.getLogger(__name__)


class ArgumentsError(InputError):
    """A tool was called with arguments that cannot be; whoever called it can mend them.

    Args:
        asked: see `GraficoError`.
        found: likewise.
        advice: likewise.
        form: what the arguments can be, as a JSON schema, where the tool itself does not say.
    """

    def __init__(
        self, asked: str, found: str, advice: str, form: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(asked, found, advice)
        self.form = dict(form or {})

    @property
    def told(self) -> str:
        """What a model is told that is to mend them."""
        form = json.dumps(self.form, ensure_ascii=False, separators=(",", ":"))
        return f"{self.found}; {self.advice}{f': {form}' if self.form else ''}"


@dataclass(frozen=True)
class Returned:
    """What came of a call.

    Attributes:
        found: for the caller.
        image: a picture in PNG beside it.
    """

    found: Found
    image: bytes | None = None


class Batch:
    """Marks a list whose items stand for themselves: one that cannot be holds up no other."""


def usual(_: Settings) -> None:
    """Say that nothing keeps a tool from being used."""


def unchecked(context: ToolContext, values: dict[str, Any]) -> Found:
    """Say that nothing is wrong with arguments beside what their schema says."""
    return {}


@dataclass(frozen=True)
class Tool:
    """What a model may call.

    Attributes:
        name: of the function.
        description: its docstring.
        form: its arguments.
        function: takes the context and the arguments.
        off: returns why it cannot be used at all with some settings, or None.
        reads: whether it changes nothing; the others add.
        outside: whether it asks somebody beyond this machine.
        commands: whether it may do what cannot be undone, after a person's yes.
        check: raises an `InputError` where arguments that fit the form cannot be all the same;
            returns what it has made of them, which the function is given too.
        hidden: arguments that the schema leaves out; they are taken all the same.
    """

    name: str
    description: str
    form: type[BaseModel]
    function: Callable[..., Awaitable[Found | Returned]]
    off: Off = usual
    reads: bool = False
    outside: bool = False
    commands: bool = False
    check: Callable[[ToolContext, dict[str, Any]], Found] = unchecked
    hidden: frozenset[str] = frozenset()

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments, without what says nothing."""
        whole = lean(self.form.model_json_schema())
        shown = {n: v for n, v in whole.get("properties", {}).items() if n not in self.hidden}
        return whole | {"properties": shown} if self.hidden else whole

    def read(
        self, context: ToolContext, arguments: Mapping[str, Any]
    ) -> tuple[dict[str, Any], Found, list[str]]:
        """Return the arguments that were given, checked, what was made of them, and what is wrong.

        That is wrong which items say that were left out.

        Raises:
            ArgumentsError: there are others, or they cannot be.
        """
        given, left = without_bad_items(self.form, clean(dict(arguments)))
        fine, wrong = checked(self.form, given)
        made: Found = {}
        try:
            if fine is not None:
                made = self.check(context, fine)
        except ArgumentsError as error:
            if not wrong:
                raise
            wrong.append(error.found)
        except InputError as error:
            wrong.append(str(error))
        if wrong or fine is None:
            names = list(self.form.model_fields)
            takes = f"it takes {', '.join(names)}" if len(names) <= FEW else "see its schema"
            raise ArgumentsError(f"{self.name} was called", "; ".join([*left, *wrong]), takes)
        return fine, made, left

    async def __call__(self, context: ToolContext, arguments: Mapping[str, Any]) -> Returned:
        """Do what is asked; what goes wrong is an answer too.

        Raises:
            ArgumentsError: the arguments cannot be.
        """
        if reason := self.off(context.settings):
            asked = f"cannot use the tool {self.name}"
            return Returned({"error": as_error(ComponentError(asked, reason, "do without it"))})
        from .context import in_tool_call

        with asked_by(context.caller), in_tool_call():
            return await self._called(context, arguments)

    async def _called(self, context: ToolContext, arguments: Mapping[str, Any]) -> Returned:
        values, made, left = self.read(context, arguments)
        context.tell("tool", self.name, **to_jsonable_python(values))
        with span(context.session.executor.tracer, f"tool {self.name}", tool=self.name) as here:
            try:
                got = await self.function(context, **values, **made)
            except ArgumentsError:  # which only doing it could tell
                raise
            except GraficoError as error:
                got = {"error": as_error(error)}
            except Exception as error:
                _log.exception("the tool %s failed", self.name)
                problem = f"a fault in it: {type(error).__name__}"
                got = {"error": {"kind": "GraficoError", "asked": self.name, "found": problem}}
            returned = got if isinstance(got, Returned) else Returned(got)
            content = returned.found | ({"left_out": left} if left else {})
            returned = replace(returned, found=context.local(printable_json(clean(content))))
            kind = returned.found.get("error", {}).get("kind")
            note(here, failed=kind)
        context.tell("result", self.name, **returned.found)
        return returned


def tool(
    *,
    off: Off = usual,
    reads: bool = False,
    outside: bool = False,
    commands: bool = False,
    hidden: frozenset[str] = frozenset(),
) -> Callable[[Callable[..., Awaitable[Found | Returned]]], Tool]:
    """Make a tool of an async function whose first parameter is the context; see `Tool`."""

    def make(function: Callable[..., Awaitable[Found | Returned]]) -> Tool:
        hints = get_type_hints(function, include_extras=True)
        fields: dict[str, Any] = {}
        for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
            if parameter.kind is parameter.VAR_KEYWORD:
                continue
            bare = parameter.default is parameter.empty
            fields[name] = (hints[name], ... if bare else parameter.default)
        name = getattr(function, "__name__", "tool")
        return Tool(
            name=name,
            description=" ".join((inspect.getdoc(function) or "").split()),
            form=create_model(name, __config__=ConfigDict(extra="forbid"), **fields),
            function=function,
            off=off,
            reads=reads,
            outside=outside,
            commands=commands,
            hidden=hidden,
        )

    return make


def without_bad_items(
    form: type[BaseModel], given: dict[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Return arguments without the items of batches that cannot be, and what is wrong with those.

    A batch of which no item is left stays as it is.
    """
    try:
        form.model_validate(given)
    except ValidationError as error:
        faults: dict[str, dict[int, list[str]]] = {}
        for item, text in zip(error.errors(), readable(error), strict=True):
            name, *places = item["loc"] or ("",)
            field = form.model_fields.get(str(name))
            if field and Batch in field.metadata and places and isinstance(places[0], int):
                texts = faults.setdefault(str(name), {}).setdefault(places[0], [])
                texts.append(_fault(item, text, form))
        left: list[str] = []
        for name, bad in faults.items():
            good = [one for at, one in enumerate(given[name]) if at not in bad]
            if good:
                given = given | {name: good}
                left += [text for texts in bad.values() for text in texts]
        return given, left
    return given, []


def checked(
    form: type[BaseModel], given: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the arguments of a form that can be, and what is wrong with the others.

    None stands for them where without the others there is no form at all.
    """
    try:
        filled = form.model_validate(given)
    except ValidationError as error:
        wrong = [
            _fault(item, text, form)
            for item, text in zip(error.errors(), readable(error), strict=True)
        ]
        bad = {str(item["loc"][0]) for item in error.errors() if item["loc"]}
        if not bad & set(given):
            return None, wrong
        fine, more = checked(form, {n: v for n, v in given.items() if n not in bad})
        left = tuple(f"{name}: Field required" for name in bad)  # they are there, and wrong
        return fine, [*wrong, *(one for one in more if one not in wrong and one not in left)]
    return {name: getattr(filled, name) for name in filled.model_fields_set}, []


def _fault(item: Any, text: str, form: type[BaseModel]) -> str:
    """Return what is wrong with an argument; of one that there is not the nearest that there is."""
    if item["type"] != "extra_forbidden":
        return text
    *within, name = map(str, item["loc"])
    for part in within:
        field = form.model_fields.get(part)
        form = next(_forms(field.annotation), form) if field else form
    names = {plain(one): one for one in form.model_fields}
    near = " or ".join(nearest(plain(name), names)) or ", ".join(names.values() if within else ())
    where = ".".join((*within, name))
    return f"{where}: there is no such argument" + (f", did you mean {near}?" if near else "")


def _forms(kind: Any) -> Iterator[type[BaseModel]]:
    """Iterate over the forms that the value of a field is made of, such as the items of a list."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    for part in get_args(kind):
        yield from _forms(part)


def clean(node: Any) -> Any:
    """Return what JSON can hold, its texts such as can be stored and sent."""
    if isinstance(node, str):
        return node.encode("utf-8", "replace").decode()
    if isinstance(node, dict):
        items = cast("dict[str, Any]", node).items()
        return {clean(name): clean(value) for name, value in items}
    if isinstance(node, list | tuple):
        return [clean(item) for item in cast("list[Any]", node)]
    return node


def cut(value: str) -> str:
    """Return the beginning of a long text, which ends behind an item or a word, and what is left.

    A number is never cut in two; how many items follow is said where there are several.
    """
    if len(value) <= LONGEST:
        return value
    for mark in (", ", ",", "; ", " "):
        head = value[:LONGEST].rpartition(mark)[0]
        if len(head) > LONGEST // 2:
            left = value.count(mark) - head.count(mark)
            rest = f"{left} more of {value.count(mark) + 1}" if mark != " " else ""
            return f"{head}… ({rest or f'{len(value)} letters'}: see the object itself)"
    return f"{value[:LONGEST]}… ({len(value)} letters: see the object itself)"


def denied(why: str, agreed: bool | None) -> Found:
    """Return what a caller is told of what was not done.

    Args:
        why: somebody has to agree.
        agreed: False for a person who said no, None where nobody has answered.
    """
    who = "nobody agreed" if agreed is None else "the person said no"
    return {
        "status": "denied",
        "denied": f"not done: {why}, and {who}",
        "advice": "ask for less, or say so",
    }


def as_error(error: GraficoError) -> Found:
    """Return an error as JSON can hold it."""
    said = {"asked": error.asked, "found": error.found, "advice": error.advice}
    form = getattr(error, "form", None)
    return {
        "kind": type(error).__name__,
        **{name: brief_names(printable(text))[:600] for name, text in said.items() if text},
        **({"form": form} if form else {}),
    }


def failed(error: GraficoError) -> Found:
    """Return what is told of a request that failed, or waits for a person."""
    run = {"run": shorten(error.run)} if error.run else {}
    if isinstance(error, ConsentError):
        return {"status": "pending", "denied": error.found, "advice": error.advice, **run}
    return {"status": "failed", "error": as_error(error), **run}


def brief_names(text: str) -> str:
    """Return a text with IRIs in their short form and, in place of paths of this machine, names.

    Whether there is such a folder makes no difference: that would tell.
    """
    return _FOLDERS.sub("", text.replace(BASE, "g:"))


def lean(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that accepts the same from a caller who leaves out what is not wanted.

    Titles, `null` beside a type and definitions that are used once cost a model attention, and say
    nothing to it. The first of several choices is the default unless another is named. Bounds are
    checked all the same; a refusal names them.
    """
    definitions: dict[str, Any] = schema.get("$defs", {})

    def shrink(node: Any) -> Any:
        if isinstance(node, list):
            return [shrink(item) for item in cast("list[Any]", node)]
        if not isinstance(node, dict):
            return node
        part = dict(cast("dict[str, Any]", node))
        choices = [one for one in part.get("anyOf", ()) if one != {"type": "null"}]
        if len(choices) == 1:
            del part["anyOf"]
            part |= choices[0]
        if "$ref" in part:
            meant = definitions[part.pop("$ref").rpartition("/")[2]]
            part = {name: value for name, value in meant.items() if name != "description"} | part
        if "oneOf" in part:
            part.pop("discriminator", None)  # which each of them says of itself
        for name in UNSAID:
            if not isinstance(part.get(name), dict):
                part.pop(name, None)
        if isinstance(part.get("const"), bool):
            del part["const"]
        usual = part.get("default", part)
        if not usual or usual in part.get("enum", ())[:1]:
            part.pop("default", None)
        if all(isinstance(one, str) for one in part.get("enum", (0,))):
            part.pop("type", None)
        properties = part.pop("properties", None)
        shrunk = {name: shrink(value) for name, value in part.items()}
        if properties is not None:
            shrunk["properties"] = {name: shrink(value) for name, value in properties.items()}
        return shrunk

    return shrink({name: value for name, value in schema.items() if name != "$defs"})


def size(tools: Mapping[str, Tool]) -> int:
    """Return how many characters the tools have, as they are sent."""
    whole = [
        {"name": one.name, "description": one.description, "parameters": one.schema}
        for one in tools.values()
    ]
    return len(json.dumps(whole, separators=(",", ":"), ensure_ascii=False))
