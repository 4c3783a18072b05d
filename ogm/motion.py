"""Motions that carry one structure onto another, and what moves along with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np

from .arrays import AnyArray
from .terms import Moves

Rotation: TypeAlias = tuple[tuple[float, ...], ...]

UNTURNED: Rotation = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Motion:
    """A proper rotation, then a translation, and another numbering of the items.

    Attributes:
        translation: the shift (x, y, z) in the unit of the positions, Å.
        rotation: a proper rotation, row by row: `x' = R x + t`.
        order: what becomes item i was item `order[i]`; None where the numbering stays.
        deviation: how far the items are from where they should be after the motion, at most, in
            the unit of the positions; 0 for an exact copy.
    """

    translation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: Rotation = UNTURNED
    order: tuple[int, ...] | None = None
    deviation: float = 0.0

    @property
    def is_rest(self) -> bool:
        """Whether nothing moves."""
        return not (any(self.translation) or self.is_turned or self.order is not None)

    @property
    def is_turned(self) -> bool:
        """Whether it is more than a shift and a numbering."""
        return self.rotation != UNTURNED

    def carry(self, value: Any, moves: Moves) -> Any:
        """Return a value of a field as it is after the motion; itself where nothing changes.

        Args:
            value: an array; for `index` also a number, or a tuple or set of them.
            moves: the roles of its axes.

        Raises:
            ValueError: the value does not have these axes, or not as many items.
        """
        if moves.roles == ("index",):
            return value if self.order is None else self._renumbered(value)
        array = cast(AnyArray, value)
        if array.ndim != len(moves.roles):
            raise ValueError(f"an array of shape {array.shape} cannot move as '{moves.kind}'")
        for axis, role in enumerate(moves.roles):
            if role == "item" and self.order is not None:
                if array.shape[axis] != len(self.order):
                    raise ValueError(f"{len(self.order)} items move, not {array.shape[axis]}")
                array = array.take(self.order, axis)
            elif role in ("vector", "point"):
                if self.is_turned:
                    turned = np.tensordot(array, np.array(self.rotation), axes=(axis, 1))
                    array = np.moveaxis(turned, -1, axis)
                if role == "point" and any(self.translation):
                    beside = [1] * array.ndim
                    beside[axis] = 3
                    array = array + np.reshape(self.translation, beside)
        return array

    def _renumbered(self, value: Any) -> Any:
        assert self.order is not None
        places = np.argsort(self.order)  # where each item has gone
        if isinstance(value, tuple | frozenset):
            kind = cast("type[Any]", type(cast(Any, value)))
            return kind(self._renumbered(item) for item in cast("tuple[Any, ...]", value))
        indices = np.asarray(value)
        if indices.size and not 0 <= indices.min() <= indices.max() < len(places):
            raise ValueError(f"{value!r} numbers an item, but {len(places)} items move")
        return places[value] if isinstance(value, np.ndarray) else int(places[value])
