"""The step from two minima to a guess of the transition state between them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field
from pydantic_graph import End

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import Convergence, RelaxedGeometry
from triplestore.errors import InputError, RecipeError
from workflows.engine import Answer, Done, Executor, Finish, Node, fan_out
from workflows.registry.levels import offered

from .searching import FindSaddle
from .state import Position, Steps, TransitionSearch


class SpanBand(Node[TransitionSearch]):
    """Relax reactant and product and span an elastic band between them."""

    then: ClassVar[FindSaddle | End[Finish]]

    max_steps: Steps = 100
    convergence: Convergence = "normal"
    images: Annotated[int, Field(ge=5, le=51)] = 9

    def precondition(self, situation: Position) -> str | None:
        return "there is a guess already" if situation.spanned else None

    def effect(self, situation: Position) -> Position:
        return replace(situation, spanned=True)

    def cost(self, situation: Position) -> float:
        return 500.0

    async def work(self, state: TransitionSearch, executor: Executor) -> Done[TransitionSearch]:
        program, level, target = offered(state.level), state.level, state.target
        assert target is not None  # otherwise there is a guess

        async def relax(atoms: ConceptualAtoms) -> Answer[RelaxedGeometry]:
            call = program.optimise(atoms, level, self.max_steps, convergence=self.convergence)
            return await executor.run(call)

        both = {"reactant": state.guess, "product": target}
        ends = tuple((await fan_out(executor, both, relax)).all().values())
        first, last = (one.result.atoms for one in ends)
        band = await executor.run(program.elastic_band(first, last, level, self.images))
        top = int(band.result.energies.argmax())
        if top in (0, len(band.result.energies) - 1):
            raise RecipeError(
                f"a transition state between two geometries of {state.guess.formula} was asked for",
                "along the band between them the energy is highest at its end: there is no barrier "
                "on this way",
                "give a guess of the transition state, such as the highest point of a scan",
            )
        answers = (*state.answers, *ends, band)
        return Done(
            replace(
                state,
                atoms=band.result.atoms,
                given=(first, last),
                answers=answers,
                situation=self.effect(state.situation),
            )
        )


def check_product(reactant: ConceptualAtoms, product: ConceptualAtoms) -> None:
    """Check that two structures can be the ends of a band.

    Raises:
        InputError: they are not of the same atoms in the same order, or the same structure.
    """
    asked = f"a transition state between {reactant.formula} and {product.formula} was asked for"
    if reactant.formula != product.formula or reactant.charge != product.charge:
        raise InputError(
            asked,
            "these are not the same atoms and charge",
            "give all molecules that take part in either geometry",
        )
    if reactant.numbers.tolist() != product.numbers.tolist():
        raise InputError(
            asked,
            f"their atoms come in different orders: {' '.join(reactant.symbols[:12])} … and "
            f"{' '.join(product.symbols[:12])} …",
            "number the atoms of the product as those of the reactant, each atom where it goes",
        )
    if product.equivalent(reactant) and abs(product.positions - reactant.positions).max() < 1e-3:
        raise InputError(asked, "both are the same geometry", "give the other one")
