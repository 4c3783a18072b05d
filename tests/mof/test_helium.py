"""Parameters of UFF beside those of another program; the void around one atom by an integral."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy.integrate import quad

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from tests.conftest import Need
from workflows.mof.helium import (
    CUTOFF,
    HELIUM_DEPTH,
    HELIUM_SIZE,
    KELVIN,
    TEMPERATURE,
    helium_fraction,
    uff,
)


def test_sizes_and_depths_are_those_that_open_babel_has(need: Need) -> None:
    """It reads them from a file of its own; we have them from RDKit and a short table."""
    place = need("obabel").resolve().parents[1] / "share" / "openbabel"
    files = list(place.glob("*/UFF.prm"))
    if not files:
        pytest.skip(f"Open Babel keeps its parameters elsewhere than in {place}")
    theirs: dict[str, tuple[float, float]] = {}
    for line in files[0].read_text(encoding="utf-8", errors="replace").splitlines():
        if found := re.match(r"param\s+([A-Z][a-z]?)\S*\s", line):
            _, _, _, _, size, depth, *_ = line.split()
            theirs.setdefault(found[1], (float(size), float(depth)))
    compared = 0
    for number in range(1, 87):
        ours, other = uff(number), theirs.get(SYMBOLS[number])
        if ours is None or other is None:
            continue
        assert ours[0] * 2 ** (1 / 6) == pytest.approx(other[0], abs=2e-3), SYMBOLS[number]
        assert ours[1] / KELVIN == pytest.approx(other[1], abs=2e-3), SYMBOLS[number]
        compared += 1
    assert compared > 50


def test_of_one_atom_it_is_an_integral_over_the_distance() -> None:
    """1 − ∫ 4πr² (1 − exp(−E/kT)) dr / V, the energies of neighbouring cells being small."""
    carbon = uff(6)
    assert carbon is not None
    size, depth = (carbon[0] + HELIUM_SIZE) / 2, math.sqrt(carbon[1] * HELIUM_DEPTH)
    sixth = lambda r: (size / r) ** 6  # noqa: E731
    lost, _ = quad(
        lambda r: (
            4
            * math.pi
            * r**2
            * (1 - math.exp(-4 * depth * (sixth(r) ** 2 - sixth(r)) / TEMPERATURE))
        ),
        0.5,
        CUTOFF,
    )
    width = 12.0
    one = ConceptualAtoms(
        numbers=[6], positions=[[5.0, 6.0, 7.0]], cell=np.eye(3) * width, periodic=[True] * 3
    )
    lost += 4 / 3 * math.pi * 0.5**3  # within, no helium is
    assert helium_fraction(one) == pytest.approx(1 - lost / width**3, abs=2e-3)
