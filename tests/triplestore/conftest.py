"""Stores for the tests: memory, and a folder whose broker is gone soon after the test."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from triplestore import Store
from triplestore.embedded import EmbeddedStore
from triplestore.folder import read_holder
from triplestore.memory import MemoryStore


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of an embedded store; whoever still serves it afterwards is ended."""
    path = tmp_path / "store"
    yield path
    if holder := read_holder(path):
        with suppress(ProcessLookupError):
            os.kill(holder.pid, signal.SIGKILL)


@pytest.fixture
def embedded(folder: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(folder) as store:
        yield store


@pytest.fixture(params=["memory", "embedded"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    if request.param == "embedded":
        yield request.getfixturevalue("embedded")
    else:
        with MemoryStore() as memory:
            yield memory
