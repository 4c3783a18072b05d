"""Every door prints through here, so that no text commands a terminal, whoever has written it."""

from __future__ import annotations

import json
from typing import Any

import click

from workflows.text.safe_text import printable, seen


def say(text: str, err: bool = False, nl: bool = True) -> None:
    """Print a text, to standard error if asked, as far as it is to be seen."""
    click.echo(printable(text), err=err, nl=nl)


def say_styled(text: str) -> None:
    """Print a text with the styles of ours that it has; whoever calls has cleaned what is in it."""
    click.echo(text)


def take_back(lines: int) -> None:
    """Remove so many of the last lines from the terminal that standard error is."""
    click.echo(f"\x1b[{lines}F\x1b[J", err=True, nl=False)


def as_text(value: Any, indent: int | None = None) -> str:
    """Return JSON for a terminal: letters as they are, what is not to be seen escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(
        letter if seen(letter) == letter else json.dumps(letter)[1:-1].replace("\x7f", "\\u007f")
        for letter in text
    )
