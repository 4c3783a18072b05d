"""``grafico ask``: a question in plain words, answered by a language model with Grafico's tools."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import cast

import click

from ..say import as_text, say
from .near import plain, standing, taken, typed, writing
from .options import options, trace_option
from .plots import plot_option
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
    plot_option,
    *talking,
    trace_option,
)
def ask(
    question: str,
    files: tuple[Path, ...],
    plots: tuple[Path, ...],
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
    """Answer QUESTION in plain words, by rules or with a language model, which plans.

    Structures in the question, and files by name in this folder, are taken in before the model
    sees them. Each number of the answer is looked up among what was computed. Without a model,
    plain requests are understood by rules, such as "energy of water with HF/STO-3G"; one
    that asks for a new file, or has `--plot` behind it, is the command that writes it.
    """
    if plots:
        _write(_drawing(question, plots))
        return
    told = None if quiet else tell
    asked = opened(store, model, told, yes, threads, conversation, trace, agent, quiet=quiet)
    with asked as talk:
        try:
            reply = talk.ask(question, files=files)
        except KeyboardInterrupt:
            for one in talk.unfinished:
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


def _drawing(question: str, plots: tuple[Path, ...]) -> list[str]:
    """Return the command that a question comes to, with the options that stand behind it.

    Raises:
        InputError: it comes to none or to several, or that command has no such options.
    """
    from triplestore.errors import InputError

    lines = plain(question)
    asked = f"a chart of “{question}” was to be written to {plots[0]}"
    if len(lines) != 1:
        problem = "it is read as no command" if not lines else f"it is {len(lines)} commands"
        advice = f"write the command: {lines[0]} --plot {plots[0]}" if lines else "say it otherwise"
        raise InputError(asked, problem, advice)
    line, behind = shlex.split(lines[0])[1:], typed(click.get_current_context())
    if taken(line[0], behind) is None:
        raise InputError(
            asked,
            f"it is read as `{lines[0]}`, which does not take {' '.join(behind)}",
            "leave out what it does not take",
        )
    return [*line, *behind]


def _write(line: list[str]) -> None:
    """Do what a sentence comes to that asks for a new file as well."""
    say(f"read as: {shlex.join(['grafico', *line])}", err=True)
    root = click.get_current_context().find_root()
    name, command, rest = cast("click.Group", root.command).resolve_command(root, line)
    assert command is not None
    with command.make_context(name, rest, parent=root) as ctx:
        command.invoke(ctx)
