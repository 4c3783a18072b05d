"""An executor over a store in memory."""

from collections.abc import Iterator

import pytest

from ogm import KnowledgeGraph
from triplestore import open_store
from workflows.engine import Executor


@pytest.fixture
def executor() -> Iterator[Executor]:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store), threads_per_calculation=1)
        yield executor
        executor.close()
