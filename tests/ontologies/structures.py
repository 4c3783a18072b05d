"""Molecules, crystals and their motions."""

from typing import Any

import numpy as np
from ase import Atoms
from ase.build import bulk, fcc111, molecule
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from ontologies.atoms import ConceptualAtoms


def build(**values: Any) -> ConceptualAtoms:
    """A structure from whatever is given."""
    return ConceptualAtoms(**values)


def named(name: str) -> ConceptualAtoms:
    """A molecule of the G2 set, or one of a few others."""
    if name == "SF6":
        axes = np.vstack([np.zeros(3), 1.56 * np.eye(3), -1.56 * np.eye(3)])
        return build(numbers=[16] + [9] * 6, positions=axes)
    if name == "CHFClBr":
        tetrahedron = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / 3**0.5
        lengths = np.array([1.09, 1.36, 1.76, 1.94])[:, None]
        points = np.vstack([np.zeros(3), tetrahedron * lengths])
        return build(numbers=[6, 1, 9, 17, 35], positions=points)
    return of_ase(molecule(name))


def of_ase(atoms: Atoms, **values: Any) -> ConceptualAtoms:
    return ConceptualAtoms.from_ase(atoms, **values)


def moved(atoms: ConceptualAtoms, seed: int, mirror: bool = False) -> ConceptualAtoms:
    """The same molecule turned, shifted and renumbered (and mirrored)."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(atoms.numbers))
    points = atoms.positions * ([-1, 1, 1] if mirror else [1, 1, 1])
    points = points @ Rotation.from_quat(rng.normal(size=4)).as_matrix().T + rng.normal(size=3) * 5
    return atoms.model_copy(update={"numbers": atoms.numbers[order], "positions": points[order]})


def shifted(atoms: ConceptualAtoms, *shift: float) -> ConceptualAtoms:
    return atoms.moved_to(atoms.positions + np.array(shift))


def salt(cubic: bool = False, a: float = 5.64) -> ConceptualAtoms:
    return of_ase(bulk("NaCl", "rocksalt", a=a, cubic=cubic))


def slab() -> ConceptualAtoms:
    atoms = fcc111("Al", (2, 2, 3), vacuum=8.0)
    assert list(atoms.pbc) == [True, True, False]
    return of_ase(atoms)


@st.composite
def structures(draw: st.DrawFn) -> ConceptualAtoms:
    """Any elements at places a grid apart, charged or not, in a cell or not."""
    count = draw(st.integers(1, 8))
    numbers = draw(st.lists(st.integers(1, 109), min_size=count, max_size=count))
    jitter = draw(st.lists(st.floats(-0.5, 0.5), min_size=3 * count, max_size=3 * count))
    grid = np.array([[n % 2, n // 2 % 2, n // 4] for n in range(count)]) * 3.0 + 0.6
    charge = draw(st.integers(-3, min(3, sum(numbers))))
    electrons = sum(numbers) - charge
    unpaired = electrons % 2 + 2 * draw(st.integers(0, 1 if electrons >= 4 else 0))
    values: dict[str, Any] = {}
    if draw(st.booleans()):
        skew = draw(st.lists(st.floats(-1, 1), min_size=9, max_size=9))
        values["cell"] = np.eye(3) * 8.0 + np.reshape(skew, (3, 3))
        values["periodic"] = draw(st.lists(st.booleans(), min_size=3, max_size=3))
    return build(
        numbers=numbers,
        positions=grid + np.reshape(jitter, (count, 3)),
        charge=charge,
        multiplicity=unpaired + 1,
        **values,
    )
