"""The lists of controlled chemicals and of explosives, as they were entered by hand.

They stand in three tables beside this module. Tables that are not those whose digest stands here
are refused, so that nothing is let pass because a line was changed.
"""

from __future__ import annotations

import csv
import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, TypeAlias

from triplestore.errors import ComponentError

Tier: TypeAlias = Literal["stop", "statement", "confirmation", "warning"]
"""What making a substance of a list asks for; a warning asks for nothing."""

TABLES = ("lists.csv", "substances.csv", "families.csv")
DIGEST = "d4b702f642b35744ef272b76e7673c8151e54c0db55870ab679c7f35ec873a24"
"""SHA-256 of the tables, one behind the other."""


@dataclass(frozen=True)
class List:
    """A published list.

    Attributes:
        key: what its entries name it by.
        title: what it is called.
        tier: what making something of it asks for.
        date: since when it stands as it was entered, or when it was entered.
        source: who publishes it.
    """

    key: str
    title: str
    tier: Tier
    date: str
    source: str


@dataclass(frozen=True)
class Substance:
    """A substance that a list names.

    Attributes:
        on: the list.
        entry: where it stands there.
        names: the usual one first.
        cas: registry number.
        smiles: its structure; empty where it has none.
        inchi_key: of that.
        salts: whether its salts count.
    """

    on: List
    entry: str
    names: tuple[str, ...]
    cas: str
    smiles: str
    inchi_key: str
    salts: bool


@dataclass(frozen=True)
class Family:
    """Substances that a list describes.

    Attributes:
        on: the list.
        entry: where it stands there.
        name: how the list describes them.
        smarts: what they have. What else stands at an atom with a number is alkyl of at most so
            many carbon atoms: with 3 no ring, with 10 also cycloalkyl. A carbon atom with a number
            is counted, too; at others there may be hydrogen alone. The largest group at a
            quaternary nitrogen may be any.
        excepted: SMILES of those that the list leaves out.
    """

    on: List
    entry: str
    name: str
    smarts: str
    excepted: tuple[str, ...]


@dataclass(frozen=True)
class Lists:
    """All lists.

    Attributes:
        digest: of their tables.
        lists: by key.
        substances: what they name.
        families: what they describe.
    """

    digest: str
    lists: Mapping[str, List]
    substances: tuple[Substance, ...]
    families: tuple[Family, ...]


@functools.cache
def lists() -> Lists:
    """Return the lists.

    Raises:
        ComponentError: a table is not there, or was changed.
    """
    asked = "the lists of controlled chemicals were asked for"
    advice = "install Grafico again"
    try:
        contents = [(files(__package__ or "") / name).read_bytes() for name in TABLES]
    except OSError as error:
        raise ComponentError(asked, f"they cannot be read: {error}", advice) from error
    digest = hashlib.sha256(b"".join(contents)).hexdigest()
    if digest != DIGEST:
        found = f"they were changed: their digest is {digest[:12]}…, not {DIGEST[:12]}…"
        raise ComponentError(asked, found, advice)
    heads, substances, families = (
        csv.DictReader(content.decode().splitlines()) for content in contents
    )
    by_key = {
        row["list"]: List(row["list"], row["title"], _tier(row["tier"]), row["date"], row["source"])
        for row in heads
    }
    return Lists(
        digest,
        by_key,
        tuple(
            Substance(
                by_key[row["list"]],
                row["entry"],
                tuple(row["names"].split("; ")),
                row["cas"],
                row["smiles"],
                row["inchi_key"],
                row["salts"] == "yes",
            )
            for row in substances
        ),
        tuple(
            Family(
                by_key[row["list"]],
                row["entry"],
                row["name"],
                row["smarts"],
                tuple(row["except"].split()),
            )
            for row in families
        ),
    )


def _tier(text: str) -> Tier:
    tiers: dict[str, Tier] = {
        "stop": "stop",
        "statement": "statement",
        "confirmation": "confirmation",
        "warning": "warning",
    }
    return tiers[text]
