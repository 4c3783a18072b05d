"""Command lines among plain requests: what a form has asked, or somebody has copied."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from triplestore.errors import GraficoError
from workflows.registry import workflows
from workflows.registry.spoken import Named, Sentence
from workflows.text.names import plain

from .calls import ToolCall

SHELL = re.compile(r"^-|;$|^[|&<>]+$")
"""What is for a shell, or a short option: no subject."""

LEVEL = ("method", "basis")
"""Options that are one thing to people: another method has another basis set."""


def commanded(text: str) -> Sentence | None:
    """Return what command lines ask for, as a sentence that says so; None where there are none.

    There is one for each subject, and all ask the same.
    """
    read = [_read(line) for line in _lines(text)]
    if not read or None in read or len({str(one[:2]) for one in read if one}) > 1:
        return None
    given = [one for one in read if one]
    name, asked, _ = given[0]
    at = Sentence(text, "", workflow="" if name == workflows().usual.name else name)
    subjects = [one for _, _, some in given for one in some]
    at.subjects = [Named(n, n, one) for n, one in enumerate(subjects)]
    for option, value in asked.items():
        about = "level" if option in LEVEL else option
        at.asked.setdefault(about, [{}])[0][option] = value
    return at


def _lines(text: str) -> list[str]:
    """Return the lines of a text that say something: neither empty nor a comment."""
    return [line.strip() for line in text.splitlines() if line.strip() and line.strip()[0] != "#"]


def _read(line: str) -> tuple[str, dict[str, Any], list[str]] | None:
    """Return the workflow, the options and the subjects of a command line."""
    try:
        program, verb, *words = shlex.split(line)
        workflow = workflows().named(verb) if program == "grafico" else None
    except (ValueError, GraficoError):
        return None
    if workflow is None or workflows().wrapper(verb):
        return None
    said = _parted(words)
    return said and (workflow.name, *said)


def acted(text: str, came: Mapping[str, str]) -> ToolCall | None:
    """Return the call that a command line of an action is; None where it is none, or not alone.

    What a person alone asks for is asked for at a terminal.

    Args:
        text: the command line.
        came: IRIs of what came with it, by the names of its files.
    """
    try:
        [line] = _lines(text)
        program, verb, *words = shlex.split(line)
    except ValueError:
        return None
    action = next((one for one in workflows().actions if plain(verb) in one.names), None)
    if program != "grafico" or action is None or action.personal:
        return None
    said = _parted(["--file" if one in ("-o", "--output") else one for one in words])
    if said is None:
        return None
    asked = {name: came.get(str(one), one) for name, one in said[0].items()}
    subjects = [came.get(one, one) for one in said[1]]
    return ToolCall("run_workflow", {"name": verb, "subjects": subjects, "arguments": asked})


def actions_among(text: str) -> tuple[list[str], int]:
    """Return the command lines of a text where one of an action is not alone, and all its lines."""
    lines = _lines(text)
    if len(lines) < 2 or not any(acted(one, {}) for one in lines):
        return [], len(lines)
    return [one for one in lines if acted(one, {}) or _read(one)], len(lines)


def _parted(words: list[str]) -> tuple[dict[str, Any], list[str]] | None:
    """Return the options and the subjects of a command line; None for what is for a shell."""
    asked: dict[str, list[str]] = {}
    subjects: list[str] = []
    option = ""
    comment = next((n for n, one in enumerate(words) if one.startswith("#")), len(words))
    end = words.index("--") if "--" in words[:comment] else comment  # subjects alone are behind it
    words, last = words[:end], words[end + 1 : comment]
    for word, after in pairwise([*words, "--"]):
        if word.startswith("--"):
            option = word[2:].replace("-", "_")
            asked.setdefault(option, [])
            if after.startswith("--"):
                option = ""
        elif option:
            asked[option].append(word)
            option = ""
        elif SHELL.search(word):
            return None
        else:
            subjects.append(word)
    said = {n: True if not some else some if some[1:] else some[0] for n, some in asked.items()}
    return said, subjects + last
