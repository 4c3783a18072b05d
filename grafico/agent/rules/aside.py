"""Clauses of purpose and circumstance, which say nothing about what is computed.

All their words stand in the lists of this module, and no word of chemistry does: a clause that
holds a solvent, a charge, a negation or a number is none of them, and so is one about the molecule.
"""

from __future__ import annotations

import re

from workflows.text.words import SPELT

_PEOPLE = (
    "supervisor boss student referee reviewer colleague collaborator professor teacher customer "
    "client editor examiner committee advisor adviser coworker postdoc friend audience"
)
_OCCASIONS = (
    "thesis theses dissertation paper manuscript article talk lecture slide presentation poster "
    "meeting seminar report class course exam homework exercise proposal review conference "
    "workshop tutorial deadline defence defense viva textbook SI notes notebook project "
    "submission experiment measurement practical teaching"
)
_OTHERS = "data literature results answer question idea numbers values"
_MODIFIERS = (
    "new next upcoming current quick short small group lab department departmental PhD "
    "undergraduate graduate bachelor master's weekly monthly annual final internal own supporting "
    "experimental measured research conference lecture grant"
)
_VERBS = (
    "can could would will shall should must may might have has had am is are was were be been "
    "need needs needed want wants wanted like likes wish hope hoped plan plans planned planning "
    "decide decided deciding discuss discussed discussing ask asks asked asking told tell request "
    "requested insist insists insisted know understand learn teach teaching explain explaining "
    "show showing present presenting prepare preparing write writing finish finishing complete "
    "submit submitting publish publishing report reporting include put use give giving send "
    "answer reply check verify confirm agreed agree mentioned mention said say promised curious "
    "interested go going get see start design measure work working read help"
)
_SMALL = (
    "it this that them the a an my our your his her me us you to for of on in at with about and"
)

PEOPLE = rf"(?:{_PEOPLE.replace(' ', '|')})s?"
OCCASION = rf"(?:{_OCCASIONS.replace(' ', '|')}|supporting information|group)s?"
OWN = r"(?:my|our|your|his|her)"
DETERMINED = rf"(?:{OWN}|the|this|an?|some)"
MODIFIERS = rf"(?:(?:{_MODIFIERS.replace(' ', '|')}) )"
WHEN = (
    r"(?: (?:tomorrow|tonight|soon|next (?:week|month)|this (?:morning|afternoon|evening)|"
    r"(?:on |next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day))"
)
EVENT = (
    rf"(?:(?:{DETERMINED} )?{MODIFIERS}{{0,3}}(?!group(?! meeting| seminar)){OCCASION}"
    rf"(?: {OCCASION})?|{OWN} (?:research )?group(?: {OCCASION})?|"
    rf"(?:{DETERMINED} )?{MODIFIERS}{{0,2}}{PEOPLE})"
)
_PERSON = rf"(?:(?:{OWN}|the|an?) {MODIFIERS}{{0,2}}{PEOPLE}|(?:all )?of us|I|we|you|he|she)"
_CLOSED = "|".join(sorted(f"{_VERBS} {_OTHERS} {_SMALL}".split(), key=len, reverse=True))
WORD = rf"(?:{_CLOSED}|{MODIFIERS[3:-2]}|{PEOPLE}|{OCCASION}|tomorrow|tonight|soon)"
PLAIN = rf" {WORD}(?![\w'-])"
AGAINST = (
    rf"compare (?:(?:it|this|them) )?(?:with|to|against) (?:{OWN}|the) {MODIFIERS}{{0,2}}"
    rf"(?:{OCCASION}|data|literature|results|values|numbers)"
)
TRUE_END = (
    r"(?= ?(?:[,;:!?)]|\.(?!\w)|$))(?! ?[,;:(] ?(?:of|on|about|with|but|not|no|that|which|who)\b)"
)
ASKING = (
    r"(?= (?:at|using|I|we|please|can|could|would|what|which|how|compute|calculate|find|give|show|"
    r"run|optimi[sz]e|determine|predict|estimate|tell)\b)"
)
_START = r"(?:(?<=^)|(?<=[.!?;:,] )|(?<=\())"

CLAUSES = tuple(
    re.compile(rf"(?i){one}")
    for one in (
        # because my supervisor asked; so that I can show it to students; as we discussed
        r"(?<![\w-])(?:because|since|as|so(?: that)?|given that|in order that) "
        rf"{_PERSON}(?:'d|'m|'ve|'ll|'re)?(?: {AGAINST}|{PLAIN}){{1,12}}{WHEN}?{TRUE_END}",
        # I am writing a paper and need …; it is for my thesis
        rf"{_START}{_PERSON}(?:'d|'m|'ve|'re)? ?(?<=[ ])?(?:am |are |is )?(?:writing|preparing|"
        rf"teaching|giving|finishing|working on|planning)(?: {EVENT}){WHEN}?"
        rf"(?:{TRUE_END}| and(?= (?:I |we )?(?:need|want|would like)\b))",
        rf"{_START}(?:it|this|that)(?: is|'s| was) (?:only |just |all )?(?:for |part of )?{EVENT}"
        rf"{WHEN}?{TRUE_END}",
        rf"{_START}(?:it|this|that)(?: is|'s) (?:only|just) an? (?:quick )?(?:test|check|try)"
        rf"{TRUE_END}",
        rf"{_START}(?:I|we) (?:need|want|would like) (?:it|this|that|them) (?:for|before|by) "
        rf"(?:{EVENT}{WHEN}?|{WHEN[4:-1]}){TRUE_END}",
        # my boss wants to know
        rf"{_START}(?!I\b|we\b|you\b){_PERSON} (?:(?:wants|needs|would like)(?: to (?:know|see))?|"
        r"(?:want|need|ask|asked|asks|is asking|are asking)(?: (?:me|us))?(?: for| about)|"
        r"(?:wants|asked|told|asks) (?:me|us) to)(?= )",
        # for a lecture slide tomorrow; before the group meeting
        r"(?<![\w-])(?:(?:needed |wanted )?for(?: use in)?|(?:in time|needed) (?:for|before)|"
        rf"before|ahead of|as part of|to be (?:used|shown|included) in) {EVENT}"
        rf"(?: (?:and|or) {EVENT})?{WHEN}?(?:{TRUE_END}|{ASKING})",
        # to check an assignment; to compare it with my data
        rf"(?<![\w-])(?:in order )?to (?:plan|prepare|design|finish|write|show|check|verify|"
        rf"support|include in|put in|use in|show in) (?:{EVENT}|an? assignment|{OWN} assignment)"
        rf"{WHEN}?{TRUE_END}",
        rf"(?<![\w-])(?:in order )?to {AGAINST}{TRUE_END}",
        # any decent method will do; a rough number is enough; as soon as you can
        rf"{_START}any (?:decent|reasonable|sensible|suitable|standard) (?:method|level|functional|"
        rf"basis set)(?: of theory)? (?:will do|is (?:fine|ok|okay|enough|good enough)){TRUE_END}",
        rf"(?<![\w-])as (?:quickly|soon|fast) as (?:you can|possible){TRUE_END}",
    )
)
"""What is set aside."""
ROUGH = re.compile(
    r"(?i)^((?:an? )?(?:rough|quick|approximate) [^.?!]*?) (?:is|will be|would be) "
    r"(?:sufficient|enough)(?=[.! ]*$)"
)

_LIKE = re.compile(
    r"(?i)\b(?:level|method|functional|basis(?: set)?|settings|conditions)(?: of theory)? "
    rf"(?:as )?(?:of|from|in) (?:{OWN}|this|that|the) {MODIFIERS}{{0,2}}(?:{OCCASION}|{PEOPLE})\b"
)
_TOPIC = re.compile(rf"(?i)\b{OCCASION},? (?:on|about) (?:the )?$")


def elsewhere(text: str, subjects: list[int]) -> str:
    """Return what is as in a thesis or a paper, or what a lecture is about: a subject beside one.

    Args:
        text: the request.
        subjects: where its subjects start.
    """
    if found := _LIKE.search(text):
        return found[0]
    topics = (_TOPIC.search(text[:start]) for start in subjects if len(subjects) > 1)
    return next((one[0].strip() for one in topics if one), "")


_MORE = "eleven twelve fifteen twenty thirty forty fifty sixty ninety"
_VALUES = (11, 12, 15, 20, 30, 40, 50, 60, 90)
SPELT_OUT = {
    **{n: i for i, n in enumerate(SPELT) if n},
    **dict(zip(_MORE.split(), _VALUES, strict=True)),
}
COUNTED = re.compile(
    rf"(?i)(?<![\w-])(?<!hundred )(?<!thousand )({'|'.join(SPELT_OUT)})(?=(?: |-)(?:K|kelvin|bar|"
    r"atm|eV|kcal/mol|kJ/mol|degrees?|states|roots|points|"
    r"(?:lowest|singlet|triplet) states)(?![\w/-]))"
)
"""Number words before a unit or what is counted."""


def in_figures(text: str) -> str:
    """Return a text with figures for number words that stand before a unit or a counted noun."""
    return COUNTED.sub(lambda one: str(SPELT_OUT[one[1].lower()]), text)


def set_aside(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text without its clauses of purpose and circumstance, and those clauses."""
    aside: list[str] = []

    def left_out(found: re.Match[str]) -> str:
        aside.append(found[0].strip())
        return ""

    for clause in CLAUSES:
        text = clause.sub(left_out, text)
    if rough := ROUGH.match(text):
        aside.append(text[rough.end(1) : rough.end()].strip())
        text = rough[1]
    rest = (
        re.sub(r"(?:[ ,;:]*(?=[,;:])|^[ ,;:.]+)", "", re.sub(r"\( ?\)", "", text))
        if aside
        else text
    )
    rest = re.sub(r" {2,}", " ", rest)
    return re.sub(r" +(?=[,.;:?!])|[ ,;:]+(?=[.?!]*$)", "", rest).strip(), tuple(aside)
