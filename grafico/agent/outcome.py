"""What a run came to, short enough for a model: scalars with their units, IRIs and one line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from grafico.inspection import shorten
from grafico.summary import geometry_label, rows
from ontologies.excitations import ExcitedStates
from ontologies.factors import EV_NM, HARTREE
from ontologies.quantum import ElectronicResult, EnergyResult, RelaxedGeometry
from ontologies.vibrations import VibrationalAnalysis
from ontologies.wavefunction import StabilityAnalysis

from .toolbox import Found

if TYPE_CHECKING:
    from grafico.result import Result

MOST_STATES = 10
"""Excited states that are told; all are stored."""

LONGEST = 300
"""Letters of a detail."""

TWICE = {
    "molecule", "note", "level of theory", "geometry", "energy", "  of it dispersion", "dipole",
    "  of it solvation", "HOMO, LUMO", "HOMO–LUMO gap", "⟨S²⟩", "zero-point energy", "enthalpy",
    "Gibbs energy", "optimisation", "excited states", "how", "device", "geometry IRI", "run", "",
}  # fmt: skip
"""Rows of the summary that are told elsewhere here."""


OF_ATOMS = ("Mulliken", "Löwdin", "IAO", "Hirshfeld", "spin density", "bond orders")
"""Rows in which equal values of several atoms are told once."""


def tidy(value: float, digits: int = 6) -> float:
    """Return a number with so many significant digits."""
    return float(f"{value:.{digits}g}") if math.isfinite(value) else value


def energy(value: float) -> float:
    """Return an energy in Eh to 1e-8: differences of a hundredth of a J/mol remain."""
    return round(float(value), 8)


def outcome(result: Result) -> Found:
    """Return what a model is told of a run."""
    found: Found = {
        "status": result.status,
        "reading": reading(result),
        "run": shorten(result.run),
        "geometry": shorten(result.atoms.iri),
    }
    if result.status != "finished":
        found["goal_unmet"] = {
            "found": result.message,
            "advice": "change the request, or go on from this run with resume",
        }
    found["results"] = {
        type(answer.result).__name__: shorten(answer.recorded) for answer in result.all_answers
    }
    found["values"] = scalars(result)
    details = {
        name.strip(): (grouped(text) if name in OF_ATOMS else text)[:LONGEST]
        for name, text in rows(result)
        if _is_detail(name)
    }
    notes = list(dict.fromkeys([*result.remarks, *result.notes]))
    more = {"details": details, "remarks": notes}
    return found | {name: value for name, value in more.items() if value}


def _is_detail(name: str) -> bool:
    return name not in TWICE and not name.startswith("  state")


def grouped(text: str) -> str:
    """Return names and values, as `C1 +0.1, H2 -0.1, H3 -0.1`, with each value once."""
    text, end, kind = text.partition(" (")
    found: dict[str, list[str]] = {}
    for part in text.split(", "):
        name, _, value = part.rpartition(" ")
        found.setdefault(value, []).append(name)
    return ", ".join(f"{' '.join(names)} {value}" for value, names in found.items()) + end + kind


def reading(result: Result) -> str:
    """Return one line for a person."""
    atoms = result.atoms
    spin = f"charge {atoms.charge:+d}, multiplicity {atoms.multiplicity}"
    parts = [f"{atoms.formula} ({spin}) at {result.level.label}"]
    if result.answers:
        parts.append(f"geometry {geometry_label(result)}")
    if result.answers and result.reused:
        parts.append("remembered")
    return "; ".join(parts)


def scalars(result: Result) -> Found:
    """Return the numbers that matter, units in their names."""
    if not result.answers:
        return {}
    last = result.last
    found: Found = {"energy_Eh": energy(last.energy)}
    if isinstance(last, ElectronicResult):
        found |= _wavefunction(last)
    for answer in {type(answer.result): answer for answer in result.answers}.values():
        found |= special(answer.result)
    if heat := result.thermochemistry:
        found |= {
            "zero_point_energy_Eh": energy(heat.zero_point_energy),
            "enthalpy_Eh": energy(heat.enthalpy),
            "gibbs_energy_Eh": energy(heat.gibbs_energy),
            "entropy_Eh/K": tidy(heat.entropy, 8),
            "temperature_K": tidy(heat.temperature),
            "pressure_Pa": tidy(heat.pressure),
        }
    return found


def _wavefunction(last: ElectronicResult) -> Found:
    found: Found = {}
    found["dipole_D"] = round(float((last.dipole**2).sum()) ** 0.5, 4)
    if last.homo is not None:
        found["homo_Eh"] = round(last.homo, 6)
    if last.lumo is not None:
        found["lumo_Eh"] = round(last.lumo, 6)
    if last.homo_lumo_gap is not None:
        found["gap_eV"] = round(last.homo_lumo_gap * HARTREE["eV"], 4)
    for name, value in (
        ("dispersion_Eh", last.dispersion_energy), ("solvation_Eh", last.solvation_energy)
    ):  # fmt: skip
        if value is not None:
            found[name] = energy(value)
    if last.spin_squared is not None:
        found["spin_squared"] = round(last.spin_squared, 4)
    return found


def special(result: EnergyResult) -> dict[str, Any]:
    """Return the numbers that only one kind of result has."""
    match result:
        case RelaxedGeometry():
            return {"optimisation_steps": result.steps}
        case VibrationalAnalysis():
            lowest = result.wavenumbers
            some = {"lowest_wavenumber_cm-1": round(float(lowest[0]), 1)} if len(lowest) else {}
            return {"imaginary_modes": result.imaginary, **some}
        case StabilityAnalysis():
            stable = result.internal and result.external is not False
            return {"stable": bool(stable), "lowering_Eh": energy(result.lowering or 0.0)}
        case ExcitedStates():
            pairs = list(zip(result.excitation_energies, result.oscillator_strengths, strict=True))
            states = [
                {"eV": round(float(e), 4), "nm": tidy(EV_NM / float(e), 5),
                 "f": round(float(f), 5)}
                for e, f in pairs[:MOST_STATES]
            ]  # fmt: skip
            more = {"states_in_all": len(pairs)} if len(pairs) > MOST_STATES else {}
            return {"states": states, **more}
        case _:
            return {}
