"""What can be asked of a reaction, and how such a request is prepared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from ogm import GraphModel, Unit
from ontologies.quantum import Convergence
from ontologies.reactions import Reaction, ReactionEnergy
from ontologies.vibrations import Treatment
from triplestore.errors import InputError
from workflows.dft.request.forms import (
    IN_WORDS,
    RELAXING,
    VIBRATING,
    DFTRequest,
    Force,
    Pressure,
    SpinOrbit,
    Steps,
    Task,
    Temperature,
)
from workflows.engine import Executor
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import Form
from workflows.engine.request.rules import Rare, TakesLevel
from workflows.registry.levels import LevelForm, split_level
from workflows.registry.outside import check_ions, check_zero

from .conformers import lowest_conformers
from .graph import REACTION, Conclude, ReactionState
from .species import Questions, ask_species
from .subject import REACTIONS

SURROUNDINGS = ("solvent", "solvation", "dielectric")
"""What of the level of the geometries holds for the energies too."""


class SpeciesRequest(Form):
    """What is asked of each of several species."""

    task: Annotated[
        Task,
        IN_WORDS,
        Field(
            description="energy of the geometries as they are; optimise them; frequencies too, for "
            "enthalpy and Gibbs energy."
        ),
    ] = "frequencies"
    energy_at: Annotated[
        str,
        TakesLevel("GFN2-xTB", RELAXING),
        Field(
            description="Level of the energies at these geometries, such as B3LYP-D4/def2-TZVP; "
            "that of the geometries if not given."
        ),
    ] = ""
    max_steps: Annotated[Steps, RELAXING, Field(description="Steps of an optimisation.")] = 100
    convergence: Annotated[
        Convergence, RELAXING, Rare(), Field(description="Thresholds of an optimisation.")
    ] = "normal"
    temperature: Annotated[
        Temperature, VIBRATING, Unit("K"), Field(description="For thermochemistry, K.")
    ] = 298.15
    treatment: Annotated[
        Treatment, VIBRATING, IN_WORDS, Rare(), Field(description="Soft modes in thermochemistry.")
    ] = "harmonic"
    spin_orbit: SpinOrbit = False
    conformers: Annotated[
        int,
        Field(
            ge=1,
            le=1000,
            description="Starts from which the conformer of each species is sought that lies "
            "lowest at GFN2-xTB; 1 takes the geometry as it is built or given.",
        ),
    ] = 1
    force: Force = False

    def of_each(self, wanted: LevelForm) -> dict[str, Any]:
        """Return what is asked of each species, in words.

        Args:
            wanted: the level of the geometries.
        """
        of_dft = DFTRequest.model_fields.keys() - {"force"}
        fields = {n: f for n, f in type(self).model_fields.items() if n in of_dft}
        own = {n: getattr(self, n) for n, f in fields.items() if getattr(self, n) != f.default}
        return own | {"task": self.task} | wanted.in_words()

    def energy_words(self, wanted: LevelForm) -> dict[str, Any] | None:
        """Return the level of the energies, in words; None where it is that of the geometries.

        Args:
            wanted: the level of the geometries.

        Raises:
            InputError: it names no method, or one that has no basis set with one.
        """
        text = self.energy_at.strip()
        if not text:
            return None
        named = split_level(text)
        method, basis = named["method"], named.get("basis", "")
        form = LevelForm.variant({"method": method})
        if basis and "basis" not in form.offered():
            raise InputError(
                f"energies at {text[:80]!r} were asked for",
                f"{method} has no basis set",
                f"ask for {method}",
            )
        if not basis and "basis" in form.offered():
            basis = str(getattr(wanted, "basis", ""))
        kept = {n: getattr(wanted, n, None) for n in SURROUNDINGS if n in form.offered()}
        return {"method": method, "task": "energy", **{n: v for n, v in kept.items() if v}} | (
            {"basis": basis} if basis else {}
        )


class ReactionRequest(SpeciesRequest):
    """What is asked of the species of a reaction."""

    pressure: Annotated[
        Pressure, VIBRATING, Unit("PA"), Rare(), Field(description="For thermochemistry, Pa.")
    ] = 101325.0


async def prepare_reaction(
    given: Given[Reaction], request: ReactionRequest, wanted: LevelForm, executor: Executor
) -> Prepared[ReactionState]:
    """Find out what is asked of the species of a reaction.

    Raises:
        InputError: what is asked does not fit a species or its level; or there is no such level.
    """
    reaction = given.model
    return await prepare_reactions(
        (reaction,),
        request,
        wanted,
        executor,
        subject=reaction,
        label=reaction.name,
        goal="the energy of a reaction",
    )


async def prepare_reactions(
    reactions: Sequence[Reaction],
    request: SpeciesRequest,
    wanted: LevelForm,
    executor: Executor,
    *,
    subject: GraphModel,
    label: str,
    goal: str,
    conclude: Conclude | None = None,
    every: bool = True,
    remarks: Sequence[str] = (),
    outside: tuple[str, str] | None = None,
) -> Prepared[ReactionState]:
    """Find out what is asked of the species of several reactions; each is computed once.

    Args:
        reactions: which.
        request: what is asked of their species.
        wanted: the level of their geometries.
        executor: what computes.
        subject: what the run is about.
        label: what it is, without its level.
        goal: what is to be reached, in words.
        conclude: what is made of the energies of the reactions.
        every: whether all of the reactions are needed; else some of them may fail.
        remarks: what is to be known besides.
        outside: the particle whose energy comes from outside, and what works where it does not fit
            the level; None for none.

    Raises:
        InputError: what is asked does not fit a species or its level; or there is no such level.
    """
    higher = request.energy_words(wanted)

    async def ask() -> Questions:
        every = {one.atoms.iri: one for reaction in reactions for one in reaction.species}
        return await ask_species([*every.values()], request.of_each(wanted), higher, executor)

    found, found_conformers = await ask(), ()
    if outside:
        check_zero(found.energy_levels, f"the {label} was asked for", *outside)
    named = {name: one.species.atoms for name, one in found.asked.items()}
    check_ions(named, found.energy_levels)
    if request.conformers > 1:  # after all that may be refused
        reactions, found_conformers = await lowest_conformers(
            reactions, request.conformers, executor
        )
        found = await ask()
    relaxed = request.task != "energy"
    state = ReactionState(tuple(reactions), found.asked, relaxed, conclude, every)

    async def begin() -> ReactionState:  # what its species came to before is remembered
        return state

    level = found.levels[0].label
    return Prepared(
        state,
        REACTION.goal(goal),
        (subject, *found.levels),
        f"{label} at {f'{request.energy_at}//' if higher else ''}{level}",
        found.costs,
        (*remarks, *found_conformers, *found.remarks),
        begin=begin,
    )


DEFINITION = Definition(
    REACTION,
    (ReactionRequest, LevelForm),
    REACTIONS,
    prepare_reaction,
    help="Each species is computed as if it had been asked for alone, so that other reactions "
    "share it.",
    makes=(ReactionEnergy,),
)
