"""The command itself: what it imports, and what it says where it cannot."""

from __future__ import annotations

import subprocess
import sys

import pytest

from grafico.mcp.web import is_here, read_place
from tests.mcp.helpers import ROOT, environment
from triplestore.errors import InputError


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment(), timeout=60,
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip


def test_help_does_not_import_it() -> None:
    done = python(
        "import sys\n"
        "from grafico.cli.app import main\n"
        "for words in (['--help'], ['mcp', '--help']):\n"
        "    main(words, prog_name='grafico', standalone_mode=False)\n"
        "heavy = {'mcp', 'mcp.types', 'uvicorn', 'starlette', 'numpy', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr
    assert "--allow-host NAME" in done.stdout


def test_without_the_extra_it_says_what_to_install() -> None:
    done = python(
        "import sys; sys.modules['mcp'] = None\n"
        "from grafico.cli.app import main\n"
        "main(['mcp', '--store', 'memory:'], prog_name='grafico')"
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert "pip install 'grafico[mcp]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "place", "here"),
    [
        ("8765", ("127.0.0.1", 8765), True),
        (":8765", ("127.0.0.1", 8765), True),
        ("localhost:1", ("localhost", 1), True),
        ("127.8.8.8:1", ("127.8.8.8", 1), True),
        ("[::1]:0", ("::1", 0), True),
        ("0.0.0.0:80", ("0.0.0.0", 80), False),
        ("[::]:80", ("::", 80), False),
        ("localhost.example:80", ("localhost.example", 80), False),
    ],
)
def test_where_to_listen(text: str, place: tuple[str, int], here: bool) -> None:
    assert read_place(text) == place
    assert is_here(place[0]) is here


@pytest.mark.parametrize("text", ["", "localhost", "localhost:", "1:x", "70000", "-1"])
def test_where_nobody_can_listen(text: str) -> None:
    with pytest.raises(InputError):
        read_place(text)
