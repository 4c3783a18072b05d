"""A person at a door permits; a model, a client of it and a word given beforehand do not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from grafico import Grafico
from grafico.agent import Agent
from grafico.agent.context import Approval, ToolContext, agreeing_beforehand
from grafico.agent.tools import tools
from grafico.mcp.server import make_server
from grafico.session.settings import read_settings
from ontologies.consent import Consent
from ontologies.permits import MakingPermission, MaterialStatement
from tests.agent.helpers import ran, scripted, used
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


def test_conversations_go_as_far_as_the_permission(session: Grafico) -> None:
    """Nitroglycerin is refused whatever is said; what Schedule 3 names goes on after a yes.

    DEET is made with thionyl chloride: the one line of that reaction says so.
    """
    nitroglycerin = {"name": "modify", "subjects": ["O=[N+]([O-])OCC(CO[N+](=O)[O-])O[N+](=O)[O-]"]}
    again = nitroglycerin | {"arguments": {"by": ["ester to amide"]}}
    deet = "Cc1cccc(c1)C(=O)O.CCNCC>O=S(Cl)Cl>CCN(CC)C(=O)c1cccc(C)c1"
    heard: list[Approval] = []

    def yes(what: Approval) -> bool:
        heard.append(what)
        return True

    def refused(came: list[Any]) -> list[tuple[str, Any]]:
        said = json.dumps(came)
        assert "H200" in said
        assert "on paper" not in said
        return [("run_workflow", again)]

    def refused_again(came: list[Any]) -> list[tuple[str, Any]]:
        assert "H200" in json.dumps(came)
        assert not heard
        return [("run_workflow", {"name": "controlled", "subjects": [deet]})]

    def listed(came: list[Any]) -> list[tuple[str, Any]]:
        assert "3.B.14" in json.dumps(came)
        return [("run_workflow", LISTED)]

    def told(came: list[Any]) -> str:
        assert '"finished"' in json.dumps(came).replace("\\", "")
        return "there they are"

    model = scripted([("run_workflow", nitroglycerin)], refused, refused_again, listed, told)
    with Agent(model, session=session, approve=yes) as agent:
        assert "there they are" in agent.ask("analogues of nitroglycerin, then of another").text
    assert [one.effects for one in heard] == [{"making"}]
    [given] = session.kg.find(Consent)
    assert given.door
