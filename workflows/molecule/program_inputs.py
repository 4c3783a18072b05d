"""Structures from inputs of Gaussian and ORCA, and from cube files."""

from __future__ import annotations

import math
import re
import shlex
from pathlib import Path
from typing import Any, NoReturn

from ontologies.factors import BOHR
from workflows.engine.request.unsaid import Unsaid
from workflows.exchange.asked import Asked, of_gaussian, of_orca
from workflows.text.words import count as counted
from workflows.trust.caller import quoted

from .text import CHECK, MOST_ATOMS, refuse
from .xyz import coordinate_of, element_of
from .z_matrix import is_row, positions, variables

MEDIUM = re.compile(r"(?i)^\s*%cpcm\s+epsilon\s+(\d{1,4}(?:\.\d*)?)\s+end\b", re.MULTILINE)
"""A block of ORCA that gives the permittivity of the continuum, and nothing else."""

WHOLE = re.compile(r"[+-]?\d{1,4}", re.ASCII)
PLAIN = "give a geometry in Cartesian coordinates, or an XYZ file"
NO_CHARGE = "{} files have no field for the charge: {} taken (say otherwise by --charge)"


def _line(number: int) -> str:
    return f"line {number}: "


def _charge_line(path: Path, number: int, words: list[str]) -> dict[str, Any]:
    """Return charge and multiplicity of the line that says them."""
    if len(words) > 2 and all(WHOLE.fullmatch(word) for word in words):
        refuse(path, f"{_line(number)}charges of fragments are not read", PLAIN)
    if len(words) != 2 or not all(WHOLE.fullmatch(word) for word in words):
        said = quoted(" ".join(words), "what is written")
        refuse(path, f"{_line(number)}charge and multiplicity should stand there, not {said}")
    charge, multiplicity = (int(word) for word in words)
    return {"charge": charge, "multiplicity": multiplicity}


def _placed(
    path: Path, rows: list[tuple[int, str, list[str]]], unit: float, comment: str
) -> dict[str, Any]:
    """Return elements and positions of lines of an element and three coordinates."""
    if not rows:
        refuse(path, "there are no atoms")
    if len(rows) > MOST_ATOMS:
        refuse(path, f"it has {len(rows)} atoms; {MOST_ATOMS} are allowed")
    return {
        "numbers": [element_of(path, _line(at), symbol) for at, symbol, _ in rows],
        "positions": [
            [coordinate_of(path, _line(at), one) * unit for one in place] for at, _, place in rows
        ],
        "comment": comment,
    }


def _noted(values: dict[str, Any], *notes: str, asks: str = "") -> dict[str, Any]:
    return {**values, "remark": "; ".join(filter(None, notes)), "asks": asks}


LEVEL = re.compile(r"(?:#[pnt]?)?\s*([\w()+\-]*[a-z][\w()+\-]*/[\w()+\-*,]+)", re.IGNORECASE)
"""Method and basis set, as Gaussian has them."""


def _level(asked: Asked, route: str) -> str:
    """Return the level of a route as it is called here, else as it stands there."""
    known = str(asked.fields.get("level", ""))
    return known or next((one[1] for one in map(LEVEL.fullmatch, route.split()) if one), "")


def _asks(what: str, written: str, level: str, asked: Asked, *blocks: str) -> str:
    """Return what to know of what an input asks for besides: it is followed, or left to a person.

    Args:
        what: where that stands.
        written: what stands there.
        level: of theory as it stands there; empty where it is not plain.
        asked: what of it is known.
        blocks: what stands in it besides.
    """
    if not written.strip():
        return ""
    task = str(asked.fields.get("task", ""))
    told = {"method": ("level", level), "task": ("task", task if task != "energy" else "")}
    others = "".join(f", nor {block}" for block in blocks if block)
    said = quoted(" ".join(written.split()), "as it stands", 200)
    named = str(asked.fields.get("level", ""))
    is_ours = "/" in named and not any(one in named for one in asked.unknown)
    all_else = f"; all else: {asked.line}" * is_ours
    unread = f" (not known: {quoted(', '.join(asked.unknown), '…', 80)}{all_else})"
    unread *= bool(asked.unknown)
    text = f"{what} ({said}) is not taken over{unread}{others}"
    ways = {field: f"`{name}` {shlex.quote(one)}" for field, (name, one) in told.items() if one}
    followed = "; ".join((f"as {what} says ({said}): {asked.line}", *asked.notes))
    return Unsaid.of(
        text,
        ways or {"method": ""},
        lasting=bool(others),
        fields={} if asked.unknown else asked.fields,
        followed=followed + f"; not taken over: {', '.join(filter(None, blocks))}" * bool(others),
        needed="method",
    )


def _not_an_atom(path: Path, number: int, line: str) -> NoReturn:
    said = quoted(line.strip(), "what is written")
    problem = f"an element and three coordinates should stand there, not {said}"
    refuse(path, _line(number) + problem, PLAIN)


# --- Gaussian ------------------------------------------------------------------------------------

ELSEWHERE = re.compile(r"(?i)\bgeom\s*=?\s*\(?[^\s)]*(check|allcheck|modify|step)")
HEADING = re.compile(r"(?i)(variables|constants)\b")
ATOMIC_UNITS = re.compile(r"(?i)\bunits?\s*[=(]+[^\s)]*\b(au|bohr)\b")


def read_gaussian(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the structure in an input of Gaussian.

    Raises:
        InputError: it has several jobs, layers, or a geometry that stands elsewhere.
    """
    lines = [line.partition("!")[0].rstrip() for line in re.split(r"\r\n|\n|\r", text)]
    if any(line.strip().lower() == "--link1--" for line in lines):
        refuse(path, "it holds several jobs (--Link1--)", "give a file of one job")
    at = next((n for n, line in enumerate(lines) if line.lstrip().startswith("#")), None)
    if at is None:
        refuse(path, "it is no input of Gaussian: no route section begins with #")
    route, at = _section(lines, at)
    words = " ".join(route)
    if ELSEWHERE.search(words):
        refuse(path, "its geometry stands in a checkpoint file (geom=check)", PLAIN)
    if "oniom" in words.lower():
        refuse(path, "it has layers (ONIOM)", PLAIN)
    title, at = _section(lines, at)
    while at < len(lines) and not lines[at].strip():
        at += 1
    if at >= len(lines):
        refuse(path, "it ends before charge and multiplicity")
    told = _charge_line(path, at + 1, lines[at].replace(",", " ").split())
    first = lines[at + 1].split() if at + 1 < len(lines) else []
    if len(first) == 1 and is_row(first):
        return _of_z_matrix(path, lines, at + 1, words, " ".join(map(str.strip, title))) | told
    rows, frozen, end = list[tuple[int, str, list[str]]](), False, len(lines)
    for number, line in enumerate(lines[at + 1 :], at + 2):
        parts = line.replace(",", " ").split()
        if not parts:
            end = number
            break
        if len(parts) == 5 and parts[1] in ("0", "-1"):
            frozen |= parts.pop(1) == "-1"
        if len(parts) != 4:
            if len(parts) in (1, 3, 5, 7, 8):
                refuse(path, f"{_line(number)}a Z-matrix cannot begin in the middle", PLAIN)
            _not_an_atom(path, number, line)
        if re.fullmatch(r"(?i)(x|bq|tv)\d*|.*[-(].*", parts[0]):
            said = quoted(parts[0], "what is written")
            refuse(path, f"{_line(number)}{said} is no plain atom of a molecule", PLAIN)
        label = re.fullmatch(r"([A-Za-z]{1,2})\d{1,6}", parts[0])
        rows.append((number, label[1] if label else parts[0], parts[1:]))
    unit = BOHR if ATOMIC_UNITS.search(words) else 1.0
    values = _placed(path, rows, unit, " ".join(part.strip() for part in title))
    kept = "the coordinates that it holds fixed are not taken over" if frozen else ""
    bonds = "geom=connectivity" in words.lower().replace(" ", "")
    more = "what stands behind its geometry" if any(map(str.strip, lines[end:])) else ""
    asked = of_gaussian(words, values["numbers"])
    level = _level(asked, words)
    asked.unknown += [more] * bool(more and not bonds)
    asks = _asks("its route section", words, level, asked, "" if bonds else more)
    return _noted(values | told, "coordinates given in bohr" if unit != 1 else "", kept, asks=asks)


def _of_z_matrix(path: Path, lines: list[str], at: int, route: str, comment: str) -> dict[str, Any]:
    """Return the structure of a Z-matrix that begins at a line, and what its route asks for."""
    end = next((n for n in range(at, len(lines)) if not lines[n].strip()), len(lines))
    block = [(n + 1, lines[n].replace(",", " ").split()) for n in range(at, end)]
    marks = (
        n for n, (_, one) in enumerate(block) if re.match(r"(?i)(variables|constants)", one[0])
    )
    own = next(marks, len(block))
    for number, row in block[:own]:
        if not is_row(row):
            refuse(path, f"{_line(number)}a row of a Z-matrix should stand there", PLAIN)
    if own > MOST_ATOMS:
        refuse(path, f"it has {own} atoms; {MOST_ATOMS} are allowed")
    named = variables([" ".join(one) for _, one in block[own:]] + lines[end:])
    unit = BOHR if ATOMIC_UNITS.search(route) else 1.0
    placed = positions(path, block[:own], named) * unit
    symbols = [(number, re.sub(r"\d+$", "", row[0])) for number, row in block[:own]]
    real = [n for n, (_, symbol) in enumerate(symbols) if symbol.lower() != "x"]
    numbers = [element_of(path, _line(symbols[n][0]), symbols[n][1]) for n in real]
    asked = of_gaussian(route, numbers)
    level = _level(asked, route)
    asks = _asks("its route section", route, level, asked)
    values = {"numbers": numbers, "positions": placed[real].tolist(), "comment": comment}
    return _noted(values, "positions from its Z-matrix", asks=asks)


def _section(lines: list[str], at: int) -> tuple[list[str], int]:
    """Return the lines up to the next blank one, and where the following begin."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    end = at
    while end < len(lines) and lines[end].strip():
        end += 1
    return lines[at:end], end + 1


# --- ORCA ----------------------------------------------------------------------------------------


def read_orca(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the structure in an input of ORCA, between `* xyz` and `*`.

    Raises:
        InputError: it has several jobs, inner coordinates, or a geometry that stands elsewhere.
    """
    lines = [re.sub(r"#.*?(#|$)", " ", line) for line in re.split(r"\r\n|\n|\r", text)]
    if any(line.strip().lower().startswith("$new_job") for line in lines):
        refuse(path, "it holds several jobs ($new_job)", "give a file of one job")
    begun = [n for n, line in enumerate(lines) if re.match(r"\s*\*\s*[A-Za-z]", line)]
    if not begun:
        coords = any(line.strip().lower().startswith("%coords") for line in lines)
        why = "its block %coords is not read" if coords else "no line begins with * xyz"
        advice = "write the geometry between * xyz CHARGE MULTIPLICITY and *"
        refuse(path, f"it is no input of ORCA that can be read: {why}", advice)
    if len(begun) > 1:
        refuse(path, f"it holds {len(begun)} geometries", "give a file of one job")
    at = begun[0]
    kind, *words = lines[at].replace("*", " ", 1).split()
    if kind.lower() != "xyz":
        what = {"xyzfile": "its geometry stands in another file: give that", "int": "", "gzmt": ""}
        said = what.get(kind.lower()) or f"* {quoted(kind, '…')} coordinates are not read"
        refuse(path, _line(at + 1) + said, PLAIN)
    told = _charge_line(path, at + 1, words)
    rows = list[tuple[int, str, list[str]]]()
    for number, line in enumerate(lines[at + 1 :], at + 2):
        parts = line.split()
        if parts == ["*"]:
            break
        if parts and (len(parts) != 4 or re.fullmatch(r"(?i)q|da|.*[:(>].*", parts[0])):
            _not_an_atom(path, number, line)
        if parts:
            rows.append((number, parts[0], parts[1:]))
    else:
        refuse(path, f"the geometry of line {at + 1} has no end: no line with * alone follows")
    simple = " ".join(line for line in lines if line.lstrip().startswith("!")).lower().split()
    unit = BOHR if "bohrs" in simple else 1.0
    values = _placed(path, rows, unit, "")
    said = [line.strip() for line in lines if line.lstrip().startswith("!")]
    blocks = [one for line in lines for one in re.findall(r"^\s*(%[a-z]\w*)", line.lower())]
    words = " ".join(said).replace("!", " ").split()
    if (medium := MEDIUM.search("\n".join(lines))) and blocks.count("%cpcm") == 1:
        blocks.remove("%cpcm")
        words = [f"cpcm:{medium[1]}", *(one for one in words if one.lower() != "cpcm")]
    asked = of_orca(words, blocks)
    level = str(asked.fields["level"])
    level = level if "/" in level.strip("/") or level.lower().endswith("-3c") else ""
    if held := asked.fields.get("dispersion"):
        level = level.replace("/", f"-{str(held).upper()}/")
    asks = _asks("its line of keywords", " ".join(said), level, asked, ", ".join(blocks))
    return _noted(values | told, "coordinates given in bohr" if unit != 1 else "", asks=asks)


# --- cube files ----------------------------------------------------------------------------------


def read_cube(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the structure in a cube file; coordinates in bohr.

    Raises:
        InputError: it is no cube file, or it ends too early.
    """
    lines = re.split(r"\r\n|\n|\r", text)
    heads = [line.split() for line in lines[2:6]]
    whole = [row[0] if row else "" for row in heads]
    if len(heads) < 4 or not all(re.fullmatch(r"[+-]?\d{1,9}", one, re.ASCII) for one in whole):
        refuse(path, "it is no cube file: counts should stand at the head of lines 3 to 6")
    for number, row in enumerate(heads, 3):
        if len(row) not in ((4, 5) if number == 3 else (4,)):
            refuse(path, f"{_line(number)}a count and three numbers should stand there")
        for one in row[1:]:
            coordinate_of(path, _line(number), one)
    atoms, *points = (int(one) for one in whole)
    several, atoms = atoms < 0, abs(atoms)
    if min(points) <= 0:
        refuse(path, "a number of points is not above zero: which unit is meant is not clear")
    if not 0 < atoms <= MOST_ATOMS:
        refuse(path, f"line 3 announces {atoms} atoms; 1 to {MOST_ATOMS} are allowed")
    if len(lines) < 6 + atoms:
        refuse(path, f"line 3 announces {counted(atoms, 'atom')}, but the file ends before")
    rows = list[tuple[int, str, list[str]]]()
    for number, line in enumerate(lines[6 : 6 + atoms], 7):
        parts = line.split()
        if len(parts) != 5 or not re.fullmatch(r"\d{1,3}", parts[0], re.ASCII):
            refuse(path, f"{_line(number)}an atomic number and four numbers should stand there")
        rows.append((number, parts[0], parts[2:]))
    values = _placed(path, rows, BOHR, " ".join(lines[0].split()))
    numbers = [word for line in lines[6 + atoms :] for word in line.split()]
    each = int(heads[0][4]) if len(heads[0]) == 5 and heads[0][4].isdecimal() else 1
    if several:
        each = int(numbers[0]) if numbers and numbers[0].isdecimal() else 1
        numbers = numbers[1 + each :]
    if len(numbers) != math.prod(points) * each:
        problem = f"it should have {math.prod(points) * each} values, but has {len(numbers)}"
        refuse(path, problem, CHECK)
    return _noted(values, "coordinates given in bohr", NO_CHARGE.format("cube", 0))
