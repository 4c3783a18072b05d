"""The graph that compares the multiplicities of a molecule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import Field, field_validator, model_validator

from ogm import Link
from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.comparison import SpinState, SpinStateScan
from ontologies.level import Level, LevelOfTheory
from ontologies.quantum import Convergence, ElectronicResult, EnergyResult
from triplestore.errors import GraficoError, InputError
from workflows.engine import Answer, Call, Executor, Findings, Parts, StepGraph, run_all, step
from workflows.engine.request.form import Form
from workflows.engine.request.refusals import field_text, refusal
from workflows.registry.levels import offered
from workflows.text.words import count

from ..request.forms import IN_WORDS, OPTIMISING, Force, Steps
from ..request.number_lists import whole_numbers

Multiplicity = Annotated[int, Field(ge=1, le=100)]

USUAL = 3
"""How many multiplicities are compared if nobody says which."""


class SpinStatesRequest(Form):
    """Which multiplicities are compared, and at which geometries."""

    task: Annotated[
        Literal["energy", "optimise"],
        IN_WORDS,
        Field(description="energy of the geometry as it is; optimise each multiplicity."),
    ] = "energy"
    multiplicities: Annotated[
        tuple[Multiplicity, ...],
        Field(description="Which, such as 1,3,5; the lowest three that can be if not given."),
    ] = ()
    highest: Annotated[
        int | None, Field(ge=1, le=100, description="All that can be, up to this one.")
    ] = None
    max_steps: Annotated[Steps, OPTIMISING, Field(description="Steps of an optimisation.")] = 100
    convergence: Annotated[
        Convergence, OPTIMISING, Field(description="Thresholds of an optimisation.")
    ] = "normal"
    force: Force = False

    @field_validator("multiplicities", mode="before")
    @classmethod
    def _read(cls, given: object) -> object:
        return whole_numbers(given)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.multiplicities and self.highest is not None:
            raise refusal(
                f"{field_text('multiplicities', self.multiplicities)} and highest={self.highest} "
                "were asked for",
                "they say the same in two ways",
                "give one of them, not both",
            )
        return self

    def of(self, atoms: ConceptualAtoms) -> list[ConceptualAtoms]:
        """Return a molecule with each multiplicity, ascending.

        Raises:
            InputError: its electrons do not allow for one that was given, or for none so low.
        """
        lowest = 1 + atoms.electrons % 2
        most = atoms.electrons + 1
        top = min(most, self.highest or lowest + 2 * (USUAL - 1))
        chosen = sorted(set(self.multiplicities)) or list(range(lowest, top + 1, 2))
        if not chosen:
            raise InputError(
                f"multiplicities of {atoms.formula} up to {self.highest} were asked for",
                f"with {count(atoms.electrons, 'electron')} it is {lowest} at least",
                "ask for a higher one",
            )
        values = {name: getattr(atoms, name) for name in type(atoms).model_fields}
        return [
            make_atoms(atoms.formula, **{**values, "multiplicity": multiplicity})
            for multiplicity in chosen
        ]


@dataclass(frozen=True)
class SpinStatesState(Findings):
    """Where a run stands.

    Attributes:
        atoms: the structure that was given.
        candidates: it with each multiplicity, and the level of theory for it.
        parts: what the multiplicities came to, by their keys.
        scan: the comparison.
    """

    atoms: ConceptualAtoms
    candidates: tuple[tuple[ConceptualAtoms, Level], ...]
    parts: Parts[Answer[EnergyResult]] = field(default_factory=lambda: Parts({}, {}))
    scan: SpinStateScan | None = None

    @property
    def recorded(self) -> Sequence[str]:
        """The result of the ground state, and the comparison."""
        return [self.scan.ground.result.iri, self.scan.iri] if self.scan else []

    @property
    def product(self) -> ConceptualAtoms:
        """The geometry of the ground state."""
        if self.scan is None:
            return self.atoms
        return self.parts.results[key_of(self.scan.ground_multiplicity)].result.atoms


Task: TypeAlias = Literal["energy", "optimise"]


@step("energies", cost=10.0)
async def compute_states(
    state: SpinStatesState,
    executor: Executor,
    task: Task = "energy",
    max_steps: Steps = 100,
    convergence: Convergence = "normal",
) -> SpinStatesState:
    """Compute the energy of each multiplicity, in parallel; failures are kept apart."""
    calls: Mapping[str, Call[Any]] = {
        key_of(atoms.multiplicity): call_of(atoms, level, task, max_steps, convergence)
        for atoms, level in state.candidates
    }
    parts = await run_all(executor, calls)
    if not parts.results:
        parts.all()  # raises, naming every reason
    return replace(state, parts=parts)


@step("states", needs="energies", done="are compared")
async def compare_states(
    state: SpinStatesState, executor: Executor, task: Task = "energy"
) -> SpinStatesState:
    """Find the ground state and record the comparison."""
    scan = compared(state.atoms, state.parts, relaxed=task == "optimise")
    executor.record(scan)
    return replace(state, scan=scan)


SPIN_STATES = StepGraph("spin-states", compute_states, compare_states)


def call_of(
    atoms: ConceptualAtoms, level: Level, task: Task, max_steps: int, convergence: Convergence
) -> Call[Any]:
    """Return the calculation on one multiplicity."""
    program = offered(level)
    if task == "energy":
        return program.energy(atoms, level)
    return program.optimise(atoms, level, max_steps, convergence=convergence)


def compared(
    atoms: ConceptualAtoms, parts: Parts[Answer[EnergyResult]], *, relaxed: bool
) -> SpinStateScan:
    """Return the comparison of multiplicities that were computed."""
    states = tuple(
        SpinState(
            multiplicity=answer.result.atoms.multiplicity,
            level=answer.result.level,
            energy=answer.result.energy,
            spin_squared=_spin_squared(answer.result),
            result=Link[EnergyResult](answer.recorded),
        )
        for answer in parts.results.values()
    )
    ground = min(states, key=lambda state: state.energy)
    remarks = [
        f"{key}: {remark}" for key, a in parts.results.items() for remark in a.result.remarks
    ]
    references = {s.level.reference for s in states if isinstance(s.level, LevelOfTheory)}
    if len(states) > 1 and "restricted" in references:
        remarks.append(
            "the singlet is a closed shell; one with unpaired electrons may lie lower: ask for "
            "stable solutions"
        )
    return SpinStateScan(
        atoms=atoms,
        states=states,
        ground_multiplicity=ground.multiplicity,
        relaxed=relaxed,
        failures=tuple(f"{key}: {error}" for key, error in parts.errors.items()),
        remarks=tuple(remarks),
    )


def _spin_squared(found: EnergyResult) -> float | None:
    return found.spin_squared if isinstance(found, ElectronicResult) else None


def key_of(multiplicity: int) -> str:
    """Return the key of a multiplicity among the parts of a step."""
    return f"multiplicity {multiplicity}"


def failed(parts: Parts[Answer[EnergyResult]]) -> dict[int, GraficoError]:
    """Return why multiplicities have no result."""
    return {int(key.split()[-1]): error for key, error in parts.errors.items()}
