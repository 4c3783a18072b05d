"""What a person names, as structures that can be compared with lists."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from triplestore.errors import GraficoError, InputError, NotFoundError
from workflows.molecule.names import smiles_of
from workflows.molecule.notation import smiles_of_inchi, smiles_of_selfies
from workflows.molecule.recognition import recognise

from .gate import ARROW, Verdict, gate, misread, named, verdict

Notation: TypeAlias = Literal["", "smiles", "name"]

SHORTEST = 4
"""Letters of a name beside a structure that counts: tables call many a row GA, BZ or DF."""

SYSTEMATIC = "OPSIN"
"""Who reads names by the letter."""

UNKNOWN = "its structure is not known here"


@dataclass(frozen=True)
class Screened:
    """What screening a text came to.

    Attributes:
        given: the text, or what a table calls it.
        structure: SMILES that was compared; empty where none is known.
        told: who says that it is this structure; empty where the text does.
        verdict: what was found.
    """

    given: str
    structure: str
    told: str
    verdict: Verdict


def screen(text: str, notation: Notation = "", online: str = "", called: str = "") -> Screened:
    """Compare what a text names, and the text itself, with the lists.

    A name or number that stands on a list counts whether or not its structure is known.

    Args:
        text: a SMILES, also of a mixture or a reaction, an InChI, SELFIES, a name, or a number of
            CAS.
        notation: which of them it is, if that is known.
        online: address of PubChem's PUG REST; empty: never ask.
        called: what it is called besides; that name is looked for, too.
    """
    text, called = text.strip(), called.strip()
    whole = called if len(called) >= SHORTEST else ""
    on_lists = tuple(dict.fromkeys((*named(text), *named(whole))))
    given = called or text
    try:
        smiles, told = _structure(text, notation, online)
    except GraficoError as error:
        if on_lists:
            return Screened(given, "", "", verdict(on_lists, {}))
        found = UNKNOWN if isinstance(error, NotFoundError) else error.found
        return Screened(given, "", "", verdict((), {text: found}))
    if told.startswith(SYSTEMATIC):
        on_lists = tuple(dict.fromkeys((*on_lists, *misread(text, smiles))))
    by_structure = gate([smiles])
    why = "; ".join(by_structure.unread.values())
    unread = {text: why} if why else {}
    same = {(one.list, one.entry) for one in by_structure.findings}
    by_name = [one for one in on_lists if (one.list, one.entry) not in same]
    return Screened(given, smiles, told, verdict([*by_structure.findings, *by_name], unread))


def _structure(text: str, notation: Notation, online: str) -> tuple[str, str]:
    """Return the SMILES of a text and who told it."""
    if notation == "smiles" or (len(ARROW.split(text)) == 3 and not notation):
        return text, ""
    kind = notation or recognise(text)
    match kind:
        case "smiles":
            return text, ""
        case "inchi":
            return smiles_of_inchi(text, text[:80])[0], "InChI"
        case "selfies":
            return smiles_of_selfies(text, text[:80]), "SELFIES"
        case "name":
            return smiles_of(text, online)
        case _:
            found = "it names a file or a stored object"
            raise InputError(f"{text[:80]!r} was screened", found, "give it by itself")
