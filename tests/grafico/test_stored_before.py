"""A store of an earlier version is read, searched, checked and brought up to date.

`stored/first.zip` is a backup that Grafico made before results had numbers beside their arrays,
runs their periods and structures their substances: water at HF/STO-3G with frequencies, formic
acid, water at B3LYP/STO-3G with frequencies, excited states of formaldehyde, density-fitted water,
and the spin states of O2.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ogm import migrate
from ogm.keeping import restore
from ogm.keeping.check import check_store
from ontologies import (
    Activity,
    FrequencyAnalysis,
    Identification,
    LevelOfTheory,
    Run,
    SpinStateScan,
    Thermochemistry,
)
from ontologies.quantum import ElectronicResult
from triplestore import Table

BACKUP = Path(__file__).with_name("stored") / "first.zip"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grafico]:
    with Grafico(tmp_path_factory.mktemp("before") / "store", threads_per_calculation=1) as opened:
        restore(opened.kg, BACKUP)
        yield opened


def test_every_object_is_read(session: Grafico) -> None:
    assert len(session.kg.find(ElectronicResult)) == 10
    assert len(session.kg.find(Run)) == 6
    assert len(session.kg.find(SpinStateScan)) == 1
    assert all(result.dipole_moment is not None for result in session.kg.find(ElectronicResult))
    assert session.kg.find(Activity)
    assert session.kg.find(LevelOfTheory)


def test_its_runs_are_listed_and_what_was_wrong_is_named(session: Grafico) -> None:
    lines = session.runs()
    assert [line.subject for line in lines] == ["O=O", "O", "C=O", "water.xyz", "OC=O", "water"]
    assert [line.subject for line in lines if line.outdated] == ["water.xyz"]
    report = check_store(session.kg)
    assert report.clean


def test_what_was_right_is_remembered(session: Grafico) -> None:
    asked: dict[str, Any]
    for molecule, asked in (
        ("water", {"task": "frequencies"}),
        ("OC=O", {}),
        ("C=O", {"states": 2}),
    ):
        result = session.run(molecule, method="HF", basis="STO-3G", **asked)
        assert result.reused, molecule


def test_it_is_searched_and_brought_up_to_date(session: Grafico) -> None:
    assert session.kg.find(Identification) == []
    found = session.find("O")
    assert {hit.level for hit in found} >= {"HF/STO-3G", "B3LYP/STO-3G"}
    assert {hit.smiles for hit in session.find("O=CO")} == {"O=CO"}
    asked = "SELECT ?r { ?r g:lowestWavenumber ?lowest }"
    migrated = migrate(session.kg)
    assert migrated["FrequencyAnalysis"] == 2
    assert migrated["Run"] == 6
    answer = session.query(asked)
    assert isinstance(answer, Table)
    assert len(answer.rows) == 2
    assert migrate(session.kg) == {}
    assert check_store(session.kg).clean
    for analysis in session.kg.find(FrequencyAnalysis):
        assert analysis.lowest_wavenumber == pytest.approx(analysis.wavenumbers.min())
    assert len(session.kg.find(Thermochemistry)) == 2
