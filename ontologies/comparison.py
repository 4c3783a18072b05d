"""What comes of comparing energies: of spin states, and of a molecule with its fragments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self, TypeAlias

import numpy as np
from pydantic import Field, model_validator

from ogm import GraphModel, Link, Moves, Shaped, Upgrade
from triplestore.errors import InputError

from .atoms import ConceptualAtoms, make_atoms
from .level import Level, LevelOfTheory
from .quantum import EnergyResult, StabilityLabel
from .units import Booleans, Hartree

Members: TypeAlias = Annotated[Booleans, Shaped("* atoms", np.bool_), Moves("item")]


class SpinState(GraphModel):
    """One multiplicity of a molecule, and the result that is taken for it.

    Attributes:
        multiplicity: 2S+1.
        level: its level of theory; references may differ.
        energy: total energy, nuclear repulsion included.
        spin_squared: expectation value of S²; None for a restricted reference, and where the
            method has none.
        result: the single point or the optimisation.
    """

    multiplicity: int
    level: Level
    energy: Hartree
    spin_squared: float | None = None
    result: Link[EnergyResult]


class SpinStateScan(GraphModel):
    """Energies of a molecule at several multiplicities.

    Attributes:
        atoms: the structure as given.
        states: the multiplicities that were computed, ascending.
        ground_multiplicity: that of the lowest energy among them.
        relaxed: whether each geometry was optimised; otherwise the energies are vertical.
        failures: multiplicities without a result, each with the reason.
        remarks: what a reader must know of these numbers, such as spin contamination.
    """

    atoms: ConceptualAtoms
    states: tuple[SpinState, ...]
    ground_multiplicity: int
    relaxed: bool
    failures: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def ground(self) -> SpinState:
        """The state of the lowest energy."""
        return min(self.states, key=lambda state: state.energy)

    @property
    def relative(self) -> dict[int, float]:
        """Energies above the lowest, in Eh, by multiplicity."""
        lowest = self.ground.energy
        return {state.multiplicity: state.energy - lowest for state in self.states}


class Fragment(GraphModel):
    """Some of the atoms of a structure, which have a charge and a multiplicity of their own.

    Attributes:
        members: which atoms belong to it, shape (atoms,).
        charge: total charge in units of e.
        multiplicity: 2S+1.
    """

    members: Members
    charge: int = 0
    multiplicity: Annotated[int, Field(ge=1)] = 1

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.members.any():
            raise ValueError("a fragment has at least one atom")
        return self

    def atoms_of(self, whole: ConceptualAtoms) -> ConceptualAtoms:
        """Return the fragment's own atoms, where and in the order in which the whole has them.

        Raises:
            InputError: the fragment is of another structure, or its electrons do not allow for
                charge and multiplicity.
        """
        if len(self.members) != len(whole.numbers):
            raise InputError(
                f"a fragment of {whole.formula} was asked for",
                f"that has {len(whole.numbers)} atoms, the fragment says of {len(self.members)} "
                "which are its own",
                "give the structure that the fragment is of",
            )
        numbers, positions = whole.numbers[self.members], whole.positions[self.members]
        return make_atoms(
            f"the fragment {self.label}",
            numbers=numbers,
            positions=positions,
            charge=self.charge,
            multiplicity=self.multiplicity,
        )

    @property
    def label(self) -> str:
        """Its atoms counted from 1, such as 1-3,7."""
        runs: list[list[int]] = []
        for number in (np.flatnonzero(self.members) + 1).tolist():
            if runs and runs[-1][1] == number - 1:
                runs[-1][1] = number
            else:
                runs.append([number, number])
        return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


class FragmentEnergyV1(GraphModel, identity="result", former=True):
    """The first schema: `supermolecule` was called `atoms`, in its last stores as it is today."""

    atoms: ConceptualAtoms | None = None
    supermolecule: ConceptualAtoms | None = None
    level: LevelOfTheory
    fragment: Fragment
    energy: Hartree
    converged: bool
    scf_cycles: int
    spin_squared: float | None = None
    dispersion_energy: Hartree | None = None
    scf_path: tuple[str, ...] = ("DIIS",)
    stability: StabilityLabel = "not analysed"
    remarks: tuple[str, ...] = ()


def _renamed(old: FragmentEnergyV1) -> Mapping[str, Any]:
    values = {name: getattr(old, name) for name in type(old).model_fields if name != "atoms"}
    return values if old.atoms is None else {**values, "supermolecule": old.atoms}


class FragmentEnergy(
    GraphModel, identity="result", schema=2, upgrades={1: Upgrade(FragmentEnergyV1, _renamed)}
):
    """Energy of a fragment among the basis functions of the other atoms (ghost atoms).

    Core potentials and the correction for dispersion are those of the fragment's own atoms.

    Attributes:
        supermolecule: all atoms; those outside the fragment have neither nuclei nor electrons, so
            that this is no energy of theirs.
        level: the level of theory.
        fragment: which atoms are real.
        energy: total energy, nuclear repulsion included.
        converged: whether the SCF reached its threshold (results that did not are never stored).
        scf_cycles: number of SCF cycles at this geometry.
        spin_squared: expectation value of S²; None for a restricted reference.
        dispersion_energy: what the correction for dispersion adds; None where there is none.
        scf_path: as of an electronic result.
        stability: as of an electronic result.
        remarks: what a reader must know of these numbers, such as spin contamination.
    """

    supermolecule: ConceptualAtoms
    level: Level
    fragment: Fragment
    energy: Hartree
    converged: bool
    scf_cycles: int
    spin_squared: float | None = None
    dispersion_energy: Hartree | None = None
    scf_path: tuple[str, ...] = ("DIIS",)
    stability: StabilityLabel = "not analysed"
    remarks: tuple[str, ...] = ()


class InteractionEnergy(GraphModel):
    """Interaction of fragments at the geometry that they have together.

    The correction is that of S. F. Boys, F. Bernardi, Mol. Phys. 19, 553 (1970),
    doi:10.1080/00268977000101561; where nobody chooses a basis set, as of tight binding, there is
    none. What it takes to bring free fragments into these geometries is
    not in it.

    Attributes:
        atoms: the whole.
        level: its level of theory; references of fragments may differ.
        fragments: the parts.
        uncorrected: energy of the whole, less those of the fragments in their own basis sets.
        corrected: the same with the fragments in the basis set of the whole; None without one.
        superposition_error: corrected less uncorrected, not negative where the energy is
            variational; None without a basis set.
        whole: the energy of the whole.
        separate: those of the fragments alone, in their order.
        with_ghosts: those of the fragments among ghosts, in their order.
        remarks: what a reader must know of these numbers, such as spin contamination.
    """

    atoms: ConceptualAtoms
    level: Level
    fragments: tuple[Fragment, ...]
    uncorrected: Hartree
    corrected: Hartree | None = None
    superposition_error: Hartree | None = None
    whole: Link[EnergyResult]
    separate: tuple[Link[EnergyResult], ...]
    with_ghosts: tuple[Link[FragmentEnergy], ...] = ()
    remarks: tuple[str, ...] = ()
