"""Self-consistent charges by tblite: energy, gradient and what the density says."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR, DEBYE, GAS_CONSTANT, HARTREE
from ontologies.tightbinding import TightBinding
from ontologies.units import Floats
from triplestore.errors import ComponentError, InputError, NotConvergedError, RecipeError
from workflows.geometry.harmonic import mean_masses
from workflows.geometry.surface import LevelSurface, another_state

from .electrons import valence_of
from .solvents import parameter_name

KELVIN = GAS_CONSTANT / 1e3 / HARTREE["kJ/mol"]
"""Eh for a kelvin."""

STEP, STEP_IN_SOLVENT = 0.005, 0.01
"""Bohr. How far an atom is moved. Against five-point differences, wavenumbers of ethanol, benzene,
isobutane and acetamide come out within 0.3 1/cm in the gas phase; in ALPB or GBSA water, whose
surface is a grid, within 1.4 (a step of half the length: 2.0; of twice: 5.5)."""

FINE = 0.01
"""The accuracy to which gradients are solved for differences, where the level asks for less."""

HELD = 1e-6
"""Electrons. A density that lacks more than that does not hold all of the valence."""


class Hamiltonian(LevelSurface[TightBinding]):
    """The tight-binding Hamiltonian of a molecule, to be solved at one geometry after the other.

    The first solution starts from the guess of superposed atoms, each later one from the one
    before, unless a new one is made.

    Args:
        atoms: the molecule.
        level: the method and its surroundings.

    Raises:
        InputError: it has no such electrons, see `valence_of`.
        ComponentError: tblite is not there.

    Sources: GFN2-xTB: C. Bannwarth, S. Ehlert, S. Grimme, J. Chem. Theory Comput. 15, 1652 (2019);
    GFN1-xTB: S. Grimme, C. Bannwarth, P. Shushkov, ibid. 13, 1989 (2017); ALPB: S. Ehlert,
    M. Stahn, S. Spicher, S. Grimme, ibid. 17, 4250 (2021).
    """

    every = 6
    left = (
        "the solution is another state",
        "ask for a higher electronic temperature, or for a functional",
    )
    has_dipole = True

    def __init__(self, atoms: ConceptualAtoms, level: TightBinding) -> None:
        super().__init__(atoms, level)
        self.step = STEP_IN_SOLVENT if level.solvation else STEP
        self.electrons, self.unpaired = valence_of(atoms)
        self._result: Any = None

    @cached_property
    def _calculator(self) -> Any:
        interface, level = library(), self.level
        calculator = interface.Calculator(
            level.method,
            self.atoms.numbers,
            self.positions / BOHR,
            charge=float(self.atoms.charge),
            uhf=self.unpaired,
            color=False,
        )
        calculator.set("verbosity", 0)
        calculator.set("accuracy", level.accuracy)
        calculator.set("temperature", level.electronic_temperature * KELVIN)
        if (around := level.solvation) is not None:
            name = parameter_name(level.method, around.model, around.solvent)
            calculator.add(f"{around.model.lower()}-solvation", name)
        return calculator

    def _solve(self, positions: Floats) -> tuple[float, Floats]:
        """Solve it; at a loss say whether charges, electrons or tblite are to blame.

        Raises:
            InputError: the orbitals do not hold the electrons.
            NotConvergedError: the charges did not become self-consistent.
            RecipeError: tblite failed.
        """
        asked, failed = self.asked, library().TBLiteRuntimeError
        try:
            self._calculator.update(positions=positions / BOHR)
            self._result = self._calculator.singlepoint(self._result)
            energy, gradient = float(self._result["energy"]), np.array(self._result["gradient"])
        except failed as error:
            said = " ".join(str(error).split())
            if "not converged" in said:
                raise NotConvergedError(
                    asked,
                    f"the charges did not become self-consistent ({said})",
                    "check geometry, charge and multiplicity; a higher electronic temperature, "
                    "another solvent or none, or GFN1-xTB may help",
                ) from None
            raise RecipeError(
                asked,
                f"tblite says: {said}",
                "check the geometry, charge and multiplicity, or ask for another method",
            ) from None
        held = float(self.occupations.sum())
        room = len(self.occupations) * 2
        if abs(held - self.electrons) > HELD or self.electrons + self.unpaired > room:
            raise InputError(
                asked,
                f"with charge {self.atoms.charge:+d} and multiplicity {self.atoms.multiplicity} "
                f"the {self.electrons} valence electrons do not fit into the minimal basis of "
                f"{len(self.occupations)} orbitals",
                "check charge and multiplicity, or ask for HF or a functional",
            )
        return energy, gradient

    def _nearby(self) -> Hamiltonian:
        level = self.level
        near = type(self)(
            self.atoms, level.model_copy(update={"accuracy": min(level.accuracy, FINE)})
        )
        near.at(self.positions)
        return near

    def other_state(self, relaxed: ConceptualAtoms) -> tuple[str, ...]:
        def apart() -> float:
            return type(self)(relaxed, self.level).start()[0] - self.energy

        return another_state(apart, "the charges do", "the final geometry has")

    @property
    def occupations(self) -> Floats:
        """How many electrons each orbital holds at the last geometry."""
        return np.array(self._result["orbital-occupations"], float)

    @property
    def orbital_energies(self) -> Floats:
        """Energies of the orbitals at the last geometry in Eh."""
        return np.array(self._result["orbital-energies"], float)

    @property
    def dipole(self) -> Floats:
        """The dipole at the last geometry in e·bohr, about the origin of the coordinates."""
        return np.array(self._result["dipole"], float)

    @property
    def findings(self) -> dict[str, Any]:
        """What a `TightBindingResult` says of the last geometry, but for its inputs."""
        raw = self._result
        masses = mean_masses(self.atoms)
        centre = masses @ self.positions / masses.sum() / BOHR
        energies = self.orbital_energies
        # Of open shells tblite has two matrices one behind the other, that of all electrons
        # first, and says another shape than they are written in.
        orders = np.array(raw["bond-orders"], float).reshape(-1, *(len(self.atoms.numbers),) * 2)
        top = (self.electrons + self.unpaired) // 2
        return {
            "energy": float(raw["energy"]),
            "dipole": (self.dipole - self.atoms.charge * centre) * DEBYE,
            "mulliken_charges": np.array(raw["charges"], float),
            "bond_orders": orders[0],
            "orbital_energies": energies,
            "occupations": self.occupations,
            "homo": float(energies[top - 1]) if top else None,
            "lumo": float(energies[top]) if top < len(energies) else None,
            "solvation_free_energy": self._solvation(),
        }

    def _solvation(self) -> float | None:
        """Return what the continuum adds to the energy at the last geometry."""
        if self.level.solvation is None:
            return None
        gas = self.level.model_copy(update={"solvation": None})
        try:
            energy, _ = Hamiltonian(self.atoms, gas).at(self.positions)
        except NotConvergedError:
            return None
        return float(self._result["energy"]) - energy


def library() -> Any:
    """Return tblite's interface.

    Raises:
        ComponentError: it is not installed, or a library that it needs is missing.
    """
    try:
        from tblite import interface
    except ImportError as error:
        raise ComponentError(
            "tight binding was asked for",
            f"tblite cannot be loaded: {error.__cause__ or error}",
            "pip install tblite (where there is no wheel it needs a Fortran compiler; conda-forge "
            "has it too); on Linux it needs the system's libgomp (package libgomp1)",
        ) from None
    return interface
