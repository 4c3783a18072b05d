"""Motions that carry one structure onto another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Motion:
    """A translation.

    Attributes:
        translation: the shift (x, y, z) in the unit of the positions, Å.
    """

    translation: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def is_rest(self) -> bool:
        """Whether nothing moves."""
        return self.translation == (0.0, 0.0, 0.0)

    def apply(self, points: np.ndarray[Any, np.dtype[np.float64]]) -> Any:
        """Shift points, shape (n, 3)."""
        return points + np.asarray(self.translation)
