"""Force fields: their levels, and what a calculation at one of them gives."""

from __future__ import annotations

from .level import Level, ResolvedLevel
from .quantum import EnergyResult, RelaxedGeometry
from .tightbinding import BornSolvation


class ForceField(Level):
    """A force field: energies from bonds, angles and distances, without electrons.

    Attributes:
        method: such as `GFN-FF`.
        program: that computes.
        program_version: its version, for results of another may differ.
        solvation: a continuum around the molecule; None for the gas phase.
    """

    program: str = "xtb"
    program_version: str
    solvation: BornSolvation | None = None

    @property
    def words(self) -> dict[str, str]:
        """What a search may name a part of."""
        around = self.solvation
        return {"method": self.method, "solvent": around.solvent if around else ""}

    @property
    def label(self) -> str:
        """The usual short form, such as GFN-FF in ALPB water."""
        around = self.solvation
        return f"{self.method} in {around.model} {around.solvent}" if around else self.method


class ForceFieldResolution(ResolvedLevel):
    """What the name of a force field and its options mean for the program.

    Attributes:
        level: what they mean.
    """

    level: ForceField  # pyright: ignore[reportIncompatibleVariableOverride]  # it is frozen


class ForceFieldEnergy(EnergyResult):
    """Energy by a force field at a fixed geometry.

    Attributes:
        level: the force field.
    """

    level: ForceField  # pyright: ignore[reportIncompatibleVariableOverride]  # it is frozen


class ForceFieldOptimisation(RelaxedGeometry):
    """A geometry relaxed by a force field.

    Attributes:
        level: the force field.
    """

    level: ForceField  # pyright: ignore[reportIncompatibleVariableOverride]  # it is frozen
