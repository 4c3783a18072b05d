"""A half reaction as what is asked about."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from ontologies.atoms import ConceptualAtoms
from ontologies.reactions import Reaction
from ontologies.redox import HalfReaction
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Given
from workflows.reaction.equation import ELECTRON, Term, check_balance, read_equation
from workflows.reaction.subject import (
    Equations,
    ReadingSpecies,
    balancing,
    find_species,
    merged,
)

PROTON = re.compile(r"\[?H(\+|⁺|\^\+)\]?")

EXAMPLE = "write it as in 'O=O + e- -> [O][O-]', with spaces around + and ->"


NAMED = 60
"""Letters of a molecule alone, whose half reactions are written out."""


def _advice(text: str) -> str:
    """Return how a half reaction is written; of a molecule alone, both that it may have."""
    if not text or len(text) > NAMED or re.search(r"[-→⇌>{}]|\s\+\s", text):
        return EXAMPLE
    return (
        f"write '{text} + e- -> {text}{{-1}}' where it takes up an electron, or "
        f"'{text}{{+1}} + e- -> {text}' where it gives one"
    )


class HalfReactions(Equations[HalfReaction]):
    """A balanced half reaction."""

    name: ClassVar[str] = "half reaction"
    metavar: ClassVar[str] = "HALF_REACTION"
    model = HalfReaction
    help: ClassVar[str] = (
        "HALF_REACTION is an equation with electrons, such as 'O=O + e- -> [O][O-]', written as a "
        "reduction; H+ is a proton in water. Molecules are as in reactions, with charge and spin "
        "behind them where they need saying ({-1}, {triplet})."
    )

    async def balanced(
        self, text: str, said: ReadingSpecies, executor: Executor
    ) -> Given[HalfReaction]:
        """Return the half reaction that is meant.

        Raises:
            InputError: it has no electrons, or no molecules.
        """
        terms = read_equation(text, _advice(text.strip()))
        electrons = _taken(terms, ELECTRON)
        protons = _taken(terms, PROTON)
        asked = f"the half reaction {text[:200]!r} was asked for"
        if not electrons:
            raise InputError(asked, "no electrons are taken up or given off in it", EXAMPLE)
        others = [
            one for one in terms if not (ELECTRON.fullmatch(one.text) or PROTON.fullmatch(one.text))
        ]
        if not others:
            raise InputError(asked, "it has no molecules", EXAMPLE)
        *read, proton = await asyncio.gather(
            *(find_species(one, said, executor) for one in others),
            find_species(Term(Fraction(1), "[H+]"), said, executor),
        )

        def check(some: Sequence[tuple[Fraction, ConceptualAtoms]]) -> None:
            check_balance(text, [*some, (protons, proton.atoms)], electrons)

        found = await balancing(read, said, executor, check)
        reaction, remarks = merged(found), [r for one in found for r in one.remarks]
        if electrons > 0:
            remarks.append("written as an oxidation: the potential is that of the reduction")
            protons = -protons
            turned = (one.model_copy(update={"coefficient": -one.coefficient}) for one in reaction)
            reaction = tuple(sorted(turned, key=lambda one: one.coefficient > 0))
        model = HalfReaction(
            reaction=Reaction(species=reaction),
            electrons=float(abs(electrons)),
            protons=float(protons),
        )
        beside = tuple(other for one in found for other in one.beside)
        return Given(model, text, tuple(dict.fromkeys(remarks)), beside=beside)


def _taken(terms: list[Term], kind: re.Pattern[str]) -> Fraction:
    return sum((one.coefficient for one in terms if kind.fullmatch(one.text)), Fraction())


HALF_REACTIONS = HalfReactions()
