"""Bonds broken one at a time: which, into what, and that it is the reaction written by hand."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from rdkit import Chem

from grafico import Grafico
from grafico.agent.rules.reader import plan
from ontologies.dissociation import BondDissociation
from ontologies.reactions import ReactionEnergy
from tests.asking import made
from triplestore.errors import InputError, RecipeError, ResourceError
from workflows.dissociation.bonds import broken_bonds

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G", "task": "energy"}


def dissociate(session: Grafico, molecule: str, **asked: Any) -> BondDissociation:
    return made(session, "bond-dissociation", molecule, BondDissociation, **{**HF, **asked})


@pytest.mark.parametrize(
    ("smiles", "into", "expected"),
    [
        (
            "CO",
            "radicals",
            {"C1-O2": {"[CH3]", "[OH]"}, "C1-H3": {"[CH2]O", "[H]"}, "O2-H6": {"C[O]", "[H]"}},
        ),
        ("CO", "hydride", {"C1-H3": {"[CH2+]O", "[H-]"}, "O2-H6": {"C[O+]", "[H-]"}}),
        ("CO", "proton", {"C1-H3": {"[CH2-]O", "[H+]"}, "O2-H6": {"C[O-]", "[H+]"}}),
        ("CC", "radicals", {"C1-C2": {"[CH3]"}, "C1-H3": {"C[CH2]", "[H]"}}),
        ("C1CC1", "radicals", {"C1-H4": {"[CH]1CC1", "[H]"}}),
        ("[NH4+]", "proton", {"N1-H2": {"N", "[H+]"}}),
        ("CC(C)C", "hydride", {"C1-H5": {"[CH2+]C(C)C", "[H-]"}, "C2-H8": {"C[C+](C)C", "[H-]"}}),
    ],
)
def test_what_is_left(smiles: str, into: Any, expected: dict[str, set[str]]) -> None:
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    found = broken_bonds(mol, into, (), "it was asked for")
    assert {one.label: {*one.ends} for one in found} == {
        label: {Chem.CanonSmiles(end) for end in ends} for label, ends in expected.items()
    }
    assert sum(one.alike for one in found) >= len(found)


def test_bonds_that_are_named_are_each_broken() -> None:
    mol = Chem.AddHs(Chem.MolFromSmiles("C"))
    found = broken_bonds(mol, "radicals", ("1-2", "C1-H3"), "")
    assert [one.label for one in found] == ["C1-H2", "C1-H3"]


@pytest.mark.parametrize(
    ("smiles", "bonds", "expected"),
    [
        ("Oc1ccccc1", ("O-H",), {"O1-H8": 1}),
        ("Oc1ccccc1", ("OH", "1-8"), {"O1-H8": 1}),
        ("Nc1ccccc1", ("N–H",), {"N1-H8": 2}),
        ("CCl", ("Cl-C",), {"Cl2-C1": 1}),
        ("Cc1ccccc1", ("C-H",), {"C1-H8": 3, "C3-H11": 2, "C4-H12": 2, "C5-H13": 1}),
        ("C=O", ("C=O",), {"C1-O2": 1}),
        ("C=O", ("C-O",), {"C1-O2": 1}),
        ("CC(=O)O", ("C-O",), {"C2-O4": 1}),
        ("CC(=O)O", ("C=O", "C-C"), {"C2-O3": 1, "C1-C2": 1}),
        ("CC1CC1", ("C-C",), {"C1-C2": 1}),
    ],
)
def test_a_bond_by_its_elements_is_one_of_each_kind_that_has_them(
    smiles: str, bonds: tuple[str, ...], expected: dict[str, int]
) -> None:
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    found = broken_bonds(mol, "radicals", bonds, "it was asked for")
    assert {one.label: one.alike for one in found} == expected


@pytest.mark.parametrize(
    ("smiles", "bond", "found", "advice"),
    [
        ("CO", "N-H", "it has no bond N-H", "its bonds are C-H, C-O, O-H"),
        ("CO", "C=O", "it has no bond C=O", "its bonds are C-H, C-O, O-H"),
        ("C#N", "C=N", "it has no bond C=N", "its bonds are C#N, C-H"),
        ("CO", "X-Y", "'X-Y' names no bond", "it has C-H, C-O, O-H"),
    ],
)
def test_a_bond_that_is_not_there_is_refused_with_those_that_are(
    smiles: str, bond: str, found: str, advice: str
) -> None:
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    with pytest.raises(InputError) as caught:
        broken_bonds(mol, "radicals", (bond,), "it was asked for")
    assert found in caught.value.found
    assert advice in caught.value.advice


def test_by_elements_it_is_the_bond_by_numbers(session: Grafico) -> None:
    named = dissociate(session, "O", bonds=("O-H",))
    assert named.bond_labels == ("O1-H2",)
    numbered = dissociate(session, "O", bonds=("1-2",))
    assert named.reactions[0].energy_change == numbered.reactions[0].energy_change


@pytest.mark.parametrize(
    ("text", "bonds"),
    [
        ("O-H bond dissociation energy of phenol with B3LYP/def2-SVP", ["O-H"]),
        ("O–H BDE of methanol", ["O-H"]),
        ("BDE of the C-Cl bond of chloromethane", ["C-Cl"]),
        ("how strong is the S-S bond in dimethyl disulfide", ["S-S"]),
        ("bond dissociation energies of C-H and C-C in propane", ["C-H", "C-C"]),
        ("BDE(N-H) of ammonia", ["N-H"]),
        ("dissociation energy of the bond 1-8 in phenol", ["1-8"]),
        ("carbonyl bond dissociation energy of acetone", ["C=O"]),
        ("break the O-H bond of water", ["O-H"]),
    ],
)
def test_the_bond_of_a_sentence_is_the_one_that_is_broken(text: str, bonds: list[str]) -> None:
    (call,) = plan(text).calls
    assert call.arguments["name"] == "dissociate"
    assert call.arguments["arguments"]["bonds"] == bonds


@pytest.mark.parametrize("text", ["benzylic C-H BDE of toluene", "phenolic O-H BDE of phenol"])
def test_which_of_several_bonds_is_not_dropped(text: str) -> None:
    assert text.split()[0] in plan(text).problem


def test_it_is_the_reaction_written_by_hand(session: Grafico) -> None:
    found = dissociate(session, "C")
    assert found.bond_labels == ("C1-H2",)
    done = session.run("C -> [CH3] + [H]", workflow="reaction", **HF)
    assert done.reused, "nothing is computed twice"
    [alone] = done.ran.made
    assert isinstance(alone, ReactionEnergy)
    assert found.reactions[0].energy_change == alone.energy_change
    hydrogen = found.reactions[0].species_energies[2]
    assert hydrogen.energy == pytest.approx(-0.466582, abs=1e-6), "Szabo and Ostlund"


def test_hydride_and_proton_add_up_to_two_electrons_between_them(session: Grafico) -> None:
    """R-H gives R+ and H-, or R- and H+: the two differ by electron affinities alone."""
    changes = {
        into: dissociate(session, "C", into=into).reactions[0] for into in ("hydride", "proton")
    }
    energies = {
        name: part.energy
        for one in changes.values()
        for part in one.species_energies
        for name in [part.species.name]
    }
    assert energies["[H+]"] == 0
    gap = changes["hydride"].energy_change - changes["proton"].energy_change
    by_hand = energies["[CH3+]"] + energies["[H-]"] - energies["[CH3-]"]
    assert gap == pytest.approx(by_hand, abs=1e-10)
    assert any("above zero" in remark for remark in changes["hydride"].remarks)


@pytest.mark.parametrize(
    ("molecule", "asked", "problem"),
    [
        ("C1CC1", {"bonds": ("1-2",)}, "is in a ring"),
        ("CO", {"bonds": ("1-9",)}, "no bond 1-9"),
        ("CO", {"bonds": ("3-4",)}, "H3-H4 is no bond"),
        ("CO", {"bonds": ("first",)}, "names no bond"),
        ("CC", {"bonds": ("1-2",), "into": "proton"}, "no bond to one hydrogen"),
        ("FF", {"into": "hydride"}, "no such bond"),
        ("[He]", {}, "no such bond"),
    ],
)
def test_what_cannot_be_is_said(
    session: Grafico, molecule: str, asked: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InputError) as caught:
        dissociate(session, molecule, **asked)
    assert problem in caught.value.found


def test_a_bond_whose_fragment_fails_stands_beside_the_others(session: Grafico) -> None:
    relaxed = session.run("CO", method="GFN2-xTB", task="optimise", convergence="tight")
    asked = {"method": "GFN2-xTB", "task": "optimise", "max_steps": 3}
    done = session.run(relaxed.run, workflow="bond-dissociation", **asked)
    [found] = done.ran.made
    assert isinstance(found, BondDissociation)
    assert "C1-O2" in found.bond_labels
    assert len(found.reactions) == len(found.bond_labels)
    missing = [one.partition(": ") for one in found.failures]
    assert {*found.bond_labels, *(label for label, _, _ in missing)} == {"C1-O2", "C1-H3", "O2-H6"}
    assert missing
    assert all("did not converge" in why for _, _, why in missing)
    blocks = [block for one in done.shown_sections() for block in one.blocks]
    told = "\n".join(str(getattr(one, "text", one)) for one in blocks)
    assert f"no energy of the bond {missing[0][0]}: " in told
    assert "weakest bond of those with an energy" in told
    with pytest.raises(RecipeError, match="species have none"):
        session.run("CCO", workflow="bond-dissociation", **(asked | {"max_steps": 1}))


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"bonds": ("O-H",)}, "--method GFN2-xTB --energy-at B3LYP/def2-SVP"),
        ({"basis": "6-31G*"}, "--method GFN2-xTB --energy-at 'B3LYP/6-31G*'"),
        ({"task": "energy"}, ""),
        ({"energy_at": "PBE/def2-SVP"}, ""),
        ({"solvent": "water"}, ""),
    ],
)
def test_what_takes_less_is_told_as_a_command(
    session: Grafico, asked: dict[str, Any], line: str
) -> None:
    said: dict[str, Any] = {
        "workflow": "bond-dissociation",
        "method": "B3LYP",
        "basis": "def2-SVP",
        **asked,
    }
    ready = session.wait_for(lambda: session.prepare_async("phenol", **said))
    with pytest.raises(ResourceError) as caught:
        ready.estimate(0.0001)
    told = caught.value.advice
    assert (f"energies alone at this level: `grafico dissociate … {line}`" in told) == bool(line)
    assert ("energies alone" in told) == bool(line)
    if line:  # and it is what the command line takes
        words = shlex.split(line)
        again: dict[str, Any] = {"method": words[1], "energy_at": words[3], "bonds": ("O-H",)}
        less = session.wait_for(
            lambda: session.prepare_async("phenol", workflow="bond-dissociation", **again)
        )
        assert words[3] in less.prepared.label


def test_which_bond_is_whose_is_not_guessed() -> None:
    told = plan("N-H bond in pyrrole and the O-H bond in phenol: bond dissociation energies")
    assert "whose" in told.problem
    assert not told.calls
