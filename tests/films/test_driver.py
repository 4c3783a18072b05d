"""A driver that another package brings, as it is installed, commands the real station."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from tests.agreeing import agreeing
from triplestore.errors import ComponentError, ConsentError, GraficoError

DRIVER = """
from tests.films.conftest import LabStation

def of(name):
    return LabStation(name) if name == "left bench" else None
"""


def install(folder: Path, module: str, text: str) -> None:
    (folder / f"{module}.py").write_text(text, encoding="utf-8")
    about = folder / f"{module}-1.dist-info"
    about.mkdir()
    (about / "entry_points.txt").write_text(f"[grafico.drivers]\nof = {module}:of\n")


def test_the_driver_of_that_name_is_commanded_after_a_yes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "bench_driver", DRIVER)
    monkeypatch.syspath_prepend(str(tmp_path))
    with Grafico(str(tmp_path / "store")) as session:
        asked: Any = {"workflow": "films", "vial": "polymer_A"}
        with pytest.raises(ConsentError, match="nobody agreed"):
            session.run(station="left bench", **asked)
        with agreeing():
            done = session.run(station="left bench", **asked)
            assert done.status == "finished"
            assert done.state.at.vial_at == "clamp"
            with pytest.raises(GraficoError, match="no driver is connected to right bench here"):
                session.run(station="right bench", **asked)
        ready = session.wait_for(lambda: session.prepare_async(station="right bench", **asked))
        assert [one for one in ready.remarks if one.startswith("no driver is connected here")]
        assert len(ready.plans().first() or ()) == 7, "nothing has moved"


def test_a_driver_that_cannot_be_imported_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "broken_driver", "raise OSError('no line')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with (
        Grafico("memory:") as session,
        pytest.raises(ComponentError, match="broken_driver:of cannot be used: OSError: no line"),
    ):
        session.run(workflow="films", vial="polymer_A")
