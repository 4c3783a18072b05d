"""A reaction as what is asked about: its species are found as molecules are."""

from __future__ import annotations

import asyncio
import itertools
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import Field

from ogm import GraphModel, Link
from ontologies.atoms import ConceptualAtoms
from ontologies.reactions import Reaction, ReactionSpecies
from ontologies.spins import SpinOrigin
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Given, Subject
from workflows.engine.request.form import Form, fill
from workflows.engine.request.library import Library, TextLibrary
from workflows.engine.request.rules import Personal, Setting
from workflows.molecule.formulas import spelled
from workflows.molecule.identify import identify
from workflows.molecule.pubchem import ADDRESS
from workflows.molecule.spin import ground_multiplicity
from workflows.molecule.spin.reading import name_of
from workflows.molecule.subject import MOLECULE, Bonded
from workflows.molecule.table import also_called

from .equation import ELECTRON, Term, check_balance, read_equation
from .kinds import NAMED, written_out
from .lineage import together
from .written import CONDENSED, balanced, equation

AMBIGUOUS = 6
"""Species of one equation that are tried as formulas."""

SubjectT = TypeVar("SubjectT", bound=GraphModel)


class ReadingSpecies(Form):
    """How the species of a reaction are read."""

    online: Annotated[
        bool, Personal(), Field(description="Ask PubChem for a name that is not known here.")
    ] = False
    pubchem: Annotated[str, Setting()] = ADDRESS


class Equations(Subject[SubjectT]):
    """What is written as a balanced equation."""

    form = ReadingSpecies

    async def read(self, given: object, said: Form, executor: Executor) -> Given[SubjectT]:
        """Return what is meant: an object, a stored one by its IRI, or an equation.

        Raises:
            InputError: it cannot be read, or is not balanced; see also `balanced`.
            GraficoError: a species cannot be read.
        """
        if isinstance(given, self.model):
            return Given(given, self.label(given))
        assert isinstance(said, ReadingSpecies)
        text = str(given).strip()
        if text.startswith(("http://", "https://", "g:id/", "id/")) and " " not in text:
            found = self.stored_object(executor.kg, text)
            return Given(found, self.label(found))
        return await self.balanced(text, said, executor)

    @abstractmethod
    async def balanced(
        self, text: str, said: ReadingSpecies, executor: Executor
    ) -> Given[SubjectT]:
        """Return what an equation means, atoms and charge balanced."""


class ReactionLines(TextLibrary):
    """Equations such as `C=C + [H][H] -> CC`."""

    suffixes: ClassVar[tuple[str, ...]] = (".rxns",)
    columns: ClassVar[tuple[str, ...]] = ("reaction", "equation", "reactions", "equations")


class Reactions(Equations[Reaction]):
    """A balanced reaction."""

    name: ClassVar[str] = "reaction"
    metavar: ClassVar[str] = "REACTION"
    model = Reaction
    library: ClassVar[Library | None] = ReactionLines()
    help: ClassVar[str] = (
        "REACTION is an equation of molecules, such as 'C=C + [H][H] -> CC': SMILES, names, files "
        "or IRIs between spaces, counts before them (2 or 1/2), charge and spin behind them where "
        "they need saying ({-1}, {triplet})."
    )

    async def balanced(
        self, text: str, said: ReadingSpecies, executor: Executor
    ) -> Given[Reaction]:
        """Return the reaction that is meant.

        Raises:
            InputError: it does nothing.
        """
        if named := NAMED.fullmatch(text):
            text = await _written_out(named, said, executor)
        terms = read_equation(text)
        found = await asyncio.gather(*(find_species(one, said, executor) for one in terms))
        found, text = await _balanced(text, found, said, executor)
        species = merged(found)
        if not species:
            raise InputError(
                f"the reaction {text[:200]!r} was asked for",
                "both sides are the same",
                "ask for one in which something happens",
            )
        remarks: dict[str, list[str]] = {}
        for one in found:
            for remark in one.remarks:
                remarks.setdefault(remark, []).append(one.term.text)
        grouped = tuple(f"{remark} ({', '.join(names)})" for remark, names in remarks.items())
        if CONDENSED.search(text):
            grouped += (
                "every species is computed as one molecule: (l), (s) and (aq) are left out",
            )
        reaction = Reaction(species=species)
        beside = tuple(other for one in found for other in one.beside)
        called = "" if text == reaction.name else text
        built = together([one.built for one in found])
        return Given(reaction, called, grouped, beside=beside, built=built)


@dataclass(frozen=True)
class FoundSpecies:
    """A species that was found.

    Attributes:
        term: what was asked for.
        atoms: its structure.
        smiles: its bonds; empty where these are not known.
        remarks: what was assumed.
        mol: RDKit's molecule, atom by atom; None where its bonds are not known.
        beside: what is stored beside it.
        built: what it was built from, see `Given`.
    """

    term: Term
    atoms: ConceptualAtoms
    smiles: str
    remarks: tuple[str, ...]
    mol: Any = None
    beside: tuple[GraphModel, ...] = ()
    built: str = ""


async def find_species(term: Term, said: ReadingSpecies, executor: Executor) -> FoundSpecies:
    """Return the species that a term means, in its ground state where its spin is not said.

    Raises:
        InputError: it is a crystal.
        GraficoError: it cannot be read.
    """
    if ELECTRON.fullmatch(term.text):
        raise InputError(
            "a reaction with an electron was asked for",
            "that is a half reaction",
            "ask `redox` for its potential, written as a reduction, or in plain words for the "
            "ionisation energy of the molecule",
        )
    words: dict[str, Any] = {"charge": term.charge}
    form = fill(MOLECULE.form, {**words, "multiplicity": term.multiplicity}, said.handed_on())
    given = await MOLECULE.read(term.text, form, executor)
    best, more = ground_multiplicity(given.model), ()
    told = [one.told_spin for one in given.beside if isinstance(one, SpinOrigin)]
    open_spin = term.multiplicity is None and told != ["file"]
    if open_spin and best not in (None, given.model.multiplicity):
        form = fill(MOLECULE.form, {**words, "multiplicity": best}, said.handed_on())
        given = await MOLECULE.read(term.text, form, executor)
        more = (f"{name_of(given.model.multiplicity)} taken, the ground state",)
        table = SpinOrigin(spin_of=Link[ConceptualAtoms](given.model), told_spin="table")
        given = replace(given, beside=(table,))
    atoms = given.model
    if atoms.is_periodic:
        raise InputError(
            f"{term.text[:80]} was asked for in a reaction", "it is a crystal", "give a molecule"
        )
    mol = given.detail.mol if isinstance(given.detail, Bonded) else None
    smiles, remarks = identify(atoms, mol).smiles, (*given.remarks, *more)
    return FoundSpecies(term, atoms, smiles, remarks, mol, given.beside, given.built)


async def balancing(
    found: Sequence[FoundSpecies],
    said: ReadingSpecies,
    executor: Executor,
    check: Callable[[Sequence[tuple[Fraction, ConceptualAtoms]]], None],
) -> Sequence[FoundSpecies]:
    """Return the species of an equation that balances, read in another way if need be.

    `CO` is methanol as a SMILES, and carbon monoxide where nothing else balances; `O` is water,
    and an oxygen atom likewise.

    Args:
        found: the species as they were read.
        said: how they are read.
        executor: finds others.
        check: raises where an equation of these counts and structures does not balance.

    Raises:
        InputError: no reading balances, or several do.
    """
    try:
        check([(one.term.coefficient, one.atoms) for one in found])
    except InputError as error:
        return await _as_formulas(found, said, executor, check, error)
    return found


async def _written_out(named: re.Match[str], said: ReadingSpecies, executor: Executor) -> str:
    """Return the equation of a reaction that is named by what happens to one molecule.

    Raises:
        GraficoError: the molecule cannot be read, or what happens to it is not clear.
    """
    (term, _) = read_equation(f"{named['what']} -> X")
    one = await find_species(term, said, executor)
    kind = " ".join(named["kind"].split())
    if not one.smiles:
        raise InputError(
            f"the {kind} of {named['what']} was asked for",
            "its bonds are not known",
            "write the equation",
        )
    return written_out(kind, term.name, one.smiles, one.atoms.formula, one.atoms.charge)


async def _balanced(
    text: str, found: Sequence[FoundSpecies], said: ReadingSpecies, executor: Executor
) -> tuple[Sequence[FoundSpecies], str]:
    """Return the species of an equation, and what it is called; without counts, it is given them.

    Raises:
        InputError: it does not balance, and no counts were left open, or none do it.
    """

    def counted(some: Sequence[tuple[Fraction, ConceptualAtoms]]) -> list[Fraction]:
        held = [Counter[object](atoms.numbers.tolist()) for _, atoms in some]
        for one, (_, atoms) in zip(held, some, strict=True):
            one["charge"] = atoms.charge
        return balanced(held, sum(1 for count, _ in some if count < 0))

    def check(some: Sequence[tuple[Fraction, ConceptualAtoms]]) -> None:
        if not counted(some):
            check_balance(text, some)

    try:
        strict = await balancing(found, said, executor, lambda some: check_balance(text, some))
    except InputError as error:
        unbalanced = error
    else:
        return strict, text
    with suppress(InputError):
        try:
            found = await _as_formulas(found, said, executor, check, unbalanced)
        except InputError:
            check([(one.term.coefficient, one.atoms) for one in found])
        counts = counted([(one.term.coefficient, one.atoms) for one in found])
        reactants = sum(1 for one in found if one.term.coefficient < 0)
        whole = equation([one.term.name for one in found], counts, reactants)
        if any(abs(one.term.coefficient) != 1 for one in found):
            unbalanced = InputError(unbalanced.asked, unbalanced.found, f"write '{whole}'")
            raise unbalanced
        given = [
            replace(one, term=replace(one.term, coefficient=count * one.term.coefficient))
            for one, count in zip(found, counts, strict=True)
        ]
        return given, whole
    raise unbalanced


async def _as_formulas(
    found: Sequence[FoundSpecies],
    said: ReadingSpecies,
    executor: Executor,
    check: Callable[[Sequence[tuple[Fraction, ConceptualAtoms]]], None],
    unbalanced: InputError,
) -> Sequence[FoundSpecies]:
    """Return the species where some that were read as SMILES are the formulas that they spell."""
    other = {
        one.term.text: name
        for one in found
        if (name := also_called(one.term.text, one.atoms.formula) or spelled(one.term.text))
    }
    if not other or len(other) > AMBIGUOUS:
        raise unbalanced
    read: dict[str, FoundSpecies] = {}
    for one in found:
        if (text := one.term.text) in other:
            again = await find_species(replace(one.term, text=other[text]), said, executor)
            if again.atoms.formula != one.atoms.formula:
                read[text] = again
    other = {text: other[text] for text in read}
    if not other:
        raise unbalanced
    balanced: list[list[FoundSpecies]] = []
    for number in range(len(other), 0, -1):
        for chosen in itertools.combinations(other, number):
            species = [
                replace(read[one.term.text], term=replace(one.term, text=other[one.term.text]))
                if one.term.text in chosen
                else one
                for one in found
            ]
            with suppress(InputError):
                check([(one.term.coefficient, one.atoms) for one in species])
                balanced.append(species)
        if number == len(other) and balanced:
            break  # all of them as formulas: so most people write an equation
    if len(balanced) != 1:
        ways = ", ".join(f"{name} for {text}" for text, name in other.items())
        raise InputError(
            unbalanced.asked,
            unbalanced.found + (", and in several ways as formulas" if balanced else ""),
            f"write {ways}, where that is meant; else {unbalanced.advice}",
        )
    read_again: list[FoundSpecies] = []
    for before, one in zip(found, balanced[0], strict=True):
        if one is not before:
            remark = (
                f"{before.term.text} is read as {one.term.text}, not as the SMILES of "
                f"{before.atoms.formula}: so the equation balances"
            )
            one = replace(one, remarks=(*one.remarks, remark))
        read_again.append(one)
    return read_again


async def species_of(smiles: str, executor: Executor) -> ConceptualAtoms:
    """Return the structure of a SMILES, in its ground state.

    Raises:
        GraficoError: it cannot be built.
    """
    term = Term(Fraction(1), smiles)
    return (await find_species(term, ReadingSpecies(), executor)).atoms


def merged(found: Sequence[FoundSpecies]) -> tuple[ReactionSpecies, ...]:
    """Return the species, each once: what stands on both sides counts by what is left of it."""
    kept: dict[str, ReactionSpecies] = {}
    for one in found:
        before = kept.get(one.atoms.iri)
        count = float(one.term.coefficient) + (before.coefficient if before else 0.0)
        kept[one.atoms.iri] = ReactionSpecies(
            name=before.name if before else one.term.name,
            coefficient=count,
            atoms=one.atoms,
            smiles=one.smiles,
        )
    return tuple(one for one in kept.values() if one.coefficient)


REACTIONS = Reactions()
