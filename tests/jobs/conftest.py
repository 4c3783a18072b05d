"""A session whose store outlives it, as jobs need."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grafico import Grafico


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Grafico]:
    with Grafico(tmp_path / "store", threads_per_calculation=1) as one:
        yield one
