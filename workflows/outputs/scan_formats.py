"""Scans as ORCA, Gaussian and xtb write them: the points, with what is printed for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from ontologies.elements import SYMBOLS
from ontologies.units import Floats, Integers
from workflows.text.words import count

from .values import Beside, RefusedError

NUMBER = r"[-+]?\d+\.\d*"

KIND = {2: "distance", 3: "angle", 4: "dihedral"}
"""What so many atoms span."""


@dataclass(frozen=True)
class Point:
    """One step of a scan.

    Attributes:
        energy: in Eh, as it stands in the file.
        numbers: atomic numbers.
        positions: in Å, shape (atoms, 3).
        value: of the coordinate as it is printed, in Å or degrees; None where it is not.
    """

    energy: float
    numbers: tuple[int, ...]
    positions: list[list[float]]
    value: float | None = None


@dataclass(frozen=True)
class Points:
    """A scan as a text has it.

    Attributes:
        members: atoms that span the coordinate, from 0.
        points: in order.
        relaxed: whether all else was relaxed at each.
        remarks: what a reader must know.
        beside: the file that has them, where it is not the output.
        places: where their energies stand in the output, in characters; empty to look for them.
    """

    members: tuple[int, ...]
    points: list[Point]
    relaxed: bool
    remarks: list[str] = field(default_factory=list[str])
    beside: Beside | None = None
    places: list[int] = field(default_factory=list[int])


# --- xtb --------------------------------------------------------------------------------------

_HELD = re.compile(r"^constraining (?:bond|angle)((?: +\d+){2,4}) +to ", re.MULTILINE)
_DRIVEN = re.compile(r"^ *scaning constraint +(\d+)", re.MULTILINE)
_UNBIASED = re.compile(rf"^ *unbiased energy: +({NUMBER})", re.MULTILINE)
_FRAME = re.compile(rf"^ *energy: +({NUMBER})")


def _of_xtb(text: str, beside: Beside | None) -> Points:
    """Return a scan of xtb: its energies in the output, its geometries in a file beside it."""
    if beside is None:
        raise RefusedError(
            "it is a scan by xtb, which writes the geometries to xtbscan.log: that file is to lie "
            "beside the output"
        )
    held = [tuple(int(one) - 1 for one in met.split()) for met in _HELD.findall(text)]
    driven = [int(one) for one in _DRIVEN.findall(text)]
    if len(driven) != 1 or not 0 < driven[0] <= len(held):
        raise RefusedError(
            "it is a scan of several coordinates, or of one that is not named: read is one"
        )
    printed = [float(one) for one in _UNBIASED.findall(text)]
    points = _frames(beside)
    energies = [one.energy for one in points]
    if len(printed) != len(points) or not np.allclose(printed, energies, rtol=0, atol=6e-9):
        raise RefusedError(
            f"it is a scan, and {beside.name} beside it is of another run: {len(printed)} energies "
            f"are printed, and {len(points)} stand there, or other ones"
        )
    _check_places(text, beside, points)
    remarks = [
        f"geometries and energies of the points are those of {beside.name}; the pull of the "
        "constraint is not in them, and values are measured at the geometries"
    ]
    if len(held) > 1:
        remarks.append(f"{count(len(held) - 1, 'coordinate')} more was held besides")
    places = [met.start() for met in _UNBIASED.finditer(text)]
    return Points(held[driven[0] - 1], points, True, remarks, beside, places)


DRIFT = 1e-5
"""Å by which the centre of the atoms may go: xtb moves no molecule as a whole (1e-6 Å at most, by
each of its optimisers), so that what goes farther was changed behind it."""

OUTLIER = 10.0
"""How much farther than at most points that is."""

_FINAL = re.compile(
    rf"^ *final structure: *\n=+\n *\d+ *\n.*\n((?: *[A-Z][a-z]?(?: +{NUMBER}){{3}} *\n)+)",
    re.MULTILINE,
)


def _check_places(text: str, beside: Beside, points: Sequence[Point]) -> None:
    """Refuse geometries of which one has its centre elsewhere than most, or other digits.

    Energies are compared with those that are printed, places stand nowhere else: but forces of a
    molecule on itself add up to nothing, and all coordinates are written with as many decimals.

    Raises:
        RefusedError: a point is damaged.
    """
    asked = f"it is a scan, and {beside.name} beside it is damaged"
    decimals = {len(one.rpartition(".")[2]) for one in _PLACE.findall(beside.text)}
    if len(decimals) > 1:
        raise RefusedError(f"{asked}: not all of its coordinates have as many decimals")
    centres = [np.mean(one.positions, axis=0) for one in points]
    for met in _FINAL.findall(text):
        rows = [[float(n) for n in line.split()[1:4]] for line in met.splitlines()]
        centres += [np.mean(rows, axis=0)] if len(rows) == len(points[0].numbers) else []
    off = np.abs(centres - np.median(centres, axis=0)).max(axis=1)
    if off.max() > DRIFT + OUTLIER * np.median(off):
        raise RefusedError(
            f"{asked}: at point {int(off.argmax()) + 1} the molecule lies {off.max():.4f} Å from "
            "where it is at the others, and xtb moves none as a whole"
        )
    if (other := _exchanged(points)) is not None:
        raise RefusedError(
            f"{asked}: at point {other + 1} atoms of an element stand where others of it stand at "
            "the points before and behind it"
        )


def _exchanged(points: Sequence[Point]) -> int | None:
    """Return the first point at which like atoms have changed places, and only there."""
    last = len(points) - 1
    for here in range(last + 1) if last > 1 else ():
        one, two = {0: (1, 2), last: (last - 1, last - 2)}.get(here, (here - 1, here + 1))
        if not _are_others(points[one], points[two]) and all(
            _are_others(points[here], points[n]) for n in (one, two)
        ):
            return here
    return None


def _are_others(one: Point, other: Point) -> bool:
    """Tell whether atoms stand much nearer to like atoms of another point than to themselves."""
    from scipy.optimize import (  # pyright: ignore[reportMissingTypeStubs]
        linear_sum_assignment,  # pyright: ignore[reportUnknownVariableType]
    )

    assign = cast("Callable[[Floats], tuple[Integers, Integers]]", linear_sum_assignment)
    numbers = np.array(one.numbers)
    apart = np.array(one.positions)[:, None] - np.array(other.positions)[None]
    squares = (apart**2).sum(axis=2)
    squares[numbers[:, None] != np.array(other.numbers)[None]] = 1e6
    rows, columns = assign(squares)
    best = float(squares[rows, columns].sum())
    return bool((rows != columns).any()) and best < float(np.trace(squares)) / 4


_PLACE = re.compile(rf"(?<=\s){NUMBER}(?=\s)(?!\s*xtb)")


def _frames(beside: Beside) -> list[Point]:
    """Return the points of a file of frames in XYZ format whose comments have the energies."""
    lines = beside.text.splitlines()
    points: list[Point] = []
    place = 0
    try:
        while place < len(lines) and lines[place].strip():
            size = int(lines[place])
            energy = _FRAME.match(lines[place + 1])
            rows = [line.split() for line in lines[place + 2 : place + 2 + size]]
            fits = len(rows) == size and all(len(row) == 4 for row in rows)
            if energy is None or size < 1 or not fits:
                raise ValueError(beside.name)
            points.append(_point(float(energy[1]), [(row[0], row[1:4]) for row in rows]))
            place += 2 + size
    except (ValueError, IndexError, KeyError) as error:
        raise RefusedError(
            f"it is a scan, and {beside.name} beside it cannot be read from line {place + 1}"
        ) from error
    return points


def _point(
    energy: float, rows: Sequence[tuple[str, Sequence[str]]], value: float | None = None
) -> Point:
    numbers = tuple(
        int(one) if one.isdigit() else SYMBOLS.index(one.capitalize()) for one, _ in rows
    )
    positions = [[float(one) for one in place] for _, place in rows]
    if any(len(one) != 3 for one in positions):
        raise ValueError(rows)
    return Point(energy, numbers, positions, value)


# --- ORCA -------------------------------------------------------------------------------------

_ORCA_STEP = re.compile(
    r"^ *\* +RELAXED SURFACE SCAN STEP +\d+ +\*\n *\*[ *]*\n((?: *\* +\w+ \(.*\n)+)", re.MULTILINE
)
_ORCA_COORDINATE = re.compile(rf"(Bond|Angle|Dihedral) \(([ \d,]+)\) *: +({NUMBER})")
_ORCA_ATOMS = re.compile(
    rf"^CARTESIAN COORDINATES \(ANGSTROEM\)\n-+\n((?: +[A-Z][a-z]?(?: +{NUMBER}){{3}} *\n)+)",
    re.MULTILINE,
)
_ORCA_ENERGY = re.compile(rf"^FINAL SINGLE POINT ENERGY +({NUMBER})", re.MULTILINE)
_ORCA_SURFACE = re.compile(
    rf"^The Calculated Surface using the 'Actual Energy' *\n((?: +{NUMBER} +{NUMBER} *\n)+)",
    re.MULTILINE,
)
_ORCA_TRAJECTORY = re.compile(
    rf"^ +TRAJECTORY STEP +\d+ *\n((?: +\S+ +: +{NUMBER} *\n)+)", re.MULTILINE
)
_ORCA_MANY = re.compile(r"^There will be +(\d+) energy evaluations", re.MULTILINE)
_ORCA_ROW = re.compile(
    r"^\| *\d+> +([A-Z][a-z]?) +(\d+) +(\d+) +(\d+) +(\S+) +(\S+) +(\S+) *$", re.MULTILINE
)


def _of_orca(text: str, beside: Beside | None) -> Points:
    """Return a scan of ORCA, relaxed or not."""
    del beside
    starts = [*_ORCA_STEP.finditer(text)]
    if not starts:
        return _rigid_of_orca(text)
    if any(met[1].count("\n") != 1 for met in starts):
        raise RefusedError("it is a scan of several coordinates: read are those of one")
    ends = [*(met.start() for met in starts[1:]), len(text)]
    members: set[tuple[int, ...]] = set()
    points: list[Point] = []
    for met, end in zip(starts, ends, strict=True):
        said = _ORCA_COORDINATE.search(met[1])
        at = text.find("FINAL ENERGY EVALUATION AT THE STATIONARY POINT", met.end(), end)
        rows = _ORCA_ATOMS.search(text, at, end) if at >= 0 else None
        energies = _ORCA_ENERGY.findall(text[at:end]) if at >= 0 else []
        if said is None or rows is None or len(energies) != 1:
            raise RefusedError(
                f"it is a scan, and its step {len(points) + 1} has not one geometry and one energy "
                "at a stationary point"
            )
        members.add(tuple(map(int, said[2].split(","))))
        points.append(_orca_point(float(energies[0]), rows[1], float(said[3])))
    surface = _ORCA_SURFACE.findall(text)
    table = np.array(surface[-1].split(), float).reshape(-1, 2) if surface else np.zeros((0, 2))
    ours = np.array([(one.value, one.energy) for one in points], float)
    if len(members) != 1 or table.shape != ours.shape or np.abs(table - ours).max() > 6e-9:
        raise RefusedError("it is a scan, and the table at its end has other values or energies")
    return Points(members.pop(), points, True)


def _orca_point(energy: float, rows: str, value: float) -> Point:
    cells = [line.split() for line in rows.splitlines()]
    return _point(energy, [(row[0], row[1:4]) for row in cells], value)


def _rigid_of_orca(text: str) -> Points:
    starts = [*_ORCA_TRAJECTORY.finditer(text)]
    if any(met[1].count("\n") != 1 for met in starts):
        raise RefusedError("it is a scan of several parameters: read are those of one")
    names = {met[1].split(":")[0].strip() for met in starts}
    if len(names) != 1:
        raise RefusedError("it is a scan, and no step of it names the parameter")
    name = names.pop()
    wanted = _ORCA_MANY.findall(text)
    if [str(len(starts))] != wanted:
        many = ", ".join(wanted) or "not said"
        raise RefusedError(f"it is a scan, and {len(starts)} steps stand in it (of {many})")
    rows = [
        (met[5], met[6], met[7], tuple(int(one) - 1 for one in met.group(2, 3, 4)))
        for met in _ORCA_ROW.finditer(text)
    ]
    members = _spanned([((row[0], row[1], row[2]), row[3]) for row in rows], "{" + name + "}", name)
    points: list[Point] = []
    ends = [*(met.start() for met in starts[1:]), len(text)]
    for met, end in zip(starts, ends, strict=True):
        atoms = _ORCA_ATOMS.findall(text[met.end() : end])
        energies = _ORCA_ENERGY.findall(text[met.end() : end])
        if len(atoms) != 1 or len(energies) != 1:
            raise RefusedError(
                f"it is a scan, and its step {len(points) + 1} has not one geometry and one energy"
            )
        points.append(_orca_point(float(energies[0]), atoms[0], float(met[1].split(":")[1])))
    return Points(members, points, False)


def _spanned(
    rows: Sequence[tuple[Sequence[str], Sequence[int]]], wanted: str, name: str
) -> tuple[int, ...]:
    """Return the atoms between which a parameter of a Z-matrix lies.

    Args:
        rows: of each atom the three entries, and the three atoms they refer to, from 0.
        wanted: how the entry reads.
        name: what the parameter is called.

    Raises:
        RefusedError: it stands there never, or more than once.
    """
    found = [
        (atom, *refers[: column + 1])
        for atom, (entries, refers) in enumerate(rows)
        for column, entry in enumerate(entries)
        if entry == wanted
    ]
    if len(found) != 1:
        raise RefusedError(
            f"it is a scan of {name}, which is not one distance, angle or dihedral angle: it "
            f"stands {count(len(found), 'time')} in the coordinates"
        )
    return found[0]


# --- Gaussian ---------------------------------------------------------------------------------

_ORIENTATION = re.compile(
    r"^ +(?:Standard|Input|Z-Matrix) orientation: *\n(?:.*\n){4}"
    rf"((?: +\d+ +\d+ +-?\d+(?: +{NUMBER}){{3}} *\n)+)",
    re.MULTILINE,
)
_SCF = re.compile(rf"^ SCF Done: +E\(.*?\) = +({NUMBER}) ", re.MULTILINE)
_STATIONARY = re.compile(r"^ +-- Stationary point found\.", re.MULTILINE)
_PARAMETER = re.compile(rf"^ ! (\S+) +[RAD]\(([\d,]+)\) +{NUMBER} +Scan +!", re.MULTILINE)
_HOW_MANY = re.compile(r"Number of optimizations in scan= *(\d+)")
_OPTIMISED = re.compile(
    r"^ Summary of Optimized Potential Surface Scan(?: \(add +(-?\d+\.\d+) to energies\))?: *\n",
    re.MULTILINE,
)
_EIGENVALUES = re.compile(r"^ +Eigenvalues -- +(.*)$", re.MULTILINE)
_WIDTH = 10
"""Letters of a column of Gaussian's summaries, which may touch one another."""

_RIGID = re.compile(
    r"^ Summary of the potential surface scan: *\n +N +(\S+(?: +\S+)*) *\n -.*\n((?: +\d.*\n)+)",
    re.MULTILINE,
)
_SYMBOLIC = re.compile(r"^ Symbolic Z-matrix: *\n(?: Charge.*\n)((?: [A-Z].*\n)+)", re.MULTILINE)


def _of_gaussian(text: str, beside: Beside | None) -> Points:
    """Return a scan of Gaussian, relaxed or not."""
    del beside
    if _HOW_MANY.search(text) is None:
        return _rigid_of_gaussian(text)
    driven = {met[2]: met[1] for met in _PARAMETER.finditer(text)}
    if len(driven) != 1:
        raise RefusedError("it is a scan of several coordinates, or names none: read is one")
    (places, name), *_ = driven.items()
    said = re.compile(rf"^ ! {re.escape(name)} +[RAD]\({places}\) +({NUMBER}) ", re.MULTILINE)
    points: list[Point] = []
    before = 0
    for met in _STATIONARY.finditer(text):
        atoms = _ORIENTATION.findall(text, before, met.start())
        energies = _SCF.findall(text, before, met.start())
        value = said.search(text, met.end())
        if not atoms or not energies or value is None:
            raise RefusedError(
                f"it is a scan, and its point {len(points) + 1} has no geometry, energy or value"
            )
        points.append(_gaussian_point(float(energies[-1]), atoms[-1], float(value[1])))
        before = met.end()
    wanted = int(_HOW_MANY.findall(text)[-1])
    if len(points) != wanted:
        raise RefusedError(f"it is a scan, and {len(points)} of {wanted} points were optimised")
    summary = _OPTIMISED.search(text)
    table: list[float] = []
    for row in _EIGENVALUES.findall(text, summary.end()) if summary else []:
        line = row.rstrip()
        cells = [line[max(0, at - _WIDTH) : at] for at in range(len(line), 0, -_WIDTH)][::-1]
        table += [float(one) + float((summary and summary[1]) or 0.0) for one in cells]
    _compare(points, table)
    return Points(tuple(int(one) - 1 for one in places.split(",")), points, True)


def _compare(points: Sequence[Point], table: Sequence[float]) -> None:
    """Compare energies with those of a summary, which has five decimals.

    Raises:
        RefusedError: they differ.
    """
    ours = [one.energy for one in points]
    if len(table) != len(ours) or not np.allclose(table, ours, rtol=0, atol=6e-6):
        raise RefusedError("it is a scan, and the summary at its end has other energies")


def _gaussian_point(energy: float, rows: str, value: float) -> Point:
    cells = [line.split() for line in rows.splitlines()]
    return _point(energy, [(row[1], row[3:6]) for row in cells], value)


def _rigid_of_gaussian(text: str) -> Points:
    summary = _RIGID.search(text)
    symbolic = _SYMBOLIC.search(text)
    if summary is None or symbolic is None:
        raise RefusedError("it is a scan, and has no summary of it, or no Z-matrix")
    names = summary[1].split()
    rows = np.array([line.split() for line in summary[2].splitlines()], float)
    if len(names) != 2 or names[1] != "SCF" or rows.shape[1] != 3:
        raise RefusedError("it is a scan of several coordinates, or of other energies than SCF")
    members = _spanned([_entries(line) for line in symbolic[1].splitlines()], names[0], names[0])
    energies = [*_SCF.finditer(text)]
    if len(energies) != len(rows):
        raise RefusedError(
            f"it is a scan of {len(rows)} points, and {len(energies)} energies stand in it"
        )
    points: list[Point] = []
    before = 0
    for met, value in zip(energies, rows[:, 1], strict=True):
        atoms = _ORIENTATION.findall(text, before, met.start())
        if not atoms:
            raise RefusedError(f"it is a scan, and its point {len(points) + 1} has no geometry")
        points.append(_gaussian_point(float(met[1]), atoms[-1], float(value)))
        before = met.end()
    _compare(points, rows[:, 2].tolist())
    return Points(members, points, False)


def _entries(line: str) -> tuple[list[str], list[int]]:
    """Return the entries of a row of a symbolic Z-matrix, and the atoms they refer to."""
    cells = line.split()[1:7]
    refers = [int(one) - 1 for one in cells[0::2] if one.isdigit()]
    return cells[1::2], refers


READERS: dict[str, Callable[[str, Beside | None], Points]] = {
    "Gaussian": _of_gaussian,
    "ORCA": _of_orca,
    "xtb": _of_xtb,
}
