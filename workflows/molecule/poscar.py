"""Crystals from VASP's POSCAR and CONTCAR."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ontologies.units import Floats

from .text import CHECK, MOST_ATOMS, refuse
from .xyz import element_of

NAMED = re.compile(r"(?i)(POSCAR|CONTCAR)([._-].*)?(#(\d{1,9}|last))?")
"""How such files are called where they have no ending of their own."""

ENDINGS = (".vasp", ".poscar", ".contcar")


def is_poscar(path: Path, kind: str) -> bool:
    """Return whether a file is one, by its name."""
    return kind in ENDINGS or bool(NAMED.fullmatch(path.name.removesuffix(".gz")))


def read_poscar(path: Path, text: str) -> dict[str, Any]:
    """Return numbers, positions (Å), cell and comment of a POSCAR of VASP 5 or later.

    Velocities and what else follows the positions are not read; a file that holds atoms is refused.

    Args:
        path: what the file is called in messages.
        text: what stands in it.

    Raises:
        InputError: it is none; says the line.
    """
    lines = defaultdict(str, enumerate(text.splitlines()))

    def wrong(at: int, found: str, advice: str = CHECK) -> NoReturn:
        refuse(path, f"line {at + 1}: {found}", advice)

    def numbers(at: int, count: int) -> Floats:
        words = lines[at].split()[:count]
        try:
            found = np.array([float(word) for word in words])
        except ValueError:
            found = np.zeros(0)
        if len(found) != count or not np.isfinite(found).all():
            wrong(at, f"{count} numbers should stand there")
        return found

    scale = float(numbers(1, 1)[0])
    cell = np.array([numbers(at, 3) for at in (2, 3, 4)])
    volume = abs(float(np.linalg.det(cell)))
    if scale == 0 or not volume > 0:
        wrong(1 if scale == 0 else 2, "the lattice vectors span no volume")
    cell = cell * (scale if scale > 0 else math.cbrt(-scale / volume))
    symbols, counts = lines[5].split(), lines[6].split()
    if symbols and all(word.isdigit() for word in symbols):
        wrong(5, "the elements should stand there, as VASP 5 writes them", "add a line of symbols")
    if not symbols or len(symbols) != len(counts) or not all(n.isdecimal() for n in counts):
        wrong(6, "as many numbers of atoms as there are elements should stand there")
    total = sum(map(int, counts))
    if not 0 < total <= MOST_ATOMS:
        refuse(path, f"it has {total} atoms; 1 to {MOST_ATOMS} are allowed")
    elements = [element_of(path, "line 6: ", re.split(r"[_/]", one)[0]) for one in symbols]
    at = 8 if lines[7].strip()[:1] in ("s", "S") else 7
    kind = lines[at].strip()[:1].lower()
    if kind not in ("d", "c", "k"):
        wrong(at, "Direct or Cartesian should stand there")
    flags = [lines[at + 1 + one].upper().split()[3:6] for one in range(total)] if at == 8 else []
    held = [str(one) for one, words in enumerate(flags, 1) if {"F", ".FALSE."} & set(words)]
    if held:
        refuse(
            path,
            f"it holds atoms (selective dynamics), such as {', '.join(held[:3])}",
            "take that line and its flags out; to hold whole atoms, ask for it: "
            f'constraints "freeze {held[0]}"',
        )
    places = np.array([numbers(at + 1 + one, 3) for one in range(total)])
    if kind == "d":
        positions = places @ cell
    else:
        positions = places * (scale if scale > 0 else math.cbrt(-scale / volume))
    return {
        "numbers": np.repeat(elements, [int(n) for n in counts]).tolist(),
        "positions": positions,
        "cell": cell,
        "periodic": [True, True, True],
        "comment": lines[0].strip(),
    }
