"""An error as a person, or a program, is told it."""

from __future__ import annotations

import errno
import json
import re
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from ..say import say

if TYPE_CHECKING:
    from workflows.show.displayed_run import DisplayedRun

NOT_PLAUSIBLE = 3
"""Status of a command that came to its end, with a number that is not plausible."""


def fail(error: Exception, options: Mapping[str, str] | None = None) -> int:
    """Print an error for a person (or as JSON) and return the exit status.

    Args:
        error: what went wrong.
        options: of the command, by the names of their fields, which advice names; None in a chat.
    """
    from triplestore.errors import GraficoError, InputError, ResourceError

    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        error = ResourceError(
            "a file could not be used", f"{name}{error.strerror or error}", advice_on(error.errno)
        )
    if not isinstance(error, GraficoError):
        error = GraficoError(
            "something went wrong inside Grafico",
            f"{type(error).__name__}: {error}",
            "run it again with --debug to see where",
        )
    found, advice = (as_typed(text, options or {}) for text in (error.found, error.advice))
    if "--json" in sys.argv:
        said = {"kind": type(error).__name__, "asked": error.asked, "found": found}
        say(json.dumps({"error": {**said, "advice": advice}}), err=True)
    else:
        say(f"grafico: {error.asked}", err=True)
        for label, part in (("problem", found), ("try", advice)):
            if part:
                say(f"  {label}: {part}", err=True)
    return 2 if isinstance(error, InputError) else 1


def as_typed(text: str, options: Mapping[str, str]) -> str:
    """Return a text with the fields that it names written as options are.

    Args:
        text: such as "ask for more: `up_to`".
        options: of the command, by the names of their fields.
    """
    return re.sub(r"`(\w+)`", lambda field: options.get(field[1], field[0]), text)


def spelled(params: Iterable[click.Parameter]) -> dict[str, str]:
    """Return how options are written, by the names of their fields."""
    options = (one for one in params if isinstance(one, click.Option))
    return {one.name: one.opts[0] for one in options if one.name}


def leave(result: DisplayedRun) -> None:
    """End a command with the status of what it came to; return where all is well.

    Args:
        result: what a request came to.
    """
    if result.status != "finished":
        sys.exit(1)
    if result.ran.implausible:
        sys.exit(NOT_PLAUSIBLE)


def advice_on(number: int | None) -> str:
    """Return what to do about an error of the operating system."""
    match errno.errorcode.get(number or 0):
        case "ENOENT" | "ESTALE":
            return "it is not there (any more): ask again; what is stored is remembered"
        case "EACCES" | "EPERM" | "EROFS":
            return "give yourself permission, or choose another place"
        case "ENOSPC" | "EDQUOT":
            return "free some space and ask again; what is finished is kept"
        case "EISDIR" | "ENOTDIR" | "EEXIST" | "ENAMETOOLONG" | "ELOOP" | "EINVAL":
            return "choose another path"
        case "EMFILE" | "ENFILE":
            return "close other programs, or raise the limit of open files (ulimit -n)"
        case "ENOMEM" | "EAGAIN":
            return "free memory or end other processes, and ask again"
        case _:
            return "see the cause and ask again; what is finished is kept"
