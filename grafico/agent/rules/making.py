"""What a sentence that was read comes to: calls of tools, one of subjects alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from itertools import groupby, islice, product
from typing import Any

from triplestore.errors import ComponentError, GraficoError
from workflows.engine.request.refusals import refuse_unknown
from workflows.engine.request.request import Request
from workflows.registry import Workflow, workflows
from workflows.registry.outside import has_own_zero, own_zero
from workflows.registry.spoken import Sentence
from workflows.text.words import listed

from .calls import ToolCall, commands

AND_ITS = re.compile(r"(?i)\w.*\b(?:and|or|versus|vs\.?) (?:its |the )?(?:radical )?$")

NARROWING = ("method", "basis", "solvent")
"""What is said of a level where stored results are listed."""

MOST = 50
"""Subjects of a request."""


def usable(some: Iterable[Workflow]) -> list[Workflow]:
    """Return the workflows that can be imported."""
    found: list[Workflow] = []
    for one in some:
        with suppress(ComponentError):
            found += [one] if one.whole else []
    return found


def gather(at: Sentence, reads: Sequence[str]) -> None:
    """Let several values of what is said of one subject be compared, or be computed in turn."""
    its = [one for one in at.mentions if re.search(r"(?i)\bits $", at.text[: one[0]])]
    alone = len({one.given for one in at.subjects}) == 1
    if its and not alone:
        at.refuse(f"of which “{at.text[its[0][0] : its[0][1]]}” is meant is not clear")
    for name in {one[2]: None for one in at.mentions if alone}:
        values = list(dict.fromkeys(one[3] for one in at.mentions if one[2] == name))
        many = re.sub("y$", "ie", name) + "s"
        if len(values) < 2:
            first = at.mentions[0]
            if len(at.mentions) == 1 and AND_ITS.search(
                at.text[: first[0]]
            ):  # benzene and its cation
                at.ask(name, {})
                at.ask(name, values[0])
                at.mentions.clear()
            continue
        said = [at.text[one[0] : one[1]] for one in at.mentions if one[2] == name]
        if len({bool(re.search(r"\d", one)) for one in said}) > 1:  # a singlet, multiplicity 3
            at.refuse(f"{listed([f'“{one}”' for one in said])} do not agree", "say it once")
        between = at.text[at.mentions[0][1] : at.mentions[-1][0]]
        if "compare" not in reads and not re.search(r"\b(?:and|or|to)\b|/", between):
            at.refuse(f"several values of the {name} were given", "say it once")
        if (own := at.subjects[0].known) and own.get(name):
            at.refuse(f"{at.subjects[0].given} has the {name} {own[name]:+d} by its name")
        if "compare" in reads and {*reads} <= {"energy", "compare"} and not at.workflow:
            at.workflow = next(
                (n.name for n in usable(workflows().values()) if many in n.whole.arguments), ""
            )
        if at.workflow and many in workflows()[at.workflow].whole.arguments:
            at.ask(many, sorted(values))
        else:
            for value in values:
                at.ask(name, value)
        at.mentions = [one for one in at.mentions if one[2] != name]


def calls_of(
    at: Sentence, reads: Sequence[str], compare: bool, defaults: Mapping[str, Any]
) -> tuple[ToolCall, ...]:
    """Return the calls: one of the usual tool for subjects alike, else one for each."""
    several = [one for name, one in at.asked.items() if len(one) > 1 and name not in at.kinds]
    if len(several) > 1 or len(at.subjects) > MOST or any(len(one) > 12 for one in several):
        at.refuse("too much was asked for at once", "ask for one thing after the other")
    variants = [
        {name: value for fields in chosen for name, value in fields.items() if value != ""}
        for chosen in islice(product(*at.asked.values()), 12)
    ]
    workflow = workflows()[at.workflow] if at.workflow else workflows().usual
    noun = workflow.whole.subject.name
    if at.source:
        return _batch(at, workflow, variants, defaults)
    if "find_results" in reads:
        conditions = variants[0] | dict[str, Any]((noun, one.given) for one in at.subjects)
        more = len(at.subjects) > 1 or several or at.mentions or len(reads) > 1
        taken = {noun, *NARROWING} if all(conditions.values()) else {noun}
        if more or {*conditions} - taken:
            at.refuse("only all that is stored of one molecule can be listed", "list my results")
        return (ToolCall("find_results", conditions),)
    if workflow.whole.subject.metavar and not at.subjects:
        at.refuse(f"no {noun} is named, here or before")
    if compare and len(at.subjects) * len(variants) < 2 and not at.workflow:
        at.refuse("one thing cannot be compared", f"name two {noun}s, levels or solvents")
    methods = [str(one.get("method") or defaults.get("method") or "") for one in variants]
    if at.outside and (wrong := next((one for one in methods if has_own_zero(one)), "")):
        named = at.text if wrong in at.text else f"{at.text} with {wrong}"
        at.refuse(own_zero(wrong, at.outside), named.replace(wrong, "B3LYP/def2-SVP"))
    each: list[tuple[dict[str, Any], int, str]] = [
        (own, n * bool(at.workflow), at.subjects[n].given) for n, own in enumerate(_own(at))
    ]
    if not workflow.whole.subject.metavar:  # it is chosen by options alone
        each = [({}, 0, "")]
        if at.subjects:
            at.refuse(f"{workflow.command} is not about {at.subjects[0].given}", "leave that out")
    calls: list[ToolCall] = []
    for fields, ((own, _), some) in product(
        variants, [(key, [*some]) for key, some in groupby(each, lambda one: one[:2])]
    ):
        asked, given = own | fields, list(dict.fromkeys(one[2] for one in some if one[2]))
        if strange := [n for n in asked if n not in workflow.whole.arguments]:
            said = listed([f"{n.replace('_', ' ')} {asked[n]}" for n in strange])
            takers = [
                one.command
                for one in usable(workflows().values())
                if all(name in one.whole.arguments for name in strange)
            ]
            told = f"that is asked of {listed(takers)}; " if 0 < len(takers) <= 2 else ""
            at.refuse(
                f"{workflow.command} takes no {said}: {told}leave it out, or ask for it by itself",
                *(f"grafico {one} --help" for one in takers[:2] if told),
            )
            continue
        try:
            request = Request.of(workflow, given, asked, defaults)
        except GraficoError as error:
            at.refuse(str(error))
            continue
        call = ToolCall("calculate", {f"{noun}s": given, **asked}, request)
        if at.workflow:
            said = {"name": workflow.command, "subjects": given, "arguments": asked}
            call = ToolCall("run_workflow", said, request)
        calls += [call] if call not in calls else []
    if not calls:
        at.refuse(
            f"{workflow.command} is about no {noun}: a plain request cannot say it",
            f"grafico {workflow.command} --help",
        )
    return tuple(calls)


def _batch(
    at: Sentence,
    workflow: Workflow,
    variants: Sequence[Mapping[str, Any]],
    defaults: Mapping[str, Any],
) -> tuple[ToolCall, ...]:
    """Return the call that asks the same of each entry of a file."""
    if len(variants) > 1 or len(at.subjects) > 1 or "compare" in {name for _, name in at.reads}:
        at.refuse("of a file one thing is asked at a time", f"energy of all in {at.source}")
    asked = {**variants[0], **{name: value for _, _, name, value, _ in at.mentions}}
    every = {"each": workflow.command, "arguments": asked}
    try:
        refuse_unknown(workflow.whole.arguments, asked)
        Request.of(workflow, (), asked, defaults)
        request = Request.of(workflows()["batch"], (at.source,), every, defaults)
    except GraficoError as error:
        at.refuse(str(error))
        return ()
    said = {"name": "batch", "subjects": [at.source], "arguments": every}
    return (ToolCall("run_workflow", said, request),)


def alone(at: Sentence, workflow: str, defaults: Mapping[str, Any]) -> Iterator[str]:
    """Iterate over the command lines of one of several requests that were read together."""
    whole = (workflows()[workflow] if workflow else workflows().usual).whole
    asked = {
        n: some for n, some in at.asked.items() if all({*one} <= {*whole.arguments} for one in some)
    }
    one = replace(deepcopy(at), workflow=workflow, asked=asked, others=[])
    for call in calls_of(one, (), False, defaults) if not at.problem else ():
        yield from commands(call)


def _own(at: Sentence) -> list[dict[str, Any]]:
    """Return what is said of each subject: by words that touch it, else by words on all."""
    own: list[dict[str, Any]] = [{} for _ in at.subjects]
    for start, end, name, value, loose in at.mentions:
        for n in _meant(at, start, end):
            one = at.subjects[n]
            ionic = re.search(r"[+-]\d?\]|(?:ate|ide|ite|ium|ion)$", one.given)
            known = one.known.get(name) if one.known is not None else value if ionic else None
            if not loose and known and known != value:
                at.refuse(f"{one.given} has the {name} {known:+d} by its name, not {value:+d}")
            if loose and known:
                if (known > 0) != (value > 0):
                    at.refuse(f"{one.given} has the {name} {known:+d}, not {value:+d}")
            elif own[n].setdefault(name, value) != value:
                at.refuse(f"two values of the {name} were given", "say it once")
    return own


def _meant(at: Sentence, start: int, end: int) -> list[int]:
    """Return which subjects words are about: the one that they touch, else all."""
    everything, said = list(range(len(at.subjects))), at.text[start:end]
    if len(everything) < 2 or re.search(r"[a-z]{4}s\b", said):
        return everything
    ahead = [n for n in everything if end <= at.subjects[n].start]
    behind = [n for n in everything if at.subjects[n].end <= start]
    if ahead and not at.text[end : at.subjects[ahead[0]].start].strip(" of"):
        return ahead[:1]
    between = at.text[at.subjects[behind[-1]].end : start] if behind else "?"
    touches = re.fullmatch(r"[\s(]*(?:with (?:an? |the )?)?[\s(]*", between)
    if touches and (ahead or "(" in between or not re.search(r"\d", said)):
        return behind[-1:]
    if ahead and behind:
        at.refuse(f"it is not clear what “{said}” is about", "write it in brackets behind each")
    return everything
