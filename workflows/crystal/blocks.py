"""What is shown of a crystal at a level, and of how it was led downhill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import CrystalRelaxation, CrystalResult, formula_units
from ontologies.elements import hill_order
from ontologies.factors import HARTREE
from ontologies.units import Floats
from triplestore.errors import GraficoError
from workflows.show.blocks import Block, Column, Fact, Note, Table
from workflows.show.course import course
from workflows.show.object_blocks import Around, floats, shows

from .cells import standard

EV = HARTREE["eV"]


@shows(CrystalResult)
def _(found: CrystalResult, around: Around) -> Iterator[Block]:
    del around
    units = formula_units(found.atoms)
    yield Fact(
        "  of a formula unit",
        found.energy_per_formula_unit,
        "Eh",
        "energy_per_formula_unit",
        digits=".8f",
        note=f"{_unit_of(found.atoms)}, {units} in the cell",
    )
    yield Fact(
        "  of an atom",
        found.energy_per_atom,
        "Eh",
        "energy_per_atom",
        digits=".8f",
        also=(Fact("", found.energy_per_atom * EV, "eV", "energy_per_atom", digits=".5f"),),
        minor=True,
    )
    yield Fact("largest force", found.max_force, "eV/Å", "max_force", digits=".4f")
    if found.band_gap is not None:
        note = "between the orbitals of the k-points that the level solves"
        yield Fact("band gap", found.band_gap, "eV", "band_gap", digits=".2f", note=note)
    yield Fact("volume", found.cell_volume, "Å³", "cell_volume", digits=".3f")
    if found.stress is not None:
        voigt = floats(found.stress[(0, 1, 2, 1, 0, 0), (0, 1, 2, 2, 2, 1)])
        yield Fact(
            "stress xx, yy, zz, yz, xz, xy",
            voigt,
            "GPa",
            "stress",
            digits=".3f",
            note="positive under tension",
        )
        assert found.pressure is not None
        yield Fact("pressure", found.pressure, "GPa", "pressure", digits=".3f", fields=())


@shows(CrystalRelaxation, title="relaxation")
def _(found: CrystalRelaxation, around: Around) -> Iterator[Block]:
    del around
    what = "positions and cell" if found.relaxed_cell else "positions"
    yield Fact(
        what,
        found.converged,
        name="converged",
        digits="relaxed|NOT RELAXED",
        headline=True,
        note=_how(found),
    )
    yield Fact(
        "steps",
        found.steps,
        "",
        "steps",
        note=f"{found.optimiser}, limit {found.max_steps} steps",
        fields=("steps", "max_steps", "optimiser", "relaxed_cell"),
    )
    yield Fact("force allowed", found.force_threshold, "eV/Å", "force_threshold", digits="g")
    if found.stress_threshold is not None:
        yield Fact("stress allowed", found.stress_threshold, "GPa", "stress_threshold", digits="g")
    yield Fact("force left", found.left_force, "eV/Å", "left_force", digits=".4f")
    if found.max_stress is not None:
        yield Fact("stress left", found.max_stress, "GPa", "max_stress", digits=".3f")
    if found.external_pressure:
        yield Fact("under", found.external_pressure, "GPa", "external_pressure", digits="g")
    if found.kept_symmetry:
        yield Fact("symmetry kept", found.kept_symmetry, name="kept_symmetry")
    if found.relaxed_cell:
        yield _cells(found.initial, found.atoms)
        yield from _conventional(found.atoms)
    else:
        left = "" if found.pressure is None else f"; {found.pressure:.2f} GPa of pressure are left"
        note = f"positions alone were relaxed{left}; relax_cell relaxes both"
        yield Fact("cell", "as given", name="cell", note=note, headline=True)
    if len(found.energies) > 1:
        note = "Energy of the cell at each step above the last one"
        yield course("Course of the relaxation", found.energies, note, first=0)
    if not found.converged:
        yield Note(
            f"Not relaxed: it stopped after {found.steps} steps, its limit. Ask again with more "
            "steps (max_steps), and it goes on from here"
        )


def _unit_of(atoms: ConceptualAtoms) -> str:
    """Return the formula unit of a crystal."""
    units = formula_units(atoms)
    return hill_order({one: n // units for one, n in Counter(atoms.symbols).items()})


def _how(found: CrystalRelaxation) -> str:
    parts = [f"after {found.steps} steps"]
    if not found.converged:
        parts.append("stopped at its limit")
    return ", ".join(parts)


def lengths(cell: Floats) -> tuple[float, ...]:
    """Return lengths in Å and angles in degrees of lattice vectors, as rows."""
    sides: Floats = np.linalg.norm(cell, axis=1)
    unit = cell / sides[:, None]
    angles = [
        float(np.degrees(np.arccos(np.clip(unit[one] @ unit[other], -1, 1))))
        for one, other in ((1, 2), (0, 2), (0, 1))
    ]
    return (*sides.tolist(), *angles)


def _cells(before: ConceptualAtoms, after: ConceptualAtoms) -> Table:
    """Return the cell before and after."""
    one, other = (_row(atoms) for atoms in (before, after))
    names = ("a", "b", "c", "α", "β", "γ", "volume", "density")
    units = ("Å",) * 3 + ("°",) * 3 + ("Å³", "g/cm³")
    rows = tuple(
        (f"{name} ({unit})", old, new, (new / old - 1) * 100)
        for name, unit, old, new in zip(names, units, one, other, strict=True)
    )
    columns = (
        Column("", name="cell"),
        Column("start", name="start", digits=".4f"),
        Column("end", name="end", digits=".4f"),
        Column("change", "%", "change", "+.2f"),
    )
    return Table("Cell", columns, rows, "cell")


def _conventional(atoms: ConceptualAtoms) -> Iterator[Fact]:
    """Return the lattice constants of the conventional cell, if the cell is another one."""
    try:
        whole = standard(atoms, "conventional")
    except GraficoError:
        return
    assert whole.cell is not None
    if len(whole.numbers) != len(atoms.numbers):
        sides = floats(np.linalg.norm(whole.cell, axis=1))
        name = "conventional"
        yield Fact(f"{name} cell a, b, c", sides, "Å", name, digits=".4f", fields=())


def _row(atoms: ConceptualAtoms) -> tuple[float, ...]:
    from ase.data import atomic_masses

    assert atoms.cell is not None
    cell = np.array(atoms.cell, float)
    volume = abs(float(np.linalg.det(cell)))
    mass = float(np.sum(atomic_masses[atoms.numbers]))  # of the elements, not of one isotope
    return (*lengths(cell), volume, mass / volume * 1.66053906892)
