"""Crystals by SevenNet: its architecture, given weights alone, in the process that computes."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportMissingImports=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportAttributeAccessIssue=false, reportUntypedBaseClass=false, reportPrivateUsage=false

from __future__ import annotations

import io
import logging
from typing import Any

import numpy as np

from ontologies.potentials import MultifidelityPotential
from workflows.crystal.calculations import CrystalCalculations
from workflows.potentials.learned import LearnedSurface

from .levels import BACKEND, SEVENNET, weights_file


class MultifidelitySurface(LearnedSurface[MultifidelityPotential]):
    """SevenNet of a crystal, in 32 bits.

    Raises:
        InputError: see `LearnedSurface`.
        ComponentError: likewise, or the weights are others than the level's.

    Source: Y. Park, J. Kim, S. Hwang, S. Han, J. Chem. Theory Comput. 20, 4857 (2024),
    doi:10.1021/acs.jctc.4c00190; with several methods J. Kim et al., J. Am. Chem. Soc. 147, 1042
    (2025), doi:10.1021/jacs.4c14455.
    """

    package = SEVENNET

    def calculator(self) -> Any:
        """Return the calculator of SevenNet, from weights alone: no code in the file is run.

        Raises:
            ComponentError: the weights are others than those of the level.
        """
        content = self.weights(weights_file(self.level.model, self.asked))
        import torch

        logging.disable(logging.WARNING)
        try:
            from sevenn.calculator import SevenNetCalculator
            from sevenn.checkpoint import SevenNetCheckpoint

            class Read(SevenNetCheckpoint):
                """Reads what is at hand; SevenNet itself unpickles whatever stands in a file."""

                def _load(self) -> None:
                    from sevenn.checkpoint import _config_cp_routine

                    with torch.serialization.safe_globals(arrays()):
                        held = torch.load(
                            io.BytesIO(content), map_location="cpu", weights_only=True
                        )
                    self._config_original = held["config"]
                    self._config = _config_cp_routine(self._config_original)
                    self._model_state_dict = held["model_state_dict"]
                    self._loaded = True

            model = Read("").build_model()
            return SevenNetCalculator(
                model,
                file_type="model_instance",
                device="cpu",
                modal=self.level.modal or None,
            )
        finally:
            logging.disable(logging.NOTSET)


def arrays() -> list[Any]:
    """Return what the checkpoints hold besides tensors: arrays of NumPy."""
    from numpy._core.multiarray import _reconstruct

    old = "numpy.core.multiarray._reconstruct"
    kinds = {type(np.dtype(one)) for one in ("f4", "f8", "i4", "i8", "b1")}
    return [(_reconstruct, old), np.ndarray, np.dtype, *kinds]


_OF_CRYSTALS = CrystalCalculations(__name__, "sevennet", BACKEND, MultifidelitySurface)

crystal_energy = _OF_CRYSTALS.crystal_energy()
relax_crystal = _OF_CRYSTALS.relax_crystal()
