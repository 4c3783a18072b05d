"""Thermochemistry that stands in an output, and that its parser does not read."""

from __future__ import annotations

import re

_NUMBER = r"(-?\d+\.\d+)"
_PSI4 = {
    "temperature": re.compile(rf"^ +Total G, Free enthalpy at +{_NUMBER} \[K\]", re.MULTILINE),
    "pressure": re.compile(rf"P = {_NUMBER} \[Pa\]"),
    "enthalpy": re.compile(rf"^ +Total H, Enthalpy at .*\[K\] +{_NUMBER} \[Eh\]", re.MULTILINE),
    "entropy": re.compile(rf"^ +Total S .* {_NUMBER} \[mEh/K\]", re.MULTILINE),
    "gibbs_energy": re.compile(
        rf"^ +Total G, Free enthalpy at .*\[K\] +{_NUMBER} \[Eh\]", re.MULTILINE
    ),
    "symmetry_number": re.compile(r"\(symmetry no\. = (\d+)\)"),
}
"""What Psi4 prints of each field of `ImportedThermochemistry`."""


def printed_heat(text: str, program: str) -> dict[str, float | int]:
    """Return fields of `ImportedThermochemistry` as the text of a job has them last.

    Args:
        text: of the job.
        program: which wrote it; of those whose parser reads it all there is nothing.
    """
    found: dict[str, float | int] = {}
    if program != "Psi4":
        return found
    for name, pattern in _PSI4.items():
        if met := pattern.findall(text):
            found[name] = float(met[-1])
    if "entropy" in found:
        found["entropy"] /= 1000
    if "symmetry_number" in found:
        found["symmetry_number"] = int(found["symmetry_number"])
    return found
