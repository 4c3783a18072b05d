"""How people ask for a scan: "scan the dihedral 1-2-3-4 of butane from 180 to 60"."""

from __future__ import annotations

import re

from workflows.molecule.formulas import composition
from workflows.molecule.table import index, key
from workflows.registry.spoken import Sentence, words

from .elements import read_named

COORDINATE = words(
    r"(?:(?:along|over|around) (?:the )?)?"
    r"(?:(?:relaxed )?(?:scan|rotate|drive|stretch|vary) (?:along |of |over )?(?:the )?)?"
    r"(?:[A-Z][a-z]?-[A-Z][a-z]? )?"
    r"(?P<kind>distance|bond length|bond|angle|dihedral angle|dihedral|torsion angle|torsion)"
    r"(?: scan)?(?: along| between| of| for)?(?: the)?(?: atoms)? "
    r"(?P<atoms>\d{1,4}(?:(?:[-,/]|,? and) ?\d{1,4}| \d{1,4}){1,3})"
)
_KIND = "distance|bond length|bond angle|bond|angle|dihedral angle|dihedral|torsion angle|torsion"
_ELEMENTS = r"[A-Z][a-z]?(?:[-=][A-Z][a-z]?){1,3}"
BY_ELEMENTS = re.compile(
    r"\b(?:(?:[Aa]bout|[Aa]round|[Aa]long|[Oo]ver|[Oo]f) )?(?:the )?"
    r"(?P<central>central |(?:inter-?|ring-)ring )?"
    rf"(?:(?P<ahead>{_ELEMENTS}) (?P<kind>{_KIND})|(?P<other>{_KIND}) (?P<behind>{_ELEMENTS})"
    r"|(?:central|(?:inter-?|ring-)ring) bond"
    r"|(?P<turned>(?:inter-?|ring-)ring) (?:dihedral|torsion)(?: angle)?"
    r"|(?P<chain>\b[A-Z][a-z]?(?:-[A-Z][a-z]?){3}))"
    r"(?! ?\d)(?![\w-])"
)
"""A coordinate that is named by the elements of its atoms."""
VERB = re.compile(
    r"(?i)\b(?:relaxed |torsion(?:al)? |dihedral )*(?:scan|scanning|rotat(?:e|ing)|"
    r"driv(?:e|ing)|vary(?:ing)?|turn(?:ing)?)\b"
    r"(?= ?\0| (?:of|along|the|about|around)\b)"
)

NUMBER = r"(-?\d{1,3}(?:\.\d{1,6})?)(?: ?(?:°|degrees?|Å|angstroms?))?"
RANGE = re.compile(rf"(?i)\b(?:(?:from|between) )?{NUMBER} (?:to|and) {NUMBER}(?!\w|\.\d)")
OVER = re.compile(rf"(?i)\b(?:over|through)(?: a range of)? {NUMBER}(?!\w|\.\d)")
POINTS = words(
    r"(?:in|with|at|using|,)? ?(?P<count>\d{1,4}) (?:points|values|geometries|structures)"
)
STEPS = words(
    r"(?:in|with|using|,)? ?(?P<count>\d{1,4}) (?:equal |even )?(?:steps|increments|intervals)"
)
"""Of n steps are n + 1 points, as in other programs."""
STEP = re.compile(
    rf"(?i)\b(?:(?:in )?steps of|every|by) {NUMBER}(?: steps?)?(?!\w|\.\d)"
    rf"|,? (?:with )?(?:an? )?(?:step|increment|spacing)(?: size)?(?: of)? {NUMBER}(?!\w|\.\d)"
    r"|,? (?:in |with )?(\d{1,3}(?:\.\d+)?)(?: ?°|[ -]degrees?| ?Å|[ -]angstroms?)"
    r" (?:steps|increments)"
)
BOTH = words("in both directions, both ways, there and back, forward and back(?:ward)?")

SCANS = r"(?i)\b(?:scan|pes|profile|curve|rotate|drive|stretch|vary|from|between|every)\b"
TURNS = (
    r"(?i)\b(?:rotation|torsion)(?:al)? (?:energy )?(?:barrier|profile|potential|scan|curve)|"
    r"barrier (?:height )?(?:to|of|for) (?:internal )?rotation|"
    r"\b(?:profile|curve) (?:for|of|along|about) the [\w-]{1,30} (?:dihedral|torsion)|"
    r"\brotat(?:ing|ion) (?:about|around|of) the\b|"
    r"\brotating the (?:central|[A-Z])"
)
CURVE = re.compile(
    r"(?i)\b(?:(?:relaxed )?(?:pes|potential energy(?: surface)?|dissociation|binding|bond)"
    r"(?: energy)? (?:scan|curve|profile)|potential energy surface|pes)"
    r"(?: of| for| along)?(?: the)?\b"
)
"""What is drawn of two atoms, whose distance needs no naming."""
BETWEEN_TWO = "distance 1 2"

ASK = "scan the dihedral 1-2-3-4 of butane from 180 to 60"
KINDS = {"distance": 2, "angle": 3, "dihedral": 4}


def wholes(at: Sentence) -> None:
    """Take out a coordinate that is named by elements: `C=O` is no molecule there."""
    turns = re.search(TURNS, at.text)
    drives = re.search(r"(?i)\b(?:scan|rotate|drive|vary|turn)\b|\brotating\b", at.text)
    if (not turns and not drives) or COORDINATE.search(at.rest):
        return
    if (named := at.take(BY_ELEMENTS)) or turns:
        at.take(VERB)
    for one in named:
        kind = (one["kind"] or one["other"] or "bond").split()[-1]
        elements = re.findall("[A-Z][a-z]?", one["ahead"] or one["behind"] or one["chain"] or "")
        central = one["central"] or not elements
        said = {"length": "distance", "torsion": "dihedral"}.get(kind, kind)
        if "angle" in one[0] and kind == "angle" and ("dihedral" in one[0] or "torsion" in one[0]):
            said = "dihedral"
        if one["chain"] or one["turned"]:
            said = "dihedral"
        if said == "bond":
            rotates = turns or re.search("(?i)rotat|turn", at.text)
            said = "dihedral" if rotates or central else "distance"
        asked = " ".join([said, *(["-".join(elements)] if elements and not central else [])])
        if read_named(asked) is None:
            at.refuse(f"the {said} of {len(elements)} atoms was named; it has {KINDS[said]}", ASK)
        at.ask("coordinate", asked)
    if turns and not named:
        at.ask("coordinate", "dihedral")


def notations(at: Sentence) -> None:
    """Take out what is scanned, from where to where: before `SCAN` is read as a functional."""
    found = at.take(COORDINATE) if re.search(SCANS, at.text) else []
    new = bool(found) or "coordinate" in at.asked
    curve = CURVE.search(at.rest) if RANGE.search(at.text) else None
    if not new and not curve and (at.before is None or at.before.workflow != "scan"):
        return
    if new:
        at.workflow = "scan"
        at.reads.append((found[0].start() if found else 0, "scan"))
    for one in found:
        said = one["kind"].lower().split()[0]
        kind = {"bond": "distance", "torsion": "dihedral"}.get(said, said)
        atoms = re.findall(r"\d+", one["atoms"])
        if len(atoms) != KINDS[kind]:
            at.refuse(
                f"the {kind} of {len(atoms)} atoms was named; it has {KINDS[kind]}",
                ASK,
            )
        at.ask("coordinate", " ".join([kind, *atoms]))
    if not new and (curve := at.take(CURVE)):
        new = True
        at.ask("coordinate", BETWEEN_TWO)
        at.workflow = "scan"
        at.reads.append((curve[0].start(), "scan"))
    ranges = at.take(RANGE)
    for one in ranges:
        at.ask("start", {"start": float(one[1]), "end": float(one[2])})
    for one in at.take(OVER) if new and not ranges else ():
        at.ask("start", {"start": 0.0, "end": float(one[1])})
        ranges = [one]
    said = str(at.asked["coordinate"][0]["coordinate"]) if new else ""
    if not ranges and said.startswith("dihedral"):
        at.ask("start", {"start": -180.0, "end": 180.0})  # a full turn
    elif not ranges and new:
        at.refuse("a scan needs its first and its last value", ASK)
    for one in at.take(POINTS):
        at.ask("points", int(one["count"]))
    for one in at.take(STEPS):
        at.ask("points", int(one["count"]) + 1)
    for one in at.take(STEP):
        at.ask("step", float(one[1] or one[2] or one[3]))
    if at.take(BOTH):
        at.ask("both_ways", True)


def settle(at: Sentence) -> None:
    """A scan drives something; a curve is that of two atoms."""
    if at.workflow == "scan" and at.asked.get("coordinate") == [{"coordinate": BETWEEN_TWO}]:
        for one in at.subjects if CURVE.search(at.text) else ():
            entry = index().get(key(one.given))
            if entry and sum(composition(entry.formula)[0].values()) != 2:
                at.refuse(f"it is not said what is driven in {one.given}", ASK)
    if at.workflow == "scan" and "coordinate" not in at.asked and at.before is None:
        at.refuse("it is not said what is driven", ASK)
