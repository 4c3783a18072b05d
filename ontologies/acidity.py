"""Acidity: acids that lose a proton in solution, and the pKa that follows."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ogm import GraphModel

from .atoms import ConceptualAtoms
from .level import Level
from .reactions import Reaction, SpeciesEnergy
from .units import Hartree, Kelvin, Number

Calibration: TypeAlias = Literal["none", "fixed slope", "regression"]


class AcidDissociation(GraphModel):
    """What it takes an acid to lose its proton, and the pKa of that.

    Attributes:
        reaction: the acid becomes its base and a proton.
        species_energies: what acid and base came to, in this order.
        deprotonation_energy: base less acid, without the proton: Gibbs energies, or total energies
            where there are no vibrations.
        pka: as it is computed.
        measured_pka: of acids that calibrate; None for the one that is asked for.
    """

    reaction: Reaction
    species_energies: tuple[SpeciesEnergy, ...]
    deprotonation_energy: Hartree
    pka: Number
    measured_pka: Number | None = None

    @property
    def name(self) -> str:
        """What the acid was called."""
        return self.reaction.species[0].name

    @property
    def residual(self) -> float | None:
        """The measured pKa less the computed one."""
        return None if self.measured_pka is None else self.measured_pka - self.pka


class AcidityConstant(GraphModel):
    """The pKa of an acid: slope times (deprotonation energy plus proton's) over RT ln 10.

    Attributes:
        atoms: the acid as it was given.
        level: of the energies.
        geometry_level: of geometries and vibrations.
        acid: its dissociation.
        calibrating_acids: those of known pKa.
        calibration: how proton and slope were found.
        relative_slope: in units of the theoretical one, which is 1.
        proton_gibbs_energy: of a proton in solution at 1 mol/L; where there is a calibration, the
            one that it comes to, with the level's errors in it.
        standard_error: of the pKa; None where too few acids are known.
        half_interval: half the width of the 95 % interval of Student's distribution.
        temperature: of the relation.
        thermal: whether energies of vibration and motion are in it.
        remarks: what a reader must know.
    """

    atoms: ConceptualAtoms
    level: Level
    geometry_level: Level
    acid: AcidDissociation
    calibrating_acids: tuple[AcidDissociation, ...] = ()
    calibration: Calibration
    relative_slope: Number
    proton_gibbs_energy: Hartree
    standard_error: Number | None = None
    half_interval: Number | None = None
    temperature: Kelvin
    thermal: bool = True
    remarks: tuple[str, ...] = ()
