"""Redox: half reactions that take up electrons, and the potentials at which they do."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from ogm import GraphModel, Unit

from .reactions import Reaction, ReactionEnergy
from .units import Hartree, Number

Volt: TypeAlias = Annotated[float, Unit("V")]
ElectrodeName: TypeAlias = Literal["SHE", "SCE", "Fc+/Fc"]


class HalfReaction(GraphModel):
    """A reduction: a reaction with electrons, and with protons in water where it has any.

    Attributes:
        reaction: its other species, reactants first.
        electrons: how many it takes up.
        protons: how many stand after the arrow; negative for those that it takes up.
    """

    reaction: Reaction
    electrons: Number
    protons: Number = 0.0

    @property
    def name(self) -> str:
        """The equation, such as `O=O + e- -> [O-][O]`."""
        before, after = self.reaction.name.split(" -> ")
        parts = [before, _counted(-self.protons, "H+"), _counted(self.electrons, "e-")]
        left = " + ".join(one for one in parts if one)
        return (
            f"{left} -> {' + '.join(one for one in (after, _counted(self.protons, 'H+')) if one)}"
        )


def _counted(count: float, name: str) -> str:
    if count <= 0:
        return ""
    return name if count == 1 else f"{count:.6g} {name}"


class ReductionPotential(GraphModel):
    """The standard potential of a half reaction, all species in solution at 1 mol/L.

    Attributes:
        half_reaction: which.
        reaction_energy: of its species, without electrons and protons.
        gibbs_energy_of_reduction: with the protons; an electron at rest in vacuum has none.
        potential: against the reference electrode.
        reference_electrode: which.
        electrode_potential: of it, against the standard hydrogen electrode.
        absolute_potential: of the standard hydrogen electrode.
        proton_in_water: Gibbs energy of a proton at 1 mol/L that goes with it.
        acidity: pH of the protons.
        remarks: what a reader must know.
    """

    half_reaction: HalfReaction
    reaction_energy: ReactionEnergy
    gibbs_energy_of_reduction: Hartree
    potential: Volt
    reference_electrode: ElectrodeName
    electrode_potential: Volt
    absolute_potential: Volt
    proton_in_water: Hartree
    acidity: Number = 0.0
    remarks: tuple[str, ...] = ()
