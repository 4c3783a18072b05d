"""Functional groups: by hand for known molecules, and as RDKit's own patterns count them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.typed import typed
from workflows.analogues.finding import groups_of, patterns
from workflows.molecule.notation import read_smiles
from workflows.molecule.table import table

BY_HAND = {  # as textbooks name them
    "CC(=O)Oc1ccccc1C(=O)O": {"ester": 1, "carboxylic acid": 1, "benzene ring": 1},
    "CC(=O)Nc1ccc(O)cc1": {"secondary amide": 1, "phenol": 1, "benzene ring": 1},
    "OC[C@H]1OC(O)[C@H](O)[C@@H](O)[C@@H]1O": {
        "hemiacetal": 1, "primary alcohol": 1, "secondary alcohol": 3,
    },
    "CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)O": {
        "carboxylic acid": 1, "lactam": 1, "secondary amide": 1, "thioether": 1, "benzene ring": 1,
    },
    "CCN(CC)C(=O)c1cccc(C)c1": {"tertiary amide": 1, "benzene ring": 1},
    "CC(C)(C)OC(=O)NCC(=O)O": {"carbamate": 1, "carboxylic acid": 1},
    "O=C1CCCO1": {"lactone": 1},
    "CC(=O)OC(C)=O": {"carboxylic anhydride": 1},
    "C1CO1": {"epoxide": 1},
    "CS(C)=O": {"sulfoxide": 1},
    "[NH3+]CC(=O)[O-]": {"carboxylate": 1, "ammonium": 1},
    "CN(C)C(=N)NC(=N)N": {"guanidine": 2},
    "CCOC(=O)Cl": {"haloformate": 1},
    "C1CCCCC1N=C=NC1CCCCC1": {"carbodiimide": 1},
    "CC": {},
}  # fmt: skip

SAME = {  # of RDKit's hierarchy, and what they are together here
    "Nitro": ["nitro"],
    "Azide": ["azide"],
    "AcidChloride": ["acyl halide", "haloformate"],
    "Alcohol.Aliphatic": [
        "primary alcohol", "secondary alcohol", "tertiary alcohol", "hemiacetal", "enol",
    ],
    "Alcohol.Aromatic": ["phenol", "hydroxyheteroarene"],
    "Amine.Primary.Aromatic": ["primary aromatic amine"],
    "Amine.Primary.Aliphatic": ["primary amine"],
    "Amine.Tertiary.Aliphatic": ["tertiary amine"],
    "Halogen.Aromatic": ["aryl fluoride", "aryl chloride", "aryl bromide", "aryl iodide"],
}  # fmt: skip
SAME_FRAGMENTS = {  # of RDKit's fragment descriptors
    "fr_ketone": ["ketone"],
    "fr_epoxide": ["epoxide"],
    "fr_sulfonamd": ["sulfonamide"],
    "fr_SH": ["thiol"],
    "fr_guanido": ["guanidine"],
    "fr_benzene": ["benzene ring"],
    "fr_furan": ["furan ring"],
    "fr_tetrazole": ["tetrazole ring"],
}


def counted(smiles: str) -> dict[str, int]:
    return {one.name: len(one.atoms) for one in groups_of(read_smiles(smiles, smiles))}


@pytest.mark.parametrize("smiles", BY_HAND)
def test_groups_of_known_molecules(smiles: str) -> None:
    assert counted(smiles) == BY_HAND[smiles]


def test_groups_are_counted_as_rdkit_does() -> None:
    """In the molecules of the table; its patterns are other people's."""
    from rdkit.Chem import Fragments, FunctionalGroups

    rdkit: Any = FunctionalGroups
    rdkit.BuildFuncGroupHierarchy()
    told = 0
    for entry in table():
        mol: Any = read_smiles(entry.smiles, entry.names[0])
        ours = counted(entry.smiles)
        for name, names in SAME.items():
            theirs = len(mol.GetSubstructMatches(rdkit.groupDefns[name].pattern))
            assert sum(ours.get(one, 0) for one in names) == theirs, (entry.names[0], name)
            told += theirs
        for name, names in SAME_FRAGMENTS.items():
            theirs = getattr(Fragments, name)(mol)
            assert sum(ours.get(one, 0) for one in names) == theirs, (entry.names[0], name)
            told += theirs
    assert told > 800


def test_every_pattern_can_be_read() -> None:
    assert [name for name, pattern in patterns() if pattern is None] == []


def test_atoms_are_those_of_the_smiles_that_is_told() -> None:
    told = json.loads(typed("groups", "aspirin", "--json").stdout)
    mol: Any = read_smiles(told["smiles"], "")
    for group in told["groups"]:
        for atoms in group["atoms"]:
            symbols = {mol.GetAtomWithIdx(at - 1).GetSymbol() for at in atoms}
            assert symbols == ({"C"} if "ring" in group["name"] else {"C", "O"})
    lines = typed("groups", "aspirin").stdout.splitlines()
    assert lines[0].split() == ["SMILES", "CC(=O)Oc1ccccc1C(=O)O"]
    assert lines[1].split() == ["ester", "1", "atoms", "2", "3", "4"]


def test_of_what_has_none_it_is_said() -> None:
    assert "none of the" in typed("groups", "methane").stderr
    assert "none of the" in typed("groups", "[He]").stderr


@pytest.mark.parametrize("asked", ["ferrocene", "CC(=O)[O-].[Na+]", "O=C=O", "F[S](F)(F)(F)(F)F"])
def test_odd_molecules_are_told_as_far_as_it_goes(asked: str) -> None:
    assert "SMILES" in typed("groups", asked).stdout


@pytest.mark.parametrize("asked", ["xylene", "67-64-2", "*CC*", "C" * 2000, "not a molecule"])
def test_what_is_no_molecule_is_refused(asked: str) -> None:
    typed("groups", asked, status=2)
