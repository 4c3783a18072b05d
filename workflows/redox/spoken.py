"""How people ask for a potential: of an equation with electrons, or of what is reduced by one."""

from __future__ import annotations

import re
from dataclasses import replace

from workflows.registry.spoken import Named, Sentence

AGAINST = re.compile(
    r"(?i),? ?\b(?:vs\.?|versus|against|relative to|referenced to) (?:the )?(?P<electrode>ferrocene"
    r"(?:/ferrocenium)?|ferrocenium/ferrocene|Fc\+?(?:/Fc\+?)?|SHE|NHE|SCE)"
    r"(?: couple| electrode| reference)?(?![\w+/])"
)
IONIC = re.compile(r"[+-]\d?\]|(?:ate|ide|ite|ium|ion|yl)$|[.]\w+$")
ELECTRONS = re.compile(r"(?:^|\s)e-(?:\s|$)")


def wholes(at: Sentence) -> None:
    """Take out electrodes; an equation with electrons is a half reaction."""
    before = at.before is not None and at.before.workflow == "redox"
    for one in at.take(AGAINST) if before or re.search("(?i)potential", at.text) else ():
        said = one["electrode"].lower()
        at.ask("electrode", "Fc+/Fc" if said[0] == "f" else "SCE" if said == "sce" else "SHE")
    if any(ELECTRONS.search(one.given) for one in at.subjects):
        at.workflow = "redox"
        at.reads = [one for one in at.reads if one[1] != "react"]


def settle(at: Sentence) -> None:
    """Write the half reaction of a molecule that takes up or gives one electron."""
    before = at.before if not (at.workflow or at.reads) else None
    if "redox" in (at.workflow, before.workflow if before else ""):
        at.subjects = [_half_reaction(at, one) for one in at.subjects]


def _half_reaction(at: Sentence, one: Named) -> Named:
    if "->" in one.given or "→" in one.given:
        return one
    if one.known is None and IONIC.search(one.given):
        return one
    charge = int((one.known or {}).get("charge", 0))
    taken = f"{one.given} + e- -> {one.given}{{{charge - 1:+d}}}"
    given = f"{one.given}{{{charge + 1:+d}}} + e- -> {one.given}"
    said = at.text if at.workflow or at.before is None else at.before.text
    gives = re.search(r"(?i)\boxidation|\boxidi[sz]", said)
    takes = re.search(r"(?i)\breduction|\breduce", said)
    if bool(gives) == bool(takes):
        why = f"a redox potential is that of a half reaction, and {one.given} may take or give"
        at.refuse(
            f"{why} electrons", f"reduction potential of {taken}", f"reduction potential of {given}"
        )
    half = given if gives else taken
    return replace(one, given=half, said=f"{one.given} is read as {half}, with one electron")
