"""Formulas that say a structure: condensed ones, complexes, and names of several molecules."""

import pytest
from rdkit import Chem

from triplestore.errors import NotFoundError
from workflows.molecule.embedding import embed
from workflows.molecule.names import smiles_of
from workflows.molecule.notation import read_smiles
from workflows.molecule.spin import read_spin

CONDENSED = """
HOOH OO; CH3CH2OH CCO; (CH3)2CO CC(C)=O; CH3NH2 CN; HC≡CH C#C; CH2=CH2 C=C; H3C-CH3 CC;
(CH3)3COH CC(C)(C)O; C6H5OH Oc1ccccc1; HCONH2 NC=O; CH3CHO CC=O; CF3COOH OC(=O)C(F)(F)F;
ClCH2CH2Cl ClCCCl; tBuOH CC(C)(C)O; NMe3 CN(C)C; Et2O CCOCC; PPh3 c1ccccc1P(c1ccccc1)c1ccccc1;
CH3(CH2)4CH3 CCCCCC; CH3CH(CH3)2 CC(C)C; C(CH3)4 CC(C)(C)C; CH3COOCH3 COC(C)=O; HCOOCH3 COC=O;
CH3CO2Et CCOC(C)=O; HOCH2CH2OH OCCO; CH3NC C[N+]#[C-]; CO(NH2)2 NC(N)=O; CH2CHCHCH2 C=CC=C;
NH2CH2COOH NCC(=O)O; CH3CHOHCH3 CC(C)O; CH3SSCH3 CSSC; CH3SO3H CS(=O)(=O)O; HOCl OCl;
(CH3)2SO2 CS(C)(=O)=O; COCl2 O=C(Cl)Cl; HONO2 O[N+](=O)[O-]; CH3OOH COO; (COOH)2 OC(=O)C(=O)O;
HOOC-COOH OC(=O)C(=O)O; P(OCH3)3 COP(OC)OC; (CH3)3PO CP(C)(C)=O; PO(OCH3)3 COP(=O)(OC)OC;
CH3CH2O- CC[O-]; CH3CO2- CC(=O)[O-]; CH3NH3+ C[NH3+]; (CH3)4N+ C[N+](C)(C)C; HOO- O[O-];
CH3OO CO[O]; F2C=CF2 FC(F)=C(F)F; H2C=O C=O; HN=NH N=N; CH3COCH2COCH3 CC(=O)CC(C)=O;
(CH3CO)2O CC(=O)OC(C)=O; ClSSCl ClSSCl; CH3C≡CCH3 CC#CC; CH2=C=CH2 C=C=C; HCCCN C#CC#N
"""
"""Formulas and what they mean, written by hand."""

CENTRED = """
[FeCl4]- Cl[Fe-](Cl)(Cl)Cl; FeCl4^- Cl[Fe-](Cl)(Cl)Cl; LiH [LiH];
[Co(NH3)6]3+ N->[Co+3](<-N)(<-N)(<-N)(<-N)<-N;
[Co(NH3)6]^{3+} N->[Co+3](<-N)(<-N)(<-N)(<-N)<-N; XeOF4 O=[Xe](F)(F)(F)F; SF5- F[S-](F)(F)(F)F;
[Fe(CN)6]4− N#C[Fe-4](C#N)(C#N)(C#N)(C#N)C#N; OsO4 O=[Os](=O)(=O)=O; VOCl3 O=[V](Cl)(Cl)Cl;
Co(en)3^3+ NCCN.NCCN.NCCN.[Co+3]; ClO3- [O-]Cl(=O)=O; GeCl2 Cl[Ge]Cl; AlH4- [AlH4-]
"""


def pairs(text: str) -> list[tuple[str, str]]:
    return [(one.split()[0], one.split()[1]) for one in text.replace("\n", " ").split(";")]


def same(one: str, other: str) -> bool:
    first, second = (Chem.RemoveHs(read_smiles(smiles, smiles)) for smiles in (one, other))
    return Chem.MolToSmiles(first) == Chem.MolToSmiles(second)


@pytest.mark.parametrize(("formula", "smiles"), pairs(CONDENSED) + pairs(CENTRED))
def test_a_formula_is_the_structure_that_it_says(formula: str, smiles: str) -> None:
    assert same(smiles_of(formula)[0], smiles)


@pytest.mark.parametrize(
    "text", ["C4H10", "C6H14", "CH2N2", "FeII", "CuSO4", "SiO2", "CH3O3S-", "HC3N", "B5H9", "S9I"]
)
def test_what_may_be_several_molecules_is_none(text: str) -> None:
    with pytest.raises(NotFoundError):
        smiles_of(text)


@pytest.mark.parametrize(
    ("name", "smiles"),
    [
        ("(H2O)3", "O.O.O"),
        ("HF dimer", "F.F"),
        ("acetic acid dimer", "CC(=O)O.CC(=O)O"),
        ("glycine zwitterion", "[NH3+]CC(=O)[O-]"),
        ("zwitterionic lysine", "NCCCC[C@H]([NH3+])C(=O)[O-]"),
    ],
)
def test_dimers_and_zwitterions(name: str, smiles: str) -> None:
    assert same(smiles_of(name)[0], smiles)


def test_radicals_beside_each_other_are_no_dimer() -> None:
    with pytest.raises(NotFoundError):
        smiles_of("NO2 dimer")


@pytest.mark.parametrize(
    ("formula", "multiplicity"),
    [
        ("FeCl4-", 6),
        ("[Fe(H2O)6]2+", 5),
        ("[NiCl4]2-", 3),
        ("[Ni(NH3)6]2+", 3),
        ("[Cr(NH3)6]3+", 4),
        ("[Co(H2O)6]3+", 1),
        ("[CoF6]3-", 5),
        ("[Co(NH3)6]3+", 1),
        ("[Fe(CN)6]3-", 2),
        ("[Cu(H2O)6]2+", 2),
    ],
)
def test_complexes_have_their_spin(formula: str, multiplicity: int) -> None:
    """Greenwood and Earnshaw, Chemistry of the Elements, 2nd ed. (1997)."""
    assert read_spin(read_smiles(smiles_of(formula)[0], formula)).multiplicity == multiplicity


def test_a_complex_is_built() -> None:
    found = embed("FeCl4-", "name")
    assert (found.atoms.charge, found.atoms.multiplicity) == (-1, 6)
    assert "name from its formula" in found.method
