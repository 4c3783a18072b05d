"""How people ask for a potential: of an equation with electrons, or of what is reduced by one."""

from __future__ import annotations

import re
from dataclasses import replace

from workflows.registry.spoken import Named, Sentence

ELECTRONS = re.compile(r"(?:^|\s)e-(?:\s|$)")


def wholes(at: Sentence) -> None:
    """An equation with electrons is a half reaction."""
    if any(ELECTRONS.search(one.given) for one in at.subjects):
        at.workflow = "redox"
        at.reads = [one for one in at.reads if one[1] != "react"]


def settle(at: Sentence) -> None:
    """Write the half reaction of a molecule that takes up or gives one electron."""
    if at.workflow == "redox":
        at.subjects = [_half_reaction(at, one) for one in at.subjects]


def _half_reaction(at: Sentence, one: Named) -> Named:
    if "->" in one.given or one.known is None:
        return one
    charge = int(one.known.get("charge", 0))
    taken = f"{one.given} + e- -> {one.given}{{{charge - 1:+d}}}"
    given = f"{one.given}{{{charge + 1:+d}}} + e- -> {one.given}"
    gives = re.search(r"(?i)\boxidation|\boxidi[sz]", at.text)
    takes = re.search(r"(?i)\breduction|\breduce", at.text)
    if bool(gives) == bool(takes):
        why = f"a redox potential is that of a half reaction, and {one.given} may take or give"
        at.refuse(
            f"{why} electrons", f"reduction potential of {taken}", f"reduction potential of {given}"
        )
    half = given if gives else taken
    return replace(one, given=half, said=f"{one.given} is read as {half}, with one electron")
