"""A molecule relaxed with a force field, its rotors free or held."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ontologies.units import Floats
from workflows.molecule.embedding import RELAXATION_STEPS

from .numbering import with_positions
from .rotors import Rotor

if TYPE_CHECKING:
    from rdkit.Chem import Mol

STIFFNESS = 200.0
"""kcal/(mol·rad²) of a rotor that is held."""


class ForceField:
    """MMFF94 or UFF for one molecule.

    Args:
        mol: with all hydrogens.
        name: `MMFF94` or `UFF`; it must have parameters for the molecule.
    """

    def __init__(self, mol: Mol, name: str) -> None:
        from rdkit.Chem import rdForceFieldHelpers as helpers

        self.name, self._mol = name, mol
        self._parameters: Any = (
            helpers.MMFFGetMoleculeProperties(mol, mmffVariant=name) if name == "MMFF94" else None
        )

    def relaxed(
        self, positions: Floats, held: Sequence[Rotor] = (), angles: Sequence[float] = ()
    ) -> tuple[float, Floats]:
        """Return the energy in kcal/mol and the positions in Å after relaxing.

        What reaches the step limit stays a fair start.

        Args:
            positions: in Å, shape (atoms, 3).
            held: rotors that are held; the energy is then that without what holds them.
            angles: where, in degrees.
        """
        copy = with_positions(self._mol, positions)
        field = self._field(copy)
        for rotor, angle in zip(held, angles, strict=True):
            self._hold(field, rotor, angle)
        field.Minimize(maxIts=RELAXATION_STEPS)
        energy = self._field(copy).CalcEnergy() if held else field.CalcEnergy()
        return float(energy), copy.GetConformer().GetPositions()

    def _field(self, copy: Any) -> Any:
        from rdkit.Chem import rdForceFieldHelpers as helpers

        if self._parameters is not None:
            field: Any = helpers.MMFFGetMoleculeForceField(
                copy, self._parameters, ignoreInterfragInteractions=False
            )
        else:
            field = helpers.UFFGetMoleculeForceField(copy, ignoreInterfragInteractions=False)
        field.Initialize()
        return field

    def _hold(self, field: Any, rotor: Rotor, angle: float) -> None:
        add = (
            field.MMFFAddTorsionConstraint
            if self._parameters is not None
            else field.UFFAddTorsionConstraint
        )
        add(*rotor.torsion, False, angle, angle, STIFFNESS)
