"""Crystals by CHGNet: energy, forces and stress from its weights, in the process that computes."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportMissingImports=false

from __future__ import annotations

import io
from typing import Any

from ontologies.potentials import LearnedPotential
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.crystal.calculations import CrystalCalculations
from workflows.crystal.surface import Solved

from .learned import LearnedSurface
from .levels import BACKEND, CHGNET, weights_file


class PotentialSurface(LearnedSurface[LearnedPotential]):
    """CHGNet of a crystal, in 32 bits.

    Raises:
        InputError: see `LearnedSurface`.
        ComponentError: likewise, or the weights are others than the level's.

    Source: B. Deng et al., Nat. Mach. Intell. 5, 1031 (2023), doi:10.1038/s42256-023-00716-3.
    """

    package = CHGNET

    def calculator(self) -> Any:
        """Return the calculator of CHGNet, from weights alone: no code in the file is run.

        Raises:
            ComponentError: the weights are others than those of the level.
        """
        content = self.weights(weights_file(self.level.model, self.asked))
        import torch
        from chgnet.model.dynamics import CHGNetCalculator
        from chgnet.model.model import CHGNet

        state = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
        model = CHGNet.from_dict(state["model"], mlp_out_bias=False, version=self.level.model)
        return CHGNetCalculator(model, use_device="cpu", on_isolated_atoms="error")

    def _solve(self, positions: Floats, cell: Floats) -> Solved:
        """Solve it.

        Raises:
            InputError: an atom has no neighbour.
        """
        try:
            return super()._solve(positions, cell)
        except ValueError as error:
            if "isolated" not in str(error):
                raise
            raise InputError(
                self.asked,
                f"CHGNet sees an atom without neighbours: {' '.join(str(error).split())[:200]}",
                "check the structure: solvent or ions far from all others",
            ) from error


_OF_CRYSTALS = CrystalCalculations(__name__, "potentials", BACKEND, PotentialSurface)

crystal_energy = _OF_CRYSTALS.crystal_energy()
relax_crystal = _OF_CRYSTALS.relax_crystal()
