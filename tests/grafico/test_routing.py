"""`--router`: the plan, a person at a real terminal and a model behind a real server choose."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.session.routing import make_router
from ontologies.provenance import Transition
from triplestore.errors import ComponentError, InputError
from workflows.engine import AskRouter, GoalRouter

ROOT = Path(__file__).resolve().parents[2]
HELIUM = ("[He]", "--method", "HF", "--basis", "STO-3G", "-t", "1")
KEY = "sk-test-" + 30 * "x"


def choosers(store: Path | str) -> list[tuple[str, str]]:
    with Grafico(store) as session:
        steps = sorted(session.kg.find(Transition), key=lambda step: step.started)
        return [(step.node, step.chosen_by) for step in steps]


def answered(answers: list[bytes], *words: str, status: int) -> str:
    """Return what a command says at a terminal where a person gives these answers."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "grafico", *words], cwd=ROOT,
        stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    said, asked = b"", 0
    try:
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux says so when the other side is closed
                break
            if not part:
                break
            said += part
            while said.count(b"next: ") > asked:
                os.write(ours, answers[asked])
                asked += 1
        assert process.wait(20) == status, said.decode()
    finally:
        process.kill()
        os.close(ours)
    assert asked == len(answers)
    return said.decode()


def test_a_person_chooses_at_the_terminal_and_goes_on_later(tmp_path: Path) -> None:
    store = tmp_path / "store"
    more = ("--quiet", "--store", str(store), "--router", "ask")
    said = answered([b"7\n", b"e\n"], "run", *HELIUM, *more, status=1)
    assert "'7' is not among them" in said
    assert re.search(r"^  1  SinglePoint: ", said, re.MULTILINE)
    assert choosers(store) == []
    with Grafico(store) as session:
        [line] = session.runs()
    assert line.status == "goal unmet"
    answered([b"singlepoint\n", b"e\n"], "resume", line.run, "-t", "1", *more, status=0)
    assert choosers(store) == [("SinglePoint", "person")]


class Model(BaseHTTPRequestHandler):
    """A model that takes a single point, and ends when the goal is reached."""

    asked: list[dict[str, Any]]

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append({"path": self.path, "key": self.headers["Authorization"], **request})
        told = json.loads(request["messages"][-1]["content"])
        pick = {"pick": "end" if told["goal reached"] else "SinglePoint", "reason": "it fits"}
        call = {"name": "final_result", "arguments": json.dumps(pick)}
        message = {
            "role": "assistant", "content": None,
            "tool_calls": [{"id": "1", "type": "function", "function": call}],
        }  # fmt: skip
        body = json.dumps({
            "id": "1", "object": "chat.completion", "created": 1, "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        }).encode()  # fmt: skip
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """What a model behind a server on this machine is asked."""
    Model.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as httpd:
        httpd.daemon_threads = True
        threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01}).start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{httpd.server_port}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield Model.asked
        httpd.shutdown()


def test_a_model_chooses_from_the_command_line_and_from_python(
    tmp_path: Path, asked: list[dict[str, Any]]
) -> None:
    store = tmp_path / "store"
    done = subprocess.run(
        [sys.executable, "-m", "grafico", "run", *HELIUM, "--quiet", "--store", str(store),
         "--router", "model:openai-chat:any"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert choosers(store) == [("SinglePoint", "model openai-chat:any")]
    assert {(one["path"], one["model"]) for one in asked} == {("/v1/chat/completions", "any")}
    assert asked[0]["key"] == f"Bearer {KEY}"
    count = len(asked)
    with Grafico(store, threads_per_calculation=1) as session:
        result = session.run("[He]", method="HF", basis="STO-3G", router="model:openai-chat:any")
        assert result.reused
        assert len(asked) > count
        # the plan asks nobody
        count = len(asked)
        assert session.run("[He]", method="HF", basis="STO-3G").reused
    assert len(asked) == count


def test_words_become_routers() -> None:
    assert isinstance(make_router("goal"), GoalRouter)
    assert isinstance(make_router("ask"), AskRouter)
    mine = GoalRouter()
    assert make_router(mine) is mine


@pytest.mark.parametrize("word", ["", "modell", "model", "model:", "goal:x", "GPT"])
def test_another_word_is_refused_with_those_there_are(word: str) -> None:
    with pytest.raises(InputError, match="choose one of: goal, ask, model:NAME"):
        make_router(word)


def test_a_model_that_cannot_be_asked_is_refused_before_anything_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ComponentError, match="OPENAI_API_KEY"):
        make_router("model:openai-chat:any")
    with pytest.raises(InputError, match="Unknown model"):
        make_router("model:nobody:any")
    with Grafico("memory:") as session:
        with pytest.raises(ComponentError, match="OPENAI_API_KEY"):
            session.run("[He]", router="model:openai-chat:any")
        assert session.runs() == []
