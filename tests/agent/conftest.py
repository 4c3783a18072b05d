"""One session for all tests of the agent, and no request that leaves this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic_ai import models

from grafico import Grafico
from grafico.agent import ToolContext


@pytest.fixture(autouse=True)
def no_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", False)


@pytest.fixture(scope="session")
def session() -> Iterator[Grafico]:
    with Grafico("memory:", threads_per_calculation=1) as opened:
        yield opened


@pytest.fixture
def context(session: Grafico, tmp_path: Path) -> Iterator[ToolContext]:
    made = ToolContext(session, tmp_path / "context")
    yield made
    made.close()
