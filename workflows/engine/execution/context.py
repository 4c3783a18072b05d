"""What surrounds a calculation while it runs: progress, threads, memory."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Context:
    """The surroundings of one calculation; those of a plain Python call are empty.

    Attributes:
        folder: the task folder, None outside of one.
        threads: how many threads the calculation may use.
        memory: how much memory it may plan with, in MB.
        memo: folder of what may be remembered between calculations, see `memo.Memo`; None if
            nothing may be.
        device: `cpu`, or the UUID of the graphics card that it may compute on.
        scratch: folder of what is gone with the task, even if it is killed; None for the usual one.
    """

    folder: Path | None = None
    threads: int = 1
    memory: int = 4000
    memo: Path | None = None
    device: str = "cpu"
    scratch: Path | None = None
    _card: set[str] | None = None
    _started: float = field(default_factory=time.monotonic)

    @property
    def checkpoint(self) -> Path | None:
        """A file that outlives a calculation which is cut off, and is there when it is done again.

        Write it with `memo.save`, which never leaves half a file.
        """
        return None if self.folder is None else self.folder / "checkpoint"

    @property
    def card(self) -> frozenset[str] | None:
        """The packages that computed on the graphics card; None if nothing did."""
        return None if self._card is None else frozenset(self._card)

    def computed_on_card(self, packages: Iterable[str]) -> None:
        """Take note that a graphics card computes, so that the record says so.

        Args:
            packages: distributions whose versions belong in the record.
        """
        self._card = (self._card or set()) | set(packages)

    def report(self, stage: str, **values: Any) -> None:
        """Tell how far the calculation is; each call is a line of the task's `frames.jsonl`."""
        if self.folder is None:
            return
        frame = {"stage": stage, "elapsed": round(time.monotonic() - self._started, 3), **values}
        with open(self.folder / "frames.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(frame) + "\n")


_current: ContextVar[Context] = ContextVar("grafico_context")


def context() -> Context:
    """Return the surroundings of the calculation that is running."""
    return _current.get(Context())


@contextmanager
def inside(surroundings: Context) -> Generator[None]:
    """Run a calculation in these surroundings."""
    token = _current.set(surroundings)
    try:
        yield
    finally:
        _current.reset(token)
