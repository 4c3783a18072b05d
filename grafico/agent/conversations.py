"""Conversations in the graph: kept while they go on, listed, named, and read again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grafico.session.inspection import shorten
from grafico.session.latest import RunLine, runs
from ogm import GraphModel, KnowledgeGraph, Link
from ogm.terms import BASE
from ontologies.conversation import Conversation, ConversationName, Message, Turn, TurnOutcome
from ontologies.provenance import Run
from triplestore.errors import GraficoError, InputError, NotFoundError
from workflows.engine.graph.run import grafico_software
from workflows.text.safe_text import printable

from .in_use import InUse
from .nodes import REPEATED, leaves
from .prompt import RULES
from .sources import Ledger, Number, check, marked

if TYPE_CHECKING:
    from grafico.session.client import Grafico

    from .reply import Usage

LONGEST = 60
"""Characters of a name that a first question gives."""

MOST_RUNS = 200
"""The latest runs among which those of a question that was broken off are looked for."""

LISTED = 8
"""Conversations that are named to somebody who asked for one that is not there."""


@dataclass(frozen=True)
class Spent:
    """What a conversation has cost so far.

    Attributes:
        requests: answered by models.
        input_tokens: cached ones included.
        cached_tokens: of these, read from a provider's cache.
        output_tokens: thinking included.
        dollars: US dollars, as far as prices are known.
        unpriced: turns whose price is not known.
    """

    requests: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0
    unpriced: int = 0

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.input_tokens + self.output_tokens

    def plus(self, end: TurnOutcome) -> Spent:
        """Return this and one turn more."""
        return Spent(
            self.requests + end.requests,
            self.input_tokens + end.input_tokens,
            self.cached_tokens + end.cached_tokens,
            self.output_tokens + end.output_tokens,
            self.dollars + (end.dollars or 0.0),
            self.unpriced + (end.dollars is None),
        )


@dataclass(frozen=True)
class Line:
    """A conversation in a list.

    Attributes:
        conversation: its IRI.
        name: what it is called.
        started: when it started.
        last: when something was last asked.
        turns: questions.
        runs: what was computed or remembered, without repetition.
        spent: what it cost.
    """

    conversation: str
    name: str
    started: datetime
    last: datetime
    turns: int
    runs: int
    spent: Spent

    def as_dict(self) -> dict[str, Any]:
        """Return what JSON can hold of it."""
        spent = {f"{k}_USD" if k == "dollars" else k: v for k, v in vars(self.spent).items()}
        times = {name: getattr(self, name).isoformat() for name in ("started", "last")}
        return {**vars(self), **times, "spent": spent}


class Keeper:
    """Keeps one conversation, message by message, so that a crash loses none that was read.

    `trouble` says why something could not be kept so far; empty if all was.

    Args:
        session: whose store keeps it.
        which: a conversation to go on with, see `find`; empty for a new one, which is stored when
            the first question is asked.
        under: IRI of a new one; empty for any.

    Raises:
        NotFoundError: there is no such conversation.
        ResourceError: another program is at work in it.
    """

    def __init__(self, session: Grafico, which: str = "", under: str = "") -> None:
        self._session, self._under = session, under
        self._held: InUse | None = None
        self.conversation = find(session.kg, which) if which else None
        if self.conversation is not None:
            self._hold(self.conversation, name_of(session.kg, self.conversation))
        self.spent = Spent()
        if self.conversation is not None:
            for _, end in turns(session.kg, self.conversation):
                self.spent = self.spent.plus(end) if end else self.spent
        self._turn: Turn | None = None
        self._kept = 0
        self._left: list[GraphModel] = []
        self.trouble = ""

    def _hold(self, conversation: Conversation, name: str) -> None:
        """Keep others from what this program is at work in: they would see half an answer."""
        home, iri = self._session.kg.store.home, conversation.iri
        self._held = InUse.hold(home, iri, name or shorten(iri))

    def close(self) -> None:
        """Let others go on with the conversation."""
        if self._held is not None:
            self._held.close()

    @property
    def iri(self) -> str:
        """Of the conversation; empty before the first question of a new one."""
        return self.conversation.iri if self.conversation else ""

    @property
    def turn(self) -> Turn:
        """The question that is being answered."""
        assert self._turn is not None
        return self._turn

    @property
    def started(self) -> datetime:
        """When the question was asked that is being answered."""
        return self.turn.started

    def history(self) -> list[tuple[Turn, list[str], bool]]:
        """Return each turn in order, its messages, and whether it ended."""
        if self.conversation is None:
            return []
        kg, here = self._session.kg, f"?this g:turn/g:conversation <{self.iri}>"
        said: dict[str, list[Message]] = {}
        for message in kg.find(Message, here):
            said.setdefault(message.turn.iri, []).append(message)
        return [
            (
                turn,
                [m.body for m in sorted(said.get(turn.iri, []), key=lambda m: m.index)],
                bool(end),
            )
            for turn, end in turns(kg, self.conversation)
        ]

    def begin(self, question: str, planner: str) -> None:
        """Keep a question."""
        now, new = datetime.now(UTC), list[Any]()
        if self.conversation is None:
            conversation = Conversation(started=now, software=grafico_software())
            if self._under:
                conversation = conversation.identified(self._under)
            asked = [line for line in question.splitlines() if not line.startswith("[data {")]
            words = " ".join(printable("\n".join(asked)).split()) or "structures"
            name = words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"
            self._hold(conversation, name)
            self.conversation = conversation
            new = [conversation, _named(conversation, name, now)]
        self._turn = Turn(
            conversation=Link(self.conversation), question=question, planner=planner, started=now
        )
        self._kept = 0
        self._session.executor.record(*self._left, *new, self._turn)
        self._left, self.trouble = [], ""

    @property
    def count(self) -> int:
        """How many messages of this turn are kept."""
        return self._kept

    def keep(self, bodies: Sequence[str]) -> None:
        """Keep the next messages of this turn."""
        assert self._turn is not None
        new = [
            Message(turn=Link(self._turn), index=index, body=body)
            for index, body in enumerate(bodies, self._kept)
        ]
        if new:
            self._record(*new, durable=False)
        self._kept += len(new)

    def end(
        self, status: Any, answer: str, usage: Usage, runs: Sequence[str], files: Sequence[str]
    ) -> None:
        """Keep how the turn ended."""
        assert self._turn is not None
        links = [Link[Run](full(run)) for run in runs]
        end = TurnOutcome(
            turn=Link(self._turn),
            status=status,
            answer=answer,
            ended=datetime.now(UTC),
            runs=tuple(links),
            files=tuple(files),
            requests=usage.requests,
            input_tokens=usage.input_tokens,
            cached_tokens=usage.cached_tokens,
            output_tokens=usage.output_tokens,
            dollars=None if usage.cost is None else float(usage.cost),
            wall_time=usage.seconds,
        )
        self.spent = self.spent.plus(end)
        self._turn = None
        self._record(end)

    def _record(self, *models: GraphModel, durable: bool = True) -> None:
        """Keep objects; what cannot be kept now waits, for an answer was paid for."""
        self._left += models
        try:
            self._session.executor.record(*self._left, durable=durable)
        except GraficoError as error:
            self.trouble = f"{error.found or error}; it is tried again with the next question"
        else:
            self._left, self.trouble = [], ""


def under_way(
    kg: KnowledgeGraph, calls: Iterable[Mapping[str, Any]], since: datetime
) -> list[RunLine]:
    """Return the runs since then that uses of tools without a result were about, in order.

    Args:
        kg: where they are stored.
        calls: what the tools were given.
        since: when they began at the earliest.
    """
    given = {Path(text).name for call in calls for _, text in leaves(call)}
    return [
        line
        for line in reversed(runs(kg.store, MOST_RUNS) if given else [])
        if datetime.fromisoformat(line.started) >= since and Path(line.subject).name in given
    ]


def full(iri: str) -> str:
    """Return an IRI without its prefix."""
    return BASE + iri.removeprefix("g:") if iri.startswith("g:") else iri


def _named(conversation: Conversation, name: str, now: datetime) -> ConversationName:
    return ConversationName(conversation=Link(conversation), name=name, given=now)


def turns(kg: KnowledgeGraph, conversation: Conversation) -> list[tuple[Turn, TurnOutcome | None]]:
    """Return the questions of a conversation in order, each with how its answer ended."""
    here = f"?this g:turn/g:conversation <{conversation.iri}>"
    ends = {end.turn.iri: end for end in kg.find(TurnOutcome, here)}
    return [(turn, ends.get(turn.iri)) for turn in kg.find(Turn, conversation=conversation)]


def lines(kg: KnowledgeGraph, limit: int | None = None) -> list[Line]:
    """Return the conversations, the one that was last asked something first."""
    names: dict[str, ConversationName] = {}
    for name in kg.find(ConversationName):  # in order of time
        names[name.conversation.iri] = name
    asked: dict[str, list[Turn]] = {}
    for turn in kg.find(Turn):
        asked.setdefault(turn.conversation.iri, []).append(turn)
    ends = {end.turn.iri: end for end in kg.find(TurnOutcome)}
    found: list[Line] = []
    for one in kg.find(Conversation):
        own = asked.get(one.iri, [])
        ended = [ends[turn.iri] for turn in own if turn.iri in ends]
        spent = Spent()
        for end in ended:
            spent = spent.plus(end)
        found.append(
            Line(
                shorten(one.iri),
                names[one.iri].name if one.iri in names else "",
                one.started,
                own[-1].started if own else one.started,
                len(own),
                len({run.iri for end in ended for run in end.runs}),
                spent,
            )
        )
    found.sort(key=lambda line: line.last, reverse=True)
    return found[:limit]


def find(kg: KnowledgeGraph, which: str) -> Conversation:
    """Return a conversation by its IRI, by its name, or the latest for `last`.

    Raises:
        NotFoundError: there is none such.
        InputError: several are called so.
    """
    asked = f"the conversation {which!r} was asked for"
    iri = full(which.strip())
    if iri.startswith(BASE):
        try:
            return kg.pull(Conversation, iri)
        except GraficoError as error:
            raise NotFoundError(asked, error.found, "see `grafico chats`") from error
    known = lines(kg)
    same = [line for line in known if line.name.casefold() == which.strip().casefold()]
    if which == "last" and not same:
        same = known[:1]
    if not same:
        there = "; ".join(line.name for line in known[:LISTED]) or "no conversation is stored"
        raise NotFoundError(asked, there, "see `grafico chats`")
    if len(same) > 1:
        iris = ", ".join(line.conversation for line in same[:LISTED])
        raise InputError(asked, f"{len(same)} are called so", f"give the IRI of one: {iris}")
    return kg.pull(Conversation, full(same[0].conversation))


def name_of(kg: KnowledgeGraph, conversation: Conversation) -> str:
    """Return what a conversation is called."""
    names = kg.find(ConversationName, conversation=conversation)
    return names[-1].name if names else ""


def rename(session: Grafico, which: str, name: str) -> Conversation:
    """Give a conversation a name.

    Raises:
        NotFoundError: there is no such conversation.
        InputError: the name is empty or too long.
    """
    name = " ".join(printable(name).split())
    if not 0 < len(name) <= 4 * LONGEST:
        raise InputError(
            "cannot name the conversation",
            f"the name has {len(name)} characters",
            f"give one of 1 to {4 * LONGEST}",
        )
    if name.casefold() == "last" or name.startswith(("g:", "http")):
        raise InputError(
            "cannot name the conversation",
            f"{name!r} means something else",
            "choose another name",
        )
    conversation = find(session.kg, which)
    session.executor.record(_named(conversation, name, datetime.now(UTC)))
    return conversation


def transcript(kg: KnowledgeGraph, conversation: Conversation) -> str:
    """Return a conversation as Markdown: questions, tools with what they gave, answers, cost."""
    parts = [
        f"# {name_of(kg, conversation) or 'Conversation'}",
        "",
        f"<{conversation.iri}>, {conversation.started:%Y-%m-%d %H:%M} UTC",
    ]
    spent = Spent()
    for told in answers(kg, conversation):
        turn, end, answer = told.turn, told.end, told.marked
        parts += ["", f"## {_quoted(turn.question)}", "", *_tools(told.parts)]
        if end is None:
            parts.append("*No answer: it was cut off.*")
            continue
        spent = spent.plus(end)
        parts.append(answer if end.status == "answered" else f"*{end.status}: {answer}*")
        parts += [
            "",
            f"*{turn.planner}, {end.wall_time:.1f} s, {end.requests} requests, "
            f"{end.input_tokens + end.output_tokens} tokens*",
        ]
    cost = f", {spent.dollars:.4f} US dollars" if spent.dollars else ""
    total = f"In all {spent.requests} requests, {spent.tokens} tokens{cost}."
    return "\n".join([*parts, "", total, ""])


def _quoted(question: str) -> str:
    """Return a question as a heading, with what follows its first line beneath."""
    head, _, rest = question.strip().partition("\n")
    return head if not rest else f"{head}\n\n" + "\n".join(f"> {one}" for one in rest.splitlines())


@dataclass(frozen=True)
class Answered:
    """A question of a conversation, with all that came of it.

    Attributes:
        turn: the question.
        end: how its answer ended; None if that was never recorded.
        parts: of its messages, as they are kept.
        numbers: of the answer, each with where it comes from.
    """

    turn: Turn
    end: TurnOutcome | None
    parts: Sequence[Mapping[str, Any]]
    numbers: Sequence[Number]

    @property
    def marked(self) -> str:
        """The answer, with a mark behind each number that no tool has given until then."""
        return marked(self.end.answer, self.numbers) if self.end else ""


def answers(kg: KnowledgeGraph, conversation: Conversation) -> Iterator[Answered]:
    """Iterate over the questions of a conversation."""
    ledger = Ledger()
    for turn, end in turns(kg, conversation):
        made = _parts(kg, turn)
        yield Answered(turn, end, made, _numbers(turn, end, made, ledger))


def _parts(kg: KnowledgeGraph, turn: Turn) -> list[Mapping[str, Any]]:
    """Return the parts of the messages of a question, as they are kept."""
    messages = sorted(kg.find(Message, turn=turn), key=lambda one: one.index)
    return [part for one in messages for part in json.loads(one.body).get("parts", ())]


def _numbers(
    turn: Turn, end: TurnOutcome | None, made: Iterable[Mapping[str, Any]], ledger: Ledger
) -> Sequence[Number]:
    """Return the numbers of an answer, and enter the parts of its messages into what was given."""
    repeated: list[str] = []
    for part in made:
        kind, content = str(part.get("part_kind")), part.get("content")
        given = part.get("args") if kind == "tool-call" else content
        ledger.part(kind, str(part.get("tool_name")), str(part.get("tool_call_id")), given)
        if kind == "tool-return":
            repeated += [text for name, text in leaves(content) if name in REPEATED]
    if end is None or end.status != "answered":
        return ()
    return check(end.answer, ledger, plain=turn.planner == RULES, repeated=repeated)


def _tools(made: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Give a line for each use of a tool, with what came of it."""
    calls: dict[str, str] = {}
    for part in made:
        kind, key = part.get("part_kind"), str(part.get("tool_call_id"))
        if kind == "tool-call":
            args: Any = part.get("args") or {}
            given = args if isinstance(args, str) else json.dumps(args, ensure_ascii=False)
            calls[key] = f"{part.get('tool_name')} {given}"
        elif kind in ("tool-return", "retry-prompt") and key in calls:
            came = part.get("content")
            text = came if isinstance(came, str) else json.dumps(came, ensure_ascii=False)
            yield f"- `{_cut(calls.pop(key))}`\n  → `{_cut(text)}`"
    yield from (f"- `{_cut(call)}`" for call in calls.values())
    if made:
        yield ""


def _cut(text: str, most: int = 400) -> str:
    line = " ".join(text.split()).replace("`", "'")
    return line if len(line) <= most else f"{line[: most - 1]}…"


__all__ = [
    "Keeper",
    "Line",
    "Spent",
    "answers",
    "find",
    "lines",
    "name_of",
    "rename",
    "transcript",
    "turns",
]
