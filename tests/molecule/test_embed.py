"""SMILES and names become sensible atoms, always the same ones; impossible ones say why."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.quantum import Embedding
from triplestore.errors import InputError, RecipeError
from workflows.engine.execution.calculation import load
from workflows.molecule import embed
from workflows.molecule.checks import check
from workflows.molecule.spin import ground_multiplicity


def distance(atoms: ConceptualAtoms, one: int, other: int) -> float:
    return float(np.linalg.norm(atoms.positions[one] - atoms.positions[other]))


def dihedral(atoms: ConceptualAtoms, *four: int) -> float:
    """In degrees, between 0 and 180."""
    a, b, c, d = atoms.positions[list(four)]
    one, other = np.cross(b - a, c - b), np.cross(c - b, d - c)
    cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))))


def test_acetic_acid_is_the_syn_conformer():
    result = embed("CC(=O)O", "smiles")
    atoms = result.atoms
    assert (atoms.formula, atoms.charge, atoms.multiplicity) == ("C2H4O2", 0, 1)
    assert result.method == "RDKit ETKDGv3, seed 7, MMFF94"
    assert (result.notation, result.kind, result.smiles) == ("CC(=O)O", "smiles", "CC(=O)O")
    assert dihedral(atoms, 2, 1, 3, 7) < 5  # O=C–O–H
    assert distance(atoms, 1, 2) == pytest.approx(1.22, abs=0.03)
    assert distance(atoms, 3, 7) == pytest.approx(0.98, abs=0.03)


@pytest.mark.parametrize(
    ("smiles", "formula", "charge", "multiplicity"),
    [
        ("[NH4+]", "H4N", 1, 1),
        ("CC(=O)[O-]", "C2H3O2", -1, 1),
        ("[CH3]", "CH3", 0, 2),
        ("[O][O]", "O2", 0, 3),
        ("[CH2]", "CH2", 0, 3),
        ("[N]=O", "NO", 0, 2),
        ("[O-][O]", "O2", -1, 2),
        ("[H]", "H", 0, 2),
        ("[H+]", "H", 1, 1),
        ("[C]", "C", 0, 3),
        ("[N]", "N", 0, 4),
        ("[O]", "O", 0, 3),
        ("[Be]", "Be", 0, 1),
        ("[Cl]", "Cl", 0, 2),
        ("[Zn+2]", "Zn", 2, 1),
        ("[Cu]", "Cu", 0, 2),
        ("[Br-]", "Br", -1, 1),
        ("Cl", "ClH", 0, 1),
        ("O=[Ti]=O", "O2Ti", 0, 1),
        ("[Na+].[Cl-]", "ClNa", 0, 1),
        ("C[N+](C)(C)C.[I-]", "C4H12IN", 0, 1),
        ("[CH3].[CH3]", "C2H6", 0, 3),
    ],
)
def test_charge_and_multiplicity(smiles: str, formula: str, charge: int, multiplicity: int):
    atoms = embed(smiles, "smiles").atoms
    assert (atoms.formula, atoms.charge, atoms.multiplicity) == (formula, charge, multiplicity)


def test_spins_that_a_smiles_leaves_open_are_told():
    result = embed("[Fe+2].[Cl-].[Cl-]", "smiles")
    assert result.atoms.multiplicity == 1
    assert "spin of Fe not told: lowest multiplicity taken" in result.method
    assert embed("[Fe+3]", "smiles").atoms.multiplicity == 6  # alone, it has its ground level
    assert "not told" not in embed("[Ca+2]", "smiles").method


@pytest.mark.parametrize(
    ("numbers", "charge", "expected"),
    [
        ([8, 8], 0, 3),
        ([16, 16], 0, 3),
        ([16, 8], 0, 3),
        ([7, 8], -1, 3),
        ([6, 1, 1], 0, 3),
        ([14, 1, 1], 0, 1),
        ([7, 7], 0, 1),
        ([8, 8], -1, 2),
        ([6, 8, 8], 0, None),  # nothing is open
        ([6], 0, 3),
        ([7], 0, 4),
        ([7], 1, 3),
        ([14], 0, 3),
        ([9], 0, 2),
        ([10], 0, 1),
        ([26], 0, 5),  # 3d6 4s2, and chromium 3d5 4s1
        ([24], 0, 7),
        ([26], 2, 5),
        ([77], -1, None),
    ],
)
def test_well_known_ground_states(numbers: list[int], charge: int, expected: int | None):
    positions = [[0, 0, 0], [0, 0, 1.2], [0, 1.2, 0]][: len(numbers)]
    atoms = make_atoms("it", numbers=numbers, positions=positions, charge=charge)
    assert ground_multiplicity(atoms) == expected
    assert expected is None or atoms.multiplicity % 2 == expected % 2


@pytest.mark.parametrize(
    "smiles",
    [
        "C[C@H](N)C(=O)O",
        "C[C@@H](N)C(=O)O",
        "N[C@@H](CS)C(=O)O",
        "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O",
        "F/C=C/F",
        "F/C=C\\F",
    ],
)
def test_stereochemistry_is_kept(smiles: str):
    from rdkit import Chem
    from rdkit.Geometry import Point3D

    result = embed(smiles, "smiles")
    assert "stereochemistry" not in result.method
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    expected = Chem.FindMolChiralCenters(mol)
    Chem.RemoveStereochemistry(mol)
    conformer = Chem.Conformer(mol.GetNumAtoms())
    for index, (x, y, z) in enumerate(result.atoms.positions.tolist()):
        conformer.SetAtomPosition(index, Point3D(x, y, z))
    mol.AddConformer(conformer)
    Chem.AssignStereochemistryFrom3D(mol)
    assert Chem.FindMolChiralCenters(mol) == expected
    assert Chem.MolToSmiles(Chem.RemoveHs(mol)) == result.smiles


def test_stereochemistry_left_open_is_told():
    assert "no stereochemistry given at atom 2: one form" in embed("CC(N)C(=O)O", "smiles").method
    assert "no stereochemistry given at bond 2=3: one form" in embed("FC=CF", "smiles").method
    assert "stereochemistry" not in embed("N=C=O", "smiles").method


def test_l_alanine_by_name():
    result = embed("L-alanine", "name")
    assert result.method.startswith("name from the table; RDKit ETKDGv3")
    assert (result.notation, result.kind) == ("L-alanine", "name")
    assert result.smiles == embed("C[C@H](N)C(=O)O", "smiles").smiles


def test_fragments_touch_and_do_not_clash():
    salt = embed("[Na+].[Cl-]", "smiles")
    assert 2.0 < distance(salt.atoms, 0, 1) < 3.5
    assert "2 fragments placed beside each other, relaxed together (MMFF94)" in salt.method
    water = embed("O.O", "smiles").atoms
    assert 2.4 < distance(water, 0, 1) < 3.4  # a hydrogen bond
    acid = embed("O=CO.O=CO", "smiles")  # two hydrogen bonds, the lowest of all arrangements
    assert "the lowest of 16 arrangements; then GFN2-xTB" in acid.method
    numbers, places = acid.atoms.numbers, acid.atoms.positions
    apart = np.linalg.norm(places[:, None] - places, axis=2)
    bonds = apart[np.ix_(numbers == 1, numbers == 8)]
    assert np.sum((bonds > 1.4) & (bonds < 1.9)) == 2
    sulfate = embed("[Na+].[Na+].[O-]S(=O)(=O)[O-]", "smiles").atoms
    assert min(distance(sulfate, 0, index) for index in range(1, 7)) > 1.8
    repelling = embed("[Na+].[Na+]", "smiles")
    assert "not relaxed together" in repelling.method
    assert 3 < distance(repelling.atoms, 0, 1) < 6


def test_the_force_field_is_named():
    assert "UFF" in embed("[O][O]", "smiles").method
    assert embed("[He]", "smiles").method == "a single atom at the origin"


@pytest.mark.parametrize("smiles", ["CC(=O)Oc1ccccc1C(=O)O", "O.O", "C1CCCCC1"])
def test_two_calls_give_equal_atoms(smiles: str):
    assert embed(smiles, "smiles").atoms == embed(smiles, "smiles").atoms


def test_another_process_gives_equal_atoms():
    code = "from workflows.molecule import embed; print(embed('CCCCO', 'smiles').atoms.iri)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == embed("CCCCO", "smiles").atoms.iri
    assert done.stderr == ""


def test_atom_maps_and_written_hydrogens_do_not_matter():
    assert embed("[CH3:1][OH:2]", "smiles").smiles == "CO"
    assert embed("[H]O[H]", "smiles").atoms == embed("O", "smiles").atoms


@pytest.mark.parametrize(
    ("smiles", "message"),
    [
        ("C(C)(C)(C)(C)C", "atom 1 (C) cannot have 5 bonds"),
        ("CN(C)(C)C", "atom 2 (N) cannot have 4 bonds"),
        ("C[O+](C)(C)C", "atom 2 (O) with charge +1 cannot have 4 bonds"),
        ("c1cccc1", "the aromatic atoms 1, 2, 3, 4, 5 cannot be given alternating"),
        ("c1ccccc1cc", "atom 7 (C) is written as aromatic but lies in no ring"),
        ("C1CC", "the ring bond 1 is left open"),
        ("CC(C", "a parenthesis is left open"),
        ("C11", "duplicated ring closure"),
        ("water", "'w' at position 1 starts no part of a SMILES"),
        ("C C", "' ' at position 2"),
        ("CC |$a;b$|", "' ' at position 3"),
        ("[Zz]", "'[Zz]' at position 1 is no atom"),
        ("", "ends without an atom"),
        ("[2H]C", "atom 1 (H) names the isotope 2"),
        ("[13CH4]", "isotopes are not supported yet"),
        ("*C", "atom 1 is a placeholder"),
        ("C~C", "has no kind"),
        ("C" * 200, "602 atoms; 500 are allowed"),
        ("C" * 6000, "6000 characters; 5000 are allowed"),
    ],
)
def test_impossible_smiles(smiles: str, message: str, capfd: pytest.CaptureFixture[str]):
    with pytest.raises(InputError) as caught:
        embed(smiles, "smiles")
    assert message in str(caught.value)
    assert capfd.readouterr() == ("", "")  # RDKit does not write past us


def test_no_geometry_is_a_failed_recipe(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(
        RecipeError, match=r"RDKit found no geometry .* Open Babel is not installed.* an XYZ file"
    ):
        embed("C1#CC1", "smiles")


def test_a_bad_geometry_is_a_failed_recipe():
    from rdkit import Chem

    mol = Chem.AddHs(Chem.MolFromSmiles("O"))
    good = embed("O", "smiles").atoms.positions
    check(mol, good, "water")
    torn, squeezed = good.copy(), good.copy()
    torn[1] += 3
    squeezed[2] = squeezed[1] + 0.1
    for positions, message in [
        (torn, r"the bonded atoms 1 \(O\) and 2 \(H\) are"),
        (squeezed, r"atoms 2 \(H\) and 3 \(H\) are 0.17 Å apart"),
        (good * np.nan, "a position is no number"),
    ]:
        with pytest.raises(RecipeError, match=message):
            check(mol, positions, "water")


def test_what_the_usual_start_misses_starts_at_random(monkeypatch: pytest.MonkeyPatch):
    module = importlib.import_module("workflows.molecule.embedding")
    monkeypatch.setattr(module, "ATTEMPTS", 1)
    monkeypatch.setattr(module, "CONFORMERS", 1)
    assert ", random start, MMFF94" in embed("C1C2CC3CC1CC(C2)C3", "smiles").method


def test_the_kind_must_be_known():
    with pytest.raises(InputError, match="choose smiles, name, inchi or selfies"):
        embed("C", "formula")


def test_it_is_declared_for_the_executor():
    assert load(embed.reference) is embed
    assert (embed.name, embed.version) == ("molecule.embed", "2")
    assert embed.result_type is Embedding
    assert embed.backend.preload[-1] == "workflows.molecule.embedding"


@pytest.mark.parametrize(
    ("smiles", "multiplicity", "centre"),
    [("[CH2]", 3, 0), ("F[C]F", 1, 1), ("[SiH2]", 1, 0), ("[CH]=O", 2, 0), ("Cl[Ge]Cl", 1, 1)],
)
def test_free_electrons_bend_their_centre_and_pair_where_they_do(
    smiles: str, multiplicity: int, centre: int
) -> None:
    """Methylene is a triplet, its heavier kin and CF2 are singlets; none of them is straight."""
    made = embed(smiles, "smiles")
    assert made.atoms.multiplicity == multiplicity
    first, second = (
        position - made.atoms.positions[centre]
        for n, position in enumerate(made.atoms.positions)
        if n != centre
    )
    cosine = first @ second / np.linalg.norm(first) / np.linalg.norm(second)
    assert np.degrees(np.arccos(cosine)) < 150
    if smiles != "[CH]=O":
        assert "free electrons" in made.method


def test_an_atom_with_more_bonds_than_there_can_be_is_refused() -> None:
    with pytest.raises(InputError, match=r"atom 1 \(Au\) has 17 bonds; 16 are allowed"):
        embed("[Au]" + "([Au])" * 17, "smiles")


def test_oxygen_by_its_name_is_that_of_its_usual_notation() -> None:
    """A double bond in both: 1.21 Å in experiment (Huber, Herzberg 1979), and one multiplicity."""
    named, written = embed("oxygen", "name").atoms, embed("O=O", "smiles").atoms
    assert named.multiplicity == written.multiplicity == 3
    lengths = [
        float(np.linalg.norm(one.positions[1] - one.positions[0])) for one in (named, written)
    ]
    assert lengths[0] == pytest.approx(lengths[1], abs=1e-4)
    assert lengths[0] == pytest.approx(1.21, abs=0.07)
