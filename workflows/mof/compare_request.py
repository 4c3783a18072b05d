"""What can be asked of two crystals side by side, and the steps that lead there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import Field

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
from workflows.engine import Answer, Executor, Findings, Form, StepGraph, step
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
class CompareState(Findings):
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

    @property
    def product(self) -> GraphModel | None:
        """The crystal as it was measured."""
        return self.atoms


@step("design")
async def take_crystal_apart(state: CompareState, executor: Executor) -> CompareState:
    """Find the blocks and the net of the crystal, to build it again."""
    answer: Answer[TakenApart] = await executor.run(
        take_apart.bind(state.atoms, state.solvent, state.found_in, state.decided)
    )
    return state.after(
        answer,
        design=design_again(answer.result),
        atoms=answer.result.framework.atoms,
    )


@step("second crystal", needs="design", done="is there", only_calculates=True)
async def build_beside(state: CompareState, executor: Executor) -> CompareState:
    """Build what the crystal is compared with."""
    assert state.design is not None
    shapes: BlockGeometries = state.shapes or ("relaxed" if state.second else "unrelaxed")
    answer: Answer[ConstructedFramework] = await executor.run(build.bind(state.design, shapes))
    return state.after(answer, other=answer.result.framework.atoms)


@step("pores", needs="second crystal", done="are measured", only_calculates=True)
async def measure_both(state: CompareState, executor: Executor) -> CompareState:
    """Measure the pores of both, in the same way."""
    assert state.other is not None
    answers = [
        await executor.run(pores.bind(atoms, state.settings))
        for atoms in (state.atoms, state.other)
    ]
    return state.after(*answers)


@step("comparison", needs="pores", leads="pores", done="is stored")
async def compare_crystals(state: CompareState, executor: Executor) -> CompareState:
    """Compute the differences, and store them."""
    results = [one.result for one in state.answers]
    first, second = [one for one in results if isinstance(one, PoreAnalysis)]
    built = [one for one in results if isinstance(one, ConstructedFramework)]
    labels = state.label, state.second or f"{state.label}, built again"
    found = compared(first, second, labels, built[0] if built else None)
    executor.record(found)
    return replace(state, found=(found,))


MOF_COMPARE = StepGraph(
    "mof-compare", take_crystal_apart, build_beside, measure_both, compare_crystals
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
        known = MOF_COMPARE.known("design", "second crystal")
        state = replace(state, other=found.model, second=other, known=known)
    elif other:
        if len(other.split()) == 1 and "FrameworkDesign" not in other:
            raise InputError(
                f"{label} and {other[:60]!r} were to be compared",
                "that is neither a net with blocks nor an IRI",
                OTHER,
            )
        design = (await DESIGN.read(other, DesignForm(), executor)).model
        beside = (design,)
        state = replace(state, design=design, second=other, known=MOF_COMPARE.known("design"))
    goal = MOF_COMPARE.goal("pores of two crystals side by side")
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
