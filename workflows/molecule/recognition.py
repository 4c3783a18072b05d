"""What a text that stands for a molecule is: a file, an IRI, a notation or a name."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, get_args

from ontologies.elements import SYMBOLS
from triplestore.errors import InputError
from workflows.trust.caller import absent, located

Kind = Literal["file", "iri", "smiles", "name", "inchi", "selfies"]

IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
SHORT = re.compile(r"(g:)?id/\w+/[\w-]+$")
"""How IRIs of stored objects are printed."""

FILE = re.compile(
    r"(?i).*\S\.(xyz|extxyz|mol|sdf|cif|pdb|ent|mol2|gjf|com|inp|cube|cub|fchk|fch|molden|coord|tmol|cml|vasp|poscar|contcar)(\.gz)?(#(\d{1,9}|last))?"
)
"""Names that a person gives to nothing but files of structures."""

OTHER_FILE = re.compile(r"(?i).*\S\.(out|log|txt|smi|csv|tsv|json|chk|gbw)(\.gz)?")
"""Names that a person gives to nothing but other files."""

CHOICE = re.compile(r"(.+\.\w+)#(\d{1,9}|last)")
"""One structure of a file: `path.xyz#3`."""

SELFIES = re.compile(r"(?:\[[^\[\]\s]+\]|\.)+")
SELFIES_ONLY = re.compile(r"\[[-=#/\\]+(?:[A-Z][a-z]?|Branch|Ring)|\[(?:Branch|Ring)[123]\]")
"""Symbols that no SMILES has: bonds inside brackets, branches and rings."""

TOKEN = re.compile(
    r"""
      (?P<atom>    Br | Cl | [BCNOPSFI*] )
    | (?P<aromatic> [bcnops] )
    | \[ \d{0,3} (?: (?P<symbol> [A-Z][a-z]? | \* ) | (?P<small> se | as | te | [bcnops] ) )
         (?: @@? (?: (?:TH|AL|SP|TB|OH) \d{1,2} )? )? (?: H \d? )?
         (?: [+-]\d{1,2} | \++ | -+ )? (?: :\d{1,4} )? \]
    | (?P<bond>    -> | <- | [-=#$:/\\] )
    | (?P<ring>    \d | %\d\d )
    | (?P<open>    \( )
    | (?P<close>   \) )
    | (?P<dot>     \. )
    """,
    re.VERBOSE,
)
"""Source: OpenSMILES specification 1.0 (2016), grammar; RDKit's arrows for dative bonds."""


LONGEST = 10_000
"""Characters of a text that stands for a molecule; more than 500 atoms need."""


def recognise(text: str, kind: Kind | None = None) -> Kind:
    """Return how to read a text that stands for a molecule.

    A file that is read for whoever asks, else `scheme://`, `InChI=`, else what is wholly a SMILES,
    else SELFIES, else a name. So `CO` is methanol: carbon monoxide is written by its name or as
    `[C-]#[O+]`; and `[C][C]`, which both can be, is a SMILES.

    Args:
        text: what was given.
        kind: how to read it, if that is known.

    Raises:
        InputError: blank, or with control characters.
        NotFoundError: it looks like a path but no such file exists.
    """
    if not text.strip():
        raise InputError("a molecule was asked for", "the text is empty", "give a file or a name")
    if len(text) > LONGEST:
        raise InputError(
            f"the molecule {text[:40]!r}… was asked for",
            f"it has {len(text):,} characters; {LONGEST:,} are allowed",
            "give a file, or the IRI of a stored structure",
        )
    if any(unicodedata.category(character) == "Cc" for character in text):
        raise InputError(
            f"the molecule {text!r} was asked for", "it has control characters", "leave them out"
        )
    if kind is not None:
        if kind not in get_args(Kind):
            known = ", ".join(get_args(Kind))
            raise InputError(
                f"a molecule given as {kind!r} was asked for",
                "there is no such kind",
                f"choose one of {known}",
            )
        return kind
    path = located(text)
    named = any(one.fullmatch(text.strip()) for one in (FILE, OTHER_FILE))
    looks_like_path = named or "/" in text or "\\" in text
    # A folder that happens to be called `benzene` does not change what benzene is.
    if path is not None and (looks_like_path or path.is_file()):
        return "file"
    choice = CHOICE.fullmatch(text.strip())
    path = located(choice[1]) if choice else None
    if path is not None and path.is_file():
        return "file"
    if any(unicodedata.category(character) == "Cs" for character in text):
        raise InputError(
            f"the molecule {text!r} was asked for", "it has broken characters", "write it in UTF-8"
        )
    plain = text.strip()
    if IRI.match(plain) or SHORT.match(plain):
        return "iri"
    if plain.lower().startswith("inchi="):
        return "inchi"
    if smiles_fault(plain) is None:
        return "smiles"
    if SELFIES.fullmatch(plain) and SELFIES_ONLY.search(plain):
        return "selfies"
    if looks_like_path:
        raise absent(
            f"the molecule in {plain} was asked for",
            "check the path; or say that it is a SMILES or a name",
        )
    return "name"


def smiles_fault(text: str) -> str | None:
    """Return what keeps a text from being a SMILES, None where nothing does.

    This is about the grammar only: whether such a molecule can exist is another question.
    Aromatic atoms without any ring count as a fault, so that `Sn` is not sulfur and nitrogen.
    """
    last, depth, rings, aromatic, closures, position = "start", 0, set[str](), False, 0, 0
    while position < len(text):
        token = TOKEN.match(text, position)
        if token is None or token["symbol"] not in (None, "*", *SYMBOLS[1:]):
            return _unread(text, position)
        kind = token.lastgroup or ""
        if kind in ("aromatic", "small"):
            aromatic, kind = True, "atom"
        elif kind == "symbol":
            kind = "atom"
        elif kind == "ring":
            closures += 1
            rings ^= {token[0].lstrip("%").lstrip("0") or "0"}
        elif kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        if depth < 0:
            return f"the parenthesis at position {position + 1} closes nothing"
        if kind not in ("atom", *FOLLOWERS[last]):
            return f"{token[0]!r} at position {position + 1} cannot stand there"
        last, position = kind, token.end()
    if depth:
        return "a parenthesis is left open"
    if rings:
        return f"the ring bond {min(rings)} is left open"
    if last not in ("atom", "ring", "close"):
        return "it ends without an atom"
    return "aromatic atoms, but no ring" if aromatic and not closures else None


def _unread(text: str, position: int) -> str:
    where = f"at position {position + 1}"
    if bracket := re.match(r"\[[^\]]{0,20}\]", text[position:]):
        return f"{bracket[0]!r} {where} is no atom"
    return f"{text[position]!r} {where} starts no part of a SMILES"


FOLLOWERS = {
    "start": (),
    "atom": ("bond", "ring", "open", "close", "dot"),
    "ring": ("bond", "ring", "open", "close", "dot"),
    "close": ("bond", "open", "close", "dot"),
    "open": ("bond",),
    "bond": ("ring",),
    "dot": (),
}
"""What may follow each part of a SMILES, apart from an atom, which may follow any."""
