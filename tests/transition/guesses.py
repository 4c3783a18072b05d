"""Geometries near transition states, and how these are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from tests.asking import asked_of
from tests.dft.conftest import Bench
from tests.dft.structures import atoms
from workflows.engine.request.form import fill
from workflows.engine.request.workflow import Finished
from workflows.registry.levels import LevelForm
from workflows.transition.request import TransitionRequest

CYANIDE = atoms([6, 7, 1], [[0, 0, 0], [0, 0, 1.17], [1.15, 0, 0.5]])
GFN2: dict[str, Any] = {"method": "GFN2-xTB"}
STO3G: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}


def find(
    bench: Bench, given: ConceptualAtoms, wanted: dict[str, Any] = STO3G, **asked: Any
) -> Finished:
    request = fill(TransitionRequest, asked)
    return bench.loop.call(
        lambda: asked_of("transition", given, request, fill(LevelForm, wanted), bench.executor)
    )


def flat_ammonia(height: float = 0.0) -> ConceptualAtoms:
    angles = np.radians([0, 120, 240])
    return atoms([7, 1, 1, 1], [[0, 0, height], *[[np.cos(a), np.sin(a), 0] for a in angles]])
