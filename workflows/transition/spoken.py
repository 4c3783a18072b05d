"""How people ask for a transition state: "the transition state near a.xyz along 1-2"."""

from __future__ import annotations

import re
from dataclasses import replace

from workflows.registry.spoken import Sentence, words

STATE = (
    r"(?:transition state|transition structure|saddle point|"
    r"ts(?=s? (?:between|near|for|of|from|search|guess|opt)))"
)
BETWEEN = re.compile(rf"(?i)\b{STATE}s? between\b")
NEAR = words("transition state near, transition structure near, saddle point near")
ALONG = re.compile(
    r"(?i)\balong (?:the )?(?:bond |dihedral angle |dihedral |atoms )?"
    r"(?P<atoms>\d{1,4}(?:-\d{1,4}){3}|\d{1,4}-\d{1,4})(?![\w-])"
)


INVERTED = re.compile(
    r"(?i)(?<!ring )(?<!ring-)\b"
    r"(?:(?:the |a |energy |barrier |height |activation )*(?:to |of |for )(?:the )?)?"
    r"(?:(?:nitrogen|pyramidal|umbrella|phosphorus|N) )?"
    r"inversion(?: (?:barrier|energy|height|transition state|ts))*"
    r"(?: (?:of|for|in))?(?: the)?(?![\w-])"
)
"""A pyramid that turns inside out."""

FILE = re.compile(r"(?i)[.](?:xyz|extxyz|mol|sdf)$|[/:]")

FOUND = re.compile(r"[.]\w|[/:]|^CC?$|[=#\[(@]")
"""What a guess has that is no name: a file, an IRI, a SMILES."""


INVERTS = "inverts"
"""Where it is kept until the molecule is read."""


def wholes(at: Sentence) -> None:
    """Take out that a pyramid turns inside out."""
    if re.search(r"(?i)\b(?:barrier|transition state|ts|energy)\b", at.text):
        for one in at.take(INVERTED):
            at.ask(INVERTS, True)
            at.workflow = "transition"
            at.reads.append((one.start(), "transition"))


def settle(at: Sentence) -> None:
    """Take two files as both ends of a path; refuse names, which have geometries of minima."""
    if at.asked.pop(INVERTS, None):
        at.subjects = [replace(one, given=f"inversion of {one.given}") for one in at.subjects]
        at.asked.pop("upto", None)
        return
    if at.workflow == "transition" and at.asked.get("task") == [{"task": "optimise"}]:
        del at.asked["task"]
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
