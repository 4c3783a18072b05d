"""A person at a door permits; a model, a client of it and a word given beforehand do not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client

from grafico import Grafico
from grafico.agent.context import Approval, ToolContext, agreeing_beforehand
from grafico.agent.tools import tools
from grafico.mcp.server import make_server
from grafico.session.settings import read_settings
from ontologies.consent import Consent
from ontologies.permits import MakingPermission, MaterialStatement
from tests.agent.helpers import ran, used
from tests.agreeing import agreeing
from tests.mcp.helpers import Person, found
from tests.typed import typed
from triplestore.errors import ConsentError

LISTED = {"name": "modify", "subjects": ["OCCN(CCO)CCO"]}


@pytest.fixture
def session() -> Iterator[Grafico]:
    with Grafico("memory:") as found:
        yield found


@pytest.mark.parametrize("client", ["mcp", "another"])
async def test_no_answer_of_a_client_is_a_permission(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, client: str
) -> None:
    """Not even of one that the person has named: a client may answer itself."""
    monkeypatch.setenv("GRAFICO_TRUSTED_CLIENTS", json.dumps([client]))
    person = Person()
    person.will("accept", agree=True)
    session = Grafico("memory:")
    server = make_server(read_settings(), lambda: session, tmp_path)
    async with Client(server, elicitation_callback=person) as opened:
        [row] = found(await opened.call_tool("run_workflow", LISTED))["molecules"]
        assert row["status"] == "pending"
        assert "analogues" not in row
        assert not person.asked
        assert not session.kg.find(Consent)


def test_a_word_that_was_given_beforehand_is_none(session: Grafico, tmp_path: Path) -> None:
    with_yes = agreeing_beforehand(None)
    context = ToolContext(session, tmp_path / "here", approve=with_yes)
    row = ran(context, "modify", "OCCN(CCO)CCO")
    assert row["status"] == "pending"
    assert "grafico approve" in row["advice"]
    assert not session.kg.find(MakingPermission)
    context.close()


def test_a_person_in_a_conversation_is_asked_and_sees_all_of_it(
    session: Grafico, tmp_path: Path
) -> None:
    heard: list[Approval] = []

    def yes(what: Approval) -> bool:
        heard.append(what)
        return True

    context = ToolContext(session, tmp_path / "here", approve=yes)
    row = ran(context, "modify", "OCCN(CCO)CCO")
    assert row["status"] == "finished"
    [asked] = heard
    assert asked.for_a_person_alone
    assert "3.B.17" in asked.what
    context.close()


def test_a_model_can_state_nothing(session: Grafico, tmp_path: Path) -> None:
    context = ToolContext(session, tmp_path / "here", approve=lambda _: True)
    with pytest.raises(Exception, match="a person alone"):
        used(context, "run_workflow", name="statement", subjects=["brine"])
    assert "statement" not in tools()["run_workflow"].description
    assert not any("statement:" in one for one in used(context, "describe", name="")["workflows"])
    assert not session.kg.find(MaterialStatement)
    context.close()


def test_python_has_it(session: Grafico) -> None:
    with pytest.raises(ConsentError, match="approve"):
        session.modify("OCCN(CCO)CCO")
    with agreeing():
        made = session.statement(
            "brine", called="brine", cas="7647-14-5", supplier="own", nothing_listed=True
        )
        assert isinstance(made, MaterialStatement)
        assert session.modify("OCCN(CCO)CCO")


def test_a_statement_at_the_command_line(tmp_path: Path) -> None:
    said = ("--called", "silica gel 60", "--cas", "7631-86-9", "--supplier", "Merck")
    store = ("--store", tmp_path / "store")
    typed("statement", "silica gel", *said, *store, status=2)
    with agreeing():
        done = typed("statement", "silica gel", *said, "--nothing-listed", *store, "--json")
    told = json.loads(done.stdout)
    typed("withdraw", told["run"], "--why", "another bottle", *store)
    assert told["registry_number"] == "7631-86-9"
    assert told["stated_by"]
    assert (
        "approve" in typed("statement", "brine", *said, "--nothing-listed", *store, status=1).stderr
    )
