"""Plain requests about what is stored: runs side by side, and results by their values."""

from __future__ import annotations

import re
from typing import Any

from ontologies.properties import difference, is_known, nearest
from workflows.registry.levels import programs
from workflows.registry.packages import import_classes
from workflows.registry.spoken import words
from workflows.text.words import SPELT

from .calls import ToolCall
from .lexicon import phrases

RUN = r"(?:#\d{1,9}|(?:https?://w3id\.org/grafico/id/|(?:g:)?id/)Run/[\w-]+|last(?:~\d{1,6})?)"
"""What means a run and nothing else."""

BETWEEN = r"(?:,? (?:and|with|to|against|versus|vs)(?: the)?(?: run)? |, ?| )"
COMPARED = re.compile(
    r"(?i)(?:please )?(?:compare|put side by side) (?:(?:the|my|our) )?(?:stored )?(?:"
    rf"(?:last|latest) (?P<count>\d{{1,2}}|{'|'.join(SPELT[2:])}) (?:runs|results|calculations)"
    rf"|(?:runs? )?(?P<names>{RUN}(?:{BETWEEN}{RUN})+)(?: run)?)(?: side by side)?"
)


SHOWN = 3
"""Results that are told where one is asked for that has most: it, and the next."""

EXAMPLE = "which molecules have a dipole above 2 D"
_BOUND = (
    r"(?:<|>|≤|≥|above|below|over|under|between|at least|at most|exceeding|"
    r"(?:larger|greater|bigger|higher|more|smaller|less|lower|fewer) than)"
)
STORED = re.compile(
    r"(?i)(?:please )?(?:(?:(?:which|what)(?: of)?|list|show(?: me)?|find(?: me)?|give me|get|"
    r"(?:are there|do (?:i|we) have)(?: any)?|how many)(?: all)?(?: of)?(?: (?:the|my|our|these))?"
    r"(?: (?:stored|computed|calculated|finished))? )?"
    r"(?:molecules?|compounds?|species|structures?|results?|runs?|calculations?|systems?|entries)"
    r"(?: (?:in|of|from) (?:the|my|our) (?:store|database|graph|results))?,? "
    r"(?:(?:(?:that|which) )?(?:have|has|had|show|shows)|with|having|whose|where|of)"
    r"(?: (?:an?|the|their|its))? (?P<name>[a-z][\w ()°*/-]{1,40}?)(?: (?:is|are|lies|lie))?"
    r"(?: (?:value|values))?(?: of)? ?"
    rf"(?P<bounds>{_BOUND} ?\S.{{0,60}})"
)
_VALUE = r"(?P<{}>[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?: ?[a-zÅ°%][\w/·^-]{{0,12}})?)"
BETWEEN_TWO = re.compile(rf"(?i)between {_VALUE.format('above')} and {_VALUE.format('below')}")
ABOVE = re.compile(
    r"(?i)(?:>=?|≥|above|over|at least|exceeding|(?:larger|greater|bigger|higher|more) than) ?"
    + _VALUE.format("above")
)
BELOW = re.compile(
    r"(?i)(?:<=?|≤|below|under|at most|(?:smaller|less|lower|fewer) than) ?"
    + _VALUE.format("below")
)


_OURS = r"(?: (?:the|my|our|these|all))*"
_WHERE = r" (?:store|database|graph|knowledge graph|results|memory)"
_STORED = (
    r"(?: stored| computed| calculated| finished)? (?:molecules?|compounds?|species|structures?"
    r"|results?|runs?|calculations?|systems?|entries)"
)
_WITHIN = rf"(?: (?:in|of|from){_OURS}{_WHERE})?"
_SAY = (
    r"(?: please)?(?: what (?:is|are)| which| what| (?:list|show|find|give|tell)(?: me)?| get"
    r"| rank| sort| order)?(?: all)?(?: of)?"
)
_DOWN = r"most negative|smallest|lowest|least|minim(?:um|al)|min"
_UP = r"largest|highest|biggest|greatest|maxim(?:um|al)|max|most(?: positive)?"
_MOST = rf" (?:(?P<down>{_DOWN})|(?P<up>{_UP}))"
_COUNT = rf" (?P<count>\d{{1,4}}|{'|'.join(SPELT[2:])})"
_NAME = r" (?P<name>[a-z][\w ()°*/-]{1,40}?)"
_RANKED = (
    r"(?:(?P<rising>,?(?: in| by)? (?:ascending|increasing)(?: order)?|,?(?: from| with the)?"
    r" (?:smallest|lowest)(?: to \w+| first)?)"
    r"|(?P<falling>,?(?: in| by)? (?:descending|decreasing)(?: order)?|,?(?: from| with the)?"
    r" (?:largest|highest|biggest)(?: to \w+| first)?))?"
)
SUPERLATIVES = [
    re.compile("(?i)" + one)
    for one in (
        rf"{_SAY}{_OURS}(?:{_COUNT})?{_STORED}{_WITHIN},?(?:(?: that| which)? (?:has|have|had|"
        rf"shows?)| with| having| whose| of)(?: the| an?| their| its)?{_MOST}{_NAME}{_WITHIN}",
        rf"{_SAY}{_OURS}(?:{_COUNT})?{_MOST}{_NAME}(?: (?:among|of|in|over|across|from)"
        rf"{_OURS}(?:{_STORED}|{_WHERE})| stored| so far)",
        rf"{_SAY}{_OURS}(?: (?P<top>top|first){_COUNT})?{_STORED}{_WITHIN},?"
        rf"(?: sorted| ordered| ranked| sort| order)? by(?: the| their)?(?:{_MOST}| (?P<up2>"
        rf"decreasing|descending)| increasing| ascending)?{_NAME}{_WITHIN}{_RANKED}",
    )
]
"""Stored results in the order of a value: the molecule that has most of it; all, sorted by it."""


_FOUND = r"computed|calculated|run|ran|done|did|made|optimi[sz]ed|obtained|got"
BY_US = re.compile(
    rf"(?i),? (?:(?:that|which) )?(?:(?:I|we)(?:'ve| have)?(?: already)? (?:{_FOUND})\b(?: so far)?"
    rf"|(?:(?:are|were|is|was) )?(?:{_FOUND}) so far)"
)
WHAT_THERE_IS = re.compile(
    rf"(?i)(?:please )?(?:which|what|list|show(?: me)?|find(?: me)?)(?: all)?(?: of)?{_OURS}"
    rf"(?:{_STORED})?(?: (?:did|have|were|are|was) ?(?:I|we)?(?: already)?"
    rf"(?: (?:compute|calculate|run|do|make|{_FOUND}|there))?)?(?: so far)?"
)
AT_LEVEL = re.compile(rf"(?i)(?: (?:{_FOUND}))?,? (?:with|at|using|by|on) (?P<level>[A-Za-z]\S*)")
SHORT = re.compile(rf"(?i)(?:find|list|show) {_NAME.strip()} (?P<bounds>{_BOUND} ?\S.{{0,60}})")


def by_value(text: str) -> ToolCall | tuple[str, ...] | None:
    """Return the call that finds stored results by their values, where that is asked.

    Returns:
        The call; or why it cannot be made, with what can be asked; None where something else is.
    """
    plain, level = _without_level(BY_US.sub("", text))
    if level and WHAT_THERE_IS.fullmatch(plain):
        return ToolCall("find_results", level)
    found = _by_value(plain)
    if isinstance(found, ToolCall):
        return ToolCall(found.name, found.arguments | level)
    return found


def _without_level(text: str) -> tuple[str, dict[str, str]]:
    """Return a sentence without the level that it names, and that as arguments; as it is else."""
    for one in AT_LEVEL.finditer(text):
        method, _, basis = one["level"].rstrip("?.,").partition("/")
        if any(program.recognises(method) for program in programs()):
            behind = text[one.start("level") :].removeprefix(one["level"].rstrip("?.,"))
            said = {"method": method, **({"basis": basis} if basis else {})}
            return text[: one.start()] + behind, said
    return text, {}


def _by_value(text: str) -> ToolCall | tuple[str, ...] | None:
    found = STORED.fullmatch(text) or SHORT.fullmatch(text)
    if found is None:
        return in_order(text)
    bounds = next(
        (one for way in (BETWEEN_TWO, ABOVE, BELOW) if (one := way.fullmatch(found["bounds"]))),
        None,
    )
    if bounds is None:
        return None
    name = _property(found["name"])
    if found.re is SHORT and _unknown(name):
        return None  # a molecule, or words that mean something else
    values = {n: value for n, value in bounds.groupdict().items() if value}
    if between := bounds.groupdict().get("above"):
        unit = re.sub(r"^[-+\d.e]+ ?", "", str(values.get("below", "")))
        if unit and re.fullmatch(r"[-+\d.e]+", between):  # between 1 and 3 D
            values["above"] = f"{between} {unit}"
    return _unknown(name) or ToolCall("find_results", {"property": name, **values})


def in_order(text: str) -> ToolCall | tuple[str, ...] | None:
    """Return the call that puts stored results in the order of a value; else as `by_value`."""
    found = next((one for way in SUPERLATIVES if (one := way.fullmatch(f" {text}"))), None)
    if found is None:
        return None
    said, name = found.groupdict(), _property(found["name"])
    if unknown := _unknown(name):
        return unknown
    most = said["up"] or said["down"]
    if most and _is_total(found["name"]):
        why = f"the {found['name'].lower()} of different molecules cannot be compared"
        return (why, f"list my results sorted by {found['name'].lower()}", EXAMPLE)
    rest = [said.get(one) for one in ("falling", "up2", "top")]
    largest = said["up"] or (any(rest) and not said["down"] and not said.get("rising"))
    asked: dict[str, Any] = {"property": name, "order": "largest" if largest else "smallest"}
    if word := said["count"]:
        asked["most"] = int(word) if word.isdecimal() else SPELT.index(word.lower())
    elif most and "top" not in said:
        asked["most"] = SHOWN
    return ToolCall("find_results", asked)


def _is_total(said: str) -> bool:
    """Return whether a quantity says something about the same atoms only."""
    alone = (one for one in phrases() if one.total and "charge=" not in one.asks)  # no difference
    return any(words(one.phrases).fullmatch(said) for one in alone)


def _property(said: str) -> str:
    import_classes()
    return re.sub(r"[-\s]+", "_", said.strip())


def _unknown(name: str) -> tuple[str, ...]:
    """Return why results have no such number and what can be asked; nothing where they have."""
    if is_known(name) or difference(name):
        return ()
    near = nearest(name)
    known = f"near it are: {', '.join(near)}" if near else "such are dipole, energy, gap"
    called = name.replace("_", " ")
    return (f"no number of stored results is called “{called}”; {known}", EXAMPLE)


def side_by_side(text: str) -> ToolCall | None:
    """Return the call that compares stored runs, where that is what is asked."""
    found = COMPARED.fullmatch(text)
    if found is None:
        return None
    runs = " ".join(re.findall(f"(?i){RUN}", found["names"] or ""))
    if word := found["count"]:
        many = word if word.isdecimal() else SPELT.index(word.lower())
        runs = f"last {many}"
    return ToolCall("run_workflow", {"name": "compare", "subjects": [runs]})
