"""A package brings a calculator of ASE as a level: energies, geometries, vibrations, paths follow.

The package is that of docs/extending.md: effective medium theory, which ASE computes. Nothing of
Grafico names it. What comes out is compared with what ASE finds by its own optimiser, its own
vibrations and its own climbing band, whose coordinates and differences are other ones. The
clusters are the two minima of six copper atoms there, an octahedron and a capped bipyramid.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
from ase import Atoms
from ase.calculators.emt import EMT
from ase.mep import NEB
from ase.optimize import BFGS, FIRE
from ase.vibrations import Vibrations

from ontologies.factors import HARTREE
from tests.extension.conftest import Shell, install

CAPPED = [
    [-0.682, 1.4163, 0.8857],
    [1.5282, -1.2733, -0.9205],
    [0.0157, -0.9423, 0.9284],
    [-0.2817, 0.2836, -1.2611],
    [1.5865, 0.8235, 0.2456],
    [-2.1667, -0.3078, 0.122],
]
OCTAHEDRON = [
    [-0.7223, 1.3172, 0.8356],
    [0.7223, -1.3172, -0.8356],
    [0.2023, -0.834, 1.4895],
    [-0.2023, 0.834, -1.4895],
    [1.5467, 0.7243, 0.1954],
    [-1.5467, -0.7242, -0.1954],
]
CLUSTERS = {"capped": CAPPED, "octahedron": OCTAHEDRON}


@pytest.fixture(scope="module")
def shell(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A command line where the package is installed, in a folder with both clusters."""
    site, folder = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("shell")
    install(site, "emt", "[grafico.levels]\nemt = emt\n")
    copytree(toy / "emt", site / "emt")
    for name, positions in CLUSTERS.items():
        lines = "".join(f"Cu {x} {y} {z}\n" for x, y, z in positions)
        (folder / f"{name}.xyz").write_text(f"6\n{name}\n{lines}")
    return Shell(folder, site)


@pytest.fixture(scope="module")
def transition(shell: Shell) -> dict[str, Any]:
    """The way from one cluster to the other: it takes all that a surface gives."""
    ends = ("capped.xyz", "--product", "octahedron.xyz")
    asked = ("--method", "EMT", "--convergence", "tight", "--upto", "path", "--json")
    return json.loads(shell("transition", *ends, *asked)[0])


def relaxed(positions: list[list[float]]) -> Atoms:
    """A cluster as ASE's own optimiser leaves it."""
    cluster = Atoms("Cu6", positions, calculator=EMT())
    BFGS(cluster, logfile=os.devnull).run(fmax=1e-4)
    return cluster


def waves(cluster: Atoms, folder: Path) -> Any:
    """Wavenumbers as ASE finds them, in 1/cm; imaginary ones are negative."""
    found = Vibrations(cluster, name=str(folder / "vibrations"), delta=0.005)
    found.run()
    numbers: Any = found.get_frequencies()
    return np.sort(np.real(numbers) - np.imag(numbers))


def test_the_energy_is_that_of_the_calculator(shell: Shell) -> None:
    said = json.loads(shell("run", "capped.xyz", "--method", "emt", "--json")[0])
    theirs = Atoms("Cu6", CAPPED, calculator=EMT()).get_potential_energy()
    assert said["results"][0]["energy"] * HARTREE["eV"] == pytest.approx(theirs, abs=1e-9)


def test_geometry_and_vibrations_are_those_that_ase_finds(shell: Shell, tmp_path: Path) -> None:
    asked = ("--method", "EMT", "--task", "frequencies", "--convergence", "tight", "--json")
    said = json.loads(shell("run", "octahedron.xyz", *asked)[0])
    cluster = relaxed(OCTAHEDRON)
    relaxation, vibrations = said["results"][:2]
    kinds = relaxation["kind"], vibrations["kind"]
    assert kinds == ("RelaxedGeometry", "VibrationalAnalysis")
    theirs = cluster.get_potential_energy()
    assert relaxation["energy"] * HARTREE["eV"] == pytest.approx(theirs, abs=1e-6)
    assert vibrations["stationarity"] == "minimum"
    assert vibrations["infrared"] is None
    assert vibrations["wavenumbers"] == pytest.approx(waves(cluster, tmp_path)[6:], abs=0.2)


def test_the_saddle_point_is_that_of_a_climbing_band(
    transition: dict[str, Any], tmp_path: Path
) -> None:
    """The band of ASE climbs; ours gives a guess that goes up by second derivatives."""
    ends = relaxed(CAPPED), relaxed(OCTAHEDRON)
    images = [ends[0].copy() for _ in range(8)] + [ends[1].copy()]
    for image in images:
        image.calc = EMT()
    band: Any = NEB(images, climb=True, method="improvedtangent")
    band.interpolate("idpp")
    assert FIRE(band, logfile=os.devnull).run(fmax=1e-3, steps=3000)
    top = max(images, key=lambda image: image.get_potential_energy())
    saddle = transition["transition_state"]
    theirs = top.get_potential_energy()
    assert saddle["energy_Eh"] * HARTREE["eV"] == pytest.approx(theirs, abs=1e-4)
    assert saddle["wavenumber_per_cm"] == pytest.approx(waves(top, tmp_path)[0], abs=1.0)


def test_the_path_leads_to_both_minima(transition: dict[str, Any]) -> None:
    path = transition["path"]
    for end, positions in (("reactant", OCTAHEDRON), ("product", CAPPED)):  # the lower one first
        theirs = relaxed(positions).get_potential_energy()
        assert path[end]["energy_Eh"] * HARTREE["eV"] == pytest.approx(theirs, abs=1e-4)


def test_all_of_it_is_remembered(shell: Shell, transition: dict[str, Any]) -> None:
    ends = ("capped.xyz", "--product", "octahedron.xyz")
    asked = ("--method", "EMT", "--convergence", "tight", "--upto", "path", "--json")
    again = json.loads(shell("transition", *ends, *asked)[0])
    assert again["reused"]
    assert again["transition_state"] == transition["transition_state"]


def test_what_the_calculator_does_not_know_is_refused(shell: Shell) -> None:
    _, said = shell("run", "capped.xyz", "--method", "EMT", "--charge", "1", status=2)
    assert "EMT knows no charge" in said
    (shell.folder / "uranium.xyz").write_text("2\n\nU 0 0 0\nU 0 0 2.4\n")
    _, said = shell("run", "uranium.xyz", "--method", "EMT", status=2)
    assert "the calculator EMT says: No EMT-potential for U" in said
