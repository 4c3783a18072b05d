"""Command lines among plain requests: read back as what they were made of, and gone on with."""

from __future__ import annotations

import json

import pytest

from grafico import Grafico
from grafico.agent import Agent
from grafico.agent.rules.calls import commands
from grafico.agent.rules.model import plain_model
from grafico.agent.rules.reader import plan

SAID = [
    "energy of water with HF/STO-3G",
    "optimise methanol with GFN2-xTB",
    "frequencies of water and ammonia with HF/STO-3G",
    "energy of the hydroxide anion with B3LYP/def2-SVP in water",
    "conformers of butane with GFN2-xTB",
    "UV spectrum of formaldehyde with CAM-B3LYP/def2-SVP",
    "polarizability of benzene with HF/STO-3G",
    "energy of C[C@H](O)C(=O)O with GFN2-xTB",
    "pKa of acetic acid",
]


@pytest.mark.parametrize("text", SAID)
def test_what_is_said_of_a_request_asks_for_the_same(text: str) -> None:
    (call,) = plan(text).calls
    again = plan("\n".join(commands(call)))
    assert again.problem == ""
    (read,) = again.calls
    assert read.request is not None
    assert call.request is not None
    assert read.request.workflow.name == call.request.workflow.name
    assert read.request.subjects == call.request.subjects
    assert read.request.arguments == call.request.arguments


@pytest.mark.parametrize(
    ("text", "name", "subjects", "asked"),
    [
        ("grafico lookup aspirin", "lookup", ["aspirin"], {}),
        ("grafico similar CCO --to 'CO, CCN'", "similar", ["CCO"], {"to": "CO, CCN"}),
        ("\ngrafico lookup aspirin\n\n", "lookup", ["aspirin"], {}),
        ("# its CAS number\ngrafico lookup aspirin", "lookup", ["aspirin"], {}),
        ("grafico lookup aspirin # its CAS number", "lookup", ["aspirin"], {}),
        ("grafico lookup C#N", "lookup", ["C#N"], {}),
        ("grafico lookup -- aspirin", "lookup", ["aspirin"], {}),
        ("grafico similar CCO --to CO -- CCN", "similar", ["CCO", "CCN"], {"to": "CO"}),
        ("grafico convert ethanol -o ethanol.sdf", "convert", ["ethanol"], {"file": "ethanol.sdf"}),
    ],
)
def test_a_command_line_of_an_action_is_read(
    text: str, name: str, subjects: list[str], asked: dict[str, str]
) -> None:
    (call,) = plan(text).calls
    assert call.name == "run_workflow"
    assert call.arguments == {"name": name, "subjects": subjects, "arguments": asked}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "grafico lookup aspirin\ngrafico safety acetone",
            ("grafico lookup aspirin", "grafico safety acetone"),
        ),
        ("grafico routes paracetamol\nthanks!", ("grafico routes paracetamol",)),
        ("please:\ngrafico lookup aspirin", ("grafico lookup aspirin",)),
        (
            "grafico run water\ngrafico lookup aspirin",
            ("grafico run water", "grafico lookup aspirin"),
        ),
    ],
)
def test_a_command_line_of_an_action_stands_alone(text: str, lines: tuple[str, ...]) -> None:
    found = plan(text)
    assert found.calls == ()
    assert "these are 2 lines: ask in turn" in found.problem
    assert found.suggestions == lines


def test_comments_among_command_lines_are_no_subjects() -> None:
    (call,) = plan("# two\ngrafico run water -- ammonia # both").calls
    assert call.arguments["molecules"] == ["water", "ammonia"]


def test_what_came_with_a_command_line_is_meant_by_its_file() -> None:
    iri = "g:id/ConceptualAtoms/3d97efcad5eb016e5e0e235b7c762f7f"
    marker = json.dumps({"structure": iri, "from": "attached w.xyz", "file": "w.xyz"})
    (call,) = plan(f"grafico convert w.xyz --to smiles\n[data {marker}]").calls
    assert call.arguments["subjects"] == [iri]


@pytest.mark.parametrize("text", ["grafico statement CCO", "grafico lookup aspirin | sh"])
def test_what_a_person_asks_for_at_a_terminal_alone_is_no_plain_request(text: str) -> None:
    assert not plan(text).calls


def test_what_an_action_tells_is_passed_on_as_it_is(session: Grafico) -> None:
    with Agent(plain_model(), session=session) as agent:
        reply = agent.ask("grafico lookup aspirin")
    assert "\n    CAS             50-78-2" in reply.text
    assert reply.numbers == []  # it is no claim of the rules


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("and in ethanol?", {"solvent": "ethanol"}),
        ("now with B3LYP/def2-SVP", {"method": "B3LYP", "basis": "def2-SVP"}),
        ("and of ammonia?", {"molecules": ["ammonia"]}),
    ],
)
def test_a_question_goes_on_with_a_command_line(text: str, changed: dict[str, object]) -> None:
    before = "grafico run water --method HF --basis STO-3G --task optimise"
    usual = {"molecules": ["water"], "method": "HF", "basis": "STO-3G", "task": "optimise"}
    (call,) = plan(text, before=[before]).calls
    assert call.arguments == usual | changed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("grafico run water --store /tmp/x", "takes no store"),
        ("grafico run water --yes", "takes no yes"),
        ("grafico run water --charge many", "charge"),
        ("grafico run", "no molecule is named"),
        ("grafico withdraw last", "not understood"),
        ("grafico run 'water --method HF", "not understood"),
        ("grafico run water; rm -rf x", "not understood"),
        ("grafico run water | tee x", "not understood"),
        ("grafico run water -t 4", "not understood"),
        ("grafico run water --method HF\ngrafico run ammonia --method MP2", "not understood"),
    ],
)
def test_what_cannot_be_asked_so_is_refused(text: str, said: str) -> None:
    found = plan(text)
    assert found.calls == ()
    assert said in found.problem
