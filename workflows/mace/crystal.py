"""Crystals by MACE: the architecture is built by its package, and given the weights of a file."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportMissingImports=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import logging
import os
from typing import Any

from ontologies.potentials import CheckpointPotential
from triplestore.errors import InputError
from workflows.crystal.calculations import CrystalCalculations
from workflows.potentials.learned import LearnedSurface

from .levels import BACKEND, MACE, picture_of
from .reading import Picture, weights_of


class CheckpointSurface(LearnedSurface[CheckpointPotential]):
    """MACE of a crystal.

    Raises:
        InputError: see `LearnedSurface`; or the checkpoint is none that is understood.
        ComponentError: MACE is not there, or the file of the checkpoint.

    Source: I. Batatia et al., NeurIPS 35, 11423 (2022), arXiv:2206.07697.
    """

    package = MACE

    def calculator(self) -> Any:
        """Return the calculator of MACE, whose architecture is built and given weights."""
        import torch

        picture = picture_of(self.level.weights, self.asked)
        before, usual = os.environ.get(UNSAFE), torch.get_default_dtype()
        torch.serialization.add_safe_globals([slice])  # in the tables of e3nn
        logging.disable(logging.WARNING)
        try:
            from mace.calculators import MACECalculator

            if before is None:
                os.environ.pop(UNSAFE, None)
            try:
                torch.set_default_dtype(getattr(torch, str(picture.r_max.dtype)))
                return MACECalculator(
                    models=[_built(picture)],
                    device="cpu",
                    default_dtype=self.level.precision,
                    head=self.level.head,
                )
            except (AttributeError, KeyError, IndexError, TypeError, ValueError, RuntimeError) as e:
                raise InputError(
                    self.asked,
                    f"MACE {self.level.program_version} does not build what the checkpoint was "
                    f"saved from: {' '.join(str(e).split())[:200]}",
                    "give one of a plain ScaleShiftMACE, or save it anew with this version",
                ) from e
        finally:
            torch.set_default_dtype(usual)
            logging.disable(logging.NOTSET)


def _built(picture: Picture) -> Any:
    """Return the module that a picture shows, built by MACE and given its weights.

    What it is built with is read as MACE itself does to save a model anew
    (`extract_config_mace_model`); only names are compared with those that MACE has.

    Raises:
        ValueError: it has parts that are not understood, or the weights are of something else.
    """
    import torch
    from e3nn import o3
    from mace import modules

    def named(part: Any) -> str:
        return type(part).__name__

    last, first = picture.interactions[-1], picture.interactions[0]
    final, radial = picture.readouts[-1], picture.radial_embedding
    if any(getattr(picture, one, None) is not None for one in ("embedding_specs", "cueq_config")):
        raise ValueError("it has embeddings or accelerations of its own")
    heads = list(getattr(picture, "heads", None) or ["Default"])
    inner = o3.Irreps(getattr(final, "hidden_irreps", "1x0e"))
    gate = None
    if hasattr(final, "non_linearity"):
        gate = modules.gate_dict[final.non_linearity.acts[0].f.__name__]
    transform = named(radial.distance_transform) if hasattr(radial, "distance_transform") else ""
    config: dict[str, Any] = {
        "r_max": picture.r_max.item(),
        "num_bessel": len(radial.bessel_fn.bessel_weights),
        "num_polynomial_cutoff": radial.cutoff_fn.p.item(),
        "max_ell": picture.spherical_harmonics._lmax,
        "interaction_cls": modules.interaction_classes[named(last)],
        "interaction_cls_first": modules.interaction_classes[named(first)],
        "num_interactions": picture.num_interactions.item(),
        "num_elements": len(picture.atomic_numbers),
        "hidden_irreps": o3.Irreps(picture.products[0].linear.irreps_out),
        "MLP_irreps": o3.Irreps(f"{max(1, inner.count(o3.Irrep(0, 1)) // len(heads))}x0e"),
        "gate": gate,
        "atomic_energies": picture.atomic_energies_fn.atomic_energies,
        "avg_num_neighbors": first.avg_num_neighbors,
        "atomic_numbers": picture.atomic_numbers.tolist(),
        "correlation": len(picture.products[0].symmetric_contractions.contractions[0].weights) + 1,
        "radial_type": RADIAL[named(radial.bessel_fn)],
        "radial_MLP": list(first.conv_tp_weights.hs[1:-1]),
        "pair_repulsion": hasattr(picture, "pair_repulsion_fn"),
        "distance_transform": TRANSFORMS[transform],
        "heads": heads,
        "readout_cls": modules.readout_classes[named(final)],
        "atomic_inter_scale": picture.scale_shift.scale,
        "atomic_inter_shift": picture.scale_shift.shift,
        "apply_cutoff": getattr(picture, "apply_cutoff", True),
    }
    for name in CHOICES:
        config[name] = bool(getattr(picture, name, False))
    if getattr(picture, "edge_irreps", None) is not None:
        config["edge_irreps"] = o3.Irreps(picture.edge_irreps)
    model = modules.ScaleShiftMACE(**config)
    weights = {name: torch.from_numpy(one) for name, one in weights_of(picture)}
    strange = model.load_state_dict(weights, strict=False)
    missing = [one for one in strange.missing_keys if "._compiled_" not in one]  # tables of e3nn
    if missing or strange.unexpected_keys:
        raise ValueError(f"its weights are of something else ({[*missing, *strange[1]][:3]})")
    return model


UNSAFE = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"
"""Which MACE sets when it is imported, so that all that PyTorch loads from then on runs as code."""

RADIAL = {"BesselBasis": "bessel", "GaussianBasis": "gaussian", "ChebychevBasis": "chebyshev"}
TRANSFORMS = {"": "None", "AgnesiTransform": "Agnesi", "SoftTransform": "Soft"}
CHOICES = (
    "use_reduced_cg", "use_so3", "use_edge_irreps_first", "use_agnostic_product",
    "use_last_readout_only",
)  # fmt: skip
"""What MACE calls parts of its architecture, and how it is told of them."""

_OF_CRYSTALS = CrystalCalculations(__name__, "mace", BACKEND, CheckpointSurface)

crystal_energy = _OF_CRYSTALS.crystal_energy()
relax_crystal = _OF_CRYSTALS.relax_crystal()
