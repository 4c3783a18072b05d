"""Copies that were moved and renumbered are found, whatever else resembles them is not."""

from __future__ import annotations

import itertools
import time
import warnings
from collections.abc import Callable
from typing import Annotated, Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic.fields import FieldInfo
from scipy.spatial.transform import Rotation

from ogm import Moves, Shaped
from ogm.terms import Role
from ontologies.alignment import LARGEST, WORK, aligned, superposed
from ontologies.atoms import EXACT, ROUNDED, ConceptualAtoms
from ontologies.schema import classes
from tests.ontologies.structures import build, moved, named, salt, shifted, slab, structures
from workflows.engine.execution.calculation import NEAR

MOLECULES = [
    "H2", "CO2", "H2O", "NH3", "CH4", "C2H4", "C6H6", "SF6", "CH3CH2OH", "isobutane", "CHFClBr",
    "H2O2", "C60", "fullerene", "chain",
]  # fmt: skip
AXES: dict[str, Role] = {
    "atoms": "item", "modes": "fixed", "steps": "fixed", "vectors": "fixed", "axes": "fixed",
    "states": "fixed", "orbitals": "fixed", "pairs": "fixed", "angles": "fixed",
    "first": "fixed", "second": "fixed", "third": "fixed", "frames": "fixed", "places": "fixed",
    "connections": "fixed", "frameworks": "fixed",
    "functions": "fixed",  # of orbitals, which belong to one orientation alone
}  # fmt: skip


def molecule(name: str) -> ConceptualAtoms:
    """A molecule by its name; `fullerene` is C60 with the whole symmetry of the icosahedron."""
    match name:
        case "fullerene":
            golden = (1 + 5**0.5) / 2
            corners = [(0, 1, 3 * golden), (1, 2 + golden, 2 * golden), (golden, 2, 2 * golden + 1)]
            signs = np.array(np.meshgrid([1, -1], [1, -1], [1, -1])).reshape(3, -1).T
            every = [np.roll(c * signs, k, axis=1) for c in corners for k in range(3)]
            return build(numbers=[6] * 60, positions=np.unique(np.vstack(every), axis=0) * 0.717)
        case "chain":  # a helix of residues without any symmetry, 100 atoms
            i = np.arange(100)
            spine = np.array([2.3 * np.cos(i * 1.75), 2.3 * np.sin(i * 1.75), i * 0.5]).T
            noise = np.random.default_rng(0).uniform(-0.3, 0.3, (100, 3))
            return build(numbers=np.array([7, 6, 6, 8, 1])[i % 5], positions=spine + noise)
        case "H2O2":
            return build(
                numbers=[8, 8, 1, 1],
                positions=[[0, 0.7, 0], [0, -0.7, 0], [0.8, 0.9, 0.45], [-0.8, -0.9, 0.45]],
            )
        case _:
            return named(name)


def rounded(atoms: ConceptualAtoms, decimals: int) -> ConceptualAtoms:
    """The structure as it is read from a file with so many decimals."""
    rows = [[float(f"{x:.{decimals}f}") for x in row] for row in atoms.positions.tolist()]
    return atoms.moved_to(np.array(rows))


# --- what says how it moves ---------------------------------------------------------------------


def shape_of(annotation: Any) -> Shaped:
    """The shape of an array field, also of one that may be None."""
    if isinstance(annotation, FieldInfo):
        annotation = Annotated[annotation.annotation, *annotation.metadata, None]
    parts = [annotation]
    while parts:
        part = parts.pop()
        if isinstance(part, Shaped):
            return part
        parts += get_args(part)
    raise AssertionError(f"{annotation} has no shape")


def test_every_array_says_how_it_moves() -> None:
    arrays = [(cls, plan) for cls in classes() for plan in cls.fields() if plan.kind == "array"]
    assert {plan.name for _, plan in arrays} >= {"positions", "numbers", "cell", "modes", "hessian"}
    for cls, plan in arrays:
        shape = shape_of(cls.model_fields[plan.name])
        axes = [axis.split()[-1] for axis in shape.shape.split(",")]
        assert isinstance(plan.moves, Moves), f"{cls.__name__}.{plan.name} does not say it"
        if plan.moves.roles == ("index",):
            continue
        for axis, role in zip(axes, plan.moves.roles, strict=True):
            if axis == "xyz":
                assert role in ("vector", "point") or plan.name == "cell"
            else:
                assert role == AXES[axis], f"{cls.__name__}.{plan.name}: {axis} is {role}"


# --- copies -------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(st.sampled_from(MOLECULES), st.integers(0, 2**32), st.sampled_from([5, 6, None]))
def test_copies_are_found_and_the_motion_is_undone(name: str, seed: int, decimals: int) -> None:
    atoms = molecule(name)
    copy, original = moved(atoms, seed), moved(atoms, seed + 1)
    if decimals:
        copy, original = rounded(copy, decimals), rounded(original, decimals)
    assert copy.coarse()[0] == original.coarse()[0]
    assert abs(copy.extent - original.extent) < NEAR
    motion = copy.motion_from(original)
    assert motion is not None
    back = original.transformed(motion)
    off = np.linalg.norm(back.positions - copy.positions, axis=1).max()
    assert back.numbers.tolist() == copy.numbers.tolist()
    assert off == pytest.approx(motion.deviation, abs=1e-12)
    assert off <= {5: 2e-5, 6: 2e-6, None: 1e-12}[decimals]
    rotation = np.array(motion.rotation)
    assert rotation @ rotation.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(rotation) == pytest.approx(1)


@settings(max_examples=100)
@given(structures(), st.integers(0, 2**32))
def test_any_motion_of_any_molecule_is_undone(atoms: ConceptualAtoms, seed: int) -> None:
    if atoms.cell is not None:
        atoms = atoms.model_copy(update={"cell": None, "periodic": None})
    copy = moved(atoms, seed)
    motion = copy.motion_from(atoms)
    assert motion is not None
    carried = atoms.transformed(motion)
    assert carried.numbers.tolist() == copy.numbers.tolist()
    assert carried.positions == pytest.approx(copy.positions, abs=1e-11)
    assert (carried.charge, carried.multiplicity) == (copy.charge, copy.multiplicity)


@settings(max_examples=60)
@given(st.integers(2, 200), st.integers(0, 2**32), st.sampled_from([5, 6]))
def test_copies_from_files_are_always_candidates(count: int, seed: int, decimals: int) -> None:
    """Up to 200 atoms, both rounded: the extents never differ by more than the atoms are off."""
    rng = np.random.default_rng(seed)
    places = rng.permutation(512)[:count]
    grid = np.array([[n % 8, n // 8 % 8, n // 64] for n in places]) * 1.5
    points = grid + rng.uniform(-0.5, 0.5, (count, 3))
    atoms = build(numbers=rng.choice([1, 6, 7, 8, 16], count), positions=points, multiplicity=None)
    one, two = (rounded(moved(atoms, seed + i), decimals) for i in (1, 2))
    motion = one.motion_from(two)
    assert motion is not None
    assert abs(one.extent - two.extent) <= motion.deviation + 1e-12 < NEAR
    assert two.likenesses()[0] in one.likenesses(NEAR), "stores find one by the other"
    assert set(one.likenesses()) <= set(one.likenesses(1e-9)) <= set(one.likenesses(NEAR))
    assert len(one.likenesses(NEAR)) <= 4


def test_likenesses_tell_shapes_of_one_extent_apart() -> None:
    line = build(numbers=[6, 6, 6, 6], positions=[[x, 0, 0] for x in (-3, -1, 1, 3)])
    points = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) * (5 / 3) ** 0.5
    tetrahedron = build(numbers=[6, 6, 6, 6], positions=points)
    assert tetrahedron.extent == pytest.approx(line.extent, abs=1e-12)
    assert not set(line.likenesses(NEAR)) & set(tetrahedron.likenesses(NEAR))
    other = build(numbers=[6, 6, 6, 6], positions=line.positions, charge=2)
    assert not set(line.likenesses(NEAR)) & set(other.likenesses(NEAR))


def test_the_rotation_is_that_of_independent_code() -> None:
    atoms = molecule("chain")
    copy = rounded(moved(atoms, 3), 5)
    motion = copy.motion_from(atoms)
    assert motion is not None
    assert motion.order is not None
    others = atoms.positions[list(motion.order)]
    centred, from_centre = (p - p.mean(axis=0) for p in (copy.positions, others))
    rotation = Rotation.align_vectors(centred, from_centre)[0].as_matrix()
    assert np.array(motion.rotation) == pytest.approx(rotation, abs=1e-10)


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.booleans())
def test_against_trying_every_numbering(seed: int, mirror: bool) -> None:
    """Five atoms of a lattice are often symmetric, and often their own mirror image."""
    rng = np.random.default_rng(seed)
    places = rng.permutation(27)[:5]
    points = np.array([[n % 3, n // 3 % 3, n // 9] for n in places]) * 1.5
    atoms = build(numbers=rng.choice([6, 8], 5), positions=points)
    copy = moved(atoms, seed, mirror=mirror)
    centred = copy.positions - copy.positions.mean(axis=0)
    found = False
    for numbering in itertools.permutations(range(5)):
        order = list(numbering)
        if (atoms.numbers[order] == copy.numbers).all():
            others = points[order] - points.mean(axis=0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that atoms in a row leave the rotation open
                rotation = Rotation.align_vectors(centred, others)[0]
            found |= bool(np.abs(rotation.apply(others) - centred).max() < 1e-6)
    assert (copy.motion_from(atoms) is not None) == found
    assert found or mirror


def test_the_numbering_stays_where_it_can() -> None:
    """A rotated benzene fits in twelve ways; nobody asked for another numbering."""
    atoms = molecule("C6H6")
    turned = atoms.moved_to(atoms.positions[:, [1, 2, 0]] + 1.0)
    motion = turned.motion_from(atoms)
    assert motion is not None
    assert motion.order is None
    assert motion.is_turned
    motion = shifted(atoms, 1.0, 2.0, 3.0).motion_from(atoms)
    assert motion is not None
    assert motion.translation == pytest.approx((1.0, 2.0, 3.0))
    assert not motion.is_turned


def test_of_several_motions_the_best_is_taken() -> None:
    """A square with one corner out of place: of four rotations one leaves nothing over."""
    corners = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0.0]]) * 1.2
    corners[0] += [1.2e-5, 0.3e-5, 0]
    atoms = build(numbers=[6] * 4, positions=corners)
    order = [2, 3, 0, 1]
    copy = atoms.model_copy(update={"positions": atoms.positions[order].round(6)})
    motion = aligned(copy, atoms, 2e-5)
    assert motion is not None
    assert motion.deviation < 2e-5
    assert motion.order is None  # as it stands it lies within the tolerance
    other = aligned(copy, atoms, 1e-6)
    assert other is not None
    assert other.order is not None
    assert other.deviation < 1e-6


# --- what is no copy ----------------------------------------------------------------------------


def test_mirror_images_are_copies_only_where_a_rotation_makes_them_so() -> None:
    for name, same in {
        "CHFClBr": False,
        "H2O2": False,
        "chain": False,
        "CH4": True,
        "C6H6": True,
        "H2O": True,
        "C2H4": True,
        "fullerene": True,
        "CH3CH2OH": True,
    }.items():
        atoms = molecule(name)
        for seed in range(3):
            assert (atoms.motion_from(moved(atoms, seed, mirror=True)) is not None) == same, name


def test_the_tolerance_is_what_the_decimals_leave_open() -> None:
    atoms = molecule("CH3CH2OH")
    exact = moved(atoms, 1)
    five, six = rounded(exact, 5), rounded(exact, 6)
    assert (five.uncertainty, six.uncertainty, exact.uncertainty) == (*ROUNDED, EXACT)
    assert (rounded(exact, 2).uncertainty, rounded(exact, 9).uncertainty) == (ROUNDED[0], EXACT)

    def pushed(start: ConceptualAtoms, by: float) -> ConceptualAtoms:
        positions = start.positions.copy()
        positions[2] += by * np.array([0.6, 0.0, 0.8])
        return moved(start.moved_to(positions), 2)

    for this, most in ((five, 1e-5 + 1e-7), (six, 1e-6 + 1e-7), (exact, 2e-7)):
        assert this.motion_from(pushed(this, most * 0.9)) is not None
        assert this.motion_from(pushed(this, most * 1.7)) is None


def test_what_differs_is_not_taken_for_the_same() -> None:
    atoms = molecule("CH3CH2OH")
    for change in ({"charge": 2}, {"multiplicity": 3}):
        assert atoms.motion_from(moved(atoms.model_copy(update=change), 1)) is None
    assert atoms.motion_from(moved(molecule("H2O"), 1)) is None
    assert atoms.motion_from(moved(named("CH3OCH3"), 1)) is None
    swapped = atoms.numbers.copy()
    swapped[[0, 2]] = swapped[[2, 0]]
    other = atoms.model_copy(update={"numbers": swapped})
    assert atoms.motion_from(moved(other, 1)) is None
    conformer = atoms.to_ase()
    conformer.rotate_dihedral(0, 1, 2, 3, 1.0, indices=[3])
    other = ConceptualAtoms.from_ase(conformer)
    assert atoms.motion_from(moved(other, 1)) is None
    assert atoms.motion_from(named("H2O")) is None


@pytest.mark.parametrize("make", [salt, slab])
def test_structures_with_a_cell_are_only_shifted(make: Callable[[], ConceptualAtoms]) -> None:
    crystal = make()
    copy = shifted(crystal, 0.1, 0.2, 0.3)
    motion = copy.motion_from(crystal)
    assert motion is not None
    assert not motion.is_turned
    assert motion.order is None
    turned = crystal.moved_to(crystal.positions[:, [1, 2, 0]] + 0.01)
    assert crystal.motion_from(turned) is None
    order = np.arange(len(crystal.numbers))[::-1]
    backwards = {"numbers": crystal.numbers[order], "positions": crystal.positions[order]}
    assert crystal.motion_from(crystal.model_copy(update=backwards)) is None


# --- how long it takes --------------------------------------------------------------------------


def quickest(function: Callable[[], object]) -> float:
    times: list[float] = []
    for _ in range(3):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.parametrize("name", ["C6H6", "C60", "fullerene", "chain", "ring"])
def test_alignment_is_quick(name: str) -> None:
    """Sixty like atoms in a ring or a ball take 10 ms on one core, and the limit leaves room."""
    angles = np.arange(60) * 2 * np.pi / 60
    points = 14 * np.array([np.cos(angles), np.sin(angles), 0 * angles]).T
    atoms = build(numbers=[6] * 60, positions=points) if name == "ring" else molecule(name)
    copy = rounded(moved(atoms, 3), 5)
    assert copy.motion_from(atoms) is not None
    assert quickest(lambda: copy.motion_from(atoms)) < 5


def test_hostile_structures_end_soon() -> None:
    """Rings of many like atoms: as many rotations as atoms squared if nobody stopped."""
    for count in (600, LARGEST + 1):
        angles = np.arange(count) * 2 * np.pi / count
        radius = count * 0.25 / (2 * np.pi)
        ring = np.array([np.cos(angles), np.sin(angles), 0 * angles]).T * radius
        atoms = build(numbers=[1] * count, positions=ring)
        wavy = ring + [[0, 0, 0.05 * (n % 7 == 0) * (n < 300)] for n in range(count)]
        other = moved(atoms.moved_to(wavy), 1)
        assert WORK // count < 2 * count
        assert quickest(lambda a=atoms, b=other: a.motion_from(b)) < 30
        assert atoms.motion_from(other) is None
        same = atoms.moved_to(atoms.positions[:, [1, 2, 0]])
        assert same.motion_from(atoms) is not None, "as numbered it is found at once"


def test_the_loose_comparison_finds_what_the_strict_one_does() -> None:
    for name in MOLECULES:
        atoms = molecule(name)
        assert superposed(atoms, moved(atoms, 5), 1e-4)


def test_a_displacement_of_some_atoms_is_no_rounding() -> None:
    bond = ConceptualAtoms(numbers=[1, 1], positions=[[0, 0, 0], [0, 0, 0.74]])
    for step in (1e-5, 2e-5, -1e-5):
        longer = ConceptualAtoms(numbers=[1, 1], positions=[[0, 0, 0], [0, 0, 0.74 + step]])
        assert longer.motion_from(bond) is None
        assert bond.motion_from(longer) is None
