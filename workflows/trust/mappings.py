"""Mappings that people write as YAML or JSON: bounded, without tags and aliases."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from triplestore.errors import InputError

from .caller import SpecialFileError, absent, opened

DEEPEST = 30
"""Lists and mappings within each other: reading more takes minutes."""


def text_of(name: str | Path, asked: str, longest: int, shorter: str) -> str:
    """Return the text of a file that a request names.

    Args:
        name: as it was given.
        asked: what was asked, as one clause.
        longest: bytes that are read.
        shorter: what to do about a file that is longer.

    Raises:
        InputError: it is no such file.
        NotFoundError: there is none.
    """
    try:
        with opened(name) as file:
            raw = file.read(longest + 1)
    except (FileNotFoundError, ValueError) as error:
        raise absent(asked) from error
    except IsADirectoryError as error:
        raise InputError(asked, "that is a folder", "give a file") from error
    except SpecialFileError as error:
        raise InputError(asked, "that is no plain file", "give a file") from error
    except OSError as error:
        raise InputError(asked, f"it cannot be read: {error.strerror}", "check it") from error
    if len(raw) > longest:
        raise InputError(asked, f"it has more than {longest:,} bytes", shorter)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(asked, "it is no text in UTF-8", "save it as UTF-8") from error


def mapping(text: str, asked: str, advice: str) -> Mapping[str, Any]:
    """Return what a text of YAML or JSON says by name.

    Args:
        text: of bounded length.
        asked: what was asked, as one clause.
        advice: what to do where it is none.

    Raises:
        InputError: it is none, is too deep, or has aliases.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError
    from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent

    depth = 0
    reader = cast("Any", YAML(typ="safe", pure=True))
    try:
        for event in reader.parse(text):
            if isinstance(event, AliasEvent):
                found = "anchors and aliases (&a, *a) can stand for any number of values"
                raise InputError(asked, found, "write each value where it belongs")
            depth += isinstance(event, CollectionStartEvent)
            depth -= isinstance(event, CollectionEndEvent)
            if depth > DEEPEST:  # what stands in a text is no bracket: the parser knows
                found = f"it has more than {DEEPEST} brackets within brackets, or names below names"
                raise InputError(asked, found, advice)
        loaded: Any = reader.load(text)
        json.dumps(loaded, default=str)
    except (YAMLError, ValueError, TypeError, RecursionError) as error:
        told = " ".join(str(error).split())[:200]
        raise InputError(asked, f"it is no YAML or JSON: {told}", advice) from error
    if not isinstance(loaded, dict):
        raise InputError(asked, "it says nothing by name", advice)
    return cast("Mapping[str, Any]", loaded)
