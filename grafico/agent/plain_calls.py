"""The calls of tools that a plain request comes to, and which molecules its words are about."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .plain_scan import Reading


@dataclass(frozen=True)
class ToolCall:
    """A tool to be called.

    Attributes:
        name: of the tool.
        arguments: by their names.
    """

    name: str
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])


def asked_in(call: ToolCall) -> dict[str, Any]:
    """Return what a call asks of molecules, and of which, whichever the workflow."""
    given = call.arguments
    return (
        {"molecules": given["subjects"], **given["arguments"]} if "subjects" in given else {**given}
    )


def several_spins(at: Reading) -> None:
    """Make calls of several multiplicities of one molecule."""
    spins = [one for one in at.mentions if one.field == "multiplicity"]
    values = list(dict.fromkeys(one.value for one in spins))
    if len(at.molecules) == 1 and len(values) > 1:
        at.vary([{"multiplicity": value} for value in values], "the multiplicity")
        at.mentions = [one for one in at.mentions if one not in spins]


def calls_of(at: Reading) -> tuple[ToolCall, ...]:
    """Return the calls: one of `calculate` for molecules alike, else one for each."""
    own: list[dict[str, Any]] = [{} for _ in at.molecules]
    for mention in at.mentions:
        targets = _meant_by(at, mention.start, mention.end, mention.plural)
        for n in targets:
            one, value = at.molecules[n], mention.value
            if mention.loose and (one.charged or (one.charged is None and _ionic(one.given))):
                if one.charged and (one.charged > 0) != (value > 0):
                    at.refuse(
                        f"{one.given} has the charge {one.charged:+d}, not {value:+d}",
                        "say the charge as a number",
                    )
                at.say(f"the charge of {one.given} is what its name says")
            elif own[n].get(mention.field, value) != value:
                at.refuse(f"two values of the {mention.field} were given", "say it once")
            else:
                own[n][mention.field] = value
    calls: list[ToolCall] = []
    for variant in at.axis or [{}]:
        groups: list[tuple[dict[str, Any], list[str]]] = []
        for one, extra in zip(at.molecules, own, strict=True):
            if groups and groups[-1][0] == extra:
                groups[-1][1].append(one.given)
            else:
                groups.append((extra, [one.given]))
        for extra, given in groups if at.tool == "calculate" else ():
            if clash := set(extra) & set(variant):
                at.refuse(f"the {min(clash)} is said twice", "say it once")
            arguments = {"molecules": list(dict.fromkeys(given)), **extra, **at.fields, **variant}
            calls.append(ToolCall("calculate", {n: v for n, v in arguments.items() if v != ""}))
        for one, extra in zip(at.molecules, own, strict=True) if at.tool != "calculate" else ():
            asked = {n: v for n, v in {**extra, **at.fields, **variant}.items() if v != ""}
            given = {"name": at.tool.replace("_", "-"), "subjects": [one.given], "arguments": asked}
            call = ToolCall("run_workflow", given)
            calls += [call] if call not in calls else []
    return tuple(calls) if at.molecules else ()


def _meant_by(at: Reading, start: int, end: int, plural: bool) -> list[int]:
    """Return which molecules a word about charge or spin is about; all if it touches none.

    What is said with `with` or as a number behind the last of several is about all.
    """
    everything = list(range(len(at.molecules)))
    if len(at.molecules) == 1 or plural:
        return everything
    said = at.text[start:end].lstrip()
    behind = [n for n in everything if at.molecules[n].end <= start]
    ahead = [n for n in everything if end <= at.molecules[n].start]
    numeric = bool(re.match(r"(?i)with|charge|multiplicity|q\b|2\s?\*?s|total|net", said))
    if ahead and re.fullmatch(r"\s*(?:of )?", at.text[end : at.molecules[ahead[0]].start]):
        return ahead[:1]
    if behind and (ahead or not numeric):
        between = at.text[at.molecules[behind[-1]].end : start]
        if re.fullmatch(r"[\s(]*(?:with |radical )?[\s(]*", between):
            return behind[-1:]
        if ahead:
            at.refuse(
                f"it is not clear which molecules “{said.strip()}” is about",
                "write it in brackets behind each",
            )
    return everything


def _ionic(given: str) -> bool:
    """Return whether a name or a SMILES says a charge itself."""
    return bool(re.search(r"[+-]\d?\]|(?:ate|ide|ite|ium|ylium|[a-z]ion|olate)$", given))
