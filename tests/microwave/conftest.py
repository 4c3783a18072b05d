"""A device whose clock is set by hand, on a store in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ogm import KnowledgeGraph
from tests.agreeing import agreeing
from triplestore import open_store
from workflows.engine import Executor
from workflows.microwave import ManualClock, Microwave


@pytest.fixture(autouse=True)
def person() -> Iterator[None]:
    """Somebody who agrees to what is asked of the device, as somebody must."""
    with agreeing():
        yield


@pytest.fixture
def executor() -> Iterator[Executor]:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        yield executor
        executor.close()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def device(executor: Executor, clock: ManualClock) -> Microwave:
    """A device in real time: 50 minutes are 50 minutes of the clock."""
    return Microwave(executor, clock=clock, speed=1)
