"""Sentences of colleagues, traps, and what goes on with a request: none is read wrong."""

import csv
import json
from importlib.resources import files
from pathlib import Path

import click
import pytest

from grafico.agent.rules.reader import Plan, plan
from grafico.cli.app import main
from tests.agent.test_plain import asked, in_order, valid
from workflows.registry.spoken import EXAMPLE

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("colleagues.tsv").read_text("utf-8").splitlines()
]
"""Requests of a conversation, with what is read and the calls; those without are refused."""

DONE = [row for row in ROWS if row[1:]]
REFUSED = [row[0] for row in ROWS if not row[1:]]
UNDERSTOOD = 623
"""What is understood today."""


def planned(text: str) -> Plan:
    *before, last = text.split(" >> ")
    return plan(last, before=before)


def test_nothing_is_read_otherwise_than_it_is_meant() -> None:
    done = 0
    for text, reads, calls in DONE:
        found = planned(text)
        valid(found)
        if found.problem:
            continue
        done += 1
        made = [[call.name, call.arguments] for call in found.calls]
        assert in_order(made) == in_order(json.loads(calls)), text
        assert asked(found) == reads, text
    assert done >= UNDERSTOOD


@pytest.mark.parametrize("text", REFUSED)
def test_traps_are_refused_and_what_is_offered_instead_is_understood(text: str) -> None:
    found = planned(text)
    assert found.problem
    before = text.split(" >> ")[:-1]
    for one in found.suggestions:
        assert one.startswith("grafico ") or plan(one, before=before).calls, one


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dipole of dichlorobenzene", "several molecules"),
        ("O2 as a singlet, multiplicity 3", "do not agree"),
        ("optimise the methyl radical as a singlet", "9 electrons"),
        ("electron affinity of fluorine", "the atom or the molecule"),
        ("pKa of benzoic acid, water", "the solvent or another molecule"),
        ("reaction energy of 2 N2 + H2 -> NH3", "not balanced"),
        ("reaction energy of ethylene", "an arrow"),
        ("transition state of butane", "not a geometry near"),
        ("which is more stable, benzene or toluene?", "different atoms"),
        ("dipole of S1 of formaldehyde", "excited states"),
        ("gap of pyridine at ωB97X-D/def2-SVP", "D2"),
        ("energy of water at r2SCAN-3c", "no method r2SCAN-3c"),
        ("frequencies of benzene on the cluster", "which cluster"),
        ("energy of ammonium with charge 0", "by its name"),
    ],
)
def test_a_refusal_says_what_is_the_matter(text: str, said: str) -> None:
    assert said in plan(text).problem


def test_what_is_absent_leads_to_what_is_there() -> None:
    """Each offer of the table is understood, or is a command that there is."""
    table = files("workflows.registry") / "absent.csv"
    for row in csv.DictReader(table.read_text("utf-8").splitlines(), delimiter=";"):
        offer = EXAMPLE.sub(r"\1", row["nearest"])
        program, _, rest = offer.partition(" ")
        if program == "grafico":
            assert rest.split()[0] in main.list_commands(click.Context(main)), row
        else:
            assert plan(offer).calls, row


@pytest.mark.parametrize(
    ("asked", "offer"),
    [
        ("NMR spectrum of ethanol", "IR spectrum of ethanol"),
        ("flash point of dimethyl ether at 2 bar", "grafico safety 'dimethyl ether'"),
        ("convert caffeine to pdb", "grafico convert caffeine --to pdb"),
        ("toxicity", "grafico safety toluene"),
    ],
)
def test_what_is_there_is_offered_for_what_was_asked_about(asked: str, offer: str) -> None:
    assert plan(asked).suggestions[0] == offer


@pytest.mark.parametrize(
    ("asked", "name", "subjects", "arguments"),
    [
        ("what is the flash point of dimethyl ether?", "safety", ["dimethyl ether"], {}),
        ("logP of toluene, phenol and benzene", "lookup", ["toluene", "phenol", "benzene"], {}),
        ("how similar are aspirin and ibuprofen", "similar", ["aspirin"], {"to": "ibuprofen"}),
        ("RMSD between a.xyz and b.xyz", "rmsd", ["a.xyz"], {"structure": "b.xyz"}),
        ("molecular weight of sodium hydride", "lookup", ["sodium hydride"], {}),
        ("is sodium incompatible with water?", "mixing", ["[Na]; water"], {}),
        ("hazards of mixing acetone with nitric acid", "mixing", ["acetone; nitric acid"], {}),
        ("please give me the molecular weight of CC(=O)O", "lookup", ["CC(=O)O"], {}),
        ("functional groups of aspirin", "groups", ["aspirin"], {}),
        ("boiling point of hexane", "safety", ["hexane"], {}),
        ("log P of caffeine", "lookup", ["caffeine"], {}),
        ("what is the SMILES of caffeine?", "lookup", ["caffeine"], {}),
        ("what is the formula of caffeine", "lookup", ["caffeine"], {}),
        ("What is the melting point of naphthalene?", "safety", ["naphthalene"], {}),
        ("stereoisomers of tartaric acid", "stereoisomers", ["tartaric acid"], {}),
        ("toxicity of aspirin", "safety", ["aspirin"], {}),
    ],
)
def test_a_sentence_that_says_what_one_command_does_is_done(
    asked: str, name: str, subjects: list[str], arguments: dict[str, str]
) -> None:
    (call,) = plan(asked).calls
    assert call.arguments == {"name": name, "subjects": subjects, "arguments": arguments}


@pytest.mark.parametrize(
    "asked",
    [
        "flash point of toluene at 2 bar",
        "functional groups of aspirin with B3LYP",
        "hazards",
        "RMSD of a.xyz",
        "how similar are aspirin, ibuprofen and caffeine",
        "vibrations of water and the flash point of ethanol",
        "melting point of the thing that I made yesterday",
        "analogues of procaine with fluorine",
        "logP of ethanol in octanol",
        "rotatable bonds between carbon and oxygen of ethanol",
        "inchi of benzene from benzene.mol",
        "its hazards in ethanol",
        "mix ammonia and bleach",
        "can I mix 5 mL of acetone with 10 mL of water?",
        "safety of ammonia with hydrogen peroxide",
    ],
)
def test_what_says_more_than_a_command_does_is_told_the_command(asked: str) -> None:
    found = plan(asked)
    assert not found.calls
    assert found.suggestions[0].startswith("grafico ")


@pytest.mark.parametrize(
    ("before", "text", "about"),
    [
        (["energy of benzene", "hazards of toluene"], "and the dipole?", "toluene"),
        (["optimise aspirin", "molecular weight of toluene"], "the same in water", "toluene"),
        (["SMILES of caffeine"], "optimise it with GFN2", "caffeine"),
    ],
)
def test_what_follows_is_about_what_was_asked_last(
    before: list[str], text: str, about: str
) -> None:
    (call,) = plan(text, before=before).calls
    assert call.arguments["molecules"] == [about]


def test_a_solvation_energy_is_that_in_the_solvent_less_that_without() -> None:
    found = plan("solvation free energy of phenol in water with SMD")
    assert [call.arguments for call in found.calls] == [
        {"molecules": ["phenol"], "solvent": "water", "solvation": "SMD"},
        {"molecules": ["phenol"]},
    ]
    assert found.question.compare


def test_a_picture_as_a_file_is_a_command() -> None:
    for text in (
        "IR spectrum of CO2 with GFN2. Save it as co2.png",
        "IR spectrum of CO2 with GFN2 saved as co2.png",
    ):
        wanted = plan(text)
        assert not wanted.calls
        (line,) = wanted.suggestions
        assert line.endswith("--method GFN2 --task frequencies --plot co2.png")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What is the HOH angle in water at HF/STO-3G?", {"task": "optimise"}),
        ("HOOH dihedral of hydrogen peroxide with HF/STO-3G", {"task": "optimise"}),
    ],
)
def test_an_angle_is_named_by_its_elements(text: str, said: dict[str, str]) -> None:
    wanted = plan(text)
    assert not wanted.problem
    assert said.items() <= wanted.calls[0].arguments.items()
    assert wanted.question.parts == ("-".join(text.split()[3 if "What" in text else 0]),)


def test_how_strong_a_hydrogen_bond_is() -> None:
    (call,) = plan("how strong is the hydrogen bond in the water dimer with GFN2").calls
    assert call.arguments["name"] == "interaction"
