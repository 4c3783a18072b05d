"""The spin of species that are read from a notation: 57 that were wrong and others of their kinds.

Each has the multiplicity of its ground state, by the table or by the rules. Where several electrons
are free, a note says what was taken and what else it can be.
"""

from __future__ import annotations

import pytest
from rdkit import Chem

from ogm import KnowledgeGraph
from triplestore import open_store
from triplestore.errors import GraficoError
from workflows.engine import Executor
from workflows.engine.request.form import fill
from workflows.molecule import embed
from workflows.molecule.notation import read_smiles
from workflows.molecule.spin import Spin, read_spin
from workflows.molecule.subject import MOLECULE

NAMED: dict[str, int] = {
    "[C]F": 2, "[B]F": 1, "[BH]": 1, "[AlH]": 1, "[Al]F": 1, "[CH]": 2, "[SiH]": 2, "[GeH]": 2,
    "[C]Cl": 2, "[Si]F": 2, "[NH+]": 2, "[PH+]": 2, "N[N]": 1, "F[N+]F": 1, "[PH2+]": 1,
    "[c]1[c]cccc1": 1, "[c]1c[c]ccc1": 1, "[c]1cc[c]cc1": 1, "[C]=[C]": 1, "[C]#[C]": 1,
    "C[C]C": 1, "[B][B]": 3, "[B]=[B]": 3, "[Al][Al]": 3, "[Al]=[Al]": 3, "B=B": 3, "S=S": 3,
    "[Si]=[Si]": 3, "[Si][Si]": 3, "[Fe+]": 6, "[Mn+]": 7, "[Fe+2]": 5, "[Fe+3]": 6,
    "[N]F": 3, "O[N]": 3, "[N]Cl": 3, "[Li][C]": 4, "[C]=[N+]=[N-]": 3,
}  # fmt: skip
"""Named where this was asked for: those that were wrong, and the right ones that a rule of thumb
would break."""

ALIKE: dict[str, int] = {
    # one free pair and a hole: group 13, and three free electrons
    "[B]Cl": 1, "[B]Br": 1, "[Al]Cl": 1, "[Al]Br": 1, "[GaH]": 1, "[Ga]F": 1, "[InH]": 1,
    "[In]Cl": 1, "[Tl]F": 1, "C[B]": 1, "C[Al]": 1, "C[Ga]": 1, "N[B]": 1, "O[Al]": 1, "[B]B": 3,
    "[SnH]": 2, "[PbH]": 2, "[Si]Cl": 2, "[Si]Br": 2, "[Ge]F": 2, "[Ge]Cl": 2, "[C]Br": 2,
    "[C]C": 2, "[C]N": 2, "[C]O": 2, "[C]C=C": 2, "[C]c1ccccc1": 2, "[Si]C": 2, "[Ge]C": 2,
    "[C][Na]": 4, "[N+]F": 2, "[N+]Cl": 2, "[P+]F": 2, "[P+]Cl": 2, "[AsH+]": 2,
    # nitrenes and nitrenium ions
    "CN(C)[N]": 1, "C1CCCN1[N]": 1, "C[N]": 3, "[N]c1ccccc1": 3, "[N]C#N": 3, "[N]C(=O)OC": 3,
    "[N]Br": 3, "[N]S": 3, "CO[N]": 3, "[NH]": 3, "[PH]": 3, "[P]F": 3, "[AsH]": 3, "C[P]": 3,
    "[NH2+]": 3, "C[NH+]": 3, "F[NH+]": 1, "Cl[N+]F": 1, "N[NH+]": 1, "C[N+]OC": 1,
    "[AsH2+]": 1, "F[P+]F": 1, "C[P+]C": 1, "[NH+]c1ccccc1": 1,
    # carbenes and their kin
    "[CH2]": 3, "[CH]C": 3, "[CH]c1ccccc1": 3, "c1ccccc1[C]c1ccccc1": 3, "F[C]F": 1, "Cl[C]Cl": 1,
    "[CH]F": 1, "[CH]OC": 1, "CN(C)[C]N(C)C": 1, "[C]1NC=CN1": 1, "[SiH2]": 1, "Cl[Ge]Cl": 1,
    "C=[C]": 1, "CC(C)=[C]": 1, "C=C=[C]": 1, "C1=C[C]1": 1, "[CH]C#N": 3, "[CH]C#C": 3,
    "[C]=C=O": 3, "[CH][N+](=O)[O-]": 3, "[C-]#[O+]": 1, "[C]=O": 1, "[C]=S": 1, "[C+]F": 1,
    "[C+]O": 1,
    # diradicals and arynes
    "[CH2]C([CH2])=C": 3, "[CH2]c1cccc([CH2])c1": 3, "[CH2]C([CH2])=O": 1, "[CH2]O[O]": 1,
    "[c]1[c]cc(F)cc1": 1, "[c]1[c]c2ccccc2cc1": 1, "[c]1[c]nccc1": 1, "c1ccc#cc1": 1,
    "[O]O[O]": 1, "[S]S[S]": 1, "O=O": 3, "[O][O]": 3, "[Se]=[Se]": 3, "S=O": 3, "[C]=[Si]": 3,
    "[B]=[N]": 3, "[N]=O": 2, "[O-][O]": 2, "[C]#N": 2, "[CH3].[CH3]": 3,
    # metals
    "[Co+2]": 4, "[Ni+2]": 3, "[Cr+3]": 4, "[Mn+2]": 6, "[Cu+2]": 2, "[V+]": 5, "[Cr+]": 6,
    "[Co+]": 3, "[Ru+3]": 6, "[Gd+3]": 8, "[Fe]=O": 5, "[Ti]=O": 3, "[Mn]=O": 6, "[V]#N": 3,
    "Cl[Fe]Cl": 5, "[Fe+2].[cH-]1cccc1.[cH-]1cccc1": 1, "O=[Ti]=O": 1, "[Zn+2]": 1,
}  # fmt: skip
"""Of the same kinds, and what was right before."""


def spin_of(smiles: str) -> Spin:
    mol = read_smiles(smiles, smiles)
    spin = read_spin(Chem.AddHs(mol))
    assert read_spin(mol) == spin, "hydrogens may be implied"
    return spin


@pytest.mark.parametrize(("smiles", "multiplicity"), (NAMED | ALIKE).items())
def test_species_have_the_spin_of_their_ground_state(smiles: str, multiplicity: int) -> None:
    assert spin_of(smiles).multiplicity == multiplicity


def test_there_are_as_many_as_were_asked_for() -> None:
    assert len(NAMED | ALIKE) >= 97


def test_the_order_in_which_a_molecule_is_written_does_not_matter() -> None:
    for smiles in NAMED | ALIKE:
        mol = read_smiles(smiles, smiles)
        spins = {
            spin_of(Chem.MolToSmiles(mol, rootedAtAtom=place, canonical=False)).multiplicity
            for place in range(mol.GetNumAtoms())
        }
        assert spins == {(NAMED | ALIKE)[smiles]}, smiles


FREE = [
    "[C]F", "[B]F", "N[N]", "[CH2]", "[CH]OC", "[c]1cc[c]cc1", "[CH2][CH2]", "[O]CC[O]",
    "CN(C)[C]N(C)C", "[Fe+2]", "[C]", "[CH3].[CH3]", "[N]c1ccccc1", "O=O", "[Fe]=O",
]  # fmt: skip


@pytest.mark.parametrize("smiles", FREE)
def test_where_several_electrons_are_free_a_note_says_both_choices(smiles: str) -> None:
    spin = spin_of(smiles)
    assert spin.others
    assert spin.multiplicity not in spin.others
    assert f"multiplicity {spin.multiplicity} taken" in spin.note
    assert f"multiplicity={spin.others[0]}" in spin.note
    for other in spin.others:
        assert str(other) in spin.note
        assert (other - spin.multiplicity) % 2 == 0


@pytest.mark.parametrize(
    "smiles", ["C", "CC(=O)[O-]", "[CH3]", "C[CH]C", "N#N", "[Na+].[Cl-]", "[H]"]
)
def test_where_nothing_is_open_nothing_is_told(smiles: str) -> None:
    assert spin_of(smiles).note == ""


def test_the_note_stands_with_the_structure() -> None:
    made = embed("[C]F", "smiles")
    assert made.atoms.multiplicity == 2
    assert "ground state ²Π (Huber, Herzberg 1979): multiplicity 2 taken, 4 may be" in made.method


@pytest.mark.parametrize(
    ("smiles", "other"),
    [("[C-]#[F+]", "[C]F"), ("[O-][O+]=O", "[O]O[O]"), ("[NH2+]=[N-]", "N[N]")],
)
def test_ways_to_write_a_molecule_have_one_spin(smiles: str, other: str) -> None:
    try:
        written = spin_of(smiles)
    except GraficoError:  # RDKit's valences do not allow it
        return
    assert written.multiplicity == spin_of(other).multiplicity


@pytest.mark.parametrize(
    ("smiles", "charge", "multiplicity"),
    [("O=O", 0, 3), ("[CH2]", 0, 3), ("O", 0, 1), ("O=O", 1, 2), ("O=O", -1, 2), ("O", 1, 2)],
)
async def test_a_charge_that_is_known_changes_nothing(
    smiles: str, charge: int, multiplicity: int
) -> None:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        form = fill(MOLECULE.form, {"charge": charge})
        given = await MOLECULE.read(smiles, form, executor)
        as_it_is = await MOLECULE.read(smiles, fill(MOLECULE.form, {}), executor)
        executor.close()
    assert (given.model.charge, given.model.multiplicity) == (charge, multiplicity)
    assert not any("but the ground state" in one for one in given.remarks)
    if charge == 0:
        assert (given.model.iri, given.remarks) == (as_it_is.model.iri, as_it_is.remarks)
