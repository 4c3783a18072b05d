"""The graphs that build frameworks and measure crystals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_graph import End, GraphRunContext

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import (
    BlockGeometries,
    ConstructedFramework,
    FrameworkDesign,
    PoreSettings,
    PowderPattern,
)
from workflows.engine import Answer, Done, Executor, Finish, Graph, Node
from workflows.engine.graph.run import Journey

from .builder import build
from .pores import pores
from .powder import compare_powder, powder


@dataclass(frozen=True)
class MofSituation:
    """What the planner knows.

    Attributes:
        built: whether there is a crystal.
        measured: whether its pores are known.
        pattern: whether its powder pattern is.
        compared: whether that is compared with a measured one.
        comparable: whether there is a measured one.
    """

    built: bool = False
    measured: bool = False
    pattern: bool = False
    compared: bool = False
    comparable: bool = False


@dataclass(frozen=True)
class MofState:
    """Where a run stands.

    Attributes:
        design: what is to be built; None where there is a crystal.
        atoms: the crystal; None before it is built.
        shapes: whether organic blocks are relaxed before they are used.
        settings: how pores are measured.
        measured_pattern: text of a measured powder pattern.
        situation: what is known.
        answers: what was found.
    """

    design: FrameworkDesign | None = None
    atoms: ConceptualAtoms | None = None
    shapes: BlockGeometries = "relaxed"
    settings: PoreSettings = field(default_factory=PoreSettings)
    measured_pattern: str = ""
    situation: MofSituation = MofSituation()
    answers: tuple[Answer[Any], ...] = ()

    @property
    def recorded(self) -> Sequence[str]:
        """What was found."""
        return [answer.recorded for answer in self.answers]

    @property
    def product(self) -> GraphModel | None:
        """The crystal."""
        return self.atoms

    def after(self, answer: Answer[Any], situation: MofSituation, **more: Any) -> Done[MofState]:
        """Return what came of a step."""
        answers = (*self.answers, answer)
        return Done(replace(self, answers=answers, situation=situation, **more), answer)


class BuildFramework(Node[MofState]):
    """Put the blocks on the net."""

    only_calculates = True

    def precondition(self, situation: MofSituation) -> str | None:
        return "the framework is built" if situation.built else None

    def effect(self, situation: MofSituation) -> MofSituation:
        return replace(situation, built=True)

    async def work(self, state: MofState, executor: Executor) -> Done[MofState]:
        assert state.design is not None
        answer: Answer[ConstructedFramework] = await executor.run(
            build.bind(state.design, state.shapes)
        )
        framework = answer.result.framework
        return state.after(answer, self.effect(state.situation), atoms=framework.atoms)

    async def run(
        self, ctx: GraphRunContext[Journey[MofState], None]
    ) -> MeasurePores | ComputePattern | End[Finish]:
        return await self.proceed(ctx)


class MeasurePores(Node[MofState]):
    """Measure the pores."""

    only_calculates = True

    def precondition(self, situation: MofSituation) -> str | None:
        if not situation.built:
            return "there is no crystal yet"
        return "the pores are measured" if situation.measured else None

    def effect(self, situation: MofSituation) -> MofSituation:
        return replace(situation, measured=True)

    async def work(self, state: MofState, executor: Executor) -> Done[MofState]:
        assert state.atoms is not None
        answer = await executor.run(pores.bind(state.atoms, state.settings))
        return state.after(answer, self.effect(state.situation))

    async def run(
        self, ctx: GraphRunContext[Journey[MofState], None]
    ) -> ComputePattern | End[Finish]:
        return await self.proceed(ctx)


class ComputePattern(Node[MofState]):
    """Compute the powder pattern."""

    only_calculates = True

    def precondition(self, situation: MofSituation) -> str | None:
        if not situation.built:
            return "there is no crystal yet"
        return "the pattern is computed" if situation.pattern else None

    def effect(self, situation: MofSituation) -> MofSituation:
        return replace(situation, pattern=True)

    async def work(self, state: MofState, executor: Executor) -> Done[MofState]:
        assert state.atoms is not None
        answer = await executor.run(powder.bind(state.atoms))
        return state.after(answer, self.effect(state.situation))

    async def run(
        self, ctx: GraphRunContext[Journey[MofState], None]
    ) -> MeasurePores | ComparePatterns | End[Finish]:
        return await self.proceed(ctx)


class ComparePatterns(Node[MofState]):
    """Compare the powder pattern with a measured one."""

    only_calculates = True

    def precondition(self, situation: MofSituation) -> str | None:
        if not situation.pattern:
            return "the pattern is not computed"
        if not situation.comparable:
            return "there is no measured pattern"
        return "the patterns are compared" if situation.compared else None

    def effect(self, situation: MofSituation) -> MofSituation:
        return replace(situation, compared=True)

    async def work(self, state: MofState, executor: Executor) -> Done[MofState]:
        known = next(one.result for one in state.answers if isinstance(one.result, PowderPattern))
        answer = await executor.run(compare_powder.bind(known, state.measured_pattern))
        return state.after(answer, self.effect(state.situation))

    async def run(
        self, ctx: GraphRunContext[Journey[MofState], None]
    ) -> MeasurePores | End[Finish]:
        return await self.proceed(ctx)


MOF_BUILD: Graph[MofState] = Graph(
    "mof-build", BuildFramework, MeasurePores, ComputePattern, ComparePatterns
)
MOF_MEASURE: Graph[MofState] = Graph("mof-measure", MeasurePores, ComputePattern, ComparePatterns)
