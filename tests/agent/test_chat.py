"""`grafico chat` and `chats`, at a terminal and elsewhere."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
import unicodedata
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from evals.planner import text
from grafico import Grafico
from grafico.agent import Told
from grafico.agent.conversations import find, name_of
from grafico.cli.app import main
from grafico.cli.chat import TerminalStream
from ogm import Link
from ontologies import Conversation, ConversationName
from tests.warm import program

from .server import Message, calls, says, serving

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
        [*program(), "chat", "--store", str(store), "-t", "1", *more],
        cwd=folder,
        input=words,
        text=True,
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


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
        store,
        f"{HELIUM}\nenergy of nosuchmolecule\n{HELIUM}\n",
        "--json",
        "--quiet",
        folder=tmp_path,
    )
    replies = [json.loads(line) for line in told.stdout.splitlines()]
    assert len(replies) == 3
    assert len({reply["conversation"] for reply in replies}) == 1
    assert told.returncode == 0


class Terminal:
    """A child process at a terminal of its own, as a person has it: without a sign of a test."""

    def __init__(self, folder: Path, *words: str, **more: str) -> None:
        environment = os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"}
        for name in ("CI", "PYTEST_VERSION", "PYDANTIC_AI_NO_BANNER"):
            environment.pop(name, None)
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.chdir(folder)
            command = [sys.executable, "-m", "grafico", *words]
            os.execve(sys.executable, command, environment | more)
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


@contextmanager
def at_terminal(folder: Path, *words: str, **more: str) -> Generator[Terminal]:
    made = Terminal(folder, *words, **more)
    try:
        yield made
    finally:
        try:
            os.kill(made.pid, signal.SIGKILL)
            os.waitpid(made.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(made.fd)


@pytest.fixture
def terminal(store: Path, tmp_path: Path) -> Iterator[Terminal]:
    words = ["chat", "--store", str(store), "-t", "1", "--conversation", "atoms", "--quiet"]
    with at_terminal(tmp_path, *words) as made:
        yield made


def test_at_a_terminal(terminal: Terminal) -> None:
    """A pasted structure of several lines, a stop, and the conversation goes on."""
    assert "Going on with: atoms" in terminal.until("›")
    terminal.type("\x1b[200~energy with HF/STO-3G of\n2\n\nH 0 0 0\nH 0 0 0.740848\n\x1b[201~\r")
    assert "-1.1167" in terminal.until("Understood")  # Szabo and Ostlund, see helpers
    terminal.until("›")
    terminal.type("optimise aspirin with B3LYP/def2-SVP\r")
    time.sleep(3.0)
    terminal.type("\x03")
    terminal.until("stopped; what is finished is kept")
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


def curious(request: dict[str, Any]) -> Message:
    """Asks back, or wants to command a device, and says what came of it."""
    last = request["messages"][-1]
    if last["role"] == "tool":
        return says(f"It came to {text(last)}.")
    if "No tool has given" in text(last):  # numbers in the JSON of a device: it says it again
        return says(text(request["messages"][-2]))
    if "lid" in text(last):
        return calls(("run_workflow", {"name": "microwave", "arguments": {"lid": "open"}}))
    if "twice" in text(last):
        return calls(("ask_user", {"question": "First?"}), ("ask_user", {"question": "Second?"}))
    if "which" in text(last):
        return calls(("ask_user", {"question": "Which\x9b31m one?", "options": ["a", "b"]}))
    return says("Nothing was asked back.")


def test_a_question_and_an_agreement_at_a_terminal(tmp_path: Path) -> None:
    """They are answered, left open with Ctrl-D and broken off with Ctrl-C; the chat goes on."""
    words = ["chat", "--store", "memory:", "-t", "1", "--model", "any"]
    with (
        serving(curious) as server,
        at_terminal(tmp_path, *words, GRAFICO_AGENT_BASE_URL=server.url) as terminal,
    ):
        terminal.until("›")
        for typed, said in (("b\r", '"b"'), ("\x04", "null"), ("\r", "null")):
            terminal.type("which?\r")
            terminal.until("Which31m one? (a / b)")
            terminal.until("answer:")
            terminal.type(typed)
            assert said in terminal.until("requests").partition("It came to ")[2]
            terminal.until("›")
        terminal.type("open the lid\r")
        terminal.until("go on? [y/N]")
        terminal.type("\x03")
        terminal.until("stopped; what is finished is kept")
        terminal.until("›")
        for typed, said in (("\x04", "said no"), ("\r", "said no"), ("y\r", '"open"')):
            terminal.type("open the lid\r")
            terminal.until("it commands a device")
            terminal.until("go on? [y/N]")
            terminal.type(typed)
            assert said in terminal.until("requests").partition("It came to ")[2]
            terminal.until("›")
        terminal.type("which?\r")
        terminal.until("answer:")
        terminal.type("half\x03")
        terminal.until("stopped; what is finished is kept")
        terminal.until("›")
        terminal.type("hello\r")
        terminal.until("Nothing was asked back.")
        terminal.until("›")
        terminal.type("twice\r")  # one at a time
        for question, typed in (("First?", "1\r"), ("Second?", "2\r")):
            terminal.until(question)
            terminal.until("answer:")
            terminal.type(typed)
        terminal.until("It came to")
        terminal.until("›")
        terminal.type("\x04")
        assert terminal.ended() == 0


@pytest.mark.parametrize("how", ["key", "signal"])
def test_a_question_of_one_answer_is_broken_off(tmp_path: Path, how: str) -> None:
    """Nothing but the answer is shown, and the terminal is as before."""
    words = ["ask", "which?", "--store", "memory:", "--model", "any", "--quiet"]
    with (
        serving(curious) as server,
        at_terminal(tmp_path, *words, GRAFICO_AGENT_BASE_URL=server.url) as terminal,
    ):
        before = termios.tcgetattr(terminal.fd)
        assert terminal.until("Which31m one? (a / b)") == ""
        terminal.until("answer:")
        assert termios.tcgetattr(terminal.fd) != before
        if how == "key":
            terminal.type("\x03")
        else:
            os.kill(terminal.pid, signal.SIGINT)
        terminal.until("interrupted")
        assert terminal.ended() == 130
        assert termios.tcgetattr(terminal.fd) == before


# --- files and names ------------------------------------------------------------------------------


def test_a_conversation_is_written_and_no_file_is_lost(store: Path, tmp_path: Path) -> None:
    told = talk(
        store,
        "/export ~nosuchuser/x\n/export talk.md\n/export talk.md\n/model\n",
        "--conversation",
        "atoms",
        folder=tmp_path,
    )
    assert told.returncode == 0, told.stderr
    assert "there is no folder ~nosuchuser" in told.stderr
    assert "it exists" in told.stderr
    assert told.stdout.splitlines() == ["written to talk.md", "plain requests"]
    file = tmp_path / "talk.md"
    assert file.read_text().startswith("# atoms\n")
    file.write_text("mine")
    told = talk(store, "/export talk.md --force\n", "--conversation", "atoms", folder=tmp_path)
    assert told.stdout == "written to talk.md\n"
    assert file.read_text().startswith("# atoms\n")


HOSTILE = "evil \x1b]0;pwn\x07\x9b31m \u202ething\u2066\u200b\U000e0041"
HARMLESS = "evil ]0;pwn31m thing"


def test_names_are_cleaned_when_they_are_given(tmp_path: Path) -> None:
    told = talk(tmp_path / "store", f"{HOSTILE}\n/chats\n", folder=tmp_path)
    assert harmless(told.stdout + told.stderr)
    with Grafico(tmp_path / "store") as session:
        found = find(session.kg, "last")
        assert name_of(session.kg, found) == HARMLESS
    assert chats(tmp_path / "store", "rename", "last", f"very {HOSTILE}").exit_code == 0
    [line] = json.loads(chats(tmp_path / "store", "--json").output)
    assert line["name"] == f"very {HARMLESS}"


def test_names_and_questions_that_were_kept_command_no_terminal(tmp_path: Path) -> None:
    """As they may stand in a store that others have written."""
    store, now = tmp_path / "store", datetime.now(UTC)
    talk(store, f"{HOSTILE}\n", folder=tmp_path)
    with Grafico(store) as session:
        found = find(session.kg, "last")
        name = ConversationName(conversation=Link[Conversation](found.iri), name=HOSTILE, given=now)
        session.executor.record(name)
    told = talk(store, "/chats\n/export x.md\n", "--conversation", "last", folder=tmp_path)
    shown = [told.stdout, told.stderr, (tmp_path / "x.md").read_text()]
    for words in ([], ["--json"], ["show", "last"], ["show", "last", "--json"], ["show", "none"]):
        said = chats(store, *words)
        shown += [said.stdout, said.stderr]
    assert all(map(harmless, shown))
    assert sum("evil" in one for one in shown) == 7
    [line] = json.loads(chats(store, "--json").output)
    assert line["name"] == HOSTILE  # for programs, it is what it is
    with at_terminal(tmp_path, "chat", "--store", str(store), "--conversation", "last") as terminal:
        terminal.until("Going on with: ")
        assert terminal.until("\n").strip() == HARMLESS


def harmless(shown: str) -> bool:
    return not [c for c in shown if c not in "\n\t" and unicodedata.category(c)[0] == "C"]


def test_what_a_model_says_commands_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    stream = TerminalStream(quiet=False, shown=True)
    for kind in ("text", "tool", "again"):
        stream(Told(kind, HOSTILE, {"question": HOSTILE}))
    stream.close()
    shown = capsys.readouterr()
    assert shown.out == f"{HARMLESS}\n"
    assert shown.err.count("evil") == 3
    assert harmless(shown.err)
