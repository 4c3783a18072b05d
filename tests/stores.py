"""For the tests: memory, a folder whose broker is gone soon after, real servers and odd ones.

`tests/conftest.py` registers it as a plugin, so that all tests share one server of each kind.
"""

import os
import signal
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from grafico import Grafico
from tests.conftest import Need
from tests.triplestore.servers import Answerer, OddServer, OxigraphServer
from triplestore import Store
from triplestore.broker.embedded import EmbeddedStore
from triplestore.broker.folder import read_holder
from triplestore.memory import MemoryStore
from triplestore.remote.blazegraph import Blazegraph
from triplestore.remote.store import RemoteStore

# One worker runs all tests with Blazegraph: a JVM is large and slow to start.
IN_BLAZEGRAPH = pytest.param("blazegraph", marks=pytest.mark.xdist_group("blazegraph"))
EVERY = ["memory", "embedded", "oxigraph", IN_BLAZEGRAPH]


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    """What tests of one file compute with, so that one remembers what another has computed."""
    with Grafico("memory:", threads_per_calculation=1) as opened:
        yield opened


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


@pytest.fixture(params=EVERY)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    if request.param == "memory":
        with MemoryStore() as memory:
            yield memory
    else:
        yield request.getfixturevalue(request.param)


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
