"""What stands where, for a net and the blocks of its places."""

from __future__ import annotations

from collections.abc import Sequence

from ontologies.mofs import BlockGeometry, FrameworkDesign, Placement

from .drawn import DrawnNet


def designed(
    net: DrawnNet, nodes: Sequence[BlockGeometry], linkers: Sequence[BlockGeometry | None]
) -> FrameworkDesign:
    """Return a design.

    Args:
        net: as drawn.
        nodes: of each kind of its vertices.
        linkers: of each kind of its edges; None where blocks are bonded to each other.
    """
    placed = [
        Placement(
            block=shape.block,
            placed_on="vertex",
            kind_number=kind.kind_number,
            placements=kind.per_cell,
            geometry=shape,
            figure=kind.figure,
        )
        for kind, shape in zip(net.net.vertex_kinds, nodes, strict=True)
    ]
    placed += [
        Placement(
            block=shape.block,
            placed_on="edge",
            kind_number=kind.kind_number,
            placements=kind.per_cell,
            geometry=shape,
        )
        for kind, shape in zip(net.net.edge_kinds, linkers, strict=True)
        if shape is not None
    ]
    return FrameworkDesign(net=net.net, blocks=tuple(placed))
