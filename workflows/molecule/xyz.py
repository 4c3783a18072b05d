"""Structures from XYZ and extended XYZ files."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import math
import re
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np

from ontologies.elements import SYMBOLS
from ontologies.factors import BOHR
from workflows.text.words import count as counted
from workflows.trust.caller import quoted

from .text import CHECK, MOST_ATOMS, SUPPORTED, refuse

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d+)?", re.ASCII)
NOTE = r"(?i)(?<![\w-]){}\s*=\s*[\"']?([^\s\"',;]*)"
FARTHEST = 1e8
"""Of a coordinate: its square can still be computed with."""

COLUMNS = "species:S:1:pos:R:3"


def read_xyz(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the structure in an XYZ file, and its `comment`.

    Raises:
        InputError: it holds no structure, several, or one that cannot be; says the line.
    """
    lines = re.split(r"\r\n|\n|\r", text)
    while lines and not lines[-1].strip():
        lines.pop()
    if not re.fullmatch(r"\d{1,9}", lines[0].strip(), re.ASCII):
        problem = f"line 1: the number of atoms should stand there, not {quoted(lines[0])}"
        refuse(path, problem, SUPPORTED)
    count = int(lines[0].strip())
    if count == 0:
        refuse(path, "line 1: a structure has at least one atom")
    if count > MOST_ATOMS:
        refuse(path, f"line 1 announces {count} atoms; {MOST_ATOMS} are allowed")
    comment = lines[1] if len(lines) > 1 else ""
    values, element_at, position_at = _comment(path, comment)
    if len(lines) < count + 2:
        missing = len(lines) == count + 1 and _is_atom(comment)
        refuse(
            path,
            f"line 1 announces {counted(count, 'atom')}, but there are {max(len(lines) - 2, 0)}",
            "is the comment missing? Line 2 belongs to it, even if empty" if missing else CHECK,
        )
    numbers, positions = list[int](), list[list[float]]()
    for number, line in enumerate(lines[2 : count + 2], start=3):
        where, parts = f"line {number}: ", line.split()
        if len(parts) < max(element_at + 1, position_at + 3):
            problem = f"an element and three coordinates should stand there, not {quoted(line)}"
            refuse(path, where + problem)
        numbers.append(element_of(path, where, parts[element_at]))
        positions.append(
            [coordinate_of(path, where, part) for part in parts[position_at : position_at + 3]]
        )
    rest = [(n, line) for n, line in enumerate(lines[count + 2 :], count + 3) if line.strip()]
    if rest:
        number, line = rest[0]
        there = f"line {number} goes on: {quoted(line, 'with more')}"
        problem = f"line 1 announces {counted(count, 'atom')}, but {there}"
        refuse(path, problem, "correct the number or remove the lines")
    if unit := _unit(path, comment):
        positions = (np.array(positions) * unit).tolist()
        if "cell" in values:
            values["cell"] = values["cell"] * unit
        values["remark"] = "coordinates given in bohr"
    return {**values, "numbers": numbers, "positions": positions, "comment": comment.strip()}


UNITS = re.compile(r"(?i)(?<![\w-])(?:length_?)?units?\s*[=:]\s*[\"']?([^\s\"',;]*)")
IN_ANGSTROM = ("angstrom", "angstroms", "ångström", "ångstrom", "ang", "å")
IN_BOHR = ("bohr", "bohrs", "a0")
UNCLEAR = ("au", "a.u.", "a.u", "atomic", "nm", "nanometer", "nanometre", "pm", "picometer",
           "picometre", "m", "cm", "mm", "fm")  # fmt: skip
LOOSE_BOHR = re.compile(r"(?i)(?<![/\w*·])(?<!\d )bohrs?\b(?!\s*[*/^])")
"""A length of 1.4 bohr and the unit of a gradient, Eh/bohr, say nothing of the coordinates."""


def _unit(path: Path, comment: str) -> float:
    """Return how many Å the unit of the coordinates has if it is the bohr; 0 for Å."""
    advice = "write units=bohr or units=angstrom there, or another comment"
    known = [unicodedata.normalize("NFC", unit).casefold() for unit in UNITS.findall(comment)]
    if unclear := [unit for unit in known if unit in UNCLEAR]:
        problem = f"line 2: the unit {unclear[0]!r} is not read"
        refuse(path, problem, f"convert the coordinates and {advice}")
    if any(unit in IN_BOHR for unit in known):
        return BOHR
    word = LOOSE_BOHR.search(comment)
    if word and not any(unit in IN_ANGSTROM for unit in known):
        problem = f"line 2: {word[0]!r} may mean the unit of the coordinates but is not read"
        refuse(path, problem, advice)
    return 0.0


UNREAD = re.compile(
    r"(?i)\b(charge|mult|multiplicity|spin)\b\s*(?:[=:]\s*)?[+-]?\d+|^\s*[+-]?\d+\s+\d+\s*$"
)
"""What other programs write for charge and multiplicity."""

CALLED = {"charge": "charge", "multiplicity": "mult(?:iplicity)?"}
SPOKEN = r"(?i)(?<![\w-]){}\s*(?::\s*|\s)\s*([+-]?\d{{1,4}})(?![\d.\w])"
"""How these stand in a comment that is no list of settings: `charge: -1`, `mult 2`."""

BARE = re.compile(r"\s*([+-]?\d{1,2})[\s,]+([1-9]\d?)\s*", re.ASCII)
"""A comment that is charge and multiplicity alone, as inputs of programs have them: `-1 1`."""


def _comment(path: Path, comment: str) -> tuple[dict[str, Any], int, int]:
    """Return what the comment line says, and in which columns element and position stand."""
    values: dict[str, Any] = {}
    if match := BARE.fullmatch(comment):
        values["charge"], values["multiplicity"] = int(match[1]), int(match[2])
        told = f"charge {values['charge']:+d} and multiplicity {match[2]}"
        values["remark"] = f"{told}, by its comment ({comment.strip()})"
        return values, 0, 1
    for name, word in CALLED.items():
        if match := re.search(SPOKEN.format(word), comment):
            values[name] = int(match[1])
        if match := re.search(NOTE.format(word), comment):
            if not re.fullmatch(r"[+-]?\d{1,4}(\.0*)?", match[1], re.ASCII):
                said = quoted(match[1], "that is written there")
                refuse(path, f"line 2: the {name} {said} is no whole number")
            values[name] = int(float(match[1]))
    for unread in UNREAD.finditer(comment):
        name = (unread[1] or "").lower()
        if ("multiplicity" if name == "mult" else name) not in values:
            refuse(
                path,
                f"line 2: {quoted(unread[0].strip())} may mean charge or multiplicity but is not "
                "read",
                "write charge=… multiplicity=… there, or another comment",
            )
    if not re.search(r"(?i)\b(lattice|properties|pbc)\s*=", comment):
        return values, 0, 1

    from ase.io.extxyz import key_val_str_to_dict

    usual = re.sub(r"(?i)\b(lattice|properties|pbc)(?=\s*=)", _usual_case, comment)
    try:
        known: dict[str, Any] = key_val_str_to_dict(usual)
    except (ValueError, TypeError, LookupError) as error:
        if "Lattice" in str(error):
            refuse(path, "line 2: the lattice should be nine numbers")
        why = quoted(str(error), "it is written otherwise")
        refuse(path, f"line 2: it cannot be read as key=value pairs ({why})")
    if "Lattice" in known:
        values["cell"] = known["Lattice"].T
        values["periodic"] = [True, True, True]
    if "pbc" in known:
        periodic = known["pbc"]
        flags: list[Any] = [periodic] * 3 if isinstance(periodic, bool) else []
        flags = flags or np.ravel(periodic).tolist()
        if len(flags) != 3 or any(flag not in (0, 1) for flag in flags):
            refuse(path, 'line 2: pbc should be three letters such as "T T F"')
        if "Lattice" in known or any(flags):
            values["periodic"] = [bool(flag) for flag in flags]
    return values, *_columns(path, str(known.get("Properties", COLUMNS)))


def _usual_case(match: re.Match[str]) -> str:
    return "pbc" if match[0].lower() == "pbc" else match[0].capitalize()


def _columns(path: Path, properties: str) -> tuple[int, int]:
    """Return the columns of element and position from `species:S:1:pos:R:3:…`."""
    parts = properties.split(":")
    start, at = 0, dict[str, int]()
    for name, kind, width in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
        if not re.fullmatch(r"[1-9]\d?", width):
            break
        at[f"{name.lower()}:{kind}:{width}"] = start
        start += int(width)
    element = at.get("species:S:1", at.get("z:I:1"))
    if len(parts) % 3 or element is None or "pos:R:3" not in at:
        refuse(path, f"line 2: Properties={quoted(properties, '…')} names no {COLUMNS}")
    return element, at["pos:R:3"]


def element_of(path: Path, where: str, text: str) -> int:
    """Return the atomic number of a symbol or number; `where` goes ahead of what is wrong."""
    if re.fullmatch(r"\d{1,3}", text, re.ASCII):
        number = int(text)
        if 0 < number < len(SYMBOLS):
            return number
        refuse(path, f"{where}there is no element {number}")
    symbol = text.capitalize()
    if symbol in ("D", "T"):
        refuse(path, f"{where}isotopes such as {text} are not supported yet", "write H")
    if symbol not in SYMBOLS[1:]:
        bare = re.match(r"[A-Za-z]{1,2}(?=[\d_])", text)
        label = bare[0].capitalize() if bare else ""
        advice = f"write {label}" if label in SYMBOLS[1:] else CHECK
        refuse(path, f"{where}there is no element {quoted(text, 'of that name')}", advice)
    return SYMBOLS.index(symbol)


def coordinate_of(path: Path, where: str, text: str) -> float:
    """Return a finite number; `where` goes ahead of what is wrong."""
    if not NUMBER.fullmatch(text):
        finite = re.fullmatch(r"(?i)[+-]?(nan|inf|infinity)", text) is None
        said = quoted(text, "what stands there")
        refuse(path, f"{where}{said} is no {'' if finite else 'finite '}number")
    value = float(text.replace("D", "e").replace("d", "e"))
    if not math.isfinite(value):
        refuse(path, f"{where}{quoted(text, 'what stands there')} is no finite number")
    if abs(value) > FARTHEST:
        refuse(path, f"{where}{quoted(text, 'what stands there')} is larger than {FARTHEST:.0e}")
    return value


def _is_atom(line: str) -> bool:
    parts = line.split()
    return len(parts) >= 4 and all(NUMBER.fullmatch(part) for part in parts[1:4])
