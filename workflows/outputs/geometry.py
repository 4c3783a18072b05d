"""The last geometry of an output, as a structure: what an optimisation has come to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from triplestore.errors import InputError
from workflows.text.words import count

from .parsing import parsed
from .programs import PROGRAMS, goes_with, jobs, recognised


def read_output(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the structure at the end of an output, also of a run that was cut off.

    Args:
        path: what it is called in messages.
        text: what stands in it.

    Raises:
        InputError: it is no output, or has no geometry.
    """
    asked = f"cannot read {path}"
    program = recognised(text)
    if program is None:
        names = ", ".join(one.name for one in PROGRAMS)
        found = goes_with(text) or f"it is no output of {names}, and no file of structures"
        raise InputError(asked, found, "give such an output, or a file of structures")
    text = text.replace("\r\n", "\n")
    starts = jobs(text, program)
    each = [
        one
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
        for one in parsed(text, start, end, program)
    ]
    job = next((one for one in reversed(each) if one.geometries), None)
    if job is None:
        why = next((one.refused or one.failed for one in reversed(each)), "")
        raise InputError(asked, why or "it has no geometry", "give an output that prints one")
    many = len(job.geometries)
    which = (
        f"the last of its {count(many, 'geometry', 'geometries')}" if many > 1 else "its geometry"
    )
    told = [f"{which} in this output of {program.name} is taken, its level is not"]
    told += filter(None, (job.failed, job.refused))
    values: dict[str, Any] = {"numbers": job.numbers, "positions": job.geometries[-1]}
    values |= {"charge": job.charge, "multiplicity": job.multiplicity}
    if values["multiplicity"] is None:
        del values["multiplicity"]
    return values | {"remark": "; ".join(told)}
