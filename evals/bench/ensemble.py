"""What a fan-out over conformers costs beside the calculations themselves.

On one slot nothing waits for another, so that the time beside that of the calculations is what
Grafico needs to prepare, to hand over, to record and to weight.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from grafico import Grafico
from ontologies.conformers import ConformerEnsemble
from ontologies.provenance import Activity

from .figures import Figure, say, times

MOLECULE, METHOD, BASIS = "CCCO", "B3LYP", "def2-SVP"

OVERHEAD = 1.05
"""Of the time of the calculations."""


def measure(folder: Path) -> Iterator[Figure]:
    """Relax the conformers of 1-propanol on one slot, and set the whole against its parts."""
    say("ensemble: the conformers of 1-propanol at B3LYP/def2-SVP, some minutes…")
    one_slot = patch.dict(os.environ, GRAFICO_SLOTS="1")
    with one_slot, Grafico(str(folder / "store"), threads_per_calculation=1) as session:
        sampled = session.conformers(MOLECULE, starts=50)
        before = {one.iri for one in session.kg.find(Activity)}
        started = time.monotonic()
        refined = session.refine(sampled.ensemble.iri, method=METHOD, basis=BASIS, cumulative=1.0)
        whole = time.monotonic() - started
        own = sum(one.wall_time for one in session.kg.find(Activity) if one.iri not in before)
        assert isinstance(refined.ensemble, ConformerEnsemble)
        many = len(sampled.ensemble.conformers)
    name = f"refinement of {many} conformers"
    yield times(name, whole, own, OVERHEAD, "s", "its calculations")
