"""What can be asked of frameworks: build one, measure one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import CrystalRelaxation
from ontologies.mofs import (
    BlockGeometries,
    ConstructedFramework,
    FrameworkDesign,
    PoreAnalysis,
    PoreSettings,
    PowderComparison,
    PowderPattern,
)
from ontologies.quantum import Convergence
from triplestore.errors import InputError
from workflows.dft.request.forms import MAX_STEPS, Steps
from workflows.engine import Executor, Form, Goal, StepGraph
from workflows.engine.request.cost import Cost, Granted
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.rules import For, Personal, Rare
from workflows.registry.levels import LevelForm, program_of, split_level
from workflows.text.words import count
from workflows.trust.caller import absent, opened

from .builder import build
from .elsewhere import BUILD as BUILD_ELSEWHERE
from .elsewhere import ENTRY
from .entries import about
from .graph import MEASURING, MOF_BUILD, MOF_MEASURE, MofState
from .subject import CRYSTAL, DESIGN

LARGEST = 20_000_000
"""Bytes of a measured pattern."""


class BuildRequest(Form):
    """How a framework is built, and what is asked of it."""

    measure: Annotated[bool, Field(description="Measure its pores too.")] = False
    relax_at: Annotated[
        str,
        Field(
            description="Level of theory at which positions and cell are relaxed before anything "
            "is measured: GFN1-xTB, CHGNet or SevenNet."
        ),
    ] = ""
    max_steps: Annotated[
        Steps, For("relax_at"), MAX_STEPS, Field(description="Steps of the relaxation.")
    ] = 100
    convergence: Annotated[
        Convergence, For("relax_at"), Rare(), Field(description="Thresholds of the relaxation.")
    ] = "normal"
    shapes: Annotated[
        BlockGeometries,
        Field(
            description="Organic blocks are relaxed by a force field before use, or taken as "
            "the library has them."
        ),
    ] = "relaxed"


AN_ATOM, BASE = 0.01, 600.0
"""s for each atom and step, on one core: GFN1-xTB 0.011, CHGNet 0.005 for MOF-5; MB."""


@dataclass(frozen=True)
class RelaxationCost:
    """What it takes to relax a framework that is not built yet.

    Attributes:
        design: what it is to be built of.
        shapes: see `BuildRequest`.
        steps: of the relaxation, at most.
    """

    design: FrameworkDesign
    shapes: BlockGeometries
    steps: int

    @property
    def label(self) -> str:
        """What it is."""
        return f"{self.design.name}, relaxed"

    def cost(self, granted: Granted, executor: Executor) -> Cost | None:
        """Return it, for one cell of the net (building may need up to eight); None if done."""
        built = executor.recall(build.bind(self.design, self.shapes))
        if built and executor.kg.find(CrystalRelaxation, initial=built.result.framework.atoms):
            return None
        net = self.design.net
        kinds = {"vertex": net.vertex_kinds, "edge": net.edge_kinds}
        atoms = sum(
            kind.per_cell * len(one.geometry.atoms.numbers)
            for one in self.design.blocks
            for kind in kinds[one.placed_on]
            if kind.kind_number == one.kind_number and one.geometry is not None
        )
        return Cost(
            count(atoms, "atom"),
            AN_ATOM * atoms * self.steps,
            BASE,
            factor=10.0,
            advice="ask for fewer steps (max_steps), or for a smaller net",
        )


class PoreRequest(Form):
    """How pores are measured."""

    area_probe: Annotated[
        float, Field(ge=0, le=10, description="Radius of the probe for areas and channels, in Å.")
    ] = 1.86
    volume_probe: Annotated[
        float, Field(ge=0, le=10, description="Radius of the probe for volumes, in Å.")
    ] = 1.2
    area_samples: Annotated[int, Field(ge=10, le=100_000, description="Points on each atom.")] = (
        2000
    )
    volume_samples: Annotated[
        int, Field(ge=100, le=10_000_000, description="Points in the cell.")
    ] = 50_000
    high_accuracy: Annotated[
        bool,
        Field(
            description="Replace atoms by small spheres of one size, as -ha of Zeo++: exact "
            "where elements of different size meet; takes minutes."
        ),
    ] = False

    @property
    def settings(self) -> PoreSettings:
        """How pores are measured."""
        return PoreSettings(
            area_probe=self.area_probe,
            volume_probe=self.volume_probe,
            area_samples=self.area_samples,
            volume_samples=self.volume_samples,
            high_accuracy=self.high_accuracy,
        )


class MeasureRequest(PoreRequest):
    """How pores are measured, and what else is computed."""

    powder: Annotated[bool, Field(description="Compute the powder pattern (Cu Kα) too.")] = False
    measured: Annotated[
        str,
        Personal(),
        Field(description="File of a measured powder pattern to compare with: 2θ and intensity."),
    ] = ""


async def prepare_build(
    given: Given[FrameworkDesign],
    request: BuildRequest,
    measuring: MeasureRequest,
    executor: Executor,
) -> Prepared[MofState]:
    """Find out what is asked of a framework that is not built yet.

    Raises:
        InputError: a measured pattern cannot be read, or there is no such level.
    """
    text = _pattern(measuring.measured)
    level = relaxing_level(request.relax_at, f"the framework {given.model.name}")
    state = MofState(
        design=given.model,
        level=level,
        shapes=request.shapes,
        settings=measuring.settings,
        measured_pattern=text,
        known=MOF_BUILD.known("level" if level else "geometry", *["measured pattern"] * bool(text)),
    )
    parts = ["a relaxed framework" if level else "a framework"] + ["its pores"] * request.measure
    goal = _goal(MOF_BUILD, parts, request.measure, measuring.powder, bool(text))
    costs = (RelaxationCost(given.model, request.shapes, request.max_steps),) if level else ()
    return Prepared(state, goal, (given.model,), given.model.name, costs, given.remarks)


async def prepare_measure(
    given: Given[ConceptualAtoms], measuring: MeasureRequest, executor: Executor
) -> Prepared[MofState]:
    """Find out what is asked of a crystal.

    Raises:
        InputError: a measured pattern cannot be read.
    """
    text = _pattern(measuring.measured)
    state = MofState(
        atoms=given.model,
        settings=measuring.settings,
        measured_pattern=text,
        known=MOF_MEASURE.known("framework", "geometry", *["measured pattern"] * bool(text)),
    )
    goal = _goal(MOF_MEASURE, ["the pores"], True, measuring.powder, bool(text))
    label = f"{given.text or given.model.formula}"
    return Prepared(state, goal, about(given), label, (), given.remarks)


def _goal(
    graph: StepGraph[MofState], parts: list[str], measure: bool, pattern: bool, compare: bool
) -> Goal:
    """Return what is to be reached."""
    parts = [*parts, *["the powder pattern"] * pattern, *["its comparison"] * compare]
    asked = {"pores": measure, "pattern": pattern, "comparison": compare}
    wanted = (one for one in asked if asked[one])
    goal = graph.goal(", ".join(parts), "framework", "geometry", *wanted, whole=True)
    idle = {one.__name__ for one in MEASURING if not asked[one.gives]}
    return replace(goal, idle=frozenset(idle))


def relaxing_level(text: str, what: str) -> LevelForm | None:
    """Return the level that a framework is relaxed at, as it is asked for; None for none.

    Args:
        text: such as `GFN1-xTB`.
        what: is to be relaxed, for errors.

    Raises:
        InputError: it names no method, or one that relaxes no crystal.
    """
    if not text.strip():
        return None
    words = split_level(text)
    program = program_of(words["method"])
    if "relax_crystal" not in program.calculations or not program.recognises(words["method"]):
        raise InputError(
            f"{what} relaxed at {text[:80]} was asked for",
            f"{words['method'][:80]} does not relax crystals here",
            "ask for GFN1-xTB, CHGNet or SevenNet",
        )
    form = LevelForm.variant(words)
    return form.model_validate(words)


def _pattern(name: str) -> str:
    """Return the text of a measured pattern; empty for none.

    Raises:
        InputError: the file cannot be read.
    """
    if not name:
        return ""
    asked, advice = f"the measured pattern {name} was asked for", "give a text file"
    try:
        with opened(name) as stream:
            content = stream.read(LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise absent(asked, advice) from error
    except OSError as error:
        found = f"it cannot be read: {error.strerror or 'it is no regular file'}"
        raise InputError(asked, found, advice) from error
    if len(content) > LARGEST:
        raise InputError(asked, f"it has more than {LARGEST / 1e6:.0f} MB", advice)
    return content.decode("utf-8", errors="replace")


BUILD = Definition(
    MOF_BUILD,
    (BuildRequest, MeasureRequest),
    DESIGN,
    prepare_build,
    help="Connection counts and directions of the blocks are checked before anything is built. "
    "Blocks are turned so that the planes of those that are connected are least twisted, in a "
    "larger cell where neighbours must differ.",
    makes=(ConstructedFramework, CrystalRelaxation, PoreAnalysis, PowderPattern, PowderComparison),
    elsewhere=BUILD_ELSEWHERE,
)

MEASURE = Definition(
    MOF_MEASURE,
    (MeasureRequest,),
    CRYSTAL,
    prepare_measure,
    help="Diameters, areas, volumes and channels are those of Zeo++.",
    makes=(PoreAnalysis, PowderPattern, PowderComparison),
    elsewhere=ENTRY,
)
