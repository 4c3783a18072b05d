"""``grafico ask``: a question in plain words, answered by a language model with Grafico's tools."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import cast

import click

from ..say import as_text, say
from .near import standing, taken, typed, writing
from .options import options, trace_option
from .terminal import note, opened, show, talking, tell


@click.command()
@click.argument("question")
@options(
    click.option(
        "--file",
        "files",
        multiple=True,
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="A structure that comes with the question; may be given several times.",
    ),
    *talking,
    trace_option,
)
def ask(
    question: str,
    files: tuple[Path, ...],
    model: str | None,
    yes: bool,
    threads: int | None,
    conversation: str,
    trace: str | None,
    quiet: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Answer QUESTION with a language model, which plans; Grafico computes and remembers.

    Structures in the question, and files by name in this folder, are taken in before the model
    sees them. Each number of the answer is looked up among what was computed. Without a model,
    plain requests are understood by rules, such as "energy of water with HF/STO-3G"; one
    that asks for a new file is the command that writes it.
    """
    told = None if quiet else tell
    with opened(store, model, told, yes, threads, conversation, trace, quiet=quiet) as agent:
        try:
            reply = agent.ask(question, files=files)
        except KeyboardInterrupt:
            for one in agent.unfinished:
                note(one)
            raise
    line = writing(question) if reply.outcome == "declined" else []
    there = standing(line)
    given = taken(line[0], typed(click.get_current_context())) if line and not there else None
    if given is not None:
        _write([*line, *given])
        return
    if as_json:
        say(as_text(reply.as_dict(), indent=2))
    else:
        show(reply)
    if there:
        note(f"{there} is there already, and no sentence replaces it: give another name")
    sys.exit({"declined": 2, "failed": 1}.get(reply.outcome, 0))


def _write(line: list[str]) -> None:
    """Do what a sentence comes to that asks for a new file as well."""
    say(f"read as: {shlex.join(['grafico', *line])}", err=True)
    root = click.get_current_context().find_root()
    name, command, rest = cast("click.Group", root.command).resolve_command(root, line)
    assert command is not None
    with command.make_context(name, rest, parent=root) as ctx:
        command.invoke(ctx)
