"""Programs of somebody else that a person lets run: each by its digest, at its place.

What runs are the very bytes that were digested, so that nothing changes in between. A file that was
edited is a stranger again. Nobody but a person who is asked gives this trust, and it counts only
where such a person asks: no model, client, page, job or list of requests has it.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shlex
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from triplestore.errors import ConsentError, InputError, TrustError
from workflows.text.safe_text import on_one_line

from .book import DIGEST, TrustBook, TrustRecord, of_site
from .caller import ConsentQuestion, SpecialFileError, absent, caller, opened

LONGEST = 1_000_000
"""Bytes of a program."""

SHOWN = 60
"""Imports that are told."""

MEANS = (
    "it runs as a program of yours then: it can do whatever your account may do, and so can what it"
    " imports"
)


@dataclass(frozen=True)
class Program:
    """A file of Python, as it was read once.

    Attributes:
        place: where it was found: its name in its folder, without links on the way there.
        content: of the file.
    """

    place: str
    content: bytes

    @property
    def digest(self) -> str:
        """Its SHA-256."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def text(self) -> str:
        """The same as text.

        Raises:
            InputError: it is none.
        """
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            asked = f"{on_one_line(self.place)} was asked for"
            raise InputError(asked, "it is no text in UTF-8", "save it as UTF-8") from error

    @property
    def imports(self) -> tuple[str, ...]:
        """The names of the modules that it imports, as far as its text says.

        Raises:
            GraficoError: it cannot be parsed.
        """
        from workflows.programs.isolated import in_subprocess_now

        return in_subprocess_now(f"{on_one_line(self.place)} was to be read", imported, self.text)

    @property
    def problem(self) -> str:
        """Why it is not run, as one clause; empty where it is trusted."""
        record = TrustBook.of_user().record(self.place)
        known = record is not None and record.digest == self.digest
        if known or self.digest in DIGEST.findall(of_site()):
            return ""
        if record is None:
            return "you have not trusted it"
        return f"it was edited since you trusted it ({record.trusted:%Y-%m-%d %H:%M} UTC)"


def imported(text: str) -> tuple[str, ...]:
    """Return the names of the modules that a text of Python imports, in order.

    Raises:
        InputError: it is no Python.
    """
    try:
        every = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        found = f"it is no Python: {on_one_line(str(error))[:100]}"
        raise InputError("a program was to be read", found, "correct it") from error
    names = dict[str, None]()
    for one in every:
        if isinstance(one, ast.Import):
            names |= dict.fromkeys(alias.name for alias in one.names)
        elif isinstance(one, ast.ImportFrom):
            names["." * one.level + (one.module or "")] = None
    return tuple(names)


def program_of(name: str | Path) -> Program:
    """Return a program as its file stands now; it is read and not run.

    Raises:
        InputError: it is no file of Python.
        NotFoundError: there is none, or it is not read for whoever asks.
    """
    asked = f"the program {on_one_line(str(name))[:200]} was asked for"
    if not str(name).lower().endswith(".py"):
        raise InputError(asked, "that is no file of Python", "give a file .py")
    try:
        with opened(name) as file:
            content = file.read(LONGEST + 1)
    except (FileNotFoundError, ValueError) as error:
        raise absent(asked) from error
    except (IsADirectoryError, SpecialFileError) as error:
        raise InputError(asked, "that is no plain file", "give a file .py") from error
    except OSError as error:
        raise InputError(asked, f"it cannot be read: {error.strerror}", "check it") from error
    if len(content) > LONGEST:
        raise InputError(asked, f"it has more than {LONGEST:,} bytes", "give its functions alone")
    path = caller().place(name)
    return Program(os.path.join(os.path.realpath(path.parent), path.name), content)


def told(program: Program) -> str:
    """Return what a person is shown who is asked to trust a program.

    Raises:
        GraficoError: it cannot be parsed.
    """
    names = [on_one_line(one)[:100] for one in program.imports]
    more = f", and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    lines = (
        on_one_line(program.place),
        f"  {len(program.content):,} bytes, imports {', '.join(names[:SHOWN]) or 'nothing'}{more}",
        f"  digest (SHA-256): {program.digest}",
        MEANS,
    )
    return "\n".join(lines)


async def trust(program: Program) -> None:
    """Note that the person who asks trusts a program, once they were asked.

    Raises:
        ConsentError: it is no person, none can be asked here, or they have not said yes.
        GraficoError: it cannot be parsed, or cannot be noted.
    """
    who, asked = caller(), f"{on_one_line(program.place)} is to be trusted"
    if not who.is_person or who.away or who.ask is None:
        found = "nobody but a person at a terminal says that, and nobody can be asked here"
        raise ConsentError(asked, found, "give the command at a terminal")
    question = ConsentQuestion(told(program), "do you trust it?", frozenset({"device"}))
    if await who.ask(question) is not True:
        raise ConsentError(asked, "the person who was asked has not said yes", "read it first")
    now = datetime.now(UTC)
    TrustBook.of_user().add(TrustRecord(place=program.place, digest=program.digest, trusted=now))


def trusted(name: str | Path, asked: str) -> Program:
    """Return a program that may run.

    Args:
        name: of its file.
        asked: what was asked, as one clause.

    Raises:
        TrustError: no person asks, or the person has not trusted it as it stands.
        GraficoError: as `program_of`.
    """
    who = caller()
    if not who.is_person or who.away:
        raise TrustError(asked, "a person alone runs a program of somebody else", "have one ask")
    program = program_of(name)
    if why := program.problem:
        shown = on_one_line(program.place)
        advice = f"read it; then, at a terminal: grafico trust {shlex.quote(shown)}"
        raise TrustError(asked, f"{shown} is not run: {why}", advice)
    return program
