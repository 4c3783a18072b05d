"""What rules of fragments estimate of a molecule, against what is published."""

from __future__ import annotations

import pytest

from grafico import Grafico


def facts(session: Grafico, molecule: str) -> dict[str, str | float]:
    return {one.name: one.value for one in session.lookup(molecule)}


@pytest.mark.parametrize(
    ("molecule", "area", "log_p"),
    [("aspirin", 63.6, 1.19), ("paracetamol", 49.3, 0.46), ("toluene", 0.0, 2.73)],
)
def test_estimates_are_near_what_is_published(
    session: Grafico, molecule: str, area: float, log_p: float
) -> None:
    """Polar surfaces of PubChem; logP as measured: C. Hansch, A. Leo, D. Hoekman (1995)."""
    found = facts(session, molecule)
    assert found["polar surface"] == area
    assert float(found["logP"]) == pytest.approx(log_p, abs=1.0)
    assert found["rotatable bonds"] == {"aspirin": "2", "paracetamol": "1"}.get(molecule, "0")


@pytest.mark.parametrize(
    "smiles", ["CC(=O)[O-]", "CC(=O)[O-].[Na+]", "[Fe]", "O", "[CH3]", "C" * 60]
)
def test_of_what_the_rules_do_not_know_nothing_is_estimated(session: Grafico, smiles: str) -> None:
    assert "logP" not in facts(session, smiles)
