"""Outputs as plain values: read, split into jobs, parsed by cclib, and checked against their text.

All of it happens in a process of its own: the files are somebody else's, and so is the parser.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from importlib.metadata import version

from ontologies.outputs import NOT_SAID
from triplestore.errors import GraficoError, InputError
from workflows.trust.caller import SpecialFileError, absent, opened

from .parsing import parsed
from .programs import HEAD, PROGRAMS, OutputProgram, goes_with, jobs, recognised
from .scans import joined
from .values import Beside, Output, OutputJob

VERSION = f"cclib {version('cclib')}"

LARGEST = 512 << 20
"""Bytes of a file that is read."""

UTF_16 = (b"\xff\xfe", b"\xfe\xff")

GOOD_HEAD = 4096
"""Bytes that are looked at for what is no text."""


def sniffed(place: str) -> Output:
    """Return whether a file is an output, and its digest; nothing of it is parsed."""
    found = Output(place)
    try:
        _read(found)
    except GraficoError as error:
        found.problem = error.found or error.asked
    return found


def outputs(places: list[str]) -> list[Output]:
    """Return what files say; what is wrong with one is told of that one."""
    return [_parsed(one) for one in places]


def _parsed(place: str) -> Output:
    begun = time.monotonic()
    found = Output(place)
    try:
        program, data = _read(found, keep=True)
        text, found.encoding = _decoded(data)
        text = text.replace("\r\n", "\n")
        found.lines = text.count("\n") + (not text.endswith("\n"))
        found.reader, found.jobs = VERSION, _jobs(text, program, _beside(place, text, program))
    except GraficoError as error:
        found.problem = error.found or error.asked
    except MemoryError:
        raise
    except Exception as error:  # a parser that somebody else's file has led astray
        found.problem = f"its parser failed: {type(error).__name__}: {error}"[:300]
    found.seconds = time.monotonic() - begun
    return found


def _read(found: Output, *, keep: bool = False) -> tuple[OutputProgram, bytes]:
    """Read a file and note its digest and size.

    Args:
        found: what is noted of it.
        keep: whether what stands in it is returned.

    Raises:
        InputError: it cannot be read, or is no output.
    """
    asked = f"{found.place} was to be imported"
    pieces: list[bytes] = []
    try:
        with opened(found.place) as stream:
            piece = stream.read(HEAD)
            if not piece:
                found.known = False
                raise InputError(asked, "it is empty")
            program = _program(found, piece, asked)
            digest = hashlib.sha256()
            while piece:
                digest.update(piece)
                found.bytes += len(piece)
                if found.bytes > LARGEST:
                    raise InputError(asked, f"it has more than {LARGEST >> 20} MB")
                if keep:
                    pieces.append(piece)
                piece = stream.read(HEAD)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise absent(asked) from error
    except SpecialFileError as error:
        found.known = False
        raise InputError(asked, "it is no file but a device, a pipe or a socket") from error
    except OSError as error:
        raise InputError(asked, f"it cannot be read: {error.strerror or error}") from error
    found.digest = digest.hexdigest()
    return program, b"".join(pieces)


def _program(found: Output, head: bytes, asked: str) -> OutputProgram:
    """Return the program whose banner stands at the beginning of a file.

    Raises:
        InputError: there is none.
    """
    if b"\0" in head[:GOOD_HEAD] and not head.startswith(UTF_16):
        found.known = False
        raise InputError(asked, "it is binary, not the text that a program prints")
    text = _decoded(head)[0]
    program = recognised(text)
    if program is None:
        found.known = False
        if words := goes_with(text):
            raise InputError(asked, words)
        names = ", ".join(one.name for one in PROGRAMS)
        raise InputError(asked, f"it is no output of {names}: no banner of these stands in it")
    return program


def _decoded(data: bytes) -> tuple[str, str]:
    """Return a text and how it was read: what is no UTF-8 is read as Latin-1."""
    if data.startswith(UTF_16):
        return data.decode("utf-16", "replace"), "UTF-16"
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "Latin-1"


def _beside(place: str, text: str, program: OutputProgram) -> Beside | None:
    """Return the file that an output names, if it lies beside it and can be read."""
    met = program.beside.search(text) if program.beside is not None else None
    if met is None:
        return None
    with suppress(OSError, ValueError):
        with opened(os.path.join(os.path.dirname(place), met[1])) as stream:
            data = stream.read(LARGEST + 1)
        if len(data) <= LARGEST:
            digest = hashlib.sha256(data).hexdigest()
            return Beside(met[1], _decoded(data)[0].replace("\r\n", "\n"), digest, len(data))
    return None


def _jobs(text: str, program: OutputProgram, beside: Beside | None) -> list[OutputJob]:
    """Return what each job of a text says."""
    starts = jobs(text, program)
    ends = [*starts[1:], len(text)]
    found: list[OutputJob] = []
    for start, end in zip(starts, ends, strict=True):
        found += parsed(text, start, end, program, beside)
    found = joined(found)
    for number, job in enumerate(found, 1):
        job.number = number
        if job.level["program_version"] == NOT_SAID:  # the first alone has the banner
            job.level["program_version"] = found[0].level["program_version"]
    return found
