"""Powder patterns: computed from a crystal, and compared with a measured one."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import PowderComparison, PowderPattern
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.engine import Backend, calculation

POWDER = Backend(
    name="pymatgen",
    epoch="1",
    preload=("pymatgen.analysis.diffraction.xrd",),
    packages=("pymatgen", "numpy"),
)

MOST_POINTS = 200_000


@calculation("mof.powder", version="1", backend=POWDER, title="powder pattern")
def powder(atoms: ConceptualAtoms, radiation: str = "CuKa", until: float = 50.0) -> PowderPattern:
    """Compute the reflections of a powder.

    Args:
        atoms: the crystal.
        radiation: by the name that pymatgen has for it.
        until: the largest 2θ in degrees.
    """
    from pymatgen.analysis.diffraction.xrd import WAVELENGTHS, XRDCalculator

    found = XRDCalculator(wavelength=radiation, symprec=0).get_pattern(
        cast(Any, atoms.to_pymatgen()), two_theta_range=(2.0, until)
    )
    return PowderPattern(
        atoms=atoms,
        xray_wavelength=float(WAVELENGTHS[radiation]),
        diffraction_angles=np.array(found.x, float),
        relative_intensities=np.array(found.y, float),
        miller_indices=tuple(" ".join(str(n) for n in one[0]["hkl"]) for one in found.hkls),
    )


@calculation(
    "mof.compare_powder",
    version="1",
    backend=POWDER,
    brief=True,
    title="comparison of powder patterns",
)
def compare_powder(pattern: PowderPattern, measured: str, width: float = 0.2) -> PowderComparison:
    """Compare a computed pattern with a measured one.

    Args:
        pattern: the computed one.
        measured: text of two columns: 2θ in degrees, and intensity.
        width: full width at half maximum that reflections are given, in degrees.

    Raises:
        InputError: that is no such text.
    """
    angles, intensities = measured_points(measured)
    curve = broadened(pattern, angles, width)
    one, other = curve - curve.mean(), intensities - intensities.mean()
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return PowderComparison(
        pattern=pattern,
        measured_angles=angles,
        measured_intensities=intensities / intensities.max() * 100,
        peak_width=width,
        pattern_likeness=float(one @ other) / size if size > 0 else 0.0,
    )


def broadened(pattern: PowderPattern, angles: Floats, width: float) -> Floats:
    """Return the curve of a pattern whose reflections have the shape of a bell."""
    sigma = width / (2 * math.sqrt(2 * math.log(2)))
    curve = np.zeros(len(angles))
    for place, height in zip(pattern.diffraction_angles, pattern.relative_intensities, strict=True):
        curve += height * np.exp(-((angles - place) ** 2) / (2 * sigma**2))
    return curve


def measured_points(text: str) -> tuple[Floats, Floats]:
    """Return 2θ and intensities of a measured pattern.

    Raises:
        InputError: it is no text of two columns of numbers.
    """
    rows: list[tuple[float, float]] = []
    for line in text.splitlines():
        words = line.replace(",", " ").replace(";", " ").split()
        try:
            rows.append((float(words[0]), float(words[1])))
        except (ValueError, IndexError):
            continue  # headings and remarks
    values = np.array(rows[: MOST_POINTS + 1]).reshape(-1, 2)
    good = len(values) >= 10 and np.isfinite(values).all() and values[:, 1].max() > 0
    if not good or len(values) > MOST_POINTS or not (np.diff(values[:, 0]) > 0).all():
        raise InputError(
            "a measured powder pattern was given",
            f"it has {len(values)} lines of two numbers with angles that grow; 10 to "
            f"{MOST_POINTS:,} are needed, with some intensity",
            "give two columns: 2θ in degrees, and intensity",
        )
    return values[:, 0].copy(), values[:, 1].copy()
