"""Pictures of orbitals: an isosurface whose outline is known."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.wavefunction import OrbitalVolume
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.picture import ACROSS, _cast, draw, isovalue  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_sphere_is_drawn_as_large_as_it_is(sign: float) -> None:
    """exp(-r²/2) falls to 0.05 at r = sqrt(2 ln 20) = 2.448, at 0.02 Å a pixel."""
    level = resolve_level("HF", "STO-3G", "unrestricted").level
    assert isinstance(level, LevelOfTheory)
    at = np.linspace(-3, 3, 41)
    x, y, z = np.meshgrid(at, at, at, indexing="ij")
    volume = OrbitalVolume(
        atoms=ConceptualAtoms(numbers=[1], positions=np.zeros((1, 3)), multiplicity=2),
        level=level,
        orbital=1,
        orbital_energy=-0.5,
        occupation=1.0,
        origin=np.full(3, -3.0),
        axes=np.eye(3) * 0.15,
        amplitudes=sign * np.exp(-(x**2 + y**2 + z**2) / 2),
    )
    assert isovalue(volume) == 0.05
    at = np.arange(-2.9, 2.9, 0.02)
    inked = (_cast(volume, at, -at) < 255).any(axis=-1)
    assert np.sqrt(inked.sum() / np.pi) * 0.02 == pytest.approx(2.448, rel=0.01)
    pixels = np.asarray(Image.open(io.BytesIO(draw(volume))).convert("RGB"), float)
    assert pixels.shape[1] == ACROSS
    red, _, blue = pixels[len(pixels) // 2, len(pixels[0]) // 4]
    assert (blue > red) == (sign > 0)
