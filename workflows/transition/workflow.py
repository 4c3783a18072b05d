"""What can be asked: a transition state, its cost, and what it came to."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace

from ontologies.atoms import ConceptualAtoms
from ontologies.transition import ReactionBarrier, ReactionPath, TransitionState
from triplestore.errors import InputError
from workflows.dft.request.forms import DFTRequest
from workflows.dft.request.molecule_cost import MoleculeCost
from workflows.engine import Executor, Goal
from workflows.engine.request.cost import Cost, Granted
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import fill
from workflows.molecule.electrons import check_electrons
from workflows.molecule.subject import lasting
from workflows.registry.levels import LevelForm, offered

from .graph import TRANSITION_STATE
from .mode import check_along
from .request import TransitionRequest, Upto
from .result import TransitionRun
from .searching import FindSaddle
from .spanning import check_product
from .state import Position, TransitionSearch
from .subject import GUESS


@dataclass(frozen=True)
class TransitionCost:
    """What a search, its second derivatives and what follows will take.

    Attributes:
        state: where it starts.
        node: what searches.
        upto: how far it goes.
    """

    state: TransitionSearch
    node: FindSaddle
    upto: Upto

    @property
    def label(self) -> str:
        """What it is."""
        return f"{self.state.atoms.formula} at {self.state.level.label}"

    def cost(self, granted: Granted, executor: Executor) -> Cost | None:
        """Return what it will take; None where that is not worth an estimate."""
        atoms, level, node = self.state.atoms, self.state.level, self.node
        call = offered(level).saddle_point(
            atoms, level, node.max_steps, convergence=node.convergence
        )
        if not executor.recompute and executor.recall(call) is not None:
            return None
        alike = DFTRequest(task="frequencies", max_steps=node.max_steps)
        times = TIMES[self.upto] + (OF_BAND if self.state.target is not None else 0.0)
        each = replace(granted, hours=granted.hours / times)
        one = MoleculeCost(atoms, level, alike).cost(each, executor)
        if one is None:
            return None
        return replace(
            one, seconds=one.seconds * times, advice="ask for a cheaper level, or a smaller model"
        )


OF_BAND = 12.0
"""What a band takes more: some 300 gradients."""

TIMES = {"state": 2.0, "path": 4.0, "barrier": 5.0}
"""An optimisation with frequencies, how often: a search has second derivatives of its own, a path
takes some 30 gradients a side."""


async def prepare_transition(
    given: Given[ConceptualAtoms], request: TransitionRequest, wanted: LevelForm, executor: Executor
) -> Prepared[TransitionSearch]:
    """Find out what is asked of a transition state.

    Raises:
        InputError: the guess has fewer than two atoms, a cell or not the atoms that are named; or
            there is no such level, or none that searches for saddle points.
    """
    atoms = given.model
    check_electrons(atoms)
    check_guess(atoms)
    check_along(atoms, request.along)
    if given.built and not (request.along or request.product):
        name = given.text or atoms.formula
        raise InputError(
            f"the transition state near {name} was asked for",
            f"that geometry is {given.built}: a minimum, to which a search would go back",
            "give a geometry near the transition state, as a file or the highest point of a scan "
            f"(grafico scan {shlex.quote(name)}, then grafico transition last), the reactant with "
            "`product`, both as files numbered alike, or say with `along` which bond changes",
        )
    resolved = await wanted.resolve(atoms, executor)
    level = resolved.level
    program = offered(level)
    if not program.forces:
        raise program.without_forces(level)
    program.check(atoms, level, DFTRequest(task="frequencies"))
    program.saddle_point(atoms, level)  # refused where there is none
    state = TransitionSearch(atoms, atoms, level, request.along)
    if request.product:
        product = await product_of(atoms, request.product, executor)
        named = lasting(request.product, Given(product), executor)
        request = request.model_copy(update={"product": named})
        state = replace(state, target=product, situation=Position(spanned=False))
    node = FindSaddle(max_steps=request.max_steps, convergence=request.convergence)
    return Prepared(
        state,
        goal_of(request),
        (atoms, level),
        f"{atoms.formula} at {level.label}",
        (TransitionCost(state, node, request.upto),),
        (*resolved.remarks, *program.remarks(atoms, level)),
        request,
    )


async def product_of(atoms: ConceptualAtoms, text: str, executor: Executor) -> ConceptualAtoms:
    """Return the product that is meant, of the charge and multiplicity of the reactant.

    Raises:
        GraficoError: it cannot be read, or does not fit the reactant.
    """
    said = fill(GUESS.form, {"charge": atoms.charge, "multiplicity": atoms.multiplicity})
    product = (await GUESS.read(text, said, executor)).model
    check_product(atoms, product)
    return product


def goal_of(request: TransitionRequest) -> Goal:
    """Return what is to be reached."""
    text = {
        "state": "a transition state",
        "path": "a transition state and the path over it",
        "barrier": "a transition state and the barriers over it",
    }[request.upto]

    def reached(at: Position) -> bool:
        return {"state": at.recorded, "path": at.connected, "barrier": at.rated}[request.upto]

    return Goal(text, reached)


def check_guess(atoms: ConceptualAtoms) -> None:
    """Check that a structure can have a transition state.

    Raises:
        InputError: it cannot.
    """
    asked = f"a transition state of {atoms.formula} was asked for"
    if atoms.is_periodic:
        raise InputError(asked, "it has a cell", "give a molecule without one")
    if len(atoms.numbers) < 3:
        raise InputError(
            asked,
            f"it has {len(atoms.numbers)} atoms; a saddle point has three at least",
            "give all molecules that take part, near each other, in one geometry",
        )


TRANSITION = Definition(
    TRANSITION_STATE,
    (TransitionRequest, LevelForm),
    GUESS,
    prepare_transition,
    TransitionRun.of,
    help="The guess is led to a saddle point with exact second derivatives, and its vibrations "
    "verify it: exactly one is imaginary. Where none is, or several are, nothing is called a "
    "transition state. The path is followed to both ends, which are relaxed and compared; barriers "
    "and rate constants are told both ways. Every calculation is remembered, so that one that was "
    "stopped goes on.",
    makes=(TransitionState, ReactionPath, ReactionBarrier),
)
