"""Crystals by the reference code of a database: from a folder or an address, as settings say."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import platformdirs
from pydantic import Field

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.mof_parts import CrystalEntry
from triplestore.errors import InputError, NotFoundError, ResourceError
from workflows.engine.request.definition import Given
from workflows.engine.request.rules import Setting
from workflows.molecule.recognition import recognise
from workflows.molecule.subject import Reading
from workflows.molecule.text import LARGEST
from workflows.programs.isolated import in_subprocess
from workflows.text.words import count
from workflows.trust.caller import asked_by, caller

from .cleaning import Disorder, read_crystal

CODE = re.compile(r"([A-Z]{6}(?:\d\d)?)([_-][\w-]{1,60})?", re.ASCII)
"""A code of the CSD, which other databases use too, and what export files have behind it."""

SUFFIXES = (".cif", ".cif.gz")

MOST_FILES = 300_000
"""Of a folder with all that is in it: the CSD alone has over a million entries."""

SHOWN = 8
"""Files that are named where several match."""

SECONDS = 240
"""Of processor time for reading a file: symmetry of thousands of atoms takes a while."""

TIME = 30
"""s, for one answer."""

FIELDS = (b"_cell_length_a", b"_atom_site")
"""What stands in each CIF with a crystal."""

ADVICE = "give a CIF file, or a person sets `crystal_folder` or `crystal_url`"


class ReadingEntry(Reading):
    """How a crystal is read, and where entries of databases are."""

    disorder: Annotated[
        Disorder,
        Field(
            description="Places that are taken in part or by several elements: refused, or the "
            "majority taken as whole."
        ),
    ] = "refuse"
    crystal_folder: Annotated[str, Setting()] = ""
    crystal_url: Annotated[str, Setting()] = ""


@dataclass(frozen=True)
class FoundEntry:
    """The file of an entry.

    Attributes:
        code: its reference code, as it was given.
        path: the file.
        source: where it comes from.
    """

    code: str
    path: Path
    source: str

    @property
    def remark(self) -> str:
        """Where it comes from, in words."""
        return f"{self.code} was read from {self.source}"

    def of(self, atoms: ConceptualAtoms) -> CrystalEntry:
        """Return what is recorded of it."""
        return CrystalEntry(atoms=atoms, reference_code=self.code, entry_source=self.source)


async def entry_of(given: object, said: ReadingEntry) -> FoundEntry | None:
    """Return the entry that a reference code means; None for what is no such code.

    Raises:
        NotFoundError: there is no such entry.
        InputError: there are several; or nothing is set where they could be.
        ResourceError: the folder or the server cannot be read.
    """
    text = str(given).strip()
    if said.kind is not None or not isinstance(given, str) or not CODE.fullmatch(text):
        return None
    return await asyncio.to_thread(found_entry, text, said.crystal_folder, said.crystal_url)


async def read_file(given: object, said: ReadingEntry) -> Given[ConceptualAtoms] | None:
    """Return the crystal of a CIF file; None for what is no such file.

    Raises:
        GraficoError: it cannot be read, or it is disordered and that is refused.
    """
    text = str(given)
    path = Path(text)
    is_path = isinstance(given, Path) or (
        isinstance(given, str) and recognise(text, said.kind) == "file"
    )
    if not is_path or not path.name.lower().removesuffix(".gz").endswith(".cif"):
        return None
    found = await in_subprocess(
        f"cannot read {path}", read_crystal, path, said.disorder, seconds=SECONDS
    )
    return Given(found.atoms, path.name, found.remarks)


async def read_entry(entry: FoundEntry, said: ReadingEntry) -> Given[ConceptualAtoms]:
    """Return the crystal of an entry, which everybody may have who knows its code.

    Raises:
        GraficoError: see `read_file`.
    """
    path = await asyncio.to_thread(entry.path.resolve)
    here = caller()
    with asked_by(here if here.is_person else replace(here, folder=path.parent)):
        found = await in_subprocess(
            f"cannot read {entry.code}", read_crystal, path, said.disorder, seconds=SECONDS
        )
    remarks = (entry.remark, *found.remarks)
    return Given(found.atoms, entry.code, remarks, entry.of(found.atoms))


def about(given: Given[ConceptualAtoms]) -> tuple[GraphModel, ...]:
    """Return what a run about a crystal is about: the crystal, and the entry where it is one."""
    return (given.model, *([given.detail] if isinstance(given.detail, CrystalEntry) else []))


def found_entry(code: str, folder: str = "", address: str = "") -> FoundEntry:
    """Return the entry of a reference code: that of the folder, or else that of the address.

    Args:
        code: such as DOTSOV01, or DOTSOV01_clean where there are several files.
        folder: of CIF files whose names begin with codes, also in folders below; empty for none.
        address: with {code} in the place of the code; empty for none.

    Raises:
        GraficoError: see `entry_of`.
    """
    asked = f"the crystal {code} was asked for"
    if not folder and not address:
        raise InputError(
            asked,
            "it reads as a reference code, and nothing is set where crystals of such codes are",
            ADVICE,
        )
    relatives: list[str] = []
    if folder:
        names = list(_files(asked, Path(folder).expanduser()))
        found = [one for one in names if _is_of(code, one.name)]
        if len(found) == 1:
            place = found[0].relative_to(Path(folder).expanduser())
            return FoundEntry(code, found[0], f"{place} in {Path(folder).expanduser().name}")
        if found:
            raise _several(asked, found)
        relatives = [_stem(one.name) for one in names if one.name.upper().startswith(code[:6])]
    if address:
        return _fetched(asked, code, address)
    alike = f"; there are {', '.join(sorted(relatives)[:SHOWN])}" if relatives else ""
    raise NotFoundError(
        asked,
        f"no file of that code is in {folder}{alike}",
        "check the code, or give a CIF file",
    )


def _files(asked: str, folder: Path) -> Iterator[Path]:
    """Iterate over the CIF files of a folder and of those in it.

    Raises:
        ResourceError: it cannot be read, or has too many files.
    """
    number = 0

    def refuse(error: OSError) -> None:
        problem = f"the folder {folder} cannot be read: {error.strerror}"
        raise ResourceError(asked, problem, "check the setting `crystal_folder`") from error

    for place, _, names in os.walk(folder, onerror=refuse):
        number += len(names)
        if number > MOST_FILES:
            raise ResourceError(
                asked,
                f"the folder {folder} has more than {MOST_FILES:,} files",
                "set `crystal_folder` to one with crystals alone",
            )
        yield from (Path(place) / name for name in names if name.lower().endswith(SUFFIXES))


def _stem(name: str) -> str:
    return name[: -len(".cif.gz" if name.lower().endswith(".gz") else ".cif")]


def _is_of(code: str, name: str) -> bool:
    """Return whether a file is named by a code: DOTSOV01_clean.cif by DOTSOV01, not by DOTSOV."""
    stem, wanted = _stem(name).upper(), code.upper()
    return stem == wanted or (stem.startswith(wanted) and not stem[len(wanted)].isalnum())


def _several(asked: str, found: list[Path]) -> InputError:
    told = [str(one) for one in sorted(found)[:SHOWN]]
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return InputError(
        asked,
        f"{count(len(found), 'file')} match: {', '.join(told)}{more}",
        f"give one of these files, or its name, such as {_stem(sorted(found)[0].name)}",
    )


def _fetched(asked: str, code: str, address: str) -> FoundEntry:
    """Return an entry of a server, which is asked once; what it said is kept on this machine."""
    where = address.replace("{code}", urllib.parse.quote(code, safe=""))
    folder = platformdirs.user_cache_path("grafico") / "crystals"
    path = folder / hashlib.sha256(address.encode()).hexdigest()[:16] / f"{code}.cif"
    if path.is_file():
        return FoundEntry(code, path, where)
    text = _answer(asked, where)
    if not all(field in text for field in FIELDS):
        raise ResourceError(
            asked,
            f"{where} answers with something that is no CIF file",
            "check the setting `crystal_url`, or give a CIF file",
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(text)
        os.replace(file.name, path)
    except OSError as error:
        problem = f"it cannot be kept in {path.parent}: {error.strerror}"
        raise ResourceError(asked, problem, "make room there, or give a CIF file") from error
    return FoundEntry(code, path, where)


def _answer(asked: str, where: str) -> bytes:
    """Return what a server answers.

    Raises:
        NotFoundError: it has no such entry.
        ResourceError: it cannot be reached, or answers otherwise.
    """
    request = urllib.request.Request(where, headers={"User-Agent": "grafico"})
    try:
        with urllib.request.urlopen(request, timeout=TIME) as response:
            text: bytes = response.read(LARGEST + 1)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in (404, 410):
            raise NotFoundError(
                asked, f"there is no {where} ({error.code})", "check the code, or give a CIF file"
            ) from error
        raise ResourceError(
            asked,
            f"{where} answers {error.code}: {error.reason}",
            "ask again later, or give a CIF file",
        ) from error
    except (OSError, ValueError) as error:  # URLError is one
        raise ResourceError(
            asked,
            f"{where} cannot be reached: {getattr(error, 'reason', error)}",
            "check the network and the setting `crystal_url`, or give a CIF file",
        ) from error
    if len(text) > LARGEST:
        raise ResourceError(
            asked, f"{where} answers with more than {LARGEST / 1e6:.0f} MB", "give a CIF file"
        )
    return text
