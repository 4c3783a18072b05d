"""Programs that are installed beside Grafico and run as processes of their own.

They are looked for on the path, see an environment of a few harmless variables, work in a folder
of their own, and end with whoever waits for them.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from triplestore.errors import (
    ComponentError,
    CrashError,
    KilledError,
    RecipeError,
    ResourceError,
    TimeLimitError,
)
from workflows.engine import context
from workflows.text.safe_text import on_one_line

PASSED = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "XTBPATH", "XTBHOME")
"""Variables that a program sees: where things are, and nothing that could be a secret."""

STARTING = 60.0
"""Seconds in which a program must have said its version."""

LAST_LINES, LINE = 6, 160
"""Lines of what it said last, and characters of each, that stand in an error."""

CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT)


@dataclass(frozen=True)
class Output:
    """What a program left.

    Attributes:
        status: with which it ended.
        text: what it said on standard output.
        errors: what it said on standard error.
        folder: where its files are.
    """

    status: int
    text: str
    errors: str
    folder: Path

    def file(self, *names: str) -> str | None:
        """Return the text of the first of these files that is there; None if none is."""
        for name in names:
            with suppress(FileNotFoundError):
                return (self.folder / name).read_text(encoding="utf-8", errors="replace")
        return None

    @property
    def last_words(self) -> str:
        """The last lines that say something, of both outputs."""
        lines = [*_lines(self.text)[-LAST_LINES:], *_lines(self.errors)[-LAST_LINES:]]
        return " | ".join(dict.fromkeys(lines)) or "nothing"


def _lines(text: str) -> list[str]:
    """Return lines that have a letter in them, without what terminals read as commands."""
    lines = (on_one_line(line).strip()[:LINE] for line in text.splitlines())
    return [line for line in lines if re.search("[A-Za-z]", line)]


@dataclass(frozen=True)
class InstalledProgram:
    """A program that may be installed.

    Attributes:
        name: under which it stands on the path.
        title: what people call it.
        banner: a pattern whose first group is its version, in what it says with `--version`.
        advice: how it is installed.
    """

    name: str
    title: str
    banner: str
    advice: str

    def version(self) -> str | None:
        """Return its version; None where it is not on the path or does not say."""
        place = shutil.which(self.name)
        return None if place is None else _version(place, _stamp(place), self.banner)

    def required(self, asked: str) -> str:
        """Return its version.

        Args:
            asked: what was asked for, as one clause.

        Raises:
            ComponentError: it is not installed, or does not work.
        """
        if shutil.which(self.name) is None:
            raise ComponentError(asked, f"{self.title} is not on the path", self.advice)
        if (version := self.version()) is None:
            raise ComponentError(
                asked,
                f"{self.title} is on the path, but does not say its version",
                f"ask it by hand: `{self.name}`; {self.advice}",
            )
        return version

    def expected(self, asked: str, version: str) -> None:
        """Check that it is of the version for which a call was made.

        Raises:
            ComponentError: it is not installed, or has been replaced since.
        """
        if (there := self.required(asked)) != version:
            raise ComponentError(
                f"{asked} with {self.title} {version}", f"on the path is {there}", "ask again"
            )

    def run(
        self,
        options: Sequence[str],
        folder: Path,
        asked: str,
        *,
        threads: int = 1,
        seconds: float | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Output:
        """Run it to its end, whatever its status is.

        Args:
            options: its command line.
            folder: where it works; its files stay there.
            asked: what was asked for, as one clause.
            threads: how many it may use.
            seconds: on the clock that it may take; None for no limit.
            environment: variables besides the usual.

        Raises:
            ComponentError: it is not there or cannot be started.
            TimeLimitError: it took too long.
            KilledError: somebody ended it.
            CrashError: it crashed.
        """
        place = shutil.which(self.name)
        if place is None:
            raise ComponentError(asked, f"{self.title} is not on the path", self.advice)
        said, told = folder / "standard.out", folder / "standard.err"
        variables = _environment(threads, folder) | dict(environment or {})
        with open(said, "wb") as out, open(told, "wb") as err:
            try:
                child = subprocess.Popen(
                    [place, *options],
                    cwd=folder,
                    env=variables,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                )
            except OSError as error:
                raise ComponentError(
                    asked, f"{self.title} cannot be started: {error.strerror}", self.advice
                ) from error
            try:
                status = child.wait(seconds)
            except subprocess.TimeoutExpired as error:
                raise TimeLimitError(
                    asked,
                    f"{self.title} took more than {seconds:g} s",
                    "ask for less, or allow it more time",
                ) from error
            finally:
                _end(child)
        texts = [one.read_text(encoding="utf-8", errors="replace") for one in (said, told)]
        output = Output(status, texts[0], texts[1], folder)
        if status < 0:
            raise _ended_by(asked, self.title, -status, output)
        return output

    def failed(self, asked: str, output: Output, advice: str) -> RecipeError:
        """Return the error for a run that came to nothing, with its last words."""
        return RecipeError(
            asked,
            f"{self.title} ended with status {output.status}; it says: {output.last_words}",
            advice,
        )


@contextmanager
def scratch() -> Generator[Path]:
    """Lend a folder that is gone afterwards, also if the task is killed.

    Raises:
        ResourceError: there is no place for one.
    """
    try:
        place = tempfile.TemporaryDirectory(prefix="program-", dir=context().scratch)
    except OSError as error:
        raise ResourceError(
            "a program of its own was asked for",
            f"no folder can be made for it: {error.strerror}",
            "free disk space, or set TMPDIR",
        ) from error
    with place as name:
        yield Path(name)


def _environment(threads: int, folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in PASSED if name in os.environ}
    return kept | {
        "HOME": str(folder),  # settings of a person change numbers
        "TMPDIR": str(folder),
        "LC_ALL": "C",
        "OMP_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
        "OPENBLAS_NUM_THREADS": str(threads),
        "OMP_WAIT_POLICY": "passive",
        "OMP_STACKSIZE": "1G",  # with less, xtb crashes on larger molecules
    }


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a process and what it has started; nothing where it has ended."""
    if child.poll() is not None:
        return
    with suppress(psutil.NoSuchProcess):
        for one in psutil.Process(child.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                one.kill()
    child.kill()
    child.wait()


def _ended_by(asked: str, title: str, number: int, output: Output) -> CrashError | KilledError:
    name = signal.Signals(number).name if number in list(signal.Signals) else f"signal {number}"
    if number in CRASHES:
        return CrashError(
            asked,
            f"{title} crashed ({name}); it says: {output.last_words}",
            "ask for another method, or for a smaller molecule",
        )
    return KilledError(
        asked,
        f"{title} was ended by {name}",
        "ask again; where memory was short, give it more, or ask for less",
    )


def _stamp(place: str) -> tuple[int, int]:
    """Return what changes when a program is replaced."""
    found = os.stat(place)
    return found.st_mtime_ns, found.st_size


@functools.lru_cache(32)
def _version(place: str, stamp: tuple[int, int], banner: str) -> str | None:
    with tempfile.TemporaryDirectory(prefix="version-") as folder:
        try:
            said = subprocess.run(
                [place, "--version"],
                cwd=folder,
                env=_environment(1, Path(folder)),
                capture_output=True,
                timeout=STARTING,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
    text = (said.stdout + said.stderr).decode("utf-8", errors="replace")
    found = re.search(banner, text)
    return found[1] if found else None
