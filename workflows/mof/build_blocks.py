"""What is shown of frameworks, pores and powder patterns."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontologies.crystals import CrystalRelaxation
from ontologies.mofs import (
    ConstructedFramework,
    FrameworkDesign,
    Placement,
    PoreAnalysis,
    PowderComparison,
    PowderPattern,
)
from ontologies.units import Floats
from workflows.show.blocks import Axis, Block, Chart, Column, Fact, Series, Table
from workflows.show.object_blocks import Around, shows

SHOWN = 40
"""Reflections in a table, the strongest."""


@shows(FrameworkDesign, whole=True)
def _(design: FrameworkDesign, around: Around) -> Iterator[Block]:
    del around
    yield Fact("design", design.name, name="name")
    yield from _blocks(design.blocks)


@shows(ConstructedFramework, whole=True)
def _(found: ConstructedFramework, around: Around) -> Iterator[Block]:
    framework = found.framework
    assert framework.atoms.cell is not None
    lengths = np.linalg.norm(framework.atoms.cell, axis=1)
    count = len(framework.atoms.numbers)
    yield Fact("framework", framework.framework_name, name="framework_name", headline=True)
    yield Fact("net", found.net.name, name="net")
    yield Fact("atoms in the cell", count, name="atom_count", note=framework.atoms.formula)
    for axis, length in zip("abc", lengths.tolist(), strict=True):
        yield Fact(axis, length, "Å", name=axis, digits=".3f")
    if found.twist_rms is not None:
        yield Fact(
            "twist of planes",
            found.twist_rms,
            "°",
            "twist_rms",
            digits=".1f",
            note="root mean square over connections",
        )
    yield Fact(
        "gap between blocks",
        found.gap_rms,
        "Å",
        "gap_rms",
        digits=".3f",
        note="root mean square over connections",
    )
    if found.closest is not None:
        yield Fact(
            "nearest atoms",
            found.closest,
            "Å",
            "closest",
            digits=".2f",
            note="of blocks, over four bonds at least",
        )
    yield Fact("orientations", framework.orientations, name="orientations", minor=True)
    led = around.last(CrystalRelaxation)
    if led is not None and led.initial == framework.atoms:
        yield from _led(led)
    yield from _blocks(framework.blocks)
    for number, remark in enumerate(framework.remarks):
        yield Fact("remark", remark, name=f"remark_{number + 1}")


def _led(led: CrystalRelaxation) -> Iterator[Block]:
    """Return what became of a framework that was led downhill."""
    assert led.initial.cell is not None
    assert led.atoms.cell is not None
    off = "" if led.max_stress is None else f" and {led.max_stress:.3f} GPa of stress"
    yield Fact(
        "positions and cell",
        led.converged,
        name="converged",
        digits="relaxed|NOT RELAXED",
        headline=True,
        note=f"at {led.level.label}, {led.steps} of {led.max_steps} steps, "
        f"{led.left_force:.3f} eV/Å of force{off} left",
    )
    after: Floats = np.linalg.norm(led.atoms.cell, axis=1)
    change = after / np.linalg.norm(led.initial.cell, axis=1) - 1
    for axis, length, more in zip("abc", after.tolist(), change.tolist(), strict=True):
        name, note = f"{axis}_after", f"{more * 100:+.2f} %"
        yield Fact(f"{axis} after it", length, "Å", name, digits=".3f", note=note)


def _blocks(placed: tuple[Placement, ...]) -> Iterator[Block]:
    columns = (
        Column("on", name="placed_on"),
        Column("kind", name="kind_number"),
        Column("block", name="found_in"),
        Column("formula", name="formula"),
        Column("in the cell", name="placements"),
        Column("RMSD", name="figure_rmsd", digits=".3f"),
    )
    rows = tuple(
        (
            one.placed_on,
            one.kind_number,
            one.geometry.found_in if one.geometry else "",
            one.block.formula,
            one.placements,
            one.figure_rmsd,
        )
        for one in placed
    )
    yield Table("blocks", columns, rows, "blocks")


@shows(PoreAnalysis, whole=True)
def _(found: PoreAnalysis, around: Around) -> Iterator[Block]:
    del around
    with_area, with_volume = found.pore_settings.area_probe, found.pore_settings.volume_probe
    if found.diameters is not None:
        for label, name in (
            ("largest cavity", "largest_cavity"),
            ("pore limiting diameter", "pore_limiting"),
            ("largest on the free path", "largest_free_path"),
        ):
            yield Fact(
                label,
                getattr(found.diameters, name),
                "Å",
                name,
                digits=".2f",
                headline=name == "pore_limiting",
            )
    if found.surface is not None:
        note = f"probe of {with_area} Å"
        for label, name, unit in (
            ("accessible area", "area_per_mass", "m²/g"),
            ("accessible area", "area_per_volume", "m²/cm³"),
            ("area of pockets", "pocket_area_per_mass", "m²/g"),
            ("area of pockets", "pocket_area_per_volume", "m²/cm³"),
        ):
            yield Fact(
                label,
                getattr(found.surface, name),
                unit,
                name,
                digits=".0f",
                note=note,
                headline=name == "area_per_mass",
            )
    if found.volume is not None:
        note = f"probe of {with_volume} Å"
        for label, name, unit in (
            ("accessible volume", "volume_per_mass", "cm³/g"),
            ("accessible void fraction", "void_fraction", ""),
            ("volume of pockets", "pocket_volume_per_mass", "cm³/g"),
            ("void fraction of pockets", "pocket_void_fraction", ""),
        ):
            yield Fact(label, getattr(found.volume, name), unit, name, digits=".3f", note=note)
    for label, name, note in (
        ("geometric void fraction", "geometric_void_fraction", "outside of all atoms"),
        ("helium void fraction", "helium_void_fraction", "by its energy at 298 K"),
    ):
        value = getattr(found, name)
        if value is not None:
            yield Fact(label, value, "", name, digits=".3f", note=note)
    yield Fact("density", found.crystal_density, "g/cm³", "crystal_density", digits=".3f")
    if found.channels is not None:
        counts = {
            name: getattr(found.channels, f"{name}_dimensional") for name in ("one", "two", "three")
        }
        for (name, count), dimension in zip(counts.items(), "123", strict=True):
            yield Fact(f"{dimension}D channels", count, name=f"{name}_dimensional")
    if found.framework_dimensionality is not None:
        yield Fact(
            "framework goes on in",
            found.framework_dimensionality,
            name="framework_dimensionality",
            note="directions",
        )


@shows(PowderPattern, title="powder pattern", whole=True)
def _(found: PowderPattern, around: Around) -> Iterator[Block]:
    del around
    angles, heights = found.diffraction_angles, found.relative_intensities
    strongest = sorted(np.argsort(-heights, kind="stable")[:SHOWN].tolist())
    columns = (
        Column("2θ", "°", name="diffraction_angles", digits=".3f"),
        Column("intensity", "%", name="relative_intensities", digits=".1f"),
        Column("hkl", name="miller_indices"),
    )
    rows = tuple(
        (float(angles[at]), float(heights[at]), found.miller_indices[at]) for at in strongest
    )
    yield Fact("wavelength", found.xray_wavelength, "Å", "xray_wavelength", digits=".5f")
    yield Table("strongest reflections", columns, rows, "reflections")
    yield Chart(
        "powder pattern",
        Axis("2θ", "°"),
        Axis("intensity", "%"),
        (Series("computed", tuple(map(float, angles)), tuple(map(float, heights)), "sticks"),),
        "powder_pattern",
    )


@shows(PowderComparison, title="measured powder pattern", whole=True)
def _(found: PowderComparison, around: Around) -> Iterator[Block]:
    del around
    pattern = found.pattern
    yield Fact(
        "likeness of patterns",
        found.pattern_likeness,
        "",
        "pattern_likeness",
        digits=".3f",
        headline=True,
        note="1 for curves of one shape",
    )
    yield Fact("width given to reflections", found.peak_width, "°", "peak_width", digits=".2f")
    computed = Series(
        "computed",
        tuple(map(float, pattern.diffraction_angles)),
        tuple(map(float, pattern.relative_intensities)),
        "sticks",
    )
    measured = Series(
        "measured",
        tuple(map(float, found.measured_angles)),
        tuple(map(float, found.measured_intensities)),
        "line",
    )
    yield Chart(
        "powder patterns",
        Axis("2θ", "°"),
        Axis("intensity", "%"),
        (measured, computed),
        "powder_patterns",
    )
