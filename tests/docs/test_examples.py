"""The docs are code: every ``python`` block runs, and so does every ``$ grafico`` of a ``console``.

The blocks of one file run in their order and share one namespace, one store and one working folder
with a copy of ``examples/``. Output that follows a command in a ``console`` block must match it,
with ``...`` standing for anything. Blocks of other kinds (``text``, ``bash``) are only read.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import textwrap
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

import pytest

from tests.warm import program

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"(?P<indent> *)(?P<fence>`{3,}|~{3,}) *(?P<kind>[\w-]*)")
TIME_LIMIT = 600  # seconds a command
NEEDS = {"molecules.md": "java"}
"""Programs that a page's examples cannot do without: there it is systematic names."""


@dataclass(frozen=True)
class Block:
    kind: str
    line: int  # of its first line inside the fence, counted from 1
    text: str


@dataclass(frozen=True)
class Command:
    line: int
    text: str
    output: str  # empty: not compared


def blocks(document: str) -> Iterator[Block]:
    lines = iter(enumerate(document.splitlines(), start=1))
    for number, line in lines:
        if not (opening := FENCE.match(line)):
            continue
        body: list[str] = []
        for _, inner in lines:
            if re.fullmatch(rf" *{opening['fence'][0]}{{{len(opening['fence'])},}} *", inner):
                break
            body.append(inner)
        text = textwrap.dedent("\n".join(body) + "\n")
        yield Block(opening["kind"], number + 1, text)


def commands(block: Block) -> Iterator[Command]:
    """Every ``$ grafico …`` of a block; a line ending in a backslash continues."""
    pieces = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    line = block.line + pieces[0].count("\n")
    for piece in pieces[1:]:
        text, _, output = re.sub(r"\\\n", "\\\0", piece).partition("\n")
        text = text.replace("\\\0", "\\\n")
        if text.split()[:1] == ["grafico"]:
            yield Command(line, text, tidy(output))
        line += piece.count("\n")


def tidy(output: str) -> str:
    return "\n".join(line.rstrip() for line in output.strip("\n").splitlines())


class Reader:
    """Does what the reader of one document would do, in a folder of their own."""

    def __init__(self, path: Path, folder: Path):
        self.path = path
        self.module = types.ModuleType(f"docs_{path.stem.replace('-', '_').lower()}")
        self.module.__file__ = str(path)
        programs = folder / "bin"
        programs.mkdir()
        grafico = programs / "grafico"
        # who reads of a device agrees to what it is to do
        agreeing = shlex.join([sys.executable, "-m", "tests.agreeing"])
        grafico.write_text(
            f'#!/bin/sh\n[ "$1" = microwave ] && exec {agreeing} "$@"\n'
            f'exec {shlex.join(program())} "$@"\n'
        )
        grafico.chmod(0o755)
        self.environment = os.environ | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "TERM": "dumb",
        }

    def python(self, block: Block) -> None:
        # Empty lines before it, so that an error names the line of the document.
        source = "\n" * (block.line - 1) + block.text
        code = compile(source, str(self.path), "exec", dont_inherit=True)
        exec(code, vars(self.module))

    def console(self, block: Block) -> None:
        for command in commands(block):
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", command.text],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                timeout=TIME_LIMIT,
            )
            place = f"{self.path}:{command.line}: $ {command.text}"
            assert done.returncode == 0, f"{place}\nended with {done.returncode}\n{done.stdout}"
            if command.output:
                expected, got = command.output + "\n", tidy(done.stdout) + "\n"
                same = doctest.OutputChecker().check_output(expected, got, doctest.ELLIPSIS)
                assert same, f"{place}\nexpected:\n{expected}\ngot:\n{got}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = tmp_path / "work"
    if (ROOT / "examples").is_dir():
        copytree(ROOT / "examples", work / "examples")
    else:
        work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("GRAFICO_STORE", str(tmp_path / "store"))
    return tmp_path


def read(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(path, folder)
    # A real module for its time, so that classes defined in the document can be looked up.
    monkeypatch.setitem(sys.modules, reader.module.__name__, reader.module)
    for block in blocks(path.read_text(encoding="utf-8")):
        match block.kind:
            case "python":
                reader.python(block)
            case "console":
                reader.console(block)
            case _:
                pass


EXECUTABLE = [
    path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if path.exists()
    and any(block.kind in ("python", "console") for block in blocks(path.read_text("utf-8")))
]


@pytest.mark.parametrize("path", EXECUTABLE, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, need):
    if program := NEEDS.get(path.name):
        need(program)
    read(path, folder, monkeypatch)


def document(folder: Path, text: str) -> Path:
    path = folder / "page.md"
    path.write_text(text)
    return path


def test_blocks_share_a_namespace_and_keep_their_order(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    text = "```python\nx = 1\n```\n- item\n  ~~~python\n  assert x == 1\n  ~~~\n```text\nx\n```\n"
    read(document(folder, text), folder, monkeypatch)


def test_an_error_names_the_line_of_the_document(folder: Path, monkeypatch: pytest.MonkeyPatch):
    page = document(folder, "# Title\n\n```python\nx = 1\n1 / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as error:
        read(page, folder, monkeypatch)
    assert error.traceback[-1].lineno + 1 == 5
    assert error.traceback[-1].path == page


def test_commands_of_a_block():
    text = "intro\n$ ls\nfile\n$ grafico a \\\n    b\none\n\ntwo...\n\n$ grafico c\n"
    assert list(commands(Block("console", 10, text))) == [
        Command(13, "grafico a \\\n    b", "one\n\ntwo..."),
        Command(19, "grafico c", ""),
    ]


@pytest.mark.parametrize(
    ("output", "fine"),
    [
        ("a 1\nb 2", True),
        ("a ...\nb 2", True),
        ("...\nb 2", True),
        ("a 1", False),
        ("a 2...", False),
    ],
)
def test_output_is_compared(output: str, fine: bool, folder: Path, monkeypatch: pytest.MonkeyPatch):
    page = document(folder, f"```console\n$ grafico\n{output}\n```\n")
    reader = Reader(page, folder)
    (folder / "bin" / "grafico").write_text("#!/bin/sh\necho 'a 1'\necho 'b 2  '\n")
    [block] = blocks(page.read_text())
    if fine:
        reader.console(block)
    else:
        with pytest.raises(AssertionError, match=r"page\.md:2: \$ grafico"):
            reader.console(block)


def test_a_failing_command_is_caught(folder: Path):
    reader = Reader(folder / "page.md", folder)
    (folder / "bin" / "grafico").write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
    with pytest.raises(AssertionError, match=r"ended with 3\s+broken"):
        reader.console(Block("console", 1, "$ grafico | cat\n"))
