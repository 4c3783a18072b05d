"""A mode of vibration as geometries in a row, to be looked at as a film."""

from __future__ import annotations

import math

import numpy as np

from ontologies.vibrations import VibrationalAnalysis
from triplestore.errors import InputError
from workflows.show.frames import Frame, Frames
from workflows.text.words import count

WIDEST = 0.2
"""Å that the atom which goes farthest goes to each side: how far it really goes is not said."""

STEPS = 20
"""Geometries of one swing: to one side, back, to the other side, and back."""


def swing(found: VibrationalAnalysis, mode: int) -> Frames:
    """Return the geometries of one swing of a mode, which begin at the middle.

    Args:
        found: the vibrations.
        mode: its number, counted from 1 as in the table of vibrations.

    Raises:
        InputError: there is no such mode.
    """
    waves, asked = found.wavenumbers, f"mode {mode} of {found.atoms.formula} was asked for"
    if not 1 <= mode <= len(waves):
        whole = count(len(waves), "mode")
        listed = ", ".join(f"{n}: {wave:.0f}" for n, wave in list(enumerate(waves, 1))[-12:])
        raise InputError(asked, f"it has {whole}", f"choose one (cm⁻¹): {listed}")
    shape = found.modes[mode - 1]
    farthest = float(np.linalg.norm(shape, axis=1).max())
    said = f"mode {mode}, {waves[mode - 1]:.1f} 1/cm"
    frames: list[Frame] = []
    for step in range(STEPS):
        out = WIDEST / farthest * math.sin(2 * math.pi * step / STEPS)
        there = found.atoms.model_copy(update={"positions": found.atoms.positions + out * shape})
        frames.append(Frame(there, None, f"{said}, step {step + 1} of {STEPS}"))
    return Frames(tuple(frames), found)
