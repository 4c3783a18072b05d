"""Point groups and symmetry numbers of structures that were built with them, and of nearly such."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats
from tests.dft.structures import CARBON_DIOXIDE, HYDROGEN, WATER, atoms, single
from triplestore.errors import InputError
from workflows.geometry.symmetry import point_group, rotor


def turn(axis: Sequence[float], degrees: float) -> Floats:
    from scipy.spatial.transform import Rotation

    unit = np.array(axis) / np.linalg.norm(axis)
    return Rotation.from_rotvec(np.radians(degrees) * unit).as_matrix()


def mirror(normal: Sequence[float]) -> Floats:
    unit = np.array(normal) / np.linalg.norm(normal)
    return np.eye(3) - 2 * np.outer(unit, unit)


X, Z, DIAGONAL, GOLDEN = (1, 0, 0), (0, 0, 1), (1, 1, 1), (0, 1, (1 + 5**0.5) / 2)
INVERSION = -np.eye(3)


def improper(n: int) -> Floats:
    return mirror(Z) @ turn(Z, 360 / n)


GENERATORS = {
    "C1": [],
    "Cs": [mirror(Z)],
    "Ci": [INVERSION],
    **{f"C{n}": [turn(Z, 360 / n)] for n in (2, 3, 5)},
    **{f"C{n}v": [turn(Z, 360 / n), mirror(X)] for n in (2, 3, 4, 6)},
    **{f"C{n}h": [turn(Z, 360 / n), mirror(Z)] for n in (2, 3, 4)},
    **{f"D{n}": [turn(Z, 360 / n), turn(X, 180)] for n in (2, 3, 4)},
    **{f"D{n}h": [turn(Z, 360 / n), turn(X, 180), mirror(Z)] for n in (2, 3, 4, 5, 6)},
    **{f"D{n}d": [improper(2 * n), mirror(X)] for n in (2, 3, 4, 5)},
    **{f"S{n}": [improper(n)] for n in (4, 6, 8)},
    "T": [turn(Z, 180), turn(DIAGONAL, 120)],
    "Td": [improper(4), turn(DIAGONAL, 120)],
    "Th": [turn(Z, 180), turn(DIAGONAL, 120), INVERSION],
    "O": [turn(Z, 90), turn(DIAGONAL, 120)],
    "Oh": [turn(Z, 90), turn(DIAGONAL, 120), INVERSION],
    "I": [turn(GOLDEN, 72), turn(DIAGONAL, 120)],
    "Ih": [turn(GOLDEN, 72), turn(DIAGONAL, 120), INVERSION],
}


def elements(generators: list[Floats]) -> list[Floats]:
    found = [np.eye(3)]
    for one in found:  # grows while it is walked
        for generator in generators:
            new = one @ generator
            if not any(np.allclose(new, old) for old in found):
                found.append(new)
    return found


def built(group: str) -> ConceptualAtoms:
    """Points in general places, each with all its images, so that no more symmetry arises."""
    members = elements(GENERATORS[group])
    scale = max(1.6, 0.55 * len(members) ** 0.5)
    numbers: list[int] = []
    places: list[Floats] = []
    points = [(6, (0.55, 0.30, 0.78)), (9, (1.02, -0.2, 0.67)), (17, (-0.4, 0.9, 0.1))]
    for number, point in points if len(members) < 24 else points[:2]:
        orbit = [scale * member @ point for member in members]
        numbers += [number] * len(orbit)
        places += orbit
    if group == "C1":
        numbers, places = [*numbers, 8], [*places, scale * np.array([0.1, -0.4, -0.7])]
    positions = np.array(places)
    apart = np.linalg.norm(positions[:, None] - positions, axis=-1) + 9 * np.eye(len(positions))
    positions *= max(1.0, 1.0 / apart.min())
    return ConceptualAtoms(numbers=numbers, positions=positions, multiplicity=1 + sum(numbers) % 2)


def shaken(given: ConceptualAtoms, noise: float) -> ConceptualAtoms:
    """Turned at random, and each coordinate off by up to the noise."""
    random = np.random.default_rng(5)
    turned = given.positions @ turn((0.3, -0.5, 0.8), 77.0).T
    return given.moved_to(turned + random.uniform(-noise, noise, turned.shape))


@pytest.mark.parametrize("group", GENERATORS)
def test_every_kind_of_group_is_found_through_noise(group: str) -> None:
    """The symmetry number of a group is the number of its rotations."""
    sigma = sum(np.linalg.det(member) > 0 for member in elements(GENERATORS[group]))
    for noise in (0.0, 1e-3, 1e-2):
        assert rotor(shaken(built(group), noise)) == (group, sigma, "nonlinear")


def test_atoms_and_linear_molecules() -> None:
    assert rotor(single(2)) == ("Kh", 1, "monatomic")
    assert rotor(HYDROGEN) == ("D∞h", 2, "linear")
    assert rotor(shaken(CARBON_DIOXIDE, 1e-2)) == ("D∞h", 2, "linear")
    prussic = atoms([1, 6, 7], [[0, 0, 0], [0, 0, 1.06], [0, 0, 2.22]])
    assert rotor(shaken(prussic, 1e-2)) == ("C∞v", 1, "linear")
    assert rotor(shaken(WATER, 1e-2)) == ("C2v", 2, "nonlinear")


def peroxide(degrees: float) -> ConceptualAtoms:
    angle, bend = np.radians(degrees), np.radians(100)
    out, along = 0.97 * np.sin(bend), 0.727 - 0.97 * np.cos(bend)
    places: list[list[float]] = [[0, 0, 0.727], [0, 0, -0.727], [out, 0, along]]
    return atoms([8, 8, 1, 1], [*places, [out * np.cos(angle), out * np.sin(angle), -along]])


def ethane(degrees: float) -> ConceptualAtoms:
    places: list[list[float]] = [[0, 0, 0.766], [0, 0, -0.766]]
    for height, start in ((1.16, 0.0), (-1.16, degrees)):
        angles = np.radians(start + 120 * np.arange(3))
        places += [[1.016 * np.cos(a), 1.016 * np.sin(a), height] for a in angles]
    return atoms([6, 6] + [1] * 6, places)


@pytest.mark.parametrize(
    ("given", "group", "number"),
    [
        (peroxide(0), "C2v", 2),
        (peroxide(10), "C2", 2),
        (peroxide(112), "C2", 2),
        (peroxide(170), "C2", 2),
        (peroxide(180), "C2h", 2),
        (ethane(0), "D3h", 6),
        (ethane(30), "D3", 6),
        (ethane(50), "D3", 6),
        (ethane(55), "D3", 6),
        (ethane(60), "D3d", 6),
    ],
)
def test_what_is_nearly_symmetric_is_not_taken_for_it(
    given: ConceptualAtoms, group: str, number: int
) -> None:
    assert rotor(shaken(given, 1e-3)) == (group, number, "nonlinear")


def test_the_tolerance_decides_and_what_is_within_it_is_a_group() -> None:
    assert point_group(ethane(55), 0.01) == "D3"
    assert point_group(ethane(55), 0.2) == "D3d"
    rough = shaken(ethane(60), 0.02)
    assert {point_group(rough, 10.0**-n) for n in (1, 2, 3)} <= {
        "D3d",
        "D3",
        "S6",
        "C3v",
        "C3",
        "C2h",
        "C2",
        "Cs",
        "Ci",
        "C1",
    }


def test_a_crystal_has_no_point_group() -> None:
    crystal = ConceptualAtoms(
        numbers=[3], positions=[[0, 0, 0]], cell=3 * np.eye(3), periodic=[True] * 3
    )
    with pytest.raises(InputError, match="space group"):
        rotor(crystal)
