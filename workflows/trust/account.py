"""Which account asks, as it stands with runs, yeses and marks: user, machine, program between."""

from __future__ import annotations

import functools
import getpass
import os
import platform
from dataclasses import dataclass, replace

from workflows.text.safe_text import on_one_line

LONGEST = 100
"""Characters of a name that are kept."""


@dataclass(frozen=True)
class Account:
    """Who asks: an account, never an address.

    Attributes:
        user: name of the account.
        host: name of the machine.
        client: what the program calls itself that asks for that account; empty for none.
    """

    user: str
    host: str
    client: str = ""

    @property
    def text(self) -> str:
        """The same in words."""
        through = f", through {self.client}" if self.client else ""
        return f"{self.user} on {self.host}{through}"

    def through(self, client: str) -> Account:
        """Return the account with the program that asks for it."""
        return replace(self, client=_short(client))


@functools.cache
def own_account() -> Account:
    """Return the account that this process runs as."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # of a container: a number without a name
        user = f"user {os.getuid()}"
    # some networks name accounts by their mail addresses
    return Account(_short(user.partition("@")[0]), _short(platform.node()) or "this machine")


def _short(name: str) -> str:
    return on_one_line(name).strip()[:LONGEST]
