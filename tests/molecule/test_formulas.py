"""Formulas of atoms, ions and radicals mean what a chemist means, or nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontologies.elements import SYMBOLS
from triplestore.errors import NotFoundError
from workflows.molecule.formulas import atom, spelled
from workflows.molecule.names import smiles_of
from workflows.molecule.notation import read_smiles

NOBLE = ("He", "Ne", "Ar", "Kr", "Xe", "Rn", "Og")


@pytest.mark.parametrize(
    ("text", "smiles"),
    [
        ("Na", "[Na]"),
        ("Na+", "[Na+]"),
        ("fluorine atom", "[F]"),
        ("atomic oxygen", "[O]"),
        ("O atom", "[O]"),
        ("Fe3+", "[Fe+3]"),
        ("Fe+3", "[Fe+3]"),
        ("Ca++", "[Ca+2]"),
        ("Cu^{2+}", "[Cu+2]"),
        ("O²⁻", "[O-2]"),
        ("OH", "[OH]"),
        ("OH-", "[OH-]"),
        ("HO2", "O[O]"),
        ("SO42-", "[O-]S(=O)(=O)[O-]"),
        ("SO4(2-)", "[O-]S(=O)(=O)[O-]"),
        ("SO₄²⁻", "[O-]S(=O)(=O)[O-]"),
        ("HCOO-", "[O-]C=O"),
        ("NO3−", "[O-][N+](=O)[O-]"),
        ("CH3", "[CH3]"),
        ("NO2-", "[O-]N=O"),
        ("NO+", "N#[O+]"),
        ("O2-", "[O-][O]"),
    ],
)
def test_a_formula_of_one_species_is_it(text: str, smiles: str) -> None:
    assert smiles_of(text)[0] == smiles


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("C6H14", "it is a formula, which several molecules can have"),
        ("H2+", "give H2 and its charge (charge=1; H2{+1} in an equation)"),
        ("N2+", "give N2 and its charge (charge=1; N2{+1} in an equation)"),
        ("C7H7+", "no molecule of that name"),  # tropylium, and benzyl
        ("benzoquinone-", "give benzoquinone and its charge (charge=-1; benzoquinone{-1} in"),
        ("benzene radical cation", "give benzene and its charge (charge=1; benzene{+1} in"),
        ("Xx+", "no molecule of that name"),
        ("H3-", "no molecule of that name"),
    ],
)
def test_a_formula_of_several_or_none_is_refused(text: str, told: str) -> None:
    assert spelled(text) == ""
    with pytest.raises(NotFoundError) as caught:
        smiles_of(text)
    assert told in str(caught.value)


@given(st.sampled_from(SYMBOLS[1:]), st.integers(-1, 4))
def test_every_atom_and_ion_has_its_element_and_charge(symbol: str, charge: int) -> None:
    sign = f"{abs(charge)}{'+' if charge > 0 else '-'}" if charge else ""
    name = spelled(f"{symbol}^{sign}" if charge else symbol)
    if not name:  # more than its electrons, or a second shell
        assert charge > SYMBOLS.index(symbol) or (symbol in NOBLE and charge < 0)
        return
    mol = read_smiles(smiles_of(name)[0], name)
    assert [(one.GetSymbol(), one.GetFormalCharge()) for one in mol.GetAtoms()] == [
        (symbol, charge)
    ]


@given(st.text(max_size=12))
def test_any_text_is_read_or_not(text: str) -> None:
    spelled(text)
    atom(text)
