"""A bench with a cup."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ogm import KnowledgeGraph
from tests.drivers.cup import Bench
from triplestore import open_store
from workflows.engine import Executor


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with open_store(str(tmp_path / "store")) as store:
        executor = Executor(KnowledgeGraph(store))
        yield Bench(tmp_path, executor)
        executor.close()
