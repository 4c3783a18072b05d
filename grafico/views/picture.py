"""A picture of a molecule as SVG: balls and sticks that can be turned.

It holds no text of a person, needs no script and loads nothing.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import combinations, product
from operator import ne
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workflows.show.blocks import Structure

STICK = 8.0
"""Half the width of a bond, in pm."""

SMALLEST_VIEW = 260.0
"""pm. What the shorter side of a picture shows at least, so that one atom does not fill it."""

MANY = 300
"""Atoms from which on they are drawn plain, without a symbol and a title each."""

CORNERS = tuple(product((0, 1), repeat=3))
"""Of a cell, counted in its three vectors."""

EDGES = [(i, j) for i, j in combinations(range(8), 2) if sum(map(ne, CORNERS[i], CORNERS[j])) == 1]
"""Of a cell, between its corners."""

MARGIN = 10.0
"""Pixels left free at each side."""


@dataclass(frozen=True)
class Scene:
    """A structure turned to be looked at: x to the right, y up, z towards the reader, in pm.

    Attributes:
        title: what is drawn.
        symbols: of each atom.
        points: where each atom stands, about their common centre.
        radii: of the ball of each atom.
        colours: of each atom, 0 to 255.
        bonds: two atoms, and at which fractions of their distance the stick leaves the balls.
        corners: of the cell, in the order of `CORNERS`; empty without a cell.
        motions: how far each atom goes at most, of each motion.
    """

    title: str
    symbols: list[str]
    points: list[tuple[float, float, float]]
    radii: list[float]
    colours: list[tuple[int, int, int]]
    bonds: list[tuple[int, int, float, float]]
    corners: list[tuple[float, float, float]]
    motions: list[list[list[float]]]

    def numbers(self, width: int, height: int) -> dict[str, Any]:
        """Return what a script needs to turn the picture of this size: numbers alone."""
        return {
            "size": [width, height],
            "scale": round(_fit(self, width, height)[0], 5),
            "margin": MARGIN,
            "points": [[round(x, 2) for x in point] for point in self.points],
            "radii": self.radii,
            "bonds": [[i, j, round(a, 4), round(b, 4)] for i, j, a, b in self.bonds],
            "corners": [[round(x, 2) for x in corner] for corner in self.corners],
            "edges": EDGES if self.corners else [],
            "motions": self.motions,
        }


def scene(structure: Structure) -> Scene:
    """Turn a structure onto its principal axes, the longest to the right.

    The turn is a proper rotation: a molecule never becomes its mirror image. What is not flat is
    tilted a little, so that atoms hide each other less. Bonds are those that the structure has.
    """
    import numpy as np
    from ase.data import atomic_numbers, covalent_radii
    from ase.data.colors import jmol_colors

    count = len(structure.symbols)
    cell = np.asarray(structure.cell, float).reshape(-1, 3)
    corners = np.array(CORNERS) @ cell if len(cell) else cell
    positions = np.asarray(structure.positions, float).reshape(-1, 3)
    places = np.vstack([positions, corners]) * 100.0
    centred = places - (places.mean(axis=0) if len(places) else 0.0)
    # Rows of nothing make the axes three, and leave out the many of the other side.
    _, spread, axes = np.linalg.svd(np.vstack([centred, np.zeros((3, 3))]), full_matrices=False)
    axes = axes * np.linalg.det(axes)  # three rows: the sign of all makes the rotation proper
    turn = axes.T
    if len(places) and spread[2] > 30.0 * math.sqrt(len(places)) / 2:
        turn = turn @ _tilt(18.0, -24.0).T
    points = centred @ turn
    numbers = np.array([atomic_numbers.get(symbol, 0) for symbol in structure.symbols], int)
    radii = [round(8.0 + 42.0 * float(covalent_radii[number]), 1) for number in numbers]
    last = len(jmol_colors) - 1
    shades = np.rint(255 * jmol_colors[np.minimum(numbers, last)]).astype(int).tolist()
    sticks: list[tuple[int, int, float, float]] = []
    for one, two, _ in structure.bonds:
        length = float(np.linalg.norm(places[two] - places[one])) or 1.0
        start, end = (math.sqrt(radii[k] ** 2 - STICK**2) / length for k in (one, two))
        hidden = start + end >= 1.0  # the balls overlap
        sticks.append((one, two, 0.5, 0.5) if hidden else (one, two, start, 1.0 - end))
    turned = [(float(x), float(y), float(z)) for x, y, z in points]
    return Scene(
        title=structure.title,
        symbols=[symbol if symbol in atomic_numbers else "X" for symbol in structure.symbols],
        points=turned[:count],
        radii=radii,
        colours=[(r, g, b) for r, g, b in shades],
        bonds=sticks,
        corners=turned[count:],
        motions=[
            np.round(np.asarray(one.shifts, float) * 100.0 @ turn, 1).tolist()
            for one in structure.motions
        ],
    )


def _tilt(about_x: float, about_y: float) -> Any:
    import numpy as np

    (cx, sx), (cy, sy) = (
        (math.cos(math.radians(a)), math.sin(math.radians(a))) for a in (about_x, about_y)
    )
    return np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]]) @ np.array(
        [[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]]
    )


def _fit(view: Scene, width: int, height: int) -> tuple[float, float, float]:
    """Return pixels a pm, and the middle of the picture in pm."""
    lows, highs = [0.0, 0.0], [0.0, 0.0]
    for axis in (0, 1) if view.points else ():
        balls = [(p[axis], r) for p, r in zip(view.points, view.radii, strict=True)]
        balls += [(corner[axis], 0.0) for corner in view.corners]
        lows[axis] = min(x - r for x, r in balls)
        highs[axis] = max(x + r for x, r in balls)
    room = [width - 2 * MARGIN, height - 2 * MARGIN]
    scale = min(
        room[0] / (highs[0] - lows[0] or 1.0),
        room[1] / (highs[1] - lows[1] or 1.0),
        min(room) / SMALLEST_VIEW,
    )
    return scale, (lows[0] + highs[0]) / 2, (lows[1] + highs[1]) / 2


def draw(view: Scene, width: int, height: int, name: str = "atoms") -> str:
    """Draw a scene as balls and sticks.

    Args:
        view: of a crystal, the atoms of one cell as they stand.
        width: in pixels.
        height: in pixels.
        name: begins the identifiers inside, which must be unique in a page.
    """
    scale, x, y = _fit(view, width, height)
    shapes = [(point[2], ball) for point, ball in zip(view.points, _balls(view, name), strict=True)]
    shapes += [
        ((view.points[i][2] + view.points[j][2]) / 2, _stick(view, n))
        for n, (i, j, _, _) in enumerate(view.bonds)
    ]
    if view.corners:
        ends = [(view.corners[i], view.corners[j]) for i, j in EDGES]
        shapes += [((p[2] + q[2]) / 2, _edge(p, q, n)) for n, (p, q) in enumerate(ends)]
    shapes.sort(key=lambda shape: shape[0])
    kinds = dict(zip(view.symbols, view.colours, strict=True))
    atoms, bonds = len(view.points), len(view.bonds)
    counted = f"{atoms} atom{'s' * (atoms != 1)}, {bonds} bond{'s' * (bonds != 1)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="atoms" role="img" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"<title>{escape(view.title)} as balls and sticks: {counted}</title>"
        f"<defs>{''.join(_gradient(name, *kind) for kind in kinds.items())}</defs>"
        f'<g id="{name}" font-family="system-ui,sans-serif" text-anchor="middle" fill="none" '
        f'transform="translate({width / 2:g} {height / 2:g}) scale({scale:.5f}) '
        f'translate({-x:.2f} {y:.2f})">{"".join(shape for _, shape in shapes)}</g></svg>'
    )


def _gradient(name: str, symbol: str, colour: tuple[int, int, int]) -> str:
    stops = [(0, _mix(colour, 255, 0.75)), (0.45, colour), (1, _mix(colour, 0, 0.4))]
    inner = "".join(f'<stop offset="{at:g}" stop-color="rgb{c}"/>' for at, c in stops)
    return (
        f'<radialGradient id="{name}-{symbol}" cx=".36" cy=".32" r=".75">{inner}</radialGradient>'
    )


def _mix(colour: tuple[int, int, int], towards: int, share: float) -> tuple[int, int, int]:
    r, g, b = (round(part + (towards - part) * share) for part in colour)
    return r, g, b


def _balls(view: Scene, name: str) -> Iterator[str]:
    atoms = zip(view.symbols, view.points, view.radii, view.colours, strict=True)
    for index, (symbol, (x, y, _), radius, (r, g, b)) in enumerate(atoms, 1):
        if len(view.points) >= MANY:
            yield (
                f'<circle class="ball" data-n="{index - 1}" transform="translate({x:.1f} {-y:.1f})"'
                f' r="{radius}" fill="url(#{name}-{symbol})" stroke="#222"/>'
            )
            continue
        ink = "#111" if 0.299 * r + 0.587 * g + 0.114 * b > 110 else "#fff"
        size = radius * (0.9 if len(symbol) == 1 else 0.72)
        yield (
            f'<g class="ball" data-n="{index - 1}" transform="translate({x:.1f} {-y:.1f})">'
            f"<title>{symbol}, atom {index}</title>"
            f'<circle r="{radius}" fill="url(#{name}-{symbol})" stroke="#222" '
            f'stroke-opacity=".7" stroke-width="1.2"/>'
            f'<text y="{size * 0.36:.1f}" font-size="{size:.1f}" fill="{ink}">{symbol}'
            f'<tspan font-size="{size * 0.6:.1f}">{index}</tspan></text></g>'
        )


def _edge(p: tuple[float, float, float], q: tuple[float, float, float], index: int) -> str:
    """Return an edge of the cell."""
    shape = f'd="M{p[0]:.1f} {-p[1]:.1f}L{q[0]:.1f} {-q[1]:.1f}"'
    return f'<path class="edge" data-n="{index}" {shape} stroke="#888" stroke-width="3"/>'


def _stick(view: Scene, index: int) -> str:
    one, two, start, end = view.bonds[index]
    (x, y, _), (u, v, _) = view.points[one], view.points[two]
    a, m, b = (
        f"{x + (u - x) * t:.1f} {-y - (v - y) * t:.1f}" for t in (start, (start + end) / 2, end)
    )
    if len(view.points) >= MANY:
        shape = f'd="M{a}L{b}" stroke="#777" stroke-width="{2 * STICK:g}"'
        return f'<path class="stick" data-n="{index}" {shape}/>'
    halves = [_mix(view.colours[k], 0, 0.08) for k in (one, two)]
    return (
        f'<g class="stick" data-n="{index}">'
        f'<path d="M{a}L{b}" stroke="#222" stroke-width="{2 * STICK + 2:g}"/>'
        f'<path d="M{a}L{m}" stroke="rgb{halves[0]}" stroke-width="{2 * STICK:g}"/>'
        f'<path d="M{m}L{b}" stroke="rgb{halves[1]}" stroke-width="{2 * STICK:g}"/>'
        f'<path d="M{a}L{b}" stroke="#fff" stroke-opacity=".45" stroke-width="{STICK / 2:g}"/></g>'
    )
