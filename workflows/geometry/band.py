"""A nudged elastic band between two geometries."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.transition import ElasticBand
from ontologies.units import Floats
from triplestore.errors import GraficoError, RecipeError
from workflows.engine import context

from .following import PathFollower, engine_of
from .optimiser import Surface

COLLIDING, ASIDE = 0.5, 1.0
"""Å. Atoms of an image that are nearer to each other than the first run into each other; the
lighter of them is led aside by the second, halfway between both ends."""


@dataclass(frozen=True)
class Spanned:
    """A band where it came to rest, or where it was left.

    Attributes:
        geometries: its images in Å, shape (images, atoms, 3).
        energies: in Eh, shape (images,).
        cycles: how often all images were moved.
        at_rest: whether the forces on it fell below their thresholds.
    """

    geometries: Floats
    energies: Floats
    cycles: int
    at_rest: bool


def first_images(start: ConceptualAtoms, end: Floats, images: int) -> Floats:
    """Return geometries between two, whose distances change evenly, in Å.

    Source: image dependent pair potential, S. Smidstrup, A. Pedersen, K. Stokbro, H. Jónsson, J.
    Chem. Phys. 140, 214106 (2014), as implemented in ASE.
    """
    from ase import Atoms
    from ase.build import minimize_rotation_and_translation
    from ase.mep import NEB

    frames: list[Any] = [
        Atoms(start.symbols, start.positions if n < images - 1 else end) for n in range(images)
    ]
    minimize_rotation_and_translation(frames[0], frames[-1])
    with open(os.devnull, "w") as nowhere, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        band: Any = NEB(frames)
        band.interpolate()
        for frame, places in zip(frames, _beside(frames), strict=True):
            frame.set_positions(places)
        band.idpp_interpolate(traj=None, log=nowhere, steps=200)
    return np.array([one.get_positions() for one in frames])


def _beside(frames: Sequence[Any]) -> Floats:
    """Return the positions of images with atoms that would run into each other led aside, in Å.

    On a straight way, as hydrogen has from one end of HCN to the other, no force would do so.
    """
    places: Floats = np.array([one.get_positions() for one in frames])
    heavy: Floats = frames[0].get_masses()
    apart = places[:, :, None] - places[:, None]
    near: Floats = np.linalg.norm(apart, axis=3).min(axis=0)
    moved: dict[int, Floats] = {}
    for one, other in np.argwhere(np.triu(near < COLLIDING, 1)).tolist():
        light, still = sorted((one, other), key=lambda place: float(heavy[place]))
        way = apart[-1, light, still] - apart[0, light, still]
        across = np.cross(way, np.eye(3)[np.abs(way).argmin()])
        moved.setdefault(light, across / np.linalg.norm(across))
    arc = ASIDE * np.sin(np.linspace(0, np.pi, len(frames)))
    for place, across in moved.items():
        places[:, place] += arc[:, None] * across
    return places


def band_between(
    initial: ConceptualAtoms,
    final: ConceptualAtoms,
    level: Level,
    surface: Surface,
    images: int,
    cycles: int,
) -> ElasticBand:
    """Return the band between two minima at a level; see `span`."""
    found = span(initial, final, surface, images, cycles)
    top = int(found.energies.argmax())
    left = () if found.at_rest else (f"the band was left after {cycles} cycles, not at rest",)
    return ElasticBand(
        atoms=initial.moved_to(found.geometries[top]),
        level=level,
        energy=float(found.energies[top]),
        initial=initial,
        final=final,
        geometries=found.geometries,
        energies=found.energies,
        remarks=left,
    )


def span(
    start: ConceptualAtoms, end: ConceptualAtoms, surface: Surface, images: int, cycles: int
) -> Spanned:
    """Span a band between two geometries and let it come to rest.

    Args:
        start: one minimum.
        end: the other, its atoms numbered alike.
        surface: what it lies on.
        images: how many, the ends included.
        cycles: where to leave it.

    Raises:
        GraficoError: what the surface ended with.
        RecipeError: geomeTRIC could not span it.
    """
    from geometric.molecule import Molecule
    from geometric.neb import ElasticBand, OptimizeChain
    from geometric.params import NEBParams

    follower = PathFollower.of(start, surface)
    engine, failures = engine_of(follower)
    chain = Molecule()
    chain.elem = start.symbols
    chain.xyzs = list(first_images(start, end.positions, images))
    chain.comms = [""] * images
    chain.build_topology()
    params = NEBParams(images=images, neb_maxcyc=cycles)
    scratch = tempfile.TemporaryDirectory(dir=context().scratch)
    with scratch as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        params.prefix = os.path.join(folder, "band")
        try:
            band = ElasticBand(chain, engine, folder, params)
            found, made = OptimizeChain(band, engine, params)
        except Exception as error:
            if failures:
                raise failures[0] from None
            if isinstance(error, GraficoError):
                raise
            raise RecipeError(
                f"a band between two geometries of {start.formula} was to be spanned",
                f"geomeTRIC failed: {type(error).__name__}: {error}",
                "give a guess of the transition state, such as the highest point of a scan",
            ) from error
    return Spanned(
        np.array([one.M.xyzs[0] for one in found.Structures]),
        np.array([one.energy for one in found.Structures], float),
        int(made),
        made < cycles,
    )
