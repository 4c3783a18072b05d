"""Plain requests about what is stored: runs side by side, and results by their values."""

from __future__ import annotations

import re

from ontologies.properties import difference, is_known, nearest
from workflows.registry.packages import import_classes
from workflows.text.words import SPELT

from .calls import ToolCall

RUN = r"(?:#\d{1,9}|(?:https?://w3id\.org/grafico/id/|(?:g:)?id/)Run/[\w-]+|last(?:~\d{1,6})?)"
"""What means a run and nothing else."""

BETWEEN = r"(?:,? (?:and|with|to|against|versus|vs)(?: the)?(?: run)? |, ?| )"
COMPARED = re.compile(
    r"(?i)(?:please )?(?:compare|put side by side) (?:(?:the|my|our) )?(?:stored )?(?:"
    rf"(?:last|latest) (?P<count>\d{{1,2}}|{'|'.join(SPELT[2:])}) (?:runs|results|calculations)"
    rf"|(?:runs? )?(?P<names>{RUN}(?:{BETWEEN}{RUN})+)(?: run)?)(?: side by side)?"
)


EXAMPLE = "which molecules have a dipole above 2 D"
STORED = re.compile(
    r"(?i)(?:please )?(?:(?:which|what)(?: of)?|list|show(?: me)?|find(?: me)?|give me|get|"
    r"(?:are there|do (?:i|we) have)(?: any)?|how many)(?: all)?(?: of)?(?: (?:the|my|our|these))?"
    r"(?: (?:stored|computed|calculated|finished))? "
    r"(?:molecules?|compounds?|species|structures?|results?|runs?|calculations?|systems?|entries)"
    r"(?: (?:in|of|from) (?:the|my|our) (?:store|database|graph|results))?,? "
    r"(?:(?:(?:that|which) )?(?:have|has|had|show|shows)|with|having|whose|where|of)"
    r"(?: (?:an?|the|their|its))? (?P<name>[a-z][\w ()°*/-]{1,40}?)(?: (?:is|are|lies|lie))?"
    r"(?: (?:value|values))?(?: of)? ?"
    r"(?P<bounds>(?:<|>|≤|≥|above|below|over|under|between|at least|at most|exceeding|"
    r"(?:larger|greater|bigger|higher|more|smaller|less|lower|fewer) than) ?\S.{0,60})"
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


def by_value(text: str) -> ToolCall | tuple[str, ...] | None:
    """Return the call that finds stored results by their values, where that is asked.

    Returns:
        The call; or why it cannot be made, with what can be asked; None where something else is.
    """
    found = STORED.fullmatch(text)
    if found is None:
        return None
    bounds = next(
        (one for way in (BETWEEN_TWO, ABOVE, BELOW) if (one := way.fullmatch(found["bounds"]))),
        None,
    )
    if bounds is None:
        return None
    import_classes()
    name = re.sub(r"[-\s]+", "_", found["name"].strip())
    values = {n: value for n, value in bounds.groupdict().items() if value}
    if between := bounds.groupdict().get("above"):
        unit = re.sub(r"^[-+\d.e]+ ?", "", str(values.get("below", "")))
        if unit and re.fullmatch(r"[-+\d.e]+", between):  # between 1 and 3 D
            values["above"] = f"{between} {unit}"
    if not (is_known(name) or difference(name)):
        near = nearest(name)
        known = f"near it are: {', '.join(near)}" if near else "such are dipole, energy, gap"
        return (f"no number of stored results is called “{found['name']}”; {known}", EXAMPLE)
    return ToolCall("find_results", {"property": name, **values})


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
