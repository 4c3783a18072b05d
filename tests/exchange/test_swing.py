"""A mode of vibration as a film: which way atoms go, and that it ends where it began."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ase.io import read

from grafico import Grafico
from ontologies.vibrations import VibrationalAnalysis
from triplestore.errors import InputError


def test_the_stretch_of_carbon_monoxide(tmp_path: Path) -> None:
    """Both atoms go along the bond, the lighter one farther, as their masses are."""
    with Grafico("memory:") as session:
        done = session.run("[C-]#[O+]", task="frequencies", method="GFN2-xTB")
        for form in ("xyz", "extxyz", "sdf"):
            (tmp_path / f"mode.{form}").write_text(session.write(done, mode=1, to=form))
        with pytest.raises(InputError, match="it has 1 mode"):
            session.write(done, mode=2)
        with pytest.raises(InputError, match="choose extxyz, xyz, sdf"):
            session.write(done, mode=1, to="cif")
        energy = session.run("[C-]#[O+]", method="GFN2-xTB")
        with pytest.raises(InputError, match="no vibrations"):
            session.write(energy, mode=1)
        (found,) = [one.result for one in done.answers
                    if isinstance(one.result, VibrationalAnalysis)]  # fmt: skip
    frames: Any = read(tmp_path / "mode.xyz", ":")
    assert len(frames) == len(read(tmp_path / "mode.extxyz", ":")) == 20
    assert (tmp_path / "mode.sdf").read_text().count("$$$$") == 20
    assert frames[0].positions == pytest.approx(found.atoms.positions, abs=1e-6)
    assert frames[10].positions == pytest.approx(found.atoms.positions, abs=1e-6)
    moved = frames[5].positions - frames[0].positions
    far = np.linalg.norm(moved, axis=1)
    assert far[0] == pytest.approx(0.2, abs=1e-6)
    assert far[0] / far[1] == pytest.approx(15.999 / 12.011, rel=1e-3)
    assert moved[0] @ moved[1] < 0
