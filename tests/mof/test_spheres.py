"""The largest spheres in and through a crystal, where they are known exactly or by brute force."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import PoreSettings
from ontologies.units import Floats
from workflows.mof.cleaning import read_crystal
from workflows.mof.pores import pores
from workflows.mof.spheres import spheres

ITQ_29 = """data_ITQ-29
_cell_length_a 11.8671
_cell_length_b 11.8671
_cell_length_c 11.8671
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'P m -3 m'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Si1 Si 0.3683 0.1847 0
O1 O 0.5 0.2179 0
O2 O 0.2939 0.2939 0
O3 O 0.3429 0.1098 0.1098
"""
"""Of A. Corma and others, Nature 431, 287 (2004); coordinates from memory."""

TURN = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]


def crystal(edge: float, places: list[tuple[float, float, float]]) -> ConceptualAtoms:
    """A cubic crystal of carbon and silicon, turned so that no axis of it is one of space."""
    cell = edge * np.eye(3) @ TURN
    return ConceptualAtoms(
        numbers=[6, 14, 8, 7][: len(places)],
        positions=np.array(places) @ cell,
        cell=cell,
        periodic=[True] * 3,
    )


def test_simple_cubic() -> None:
    """The sphere in the middle touches eight atoms, that through a face four."""
    found = spheres(crystal(10.0, [(0.1, 0.2, 0.3)]), np.array([1.7]))
    assert found is not None
    assert found.largest_cavity == pytest.approx(10 * math.sqrt(3) - 3.4, abs=1e-4)
    assert found.pore_limiting == pytest.approx(10 * math.sqrt(2) - 3.4, abs=1e-4)
    assert found.largest_free_path == found.largest_cavity


def brute(edge: float, places: list[tuple[float, float, float]], radii: Floats) -> float:
    """The largest sphere by looking at ever finer points, without any of our own code."""
    images = np.array(list(itertools.product((-1, 0, 1, 2), repeat=3)))
    all_places = (np.array(places)[:, None] + images[None]).reshape(-1, 3) * edge
    sizes = np.repeat(radii, len(images))

    def room(points: Floats) -> Floats:
        apart = np.linalg.norm(points[:, None] - all_places[None], axis=2)
        return (apart - sizes).min(axis=1)

    axis = np.arange(16) / 16 * edge
    points = np.array(list(itertools.product(axis, repeat=3)))
    width, best = edge / 16, 0.0
    ball = np.array(list(itertools.product((-1, -0.5, 0, 0.5, 1), repeat=3)))
    for _ in range(14):
        found = room(points)
        best = float(found.max())
        kept = points[np.argsort(-found)[:24]]
        points = (kept[:, None] + width * ball[None]).reshape(-1, 3)
        width /= 2
    return 2 * best


@pytest.mark.parametrize(
    ("places", "radii"),
    [
        ([(0, 0, 0), (0.5, 0.5, 0.5)], [1.2, 2.4]),
        ([(0, 0, 0), (0.5, 0.5, 0.5)], [2.0, 1.0]),
        ([(0, 0, 0), (0.45, 0.2, 0.3), (0.7, 0.6, 0.1)], [1.0, 2.2, 1.5]),
    ],
)
def test_atoms_of_different_size(
    places: list[tuple[float, float, float]], radii: list[float]
) -> None:
    found = spheres(crystal(9.0, places), np.array(radii))
    assert found is not None
    assert found.largest_cavity == pytest.approx(brute(9.0, places, np.array(radii)), abs=2e-3)


def test_a_passage_between_large_and_small() -> None:
    """Perovskite without its large ion: the way through a face is between four oxygens."""
    edge, small, large = 8.0, 1.0, 1.9
    places = [(0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.5)]
    atoms = crystal(edge, places)
    found = spheres(atoms, np.array([small, large, large, large]))
    assert found is not None
    assert found.pore_limiting == pytest.approx(edge - 2 * large, abs=1e-4)
    assert found.largest_cavity == pytest.approx(edge * math.sqrt(2) - 2 * large, abs=1e-4)


def test_nothing_goes_through_a_dense_crystal() -> None:
    assert spheres(crystal(2.0, [(0, 0, 0)]), np.array([1.8])) is None


def test_itq_29(tmp_path: Path) -> None:
    """In the middle of the cage silicon is nearest: twice its distance less its radius, 2.1 Å."""
    (tmp_path / "itq-29.cif").write_text(ITQ_29)
    atoms = read_crystal(tmp_path / "itq-29.cif").atoms
    found = pores(atoms, PoreSettings(area_samples=20, volume_samples=200)).diameters
    assert found is not None
    middle = 11.8671 * math.sqrt(0.1317**2 + 0.3153**2 + 0.5**2)
    assert found.largest_cavity == pytest.approx(2 * (middle - 2.1), abs=1e-3)
    assert found.largest_cavity == pytest.approx(10.174, abs=1e-3)
    assert found.largest_free_path == found.largest_cavity
    assert found.pore_limiting == pytest.approx(3.655, abs=2e-3)
