"""Equal calculations of a batch are computed once, in whichever bundles they are at a time."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.provenance import Activity, Outcome, Run
from tests.warm import program

pytest.importorskip("tblite")

SHORT: dict[str, Any] = {"method": "GFN2-xTB"}


def made(session: Grafico) -> Counter[str]:
    """Return how often each calculation of an energy."""
    return Counter(
        activity.key
        for activity in session.kg.find(Activity)
        if activity.calculation == "tightbinding.single_point"
    )


def test_settings_that_mean_the_same_are_computed_once(tmp_path: Path) -> None:
    """Of a molecule there are no images; each way is in a bundle of its own, at the same time."""
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        shown = session.compare("aspirin", **SHORT, images_apart=[4, 5])
        assert set(made(session).values()) == {1}
        runs = [run.part for run in session.kg.find(Run) if run.part]
        assert sorted(runs) == ["0/0", "0/1"]  # the one that was put off has left none behind
        assert {outcome.status for outcome in session.kg.find(Outcome)} == {"finished"}
        assert not list((tmp_path / "store" / "tasks").iterdir())
    assert shown.status == "finished"


def test_names_of_the_same_molecule_are_computed_once(tmp_path: Path) -> None:
    names = tmp_path / "names.csv"
    names.write_text("name\naspirin\nacetylsalicylic acid\nno such one\naspirin\n")
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        result = session.batch(names, **SHORT).result()
        assert result.counts["finished"] == 3
        assert list(made(session).values()) == [1]


def test_batches_of_two_programs_compute_what_they_share_once(tmp_path: Path) -> None:
    environment = {**os.environ, "GRAFICO_STORE": str(tmp_path / "store")}
    going: list[subprocess.Popen[bytes]] = []
    for name in ("one", "other"):
        source = tmp_path / f"{name}.smi"
        source.write_text("\n".join(f"{'C' * length} {name}-{length}" for length in range(1, 15)))
        words = [*program(), "batch", str(source), "--method", "GFN2-xTB", "--quiet", "-t", "1"]
        going.append(subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL))
    assert [process.wait() for process in going] == [0, 0]
    with Grafico(tmp_path / "store") as session:
        assert sorted(made(session).values()) == [1] * 14
