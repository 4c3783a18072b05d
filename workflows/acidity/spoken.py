"""How people ask for a pKa by others: "with acetic acid 4.76 and phenol 9.99 as references"."""

from __future__ import annotations

import re

from workflows.registry.spoken import Sentence, is_name

FIGURE = (
    r"(?: ?[=:]| of| at| is|,| with)? ?\(?(?:pKa ?(?:[=:]|of|is)? ?)?"
    r"(?P<pka>-?\d{1,2}(?:\.\d{1,3})?)\)?"
)
LONE = rf"[A-Za-z0-9\[(][^;:?!]{{0,60}}?{FIGURE.replace('?P<pka>', '?:')}(?![\w.]*\w)"
SEVERAL = rf"{LONE}(?:(?:,? and|,|;) {LONE}){{0,11}}"
AGAINST = "relative to|against|referenced to|calibrated (?:with|by|on|against)"
REFERENCES = re.compile(
    rf",? ?\b(?:with|using|use|taking|take|by|{AGAINST}) "
    rf"(?P<one>{SEVERAL}) (?:as|for|being) (?:an? |the )?(?:references?|calibration)"
    r"(?: (?:acids?|compounds?))?(?!\w)"
    r"|,? ?\b(?:with|using|use|taking|take|by) (?P<three>[A-Za-z][^;:?!,]{0,40}?)"
    rf" as (?:an? |the )?reference(?: acid)?{FIGURE}"
    rf"|,? ?\b(?:{AGAINST}) (?P<four>{SEVERAL})"
    r"|,? ?\b(?:with|using|by|against)? ?(?:an? |the )?ref(?:erence)?s?[.]? ?(?:acids?)?:? ?"
    rf"(?P<two>{SEVERAL})",
    re.IGNORECASE,
)
ONE = re.compile(rf"(?P<name>.+?){FIGURE}")


def wholes(at: Sentence) -> None:
    """Take out acids with their pKa, by which that of another is found."""
    if not re.search(r"(?i)\bpKas?\b|acidity|acidic", at.text):
        return
    for found in list(REFERENCES.finditer(at.rest)):
        acids: list[str] = []
        said = found["one"] or found["two"] or found["four"] or f"{found['three']} {found['pka']}"
        for part in re.split(r",? and |[,;] (?!pKa)", said):
            one = ONE.fullmatch(part.strip())
            if one is None or not is_name(one["name"]):
                break
            acids.append(f"{one['name']}={one['pka']}")
        else:
            at.workflow = "acidity"
            at.ask("reference_acid", acids)
            at.blank(*found.span())
