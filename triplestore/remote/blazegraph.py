"""A Blazegraph on this machine: fetched by Maven, started on loopback, stopped in order.

``python -m triplestore.remote.blazegraph --data FOLDER --port 9999`` (or ``make blazegraph``). It
is a program of its own under GPLv2, which Grafico neither ships nor links: it is spoken to over
HTTP. Whoever is logged in on this machine can reach it, and so can a page in a browser here: it
knows no passwords.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, Self

from triplestore.errors import ComponentError, GraficoError, InputError, ResourceError
from triplestore.remote.namespace import PROPERTIES, create, written

ARTEFACT = "com.blazegraph:blazegraph-jar:2.1.5"
"""Maven coordinates; the last release that Maven has."""
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
SHA256 = "8f38b1dae5ad92b0c786b92d1f260a18a4ca64151b62c8d5017dd59b743e131e"

_START = 120.0  # seconds; it takes 3 on an idle machine


def fetch_jar(cache: Path | None = None) -> Path:
    """Return the jar from the cache, after fetching it with Maven the first time.

    Args:
        cache: folder to keep it in; None for GRAFICO_CACHE, or the user's cache folder.

    Raises:
        ComponentError: Maven is missing or cannot fetch it, or what came is not what it should be.
    """
    asked = f"cannot fetch {ARTEFACT}"
    if cache is None:
        import platformdirs

        named = os.environ.get("GRAFICO_CACHE")
        cache = Path(named) if named else platformdirs.user_cache_path("grafico")
    _, name, version = ARTEFACT.split(":")
    jar = cache / f"{name}-{version}.jar"
    if jar.is_file() and _digest(jar) == SHA256:
        return jar
    maven = shutil.which("mvn")
    if maven is None:
        raise ComponentError(
            asked, "mvn is not installed", f"install Maven, or put the jar there yourself: {jar}"
        )
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fetching-", dir=cache) as work:
        done = subprocess.run(
            [maven, "--batch-mode", "--quiet", f"{PLUGIN}:copy", f"-Dartifact={ARTEFACT}",
             f"-DoutputDirectory={work}"],
            cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", check=False,
        )  # fmt: skip
        download = Path(work) / jar.name
        if done.returncode or not download.is_file():
            raise ComponentError(
                asked, f"Maven failed: {done.stdout.strip()[-500:]}", "mend that and ask again"
            )
        if (digest := _digest(download)) != SHA256:
            raise ComponentError(
                asked,
                f"its SHA-256 is {digest}, not {SHA256}",
                "do not use it; see where your Maven fetches from",
            )
        os.replace(download, jar)
    return jar


class Blazegraph:
    """A running Blazegraph; it ends with `stop`, or when this process does.

    Args:
        data: folder of its journal and its log; created when missing.
        port: on 127.0.0.1; 0 for one that is free.
        memory: its largest heap, as Java writes it.

    Raises:
        ComponentError: Java or the jar is missing, or it does not start.
        ResourceError: the port is taken.
    """

    def __init__(self, data: Path, port: int = 0, memory: str = "2g") -> None:
        java, jar = shutil.which("java"), fetch_jar()
        if java is None:
            raise ComponentError("start Blazegraph", "java is not installed", "install Java 11+")
        self.data = data.absolute()
        self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.port = _free_port(port)
        write_properties(self.data)
        where = f"jar:{jar.absolute().as_uri()}!/war"
        # Its own main class, because the jar's finds the folder `war` only on Java 8.
        command = [
            java,
            "-server",
            f"-Xmx{memory}",
            "-Djava.awt.headless=true",
            "-Djetty.host=127.0.0.1",
            f"-Djetty.port={self.port}",
            f"-Djetty.home={where}",
            f"-Djetty.resourceBase={where}",
            "-cp",
            str(jar.absolute()),
            "com.bigdata.rdf.sail.webapp.NanoSparqlServer",
            str(self.port),
            "kb",
            "RWStore.properties",
        ]
        # The shell ends it when our end of the pipe closes, however this process ends.
        watch = (
            '"$@" & pid=$!; exec 3<&0; { cat <&3 >/dev/null; kill $pid; } 2>/dev/null & wait $pid'
        )
        self._log = self.data / "blazegraph.log"
        with self._log.open("ab") as log:
            self._start = log.tell()
            self._process = subprocess.Popen(
                ["sh", "-c", watch, "sh", *command],
                cwd=self.data,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            self._wait()
        except BaseException:
            self.stop()
            raise

    @property
    def url(self) -> str:
        """The URL of its SPARQL endpoint."""
        return self.namespace_url("kb")

    def namespace_url(self, name: str) -> str:
        """Return the URL of a namespace's SPARQL endpoint."""
        return f"http://127.0.0.1:{self.port}/blazegraph/namespace/{name}/sparql"

    def create(self, name: str, **other: str) -> str:
        """Make a namespace, empty and as Grafico needs it, and return its URL.

        Args:
            name: of the namespace.
            other: properties that differ.
        """
        return create(f"http://127.0.0.1:{self.port}/blazegraph", name, **other)

    def remove(self, name: str) -> None:
        """Remove a namespace with all that is in it."""
        self._call("DELETE", f"/blazegraph/namespace/{name}", 200)

    def wait(self) -> int:
        """Wait until it ends by itself; returns its exit status."""
        return self._process.wait()

    def stop(self) -> None:
        """End it and wait until its files are closed."""
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _wait(self) -> None:
        until = time.monotonic() + _START
        while time.monotonic() < until:
            if self._process.poll() is not None:
                self._fail("it ended while it started")
            try:
                self._call("GET", "/blazegraph/status", 200)
                return
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)  # nobody listens yet
            except ComponentError as error:
                # Jetty listens when it knows how the start has ended.
                self._fail(error.found)
        self._fail(f"it does not answer after {_START:g} s")

    def _fail(self, found: str) -> NoReturn:
        with self._log.open("rb") as log:
            log.seek(self._start)
            text = log.read(1 << 20).decode("utf-8", "replace")
        causes = [line for line in text.splitlines() if "Caused by" in line or "ERROR" in line]
        found = f"{found}: {causes[-1].strip()[:300]}" if causes else found
        raise ComponentError(
            f"cannot start Blazegraph on {self.data}",
            found,
            f"see {self._log}; another Blazegraph may have that folder open",
        )

    def _call(self, method: str, path: str, good: int) -> None:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            link.request(method, path)
            answer = link.getresponse()
            text = answer.read()
        finally:
            link.close()
        if answer.status != good:
            found = text[:300].decode("utf-8", "replace")
            raise ComponentError(f"{method} {path}", f"{answer.status}: {found}", "see its log")


def write_properties(data: Path) -> None:
    """Write the properties of the journal, which Blazegraph is started with, into its folder."""
    lines = {
        # Relative, so that a container or a copy finds it as well.
        "com.bigdata.journal.AbstractJournal.file": "blazegraph.jnl",
        "com.bigdata.journal.AbstractJournal.bufferMode": "DiskRW",
        **PROPERTIES,
    }
    (data / "RWStore.properties").write_text(written(lines), encoding="utf-8")


def prepare(data: Path) -> Path:
    """Put the jar and the properties into a folder for a container; returns the jar's path."""
    data.mkdir(parents=True, exist_ok=True)
    write_properties(data)
    jar = fetch_jar()
    return Path(shutil.copy(jar, data / jar.name))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _free_port(port: int) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            raise ResourceError(
                f"cannot start Blazegraph on port {port}", str(error), "choose another with --port"
            ) from None
        return probe.getsockname()[1]


def main(arguments: list[str] | None = None) -> int:
    """Run a Blazegraph until it is interrupted; returns the exit status."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="python -m triplestore.remote.blazegraph", description=__doc__
    )
    parser.add_argument("--data", type=Path, default=Path("blazegraph-data"), metavar="FOLDER")
    parser.add_argument("--port", type=int, default=9999)
    parser.add_argument("--memory", default="2g", help="largest heap, e.g. 8g")
    parser.add_argument("--prepare", action="store_true", help="for compose.yaml; start nothing")
    parser.add_argument("--create", metavar="NAME", help="make a namespace on a server that runs")
    parser.add_argument(
        "--server", default="http://127.0.0.1:9999/blazegraph", metavar="URL", help="for --create"
    )
    given = parser.parse_args(arguments)

    def end(number: int, frame: object) -> NoReturn:
        del number, frame
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    try:
        if given.prepare:
            print(f"ready: {prepare(given.data)}")
            return 0
        if given.create:
            print(f"made; use it with  --store {create(given.server, given.create)}")
            return 0
        with Blazegraph(given.data, given.port, given.memory) as server:
            print(f"Blazegraph answers; use it with  --store {server.url}", flush=True)
            print(f"data in {server.data}; end it with Ctrl-C", flush=True)
            return server.wait()
    except KeyboardInterrupt:
        print("Blazegraph has ended", flush=True)
        return 0
    except GraficoError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 2 if isinstance(error, InputError) else 1


if __name__ == "__main__":
    sys.exit(main())
