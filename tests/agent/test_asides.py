"""Clauses that are set aside, units by name, figures in words, and what goes on with a request."""

import pytest

from grafico.agent.rules.aside import in_figures, set_aside
from grafico.agent.rules.reader import Plan, plan

GAP = {"molecules": ["benzene"], "analysis": True}

SET_ASIDE = [
    ("gap of benzene for a lecture slide tomorrow", "for a lecture slide tomorrow"),
    ("gap of benzene before the group meeting tomorrow", "before the group meeting tomorrow"),
    ("gap of benzene so that I can plan the experiment", "so that I can plan the experiment"),
    ("gap of benzene, as we discussed.", "as we discussed"),
    ("gap of benzene, since my boss insisted", "since my boss insisted"),
    ("For my lecture slides: gap of benzene", "For my lecture slides"),
    ("I'm writing an SI and need the gap of benzene", "I'm writing an SI and"),
    ("Our customers ask for the gap of benzene", "Our customers ask for"),
    ("gap of benzene, it is for my talk next week", "it is for my talk next week"),
    ("gap of benzene, it is only a test", "it is only a test"),
    ("gap of benzene to check an assignment", "to check an assignment"),
    ("gap of benzene, to compare with my measured values", "to compare with my measured values"),
    ("A rough gap of benzene is sufficient", "is sufficient"),
    ("gap of benzene, any decent method will do", "any decent method will do"),
]

TRAPS = """
dipole of acetone tomorrow, because it is protonated
dipole of phenol for my slide because my compound has a methoxy group
gap of phenol so that the OH points down
energy of ethanol before optimisation
energy of ethanol as a function of temperature for my slide
gap of benzene because my supervisor does not want B3LYP
gap of benzene, my referee hates B3LYP
gap of benzene as in my last paper
gap of benzene at the level of my thesis
dipole of acetone since my student measured it in water
gap of benzene for my two students tomorrow
energy of glycine because I need the zwitterion
energy of glycine because my boss wants the deprotonated form
run the gap of benzene tomorrow
energies of cis-stilbene and trans-stilbene so that I can rank them tomorrow
gap of benzene, not for my thesis slide
gap of benzene except for my slide tomorrow
benzene for my lecture slide tomorrow
gap of toluene for the lecture on benzene
dipole of phenol (for my thesis about aniline)
dipole of phenol for my slide, about aniline
gap of benzene before and after optimisation for my slide
pKa of phenol because my colleague says it is charged
energy of the group for the slide
gap of pyridine for my slide because I will methylate it
gap of pentacene as we agreed with a larger basis
gap of benzene as our group does it
dipole of acetone, this is only a test of solvation
gap of benzene for the poster, but in the excited state
gap of benzene for the SI of the chloro compound
gap of benzene so we can see the solvent effect
gap of phenol for my slides in case of water
dipole of phenol, it is for my talk on the trimethyl compound
energy of ethanol at twenty five kelvin
energy of ethanol at two hundred kelvin
frequencies of ethanol at twenty-five degrees
energy of water in angstrom
list all runs of today for my talk
gap of benzene for my slide, no dispersions at all
gap of benzene: which functional is enough?
gap of benzene: is a single point sufficient
13C NMR of acetone for my lecture slide tomorrow
""".strip().splitlines()


@pytest.mark.parametrize(("text", "clause"), SET_ASIDE)
def test_clauses_of_circumstance_are_set_aside_and_told(text: str, clause: str) -> None:
    found = plan(text)
    assert [call.arguments for call in found.calls] == [GAP], found.problem
    assert found.understood == (f"set aside: “{clause}”",)


@pytest.mark.parametrize("text", TRAPS)
def test_clauses_that_carry_something_are_refused(text: str) -> None:
    assert plan(text).problem


def test_what_a_clause_carries_is_taken_in_where_it_is_understood() -> None:
    def said(text: str) -> dict[str, object]:
        [call] = plan(text).calls
        return call.arguments

    assert said("gap of phenol because I need it in ethanol")["solvent"] == "ethanol"
    assert said("energy of phenol for use in water, for my slide")["solvent"] == "water"
    assert said("gap of benzene for the cation, for my slide")["charge"] == 1
    assert (
        said("gap of benzene because I need it for my slide tomorrow at PBE0")["method"] == "PBE0"
    )


def test_a_comparison_is_not_set_aside() -> None:
    found = plan("dipole of furan and pyrrole so that I can compare them for my talk tomorrow")
    assert found.question.compare
    assert set_aside("so that I can compare them")[1] == ()


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("gap of benzene (eV)", "eV"),
        ("gap of benzene in electronvolts", "eV"),
        ("energy of water at HF/STO-3G, hartree", "Eh"),
        ("zero-point energy of ketene in wavenumbers", "cm-1"),
        ("S1 of acetone in nanometres", "nm"),
        ("energy of water in Hartree-Fock", ""),
        ("dipole of benzene at HF/6-31G(d)", ""),
        ("polarizability of benzene in cubic angstroms", ""),
    ],
)
def test_units_by_their_names(text: str, unit: str) -> None:
    found = plan(text)
    assert found.calls, found.problem
    assert found.question.unit == unit
    assert len(found.question.reads) == 1


def test_numbers_in_words_before_a_unit_and_at_the_end_of_a_sentence() -> None:
    assert in_figures("ten degree steps, two of them, twenty-five K") == (
        "10 degree steps, two of them, twenty-five K"
    )
    scan = "scan the dihedral 1-2-3-4 of butane from 0 to 180"
    for steps, step in (
        (" in steps of 15.", 15),
        (" in ten degree steps", 10),
        (" every 7.5.", 7.5),
    ):
        [call] = plan(scan + steps).calls
        assert call.arguments["arguments"]["step"] == step
    [call] = plan("energy of water with charge 1.").calls
    assert call.arguments["charge"] == 1


@pytest.mark.parametrize(
    ("before", "text", "said"),
    [
        ("gap of benzene", "redo with def2-TZVP", {"basis": "def2-TZVP"}),
        ("gap of benzene", "re-run at PBE0/def2-SVP", {"method": "PBE0", "basis": "def2-SVP"}),
        ("gap of benzene", "once more in water", {"solvent": "water"}),
        ("gap of benzene", "again but in water", {"solvent": "water"}),
        ("gap of benzene", "I forgot to say: in water", {"solvent": "water"}),
        ("gap of benzene", "what if it were a cation?", {"charge": 1}),
        ("gap of benzene, for my slide", "and in water?", {"solvent": "water"}),
        ("gap of benzene", "forgot to say it is a dianion, redo", {"charge": -2}),
    ],
)
def test_what_goes_on_with_a_request(before: str, text: str, said: dict[str, object]) -> None:
    found = plan(text, before=[before])
    assert [call.arguments for call in found.calls] == [GAP | said], found.problem


def test_a_condition_that_is_not_understood_is_no_follow_up() -> None:
    [call] = plan("what if it were 500 K?", before=["frequencies of ammonia at 300 K"]).calls
    assert call.arguments["temperature"] == 500
    assert plan("what if it were protonated?", before=["gap of ammonia"]).problem
    assert plan("forgot to add water", before=["gap of benzene"]).problem
    assert plan("what if the chlorine sits there?", before=["gap of chlorobenzene"]).problem


def test_isomers_are_relaxed_where_the_more_stable_is_asked_for() -> None:
    def tasks(found: Plan) -> set[object]:
        return {call.arguments.get("task") for call in found.calls}

    found = plan("which is more stable, cis- or trans-2-butene, and by how much?")
    assert tasks(found) == {"optimise"}
    assert found.question.compare
    assert "the geometries are relaxed, as stabilities are asked for" in found.understood
    assert tasks(plan(r"which is more stable, C/C=C/C or C/C=C\C?")) == {"optimise"}
    assert tasks(plan("which is more stable, a.xyz or b.xyz?")) == {None}
    assert tasks(plan("relative stability of propene and cyclopropane, single points")) == {None}
    assert tasks(plan("energy difference between propene and cyclopropane")) == {None}
