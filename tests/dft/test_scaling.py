"""Factors on wavenumbers: which there are, and what they do to measured molecules."""

from __future__ import annotations

import pytest

from grafico import Grafico
from ontologies.atoms import make_atoms
from ontologies.level import LevelOfTheory
from ontologies.vibrations import VibrationalAnalysis
from workflows.geometry.scaling import factor_of
from workflows.show.blocks import Note, Table
from workflows.show.object_blocks import Around, collect


def at(method: str, basis: str) -> LevelOfTheory:
    return LevelOfTheory(method=method, basis=basis, reference="restricted")


def test_another_source_has_the_same_factor() -> None:
    """HF/6-31G(d): 0.8982 ± 0.0230, K. K. Irikura et al., J. Phys. Chem. A 109, 8430 (2005)."""
    found = factor_of(at("HF", "6-31G*"))
    assert found is not None
    assert found.fundamentals == pytest.approx(0.8982, abs=0.0230)
    assert "2872 (2010)" in found.source
    assert factor_of(at("HF", "STO-3G")) is None


def test_carbon_monoxide() -> None:
    """Measured is 2143.27 cm⁻¹ (G. Guelachvili et al., J. Mol. Spectrosc. 98, 64 (1983))."""
    atoms = make_atoms("CO", numbers=[6, 8], positions=[[0, 0, 0], [0, 0, 1.128]])
    with Grafico("memory:") as session:
        done = session.run(atoms, task="frequencies", method="B3LYP", basis="def2-TZVP")
        plain = session.run(atoms, task="frequencies", method="HF", basis="STO-3G")
    tables, notes = shown(done)
    rows = tables["Vibrations"]
    names = [column.name for column in rows.columns]
    wave, scaled = (rows.rows[0][names.index(one)] for one in ("wavenumbers", "scaled_wavenumbers"))
    assert isinstance(wave, float)
    assert isinstance(scaled, float)
    assert scaled == pytest.approx(0.959 * wave)
    assert abs(scaled - 2143.27) < abs(wave - 2143.27)
    assert scaled == pytest.approx(2143.27, rel=0.015)
    assert any("× 0.959" in note and "version 5" in note for note in notes)
    tables, notes = shown(plain)
    assert "scaled_wavenumbers" not in [column.name for column in tables["Vibrations"].columns]
    assert any("No factor for fundamentals is known for HF/STO-3G" in note for note in notes)


def shown(done: object) -> tuple[dict[str, Table], list[str]]:
    """Return tables by their titles, and notes."""
    answers = getattr(done, "answers")  # noqa: B009
    (found,) = [one for one in answers if isinstance(one.result, VibrationalAnalysis)]
    blocks = [block for _, block in collect(found.result, Around(()), found.recorded)]
    tables = {block.title: block for block in blocks if isinstance(block, Table)}
    return tables, [block.text for block in blocks if isinstance(block, Note)]
