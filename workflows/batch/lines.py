"""The lines of a file of somebody: copied, unpacked, decoded, and each short enough to be held."""

from __future__ import annotations

import gzip
import io
import os
import tempfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, BinaryIO, Protocol

from triplestore.errors import InputError, ResourceError

HEAD = 65_536
"""Bytes by which the kind of a source is found out."""

LONGEST_LINE = 1_000_000
"""Characters."""

TOO_LONG = "\0line-too-long\0"
"""Stands in the place of a longer line: no record that has it can be read."""

MOST = 50_000_000_000
"""Bytes of a source."""

UNPACKED, RATIO = 100_000_000, 100
"""Bytes to which any archive may be unpacked, and how many times its size beyond: text packs to a
tenth, what is made to fill disks to a thousandth."""

CONTROLS = bytes(one for one in range(32) if one not in b"\t\n\v\f\r\x1a\x1b")

MARKS = {
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
"""How texts begin that say their encoding."""


class Digest(Protocol):
    """What is told all that is read."""

    def update(self, block: bytes, /) -> None: ...


class _Told(io.RawIOBase):
    """A stream of which all that is read is told; what cannot be read is no fault of the copy."""

    def __init__(self, stream: BinaryIO, digest: Digest, asked: str) -> None:
        self._stream, self._digest, self._asked = stream, digest, asked
        self.size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        try:
            block = self._stream.read(len(buffer))
        except OSError as error:
            problem = f"it cannot be read: {error.strerror or error}"
            raise InputError(self._asked, problem, "check it, or copy it elsewhere") from error
        self._digest.update(block)
        self.size += len(block)
        buffer[: len(block)] = block
        return len(block)


@dataclass(frozen=True)
class Copy:
    """A file as it was when it was copied.

    Attributes:
        name: what it is called.
        file: where it stands, perhaps among others: a file without a name, which is gone with
            whoever holds it, however that ends.
        start: where it begins there.
        size: in bytes.
    """

    name: str
    file: IO[bytes]
    start: int
    size: int


class _Section(io.RawIOBase):
    """The bytes of a copy."""

    def __init__(self, copied: Copy) -> None:
        self._copied, self._at = copied, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = (0, self._at, self._copied.size)[whence]
        self._at = base + offset
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        copied = self._copied
        number = max(0, min(len(buffer), copied.size - self._at))
        block = os.pread(copied.file.fileno(), number, copied.start + self._at)
        self._at += len(block)
        buffer[: len(block)] = block
        return len(block)


def copy(stream: BinaryIO, name: str, into: IO[bytes], digest: Digest, asked: str) -> Copy:
    """Copy a stream to the end of a file, unpacked.

    Args:
        stream: what is copied; compressed by gzip or not.
        name: what it is called.
        into: the file.
        digest: is told all bytes of the stream, as they are.
        asked: what was asked, for error messages.

    Raises:
        InputError: it cannot be read, is damaged, or unpacks to much more than any text.
        ResourceError: there is no space for the copy.
    """
    told = _Told(stream, digest, asked)
    whole = io.BufferedReader(told, 1 << 20)
    packed = whole.peek(2)[:2] == b"\x1f\x8b"
    unpacked = gzip.GzipFile(fileobj=whole) if packed else whole
    start, size = into.seek(0, io.SEEK_END), 0
    try:
        while block := unpacked.read(1 << 20):
            size += len(block)
            if packed and size > max(UNPACKED, RATIO * told.size):
                found = f"it unpacks to more than {RATIO} times its size"
                raise InputError(asked, found, "unpack it yourself, if that is as it should be")
            if size > MOST:
                found = f"it has more than {MOST / 1e9:.0f} GB"
                raise InputError(asked, found, "give it in parts")
            into.write(block)
        into.flush()
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        found = f"it is compressed by gzip, and damaged ({error})"
        raise InputError(asked, found, "copy it again") from error
    except OSError as error:
        raise no_space(asked, error) from error
    return Copy(name, into, start, size)


def no_space(asked: str, error: OSError) -> ResourceError:
    """Return what is raised where a source cannot be copied."""
    problem = f"it cannot be copied into {tempfile.gettempdir()}: {error.strerror or error}"
    return ResourceError(asked, problem, "free some space there, or set TMPDIR")


@contextmanager
def text_lines(copied: Copy, asked: str) -> Generator[tuple[str, Iterator[str]]]:
    """Open a text; return its beginning and all its lines, each with its end.

    Bytes that are no UTF-8 become surrogates, but where the text says another encoding.

    Raises:
        InputError: it is no text.
    """
    file = io.BufferedReader(_Section(copied), 1 << 20)
    head = file.read(HEAD)
    file.seek(0)
    mark = next((one for one in MARKS if head.startswith(one)), b"")
    if not mark and _is_binary(head):
        raise InputError(
            asked,
            "it is binary, not text",
            "unpack it, or write it as text in UTF-8 (CSV, SMI, SDF or XYZ)",
        )
    decoded = (MARKS[mark], "replace") if mark else ("utf-8-sig", "surrogateescape")
    with io.TextIOWrapper(file, *decoded) as text:
        begun = text.read(HEAD // 4)
        text.seek(0)
        yield begun, _bounded(text)


def _is_binary(head: bytes) -> bool:
    controls = len(head) - len(head.translate(None, CONTROLS))
    return controls > max(15, len(head) // 50) or head.count(0) * 4 > len(head)


def _bounded(text: io.TextIOWrapper) -> Iterator[str]:
    while line := text.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith("\n"):
            while (more := text.readline(LONGEST_LINE)) and not more.endswith("\n"):
                pass
            line = f"{TOO_LONG}\n"
        yield line
