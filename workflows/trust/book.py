"""`TrustBook`: what a person has trusted by its digest, noted where nobody else could write it.

What is trusted stands under the user's state, for the place where it was found; elsewhere, or
changed, it is a stranger again.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import platformdirs
from pydantic import BaseModel, ConfigDict, ValidationError

from triplestore.errors import ResourceError

SITE = Path("/etc/grafico")
"""What an administrator says for all: settings in `grafico.toml`, digests in `trust`."""

DIGEST = re.compile(r"\b[0-9a-f]{64}\b")

MOST = 1_000_000
"""Bytes of a list of digests or of a record."""


class TrustRecord(BaseModel):
    """What a person trusted.

    Attributes:
        place: of the file.
        digest: of it, or of those of its fields that have to be trusted.
        trusted: when (UTC).
        shown: such fields as they were shown, without secrets, by name.
        marks: a digest of the value of each.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    place: str
    digest: str
    trusted: datetime
    shown: dict[str, str] = {}
    marks: dict[str, str] = {}


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


def of_site() -> str:
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
