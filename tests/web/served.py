"""A real server of the page in a process of its own, and a client as small as a browser's."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = float(os.environ.get("PATIENCE", "240"))
"""Seconds on a busy machine for what takes a moment."""


@dataclass
class Answered:
    """What the server has answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        said = self.json["error"]
        return f"{said['asked']}: {said['found']}; {said['advice']}"


@dataclass
class Served:
    """A server, and the token that it lets in."""

    address: str
    token: str
    process: subprocess.Popen[str]
    store: Path

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    @property
    def page(self) -> str:
        return f"{self.address}/#token={self.token}"

    def ask(
        self,
        method: str,
        path: str,
        said: Any = None,
        raw: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answered:
        """Send a request as the page does; `headers` replace those, empty ones leave them out."""
        sent = {"Authorization": f"Bearer {self.token}", "Host": self.host, **(headers or {})}
        body = raw if raw is not None else None if said is None else json.dumps(said).encode()
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value:
                    connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Answered(answer.status, names, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **query: str) -> Any:
        words = "&".join(f"{name}={quote(value, '')}" for name, value in query.items())
        return self.ask("GET", f"{path}?{words}" if words else path).json

    def post(self, path: str, **said: Any) -> Answered:
        return self.ask("POST", path, said)

    def talk(self) -> str:
        return self.post("/api/conversations").json["key"]

    def say(self, key: str, text: str, **more: Any) -> dict[str, Any]:
        """Ask, and wait for the answer."""
        asked = self.post("/api/ask", key=key, text=text, **more)
        assert asked.status == 200, asked.body
        return self.settled(key)["turns"][-1]

    def settled(self, key: str) -> dict[str, Any]:
        """Wait until nothing is under way in a conversation."""

        def look() -> dict[str, Any] | None:
            now = self.get(f"/api/conversations/{key}")
            return None if now["busy"] else now

        return until(look)

    def told(self, key: str, kind: str) -> None:
        """Wait until there is news of a kind in a conversation."""
        path = f"/api/conversations/{key}"
        until(lambda: any(one["k"] == kind for one in self.get(path)["live"]))

    def follow(self, since: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Iterate over what happens, with its place."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {self.token}"}
        try:
            connection.request("GET", f"/api/stream?since={since}", headers=headers)
            place = ""
            for line in connection.getresponse():
                text = line.decode().rstrip("\n")
                if text.startswith("id: "):
                    place = text[4:]
                elif text.startswith("data: "):
                    yield place, json.loads(text[6:])
        finally:
            connection.close()


def until(look: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Look again and again; return what is found at last."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, "it did not come to that in time"
        time.sleep(0.1)
    return found


@contextmanager
def served(store: Path, folder: Path, *words: str, **more: str) -> Generator[Served]:
    """A server, until the block ends."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "grafico", "web", "--no-browser", "--store", str(store)]
    with subprocess.Popen(
        [*command, *(words or ("--at", "0"))],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **more},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            address, _, token = line.split()[-1].partition("/#token=")
            yield Served(address, token, process, store)
        finally:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()


def with_model(place: Path, url: str) -> AbstractContextManager[Served]:
    """A server whose questions a model answers."""
    told = {
        "GRAFICO_AGENT_MODEL": "openai-chat:test",
        "GRAFICO_AGENT_BASE_URL": url,
        "OPENAI_API_KEY": "sk-secret-of-the-test",
    }
    return served(place / "store", place / "here", **told)
