"""What tests of verbs about other verbs share: a folder of molecules and a store, and sessions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grafico import Grafico

H2 = "2\n\nH 0 0 0\nH 0 0 0.740848\n"
"""1.4 bohr."""

WATER = "3\n\nO 0 0 0\nH 0.75695 0.58588 0\nH -0.75695 0.58588 0\n"
"""0.9572 Å and 104.5°."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `h2.xyz` and `water.xyz`, and with the store of `session`."""
    folder = tmp_path_factory.mktemp("settings")
    (folder / "h2.xyz").write_text(H2)
    (folder / "water.xyz").write_text(WATER)
    return folder


@pytest.fixture(scope="module")
def session(folder: Path) -> Iterator[Grafico]:
    """A session with the store of `folder`, of one thread a calculation."""
    with Grafico(folder / "store", threads_per_calculation=1) as one:
        yield one
