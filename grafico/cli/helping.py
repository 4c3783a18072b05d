"""``grafico help`` and ``completion``, and what is told of a command that there is not."""

from __future__ import annotations

import difflib
from typing import Any, cast

import click
from click.shell_completion import get_completion_class

from ..say import say

FEW = 5
"""Suggestions that are made at most."""


@click.command("help")
@click.argument("command", nargs=-1)
@click.pass_context
def help_on(ctx: click.Context, command: tuple[str, ...]) -> None:
    """Show the help of COMMAND, or of all."""
    where = ctx.find_root()
    found: click.Command = where.command
    for word in command:
        group = cast("click.Group", found)
        inner = group.get_command(where, word) if isinstance(found, click.Group) else None
        if inner is None:
            raise click.UsageError(no_command(group, where, word), where)
        where, found = click.Context(inner, info_name=word, parent=where), inner
    say(found.get_help(where))


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes SHELL complete commands and options with the tab key.

    For bash: grafico completion bash > ~/.grafico-complete.bash, and a line
    `. ~/.grafico-complete.bash` in ~/.bashrc. For zsh the same with ~/.zshrc. For fish: grafico
    completion fish > ~/.config/fish/completions/grafico.fish.
    """
    cls = get_completion_class(shell)
    assert cls is not None
    group = click.get_current_context().find_root().command
    made = cls(group, {}, "grafico", "_GRAFICO_COMPLETE")
    # bash's own class would run bash here to learn its version
    say(made.source_template % made.source_vars())


def no_command(group: click.Group, ctx: click.Context, word: str) -> str:
    """Return that a group has no such command, and what may have been meant."""
    near = list(dict.fromkeys(_near(group, ctx, word.lower())))[:FEW]
    meant = f" Near it: {'; '.join(near)}." if near else ""
    return f"there is no command {word!r}.{meant} `{ctx.command_path} --help` lists all."


def _near(group: click.Group, ctx: click.Context, word: str) -> list[str]:
    """Return commands that are spelled nearly so, are called so too, or have an option like it."""
    if ctx.parent is not None:
        return difflib.get_close_matches(word, group.list_commands(ctx))
    from workflows.registry import workflows

    names = group.list_commands(ctx)
    usual = workflows().usual.command
    having = [name for name in names if f"--{word}" in _own_options(group, ctx, name)]
    having.sort(key=lambda name: name != usual and workflows().verb(name) is not None)
    found = [f"grafico {name} … --{word}" for name in having]
    found += [f"grafico {name}" for name in difflib.get_close_matches(word, names)]
    kept = [name for name in names if len(word) > 2 and (name.startswith(word) or word in name)]
    found += [f"grafico {name}" for name in kept]
    for one in workflows().verbs:
        called = {name.lower().replace("_", " ") for name in (one.name, *one.synonyms)}
        if word in one.command.split()[1:] or difflib.get_close_matches(word, called, cutoff=0.8):
            found.append(f"grafico {one.command} ({one.title.rstrip('.').lower()})")
    command = group.get_command(ctx, usual)
    for param in command.get_params(ctx) if command else ():
        found += [f"grafico {usual} … {value}" for value in _values(param, word)]
    return found


def _values(param: click.Parameter, word: str) -> list[str]:
    """Return how an option is written with a value that begins so, or that is spelled nearly so."""
    if not isinstance(param, click.Option):
        return []
    choices = [str(one) for one in getattr(param.type, "choices", ())]
    begun = [one for one in choices if len(word) > 2 and one.startswith(word)]
    close = difflib.get_close_matches(word, choices, cutoff=0.7)
    return [f"{param.opts[0]} {one}" for one in dict.fromkeys([*begun, *close])]


def _own_options(group: click.Group, ctx: click.Context, name: str) -> set[str]:
    command: Any = group.get_command(ctx, name)
    return {opt for one in command.params for opt in one.opts} if command else set()
