"""The molecules and reactions that a request names, as structures."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

from ontologies.screening import Materials
from triplestore.errors import InputError
from workflows.controlled.gate import ARROW
from workflows.controlled.naming import Screened, screen
from workflows.controlled.screening import Item
from workflows.engine.request.definition import Given


async def structures(given: Given[Materials], asked: str) -> list[str]:
    """Return the SMILES of each chemical or reaction that is named.

    Raises:
        InputError: a structure is not known, or cannot be read.
    """
    items, online = cast("tuple[Sequence[Item], str]", given.detail)

    def read() -> list[Screened]:
        return [screen(one.text, one.notation, online, one.called) for one in items]

    found = await asyncio.to_thread(read)
    for one in found:
        if not one.structure or one.verdict.unread:
            why = "; ".join(one.verdict.unread.values()) or "its structure is not known here"
            raise InputError(asked, f"{one.given[:80]!r}: {why}", "give a SMILES")
    return [one.structure for one in found]


def is_reaction(smiles: str) -> bool:
    """Tell whether a SMILES is that of a reaction with reactants and products."""
    pieces = [one.strip() for one in ARROW.split(smiles)]
    return len(pieces) == 3 and bool(pieces[0] and pieces[2])
