"""What can be asked of two crystals side by side, and the steps that lead there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import Field
from pydantic_graph import End, GraphRunContext

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.mof_parts import FrameworkComparison, SolventChoice, TakenApart
from ontologies.mofs import (
    BlockGeometries,
    ConstructedFramework,
    FrameworkDesign,
    PoreAnalysis,
    PoreSettings,
)
from triplestore.errors import InputError
from workflows.engine import Answer, Done, Executor, Finish, Form, Goal, Graph, Node
from workflows.engine.graph.run import Journey
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import fill
from workflows.molecule.recognition import IRI, SHORT

from .apart import take_apart
from .builder import build
from .compare import OTHER, compared, design_again
from .elsewhere import ENTRY
from .entries import ReadingEntry, about
from .pores import check_crystal, pores
from .process import WholeCrystal
from .request import PoreRequest
from .subject import DESIGN, DesignForm

CRYSTALS = WholeCrystal()


class CompareRequest(Form):
    """What a crystal is compared with."""

    other: Annotated[
        str,
        Field(
            description="A net with blocks, such as 'pcu N16 E14', or the IRI of a stored "
            "crystal or framework; if empty, the crystal built again of its own blocks."
        ),
    ] = ""
    solvent: Annotated[
        SolventChoice,
        Field(
            description="Which solvent is removed before it is built again: what is free, also "
            "what hangs on one metal alone, or none."
        ),
    ] = "free"
    shapes: Annotated[
        BlockGeometries | None,
        Field(
            description="Organic blocks are relaxed by a force field, or taken as they are; if "
            "empty, those of the library are relaxed, its own are not."
        ),
    ] = None


@dataclass(frozen=True)
class CompareSituation:
    """What the planner knows.

    Attributes:
        designed: whether it is known what stands beside the crystal.
        built: whether that is there.
        measured: whether the pores of both are known.
        compared: whether they are compared.
    """

    designed: bool = False
    built: bool = False
    measured: bool = False
    compared: bool = False


@dataclass(frozen=True)
class CompareState:
    """Where a run stands.

    Attributes:
        atoms: the crystal; after it was taken apart as it was cleaned.
        label: what it is called.
        shapes: how blocks are taken.
        settings: how pores are measured.
        solvent: which solvent is removed.
        found_in: where the crystal comes from.
        decided: what was decided when the crystal was read.
        design: what is built beside it.
        other: the crystal beside it.
        second: what that is called.
        found: what came of it.
        situation: what is known.
        answers: what was found.
    """

    atoms: ConceptualAtoms
    label: str
    shapes: BlockGeometries | None = None
    settings: PoreSettings = field(default_factory=PoreSettings)
    solvent: SolventChoice = "free"
    found_in: str = ""
    decided: tuple[str, ...] = ()
    design: FrameworkDesign | None = None
    other: ConceptualAtoms | None = None
    second: str = ""
    found: FrameworkComparison | None = None
    situation: CompareSituation = CompareSituation()
    answers: tuple[Answer[Any], ...] = ()

    @property
    def recorded(self) -> Sequence[str]:
        """What was found, and the comparison."""
        return [one.recorded for one in self.answers] + ([self.found.iri] if self.found else [])

    @property
    def product(self) -> GraphModel | None:
        """The crystal as it was measured."""
        return self.atoms

    def after(self, *answers: Answer[Any], **more: Any) -> Done[CompareState]:
        """Return what came of a step."""
        done = replace(self, answers=(*self.answers, *answers), **more)
        return Done(done, answers[-1]) if answers else Done(done)


class TakeCrystalApart(Node[CompareState]):
    """Find the blocks and the net of the crystal, to build it again."""

    def precondition(self, situation: CompareSituation) -> str | None:
        return "what it is compared with is known" if situation.designed else None

    def effect(self, situation: CompareSituation) -> CompareSituation:
        return replace(situation, designed=True)

    async def work(self, state: CompareState, executor: Executor) -> Done[CompareState]:
        answer: Answer[TakenApart] = await executor.run(
            take_apart.bind(state.atoms, state.solvent, state.found_in, state.decided)
        )
        return state.after(
            answer,
            design=design_again(answer.result),
            atoms=answer.result.framework.atoms,
            situation=self.effect(state.situation),
        )

    async def run(
        self, ctx: GraphRunContext[Journey[CompareState], None]
    ) -> BuildBeside | End[Finish]:
        return await self.proceed(ctx)


class BuildBeside(Node[CompareState]):
    """Build what the crystal is compared with."""

    only_calculates = True

    def precondition(self, situation: CompareSituation) -> str | None:
        if not situation.designed:
            return "it is not known of which blocks"
        return "it is there" if situation.built else None

    def effect(self, situation: CompareSituation) -> CompareSituation:
        return replace(situation, built=True)

    async def work(self, state: CompareState, executor: Executor) -> Done[CompareState]:
        assert state.design is not None
        shapes: BlockGeometries = state.shapes or ("relaxed" if state.second else "unrelaxed")
        answer: Answer[ConstructedFramework] = await executor.run(build.bind(state.design, shapes))
        return state.after(
            answer, other=answer.result.framework.atoms, situation=self.effect(state.situation)
        )

    async def run(
        self, ctx: GraphRunContext[Journey[CompareState], None]
    ) -> MeasureBoth | End[Finish]:
        return await self.proceed(ctx)


class MeasureBoth(Node[CompareState]):
    """Measure the pores of both, in the same way."""

    only_calculates = True

    def precondition(self, situation: CompareSituation) -> str | None:
        if not situation.built:
            return "there is nothing beside it yet"
        return "the pores are measured" if situation.measured else None

    def effect(self, situation: CompareSituation) -> CompareSituation:
        return replace(situation, measured=True)

    async def work(self, state: CompareState, executor: Executor) -> Done[CompareState]:
        assert state.other is not None
        answers = [
            await executor.run(pores.bind(atoms, state.settings))
            for atoms in (state.atoms, state.other)
        ]
        return state.after(*answers, situation=self.effect(state.situation))

    async def run(
        self, ctx: GraphRunContext[Journey[CompareState], None]
    ) -> CompareCrystals | End[Finish]:
        return await self.proceed(ctx)


class CompareCrystals(Node[CompareState]):
    """Compute the differences, and store them."""

    def precondition(self, situation: CompareSituation) -> str | None:
        if not situation.measured:
            return "the pores are not measured"
        return "the comparison is stored" if situation.compared else None

    def effect(self, situation: CompareSituation) -> CompareSituation:
        return replace(situation, compared=True)

    async def work(self, state: CompareState, executor: Executor) -> Done[CompareState]:
        results = [one.result for one in state.answers]
        first, second = [one for one in results if isinstance(one, PoreAnalysis)]
        built = [one for one in results if isinstance(one, ConstructedFramework)]
        labels = state.label, state.second or f"{state.label}, built again"
        found = compared(first, second, labels, built[0] if built else None)
        executor.record(found)
        return state.after(found=found, situation=self.effect(state.situation))

    async def run(
        self, ctx: GraphRunContext[Journey[CompareState], None]
    ) -> MeasureBoth | End[Finish]:
        return await self.proceed(ctx)


MOF_COMPARE: Graph[CompareState] = Graph(
    "mof-compare", TakeCrystalApart, BuildBeside, MeasureBoth, CompareCrystals
)


async def prepare_compare(
    given: Given[ConceptualAtoms],
    request: CompareRequest,
    measuring: PoreRequest,
    executor: Executor,
) -> Prepared[CompareState]:
    """Find out what is asked of a crystal and another.

    Raises:
        InputError: one of them is no crystal, or something has no effect.
        GraficoError: the other cannot be found.
    """
    check_crystal(given.model)
    label = given.text or given.model.formula
    state = CompareState(
        given.model,
        label,
        request.shapes,
        measuring.settings,
        request.solvent,
        "" if "/" in given.text else given.text,
        tuple(given.remarks),
    )
    other = request.other.strip()
    if other and request.solvent != "free":
        raise InputError(
            f"solvent={request.solvent!r} was asked for",
            "with `other` the crystal is measured as it is, so that this has no effect",
            "leave out one of the two",
        )
    beside: tuple[GraphModel, ...] = ()
    if other and (IRI.match(other) or SHORT.match(other)) and "FrameworkDesign" not in other:
        found = await CRYSTALS.read(other, fill(ReadingEntry, {}), executor)
        check_crystal(found.model)
        if request.shapes is not None:
            raise InputError(
                f"shapes={request.shapes!r} was asked for",
                "a stored crystal is not built",
                "leave `shapes` out",
            )
        state = replace(
            state, other=found.model, second=other, situation=CompareSituation(True, True)
        )
    elif other:
        if len(other.split()) == 1 and "FrameworkDesign" not in other:
            raise InputError(
                f"{label} and {other[:60]!r} were to be compared",
                "that is neither a net with blocks nor an IRI",
                OTHER,
            )
        design = (await DESIGN.read(other, DesignForm(), executor)).model
        beside = (design,)
        state = replace(
            state, design=design, second=other, situation=CompareSituation(designed=True)
        )
    goal = Goal("pores of two crystals side by side", lambda known: known.compared)
    return Prepared(
        state,
        goal,
        (*about(given), *beside),
        f"{label} beside {other or 'itself, built again of its blocks'}",
        (),
        given.remarks,
    )


COMPARE: Definition[Any, Any] = Definition(
    MOF_COMPARE,
    (CompareRequest, PoreRequest),
    CRYSTALS,
    prepare_compare,
    help="Unless another is named, the crystal is taken apart, cleaned, and built again of its own "
    "blocks on its own net; both are measured, and are objects of their own. Differences are the "
    "second less the first.",
    makes=(FrameworkComparison, TakenApart, ConstructedFramework, PoreAnalysis),
    elsewhere=ENTRY,
)
