"""Who asked for a run stands in the graph: the account, its machine, the program between."""

from __future__ import annotations

import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from mcp import Client

from grafico import Grafico
from grafico.mcp.server import make_server
from grafico.session.settings import read_settings
from ogm import GraphModel, Link
from ogm.keeping import check_store, export_bundle, import_bundle
from ogm.terms import CONTENT
from ontologies.consent import Consent
from ontologies.marks import Tag, Withdrawal
from ontologies.provenance import Requester, Run
from tests.mcp.helpers import HF, found
from tests.ontologies.instances import EVERYTHING
from tests.typed import typed
from triplestore.errors import ConflictError
from workflows.trust.account import Account, own_account
from workflows.trust.caller import NOBODY, PERSON, Caller, asked_by

ALICE = Account("alice", "login1")
NOW = datetime.now(UTC)
WHO = r"^ {8}(?=host: |\w+: .*(?:the account|of the machine|who said it))(\w+): "
"""How a docstring says of an attribute that it is somebody, or somebody's machine."""


@pytest.fixture
def session(tmp_path: Path):
    with Grafico(tmp_path / "store", threads_per_calculation=1) as one:
        yield one


def test_a_run_says_who_asked_and_its_parts_need_not(session: Grafico) -> None:
    with asked_by(Caller(is_person=True, account=ALICE)):
        session.run("[He]", **HF)
        batch = session.batch(["[He]", "[H][H]"], method="HF", basis="STO-3G").result()
    assert {one.user for one in session.kg.find(Requester)} == {"alice"}
    [own] = session.kg.find(Requester, run=Link[Run](batch.run))
    assert (own.user, own.host, own.client) == ("alice", "login1", "")
    runs = session.kg.find(Run)
    asked = {one.run.iri for one in session.kg.find(Requester)}
    assert {run.iri for run in runs if run.parent is None} == asked
    assert any(run.parent for run in runs)


def test_runs_are_found_by_who_asked_and_shown_with_them(
    session: Grafico, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.run("[H][H]", **HF)
    with asked_by(Caller(is_person=True, account=ALICE.through("Tidy assistant"))):
        theirs = session.run("[He]", **HF)
    assert [line.run for line in session.runs(who="Alice")] == [theirs.run]
    assert [line.run for line in session.runs(who="tidy")] == [theirs.run]
    [mine] = session.runs(who="me")
    assert (mine.subject, mine.who) == ("[H][H]", own_account().text)
    assert not session.runs(who="nobody else")
    told = "alice on login1, through Tidy assistant"
    assert ("asked for by", told) in session.show(theirs.run).headline
    monkeypatch.setenv("GRAFICO_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("COLUMNS", "200")
    assert told in typed("runs").stdout
    assert told not in typed("runs", "--who", "me").stdout
    monkeypatch.chdir(tmp_path)
    typed("report", theirs.run, "-o", "page.html")
    assert told in (tmp_path / "page.html").read_text()


def test_an_export_leaves_them_out_where_that_is_asked(session: Grafico, tmp_path: Path) -> None:
    with asked_by(Caller(is_person=True, account=ALICE)):
        run = session.run("[He]", **HF).run
    for mark in (
        Tag(tagged=Link[GraphModel](run), word="good", noted=NOW, noted_by=ALICE.text),
        Withdrawal(withdrawn=Link[GraphModel](run), why="basis", noted=NOW, noted_by=ALICE.text),
        Consent(
            run=Link[Run](run), deeds=frozenset(), agreed=NOW, until=NOW, agreed_by=ALICE.text,
            door="terminal", signed="",
        ),
    ):  # fmt: skip
        session.kg.push(mark)
    whole, bare = tmp_path / "whole.zip", tmp_path / "bare.zip"
    export_bundle(session.kg, [run], whole)
    session.export(bare, run, anonymous=True)
    for file, there in ((whole, True), (bare, False)):
        text = "".join(
            zipfile.ZipFile(file).read(name).decode()
            for name in zipfile.ZipFile(file).namelist()
            if not name.endswith(".npy")
        )
        assert ("alice" in text) is there
        assert ("login1" in text) is there
    with Grafico(tmp_path / "other") as other:
        import_bundle(other.kg, bare)
        assert check_store(other.kg).clean
        assert [one.iri for one in other.kg.find(Run)] == [run]
        assert other.kg.find(Requester) == []
        assert [(one.word, one.noted_by) for one in other.kg.find(Tag)] == [("good", "")]
        assert [one.why for one in other.kg.find(Withdrawal)] == ["basis"]
        again = import_bundle(other.kg, whole)  # what is here without names stays so
        assert again.new == 0
        assert "of 4 stored without a name" in again.warnings[-1]
        assert b"alice" not in b"".join(other.kg.store.dump())
        assert check_store(other.kg).clean
        assert import_bundle(other.kg, bare).new == 0
    assert import_bundle(session.kg, bare).new == 0
    with Grafico("memory:") as third:  # but another name is another value
        [tag] = session.kg.find(Tag)
        lines = b"".join(session.kg.store.dump()).splitlines(keepends=True)
        own = [one for one in lines if one.startswith(f"<{tag.iri}>".encode())]
        kept = [one.replace(b"alice", b"bob") for one in own if CONTENT.encode() not in one]
        third.kg.store.insert(b"".join(kept))
        export_bundle(third.kg, [tag.iri], tmp_path / "bob.zip")
    with pytest.raises(ConflictError, match="bob on login1"):
        import_bundle(session.kg, tmp_path / "bob.zip")


def test_no_class_keeps_a_name_in_an_export_without_names(session: Grafico, tmp_path: Path) -> None:
    """Whatever its attributes say is an account or a machine of somebody is left out."""
    told, named = list[GraphModel](), set[str]()
    for one in EVERYTHING:
        texts = [
            name
            for name in re.findall(WHO, one.__doc__ or "", re.M)
            if isinstance(getattr(one, name, None), str)
        ]
        told.append(one.model_copy(update=dict.fromkeys(texts, ALICE.text)))
        named |= {type(one).__name__} if texts else set()
    assert {"Consent", "JobAttempt", "MakingPermission", "MaterialStatement", "OperationEnd",
            "Requester", "Tag", "Withdrawal"} <= named  # fmt: skip
    session.kg.push(*told)
    asked = [one.iri for one in told if not isinstance(one, Requester)]  # which is left out whole
    session.export(tmp_path / "bare.zip", *asked, anonymous=True)
    with zipfile.ZipFile(tmp_path / "bare.zip") as file:
        text = file.read("objects.trig").decode()
    assert "OperationEnd" in text
    assert "alice" not in text
    assert "login1" not in text


def test_an_account_goes_along_to_other_processes_and_is_no_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = Caller.of_text(Caller(is_person=True, account=ALICE.through("x\ny" * 200)).text)
    assert (there.asker.user, there.asker.host) == ("alice", "login1")
    assert "\n" not in there.asker.client
    assert len(there.asker.client) <= 100
    assert PERSON.asker == NOBODY.asker == own_account()
    own_account.cache_clear()
    monkeypatch.setenv("LOGNAME", "alice@example.org")
    assert own_account().user == "alice"
    own_account.cache_clear()


async def test_an_assistant_is_named_as_it_names_itself(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    server = make_server(
        read_settings(), lambda: Grafico(store, threads_per_calculation=1), tmp_path
    )
    async with Client(server) as client:  # which calls itself `mcp`
        asked = {"molecules": ["[He]"], **HF}
        assert found(await client.call_tool("calculate", asked))["molecules"][0]["status"]
    with Grafico(store) as after:
        [line] = after.runs(who="mcp")
        assert line.who == own_account().through("mcp").text
