"""Reactions: what reacts to what, and the energies of that."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ogm import GraphModel, Link

from .atoms import ConceptualAtoms
from .level import Level
from .quantum import EnergyResult
from .units import Hartree, Kelvin, Number, Pascal
from .vibrations import Thermochemistry

Conserved: TypeAlias = Literal[
    "nothing", "unpaired electrons", "bond types", "bond types and hybridisation"
]


class ReactionSpecies(GraphModel):
    """Molecules, atoms or ions of one kind that take part in a reaction.

    Attributes:
        name: what the person called them.
        coefficient: how many, positive for products and negative for reactants.
        atoms: the structure from which their geometry is relaxed.
        smiles: their bonds; empty where these are not known.
    """

    name: str
    coefficient: Number
    atoms: ConceptualAtoms
    smiles: str = ""


class Reaction(GraphModel):
    """A balanced reaction.

    Attributes:
        species: reactants first, in the order in which they were given.
    """

    species: tuple[ReactionSpecies, ...]

    @property
    def name(self) -> str:
        """The equation, such as `C=C + [H][H] -> CC`."""
        sides = ([one for one in self.species if one.coefficient * sign > 0] for sign in (-1, 1))
        return " -> ".join(" + ".join(map(_term, side)) for side in sides)

    @property
    def gain(self) -> float:
        """How many more particles there are after it than before."""
        return sum(one.coefficient for one in self.species)


def _term(one: ReactionSpecies) -> str:
    count = abs(one.coefficient)
    return one.name if count == 1 else f"{count:.6g} {one.name}"


class SpeciesEnergy(GraphModel):
    """What the species of a reaction came to, per particle.

    Attributes:
        species: which.
        level: of its energy; references of species may differ.
        energy: total energy, nuclear repulsion included.
        zero_point_energy: as of thermochemistry; None without vibrations.
        enthalpy: also; None without vibrations.
        gibbs_energy: also; None without vibrations.
        result: where the energy stands.
        thermochemistry: where the others stand.
        unbound: an anion's highest occupied orbital lies above zero; only the basis set keeps the
            electron.
        bonds_changed: which bonds were broken or formed while the geometry relaxed; empty if none.
        lower_multiplicity: 2S+1 of another spin state that lies lower at this level and geometry,
            where its notation leaves the spin open; None where none was found, or looked for.
        lower_energy: of that state, at the same geometry.
        spin_orbit_lowering: as of thermochemistry; None where it is not known.
    """

    species: ReactionSpecies
    level: Level
    energy: Hartree
    zero_point_energy: Hartree | None = None
    enthalpy: Hartree | None = None
    gibbs_energy: Hartree | None = None
    result: Link[EnergyResult]
    thermochemistry: Link[Thermochemistry] | None = None
    unbound: bool = False
    bonds_changed: str = ""
    lower_multiplicity: int | None = None
    lower_energy: Hartree | None = None
    spin_orbit_lowering: Hartree | None = None


class ReactionEnergy(GraphModel):
    """Products less reactants of an equation as it is written, ideal gas.

    Attributes:
        reaction: which.
        level: of the energies.
        geometry_level: of geometries and vibrations.
        species_energies: what its species came to, in their order.
        energy_change: of the electronic energies.
        zero_point_change: with zero-point energies: the enthalpy at 0 K, without spin–orbit
            coupling.
        enthalpy_change: None without vibrations.
        gibbs_change: each species at the pressure.
        gibbs_change_molar: each species at 1 mol/L.
        temperature: None without vibrations.
        pressure: of each species.
        relaxed: whether geometries were relaxed.
        conserved: what both sides have as many of; the more that is, the more errors cancel.
        spin_orbit_change: products less reactants of what spin–orbit coupling lowers the lowest
            levels of atoms and diatomic molecules by; None where no species has such levels.
        spin_orbit: whether enthalpy and Gibbs energies have it.
        remarks: what a reader must know.
    """

    reaction: Reaction
    level: Level
    geometry_level: Level
    species_energies: tuple[SpeciesEnergy, ...]
    energy_change: Hartree
    zero_point_change: Hartree | None = None
    enthalpy_change: Hartree | None = None
    gibbs_change: Hartree | None = None
    gibbs_change_molar: Hartree | None = None
    temperature: Kelvin | None = None
    pressure: Pascal | None = None
    relaxed: bool = True
    conserved: Conserved = "nothing"
    spin_orbit_change: Hartree | None = None
    spin_orbit: bool = False
    remarks: tuple[str, ...] = ()
