"""Ending a server: in good order, or by force if that takes too long."""

from __future__ import annotations

import faulthandler
import tempfile

PATIENCE = 30.0
"""Seconds to end in. What was finished is stored by then; what was not is begun again."""


def end_at_last() -> None:
    """Have this process end after a time, whatever its threads are at.

    Python waits for its threads, and one that is inside a library may not end for hours. What is
    timed here needs no thread of Python.
    """
    unread = tempfile.TemporaryFile()  # noqa: SIM115 - until the end
    faulthandler.dump_traceback_later(PATIENCE, exit=True, file=unread)
