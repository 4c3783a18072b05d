"""``grafico cube``: orbitals and densities of results as cube files, remembered like all else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ase.io.cube import read_cube_data
from click.testing import CliRunner, Result

from grafico import ConceptualAtoms, Grafico
from grafico.cli.app import main
from ontologies.quantum import ElectronicResult
from triplestore.errors import InputError

BOHR = 0.529177210544  # CODATA 2022
WATER = ConceptualAtoms(
    numbers=[8, 1, 1], positions=[[0, 0, 0.12], [0, 0.76, -0.48], [0, -0.76, -0.48]]
)
HYDROGEN = ConceptualAtoms(numbers=[1], positions=[[0, 0, 0]])


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cubes") / "store"


@pytest.fixture(scope="module")
def session(store: Path) -> Iterator[Grafico]:
    with Grafico(store, threads_per_calculation=1) as grafico:
        yield grafico


@pytest.fixture(scope="module")
def results(session: Grafico) -> dict[str, Any]:
    asked: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
    return {
        "water": session.run(WATER, **asked),
        "hydrogen": session.run(HYDROGEN, **asked),
    }


@pytest.fixture(scope="module")
def runs(results: dict[str, Any]) -> dict[str, str]:
    return {**{name: one.run for name, one in results.items()}, "atoms": WATER.iri}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cube(store: Path, *words: str) -> Result:
    given = ["cube", *words, "--store", str(store), "-t", "1", "--quiet"]
    return CliRunner().invoke(main, given)


def test_an_orbital_is_written_and_remembered(store, results, runs, folder) -> None:
    done = cube(store, runs["water"], "--orbital", "homo")
    assert done.exit_code == 0, done.output
    assert "orbital 5 of H2O" in done.output
    path = folder / "H2O-homo.cube"
    read: Any = read_cube_data(path)
    values, atoms = read
    voxel = abs(np.linalg.det(atoms.cell.array)) / values.size / BOHR**3
    assert float((values**2).sum() * voxel) == pytest.approx(1.0, abs=2e-3)
    assert atoms.get_chemical_symbols() == ["O", "H", "H"]
    assert np.allclose(
        atoms.positions - atoms.positions[0], WATER.positions - WATER.positions[0], atol=1e-5
    )
    # the highest orbital of water is the lone pair: it changes sign across the molecule's plane
    assert np.abs(values + values[::-1]).max() < 0.3 * np.abs(values).max()

    recorded = results["water"].answers[-1].recorded
    again = cube(store, recorded, "--orbital", "homo", "-o", "again.cube", "--json")
    said = json.loads(again.output)
    assert said["reused"]
    assert said["result"] == recorded
    assert tuple(said["points"]) == values.shape
    assert (folder / "again.cube").read_text() == path.read_text()


def values(session: Grafico, result: ElectronicResult, what: str, **more: Any) -> Any:
    """The volume of a result on a wide grid."""
    asked: dict[str, Any] = {what: True} if "density" in what else {"orbital": what}
    return session.cube(result, **asked, spacing=0.4, **more).result


def test_densities_are_those_of_the_orbitals(session, results) -> None:
    water, hydrogen = results["water"].last, results["hydrogen"].last
    whole = values(session, water, "density")
    orbitals = [values(session, water, str(n)) for n in range(1, 6)]
    assert [orbital.occupation for orbital in orbitals] == [2.0] * 5
    summed = sum(2 * orbital.amplitudes**2 for orbital in orbitals)
    assert np.abs(whole.density - summed).max() < 1e-9
    spin = values(session, hydrogen, "spin_density")
    voxel = abs(np.linalg.det(spin.axes)) / BOHR**3
    assert float(spin.density.sum() * voxel) == pytest.approx(1.0, abs=2e-2)
    assert np.abs(values(session, hydrogen, "1").amplitudes ** 2 - spin.density).max() < 1e-9
    beta = values(session, hydrogen, "lumo", spin="beta")
    assert (beta.orbital, beta.spin, beta.occupation) == (1, "beta", 0)


def test_orbitals_that_are_not_there_and_grids_that_are_too_fine(session, results) -> None:
    water = results["water"].last
    with pytest.raises(InputError, match="orbitals 1 to 7"):
        session.cube(water, orbital="99")
    with pytest.raises(InputError, match="names none"):
        session.cube(water, "homos")
    with pytest.raises(InputError, match=r"0\.01 to 2 Å"):
        session.cube(water, density=True, spacing=0.001)


@pytest.mark.parametrize(
    ("what", "words", "said"),
    [
        ("water", ["--spin-density"], "all paired"),
        ("water", ["--orbital", "homo", "--spin", "beta"], "the spins share orbitals"),
        ("water", ["--density", "--orbital", "homo"], "one only"),
        ("water", ["--density", "--spin", "beta"], "leave --spin out"),
        ("water", ["--orbital", ""], "the orbital '' of"),
        ("water", ["--density", "-o", "none/a.cube"], "there is no folder none"),
        ("atoms", ["--density"], "a ConceptualAtoms, which has no level"),
    ],
)
def test_what_cannot_be_is_refused(store, runs, folder, what, words, said) -> None:
    done = cube(store, runs[what], *words)
    assert done.exit_code != 0
    assert said in done.output
    assert not list(folder.glob("*"))


def test_the_usual_function_is_the_highest_occupied_orbital(session, results, store, runs) -> None:
    water = results["water"].last
    usual = session.cube(water, spacing=0.4).result
    assert usual.orbital == values(session, water, "homo").orbital == 5
    assert session.cube(results["hydrogen"].last, spin="alpha", spacing=0.4).result.orbital == 1
    for words, said in (
        (["homo"], f"if not: main cube {runs['water']} --orbital homo "),
        (["LUMO+1"], f"if not: main cube {runs['water']} --orbital LUMO+1 "),
        (["--homo"], "Near it: `--orbital`: An orbital: homo"),
        (["--method", "HF"], "`grafico run … --method …`, then `main cube last`"),
    ):
        done = cube(store, runs["water"], *words)
        assert done.exit_code == 2
        assert said in done.output


def test_a_file_is_kept_unless_that_is_forced(store, runs, folder) -> None:
    path = folder / "H-lumo-beta.cube"
    path.write_text("mine")
    words = (runs["hydrogen"], "--orbital", "lumo", "--spin", "beta", "--spacing", "0.3")
    done = cube(store, *words)
    assert done.exit_code == 2
    assert "it exists" in done.output
    assert path.read_text() == "mine"
    assert cube(store, *words, "--force").exit_code == 0
    assert path.read_text() != "mine"


def test_a_store_or_an_object_that_is_not_there(folder, store, runs) -> None:
    done = cube(folder / "none", runs["water"], "--density")
    assert "no such folder" in done.output
    assert done.exit_code != 0
    done = cube(store, "id/Run/none", "--density")
    assert done.exit_code != 0
    assert "id/Run/none" in done.output


def test_crystals_are_refused(session, results) -> None:
    crystal = ConceptualAtoms(
        numbers=[8, 1, 1], positions=WATER.positions, cell=np.eye(3) * 9, periodic=[True] * 3
    )
    result = results["water"].last.model_copy(update={"atoms": crystal}).identified("urn:crystal")
    with pytest.raises(InputError, match="periodic"):
        session.cube(result, density=True)
