"""Stores for the tests: memory, a folder whose broker is gone soon after, and real servers."""

import os
import signal
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import Need
from tests.triplestore.servers import Answerer, OddServer, OxigraphServer
from triplestore import InputError, Store
from triplestore.blazegraph import Blazegraph
from triplestore.embedded import EmbeddedStore
from triplestore.folder import read_holder
from triplestore.memory import MemoryStore
from triplestore.remote import RemoteStore

# One worker runs all tests with Blazegraph: a JVM is large and slow to start.
IN_BLAZEGRAPH = pytest.param("blazegraph", marks=pytest.mark.xdist_group("blazegraph"))

# Where a store differs from the others, and why; docs/stores.md has the same list in full.
DIFFERENCES = {
    ("test_a_term_that_the_store_writes_in_another_way_is_no_conflict", "blazegraph-nonsense"): (
        "Blazegraph cannot name a literal that contradicts its datatype in a condition"
    ),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for (test, case), reason in DIFFERENCES.items():
            if item.name.startswith(f"{test}[{case}"):
                item.add_marker(pytest.mark.xfail(reason=reason, raises=InputError))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of an embedded store; whoever still serves it afterwards is ended."""
    path = tmp_path / "store"
    yield path
    if holder := read_holder(path):
        with suppress(ProcessLookupError):
            os.kill(holder.pid, signal.SIGKILL)


@pytest.fixture
def embedded(folder: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(folder) as store:
        yield store


@pytest.fixture(scope="session")
def oxigraph_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OxigraphServer]:
    server = OxigraphServer(tmp_path_factory.mktemp("oxigraph"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def blazegraph_server(need: Need, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Blazegraph]:
    need("java")
    need("mvn")
    with pytest.MonkeyPatch.context() as patch:
        # The user's own cache, so that 57 MB are fetched once and not in each run.
        patch.setenv("GRAFICO_CACHE", str(Path.home() / ".cache" / "grafico"))
        server = Blazegraph(tmp_path_factory.mktemp("blazegraph"), memory="1g")
    with server:
        yield server


@pytest.fixture
def oxigraph(oxigraph_server: OxigraphServer) -> Iterator[RemoteStore]:
    oxigraph_server.clear()
    with RemoteStore(oxigraph_server.url) as store:
        yield store


@pytest.fixture
def blazegraph(blazegraph_server: Blazegraph) -> Iterator[RemoteStore]:
    name = uuid.uuid4().hex
    with RemoteStore(blazegraph_server.create(name)) as store:
        yield store
    blazegraph_server.remove(name)


@pytest.fixture(params=["memory", "embedded", "oxigraph", IN_BLAZEGRAPH])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    if request.param == "memory":
        with MemoryStore() as memory:
            yield memory
    else:
        yield request.getfixturevalue(request.param)


@pytest.fixture(params=["memory", "embedded"])
def local(request: pytest.FixtureRequest) -> Iterator[Store]:
    """Stores without a server: they keep the labels of blank nodes."""
    if request.param == "memory":
        with MemoryStore() as memory:
            yield memory
    else:
        yield request.getfixturevalue(request.param)


@pytest.fixture(params=["oxigraph", IN_BLAZEGRAPH])
def remote(request: pytest.FixtureRequest) -> RemoteStore:
    return request.getfixturevalue(request.param)


@pytest.fixture
def odd() -> Iterator[Callable[[Answerer], OddServer]]:
    """`odd(answer)` starts a server that answers as the function does."""
    servers: list[OddServer] = []

    def start(answer: Answerer) -> OddServer:
        servers.append(OddServer(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
