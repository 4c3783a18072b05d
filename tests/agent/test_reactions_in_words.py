"""Reactions, dimers, isomers, curves and crystals, as chemists type them."""

from __future__ import annotations

import pytest

from grafico.agent.rules.reader import plan


def asked(text: str) -> list[tuple[str, list[str], dict[str, object]]]:
    """Return of each call the workflow, what it is about, and its other arguments."""
    found = plan(text)
    assert not found.problem, f"{text}: {found.problem}"
    each: list[tuple[str, list[str], dict[str, object]]] = []
    for call in found.calls:
        said = dict(call.arguments)
        name = str(said.get("name", call.name))
        about = said.get("subjects", said.get("molecules"))
        each.append((name, list(about), said.get("arguments", said)))  # type: ignore[arg-type]
    return each


@pytest.mark.parametrize(
    ("text", "reaction"),
    [
        ("CH4 + 2O2 = CO2 + 2H2O enthalpy with xtb", "CH4 + 2 O2 -> CO2 + 2 H2O"),
        ("enthalpy of CH4+2O2->CO2+2H2O with xtb", "CH4 + 2 O2 -> CO2 + 2 H2O"),
        ("dG of 2H2(g) + O2(g) -> 2H2O(l) at 350 K", "2 H2 + O2 -> 2 H2O"),
        ("reaction energy for N2 + H2 -> NH3", "N2 + H2 -> NH3"),
        ("K_eq for N2O4 = 2 NO2 at 350 K", "N2O4 -> 2 NO2"),
        ("N2O4 <-> 2NO2 equilibrium constant at 350 K", "N2O4 -> 2 NO2"),
        ("energy of the reaction HCN = HNC", "HCN -> HNC"),
        ("methane + 2 oxygen = carbon dioxide + 2 water", None),
        ("Keq of butane to isobutane with xtb", "butane -> isobutane"),
        ("heat of combustion of ethanol with xtb", "combustion of ethanol"),
        ("I need the enthalpy of combustion for methane", "combustion of methane"),
        ("heat of hydrogenation of cyclohexene", "hydrogenation of cyclohexene"),
        ("heat of hydrogenation of benzene to cyclohexane", "benzene + 3 H2 -> cyclohexane"),
        ("atomization energy of water at PBE0", "atomisation of water"),
        ("proton affinity of water", "proton affinity of water"),
        ("gas phase basicity of pyridine", "proton affinity of pyridine"),
    ],
)
def test_a_reaction_is_understood(text: str, reaction: str | None) -> None:
    [(name, subjects, _)] = asked(text)
    assert name == "react"
    assert reaction is None or subjects == [reaction]


@pytest.mark.parametrize(
    "text",
    ["energy of water, basis = STO-3G", "S0 -> S1 excitation of formaldehyde", "gap of CC=CC"],
)
def test_what_is_no_reaction_is_none(text: str) -> None:
    assert [name for name, _, _ in asked(text)] == ["calculate"]


def test_counts_that_are_wrong_are_told() -> None:
    found = plan("reaction energy of ethylene + 2 H2 -> C2H6")
    assert "not balanced" in found.problem
    assert found.suggestions[0] == "ethylene + H2 -> C2H6"


@pytest.mark.parametrize(
    ("text", "name", "subject"),
    [
        ("binding energy of the benzene dimer with xtb", "interaction", "c1ccccc1.c1ccccc1"),
        ("interaction energy of the dimer of acetic acid", "interaction", "CC(=O)O.CC(=O)O"),
        ("binding energy of water and ammonia with xtb", "interaction", "O.N"),
        ("dimerization energy of formic acid with xtb", "interaction", "OC=O.OC=O"),
        ("binding energy of the water dimer at MP2", "interaction", "water dimer"),
        ("optimise the water trimer with xtb", "calculate", "O.O.O"),
        ("inversion barrier of ammonia with xtb", "transition", "inversion of ammonia"),
        ("barrier to inversion of phosphine", "transition", "inversion of phosphine"),
        ("run an IRC from ts.xyz with xtb", "transition", "ts.xyz"),
        ("find the TS for guess.xyz at xtb", "transition", "guess.xyz"),
        ("optimise ts.xyz to a transition state", "transition", "ts.xyz"),
        ("bulk modulus of silicon", "equation-of-state", "silicon crystal"),
        ("lattice parameter of MgO with PBE", "equation-of-state", "MgO crystal"),
    ],
)
def test_one_thing_is_asked_of_one_subject(text: str, name: str, subject: str) -> None:
    assert [one[:2] for one in asked(text)] == [(name, [subject])]


def test_two_files_are_the_ends_of_a_band() -> None:
    [(name, subjects, more)] = asked("NEB between a.xyz and b.xyz with xtb")
    assert (name, subjects, more["product"]) == ("transition", ["a.xyz"], "b.xyz")


def test_a_functional_of_a_crystal_is_that_with_pseudopotentials() -> None:
    [(_, _, more)] = asked("lattice constant of silicon with PBE")
    assert more["method"] == "GTH-PBE"
    assert "no level was named" in " ".join(plan("bulk modulus of LiF").understood)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("scan the O-H bond of water from 0.8 to 1.6 in 10 steps at HF/6-31G*", {"points": 11}),
        ("potential energy curve of HF from 0.7 to 3 angstrom", {"coordinate": "distance 1 2"}),
        ("PES scan of H2 from 0.5 to 3 Å in 0.1 Å steps at UHF/6-31G", {"step": 0.1, "end": 3.0}),
    ],
)
def test_a_curve_is_a_scan(text: str, wanted: dict[str, object]) -> None:
    [(name, _, more)] = asked(text)
    assert name == "scan"
    assert wanted.items() <= more.items()


def test_a_curve_of_three_atoms_is_not_clear() -> None:
    assert "what is driven in water" in plan("potential energy curve of water from 1 to 3").problem


@pytest.mark.parametrize(
    ("text", "isomers"),
    [
        ("E/Z energy difference of 2-butene with xtb", {"C/C=C/C", "C/C=C\\C"}),
        ("keto-enol tautomerization energy of acetone", {"CC(C)=O", "C=C(C)O"}),
    ],
)
def test_isomers_are_compared(text: str, isomers: set[str]) -> None:
    [(name, subjects, more)] = asked(text)
    assert (name, {*subjects}, more["task"]) == ("calculate", isomers, "optimise")
    assert plan(text).question.compare


def test_isomers_that_are_only_listed_are_listed() -> None:
    assert [one[0] for one in asked("stereoisomers of tartaric acid")] == ["stereoisomers"]
    assert "no other tautomers" in plan("relative energies of the tautomers of methane").problem
