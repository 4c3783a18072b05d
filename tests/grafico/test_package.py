"""The verbs of a session as functions of the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import grafico

SCRIPT = """
from grafico import run, optimise
import grafico
first = run("O", "GFN2-xTB")
relaxed = optimise("O", "GFN2-xTB")
assert relaxed.energy < first.energy
assert grafico.result("last").run == relaxed.run
assert len(grafico.runs()) == 2
with grafico.Grafico() as session:  # beside the one that is open
    assert session.run("O", "GFN2-xTB").reused
print("done")
"""


def test_verbs_are_functions_of_one_session(tmp_path: Path) -> None:
    said = {**os.environ, "GRAFICO_STORE": str(tmp_path / "store"), "HOME": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT],
        env=said,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout.strip()) == (0, "done"), ran.stderr


def test_the_package_names_them() -> None:
    assert {"Grafico", "run", "conformers", "compare", "result", "read"} <= set(dir(grafico))
    assert not {"close", "kg"} & set(dir(grafico))


def test_what_is_none_is_told() -> None:
    for none in ("foo", "Session", "gfn2"):
        with pytest.raises(AttributeError, match=r"grafico\.Grafico\(\)\.run"):
            getattr(grafico, none)
