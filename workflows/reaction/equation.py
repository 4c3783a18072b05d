"""Equations of reactions as people write them: `2 [H][H] + O=O{triplet} -> 2 O`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from triplestore.errors import InputError
from workflows.molecule.spin.reading import SPINS

from . import ARROW
from .written import GLUED, OF_PHASE, spaced

SIDES = re.compile(ARROW)
PLUS = re.compile(r"\s\+(?=\s|$)")
COUNT = re.compile(r"(\d{1,6}(?:\.\d{1,6}|/\d{1,6})?|½)\s+(?=\S)")
STATE = re.compile(r"\s*\{([^{}]*)\}$")

ZERO = Fraction()

ELECTRON = re.compile(r"e(-|−|⁻|\^-)", re.IGNORECASE)

LONGEST, MOST_SPECIES, MOST = 5000, 20, 1000

EXAMPLE = "write it as in 'C=C + [H][H] -> CC', with spaces around + and ->"


@dataclass(frozen=True)
class Term:
    """One term of an equation.

    Attributes:
        coefficient: positive for products, negative for reactants.
        text: what the species is: a name, a notation, a file or an IRI.
        charge: total charge in e, where it is said.
        multiplicity: 2S+1, where it is said.
    """

    coefficient: Fraction
    text: str
    charge: int | None = None
    multiplicity: int | None = None

    @property
    def name(self) -> str:
        """What it is called, with the charge and spin said of it alone: `benzoquinone{-1}`."""
        told = self.charge not in (None, _written(self.text))
        charge = "" if not told else f"{self.charge:+d}" if self.charge else "0"
        spin = "" if self.multiplicity is None else SPINS[self.multiplicity - 1]
        said = ", ".join(filter(None, (charge, spin)))
        return f"{self.text}{{{said}}}" if said else self.text


def _written(text: str) -> int:
    """Return the charge that the brackets of a SMILES say; 0 for a name."""
    found = re.findall(r"([+-]+)(\d{0,2})(?::\d+)?\]", text)
    return sum(int(signs[0] + (digits or str(len(signs)))) for signs, digits in found)


def read_equation(text: str, advice: str = EXAMPLE) -> list[Term]:
    """Return the terms of an equation, reactants first; the same species is one term of its side.

    Args:
        text: sides set apart by an arrow, species by plus signs, both between spaces. A count may
            stand before a species (`2`, `1/2`, `0.5`), charge and spin behind it in braces
            (`{-1}`, `{triplet}`, `{+1, doublet}`). Formulas need no spaces: `2H2+O2=2H2O(l)`.
        advice: how it is written, for people whose own cannot be read.

    Raises:
        InputError: it cannot be read.
    """
    asked = f"the reaction {text.strip()[:200]!r} was asked for"
    if len(text) > LONGEST:
        found = f"it has {len(text):,} characters; {LONGEST:,} are allowed"
        raise InputError(asked, found, "give files in place of long notations")
    if ">>" in text and "." in text and not re.search(r"\s>>\s", text):
        found = "a dot of a reaction SMILES may part an ion pair or two molecules"
        raise InputError(asked, found, advice)
    sides = SIDES.split(f" {spaced(text).strip()}")
    if len(sides) != 2:
        found = "it has no arrow" if len(sides) < 2 else f"it has {len(sides) - 1} arrows"
        raise InputError(asked, found, advice)
    counts: dict[Term, Fraction] = {}
    for sign, name, side in zip((-1, 1), ("before", "after"), sides, strict=True):
        if not side.strip():
            raise InputError(asked, f"nothing stands {name} the arrow", advice)
        for part in PLUS.split(side):
            one = _term(part.strip(), asked, advice)
            alike = replace(one, coefficient=Fraction(sign))
            counts[alike] = counts.get(alike, Fraction()) + one.coefficient
    if len(counts) > MOST_SPECIES:
        found = f"it has {len(counts)} species; {MOST_SPECIES} are allowed"
        raise InputError(asked, found, "ask for its steps one by one")
    return [replace(one, coefficient=one.coefficient * count) for one, count in counts.items()]


def _term(part: str, asked: str, advice: str) -> Term:
    count = Fraction(1)
    part = OF_PHASE.sub(r"\1", part)
    if found := COUNT.match(part) or GLUED.match(part):
        said = found[1].replace("½", "1/2")
        if said.endswith("/0") or not 0 < (count := Fraction(said)) <= MOST:
            raise InputError(
                asked,
                f"{said} of {part[found.end() :][:80]} cannot be",
                f"give a count above 0, of at most {MOST}",
            )
        part = part[found.end() :]
    charge = multiplicity = None
    if state := STATE.search(part):
        part = part[: state.start()]
        for word in filter(None, re.split(r"[,\s]+", state[1].lower())):
            if re.fullmatch(r"[+-]\d{1,2}|0", word) and charge is None:
                charge = int(word)
            elif word in SPINS and multiplicity is None:
                multiplicity = SPINS.index(word) + 1
            else:
                raise InputError(
                    asked,
                    f"{word!r} behind {part[:80]} says neither its charge nor its spin",
                    "write them as in {-1}, {triplet} or {+1, doublet}; a solvent is that of all "
                    "species (`solvent`), and two runs stand side by side in `compare`",
                )
    if not part.strip():
        raise InputError(asked, "a species is missing beside a plus sign", advice)
    return Term(count, part.strip(), charge, multiplicity)


def check_balance(
    equation: str, species: Sequence[tuple[Fraction, ConceptualAtoms]], electrons: Fraction = ZERO
) -> None:
    """Check that atoms and charge are the same on both sides.

    Args:
        equation: as it was given, for the error message.
        species: coefficients, negative for reactants, and structures.
        electrons: which stand in it besides, negative for those that are taken up.

    Raises:
        InputError: they are not; says what is missing where.
    """
    surplus: dict[int, Fraction] = {}
    for coefficient, atoms in species:
        for number in atoms.numbers.tolist():
            surplus[number] = surplus.get(number, Fraction()) + coefficient
    charge = sum((c * atoms.charge for c, atoms in species), -electrons)
    told = [
        f"{_formula(side)} is missing {where} the arrow"
        for where, side in (
            ("after", [(n, -c) for n, c in surplus.items() if c < 0]),
            ("before", [(n, c) for n, c in surplus.items() if c > 0]),
        )
        if side
    ]
    if charge:
        more = "more" if charge > 0 else "less"
        told.append(f"the charge after the arrow is {_number(abs(charge))} e {more} than before")
    if told:
        raise InputError(
            f"the reaction {equation[:200]!r} was asked for",
            f"it is not balanced: {'; '.join(told)}",
            f"mend its species, counts or charges; it was read as {_as_read(species)}",
        )


def _as_read(species: Sequence[tuple[Fraction, ConceptualAtoms]]) -> str:
    """Return an equation by the formulas of its species: `CO` as a SMILES is CH4O."""
    sides = [
        " + ".join(
            atoms.formula if abs(count) == 1 else f"{_number(abs(count))} {atoms.formula}"
            for count, atoms in species
            if count * sign > 0
        )
        for sign in (-1, 1)
    ]
    return " -> ".join(sides)


def _formula(parts: Iterable[tuple[int, Fraction]]) -> str:
    """Return what is missing, carbon and hydrogen first."""
    order = sorted(parts, key=lambda one: (one[0] != 6, one[0] != 1, SYMBOLS[one[0]]))
    return "".join(SYMBOLS[n] + ("" if count == 1 else _number(count)) for n, count in order)


def _number(count: Fraction) -> str:
    return f"{float(count):.6g}"
