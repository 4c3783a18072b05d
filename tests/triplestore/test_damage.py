"""A file of a folder's store that a disk has changed is told, whichever it is."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from pathlib import Path

import pyoxigraph as ox
import pytest

from ogm import KnowledgeGraph
from ogm.keeping import backup, check_store, restore
from triplestore import Table, open_store
from triplestore.bounds import Bounds
from triplestore.broker.checking import check
from triplestore.errors import RecordError

QUADS = 1400


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose quads have moved into tables, of every index that the engine keeps."""
    folder = tmp_path_factory.mktemp("whole")
    lines = [
        f'<urn:s{n}> <urn:p{n % 7}> "value {n * k} of it" {graph}.\n'
        for n in range(QUADS)
        for k, graph in enumerate(("", "", f"<urn:g{n % 2}> "), 1)
    ]
    quads = ox.Store(str(folder / "quads"))
    quads.load("".join(lines).encode(), ox.RdfFormat.N_QUADS)
    quads.flush()
    return folder


def damage(whole: Path, place: Path, name: str, at: float = 0.5) -> Path:
    """Copy a store and change a byte of one of its files."""
    shutil.copytree(whole, place)
    path = place / "quads" / name
    content = bytearray(path.read_bytes())
    content[int(len(content) * at)] ^= 0x5A
    path.write_bytes(content)
    return place


def tables(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "quads").glob("*.sst"))


def index(folder: Path, tmp_path: Path, kind: str) -> str:
    """Return the table of one index: what alone is said to be wrong where it is damaged."""
    for name in tables(folder):
        place = damage(folder, tmp_path / f"at {name}", name)
        with suppress(RuntimeError):  # one that is needed to open it
            wrong = check(ox.Store(str(place / "quads")), lambda _: None)
            if len(wrong) == 1 and re.match(f"the index of {kind}[,:]", wrong[0]):
                return name
    raise AssertionError(f"no table of {kind}")


def test_a_whole_store_has_no_damage_and_keeps_no_copy(whole: Path, tmp_path: Path):
    place = tmp_path / "copy"
    shutil.copytree(whole, place)
    told: list[str] = []
    with open_store(str(place)) as store:
        assert store.damage(told.append) == []
    assert not [*place.glob(".check-*")]


def test_each_damaged_table_is_seen(whole: Path, tmp_path: Path):
    names = tables(whole)
    assert len(names) >= 11  # texts, graphs, three orders of quads alone and six of those in graphs
    unseen: list[str] = []
    for name in names:
        with open_store(str(damage(whole, tmp_path / name, name))) as store:
            try:
                found = check_store(KnowledgeGraph(store)).counts
                seen = "damaged" in found
                assert found.get("damaged", 0) <= 1, f"{name} is told twice"
            except RecordError as error:  # it cannot be opened
                seen = "damaged" in error.found
        if not seen:
            unseen.append(name)
    assert unseen == []


def test_a_query_on_a_damaged_index_wants_for_no_memory(whole: Path, tmp_path: Path):
    name = index(whole, tmp_path, "properties")
    query = " UNION ".join(f"{{ ?a <urn:p{k}> ?x }}" for k in range(7))
    with (
        open_store(str(damage(whole, tmp_path / "asked", name))) as store,
        pytest.raises(RecordError, match="the store is damaged: the index of properties"),
    ):
        store.query_guarded(
            f"SELECT ?a {{ {query} }} ORDER BY ?a", Bounds(timeout=30.0, memory=300_000_000)
        )


def test_what_can_still_be_read_is_saved_into_a_whole_store(whole: Path, tmp_path: Path):
    name = index(whole, tmp_path, "objects")
    with open_store(str(damage(whole, tmp_path / "asked", name))) as store:
        backup(KnowledgeGraph(store), tmp_path / "saved.zip")
    with open_store(str(tmp_path / "new")) as store:
        restore(KnowledgeGraph(store), tmp_path / "saved.zip")
        assert store.damage() == []
        found = store.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
        assert isinstance(found, Table)
        assert str(found.rows[0][0]).startswith(f'"{2 * QUADS - 1}"')  # n = 0 has one value twice


def test_a_copy_that_a_killed_process_has_left_goes(whole: Path, tmp_path: Path):
    place = tmp_path / "copy"
    shutil.copytree(whole, place)
    left, fresh = place / ".check-left", place / ".check-fresh"
    for one in (left, fresh):
        one.mkdir()
    os.utime(left, (1, 1))
    with open_store(str(place)) as store:
        assert store.damage() == []
    assert fresh.exists()
    assert not left.exists()
