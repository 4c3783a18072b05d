"""What is shown of levels, energies, geometries and vibrations, whichever program made them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import CrystalRelaxation
from ontologies.factors import HARTREE
from ontologies.level import Level
from ontologies.outputs import ImportedOptimisation, ImportedResult, ImportedScan
from ontologies.quantum import EnergyResult, GeometryConstraints, RelaxedGeometry
from ontologies.units import Floats, Integers
from ontologies.vibrations import Thermochemistry, VibrationalAnalysis
from ontologies.wavefunction import WavefunctionAnalysis
from workflows.molecule.blocks import structure
from workflows.show.blocks import (
    Block,
    Column,
    Fact,
    Motion,
    Note,
    Structure,
    Table,
)
from workflows.show.course import course
from workflows.show.object_blocks import (
    Around,
    Comparison,
    compares,
    floats,
    identifies,
    level_label,
    shows,
    shows_runs,
)
from workflows.text.words import count, numbered

from .motions import motions
from .scaling import factor_of
from .spectra import infrared_chart

KJ, KCAL = HARTREE["kJ/mol"], HARTREE["kcal/mol"]

MASSES = (
    "Harmonic, unscaled; translation and rotation projected out. Masses are standard atomic "
    "weights, averages over natural isotopes, so no line is that of one isotopologue"
)
"""What to know of vibrations."""

SHARES = re.compile(r" \d+ %")
"""What is left out of a motion in a short list."""

STRONGEST, SEEN = 5, 1.0
"""Bands that are named, and km/mol from which one is."""

WIDEST = 0.3
"""Å that the atom which goes farthest is moved where a mode is shown."""

MOST_SHIFTS = 3_000
"""Modes times atoms of one structure that a page carries, some 20 letters each."""

IDEAL = (
    "Ideal gas of rigid rotors and harmonic oscillators; enthalpy and Gibbs energy hold the "
    "electronic energy. Masses are standard atomic weights (averages over natural isotopes), in "
    "the rotations, the vibrations and the translation alike"
)
"""What to know of thermochemistry."""


@shows(Level)
def _(level: Level, around: Around) -> Iterator[Block]:
    yield Fact("level of theory", level_label(level, around.results), name="label", iri=level.iri)


@shows(EnergyResult)
def _(found: EnergyResult, around: Around) -> Iterator[Block]:
    del around
    yield Fact("energy", found.energy, "Eh", "energy", digits=".8f", headline=True)


@shows(RelaxedGeometry)
def _(found: RelaxedGeometry, around: Around) -> Iterator[Block]:
    del around
    yield Fact(
        "optimisation",
        found.steps,
        "steps",
        "optimisation",
        fields=("steps",),
        also=(Fact("gradient", found.max_gradient, "Eh/bohr", "max_gradient", digits=".1e"),),
    )
    for word, bonds in (("broken", found.broken), ("formed", found.formed)):
        if bonds:
            yield Fact(f"bonds {word}", tuple(bonds), name=f"bonds_{word}")
    if found.constraints is not None:
        held = tuple(_held(found.constraints, found.initial.symbols))
        yield Fact("held", held, name="constraints")
    if len(found.energies) > 1:
        note = "Energy of each step above the last one"
        yield course("Course of the optimisation", found.energies, note)


def _held(found: GeometryConstraints, symbols: Sequence[str]) -> Iterator[str]:
    """Say what an optimisation held fixed; atoms are counted from 1 in the order of its start."""
    names = numbered(symbols)
    if found.frozen is not None and found.frozen.size:
        frozen: list[int] = found.frozen.tolist()
        yield f"{', '.join(names[atom] for atom in frozen)} frozen"
    kinds: tuple[tuple[Integers | None, Floats | None, str], ...] = (
        (found.distance_atoms, found.distances, " Å"),
        (found.angle_atoms, found.angles, "°"),
        (found.dihedral_atoms, found.dihedrals, "°"),
    )
    for atoms, values, unit in kinds:
        if atoms is not None and values is not None:
            groups: list[list[int]] = atoms.tolist()
            for group, value in zip(groups, floats(values), strict=True):
                yield f"{'–'.join(names[atom] for atom in group)} = {value:g}{unit}"


@shows(VibrationalAnalysis, title="vibrations")
def _(found: VibrationalAnalysis, around: Around) -> Iterator[Block]:
    del around
    waves, light = floats(found.wavenumbers), found.infrared
    columns = [Column("wavenumbers", "cm⁻¹", "wavenumbers", ".1f")]
    values: list[Sequence[float | str]] = [waves]
    factor = factor_of(found.level)
    if factor is not None:
        columns.append(
            Column(f"scaled × {factor.fundamentals:g}", "cm⁻¹", "scaled_wavenumbers", ".1f")
        )
        values.append([wave * factor.fundamentals for wave in waves])
    if light is not None:
        columns.append(Column("infrared", "km/mol", "infrared", ".1f"))
        values.append(floats(light))
    columns.append(Column("reduced mass", "Da", "reduced_masses", ".4f", minor=True))
    values.append(floats(found.reduced_masses))
    moving = motions(found.atoms, found.modes)
    if any(moving):
        columns.append(Column("motion", name="motion", minor=True))
        values.append(moving)
    rows = tuple(zip(range(1, len(waves) + 1), *values, strict=True))
    head = Column("mode", name="mode")
    yield Table("Vibrations", (head, *columns), rows, "vibrations", lines="columns")
    lowest = found.lowest_wavenumber
    low = () if lowest is None else (_wave("lowest", lowest, "lowest_wavenumber"),)
    yield Fact(
        "imaginary",
        found.imaginary,
        "modes",
        "imaginary",
        also=low,
        fields=("imaginary", "lowest_wavenumber"),
        headline=True,
    )
    if waves:
        yield from _strongest(found, moving)
        yield infrared_chart(found)
        yield from _moving(found)
    yield Note(MASSES, minor=True)
    if factor is not None:
        by = f"× {factor.fundamentals:.3f} for fundamentals"
        yield Note(f"scaled: {by} at this method and basis set, {factor.source}", minor=True)
    elif waves:
        yield Note(f"No factor for fundamentals is known for {found.level.label}", minor=True)


def _strongest(found: VibrationalAnalysis, moving: Sequence[str]) -> Iterator[Table]:
    """Return the modes that absorb most, and what moves in them, the strongest first."""
    if found.infrared is None:
        return
    light, waves = floats(found.infrared), floats(found.wavenumbers)
    seen = [n for n in range(len(waves)) if waves[n] > 0 and light[n] >= SEEN]
    seen = sorted(seen, key=lambda n: -light[n])[:STRONGEST]
    if seen:
        yield Table(
            "Strongest bands",
            (
                Column("band of mode", name="band"),
                Column("wavenumber", "cm⁻¹", "band_wavenumber", ".0f"),
                Column("intensity", "km/mol", "band_intensity", ".0f", lead=", "),
                Column("motion", name="band_motion", lead=", "),
            ),
            tuple((n + 1, waves[n], light[n], SHARES.sub("", moving[n]) or None) for n in seen),
            "strongest_bands",
            lines="rows",
            digest=True,
            note="unscaled",
        )


def _moving(found: VibrationalAnalysis) -> Iterator[Structure]:
    """Give the structure with its modes: all, or the imaginary and the strongest of many."""
    waves, light = floats(found.wavenumbers), found.infrared
    room = max(1, MOST_SHIFTS // len(found.atoms.numbers))
    weight = [0.0] * len(waves) if light is None else floats(light)
    order = sorted(range(len(waves)), key=lambda n: (waves[n] > 0, -weight[n], waves[n]))
    motions: list[Motion] = []
    for n in sorted(order[:room]):
        label = f"mode {n + 1}, {waves[n]:.1f} cm⁻¹".replace("-", "−")
        label += "" if light is None else f", {weight[n]:.1f} km/mol"
        mode = found.modes[n]
        farthest = float(np.linalg.norm(mode, axis=1).max())
        if not farthest > 0.0:  # a file may leave it out
            continue
        shifts: list[list[float]] = (mode * (WIDEST / farthest)).tolist()
        line = (None, None) if light is None else (round(waves[n], 2), round(weight[n], 3))
        motions.append(Motion(label, tuple((x, y, z) for x, y, z in shifts), n + 1, *line))
    few = "" if room >= len(waves) else ", the imaginary and the strongest"
    note = f"modes can be chosen{few}; the atom that goes farthest goes {WIDEST} Å"
    if motions:
        axes = () if light is None else ("wavenumber / cm⁻¹", "intensity / km/mol")
        drawn = replace(structure(found.atoms, "Motion", note), iri="", motions=tuple(motions))
        yield replace(drawn, table="vibrations", axes=axes)


def _wave(label: str, value: float, name: str) -> Fact:
    return Fact(label, value, "cm⁻¹", name, digits=".1f")


@identifies(Thermochemistry)
def _(heat: Thermochemistry) -> Iterator[Fact]:
    yield Fact("at", heat.temperature, "K", "temperature", digits="g")
    if heat.treatment != "harmonic":
        yield Fact("treatment", heat.treatment, name="treatment")
    if heat.spin_orbit:
        yield Fact("spin–orbit lowering", heat.spin_orbit, name="spin_orbit", digits="in H and G|")


@shows(Thermochemistry)
def _(heat: Thermochemistry, around: Around) -> Iterator[Block]:
    del around
    yield point_group(heat)
    yield Fact(
        "zero-point energy",
        heat.zero_point_energy,
        "Eh",
        "zero_point_energy",
        digits=".6f",
        difference=True,
    )
    at = (
        Fact("temperature", heat.temperature, "K", "temperature", digits="g"),
        Fact("pressure", heat.pressure, "Pa", "pressure", digits="g"),
    )
    yield Fact("enthalpy", heat.enthalpy, "Eh", "enthalpy", digits=".6f", at=at)
    own = (Fact("", heat.entropy, "Eh/K", "entropy", digits=".5e"),)
    molar = heat.entropy * KJ * 1000
    yield Fact("entropy", molar, "J/mol/K", "entropy", digits=".2f", also=own, at=at)
    yield from _electrons(heat)
    soft = "" if heat.treatment == "harmonic" else heat.treatment
    energy = heat.gibbs_energy
    yield Fact(
        "Gibbs energy", energy, "Eh", "gibbs_energy", digits=".6f", at=at, note=soft, headline=True
    )
    free = "" if heat.treatment == "harmonic" else "; the entropy of soft modes goes over into "
    yield Note(IDEAL + (f"{free}that of free rotors" if free else ""), minor=True)


def _electrons(heat: Thermochemistry) -> Iterator[Block]:
    """Return the levels of the electrons that were counted, and from where energies count."""
    if not heat.electronic_levels:
        return
    lower = heat.spin_orbit_lowering or 0.0
    yield Table(
        "Electronic levels",
        (
            Column("term", name="term"),
            Column("level", name="level", lead=" "),
            Column("states", name="weight", lead=", states "),
            Column("above the lowest", "cm⁻¹", "wavenumber", ".2f", lead=", "),
        ),
        tuple(
            (one.term_symbol, one.sublevel, one.statistical_weight, one.term_energy)
            for one in heat.electronic_levels
        ),
        "electronic_levels",
        minor=True,
        lines="rows",
        fields=("electronic_levels",),
        note="measured: " + ", ".join(sorted({one.tabulated_in for one in heat.electronic_levels})),
    )
    if lower:
        where = (
            "in enthalpy and Gibbs energy"
            if heat.spin_orbit
            else "not in enthalpy and Gibbs energy, which count from the lowest level"
        )
        also = (
            Fact("", lower * KJ, "kJ/mol", "spin_orbit_lowering", digits=".2f"),
            Fact("", lower * KCAL, "kcal/mol", "spin_orbit_lowering", digits=".2f"),
        )
        yield Fact(
            "spin–orbit lowering",
            lower,
            "Eh",
            "spin_orbit_lowering",
            digits=".6f",
            also=also,
            note=where,
            fields=("spin_orbit_lowering", "spin_orbit"),
            difference=True,
        )


def point_group(found: Thermochemistry | WavefunctionAnalysis, minor: bool = False) -> Fact:
    """Return a point group with the tolerance that it was found within."""
    note = f"within {found.symmetry_tolerance:g} Å"
    return Fact(
        "point group", found.point_group, name="point_group", note=note, minor=minor, headline=True
    )


# --- runs ------------------------------------------------------------------------------------


@shows_runs
def _(around: Around) -> Iterator[Block]:
    results = [one for one in around.results if isinstance(one, EnergyResult)]
    if not results:
        return
    word, why = geometry_label(results, around.built)
    yield Fact("geometry", word, name="geometry", note=why, headline=True)
    looks = [one for one in results if isinstance(one, VibrationalAnalysis)]
    for met in looks:
        if met.stationarity == "saddle point" and not _same(met.atoms, results[-1].atoms):
            modes = count(met.imaginary, "imaginary mode")
            yield Note(f"on the way a saddle point was met ({modes}) and left along a mode")


def _label_of_crystal(found: CrystalRelaxation) -> tuple[str, str]:
    """Return what is known of a crystal that was led downhill, and why."""
    left = f"{found.left_force:.3f} eV/Å"
    if found.max_stress is not None:
        left += f", {found.max_stress:.3f} GPa of stress"
    if not found.converged:
        return "not relaxed", f"stopped after {found.steps} steps at a force of {left}"
    if found.constraints is not None:
        return "relaxed under constraints", "not a stationary point where they act"
    what = "positions and cell" if found.relaxed_cell else "positions in this cell"
    return "stationary, not verified", f"{what} relaxed to a force of {left}"


def geometry_label(results: Sequence[EnergyResult], built: str = "") -> tuple[str, str]:
    """Return what is known of the last geometry and why, in words that promise nothing more.

    Args:
        results: of a run, in order.
        built: what the geometry was built from; empty where it was given itself.
    """
    last = results[-1]
    if isinstance(last, ImportedResult):
        if isinstance(last, ImportedScan) and last.relaxed:
            return (
                "relaxed under constraints, not stationary",
                "the lowest point of a scan",
            )
        relaxed = any(isinstance(one, ImportedOptimisation) for one in results)
        return "relaxed" if relaxed else "as given", "as its file says, not checked here"
    here = [r for r in results if r.level == last.level and _same(r.atoms, last.atoms)]
    for found in reversed(here):
        if isinstance(found, VibrationalAnalysis):
            if found.stationarity == "minimum":
                return "minimum", "no imaginary mode at this level"
            if found.stationarity == "saddle point":
                modes = count(found.imaginary, "imaginary mode")
                return "saddle point", f"{modes} at this level: this is not a minimum"
            return "not stationary", f"largest gradient component {found.max_gradient:.1e} Eh/bohr"
    led = [found for found in here if isinstance(found, CrystalRelaxation)]
    if led:
        return _label_of_crystal(led[-1])
    relaxed = [found for found in here if isinstance(found, RelaxedGeometry)]
    if relaxed and relaxed[-1].constraints is not None:
        return "relaxed under constraints, not stationary", ""
    if relaxed:
        return "stationary, not verified", ""
    return f"{built}, not relaxed" if built else "as given", ""


def _same(one: ConceptualAtoms, other: ConceptualAtoms) -> bool:
    return one.motion_from(other) is not None


@compares
def _(runs: Sequence[Around]) -> Iterator[Comparison]:
    """Energies above the lowest, of runs whose energies can be compared."""
    last = [around.last(EnergyResult) for around in runs]
    results = [one for one in last if one is not None]
    alike = {(r.atoms.formula, r.atoms.charge, r.atoms.multiplicity, r.level) for r in results}
    if len(alike) == 1 and len(results) > 1:
        lowest = min(one.energy for one in results)
        above = tuple(None if one is None else (one.energy - lowest) * KJ for one in last)
        yield Column("above the lowest", "kJ/mol", "above_lowest", ".2f"), above
