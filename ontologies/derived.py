"""Numbers that code has made of stored objects."""

from __future__ import annotations

from typing import Annotated

from ogm import GraphModel, Link, Term

from .provenance import PROV, Ended


class Derivation(GraphModel, identity="event"):
    """Code that was run, confined, on stored objects.

    Attributes:
        code: Python.
        used: the objects that it read.
        constants: numbers that are written in it, but small whole ones and exact factors of units;
            what it derived may rest on them.
        ended: when it was run.
    """

    code: str
    used: Annotated[frozenset[Link[GraphModel]], Term(PROV + "used")] = frozenset()
    constants: frozenset[str] = frozenset()
    ended: Ended


class DerivedQuantity(GraphModel, identity="event"):
    """A number that code has made, such as a pKa or the strain of a ring.

    Attributes:
        name: what it is.
        value: in its unit.
        unit: as it was written; empty for none.
        of: what it is a quantity of.
        derivation: the code that made it.
    """

    name: str
    value: float
    unit: str
    of: frozenset[Link[GraphModel]] = frozenset()
    derivation: Link[Derivation]
