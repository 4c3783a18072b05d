"""Which crystal people mean by an element: the lattice constant of silicon."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace

from triplestore.errors import GraficoError
from workflows.molecule import crystal_names
from workflows.molecule.formulas import elements
from workflows.registry.spoken import Named, Sentence

ATOM = re.compile(r"\[([A-Z][a-z]?)\]")


SOLID = re.compile(
    r"(?i)\b(?:lattice (?:constant|parameter)s?|bulk modul(?:us|i)|equations? of state|eos|"
    r"(?:unit )?cell (?:of|parameters?)|band gap|cohesive)\b"
)
"""What crystals have, and molecules have not; of molecules a gap is one of orbitals."""
COMPOUND = re.compile(
    r"(?<![\w./])(?:[A-Z][a-z]?\d{0,2}){1,4}(?![\w./])|\b[a-z]{3,12}\b(?! crystal)"
)
USUAL = "GTH-PBE"
GAP_OF = re.compile(r"(?i)\bband gaps?(?: of)?\b")
OF_CRYSTALS = {"pbe": "GTH-PBE", "lda": "GTH-LDA", "pbesol": "GTH-PBEsol", "blyp": "GTH-BLYP"}
"""Functionals by the names that they have here for crystals, with pseudopotentials."""


def wholes(at: Sentence) -> None:
    """Take out a compound by its formula where it is a crystal: MgO."""
    if (
        SOLID.search(at.text) is None
        or "crystal" in at.text.lower()
        or "bulk " in SOLID.sub("", at.text)
    ):
        return
    for one in list(COMPOUND.finditer(at.rest)):
        name = one[0]
        called = f"{name} crystal"
        element = name in elements().values()
        if (element or sum(map(str.isupper, name)) > 1) and _is_one(called):
            at.blank(*one.span())
            at.subjects.append(Named(*one.span(), called, f"{name} is read as its crystal"))
            at.reads += [(gap.start(), "band_gap") for gap in at.take(GAP_OF)]


def _is_one(name: str) -> bool:
    """Tell whether a name is that of one crystal; of TiO2 there are several."""
    with suppress(GraficoError):
        return crystal_names.is_said(name) and crystal_names.named(name) is not None
    return False


def _of_crystals(at: Sentence) -> None:
    """Let PBE of crystals be that with pseudopotentials, which is the one that there is."""
    files = all(
        re.search(r"crystal|[.]cif$|poscar|[.]vasp$", one.given, re.I) for one in at.subjects
    )
    if at.subjects and files and SOLID.search(at.text) and not {"level", "basis"} & {*at.asked}:
        at.ask("level", {"method": USUAL})
        at.notes.append(f"no level was named: {USUAL} is taken for a crystal")
    for level in at.asked.get("level", ()) if at.subjects and files else ():
        method = str(level.get("method", ""))
        if "basis" not in level and (there := OF_CRYSTALS.get(method.lower())):
            level["method"] = there
            at.notes.append(f"{method} of a crystal is {there}, with pseudopotentials")


def settle(at: Sentence) -> None:
    """Take an element as its crystal, as an atom has no volume."""
    goes_on = not at.reads and "task" not in at.asked  # "and of copper"
    workflow = at.workflow or (at.before.workflow if at.before and goes_on else "")
    if workflow != "equation-of-state":
        _of_crystals(at)
        return
    for place, one in enumerate(at.subjects):
        said = at.text[one.start : one.end].lower()
        if (found := ATOM.fullmatch(one.given)) and "atom" not in said:
            at.subjects[place] = replace(one, given=f"{found[1]} crystal", said="")
    _of_crystals(at)
