"""Which files of settings a person trusts: what they can do beside changing what is computed.

A person trusts the fields with such powers as they stand, not the file: a digest of these fields,
and of nothing else, is noted under the user's state, for the place where the file was found. It
comes from the very bytes that the settings come from, so that nothing changes in between.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias, cast

import platformdirs
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from triplestore.errors import InputError, ResourceError
from workflows.trust.powers import Can, can, sections

from .settings_file import SettingsFile, read_file

VARIABLE = "GRAFICO_TRUST"
"""Digests that the environment trusts, wherever the file lies, with spaces between them."""

SITE = Path("/etc/grafico")
"""What an administrator says for all: settings in `grafico.toml`, digests in `trust`."""

Name: TypeAlias = tuple[str, ...]
"""Of a field: `store`, or table, section and field."""

DIGEST = re.compile(r"\b[0-9a-f]{64}\b")

MOST = 1_000_000
"""Bytes of a list of digests or of a record."""


def powerful(data: Mapping[str, Any], fields: Mapping[str, FieldInfo]) -> dict[Name, Any]:
    """Return what a file says that can do more than change what is computed, by field.

    A field that nobody knows is among it, and so is one that does not say what it can do.
    """
    return {name: value for name, value, what in _each(data, fields) if what.powers}


def _each(
    data: Mapping[str, Any], fields: Mapping[str, FieldInfo]
) -> Iterator[tuple[Name, Any, Can]]:
    for name, value in data.items():
        field = fields.get(name)
        kind = sections(field)
        if kind is None or not isinstance(value, dict):
            yield (name,), value, can(field)
            continue
        for section, inner in cast("dict[str, Any]", value).items():
            if not isinstance(inner, dict):
                yield (name, section), inner, can(None)
                continue
            for key, one in cast("dict[str, Any]", inner).items():
                yield (name, section, key), one, can(kind.model_fields.get(key))


def digest_of(fields: Mapping[Name, Any]) -> str:
    """Return the digest of some fields: of their names, kinds and values, whatever their order."""
    pairs = sorted([list(name), value] for name, value in fields.items())
    text = json.dumps(["grafico trust", 1, pairs], sort_keys=True, default=_told)
    return hashlib.sha256(text.encode()).hexdigest()


def _told(value: object) -> dict[str, str]:
    """Return a value of TOML that JSON has none for: a date or a time."""
    return {"kind": type(value).__name__, "text": str(value)}


class TrustRecord(BaseModel):
    """What a person trusted.

    Attributes:
        place: of the file.
        digest: of its fields.
        trusted: when (UTC).
        shown: its fields as they were shown, without secrets, by name.
        marks: a digest of the value of each.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    place: str
    digest: str
    trusted: datetime
    shown: dict[str, str]
    marks: dict[str, str]


@dataclass(frozen=True)
class TrustBook:
    """The records of a user.

    Attributes:
        folder: where they lie, one a file.
    """

    folder: Path

    @classmethod
    def of_user(cls) -> TrustBook:
        """Return the one of who runs this."""
        return cls(platformdirs.user_state_path("grafico") / "trust")

    def _path(self, place: str) -> Path:
        return self.folder / f"{hashlib.sha256(place.encode()).hexdigest()[:32]}.json"

    def record(self, place: str) -> TrustRecord | None:
        """Return what was trusted at a place; None if nothing was, or the record is not ours."""
        path = self._path(place)
        try:
            text = _own_text(path, {os.geteuid()})
            found = None if text is None else TrustRecord.model_validate_json(text)
        except (OSError, ValidationError):
            return None  # nobody is hurt by being asked again
        return found if found is not None and found.place == place else None

    def add(self, record: TrustRecord) -> None:
        """Note what a person trusts, in the place of what was noted of that file before.

        Raises:
            ResourceError: it cannot be written.
        """
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder)
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(record.model_dump_json(indent=1))
                os.replace(name, self._path(record.place))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise ResourceError(
                f"cannot note in {self.folder} that {record.place} is trusted",
                error.strerror or str(error),
                "make room there, or give yourself permission",
            ) from error

    def remove(self, place: str) -> bool:
        """Forget what was trusted at a place; tell whether anything was.

        Raises:
            ResourceError: that cannot be removed.
        """
        try:
            self._path(place).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise ResourceError(
                f"cannot forget that {place} is trusted",
                error.strerror or str(error),
                "give yourself permission",
            ) from error
        return True


def why_not(file: SettingsFile, fields: Mapping[Name, Any]) -> str:
    """Return why a project's file does not count for its powerful fields; empty if it does.

    Args:
        file: as it was read.
        fields: those with powers, of its data.
    """
    if file.flaw:
        return file.flaw
    digest, record = digest_of(fields), TrustBook.of_user().record(file.place)
    variable = os.environ.get(VARIABLE, "")
    if digest in DIGEST.findall(variable) or digest in DIGEST.findall(_of_site()):
        return ""
    if record is not None:
        when = f"{record.trusted:%Y-%m-%d %H:%M} UTC"
        return "" if record.digest == digest else f"it says otherwise since you trusted it ({when})"
    return "you have not trusted it" + (f", {VARIABLE} names others" if variable else "")


def _of_site() -> str:
    """Return the digests that the administrator trusts."""
    try:
        return _own_text(SITE / "trust", {0}) or ""
    except OSError:
        return ""


def _own_text(path: Path, owners: set[int]) -> str | None:
    """Return a text that nobody else could have written; None if somebody could."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(file, "rb") as opened:
        status = os.fstat(opened.fileno())
        if status.st_uid not in owners or status.st_mode & 0o022:
            return None
        return opened.read(MOST).decode(errors="replace")


def found_in(folder: Path, name: str) -> SettingsFile:
    """Return the file of settings of a folder.

    Raises:
        InputError: there is none, or it cannot be read.
    """
    file = read_file(folder / name, {os.geteuid()})
    if file is None:
        raise InputError(
            f"the settings of {folder} were asked for",
            f"there is no {name} in it",
            "name the folder that has one",
        )
    return file


def record_of(file: SettingsFile, digest: str, shown: Mapping[str, tuple[str, str]]) -> TrustRecord:
    """Return what is noted when a person trusts a file now.

    Args:
        file: as it was shown.
        digest: of its fields.
        shown: of each field by its name, how it was shown and the digest of its value.
    """
    return TrustRecord(
        place=file.place,
        digest=digest,
        trusted=datetime.now(UTC),
        shown={name: text for name, (text, _) in shown.items()},
        marks={name: mark for name, (_, mark) in shown.items()},
    )
