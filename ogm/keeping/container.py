"""The file that backups and bundles lie in: a zip with a manifest, written whole, read with care.

A zip, because its directory stands at the end: a file that was cut off is known at once, and the
manifest is read before anything else, however large the file is. Arrays lie in it as they are,
``arrays/DIGEST.npy``, so that any tool can open them; texts are compressed. More than 4 GB are
allowed (zip64).
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import zipfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from triplestore.errors import GraficoError, InputError, NotFoundError, RecordError
from triplestore.quads import disk_error
from triplestore.release import release

from .atomic_file import new_file
from .checksums import PIECE, checked_array

Tell: TypeAlias = Callable[[str], None]
"""Is told how far something is, many times a second."""

MANIFEST = "manifest.json"
_ARRAY = re.compile(r"arrays/([0-9a-f]{64})\.npy")
_TIME = (1980, 1, 1, 0, 0, 0)  # so that equal content gives equal bytes


class Member(BaseModel):
    """One text of a container: its length and checksum."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    bytes: int
    sha256: str


class Manifest(BaseModel):
    """What a container says of itself.

    Attributes:
        format: what kind of container it is.
        version: of the format.
        program: what wrote it.
        created: when, in UTC; empty where equal content gives equal bytes.
        counts: how much there is of what.
        parts: the texts in it. Arrays are checked by their names.
        roots: the objects that were asked for.
        missing: digests of arrays that were missing or damaged already when it was written.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    format: str
    version: int
    program: str
    created: str = ""
    counts: dict[str, int] = {}
    parts: dict[str, Member] = {}
    roots: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def program() -> str:
    """Return name and version of this program."""
    return f"grafico {release()}"


def quiet(text: str) -> None:
    """Tell nobody."""


# --- writing -------------------------------------------------------------------------------


class Writer:
    """Writes the parts of a container into a file; `close` completes it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self.parts: dict[str, Member] = {}

    @contextmanager
    def part(self, name: str) -> Generator[Callable[[bytes], object]]:
        """Begin a text; gives a function that adds to it."""
        info = zipfile.ZipInfo(name, _TIME)
        info.compress_type = zipfile.ZIP_DEFLATED
        info._compresslevel = 3  # pyright: ignore[reportAttributeAccessIssue]  # public from 3.13 on
        checksum, size = hashlib.sha256(), 0
        with self._zip.open(info, "w", force_zip64=True) as file:

            def add(text: bytes) -> None:
                nonlocal size
                checksum.update(text)
                size += len(text)
                file.write(text)

            yield add
        self.parts[name] = Member(bytes=size, sha256=checksum.hexdigest())

    def text(self, name: str, content: bytes) -> None:
        """Add a small text."""
        with self.part(name) as add:
            add(content)

    def array(self, name: str, source: IO[bytes], size: int) -> None:
        """Add the file of an array as it is."""
        info = zipfile.ZipInfo(f"arrays/{name}.npy", _TIME)
        info.file_size = size  # tells whether zip64 is needed
        with self._zip.open(info, "w") as file:
            while piece := source.read(PIECE):
                file.write(piece)

    def close(self, manifest: Manifest) -> None:
        """Add the manifest and the directory."""
        self._zip.writestr(
            zipfile.ZipInfo(MANIFEST, _TIME),
            manifest.model_dump_json(indent=1, exclude_defaults=True),
            zipfile.ZIP_DEFLATED,
        )
        self._zip.close()

    def drop(self) -> None:
        """Let go of a container that will not be completed."""
        with suppress(Exception):
            self._zip.close()


@contextmanager
def writing(path: Path, *, overwrite: bool, private: bool) -> Generator[Writer]:
    """Write a container: a file that appears whole or not at all; see `new_file`."""
    with new_file(path, overwrite=overwrite, private=private) as file:
        writer = Writer(file)
        try:
            yield writer
        finally:
            writer.drop()  # does nothing after `close`


# --- reading -------------------------------------------------------------------------------


@dataclass(frozen=True)
class ContainerLimits:
    """How much a container may hold.

    Attributes:
        total: bytes of everything, unpacked.
        text: bytes of one text, unpacked.
        directory: bytes of the list of its parts, about 130 an array.
        ratio: how many times a text of more than 16 MB may be larger than its compressed form.
    """

    total: int = 1 << 62
    text: int = 1 << 62
    directory: int = 1 << 30
    ratio: int = 1 << 62


class ContainerReader:
    """Reads a container that may be damaged or made to do harm.

    Nothing is ever unpacked by the names in it: they are matched against the ones that there can
    be, and each part is read as a stream of the length that its entry states at most.

    Args:
        path: the file.
        kind: the format of the manifest.
        version: the newest version of the format that is known.
        texts: the names of the texts that may be in it.
        limits: how much it may hold.

    Raises:
        NotFoundError: there is no such file.
        InputError: it is something else, cut off, damaged, too new or too large.
    """

    def __init__(
        self, path: Path, kind: str, version: int, texts: tuple[str, ...], limits: ContainerLimits
    ) -> None:
        self.path, self._limits = path, limits
        self._asked = f"cannot read the {kind.removeprefix('grafico-')} {path}"
        if not path.is_file():
            there = "that is no ordinary file" if os.path.lexists(path) else "there is no such file"
            raise NotFoundError(self._asked, there, "check the path")
        with self._reading():
            self._file = _Careful(path, limits.directory)
        try:
            self._open(kind, version, texts)
        except BaseException:
            self._file.close()
            raise

    def _open(self, kind: str, version: int, texts: tuple[str, ...]) -> None:
        with self._reading():
            try:
                self._zip = zipfile.ZipFile(self._file)
            except zipfile.BadZipFile as error:
                self._file.seek(0)
                begun = self._file.read(4) == b"PK\3\4"
                what = "it is cut off or damaged" if begun else "it is something else"
                problem = f"{what} ({error})"
                raise InputError(self._asked, problem, "get the file again") from None
        self.manifest = self._manifest(kind, version)
        self._check_entries({MANIFEST, *texts})
        lacking = {*texts} & {*self.manifest.parts} - {*self._zip.namelist()}
        unsaid = {*self._zip.namelist()} & {*texts} - {*self.manifest.parts}
        for name in sorted(lacking | unsaid | ({*self.manifest.parts} - {*texts})):
            raise self._wrong(f"its list and its parts disagree about {name[:80]!r}")

    def _check_entries(self, texts: set[str]) -> None:
        self.arrays: dict[str, zipfile.ZipInfo] = {}
        seen: set[str] = set()
        total = 0
        for entry in self._zip.infolist():
            name = entry.filename
            array = _ARRAY.fullmatch(name)
            if entry.orig_filename != name or (array is None and name not in texts):
                raise self._wrong(
                    f"it holds {entry.orig_filename[:80]!r}, which does not belong there"
                )
            if name in seen:
                raise self._wrong(f"it holds {name!r} twice")
            seen.add(name)
            stored, deflated = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
            if entry.flag_bits & 1 or entry.compress_type not in (stored, deflated):
                raise self._wrong(f"{name!r} is encrypted, or compressed in another way")
            total += entry.file_size
            if total > self._limits.total or (
                array is None and entry.file_size > self._limits.text
            ):
                raise self._wrong(
                    f"unpacked it would take more than {self._limits.total:,} bytes "
                    f"(a text: {self._limits.text:,})"
                )
            swollen = entry.file_size > self._limits.ratio * max(1, entry.compress_size)
            if swollen and entry.file_size > 16 << 20:
                raise self._wrong(
                    f"{name!r} is {entry.compress_size:,} bytes that unpack to {entry.file_size:,}"
                )
            if array is not None:
                self.arrays[array[1]] = entry

    def _manifest(self, kind: str, version: int) -> Manifest:
        if MANIFEST not in self._zip.namelist():
            raise InputError(self._asked, f"it has no {MANIFEST}", "was it written by Grafico?")
        if self._zip.getinfo(MANIFEST).file_size > 64 << 20:
            raise self._wrong(f"its {MANIFEST} is too large")
        try:
            # First what it is, then whether all is well: a newer version may say more.
            with self._reading():
                text = self._zip.read(MANIFEST)
            head = _Head.model_validate_json(text)
            if head.format != kind:
                other = {"grafico-backup": "restore", "grafico-bundle": "import"}.get(head.format)
                raise InputError(
                    self._asked,
                    f"it is a {head.format[:80]}",
                    f"use `grafico {other}`" if other else "",
                )
            if not 1 <= head.version <= version:
                raise InputError(
                    self._asked,
                    f"it has version {head.version} of its format, and "
                    f"this program knows versions up to {version}",
                    "update Grafico",
                )
            return Manifest.model_validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise self._wrong(f"its {MANIFEST} cannot be read: {first['msg'][:200]}") from None

    def check(self, tell: Tell = quiet) -> None:
        """Read everything once and compare it with its checksums.

        Raises:
            InputError: something is missing, damaged or altered.
        """
        for name, said in self.manifest.parts.items():
            checksum, size = hashlib.sha256(), 0
            for piece in self.pieces(name):
                checksum.update(piece)
                size += len(piece)
                tell(f"checking {name}: {size >> 20} MB")
            if (checksum.hexdigest(), size) != (said.sha256, said.bytes):
                raise self._wrong(f"the checksum of {name} differs")
        for number, name in enumerate(self.arrays, 1):
            tell(f"checking array {number} of {len(self.arrays)}")
            self.array_head(name)

    def array_head(self, name: str) -> str:
        """Check an array against its name; return its type and shape as a literal says them."""
        entry = self.arrays[name]
        with self._reading(), self._zip.open(entry) as file:
            try:
                return checked_array(file, entry.file_size, name)
            except RecordError as error:
                raise self._wrong(f"array {name}: {error.found}") from None

    def pieces(self, name: str) -> Iterator[bytes]:
        """Iterate over the content of a part."""
        with self._reading(), self._zip.open(name) as file:
            while piece := file.read(PIECE):
                yield piece

    @contextmanager
    def array(self, name: str) -> Generator[IO[bytes]]:
        """Open the file of an array."""
        with self._reading(), self._zip.open(self.arrays[name]) as file:
            yield file

    @contextmanager
    def _reading(self) -> Generator[None]:
        """Put what zipfile and zlib raise on damaged files into our tree."""
        try:
            yield
        except (GraficoError, GeneratorExit):
            raise
        except OSError as error:
            if error.errno == errno.EINVAL:  # a place before the beginning
                raise self._wrong(f"its directory is damaged: {error}") from error
            raise disk_error(self._asked, error) from error
        except Exception as error:  # nearly anything, depending on where the damage is
            raise self._wrong(f"{type(error).__name__}: {error}") from error

    def _wrong(self, found: str) -> InputError:
        return InputError(self._asked, found, "nothing was taken from it; get the file again")

    def close(self) -> None:
        """Close the file."""
        self._zip.close()
        self._file.close()

    def __enter__(self) -> ContainerReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Head(BaseModel):
    format: str
    version: int


class _Careful(io.FileIO):
    """A file of which nobody reads more at once than the directory may be long.

    `zipfile` reads the directory in one go, as many bytes as the file itself says.
    """

    def __init__(self, path: Path, limit: int) -> None:
        super().__init__(path, "rb")
        self._limit = limit

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = self._limit + 1 if size is None or size < 0 else size
        content = bytearray()
        while wanted <= self._limit + 1 and len(content) < wanted:
            piece = super().read(wanted - len(content))
            if not piece:
                break
            content += piece
        if wanted > self._limit + 1 or len(content) > self._limit:
            raise zipfile.BadZipFile("a directory that is too long")
        return bytes(content)
