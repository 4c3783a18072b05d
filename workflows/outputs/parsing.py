"""One job of an output, as cclib reads it, believed as far as the text bears it out.

cclib hands energies on in eV, by a constant of its own, and some in hartree; it merges what stands
in one file, and takes a run that was cut off for one that has ended. So each number that it gives
is looked up among the digits of the file, and the file's own digits are what is kept.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import importlib
import io
import logging
import re
import warnings
from itertools import pairwise
from typing import Any

import numpy as np

from ontologies.outputs import NOT_SAID

from .besides import as_cclib, read_besides
from .digits import Numbers
from .programs import OutputProgram, basis_sets, failure, more
from .scans import driven_by, read_scan
from .values import Beside, OutputJob, RefusedError

PSI4_VERSION = (re.compile(r"Git: Rev \{\S*\} zzzzzzz"), "Git: Rev {master} 0000000")
"""Builds without git, such as Debian's, and what cclib can read in its place."""


PSI4_STEP = re.compile(r"^\*\*\* tstart\(\) called on ", re.MULTILINE)


def parsed(
    text: str, start: int, end: int, program: OutputProgram, beside: Beside | None = None
) -> list[OutputJob]:
    """Return what a stretch of an output says: one job, or several where it has to be split.

    Args:
        text: all of the output.
        start: of the stretch.
        end: of it.
        program: which wrote it.
        beside: the file that it names, if that lies beside it.
    """
    whole = _job(text, start, end, program, beside)
    if program.parts is None or "several" not in whole.refused:
        return [whole]
    inner = [met.start() for met in program.parts.finditer(text, start, end)]
    if len(inner) < 2:
        return [whole]
    pairs = zip([start, *inner[1:]], [*inner[1:], end], strict=True)
    return [_job(text, one, other, program) for one, other in pairs]


def _job(
    text: str, start: int, end: int, program: OutputProgram, beside: Beside | None = None
) -> OutputJob:
    first = text.count("\n", 0, start) + 1
    own = text[start:end]
    job = OutputJob(1, first, first + own.rstrip().count("\n"))
    is_last = not text[end:].strip()
    if start and program.placed is not None and not program.placed.search(own):
        job.level = {"program_version": NOT_SAID}
        job.refused = (
            f"it has no geometry: {program.name} prints none for a job behind another, and none is "
            "guessed; run as an input of its own it does"
        )
        return job
    try:
        data, cut = _parse(_with_head(text, start, own, program), program)
    except MemoryError:
        raise
    except Exception as error:  # a parser that somebody else's file has led astray
        unsaid = {"program": program.name, "method": NOT_SAID}
        job.level = {**unsaid, "program_version": NOT_SAID}
        job.failed = failure(own, program, first)
        if not job.failed:
            job.refused = f"its parser failed: {type(error).__name__}: {error}"[:300]
        return job
    said: dict[str, Any] = data.metadata
    job.level = _level(said, own, program)
    job.failed = failure(own, program, first)
    finished = said.get("success") is True or not is_last
    empty = not any(hasattr(data, name) for name in ("atomcoords", "atomnos", "scfenergies"))
    if not job.failed and empty:
        job.refused = f"it has the banner of {program.name}, and neither atoms nor energies"
        return job
    if not job.failed and (cut or not finished):
        job.failed = (
            f"it was cut off: line {job.last_line} is its last, and {program.name} had not ended"
        )
    try:
        _structure(job, data, program)
        if not job.failed:
            _alone(job, own, program)
            if _is_scan(data, own, program):
                _scan(job, data, own, program, beside)
            else:
                _energies(job, data, own, program)
                _held(job, text, own, program)
                read_besides(job, data, own, program)
    except RefusedError as error:
        job.refused = "" if job.failed else str(error)
    return job


def _with_head(text: str, start: int, own: str, program: OutputProgram) -> str:
    """Return the text of a job as cclib can read it.

    That is behind the head of a Psi4 output, and with what went to standard error at its end.
    """
    if program.asides is not None:
        asides = program.asides.findall(own)
        own = program.asides.sub("", own) + "".join(asides)
    for pattern, other in program.mended:
        own = pattern.sub(other, own)
    if program.name != "Psi4":
        return own
    head = _head(text) if start else ""
    return PSI4_VERSION[0].sub(PSI4_VERSION[1], head + own)


def _head(text: str) -> str:
    """Return what stands before the first step of a Psi4 output: its version and its input."""
    step = PSI4_STEP.search(text)
    return text[: step.start()] if step else ""


def _parse(text: str, program: OutputProgram) -> tuple[Any, bool]:
    """Return what cclib reads, and whether the text ended in the middle of something."""
    module, _, name = program.parser.partition(":")
    parser: Any = getattr(importlib.import_module(module), name)
    job = parser(io.StringIO(text), loglevel=logging.ERROR)
    met: list[str] = []

    class Note(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            met.append(record.getMessage())

    job.logger.handlers[:] = [Note()]
    job.logger.propagate = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = job.parse()
    return data, any("end of logfile" in one for one in met)


def _level(said: dict[str, Any], text: str, program: OutputProgram) -> dict[str, str]:
    """Return the level as far as it is said."""
    methods = said.get("methods") or [NOT_SAID]
    solvent = said.get("solvent_model", "") and " ".join(
        filter(None, map(str, (said["solvent_model"], said.get("solvent_name", ""))))
    )
    correlated = any(str(one).upper().startswith(POST) for one in methods)
    method = methods[-1] if correlated else said.get("functional") or methods[-1]
    found = {
        "method": str(method),
        "program": program.name,
        "program_version": _version(said),
        "basis": str(said.get("basis_set") or program.basis),
        "solvent": str(solvent or NOT_SAID),
        "frozen_core": NOT_SAID if correlated else "",
    }
    beyond = more(text, program)
    if found["method"] != NOT_SAID:
        beyond.pop("method", None)
    found["method"] += beyond.pop("electrons", "")
    return {name: text[:100] for name, text in (found | beyond).items()}


POST = ("MP", "DF-MP", "CC", "DF-CC", "CI", "QCI", "EOM", "DLPNO", "RI-MP", "LCCD", "OMP", "BCC")


def _version(said: dict[str, Any]) -> str:
    return str(said.get("legacy_package_version") or said.get("package_version") or NOT_SAID)


# --- the structure ----------------------------------------------------------------------------


def _structure(job: OutputJob, data: Any, program: OutputProgram) -> None:
    """Read atoms, charge and multiplicity.

    Raises:
        RefusedError: they are missing, or contradict each other.
    """
    geometries = np.asarray(getattr(data, "atomcoords", []), float)
    numbers = np.asarray(getattr(data, "atomnos", []), int)
    if geometries.ndim != 3 or not geometries.size or not numbers.size:
        raise RefusedError(
            f"it has no geometry: {program.name} did not print one, and none is guessed; "
            "an optimisation prints it"
        )
    if geometries.shape[1] != len(numbers) or not np.isfinite(geometries).all():
        raise RefusedError(f"{len(numbers)} atoms have positions of {geometries.shape[1]}")
    job.numbers, job.geometries = numbers.tolist(), geometries.tolist()
    charge, multiplicity = getattr(data, "charge", None), getattr(data, "mult", None)
    homos = getattr(data, "homos", ())
    if multiplicity is None and len(homos) == 2 and not program.valence:
        multiplicity = int(homos[0]) - int(homos[1]) + 1  # the electrons are compared below
    if charge is None:
        raise RefusedError("it does not say its charge")
    if multiplicity is None and not program.valence:
        raise RefusedError("it does not say its multiplicity")
    if multiplicity is None:
        job.remarks.append("the file says no multiplicity: the lowest that is possible was taken")
    job.charge = int(charge)
    job.multiplicity = None if multiplicity is None else int(multiplicity)
    _check_electrons(job, data, program)


def _check_electrons(job: OutputJob, data: Any, program: OutputProgram) -> None:
    """Compare occupied orbitals with charge and multiplicity, where a file has both."""
    homos = getattr(data, "homos", None)
    if homos is None or program.valence or job.multiplicity is None:
        return
    core = int(np.sum(getattr(data, "coreelectrons", 0)))
    alpha, beta = int(homos[0]) + 1, int(homos[-1]) + 1
    electrons = sum(job.numbers) - job.charge - core
    if len(homos) == 1 and job.multiplicity > 1:
        return  # of restricted open shells some list the alpha orbitals alone
    if alpha + beta != electrons or alpha - beta != job.multiplicity - 1:
        raise RefusedError(
            f"charge {job.charge:+d} and multiplicity {job.multiplicity} mean {electrons} "
            f"electrons, and its orbitals hold {alpha} of alpha and {beta} of beta spin"
        )


# --- what is around, held or driven -----------------------------------------------------------


def _line(job: OutputJob, text: str, at: int) -> int:
    return job.first_line + text.count("\n", 0, at)


def _alone(job: OutputJob, text: str, program: OutputProgram) -> None:
    """Check that a molecule is by itself.

    Raises:
        RefusedError: it is not.
    """
    if program.biased is not None and (met := program.biased.search(text)):
        raise RefusedError(
            "its energies are not those of the molecule alone, and are not read: there is a field, "
            f"or there are charges around it (line {_line(job, text, met.start())})"
        )


def _is_scan(data: Any, text: str, program: OutputProgram) -> bool:
    named = getattr(data, "scanenergies", None) is not None or bool(getattr(data, "scanparm", None))
    return named or (program.driven is not None and program.driven.search(text) is not None)


def _scan(
    job: OutputJob, data: Any, text: str, program: OutputProgram, beside: Beside | None
) -> None:
    """Read a scan.

    Raises:
        RefusedError: it is one that is not read.
    """
    correlated = any(hasattr(data, name) for name in ("mpenergies", "ccenergies"))
    if correlated and program.name == "Gaussian":
        raise RefusedError("it is a scan with correlated energies, which are not read yet")
    read_scan(job, text, program, beside)
    if program.name != "xtb" and program.held is not None and (met := program.held.search(text)):
        line = _line(job, text, met.start())
        job.remarks.append(f"atoms or coordinates were held besides (line {line})")
    elif program.valence and (where := _fixed(job, text)):
        job.remarks.append(f"atoms were held besides ({where})")


def _held(job: OutputJob, text: str, own: str, program: OutputProgram) -> None:
    """Check that nothing was held.

    Raises:
        RefusedError: something was, so that what was relaxed is no minimum.
    """
    if program.held is None:
        return
    where = ""
    if met := program.held.search(own):
        where = f"line {_line(job, own, met.start())}"
    elif job.relaxed and program.name == "Psi4" and (met := program.held.search(_head(text))):
        where = f"line {text.count(chr(10), 0, met.start()) + 1}"
    elif program.valence:
        where = _fixed(job, own)
    if where:
        job.driven = driven_by(own, program)
        raise RefusedError(
            "atoms or coordinates were held in their places by constraints: what is relaxed so is "
            f"no minimum, and is not read ({where})"
        )


def _fixed(job: OutputJob, text: str) -> str:
    """Return where it is seen that xtb fixed atoms, of which it prints nothing; empty if it is not.

    Only an optimiser that prints how many coordinates it moves lets it be seen.
    """
    free = 3 * len(job.numbers) - 6
    met = _DEGREES.search(text)
    if met is not None and len(job.numbers) > 2 and int(met[1]) not in (free, free + 1):
        return f"line {_line(job, text, met.start())}: {met[1]} of {free} coordinates were free"
    called = _INPUT.search(text)
    if met is None and called is not None and job.relaxed:
        line = _line(job, text, called.start())
        return f"line {line}: an input file, which may fix atoms, of which xtb prints nothing"
    return ""


_DEGREES = re.compile(r"^ +: +degrees of freedom +(\d+)", re.MULTILINE)
_INPUT = re.compile(r"^ +program call +:.* (?:--input|-I)\b", re.MULTILINE)


# --- energies ---------------------------------------------------------------------------------


def _energies(job: OutputJob, data: Any, text: str, program: OutputProgram) -> None:
    """Read the energies and which geometry is whose.

    Raises:
        RefusedError: they do not stand in the file, or nothing says which is whose.
    """
    wanted = _totals(job, data)
    if not wanted:
        raise RefusedError("it has no energy")
    if len(sets := basis_sets(text, program)) > 1:
        raise RefusedError(f"several jobs stand in it, with {', '.join(sorted(sets))}")
    numbers = Numbers(text)
    for energy in wanted:
        met = numbers.find(energy)
        if met is None:
            raise RefusedError(
                f"cclib reads {energy:.8f} Eh in it, and that number does not stand there"
            )
        job.energies.append(met.value)
        job.energy_line = job.first_line + numbers.line(met.at)
    done = getattr(data, "optdone", None)
    moved = len(_distinct(job.geometries)) > 1
    job.relaxed = done is not None or moved or (len(job.energies) > 1 and program.valence)
    if len(job.geometries) > len(job.energies):  # the first and the last may be printed twice
        apart = [b for a, b in pairwise([[], *job.geometries]) if a != b]
        job.geometries = apart if len(apart) == len(job.energies) else job.geometries
    job.paired = len(job.geometries) == len(job.energies)
    if not job.relaxed:
        if len(set(job.energies)) > 1:
            count = len(set(job.energies))
            raise RefusedError(f"several jobs stand in it: {count} energies, and one geometry")
        job.energies, job.geometries = job.energies[-1:], job.geometries[-1:]
        return
    if done is not None and not np.any(done):
        job.failed = "the optimisation did not converge, or it was cut off"
        return
    if done is None and moved:
        raise RefusedError(
            f"several geometries ({len(job.geometries)}) stand in it, and it is no optimisation"
        )
    if not job.paired and len(job.geometries) > 1:
        energies, geometries = len(job.energies), len(job.geometries)
        raise RefusedError(
            f"{energies} energies stand beside {geometries} geometries: which is whose is not said"
        )


def _distinct(geometries: list[list[list[float]]]) -> set[bytes]:
    return {np.round(one, 5).tobytes() for one in geometries}


def _totals(job: OutputJob, data: Any) -> list[float]:
    """Return the energies of the steps in Eh, of the highest method that has them."""
    method = job.level["method"].upper()
    scf = np.asarray(getattr(data, "scfenergies", []), float)
    mp, cc = getattr(data, "mpenergies", None), getattr(data, "ccenergies", None)
    if cc is not None and "CC" in method:
        chosen = np.asarray(cc, float)
    elif mp is not None and "MP" in method:
        chosen = np.asarray(mp, float)[:, -1]
    elif method.startswith(POST) or mp is not None or cc is not None:
        raise RefusedError(f"which of its energies is that of {job.level['method']} is not said")
    else:
        chosen = scf
    if not np.isfinite(chosen).all():
        raise RefusedError("an energy in it is no number")
    return [as_cclib(one, "eV", "hartree") for one in chosen.ravel().tolist()]
