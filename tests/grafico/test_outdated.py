"""Results whose numbers were wrong: who names them, and that only they are computed again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ogm import GraphModel, KnowledgeGraph, Link
from ontologies.level import LevelOfTheory
from ontologies.provenance import Activity, Device, Outcome, Run, Software
from tests.dft.structures import HYDROGEN, METHYL, WATER, level, single
from tests.typed import typed
from triplestore import open_store
from triplestore.broker.folder import read_holder
from workflows.dft.properties.surface import frequencies
from workflows.engine import Executor

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def version(atoms: Any, theory: LevelOfTheory) -> str:
    return frequencies.bind(atoms, theory).version


def test_the_revision_counts_where_a_kohn_sham_response_is_solved() -> None:
    new = "2+response 2"
    assert version(WATER, level("PBE")) == new
    assert version(WATER, level("B3LYP", solvent="water")) == new
    assert version(METHYL, level("PBE0", reference="unrestricted")) == new
    assert version(WATER, level("HF")) == "2"
    assert version(METHYL, level("HF", reference="unrestricted")) == "2"
    assert version(METHYL, level("PBE", reference="restricted open-shell")) == "2"
    assert version(single(10), level("PBE")) == "2"
    ion = HYDROGEN.model_copy(update={"charge": 1, "multiplicity": 2})
    assert version(ion, level("PBE", reference="unrestricted")) == "2"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A store as it was before: the vibrations of H2, by Hartree–Fock and by PBE."""
    monkeypatch.setenv("GRAFICO_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("COLUMNS", "200")
    with open_store(str(tmp_path / "store")) as store, monkeypatch.context() as before:
        before.setattr(frequencies, "revision", None)
        for method in ("HF", "PBE"):
            theory = level(method)
            call = frequencies.bind(HYDROGEN, theory)
            result = frequencies(HYDROGEN, theory).identified(f"https://example.org/{method}")
            activity = Activity(
                calculation=call.calculation.name,
                version=call.version,
                epoch="1",
                key=call.key,
                family=call.family,
                signature=call.signature,
                used=frozenset((Link[GraphModel](HYDROGEN), Link[GraphModel](theory))),
                generated=Link[GraphModel](result),
                started=NOON,
                ended=NOON,
                wall_time=1,
                threads=1,
                device=Device(kind="cpu", name="one"),
                software=frozenset(),
            )
            run = Run(
                graph="dft",
                goal="frequencies",
                subject=method,
                request="{}",
                started=NOON,
                software=Software(name="Grafico", version="0"),
            )
            outcome = Outcome(
                run=Link(run),
                status="finished",
                message="",
                ended=NOON,
                results=(Link[GraphModel](result),),
            )
            KnowledgeGraph(store).push(result, activity, run, outcome)
    yield tmp_path / "store"
    if holder := read_holder(tmp_path / "store"):
        os.kill(holder.pid, signal.SIGKILL)


def test_outdated_results_are_named_and_no_others(store: Path) -> None:
    done = typed("runs")
    status = {line.split()[1]: line for line in done.stdout.splitlines() if "finished" in line}
    assert "finished, outdated" in status["PBE"]
    assert "outdated" not in status["HF"]
    assert "grafico fsck" in done.stderr
    listed = json.loads(typed("runs", "--json").stdout)
    assert {line["subject"]: line["outdated"] for line in listed} == {"PBE": True, "HF": False}
    done = typed("fsck")
    assert "response 2" in done.stdout
    report = json.loads(typed("fsck", "--json").stdout)
    assert report["counts"]["outdated"] == 1
    assert report["clean"]


def test_only_the_outdated_are_computed_again(store: Path) -> None:
    with open_store(str(store)) as opened:
        executor = Executor(KnowledgeGraph(opened), threads_per_calculation=1)
        try:
            assert executor.recall(frequencies.bind(HYDROGEN, level("HF"))) is not None
            assert executor.recall(frequencies.bind(HYDROGEN, level("PBE"))) is None
        finally:
            executor.close()


def test_the_calculations_of_today_are_found_wherever_they_are_declared() -> None:
    """In a process of its own: what other tests import does not help."""
    module = "workflows.engine.execution.outdated"
    code = f"from {module} import calculations; print(*sorted(calculations()))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(ran.stdout.split()) >= {
        "dft.analysis",
        "dft.density_volume",
        "dft.excitations",
        "dft.fragment_energy",
        "dft.frequencies",
        "dft.optimise",
        "dft.orbital_volume",
        "dft.resolve_level",
        "dft.single_point",
        "dft.stability",
        "dft.thermochemistry",
        "molecule.embed",
    }
