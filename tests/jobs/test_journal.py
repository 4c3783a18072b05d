"""The journal of a job: what was written comes back, what was cut off or changed does not."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplestore import open_store
from triplestore.errors import ConflictError, RecordError, ResourceError
from workflows.engine.jobs.journal import JournalStore, read_records

TRIPLE = '<https://e.org/{0}> <https://e.org/says> "{1}" .\n'
texts = st.lists(st.text(st.characters(codec="utf-8", exclude_characters='"\\\r\n'), max_size=20))


def written(path: Path, insertions: list[list[str]]) -> list[bytes]:
    """Write a journal; return what was inserted."""
    quads = [
        "".join(TRIPLE.format(f"{number}-{at}", text) for at, text in enumerate(one)).encode()
        for number, one in enumerate(insertions)
    ]
    with JournalStore(open_store("memory:"), path, path.parent) as store:
        for number, one in enumerate(quads):
            store.insert(one, durable=number % 2 == 0, settled=[f"https://e.org/{number}-0"])
    return quads


@given(insertions=st.lists(texts, max_size=4), data=st.data())
def test_what_was_cut_off_leaves_what_came_before(
    tmp_path_factory: pytest.TempPathFactory, insertions: list[list[str]], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal"
    quads = written(path, insertions)
    records = list(read_records(path))
    assert [record.quads for record in records] == quads
    assert [record.settled for record in records] == [
        (f"https://e.org/{number}-0",) for number in range(len(quads))
    ]
    whole = path.read_bytes()
    assert [record.end for record in records][-1:] == ([len(whole)] if records else [])
    length = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:length])
    kept = [record for record in records if record.end <= length]
    assert list(read_records(path)) == kept
    # who goes on writes behind the last whole record
    with JournalStore(open_store("memory:"), path, path.parent) as store:
        store.insert(b"<https://e.org/s> <https://e.org/p> <https://e.org/o> .\n")
    assert [one.quads for one in read_records(path)][:-1] == [one.quads for one in kept]


@given(data=st.data())
def test_what_was_changed_is_never_taken_for_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal"
    quads = written(path, [["one"], ["two", "three"]])
    whole = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(whole)
    read: list[bytes] = []
    with suppress(RecordError):
        for record in read_records(path):
            read.append(record.quads)
            assert record.settled == (f"https://e.org/{len(read) - 1}-0",)
    assert read == quads[: len(read)]


def test_what_contradicts_is_neither_stored_nor_written_down(tmp_path: Path) -> None:
    path, name = tmp_path / "journal", "https://e.org/0"
    with JournalStore(open_store("memory:"), path, tmp_path) as store:
        store.insert(TRIPLE.format(0, "this").encode(), settled=[name])
        with pytest.raises(ConflictError):
            store.insert(TRIPLE.format(0, "that").encode(), settled=[name])
    assert [b"this" in record.quads for record in read_records(path)] == [True]


def test_one_process_at_a_time_writes(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with (
        JournalStore(open_store("memory:"), path, tmp_path),
        pytest.raises(ResourceError, match="another process"),
    ):
        JournalStore(open_store("memory:"), path, tmp_path)
