"""A crystal beside another, such as what is built again of its own blocks."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from ogm import Link
from ontologies.mof_parts import ComparedNumbers, FrameworkComparison, TakenApart
from ontologies.mofs import BlockGeometry, ConstructedFramework, FrameworkDesign, PoreAnalysis
from triplestore.errors import InputError

from .drawn import drawn
from .subject import design_of

OTHER = "name what to compare it with (`other`): a net with blocks, such as pcu N16 E14, or an IRI"


def design_again(apart: TakenApart) -> FrameworkDesign:
    """Return the design of a framework that was taken apart: its own blocks on its own net.

    Raises:
        InputError: its net has no name or is several, or blocks share a kind of places.
        NotFoundError: nothing is built on that net.
    """
    framework = apart.framework
    asked = f"{framework.found_in or apart.atoms.formula} was to be built again of its own blocks"
    if framework.net is None:
        raise InputError(asked, "its net has no name", OTHER)
    if framework.catenation not in (None, 1):
        raise InputError(
            asked, f"{framework.catenation} nets go through each other, and one is built", OTHER
        )
    held: dict[tuple[str, int], list[BlockGeometry]] = defaultdict(list)
    for number, one in enumerate(framework.blocks):
        if one.geometry is not None:
            place = -1 - number if one.kind_number is None else one.kind_number
            held[one.placed_on, place].append(one.geometry)
    for (on, kind), blocks in held.items():
        if len(blocks) > 1:
            formulas = " and ".join(one.block.formula for one in blocks)
            raise InputError(
                asked, f"{formulas} stand on the same kind {kind} of {on} places", OTHER
            )
    net = drawn(framework.net.name)
    nodes = [held[key][0] for key in sorted(held) if key[0] == "vertex"]
    known = {kind: blocks[0] for (on, kind), blocks in held.items() if on == "edge"}
    if known and min(known) >= 0:
        linkers = [known.get(kind.kind_number) for kind in net.net.edge_kinds]
    else:
        linkers = list(known.values())
    return design_of(net, [*nodes, *linkers], framework.framework_name)


def compared(
    first: PoreAnalysis,
    second: PoreAnalysis,
    labels: tuple[str, str],
    built: ConstructedFramework | None = None,
) -> FrameworkComparison:
    """Return two crystals beside each other: each difference is the second less the first.

    Args:
        first: pores of one.
        second: pores of the other, measured in the same way.
        labels: what they are called.
        built: what building the second came to, if it was.
    """
    remarks: list[str] = []
    if first.atoms.formula != second.atoms.formula:
        size, other = (
            f"{len(one.atoms.numbers)} atoms ({one.atoms.formula})" for one in (first, second)
        )
        remarks.append(f"their cells hold {size} and {other}: lengths of cells are not compared")
    for which, found in (("first", first), ("second", second)):
        remarks += [f"the {which}: {text}" for text in found.remarks]
    if built is not None:
        remarks += [f"the second: {text}" for text in built.framework.remarks]
    one, other = _numbers(first), _numbers(second)
    return FrameworkComparison(
        first_label=labels[0],
        second_label=labels[1],
        first_numbers=one,
        second_numbers=other,
        change=_change(one, other, cells=first.atoms.formula == second.atoms.formula),
        built_again=None if built is None else Link[ConstructedFramework](built),
        remarks=tuple(remarks),
    )


def _numbers(found: PoreAnalysis) -> ComparedNumbers:
    """Return what is compared of a crystal; axes may be named otherwise in another."""
    assert found.atoms.cell is not None
    spheres, surface, volume = found.diameters, found.surface, found.volume
    return ComparedNumbers(
        cell_lengths=np.sort(np.linalg.norm(found.atoms.cell, axis=1)),
        crystal_density=found.crystal_density,
        largest_cavity=spheres and spheres.largest_cavity,
        pore_limiting=spheres and spheres.pore_limiting,
        area_per_mass=surface and surface.area_per_mass,
        area_per_volume=surface and surface.area_per_volume,
        void_fraction=volume and volume.void_fraction,
        helium_void_fraction=found.helium_void_fraction,
        pores=Link[PoreAnalysis](found),
    )


def _change(one: ComparedNumbers, other: ComparedNumbers, *, cells: bool) -> ComparedNumbers:
    """Return the second less the first, as far as both are known."""
    changes: dict[str, Any] = {}
    for name in ComparedNumbers.model_fields.keys() - {"pores"}:
        before, after = getattr(one, name), getattr(other, name)
        if before is not None and after is not None and (cells or name != "cell_lengths"):
            changes[name] = after - before
    return ComparedNumbers(**changes)
