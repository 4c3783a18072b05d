"""Structures from what programs leave beside their outputs: fchk, Molden, coord and QCSchema."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

from ontologies.factors import BOHR

from .text import MOST_ATOMS, refuse
from .xyz import coordinate_of, element_of

IN_BOHR = "coordinates given in bohr"
NO_FIELD = "{} have no field for {}"
SAY_IT = "0 taken (say otherwise by --charge)"

FIELD = re.compile(r"^(?P<name>\S.{0,39}?)\s+(?P<kind>[IR])\s+(?:N=\s*(?P<many>\d+)|(?P<one>\S+))")
"""A quantity of a formatted checkpoint file: its name stands in 40 columns."""

SECTION = re.compile(r"(?im)^\s*\[(?P<name>[A-Za-z0-9 _]+)\][ \t]*\(?(?P<unit>[A-Za-z]*)\)?.*$")


def _placed(
    path: Path, elements: list[int], flat: list[str], unit: float, remark: str
) -> dict[str, Any]:
    """Return elements and positions of numbers in a row."""
    if not elements or len(elements) > MOST_ATOMS or len(flat) != 3 * len(elements):
        refuse(path, f"{len(elements)} atoms have {len(flat)} coordinates")
    values = [coordinate_of(path, "", one) * unit for one in flat]
    rows = [values[at : at + 3] for at in range(0, len(values), 3)]
    return {"numbers": elements, "positions": rows, "remark": remark}


def read_fchk(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the structure in a formatted checkpoint file; coordinates in bohr.

    Raises:
        InputError: it is none, or it ends too early.
    """
    lines = text.splitlines()
    wanted = ("Charge", "Multiplicity", "Atomic numbers", "Current cartesian coordinates")
    found = dict[str, list[str]]()
    for at, line in enumerate(lines):
        met = FIELD.match(line)
        if met is None or met["name"].strip() not in wanted:
            continue
        words = [met["one"]] if met["one"] else list[str]()
        while met["many"] and len(words) < int(met["many"]) and at + 1 < len(lines):
            at += 1
            words += lines[at].split()
        found[met["name"].strip()] = words
    if missing := [one for one in wanted if one not in found]:
        refuse(path, f"it is no formatted checkpoint file: it has no {missing[0].lower()}")
    elements = [element_of(path, "", one) for one in found[wanted[2]]]
    values = _placed(path, elements, found[wanted[3]], BOHR, IN_BOHR)
    try:
        charge, multiplicity = (int(found[one][0]) for one in wanted[:2])
    except ValueError:
        refuse(path, "its charge or multiplicity is no whole number")
    title = lines[0].strip()
    return {**values, "charge": charge, "multiplicity": multiplicity, "comment": title}


def read_molden(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the structure in a Molden file.

    The format has no field for charge and multiplicity. Where its orbitals hold as many electrons
    as neutral atoms have, the charge is 0, and electrons of one spin more are unpaired.

    Raises:
        InputError: it is none.
    """
    parts = [*SECTION.finditer(text)]
    at = next((n for n, one in enumerate(parts) if one["name"].strip().lower() == "atoms"), None)
    if at is None:
        refuse(path, "it is no Molden file with atoms: no line [Atoms] stands in it")
    end = parts[at + 1].start() if at + 1 < len(parts) else len(text)
    rows = [line.split() for line in text[parts[at].end() : end].splitlines() if line.strip()]
    if not all(len(row) == 6 for row in rows):
        refuse(path, "a line of [Atoms] should have an element, two numbers and three coordinates")
    elements = [element_of(path, "", row[2]) for row in rows]
    unit = 1.0 if parts[at]["unit"].lower().startswith("ang") else BOHR
    values = _placed(path, elements, [one for row in rows for one in row[3:]], unit, "")
    spins = re.findall(r"(?i)^\s*Spin\s*=\s*(\w+)", text, re.MULTILINE)
    held = [float(one) for one in re.findall(r"(?im)^\s*Occup\s*=\s*([\d.]+(?:e[+-]?\d+)?)", text)]
    told = [IN_BOHR] if unit != 1 else []
    charge, spare = sum(elements) - round(sum(held)), 0
    if len(spins) == len(held) and any(one.lower() == "beta" for one in spins):
        each = zip(spins, held, strict=True)
        spare = round(sum(n if spin.lower() == "alpha" else -n for spin, n in each))
    else:
        spare = sum(round(one) == 1 for one in held)
    if held and abs(charge) <= 4:
        values |= {"charge": charge, "multiplicity": abs(spare) + 1}
        told += [f"charge {charge:+d}, by the electrons in its orbitals"] if charge else []
    else:
        told.append(f"{NO_FIELD.format('Molden files', 'the charge')}: {SAY_IT}")
    return values | {"remark": "; ".join(told)}


def read_coord(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the structure in a coord file, of Turbomole or xtb.

    Raises:
        InputError: it is none.
    """
    groups = re.split(r"(?m)^\s*\$", text)
    group = next((one for one in groups if re.match(r"coord\b", one)), None)
    if group is None:
        refuse(path, "it is no coord file: no line begins with $coord")
    head, *lines = group.splitlines()
    if "frac" in head:
        refuse(path, "its coordinates are fractions of a cell, which are not read")
    rows = [line.split() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not all(len(row) in (4, 5) for row in rows):
        refuse(path, "a line of $coord should have three coordinates and an element")
    elements = [element_of(path, "", row[3]) for row in rows]
    unit = 1.0 if "ang" in head else BOHR
    told = IN_BOHR if unit != 1 else ""
    values = _placed(path, elements, [one for row in rows for one in row[:3]], unit, told)
    if any(re.match(r"(cell|lattice|periodic)\b", one) for one in groups):
        refuse(path, "it has a cell, which is not read from coord files")
    for name, word, more in (("charge", r"chrg\s", 0), ("multiplicity", r"spin\s", 1)):
        said = next((one.split() for one in groups if re.match(word, one)), list[str]())
        if len(said) > 1 and re.fullmatch(r"[+-]?\d{1,4}", said[1]):
            values[name] = int(said[1]) + more
    return values


def read_qcschema(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the structure in a molecule, an input or a result of QCSchema.

    Raises:
        InputError: it is none.
    """
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        refuse(path, "it cannot be read as JSON")
    given: Any = cast("dict[str, Any]", whole) if isinstance(whole, dict) else {}
    inner: Any = given.get("final_molecule") or given.get("molecule") or given
    try:
        symbols, flat = list(inner["symbols"]), [str(one) for one in inner["geometry"]]
    except (KeyError, TypeError):
        refuse(path, "it is no QCSchema: no molecule with `symbols` and `geometry` stands in it")
    elements = [element_of(path, "", str(one)) for one in symbols]
    values = _placed(path, elements, flat, BOHR, IN_BOHR)
    for name in ("charge", "multiplicity"):
        said = inner.get(f"molecular_{name}")
        if isinstance(said, int | float) and said == round(said) and abs(said) < 1e4:
            values[name] = int(said)
    return values
