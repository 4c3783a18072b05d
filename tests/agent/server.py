"""A server on this machine that speaks as OpenAI's chat does, and fails as servers do."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from evals.planner import Answer, Message, calls, says

__all__ = ["Answer", "Message", "Server", "calls", "says", "serving"]


@dataclass
class Server:
    """What is answered, what goes wrong, and what was asked.

    Attributes:
        answer: gives the message of the assistant for a request.
        faults: of the next requests: a status, `cut` (a stream that breaks off), `short` (one that
            ends without saying why it ended), `slow`, `drop` (no answer at all), another answer as
            bytes, or empty for none.
        asked: requests with their headers.
    """

    answer: Answer
    faults: list[int | str | bytes] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    retry_after: str = "0.01"
    quotes_key: bool = False
    url: str = ""


@contextmanager
def serving(answer: Answer) -> Generator[Server]:
    server = Server(answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = json.loads(body)
            server.asked.append(request)
            server.keys.append(self.headers.get("Authorization", ""))
            fault = server.faults.pop(0) if server.faults else ""
            if fault == "drop":
                self.close_connection = True
                self.connection.close()
                return
            if isinstance(fault, int):
                said = f"no, {self.headers['Authorization']}" if server.quotes_key else "no"
                self.reply(fault, {"error": {"message": said}}, server.retry_after)
                return
            if isinstance(fault, bytes):
                self.send_response(200)
                self.send_header("Content-Length", str(len(fault)))
                self.end_headers()
                self.wfile.write(fault)
                return
            if fault == "slow":
                time.sleep(1.5)
            message = server.answer(request)
            if request.get("stream"):
                self.stream(message, fault)
            elif fault in ("cut", "short"):
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b'{"id": "1", "choi')
                self.close_connection = True
            else:
                self.reply(200, whole(message))

        def reply(self, status: int, content: Message, retry_after: str = "") -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            if retry_after:
                self.send_header("Retry-After", retry_after)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def stream(self, message: Message, fault: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            pieces = list(chunks(message))
            for number, piece in enumerate(pieces):
                if fault and number >= len(pieces) // 2:
                    break
                line = f"data: {json.dumps(piece)}\n\n".encode()
                self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
                self.wfile.flush()
            if fault == "cut":
                self.close_connection = True
                return
            if fault != "short":
                line = b"data: [DONE]\n\n"
                self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
            self.wfile.write(b"0\r\n\r\n")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        httpd.daemon_threads = True
        threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01}).start()
        server.url = f"http://127.0.0.1:{httpd.server_port}/v1"
        try:
            yield server
        finally:
            httpd.shutdown()


USAGE = {
    "prompt_tokens": 1000,
    "completion_tokens": 50,
    "total_tokens": 1050,
    "prompt_tokens_details": {"cached_tokens": 400},
}


def whole(message: Message) -> Message:
    reason = "tool_calls" if message.get("tool_calls") else "stop"
    choice = {"index": 0, "message": message, "finish_reason": reason}
    head = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    return {**head, "choices": [choice], "usage": USAGE}


def chunks(message: Message) -> Iterator[Message]:
    head = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}

    def chunk(delta: Message, reason: str | None = None) -> Message:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {**head, "choices": [choice], "usage": None}

    yield chunk({"role": "assistant", "content": ""})
    text = message.get("content") or ""
    for at in range(0, len(text), 12):
        yield chunk({"content": text[at : at + 12]})
    for index, call in enumerate(message.get("tool_calls") or []):
        given = call["function"]["arguments"]
        first = {**call, "index": index, "function": {**call["function"], "arguments": ""}}
        yield chunk({"tool_calls": [first]})
        for at in range(0, len(given), 20):
            piece = {"index": index, "function": {"arguments": given[at : at + 20]}}
            yield chunk({"tool_calls": [piece]})
    yield chunk({}, "tool_calls" if message.get("tool_calls") else "stop")
    yield {**head, "choices": [], "usage": USAGE}
