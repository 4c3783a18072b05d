"""Bloom filters of catalogues: whether a molecule is probably in one; some that are not seem so.

A filter holds no molecules, only bits that each of them has set, so that one can never be told from
a filter to be missing by mistake, while some are told to be there that are not. How many is counted
from the bits themselves, whoever has made the filter: the share that is set, to the power of the
number of bits that are looked at.

Source: J. Medina, A. D. White, J. Cheminform. 15, 95 (2023), doi:10.1186/s13321-023-00765-1.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportMissingImports=false

from __future__ import annotations

import hashlib
import struct
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from triplestore.errors import InputError
from workflows.trust.caller import SpecialFileError, absent, opened

from .extra import folder_of, with_version

HEAD = struct.Struct("<5sBIQ")
"""How a file begins: what it is, its version, bits a molecule, bits in all."""

MAGIC, VERSION = b"BLOOM", 2
MOST_HASHES = 64
LARGEST = 8 << 30
"""Bytes of a filter."""

CHUNK = 1 << 24
OURS = "data/zinc-instock-mini.bloom"
CATALOGUE = "ZINC20, in stock, October 2021, 9,227,726 molecules"


@dataclass(frozen=True)
class Filtered:
    """What a filter says of a molecule.

    Attributes:
        is_there: whether all its bits are set: it is probably in the catalogue.
        catalogue: what was filtered, and by whom.
        digest: SHA-256 of the filter.
        mistaken: share of the molecules that are not in the catalogue and seem to be.
    """

    is_there: bool
    catalogue: str
    digest: str
    mistaken: float

    @property
    def source(self) -> str:
        """In words, with the beginning of the digest."""
        slips = f"{100 * self.mistaken:.2g} % of others seem to be in it"
        return f"{self.catalogue}; SHA-256 {self.digest[:12]}; {slips}"


def of_package(smiles: str) -> Filtered:
    """Ask the filter that the package molbloom brings; called in a process of its own.

    Raises:
        ComponentError: the package is not installed.
        InputError: the file is damaged, or RDKit cannot read the molecule.
    """
    asked = f"whether {smiles[:80]} is sold was asked for"
    path = folder_of("molbloom", asked) / OURS
    said = f"{CATALOGUE}; {with_version('molbloom')}"
    with path.open("rb") as stream:
        return _asked(stream, smiles, said, asked, path.name)


def of_file(smiles: str, name: str) -> Filtered:
    """Ask a filter that somebody brings; called in a process of its own.

    Raises:
        ComponentError: the package molbloom is not installed.
        NotFoundError: there is no such file.
        InputError: the file is none, or RDKit cannot read the molecule.
    """
    asked = f"whether {smiles[:60]} is in {name[:60]} was asked for"
    folder_of("molbloom", asked)
    try:
        with opened(name) as stream:
            return _asked(stream, smiles, f"the filter {Path(name).name}", asked, name)
    except (IsADirectoryError, SpecialFileError) as error:
        raise _none(asked, "it is no file of bits but a folder or a device") from error
    except FileNotFoundError as error:
        raise absent(asked) from error
    except (OSError, ValueError) as error:
        raise _none(asked, f"it cannot be read: {error}") from error


def _asked(stream: BinaryIO, smiles: str, catalogue: str, asked: str, name: str) -> Filtered:
    """Ask a filter, which is copied first: what is looked at is what was checked."""
    hashes, bits = _head(stream, asked)
    digest, full, size = hashlib.sha256(), 0, HEAD.size
    stream.seek(0)
    with tempfile.NamedTemporaryFile(suffix=".bloom") as copy:
        first = stream.read(HEAD.size)
        digest.update(first)
        copy.write(first)
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
            copy.write(chunk)
            full += int(np.bitwise_count(np.frombuffer(chunk, np.uint8)).sum(dtype=np.int64))
            size += len(chunk)
            if size > HEAD.size + bits // 8 + 1:
                break
        copy.flush()
        if size - HEAD.size not in (bits // 8, -(-bits // 8)):
            found = f"it says that it has {bits:,} bits, and has another number of bytes"
            raise _none(asked, found)
        is_there = _contains(copy.name, smiles, asked)
    return Filtered(is_there, catalogue, digest.hexdigest(), (full / bits) ** hashes)


def _head(stream: BinaryIO, asked: str) -> tuple[int, int]:
    """Return how many bits a molecule sets, and how many there are."""
    first = stream.read(HEAD.size)
    if len(first) < HEAD.size or first[: len(MAGIC)] != MAGIC:
        raise _none(asked, "it does not begin as one")
    _, version, hashes, bits = HEAD.unpack(first)
    if version != VERSION:
        raise _none(asked, f"it is one of version {version}; {VERSION} is read")
    if not 1 <= hashes <= MOST_HASHES or not 8 <= bits <= 8 * LARGEST:
        raise _none(asked, f"it says {hashes} bits a molecule and {bits:,} in all")
    return hashes, bits


def _contains(path: str, smiles: str, asked: str) -> bool:
    from molbloom import BloomFilter, canon

    text: Any = canon(smiles)
    if not text:
        raise InputError(asked, "RDKit cannot read the molecule", "give it otherwise")
    return text in BloomFilter(path)


def _none(asked: str, found: str) -> InputError:
    advice = "give a filter of molbloom, as its tool or its CustomFilter writes it"
    return InputError(asked, f"that file is no Bloom filter: {found}", advice)
