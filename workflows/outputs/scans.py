"""Scans in outputs: the points of one coordinate, each with its geometry and its energy.

A geometry is taken for that of an energy only where the program prints the two as one step, and
where the coordinate, measured at that geometry, has the value which is printed for the step.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ontologies.factors import BOHR
from workflows.geometry.constraints import LOOSE, measured
from workflows.text.words import count

from .digits import Numbers
from .programs import OutputProgram
from .scan_formats import KIND, NUMBER, READERS, Point, Points
from .values import Beside, Driven, OutputJob, RefusedError

LEAST = {"distance": 1e-3, "angle": 0.1, "dihedral": 0.1}
"""Å and degrees. What moves less in a whole scan was not driven."""


def read_scan(job: OutputJob, text: str, program: OutputProgram, beside: Beside | None) -> None:
    """Read the points of a job that is a scan.

    Args:
        job: whose atoms are known; its energies, geometries and `scan` are set.
        text: of the job.
        program: which wrote it.
        beside: the file that it names for them, if there is one.

    Raises:
        RefusedError: it is a scan that is not read, or what it says does not fit together.
    """
    reader = READERS.get(program.name)
    if reader is None:
        raise RefusedError(f"it is a scan, and those of {program.name} are not read yet")
    found = reader(text, beside)
    source = text if found.beside is None else found.beside.text
    numbers = Numbers(source)
    for point in found.points:
        if numbers.find(point.energy) is None:
            raise RefusedError(f"it is a scan, and {point.energy} Eh does not stand in it")
    fill(job, found)
    lowest = found.points[job.place].energy
    met = numbers.find(lowest)
    at = found.places[job.place] if found.places else met.at if met is not None else 0
    job.energy_line = job.first_line + text.count("\n", 0, at)


def fill(job: OutputJob, found: Points) -> None:
    """Check the points of a scan against each other and write them into a job.

    Raises:
        RefusedError: they do not fit together.
    """
    values = _checked(job, found)
    job.energies = [one.energy for one in found.points]
    job.geometries = [one.positions for one in found.points]
    job.place = int(np.argmin(job.energies))
    kind = KIND[len(found.members)]
    job.scan = {
        "coordinate": kind,
        "members": [*found.members],
        "distances" if kind == "distance" else "angles": values,
        "relaxed": found.relaxed,
    }
    job.beside = found.beside
    job.remarks += found.remarks


def _checked(job: OutputJob, found: Points) -> list[float]:
    """Return the values of the coordinate; those that are printed are compared with geometries.

    Raises:
        RefusedError: atoms or values contradict each other.
    """
    if len(found.points) < 2:
        raise RefusedError(f"it is a scan, and {count(len(found.points), 'point')} stands in it")
    if any(list(one.numbers) != job.numbers for one in found.points):
        raise RefusedError("it is a scan, and its points are of other atoms than it begins with")
    if len({*found.members}) != len(found.members) or max(found.members) >= len(job.numbers):
        raise RefusedError("it is a scan of a coordinate between atoms that are not there")
    kind = KIND[len(found.members)]
    at = [measured(np.array(one.positions), found.members) for one in found.points]
    seen = np.unwrap(at, period=360.0) if kind == "dihedral" else np.array(at)
    if np.ptp(seen) < LEAST[kind]:
        raise RefusedError(f"it is a scan, and the {kind} is the same at all of its points")
    said = [one.value for one in found.points]
    values = [one for one in said if one is not None]
    if len(values) < len(said):
        if len({*np.sign(np.diff(seen)).tolist()}) > 1:
            job.remarks.append("the values of the coordinate do not go one way: look at the points")
        return [round(float(one), 6) for one in seen]
    steps = np.abs(np.diff(values))
    near = min(LOOSE[kind], float(steps.min()) / 2)
    for number, (value, one) in enumerate(zip(values, at, strict=True), 1):
        off = abs(value - one) if kind != "dihedral" else abs((value - one + 180) % 360 - 180)
        if off > near:
            unit = "Å" if kind == "distance" else "°"
            raise RefusedError(
                f"it is a scan, and at point {number} its {kind} is said to be {value:g} {unit}, "
                f"but is {one:.4f} {unit} in the geometry there: which is whose is not clear"
            )
    return values


def joined(jobs: Sequence[OutputJob]) -> list[OutputJob]:
    """Return jobs of a file, those in a row that hold one coordinate at other values as a scan."""
    found: list[OutputJob] = []
    row: list[OutputJob] = []
    for job in jobs:
        if row and not _alike(row[-1], job):
            found += _one(row)
            row = []
        row.append(job)
    return found + (_one(row) if row else [])


def _alike(one: OutputJob, other: OutputJob) -> bool:
    if one.driven is None or other.driven is None or one.failed or other.failed:
        return False
    level = {**other.level, "program_version": one.level["program_version"]}
    return (
        one.driven.members == other.driven.members
        and (one.numbers, one.charge, one.multiplicity)
        == (other.numbers, other.charge, other.multiplicity)
        and one.level == level
    )


def _one(row: list[OutputJob]) -> list[OutputJob]:
    """Return the scan that jobs make; they themselves where they make none."""
    first = row[0]
    if len(row) == 1 or first.driven is None:
        return row
    scan = OutputJob(
        1,
        first.first_line,
        row[-1].last_line,
        first.level,
        first.charge,
        first.multiplicity,
        first.numbers,
        remarks=[*dict.fromkeys(text for one in row for text in one.remarks)],
    )
    points = [
        Point(
            one.energies[-1],
            tuple(one.numbers),
            one.geometries[-1],
            one.driven and one.driven.value,
        )
        for one in row
    ]
    try:
        fill(scan, Points(first.driven.members, points, relaxed=True))
    except RefusedError as error:
        scan.refused = str(error)
    else:
        # what is printed is the wish in other units and fewer digits
        seen = [measured(np.array(one.positions), first.driven.members) for one in points]
        turned = np.unwrap(seen, period=360.0) if len(first.driven.members) == 4 else seen
        name = "distances" if len(first.driven.members) == 2 else "angles"
        scan.scan[name] = [round(float(one), 6) for one in turned]
        scan.energy_line = row[scan.place].energy_line
    return [scan]


# --- Psi4 -------------------------------------------------------------------------------------

_PSI4_HELD = re.compile(
    r"^\t(Fixed|Frozen) (distance|bend|dihedral) atom list: *\n((?:[ \t]+\d[ \d]*\n)+)",
    re.MULTILINE,
)
_PSI4_VALUE = re.compile(rf"Fixed value += +({NUMBER})")


def driven_by(text: str, program: OutputProgram) -> Driven | None:
    """Return the one coordinate that a job of Psi4 holds at a value; None for none or several."""
    if program.name != "Psi4" or "adjust frozen" in text:
        return None
    held = {(met[1], met[3]) for met in _PSI4_HELD.finditer(text)}
    values = _PSI4_VALUE.findall(text)
    if len(held) != 1 or not values:
        return None
    ((word, rows),) = held
    members = tuple(int(one) - 1 for one in rows.split())
    if word != "Fixed" or rows.count("\n") != 1 or len(members) not in KIND:
        return None
    value = float(values[-1])
    return Driven(members, value * BOHR if len(members) == 2 else float(np.degrees(value)))
