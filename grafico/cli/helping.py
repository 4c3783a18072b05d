"""``grafico help`` and ``completion``."""

from __future__ import annotations

from typing import cast

import click

from ..say import say


@click.command("help")
@click.argument("command", nargs=-1)
@click.pass_context
def help_on(ctx: click.Context, command: tuple[str, ...]) -> None:
    """Show the help of COMMAND, or of all; or what a setting takes: grafico help solvents."""
    from .near import no_command

    where = ctx.find_root()
    if len(command) == 1 and command[0] not in cast("click.Group", where.command).list_commands(
        where
    ):
        from .settings_help import told_of

        if told := told_of(command[0]):
            say(told)
            return
    found: click.Command = where.command
    for word in command:
        group = cast("click.Group", found)
        inner = group.get_command(where, word) if isinstance(found, click.Group) else None
        if inner is None:
            raise click.UsageError(no_command(group, where, [word]), where)
        where, found = click.Context(inner, info_name=word, parent=where), inner
    say(found.get_help(where))


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes SHELL complete commands and options with the tab key.

    For bash: grafico completion bash > ~/.grafico-complete.bash, and a line
    `. ~/.grafico-complete.bash` in ~/.bashrc. For zsh the same with ~/.zshrc, behind its line
    `autoload -U compinit && compinit`. For fish: grafico completion fish >
    ~/.config/fish/completions/grafico.fish.
    """
    from click.shell_completion import get_completion_class

    cls = get_completion_class(shell)
    assert cls is not None
    group = click.get_current_context().find_root().command
    made = cls(group, {}, "grafico", "_GRAFICO_COMPLETE")
    # bash's own class would run bash here to learn its version
    # click's script for fish ends what is told of each at its first comma
    script = made.source_template % made.source_vars()
    say(script.replace('string split "," $completion', 'string split --max 1 "," $completion'))
