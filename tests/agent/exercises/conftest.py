"""One store for all exercises, so that what was computed once is remembered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic_ai import models

from grafico import Grafico

from .talking import Talking


@pytest.fixture(scope="session")
def session() -> Iterator[Grafico]:
    with Grafico("memory:", threads_per_calculation=1) as opened:
        yield opened


@pytest.fixture
def talking(
    session: Grafico, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_requests: None
) -> Talking:
    """What conversations need; their requests go no further than this machine."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdefghijklmnopqrstuv")
    monkeypatch.setattr("grafico.agent.agent.pause", lambda error, failures: 0.01)
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    return Talking(session, tmp_path)
