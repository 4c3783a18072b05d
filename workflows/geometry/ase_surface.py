"""The energy surface of a calculator of ASE, which is what learned potentials come as."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR, HARTREE
from ontologies.level import Level
from ontologies.units import Floats
from triplestore.errors import (
    ComponentError,
    GraficoError,
    InputError,
    NotConvergedError,
    RecipeError,
)

from .surface import LevelSurface, LevelT


class ASESurface(LevelSurface[LevelT]):
    """The surface of a calculator of ASE; a program says in `calculator` which one it is.

    ASE counts in eV, Å and eV/Å, which become Eh, bohr and Eh/bohr by the factors of
    `ontologies.factors`. Charge and multiplicity are given to the calculator as `charge` and `spin`
    in the `info` of its atoms, where learned potentials for ions look for them (from memory: MACE,
    Orb, UMA). Where it knows the dipole, vibrations have infrared intensities.

    Attributes:
        knows_charge: whether the calculator has other energies for other charges and
            multiplicities; if not, an ion is refused, since its energy would be that of the neutral
            molecule.

    Raises:
        InputError: see `check`.
        ComponentError: the calculator cannot be made.
    """

    knows_charge: ClassVar[bool] = False

    def __init__(self, atoms: ConceptualAtoms, level: LevelT) -> None:
        super().__init__(atoms, level)
        self.check(atoms, level)
        self.has_dipole = "dipole" in getattr(self._molecule.calc, "implemented_properties", ())

    @abstractmethod
    def calculator(self) -> Any:
        """Return the calculator for `atoms` at `level`, made in the process that computes."""

    @classmethod
    def check(cls, atoms: ConceptualAtoms, level: Level) -> None:
        """Check that a molecule can be computed at a level; takes no time.

        Raises:
            InputError: it is periodic, or an ion that the calculator does not tell from an atom.
        """
        asked = f"{level.label} of {atoms.formula} was asked for"
        if atoms.is_periodic:
            raise InputError(
                asked,
                "it is periodic; this version computes molecules",
                "cut a molecule out of it and give that",
            )
        if atoms.charge and not cls.knows_charge:
            raise InputError(
                f"{asked} with charge {atoms.charge:+d}",
                f"{level.method} knows no charge: its energy would be that of the neutral molecule",
                "give the neutral molecule, or ask for GFN2-xTB or a functional",
            )

    @cached_property
    def _molecule(self) -> Any:
        from ase import Atoms

        molecule = Atoms(self.atoms.numbers, self.atoms.positions)
        molecule.info.update(charge=self.atoms.charge, spin=self.atoms.multiplicity)
        try:
            molecule.calc = self.calculator()
        except GraficoError:
            raise
        except Exception as error:  # a package or weights that are not there, or do not fit
            raise ComponentError(
                self.asked,
                f"its calculator cannot be made: {type(error).__name__}: {error}",
                "install what it needs, or mend the package that brings the level",
            ) from error
        return molecule

    def _solve(self, positions: Floats) -> tuple[float, Floats]:
        """Ask the calculator.

        Raises:
            InputError: it does not know an element, or has no forces.
            NotConvergedError: it says so.
            RecipeError: it failed otherwise, or gave another number of forces.
        """
        molecule = self._molecule
        molecule.set_positions(positions)
        with self._failing():
            energy = float(np.squeeze(molecule.get_potential_energy()))
            forces = np.asarray(molecule.get_forces(apply_constraint=False), float)
        if forces.shape != positions.shape:
            raise RecipeError(
                self.asked,
                f"its calculator gave forces of the shape {forces.shape}",
                "ask for another method, or tell who made the calculator",
            )
        return energy / HARTREE["eV"], -forces * BOHR / HARTREE["eV"]

    @property
    def dipole(self) -> Floats:
        with self._failing():
            return np.asarray(self._molecule.get_dipole_moment(), float) / BOHR

    @contextmanager
    def _failing(self) -> Generator[None]:
        """Say what a calculator ends with in words of ours."""
        from ase.calculators.calculator import PropertyNotImplementedError, SCFError

        name = type(self._molecule.calc).__name__
        try:
            yield
        except (GraficoError, MemoryError):
            raise
        except PropertyNotImplementedError as error:
            found = f"the calculator {name} does not give {error}"
            raise InputError(self.asked, found, "ask for another method") from error
        except NotImplementedError as error:
            found = f"the calculator {name} says: {error}"
            advice = "give a molecule of other elements, or ask for another method"
            raise InputError(self.asked, found, advice) from error
        except SCFError as error:
            found = f"the calculator {name} did not converge: {error}"
            advice = "check the geometry, charge and multiplicity"
            raise NotConvergedError(self.asked, found, advice) from error
        except Exception as error:  # whatever somebody else's calculator does wrong
            found = f"the calculator {name} failed: {type(error).__name__}: {error}"
            advice = "check elements and geometry, or ask for another method"
            raise RecipeError(self.asked, found, advice) from error
