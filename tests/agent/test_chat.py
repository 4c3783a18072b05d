"""`grafico chat` and `chats`, at a terminal and elsewhere."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grafico.cli import main

ROOT = Path(__file__).resolve().parents[2]
HELIUM = "energy of helium with HF/STO-3G"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With one conversation of two questions."""
    folder = tmp_path_factory.mktemp("chat")
    words = (
        f"{HELIUM}\n\n/name atoms\n/usage\n/runs\n{HELIUM}\n/model\n/nothing\n/quit\nnot asked\n"
    )
    told = talk(folder / "store", words, folder=folder)
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    assert [line.split(" = ")[1].split("  ")[0] for line in lines if " = " in line] == [
        "-2.80778396 Eh"
    ] * 2
    assert any(line.startswith("2 requests, 0 tokens in") for line in lines)
    assert any(line.startswith("https://w3id.org/grafico/id/Run/") for line in lines)
    assert "plain requests" in lines
    assert "/nothing was asked for" in told.stderr
    assert "not asked" not in told.stdout
    return folder / "store"


def talk(store: Path, words: str, *more: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grafico", "chat", "--store", str(store), "--cores", "1", *more],
        cwd=folder, input=words, text=True, capture_output=True, check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def chats(store: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["chats", *words, "--store", str(store)])


def test_conversations_are_listed(store: Path) -> None:
    told = chats(store)
    assert told.exit_code == 0, told.output
    assert "atoms" in told.output
    [line] = json.loads(chats(store, "--json").output)
    assert (line["name"], line["turns"], line["runs"]) == ("atoms", 2, 2)
    assert line["spent"]["dollars_USD"] == 0


def test_one_is_shown_as_markdown_and_json(store: Path, tmp_path: Path) -> None:
    told = chats(store, "show", "atoms")
    assert told.output.startswith("# atoms\n")
    assert told.output.count(f"## {HELIUM}") == 2
    assert told.output.count("- `calculate") == 2
    said = json.loads(chats(store, "show", "last", "--json").output)
    assert [turn["status"] for turn in said["turns"]] == ["answered"] * 2
    file = tmp_path / "talk.md"
    assert chats(store, "show", "atoms", "-o", str(file)).exit_code == 0
    assert file.read_text().startswith("# atoms\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "nothing"], "atoms"),
        (["rename", "nothing", "x"], "atoms"),
        (["rename", "atoms", " "], "0 characters"),
        (["show", "g:id/Run/1"], "grafico chats"),
        (["show", "a\n}#"], "atoms"),
    ],
)
def test_what_cannot_be_is_refused(store: Path, words: list[str], said: str) -> None:
    told = chats(store, *words)
    assert told.exit_code in (1, 2)
    assert said in told.stderr
    assert "Traceback" not in told.stderr


def test_reading_makes_no_store(tmp_path: Path) -> None:
    for words in ([], ["show", "last"], ["rename", "last", "x"]):
        told = chats(tmp_path / "none", *words)
        assert told.exit_code == 2
        assert "there is no such folder" in told.stderr
    assert not (tmp_path / "none").exists()


def test_answers_as_json_a_line_each_and_failures_do_not_end_it(
    store: Path, tmp_path: Path
) -> None:
    told = talk(
        store, f"{HELIUM}\nenergy of nosuchmolecule\n{HELIUM}\n", "--json", "--quiet",
        folder=tmp_path,
    )  # fmt: skip
    replies = [json.loads(line) for line in told.stdout.splitlines()]
    assert len(replies) == 3
    assert len({reply["conversation"] for reply in replies}) == 1
    assert told.returncode == 0


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['pydantic_ai'] = None; from grafico.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "chat"], cwd=tmp_path, text=True, input="hello\n",
        capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "grafico[agent]" in done.stderr


class Terminal:
    """A child process at a terminal of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.chdir(folder)
            environment = os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"}
            os.execve(sys.executable, [sys.executable, "-m", "grafico", *words], environment)
        self.text = ""

    def until(self, what: str, limit: float = 60.0) -> str:
        """What was shown up to a text; forgets it."""
        end = time.monotonic() + limit
        while what not in self.text:
            assert time.monotonic() < end, f"{what!r} never came: {self.text[-2000:]}"
            if not select.select([self.fd], [], [], 0.2)[0]:
                continue
            try:
                came = os.read(self.fd, 65536)
            except OSError:
                came = b""
            assert came, f"it ended: {self.text[-2000:]}"
            if b"\x1b[6n" in came:  # where is the cursor?
                os.write(self.fd, b"\x1b[1;1R")
            self.text += came.decode(errors="replace")
        shown, _, self.text = self.text.partition(what)
        return shown

    def type(self, words: str) -> None:
        os.write(self.fd, words.encode())

    def ended(self, limit: float = 30.0) -> int:
        end = time.monotonic() + limit
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    os.read(self.fd, 65536)
                except OSError:
                    continue
        raise AssertionError("it did not end")


@pytest.fixture
def terminal(store: Path, tmp_path: Path) -> Iterator[Terminal]:
    words = ["chat", "--store", str(store), "--cores", "1", "--conversation", "atoms", "--quiet"]
    made = Terminal(tmp_path, *words)
    yield made
    try:
        os.kill(made.pid, signal.SIGKILL)
        os.waitpid(made.pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass
    os.close(made.fd)


def test_at_a_terminal(terminal: Terminal) -> None:
    """A pasted structure of several lines, a stop, and the conversation goes on."""
    assert "Going on with: atoms" in terminal.until("›")
    terminal.type("\x1b[200~energy with HF/STO-3G of\n2\n\nH 0 0 0\nH 0 0 0.740848\n\x1b[201~\r")
    assert "-1.1167" in terminal.until("Understood")  # Szabo and Ostlund, see helpers
    terminal.until("›")
    terminal.type("optimise aspirin with B3LYP/def2-SVP\r")
    time.sleep(3.0)
    terminal.type("\x03")
    terminal.until("stopped; what was finished is remembered")
    terminal.until("›")
    terminal.type(f"{HELIUM}\r")
    terminal.until("-2.80778396 Eh")
    terminal.until("›")
    terminal.type("\x04")
    assert terminal.ended() == 0


def test_termination_ends_it_all(terminal: Terminal) -> None:
    terminal.until("›")
    terminal.type("optimise aspirin with B3LYP/def2-SVP\r")
    time.sleep(3.0)
    os.kill(terminal.pid, signal.SIGTERM)
    assert terminal.ended() == 143
