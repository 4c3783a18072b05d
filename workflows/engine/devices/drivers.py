"""Drivers that other packages bring: of real devices, by name."""

from __future__ import annotations

import importlib
from typing import Any

from triplestore.errors import ComponentError
from workflows.registry.packages import entries

GROUP = "grafico.drivers"
"""The entry point where a package names a function: of a device's name to its driver, or None."""


def connected(name: str) -> Any:
    """Return the driver of a device; None where no installed package has one.

    Raises:
        ComponentError: a package has one that cannot be used.
    """
    for place in entries(GROUP):
        module, _, attribute = place.partition(":")
        try:
            driver = getattr(importlib.import_module(module), attribute)(name)
        except Exception as error:
            found = f"{place} cannot be used: {type(error).__name__}: {error}"
            advice = "mend or remove the package that brings it"
            raise ComponentError(f"the driver of {name} was asked for", found, advice) from error
        if driver is not None:
            return driver
    return None
