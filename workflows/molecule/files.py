"""Structures from files: XYZ, extended XYZ, MOL and SDF."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import math
import re
import stat
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.elements import SYMBOLS
from triplestore.errors import InputError, NotFoundError, ResourceError

LARGEST = 50_000_000
"""Bytes. A larger file is a trajectory or a mistake, not a structure."""

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d+)?", re.ASCII)
NOTE = r"(?i)(?<![\w-]){}\s*=\s*[\"']?([^\s\"']*)"
SUPPORTED = "XYZ, extended XYZ, MOL and SDF files can be read"
COLUMNS = "species:S:1:pos:R:3"


def read_file(
    path: Path, charge: int | None = None, multiplicity: int | None = None
) -> ConceptualAtoms:
    """Read the one structure of a file; coordinates in Å.

    The comment line of an XYZ file may say `charge=1 multiplicity=2`, and a lattice makes the
    structure periodic. A MOL or SDF file must hold every hydrogen and three dimensions.

    Args:
        path: the file; `.mol` and `.sdf` are read as such, all others as XYZ.
        charge: total charge in e; None for what the file says, else 0.
        multiplicity: 2S+1; None for what the file says, else the lowest possible, as also where
            `charge` is not that of the file.

    Raises:
        NotFoundError: there is no such file.
        InputError: it holds no structure, several, or one that cannot be; says the line.
        ResourceError: it could not be read.
    """
    path = path.expanduser()
    text = _text(path)
    if path.suffix.lower() in (".mol", ".sdf"):
        values = _mol(path, text)
    else:
        values = _xyz(path, re.split(r"\r\n|\n|\r", text))
    if charge is not None:
        if charge != values.get("charge", 0):
            values.pop("multiplicity", None)
        values["charge"] = charge
    if multiplicity is not None:
        values["multiplicity"] = multiplicity
    return make_atoms(str(path), **values)


def _refuse(path: Path, found: str, advice: str = "") -> NoReturn:
    raise InputError(f"{path} was to be read", found, advice)


def _text(path: Path) -> str:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            _refuse(path, "it is a folder", "give one of its files")
        if not stat.S_ISREG(status.st_mode):
            _refuse(path, "it is no regular file")
        if status.st_size > LARGEST:
            size = f"{status.st_size / 1e6:.0f} MB, more than the {LARGEST / 1e6:.0f} MB allowed"
            _refuse(path, f"it has {size}", "give a file with one structure")
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFoundError(f"{path} was to be read", "there is no such file") from error
    except PermissionError as error:
        advice = "change its permissions or those of its folder"
        raise InputError(f"{path} was to be read", "you may not read it", advice) from error
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{str(path)!r} was to be read", "that names no file") from error
    except OSError as error:
        raise ResourceError(f"{path} could not be read", str(error)) from error
    if b"\0" in content:
        _refuse(path, "it is binary, not text", SUPPORTED)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        found = f"line {line}: the byte 0x{content[error.start]:02x} is no text in UTF-8"
        _refuse(path, found, f"save it as UTF-8; {SUPPORTED}")
    if not text.strip():
        _refuse(path, "it is empty")
    return text


# --- XYZ -----------------------------------------------------------------------------------------


def _xyz(path: Path, lines: list[str]) -> dict[str, Any]:
    while lines and not lines[-1].strip():
        lines.pop()
    if not re.fullmatch(r"\d{1,9}", lines[0].strip(), re.ASCII):
        found = f"line 1: the number of atoms should stand there, not {_short(lines[0])}"
        _refuse(path, found, SUPPORTED)
    count = int(lines[0].strip())
    if count == 0:
        _refuse(path, "line 1: a structure has at least one atom")
    comment = lines[1] if len(lines) > 1 else ""
    values, element_at, position_at = _comment(path, comment)
    if len(lines) < count + 2:
        missing = len(lines) == count + 1 and _is_atom(comment)
        _refuse(
            path,
            f"line 1 announces {count} atoms, but there are {max(len(lines) - 2, 0)}",
            "is the comment missing? Line 2 belongs to it, even if empty" if missing else "",
        )
    numbers, positions = list[int](), list[list[float]]()
    for number, line in enumerate(lines[2 : count + 2], start=3):
        where, parts = f"line {number}: ", line.split()
        if len(parts) < max(element_at + 1, position_at + 3):
            found = f"an element and three coordinates should stand there, not {_short(line)}"
            _refuse(path, where + found)
        numbers.append(_element(path, where, parts[element_at]))
        positions.append(
            [_coordinate(path, where, part) for part in parts[position_at : position_at + 3]]
        )
    rest = [(n, line) for n, line in enumerate(lines[count + 2 :], count + 3) if line.strip()]
    if rest:
        number, line = rest[0]
        if re.fullmatch(r"\s*\d+\s*", line):
            found, advice = f"it holds several structures; the second starts at line {number}", ""
            advice = "give a file with one of them"
        else:
            found = f"line 1 announces {count} atoms, but line {number} goes on: {_short(line)}"
            advice = "correct the number or remove the lines"
        _refuse(path, found, advice)
    return {**values, "numbers": numbers, "positions": positions}


UNREAD = re.compile(
    r"(?i)\b(charge|mult|multiplicity|spin)\b\s*[=:]?\s*[+-]?\d+|^\s*[+-]?\d+\s+\d+\s*$"
)
"""What other programs write for charge and multiplicity."""


def _comment(path: Path, comment: str) -> tuple[dict[str, Any], int, int]:
    """Return what the comment line says, and in which columns element and position stand."""
    values: dict[str, Any] = {}
    for name in ("charge", "multiplicity"):
        if match := re.search(NOTE.format(name), comment):
            if not re.fullmatch(r"[+-]?\d{1,4}(\.0*)?", match[1], re.ASCII):
                _refuse(path, f"line 2: the {name} {match[1]!r} is no whole number")
            values[name] = int(float(match[1]))
    for unread in UNREAD.finditer(comment):
        if (unread[1] or "").lower() not in values:
            _refuse(
                path,
                f"line 2: {unread[0].strip()!r} may mean charge or multiplicity but is not read",
                "write charge=… multiplicity=… there, or another comment",
            )
    if not re.search(r"(?i)\b(lattice|properties|pbc)\s*=", comment):
        return values, 0, 1

    from ase.io.extxyz import key_val_str_to_dict

    found = re.sub(r"(?i)\b(lattice|properties|pbc)(?=\s*=)", _usual_case, comment)
    try:
        known: dict[str, Any] = key_val_str_to_dict(found)
    except (ValueError, TypeError, LookupError) as error:
        if "Lattice" in str(error):
            _refuse(path, "line 2: the lattice should be nine numbers")
        _refuse(path, f"line 2: it cannot be read as key=value pairs ({error})")
    if "Lattice" in known:
        values["cell"] = known["Lattice"].T
        values["periodic"] = [True, True, True]
    if "pbc" in known:
        periodic = known["pbc"]
        flags: list[Any] = [periodic] * 3 if isinstance(periodic, bool) else []
        flags = flags or np.ravel(periodic).tolist()
        if len(flags) != 3 or any(flag not in (0, 1) for flag in flags):
            _refuse(path, 'line 2: pbc should be three letters such as "T T F"')
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
        _refuse(path, f"line 2: Properties={_short(properties)} names no {COLUMNS}")
    return element, at["pos:R:3"]


def _element(path: Path, where: str, text: str) -> int:
    if re.fullmatch(r"\d{1,3}", text, re.ASCII):
        number = int(text)
        if 0 < number < len(SYMBOLS):
            return number
        _refuse(path, f"{where}there is no element {number}")
    symbol = text.capitalize()
    if symbol in ("D", "T"):
        _refuse(path, f"{where}isotopes such as {text} are not supported yet", "write H")
    if symbol not in SYMBOLS[1:]:
        bare = re.match(r"[A-Za-z]{1,2}(?=[\d_])", text)
        label = bare[0].capitalize() if bare else ""
        advice = f"write {label}" if label in SYMBOLS[1:] else ""
        _refuse(path, f"{where}there is no element {_short(text)}", advice)
    return SYMBOLS.index(symbol)


def _coordinate(path: Path, where: str, text: str) -> float:
    if not NUMBER.fullmatch(text):
        finite = re.fullmatch(r"(?i)[+-]?(nan|inf|infinity)", text) is None
        _refuse(path, f"{where}{_short(text)} is no {'' if finite else 'finite '}number")
    value = float(text.replace("D", "e").replace("d", "e"))
    if not math.isfinite(value):
        _refuse(path, f"{where}{_short(text)} is no finite number")
    return value


def _is_atom(line: str) -> bool:
    parts = line.split()
    return len(parts) >= 4 and all(NUMBER.fullmatch(part) for part in parts[1:4])


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "…")


# --- MOL and SDF ---------------------------------------------------------------------------------


def _mol(path: Path, text: str) -> dict[str, Any]:
    from rdkit import Chem, rdBase

    from .notation import check_atoms, check_bonding, multiplicity

    records = re.split(r"^\$\$\$\$.*$", text, flags=re.MULTILINE)
    if len([record for record in records if record.strip()]) > 1:
        _refuse(path, "it holds several structures", "give a file with one of them")
    lines = records[0].splitlines()
    if len(lines) < 4 or not re.search(r"V[23]000\s*$", lines[3]):
        _refuse(path, "it is no MOL file: line 4 should end with V2000 or V3000", SUPPORTED)
    with rdBase.BlockLogs():
        mol: Any = Chem.MolFromMolBlock(records[0], sanitize=False, removeHs=False)
    if mol is None:
        _refuse(path, "it is no MOL file that RDKit can read", SUPPORTED)
    check_atoms(mol, str(path))
    check_bonding(mol, str(path))
    if not mol.GetNumAtoms():
        _refuse(path, "there are no atoms")
    missing = sum(atom.GetTotalNumHs() for atom in mol.GetAtoms())
    if missing:
        s = "s" if missing > 1 else ""
        advice = "add them, or mark the atoms as radicals or ions; or give a SMILES"
        _refuse(path, f"{missing} hydrogen atom{s} implied by its bonds have no position", advice)
    if mol.GetNumAtoms() > 1 and not mol.GetConformer().Is3D():
        advice = "give a structure in three dimensions, or a SMILES"
        _refuse(path, "it is a flat drawing", advice)
    return {
        "numbers": [atom.GetAtomicNum() for atom in mol.GetAtoms()],
        "positions": mol.GetConformer().GetPositions(),
        "charge": Chem.GetFormalCharge(mol),
        "multiplicity": multiplicity(mol)[0],
    }
