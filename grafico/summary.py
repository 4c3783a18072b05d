"""What a run came to, as rows of a name and a value for a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ontologies.excitations import ExcitedStates
from ontologies.factors import EV_NM, HARTREE
from ontologies.quantum import ElectronicResult, EnergyResult, RelaxedGeometry
from ontologies.vibrations import VibrationalAnalysis
from ontologies.wavefunction import StabilityAnalysis, WavefunctionAnalysis

from .tables import shorten
from .words import count

if TYPE_CHECKING:
    from ontologies.units import Floats

    from .result import Result

Row: TypeAlias = tuple[str, str]

MOST_STATES = 20
"""Excited states that are shown; all are stored."""

WEAK = 0.1
"""Bond orders below it are not shown."""


def rows(result: Result) -> list[Row]:
    """Return what to print of a result."""
    atoms = result.atoms
    found: list[Row] = [
        (
            "molecule",
            f"{atoms.formula}  charge {atoms.charge:+d}  multiplicity {atoms.multiplicity}",
        ),
        *(("note", remark) for remark in result.remarks),
        ("level of theory", result.level.label),
    ]
    if result.answers:
        found += _electronic(result)
        last = {type(answer.result): answer.result for answer in result.answers}
        for answer in result.answers:  # of each kind the last, but every look at stability
            one = answer.result
            if one is last[type(one)] or isinstance(one, StabilityAnalysis):
                found += _special(one, result)
        found += _means(result)
    return [*found, ("geometry IRI", shorten(atoms.iri)), ("run", shorten(result.run))]


def _electronic(result: Result) -> Iterator[Row]:
    last = result.last
    yield "geometry", geometry_label(result)
    yield "energy", f"{last.energy:.8f} Eh"
    if isinstance(last, ElectronicResult):
        yield from _wavefunction(last, result)
    for remark in result.notes:
        yield "note", remark


def _wavefunction(last: ElectronicResult, result: Result) -> Iterator[Row]:
    if last.dispersion_energy is not None:
        yield "  of it dispersion", f"{last.dispersion_energy:.8f} Eh"
    if last.solvation_energy is not None:
        yield "  of it solvation", f"{last.solvation_energy:.8f} Eh"
    yield "dipole", f"{float((last.dipole**2).sum()) ** 0.5:.4f} D"
    if last.homo is not None and last.lumo is not None:
        yield "HOMO, LUMO", f"{last.homo:.5f}, {last.lumo:.5f} Eh"
    if (gap := last.homo_lumo_gap) is not None:
        yield "HOMO–LUMO gap", f"{gap:.5f} Eh = {gap * HARTREE['eV']:.3f} eV"
    if last.spin_squared is not None:
        spin = (result.atoms.multiplicity - 1) / 2
        yield "⟨S²⟩", f"{last.spin_squared:.4f} (pure: {spin * (spin + 1):.4f})"
    if len(last.scf_path) > 1:
        yield "SCF", " → ".join(last.scf_path)


def _special(found: EnergyResult, result: Result) -> Iterator[Row]:
    """Return the rows of what only one kind of result has."""
    match found:
        case RelaxedGeometry():
            steps = count(found.steps, "step")
            yield "optimisation", f"{steps}, gradient {found.max_gradient:.1e} Eh/bohr"
            for name, bonds in (("bonds broken", found.broken), ("bonds formed", found.formed)):
                if bonds:
                    yield name, ", ".join(bonds)
        case VibrationalAnalysis():
            yield "wavenumbers", f"{_series(found.wavenumbers, '.1f')} cm⁻¹"
            if found.infrared is not None:
                yield "infrared", f"{_series(found.infrared, '.1f')} km/mol"
            yield from _heat(result)
        case StabilityAnalysis():
            stable = found.internal and found.external is not False
            below = f"unstable; one {found.lowering:.6f} Eh below it was found"
            yield "wavefunction", "stable" if stable else below
        case ExcitedStates():
            yield from _states(found)
        case WavefunctionAnalysis():
            yield from _analysis(found, result.thermochemistry is not None)
        case _:
            pass


def _heat(result: Result) -> Iterator[Row]:
    if heat := result.thermochemistry:
        yield "point group", f"{heat.point_group} (within {heat.symmetry_tolerance:g} Å)"
        yield "zero-point energy", f"{heat.zero_point_energy:.6f} Eh"
        conditions = f"at {heat.temperature:g} K and {heat.pressure:g} Pa"
        yield "enthalpy", f"{heat.enthalpy:.6f} Eh {conditions}"
        soft = "" if heat.treatment == "harmonic" else f", {heat.treatment}"
        yield "Gibbs energy", f"{heat.gibbs_energy:.6f} Eh {conditions}{soft}"


def _states(found: ExcitedStates) -> Iterator[Row]:
    around = "" if found.surroundings == "gas phase" else f", {found.surroundings} solvent"
    yield "excited states", f"{found.response}, {found.manifold}{around}"
    for number, (energy, strength) in enumerate(
        zip(found.excitation_energies, found.oscillator_strengths, strict=True), 1
    ):
        if number > MOST_STATES:
            yield "", f"… {len(found.excitation_energies)} in all"
            return
        said = f"{energy:.3f} eV = {EV_NM / energy:.1f} nm, f = {strength:.4f}"
        leading = found.transitions[number - 1] if found.transitions else ""
        yield f"  state {number}", f"{said}{'; ' if leading else ''}{leading}"


def _analysis(found: WavefunctionAnalysis, heat: bool) -> Iterator[Row]:
    names = [f"{symbol}{n}" for n, symbol in enumerate(found.atoms.symbols, 1)]
    if not heat:  # it stands there too
        yield "point group", f"{found.point_group} (within {found.symmetry_tolerance:g} Å)"
    yield "rotational constants", f"{_series(found.rotational_constants, '.3f')} GHz"
    yield "quadrupole xx, yy, zz", f"{_series(np.diag(found.quadrupole), '.3f')} D·Å"
    for name, charges in (
        ("Mulliken", found.mulliken_charges), ("Löwdin", found.lowdin_charges),
        ("IAO", found.iao_charges), ("Hirshfeld", found.hirshfeld_charges),
        ("spin density", found.spin_densities),
    ):  # fmt: skip
        if charges is not None:
            parts = zip(names, charges, strict=True)
            yield name, ", ".join(f"{atom} {charge:+.3f}" for atom, charge in parts)
    strong = np.argwhere(np.triu(found.bond_orders) >= WEAK)
    bonds = [f"{names[a]}–{names[b]} {found.bond_orders[a, b]:.2f}" for a, b in strong]
    yield "bond orders", f"{', '.join(bonds) or 'none'} (Mayer)"


def _series(values: Floats, form: str) -> str:
    return ", ".join(format(float(value), form) for value in values) or "none"


def geometry_label(result: Result) -> str:
    """Return what is known of the geometry, in words that promise nothing more."""
    match result.geometry:
        case "minimum":
            return "minimum (no imaginary mode at this level)"
        case "stationary":
            return "stationary, not verified"
        case "constrained":
            return "relaxed under constraints, not stationary"
        case label:
            return label


def _means(result: Result) -> Iterator[Row]:
    activity = result.answers[-1].activity
    yield "how", "remembered, nothing computed" if result.reused else _computed(result)
    yield "device", f"{activity.device.name}, {count(activity.threads, 'thread')}"


def _computed(result: Result) -> str:
    new = [answer for answer in result.all_answers if not answer.reused]
    spent = sum(answer.activity.wall_time for answer in new)
    old = len(result.all_answers) - len(new)
    return f"{len(new)} computed in {spent:.1f} s" + (f", {old} remembered" if old else "")
