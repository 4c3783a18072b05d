"""Other cells of a crystal, and its CIF with symmetry, read back by other programs."""

from __future__ import annotations

import re
import shutil
import subprocess
from io import StringIO
from pathlib import Path
from typing import Any

import ase.io
import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from tests.compression.test_compression import QUARTZ, diamond
from tests.typed import typed
from triplestore.errors import InputError
from workflows.crystal.cells import standard, supercell, symmetric_cif
from workflows.crystal.surface import cell_of
from workflows.molecule.files import read_file


def shells(positions: Any, cell: Any, numbers: Any) -> list[tuple[float, ...]]:
    """Return the distances within 4 Å from each atom, by element, each kind of list once."""
    steps = np.array(np.meshgrid(*[range(-4, 5)] * 3)).reshape(3, -1).T @ np.array(cell)
    kinds: set[tuple[float, ...]] = set()
    for number, place in zip(numbers, positions, strict=True):
        far = np.linalg.norm(positions[:, None] + steps[None] - place, axis=2).ravel()
        near = sorted(round(float(one), 2) for one in far if 0.1 < one < 4.0)
        kinds.add((float(number), *near))
    return sorted(kinds)


def alike(one: ConceptualAtoms, other: Any) -> None:
    """Check that a crystal is that of ASE: as dense, with the same surroundings of each atom."""
    ratio = len(other) / len(one.numbers)
    volume = abs(float(np.linalg.det(cell_of(one))))
    assert other.get_volume() == pytest.approx(volume * ratio, rel=1e-4)
    ours = shells(one.positions, cell_of(one), one.numbers)
    theirs = shells(other.get_positions(), other.cell[:], other.numbers)
    assert len(ours) == len(theirs)
    for mine, its in zip(ours, theirs, strict=True):
        assert np.allclose(mine, its, atol=0.011)


@pytest.mark.parametrize(
    ("atoms", "group", "kinds"),
    [(diamond(3.57), "Fd-3m (227)", 1), (QUARTZ, "P3_221 (154)", 2)],
)
def test_a_cif_with_symmetry_is_read_by_other_programs(
    atoms: ConceptualAtoms, group: str, kinds: int, tmp_path: Path
) -> None:
    text, note = symmetric_cif(atoms, "a crystal")
    assert group in note
    assert text.count("\n  C ") + text.count("\n  Si ") + text.count("\n  O ") == kinds
    alike(atoms, ase.io.read(StringIO(text), format="cif"))
    path = tmp_path / "symmetric.cif"
    path.write_text(text)
    again = read_file(path)
    alike(again, ase.io.read(StringIO(text), format="cif"))
    babel = shutil.which("obabel")
    if babel is None:
        pytest.skip("Open Babel is not there")
    made = tmp_path / "filled.xyz"
    subprocess.run(
        [babel, str(path), "--fillUC", "strict", "-O", str(made)], check=True, capture_output=True
    )
    assert len(ase.io.read(made)) == len(again.numbers)


def test_primitive_conventional_and_supercells_are_the_same_crystal() -> None:
    start = diamond(3.57)
    whole = standard(start, "conventional")
    assert len(whole.numbers) == 8
    assert cell_of(whole) == pytest.approx(3.57 * np.eye(3), abs=1e-9)
    small = standard(supercell(whole, "2x1x1"), "primitive")
    assert len(small.numbers) == 2
    large = supercell(start, "2x1x3")
    assert len(large.numbers) == 12
    for one in (whole, small, large):
        made = ase.Atoms(one.numbers, one.positions, cell=cell_of(one), pbc=True)
        alike(start, made)
    assert standard(start, "as given") is start


@pytest.mark.parametrize(
    ("times", "told"),
    [("2x2", "no numbers"), ("0", "no numbers"), ("-1", "no numbers"), ("99x99x99", "allowed")],
)
def test_a_supercell_that_cannot_be_is_refused(times: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        supercell(diamond(3.57), times)


def test_a_molecule_has_no_cells() -> None:
    for options in (("--repeat", "2"), ("--cell", "primitive"), ("--symmetry",)):
        assert "is a molecule" in typed("convert", "water", *options, status=2).stderr


def test_convert_writes_them(tmp_path: Path) -> None:
    first = tmp_path / "first.cif"
    first.write_text(symmetric_cif(diamond(3.57), "")[0])
    done = typed("convert", first, "--cell", "primitive", "--repeat", "2", "--to", "extxyz")
    found: Any = ase.io.read(StringIO(done.stdout), format="extxyz")
    assert len(found) == 16
    alike(diamond(3.57), found)
    told = typed("convert", first, "--symmetry")
    assert "_symmetry_equiv_pos_as_xyz" in told.stdout
    assert "Fd-3m" in told.stderr
    assert "CIF alone" in typed("convert", first, "--symmetry", "--to", "xyz", status=2).stderr


def test_a_relaxed_crystal_is_written_as_cif(tmp_path: Path) -> None:
    """The conventional cell's length is told: √2 times that of the primitive one."""
    first, last = tmp_path / "first.cif", tmp_path / "last.cif"
    first.write_text(symmetric_cif(standard(diamond(3.57), "primitive"), "")[0])
    typed("convert", first, "--cell", "primitive", "-o", tmp_path / "small.cif")
    words = ("--method", "GFN1-xTB", "--task", "optimise", "--relax-cell", "-t", "1", "--quiet")
    done = typed("run", tmp_path / "small.cif", *words, "-o", last)
    found: Any = ase.io.read(last)
    assert len(found) == 2
    told = re.search(r"conventional cell a, b, c +([\d.]+), ([\d.]+), ([\d.]+) Å", done.stdout)
    assert told is not None
    sides = [float(one) for one in told.groups()]
    assert sides == pytest.approx([np.sqrt(2) * found.cell.lengths()[0]] * 3, abs=2e-4)
