"""The graphs that build frameworks and measure crystals."""

from __future__ import annotations

from dataclasses import dataclass, field

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import (
    BlockGeometries,
    FrameworkDesign,
    PoreSettings,
    PowderPattern,
)
from workflows.engine import Executor, Findings, StepGraph, step

from .builder import build
from .pores import pores
from .powder import compare_powder, powder


@dataclass(frozen=True)
class MofState(Findings):
    """Where a run stands.

    Attributes:
        design: what is to be built; None where there is a crystal.
        atoms: the crystal; None before it is built.
        shapes: whether organic blocks are relaxed before they are used.
        settings: how pores are measured.
        measured_pattern: text of a measured powder pattern.
    """

    design: FrameworkDesign | None = None
    atoms: ConceptualAtoms | None = None
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
    return state.after(answer, atoms=answer.result.framework.atoms)


@step("pores", needs="framework", leads="pattern", done="are measured", only_calculates=True)
async def measure_pores(state: MofState, executor: Executor) -> MofState:
    """Measure the pores."""
    assert state.atoms is not None
    return state.after(await executor.run(pores.bind(state.atoms, state.settings)))


@step("pattern", needs="framework", leads="pores", done="is computed", only_calculates=True)
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

MOF_BUILD = StepGraph("mof-build", build_framework, *MEASURING, given=("measured pattern",))
MOF_MEASURE = StepGraph("mof-measure", *MEASURING, given=("framework", "measured pattern"))
