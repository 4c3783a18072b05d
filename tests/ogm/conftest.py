"""A folder store whose broker is gone soon after the test."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ogm import KnowledgeGraph
from triplestore import Store, open_store
from triplestore.folder import read_holder


@pytest.fixture
def folder_store(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "store"
    with open_store(str(path)) as store:
        yield store
    if holder := read_holder(path):
        with suppress(ProcessLookupError):
            os.kill(holder.pid, signal.SIGKILL)


@pytest.fixture(params=["memory", "folder"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    if request.param == "folder":
        yield request.getfixturevalue("folder_store")
    else:
        with open_store("memory:") as memory:
            yield memory


@pytest.fixture
def kg() -> Iterator[KnowledgeGraph]:
    with open_store("memory:") as memory:
        yield KnowledgeGraph(memory)
