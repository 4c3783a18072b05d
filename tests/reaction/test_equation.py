"""Equations as people write them, and what is wrong with some."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from triplestore import open_store
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Given
from workflows.engine.request.form import fill
from workflows.reaction.equation import LONGEST, Term, check_balance, read_equation
from workflows.reaction.subject import REACTIONS, ReadingSpecies
from workflows.reaction.written import balanced
from workflows.redox.subject import HALF_REACTIONS

HALF = Fraction(1, 2)


def atoms(*numbers: int, charge: int = 0) -> ConceptualAtoms:
    places = [[2.0 * at, 0.0, 0.0] for at in range(len(numbers))]
    return ConceptualAtoms(numbers=numbers, positions=places, charge=charge)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("C=C + [H][H] -> CC", [(-1, "C=C"), (-1, "[H][H]"), (1, "CC")]),
        ("2 [H][H] + O=O → 2 O", [(-2, "[H][H]"), (-1, "O=O"), (2, "O")]),
        ("1/2 O=O + [H][H] = O", [(-HALF, "O=O"), (-1, "[H][H]"), (1, "O")]),
        ("½ O=O + 1.5 N ⇌ O", [(-HALF, "O=O"), (Fraction(-3, 2), "N"), (1, "O")]),
        (
            "acetic acid -> acetate{-1} + [H+]",
            [(-1, "acetic acid"), (1, "acetate", -1), (1, "[H+]")],
        ),
        ("[NH3]->[BH3] -> N + B", [(-1, "[NH3]->[BH3]"), (1, "N"), (1, "B")]),
        ("O=O{triplet} -> O=O{singlet}", [(-1, "O=O", None, 3), (1, "O=O", None, 1)]),
        ("O {+1, doublet} -> C{0 quartet}", [(-1, "O", 1, 2), (1, "C", 0, 4)]),
        ("OC=C>>CC=O", [(-1, "OC=C"), (1, "CC=O")]),
        ("A + B >> C", [(-1, "A"), (-1, "B"), (1, "C")]),
        ("2 A + A + B -> B", [(-3, "A"), (-1, "B"), (1, "B")]),
        ("C#N -> [C-]#[NH+]", [(-1, "C#N"), (1, "[C-]#[NH+]")]),
        ("2H2(g)+O2=2H2O(l)", [(-2, "H2"), (-1, "O2"), (2, "H2O")]),
        ("H++OH-->H2O", [(-1, "H+"), (-1, "OH-"), (1, "H2O")]),
        ("1/2N2+3/2H2→NH3", [(-HALF, "N2"), (Fraction(-3, 2), "H2"), (1, "NH3")]),
        (
            "ethylene + 3*O2 -> 2CO2 + 2 water",
            [
                (-1, "ethylene"),
                (-3, "O2"),
                (2, "CO2"),
                (2, "water"),
            ],
        ),
    ],
)
def test_an_equation_is_read(text: str, terms: list[tuple]) -> None:
    assert read_equation(text) == [Term(Fraction(count), *rest) for count, *rest in terms]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no arrow"),
        ("C=C+[H][H]->CC", "no arrow"),
        ("C -> N -> O", "2 arrows"),
        ("C=C.[H][H]>>CC", "an ion pair or two molecules"),
        (" -> C", "nothing stands before"),
        ("C -> ", "nothing stands after"),
        ("C + -> N", "a species is missing"),
        ("C + + N -> O", "a species is missing"),
        ("0 C -> N", "0 of C cannot be"),
        ("1/0 C -> N", "1/0 of C cannot be"),
        ("5000 C -> N", "5000 of C cannot be"),
        ("C{3} -> N", "'3' behind C says neither"),
        ("C{-1 +1} -> N", "'+1' behind C says neither"),
        ("C{<script>} -> N", "says neither"),
        ("{-1} -> N", "a species is missing"),
        (f"{'C' * LONGEST} -> N", "characters"),
        (" + ".join(f"C{'C' * n}" for n in range(25)) + " -> N", "26 species"),
    ],
)
def test_what_is_no_equation_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        read_equation(text)
    assert problem in caught.value.found
    assert caught.value.advice


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        terms = read_equation(text)
    except InputError:
        return
    assert all(one.coefficient and one.text == one.text.strip() for one in terms)


def test_what_is_missing_is_said() -> None:
    def problem(*species: tuple[int, ConceptualAtoms]) -> str:
        with pytest.raises(InputError, match="is not balanced") as caught:
            check_balance("it", [(Fraction(count), one) for count, one in species])
        return caught.value.found

    ethene, hydrogen, ethane = atoms(6, 6, 1, 1, 1, 1), atoms(1, 1), atoms(6, 6, *[1] * 6)
    assert (
        problem((-1, ethene), (1, ethane)) == "it is not balanced: H2 is missing before the arrow"
    )
    assert "C2H4 is missing after" in problem((-1, ethene), (-1, hydrogen), (1, hydrogen))
    told = problem((-1, atoms(8, 1, charge=-1)), (1, atoms(8, 1, 1)))
    assert told.endswith(
        "H is missing before the arrow; the charge after the arrow is 1 e more than before"
    )
    check_balance("it", [(Fraction(-1), ethene), (Fraction(-1), hydrogen), (Fraction(1), ethane)])
    halves = [
        (Fraction(-1, 2), atoms(8, 8)),
        (Fraction(-1), hydrogen),
        (Fraction(1), atoms(8, 1, 1)),
    ]
    check_balance("it", halves)


async def test_a_formula_that_alone_balances_is_meant() -> None:
    """CO is methanol as a SMILES: where that does not balance, and the gas does, it is the gas."""
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))

        async def read(kind: Any, text: str) -> Given[Any]:
            return await kind.read(text, fill(ReadingSpecies, {}), executor)

        shift = await read(REACTIONS, "CO + H2O -> CO2 + H2")
        named = await read(REACTIONS, "carbon monoxide + H2O -> CO2 + H2")
        methanol = await read(REACTIONS, "CO -> C=O + [H][H]")
        half = await read(HALF_REACTIONS, "CO2 + 2 H+ + 2 e- -> CO + H2O")
        with pytest.raises(InputError) as caught:
            await read(REACTIONS, "CO + O=O -> CC")
        executor.close()
    assert [one.atoms.iri for one in shift.model.species] == [
        one.atoms.iri for one in named.model.species
    ]
    told = [one for one in shift.remarks if "balances" in one]
    assert told == [
        "CO is read as carbon monoxide, not as the SMILES of CH4O: so the equation balances "
        "(carbon monoxide)"
    ]
    assert methanol.model.species[0].atoms.formula == "CH4O"
    assert [one.atoms.formula for one in half.model.reaction.species] == ["CO2", "CO", "H2O"]
    assert "write carbon monoxide for CO" in str(caught.value)


async def test_charge_and_spin_that_are_said_stay_with_the_name() -> None:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        form = fill(ReadingSpecies, {})
        half = await HALF_REACTIONS.read("benzoquinone + e- -> benzoquinone{-1}", form, executor)
        spins = await REACTIONS.read("O=O{singlet} -> O=O{triplet}", form, executor)
        again = await REACTIONS.read(spins.model.name, form, executor)
        executor.close()
    assert half.model.name == "benzoquinone + e- -> benzoquinone{-1}"
    assert spins.model.name == "O=O{singlet} -> O=O{triplet}"
    assert again.model.iri == spins.model.iri
    assert [
        one.name for one in read_equation("[O-][O]{-1} + [Fe++]{+2} + O{0} -> CO{0, triplet}")
    ] == [
        "[O-][O]",
        "[Fe++]",
        "O",
        "CO{triplet}",
    ]


async def test_atoms_radicals_and_ions_are_written_by_their_formulas() -> None:
    """Bare symbols are SMILES of hydrides: they are atoms where the equation says so."""
    equations = {
        "H2 -> 2 H": ["H2", "H"],
        "N + O2 -> NO + O": ["N", "O2", "NO", "O"],
        "F + H2 -> HF + H": ["F", "H2", "FH", "H"],
        "CH4 -> C + 4 H": ["CH4", "C", "H"],
        "Na + Cl -> NaCl": ["Na", "Cl", "ClNa"],
        "OH + CH4 -> CH3 + H2O": ["HO", "CH4", "CH3", "H2O"],
        "ClO + O3 -> ClO2 + O2": ["ClO", "O3", "ClO2", "O2"],
        "NH4+ + OH- -> NH3 + H2O": ["H4N", "HO", "H3N", "H2O"],
        "SO42- + H3O+ -> HSO4- + H2O": ["O4S", "H3O", "HO4S", "H2O"],
    }
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        for equation, formulas in equations.items():
            found = await REACTIONS.read(equation, fill(ReadingSpecies, {}), executor)
            assert [one.atoms.formula for one in found.model.species] == formulas, equation
        hydration = await REACTIONS.read("C=C + O -> CCO", fill(ReadingSpecies, {}), executor)
        assert [one.atoms.formula for one in hydration.model.species] == ["C2H4", "H2O", "C2H6O"]
        executor.close()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("C3H8 + O2 -> CO2 + H2O", "C3H8 + 5 O2 -> 3 CO2 + 4 H2O"),
        ("benzene + H2 -> cyclohexane", "benzene + 3 H2 -> cyclohexane"),
        ("CO + O2 -> CO2", "2 carbon monoxide + O2 -> 2 CO2"),
        ("combustion of ethanol", "ethanol + 3 O2 -> 2 CO2 + 3 H2O"),
        ("hydrogenation of styrene", "styrene + H2 -> CCc1ccccc1"),
        ("hydrogenation of acetonitrile", "acetonitrile + 2 H2 -> CCN"),
        ("atomization of water", "water -> 2 hydrogen atom + oxygen atom"),
        ("proton affinity of pyridine", "c1cc[nH+]cc1 -> pyridine + H+"),
        ("proton affinity of acetamide", "CC(N)=[OH+] -> acetamide + H+"),
        ("proton affinity of propene", "C[CH+]C -> propene + H+"),
    ],
)
async def test_what_is_left_open_is_filled_in(text: str, name: str) -> None:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        found = await REACTIONS.read(text, fill(ReadingSpecies, {}), executor)
        executor.close()
    assert found.model.name == name


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2 C3H8 + O2 -> CO2 + H2O", "write 'C3H8 + 5 O2 -> 3 CO2 + 4 H2O'"),
        ("H2 -> CH4", "CH2 is missing before the arrow"),
        ("combustion of chloroform", "is not fixed"),
        ("hydrogenation of ethane", "no double or triple bond"),
        ("proton affinity of toluene", "of its atoms may take the proton"),
    ],
)
async def test_what_can_be_filled_in_in_no_way_or_several_is_told(text: str, told: str) -> None:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        with pytest.raises(InputError) as caught:
            await REACTIONS.read(text, fill(ReadingSpecies, {}), executor)
        executor.close()
    assert told in str(caught.value)


@given(st.lists(st.dictionaries(st.sampled_from("CHO"), st.integers(1, 4)), min_size=2, max_size=5))
def test_counts_that_are_found_balance(species: list[dict[object, int]]) -> None:
    counts = balanced(species, 1)
    for kind in "CHO" if counts else "":
        first, *others = (
            count * one.get(kind, 0) for count, one in zip(counts, species, strict=True)
        )
        assert first == sum(others)
