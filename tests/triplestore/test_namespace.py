"""Namespaces of Blazegraph that keep what they are given, and those that would not."""

import logging
import uuid
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from grafico.cli.app import main
from ogm import KnowledgeGraph
from tests.ogm.samples import Leaf
from tests.triplestore.helpers import many
from tests.triplestore.servers import Answerer, OddServer, reply
from triplestore import InputError, NotFoundError, ResourceError, open_store
from triplestore.remote.blazegraph import Blazegraph
from triplestore.remote.blazegraph import main as blazegraph
from triplestore.remote.namespace import create
from triplestore.remote.store import RemoteStore

pytestmark = pytest.mark.xdist_group("blazegraph")
# As namespaces were made before, and some that others make.
FORMER = {"inlineXSDDatatypeLiterals": "false", "blobsThreshold": "256"}
LEAVES = [Leaf(name=name, size=size) for size, name in enumerate(("Ω", "é", "a\u200b", "x"))]


@pytest.fixture
def made(blazegraph_server: Blazegraph) -> Iterator[Callable[..., str]]:
    """`made(**properties)` makes a namespace and returns its URL."""
    names: list[str] = []

    def make(**other: str) -> str:
        names.append(uuid.uuid4().hex)
        return blazegraph_server.create(names[-1], **other)

    yield make
    for name in names:
        blazegraph_server.remove(name)


def grafico(*arguments: str) -> int | str | None:
    """The exit status of a command."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return ended.value.code


@pytest.mark.parametrize(
    "other",
    [
        {"blobsThreshold": "256"},
        {"inlineXSDDatatypeLiterals": "false"},
        {"inlineDateTimes": "true"},
        {"inlineURIFactory": "com.bigdata.rdf.internal.InlineURIFactory"},
    ],
)
def test_one_that_was_set_up_otherwise_is_read_and_not_written(
    made: Callable[..., str], caplog: pytest.LogCaptureFixture, other: dict[str, str]
):
    caplog.set_level(logging.WARNING)
    with RemoteStore(made(**other)) as store:
        assert store.query("ASK { ?s ?p ?o }") is False
        for _ in range(2):
            with pytest.raises(InputError, match=next(iter(other))) as caught:
                store.insert(many(1))
            assert "--create NAME" in caught.value.advice
        assert store.query("ASK { ?s ?p ?o }") is False
    assert len(caplog.records) == 1
    assert "can only be read" in caplog.text


def test_the_way_out_is_a_new_one_a_backup_and_a_restore(
    made: Callable[..., str],
    blazegraph_server: Blazegraph,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    old = made(**FORMER)
    with monkeypatch.context() as patch:
        patch.setattr("triplestore.remote.namespace.Namespace.check_writable", lambda self: None)
        with open_store(old) as store:
            KnowledgeGraph(store).push(*LEAVES)
    name, server = uuid.uuid4().hex, f"http://127.0.0.1:{blazegraph_server.port}/blazegraph"
    assert blazegraph(["--create", name, "--server", server]) == 0
    new = capsys.readouterr().out.split()[-1]
    file = str(tmp_path / "old.zip")
    assert grafico("backup", file, "--store", old) == 0
    assert grafico("restore", file, "--store", new) == 0
    capsys.readouterr()
    with open_store(new) as store:
        kg = KnowledgeGraph(store)
        assert kg.pull_all(Leaf, [leaf.iri for leaf in LEAVES]) == LEAVES
        kg.push(Leaf(name="more"))
        assert [leaf.size for leaf in kg.find(Leaf, name="Ω")] == [0]
    assert grafico("fsck", "--store", new) == 0
    assert blazegraph(["--create", name, "--server", server]) == 2
    assert "choose another" in capsys.readouterr().err
    blazegraph_server.remove(name)


def test_the_short_url_is_that_of_the_first_namespace(blazegraph_server: Blazegraph):
    url = f"http://127.0.0.1:{blazegraph_server.port}/blazegraph/sparql"
    with RemoteStore(url) as store:
        store.insert(b"<urn:short> <urn:p> <urn:o> .\n")
    with RemoteStore(blazegraph_server.url) as store:
        assert store.query("ASK { <urn:short> <urn:p> <urn:o> }") is True


def test_what_does_not_say_how_it_was_set_up_is_not_written(
    odd: Callable[[Answerer], OddServer], caplog: pytest.LogCaptureFixture
):
    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        if handler.path.endswith("/properties"):
            reply(handler, b"no", "text/plain", 403)
        else:
            reply(handler, b"mutationCount=1", "text/html")

    url = f"http://127.0.0.1:{odd(answer).port}/blazegraph/namespace/kb/sparql"
    with RemoteStore(url) as store, pytest.raises(InputError, match=r"does not say.*403"):
        store.insert(many(1))
    assert "can only be read" in caplog.text


@pytest.mark.parametrize(
    ("server", "name", "error"),
    [
        ("/blazegraph", "a/b", InputError),
        ("/blazegraph", "", InputError),
        ("/nowhere/at/all", "name", InputError),
    ],
)
def test_a_namespace_that_cannot_be_made(
    blazegraph_server: Blazegraph, server: str, name: str, error: type[Exception]
):
    with pytest.raises(error):
        create(f"http://127.0.0.1:{blazegraph_server.port}{server}", name)


def test_nobody_there_and_no_such_namespace(blazegraph_server: Blazegraph):
    with pytest.raises(ResourceError, match="cannot be reached"):
        create("http://127.0.0.1:9/blazegraph", "name")
    with RemoteStore(blazegraph_server.namespace_url("nothing")) as store:
        with pytest.raises(NotFoundError, match="/namespace/nothing/properties") as caught:
            store.insert(many(1))
        assert "--create" in caught.value.advice
