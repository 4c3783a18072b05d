"""A campaign over several frameworks: built, relaxed and measured, killed midway, ranked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.crystals import CrystalRelaxation
from ontologies.mofs import Framework, PoreAnalysis
from workflows.engine.execution.events import Event

pytest.importorskip("pormake")
pytest.importorskip("tblite")

DESIGNS = "design,family\nsrs N19 E44,nitride\nsrs N19 -,nitride\npcu N409 E14,paddlewheel\n"
"""Triazine rings, joined by acetylene (12 steps) and directly (2), and a node that does not fit."""

ASKED: dict[str, Any] = {
    "workflow": "mof build",
    "relax_at": "GFN1-xTB",
    "convergence": "loose",
    "measure": True,
    "area_samples": 50,
    "volume_samples": 500,
}


def command(source: Path) -> list[str]:
    """Return the command that does the same at the shell."""
    words = ["--workflow", "mof build", "--relax-at", "GFN1-xTB", "--convergence", "loose"]
    few = ["--measure", "--area-samples", "50", "--volume-samples", "500", "-t", "1", "--quiet"]
    return [sys.executable, "-m", "grafico", "batch", str(source), *words, *few]


def frames_of(store: Path) -> int:
    """Return how many frames the longest relaxation under way has told."""
    lines = [path.read_text().splitlines() for path in store.glob("tasks/*/frames.jsonl")]
    return max((len(one) for one in lines if one and "max_gradient" in one[-1]), default=0)


def test_a_campaign_that_is_killed_goes_on_at_its_frame_and_is_ranked(tmp_path: Path) -> None:
    source, store = tmp_path / "designs.csv", tmp_path / "store"
    source.write_text(DESIGNS)
    environment = {**os.environ, "GRAFICO_STORE": str(store)}
    with subprocess.Popen(
        command(source),
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as campaign:
        while (told := frames_of(store)) < 4 and campaign.poll() is None:
            time.sleep(0.01)
        os.killpg(campaign.pid, signal.SIGKILL)
    assert campaign.returncode == -signal.SIGKILL
    steps: list[int] = []

    def hear(event: Event) -> None:
        if event.kind == "frame" and "step" in event.data:
            steps.append(event.data["step"])

    with Grafico(store, threads_per_calculation=1) as session:
        whole = session.kg.find(CrystalRelaxation)
        assert 72 not in [len(one.atoms.numbers) for one in whole], "it was killed on its way"
        session.executor.events.call(hear)
        done = session.run("srs N19 E44", **ASKED)
        assert done.status == "finished"
        assert min(steps) >= told, "frames that were there are not computed again"
        batch = session.batch(source, said={"of": "framework design"}, **ASKED)
        table = batch.frame().set_index("name")
        assert dict(table["status"]) == {
            "srs N19 E44": "finished",
            "srs N19 -": "finished",
            "pcu N409 E14": "failed",
        }
        assert "N409 has 4" in table["reason"]["pcu N409 E14"]
        led = session.kg.find(CrystalRelaxation)
        assert [one.converged for one in led] == [True, True]
        assert len(session.kg.find(Framework, framework_origin="relaxed")) == 2
        assert len(session.kg.find(PoreAnalysis)) == 2
        again = session.batch(source, said={"of": "framework design"}, **ASKED).result()
        assert again.remarks[-1].startswith("3 of 3 were done before")
        ranked = session.run(workflow="mof explore", rank_by="area").found
        assert ranked.framework_origins == ("relaxed", "relaxed")
        assert ranked.framework_labels == ("srs N19 E44", "srs N19")
        assert ranked.areas is not None
        assert ranked.areas[0] > ranked.areas[1] > 0
