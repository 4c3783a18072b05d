"""Oxygen balances are those that are published; they are told beside a group, and stop nothing."""

from __future__ import annotations

import pytest

from tests.typed import typed
from workflows.controlled.gate import gate
from workflows.controlled.oxygen import oxygen_balance

PUBLISHED = [  # R. Meyer, J. Köhler, A. Homburg, Explosives, 6th ed. (2007), in %
    ("trinitrotoluene", "Cc1c(cc(cc1[N+](=O)[O-])[N+](=O)[O-])[N+](=O)[O-]", -73.9),
    ("nitroglycerin", "O=[N+]([O-])OCC(CO[N+](=O)[O-])O[N+](=O)[O-]", 3.5),
    ("PETN", "C(CO[N+](=O)[O-])(CO[N+](=O)[O-])(CO[N+](=O)[O-])CO[N+](=O)[O-]", -10.1),
    ("RDX", "C1N(CN(CN1[N+](=O)[O-])[N+](=O)[O-])[N+](=O)[O-]", -21.6),
    ("picric acid", "Oc1c(cc(cc1[N+](=O)[O-])[N+](=O)[O-])[N+](=O)[O-]", -45.4),
    ("ammonium nitrate", "[NH4+].[O-][N+](=O)[O-]", 20.0),
    ("nitromethane", "C[N+](=O)[O-]", -39.3),
    ("carbon dioxide", "O=C=O", 0.0),
]


@pytest.mark.parametrize(("name", "smiles", "percent"), PUBLISHED)
def test_balances_are_those_that_are_published(name: str, smiles: str, percent: float) -> None:
    assert oxygen_balance(smiles) == pytest.approx(percent, abs=0.1), name


@pytest.mark.parametrize("smiles", ["CCl", "[Na+].[N-]=[N+]=[N-]", "C1CC(", "", "*C"])
def test_of_others_there_is_none(smiles: str) -> None:
    assert oxygen_balance(smiles) is None


def test_it_is_told_beside_a_group_that_explosives_have_and_stops_nothing() -> None:
    told = typed("controlled", "[N-]=[N+]=NCCc1ccccc1; ethanol").stdout
    assert "azide" in told
    assert "oxygen balance -223 %" in told
    assert told.count("oxygen balance") == 1  # none beside what has no such group
    assert not gate(["[N-]=[N+]=NCCc1ccccc1"]).stops
