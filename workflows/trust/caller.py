"""Who asks: which files are read for them, and who answers where a person has to agree.

A door says once for whom it works (`asked_by`). All that reads a file which a request names opens
it here, so that no workflow has to know who asked, and none can forget to look.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, TypeAlias

from triplestore.errors import NotFoundError

from .account import Account, own_account
from .writer import Questions, Writer

SHOWN = 20
"""Files that are named to somebody who asked for one that is not there."""

LONGEST = 40
"""Characters of a text of a file that are shown."""


@dataclass(frozen=True)
class ConsentQuestion:
    """What a person is asked to agree to.

    Attributes:
        what: is to be done, whole: it may have many lines.
        why: somebody has to agree, as one clause.
        effects: on the world, see `Node.effects`.
    """

    what: str
    why: str
    effects: frozenset[str]


Asks: TypeAlias = Callable[[ConsentQuestion], Awaitable[bool | None]]
"""Asks a person; None for no answer."""


class SpecialFileError(OSError):
    """What was to be read is a device, a pipe or a socket."""


@dataclass(frozen=True)
class Caller:
    """Who asks.

    Attributes:
        is_person: may read all that this user may.
        folder: the one whose files are read for anybody else, and which names start from; what is
            hidden in it is not read. None for none at all.
        ask: puts a question to a person; None where nobody can be asked.
        door: where that is done, as it is recorded.
        away: whether this is not where yeses are kept: nothing is done to the world here, whoever
            has agreed.
        account: as it is recorded with what was asked; None for that of this process.
        question: asks a person for what a request leaves open; None where nobody can be asked.
        writer: returns who makes typed requests of words; None where nobody does.
    """

    is_person: bool = False
    folder: Path | None = None
    ask: Asks | None = None
    door: str = "a program"
    away: bool = False
    account: Account | None = field(default=None, compare=False)
    question: Questions | None = field(default=None, compare=False)
    writer: Callable[[], Writer | None] | None = field(default=None, compare=False)

    @property
    def asker(self) -> Account:
        """Which account asks."""
        return self.account or own_account()

    @property
    def text(self) -> str:
        """The same as text, for another process, where nobody can be asked."""
        folder = None if self.folder is None else os.fspath(self.folder)
        return json.dumps([self.is_person, folder, *astuple(self.asker)])

    @classmethod
    def of_text(cls, text: str) -> Caller:
        """Return a caller from `text`."""
        is_person, folder, *account = json.loads(text)
        place = None if folder is None else Path(folder)
        return cls(bool(is_person), place, away=True, account=Account(*account))

    def place(self, name: str | Path) -> Path:
        """Return where a file or a folder of that name is, links followed for all but a person.

        Raises:
            FileNotFoundError: it is out of reach, which nobody can tell from one that is not there.
            OSError: it cannot be looked for.
            ValueError: that names no file.
        """
        if self.is_person:
            return Path(os.path.expanduser(name))
        if self.folder is None:
            raise FileNotFoundError(name)
        home = os.path.realpath(self.folder)
        found = Path(os.path.realpath(os.path.join(home, name)))
        if not found.is_relative_to(home):
            raise FileNotFoundError(name)
        if any(part.startswith(".") for part in found.relative_to(home).parts):
            raise FileNotFoundError(name)
        return found

    @property
    def there(self) -> list[str]:
        """The names of the files in the folder."""
        if self.folder is None:
            return []
        try:
            with os.scandir(self.folder) as found:
                names = [
                    one.name
                    for one in found
                    if not one.name.startswith(".") and one.is_file(follow_symlinks=False)
                ]
        except OSError:
            return []
        return sorted(names)


PERSON = Caller(is_person=True)
NOBODY = Caller()
"""For whom no file is read, such as what stands in somebody else's table."""

_caller: ContextVar[Caller] = ContextVar("grafico_caller", default=PERSON)


def caller() -> Caller:
    """Return who asks here: a person, if no door has said otherwise."""
    return _caller.get()


@contextmanager
def asked_by(one: Caller) -> Generator[None]:
    """Work for somebody, with all tasks and threads that are started meanwhile."""
    token = _caller.set(one)
    try:
        yield
    finally:
        _caller.reset(token)


def without_files() -> Caller:
    """Return the same caller, for whom no file is read."""
    return replace(caller(), is_person=False, folder=None)


# --- files ---------------------------------------------------------------------------------------


def located(name: str | Path) -> Path | None:
    """Return where a file or a folder is that a request names.

    None where there is none, or it is none that is read for whoever asks: which of both, nobody is
    told.
    """
    try:
        path = caller().place(name)
        path.stat()
    except (OSError, ValueError):
        return None
    return path


def opened(name: str | Path, *, pipes: bool = False) -> BinaryIO:
    """Open a file that a request names.

    Args:
        name: as it was given, or where `located` has found it.
        pipes: whether a person may name a pipe.

    Raises:
        FileNotFoundError: there is none, or it is out of reach.
        IsADirectoryError: it is a folder.
        SpecialFileError: it is a device, a pipe or a socket.
        OSError: it cannot be read.
        ValueError: that names no file.
    """
    asked = caller()
    path, pipes = asked.place(name), pipes and asked.is_person
    _check_kind(path, os.stat(path), pipes=pipes)
    waits = 0 if pipes else os.O_NONBLOCK
    held = os.open(path, os.O_RDONLY | os.O_CLOEXEC | waits)
    try:
        status = os.fstat(held)
        _check_kind(path, status, pipes=pipes)
        if not asked.is_person:
            now = asked.place(name)  # somebody may have put a link in its place
            if not os.path.samestat(os.lstat(now), status):
                raise FileNotFoundError(name)
        return os.fdopen(held, "rb")
    except BaseException:
        os.close(held)
        raise


def _check_kind(path: Path, status: os.stat_result, *, pipes: bool) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(path)
    if not stat.S_ISREG(status.st_mode) and not (pipes and stat.S_ISFIFO(status.st_mode)):
        raise SpecialFileError(path)


def absent(asked: str, advice: str = "check its name, or give another file") -> NotFoundError:
    """Return what is raised where there is no such file for whoever asks.

    Args:
        asked: what was asked, as one clause.
        advice: for a person.
    """
    if caller().is_person:
        return NotFoundError(asked, "there is no such file, or its folder cannot be read", advice)
    if caller().folder is None:
        found = "it would be a file, and none is read for what stands in a list or a job"
        return NotFoundError(asked, found, "name what is meant there, or give its IRI")
    names = caller().there
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return NotFoundError(
        asked,
        "there is no such file in the folder of this conversation or job, the only one that is "
        f"read; there are: {', '.join(names[:SHOWN]) or 'none'}{more}",
        "give the name of one of them, or name what is meant, or give its IRI",
    )


def quoted(text: str, otherwise: str = "something else", longest: int = LONGEST) -> str:
    """Return the beginning of what stands in a file, in quotes; to nobody but a person.

    What cannot be read as it should may be something else: a key, a letter. Others are told where
    it stands, and that is all.

    Args:
        text: what stands there.
        otherwise: what others are told in its place.
        longest: letters that are told.
    """
    if not caller().is_person:
        return otherwise
    return repr(text if len(text) <= longest else text[: longest - 3] + "…")
