"""Which release of Grafico this is."""

from __future__ import annotations

PACKAGE = "grafico-chem"
"""The name by which it is installed."""


def release() -> str:
    """Return the version of Grafico; `unknown` where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow: it reads mail

    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return "unknown"
