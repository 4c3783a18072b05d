"""How a molecule's electrons follow an electric field."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pydantic import model_validator

from .quantum import ElectronicResult, with_derived
from .units import CubicBohr, Floats, PolarizabilityTensor


def mean_of(tensor: Floats) -> float:
    """Return the mean of a tensor over all directions."""
    return float(np.trace(tensor)) / 3


def anisotropy_of(tensor: Floats) -> float:
    """Return how far a symmetric tensor is from one that has no direction, at least 0.

    Of a tensor with the principal values a, a, b it is |b - a|.
    """
    free = tensor - mean_of(tensor) * np.eye(3)
    return math.sqrt(1.5 * float((free * free).sum()))


class Polarizability(ElectronicResult):
    """The static dipole polarizability of a molecule: the change of its dipole with a weak field.

    Nuclei stay where they are. In atomic units it is a volume; 1 bohr³ is 0.1482 Å³ or
    1.6488e-41 C²·m²/J.

    Attributes:
        polarizability: the tensor, symmetric, shape (3, 3).
        isotropic_polarizability: a third of the trace; this and the next are derived, so that they
            can be queried.
        polarizability_anisotropy: the square root of 3/2 times the sum of squares of what is left
            of the tensor without its isotropic part; of an axial molecule the value along the axis
            less that across, without its sign.
    """

    polarizability: PolarizabilityTensor
    isotropic_polarizability: CubicBohr | None = None
    polarizability_anisotropy: CubicBohr | None = None

    @model_validator(mode="before")
    @classmethod
    def _derive_volumes(cls, data: Any) -> Any:
        return with_derived(
            data,
            "polarizability",
            isotropic_polarizability=mean_of,
            polarizability_anisotropy=anisotropy_of,
        )
