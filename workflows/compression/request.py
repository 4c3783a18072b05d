"""What can be asked of a crystal at several volumes, and what that will take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.compression import EquationOfState
from triplestore.errors import InputError
from workflows.crystal.surface import check_crystal
from workflows.dft.request.forms import DFTRequest, Force
from workflows.dft.request.molecule_cost import MoleculeCost
from workflows.engine import Executor
from workflows.engine.request.cost import Cost, Granted
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import Form
from workflows.molecule.subject import MOLECULE
from workflows.registry.levels import LevelForm, offered

from .fit import FEWEST
from .graph import EQUATION, CompressionState
from .symmetry import symmetry_of


class CompressionRequest(Form):
    """At which volumes a crystal is computed."""

    points: Annotated[
        int, Field(ge=FEWEST, le=41, description="Volumes, evenly spaced about that as given.")
    ] = 7
    width: Annotated[
        float,
        Field(ge=1, le=30, description="How far the volume changes, % either way; it goes on where "
        "the energy still falls."),
    ] = 6.0  # fmt: skip
    keep_positions: Annotated[
        bool,
        Field(description="Scale positions with the cell, even where symmetry leaves them free."),
    ] = False
    force: Force = False


@dataclass(frozen=True)
class CompressionCost:
    """What the volumes that are not remembered will take.

    Attributes:
        state: where the run starts.
    """

    state: CompressionState

    @property
    def label(self) -> str:
        """What it is."""
        return f"{self.state.atoms.formula} at {self.state.level.label}"

    def cost(self, granted: Granted, executor: Executor) -> Cost | None:
        """Return what it will take; None where that is not worth an estimate."""
        state = self.state
        left = len(state.ratios)
        if not executor.recompute:
            left = sum(executor.recall(state.at(ratio)) is None for ratio in state.ratios)
        if not left:
            return None
        alike = DFTRequest(task="optimise" if state.relaxed else "energy")
        each = replace(granted, hours=granted.hours / left)
        one = MoleculeCost(state.atoms, state.level, alike).cost(each, executor)
        if one is None:
            return None
        advice = f"ask for fewer points, or {one.advice.removeprefix('ask for ')}"
        size = f"{left} volumes of {one.size}"
        share = 1.0 if state.relaxed else offered(state.level).energy_share
        return replace(one, size=size, seconds=one.seconds * share * left, advice=advice)


async def prepare_compression(
    given: Given[ConceptualAtoms],
    request: CompressionRequest,
    wanted: LevelForm,
    executor: Executor,
) -> Prepared[CompressionState]:
    """Find out what is asked of a crystal.

    Raises:
        InputError: it is a molecule, or the level does not suit it.
        ComponentError: spglib is not there.
    """
    atoms = given.model
    asked = f"the equation of state of {given.text or atoms.formula} was asked for"
    if not atoms.is_periodic:
        raise InputError(
            asked,
            "it is a molecule, and has no cell",
            "give a crystal: a file (CIF, POSCAR, extended XYZ) or a name such as rutile",
        )
    check_crystal(atoms, asked)
    resolved = await wanted.resolve(atoms, executor)
    level, symmetry = resolved.level, symmetry_of(atoms)
    program = offered(level)
    program.check(atoms, level, DFTRequest(task="energy"))
    ends = 1 - request.width / 100, 1 + request.width / 100
    ratios = tuple(round(float(one), 6) for one in np.linspace(*ends, request.points))
    relaxed = symmetry.free_positions and not request.keep_positions
    state = CompressionState(atoms, level, symmetry, ratios, relaxed)
    state.at(1.0)  # says where a level has no crystals
    return Prepared(
        state,
        EQUATION.goal("the equation of state of a crystal"),
        (atoms, level),
        f"{atoms.formula} at {level.label}",
        (CompressionCost(state),),
        (*resolved.remarks, *program.remarks(atoms, level)),
    )


COMPRESSION = Definition(
    EQUATION,
    (CompressionRequest, LevelForm),
    MOLECULE,
    prepare_compression,
    help="Of a crystal (CIF, POSCAR, extended XYZ with a lattice): its energy at several volumes, "
    "all lengths scaled alike, positions relaxed where symmetry leaves them free. The equation of "
    "Birch and Murnaghan gives equilibrium volume, lattice constants and bulk modulus, each with "
    "its error; what the energies do not determine is not told.",
    makes=(EquationOfState,),
)
