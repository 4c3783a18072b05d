"""A device file from the tools of an MCP server: what it answers to `tools/list`, saved as a file.

No server is asked and nothing is called. A list says which commands there are and with which
arguments. What they make of the device, and when they are refused, it does not say: that is a
question each, but for tools that only read.

Source: Model Context Protocol, server/tools (https://modelcontextprotocol.io/specification).
"""

from __future__ import annotations

import json
import keyword
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, cast

from pydantic import ValidationError

from triplestore.errors import InputError
from workflows.engine.devices.card import MOST, Argument, Card, CommandCard, Refusal, Source
from workflows.engine.devices.terms import GIVEN
from workflows.text.safe_text import on_one_line

from .arguments import argument
from .docstrings import Told, demand, said, told
from .schemas import Shape, looked_up, shape_of
from .syntax import digest_of, first_line

LONGEST = 4_000_000
"""Bytes of a list."""

WORDS = 4_000
"""Letters of a description: numbers of longer ones are not taken for limits."""

ARGUMENTS = 30
"""Of a command."""

QUESTIONS = 1_000
"""Of a device file."""

FEWER = "keep the tools that command the device, and delete the others from the list"
SAVE = "save what the server answers to tools/list: its result, or the list of tools"


def read_tools(text: str, file: str) -> Card:
    """Return the device that the tools of a server command, as far as their list says.

    Args:
        text: JSON: the answer to `tools/list`, its `result`, or the list itself.
        file: its name.

    Raises:
        InputError: it is none, or more than a device file can have.
    """
    asked = f"a device was to be read from {on_one_line(file)[:100]}"
    if len(text.encode(errors="replace")) > LONGEST:
        raise InputError(asked, f"it has more than {LONGEST:,} bytes", FEWER)
    answer = _parsed(text, asked)
    tools, questions = _listed(answer, asked), list[str]()
    if _object(answer).get("nextCursor"):
        questions.append(
            "list: the server has more tools than it holds: which belong to the device"
        )
    server = _server(answer)
    file = on_one_line(file.replace("\\", "/").rsplit("/", 1)[-1])
    stem = re.sub(r"\.json$", "", file, flags=re.I)
    commands = dict[str, CommandCard]()
    try:
        for name, tool in tools.items():
            reader = _Tool(name, tool, commands)
            commands[reader.called] = reader.command()
            questions += reader.questions
        if len(questions) > QUESTIONS:
            questions[QUESTIONS - 1 :] = [f"list: {len(questions) - QUESTIONS + 1} more: {FEWER}"]
        return Card(
            name=on_one_line(_text(server, "name") or stem)[:100].strip() or "device",
            about=first_line(_text(server, "description")),
            source=Source(module=file[-100:], sha256=digest_of(text)),
            commands=commands,
            unknown=tuple(questions),
        )
    except ValidationError as error:
        one = error.errors(include_url=False, include_input=False)[0]
        place = on_one_line(", ".join(map(str, one["loc"])) or "the whole")[:100]
        raise InputError(asked, f"{place}: {on_one_line(one['msg'])[:300]}", FEWER) from error


def _parsed(text: str, asked: str) -> Any:
    """Return what JSON says, the answer's result if it is one.

    Raises:
        InputError: it is none.
    """

    def refuse(name: str) -> Any:
        raise ValueError(f"{name} is no number of JSON")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
            raise ValueError(f"the name {on_one_line(twice[:60])!r} stands twice in an object")
        return found

    try:
        answer = json.loads(text, parse_constant=refuse, object_pairs_hook=once)
    except RecursionError as error:
        raise InputError(asked, "it is too deep", SAVE) from error
    except ValueError as error:
        raise InputError(asked, f"it is no JSON: {on_one_line(str(error))[:200]}", SAVE) from error
    outer = _object(answer)
    if "error" in outer and "result" not in outer:
        why = on_one_line(_text(outer["error"], "message")[:200])
        raise InputError(asked, f"the server answered with an error: {why or 'of no words'}", SAVE)
    if _text(outer, "format").startswith("grafico-device"):
        raise InputError(asked, "that is a device file", "go on: grafico device check FILE")
    return outer.get("result", answer)


def _listed(answer: Any, asked: str) -> dict[str, Mapping[str, Any]]:
    """Return the tools by name.

    Raises:
        InputError: there are none, too many, or two of a name.
    """
    held = _object(answer).get("tools", answer)
    if not isinstance(held, list):
        raise InputError(asked, "it holds no list of tools", SAVE)
    every, found = cast("list[Any]", held), dict[str, Mapping[str, Any]]()
    if not every:
        raise InputError(asked, "its list of tools is empty", SAVE)
    if len(every) > MOST:
        many = f"it has {len(every):,} tools, and a device at most {MOST} commands"
        raise InputError(asked, many, FEWER)
    for number, tool in enumerate(every, 1):
        name = _text(tool, "name")
        if not name.strip():
            raise InputError(asked, f"tool {number} of the list has no name", SAVE)
        if name in found:
            twice = f"two tools are called {on_one_line(name[:60])!r}"
            raise InputError(asked, twice, "delete the one that is not meant")
        found[name] = tool
    return found


def _object(found: object) -> Mapping[str, Any]:
    """Return an object of JSON; an empty one where it is another thing."""
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _text(found: object, name: str) -> str:
    """Return a text of an object; empty where it has none."""
    text = _object(found).get(name)
    return text if isinstance(text, str) else ""


def _server(answer: Any) -> Any:
    """Return what a server says of itself beside its tools."""
    return _object(_object(answer).get("_meta")).get("io.modelcontextprotocol/serverInfo")


def renamed(given: str, taken: Collection[str], otherwise: str) -> tuple[str, bool]:
    """Return a name as a device file can have it, and whether something of it was lost.

    Args:
        given: the name.
        taken: names that others have.
        otherwise: the name where no letter is left.
    """
    plain = re.sub(r"[-./: ]", "_", given[:1000])
    word = re.sub(r"\W", "", plain, flags=re.ASCII)
    if word.startswith("__") and word.endswith("__"):
        word = word.strip("_")
    lost = word != plain or len(word) > 56
    word = word[:56] or otherwise
    word = f"_{word}" if word[0].isdigit() else word
    word = f"{word}_" if keyword.iskeyword(word) or word == GIVEN else word
    found, number = word, 1
    while found in taken:
        found, number, lost = f"{word[:50]}_{number + 1}", number + 1, True
    return found, lost


class _Tool:
    """Reads one tool; `called` is the name of its command."""

    def __init__(self, name: str, tool: Mapping[str, Any], taken: Collection[str]) -> None:
        self.name, self.tool, self.questions = name, tool, list[str]()
        self.called, lost = renamed(name, taken, "command")
        if lost:
            self._ask(f"the tool is called {on_one_line(name[:80])!r}; which name has it here")
        self.hints = _object(tool.get("annotations"))
        self.reads = self.hints.get("readOnlyHint") is True
        self.refused = list[Refusal]()

    def _ask(self, question: str) -> None:
        self.questions.append(f"{self.called}: {on_one_line(question)}"[:300])

    def _ask_of_argument(self, question: str) -> None:
        """Ask where it matters: what changes nothing may be given anything."""
        if not self.reads:
            self._ask(question)

    def command(self) -> CommandCard:
        description = _text(self.tool, "description") or _text(self.tool, "title")
        left = list[str]()
        arguments = self._arguments(description, left)
        if not self.reads:
            self._ask_effect(description)
        elif self.hints.get("destructiveHint") is True:
            self._ask("the server says that it only reads, and that it destroys; which is it")
        about = [first_line(description)[:160].rstrip(". ")]
        if self.called != self.name:
            about.append(f"tool {on_one_line(self.name[:60])}")
        if self.reads:
            about.append("the server says: it only reads")
        if left:
            names = ", ".join(on_one_line(one[:30]) for one in left[:3])
            about.append(
                f"left out: {names}" + (f" and {len(left) - 3:,} more" if len(left) > 3 else "")
            )
        return CommandCard(
            about="; ".join(filter(None, about))[:300],
            arguments=arguments,
            refused=tuple(self.refused),
        )

    def _ask_effect(self, description: str) -> None:
        """Ask what a list of tools never says."""
        hints = list[str]()
        if self.hints.get("destructiveHint") is True:
            hints.append("it may destroy something")
        if self.hints.get("idempotentHint") is True:
            hints.append("again it changes nothing more")
        says = f"; the server says: {', '.join(hints)}" if hints else ""
        if line := demand(description[:WORDS]):
            says += f"; its description says: {line!r}"
        self._ask(f"which states does it change (makes), and when is it refused (refused){says}")

    def _arguments(self, description: str, left: list[str]) -> dict[str, Argument]:
        """Return the arguments, and add those that the command does without to `left`."""
        schema = self._schema()
        given, needs = _object(schema.get("properties")), schema.get("required")
        every = cast("list[Any]", needs) if isinstance(needs, list) else []
        needed = {one for one in every if isinstance(one, str)}
        if missing := sorted(needed - given.keys()):
            self._ask_of_argument(f"what is {on_one_line(missing[0][:60])}, which it requires")
        words = told(description, list(given)[:MOST]) if len(description) <= WORDS else {}
        found = dict[str, Argument]()
        for name in sorted(given, key=lambda one: one not in needed):
            required = name in needed
            if len(found) == ARGUMENTS:
                left.append(name)
                if required and len(left) == 1:
                    self._ask_of_argument(f"a command has {ARGUMENTS} arguments; which are they")
                continue
            shape = shape_of(given[name], schema)
            if shape.form and not shape.kind and not (required and not self.reads):
                left.append(name)
                continue
            called, lost = renamed(name, found, "argument")
            if lost:
                shown = on_one_line(name[:80])
                self._ask_of_argument(f"{called} is its argument {shown!r}; which name has it here")
            if called != name:
                shape.more.insert(0, on_one_line(name[:60]))
            found[called] = self._argument(called, shape, required, words.get(name, Told()))
        return found

    def _schema(self) -> Mapping[str, Any]:
        """Return the schema of all arguments."""
        root = whole = _object(self.tool.get("inputSchema"))
        for _ in range(4):
            if "$ref" not in whole:
                break
            whole = _object(looked_up(whole["$ref"], root))
        has_arguments = isinstance(whole.get("properties", {}), dict)
        has_arguments &= whole.get("type", "object") == "object"
        if not whole or "$ref" in whole or not has_arguments:
            self._ask_of_argument("which arguments has it (its inputSchema does not say)")
            return {}
        if whole.keys() & {"anyOf", "oneOf", "allOf", "if", "dependentRequired", "dependencies"}:
            self._ask_of_argument("which arguments go together (its inputSchema has conditions)")
        return {**root, **whole}

    def _argument(self, name: str, shape: Shape, required: bool, doc: Told) -> Argument:
        """Return an argument of a name that can be."""
        words = doc
        if shape.text:
            words = said(shape.text) if len(shape.text) <= WORDS else Told(shape.text[:WORDS])
        form, declared = shape.form, shape.declared(required)
        if form:
            declared = replace(declared, choices=(), default=None)
            words = replace(words, kind="")
        text = "; ".join([*shape.more[:4], *filter(None, [words.text])])
        there = f": {name}" + (f" ({form})" if form else "")
        found = argument(
            name,
            declared,
            replace(words, text=text),
            self._ask_of_argument,
            lambda asks: self._ask_of_argument(f"{asks}{there}"),
        )
        if form and shape.kind:
            self._ask_of_argument(f"which values has {name} ({form})")
        if found.kind == "float" and not found.choices:
            self._refuse_ends(name, shape, found)
        return found

    def _refuse_ends(self, name: str, shape: Shape, found: Argument) -> None:
        """Refuse a limit that is itself no value: a device file's limits are values."""
        ends = (
            (shape.above, shape.low, found.low, "above"),
            (shape.below, shape.high, found.high, "below"),
        )
        if shape.above and shape.below and found.default is None:
            ask = f"above {shape.low:g} and below {shape.high:g}"
            self._ask_of_argument(f"which is the smallest and the largest {name} ({ask})")
            return
        for is_open, limit, kept, word in ends:
            if is_open and limit is not None and limit == kept:
                because = f"{name} has to be {word} {limit:g} {found.unit}".strip()
                self.refused.append(Refusal(when=f"{GIVEN}.{name} == {limit!r}", because=because))
