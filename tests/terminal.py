"""A terminal, and a person at it."""

from __future__ import annotations

import os
import pty
import select
import time
from collections.abc import Mapping, Sequence
from pathlib import Path


def at_terminal(
    command: Sequence[str],
    typed: str,
    *,
    env: Mapping[str, str],
    cwd: Path,
    prompt: str = "[y/N]",
    seconds: float = 120.0,
) -> tuple[int, str]:
    """Run a command at a terminal that controls it; type a line whenever it prompts.

    Returns:
        The exit status, and what the terminal has shown.
    """
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(cwd)
        os.execvpe(command[0], list(command), dict(env))
    shown, answered, end = b"", 0, time.monotonic() + seconds
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.5)
        if not ready:
            continue
        try:
            more = os.read(terminal, 1 << 16)
        except OSError:  # as Linux says that everybody has closed it
            break
        if not more:
            break
        shown += more
        if b"\x1b[6n" in more:  # it asks where the cursor is
            os.write(terminal, b"\x1b[1;1R")
        if shown.count(prompt.encode()) > answered:
            answered = shown.count(prompt.encode())
            os.write(terminal, f"{typed}\r".encode())
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown.decode(errors="replace")
