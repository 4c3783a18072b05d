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


FILE = re.compile(r"(?i)[.](?:xyz|extxyz|mol|sdf)$|[/:]")

FOUND = re.compile(r"[.]\w|[/:]|^CC?$|[=#\[(@]")
"""What a guess has that is no name: a file, an IRI, a SMILES."""


def settle(at: Sentence) -> None:
    """Take two files as both ends of a path; refuse names, which have geometries of minima."""
    ends = [one.given for one in at.subjects if FILE.search(one.given)]
    files = len(ends) == len(at.subjects)
    sought = "upto" in at.asked or at.workflow == "transition"
    if sought and files and len(ends) == 2 and not NEAR.search(at.text):
        at.workflow = "transition"
        at.ask("product", {"product": at.subjects.pop().given})
    elif "upto" in at.asked and files and ends and not at.workflow:
        at.workflow = "transition"
    elif at.workflow == "transition" and BETWEEN.search(at.text):
        at.refuse(
            "a transition state between two molecules needs both as files whose atoms are numbered "
            "alike: names do not say which atom goes where",
            "grafico transition reactant.xyz --product product.xyz",
        )
    elif at.workflow == "reaction" and at.asked.pop("upto", None):
        at.refuse(
            "a barrier needs geometries, of both ends with their atoms numbered alike, or one near "
            "the transition state: an equation does not say which atom goes where",
            "grafico transition reactant.xyz --product product.xyz",
            "transition state near guess.xyz",
        )
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
    for one in (*at.take(BETWEEN), *at.take(NEAR)):
        at.workflow = "transition"
        at.reads.append((one.start(), "transition"))
    along = [one["atoms"] for one in at.take(ALONG)]
    if along:
        at.ask("along", {"along": along})
