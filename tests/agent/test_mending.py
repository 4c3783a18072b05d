"""Before an answer is shown, the model hears once which of its numbers nobody has given."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.exceptions import ModelHTTPError

from grafico import Grafico
from grafico.agent import Agent, Told

from .helpers import H2, HF, scripted

CALL = [("calculate", {"molecules": ["[He]"], **HF})]
WRONG = "It is -2.80778 Eh, and the experiment says -2.9033 Eh."
RIGHT = "It is -2.80778 Eh."  # HF/STO-3G, NIST CCCBDB


def heard(steps: list[Any], answer: str) -> Callable[[list[Any]], str]:
    """A step that keeps what came last, and answers."""

    def step(last: list[Any]) -> str:
        steps.extend(last)
        return answer

    return step


def test_the_model_hears_of_numbers_without_a_source_and_mends(session: Grafico) -> None:
    last: list[Any] = []
    told: list[Told] = []
    model = scripted(CALL, WRONG, heard(last, RIGHT))
    with Agent(model, session=session, told=told.append) as agent:
        reply = agent.ask("energy of helium")
    assert reply.text == RIGHT
    assert reply.unsourced == []
    assert reply.usage.requests == 3
    assert "-2.9033 Eh" in last[0]
    assert "-2.80778" not in last[0], "what has a source is none of it"
    [again] = [one for one in told if one.kind == "again"]
    assert "-2.9033 Eh" in again.subject


def test_it_mends_once_and_what_stays_is_marked(session: Grafico) -> None:
    with Agent(scripted(CALL, WRONG, WRONG), session=session) as agent:
        reply = agent.ask("energy of helium")
        assert reply.usage.requests == 3
        assert [one.text for one in reply.unsourced] == ["-2.9033"]
        assert "[no source]" in reply.marked
    with Agent(scripted(CALL, WRONG, RIGHT, WRONG, RIGHT), session=session) as agent:
        agent.ask("energy of helium")
        assert agent.ask("and measured?").text == RIGHT, "once a question"


def test_an_answer_whose_numbers_have_sources_costs_nothing(session: Grafico) -> None:
    with Agent(scripted(CALL, RIGHT), session=session) as agent:
        assert agent.ask("energy of helium").usage.requests == 2
    question = "is 0.7412 Å longer than 0.735 Å?"
    with Agent(scripted("0.7412 Å is longer than 0.735 Å."), session=session) as agent:
        reply = agent.ask(question)
    assert reply.usage.requests == 1
    assert {one.how for one in reply.numbers} == {"asked"}


@pytest.mark.parametrize(
    "failure", [ModelHTTPError(401, "scripted", "no key"), ValueError("a fault of the provider")]
)
def test_an_answer_that_is_there_is_not_lost(session: Grafico, failure: Exception) -> None:
    with Agent(scripted(CALL, WRONG, failure, RIGHT), session=session) as agent:
        reply = agent.ask("energy of helium")
        assert reply.text == WRONG
        assert [one.text for one in reply.unsourced] == ["-2.9033"]
        assert any("were not mended" in note for note in reply.notes)
        assert agent.ask("again").text == RIGHT, "the conversation goes on"


def test_no_request_beyond_the_limit(session: Grafico, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "settings", session.settings.model_copy(
        update={"agent_request_limit": 2}
    ))  # fmt: skip
    with Agent(scripted(CALL, WRONG), session=session) as agent:
        reply = agent.ask("energy of helium")
    assert reply.text == WRONG
    assert reply.usage.requests == 2


TABLE = "name,smiles,measured_gap_eV,shelf\nhelium,[He],24.587,7.25\nneon,[Ne],21.564,8.5\n"


def test_values_of_an_attached_table_are_the_persons(session: Grafico, tmp_path: Path) -> None:
    pytest.importorskip("tblite")
    (tmp_path / "gases.csv").write_text(TABLE)
    asked = {"arguments": {"method": "GFN2-xTB"}, "top": 1, "columns": ["gap", "measured_gap_eV"]}
    call = [("run_workflow", {"name": "batch", "subjects": ["gases.csv"], "arguments": asked})]
    answer = "Helium was measured at 24.587 eV; neon at 21.564 eV."
    with Agent(scripted(call, answer, answer), session=session) as agent:
        reply = agent.ask("compare", files=[tmp_path / "gases.csv"])
    how = {one.text: (one.how, one.source) for one in reply.numbers}
    assert how["24.587"] == ("asked", "attached table")
    assert how["21.564"][1] is None, "this row was not told: the model has not read it"


def test_a_table_that_code_has_written_is_nobodys(session: Grafico, tmp_path: Path) -> None:
    pytest.importorskip("tblite")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "gases.csv").write_text(TABLE)  # lies there, and was not attached
    asked = {"arguments": {"method": "GFN2-xTB"}, "top": 1, "columns": ["gap", "measured_gap_eV"]}
    call = [("run_workflow", {"name": "batch", "subjects": ["gases.csv"], "arguments": asked})]
    answer = "Helium was measured at 24.587 eV."
    with Agent(scripted(call, answer, answer), session=session, folder=folder) as agent:
        assert [one.text for one in agent.ask("compare").unsourced] == ["24.587"]


def test_one_file_of_several_that_cannot_be_read_ends_nothing(
    session: Grafico, tmp_path: Path
) -> None:
    files = [tmp_path / f"h2-{number}.xyz" for number in range(3)]
    for file in files:
        file.write_text(H2.format("hydrogen"))
    files[1].write_text("2\n\nH 0 0 0\nQq 0 0 nothing\n")
    missing = tmp_path / "not-there.xyz"
    last: list[Any] = []
    with Agent(scripted(heard(last, "Two can be read.")), session=session) as agent:
        reply = agent.ask("compare", files=[*files, missing])
    assert [bool(one.iri) for one in reply.attached] == [True, False, True, False]
    assert "Qq" in reply.attached[1].error
    assert "not-there" in reply.attached[3].file
    assert last[0].count("[data ") == 4
    assert last[0].count('"unreadable": true') == 2
