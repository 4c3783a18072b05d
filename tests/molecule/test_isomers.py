"""Isomers that are compared: tautomers, and configurations that a notation leaves open."""

from __future__ import annotations

import pytest

from workflows.molecule.isomers import MOST, diastereomers, tautomers


@pytest.mark.parametrize(
    ("smiles", "number"),
    [
        ("CC=CC", 2),  # cis and trans
        ("CC(Cl)C(C)Cl", 2),  # meso, and a pair of mirror images
        ("CC(F)Cl", 1),  # a pair of mirror images
        ("C/C=C/C", 1),  # said already
        ("CC(F)C(Cl)Br", 2),
    ],
)
def test_mirror_images_stand_once(smiles: str, number: int) -> None:
    assert len(diastereomers(smiles)) == number


def test_tautomers() -> None:
    assert tautomers("CC(C)=O") == ["CC(C)=O", "C=C(C)O"]
    assert tautomers("C") == ["C"]
    assert {"O=c1cccc[nH]1", "Oc1ccccn1"} <= {*tautomers("Oc1ccccn1")}
    assert len(tautomers("O=C1NC(=O)NC(=O)C1")) <= MOST
