"""Validation errors in words."""

from __future__ import annotations

from pydantic import ValidationError


def readable(error: ValidationError) -> list[str]:
    """Return what a validation refused, a line a field."""
    lines: list[str] = []
    for item in error.errors():
        message = item["msg"].removeprefix("Value error, ")
        where = ".".join(str(part) for part in item["loc"])
        lines.append(f"{where}: {message}" if where else message)
    return lines
