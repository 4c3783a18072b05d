"""What stands before the options of ``grafico batch``: sources, a verb, settings of a file."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workflows.batch.listed import Files, Listed
    from workflows.batch.result import BatchResult

    from ..session.client import Grafico

EXAMPLE = "write a line such as `method: [HF, PBE]`"

LONGEST_GRID, LONGEST_NUMBER = 100_000, 100
"""Bytes of a file of settings, and of a number in it."""

HEAD, FEW = 4000, 20
"""Characters and lines of a source by which it is told what is asked of it."""


def verb_before(words: Sequence[str]) -> str:
    """Return the verb that stands before the sources, as it does before others; empty for none."""
    from workflows.registry import Workflow, workflows

    found = workflows().verb(words[0]) if len(words) > 1 else None
    is_verb = isinstance(found, Workflow) and not Path(words[0]).exists()
    return words[0] if is_verb and not words[1].startswith("-") else ""


def meant_by_lines(words: Sequence[str]) -> str:
    """Return the workflow whose sign, such as an arrow, all sources have; else none.

    Args:
        words: of the command line; of options, too.
    """
    from workflows.registry import workflows

    usual, found = workflows().usual.command, set[str]()
    for word in words:
        lines = [word]
        with suppress(OSError, ValueError):
            if Path(word).is_file():  # no pipe, which would wait, and be read once alone
                with Path(word).open("rb") as file:
                    head = file.read(HEAD).decode("utf-8", "replace")
                lines = [line for line in head.splitlines()[:FEW] if line.strip()]
        meant = [workflows().meant_by(line).command for line in lines]
        first = max(meant, key=meant.count, default=usual)
        if first != usual or lines != [word]:  # the value of an option says nothing
            found.add(first)
    return found.pop() if len(found) == 1 and usual not in found else ""


def ordered_by(said: str, largest: bool) -> str:
    """Return by what rows are sorted, after - the largest first; of `gap desc`, too."""
    name = said.strip()
    word = re.fullmatch(r"(?i)(.+?)[\s:,]+(?:(desc)(?:ending)?|asc(?:ending)?)", name)
    if word:
        name, largest = word[1], largest or bool(word[2])
    return f"-{name.lstrip('+-')}" if largest and name else name


def asks_for_more(asked: dict[str, Any]) -> bool:
    """Tell whether anything is said of what is computed, beyond how a table is shown."""
    return any(value for name, value in asked.items() if name != "of")


def stored_batch(grafico: Grafico, named: object) -> BatchResult | None:
    """Return what is stored of a batch that is named by the IRI of its run; None for others."""
    from triplestore.errors import GraficoError
    from workflows.batch.result import BatchResult

    if isinstance(named, str) and "/Run/" in named:
        with suppress(GraficoError):
            return BatchResult.stored(grafico.kg, named)
    return None


def is_subject(word: str) -> bool:
    """Tell whether one word is a subject by itself: no file, folder, query or IRI, nor like one."""
    path = Path(word)
    like = path.suffix[1:].islower() or ("/" in word and "=" not in word)
    return not (path.exists() or like or word == "-" or {*word} & {":", "{"})


def several(words: tuple[str, ...]) -> Files | Listed:
    """Return several words of a command line as what they are: files all, or subjects all.

    Raises:
        InputError: some are files, and some are not.
    """
    from triplestore.errors import InputError
    from workflows.batch.listed import Files, listed

    others = [one for one in words if not Path(one).is_file()]
    if not others:
        return Files(words)
    if len(others) < len(words):
        raise InputError(
            f"a batch of {', '.join(words)} was asked for",
            f"of these {', '.join(others)} {'is' if len(others) == 1 else 'are'} no file, the "
            "others are",
            "give files alone, or names and SMILES alone",
        )
    found = listed(words)
    assert found is not None
    return found


def check_apart(path: Path, source: str) -> None:
    """Refuse to write over what is read.

    Raises:
        InputError: it is the very file.
    """
    from triplestore.errors import InputError

    if path.exists() and Path(source).exists() and path.samefile(source):
        raise InputError(f"cannot write {path}", "it is the source", "choose another name")


def grid_of(path: Path | None) -> dict[str, Any]:
    """Return what a file of settings says.

    Raises:
        InputError: it is no YAML, or no settings by name.
    """
    if path is None:
        return {}
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError
    from ruamel.yaml.events import AliasEvent, ScalarEvent

    from triplestore.errors import InputError, NotFoundError

    asked = f"the settings in {path} were asked for"
    try:
        with path.open("rb") as file:
            text = file.read(LONGEST_GRID + 1)
        reader = cast("Any", YAML(typ="safe", pure=True))
        if len(text) > LONGEST_GRID:
            raise InputError(asked, f"it has more than {LONGEST_GRID:,} bytes", EXAMPLE)
        for event in reader.parse(text):
            if isinstance(event, AliasEvent):
                told = "a few lines of anchors and aliases (&a, *a) stand for any number of values"
                raise InputError(asked, told, "write each value where it belongs")
            if isinstance(event, ScalarEvent) and not (scalar := cast("Any", event)).style:
                _check_number(asked, str(scalar.value))
        found: Any = reader.load(text)
        json.dumps(found, default=str)
    except OSError as error:
        raise NotFoundError(asked, f"it cannot be read: {error.strerror}", "check it") from error
    except (YAMLError, ValueError, TypeError, RecursionError) as error:
        told = " ".join(str(error).split())[:200]
        raise InputError(asked, f"it is no YAML: {told}", EXAMPLE) from error
    if not isinstance(found, dict):
        raise InputError(asked, "it says nothing by name", EXAMPLE)
    said = cast("dict[Any, Any]", found)
    return {str(name): said[name] for name in said}


def _check_number(asked: str, word: str) -> None:
    """Refuse a word that YAML takes for a number which nobody has meant or can read."""
    from triplestore.errors import InputError

    if not re.fullmatch(r"[-+]?[0-9][0-9a-zA-Z_.]*", word):
        return
    if len(word) > LONGEST_NUMBER:
        found = f"a number in it has {len(word):,} digits, and {LONGEST_NUMBER:,} are allowed"
        raise InputError(asked, found, "write a number such as 0 or 1.5e-3")
    if re.fullmatch(r"[-+0-9.eE]*_[-+0-9.eE_]*", word):
        raise InputError(asked, f"{word} is not a number in the digits 0 to 9", "leave out the _")
