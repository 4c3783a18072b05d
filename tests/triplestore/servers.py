"""Real SPARQL servers and odd ones for the tests, on loopback, ended with the test process."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.ports import free_port


class OxigraphServer:
    """`oxigraph serve`, in memory; a query that runs away ends after three seconds."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/query"
        program = Path(sys.executable).with_name("oxigraph")
        with (folder / "oxigraph.log").open("wb") as log:
            self._process = subprocess.Popen(
                [program, "serve", "--bind", f"127.0.0.1:{self.port}", "--timeout-s", "3"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert time.monotonic() < until, "oxigraph does not start"
                time.sleep(0.02)

    def clear(self) -> None:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        link.request("POST", "/update", "DROP ALL", {"Content-Type": "application/sparql-update"})
        assert link.getresponse().status == 204
        link.close()

    def stop(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()


Answerer = Callable[[BaseHTTPRequestHandler, bytes], None]


class OddServer:
    """A server that does to each request what a function says; it counts and keeps them."""

    def __init__(self, answer: Answerer) -> None:
        seen = self.seen = list[tuple[str, dict[str, str], bytes]]()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = b""
                if self.headers.get("Transfer-Encoding") == "chunked":
                    while size := int(self.rfile.readline(), 16):
                        body += self.rfile.read(size)
                        self.rfile.readline()
                    self.rfile.readline()
                else:
                    body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                seen.append((self.path, dict(self.headers), body))
                try:
                    answer(self, body)
                except OSError:
                    self.close_connection = True

            do_GET = do_POST

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/query"
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def reply(
    handler: BaseHTTPRequestHandler,
    body: bytes,
    kind: str = "application/sparql-results+json",
    status: int = 200,
    length: int | None = -1,
    **headers: str,
) -> None:
    """Send an answer; `length` lies about its size, and None says nothing about it."""
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    if length is not None:
        handler.send_header("Content-Length", str(len(body) if length < 0 else length))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)
    handler.wfile.flush()
