"""An orbital or a density as a picture: its isosurface, by casting rays through the grid."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from ontologies.connectivity import connectivity
from ontologies.units import Floats
from ontologies.wavefunction import DensityVolume, Volume

from .volumes import values_of

SIDE, EDGE, RIM = 640, 2.6, 12
"""Pixels of a side before what is empty is cut off, Å around the outermost atoms, and the rim."""

PLUS, MINUS = np.array([60.0, 110.0, 215.0]), np.array([220.0, 80.0, 60.0])
OPAQUE = 0.72
LIGHT = np.array([-0.35, 0.5, 0.79])


def isovalue(volume: Volume) -> float:
    """Return where the surface is drawn, in atomic units: usual values, less where none is met."""
    usual = 0.05 if not isinstance(volume, DensityVolume) else 0.02
    return min(usual, 0.4 * float(np.abs(values_of(volume)).max()))


def draw(volume: Volume) -> bytes:
    """Draw the isosurface of both signs, blue and red, with balls and sticks, as PNG.

    The plane of a flat molecule lies nearly along the line of sight, so that what is above and what
    is below it are seen.
    """
    from ase.data import covalent_radii
    from ase.data.colors import jmol_colors
    from PIL import Image
    from scipy.ndimage import map_coordinates

    values, places, numbers = values_of(volume), volume.atoms.positions, volume.atoms.numbers
    middle = places.mean(axis=0)
    _, _, axes = np.linalg.svd(np.vstack([places - middle, np.zeros((3, 3))]), full_matrices=False)
    turn = _tilt() @ (axes * np.linalg.det(axes))  # rows: right, up, towards the reader
    atoms = (places - middle) @ turn.T
    half = float(np.abs(atoms).max()) + EDGE
    steps = np.linspace(-half, half, SIDE)
    x, y = np.meshgrid(steps, -steps)
    colour, depth = np.full((SIDE, SIDE, 3), 255.0), np.full((SIDE, SIDE), -np.inf)
    radii = covalent_radii[numbers]
    for bond in connectivity(volume.atoms).bonds:
        one, other = atoms[bond.first], atoms[bond.second]
        for share in np.linspace(0, 1, 40):
            _ball(colour, depth, x, y, one + share * (other - one), 0.08, GREY)
    for place, radius, shade in zip(atoms, radii, 255 * jmol_colors[numbers], strict=True):
        _ball(colour, depth, x, y, place, 0.38 * radius, 0.9 * shade)
    level, inverse = isovalue(volume), np.linalg.inv(volume.axes)

    def index(z: Any) -> Floats:
        points = np.stack([x, y, np.broadcast_to(z, x.shape)], axis=-1) @ turn + middle
        return np.moveaxis((points - volume.origin) @ inverse, -1, 0)

    hit, before = np.full((SIDE, SIDE), np.nan), np.zeros((SIDE, SIDE))
    step = 0.5 * float(np.linalg.norm(volume.axes, axis=1).min())
    for z in np.arange(half, -half, -step):
        now = np.abs(map_coordinates(values, index(z), order=1))
        new = np.isnan(hit) & (now >= level)
        hit[new] = z + step * (now[new] - level) / np.maximum(now[new] - before[new], 1e-12)
        before = now
    met = ~np.isnan(hit)
    at = index(np.where(met, hit, 0.0))
    sign = map_coordinates(values, at, order=1) > 0
    slope = np.stack([map_coordinates(part, at, order=1) for part in np.gradient(values)], axis=-1)
    normal = (slope @ inverse.T) @ turn.T * np.where(sign, -1.0, 1.0)[..., None]
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-12
    shade = 0.45 + 0.6 * np.clip(normal @ LIGHT, 0, 1)
    skin = np.clip(np.where(sign[..., None], PLUS, MINUS) * shade[..., None], 0, 255)
    front = met & (hit > depth)
    colour[front] = OPAQUE * skin[front] + (1 - OPAQUE) * colour[front]
    inked = np.argwhere((colour < 255).any(axis=-1))
    (top, left), (bottom, right) = np.maximum(inked.min(0) - RIM, 0), inked.max(0) + RIM
    pixels = colour[top:bottom, left:right].clip(0, 255).astype(np.uint8)
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


GREY = np.array([120.0, 120.0, 120.0])


def _tilt() -> Floats:
    (c, s), (d, t) = ((np.cos(a), np.sin(a)) for a in np.radians((-68.0, 25.0)))
    about_x = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return about_x @ np.array([[d, -t, 0], [t, d, 0], [0, 0, 1]])


def _ball(
    colour: Floats, depth: Floats, x: Floats, y: Floats, at: Floats, radius: float, shade: Floats
) -> None:
    """Draw a ball over what is behind it."""
    flat = radius**2 - (x - at[0]) ** 2 - (y - at[1]) ** 2
    z = at[2] + np.sqrt(np.maximum(flat, 0))
    seen = (flat > 0) & (z > depth)
    normal = np.stack([x - at[0], y - at[1], z - at[2]], axis=-1)[seen] / radius
    colour[seen] = shade * (0.5 + 0.5 * np.clip(normal @ LIGHT, 0, 1))[:, None]
    depth[seen] = z[seen]
