"""What the tests of the stores have besides the four kinds of `tests/stores.py`."""

from collections.abc import Iterator

import pytest

from tests.stores import IN_BLAZEGRAPH
from triplestore import InputError, Store
from triplestore.memory import MemoryStore
from triplestore.remote.store import RemoteStore

# Where a store differs from the others, and why; docs/stores.md has the same list in full.
DIFFERENCES = {
    ("test_a_term_that_the_store_writes_in_another_way_is_no_conflict", "blazegraph-nonsense"): (
        "Blazegraph is given no literal that contradicts its datatype: it makes numbers of some"
    ),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for (test, case), reason in DIFFERENCES.items():
            if item.name.startswith(f"{test}[{case}"):
                item.add_marker(pytest.mark.xfail(reason=reason, raises=InputError))


@pytest.fixture(params=["memory", "embedded"])
def local(request: pytest.FixtureRequest) -> Iterator[Store]:
    """Stores without a server: they keep the labels of blank nodes."""
    if request.param == "memory":
        with MemoryStore() as memory:
            yield memory
    else:
        yield request.getfixturevalue(request.param)


@pytest.fixture(params=["oxigraph", IN_BLAZEGRAPH])
def remote(request: pytest.FixtureRequest) -> RemoteStore:
    return request.getfixturevalue(request.param)
