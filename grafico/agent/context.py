"""`ToolContext`: what tools act on: the session, a folder, the person who asks, and the sandbox."""

from __future__ import annotations

import asyncio
import inspect
import logging
import tempfile
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from triplestore.errors import ComponentError, InputError
from workflows.engine.graph.effects import STANDING
from workflows.registry import subject_kinds, subjects
from workflows.trust.account import own_account
from workflows.trust.caller import Caller, ConsentQuestion

if TYPE_CHECKING:
    from grafico.sandbox import Sandbox
    from grafico.session.client import Grafico
    from grafico.session.settings import Settings
    from workflows.engine.request.definition import Subject
    from workflows.engine.request.request import Request

    from .sources import Ledger

_log = logging.getLogger(__name__)

LONG = 6 * 3600.0
"""Estimated seconds above which a calculation needs a person's yes."""


@dataclass(frozen=True)
class Approval:
    """What a person is asked to agree to.

    Attributes:
        tool: which tool is to be used.
        arguments: what it was given.
        why: why somebody has to agree, as one clause.
        what: would be done to the world, whole, with a line an operation; empty where nothing is.
        effects: of that, see `Node.effects`.
    """

    tool: str
    arguments: Mapping[str, Any]
    why: str
    what: str = ""
    effects: frozenset[str] = frozenset()

    @property
    def for_a_person_alone(self) -> bool:
        """Whether no word that was given beforehand, such as `--yes`, is a yes to it."""
        return bool(self.effects - STANDING)


@dataclass(frozen=True)
class Told:
    """One piece of news of a conversation.

    Attributes:
        kind: `text` and `thinking` as they come; a `tool` is used, and its `result`; `again` says
            that what came of this answer is void, for the model is asked again; `note` for people.
        subject: the text, or the name of the tool.
        data: details, ready for JSON.
        call: which use of a tool it is of; empty outside of one.
    """

    kind: Literal["text", "thinking", "tool", "result", "again", "note"]
    subject: str
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    call: str = ""


_tool_call: ContextVar[str] = ContextVar("grafico_tool_call", default="")


def tool_call() -> str:
    """Return which use of a tool is under way here; empty outside of one."""
    return _tool_call.get()


@contextmanager
def in_tool_call() -> Generator[None]:
    """Be within a use of a tool: what is told and computed here belongs to it."""
    token = _tool_call.set(token_hex(6))
    try:
        yield
    finally:
        _tool_call.reset(token)


Ask: TypeAlias = Callable[[str, Sequence[str]], "str | Awaitable[str | None] | None"]
Approve: TypeAlias = Callable[[Approval], "bool | Awaitable[bool | None] | None"]
Listener: TypeAlias = Callable[[Told], None]
Look: TypeAlias = Callable[[], Awaitable[bytes]]


class ToolContext:
    """What the tools of one conversation act on.

    Args:
        session: computes, remembers and answers queries.
        folder: holds the files of this conversation, the only ones that a model can name; None for
            a temporary one.
        ask: puts a question and suggested answers to a person, and returns the answer, or None for
            none; None where nobody can be asked. One that is not a coroutine function is called in
            a thread.
        approve: asks a person to agree, likewise, and returns None for no answer; None where nobody
            can.
        told: is told what happens.
        long: estimated seconds above which a calculation needs a yes.
        door: where a person is asked, as it is recorded.
        look: takes a picture (PNG) of what the person sees in a viewer; None where there is none.

    Attributes:
        client: what the program calls itself that calls the tools; empty for none.
        whole: whether what is told is never shortened: no model pays attention to it.
        ledger: returns what was given in the conversation; None where nobody keeps account.
        read: returns requests that who calls the tools has read already.
    """

    def __init__(
        self,
        session: Grafico,
        folder: Path | None = None,
        *,
        ask: Ask | None = None,
        approve: Approve | None = None,
        told: Listener | None = None,
        long: float = LONG,
        door: str = "a conversation",
        look: Look | None = None,
    ) -> None:
        self.session = session
        self.ask, self.approve, self.told, self.long = ask, approve, told, long
        self.door, self.look = door, look
        self.client = ""
        self.whole = False
        self.ledger: Callable[[], Ledger] | None = None
        self.read: Callable[[], Sequence[Request]] = tuple
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        if folder is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="grafico-tools-")
            folder = Path(self._temporary.name)
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder.resolve()
        self._sandbox: Sandbox | None = None
        self._person = asyncio.Lock()  # is asked one thing at a time

    @property
    def settings(self) -> Settings:
        """Those of the session."""
        return self.session.settings

    def tell(self, kind: Any, subject: str, /, **data: Any) -> None:
        """Tell the listener, who cannot hold anything up."""
        if self.told is not None:
            try:
                self.told(Told(kind, subject, data, tool_call()))
            except Exception:
                _log.exception("a listener failed")

    @property
    def caller(self) -> Caller:
        """For whom tools read files: for nobody but this conversation."""
        account = own_account().through(self.client)
        return Caller(
            folder=self.folder,
            ask=self._consent,
            door=self.door,
            account=account,
            question=self.question if self.ask else None,
        )

    # --- files -------------------------------------------------------------------------------

    def path(self, name: str) -> Path:
        """Return a path inside the folder, for what is written there or handed out.

        Raises:
            InputError: it leads out of the folder, or is hidden.
        """
        asked = f"the file {name!r} was asked for"
        advice = "give the name of a file in the folder of this conversation"
        try:
            path = (self.folder / name).resolve()
        except (OSError, ValueError) as error:
            raise InputError(asked, "that names no file", advice) from error
        if not path.is_relative_to(self.folder) or path == self.folder:
            raise InputError(asked, "it lies outside of the folder", advice)
        if any(part.startswith(".") for part in path.relative_to(self.folder).parts):
            raise InputError(asked, "hidden files are out of reach", advice)
        return path

    def local(self, found: Any) -> Any:
        """Return what was found, its files named as those of the folder are, without the path."""
        if isinstance(found, str):
            return found.replace(f"{self.folder}/", "")
        if isinstance(found, dict):
            return {n: self.local(one) for n, one in cast("dict[str, Any]", found).items()}
        if isinstance(found, list):
            return [self.local(one) for one in cast("list[Any]", found)]
        return found

    def new_path(self, stem: str, suffix: str) -> Path:
        """Return a path in the folder that no file has yet."""
        number = 1
        while (path := self.folder / f"{stem}-{number}{suffix}").exists():
            number += 1
        return path

    # --- the person --------------------------------------------------------------------------

    async def question(self, text: str, options: Sequence[str]) -> str | None:
        """Return what a person answers; None where nobody can be asked."""
        if self.ask is None:
            return None
        async with self._person:
            return await _called(self.ask, text, options)

    async def agreed(self, tool: str, arguments: Mapping[str, Any], why: str) -> bool | None:
        """Return whether a person agrees; None where nobody can be asked or has answered."""
        return await self._agreed(Approval(tool, arguments, why))

    async def _agreed(self, what: Approval) -> bool | None:
        if self.approve is None:
            return None
        async with self._person:
            answer = await _called(self.approve, what)
        return answer if answer is None else answer is True

    async def _consent(self, asked: ConsentQuestion) -> bool | None:
        """Ask a person for the engine."""
        return await self._agreed(Approval("", {}, asked.why, asked.what, asked.effects))

    # --- the sandbox -------------------------------------------------------------------------

    @staticmethod
    def no_sandbox() -> str | None:
        """Return why no Python can be run confined here; None if it can."""
        try:
            from grafico.sandbox import probe
        except ImportError as error:
            return f"the sandbox cannot be used: {error}"
        return probe()

    @property
    def sandbox(self) -> Sandbox:
        """The confined interpreter, made when first needed.

        Raises:
            ComponentError: nothing can be confined here.
        """
        if self._sandbox is None:
            reason = self.no_sandbox()
            if reason is not None:
                raise ComponentError("cannot run Python confined", reason, "do without it")
            from grafico.sandbox import Sandbox, Values

            values = Values(self.session.kg, self.session.settings)
            self._sandbox = Sandbox(self.folder / "python", values)
        return self._sandbox

    def rest(self) -> None:
        """End the interpreter of the sandbox; its files stay, and another starts when needed."""
        if self._sandbox is not None:
            self._sandbox.kill()

    def close(self) -> None:
        """End the sandbox and remove what was temporary; the session stays open."""
        if self._sandbox is not None:
            self._sandbox.kill()
            self._sandbox = None
        if self._temporary is not None:
            self._temporary.cleanup()


def agreeing_beforehand(otherwise: Approve | None) -> Approve:
    """Return who agrees to all that can be agreed to beforehand, as `--yes` does.

    Args:
        otherwise: who is asked about devices and what cannot be undone; None for nobody.
    """

    async def approve(what: Approval) -> bool | None:
        if not what.for_a_person_alone:
            return True
        return None if otherwise is None else await _called(otherwise, what)

    return approve


def kind_of(path: Path) -> Subject[Any] | None:
    """Return whose file that is, by its name; a model can have no other file read."""
    ends = {kind.name: kind.suffixes for kind in subject_kinds()}
    for name, subject in subjects(lambda kind: kind.suffixes).items():
        if subject.path_of(str(path)).name.lower().endswith(ends[name]):
            return subject
    return None


def is_source(path: Path) -> bool:
    """Tell whether many subjects are read from such a file, by its name."""
    return any(kind.is_source(path) for kind in subject_kinds())


def suffixes() -> tuple[str, ...]:
    """Return the ends of the names of files that hold subjects."""
    return tuple(one for kind in subject_kinds() for one in kind.suffixes)


async def _called(function: Callable[..., Any], *args: Any) -> Any:
    """Call what may wait for a person, without holding up the loop."""
    if inspect.iscoroutinefunction(function):
        return await function(*args)
    result = await asyncio.to_thread(function, *args)
    return await result if inspect.isawaitable(result) else result
