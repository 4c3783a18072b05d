"""Values of basis functions on the grid, kept: PySCF computes them anew whenever it needs them."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

import numpy as np

KEPT = 1500.0
"""MB of values that are kept; what does not fit is computed again."""


def remembering() -> Any:
    """Return PySCF's integration on grids with k-points, which keeps the values of functions.

    They are summed over the images of each atom, which takes nearly all the time of an SCF of a
    small crystal, and are the same in each of its cycles. Of one geometry: another needs another.
    """
    from pyscf.pbc.dft.numint import KNumInt, eval_ao_kpts

    kept: dict[Any, Any] = {}
    held = 0.0

    class Remembering(KNumInt):
        def eval_ao(
            self, cell: Any, coords: Any, kpts: Any = None, deriv: int = 0, **other: Any
        ) -> Any:
            nonlocal held
            where = coords.shape, coords[0].tobytes(), coords[-1].tobytes()
            points = np.reshape(np.zeros(3) if kpts is None else kpts, (-1, 3))
            key = (*where, points.tobytes(), deriv)
            if key not in kept:
                found = eval_ao_kpts(cell, coords, points, deriv=deriv, **other)
                size = sum(one.nbytes for one in found) / 1e6
                if held + size > KEPT:
                    return found
                kept[key] = found
                held += size
            return list(kept[key])

    return Remembering()
