"""A geometry as balls and sticks: pixels, and the picture of them as PNG."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import connectivity
from ontologies.units import Floats
from workflows.text.words import numbered

WIDTH, TALL, EDGE = 900, 1400, 0.45
"""Pixels across and at most down; Å around the outermost balls."""

SMALLEST = 3.0
"""Å that a picture shows at least, so that one atom does not fill it."""

FINER = 2
"""Pixels that are computed for one that is drawn, each way, so that edges are smooth."""

TILT = (-24.0, 16.0)
"""Degrees that the plane of a molecule is turned about the axis to the right, and in itself."""

BALL, STICK, BEADS = 0.42, 0.09, 60
"""Radius of a ball beside the covalent one, that of a bond in Å, and balls that make a bond."""

LIGHT = np.array([-0.35, 0.5, 0.79])
GREY = np.array([120.0, 120.0, 120.0])


def towards(places: Floats, tilt: tuple[float, float]) -> Floats:
    """Return rows right, up and towards the reader: principal axes, the longest right, tilted.

    The turn is a proper rotation: a molecule never becomes its mirror image.

    Args:
        places: of atoms, in Å, shape (atoms, 3).
        tilt: degrees about the axis to the right, and before that about that to the reader.
    """
    centred = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(np.vstack([centred, np.zeros((3, 3))]), full_matrices=False)
    (c, s), (d, t) = ((np.cos(a), np.sin(a)) for a in np.radians(tilt))
    about_x = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return about_x @ np.array([[d, -t, 0], [t, d, 0], [0, 0, 1]]) @ (axes * np.linalg.det(axes))


def put_atoms(
    colour: Floats,
    depth: Floats,
    across: Floats,
    down: Floats,
    atoms: ConceptualAtoms,
    turn: Floats,
    sizes: tuple[float, float] = (BALL, STICK),
) -> Floats:
    """Draw balls and sticks into pixels, in front of what is behind them.

    Args:
        colour: of pixels, 0 to 255, shape (down, across, 3); changed.
        depth: how near they are, in Å, shape (down, across); changed.
        across: where they lie to the right of the middle of the atoms, in Å, ascending.
        down: where they lie above it, descending.
        atoms: the geometry.
        turn: as from `towards`.
        sizes: radius of a ball beside the covalent one, and of a stick in Å.

    Returns:
        Where the atoms stand, shape (atoms, 3).
    """
    from ase.data import covalent_radii
    from ase.data.colors import jmol_colors

    numbers, (ball, stick) = atoms.numbers, sizes
    stand = (atoms.positions - atoms.positions.mean(axis=0)) @ turn.T
    for bond in connectivity(atoms).bonds:
        one, other = stand[bond.first], stand[bond.second]
        for share in np.linspace(0, 1, BEADS):
            at = one + share * (other - one)
            _ball(colour, depth, across, down, at, stick, GREY)
    for place, radius, shade in zip(
        stand, covalent_radii[numbers], 255 * jmol_colors[numbers], strict=True
    ):
        _ball(colour, depth, across, down, place, ball * radius, 0.9 * shade)
    return stand


def _ball(
    colour: Floats,
    depth: Floats,
    across: Floats,
    down: Floats,
    at: Floats,
    radius: float,
    shade: Floats,
) -> None:
    """Draw a ball over what is behind it."""
    columns = slice(*np.searchsorted(across, [at[0] - radius, at[0] + radius]))
    rows = slice(*np.searchsorted(-down, [-at[1] - radius, -at[1] + radius]))
    x, y = np.meshgrid(across[columns] - at[0], down[rows] - at[1])
    flat = radius**2 - x**2 - y**2
    z = at[2] + np.sqrt(np.maximum(flat, 0))
    seen = (flat > 0) & (z > depth[rows, columns])
    normal = np.stack([x, y, z - at[2]], axis=-1)[seen] / radius
    colour[rows, columns][seen] = shade * (0.5 + 0.5 * np.clip(normal @ LIGHT, 0, 1))[:, None]
    depth[rows, columns][seen] = z[seen]


def draw_balls(
    atoms: ConceptualAtoms, *, width: int = WIDTH, names: bool = False, clear: bool = False
) -> bytes:
    """Draw a geometry as balls and sticks, as PNG.

    Args:
        atoms: the geometry.
        width: in pixels.
        names: whether each atom that is seen has its symbol and number, counted from 1.
        clear: whether the ground is transparent, and not white.
    """
    from ase.data import covalent_radii
    from PIL import Image, ImageDraw, ImageFont

    turn = towards(atoms.positions, TILT)
    stand = (atoms.positions - atoms.positions.mean(axis=0)) @ turn.T
    edge = BALL * covalent_radii[atoms.numbers][:, None] + EDGE
    low, high = (stand[:, :2] - edge).min(axis=0), (stand[:, :2] + edge).max(axis=0)
    middle, size = (low + high) / 2, np.maximum(high - low, SMALLEST * np.array([1.0, 0.6]))
    scale = min(width / size[0], TALL * width / WIDTH / size[1])
    wide, tall = width, round(scale * size[1])
    across = middle[0] + (np.arange(FINER * wide) + 0.5 - FINER * wide / 2) / (FINER * scale)
    down = middle[1] - (np.arange(FINER * tall) + 0.5 - FINER * tall / 2) / (FINER * scale)
    colour = np.full((len(down), len(across), 3), 255.0)
    depth = np.full(colour.shape[:2], -np.inf)
    put_atoms(colour, depth, across, down, atoms, turn)
    alpha = np.where(np.isfinite(depth), 255.0, 0.0 if clear else 255.0)
    pixels = np.concatenate([colour, alpha[..., None]], axis=-1).clip(0, 255).astype(np.uint8)
    whole = Image.fromarray(pixels).resize((wide, tall), Image.Resampling.BOX)
    if names:
        ink = ImageDraw.Draw(whole)
        font: Any = ImageFont.load_default(round(max(11.0, min(0.32 * scale, width / 36))))
        for place, said in zip(stand, numbered(atoms.symbols), strict=True):
            row, column = np.abs(down - place[1]).argmin(), np.abs(across - place[0]).argmin()
            if depth[row, column] <= place[2] + 0.6:  # nothing stands before it
                at = (float(column / FINER), float(row / FINER))
                ink.text(at, said, fill="black", font=font, anchor="mm",
                         stroke_width=2, stroke_fill="white")  # fmt: skip
    file = BytesIO()
    whole.save(file, "PNG")
    return file.getvalue()
