"""A tool that is called for a plain request, and the command lines that do the same."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from workflows.registry import workflows
from workflows.text.names import plain

if TYPE_CHECKING:
    from workflows.engine.request.request import Request


@dataclass(frozen=True)
class ToolCall:
    """A tool to be called, with its arguments by their names, and the request that they make."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    request: Request | None = field(default=None, compare=False, repr=False)


def commands(call: ToolCall) -> Iterator[str]:
    """Iterate over the command lines that do the same as a call, where there are such."""
    noun, said = f"{noun_of(call)}s", call.arguments
    verb = said.get("name", workflows().usual.command)
    options: list[str] = []
    bare = said if "subjects" not in said else {}
    asked = dict(said.get("arguments", bare))
    if each := asked.pop("each", ""):  # of a file: what is asked of each entry stands beside it
        asked = {"workflow": each, **asked["arguments"]}
    for name, value in asked.items():
        flag = f"--{name.replace('_', '-')}"
        many = cast("list[Any]", value) if isinstance(value, list) else [value]
        if name != noun and value is not False:
            options += [flag] if value is True else [n for one in many for n in (flag, str(one))]
    alone = {"subjects": [], "arguments": {}}.keys() <= said.keys() and not said["subjects"]
    for subject in [""] if alone else said.get("subjects", said.get(noun, ())):
        if "arguments" in said:
            options += [word for n in ("on", "begin") if n in said for word in (f"--{n}", said[n])]
        yield shlex.join(["grafico", verb, *filter(None, [subject]), *options])


def noun_of(call: ToolCall) -> str:
    """Return what the workflow of a call is about, in a word; empty where it runs none."""
    workflow = workflows().usual
    if workflows().wrapper(call.arguments.get("name", "")):
        return ""  # it is about stored runs
    if "subjects" in call.arguments:
        name = call.arguments["name"]
        actions = (one for one in workflows().actions if plain(name) in one.names)
        workflow = next(actions, None) or workflows().named(name)
    noun = workflow.whole.subject.name
    return noun if {"subjects", f"{noun}s"} & set(call.arguments) else ""
