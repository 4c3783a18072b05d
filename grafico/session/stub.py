"""What type checkers and editors see of `verbs`: ``python -m grafico.session.stub`` writes it.

It follows from what the tree brings: a verb has the fields of its forms and gives what its
definition makes. Verbs of other packages are not in it, and are found all the same.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from workflows.engine.request.definition import Definition, Fields
from workflows.engine.request.workflow import Finished
from workflows.registry import Action, Workflow, Wrapper, workflows

from .client import Grafico

STUB = Path(__file__).with_name("verbs.pyi")

HEAD = """\
# Made by `python -m grafico.session.stub`; a test holds it to what is installed.
# pyright: reportOverlappingOverload=false, reportUnusedImport=false
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

from workflows.engine import Router
from workflows.engine.jobs.job import Job
from workflows.engine.request.definition import PreparedAction
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import Finished, Ready
from workflows.engine.request.wrapping import Rounds, WrapperAnswer
from workflows.registry import Action, Wrapper
from workflows.show.displayed_run import DisplayedRun
{imports}

from .jobs import JobSession

Many: TypeAlias = list[Any] | tuple[Any, ...]
Came: TypeAlias = DisplayedRun | Job
"""

METHODS = """\
class Verbs(JobSession):
    async def prepare_async(
        self, subject: object = None, *forms: object, workflow: str = "", recompute: bool = False,
        **asked: Any,
    ) -> Ready: ...
    def request(
        self, subject: object = None, *forms: object, workflow: str = "", recompute: bool = False,
        **asked: Any,
    ) -> Request: ...
    async def prepare_action_async(
        self, action: Action, subject: object = None, *, file: str = "", **asked: Any
    ) -> PreparedAction: ...
    def rounds(self, wrapper: Wrapper, *, workflow: str = "", **asked: Any) -> Rounds: ...
    async def ask_async(
        self, wrapper: Wrapper, subject: object = None, *, recompute: bool = False, **asked: Any
    ) -> WrapperAnswer: ...
    def __getattr__(self, name: str) -> Callable[..., Any]: ...
"""

ROUTER = "router: str | Router = ..."
HOW = f"recompute: bool = ..., {ROUTER}"
PLACE = "on: str | None = ..., begin: str | datetime | None = ..., after: Sequence[str] = ..."


def stub() -> str:
    """Return the text of the stub."""
    ours = [one for one in workflows().verbs if one.definition.startswith("workflows.")]
    here = [one for one in ours if one.method == "run" or one.method not in dir(Grafico)]
    results = {one.name: result_of(one.whole) for one in here if isinstance(one, Workflow)}
    about = [one for one in workflows().wrappers if one.definition.startswith("workflows.")]
    kinds = [*results.values(), *(one.whole.answer for one in about)]
    places = {(kind.__module__, kind.__name__) for kind in kinds if kind is not Finished}
    imports = "\n".join(f"from {module} import {name}" for module, name in sorted(places))
    parts = [HEAD.format(imports=imports)]
    parts += [arguments(one) for one in here]
    parts.append(METHODS)
    for one in here:
        for mode in ("def", "async def"):
            if isinstance(one, Workflow):
                parts += methods(one, results[one.name].__name__, mode)
            else:
                name = one.method + "_async" * (mode != "def")
                asked = f"**asked: Unpack[{_class(one)}]"
                head = f"    {mode} {name}(self, subject: object = None, *said: Any, {asked})"
                parts.append(f"{head} -> Any: ...")
    parts += [line for one in about for line in wrapping(one)]
    return "\n".join(parts) + "\n"


def result_of(whole: Definition[Any, Any]) -> type:
    """Return the class of what Python is handed of a workflow."""
    made = whole.result
    if made is None:
        return Finished
    function = getattr(made, "__func__", made)
    found = get_type_hints(function).get("return")
    return found if isinstance(found, type) else getattr(made, "__self__", Finished)


def _class(one: Workflow | Action) -> str:
    words = one.method.split("_")
    return "".join(word.capitalize() for word in words) + "Arguments"


def arguments(one: Workflow | Action) -> str:
    """Return the class of the arguments of a verb."""
    whole: Fields = one.whole
    lines = [f"class {_class(one)}(TypedDict, total=False):"]
    fields = {name: form.offered()[name].annotation for name, form in whole.fields.items()}
    fields = {n: str for n, one in whole.shorts.items() if one.description} | fields
    noun = whole.subject.name
    if noun not in fields and noun.isidentifier():
        lines.append(f"    {noun}: object")
    lines += [f"    {name}: {spelt(kind)} | None" for name, kind in fields.items()]
    return "\n".join(lines if len(lines) > 1 else [*lines, "    pass"])


def methods(one: Workflow, result: str, mode: str) -> Iterator[str]:
    """Iterate over the signatures of a workflow's method."""
    name = one.method + "_async" * (mode != "def")
    said = f"**asked: Unpack[{_class(one)}]"
    rows = [(f"subject: object = None, *, {HOW}, {said}", result)]
    if not one.whole.subject.several:
        rows.insert(0, (f"subject: Many, *, {HOW}, {said}", f"list[{result}]"))
    if one.usual:
        rows.insert(0, (f"subject: Request, *, {ROUTER}, {PLACE}", "Came | list[Came]"))
    # of what is handed on as a whole (`**asked`), or goes elsewhere, nobody can tell what comes
    rows.append(("subject: object = None, *forms: object, **asked: Any", "Any"))
    for head, came in rows:
        yield f"    @overload\n    {mode} {name}(self, {head}) -> {came}: ..."


def wrapping(one: Wrapper) -> Iterator[str]:
    """Iterate over the signatures of the method of a verb about other verbs."""
    fields = one.whole.form.offered().items()
    own = "".join(f"{name}: {spelt(field.annotation)} | None = ..., " for name, field in fields)
    head = f'subject: object, *, workflow: str = "", recompute: bool = ..., {own}**asked: Any'
    for mode, name in (("def", one.method), ("async def", f"{one.method}_async")):
        yield f"    {mode} {name}(self, {head}) -> {one.whole.answer.__name__}: ..."


def spelt(kind: Any) -> str:
    """Return a type as it is written."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return spelt(parts[0])
    if origin in (Union, types.UnionType):
        return _either(part for part in parts if part is not type(None))
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, parts))}]"
    if origin is tuple:
        one = spelt(parts[0])
        return f"Sequence[{one}]"
    if origin is dict:
        return f"Mapping[{', '.join(map(spelt, parts))}]"
    return "Any" if kind is Any else kind.__name__


def _either(kinds: Iterable[Any]) -> str:
    return " | ".join(dict.fromkeys(map(spelt, kinds)))


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
