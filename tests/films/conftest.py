"""A store in a folder, and a station that stands for a real one: it moves nothing, and says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ogm import KnowledgeGraph
from triplestore import open_store
from workflows.engine import Executor
from workflows.engine.devices.driven import SimulatedDevice
from workflows.films.commands import CARD


@pytest.fixture
def executor(tmp_path: Path) -> Iterator[Executor]:
    with open_store(str(tmp_path / "store")) as store:
        executor = Executor(KnowledgeGraph(store))
        yield executor
        executor.close()


class LabStation(SimulatedDevice):
    """A real one as far as anybody is told; it fails, or is cut off, where it is to."""

    simulated = False

    def __init__(self, name: str = "film station") -> None:
        super().__init__(CARD, name=name)
        self.done = list[str]()
        self.fails_at = ""

    def begin(self, at: Any) -> None:
        if not self.done:
            self.at = at

    async def do(self, command: Any, /) -> dict[str, Any]:
        if self.at.ready and command.command == "init_components":
            self.at = self.at.but(ready=False)  # a new program begins
        if command.command == self.fails_at:
            raise OSError("the line is dead")
        reading = await super().do(command)
        self.done.append(command.command)
        return dict(reading)
