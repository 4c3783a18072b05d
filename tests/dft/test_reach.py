"""What contradicts itself is refused before anything is computed, and what can be met is not."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import GeometryConstraints
from triplestore.errors import InputError
from workflows.dft.properties.surface import optimise
from workflows.dft.request.forms import DFTRequest
from workflows.geometry.constraints import measured
from workflows.geometry.feasibility import check_reach

from .structures import WATER

ATOMS = {"distance": 2, "angle": 3, "dihedral": 4}
LEVEL = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")

CONTRADICTIONS = [
    ("distance 1 2 1.0", "distance 1 3 1.0", "distance 2 3 5.0"),  # no triangle
    ("angle 2 1 3 100", "angle 1 2 3 100"),  # more than 180° in a triangle
    ("distance 1 2 1.0", "distance 1 3 1.0", "distance 2 3 1.0", "angle 2 1 3 100"),
    ("distance 1 2 1.0", "distance 1 3 1.0", "angle 2 1 3 0.2"),  # two atoms in one place
    ("freeze 1 2", "distance 1 3 1.0", "distance 2 3 9.0"),
]


@pytest.mark.parametrize("texts", CONTRADICTIONS)
def test_contradictions_are_refused_before_anything_is_computed(texts: tuple[str, ...]) -> None:
    request = DFTRequest(task="optimise", constraints=texts)
    with pytest.raises(InputError, match="cannot all be met"):
        request.check(WATER, LEVEL)


def test_a_direct_call_is_refused_before_the_first_scf() -> None:
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    held = GeometryConstraints(distance_atoms=pairs, distances=np.array([1.0, 1.0, 5.0]))
    with pytest.raises(InputError, match="cannot all be met"):  # not for its basis set
        optimise(WATER, LEVEL.model_copy(update={"basis": "none"}), constraints=held)


@pytest.mark.parametrize("seed", range(12))
def test_what_was_read_off_another_geometry_can_be_met(seed: int) -> None:
    order = np.random.default_rng(seed)
    count = int(order.integers(3, 7))
    start, end = (order.standard_normal((count, 3)) * 1.5 for _ in range(2))
    while np.linalg.norm(end[:, None] - end[None], axis=2)[np.triu_indices(count, 1)].min() < 0.5:
        end = order.standard_normal((count, 3)) * 1.5
    values: dict[str, Any] = {}
    for kind, size in ATOMS.items():
        ways = [way for way in combinations(range(count), size) if order.random() < 0.4]
        ways = [way for way in ways if size != 3 or 5 < measured(end, way) < 170]
        if ways:
            values[f"{kind}_atoms"] = [list(way) for way in ways]
            values[f"{kind}s"] = [round(measured(end, way), 3) for way in ways]
    atoms = ConceptualAtoms(numbers=[2] * count, positions=start, charge=0, multiplicity=1)
    check_reach(GeometryConstraints(**values), atoms)
