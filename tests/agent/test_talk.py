"""`grafico ask` as a command of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from evals.planner import text
from grafico.cli.app import main
from tests.warm import program

from .helpers import H2, HF
from .server import Message, calls, says, serving

ROOT = Path(__file__).resolve().parents[2]


def grafico(*words: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*program(), *words],
        cwd=folder,
        text=True,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | more,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def answer(request: dict[str, Any]) -> Message:
    last = request["messages"][-1]
    if last["role"] == "user":
        return calls(("calculate", {"molecules": ["mine.xyz"], **HF}))
    energy = json.loads(text(last))["molecules"][0]["values"]["energy_Eh"]
    return says(f"It is {energy:.4f} Eh\x1b[31m, or 12.3 kcal/mol.")


def test_a_question_from_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "mine.xyz").write_text(H2.format(""))
    with serving(answer) as server:
        told = grafico(
            "ask",
            "energy of mine.xyz?",
            "--model",
            "any",
            "--file",
            "mine.xyz",
            "-t",
            "1",
            "--store",
            "memory:",
            folder=tmp_path,
            GRAFICO_AGENT_BASE_URL=server.url,
        )
    assert told.returncode == 0, told.stderr
    assert told.stdout == "It is -1.1167 Eh[31m, or 12.3 kcal/mol.\n"
    assert "note: 12.3 kcal/mol [no source]" in told.stderr
    assert "-1.1167 Eh [no source]" not in told.stderr
    assert "calculate" in told.stderr
    sent = server.asked[0]["messages"][-1]["content"]
    assert "[data {" in sent
    assert "0.740848" not in json.dumps(server.asked)


@pytest.mark.parametrize(
    ("model", "said"), [("openai-chat:gpt-5", "OPENAI_API_KEY"), ("nobody:x", "Unknown model")]
)
def test_without_a_key_or_such_a_model_it_says_so_and_makes_no_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, said: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    store = tmp_path / "new"
    told = CliRunner().invoke(main, ["ask", "hello", "--store", str(store), "--model", model])
    assert told.exit_code in (1, 2)
    assert said in told.stderr
    assert not store.exists()


def test_without_a_model_rules_answer(tmp_path: Path) -> None:
    words = "energies of hydrogen and helium with HF/STO-3G in kJ/mol"
    told = grafico("ask", words, "--store", "memory:", "-t", "1", "--json", folder=tmp_path)
    assert told.returncode == 0, told.stderr
    reply = json.loads(told.stdout)
    assert reply["model"] == "plain requests"
    assert len(reply["runs"]) == 2
    assert [one["text"] for one in reply["numbers"] if one["source"] is None] == []


@pytest.mark.parametrize(
    ("words", "status", "outcome"),
    [
        ("tell me a story", 2, "declined"),
        ("energy of nothere.xyz with HF/STO-3G", 1, "failed"),
        ("energy of helium and nothere.xyz with HF/STO-3G", 0, "answered"),
        ("dipole with HF/STO-3G of\n3\n\nH 0 0 0\nH 0 0 0.7\n", 2, "declined"),
    ],
)
def test_how_it_ended_is_the_exit_status(
    tmp_path: Path, words: str, status: int, outcome: str
) -> None:
    told = grafico("ask", words, "--store", "memory:", "--json", "--quiet", folder=tmp_path)
    assert told.returncode == status, told.stderr
    assert json.loads(told.stdout)["outcome"] == outcome


def test_what_nobody_agreed_to_ends_with_a_status(tmp_path: Path) -> None:
    """Without a terminal there is nobody to ask; nothing was computed, and the status says so."""
    words = "frequencies of naphthalene with B3LYP/def2-QZVPP"
    told = grafico("ask", words, "--store", "memory:", "--json", "--quiet", folder=tmp_path)
    assert told.returncode == 1, told.stdout
    assert json.loads(told.stdout)["outcome"] == "failed"
    assert "nobody agreed" in told.stdout


def test_each_module_can_be_imported_first(tmp_path: Path) -> None:
    """In whatever order: no command needs another to have been imported before it."""
    names = [path.stem for path in (ROOT / "grafico/cli").glob("*.py") if path.stem[0] != "_"]
    code = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]:\n"
        "    for one in [m for m in sys.modules if m.partition('.')[0] == 'grafico']:\n"
        "        del sys.modules[one]\n"
        "    importlib.import_module(f'grafico.cli.{name}')\n"
        "    print(name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *names],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.stdout.split() == names, done.stderr
    assert {"app", "ask", "chat", "mcp", "terminal"} <= set(names)
