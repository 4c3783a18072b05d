"""Designs from what people give: a file or a text of YAML or JSON, a table, a mapping."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from triplestore.errors import InputError
from workflows.trust.mappings import mapping, text_of

from .design import Design

LONGEST = 60_000
"""Bytes of a design."""

ADVICE = "see the examples in docs/protocols.md"
HEAD = re.compile(r"(?P<name>[^()]+?)\s*\((?P<unit>[^()]+)\)")
TELLING = 3
FORMATS = (".yaml", ".yml", ".json", ".csv")


def design_of(given: object) -> Design:
    """Return the design that is meant.

    Args:
        given: a design, a mapping such as JSON has it, the path of a file (`.yaml`, `.yml`,
            `.json`, `.csv`), or its text.

    Raises:
        InputError: it is none; says where and what to do.
        NotFoundError: there is no such file.
    """
    if isinstance(given, Design):
        return given
    if isinstance(given, Mapping):
        return _filled(cast("Mapping[str, Any]", given))
    text, suffix = str(given), ""
    if isinstance(given, Path) or ("\n" not in text and not text.lstrip().startswith("{")):
        suffix = Path(text).suffix.lower()
        asked = f"the design in {text[:200]} was asked for"
        text = text_of(text, asked, LONGEST, SHORTER)
        if suffix not in FORMATS:
            raise InputError(
                f"the design in {given} was asked for",
                f"{suffix or 'a name without ending'} is no format of designs",
                "give a file .yaml, .json or .csv",
            )
    if len(text.encode(errors="replace")) > LONGEST:
        raise InputError(ASKED, f"it has more than {LONGEST:,} bytes", SHORTER)
    if suffix == ".csv":
        return _filled(_table(text))
    return _filled(mapping(text, ASKED, ADVICE))


ASKED = "a design of samples was asked for"
SHORTER = "make it shorter: lists are factors"


def _table(text: str) -> Mapping[str, Any]:
    """Return the design of a table; the volumes of its solids are neglected.

    It has a column `vial`, others `NAME (UNIT)`, and `volume (UNIT)` with `solvent` if vials are
    filled up.
    """
    rows = list(csv.DictReader(text.splitlines(), strict=True))
    heads = list(rows[0]) if rows else []
    if not rows or len(rows) > 96 or "vial" not in heads or None in heads:
        found = f"a table of {len(rows)} rows with the columns {', '.join(map(str, heads))[:200]}"
        raise InputError(
            ASKED, found, "give a column vial, others NAME (mg) or NAME (µL), 1–96 rows"
        )
    chemicals, volumes, solvents = dict[str, Any](), set[str](), set[str]()
    samples = list[dict[str, Any]]()
    for number, row in enumerate(rows, 2):
        if None in row or None in row.values():
            raise InputError(ASKED, f"line {number} has too many or too few cells", "correct it")
        amounts = dict[str, str]()
        for head, cell in row.items():
            value = cell.strip()
            if head in ("vial", "solvent"):
                solvents |= {value} if head == "solvent" else set()
                continue
            match = HEAD.fullmatch(head.strip())
            if match is None:
                found = f"the column {head[:60]!r} has no unit"
                raise InputError(ASKED, found, "write it as NAME (mg) or NAME (µL)")
            if match["name"] == "volume":
                volumes.add(f"{value} {match['unit']}")
                continue
            solid = match["unit"] in ("mg", "g", "µg", "ug")
            chemicals[match["name"]] = {"state": "solid" if solid else "liquid"}
            if value:
                amounts[match["name"]] = f"{value} {match['unit']}"
        samples.append({"vials": row["vial"], "amounts": amounts})
    made: dict[str, Any] = {"name": "table", "chemicals": chemicals, "samples": samples}
    made["solid_volume"] = "neglected"
    for what, found in (("volume", volumes), ("solvent", solvents)):
        if len(found) > 1:
            raise InputError(ASKED, f"the column {what} differs from row to row", "give one")
        if found:
            made[what] = found.pop()
    if "solvent" in made:
        chemicals.setdefault(made["solvent"], {"state": "liquid"})
    return made


def _filled(said: Mapping[str, Any]) -> Design:
    try:
        return Design.model_validate(said)
    except ValidationError as error:
        each = error.errors(include_url=False, include_input=False)
        inner = [one for one in each if one["type"] != "too_short"]  # of what lies in it
        each = inner or each
        told = [f"{_where(one['loc'])}: {one['msg'].removeprefix('Value error, ')}" for one in each]
        more = f"; and {len(told) - TELLING} more" if len(told) > TELLING else ""
        raise InputError(ASKED, "; ".join(told[:TELLING])[:900] + more, ADVICE) from error
    except RecursionError as error:
        raise InputError(ASKED, "it is too deep", ADVICE) from error


KINDS = {"one", "list", "series", "heat", "stir", "vortex", "dilute", "timed heat"}
"""What a place in a design has in it besides names and numbers."""


def _where(loc: tuple[int | str, ...]) -> str:
    parts = [
        str(one + 1) if isinstance(one, int) else one[:60]
        for one in loc
        if not (isinstance(one, str) and (one in KINDS or "[" in one))
    ]
    return ", ".join(parts) or "the whole"
