"""Which crystal people mean by an element: the lattice constant of silicon."""

from __future__ import annotations

import re
from dataclasses import replace

from workflows.registry.spoken import Sentence

ATOM = re.compile(r"\[([A-Z][a-z]?)\]")


def settle(at: Sentence) -> None:
    """Take an element as its crystal, as an atom has no volume."""
    goes_on = not at.reads and "task" not in at.asked  # "and of copper"
    workflow = at.workflow or (at.before.workflow if at.before and goes_on else "")
    if workflow != "equation-of-state":
        return
    for place, one in enumerate(at.subjects):
        said = at.text[one.start : one.end].lower()
        if (found := ATOM.fullmatch(one.given)) and "atom" not in said:
            at.subjects[place] = replace(one, given=f"{found[1]} crystal", said="")
