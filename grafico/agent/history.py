"""Histories of messages: kept as text, made whole again after a break, shortened when long."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from pydantic_ai import BinaryContent, RunContext
from pydantic_ai import messages as said
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.models import ModelRequestContext

from triplestore.errors import InputError

from .nodes import as_arguments, leaves
from .quantities import IRI_LIKE
from .sources import Ledger
from .toolbox import clean

Messages: TypeAlias = "list[said.ModelMessage]"

A_TOKEN = 3.5
"""Characters of a token, roughly: JSON and IRIs have fewer than prose."""

BRIEF = 300
"""Characters of a question or an argument that stay of an old part of a history."""

LABEL = 80
"""Characters of what says what an IRI is of."""

RESULTS = ("tool-return", "retry-prompt")
"""Kinds of what comes back of a call."""


# --- as text -------------------------------------------------------------------------------------


def dumped(message: said.ModelMessage) -> str:
    """Return a message as JSON, without its pictures and the instructions that all have."""
    shown = without_pictures(message)
    if isinstance(shown, said.ModelRequest):
        shown = replace(shown, instructions=None)
    [body] = json.loads(said.ModelMessagesTypeAdapter.dump_json([shown]))
    return json.dumps(body, ensure_ascii=False)


def read(bodies: Sequence[str]) -> Messages:
    """Return the messages that were kept as JSON.

    Raises:
        InputError: they cannot be read.
    """
    try:
        return said.ModelMessagesTypeAdapter.validate_json(f"[{','.join(bodies)}]")
    except ValueError as error:
        raise InputError(
            "cannot continue the conversation", "it cannot be read", "start a new one"
        ) from error


def asked(question: str) -> said.ModelMessage:
    """Return the message of a question."""
    return said.ModelRequest(parts=[said.UserPromptPart(question)])


def without_pictures(message: said.ModelMessage) -> said.ModelMessage:
    """Return a message with words in the place of its pictures."""
    if not isinstance(message, said.ModelRequest):
        return message
    parts = [
        replace(part, content=[_in_words(one) for one in part.content])
        if isinstance(part, said.UserPromptPart) and not isinstance(part.content, str)
        else part
        for part in message.parts
    ]
    return replace(message, parts=parts)


def _in_words(content: Any) -> Any:
    return "(a picture was shown here)" if isinstance(content, BinaryContent) else content


# --- after a break -------------------------------------------------------------------------------


def whole(messages: Sequence[said.ModelMessage]) -> Messages:
    """Return a history without an answer that was cut off at its end."""
    complete = list(messages)
    while complete and isinstance(complete[-1], said.ModelResponse):
        if complete[-1].state == "complete" and complete[-1].parts:
            break
        complete.pop()
    return complete


def is_open(messages: Messages) -> bool:
    """Tell whether a history ends with what a model has still to answer."""
    return bool(messages) and isinstance(messages[-1], said.ModelRequest)


def unanswered(messages: Messages) -> list[said.ToolCallPart]:
    """Return the calls that nothing came back of."""
    calls = dict[str, said.ToolCallPart]()
    for part in (part for message in messages for part in message.parts):
        if isinstance(part, said.ToolCallPart):
            calls[part.tool_call_id] = part
        elif part.part_kind in RESULTS:
            calls.pop(getattr(part, "tool_call_id", ""), None)
    return list(calls.values())


def closed(messages: Messages, why: str) -> Messages:
    """Return a history whose last question has an answer, if only that there is none."""
    history = said.repair_messages(whole(messages))
    if is_open(history):
        history.append(said.ModelResponse(parts=[said.TextPart(f"(No answer: {why})")]))
    return history


# --- what it holds -------------------------------------------------------------------------------


def sources(messages: Messages) -> Ledger:
    """Return every number that was ever given."""
    ledger = Ledger()
    for message in messages:
        for part in message.parts:
            made = isinstance(part, said.ToolCallPart)
            content = part.args if made else getattr(part, "content", None)
            name, key = getattr(part, "tool_name", ""), getattr(part, "tool_call_id", "")
            ledger.part(part.part_kind, name or "", key, content)
    return ledger


def values_of(messages: Messages, *names: str) -> list[str]:
    """Return what results of tools hold under these names, each once."""
    found: dict[str, None] = {}
    for message in messages:
        for part in message.parts:
            if isinstance(part, said.ToolReturnPart):
                found |= {text: None for name, text in leaves(part.content) if name in names}
    return list(found)


# --- shortening ----------------------------------------------------------------------------------


@dataclass
class Shortening(AbstractCapability[Any]):
    """Has a model see a shortened history where the whole one is too long.

    Attributes:
        tokens: that a history may have, roughly.
    """

    tokens: int

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Shorten what is sent; the history itself stays whole."""
        request_context.messages = shortened(list(request_context.messages), self.tokens)
        return request_context

    async def after_model_request(
        self,
        ctx: RunContext[Any],
        *,
        request_context: ModelRequestContext,
        response: said.ModelResponse,
    ) -> said.ModelResponse:
        """Take out what is no text: halves of characters that JSON lets through."""
        parts: list[Any] = []
        for part in response.parts:
            changes = {n: clean(getattr(part, n)) for n in ("content", "args") if hasattr(part, n)}
            parts.append(replace(part, **changes) if changes else part)
        return replace(response, parts=parts)


def shortened(messages: Messages, tokens: int) -> Messages:
    """Return a history of about so many tokens at most, with every IRI that it has.

    Of old parts only questions, answers and the IRIs of what tools found stay, of still older ones
    the beginnings of questions and the IRIs. Where the cuts are depends on what comes before them
    alone, and they move in leaps: a provider that remembers beginnings goes on remembering.
    """
    sizes = [size(message) for message in messages]
    start, total = 0, 0
    for index, here in enumerate(sizes):
        total += here
        if total > tokens:  # a leap: half of what is allowed stays as it is
            kept, start = 0, index + 1
            while start > 0 and kept + sizes[start - 1] <= tokens // 2:
                start -= 1
                kept += sizes[start]
            start = min(_boundary(messages, start), index)
            total = sum(sizes[start : index + 1])
    if start == 0:
        return messages
    old = [_brief(message) for message in messages[:start]]
    if sum(map(size, old)) > tokens // 2:
        asked = max(index for index in range(start + 1) if not index or _asks(messages[index]))
        old = [*_listed(messages[:asked]), *old[asked:]]
    return [*old, *messages[start:]]


def size(message: said.ModelMessage) -> int:
    """Return the tokens of a message, roughly."""
    text = 0
    for part in message.parts:
        content = getattr(part, "content", None)
        given = getattr(part, "args", None)
        for item in (content, given):
            if item is None:
                continue
            plain = item if isinstance(item, str) else _plain(item)
            text += len(plain)
    return int(text / A_TOKEN) + 4 * len(message.parts)


def _plain(item: Any) -> str:
    if isinstance(item, list | tuple) and any(
        isinstance(one, BinaryContent) for one in cast("list[Any]", item)
    ):
        return " " * int(1000 * A_TOKEN)  # what a picture costs
    return json.dumps(item, ensure_ascii=False, default=str)


def _boundary(messages: Messages, start: int) -> int:
    """Return the next place after which no result stands without its call."""
    while start < len(messages) and isinstance(messages[start], said.ModelRequest):
        if _asks(messages[start]):
            break
        start += 1
    return start


def _asks(message: said.ModelMessage) -> bool:
    """Tell whether a message begins a turn."""
    return isinstance(message, said.ModelRequest) and not any(
        part.part_kind in RESULTS for part in message.parts
    )


def _brief(message: said.ModelMessage) -> said.ModelMessage:
    """Return an old message: results of tools as the IRIs in them by label, long arguments cut."""
    parts: list[Any] = []
    for part in without_pictures(message).parts:
        match part:
            case said.ToolReturnPart():
                objects = dict(labelled(part.content))
                parts.append(replace(part, content={"shortened": True, "objects": objects}))
            case said.ToolCallPart():
                parts.append(replace(part, args=_cut(as_arguments(part.args))))
            case said.ThinkingPart():
                pass
            case _:
                parts.append(part)
    return replace(message, parts=parts)  # type: ignore[arg-type]


def _cut(node: Any) -> Any:
    """Return arguments with their long texts cut."""
    if isinstance(node, str):
        return node if len(node) <= BRIEF else f"{node[:BRIEF]}… (shortened)"
    if isinstance(node, Mapping):
        return {key: _cut(value) for key, value in cast("Mapping[str, Any]", node).items()}
    if isinstance(node, list | tuple):
        return [_cut(value) for value in cast("list[Any]", node)]
    return node


def _listed(messages: Messages) -> Messages:
    """Return one message in the place of many: questions, answers, and IRIs with their labels."""
    if not messages:
        return []
    lines, seen = list[str](), dict[str, str]()
    for message in messages:
        new = dict[str, str]()
        for part in message.parts:
            content = getattr(part, "content", None)
            if isinstance(part, said.UserPromptPart | said.TextPart) and isinstance(content, str):
                who = "Asked" if isinstance(part, said.UserPromptPart) else "Answered"
                lines.append(f"{who}: {_beginning(' '.join(content.split()))}")
            new |= dict(labelled(content)) | dict.fromkeys(iris(getattr(part, "args", None)), "")
        new = {iri: label for iri, label in new.items() if iri not in seen}
        seen |= new
        if new:
            named = (f"{iri} ({label})" if label else iri for iri, label in new.items())
            lines.append(f"Objects: {', '.join(named)}")
    text = "Earlier in this conversation, shortened:\n" + "\n".join(lines)
    return [
        said.ModelRequest(parts=[said.UserPromptPart(text)]),
        said.ModelResponse(parts=[said.TextPart("(These are kept in mind.)")]),
    ]


def _beginning(text: str) -> str:
    """Return the beginning of a text, which ends behind a word."""
    return text if len(text) <= BRIEF else f"{text[:BRIEF].rpartition(' ')[0] or text[:BRIEF]}…"


def labelled(node: Any, label: str = "") -> Iterator[tuple[str, str]]:
    """Iterate over the IRIs in what a tool found, each with what it is of.

    That is the first text beside it, such as the molecule of a run, and the name that it has there.
    """
    if isinstance(node, Mapping):
        items = cast("Mapping[str, Any]", node)
        stages, results = items.get("stages"), items.get("results")
        if isinstance(stages, list) and isinstance(results, Mapping):  # on the way to others
            told = cast("Mapping[str, Any]", results).items()
            items = {**items, "results": {name: one for name, one in told if name not in stages}}
        for key, value in items.items():
            own = _first_text(one for name, one in items.items() if name != "status") or label
            single = isinstance(value, str)
            yield from labelled(value, f"{own} {key}".strip() if single else own)
    elif isinstance(node, list | tuple):
        cells = cast("Sequence[Any]", node)
        for value in cells:
            yield from labelled(value, _first_text(cells) or label)
    else:
        yield from ((iri, label) for iri in iris(node))


def _first_text(values: Iterable[Any]) -> str:
    """Return the first short text that is no IRI; of several parts the first."""
    parts = (one.partition("; ")[0] for one in values if isinstance(one, str))
    texts = (one for one in parts if 0 < len(one) <= LABEL)
    return next((one for one in texts if not re.search(_IRI, one)), "")


def iris(node: Any) -> list[str]:
    """Return the IRIs in a text or what JSON can hold, each once."""
    if node is None:
        return []
    text = node if isinstance(node, str) else json.dumps(node, ensure_ascii=False, default=str)
    return list(dict.fromkeys(match.rstrip(_AFTER) for match in re.findall(_IRI, text)))


_IRI, _AFTER = IRI_LIKE.pattern.replace(r"\S+", r"[\w/.%-]+"), ".,"
