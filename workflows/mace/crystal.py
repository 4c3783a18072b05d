"""Crystals by MACE: the architecture is built by its package, and given the weights of a file."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportMissingImports=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import io
import logging
import os
import warnings
from contextlib import redirect_stdout
from typing import Any, ClassVar

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from ontologies.potentials import CheckpointPotential
from ontologies.units import Floats
from triplestore.errors import ComponentError, InputError
from workflows.crystal.calculations import CrystalCalculations
from workflows.crystal.relaxing import FORCE, STRESS
from workflows.crystal.surface import CrystalSurface, Solved, check_crystal
from workflows.engine import context

from .levels import ADVICE, BACKEND, picture_of, required
from .reading import Picture, weights_of


def check_known(atoms: ConceptualAtoms, level: CheckpointPotential) -> None:
    """Check that a crystal is one that a checkpoint can be asked for.

    Raises:
        InputError: it is a molecule, or has an element that was not trained on.
    """
    asked = f"{level.label} of {atoms.formula} was asked for"
    if not atoms.is_periodic:
        raise InputError(
            asked,
            "checkpoints are computed of crystals here, and this is a molecule",
            "ask for GFN2-xTB, which is made for molecules, or give a crystal",
        )
    check_crystal(atoms, asked, paired=False)
    if strange := sorted(set(atoms.symbols) - set(level.elements)):
        known = ", ".join(level.elements[:12]) + (" …" if len(level.elements) > 12 else "")
        raise InputError(
            asked,
            f"it was not trained on {', '.join(strange)}, but on {known}",
            "give another checkpoint, or ask for another method",
        )


class CheckpointSurface(CrystalSurface[CheckpointPotential]):
    """MACE of a crystal, at one geometry after the other, on the processor.

    Raises:
        InputError: see `check_known`; or the checkpoint is none that is understood.
        ComponentError: MACE is not there, or the file of the checkpoint.

    Source: I. Batatia et al., NeurIPS 35, 11423 (2022), arXiv:2206.07697.
    """

    paired: ClassVar[bool] = False

    def __init__(self, atoms: ConceptualAtoms, level: CheckpointPotential) -> None:
        super().__init__(atoms, level)
        check_known(atoms, level)
        self._calculator = _calculator(level, self.asked)

    def _solve(self, positions: Floats, cell: Floats) -> Solved:
        from ase import Atoms

        crystal = Atoms(self.atoms.numbers, positions, cell=cell, pbc=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what PyTorch announces
            self._calculator.calculate(crystal, ["energy", "forces", "stress"])
        found = self._calculator.results
        voigt = np.array(found["stress"], float) / STRESS
        return Solved(
            float(found["energy"]) / HARTREE["eV"],
            -np.array(found["forces"], float) / FORCE,
            voigt[[[0, 5, 4], [5, 1, 3], [4, 3, 2]]],
        )


def _calculator(level: CheckpointPotential, asked: str) -> Any:
    """Return what MACE computes with."""
    version = required(asked)
    if version != level.program_version:
        found = f"MACE {version} is installed, and the level is of {level.program_version}"
        raise ComponentError(asked, found, "ask for MACE again, or install that version")
    picture = picture_of(level.weights, asked)
    logging.disable(logging.WARNING)
    try:
        with redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                import torch

                before = os.environ.get(UNSAFE)
                torch.serialization.add_safe_globals([slice])  # in the tables of e3nn
                from mace.calculators import MACECalculator

                if before is None:
                    os.environ.pop(UNSAFE, None)
            except (ImportError, OSError, ValueError) as error:  # PyTorch raises all of them
                raise ComponentError(asked, f"MACE cannot be loaded: {error}", ADVICE) from error
            torch.set_num_threads(context().threads)
            usual = torch.get_default_dtype()
            try:
                torch.set_default_dtype(getattr(torch, str(picture.r_max.dtype)))
                model = _built(picture)
                return MACECalculator(
                    models=[model],
                    device="cpu",
                    default_dtype=level.precision,
                    head=level.head,
                )
            except (AttributeError, KeyError, IndexError, TypeError, ValueError, RuntimeError) as e:
                raise InputError(
                    asked,
                    f"MACE {version} does not build what the checkpoint was saved from: "
                    f"{' '.join(str(e).split())[:200]}",
                    "give one of a plain ScaleShiftMACE, or save it anew with this version",
                ) from e
            finally:
                torch.set_default_dtype(usual)
    finally:
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
