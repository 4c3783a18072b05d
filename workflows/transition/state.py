"""Where a run of the graph stands: the state, and what a planner sees of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.transition import PathBranch, ReactionBarrier, ReactionPath, TransitionState
from ontologies.vibrations import Thermochemistry
from workflows.engine import Answer, Done

Steps = Annotated[int, Field(ge=1, le=10_000)]

Order: TypeAlias = Literal["unknown", "not stationary", "minimum", "first", "higher", "elsewhere"]
"""What a stationary point is: `first` for one imaginary mode, `elsewhere` if it leads elsewhere."""


@dataclass(frozen=True)
class Position:
    """What the planner knows.

    Attributes:
        found: whether a stationary point is known.
        order: what it is.
        repairs: how often one with several imaginary modes was left.
        recorded: whether the transition state is recorded.
        why: what is wrong with the stationary point, in words.
        followed: whether both sides of the path are known.
        relaxed: whether the ends are.
        minima: whether these are known to be minima.
        connected: whether the path is recorded.
        rated: whether the barriers are.
        spanned: whether there is a guess; not, where reactant and product alone are given.
    """

    found: bool = False
    order: Order = "unknown"
    repairs: int = 0
    recorded: bool = False
    why: str = ""
    followed: bool = False
    relaxed: bool = False
    minima: bool = False
    connected: bool = False
    rated: bool = False
    spanned: bool = True


@dataclass(frozen=True)
class TransitionSearch:
    """Where a run stands.

    Attributes:
        guess: the structure that was given: near the transition state, or the reactant.
        atoms: the last geometry.
        level: the level of theory.
        along: the bonds and dihedral angles that must change.
        situation: what is known.
        answers: every result, in order.
        state: the transition state.
        branches: both sides of the path, in the frame of the structure that was given.
        ends: what these lead to: the optimisation, and the vibrations where they were asked for.
        path: the path.
        barriers: from its reactant, and from its product.
        target: the product that was given; None where a guess was.
        given: reactant and product, relaxed; empty likewise.
        heats: the thermochemistry of the transition state and of the path's ends.
    """

    guess: ConceptualAtoms
    atoms: ConceptualAtoms
    level: Level
    along: tuple[str, ...] = ()
    situation: Position = Position()
    answers: tuple[Answer[EnergyResult], ...] = ()
    state: TransitionState | None = None
    branches: tuple[Answer[PathBranch], ...] = ()
    ends: tuple[tuple[Answer[EnergyResult], ...], ...] = ()
    path: ReactionPath | None = None
    barriers: tuple[ReactionBarrier, ...] = ()
    heats: tuple[Answer[Thermochemistry], ...] = ()
    target: ConceptualAtoms | None = None
    given: tuple[ConceptualAtoms, ...] = ()

    @property
    def all_answers(self) -> tuple[Answer[Any], ...]:
        """Every result of a calculation, those at the transition state last."""
        ends = (one for end in self.ends for one in end)
        return (*self.branches, *ends, *self.heats, *self.answers)

    @property
    def made(self) -> tuple[GraphModel, ...]:
        """What was made of them."""
        return (*filter(None, (self.state, self.path)), *self.barriers)

    @property
    def recorded(self) -> Sequence[str]:
        """IRIs of the results so far."""
        return [*(answer.recorded for answer in self.all_answers), *(m.iri for m in self.made)]

    @property
    def product(self) -> ConceptualAtoms:
        """The last geometry."""
        return self.atoms

    def latest(self, kind: type[Any]) -> Answer[Any]:
        """Return the last answer of a class."""
        return next(one for one in reversed(self.answers) if isinstance(one.result, kind))

    def after(self, answer: Answer[Any], situation: Position) -> Done[TransitionSearch]:
        """Return the state after a calculation, at the geometry of its result."""
        answers = (*self.answers, answer)
        atoms = answer.result.atoms
        return Done(replace(self, atoms=atoms, situation=situation, answers=answers), answer)
