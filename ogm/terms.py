"""Words with which a class says what its fields mean: vocabulary, term, unit, motion."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from pyoxigraph import NamedNode

from triplestore.errors import NotFoundError

BASE = "https://w3id.org/grafico/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
XSD = "http://www.w3.org/2001/XMLSchema#"
SCHEMA_VERSION = BASE + "schemaVersion"
CONTENT = BASE + "content"
RESERVED = (RDF_TYPE, SCHEMA_VERSION, CONTENT)
"""Predicates that every object has besides its fields."""
OWN_UNIT = BASE + "unit/"
ORDER_DATATYPE = BASE + "order"
"""Of the literal that lists the values of an ordered field."""

PREFIXES = {
    "g": BASE,
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": XSD,
    "unit": "http://qudt.org/vocab/unit/",
}
"""Prefixes that queries may use without declaring them."""

_PROLOGUE = re.compile(r"(\s*(PREFIX\s+[\w-]*:|BASE)\s*<[^>]*>|\s*#[^\n]*\n)*", re.IGNORECASE)


def with_prefixes(sparql: str) -> str:
    """Return a query with the known prefixes declared that it uses without declaring."""
    declared = _PROLOGUE.match(sparql)
    head = declared[0] if declared else ""
    missing = [
        f"PREFIX {prefix}: <{iri}>"
        for prefix, iri in PREFIXES.items()
        if f"{prefix}:" in sparql
        and re.search(rf"(?<![\w-]){prefix}:", sparql)
        and not re.search(rf"\bPREFIX\s+{prefix}\s*:", head, re.IGNORECASE)
    ]
    return " ".join([*missing, sparql])


@dataclass(frozen=True)
class Vocabulary:
    """A namespace in which classes and fields get their terms."""

    iri: str

    def term(self, name: str) -> str:
        """Return the IRI of a class (`SinglePoint`) or of a field (`wall_time` → `wallTime`)."""
        head, *rest = name.split("_")
        return self.iri + head + "".join(part[:1].upper() + part[1:] for part in rest)


GRAFICO = Vocabulary(BASE)
PROV = Vocabulary(PREFIXES["prov"])


@dataclass(frozen=True)
class Unit:
    """The unit of a field, by its QUDT code (`E_h`, `ANGSTROM`, `DEBYE`, …).

    Attributes:
        code: in QUDT's manner of writing.
        own: QUDT lacks it, and the alignment of our ontology says what it is.
    """

    code: str
    own: bool = False

    @property
    def iri(self) -> str:
        """The unit's IRI."""
        return (OWN_UNIT if self.own else PREFIXES["unit"]) + self.code


@dataclass(frozen=True)
class Term:
    """A property that is not named after the field, such as one of PROV-O."""

    iri: str


Role: TypeAlias = Literal["item", "vector", "point", "fixed", "index"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True)
class PartOf:
    """The object belongs to what this field links to: who exports that takes the object along.

    So a step belongs to its run, an entry to its collection, and what says how a structure came
    about to that structure.

    Attributes:
        owners: class, or mixin, of which what is linked to must be; anything if `object`.
        always: whether it also comes with an owner that is itself there only because a part of it
            was asked for: without its steps a run would look unfinished, without the runs that it
            began it would not.
        alone: whether it can be asked for without the other parts of its owner.
    """

    owners: type = object
    always: bool = True
    alone: bool = False


@dataclass(frozen=True)
class Whose:
    """The field says who a person is, or which machine is theirs; its default says nothing.

    An export without names leaves it out, and an object of which nothing else is left but what it
    is a part of.
    """


@dataclass(frozen=True)
class Moves:
    """How a field follows the motion of a structure, by the role of each axis of its array.

    `item`
        one place for each item of the structure (its atoms): renumbered with them.
    `vector`
        x, y, z of something that has a direction but no place: rotated.
    `point`
        x, y, z of a place: rotated and shifted.
    `fixed`
        the motion does not touch it: modes, steps, lattice vectors.
    `index`
        alone: the values are numbers of items, counted from 0 (an array, a tuple or set, or one).

    So `Moves("item point")` are positions, `Moves("vector")` is a dipole, and
    `Moves("item item vector vector")` second derivatives by two positions. Every array says how
    it moves; other fields without this mark stay as they are.
    """

    kind: str

    def __post_init__(self) -> None:
        unknown = sorted(set(self.roles) - set(ROLES))
        if unknown or not self.roles or ("index" in self.roles and len(self.roles) > 1):
            raise ValueError(
                f"{self.kind!r} is not made of {', '.join(ROLES[:-1])}, nor is it index"
            )

    @property
    def roles(self) -> tuple[str, ...]:
        """The role of each axis."""
        return tuple(self.kind.split())

    @property
    def is_fixed(self) -> bool:
        """Whether no motion changes the field."""
        return set(self.roles) == {"fixed"}


def class_iri(name: str, key: str) -> str:
    """Return the IRI of an instance."""
    return f"{BASE}id/{name}/{key}"


def checked_iri(iri: str) -> str:
    """Return an IRI that can stand in quads and queries.

    Raises:
        NotFoundError: it is none, or holds characters that no IRI may hold.
    """
    try:
        return NamedNode(iri).value
    except ValueError:
        raise NotFoundError(
            f"{iri!r} was asked for",
            "that is not an IRI",
            f"give one as it was printed, such as id/Run/… or {BASE}id/Run/…",
        ) from None


def time_ordered_id() -> str:
    """Return a unique identifier that sorts by time of creation (UUID version 7, RFC 9562).

    The 12 bits after the version hold the fraction of the millisecond (method 3 of section 6.2).
    """
    milliseconds, rest = divmod(time.time_ns(), 1_000_000)
    fraction, random = rest * 4096 // 1_000_000, int.from_bytes(os.urandom(8), "big") >> 2
    value = milliseconds << 80 | 0x7 << 76 | fraction << 64 | 0x2 << 62 | random
    text = f"{value:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def shorten(iri: str) -> str:
    """Return an IRI with its prefix, where it has a known one."""
    for prefix, base in PREFIXES.items():
        if iri.startswith(base):
            return f"{prefix}:{iri[len(base) :]}"
    return iri


def full_iri(iri: str) -> str:
    """Return an IRI from its full or short form (`g:id/…`, `id/…`)."""
    short = iri.removeprefix("g:")
    return BASE + short if short.startswith("id/") else iri
