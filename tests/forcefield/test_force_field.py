"""GFN-FF as a level of theory: energies, gradients, relaxed geometries, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grafico import Grafico
from ontologies.factors import BOHR
from ontologies.forcefield import ForceField, ForceFieldOptimisation
from tests.conftest import Need
from tests.dft.structures import WATER
from triplestore.errors import ComponentError, GraficoError, InputError
from workflows.forcefield.calculations import optimise, single_point
from workflows.forcefield.levels import resolve_level
from workflows.forcefield.surface import GFNFF, read_gradient
from workflows.molecule.embedding import embed
from workflows.programs.xtb import XTB, run_xtb
from workflows.registry.levels import program_of


@pytest.fixture
def level(need: Need) -> ForceField:
    need("xtb")
    return resolve_level("gfn-ff", XTB.required("asked")).level


def test_the_gradient_is_that_of_the_energy(level: ForceField, tmp_path: Path) -> None:
    """By central differences, of an atom that a hydrogen bond holds."""
    atoms = embed("OCCO", "smiles").atoms
    surface, shift = GFNFF(atoms, level, tmp_path), np.zeros((len(atoms.numbers), 3))
    _, gradient = surface.at(atoms.positions)
    for axis in range(3):
        shift[:] = 0.0
        shift[4, axis] = 1e-3
        above, below = (surface.at(atoms.positions + sign * shift)[0] for sign in (1, -1))
        assert gradient[4, axis] == pytest.approx((above - below) / 2e-3 * BOHR, abs=2e-6)


def test_it_ends_where_xtb_ends_itself(level: ForceField, tmp_path: Path) -> None:
    """GeomeTRIC goes down on our surface, xtb's own optimiser on its."""
    atoms = embed("CCO", "smiles").atoms
    ours = optimise(atoms, level, convergence="tight")
    run_xtb(atoms, ["--gfnff", "--opt", "extreme"], tmp_path, "asked")
    theirs = (tmp_path / "xtbopt.xyz").read_text().splitlines()[1]
    assert ours.energy == pytest.approx(float(theirs.split()[1]), abs=1e-6)
    assert ours.energy == single_point(ours.atoms, level).energy
    assert ours.max_gradient < 2e-5


def test_a_level_is_one_of_a_program_of_its_own(need: Need) -> None:
    need("xtb")
    with Grafico(store="memory:") as session:
        done = session.run("CCO", method="GFN-FF", task="optimise", solvent="water")
        [relaxed] = session.kg.find(ForceFieldOptimisation)
    assert done.energy == relaxed.energy
    assert relaxed.level.label == "GFN-FF in ALPB water"
    assert relaxed.level.program_version == XTB.version()


def test_conformers_by_a_force_field(need: Need) -> None:
    """Trans, and gauche with its mirror image."""
    need("xtb")
    with Grafico(store="memory:") as session:
        found = session.conformers("CCO", method="gfnff", starts=10)
        assert sorted(one.degeneracy for one in found.conformers) == [1, 2]
        with pytest.raises(InputError, match="vibrations"):
            session.conformers("CCO", method="gfnff", weights="Gibbs energy")


def test_names(need: Need) -> None:
    assert type(program_of("GFN-FF")) is type(program_of("gfnff"))
    assert type(program_of("GFN2-xTB")) is not type(program_of("GFN-FF"))


def test_what_it_does_not_have_is_refused(level: ForceField) -> None:
    program = program_of("GFN-FF")
    for wrong, error in (
        (lambda: program.frequencies(WATER, level), InputError),
        (lambda: resolve_level("GFN-FF", "1", solvent="heptane"), InputError),
        (lambda: resolve_level("GFN-FF", "1", solvation="GBSA", solvent="water"), InputError),
        (lambda: resolve_level("UFF", "1"), InputError),
        (
            lambda: single_point(WATER, level.model_copy(update={"program_version": "0"})),
            ComponentError,
        ),
        (lambda: single_point(embed("[U]", "smiles").atoms, level), GraficoError),
    ):
        with pytest.raises(error):
            wrong()


def test_a_file_that_is_cut_off_is_no_gradient() -> None:
    whole = "$grad\n cycle = 1 SCF energy = -0.3 |dE/dxyz| = 0.1\n 0 0 0 H\n 1D+00 2E-1 3\n$end"
    energy, gradient = read_gradient(whole, 1) or (0.0, np.zeros(0))
    assert energy == -0.3
    assert gradient.tolist() == [[1.0, 0.2, 3.0]]
    for size in (10, 50, 62):
        assert read_gradient(whole[:size], 1) is None
