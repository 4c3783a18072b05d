"""A temporary folder for stores, whose brokers end with it."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from triplestore.broker.folder import read_holder


@contextmanager
def workplace() -> Generator[Path]:
    """Yield a folder that is removed afterwards, with the processes that hold stores in it."""
    with tempfile.TemporaryDirectory(prefix="grafico-bench-", ignore_cleanup_errors=True) as folder:
        try:
            yield Path(folder)
        finally:
            for lock in Path(folder).glob("*/broker.lock"):
                holder = read_holder(lock.parent)
                if holder is not None:
                    with suppress(ProcessLookupError):
                        os.kill(holder.pid, signal.SIGKILL)
