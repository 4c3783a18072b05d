"""An orbital or a density as a picture: its isosurface, by casting rays through the grid."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from ontologies.units import Floats
from ontologies.wavefunction import DensityVolume, PotentialVolume, Volume
from workflows.molecule.balls import LIGHT, put_atoms, towards

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
    from scipy.ndimage import map_coordinates

    potential = volume.electrostatic_potential if isinstance(volume, PotentialVolume) else None
    values = volume.density if isinstance(volume, PotentialVolume) else values_of(volume)
    turn = towards(volume.atoms.positions, OBLIQUE if potential is None else FACE)
    middle, half = volume.atoms.positions.mean(axis=0), _half(volume)
    x, y = np.meshgrid(across, down)
    colour, depth = np.full((*x.shape, 3), 255.0), np.full(x.shape, -np.inf)
    put_atoms(colour, depth, across, down, volume.atoms, turn, (0.38, 0.08))
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
