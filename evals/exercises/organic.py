"""Reports on relaxed organic molecules."""

from __future__ import annotations

from ._exercise import Cases, task
from ._exercise import dataset as of

__all__ = ["dataset", "task"]


def dataset(profile: str) -> Cases:
    """Return the cases of a profile."""
    return of("organic", profile)
