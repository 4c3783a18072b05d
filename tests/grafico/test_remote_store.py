"""A session and the command line on a server's store."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from grafico import ConceptualAtoms, Grafico
from grafico.session.settings import read_settings
from tests.ports import free_port
from tests.triplestore.servers import OxigraphServer
from tests.typed import typed


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OxigraphServer]:
    server = OxigraphServer(tmp_path_factory.mktemp("oxigraph"))
    yield server
    server.stop()


def chain(count: int) -> ConceptualAtoms:
    positions = np.arange(3.0 * count).reshape(count, 3)
    return ConceptualAtoms(numbers=[1] * count, positions=positions, multiplicity=1)


def test_each_server_has_a_home_of_its_own_below_the_users_data():
    homes = {
        read_settings(store=url).home
        for url in ("http://a:1", "http://a:1/", "http://a:1/query", "http://a:2", "https://a:1")
    }
    assert len(homes) == 3
    assert all(home is not None and home.parent.name == "remote" for home in homes)
    assert read_settings(store="memory:").home is read_settings(store="./store").home is None


def test_credentials_are_no_settings_and_do_no_harm(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GRAFICO_STORE_USER", "ada")
    monkeypatch.setenv("GRAFICO_STORE_PASSWORD", "secret")
    settings = read_settings(store="http://localhost:1/query")
    assert "secret" not in repr(settings)


def test_objects_and_their_large_arrays_are_found_by_another_session(
    server: OxigraphServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GRAFICO_BLOBS", str(tmp_path / "shared"))
    atoms = chain(6000)
    with Grafico(server.url) as here:
        here.kg.push(atoms)
    assert list((tmp_path / "shared").rglob("*.npy"))
    with Grafico(server.url) as there:
        assert there.atoms(atoms.iri) == atoms


def test_without_a_shared_folder_large_arrays_lie_in_the_home(server: OxigraphServer):
    with Grafico(server.url) as session:
        session.kg.push(chain(6002))
        home = session.kg.store.home
    assert home is not None
    assert list((home / "arrays").rglob("*.npy"))


def test_the_command_line_asks_a_server(server: OxigraphServer):
    server.clear()
    done = typed("query", "ASK { ?s ?p ?o }", "--store", server.url, "--json")
    assert "false" in done.output


@pytest.mark.parametrize(
    ("url", "status", "words"),
    [
        ("http://ada:hunter2@localhost/query", 2, "GRAFICO_STORE_USER"),
        (f"http://127.0.0.1:{free_port()}/query", 1, "cannot be reached"),
    ],
    ids=["password", "offline"],
)
def test_a_server_that_cannot_be_used_is_an_error_of_three_parts(
    url: str, status: int, words: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("triplestore.remote.transport._PATIENCE", 0.1)
    for command in (["query", "ASK {}"], ["runs"]):
        done = typed(*command, "--store", url, status=status)
        assert words in done.output
        assert "hunter2" not in done.output
