"""The text of a file, or why there is none."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from pathlib import Path
from typing import NoReturn

from triplestore.errors import InputError, ResourceError
from workflows.trust.caller import SpecialFileError, absent, opened

LARGEST = 50_000_000
"""Bytes, of a compressed file unpacked. A larger one is a long trajectory or a mistake."""

GZIP = b"\x1f\x8b"
"""How compressed files begin."""

MOST_ATOMS = 100_000
"""In a file. More are no molecule that anything here computes."""

UNKNOWN, MOST_UNKNOWN = "\ufffd", 0.1
"""Stands for a byte that is no UTF-8, such as one of Latin-1; their share in what is text."""

SUPPORTED = (
    "XYZ, extended XYZ, MOL, SDF, CIF, PDB, mol2, cube, fchk, Molden and coord files, inputs of "
    "Gaussian and ORCA, and outputs can be read, also as .gz"
)

ANOTHER = "check its name, or give another file"
CHECK = "mend it there, or give another file"


def refuse(path: Path, found: str, advice: str = CHECK) -> NoReturn:
    """Say what is wrong with a file."""
    raise InputError(f"cannot read {path}", found, advice)


def read_text(path: Path) -> str:
    """Return the text of a file that a request names, unpacked if it is compressed by gzip.

    A few bytes that are no UTF-8 are replaced: where they stand in a comment, it is read with a
    sign in their place; where they stand in a number or an element, that is none.

    Raises:
        NotFoundError: there is no such file.
        InputError: it is no text.
        ResourceError: it could not be read.
    """
    try:
        with opened(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > LARGEST:
                told = f"{size / 1e6:.0f} MB, more than the {LARGEST / 1e6:.0f} MB allowed"
                refuse(path, f"it has {told}", "give a file with one structure")
            content = stream.read(LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise absent(f"cannot read {path}") from error
    except IsADirectoryError:
        refuse(path, "it is a folder", "give one of its files")
    except SpecialFileError:
        refuse(path, "it is no regular file")
    except PermissionError as error:
        advice = "change its permissions or those of its folder"
        raise InputError(f"cannot read {path}", "you may not read it", advice) from error
    except ValueError as error:  # a NUL in the name
        raise InputError(f"cannot read {str(path)!r}", "that names no file", ANOTHER) from error
    except OSError as error:
        problem = error.strerror or str(error)
        raise ResourceError(f"cannot read {path}", problem, "copy it to another place") from error
    if content.startswith(GZIP):
        content = _unpacked(path, content)
    if b"\0" in content:
        refuse(path, "it is binary, not text", SUPPORTED)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = content.decode("utf-8-sig", "replace")
        if text.count(UNKNOWN) > MOST_UNKNOWN * len(text):
            line = content[: error.start].count(b"\n") + 1
            problem = f"line {line}: the byte 0x{content[error.start]:02x} is no text in UTF-8"
            refuse(path, problem, f"save it as UTF-8; {SUPPORTED}")
    if not text.strip():
        refuse(path, "it is empty")
    return text


def _unpacked(path: Path, content: bytes) -> bytes:
    """Return what was compressed; never more than is allowed is held in memory."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
            unpacked = packed.read(LARGEST + 1)
    except (EOFError, OSError, zlib.error) as error:
        refuse(path, f"it is compressed by gzip, and damaged ({error})", "copy it again")
    if len(unpacked) > LARGEST:
        allowed = f"{LARGEST / 1e6:.0f} MB allowed"
        refuse(path, f"unpacked it has more than the {allowed}", "give a file with one structure")
    return unpacked
