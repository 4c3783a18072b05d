"""Acids with their bases, found: the one that is asked for, and those of known pKa."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.quantum import Embedding
from ontologies.reactions import Reaction, ReactionSpecies
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Given
from workflows.molecule.bonds import perceive
from workflows.molecule.embedding import bonded
from workflows.molecule.identify import identify
from workflows.molecule.spin.reading import separate
from workflows.molecule.subject import Bonded
from workflows.reaction.equation import Term
from workflows.reaction.subject import FoundSpecies, ReadingSpecies, find_species

from .protons import Proton, leaving_proton

LEAST, MOST = -30.0, 60.0
"""Of a pKa that somebody may have measured."""

IRIS = ("http://", "https://", "g:", "id/")

EXAMPLE = "write it as in 'CC(=O)O=4.76'"


@dataclass(frozen=True)
class Acid:
    """An acid and what becomes of it.

    Attributes:
        reaction: the acid becomes its base and a proton.
        measured: its pKa; None for the acid that is asked for.
        remarks: what was assumed.
    """

    reaction: Reaction
    measured: float | None = None
    remarks: tuple[str, ...] = ()

    @property
    def pair(self) -> tuple[ReactionSpecies, ReactionSpecies]:
        """Acid and base."""
        acid, base, _ = self.reaction.species
        return acid, base


def read_reference(text: str) -> tuple[str, float]:
    """Return what an acid is called, and its pKa, of a text such as `CC(=O)O=4.76`.

    Raises:
        InputError: it has no pKa, or one that cannot be.
    """
    name, sign, number = (part.strip() for part in text.rpartition("="))
    asked = f"the reference acid {text[:80]!r} was given"
    if not (sign and name and re.fullmatch(r"[+-−]?\d{1,3}(\.\d{1,9})?", number)):
        raise InputError(asked, "it does not end with = and a pKa", EXAMPLE)
    pka = float(number.replace("−", "-"))
    if not LEAST <= pka <= MOST:
        raise InputError(asked, f"{pka:g} is no pKa", f"give one of {LEAST:g} to {MOST:g}")
    return name, pka


async def find_acids(
    given: Given[ConceptualAtoms], references: Sequence[str], proton: str, executor: Executor
) -> list[Acid]:
    """Return the acid that is asked for and those of known pKa, each with its base.

    Args:
        given: the acid that is asked for.
        references: such as `CC(=O)O=4.76`.
        proton: which one leaves the acid that is asked for; empty for the most acidic.
        executor: finds structures.

    Raises:
        InputError: an acid cannot be read, is given twice, has no proton or several that are equal.
    """
    known = [read_reference(text) for text in references]
    proton_gone, asked, *others = await asyncio.gather(
        _species("[H+]", executor),
        _subject(given, executor),
        *(_species(name, executor) for name, _ in known),
    )
    acids = [asked, *others]
    _refuse_twice(acids)
    chosen: list[_Leaving] = []
    for one in acids:
        chosen.append(_leaving(one, "" if chosen else proton, chosen))
    bases = await asyncio.gather(*(_base(one, executor) for one in chosen))
    whole = [
        Acid(_reaction(one.acid, base, proton_gone), pka, (*one.remarks, *base.remarks))
        for one, base, pka in zip(chosen, bases, (None, *(pka for _, pka in known)), strict=True)
    ]
    _refuse_conjugates(whole)
    return whole


@dataclass(frozen=True)
class _Leaving:
    """An acid and the proton that leaves it."""

    acid: FoundSpecies
    proton: Proton
    remarks: tuple[str, ...]


def _leaving(acid: FoundSpecies, wanted: str, before: Sequence[_Leaving]) -> _Leaving:
    name = acid.term.text[:80]
    if acid.mol is None:
        raise InputError(
            f"the pKa of {name} was asked for", "its bonds are not known", "give a SMILES"
        )
    charges = [charge for _, charge, _ in separate(acid.mol)]
    if min(charges) < 0 < max(charges):
        raise InputError(
            f"the pKa of {name} was asked for",
            "it is a salt of several ions",
            "give the one that is the acid",
        )
    try:
        proton, said = leaving_proton(acid.mol, wanted, name)
    except InputError as error:
        for other in before:
            if other.proton.base == acid.smiles:
                raise InputError(
                    f"the reference acid {name} was given",
                    f"it is the base of {other.acid.term.text[:80]}, which stands there already",
                    "give each acid once",
                ) from error
        raise
    return _Leaving(acid, proton, (*acid.remarks, *filter(None, [said])))


async def _species(text: str, executor: Executor) -> FoundSpecies:
    return await find_species(Term(Fraction(1), text), ReadingSpecies(), executor)


async def _subject(given: Given[ConceptualAtoms], executor: Executor) -> FoundSpecies:
    atoms = given.model
    if atoms.is_periodic:
        raise InputError("a pKa was asked for", f"{atoms.formula} is a crystal", "give a molecule")
    mol: Any = given.detail.mol if isinstance(given.detail, Bonded) else None
    if mol is None and (known := executor.kg.find(Embedding, atoms=atoms)):
        mol = bonded(known[0])
    if mol is None:
        mol, _ = perceive(atoms)
    smiles = identify(atoms, mol).smiles
    text = smiles if not given.text or given.text.startswith(IRIS) else given.text
    return FoundSpecies(Term(Fraction(1), text), atoms, smiles, (), mol)


async def _base(one: _Leaving, executor: Executor) -> FoundSpecies:
    """Return the base: embedded where the acid was, else its geometry without the proton."""
    acid, smiles = one.acid, one.proton.base
    if executor.kg.find(Embedding, atoms=acid.atoms):
        return await _species(smiles, executor)
    atoms = acid.atoms
    keep = np.arange(len(atoms.numbers)) != one.proton.atom
    left = make_atoms(
        smiles,
        numbers=atoms.numbers[keep],
        positions=atoms.positions[keep],
        charge=atoms.charge - 1,
        multiplicity=atoms.multiplicity,
    )
    remark = f"the geometry of {smiles} starts from that of {acid.term.text[:80]}"
    return FoundSpecies(Term(Fraction(1), smiles), left, smiles, (remark,))


def _reaction(acid: FoundSpecies, base: FoundSpecies, proton: FoundSpecies) -> Reaction:
    return Reaction(
        species=tuple(
            ReactionSpecies(
                name=one.term.text, coefficient=count, atoms=one.atoms, smiles=one.smiles
            )
            for one, count in ((acid, -1.0), (base, 1.0), (proton, 1.0))
        )
    )


def _key(one: FoundSpecies) -> str:
    """Return what is the same for all ways to write an acid, tautomers among them."""
    return identify(one.atoms, one.mol).inchi_key or one.smiles or one.atoms.iri


def _refuse_twice(acids: Sequence[FoundSpecies]) -> None:
    seen: dict[str, str] = {}
    asked = ""
    for one in acids:
        key, text = _key(one), one.term.text[:80]
        asked = asked or key
        if key in seen:
            what = "it is the acid that is asked for" if key == asked else "it stands there twice"
            beside = "" if seen[key] == text else f", as {seen[key]} and as {text}"
            raise InputError(
                f"the reference acid {text} was given",
                what + beside,
                "leave it out" if key == asked else "give each acid once, with one pKa",
            )
        seen[key] = text


def _refuse_conjugates(acids: Sequence[Acid]) -> None:
    """Refuse two acids of one equilibrium: a base as an acid, with the pKa of its own acid."""
    for one, other in _couples(acids):
        (_, base), (acid, _) = one.pair, other.pair
        if base.smiles == acid.smiles and one.measured == other.measured is not None:
            raise InputError(
                f"the reference acids {one.pair[0].name} and {acid.name} were given",
                f"{acid.name} is the base of {one.pair[0].name}, and both have the pKa "
                f"{one.measured:g}",
                "give each equilibrium once",
            )


def _couples(acids: Sequence[Acid]) -> Iterator[tuple[Acid, Acid]]:
    return ((one, other) for one in acids for other in acids if one is not other)
