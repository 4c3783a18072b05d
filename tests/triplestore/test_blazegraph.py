"""A Blazegraph that is fetched, started and stopped; what is stored outlives it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Need
from tests.ports import free_port
from tests.triplestore.helpers import alive, many, size, wait_until
from triplestore import ComponentError, ResourceError
from triplestore.remote.blazegraph import ARTEFACT, Blazegraph, fetch_jar, prepare
from triplestore.remote.store import RemoteStore

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.xdist_group("blazegraph")


@pytest.fixture
def cache(need: Need, monkeypatch: pytest.MonkeyPatch) -> Path:
    need("java")
    need("mvn")
    cache = Path.home() / ".cache" / "grafico"
    monkeypatch.setenv("GRAFICO_CACHE", str(cache))
    return cache


def test_what_was_stored_is_there_after_it_was_stopped_and_started(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("triplestore.remote.transport._PATIENCE", 0.1)
    data, port = tmp_path / "with space", free_port()
    command = [
        sys.executable,
        "-m",
        "triplestore.remote.blazegraph",
        "--data",
        str(data),
        "--port",
        str(port),
        "--memory",
        "512m",
    ]
    for round in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            with RemoteStore(url) as store:
                assert size(store) == 10 * round
                store.insert(many(10 * round + 10))
            server.send_signal((signal.SIGTERM, signal.SIGINT)[round])
            assert server.wait(30) == 0
            assert "has ended" in server.stdout.read()
        with pytest.raises(ResourceError, match="cannot be reached"), RemoteStore(url) as store:
            store.query("ASK {}")


def test_it_ends_with_the_process_that_started_it_however_that_ends(cache: Path, tmp_path: Path):
    code = """if True:
        import sys, time
        from pathlib import Path
        from triplestore.remote.blazegraph import Blazegraph
        server = Blazegraph(Path(sys.argv[1]), memory="512m")
        print(server._process.pid, flush=True)
        time.sleep(60)
    """
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert alive(child)
        os.kill(parent.pid, signal.SIGKILL)
    wait_until(lambda: not alive(child), 20)


def test_a_second_one_on_the_same_folder_or_port_says_what_is_wrong(
    cache: Path, tmp_path: Path, blazegraph_server: Blazegraph
):
    with pytest.raises(ResourceError, match="choose another"):
        Blazegraph(tmp_path, blazegraph_server.port)
    with pytest.raises(ComponentError, match="may have that folder open"):
        Blazegraph(blazegraph_server.data, memory="512m")


def test_without_maven_the_error_says_where_the_jar_may_be_put(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ComponentError, match="mvn is not installed") as caught:
        fetch_jar(tmp_path)
    assert str(tmp_path / "blazegraph-jar-2.1.5.jar") in caught.value.advice


def test_another_jar_than_the_known_one_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    program = tmp_path / "mvn"
    program.write_text(
        '#!/bin/sh\nfor a in "$@"; do case $a in -DoutputDirectory=*)\n'
        'echo evil > "${a#*=}/blazegraph-jar-2.1.5.jar";; esac; done\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(ComponentError, match="SHA-256"):
        fetch_jar(tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_failure_of_maven_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / "mvn"
    program.write_text("#!/bin/sh\necho 'Could not transfer artifact'\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ComponentError, match="Could not transfer artifact"):
        fetch_jar(tmp_path / "cache")


def test_a_folder_is_prepared_for_the_container_that_compose_names(cache: Path, tmp_path: Path):
    jar = prepare(tmp_path / "data")
    compose = (ROOT / "compose.yaml").read_text()
    assert jar.parent == tmp_path / "data"
    assert f"/data/{jar.name}!/war" in compose
    assert jar.name == f"blazegraph-jar-{ARTEFACT.rpartition(':')[2]}.jar"
    assert (jar.parent / "RWStore.properties").is_file()
