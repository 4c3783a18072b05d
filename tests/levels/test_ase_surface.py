"""The surface of a calculator of ASE: units, dipoles, and what a calculator may do wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ase.calculators.calculator import Calculator, SCFError
from ase.calculators.lj import LennardJones

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR, HARTREE
from ontologies.level import Level
from ontologies.quantum import RelaxedGeometry
from ontologies.tightbinding import TightBinding
from ontologies.vibrations import VibrationalAnalysis
from tests.dft.structures import WATER
from triplestore.errors import (
    ComponentError,
    GraficoError,
    InputError,
    NotConvergedError,
    RecipeError,
)
from workflows.engine import Backend
from workflows.engine.execution.calculation import load
from workflows.engine.execution.outdated import calculations
from workflows.geometry.ase_surface import ASESurface
from workflows.geometry.surface_calculations import SurfaceCalculations
from workflows.tightbinding import calculations as tightbinding
from workflows.tightbinding.hamiltonian import Hamiltonian

LEVEL = Level(method="Test", program="ase")
ASE = Backend(name="ase", epoch="1")


class TBLiteSurface(ASESurface[Level]):
    """GFN2-xTB by the calculator that comes with tblite."""

    knows_charge = True

    def calculator(self) -> Any:
        from tblite.ase import TBLite

        more: dict[str, Any] = {
            "charge": self.atoms.charge,
            "multiplicity": self.atoms.multiplicity,
        }
        return TBLite(method="GFN2-xTB", accuracy=0.01, verbosity=0, **more)


class LennardJonesSurface(ASESurface[Level]):
    """Balls that attract each other: 1 eV, 2.5 Å, and no cutoff worth the name."""

    def calculator(self) -> Any:
        return LennardJones(epsilon=1.0, sigma=2.5, rc=2.5e4)


class Wrong(Calculator):
    """A calculator that fails in a way of its own."""

    implemented_properties = ["energy", "forces"]  # noqa: RUF012  # as ASE wants it

    def __init__(self, energy: float, forces: Any, error: Exception | None = None) -> None:
        super().__init__()
        self.wrong, self.error = {"energy": energy, "forces": forces}, error

    def calculate(self, *_: object, **__: object) -> None:
        if self.error is not None:
            raise self.error
        self.results = {name: value for name, value in self.wrong.items() if value is not None}


def surface_of(broken: Any, atoms: ConceptualAtoms = WATER) -> ASESurface[Level]:
    class Broken(ASESurface[Level]):
        def calculator(self) -> Any:
            if isinstance(broken, Exception):
                raise broken
            return broken

    return Broken(atoms, LEVEL)


def test_numbers_are_those_of_the_same_method_without_ase() -> None:
    """Energy, gradient, dipole; vibrations with infrared intensities."""
    ours, theirs = TBLiteSurface(WATER, LEVEL), Hamiltonian(WATER, TightBinding(method="GFN2-xTB"))
    (energy, gradient), (same, slope) = ours.start(), theirs.start()
    assert energy == pytest.approx(same, abs=1e-6)  # ASE's eV is that of CODATA 2014
    assert gradient == pytest.approx(slope, abs=1e-7)
    assert ours.dipole == pytest.approx(theirs.dipole, abs=1e-6)
    made = SurfaceCalculations(__name__, "test", ASE, TBLiteSurface)
    found = made.frequencies(VibrationalAnalysis)(WATER, LEVEL)
    alike = tightbinding.frequencies(WATER, theirs.level)
    assert found.wavenumbers == pytest.approx(alike.wavenumbers, abs=0.01)
    assert found.infrared == pytest.approx(alike.infrared, rel=1e-3)


def test_charge_and_multiplicity_reach_the_calculator() -> None:
    cation = WATER.model_copy(update={"charge": 1, "multiplicity": 2})
    ours, theirs = (
        TBLiteSurface(cation, LEVEL),
        Hamiltonian(cation, TightBinding(method="GFN2-xTB")),
    )
    assert ours.start()[0] == pytest.approx(theirs.start()[0], abs=1e-6)
    assert ours._molecule.info == {"charge": 1, "spin": 2}


def test_seven_balls_come_to_rest_where_they_are_known_to() -> None:
    """The pentagonal bipyramid: −16.505384 ε (M. R. Hoare, P. Pal, Adv. Phys. 20, 161 (1971))."""
    turns = np.arange(5) * 2 * np.pi / 5
    ring = np.stack([2.3 * np.cos(turns), 2.3 * np.sin(turns), 0 * turns], 1)
    places = np.vstack([ring, [[0, 0, 1.5], [0, 0, -1.5]]])
    atoms = ConceptualAtoms(numbers=[18] * 7, positions=places)
    made = SurfaceCalculations(__name__, "test", ASE, LennardJonesSurface)
    found = made.optimise(RelaxedGeometry)(atoms, LEVEL, convergence="tight")
    assert found.energy * HARTREE["eV"] == pytest.approx(-16.505384, abs=2e-6)
    assert found.steps > 1


@pytest.mark.parametrize(
    ("broken", "error", "words"),
    [
        (ImportError("no torch"), ComponentError, "ImportError: no torch"),
        (FileNotFoundError("weights.pt"), ComponentError, "weights.pt"),
        (NotConvergedError("its", "own", "words"), NotConvergedError, "its; own; words"),
        (Wrong(1.0, None, KeyError("Og")), RecipeError, "Wrong failed: KeyError: 'Og'"),
        (Wrong(1.0, None, SCFError("150 cycles")), NotConvergedError, "150 cycles"),
        (Wrong(1.0, None), InputError, "does not give forces"),
        (Wrong(1.0, np.zeros((2, 3))), RecipeError, r"shape \(2, 3\)"),
        (Wrong(np.nan, np.zeros((3, 3))), RecipeError, "not finite"),
        (Wrong(1.0, np.full((3, 3), np.inf)), RecipeError, "not finite"),
        (Wrong(1.0, None, InputError("x", "its own words", "z")), InputError, "its own words"),
    ],
)
def test_what_a_calculator_does_wrong_is_told(
    broken: Any, error: type[GraficoError], words: str
) -> None:
    with pytest.raises(error, match=words) as caught:
        surface_of(broken).start()
    assert type(caught.value) is error


def test_an_energy_in_an_array_and_forces_of_single_precision_are_numbers() -> None:
    found, gradient = surface_of(Wrong(np.array([HARTREE["eV"]]), np.ones((3, 3), "f"))).start()  # type: ignore[arg-type]
    assert found == pytest.approx(1.0)
    assert gradient == pytest.approx(np.full((3, 3), -BOHR / HARTREE["eV"]))
    assert gradient.dtype == np.float64


def test_a_jump_beside_the_geometry_is_no_second_derivative() -> None:
    """A calculator whose energy depends on what it was asked before."""

    class Jumping(Wrong):
        def calculate(self, *_: object, **__: object) -> None:
            self.wrong["energy"] += 1.0
            super().calculate()

    surface = surface_of(Jumping(0.0, np.zeros((3, 3))))
    surface.start()
    with pytest.raises(RecipeError, match=r"0\.005 bohr away the energy jumps"):
        surface.derivatives()


def test_crystals_are_refused() -> None:
    salt = ConceptualAtoms(
        numbers=[11, 17],
        positions=[[0, 0, 0], [2.8, 0, 0]],
        periodic=[True] * 3,
        cell=np.eye(3) * 5.6,
    )
    with pytest.raises(InputError, match="periodic"):
        LennardJonesSurface(salt, LEVEL)


def test_processes_that_compute_find_every_calculation_by_its_name() -> None:
    """Those that are made of a surface, too: they stand where they say that they stand."""
    every = calculations()
    assert {"dft.frequencies", "tightbinding.elastic_band", "correlated.saddle_point"} <= {*every}
    for one in every.values():
        assert load(one.reference) is one
        assert one.home
