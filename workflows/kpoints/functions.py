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
    small crystal, and are the same in each of its cycles. They are those of one geometry: `forget`
    them before the next, and after it, since what PySCF makes holds itself for a while.
    """
    from pyscf.pbc.dft.numint import KNumInt, eval_ao_kpts

    class Remembering(KNumInt):
        def __init__(self) -> None:
            super().__init__()
            self.forget()

        def forget(self) -> None:
            self.kept, self.held = dict[Any, Any](), 0.0

        def eval_ao(
            self, cell: Any, coords: Any, kpts: Any = None, deriv: int = 0, **other: Any
        ) -> Any:
            where = coords.shape, coords[0].tobytes(), coords[-1].tobytes()
            points = np.reshape(np.zeros(3) if kpts is None else kpts, (-1, 3))
            key = (*where, points.tobytes(), deriv)
            if key not in self.kept:
                found = eval_ao_kpts(cell, coords, points, deriv=deriv, **other)
                size = sum(one.nbytes for one in found) / 1e6
                if self.held + size > KEPT:
                    return found
                self.kept[key] = found
                self.held += size
            return list(self.kept[key])

    return Remembering()
