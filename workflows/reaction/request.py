"""What can be asked of a reaction, and how such a request is prepared."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Any

from pydantic import Field

from ogm import Unit
from ontologies.level import Level
from ontologies.quantum import Convergence
from ontologies.reactions import Reaction, ReactionEnergy, ReactionSpecies
from ontologies.vibrations import Treatment
from triplestore.errors import GraficoError, InputError
from workflows.dft.request.forms import (
    IN_WORDS,
    RELAXING,
    VIBRATING,
    Force,
    Pressure,
    Steps,
    Task,
    Temperature,
)  # fmt: skip
from workflows.engine import Executor, Goal
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import Form, Rare
from workflows.engine.request.workflow import prepare
from workflows.levels import LevelForm
from workflows.registry import workflows

from .graph import REACTION, Asked, ReactionState
from .subject import REACTIONS

SURROUNDINGS = ("solvent", "solvation", "dielectric")
"""What of the level of the geometries holds for the energies too."""


class ReactionRequest(Form):
    """What is asked of the species of a reaction."""

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
    pressure: Annotated[
        Pressure, VIBRATING, Unit("PA"), Rare(), Field(description="For thermochemistry, Pa.")
    ] = 101325.0
    treatment: Annotated[
        Treatment, VIBRATING, IN_WORDS, Rare(), Field(description="Soft modes in thermochemistry.")
    ] = "harmonic"
    force: Force = False

    def words(self) -> dict[str, Any]:
        """Return what is asked of each species."""
        own = {"energy_at", "force"}
        return {n: v for n, v in self if n not in own and v != type(self).model_fields[n].default
                } | {"task": self.task}  # fmt: skip

    def energy_words(self, wanted: LevelForm) -> dict[str, Any] | None:
        """Return the level of the energies, in words; None where it is that of the geometries.

        Args:
            wanted: the level of the geometries.

        Raises:
            InputError: it names no method.
        """
        text = self.energy_at.strip()
        if not text:
            return None
        method, _, basis = (part.strip() for part in text.partition("/"))
        if not re.match(r"\w", method):
            raise InputError(
                f"energies at {text[:80]!r} were asked for", "that names no method",
                "write it as in B3LYP-D4/def2-TZVP",
            )  # fmt: skip
        form = LevelForm.variant({"method": method})
        if basis and "basis" not in form.offered():
            raise InputError(
                f"energies at {text[:80]!r} were asked for", f"{method} has no basis set",
                f"ask for {method}",
            )  # fmt: skip
        if not basis and "basis" in form.offered():
            basis = str(getattr(wanted, "basis", ""))
        kept = {n: getattr(wanted, n, None) for n in SURROUNDINGS if n in form.offered()}
        return {"method": method, "task": "energy", **{n: v for n, v in kept.items() if v}} | (
            {"basis": basis} if basis else {}
        )


def _level_words(wanted: LevelForm) -> dict[str, Any]:
    fields = type(wanted).offered()
    return {
        name: value
        for name, value in wanted
        if name in fields and (fields[name].is_required() or value != fields[name].default)
    }


async def prepare_reaction(
    given: Given[Reaction], request: ReactionRequest, wanted: LevelForm, executor: Executor
) -> Prepared[ReactionState]:
    """Find out what is asked of the species of a reaction.

    Raises:
        InputError: what is asked does not fit a species or its level; or there is no such level.
    """
    reaction, workflow = given.model, workflows().named("dft")
    words, higher = request.words() | _level_words(wanted), request.energy_words(wanted)

    async def ask(species: ReactionSpecies) -> tuple[Asked, Prepared[Any], list[Any]]:
        try:
            ready = await prepare(workflow, species.atoms, words, executor.unheard())
            costs = list(ready.prepared.costs)
            if higher is not None:
                again = await prepare(workflow, species.atoms, higher, executor.unheard())
                costs += again.prepared.costs
        except GraficoError as error:
            error.found = f"{species.name}: {error.found}"
            raise
        return Asked(species, ready, higher), ready.prepared, costs

    found = await asyncio.gather(*map(ask, reaction.species))
    names = _names(reaction)
    asked = {name: one for name, (one, _, _) in zip(names, found, strict=True)}
    about = [one for _, ready, _ in found for one in ready.about]
    levels = {one.iri: one for one in about if isinstance(one, Level)}
    remarks: dict[str, list[str]] = {}
    for name, (_, ready, _) in zip(names, found, strict=True):
        for remark in ready.remarks:
            remarks.setdefault(remark, []).append(name)
    state = ReactionState(reaction, asked, request.task != "energy")

    async def begin() -> ReactionState:  # what its species came to before is remembered
        return state

    level = next(iter(levels.values())).label
    return Prepared(
        state,
        Goal("the energy of a reaction", lambda situation: situation.combined),
        (reaction, *levels.values()),
        f"{reaction.name} at {f'{request.energy_at}//' if higher else ''}{level}",
        tuple(cost for _, _, costs in found for cost in costs),
        tuple(
            one if len(named) == len(names) else f"{one} ({', '.join(named)})"
            for one, named in remarks.items()
        ),
        begin=begin,
    )


def _names(reaction: Reaction) -> list[str]:
    """Return a name for each species; those that are called the same are counted."""
    names: list[str] = []
    for one in reaction.species:
        again = sum(name.partition(" #")[0] == one.name for name in names)
        names.append(f"{one.name} #{again + 1}" if again else one.name)
    return names


DEFINITION = Definition(
    REACTION,
    (ReactionRequest, LevelForm),
    REACTIONS,
    prepare_reaction,
    help="Each species is computed as if it had been asked for alone, so that other reactions "
    "share it.",
    makes=(ReactionEnergy,),
)
