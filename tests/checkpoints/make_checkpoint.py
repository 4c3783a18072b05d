"""Makes a checkpoint as MACE saves it, and what MACE itself makes of a crystal with it.

It runs in a process of its own: `python make_checkpoint.py FOLDER`. The weights are random; what is
to be seen is whether they and the architecture are read as they are, not what they tell of silicon.
"""

# pyright: basic, reportMissingImports=false

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import torch
from ase import Atoms

warnings.simplefilter("ignore")
torch.serialization.add_safe_globals([slice])

from e3nn import o3  # noqa: E402
from mace import modules  # noqa: E402
from mace.calculators import MACECalculator  # noqa: E402

CELL = [[0.1, 2.7, 2.8], [2.7, 0.0, 2.7], [2.6, 2.75, 0.0]]
PLACES = [[0.0, 0.0, 0.0], [1.4, 1.3, 1.45]]


def built(heads: list[str], precision: str, **more: object) -> torch.nn.Module:
    """Return a small model."""
    torch.set_default_dtype(getattr(torch, precision))
    torch.manual_seed(len(heads))
    numbers = [1, 6, 14]
    model = modules.ScaleShiftMACE(
        r_max=4.0,
        num_bessel=5,
        num_polynomial_cutoff=5,
        max_ell=2,
        interaction_cls=modules.interaction_classes["RealAgnosticResidualInteractionBlock"],
        interaction_cls_first=modules.interaction_classes["RealAgnosticInteractionBlock"],
        num_interactions=2,
        num_elements=len(numbers),
        hidden_irreps=o3.Irreps("4x0e+4x1o"),
        MLP_irreps=o3.Irreps(f"{4 * len(heads)}x0e"),
        atomic_energies=np.array([[-1.0 * one for one in numbers]] * len(heads)),
        avg_num_neighbors=np.float64(8.5),
        atomic_numbers=numbers,
        correlation=2,
        gate=torch.nn.functional.silu,
        radial_MLP=[8, 8],
        heads=heads,
        atomic_inter_scale=[1.3] * len(heads),
        atomic_inter_shift=[0.1] * len(heads),
        **more,  # pyright: ignore
    )
    torch.set_default_dtype(torch.float32)
    return model


def main() -> None:
    """Write the checkpoints of a folder."""
    folder = Path(sys.argv[1])
    for name, heads, precision, more in (
        ("small", ["Default"], "float64", {}),
        ("single", ["Default"], "float32", {"distance_transform": "Agnesi"}),
        ("repelled", ["Default"], "float64", {"pair_repulsion": True}),
        ("several", ["mp_pbe", "omat"], "float64", {}),
    ):
        model = built(heads, precision, **more)
        path = folder / f"{name}.model"
        torch.save(model, path)
        crystal = Atoms("Si2", PLACES, cell=CELL, pbc=True)
        again = torch.load(path, weights_only=False)
        crystal.calc = MACECalculator(
            models=[again], device="cpu", default_dtype=precision, head=heads[-1]
        )
        found = {
            "energy": float(crystal.get_potential_energy()),
            "forces": crystal.get_forces().tolist(),
            "stress": crystal.get_stress(voigt=False).tolist(),
        }
        (folder / f"{name}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
