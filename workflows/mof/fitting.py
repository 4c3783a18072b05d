"""Whether a building block fits a kind of vertices, and which ones would."""

from __future__ import annotations

import math

from ontologies.mofs import BlockGeometry
from ontologies.units import Floats
from triplestore.errors import ComponentError, InputError

from .drawn import DrawnNet
from .library import block_named, nodes_with
from .matching import Lying, arms_of, figure_rmsd, ways_of_lying

LARGEST_RMSD = 0.3
"""Of unit vectors. PORMAKE sets no limit itself; those who build with it take 0.2 to 0.3."""

TRIED, NAMED = 60, 6
"""Blocks that are looked at, and named, where one does not fit."""


def checked_fit(
    asked: str, net: DrawnNet, kind: int, shape: BlockGeometry, arms: Floats
) -> list[Lying]:
    """Return the ways in which a block lies on a kind of vertices.

    Raises:
        InputError: it has other connections, or they point elsewhere.
    """
    wanted = net.directions(net.kinds.index(kind))
    name = shape.found_in.removeprefix("PORMAKE ").partition(",")[0] or shape.block.formula
    where = net.name if len(set(net.kinds)) == 1 else f"vertices of kind {kind} of {net.name}"
    if len(arms) != len(wanted):
        raise InputError(
            asked,
            f"{name} has {len(arms)} connections, and {where} asks for {len(wanted)}",
            _advice(net, kind, wanted),
        )
    ways = ways_of_lying(arms, wanted)
    rmsd = min((way.rmsd for way in ways), default=math.inf)
    if rmsd > LARGEST_RMSD:
        far = f"by {rmsd:.2f} (root mean square of unit vectors)" if rmsd < math.inf else "by far"
        raise InputError(
            asked,
            f"the connections of {name} do not point where {where} asks for them: they are "
            f"off {far}, and {LARGEST_RMSD} is allowed",
            _advice(net, kind, wanted),
        )
    return ways


def fitting_nodes(wanted: Floats) -> tuple[list[str], int]:
    """Return names of blocks of the library that fit directions, and how many have as many."""
    names = nodes_with(len(wanted))
    found: list[str] = []
    for name in names[:TRIED]:
        if figure_rmsd(arms_of(block_named(name)), wanted) <= LARGEST_RMSD:
            found.append(name)
            if len(found) == NAMED:
                break
    return found, len(names)


def _advice(net: DrawnNet, kind: int, wanted: Floats) -> str:
    try:
        names, count = fitting_nodes(wanted)
    except ComponentError:
        return "choose another node or another net"
    if not names:
        return f"choose another net: of {count} nodes with {len(wanted)} connections none fits"
    where = "" if len(set(net.kinds)) == 1 else f" on kind {kind}"
    more = f" (of {count} with {len(wanted)} connections)" if count > len(names) else ""
    return f"nodes that fit{where}: {', '.join(names)}{more}"
