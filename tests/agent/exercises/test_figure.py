"""What the exercise "inorganic compounds, level 1" costs a planner that makes no detour.

Chromium hexacarbonyl, chlorine trifluoride and an anion: optimised, analysed, a report on each. To
take seconds, the basis set is a small one, and the molecules are analysed as they were built; what
is told of them is counted as if they had been relaxed.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from evals.planner import Row, rows, text

from ..server import Message, calls, says, serving
from .talking import Talking

LETTERS_A_TOKEN = 3.5
"""Of English in JSON, see test_tools."""

QUESTION = """\
Plan and act at once, and do not ask me to confirm. Optimise the compounds below side by side with \
Hartree-Fock and the basis set {basis} in the gas phase. When all is done, write a report on each \
of them by itself: Cartesian coordinates in Å, total energy in hartrees, point group, dipole \
moment in debyes, orbital energies with the HOMO-LUMO gap, and atomic charges by Mulliken, Löwdin \
and IAO.

1. Chromium hexacarbonyl, low spin; SMILES [Cr](=C=O)(=C=O)(=C=O)(=C=O)(=C=O)(=C=O)
2. Chlorine trifluoride; SMILES FCl(F)F
3. Fluorophosphoric acid, singly deprotonated; SMILES [O-]P(F)(O)=O"""

MOLECULES = ["[Cr](=C=O)(=C=O)(=C=O)(=C=O)(=C=O)(=C=O)", "FCl(F)F", "[O-]P(F)(O)=O"]


def letters(message: Message) -> int:
    """Return how many letters of a message a model reads or writes."""
    made = [one["function"] for one in message.get("tool_calls") or ()]
    return len(text(message)) + sum(len(one["name"] + one["arguments"]) for one in made)


def tokens(request: dict[str, Any]) -> float:
    """Return what goes in: instructions, tools as they are sent, the whole conversation."""
    tools = json.dumps(request["tools"], ensure_ascii=False, separators=(",", ":"))
    return (len(tools) + sum(map(letters, request["messages"]))) / LETTERS_A_TOKEN


def relaxed(reply: str) -> str:
    """Return a reply as long as if the molecule had been optimised."""
    found = json.loads(reply)
    [row] = found["molecules"]
    row["reading"] = row["reading"].replace("as given", "stationary, not verified")
    row["results"] = {"Optimisation": "g:id/Optimisation/" + "0" * 36, **row["results"]}
    row["values"]["optimisation_steps"] = 10
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.xdist_group("exercise-inorganic")
def test_three_requests_and_less_than_eleven_thousand_tokens(talking: Talking) -> None:
    answers: list[Message] = []

    def perfect(request: dict[str, Any]) -> Message:
        told = [text(m) for m in request["messages"] if m["role"] == "tool"]
        found: list[Row] = [row for said in told[:1] for row in rows(said)]
        level = {"method": "HF", "basis": "STO-3G", "analysis": True}
        if not told:
            said = calls(("calculate", {"molecules": MOLECULES, **level}))
        elif len(told) == 1:
            said = calls(*(("report", {"runs": [row["run"]]}) for row in found))
        else:
            files = [json.loads(one)["file"] for one in told[1:]]
            said = says(
                "\n".join(
                    f"{row['molecule']}: {row['values']['energy_Eh']} Eh, "
                    f"{row['values']['dipole_D']} D, gap {row['values']['gap_eV']} eV, "
                    f"{row['details']['point group']}; {file}"
                    for row, file in zip(found, files, strict=True)
                )
            )
        answers.append(said)
        return said

    with serving(perfect) as server, talking.agent(server.url) as agent:
        reply = agent.ask(QUESTION.format(basis="STO-3G"))
    assert reply.unsourced == []
    assert len(reply.files) == len(reply.runs) == 3
    assert len(server.asked) == 3
    sums = [tokens(one) for one in server.asked]
    out = sum(letters(one) for one in answers) / LETTERS_A_TOKEN
    extra = 0.0
    for row in rows(text(server.asked[1]["messages"][-1])):
        alone = json.dumps({"molecules": [row]}, ensure_ascii=False, separators=(",", ":"))
        extra += 2 * (len(relaxed(alone)) - len(alone)) / LETTERS_A_TOKEN  # it is sent twice
    print(f"in {[round(one) for one in sums]}, {extra:.0f} more if relaxed, out {out:.0f}")
    assert sum(sums) + extra + out < 11_000
