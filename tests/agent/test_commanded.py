"""Command lines among plain requests: read back as what they were made of, and gone on with."""

from __future__ import annotations

import pytest

from grafico.agent.rules.calls import commands
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
