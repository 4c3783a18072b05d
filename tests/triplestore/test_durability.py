"""What is on disk when an insertion is acknowledged."""

from __future__ import annotations

import os
import shutil
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


def test_a_long_log_moves_into_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the log holds is in memory too, and is read when the store is opened."""
    most = 1 << 20
    monkeypatch.setattr("triplestore.broker.engine._LOG", most)
    engine = Engine(tmp_path / "quads")
    written = 0
    for number in range(30):
        text = b"".join(quads(1000 * number + one) for one in range(1000))
        engine.insert(text, durable=True)
        written += len(text)
        logs = sum(path.stat().st_size for path in (tmp_path / "quads").glob("*.log"))
        assert logs <= most + 8 * len(text)
    assert written > most, "or nothing had to move"
    copy = tmp_path / "copy"
    shutil.copytree(tmp_path / "quads", copy, ignore=shutil.ignore_patterns("LOCK"))
    assert len(ox.Store(copy)) == 30_000
