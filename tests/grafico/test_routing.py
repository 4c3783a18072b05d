"""`--router`: the plan, a person at a real terminal and a model behind a real server choose."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.session.routing import make_router
from ontologies.provenance import Transition
from tests.agent.server import Message, Server, calls, serving
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
        [sys.executable, "-m", "grafico", *words],
        cwd=ROOT,
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        start_new_session=True,
    )
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
    said = answered([b"99\n", b"e\n"], "run", *HELIUM, *more, status=1)
    assert "'99' is not among them" in said
    assert re.search(r"^  1  SinglePoint: ", said, re.MULTILINE)
    assert choosers(store) == []
    with Grafico(store) as session:
        [line] = session.runs()
    assert line.status == "goal unmet"
    answered([b"singlepoint\n", b"e\n"], "resume", line.run, "-t", "1", *more, status=0)
    assert choosers(store) == [("SinglePoint", "person")]


def pick(request: dict[str, Any]) -> Message:
    """Take a single point, and end when the goal is reached."""
    told = json.loads(request["messages"][-1]["content"])
    wanted = "end" if told["goal reached"] else "SinglePoint"
    return calls(("final_result", {"pick": wanted, "reason": "it fits"}))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A model behind a server on this machine."""
    with serving(pick) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield server


def test_a_model_chooses_from_the_command_line_and_from_python(
    tmp_path: Path, model: Server
) -> None:
    store = tmp_path / "store"
    done = subprocess.run(
        [sys.executable, "-m", "grafico", "run", *HELIUM, "--quiet", "--store", str(store),
         "--router", "model:openai-chat:any"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert choosers(store) == [("SinglePoint", "model openai-chat:any")]
    assert {one["model"] for one in model.asked} == {"any"}
    assert set(model.keys) == {f"Bearer {KEY}"}
    count = len(model.asked)
    with Grafico(store, threads_per_calculation=1) as session:
        result = session.run("[He]", method="HF", basis="STO-3G", router="model:openai-chat:any")
        assert result.reused
        assert len(model.asked) > count
        # the plan asks nobody
        count = len(model.asked)
        assert session.run("[He]", method="HF", basis="STO-3G").reused
    assert len(model.asked) == count


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
