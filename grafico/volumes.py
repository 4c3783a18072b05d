"""The former place of `cube`, for one release."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .session.client import Grafico


def volume(
    grafico: Grafico,
    result: object,
    what: str,
    spin: str | None = None,
    spacing: float | None = None,
) -> Any:
    """Compute a function in space of a result's wavefunction, see `grafico cube`."""
    text = "grafico.volumes.volume goes with the next release: call session.cube(result, …)"
    warnings.warn(text, DeprecationWarning, 2)
    asked = {what.replace(" ", "_"): True} if what.endswith("density") else {"orbital": what}
    return grafico.cube(result, spin=spin, spacing=spacing, **asked)
