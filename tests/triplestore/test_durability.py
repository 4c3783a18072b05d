"""What is on disk when an insertion is acknowledged."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest

from triplestore.broker.engine import Engine


def quads(number: int) -> bytes:
    return f'<http://example.org/{number}> <http://example.org/p> "{number}" .\n'.encode()


def test_a_durable_insertion_synchronises_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(tmp_path / "quads")
    synchronised: list[str] = []
    real = os.fsync

    def watched(handle: int) -> None:
        synchronised.append(os.readlink(f"/proc/self/fd/{handle}"))
        real(handle)

    monkeypatch.setattr(os, "fsync", watched)
    engine.insert(quads(1), durable=False)
    assert synchronised == []
    assert engine.dirty
    engine.insert(quads(2), durable=True)
    assert any(path.endswith(".log") for path in synchronised)
    assert str(tmp_path / "quads") in synchronised, "the folder names a new log"
    assert not engine.dirty
    synchronised.clear()
    engine.insert(quads(3), durable=True)
    assert [Path(path).suffix for path in synchronised] == [".log"]


def test_the_files_alone_hold_everything_that_was_acknowledged(tmp_path: Path) -> None:
    """The files as a crash would leave them, without the engine's own close."""
    engine = Engine(tmp_path / "quads")
    for number in range(50):
        engine.insert(quads(number), durable=True)
    copy = tmp_path / "copy"
    shutil.copytree(tmp_path / "quads", copy, ignore=shutil.ignore_patterns("LOCK"))
    assert len(ox.Store(copy)) == 50
    engine.tidy()
    assert len(ox.Store.read_only(str(tmp_path / "quads"))) == 50


WRITER = """
import os, signal, sys
from pathlib import Path
from triplestore.broker import engine

engine._LOG = 1 << 20
folder = Path(sys.argv[1])
opened = engine.Engine(folder)
for thousand in range(30):
    numbers = range(1000 * thousand, 1000 * (thousand + 1))
    text = "".join(f'<http://a.b/{n}> <http://a.b/number-of> "{n}" .\\n' for n in numbers)
    opened.insert(text.encode(), durable=True)
    print(sum(path.stat().st_size for path in folder.glob("*.log")), len(text), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_long_log_moves_into_tables(tmp_path: Path) -> None:
    """What the log holds is in memory too, and is read when the store is opened."""
    command = [sys.executable, "-c", WRITER, str(tmp_path / "quads")]
    told = subprocess.run(command, check=False, capture_output=True, text=True)
    assert told.returncode == -signal.SIGKILL, told.stderr
    sizes = [[int(word) for word in line.split()] for line in told.stdout.splitlines()]
    assert sum(text for _, text in sizes) > 1 << 20, "or nothing had to move"
    assert all(logs <= (1 << 20) + 8 * text for logs, text in sizes)
    assert len(ox.Store(tmp_path / "quads")) == 30_000
