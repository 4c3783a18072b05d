"""How people ask for a transition state: "the transition state near a.xyz along 1-2"."""

from __future__ import annotations

import re

from workflows.registry.spoken import Sentence, words

STATE = r"(?:transition state|transition structure|saddle point)"
BETWEEN = re.compile(rf"(?i)\b{STATE}s? between\b")
NEAR = words("transition state near, transition structure near, saddle point near")
ALONG = re.compile(
    r"(?i)\balong (?:the )?(?:bond |dihedral angle |dihedral |atoms )?"
    r"(?P<atoms>\d{1,4}(?:-\d{1,4}){3}|\d{1,4}-\d{1,4})(?![\w-])"
)


FOUND = re.compile(r"[.]\w|[/:]|^CC?$|[=#\[(@]")
"""What a guess has that is no name: a file, an IRI, a SMILES."""


def settle(at: Sentence) -> None:
    """Refuse molecules by their names: a name has the geometry of a minimum."""
    for one in at.subjects if at.workflow == "transition" else ():
        if not FOUND.search(one.given):
            at.refuse(
                f"{one.given} names a molecule, not a geometry near a transition state",
                "transition state near guess.xyz",
            )


def notations(at: Sentence) -> None:
    """Take out near what it is looked for, and along what; what is between two cannot be read."""
    if not re.search(rf"(?i)\b{STATE}", at.text):
        return
    if at.take(BETWEEN):
        at.refuse(
            "a transition state between two molecules needs both as files whose atoms are numbered "
            "alike: names do not say which atom goes where",
            "grafico transition reactant.xyz --product product.xyz",
        )
    for one in at.take(NEAR):
        at.workflow = "transition"
        at.reads.append((one.start(), "transition"))
    along = [one["atoms"] for one in at.take(ALONG)]
    if along:
        at.ask("along", {"along": along})
