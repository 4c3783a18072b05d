"""What an output says besides energies: charges, orbitals, dipole, vibrations, heats, excitations.

Each number is looked up among the digits of the file, as those of `parsing` are.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

import numpy as np

from ontologies.factors import HARTREE

from .digits import Numbers
from .heats import printed_heat
from .programs import OutputProgram, strengths
from .values import OutputJob

ATMOSPHERE = 101325.0
"""Pa."""

REST = 0.05
"""1/cm. Wavenumbers that are translation and rotation, where these were projected out."""

STRAIGHT = 1e-3
"""Ratio of the second singular value of positions to the first, of a straight molecule."""


def read_besides(job: OutputJob, data: Any, text: str, program: OutputProgram) -> None:
    """Read charges, orbitals, dipole, vibrations, thermochemistry and excitations."""
    if job.failed:
        return
    numbers = Numbers(text)
    charges = getattr(data, "atomcharges", {}).get("mulliken")
    if charges is not None and len(charges) == len(job.numbers) and np.isfinite(charges).all():
        job.fields["mulliken_charges"] = np.asarray(charges, float).tolist()
    _orbitals(job, data, numbers)
    _dipole(job, text, program)
    _vibrations(job, data)
    _heat(job, data, numbers, printed_heat(text, program.name))
    _excitations(job, data, numbers)
    own = strengths(text, program)
    if own is not None and "oscillator_strengths" in job.excitations:
        del job.excitations["oscillator_strengths"]
        if len(own) == len(job.excitations["excitation_energies"]):
            job.excitations["oscillator_strengths"] = own


def as_cclib(value: float, unit: str, other: str) -> float:
    """Return a number in another unit by the constants with which cclib has changed it."""
    from cclib.parser.utils import convertor

    return convertor(value, unit, other)


def _orbitals(job: OutputJob, data: Any, numbers: Numbers) -> None:
    homos, energies = getattr(data, "homos", None), getattr(data, "moenergies", None)
    if homos is None or energies is None:
        return
    if len(homos) != len(energies):  # of xtb they are all occupied ones
        homos = [max(homos)] if len(energies) == 1 else []
    occupied = [one[h] for one, h in zip(energies, homos, strict=False) if 0 <= h < len(one)]
    empty = [one[h + 1] for one, h in zip(energies, homos, strict=False) if h + 1 < len(one)]
    for name, value in (("homo", max(occupied, default=None)), ("lumo", min(empty, default=None))):
        if value is None:
            continue
        if met := numbers.find(as_cclib(float(value), "eV", "hartree"), 3):
            job.fields[name] = met.value
        elif met := numbers.find(float(value), 3):  # it stands there in eV
            job.fields[name] = met.value / HARTREE["eV"]


def _dipole(job: OutputJob, text: str, program: OutputProgram) -> None:
    """Read the length of the dipole moment of the last geometry.

    That of an ion depends on the origin, which not all say; and beside a correlated energy it may
    be that of the reference.
    """
    if program.dipole is None or job.charge or job.level["frozen_core"]:
        return
    if found := program.dipole.findall(text):
        job.fields["dipole_moment"] = float(found[-1])


def _vibrations(job: OutputJob, data: Any) -> None:
    waves = np.asarray(getattr(data, "vibfreqs", []), float)
    light = np.asarray(getattr(data, "vibirs", []), float)
    if not waves.size:
        return
    atoms = len(job.numbers)
    expected = 3 * atoms - (5 if _straight(job.geometries[-1]) else 6)
    keep = np.arange(len(waves))
    if len(waves) == 3 * atoms > expected:
        rest = np.argsort(np.abs(waves), kind="stable")[: 3 * atoms - expected]
        if np.abs(waves[rest]).max() > REST:
            job.remarks.append(
                "its wavenumbers are not taken: translation and rotation stand among them, and "
                "cannot be told from vibrations"
            )
            return
        keep = np.setdiff1d(keep, rest)
    elif len(waves) != expected:
        job.remarks.append(f"{len(waves)} wavenumbers stand in it, of {expected} vibrations")
    found = waves[keep]
    job.vibrations = {"wavenumbers": found.tolist(), "imaginary": int((found < 0).sum())}
    if len(light) == len(waves):
        job.vibrations["infrared"] = light[keep].tolist()


def _straight(positions: list[list[float]]) -> bool:
    centred = np.asarray(positions) - np.mean(positions, axis=0)
    values = np.linalg.svd(centred, compute_uv=False)
    return len(positions) < 3 or bool(values[1] < STRAIGHT * values[0])


def _heat(job: OutputJob, data: Any, numbers: Numbers, printed: dict[str, float | int]) -> None:
    """Read thermochemistry; cclib gives some programs' in eV and others' in hartree."""
    found = dict[str, Any]()
    names = {"zpve": "zero_point_energy", "enthalpy": "enthalpy", "freeenergy": "gibbs_energy"}
    for name, ours in names.items():
        value = getattr(data, name, None)
        if value is None:
            continue
        if met := numbers.first_of((float(value), as_cclib(float(value), "eV", "hartree"))):
            found[ours] = met.value
        else:
            job.remarks.append(f"{ours} is not taken: what cclib reads does not stand in the file")
    if not (found or printed) or not job.vibrations:
        return
    for name, ours, factor in (
        ("temperature", "temperature", 1.0),
        ("pressure", "pressure", ATMOSPHERE),
    ):
        value = getattr(data, name, None)
        if value is not None and np.isfinite(float(value)):
            found[ours] = float(value) * factor
    job.thermochemistry = found | printed


def _excitations(job: OutputJob, data: Any, numbers: Numbers) -> None:
    waves = np.asarray(getattr(data, "etenergies", []), float)
    if not waves.size:
        return
    energies: list[float] = []
    for wave in waves.tolist():
        in_eh = numbers.find(as_cclib(wave, "wavenumber", "hartree"), 4)
        in_ev = numbers.find(as_cclib(wave, "wavenumber", "eV"), 3)
        in_cm = wave if in_eh is None and in_ev is None else None
        if in_cm is not None and numbers.find(wave, 1) is None:
            job.remarks.append(
                "its excitations are not taken: what cclib reads does not stand in the file"
            )
            return
        if in_eh is not None and (in_ev is None or in_eh.decimals > in_ev.decimals + 1):
            energies.append(in_eh.value * HARTREE["eV"])
        else:
            energies.append(in_ev.value if in_ev else as_cclib(wave, "wavenumber", "eV"))
    job.excitations = {"excitation_energies": energies}
    strengths = np.asarray(getattr(data, "etoscs", []), float)
    if strengths.shape == waves.shape and np.isfinite(strengths).all():
        job.excitations["oscillator_strengths"] = strengths.tolist()
