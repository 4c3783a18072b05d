"""Which proton leaves: most acidic kinds, equal ones, what is asked for."""

from __future__ import annotations

import pytest
from rdkit import Chem

from triplestore.errors import InputError
from workflows.acidity.protons import leaving_proton, protons
from workflows.molecule.notation import read_smiles


def acid(smiles: str) -> Chem.Mol:
    return Chem.AddHs(read_smiles(smiles, smiles))


@pytest.mark.parametrize(
    ("smiles", "kind", "base"),
    [
        ("CC(=O)O", "COOH", "CC(=O)[O-]"),
        ("OC(=O)CC(=O)O", "COOH", "O=C([O-])CC(=O)O"),  # both are the same
        ("OC(=O)c1ccccc1O", "COOH", "O=C([O-])c1ccccc1O"),  # before the phenol
        ("OC(=O)C[NH3+]", "COOH", "[NH3+]CC(=O)[O-]"),  # before the ammonium
        ("Oc1ccccc1", "phenol or enol OH", "[O-]c1ccccc1"),
        ("C[NH3+]", "NH+", "CN"),
        ("c1cc[nH+]cc1", "NH+", "c1ccncc1"),
        ("c1c[nH]c[nH+]1", "NH+", "c1c[nH]cn1"),
        ("NC(N)=[NH2+]", "NH+", "N=C(N)N"),
        ("CCS", "SH", "CC[S-]"),
        ("NC(CS)C(=O)[O-]", "SH", "NC(C[S-])C(=O)[O-]"),
        ("CO", "OH", "C[O-]"),
        ("O", "OH", "[OH-]"),
        ("[OH3+]", "oxonium OH", "O"),
        ("F", "hydrogen halide", "[F-]"),
        ("OP(=O)(O)O", "phosphorus acid OH", "O=P([O-])(O)O"),
        ("OP(=O)([O-])O", "phosphorus acid OH", "O=P([O-])([O-])O"),
        ("CS(=O)(=O)O", "sulfur acid OH", "CS(=O)(=O)[O-]"),
        ("O[N+](=O)[O-]", "nitrogen acid OH", "O=[N+]([O-])[O-]"),
        ("C#N", "hydrogen cyanide CH", "[C-]#N"),
        ("OC(=O)O", "COOH", "O=C([O-])O"),
        ("O=C1CCC(=O)N1", "imide NH", "O=C1CCC(=O)[N-]1"),
        ("c1cc[nH]c1", "azole NH", "c1cc[n-]c1"),
        ("c1nnn[nH]1", "tetrazole NH", "c1nnn[n-]1"),
        ("N", "NH", "[NH2-]"),
        ("C[C@H](F)C(=O)O", "COOH", "C[C@H](F)C(=O)[O-]"),  # its handedness stays
    ],
)
def test_it_is_found(smiles: str, kind: str, base: str) -> None:
    found, _ = leaving_proton(acid(smiles), "", smiles)
    assert (found.kind, found.base) == (kind, Chem.CanonSmiles(base))


def test_what_else_there_is_is_said() -> None:
    _, said = leaving_proton(acid("OC(=O)c1ccccc1O"), "", "salicylic acid")
    assert "the proton of COOH leaves salicylic acid" in said
    assert "(phenol or enol OH) leaves" in said
    assert leaving_proton(acid("CC(=O)O"), "", "acetic acid")[1] == ""


@pytest.mark.parametrize(
    "smiles",
    ["OC(=O)CC(F)C(=O)O", "Cc1c[nH+]c[nH]1", "Cc1cc[nH][nH+]1", "OCC(O)CO", "SCc1ccccc1O"],
)
def test_equal_ones_are_listed(smiles: str) -> None:
    with pytest.raises(InputError, match="several protons can leave") as caught:
        leaving_proton(acid(smiles), "", smiles)
    told = str(caught.value)
    assert told.count("leaves") >= 2
    assert "proton=H" in told
    first = next(word for word in told.split() if word.startswith("H"))
    chosen, _ = leaving_proton(acid(smiles), first.strip(",;"), smiles)
    assert f"H{chosen.atom + 1}" == first.strip(",;")
    assert leaving_proton(acid(smiles), chosen.base, smiles)[0].base == chosen.base


def test_a_hydrogen_of_carbon_is_only_taken_where_it_is_asked_for() -> None:
    mol = acid("CC(=O)CC(C)=O")
    with pytest.raises(InputError, match="no hydrogen on O, N, S"):
        leaving_proton(mol, "", "acetylacetone")
    base = "CC(=O)[CH-]C(C)=O"
    assert leaving_proton(mol, base, "acetylacetone")[0].base == base


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ("H1", "atom 1 is C"),
        ("99", "it has 8 atoms"),
        ("0", "it has 8 atoms"),
        ("[O-]C", "no proton of it leaves C[O-]"),
        ("nonsense(", "choose one of"),
    ],
)
def test_what_cannot_leave(asked: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        leaving_proton(acid("CC(=O)O"), asked, "acetic acid")
    assert problem in str(caught.value)
    assert "H8 (COOH) leaves CC(=O)[O-]" in str(caught.value)


def test_all_are_listed_the_most_acidic_first() -> None:
    found = protons(acid("OCC(=O)O"))
    assert [one.kind for one in found] == ["COOH", "OH", "CH", "CH"]
