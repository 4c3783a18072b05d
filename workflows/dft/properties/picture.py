"""An orbital or a density as a picture: its isosurface, by casting rays through the grid."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from ontologies.connectivity import connectivity
from ontologies.units import Floats
from ontologies.wavefunction import DensityVolume, PotentialVolume, Volume

from .potential import SURFACE, extremes
from .volumes import values_of

ACROSS, TALL, COARSE, EDGE, RIM = 900, 1400, 160, 2.6, 24
"""Pixels: the width, the largest height, and a side of the sketch that says where something is; Å
around the outermost atoms; and pixels around what is drawn."""

LETTERS = 24
"""Pixels of a line of the caption are this and a third."""

PLUS, MINUS = np.array([60.0, 110.0, 215.0]), np.array([220.0, 80.0, 60.0])
OBLIQUE, FACE = (-68.0, 25.0), (-22.0, 12.0)
"""Degrees that the plane of a molecule is tilted: orbitals are seen on both sides of it, a
potential from above, where all atoms are beside each other."""

OPAQUE, USUAL = 0.72, 0.05
"""Share of a surface's colour where something is behind it; Eh/e where the colours of a potential
end if the grid does not hold all of the surface."""
LIGHT = np.array([-0.35, 0.5, 0.79])


def isovalue(volume: Volume) -> float:
    """Return where the surface is drawn, in atomic units: usual values, less where none is met.

    A potential is drawn on the surface of the density.
    """
    if isinstance(volume, PotentialVolume):
        return min(SURFACE, 0.4 * float(volume.density.max()))
    usual = 0.05 if not isinstance(volume, DensityVolume) else 0.02
    return min(usual, 0.4 * float(np.abs(values_of(volume)).max()))


def draw(volume: Volume, caption: str = "") -> bytes:
    """Draw the isosurface of both signs, blue and red, with balls and sticks, as PNG.

    A potential colours the surface of the density: red where it is negative, blue where positive.

    The plane of a flat molecule lies nearly along the line of sight, so that what is above and what
    is below it are seen; a potential is seen from above.

    Args:
        volume: what is drawn.
        caption: lines to stand below it.
    """
    from PIL import Image, ImageDraw, ImageFont

    half = _half(volume)
    steps = np.linspace(-half, half, COARSE)
    rows, columns = np.nonzero((_cast(volume, steps, -steps) < 255).any(axis=-1))
    pad = 2.0 * (steps[1] - steps[0])
    left, right = steps[columns.min()] - pad, steps[columns.max()] + pad
    top, bottom = -steps[rows.min()] + pad, -steps[rows.max()] - pad
    room = ACROSS - 2 * RIM
    scale = min(room / (right - left), (TALL - 2 * RIM) / (top - bottom))
    wide, high = round(scale * (right - left)), round(scale * (top - bottom))
    pixels = _cast(volume, np.linspace(left, right, wide), np.linspace(top, bottom, high))
    lines = caption.splitlines()
    line = LETTERS * 4 // 3
    whole = Image.new("RGB", (ACROSS, high + 2 * RIM + line * len(lines)), "white")
    drawn = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    whole.paste(drawn, ((ACROSS - wide) // 2, RIM))
    ink = ImageDraw.Draw(whole)
    for number, text in enumerate(lines):
        size = LETTERS
        while size > LETTERS // 2 and ink.textlength(text, _font(ImageFont, size)) > room:
            size -= 1
        place = (ACROSS / 2, high + 1.5 * RIM + line * number)
        ink.text(place, text, fill="black", font=_font(ImageFont, size), anchor="ma")
    file = BytesIO()
    whole.save(file, "PNG")
    return file.getvalue()


def _font(fonts: Any, size: int) -> Any:
    return fonts.load_default(size)


def _half(volume: Volume) -> float:
    """Return half a side of the square that holds all that is drawn, in Å."""
    places = volume.atoms.positions
    return float(np.linalg.norm(places - places.mean(axis=0), axis=1).max()) + EDGE


def _cast(volume: Volume, across: Floats, down: Floats) -> Floats:
    """Return the colours of pixels, whose places are given in Å from the middle of the atoms."""
    from ase.data import covalent_radii
    from ase.data.colors import jmol_colors
    from scipy.ndimage import map_coordinates

    potential = volume.electrostatic_potential if isinstance(volume, PotentialVolume) else None
    values = volume.density if isinstance(volume, PotentialVolume) else values_of(volume)
    places, numbers = volume.atoms.positions, volume.atoms.numbers
    middle = places.mean(axis=0)
    _, _, axes = np.linalg.svd(np.vstack([places - middle, np.zeros((3, 3))]), full_matrices=False)
    turn = _tilt(*(OBLIQUE if potential is None else FACE)) @ (
        axes * np.linalg.det(axes)
    )  # rows: right, up, towards the reader
    atoms = (places - middle) @ turn.T
    half = _half(volume)
    x, y = np.meshgrid(across, down)
    colour, depth = np.full((*x.shape, 3), 255.0), np.full(x.shape, -np.inf)
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

    hit, before = np.full(x.shape, np.nan), np.zeros(x.shape)
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
    skin = np.where(sign[..., None], PLUS, MINUS)
    if potential is not None:
        skin = _shades(map_coordinates(potential, at, order=1) / reach(volume))
    skin = np.clip(skin * shade[..., None], 0, 255)
    front = met & (hit > depth)
    colour[front] = OPAQUE * skin[front] + (1 - OPAQUE) * colour[front]
    return colour


def reach(volume: Volume) -> float:
    """Return the potential at which its colours end, in Eh/e: the largest there is, to a digit."""
    ends = extremes(volume) if isinstance(volume, PotentialVolume) else None
    most = max(map(abs, ends)) if ends else USUAL
    power = 10.0 ** np.floor(np.log10(max(most, 1e-4)))
    return float(np.ceil(most / power - 1e-9) * power)


def _shades(shares: Floats) -> Floats:
    """Return colours from red (-1) by white (0) to blue (1)."""
    part = np.clip(shares, -1.0, 1.0)[..., None]
    return 245.0 + np.abs(part) * (np.where(part > 0, PLUS, MINUS) - 245.0)


GREY = np.array([120.0, 120.0, 120.0])


def _tilt(about_x: float, about_z: float) -> Floats:
    (c, s), (d, t) = ((np.cos(a), np.sin(a)) for a in np.radians((about_x, about_z)))
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
