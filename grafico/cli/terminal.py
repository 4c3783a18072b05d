"""The person at the terminal: what is shown, what is asked, and what `ask` and `chat` share.

It registers no command and imports none, so that every command can use it.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workflows.text.safe_text import printable

from ..agent.prompt import RULES
from ..say import say
from .forms import threads_option

if TYPE_CHECKING:
    from ..agent import Agent, Approval, Reply, Told

PATIENCE = 10.0
"""Seconds after Ctrl-C in which a question is to be called off; then it has no answer."""

talking = (
    click.option(
        "--model",
        metavar="PROVIDER:MODEL",
        help="The language model.  [default: setting agent_model, else plain requests]",
    ),
    click.option("--yes", is_flag=True, help="Agree to what takes long, costs or asks a server."),
    threads_option,
    click.option(
        "--conversation",
        metavar="WHICH",
        default="",
        help="Go on with one: its name, its IRI, or last.",
    ),
    click.option(
        "--agent",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="An agent: a file that says what it is for, may use and spend; trusted by you.",
    ),
    click.option("--quiet", is_flag=True, help="Show no progress."),
)
"""Options of `ask` and `chat`, besides `--trace`."""


@contextmanager
def opened(
    store: str | None,
    model: str | None,
    told: Callable[[Told], None] | None,
    yes: bool,
    threads: int | None,
    conversation: str,
    trace: str | None,
    agent: Path | None,
    *,
    quiet: bool,
) -> Generator[Agent]:
    """Open a conversation at this terminal, with its session.

    Raises:
        ComponentError: pydantic-ai is not installed.
        GraficoError: as `Agent`.
    """
    from triplestore.errors import ComponentError

    from ..session.settings import read_settings
    from ..views.progress import Progress
    from .options import session

    settings = read_settings(store=store)
    try:
        from ..agent.agent import Agent
    except ImportError as error:
        raise ComponentError.extra(
            "cannot answer a question in plain words",
            "pydantic-ai",
            "agent",
            "use grafico run, which needs none",
        ) from error
    from ..agent.context import agreeing_beforehand
    from ..agent.model import named_model

    role = None
    if agent is not None:
        from ..agent.agent_file import read_agent
        from ..agent.tools import tools

        role = read_agent(agent, tools())
    own = role.file.model if role is not None else ""
    chosen = named_model(model or own or settings.agent_model, settings.agent_base_url)
    from .controlling import has_terminal

    person = sys.stdin.isatty()
    asks = agreed if person and has_terminal() else None
    with (
        Progress(quiet) as progress,
        session(store, threads_per_calculation=threads, listener=progress, trace=trace) as grafico,
        Agent(
            chosen,
            session=grafico,
            folder=Path.cwd(),
            ask=asked if person else None,
            approve=agreeing_beforehand(asks) if yes else asks,
            door="a conversation at the terminal",
            told=told,
            conversation=conversation,
            agent=role,
        ) as talk,
    ):
        yield talk


def show(reply: Reply, *, printed: bool = False) -> None:
    """Print an answer, and beneath it what a person should know of it.

    Args:
        reply: the answer.
        printed: whether the text has been seen already, as it came.
    """
    if not printed:
        say(reply.text)
    for number in reply.numbers:
        written = " ".join(filter(None, (number.text, number.unit)))
        if number.source is None:
            resting = f"it rests on {', '.join(number.rests_on)}, which no tool gave"
            why = resting if number.rests_on else "no tool has given this number"
            note(f"{written} [no source]: {why}")
        elif number.how == "web":
            note(f"{written} [not checked]: it stands on {number.source}")
        elif number.how == "cited":
            note(f"{written} [cited]: {printable(number.source)}")
        elif number.rests_on:
            note(f"{written} rests on {printable(', '.join(number.rests_on))}, written in the code")
    for one in reply.attached:
        note(f"{one.file}: {one.error or one.iri}")
    for text in (*reply.notes, *(f"file: {file}" for file in reply.files)):
        note(text)
    if reply.model == RULES:
        return
    usage = reply.usage
    cost = "" if usage.cost is None else f", {usage.cost:.4f} US dollars"
    tokens = f"{usage.input_tokens + usage.output_tokens} tokens"
    note(f"{reply.model}: {usage.requests} requests, {tokens}{cost}")


def note(text: str) -> None:
    """Print what is not part of the answer."""
    say(f"note: {printable(text)}", err=True)


def tell(told: Told) -> None:
    """Print a line for each use of a tool."""
    if told.kind == "tool":
        given = json.dumps(dict(told.data), ensure_ascii=False, default=str)
        line = f"  {told.subject} {given}"
    elif told.kind == "again":
        line = f"  the model is asked again: {told.subject}"
    else:
        return
    say(line if len(line) <= 200 else f"{line[:199]}…", err=True)


async def asked(question: str, choices: Sequence[str]) -> str | None:
    """Put a question of the model to the person at the terminal; None is no answer."""
    hint = f" ({' / '.join(choices)})" if choices else ""
    say(question + hint, err=True)
    return await typed("answer: ") or None


async def agreed(approval: Approval) -> bool:
    """Have the person at the terminal agree, or not."""
    given: dict[str, Any] = dict(approval.arguments)
    line = f"{approval.tool} {json.dumps(given, ensure_ascii=False, default=str)[:300]}"
    say(f"{approval.what or line}\n{approval.why}", err=True)
    return await yes()


async def yes() -> bool:
    """Have the person at the terminal say yes, or not."""
    return (await typed("go on? [y/N] ") or "").lower() in ("y", "yes")


async def typed(prompt: str) -> str | None:
    """Return the line that a person types at a prompt on standard error; None after Ctrl-D.

    A thread that waits for a line cannot be called off; this can, and leaves the terminal as it
    was. Ctrl-C, which comes as a key here, goes on to the main thread, which calls off the answer.
    """
    import asyncio

    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.output import create_output

    with create_app_session(output=create_output(sys.stderr)):
        asking: PromptSession[str] = PromptSession()
        try:
            line = await asking.prompt_async(
                prompt, set_exception_handler=False, handle_sigint=False
            )
        except EOFError:
            return None
        except KeyboardInterrupt:
            pass
        else:
            return line.strip()
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    await asyncio.sleep(PATIENCE)
    return None
