"""Conversations on file, and a model that says again what a model said in them.

``--record FILE`` writes them, one a line; ``--tokens FILE`` prints what they cost; ``--model
recorded:FILE`` asks no model: it gives the answers of the file to the questions of the file. Tools
are really called, so that what is judged is what they come to today. A tool that comes to something
else than it did is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic_ai import messages as said
from pydantic_ai.models.function import AgentInfo, FunctionModel

from grafico.agent.nodes import as_arguments, leaves
from grafico.agent.prompt import RULES
from triplestore.errors import InputError, RecipeError

from .running import Outcome
from .spending import SOURCES, spending

PREFIX = "recorded:"
"""What the name of a model begins with that is a file."""

STEP = re.compile(r"recorded (\d+)\.(\d+)")
NAME = re.compile(r"^g:id/\S+$|^\S*[A-Za-z]\S*\.[a-z]{2,5}$")
"""What goes by another name each time: objects and files."""

WORDS = ("status", "kind")
"""What has to be the same in the result of a tool: how it ended, and which error it is."""


class Transcript(BaseModel):
    """A conversation.

    Attributes:
        cases: name of the set.
        case: name of the case.
        run: which of its repeats.
        model: that answered.
        preamble: tokens of instructions and of the form of tools, which stand in no message.
        messages: of pydantic-ai, as JSON has them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    cases: str
    case: str
    run: int
    model: str
    preamble: int
    messages: list[dict[str, Any]]


def write(file: Path, model: str, outcomes: Iterable[Outcome]) -> int:
    """Write the conversations of outcomes, one a line; return how many there are.

    Raises:
        InputError: the rules answered, which need no recording, or no file can stand there.
    """
    asked = f"cannot record into {file}"
    if model == RULES:
        raise InputError(asked, "the rules answered", "they always say the same; name a model")
    kept = [
        Transcript(
            cases=one.cases,
            case=one.case,
            run=one.run,
            model=model,
            preamble=int(one.attributes.get("preamble", 0)),
            messages=json.loads(one.attributes["conversation"]),
        )
        for one in outcomes
        if "conversation" in one.attributes
    ]
    try:
        file.write_text("".join(f"{one.model_dump_json()}\n" for one in kept), encoding="utf-8")
    except OSError as error:
        raise InputError(asked, error.strerror or "it cannot be written") from error
    return len(kept)


def read(file: Path) -> list[Transcript]:
    """Return the conversations of a file.

    Raises:
        InputError: it is not there, or something else.
    """
    asked = f"cannot replay {file}"
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        return [Transcript.model_validate_json(one) for one in lines if one.strip()]
    except OSError as error:
        raise InputError(asked, error.strerror or "it cannot be read") from error
    except ValueError as error:
        advice = "give what an earlier run wrote with --record"
        raise InputError(asked, "it holds no conversations", advice) from error


def spent(file: Path) -> Iterator[str]:
    """Return a table of the tokens of conversations by source; nothing is asked or computed.

    They are counted as o200k_base has them where no server reported any. What is sent with every
    request counts each time; the instructions and the form of tools are part of the base prompt,
    and stand in a column of their own as they are sent once.
    """
    columns = (*SOURCES, "all", "(tools)")
    yield f"{'case':38s} {'requests':>8s}" + "".join(f" {one:>11s}" for one in columns)
    for one in read(file):
        found = spending(json.dumps(one.messages), one.preamble)
        tokens = [found.get(f"tokens/{source}", 0) for source in SOURCES]
        tokens += [found.get("tokens", 0), one.preamble]
        yield f"{one.case:38s} {found['requests']:8.0f}" + "".join(f" {n:11,.0f}" for n in tokens)


class Replaying(FunctionModel):
    """A model that gives recorded answers.

    Args:
        transcripts: of conversations; of the same question the first is given first.
    """

    def __init__(self, transcripts: Sequence[Transcript]) -> None:
        super().__init__(self._reply, model_name="recorded")
        adapter = said.ModelMessagesTypeAdapter
        self._said = [adapter.validate_python(one.messages) for one in transcripts]
        self._answers = [
            [one for one in every if isinstance(one, said.ModelResponse)] for every in self._said
        ]
        self._given: list[Mapping[str, said.ToolReturnPart]] = [
            {one.tool_call_id: one for one in returns(every)} for every in self._said
        ]
        self._left = list(range(len(transcripts)))
        self._names: list[dict[str, str]] = [{} for _ in transcripts]

    async def request(self, *args: Any, **more: Any) -> said.ModelResponse:
        """Give the next answer, under the name of the model that gave it first."""
        response = await super().request(*args, **more)
        place, step = self._place(response) or (0, 0)
        meant = self._answers[place][step]
        return replace(response, model_name=meant.model_name, usage=meant.usage)

    def _reply(self, messages: list[said.ModelMessage], info: AgentInfo) -> said.ModelResponse:
        last = next(
            (one for one in reversed(messages) if isinstance(one, said.ModelResponse)), None
        )
        found = self._place(last) if last else None
        place, step = found or (self._next(question(messages)), -1)
        self._learn(place, messages)
        if step + 1 >= len(self._answers[place]):
            raise RecipeError(
                "a conversation was replayed", "it goes on where the recorded one had ended"
            )
        answer = self._answers[place][step + 1]
        parts = [self._renamed(place, part) for part in answer.parts]
        name = f"recorded {place}.{step + 1}"
        return replace(answer, parts=parts, provider_response_id=name)

    @staticmethod
    def _place(response: said.ModelResponse) -> tuple[int, int] | None:
        found = STEP.fullmatch(response.provider_response_id or "")
        return (int(found[1]), int(found[2])) if found else None

    def _next(self, asked: str) -> int:
        for place in self._left:
            if question(self._said[place]) == asked:
                self._left.remove(place)
                return place
        raise InputError(
            "a conversation was replayed",
            f"no recorded one (left) begins with {asked[:60]!r}",
            "ask the cases that were recorded, as often as they were",
        )

    def _learn(self, place: int, messages: Sequence[said.ModelMessage]) -> None:
        """Note by which names results go now; what came out otherwise is an error."""
        for now in returns(messages):
            then = self._given[place].get(now.tool_call_id)
            if then is None:
                continue
            pairs = list(zip(leaves(_content(then)), leaves(_content(now)), strict=False))
            words = [
                [text for name, text in leaves(_content(one)) if name in WORDS]
                for one in (then, now)
            ]
            if words[0] != words[1]:
                raise RecipeError(
                    "a conversation was replayed",
                    f"{now.tool_name} comes to {', '.join(words[1]) or 'no word'} where it came"
                    f" to {', '.join(words[0]) or 'no word'}",
                )
            for (_, old), (_, new) in pairs:
                if old != new and NAME.search(old):
                    self._names[place][old] = new

    def _renamed(self, place: int, part: said.ModelResponsePart) -> said.ModelResponsePart:
        if isinstance(part, said.ToolCallPart):
            return replace(part, args=self._anew(place, part.args_as_json_str()))
        if isinstance(part, said.TextPart):
            return replace(part, content=self._anew(place, part.content))
        return part

    def _anew(self, place: int, text: str) -> str:
        for old, new in self._names[place].items():
            text = text.replace(old, new)
        return text


def _content(part: said.ToolReturnPart) -> Any:
    return as_arguments(part.content) or part.content


def returns(messages: Iterable[said.ModelMessage]) -> Iterator[said.ToolReturnPart]:
    """Yield what tools gave."""
    for one in messages:
        yield from (part for part in one.parts if isinstance(part, said.ToolReturnPart))


def question(messages: Iterable[said.ModelMessage]) -> str:
    """Return the first question of a conversation."""
    parts = (part for one in messages for part in one.parts)
    return next((str(one.content) for one in parts if isinstance(one, said.UserPromptPart)), "")
