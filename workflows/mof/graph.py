"""The graphs that build frameworks and measure crystals."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import (
    BlockGeometries,
    Framework,
    FrameworkDesign,
    PoreSettings,
    PowderPattern,
)
from ontologies.quantum import Convergence
from workflows.crystal.going_on import relaxation
from workflows.dft.request.forms import DFTRequest, Steps
from workflows.engine import Executor, Findings, StepGraph, step
from workflows.registry.levels import LevelForm, offered

from .builder import build
from .pores import pores
from .powder import compare_powder, powder


@dataclass(frozen=True)
class MofState(Findings):
    """Where a run stands.

    Attributes:
        design: what is to be built; None where there is a crystal.
        atoms: the crystal; None before it is built.
        framework: it, with its net and blocks; None before it is built.
        level: what it is relaxed at; None where it is not to be.
        shapes: whether organic blocks are relaxed before they are used.
        settings: how pores are measured.
        measured_pattern: text of a measured powder pattern.
    """

    design: FrameworkDesign | None = None
    atoms: ConceptualAtoms | None = None
    framework: Framework | None = None
    level: LevelForm | None = None
    shapes: BlockGeometries = "relaxed"
    settings: PoreSettings = field(default_factory=PoreSettings)
    measured_pattern: str = ""

    @property
    def product(self) -> GraphModel | None:
        """The crystal."""
        return self.atoms


@step("framework", done="is built", only_calculates=True)
async def build_framework(state: MofState, executor: Executor) -> MofState:
    """Put the blocks on the net."""
    assert state.design is not None
    answer = await executor.run(build.bind(state.design, state.shapes))
    framework = answer.result.framework
    return state.after(answer, atoms=framework.atoms, framework=framework)


@step(
    "geometry",
    needs=("framework", "level"),
    leads="geometry",
    done="is relaxed, or it stopped at its limit, not relaxed, and goes on with more steps "
    "(max_steps)",
    only_calculates=True,
)
async def relax_framework(
    state: MofState,
    executor: Executor,
    max_steps: Steps = 100,
    convergence: Convergence = "normal",
) -> MofState:
    """Relax positions and cell of what was built; what stops at its limit is not measured."""
    assert state.atoms is not None
    assert state.framework is not None
    assert state.level is not None
    atoms = state.atoms
    level = (await state.level.resolve(atoms, executor)).level
    wish = {"max_steps": max_steps, "convergence": convergence, "relax_cell": True}
    asked = DFTRequest(task="optimise", max_steps=max_steps, relax_cell=True)
    offered(level).check(atoms, level, asked)
    answer = await executor.run(relaxation(atoms, level, wish, executor))
    found = answer.result
    relaxed = state.framework.model_copy(
        update={
            "atoms": found.atoms,
            "framework_origin": "relaxed" if found.converged else "not relaxed",
            "relaxed_from": atoms,
        }
    )
    executor.record(relaxed)
    missing = () if found.converged else ("a relaxed geometry",)
    after = state.after(answer, atoms=found.atoms, framework=relaxed, missing=missing)
    return replace(after, found=(*after.found, relaxed))


@step(
    "pores",
    needs=("framework", "geometry"),
    leads="pattern",
    done="are measured",
    only_calculates=True,
)
async def measure_pores(state: MofState, executor: Executor) -> MofState:
    """Measure the pores."""
    assert state.atoms is not None
    return state.after(await executor.run(pores.bind(state.atoms, state.settings)))


@step(
    "pattern",
    needs=("framework", "geometry"),
    leads="pores",
    done="is computed",
    only_calculates=True,
)
async def compute_pattern(state: MofState, executor: Executor) -> MofState:
    """Compute the powder pattern."""
    assert state.atoms is not None
    return state.after(await executor.run(powder.bind(state.atoms)))


@step(
    "comparison",
    needs=("pattern", "measured pattern"),
    leads="pores",
    done="is computed",
    only_calculates=True,
)
async def compare_patterns(state: MofState, executor: Executor) -> MofState:
    """Compare the powder pattern with a measured one."""
    known = next(one.result for one in state.answers if isinstance(one.result, PowderPattern))
    return state.after(await executor.run(compare_powder.bind(known, state.measured_pattern)))


MEASURING = measure_pores, compute_pattern, compare_patterns

MOF_BUILD = StepGraph(
    "mof-build",
    build_framework,
    relax_framework,
    *MEASURING,
    given=("level", "geometry", "measured pattern"),
)
MOF_MEASURE = StepGraph(
    "mof-measure", *MEASURING, given=("framework", "geometry", "measured pattern")
)
