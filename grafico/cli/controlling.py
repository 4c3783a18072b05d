"""The terminal that controls this process, where a person is asked who can be nobody else.

Standard input may be anything; what is read here was typed at a terminal.
"""

from __future__ import annotations

import os

from triplestore.errors import ConsentError
from workflows.text.safe_text import printable

TERMINAL = "/dev/tty"


def has_terminal() -> bool:
    """Tell whether a terminal controls this process."""
    try:
        handle = os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    os.close(handle)
    return True


def agreed_at_terminal(text: str, question: str, asked: str) -> bool:
    """Show a text at the terminal that controls this process, and return whether yes is typed.

    Args:
        text: all that a person is to see.
        question: what is asked.
        asked: what was asked of the program, for errors.

    Raises:
        ConsentError: no terminal controls this process.
    """
    try:
        terminal = open(TERMINAL, "r+b", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise ConsentError(
            asked,
            "nobody is asked without a terminal, and no option says yes",
            "give the command yourself, at a terminal",
        ) from error
    with terminal:
        terminal.write(f"{printable(text)}\n{printable(question)} [y/N]: ".encode())
        line = bytearray()
        while (letter := terminal.read(1)) and letter != b"\n":
            line += letter
    return line.strip().lower() in (b"y", b"yes")
