"""Crystals by CHGNet: energy, forces and stress from its weights, in the process that computes."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportMissingImports=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import hashlib
import io
import warnings
from contextlib import redirect_stdout
from typing import Any, ClassVar

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import GIGAPASCAL
from ontologies.factors import HARTREE
from ontologies.potentials import LearnedPotential
from ontologies.units import Floats
from triplestore.errors import ComponentError, InputError
from workflows.crystal.calculations import CrystalCalculations
from workflows.crystal.relaxing import FORCE
from workflows.crystal.surface import CrystalSurface, Solved, check_crystal
from workflows.engine import context

from .levels import ADVICE, BACKEND, KNOWN, required, symbols, weights_file


def check_known(atoms: ConceptualAtoms, level: LearnedPotential) -> None:
    """Check that a crystal is one that the potential was made for.

    Raises:
        InputError: it is a molecule, or has an element that was not trained on.
    """
    asked = f"{level.label} of {atoms.formula} was asked for"
    if not atoms.is_periodic:
        raise InputError(
            asked,
            f"{level.method} knows crystals, and this is a molecule",
            "ask for GFN2-xTB, which is faster and made for molecules, or give a crystal",
        )
    check_crystal(atoms, asked, paired=False)
    if strange := sorted(set(atoms.numbers.tolist()) - KNOWN):
        raise InputError(
            asked,
            f"it was not trained on {symbols(strange)}",
            "ask for another method, such as GTH-PBE with k-points for a small cell",
        )


class PotentialSurface(CrystalSurface[LearnedPotential]):
    """CHGNet of a crystal, at one geometry after the other; on the processor, in 32 bits.

    Raises:
        InputError: see `check_known`.
        ComponentError: CHGNet is not there, or with other weights than the level's.

    Source: B. Deng et al., Nat. Mach. Intell. 5, 1031 (2023), doi:10.1038/s42256-023-00716-3.
    """

    paired: ClassVar[bool] = False

    def __init__(self, atoms: ConceptualAtoms, level: LearnedPotential) -> None:
        super().__init__(atoms, level)
        check_known(atoms, level)
        self._model = _loaded(level, self.asked)

    def _solve(self, positions: Floats, cell: Floats) -> Solved:
        """Solve it.

        Raises:
            InputError: an atom has no neighbour.
        """
        from pymatgen.core import Lattice, Structure

        crystal = Structure(
            Lattice(cell), self.atoms.numbers.tolist(), positions, coords_are_cartesian=True
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what PyTorch announces
            try:
                graph = self._model.graph_converter(crystal)
            except ValueError as error:
                raise InputError(
                    self.asked,
                    f"CHGNet sees an atom without neighbours: {' '.join(str(error).split())[:200]}",
                    "check the structure: solvent or ions far from all others",
                ) from error
            found = self._model.predict_graph(graph, task="efs")
        stress = np.array(found["s"], float) / GIGAPASCAL
        return Solved(
            float(found["e"]) * len(positions) / HARTREE["eV"],
            -np.array(found["f"], float) / FORCE,
            (stress + stress.T) / 2,
        )


def _loaded(level: LearnedPotential, asked: str) -> Any:
    """Return the model of a level, from its weights alone: no code in the file is run.

    Raises:
        ComponentError: it is not installed, or its weights are others.
    """
    version = required(asked)
    content = weights_file(level.model, asked).read_bytes()
    if hashlib.sha256(content).hexdigest() != level.weights or version != level.program_version:
        raise ComponentError(
            asked,
            f"CHGNet {version} is installed here, with other weights than those of the level or "
            f"in another version than {level.program_version}",
            "ask for CHGNet again, or install that version",
        )
    try:
        import torch
        from chgnet.model.model import CHGNet
    except (ImportError, OSError, ValueError) as error:  # PyTorch raises all of them
        raise ComponentError(asked, f"CHGNet cannot be loaded: {error}", ADVICE) from error
    torch.set_num_threads(context().threads)
    state = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    with redirect_stdout(io.StringIO()):  # it says what it is
        return CHGNet.from_dict(state["model"], mlp_out_bias=False, version=level.model)


_OF_CRYSTALS = CrystalCalculations(__name__, "potentials", BACKEND, PotentialSurface)

crystal_energy = _OF_CRYSTALS.crystal_energy()
relax_crystal = _OF_CRYSTALS.relax_crystal()
