"""``grafico chat`` and ``chats``: conversations at the terminal, and those that are kept."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workflows.text.safe_text import printable
from workflows.text.words import count

from ..agent.prompt import RULES
from ..say import as_text, say
from .errors import fail
from .options import MOST, check_output, options, reading, trace_option, write_whole
from .terminal import note, opened, show, talking, tell

if TYPE_CHECKING:
    from ..agent import Agent, Told

HELP = """\
Ask in plain words; structures may be pasted, and files in this folder named.
  /model [PROVIDER:MODEL]  show the language model, or go on with another; "plain requests" is none
  /usage                   what this conversation has cost
  /runs                    what was computed or remembered for the last answer
  /name NAME               give this conversation a name
  /chats                   list conversations; grafico chat --conversation NAME goes on with one
  /export FILE [--force]   write this conversation as Markdown; --force replaces a file
  /quit                    end; so does Ctrl-D. Ctrl-C stops an answer."""


@click.command()
@options(*talking, trace_option)
def chat(
    model: str | None,
    yes: bool,
    threads: int | None,
    conversation: str,
    trace: str | None,
    agent: Path | None,
    quiet: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Talk in plain words, which are read by rules or by a language model, which plans.

    The conversation is kept in the store. Elsewhere than at a terminal each line is a question;
    with --json each answer is a line. Without a model, plain requests are understood by rules.
    """
    with suppress(ValueError):  # only the main thread may
        signal.signal(signal.SIGTERM, ended)  # Ctrl-C stops an answer, this ends it all
    stream = TerminalStream(quiet=quiet, shown=not as_json and sys.stdout.isatty())
    asked = opened(store, model, stream, yes, threads, conversation, trace, agent, quiet=quiet)
    with asked as talk:
        person = sys.stdin.isatty() and sys.stdout.isatty()
        if person:
            greet(talk)
        for line in typed(talk) if person else sys.stdin:
            if not line.strip():
                continue
            if line.startswith("/"):
                if command(talk, line.strip()):
                    break
                continue
            answer(talk, line, stream, as_json=as_json, person=person)


def answer(agent: Agent, line: str, stream: TerminalStream, *, as_json: bool, person: bool) -> None:
    """Answer a question, or say what went wrong; a person may stop it."""
    from triplestore.errors import GraficoError

    stream.seen = ""
    try:
        reply = agent.ask(line.strip())
    except GraficoError as error:
        stream.close()
        fail(error)
        return
    except KeyboardInterrupt:
        if not person:
            raise
        stream.close()
        note("; ".join(["stopped; what is finished is kept", *agent.unfinished]))
        return
    if as_json:
        say(as_text(reply.as_dict()))
        return
    stream.close()
    show(reply, printed=stream.seen.strip() == printable(reply.text).strip())


class TerminalStream:
    """Shows what comes while a question is answered.

    Args:
        quiet: show no uses of tools.
        shown: show the text as it comes.
    """

    def __init__(self, *, quiet: bool, shown: bool) -> None:
        self.quiet, self.shown = quiet, shown
        self.seen = ""

    def __call__(self, told: Told) -> None:
        if told.kind == "text" and self.shown:
            text = printable(told.subject)
            self.seen += text
            say(text, nl=False)
            return
        if told.kind in ("tool", "again"):
            self.close()
            self.seen = ""
        if not self.quiet:
            tell(told)

    def close(self) -> None:
        """End the line that is being written."""
        if self.seen and not self.seen.endswith("\n"):
            say("")


def greet(agent: Agent) -> None:
    """Say who answers, and where it is kept."""
    from ..agent.conversations import name_of

    name = agent.model.model_name
    who = f"{name}, which rules understand (docs/requests.md)" if name == RULES else name
    store = agent.session.settings.store
    say(f"Answers: {who}. Store: {store}. /help lists what can be done.")
    if agent.kept.conversation:
        called = name_of(agent.session.kg, agent.kept.conversation)
        say(f"Going on with: {called}")


def typed(agent: Agent) -> Iterator[str]:
    """Iterate over what a person types; what is pasted may have several lines."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import InMemoryHistory

    from ..agent.conversations import turns

    before = turns(agent.session.kg, agent.kept.conversation) if agent.kept.conversation else []
    prompt: PromptSession[str] = PromptSession(
        history=InMemoryHistory([printable(turn.question) for turn, _ in before])
    )
    while True:
        try:
            yield prompt.prompt("› ")
        except KeyboardInterrupt:
            continue  # the line is dropped
        except EOFError:
            return


def command(agent: Agent, line: str) -> bool:
    """Do what a line after a slash says; return whether to end."""
    from triplestore.errors import GraficoError, InputError

    word, _, rest = line[1:].partition(" ")
    if word in ("quit", "exit", "q"):
        return True
    try:
        if word not in COMMANDS:
            known = ", ".join(f"/{name}" for name in (*COMMANDS, "quit"))
            raise InputError(f"/{word} was asked for", known, "see /help")
        COMMANDS[word](agent, rest.strip())
    except (GraficoError, OSError) as error:
        fail(error)
    return False


def help_(agent: Agent, rest: str) -> None:
    """List the commands."""
    say(HELP)


def model_(agent: Agent, rest: str) -> None:
    """Show or change the language model."""
    if rest:
        from ..agent.model import named_model

        agent.model = named_model(rest, agent.session.settings.agent_base_url)
    say(agent.model.model_name)


def usage_(agent: Agent, rest: str) -> None:
    """Show what the conversation has cost."""
    say(cost(agent.kept.spent))
    settings = agent.session.settings
    limits = {
        "US dollars": settings.agent_cost_limit,
        "tokens": settings.agent_token_limit,
        "requests a question": settings.agent_request_limit,
    }
    say(f"limits: {', '.join(f'{n} {unit}' for unit, n in limits.items() if n is not None)}")


def runs_(agent: Agent, rest: str) -> None:
    """List the runs of the last answer."""
    from ..agent.conversations import turns

    kept = turns(agent.session.kg, agent.kept.conversation) if agent.kept.conversation else []
    last = kept[-1][1] if kept else None
    say("\n".join(run.iri for run in last.runs) if last and last.runs else "none")


def name_(agent: Agent, rest: str) -> None:
    """Name the conversation."""
    from triplestore.errors import InputError

    from ..agent.conversations import rename

    if not agent.conversation:
        raise InputError("cannot name the conversation", "nothing was asked yet", "ask first")
    rename(agent.session, agent.conversation, rest)


def chats_(agent: Agent, rest: str) -> None:
    """List the latest conversations."""
    listed(agent.session, 20, as_json=False)


def export_(agent: Agent, rest: str) -> None:
    """Write the conversation as Markdown."""
    from triplestore.errors import InputError

    from ..agent.conversations import transcript

    if not rest:
        raise InputError("cannot write the conversation", "no file is named", "/export talk.md")
    if agent.kept.conversation is None:
        raise InputError("cannot write the conversation", "nothing was asked yet", "ask first")
    name = rest.removesuffix(" --force").rstrip()
    path = Path(os.path.expanduser(name))  # Path.expanduser fails where there is no such person
    check_output(path, force=name != rest)
    write_whole(path, printable(transcript(agent.session.kg, agent.kept.conversation)))
    say(f"written to {path}")


COMMANDS: dict[str, Callable[[Agent, str], None]] = {
    "help": help_,
    "model": model_,
    "usage": usage_,
    "runs": runs_,
    "name": name_,
    "chats": chats_,
    "export": export_,
}


def cost(spent: Any) -> str:
    """Return in words what a conversation has cost."""
    text = f"{count(spent.requests, 'request')}, {spent.input_tokens} tokens in (of these "
    text += f"{spent.cached_tokens} cached), {spent.output_tokens} out"
    if spent.unpriced == 0 or spent.dollars:
        text += f", {spent.dollars:.4f} US dollars"
    if spent.unpriced:
        text += f"; {count(spent.unpriced, 'answer')} without a known price"
    return text


def ended(*_: object) -> None:
    """Leave in good order."""
    raise SystemExit(143)


# --- those that are kept -------------------------------------------------------------------------


@click.group(invoke_without_command=True)
@options(
    click.option(
        "--limit",
        type=click.IntRange(1, MOST),
        default=20,
        show_default=True,
        help="Show at most so many.",
    ),
)
@click.pass_context
def chats(
    context: click.Context, limit: int, store: str | None, as_json: bool, debug: bool
) -> None:
    """List conversations, the latest first; `show` and `rename` one."""
    if context.invoked_subcommand is None:
        with reading(store) as grafico:
            listed(grafico, limit, as_json=as_json)


def listed(grafico: Any, limit: int, *, as_json: bool) -> None:
    """Print a list of conversations."""
    from ..agent.conversations import lines
    from .tables import chats as table

    rows = lines(grafico.kg, limit + 1)
    if as_json:
        said = [line.as_dict() for line in rows[:limit]]
        say(as_text(said, indent=2))
    elif rows:
        table(rows[:limit])
    else:
        say("no conversations yet: grafico chat")
    if len(rows) > limit:
        say(f"these are the latest {limit}; --limit N lists more", err=True)


@chats.command("show")
@click.argument("which")
@options(
    click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Where to write it.  [default: to standard output]",
    ),
)
def show_(which: str, output: Path | None, store: str | None, as_json: bool, debug: bool) -> None:
    """Show a conversation as Markdown: questions, tools, answers, cost.

    WHICH is its name, its IRI, or last.
    """
    from ..agent.conversations import answers, find, transcript

    if output is not None:
        endings = (".json",) if as_json else (".md", ".markdown", ".txt")
        check_output(output, force=True, endings=endings)
    with reading(store) as grafico:
        conversation = find(grafico.kg, which)
        if as_json:
            text = as_text(
                {
                    "conversation": conversation.iri,
                    "turns": [
                        {
                            "question": told.turn.question,
                            "planner": told.turn.planner,
                            "started": told.turn.started.isoformat(),
                            "status": told.end.status if told.end else "not finished",
                            "answer": told.end.answer if told.end else "",
                            "marked": told.marked,
                            "runs": [run.iri for run in told.end.runs] if told.end else [],
                        }
                        for told in answers(grafico.kg, conversation)
                    ],
                },
                indent=2,
            )
        else:
            text = printable(transcript(grafico.kg, conversation))
    if output is None:
        say(text)
    else:
        output.write_text(text + "\n", encoding="utf-8")
        say(f"written to {output}")


@chats.command("rename")
@click.argument("which")
@click.argument("name")
@options()
def rename_(which: str, name: str, store: str | None, as_json: bool, debug: bool) -> None:
    """Give a conversation a name: WHICH is its present name, its IRI, or last."""
    from ..agent.conversations import rename

    with reading(store) as grafico:
        conversation = rename(grafico, which, name)
    if as_json:
        say(json.dumps({"conversation": conversation.iri, "name": name}))
    else:
        say(f"{conversation.iri} is called {name!r} now")
