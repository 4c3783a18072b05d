"""Which geometries are one conformer: copies are, however moved; others are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ase.io
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit import Chem
from rdkit.Chem import rdMolAlign

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import SamenessThresholds
from tests.conformer.molecules import KCAL, copied, molecule, sampled
from triplestore.errors import InputError
from workflows.conformer.forms import EnsembleRequest
from workflows.conformer.numbering import numbered
from workflows.conformer.sameness import Skeleton, deviation, groups
from workflows.geometry.rotation import rotational_constants
from workflows.tightbinding.calculations import optimise
from workflows.tightbinding.levels import resolve_level

USUAL = SamenessThresholds()

MIRRORED_IS_SAME = {
    "CCCCO": True,
    "C[C@H](O)[C@@H](C)O": True,
    "C[C@H](O)[C@H](C)O": False,
    "O.CCO": True,
    "CC(C)(C)c1cc(C(C)(C)C)cc(C(C)(C)C)c1": True,
    "OC[C@H](O)C=O": False,
    "CSSC": True,
}


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(sorted(MIRRORED_IS_SAME)), st.integers(0, 2**32 - 1), st.booleans())
def test_copies_lie_upon_each_other(smiles: str, seed: int, mirrored: bool) -> None:
    atoms, canonical = molecule(smiles)
    off = deviation(atoms, copied(atoms, seed, mirrored), canonical)
    if mirrored and not MIRRORED_IS_SAME[smiles]:
        assert off > USUAL.deviation
    else:
        assert off < 1e-6


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_conformers_stay_apart_however_moved(seed: int, mirrored: bool) -> None:
    made, smiles = sampled("CCCCO").structures, molecule("CCCCO")[1]
    one = copied(made[0], seed, mirrored)
    near = [deviation(one, other, smiles) for other in made]
    assert near[0] < 1e-6
    assert min(near[1:]) > 0.2


def test_groups_of_mixed_copies() -> None:
    """Copies keep their numbering, as geometries of one molecule do; the lowest comes first."""
    made, smiles = sampled("CCCCO").structures[:4], molecule("CCCCO")[1]
    mirrored = [one.moved_to(one.positions * [1, -1, 1] + 2.0) for one in made]
    energies = np.array([3.0, 1.0, 2.0, 0.0, 3.05, 0.95, 2.0, 0.01]) / KCAL
    found = groups([*made, *mirrored], energies.tolist(), USUAL, smiles)
    assert found == [[3, 7], [5, 1], [2, 6], [0, 4]]


def test_each_threshold_counts() -> None:
    one, smiles = sampled("CCCCO").structures[0], molecule("CCCCO")[1]
    other = one.moved_to(one.positions * 1.002)
    assert groups([one, other], [0.0, 0.0], USUAL, smiles) == [[0, 1]]
    assert groups([one, other], [0.0, 2e-4], USUAL, smiles) == [[0], [1]]
    for tight in ({"rotation": 0.001}, {"deviation": 0.001}):
        strict = USUAL.model_copy(update=tight)
        assert groups([one, other], [0.0, 0.0], strict, smiles) == [[0], [1]]


CLOSE = EnsembleRequest().thresholds


def test_rotational_constants_do_not_count_for_what_lies_upon_each_other() -> None:
    one, smiles = sampled("CCCCO").structures[0], molecule("CCCCO")[1]
    other = one.moved_to(one.positions * 1.01)
    turning = rotational_constants(one) / rotational_constants(other) - 1
    assert turning == pytest.approx(0.02, abs=0.001)
    assert deviation(one, other, smiles) < 0.03
    assert groups([one, other], [0.0, 0.0], USUAL, smiles) == [[0], [1]]
    assert groups([one, other], [0.0, 0.04 / KCAL], CLOSE, smiles) == [[0, 1]]
    assert groups([one, other], [0.0, 0.06 / KCAL], CLOSE, smiles) == [[0], [1]]
    farther = one.moved_to(one.positions * 1.08)
    assert deviation(one, farther, smiles) > 0.1
    assert groups([one, farther], [0.0, 0.0], CLOSE, smiles) == [[0], [1]]
    strict = EnsembleRequest(rthr=0.01).thresholds
    assert groups([one, other], [0.0, 0.0], strict, smiles) == [[0], [1]]


def test_two_ends_along_a_soft_mode_are_one_conformer() -> None:
    """Of diethyl carbonate at GFN2-xTB: relaxed very tightly, both are the same minimum."""
    smiles, level = "CCOC(=O)OCC", resolve_level("GFN2-xTB").level
    frames: Any = ase.io.read(Path(__file__).with_name("diethyl_carbonate.xyz"), ":")
    ends = [ConceptualAtoms(numbers=one.numbers, positions=one.positions) for one in frames]
    energies = [-28.036310027, -28.036305879]
    apart = rotational_constants(ends[0]) / rotational_constants(ends[1]) - 1
    assert abs(apart).max() > USUAL.rotation
    assert deviation(ends[0], ends[1], smiles) < 0.05
    assert groups(ends, energies, USUAL, smiles) == [[0], [1]], "as it was"
    assert groups(ends, energies, CLOSE, smiles) == [[0, 1]]
    exact = [optimise(one, level, 500, convergence="very tight") for one in ends]
    assert exact[0].energy == pytest.approx(exact[1].energy, abs=1e-7)
    assert deviation(exact[0].atoms, exact[1].atoms, smiles) < 0.02


def test_without_bonds() -> None:
    """Copies are one, mirror images may be different molecules, and so stay apart."""
    one = sampled("CCCCO").structures[1]
    copy = copied(one, 3)
    image = one.moved_to(one.positions * [-1, 1, 1])
    assert groups([one, copy, image], [0.0, 0.0, 0.0], USUAL, "") == [[0, 1], [2]]
    assert deviation(one, copy, "") < 1e-6
    assert deviation(one, image, "") > USUAL.deviation
    assert groups([], [], USUAL, "CCO") == []


@pytest.mark.parametrize("smiles", ["CCCCO", "NCC(=O)O", "c1ccccc1CCO"])
def test_rdkit_agrees(smiles: str) -> None:
    """RDKit's best RMSD of the same atoms, mirrored or not, is the same number."""
    made, canonical = sampled(smiles).structures[:5], molecule(smiles)[1]
    mols = [numbered(one, canonical) for one in made]
    hidden = [
        atom.GetIdx()
        for atom in mols[0].GetAtoms()
        if atom.GetAtomicNum() == 1 and atom.GetNeighbors()[0].GetAtomicNum() == 6
    ]

    def reduced(mol: Chem.Mol, mirror: bool) -> Chem.Mol:
        smaller = Chem.RWMol(mol)
        conformer = smaller.GetConformer()
        conformer.SetPositions(conformer.GetPositions() * ([-1.0, 1, 1] if mirror else [1.0, 1, 1]))
        for index in sorted(hidden, reverse=True):
            smaller.RemoveAtom(index)
        return smaller.GetMol()

    for one, mol in zip(made, mols, strict=True):
        for other, second in zip(made, mols, strict=True):
            best = min(
                rdMolAlign.GetBestRMS(reduced(mol, False), reduced(second, mirror))
                for mirror in (False, True)
            )
            assert deviation(one, other, canonical) == pytest.approx(best, abs=1e-4)


def test_many_numberings_are_assigned() -> None:
    """Four tert-butyl groups about one atom: 31 104 numberings are not tried, a copy is found."""
    smiles = "CC(C)(C)CC(CC(C)(C)C)(CC(C)(C)C)CC(C)(C)C"
    atoms, canonical = molecule(smiles)
    assert Skeleton.of(numbered(atoms, canonical)).numberings is None
    assert deviation(atoms, copied(atoms, 2), canonical) < 1e-6
    assert deviation(atoms, copied(atoms, 2, mirrored=True), canonical) < 1e-6
    noise = np.random.default_rng(1).normal(scale=0.05, size=atoms.positions.shape)
    shaken = atoms.moved_to(atoms.positions + noise)
    assert 0.06 < deviation(atoms, shaken, canonical) < 0.1, "√3 times 0.05 Å"


def test_a_pose_without_hydrogens() -> None:
    """A crystal's pose has its own numbering, and often no hydrogens: heavy atoms are compared."""
    atoms, smiles = molecule("C[C@H](O)[C@H](C)O")
    heavy = atoms.numbers > 1
    pose = copied(
        ConceptualAtoms(numbers=atoms.numbers[heavy], positions=atoms.positions[heavy]), 4
    )
    assert deviation(atoms, pose, smiles) < 1e-6
    assert deviation(pose, atoms, smiles) < 1e-6
    assert deviation(pose, pose, smiles) < 1e-6


def test_other_molecules_are_refused() -> None:
    one, other = molecule("CCO")[0], molecule("COC")[0]
    with pytest.raises(InputError, match="not those of the SMILES"):
        deviation(one, other, "CCO")
    with pytest.raises(InputError, match="different atoms"):
        deviation(one, molecule("CO")[0], "")


def test_aspirin_as_an_xyz_file_has_it() -> None:
    """Bonds of the file make the SMILES; its numbering is neither that of the SMILES nor ours."""
    from workflows.molecule.bonds import perceive
    from workflows.molecule.identify import identify

    atoms, canonical = molecule("CC(=O)Oc1ccccc1C(=O)O")
    given = copied(atoms, 11)
    mol, _ = perceive(given)
    assert mol.GetNumAtoms() == len(given.numbers)
    assert deviation(given, atoms, identify(given).smiles) < 1e-6
    assert identify(given).smiles == canonical
