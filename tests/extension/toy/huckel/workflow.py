"""What can be asked of a skeleton, and the steps that lead there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field
from pydantic_graph import End, GraphRunContext

from triplestore.errors import InputError
from workflows.engine import (
    Answer,
    Cost,
    Definition,
    Done,
    Executor,
    Finish,
    Form,
    Given,
    Goal,
    Granted,
    Graph,
    Journey,
    Node,
    Prepared,
    Subject,
)

from .calculations import bonds, orbitals
from .model import Huckel, PiBonds, PiOrbitals, Skeleton

# What can be asked: options, arguments and what a run records are made of these.


class PiRequest(Form):
    """What is found."""

    task: Annotated[
        Literal["orbitals", "bonds"], Field(description="Pi orbitals, or pi bonds too.")
    ] = "orbitals"
    force: Annotated[bool, Field(description="Start it however long it takes.")] = False


class Parameters(Form):
    """How it is found."""

    resonance: Annotated[
        float, Field(gt=0, description="The energy -β of two neighbours, in eV.")
    ] = 2.7


class Reading(Form):
    """How a skeleton is read."""

    ring: Annotated[bool | None, Field(description="Join the ends, whatever the text says.")] = None


# What it is about.


class SkeletonSubject(Subject[Skeleton]):
    """A chain or ring of carbon atoms, in words."""

    name: ClassVar[str] = "skeleton"
    metavar: ClassVar[str] = "SKELETON"
    model = Skeleton
    form = Reading
    help: ClassVar[str] = "SKELETON is a text such as 'chain of 4' or 'ring of 6'."

    async def read(self, given: object, said: Form, executor: Executor) -> Given[Skeleton]:
        if isinstance(given, Skeleton):
            return Given(given)
        text = str(given or "")
        found = re.fullmatch(r"(chain|ring) (?:of )?(\d{1,6})", text.strip().lower())
        if found is None or int(found[2]) < 2:
            raise InputError(
                f"the skeleton {text!r} was asked for",
                "that is no chain or ring",
                "write 'chain of 4' or 'ring of 6'",
            )
        ring = getattr(said, "ring", None)
        ring = found[1] == "ring" if ring is None else bool(ring)
        return Given(Skeleton(carbons=int(found[2]), ring=ring), text)


# The graph: where a run stands, and its steps.


@dataclass(frozen=True)
class Known:
    """What the planner needs to know."""

    orbitals: bool = False
    bonds: bool = False


@dataclass(frozen=True)
class PiState:
    """Where a run stands."""

    skeleton: Skeleton
    level: Huckel
    situation: Known = Known()
    answers: tuple[Answer[Any], ...] = ()

    @property
    def recorded(self) -> Sequence[str]:
        return [answer.recorded for answer in self.answers]

    @property
    def product(self) -> Skeleton:
        return self.skeleton

    def after(self, answer: Answer[Any], situation: Known) -> Done[PiState]:
        answers = (*self.answers, answer)
        return Done(replace(self, answers=answers, situation=situation), answer)


class FindOrbitals(Node[PiState]):
    """Find the pi orbitals."""

    only_calculates = True

    def precondition(self, situation: Known) -> str | None:
        return "the orbitals are known" if situation.orbitals else None

    def effect(self, situation: Known) -> Known:
        return replace(situation, orbitals=True)

    async def work(self, state: PiState, executor: Executor) -> Done[PiState]:
        answer = await executor.run(orbitals.bind(state.skeleton, state.level))
        return state.after(answer, self.effect(state.situation))

    async def run(self, ctx: GraphRunContext[Journey[PiState], None]) -> FindBonds | End[Finish]:
        return await self.proceed(ctx)


class FindBonds(Node[PiState]):
    """Find the orders of the pi bonds."""

    only_calculates = True

    def precondition(self, situation: Known) -> str | None:
        if not situation.orbitals:
            return "the orbitals are not known"
        return "the bonds are known" if situation.bonds else None

    def effect(self, situation: Known) -> Known:
        return replace(situation, bonds=True)

    async def work(self, state: PiState, executor: Executor) -> Done[PiState]:
        answer = await executor.run(bonds.bind(state.skeleton, state.level))
        return state.after(answer, self.effect(state.situation))

    async def run(self, ctx: GraphRunContext[Journey[PiState], None]) -> End[Finish]:
        return await self.proceed(ctx)


GRAPH: Graph[PiState] = Graph("pi-electrons", FindOrbitals, FindBonds)


# What it will take, and where a run starts.


@dataclass(frozen=True)
class Work:
    """Finding the orbitals of one skeleton."""

    skeleton: Skeleton

    @property
    def label(self) -> str:
        return f"{self.skeleton.name} at Hückel"

    def cost(self, granted: Granted, executor: Executor) -> Cost | None:
        atoms = self.skeleton.carbons
        if atoms < 1000:
            return None
        return Cost(f"{atoms} atoms", 1e-9 * atoms**3, 32e-6 * atoms**2, factor="three")


async def prepare(
    given: Given[Skeleton], request: PiRequest, parameters: Parameters, executor: Executor
) -> Prepared[PiState]:
    """Find out what is asked; nothing long happens here."""
    level = Huckel(method="Hückel", resonance=parameters.resonance)
    goal = Goal(
        f"the pi {request.task}",
        lambda known: known.bonds if request.task == "bonds" else known.orbitals,
    )
    return Prepared(
        PiState(given.model, level), goal, (given.model, level),
        f"{given.model.name} at {level.label}", (Work(given.model),),
    )  # fmt: skip


PI_ELECTRONS = Definition(
    GRAPH, (PiRequest, Parameters), SkeletonSubject(), prepare,
    help="Bond orders are found with --task bonds.",
    makes=(PiOrbitals, PiBonds),
)  # fmt: skip
