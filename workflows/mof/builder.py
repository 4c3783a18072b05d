"""Frameworks built of blocks on a net."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.mofs import (
    BlockGeometries,
    BlockGeometry,
    ConstructedFramework,
    Framework,
    FrameworkDesign,
    Placement,
)
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.engine import Backend, calculation

from .checking import checked
from .drawn import DrawnNet, drawn
from .fitting import checked_fit
from .matching import ways_of_lying
from .orienting import (
    BETTER,
    CentredBlock,
    Turned,
    about_axis,
    across,
    angle_about,
    chosen,
    linker_twist,
    orientations,
    piece_of,
    twist,
)
from .repair import relaxed
from .scaling import Scaled, scaled

MOF = Backend(
    name="blocks on nets",
    epoch="1",
    preload=("workflows.mof.builder", "scipy.optimize", "rdkit.Chem.rdForceFieldHelpers"),
    packages=("numpy", "scipy", "rdkit", "pormake"),
)

MOST_ATOMS = 10_000

TIMES = sorted(
    ((a, b, c) for a, b, c in itertools.product((1, 2), repeat=3)),
    key=lambda times: (math.prod(times), times),
)
"""Cells that are tried until neighbours can differ as they must."""


@calculation("mof.build", version="2", backend=MOF, title="building of a framework")
def build(design: FrameworkDesign, shapes: BlockGeometries = "relaxed") -> ConstructedFramework:
    """Build a framework.

    Each block lies on its vertex as it fits best; cell and places are those with which connection
    points come nearest to each other, the cell with the symmetry of the net. Where blocks may lie
    in several ways, and linkers turn about their edges, that is taken by which the planes of
    connected blocks are least twisted, in a larger cell if neighbours must differ.

    Args:
        design: net and blocks.
        shapes: whether organic blocks are relaxed before they are used.

    Raises:
        InputError: a block does not fit its vertex, or the framework is too large.

    Source: of the library and the limit of the fit: S. Lee et al., ACS Appl. Mater. Interfaces
    13, 23647 (2021).
    """
    net = drawn(design.net.name)
    asked = f"the framework {design.name} was asked for"
    remarks: list[str] = []
    used: dict[str, BlockGeometry] = {}
    for placed in design.blocks:
        shape = placed.geometry
        if shape is None:
            raise InputError(asked, "the atoms of a block are not known", "give blocks with atoms")
        if placed.kind_number is None:
            raise InputError(
                asked, f"nobody knows where {placed.block.formula} stands", "say on which kind"
            )
        if shape.iri not in used:
            used[shape.iri], told = relaxed(shape) if shapes == "relaxed" else (shape, "")
            if told:
                remarks.append(f"{shape.found_in or shape.block.formula}: {told}")
    pieces = {iri: piece_of(shape) for iri, shape in used.items()}
    node_of = {_kind(one): _geometry(one) for one in design.blocks if one.placed_on == "vertex"}
    link_of = {_kind(one): _geometry(one) for one in design.blocks if one.placed_on == "edge"}
    links = [pieces[link_of[kind].iri] if kind in link_of else None for kind in net.edge_kinds]
    _check_size(asked, net, node_of, link_of)
    ways = {
        kind: checked_fit(asked, net, kind, shape, pieces[shape.iri].arms)
        for kind, shape in node_of.items()
    }
    options = [
        orientations(
            net,
            vertex,
            pieces[node_of[kind].iri],
            ways[kind]
            if net.kinds.index(kind) == vertex
            else ways_of_lying(pieces[node_of[kind].iri].arms, net.directions(vertex)),
        )
        for vertex, kind in enumerate(net.kinds)
    ]
    if not all(options):
        lost = node_of[net.kinds[[bool(one) for one in options].index(False)]]
        raise InputError(
            asked,
            f"{lost.found_in or lost.block.formula} lies on some vertices of its kind alone",
            "choose another node, whose connections point more nearly where the net asks for them",
        )
    larger, states = _arranged(net, options, links)
    count = larger.cells
    nodes = [options[at % len(net.kinds)][state] for at, state in enumerate(states)]
    linkers = links * count
    lengths = [
        0.0 if one is None else float(np.linalg.norm(one.arms[1] - one.arms[0])) for one in linkers
    ]
    size = scaled(larger, nodes, lengths)
    whole = _assembled(larger, nodes, linkers, size)
    atoms, bonded = _crystal(whole, size.cell, asked)
    closest, told = checked(atoms, whole, bonded)
    remarks += told
    rms = math.degrees(math.sqrt(np.mean(np.square(whole.twists)))) if whole.twists else None
    if rms is not None and rms > 1.0:
        remarks.append(f"planes of connected blocks are twisted by {rms:.0f}° (root mean square)")
    if size.gap > 0.3:
        remarks.append(f"connection points that should meet are {size.gap:.2f} Å apart")
    kinds = sum(len(one) > 1 for one in options)
    said = [
        f"{count} cells of the net" + ("" if count == 1 else ", so that neighbours may differ"),
        f"{kinds} of {len(net.kinds)} vertices leave open how their block lies",
        "planes at connections least twisted",
    ]
    if any(node.lying.mirrored for node in nodes):
        said.append("mirror images of blocks where these fit better")
    best = {kind: min(way.rmsd for way in found) for kind, found in ways.items()}
    blocks = tuple(
        placed.model_copy(
            update={
                "geometry": used[_geometry(placed).iri],
                "placements": count
                * (
                    net.kinds.count(_kind(placed))
                    if placed.placed_on == "vertex"
                    else net.edge_kinds.count(_kind(placed))
                ),
                **(
                    {}
                    if placed.placed_on == "edge"
                    else {
                        "figure": net.net.vertex_kinds[_kind(placed)].figure,
                        "figure_rmsd": round(best[_kind(placed)], 3),
                    }
                ),
            }
        )
        for placed in design.blocks
    )
    framework = Framework(
        framework_name=design.name,
        atoms=atoms,
        framework_origin="built",
        net=design.net,
        blocks=blocks,
        bonded=bonded,
        catenation=1,
        framework_dimensionality=3,
        orientations="; ".join(said),
        remarks=tuple(remarks),
    )
    return ConstructedFramework(
        framework=framework,
        net=design.net,
        twist_rms=None if rms is None else round(rms, 3),
        gap_rms=round(size.gap, 4),
        closest=closest,
    )


def _geometry(placed: Placement) -> BlockGeometry:
    assert placed.geometry is not None
    return placed.geometry


def _kind(placed: Placement) -> int:
    assert placed.kind_number is not None
    return placed.kind_number


def _check_size(
    asked: str, net: DrawnNet, nodes: dict[int, BlockGeometry], links: dict[int, BlockGeometry]
) -> None:
    """Check that each vertex has a block, and that there are not too many atoms."""
    if missing := sorted(set(net.kinds) - nodes.keys()):
        raise InputError(
            asked,
            f"{net.name} has {len(set(net.kinds))} kinds of vertices; of kinds "
            f"{', '.join(map(str, missing))} no block is named",
            "name a block for each",
        )
    atoms = sum(len(nodes[kind].atoms.numbers) for kind in net.kinds)
    atoms += sum(len(links[kind].atoms.numbers) for kind in net.edge_kinds if kind in links)
    if atoms > MOST_ATOMS:
        raise InputError(
            asked,
            f"its cell would have {atoms:,} atoms; {MOST_ATOMS:,} are allowed",
            "choose smaller blocks or a net with fewer vertices",
        )


def _arranged(
    net: DrawnNet, options: Sequence[Sequence[Turned]], links: Sequence[CentredBlock | None]
) -> tuple[DrawnNet, list[int]]:
    """Return the net in the smallest cell in which planes are least twisted, and the choice."""
    within = [linker_twist(link) for link in links]
    best_net, (best, least) = net, chosen(net, options, within)
    if max(map(len, options)) > 1:
        for times in TIMES[1:]:
            if least < BETTER:
                break
            cells = math.prod(times)
            larger = net.repeated(times)
            states, left = chosen(larger, list(options) * cells, within * cells)
            if left < least - BETTER:
                best_net, best, least = larger, states, left
    return best_net, best


@dataclass(frozen=True)
class Assembled:
    """Blocks in space.

    Attributes:
        numbers: atomic numbers.
        positions: in Å.
        members: which block each atom is of.
        bonds: pairs of bonded atoms within blocks.
        joints: pairs of atoms that are bonded where blocks meet, each with the length expected.
        twists: of planes that meet, in radians.
    """

    numbers: list[int]
    positions: Floats
    members: list[int]
    bonds: list[tuple[int, int]]
    joints: list[tuple[int, int, float]]
    twists: list[float]


def _assembled(
    net: DrawnNet, nodes: Sequence[Turned], links: Sequence[CentredBlock | None], size: Scaled
) -> Assembled:
    """Put blocks where they belong."""
    whole = Assembled([], np.zeros((0, 3)), [], [], [], [])
    places: list[Floats] = []
    starts: list[int] = []

    def add(piece: CentredBlock, turn: Floats, centre: Floats) -> int:
        start = len(whole.numbers)
        whole.members.extend([len(starts)] * len(piece.geometry.atoms.numbers))
        starts.append(start)
        whole.numbers.extend(piece.geometry.atoms.numbers.tolist())
        whole.bonds.extend((start + int(a), start + int(b)) for a, b in piece.geometry.bonded)
        places.append(piece.places @ turn.T + centre)
        return start

    for node, turn, centre in zip(nodes, size.turns, size.centres, strict=True):
        add(node.piece, turn, centre)
    hands = [
        dict(zip(net.around[v], node.lying.order, strict=True)) for v, node in enumerate(nodes)
    ]
    for edge, ((first, second), link) in enumerate(zip(net.ends.tolist(), links, strict=True)):
        one, other = hands[first][edge, 0], hands[second][edge, 1]
        here = size.centres[first] + size.turns[first] @ nodes[first].piece.arms[one]
        there = (
            size.centres[second]
            + net.steps[edge] @ size.cell
            + size.turns[second] @ nodes[second].piece.arms[other]
        )
        ends = [
            (starts[v], nodes[v], size.turns[v], at) for v, at in ((first, one), (second, other))
        ]
        way = there - here
        if link is None:
            way = way if np.linalg.norm(way) > 0.5 else net.vectors(size.centres, size.cell)[edge]
        along = way / np.linalg.norm(way)
        planes = [_plane(along, node, turn, at) for _, node, turn, at in ends]
        joined = [
            (start + int(node.piece.geometry.connected_atoms[at]), _reach(node.piece, at))
            for start, node, _, at in ends
        ]
        if link is None:
            if None not in planes:
                left = twist(planes[0], planes[1], 0.0)
                whole.twists.append(math.acos(min(1.0, 1.0 - left)))
            (a, reach), (b, more) = joined
            whole.joints.append((a, b, reach + more))
            continue
        turn, order, left = _linker_turn(link, along, planes)
        whole.twists.extend(left)
        start = add(link, turn, (here + there) / 2 - turn @ (link.arms.mean(axis=0)))
        for (atom, reach), at in zip(joined, order, strict=True):
            mine = start + int(link.geometry.connected_atoms[at])
            whole.joints.append((atom, mine, reach + _reach(link, at)))
    return Assembled(
        whole.numbers, np.vstack(places), whole.members, whole.bonds, whole.joints, whole.twists
    )


def _reach(piece: CentredBlock, at: int) -> float:
    """Return how far a connection point is from the atom that it belongs to."""
    atom = int(piece.geometry.connected_atoms[at])
    return float(np.linalg.norm(piece.arms[at] - piece.places[atom]))


def _plane(along: Floats, node: Turned, turn: Floats, at: int) -> float | None:
    normal = node.piece.normals[at]
    return angle_about(along, None if normal is None else turn @ normal)


def _linker_turn(
    link: CentredBlock, along: Floats, planes: Sequence[float | None]
) -> tuple[Floats, tuple[int, int], list[float]]:
    """Return how a linker is turned onto an edge, which end comes first, and the twists left."""
    found: list[tuple[Floats, tuple[int, int], list[float]]] = []
    first, second = across(along)
    wanted = np.array([along, first, second])
    for order in ((0, 1), (1, 0)):
        axis = link.arms[order[1]] - link.arms[order[0]]
        axis = axis / np.linalg.norm(axis)
        own = [angle_about(axis, link.normals[at]) for at in order]
        angle, left = about_axis(planes[0], planes[1], own[0], own[1])
        beside = across(axis)
        frame = np.array([axis, *beside])
        cosine, sine = math.cos(angle), math.sin(angle)
        spin = np.array([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]])
        found.append((wanted.T @ spin @ frame, order, left))
    costs = [round(sum(math.sin(one) ** 2 for one in left), 3) for _, _, left in found]
    return found[costs.index(min(costs))]


def _crystal(
    whole: Assembled, cell: Floats, asked: str
) -> tuple[ConceptualAtoms, np.ndarray[tuple[int, int], np.dtype[np.int64]]]:
    """Return the atoms in their cell, and pairs that are bonded."""
    parts = whole.positions @ np.linalg.inv(cell)
    parts = parts - np.floor(parts + 1e-6)
    atoms = make_atoms(
        asked.removesuffix(" was asked for"),
        numbers=whole.numbers,
        positions=np.round(parts @ cell, 6),
        cell=np.round(cell, 6),
        periodic=[True] * 3,
    )
    pairs = {(min(a, b), max(a, b)) for a, b, *_ in (*whole.bonds, *whole.joints)}
    return atoms, np.array(sorted(pairs), np.int64).reshape(-1, 2)
