"""The packages of the extra `synthesis`, of which nothing is imported before it is needed."""

from __future__ import annotations

import importlib.util
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from triplestore.errors import ComponentError


def folder_of(package: str, asked: str) -> Path:
    """Return the folder of a package.

    Raises:
        ComponentError: it is not installed.
    """
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        problem = f"the package {package} is not installed"
        raise ComponentError(asked, problem, "pip install 'grafico-chem[synthesis]'")
    return Path(found.origin).parent


def with_version(distribution: str) -> str:
    """Return a package with its version, as it is told."""
    try:
        return f"{distribution} {version(distribution)}"
    except PackageNotFoundError:
        return distribution
