"""Orbitals as Molden files: what other programs read, and values by the rules of the format."""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ogm import GraphModel
from ontologies.atoms import make_atoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import EnergyResult
from ontologies.units import Floats
from ontologies.vibrations import VibrationalAnalysis
from tests.conftest import Need
from triplestore.errors import InputError
from workflows.dft.properties.molden import molden, orbitals_of
from workflows.dft.properties.volumes import values_of

IODOMETHANE = """5

C 0 0 0
I 0 0.3 2.11
H 1.03 0 -0.36
H -0.515 0.892 -0.36
H -0.515 -0.892 -0.36
"""
HYDROXYL = "2\nmultiplicity=2\nO 0.1 0 0\nH 0 0.5 0.84\n"
BOHR = 0.529177210903
"""Å (CODATA 2018)."""


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with Grafico("memory:") as one:
        yield one


def written(session: Grafico, folder: Path, xyz: str, **options: Any) -> tuple[Any, Path]:
    (folder / "m.xyz").write_text(xyz)
    found = session.run(folder / "m.xyz", task="energy", **options)
    result = session.kg.pull(GraphModel, found.answers[-1].recorded)
    path = folder / "m.molden"
    path.write_text(session.write(found.run, to="molden"))
    return result, path


def test_iodine_with_a_core_potential(session: Grafico, tmp_path: Path, need: Need) -> None:
    """Open Babel finds the element and no fault; 34 electrons are left of 62."""
    program = need("obabel")
    result, path = written(session, tmp_path, IODOMETHANE, method="HF", basis="def2-SVP")
    done = subprocess.run(
        [program, "-imolden", path, "-oxyz"], capture_output=True, text=True, check=True
    )
    assert "WARNING" not in done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[2:7]]
    assert [row[0] for row in rows] == ["C", "I", "H", "H", "H"]
    places = np.array([row[1:] for row in rows], float)
    assert np.abs(places - result.atoms.positions).max() < 1e-5
    text = path.read_text()
    assert "[Core]\n2 : 28\n[Nval]\nI 25\n" in text
    occupations = [float(one) for one in re.findall(r"Occup= +(\S+)", text)]
    assert sum(occupations) == 34
    assert len(occupations) == 55  # def2-SVP: 14 for C, 26 for I, 5 for each H


def test_pyscf_finds_the_same_energy(session: Grafico, tmp_path: Path) -> None:
    """The energy of the determinant that PySCF's own reader makes of the file."""
    from pyscf import scf
    from pyscf.tools import molden as reader

    options = {"method": "HF", "basis": "cc-pVTZ", "cartesian": True}
    result, path = written(session, tmp_path, HYDROXYL, **options)
    with redirect_stderr(io.StringIO()) as told:
        loaded: Any = reader.load(str(path))
    mol, energies, coefficients, occupations = loaded[:4]
    assert "TITLE" in told.getvalue()  # and nothing else that it does not know
    assert told.getvalue().count("Unknown") == 1
    mean: Any = scf.UHF(mol)
    assert sum(map(sum, occupations)) == 9
    density = mean.make_rdm1(np.array(coefficients), np.array(occupations))
    assert mean.energy_tot(density) == pytest.approx(result.energy, abs=1e-8)
    assert max(energies[0][:5].max(), energies[1][:4].max()) == pytest.approx(result.homo)


def _radial(lines: list[str], power: int) -> Callable[[Floats], Floats]:
    """Return the sum of primitives, each of which is normalised as x^power."""
    pairs = np.array([line.split() for line in lines], float)
    exponents, weights = pairs.T
    double = np.prod(np.arange(2 * power - 1, 0, -2), initial=1)
    norms = (2 * exponents / np.pi) ** 0.75 * (4 * exponents) ** (power / 2) / double**0.5
    overlaps = (4 * np.outer(exponents, exponents)) ** (power / 2 + 0.75)
    overlaps /= np.add.outer(exponents, exponents) ** (power + 1.5)
    weights = weights / np.sqrt(weights @ overlaps @ weights)
    return lambda square: (weights * norms) @ np.exp(-np.outer(exponents, square))


def _amplitudes(text: str, orbital: int, places: Floats) -> Floats:
    """Evaluate an orbital at points in bohr, by the description of the format alone."""
    head, rest = text.split("[GTO]")
    atoms = [line.split() for line in head.split("[Atoms] AU\n")[1].splitlines()]
    centres = {row[1]: np.array(row[3:6], float) for row in atoms if len(row) == 6}
    shells, orbitals = rest.split("[MO]")
    cartesian = "[6d]" in shells
    functions = list[Floats]()
    centre = np.zeros(3)
    lines = iter(shells.split("[")[0].splitlines())
    for line in lines:
        words = line.split()
        if words[1:] == ["0"]:
            centre = centres[words[0]]
        elif words:
            kind = "spd".index(words[0])
            radial = _radial([next(lines) for _ in range(int(words[1]))], kind)
            x, y, z = (places - centre).T
            square = x * x + y * y + z * z
            root = 3**0.5
            six = [x * x, y * y, z * z, root * x * y, root * x * z, root * y * z]
            five = [z * z - (x * x + y * y) / 2, six[4], six[5], root / 2 * (x * x - y * y), six[3]]
            angular = [[np.ones_like(x)], [x, y, z], six if cartesian else five][kind]
            functions += [radial(square) * part for part in angular]
    block = orbitals.split(" Sym=")[orbital]
    pairs = [line.split() for line in block.splitlines() if re.match(r"\s+\d+\s", line)]
    assert [int(one) for one, _ in pairs] == list(range(1, len(functions) + 1))
    return np.array([float(one) for _, one in pairs]) @ np.array(functions)


@pytest.mark.parametrize("cartesian", [True, False])
@pytest.mark.parametrize("orbital", [3, 9])
def test_values_at_points(session: Grafico, tmp_path: Path, cartesian: bool, orbital: int) -> None:
    """The orbital of the file is that of the cube, with five and with six d functions."""
    options = {"method": "HF", "basis": "6-31G*", "cartesian": cartesian}
    result, path = written(session, tmp_path, HYDROXYL, **options)
    volume = session.cube(result, orbital=str(orbital), spacing=0.6).result
    values = values_of(volume)
    steps = np.moveaxis(np.indices(values.shape), 0, -1).reshape(-1, 3)
    places = (volume.origin + steps @ volume.axes) / BOHR
    found = _amplitudes(path.read_text(), orbital, places)
    assert np.abs(values).max() > 0.05
    assert np.abs(found - values.ravel()).max() < 1e-7


def test_a_turned_molecule_has_its_own(session: Grafico, tmp_path: Path) -> None:
    first, path = written(session, tmp_path, HYDROXYL, method="HF", basis="STO-3G")
    turned = make_atoms(
        "OH",
        numbers=[8, 1],
        positions=first.atoms.positions @ [[0, 1, 0], [-1, 0, 0], [0, 0, 1]],
        multiplicity=2,
    )
    found = session.run(turned, task="energy", method="HF", basis="STO-3G")
    assert found.answers[-1].reused
    moved = found.answers[-1].result
    call = orbitals_of(moved)
    assert call is not None
    again, _ = molden(moved, session.wait_for(lambda: session.executor.run(call)).result)
    place = [float(one) for one in again.split("[Atoms] AU\n")[1].split()[9:12]]
    assert place == pytest.approx(turned.positions[1] / BOHR, abs=1e-6)
    pairs = ((path.read_text(), (0.3, 0.9, 0.4)), (again, (-0.9, 0.3, 0.4)))
    values = [_amplitudes(text, 3, np.array([where])) for text, where in pairs]
    assert abs(values[0][0]) == pytest.approx(abs(values[1][0]), abs=1e-6)


def test_what_the_format_cannot_hold(session: Grafico, tmp_path: Path) -> None:
    path = tmp_path / "h.xyz"
    path.write_text("2\n\nH 0 0 0\nLi 0 0 1.6\n")
    found = session.run(path, task="energy", method="GFN2-xTB")
    with pytest.raises(InputError, match="a TightBinding has not"):
        session.write(found.run, to="molden")
    atoms = make_atoms("N", numbers=[7], positions=[[0, 0, 0]], multiplicity=4)
    level = LevelOfTheory(method="HF", basis="cc-pV5Z", reference="unrestricted")
    with pytest.raises(InputError, match="beyond g for N"):
        orbitals_of(EnergyResult(atoms=atoms, level=level, energy=-0.5))


@pytest.mark.parametrize("options", [{"method": "GFN2-xTB"}, {"method": "HF", "basis": "STO-3G"}])
def test_open_babel_finds_the_modes(
    session: Grafico, tmp_path: Path, need: Need, options: Any
) -> None:
    """Read and written again by it: wavenumbers, and displacements of each mode."""
    program = need("obabel")
    (tmp_path / "w.xyz").write_text("3\n\nO 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\n")
    found = session.run(tmp_path / "w.xyz", task="frequencies", **options)
    path = tmp_path / "w.molden"
    text = session.write(found.run, to="molden")
    path.write_text(text)
    assert ("[MO]" in text) == ("basis" in options)
    made = [session.kg.pull(GraphModel, answer.recorded) for answer in found.answers]
    (vibrations,) = [one for one in made if isinstance(one, VibrationalAnalysis)]
    done = subprocess.run(
        [program, "-imolden", path, "-omolden"], capture_output=True, text=True, check=True
    )
    waves = done.stdout.split("[FREQ]\n")[1].split("[")[0].split()
    assert np.array(waves, float) == pytest.approx(vibrations.wavenumbers, abs=0.01)
    modes = done.stdout.split("[FR-NORM-COORD]\n")[1].split("[")[0].split("vibration")[1:]
    assert len(modes) == 3
    for block, mode in zip(modes, vibrations.modes, strict=True):
        moved = np.array(block.split()[1:], float).reshape(3, 3)
        scale = np.linalg.norm(moved)
        assert np.abs(moved / scale - mode).max() < 1e-3
