"""How people ask a station: "pick up a substrate and move it to the coating stage".

A sentence is about a station where it says what goes where: a vial to the clamp or back to its
rack, a substrate to the coating stage, a film of what a vial holds. What else is said has to be
understood, too: words that are left refuse it, as in any sentence.
"""

from __future__ import annotations

import re

from workflows.registry.spoken import FIGURE, GAP, Sentence, figure

VIALS = {
    "polymer_A": r"PEDOT ?[:/-] ?PSS(?:,? \(?(?:which is |that is )?(?:defined|known|labell?ed) as "
    r"polymer[ _-]?A\)?)?|polymer[ _-]A(?! \w*-)",
    "NaCl": r"NaCl|sodium chloride",
    "carbon_black": r"carbon[ _-]black",
    "water_gap": r"water[ _-]gap",
}
LABELS = {name: re.compile(rf"(?i)(?<![\w-])(?:{text})(?![\w-])") for name, text in VIALS.items()}
_CLAMP = r"\b(?:(?:in)?to|in|at|onto|on) the clamp(?:ing)?(?:[ -](?:holder|stand|station))?\b"
_RACK = r"\b(?:back )?(?:(?:in)?to|in|at) (?:the|its)(?: vial)? rack\b"
_STAGE = (
    r"\b(?:(?:on|in)?to|on|at|onto) the "
    r"(?:(?:blade[ -])?coat(?:ing|er)[ -](?:stage|station)|(?:blade[ -])?coater|blade coating "
    r"stage|stage of the coater)\b"
)
CLAMP, RACK, STAGE = (re.compile(f"(?i){one}") for one in (_CLAMP, _RACK, _STAGE))
VIAL = re.compile(r"(?i)\bvials?\b(?: (?:with|of|containing|that (?:has|holds|contains)|holding))?")
SUBSTRATE = re.compile(
    r"(?i)\b(?:(?:new|fresh|unused|clean|available) )?substrate\b(?: from (?:the|its)"
    r"(?: substrate)? rack\b)?"
)
FILM = re.compile(r"(?i)\b(?:(?:thin|polymer|blade[ -]coated|coated) )*films?\b(?! station)")
SIMULATE = re.compile(
    r"(?i)\b(?:(?:in|as) (?:an? |the )?(?:simulation|dry run)|(?:on|with|by|in) (?:the |a )?"
    r"simulat(?:or|ed (?:film )?station)|simulat(?:e|ed|ion)|dry run)\b"
)
PAPER = re.compile(
    r"(?i)[.;,]? ?(?:and )?\b(?:extract|identify|read|take|get|find|use|using|with) the (?:best|"
    r"optimal|optimum)(?: range of)?(?: the)?(?: film)? ?(?:processing|coating)? ?(?:conditions|"
    r"parameters)(?: as described)? (?:from|in|of)(?: the)?(?: paper| article| manuscript)? "
    r"(?P<paper>\S+\.pdf|the paper)"
)
SAID = re.compile(
    r"(?i)\b(?:(?:execution |python |robot )?(?:code|script|program)|write|mov(?:e|es|ing)|bring|"
    r"put|place|transfer|carry|transport|deliver|grab|fetch|pick(?:ing)?(?: it| one)? up|clamp|"
    r"only|us(?:e|ing)|with|coat(?:ed)?|cast|fabricat(?:e|ing)|robot(?:ic arm)?|arm|station|"
    r"(?:film|robotic|N9) station|gripper)\b"
)
BACK = re.compile(r"(?i)\b(?:return|put|bring|move|place|take)\b")
NUMBERS = {
    "velocity": re.compile(
        rf"(?i)(?:\b(?:at|with)? ?(?:a )?(?:(?:coating |blade )?(?:velocity|speed) (?:of )?)?)?"
        rf"({FIGURE}) ?mm ?(?:/|per) ?s(?:econd)?\b"
    ),
    "temperature": re.compile(
        rf"(?i)(?:\b(?:at|with)? ?(?:a )?(?:(?:coating )?temperature (?:of )?)?)?"
        rf"({FIGURE}) ?(?:°|deg(?:rees)? ?)C(?:elsius)?\b"
    ),
    "dispensed": re.compile(rf"(?i),? ?(?:and )?\bdispens(?:e|ing) ({FIGURE}) ?mL\b"),
    "aspirated": re.compile(
        rf"(?i),? ?(?:and )?\b(?:aspirat(?:e|ing)|draw(?:ing)?) ({FIGURE}) ?mL\b"
    ),
}
ASK = "move the vial with polymer A to the clamp"


def wholes(at: Sentence) -> None:
    """Read what a station is asked for, where that is all that a sentence says."""
    text = at.rest
    named = [name for name, found in LABELS.items() if found.search(text)]
    clamp, rack, stage = CLAMP.search(text), RACK.search(text), STAGE.search(text)
    film = bool(FILM.search(text) and named)
    vial = bool(clamp and (named or VIAL.search(text)))
    back = bool(rack and VIAL.search(text) and BACK.search(text) and (film or not clamp))
    substrate = bool(stage and SUBSTRATE.search(text)) and not film
    if not (film or vial or back or substrate):
        return
    at.workflow = "films"
    moved, coated = vial or back, film or substrate
    used = {
        **dict.fromkeys(LABELS.values(), film or moved),
        CLAMP: film or vial,
        RACK: back,
        STAGE: coated,
        SUBSTRATE: coated,
        VIAL: film or moved,
        FILM: film,
    }
    if len(named) > 1 or (not named and vial):
        why = f"{len(named)} vials are named" if named else "which vial is not said"
        at.refuse(why, ASK)
    if film and vial:
        vial = False  # it is there when the film is made
    if paper := PAPER.search(at.rest):
        at.notes.append(
            f"no paper is read here: {paper['paper']} was not opened; what is not said is as in "
            "the published program"
        )
        at.blank(*paper.span())
        at.text = at.text[: paper.start()] + GAP * len(paper[0]) + at.text[paper.end() :]
    asked = {
        "film": named[0] if film and named else None,
        "vial": named[0] if vial and named else None,
        "substrate": True if substrate else None,
        "returned": True if back else None,
        "simulate": True if SIMULATE.search(at.rest) else None,
    }
    at.take(SIMULATE)
    for one, is_used in used.items():
        for found in at.take(one) if is_used else one.finditer(at.rest):
            if not is_used:
                at.refuse(f"“{found[0].strip()}” does not go with the rest", "ask in turn")
    for name, found in NUMBERS.items() if film else ():
        if values := at.take(found):
            figures = {figure(one[1]) for one in values}
            at.ask(name, float(min(figures)))
            if len(figures) > 1:
                at.refuse(f"several values of the {name} were given", "say it once")
    for one in (SAID, *([BACK] if back else [])):
        at.take(one)
    for name, value in asked.items():
        if value is not None:
            at.ask(name, value)


def settle(at: Sentence) -> None:
    """Refuse what is computed, in a sentence that asks a station for something."""
    if at.workflow == "films" and at.reads:
        at.refuse("a station computes nothing; ask for one of the two", ASK)
