"""A session over a store in memory."""

from collections.abc import Iterator

import pytest

from ogm import KnowledgeGraph
from triplestore import open_store


@pytest.fixture
def kg() -> Iterator[KnowledgeGraph]:
    with open_store("memory:") as memory:
        yield KnowledgeGraph(memory)
