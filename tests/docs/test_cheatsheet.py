"""Every command of the cheat sheet is one: its options exist and take what is written there."""

import re
import shlex
from pathlib import Path

import click
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "cheatsheet.md"
COMMANDS = sorted(set(re.findall(r"`(grafico [^`]+)`", PAGE.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("text", COMMANDS)
def test_a_command_of_the_cheat_sheet_is_read(text: str) -> None:
    from grafico.cli.app import main

    _, name, *words = shlex.split(text)
    command: click.Command | None = main
    context = click.Context(main, info_name="grafico")
    command = main.get_command(context, name)
    assert command, name
    with command.make_context(name, words, parent=context):
        pass


def test_there_are_some() -> None:
    assert len(COMMANDS) > 30
