"""Z-matrices in inputs of Gaussian, against Open Babel and against what was asked for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from ase import Atoms

from tests.conftest import Need
from triplestore.errors import InputError
from workflows.molecule import read_content

HEAD = "# hf/sto-3g\n\nperoxide\n\n0 1\n"
PEROXIDE = """O1
O2 1 r
H3 O1 oh O2 a
H4 O2 oh O1 a H3 d
X 1 1.0 2 90. 4 180.0

r=1.46
oh 0.97
a=100.5
d=-115.2

"""
CHIRAL = """C
F 1 1.35
Cl 1 1.77 2 109.0
Br 1 1.93 2 108.5 3 121.0
H 1 1.09 2 109.9 3 -118.0

"""


def read(tmp_path: Path, rows: str) -> Atoms:
    path = tmp_path / "a.gjf"
    path.write_text(HEAD + rows)
    return read_content(path).atoms.to_ase()


def test_it_has_the_distances_and_angles_that_it_says(tmp_path: Path) -> None:
    atoms = read(tmp_path, PEROXIDE)
    assert atoms.get_chemical_symbols() == ["O", "O", "H", "H"]  # no dummy
    assert atoms.get_distance(0, 1) == pytest.approx(1.46)
    assert atoms.get_distance(1, 3) == pytest.approx(0.97)
    assert atoms.get_angle(1, 0, 2) == pytest.approx(100.5)
    assert atoms.get_dihedral(2, 0, 1, 3) == pytest.approx(360 - 115.2)


def test_it_is_no_mirror_image_of_what_open_babel_makes(tmp_path: Path, need: Need) -> None:
    need("obabel")
    ours = read(tmp_path, CHIRAL).positions
    (tmp_path / "a.gzmat").write_text(HEAD + CHIRAL)
    done = subprocess.run(
        [shutil.which("obabel") or "", "-igzmat", str(tmp_path / "a.gzmat"), "-oxyz"],
        check=True,
        capture_output=True,
        text=True,
    )
    rows = [line.split()[1:] for line in done.stdout.splitlines()[2:7]]
    theirs = np.array(rows, float)

    def volume(places: np.ndarray) -> float:
        return float(np.linalg.det(places[1:4] - places[0]))

    assert volume(ours) == pytest.approx(volume(theirs), rel=1e-3)
    apart = np.linalg.norm(ours[:, None] - ours[None], axis=-1)
    assert np.abs(apart - np.linalg.norm(theirs[:, None] - theirs[None], axis=-1)).max() < 1e-4


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ("O\nH 1 r\n\n", "'r' has no value below"),
        ("O\nH 2 0.96\n\n", "no other atom before it"),
        ("O\nH 1 0.96\nH 1 0.96 1 104\n\n", "no other atom before it"),
        ("O\nH 1 -0.96\n\n", "a distance of -0.96 cannot be"),
        ("O\nH 1 0.96\nH 1 0.96 2 204\n\n", "an angle of 204° cannot be"),
        ("O\nO 1 1.2\nO 2 1.2 1 180\nH 3 1 2 100 1 60\n\n", "lie in a line"),
        ("O\nH 1 0.96\nH 1 0.96\n\n", "has 2 pairs"),
        ("O\nQq 1 0.96\n\n", "no element 'Qq'"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, rows: str, found: str) -> None:
    with pytest.raises(InputError, match=found):
        read(tmp_path, rows)
