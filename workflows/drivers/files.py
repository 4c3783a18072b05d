"""Device files: how they are read, and written."""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from triplestore.errors import InputError
from workflows.engine.devices.card import Card
from workflows.text.safe_text import on_one_line
from workflows.trust.mappings import mapping, text_of

ENDINGS = (".yaml", ".yml", ".json", ".toml")
"""Of device files."""

LONGEST = 200_000
"""Bytes of a device file."""

TELLING = 3
"""Faults that are told at once."""

ADVICE = "see the example in docs/devices.md"
SHORTER = "write it shorter, or in two"
HEAD = (
    "# A device for `grafico device check` and `grafico device run`: edit it, answer `unknown`.\n"
)


def card_of(given: object) -> Card:
    """Return the card that is meant.

    Args:
        given: a card, a mapping such as JSON has it, the path of a file, or its text.

    Raises:
        InputError: it is none; says where and what to do.
        NotFoundError: there is no such file.
    """
    if isinstance(given, Card):
        return given
    asked = "a device file was asked for"
    if isinstance(given, Mapping):
        return _filled(cast("Mapping[str, Any]", given), asked)
    text = str(given)
    if isinstance(given, Path) or ("\n" not in text and not text.lstrip().startswith("{")):
        asked = f"the device in {on_one_line(text)[:200]} was asked for"
        if Path(text).suffix.lower() == ".py":
            found, advice = "that is a module", "read it first: grafico device add MODULE"
            raise InputError(asked, found, advice)
        name, text = text, text_of(text, asked, LONGEST, SHORTER)
        if name.lower().endswith(".toml"):
            return _filled(_toml(text, asked), asked)
    if len(text.encode(errors="replace")) > LONGEST:
        raise InputError(asked, f"it has more than {LONGEST:,} bytes", SHORTER)
    said = mapping(text, asked, ADVICE)
    if said.keys() & {"tools", "jsonrpc"}:
        advice = "read it first: grafico device add FILE"
        raise InputError(asked, "that is a list of tools, and no device file", advice)
    return _filled(said, asked)


def _toml(text: str, asked: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        told = on_one_line(str(error))[:200]
        raise InputError(asked, f"it is no TOML: {told}", ADVICE) from error


def _filled(said: Mapping[str, Any], asked: str) -> Card:
    try:
        return Card.model_validate(said)
    except ValidationError as error:
        told = list[str]()
        for one in error.errors(include_url=False, include_input=False):
            if one["loc"][-1:] == ("literal['']",):  # or it may be empty
                continue
            # what has brackets is a kind of value, and none of its names
            parts = [str(part) for part in one["loc"] if not {*"[("} & {*str(part)}]
            place = ", ".join(parts) or "the whole"
            told.append(f"{place[:120]}: {one['msg'].removeprefix('Value error, ')}")
        more = f"; and {len(told) - TELLING} more" if len(told) > TELLING else ""
        found = on_one_line("; ".join(told[:TELLING]))[:900] + more
        raise InputError(asked, found, ADVICE) from error
    except RecursionError as error:
        raise InputError(asked, "it is too deep", ADVICE) from error


def written(card: Card) -> str:
    """Return a card as the text of a file.

    Raises:
        InputError: nobody could read the file, it would be too long.
    """
    from ruamel.yaml import YAML

    said = card.model_dump(mode="json", exclude_defaults=True)
    _check_length(card, json.dumps(said, ensure_ascii=False))
    for state, one in card.states.items():
        said["states"][state] = {"begins": one.begins, **said["states"][state]}
    for one in said["commands"].values():
        for argument in one.get("arguments", {}).values():
            for end in ("low", "high"):
                if (found := argument.get(end)) is not None and float(found).is_integer():
                    argument[end] = int(found)
    writer = cast("Any", YAML(typ="safe", pure=True))
    writer.default_flow_style, writer.allow_unicode, writer.width = False, True, 120
    writer.sort_base_mapping_type_on_output = False
    stream = io.StringIO()
    writer.dump({"format": card.format, **said}, stream)
    text = HEAD + stream.getvalue()
    _check_length(card, text)
    return text


def _check_length(card: Card, text: str) -> None:
    if (size := len(text.encode(errors="replace"))) > LONGEST:
        asked = f"the device file of {card.name} was to be written"
        found = f"it would have {size:,} bytes, and such a file has at most {LONGEST:,}"
        advice = "give the module or the list with the commands of the device alone"
        raise InputError(asked, found, advice)
