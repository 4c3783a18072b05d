"""Plain requests that compute nothing: show, resume, look up, convert."""

from __future__ import annotations

import re
from typing import Any

from .plain_level import solvent_at
from .plain_names import IRI

RESUME = re.compile(
    r"(?i)^(?:please )?(?:resume|continue|go on with|carry on with|finish)\b(?P<rest>.*)$"
)
SHOW = re.compile(
    r"(?i)^(?:please )?(?:show(?: me)?|get|read|open|display|look up|what is|what's|"
    r"describe|print)\s+(?:the )?(?:object |result |run |structure |calculation )?(?P<iri>\S+)$"
)
_DONE = r"(?:stored|known|remembered|saved|there|comput(?:ed|e)|calculat(?:ed|e)|done|run|found)"
_THINGS = r"(?:results|data|energies|molecules|calculations|computations|runs|structures|levels)"
STORED = re.compile(
    r"(?i)^(?:please )?(?:"
    rf"(?:what|which) (?:{_THINGS} )?(?:do|have|did) (?:you|we|i) (?:already |ever )?"
    rf"(?:know|have|remember|{_DONE})"
    rf"|(?:what|which) (?:{_THINGS} )?(?:is|are|was|were|have been|has been) (?:already )?{_DONE}"
    rf"|what(?: is|'s)? in (?:the |your |my |our )?(?:memory|store|data ?base|knowledge graph)"
    r"|(?:find|list|show|search|give)(?: me)?(?: all)?(?: of)?(?: the| my| your| our)? (?:stored |"
    r"earlier |previous |known |existing |old |past |saved |remembered )*"
    rf"(?:{_THINGS}|history|memory))"
    rf"(?: (?:{_DONE}|so far|already|before|until now|you have|we have|in the (?:memory|store)))*"
    r"(?: (?:about|for|of|on|with) (?P<molecule>.{1,200}?))?"
    r"(?: (?:at|with|using) (?P<level>\S{2,60}))?$"
)
SURROUNDINGS = re.compile(r"(?i) in (?:the )?(?=\S)")
CONVERT = re.compile(
    r"(?i)^(?:please )?(?:convert|what (?:is|are)|how much (?:is|are)|how many "
    r"(?P<first>[^\s\d]{1,12}) (?:is|are|in)|express)?\s*"
    r"(?P<value>[-+]?\d{1,15}(?:\.\d{1,15})?(?:e[-+]?\d{1,3})?)"
    r"\s*(?P<source>[^\s\d][^\s]{0,15}(?: per mole| per mol)?)(?:\s+(?:in|to|into|as)"
    r"\s+(?P<target>\S{1,15}(?: per mole| per mol)?))?$"
)
QUANTITIES = {
    "hartree": "hartree",
    "hartrees": "hartree",
    "eh": "hartree",
    "e_h": "hartree",
    "ha": "hartree",
    "a.u.": "hartree",
    "au": "hartree",
    "ev": "eV",
    "mev": "meV",
    "kcal/mol": "kcal/mol",
    "kj/mol": "kJ/mol",
    "kcal": "kcal/mol",
    "j/mol": "J/mol",
    "cm-1": "cm^-1",
    "cm^-1": "cm^-1",
    "1/cm": "cm^-1",
    "wavenumbers": "cm^-1",
    "nm": "nm",
    "k": "K",
    "kelvin": "K",
    "hz": "Hz",
    "ghz": "GHz",
    "thz": "THz",
    "debye": "debye",
    "d": "debye",
    "bohr": "bohr",
    "angstrom": "angstrom",
    "å": "angstrom",
    "angstroms": "angstrom",
    "pm": "pm",
    "joule": "J",
    "j": "J",
    "ry": "rydberg",
    "rydberg": "rydberg",
    "bar": "bar",
    "atm": "atm",
    "pa": "Pa",
    "kpa": "kPa",
    "torr": "torr",
    "°c": "degC",
}
"""Units by the spellings of plain requests; those of kcal alone are taken per mole."""


def _without_solvent(text: str) -> tuple[str, str]:
    """Return a molecule and the solvent that is named behind it, empty for none."""
    for one in SURROUNDINGS.finditer(text):
        named = solvent_at(text, one.end())
        if named and named[1] == len(text):
            return text[: one.start()], named[0]
        if text[one.end() :].lower() in ("gas phase", "vacuum"):
            return text[: one.start()], "the gas phase"
    return text, ""


def other(text: str) -> tuple[str, dict[str, Any], str] | None:
    """Return tool, arguments and how it was understood, where no calculation is asked for."""
    said = text.strip().rstrip("?!. ")
    if found := RESUME.match(said):
        iri = IRI.search(found["rest"])
        return ("resume", {"run": iri[0]}, f"resume the run {iri[0]}") if iri else None
    if (found := SHOW.match(said)) and IRI.fullmatch(found["iri"]):
        return "get", {"iri": found["iri"]}, f"show {found['iri']}"
    if found := STORED.match(said):
        arguments: dict[str, Any] = {}
        how = ""
        if found["molecule"]:
            arguments["molecule"], solvent = _without_solvent(found["molecule"].strip(" \"'"))
            how = f", in {solvent} or elsewhere: the level of theory says where" if solvent else ""
        if found["level"]:
            method, _, basis = found["level"].partition("/")
            arguments |= {"method": method} | ({"basis": basis} if basis else {})
        if re.search(r"[\0-\x1f]", str(arguments)):
            return None
        return (
            "find_results",
            arguments,
            f"look for what is stored of {arguments.get('molecule', 'anything')}{how}",
        )
    if found := CONVERT.match(said):
        source = QUANTITIES.get(found["source"].lower())
        target = QUANTITIES.get((found["target"] or found["first"] or "").lower())
        if source and target:
            one = {"value": float(found["value"]), "from_unit": source, "to_unit": target}
            return (
                "convert_units",
                {"conversions": [one]},
                f"convert {found['value']} {source} to {target}",
            )
    return None
