"""SevenNet: against its own package, differences, and what is refused without it.

The extra `mlip` has 6 GB and is not part of `dev`: what needs it is passed by where it is not.
"""

# pyright: reportMissingImports=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportMissingTypeStubs=false

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from grafico import Grafico
from ontologies.crystals import GIGAPASCAL, CrystalRelaxation
from ontologies.factors import BOHR, HARTREE
from ontologies.potentials import MultifidelityPotential
from ontologies.units import Floats
from tests.potentials.test_chgnet import salt
from triplestore.errors import ComponentError, InputError
from workflows.crystal.surface import cell_of
from workflows.potentials.dispersion import dispersion_at
from workflows.registry.levels import program_of
from workflows.sevennet import levels
from workflows.sevennet.crystal import MultifidelitySurface, crystal_energy
from workflows.sevennet.program import SEVENNET

there = pytest.mark.skipif(find_spec("sevenn") is None, reason="the extra mlip")

EV = HARTREE["eV"]


def level(model: str = "", modal: str = "", dispersion: str = "") -> MultifidelityPotential:
    version = levels.SEVENNET.required("SevenNet")
    at = levels.resolve_level("SevenNet", version, model, modal, dispersion=dispersion).level
    assert isinstance(at, MultifidelityPotential)
    return at


@there
@pytest.mark.parametrize(("model", "modal"), [("", ""), ("MF-0", "R2SCAN"), ("l3i5", "")])
@pytest.mark.filterwarnings("ignore")
def test_numbers_are_those_of_the_bare_package(model: str, modal: str) -> None:
    from ase import Atoms
    from sevenn.calculator import SevenNetCalculator

    atoms = salt()
    bare = Atoms(atoms.numbers, atoms.positions, cell=atoms.cell, pbc=True)
    bare.calc = SevenNetCalculator(
        f"7net-{model or '0'}".lower(), device="cpu", modal=modal or None
    )
    found = crystal_energy(atoms, level(model, modal))
    assert found.energy * EV == pytest.approx(bare.get_potential_energy(), abs=1e-5)
    assert -found.gradient * EV / BOHR == pytest.approx(bare.get_forces(), abs=1e-5)
    assert found.stress is not None
    in_ev = found.stress / GIGAPASCAL * EV / BOHR**3
    assert in_ev == pytest.approx(bare.get_stress(voigt=False), abs=1e-6)


@there
def test_forces_and_stress_are_the_derivatives_of_the_energy() -> None:
    """Its 32 bits leave some 1e-6 of an energy, so that steps are wide; D3 is in all three."""
    atoms, at = salt(), level(dispersion="d3bj")
    surface, cell, step = MultifidelitySurface(atoms, at), cell_of(atoms), 0.01
    here = surface.at(atoms.positions, cell)
    assert here.stress is not None

    def energy(shift: Floats, strain: Floats) -> float:
        way = np.eye(3) + strain
        return surface.at((atoms.positions + shift) @ way, cell @ way).energy

    shift, still = np.zeros((2, 3)), np.zeros((2, 3))
    shift[1, 0] = step
    slope = (energy(shift, np.zeros((3, 3))) - energy(-shift, np.zeros((3, 3)))) / (2 * step)
    assert slope * BOHR == pytest.approx(here.gradient[1, 0], abs=2e-5)
    strain = np.zeros((3, 3))
    strain[0, 0] = step
    slope = (energy(still, strain) - energy(still, -strain)) / (2 * step)
    volume = abs(float(np.linalg.det(cell))) / BOHR**3
    assert slope / volume * GIGAPASCAL == pytest.approx(here.stress[0, 0] * GIGAPASCAL, abs=0.05)
    assert at.dispersion is not None
    added = dispersion_at(at.dispersion, atoms.numbers, atoms.positions, cell).energy
    plain = crystal_energy(atoms, level()).energy
    assert here.energy - plain == pytest.approx(added, abs=1e-6)
    assert added < -1e-3


@there
def test_a_crystal_is_relaxed_and_the_level_says_what_it_is() -> None:
    with Grafico(store="memory:") as session:
        asked = {"task": "optimise", "relax_cell": True, "method": "SevenNet"}
        done = session.run(salt(), trained_model="mf-0", modal="pbe", max_steps=60, **asked)
        assert done.status == "finished"
        assert isinstance(done.last, CrystalRelaxation)
        assert done.last.converged
        assert done.level.label == "SevenNet MF-0 PBE (weights 81791329)"
        assert any("no dispersion is added" in one for one in done.notes + done.remarks)


@there
@pytest.mark.parametrize(
    ("model", "modal", "told"),
    [
        ("omni", "", "brings the models"),
        ("", "PBE", "no choice"),
        ("MF-0", "HSE", "PBE and R2SCAN"),
    ],
)
def test_models_that_there_are_not_are_refused(model: str, modal: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        level(model, modal)


@pytest.mark.skipif(find_spec("sevenn") is not None, reason="the extra mlip is there")
def test_without_the_extra_it_says_what_to_install() -> None:
    told = pytest.raises(ComponentError, match=r"grafico-chem\[mlip\]")
    with Grafico(store="memory:") as session, told:
        session.run(salt(), method="SevenNet")


@pytest.mark.parametrize(
    ("method", "model"),
    [("SevenNet-0", "0"), ("sevennet l3i5", "l3i5"), ("SevenNet-MF-0", "mf0"), ("SevenNet", "")],
)
def test_a_model_may_stand_in_the_name_of_the_method(method: str, model: str) -> None:
    assert program_of(method) is SEVENNET
    assert levels.SEVENNET.model_asked(method, "") == model
    assert levels.SEVENNET.model_asked(method, model) == model


def test_two_models_are_refused() -> None:
    with pytest.raises(InputError, match="two models"):
        levels.SEVENNET.model_asked("SevenNet-0", "l3i5")
    assert levels.SEVENNET.model_in("SevenNet-9") is None
    assert program_of("SevenNet-9") is not SEVENNET
