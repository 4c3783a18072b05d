"""A calculation is a function; a workflow is asked through a session in memory."""

import pytest
from huckel.calculations import orbitals
from huckel.model import Huckel, Skeleton

from grafico import Grafico


def test_benzene() -> None:
    found = orbitals(Skeleton(carbons=6, ring=True), Huckel(method="Hückel"))
    assert found.energy == pytest.approx(-8 * 2.7)
    assert found.gap == pytest.approx(2 * 2.7)


def test_the_workflow() -> None:
    with Grafico("memory:") as session:
        done = session.run("ring of 6", workflow="pi", task="bonds")
    assert done.status == "finished"
    assert done.answers[-1].result.orders == pytest.approx([2 / 3] * 6)
