"""Answers to plain requests: from results as tools give them, and through the whole agent."""

import re
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.agent import Agent
from grafico.agent.prompt import RULES
from grafico.agent.rules.answer import answer, sums
from grafico.agent.rules.model import plain_model
from grafico.agent.rules.reader import plan

from .helpers import H2

DIMER = """6

O -1.551007 -0.114520 0.0
H -1.934259 0.762503 0.0
H -0.599677 0.040712 0.0
O 1.350625 0.111469 0.0
H 1.680398 -0.373741 -0.758561
H 1.680398 -0.373741 0.758561
"""


def outcome(molecule: str, formula: str, **values: Any) -> dict[str, Any]:
    """What `calculate` says of a molecule, in its form."""
    return {
        "molecule": molecule,
        "status": "finished",
        "reading": f"{formula} (charge +0, multiplicity 1) at B3LYP/def2-SVP; geometry as given",
        "run": f"g:id/Run/{molecule}",
        "geometry": f"g:id/ConceptualAtoms/{molecule}",
        "results": {
            "SinglePoint": f"g:id/SinglePoint/{molecule}",
            "ExcitedStates": f"g:id/ExcitedStates/{molecule}",
        },
        "values": values,
    }


def test_energies_of_isomers_are_compared():
    asked = plan("compare the energies of ethanol and dimethyl ether in kcal/mol")
    came = [
        {
            "molecules": [
                outcome("ethanol", "C2H6O", energy_Eh=-154.02),
                outcome("dimethyl ether", "C2H6O", energy_Eh=-154.00),
            ]
        }
    ]
    text = answer(asked, came)
    # 0.02 Eh × 627.5095 kcal/mol/Eh (CODATA 2022) = 12.550 kcal/mol
    assert "dimethyl ether lies 12.550 kcal/mol above ethanol" in text
    assert "-154.02000000 Eh" in text
    assert "g:id/ExcitedStates/ethanol" in text, "the last one that has the energy"
    *alone, difference = sums(asked, came)
    assert difference == {
        "value": "-154.0 + 154.02",
        "from_unit": "hartree",
        "to_unit": "kcal/mol",
    }
    assert len(alone) == 2


def test_energies_of_different_atoms_are_not_compared():
    asked = plan("compare the energies of water and methane")
    came = [
        {
            "molecules": [
                outcome("water", "H2O", energy_Eh=-76.3),
                outcome("methane", "CH4", energy_Eh=-40.4),
            ]
        }
    ]
    text = answer(asked, came)
    assert "cannot be compared" in text
    assert "above" not in text


def test_excitations_of_different_molecules_are_compared():
    asked = plan("compare the S1 of a.xyz, b.xyz and c.xyz")
    came = [
        {
            "molecules": [
                outcome(name, formula, energy_Eh=-1.0, states=[{"eV": energy, "nm": 1.0, "f": 0.1}])
                for name, formula, energy in (
                    ("a.xyz", "CH2O", 4.0),
                    ("b.xyz", "C2H4O", 4.25),
                    ("c.xyz", "C3H6O", 3.5),
                )
            ]
        }
    ]
    text = answer(asked, came)
    assert "S1 of b.xyz lies 0.7500 eV above S1 of c.xyz" in text
    assert text.index("S1 of a.xyz lies 0.5000 eV above") < text.index("S1 of b.xyz lies")
    assert "g:id/ExcitedStates/a.xyz" in text


def test_several_calls_are_one_answer():
    asked = plan("compare the B3LYP/def2-SVP and UB3LYP/def2-SVP energies of methylene")
    triplet = outcome("methylene", "CH2", energy_Eh=-39.10)
    triplet["reading"] = triplet["reading"].replace("B3LYP", "UB3LYP")
    came = [
        {"molecules": [outcome("methylene", "CH2", energy_Eh=-39.08)]},
        {"molecules": [triplet]},
    ]
    text = answer(asked, came)
    assert "52.510 kJ/mol" in text  # 0.02 Eh × 2625.4996 kJ/mol/Eh
    assert "B3LYP/def2-SVP lies 52.510 kJ/mol above methylene, CH2 (charge +0, " in text


def test_spin_states_are_told_with_their_gaps():
    asked = plan(
        "compare the energies of the singlet, triplet and quintet of methylene in kcal/mol"
    )
    row = {
        "molecule": "methylene",
        "status": "finished",
        "reading": "CH2 (charge +0) at B3LYP/def2-SVP; geometry as given",
        "run": "g:id/Run/1",
        "results": {"SinglePoint": "g:id/SinglePoint/3", "SpinStateScan": "g:id/SpinStateScan/1"},
        "values": {
            "ground_multiplicity": 3,
            "states": [
                {
                    "multiplicity": 1,
                    "result": "g:id/SinglePoint/1",
                    "energy_Eh": -39.08,
                    "relative_Eh": 0.02,
                },
                {
                    "multiplicity": 3,
                    "result": "g:id/SinglePoint/3",
                    "energy_Eh": -39.1,
                    "relative_Eh": 0.0,
                },
            ],
        },
        "remarks": ["quintet failed: no way", "the singlet is a closed shell"],
    }
    came = {"molecules": [row]}
    text = answer(asked, [came])
    for said in (
        "methylene: CH2 (charge +0) at B3LYP/def2-SVP; geometry as given (run g:id/Run/1)",
        "ground multiplicity = 3 (triplet)\n",
        "  of g:id/SpinStateScan/1",  # once, for all of it
        # 0.02 Eh × 627.5095 kcal/mol/Eh (CODATA 2022) = 12.550 kcal/mol
        "  12.550 kcal/mol (0.02000000 Eh)\n",
        "note: quintet failed: no way",
        "note: the singlet is a closed shell",
    ):
        assert said in text
    row = {"value": "0.02", "from_unit": "hartree", "to_unit": "kcal/mol"}
    assert row in sums(asked, [came])


def test_what_failed_and_what_is_missing_is_said():
    asked = plan("gap of water and ammonia")
    failed = {
        "molecule": "ammonia",
        "status": "failed",
        "run": "g:id/Run/1",
        "error": {"kind": "TimeLimitError", "asked": "x", "found": "it took too long"},
    }
    text = answer(asked, [{"molecules": [outcome("water", "H2O", energy_Eh=-76.0), failed]}])
    assert "it took too long" in text
    assert "resume g:id/Run/1" in text
    assert "not in the results: gap" in text
    assert "Understood: grafico run ammonia --analysis" in text


@pytest.mark.parametrize("came", [[], ["text"], [{}], [{"error": {"found": "no"}}]])
@pytest.mark.parametrize(
    "text", ["S1 and gap of water in eV", "resume g:id/Run/1", "which spin state of O2 is lowest?"]
)
def test_what_came_to_nothing_does_no_harm(text: str, came: list[Any]):
    assert answer(plan(text), came)
    assert sums(plan(text), came) == []


def test_all_that_a_resumed_run_came_to_is_told():
    row = outcome("water", "H2O", energy_Eh=-76.3)
    assert "energy = -200325.622 kJ/mol" in answer(plan("resume g:id/Run/water"), [row])


# --- the whole way -------------------------------------------------------------------------------


@pytest.fixture
def agent(session: Grafico, tmp_path: Path):
    made = Agent(plain_model(), session=session, folder=tmp_path / "folder")
    yield made
    made.close()


def test_a_plain_request_through_the_agent(agent: Agent, tmp_path: Path):
    near, far = tmp_path / "near.xyz", tmp_path / "far.xyz"
    near.write_text(H2.format(""))
    far.write_text(H2.format("").replace("0.740848", "1.058354"))  # 2 bohr
    reply = agent.ask(
        "compare the energies of near.xyz and far.xyz at HF/STO-3G", files=[near, far]
    )
    # −1.1167 Eh at 1.4 bohr: A. Szabo, N. S. Ostlund, Modern Quantum Chemistry, section 3.5.2
    assert "-1.1167" in reply.text
    assert "far.xyz" in reply.text
    assert "kJ/mol above" in reply.text
    assert reply.model == RULES
    assert len(reply.runs) == 2
    assert [one.text for one in reply.numbers if one.source is None] == []  # each has a source


def test_named_differences_have_their_sign(agent: Agent) -> None:
    text = agent.ask("ionisation energy of the helium atom at HF/STO-3G in eV").text
    energies = [float(one) for one in re.findall(r"\((-[\d.]+) Eh\)", text)]
    assert len(energies) == 2
    # 27.211386 eV/Eh (CODATA 2022)
    expected = (max(energies) - min(energies)) * 27.211386
    [said] = re.findall(r"ionisation energy of \[He\] = ([\d.]+) eV", text)
    assert float(said) == pytest.approx(expected, abs=2e-4)
    text = agent.ask("solvation energy of water in water and ethanol at GFN2-xTB").text
    said = re.findall(r"solvation energy of water = (-[\d.]+) kJ/mol \(GFN2-xTB in ALPB", text)
    assert len(said) == 2, "each less than in the gas phase"


def test_comparisons_through_the_agent(agent: Agent, tmp_path: Path):
    reply = agent.ask("which spin state of helium is lowest at HF/6-31G? in eV")
    assert "ground multiplicity = 1 (singlet)" in reply.text
    assert re.search(r"\n  multiplicity  +energy .*\n(.*\n)?  3 \(triplet\)  +-", reply.text)
    assert "UHF/6-31G" in reply.text
    assert reply.unsourced == []
    dimer = tmp_path / "dimer.xyz"
    dimer.write_text(DIMER)
    energy = agent.session.interaction(dimer, method="HF", basis="STO-3G").corrected
    assert energy is not None
    reply = agent.ask("interaction energy of dimer.xyz at HF/STO-3G in kcal/mol", files=[dimer])
    assert re.search(r"\n  2 +4-6 ", reply.text)
    said = f"corrected = {energy * 627.509474:.3f} kcal/mol"
    assert said in reply.text
    assert reply.unsourced == []
    assert len(reply.runs) == 1


def test_a_unit_is_converted_through_the_agent(agent: Agent):
    # 1 eV = 1239.84198 nm by CODATA 2022, from h c / e
    assert "1239.84" in agent.ask("convert 1 eV to nm").text


def test_examples_of_the_rules_are_no_claims(agent: Agent):
    for text in ("hello", "Gibbs energy of water at 0.1 K", "energy of xyzzy at 12.5 bar"):
        reply = agent.ask(text)
        assert "cannot be done as a plain request" in reply.text
        assert reply.unsourced == []


def test_what_is_stored_keeps_the_whole_level(agent: Agent):
    agent.ask("energy of helium in toluene with HF-D3(BJ)/STO-3G")
    for text in ("what results are stored for helium at HF-D3(BJ)?", "what have you computed?"):
        assert "HF-D3(BJ)/STO-3G in C-PCM toluene" in agent.ask(text).text


def test_it_streams(session: Grafico, tmp_path: Path):
    (tmp_path / "h2.xyz").write_text(H2.format(""))
    told: list[str] = []
    agent = Agent(
        plain_model(),
        session=session,
        folder=tmp_path / "folder",
        told=lambda one: told.append(one.kind),
    )
    reply = agent.ask("energy of h2.xyz at HF/STO-3G", files=[tmp_path / "h2.xyz"])
    assert "-1.1167" in reply.text
    assert {"tool", "result", "text"} <= set(told)
    again = agent.ask("run it at cc-pVTZ instead")
    assert "at HF/cc-pVTZ" in again.text
    refused = agent.ask("run it in a heavier basis")
    assert "“heavier”" in refused.text
    agent.close()


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("compare the last two runs", "last 2"),
        ("Please compare my latest 3 results.", "last 3"),
        ("compare #1 and last", "#1 last"),
        ("compare run #1 with run #2", "#1 #2"),
        ("compare runs #4, #5 and #7", "#4 #5 #7"),
        ("compare g:id/Run/1-a and g:id/Run/2-b", "g:id/Run/1-a g:id/Run/2-b"),
    ],
)
def test_stored_runs_are_compared_in_words(text: str, runs: str) -> None:
    [call] = plan(text).calls
    assert call.name == "run_workflow"
    assert call.arguments == {"name": "compare", "subjects": [runs]}


@pytest.mark.parametrize("text", ["compare the last run", "compare #1", "compare #1 and water"])
def test_fewer_than_two_runs_are_not_compared(text: str) -> None:
    assert plan(text).problem


def test_the_last_two_runs_are_put_side_by_side(tmp_path: Path) -> None:
    with Grafico(store=tmp_path / "store") as session:
        runs = [session.run(one, method="HF", basis="STO-3G").run for one in ("[He]", "[Ne]")]
        agent = Agent(plain_model(), session=session, folder=tmp_path / "folder")
        reply = agent.ask("compare the last two runs")
        assert "-2.8077" in reply.text
        assert "grafico compare 'last 2'\n" in f"{reply.text}\n"
        assert not reply.unsourced
        assert all(run.rpartition("/")[2] in reply.text for run in runs)
