"""Which files of settings a person trusts: what they can do beside changing what is computed.

A person trusts the fields with such powers as they stand, not the file: a digest of these fields,
and of nothing else, is noted under the user's state, for the place where the file was found. It
comes from the very bytes that the settings come from, so that nothing changes in between.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias, cast

from pydantic.fields import FieldInfo

from triplestore.errors import InputError
from workflows.trust.book import DIGEST, TrustBook, TrustRecord, of_site
from workflows.trust.powers import Can, can, sections

from .settings_file import SettingsFile, read_file

VARIABLE = "GRAFICO_TRUST"
"""Digests that the environment trusts, wherever the file lies, with spaces between them."""

Name: TypeAlias = tuple[str, ...]
"""Of a field: `store`, or table, section and field."""


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
    if digest in DIGEST.findall(variable) or digest in DIGEST.findall(of_site()):
        return ""
    if record is not None:
        when = f"{record.trusted:%Y-%m-%d %H:%M} UTC"
        return "" if record.digest == digest else f"it says otherwise since you trusted it ({when})"
    return "you have not trusted it" + (f", {VARIABLE} names others" if variable else "")


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
