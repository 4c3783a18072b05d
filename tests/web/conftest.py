"""One server for a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .served import Served, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("page")
    with served(folder / "store", folder / "here") as one:
        yield one
