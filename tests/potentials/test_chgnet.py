"""CHGNet: against its own publication and package, differences, and what is refused.

The extra `mlip` has 6 GB and is not part of `dev`: what needs it is passed by where it is not.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import GIGAPASCAL, CrystalRelaxation
from ontologies.elements import SYMBOLS
from ontologies.factors import BOHR, HARTREE
from ontologies.potentials import LearnedPotential
from ontologies.units import Floats
from triplestore.errors import ComponentError, InputError
from workflows.crystal.surface import cell_of
from workflows.potentials import learned, levels
from workflows.potentials.crystal import PotentialSurface, crystal_energy, relax_crystal

there = pytest.mark.skipif(find_spec("chgnet") is None, reason="the extra mlip")

EV = HARTREE["eV"]

LITHIUM_MANGANITE = """LiMnO2, mp-18767
1.0
2.868779 0 0
0 4.634475 0
0 0 5.832507
Li Mn O
2 2 4
Direct
0.5 0.5 0.37975
0 0 0.62025
0.5 0.5 0.863252
0 0 0.136747
0.5 0 0.360824
0 0.5 0.098514
0.5 0 0.901486
0 0.5 0.639176
"""


def crystal(symbols: str, cell: Floats, places: list[list[float]]) -> ConceptualAtoms:
    numbers = [SYMBOLS.index(one) for one in symbols.split()]
    return ConceptualAtoms(
        numbers=numbers, positions=np.array(places) @ cell, cell=cell, periodic=[True] * 3
    )


def published() -> ConceptualAtoms:
    """Return the example of the package, digits as it prints them."""
    lines = [list(map(float, one.split())) for one in LITHIUM_MANGANITE.splitlines()[8:]]
    return crystal("Li Li Mn Mn O O O O", np.diag([2.868779, 4.634475, 5.832507]), lines)


def salt() -> ConceptualAtoms:
    """Return rock salt, out of its places and sheared."""
    cell = 5.2 * np.array([[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.55, 0]])
    return crystal("Na Cl", cell, [[0, 0, 0], [0.54, 0.48, 0.45]])


def level(model: str = "") -> LearnedPotential:
    at = levels.resolve_level("CHGNet", levels.CHGNET.required("CHGNet"), model).level
    assert isinstance(at, LearnedPotential)
    return at


@there
def test_the_example_of_the_package_has_its_published_numbers() -> None:
    """As the notebook `basics` and the tests of CHGNet print them."""
    found = crystal_energy(published(), level())
    assert found.energy_per_atom * EV == pytest.approx(-7.36769, abs=1e-4)
    forces = -found.gradient * EV / BOHR
    along = [0.0238, -0.0238, 0.0926, -0.0926, -0.0024, -0.0131, 0.0131, 0.0024]
    assert forces[:, 2] == pytest.approx(along, abs=2e-4)
    assert forces[:, :2] == pytest.approx(np.zeros((8, 2)), abs=1e-4)
    assert found.stress == pytest.approx(np.diag([-0.3037, 0.2231, -0.1074]), abs=1e-3)
    assert found.level.label == "CHGNet 0.3.0 (weights d14ab7c0)"


@there
@pytest.mark.parametrize("model", ["", "r2scan"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_numbers_are_those_of_the_bare_package(model: str) -> None:
    from ase import Atoms
    from chgnet.model.dynamics import CHGNetCalculator
    from chgnet.model.model import CHGNet

    atoms = salt()
    bare = Atoms(atoms.numbers, atoms.positions, cell=atoms.cell, pbc=True)
    own = CHGNet.load(model_name=model or "0.3.0", use_device="cpu", verbose=False)
    bare.calc = CHGNetCalculator(own, use_device="cpu")
    found = crystal_energy(atoms, level(model))
    assert found.energy * EV == pytest.approx(bare.get_potential_energy(), abs=1e-5)
    assert -found.gradient * EV / BOHR == pytest.approx(bare.get_forces(), abs=1e-5)
    assert found.stress is not None
    in_ev = found.stress / GIGAPASCAL * EV / BOHR**3
    assert in_ev == pytest.approx(bare.get_stress(voigt=False), abs=1e-6)


@there
def test_forces_and_stress_are_the_derivatives_of_the_energy() -> None:
    """Its 32 bits leave some 1e-6 of an energy, so that steps are wide."""
    atoms = salt()
    surface, cell, step = PotentialSurface(atoms, level()), cell_of(atoms), 0.01
    here = surface.at(atoms.positions, cell)
    assert here.stress is not None

    def energy(shift: Floats, strain: Floats) -> float:
        way = np.eye(3) + strain
        return surface.at((atoms.positions + shift) @ way, cell @ way).energy

    still, unstrained = np.zeros((2, 3)), np.zeros((3, 3))
    assert np.abs(here.gradient).max() > 5e-3
    for axis in range(3):
        shift = still.copy()
        shift[1, axis] = step
        slope = (energy(shift, unstrained) - energy(-shift, unstrained)) / (2 * step)
        assert slope * BOHR == pytest.approx(here.gradient[1, axis], abs=5e-5)
    volume = abs(np.linalg.det(cell)) / BOHR**3
    for one, other in ((0, 0), (1, 1), (0, 1), (1, 2)):
        strain = np.zeros((3, 3))
        strain[one, other] += step / 2
        strain[other, one] += step / 2
        slope = (energy(still, strain) - energy(still, -strain)) / (2 * step)
        assert slope / volume * GIGAPASCAL == pytest.approx(
            here.stress[one, other] * GIGAPASCAL, abs=0.03
        )


@there
def test_a_crystal_is_relaxed_with_its_cell_as_at_any_level() -> None:
    atoms = published()
    found = relax_crystal(atoms, level(), 60, relax_cell=True)
    assert found.converged
    assert found.left_force <= found.force_threshold
    assert found.energy < crystal_energy(atoms, level()).energy
    stopped = relax_crystal(salt(), level(), 1, relax_cell=True)
    assert not stopped.converged
    assert stopped.steps == 1


@there
def test_it_is_asked_for_as_any_level_and_imports_nothing_here(tmp_path: Path) -> None:
    path = tmp_path / "POSCAR"
    path.write_text(LITHIUM_MANGANITE)
    with Grafico(store="memory:") as session:
        done = session.run(str(path), method="chgnet")
        assert done.energy == pytest.approx(-2.166061, abs=1e-4)
        assert any("no dispersion" in one for one in done.notes + done.remarks)
        stopped = session.run(
            str(path), method="CHGNet", task="optimise", relax_cell=True, max_steps=2
        )
        assert stopped.status == "goal unmet"
        assert isinstance(stopped.last, CrystalRelaxation)
        assert not stopped.last.converged
        assert "NOT RELAXED" in session.report(stopped.run)
        assert session.run(str(path), method="CHGNet").reused
        other = session.run(str(path), method="CHGNet", trained_model="r2scan")
        assert other.level.label.startswith("CHGNet r2scan")
        with pytest.raises(InputError, match=r"0\.3\.0 \(PBE\) and r2scan"):
            session.run(str(path), method="CHGNet", trained_model="0.1")
        with pytest.raises(InputError, match="GFN2-xTB"):
            session.run("water", method="CHGNet")


@there
def test_what_it_does_not_know_is_refused() -> None:
    cell = np.eye(3) * 4
    with pytest.raises(InputError, match="not trained on Rn"):
        crystal_energy(crystal("Na Rn", cell, [[0, 0, 0], [0.5, 0.5, 0.5]]), level())
    with pytest.raises(InputError, match="without neighbours"):
        crystal_energy(crystal("Na", np.eye(3) * 20, [[0, 0, 0]]), level())
    charged = published().model_copy(update={"charge": 1, "multiplicity": 2})
    with pytest.raises(InputError, match="charged cell"):
        crystal_energy(charged, level())


@there
def test_a_cell_of_an_odd_number_of_electrons_is_fine() -> None:
    """It knows no spin: aluminium has one atom in its cell."""
    cell = 4.04 * np.array([[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]])
    atoms = crystal("Al", cell, [[0, 0, 0]]).model_copy(update={"multiplicity": 2})
    assert crystal_energy(atoms, level()).energy * EV == pytest.approx(-3.7, abs=0.2)


@there
def test_other_weights_than_those_of_the_level_are_refused() -> None:
    other = level().model_copy(update={"weights": "0" * 64})
    with pytest.raises(ComponentError, match="other weights"):
        crystal_energy(published(), other)


def test_without_the_extra_it_says_what_it_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "installed", lambda package: "")
    with Grafico(store="memory:") as session, pytest.raises(ComponentError) as caught:
        session.run("water", method="CHGNet")
    said = str(caught.value)
    assert "CHGNet is not installed" in said
    assert "pip install 'grafico-chem[mlip]'" in said
    assert "about 6 GB" in said


def test_nothing_here_imports_what_computes() -> None:
    """Not even the program of the levels, which every door asks for its methods."""
    code = (
        "import sys; from workflows.potentials.program import CHGNET; "
        "from workflows.potentials import crystal; "
        "print([one for one in ('torch', 'chgnet', 'pymatgen') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
