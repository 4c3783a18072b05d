"""Where names stand in large tables: found quickly, made once, of no harm where it is broken."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from workflows.molecule import chemicals_names, names_index
from workflows.molecule.names_index import NamesIndex, kept

LINES = b"1\t64-17-5\tethanol\tspirit\n2\t67-56-1\tmethanol\tspirit\r\n\n3\n4\t\tlast"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "table.tsv"
    file.write_bytes(LINES)
    return file


def found(index: NamesIndex | None, field: str) -> list[bytes]:
    assert index is not None
    return [LINES[at:].split(b"\n")[0].rstrip(b"\r") for _, at in index.lines(field)]


def test_lines_are_found_by_their_fields(table: Path, tmp_path: Path) -> None:
    index = kept([table], (1,), 2)
    assert [one[:1] for one in found(index, "spirit")] == [b"1", b"2"]
    assert [one[:1] for one in found(index, "67-56-1")] == [b"2"]
    assert [one[:1] for one in found(index, "last")] == [b"4"]
    assert found(index, "1") == []  # of a column that is not asked for
    assert found(index, "") == found(index, "spirits") == []
    [file] = (tmp_path / "cache" / "grafico" / "names").iterdir()
    made = file.stat().st_mtime_ns
    assert kept([table], (1,), 2) is not None
    assert file.stat().st_mtime_ns == made  # it is made once


def test_another_table_has_another_index(table: Path, tmp_path: Path) -> None:
    kept([table], (1,), 2)
    table.write_bytes(b"1\t\tother\n")
    index = kept([table], (1,), 2)
    assert index is not None
    assert len(index.lines("other")) == 1
    assert index.lines("spirit") == []
    assert len([*(tmp_path / "cache" / "grafico" / "names").iterdir()]) == 1


def test_two_installations_share_a_cache(table: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "grafico" / "names"
    other = tmp_path / "other.tsv"
    other.write_bytes(LINES)
    kept([table], (1,), 2)
    [first] = folder.iterdir()
    kept([other], (1,), 2)
    assert len([*folder.iterdir()]) == 2
    assert first.exists()
    other.unlink()
    foreign = folder / "foreign.sqlite"
    foreign.write_bytes(b"of another version")
    table.write_bytes(LINES + b"\n5\t\tlater")
    kept([table], (1,), 2)
    assert len([*folder.iterdir()]) == 2
    assert not first.exists()
    assert foreign.exists()
    os.utime(foreign, (0, 0))
    other.write_bytes(LINES)
    kept([other], (1,), 2)
    assert not foreign.exists()
    assert len([*folder.iterdir()]) == 2


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_broken_index_is_made_again(table: Path, tmp_path: Path, content: bytes) -> None:
    kept([table], (1,), 2)
    [file] = (tmp_path / "cache" / "grafico" / "names").iterdir()
    file.write_bytes(content)
    assert len(found(kept([table], (1,), 2), "ethanol")) == 1


def test_without_a_cache_there_is_none(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert kept([table], (1,), 2) is None


@pytest.mark.skipif(find_spec("chemicals") is None, reason="the extra names")
def test_names_are_the_same_without_an_index(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("paracetamol", "58-08-2", "RYYVLZVUVIJVGH-UHFFFAOYSA-N", "alanine", "nobody")
    with_it = [chemicals_names._rows(one) for one in asked]
    assert [bool(rows) for rows in with_it] == [True, True, True, True, False]

    def damaged(self: NamesIndex, field: str) -> list[tuple[int, int]]:
        raise sqlite3.DatabaseError("database disk image is malformed")

    monkeypatch.setattr(NamesIndex, "lines", damaged)
    assert [chemicals_names._rows(one) for one in asked] == with_it


MEASURED = """
import resource
from workflows.molecule import chemicals_names
chemicals_names._index()
def megabytes():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 1e6
before = megabytes()
for name in ["paracetamol", "58-08-2", "procaine", "HEFNNWSXXWATRW-UHFFFAOYSA-N", "x"] * 20:
    chemicals_names._rows(name)
print(megabytes() - before)
"""


@pytest.mark.skipif(find_spec("chemicals") is None, reason="the extra names")
@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_lookup_takes_little_memory_and_its_index_little_space() -> None:
    chemicals_names._rows("caffeine")  # it is made
    done = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    assert float(done.stdout) < 40, "MB"
    folder = names_index.platformdirs.user_cache_path("grafico") / "names"
    assert sum(one.stat().st_size for one in folder.glob("*.sqlite")) < 84e6
