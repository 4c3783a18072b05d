"""How people ask for a scan: "scan the dihedral 1-2-3-4 of butane from 180 to 60"."""

from __future__ import annotations

import re

from workflows.registry.spoken import Sentence, words

COORDINATE = words(
    r"(?:(?:along|over|around) (?:the )?)?"
    r"(?:(?:relaxed )?(?:scan|rotate|drive|stretch|vary) (?:along |of |over )?(?:the )?)?"
    r"(?:[A-Z][a-z]?-[A-Z][a-z]? )?"
    r"(?P<kind>distance|bond length|bond|angle|dihedral angle|dihedral|torsion angle|torsion)"
    r"(?: scan)?(?: along| between| of| for)?(?: the)?(?: atoms)? "
    r"(?P<atoms>\d{1,4}(?:(?:[-,/]|,? and) ?\d{1,4}| \d{1,4}){1,3})"
)
NUMBER = r"(-?\d{1,3}(?:\.\d{1,6})?)(?: ?(?:°|degrees?|Å|angstroms?))?"
RANGE = re.compile(rf"(?i)\b(?:from|between) {NUMBER} (?:to|and) {NUMBER}(?![\w.])")
POINTS = words(r"(?:in|with|at|using|,) (?P<count>\d{1,4}) (?:points|values)")
STEP = re.compile(rf"(?i)\b(?:(?:in )?steps of|every|by) {NUMBER}(?: steps?)?(?![\w.])")
BOTH = words("in both directions, both ways, there and back, forward and back(?:ward)?")

SCANS = r"(?i)\b(?:scan|rotate|drive|stretch|vary|from|between|every)\b"
TURNS = (
    r"(?i)\b(?:rotation|torsion)(?:al)? (?:barrier|profile|potential)|barrier (?:to|of) rotation"
)
KINDS = {"distance": 2, "angle": 3, "dihedral": 4}


def notations(at: Sentence) -> None:
    """Take out what is scanned, from where to where: before `SCAN` is read as a functional."""
    found = at.take(COORDINATE) if re.search(SCANS, at.text) else []
    if not found and (turned := re.search(TURNS, at.text)):
        at.refuse(
            f"which four atoms the {turned[0].lower()} is about is not said",
            "scan the dihedral 1-2-3-4 of butane from 0 to 180 every 15 degrees",
        )
    if not found:
        return
    at.workflow = "scan"
    at.reads.append((found[0].start(), "scan"))
    for one in found:
        said = one["kind"].lower().split()[0]
        kind = {"bond": "distance", "torsion": "dihedral"}.get(said, said)
        atoms = re.findall(r"\d+", one["atoms"])
        if len(atoms) != KINDS[kind]:
            at.refuse(
                f"the {kind} of {len(atoms)} atoms was named; it has {KINDS[kind]}",
                "scan the dihedral 1-2-3-4 of butane from 180 to 60",
            )
        at.ask("coordinate", " ".join([kind, *atoms]))
    ranges = at.take(RANGE)
    for one in ranges:
        at.ask("start", {"start": float(one[1]), "end": float(one[2])})
    if not ranges:
        at.refuse(
            "a scan needs its first and its last value",
            "scan the dihedral 1-2-3-4 of butane from 180 to 60",
        )
    for one in at.take(POINTS):
        at.ask("points", int(one["count"]))
    for one in at.take(STEP):
        at.ask("step", float(one[1]))
    if at.take(BOTH):
        at.ask("both_ways", True)
