"""Which folder is taken for a store: a new or empty one, or one that is a store and is whole."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from tests.triplestore.helpers import alive, broker_pid, many, wait_until
from triplestore import InputError, open_store
from triplestore.broker.embedded import EmbeddedStore
from triplestore.errors import RecordError


def end_broker(folder: Path) -> None:
    pid = broker_pid(folder)
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not alive(pid))


@pytest.mark.parametrize("names", [["thesis.tex"], ["a", "b", "c", "d"], ["tasks", "main.c"]])
def test_a_folder_with_other_things_is_refused_and_left_as_it_is(
    folder: Path, names: list[str]
) -> None:
    folder.mkdir()
    for name in names:
        (folder / name).mkdir()
    with pytest.raises(InputError, match="holds other things") as caught:
        EmbeddedStore(folder)
    assert sorted(os.listdir(folder)) == sorted(names)
    assert ("…" in caught.value.found) == (len(names) > 3)


def test_a_folder_with_what_systems_leave_is_empty_and_a_store_may_hold_notes(folder: Path) -> None:
    (folder / "lost+found").mkdir(parents=True)
    (folder / ".DS_Store").touch()
    with EmbeddedStore(folder) as store:
        store.insert(many(1))
    (folder / "notes.txt").touch()
    with EmbeddedStore(folder) as store:
        assert store.query("ASK { ?s ?p ?o }")


def test_a_store_whose_quads_are_gone_is_not_begun_anew(
    embedded: EmbeddedStore, folder: Path
) -> None:
    embedded.insert(many(10))
    end_broker(folder)
    (folder / "quads").rename(folder / "elsewhere")
    for store in (embedded, EmbeddedStore(folder)):
        with pytest.raises(RecordError, match="its quads are gone") as caught:
            store.insert(many(1))
        assert "grafico restore" in caught.value.advice
    assert not (folder / "quads").exists()
    (folder / "quads").mkdir()  # an empty folder is no better
    with pytest.raises(RecordError, match="its quads are gone"):
        embedded.query("ASK {}")
    (folder / "quads").rmdir()
    (folder / "elsewhere").rename(folder / "quads")
    assert embedded.query("ASK { ?s ?p ?o }")


def test_a_broker_killed_before_it_stamped_a_new_store_costs_nothing(folder: Path) -> None:
    with EmbeddedStore(folder) as store:
        store.insert(many(10))
        end_broker(folder)
    (folder / "store.json").unlink()
    with EmbeddedStore(folder) as store:
        assert store.query("ASK { ?s ?p ?o }")
    assert (folder / "store.json").exists()
    end_broker(folder)
    (folder / "store.json").unlink()
    shutil.rmtree(folder / "quads")
    with EmbeddedStore(folder) as store:
        assert not store.query("ASK { ?s ?p ?o }")


@pytest.mark.parametrize(
    "url", ["sqlite:foo", "sqlite:", "memory:foo", "Memory:", "postgresql:me:secret@there/db"]
)
def test_an_unknown_kind_of_store_is_no_name_of_a_folder(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="is not a kind of store") as caught:
        open_store(url)
    assert "'memory:', file:///…" in caught.value.advice
    assert "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["c:stuff", "./sqlite:foo", "there:already", "1:2", "a b:c"])
def test_a_folder_may_have_a_colon_in_its_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there:already").mkdir()
    with open_store(name) as store:
        assert store.home == tmp_path / name
