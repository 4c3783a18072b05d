"""Plain requests, understood without a language model: text in, calls of tools out.

What is understood follows from the workflows that are installed, see `workflows.registry.spoken`.
The parts of a request are taken out of the text one kind after the other. A word that is left keeps
the request from being done, unless it is one of those that carry nothing.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from grafico.session.settings import USUAL
from workflows.registry import workflows
from workflows.registry.spoken import (
    GAP,
    Absent,
    Named,
    Sentence,
    absent,
    run_stage,
    tidied,
)
from workflows.text.words import listed

from ..context import is_source
from ..quantities import UNITS
from .aside import elsewhere, in_figures, set_aside
from .calls import ToolCall, commands, noun_of
from .commanded import acted, actions_among, commanded
from .follow_ups import AGAIN, FOLLOWS, MADE, go_on
from .idle import ASKING, IDLE
from .lexicon import FIGURE, phrases, take_measures, take_phrases, take_places, take_unit
from .making import alone, calls_of, gather
from .pictures import drawn_by, is_drawing, picture_in
from .stored import by_value, side_by_side

LONGEST = 1200
"""Characters of a plain request."""

EXAMPLES = (
    "optimise aspirin at B3LYP/def2-SVP and give me the dipole",
    "frequencies of ammonia at 350 K and 2 bar",
    "compare the energies of cis.xyz and trans.xyz",
    "what results are stored for water?",
)
"""Requests that can be done; the nearest are suggested."""

IRI = re.compile(r"https?://w3id\.org/grafico/id/\w+/[\w-]+|(?<![\w/:])(?:g:)?id/\w+/[\w-]+")
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s\0]*")
QUOTED = re.compile(r'"([^"]{1,300})"|(?<![^\s(,;:])\'([^\']{1,300})\'(?![^\s),.;:?!])')
CONVERT = re.compile(
    rf"(?i)(?:convert|what is|how much is|how many (\S+) (?:is|are|in))? ?({FIGURE}|an?|one) ?"
    r"([^\s\d]\S*)(?: (?:in|to|into) (\S+))?"
)
EARLIER = 30
"""Requests of a conversation that are read again, the last."""

BOTH = re.compile(r"(?i)\b(?:with|in|at|of|for|by|from|to)\b,? (?:and|or|and/or)\b(?: \w+)?")
REFERENCE = re.compile(r"(?i)\brelative to\b")
ASKS = re.compile(
    r"(?i)\b(?:what|how|which|about|whether|look|report|show|list|see|tell|model|study|examine|"
    r"investigat|describ|characteri|explor|search|generat|build|construct|creat|prepar|print|"
    r"display|present|sav|retriev|extract|consider|treat|assess|quantif)\w*\b(?! about)"
)
OPINION = re.compile(
    r"(?i)^\W*(?:is|are|how|which|would|does) .*\b(?:good|great|fine|nice|useful|helpful|"
    r"excellent|perfect|suitable|certain|handy|ok|okay|able)\b(?! (?:if|to know|to have)\b)"
)
"""Whether something is good, which nobody computes."""
EACH = re.compile(
    r"(?i)(?P<every>\b(?:for |of |on )?"
    r"(?:(?:all|each|every|everything)(?: of)?(?: the)?|the(?= \w+s)) ?"
    r"(?:(?:molecule|compound|structure|entrie|row|specie|frame)s?|entry)? ?(?:in|from|of|on) )?"
    rf"(?:the (?:file|table|library) )?(?P<file>[^\s,;:?!()\"'{GAP}]{{1,200}}\w)"
)
OF_RUN = re.compile(
    r"(?i)(?:please )?(?:(resume|continue|go on with)|show(?: me)?|get|what is|describe) "
    r"(?:the )?(?:run |result |object )?(\S+)"
)


OF_JOB = re.compile(
    r"(?i)(?:please )?(?:(resume|continue|go on with)|(cancel|stop|end)|show(?: me)?|get|describe|"
    r"(?:how|what) is|(?:result|status) of) (?:the )?(?:job )?(grafico-[0-9a-f]+)"
)
JOBS = re.compile(
    r"(?i)(?:(?:has|have|is|are|did) (?:my|the|our|any|all)(?: \w+){0,3} jobs?(?: \w+){0,4} "
    r"(?:finished|done|running|complete|completed|ready|ended|failed|queued|started)(?: yet| now)?)"
    r"|(?:please )?(?:list|show(?: me)?|how are|what are|what about|how do|status of|"
    r"are|what is the (?:status|state) of) (?:all |my |the |running |any )*jobs"
    r"(?: doing| going| stand| running| done| finished| getting on)?(?: now| yet)?"
)
WHERE = re.compile(
    r"(?i),? (?:in the (background)|(?:on|to) (?:the )?cluster (?!(?:with|without|using|at|in|for|"
    r"from|and|or|as|if|to\w*|on|not|by|please|now|when|after|before)\b)([\w-]+))(?![\w-])"
)
IN_TURN = re.compile(
    r"(?i)(?:;|(?<=[\w)])\.(?=\s)|,?\s+(?:and\s+)?(?:then|afterwards|after that|next)\b,?)\s+"
    r"(?:(?:and|then|also|finally)\b,?\s+)*"
)
"""Where one request may end and another may begin."""

MOST_IN_TURN = 4
CLUSTER = re.compile(r"(?i)\b(?:on|to) (?:the|our|my|a) cluster\b(?! of)")
TIME = re.compile(r"(?i),? (?:not before|at|after|from) (\d{1,2}:\d\d)(?![\d:])")


WISHES = re.compile(r"(?i)\b(?:i|we)(?: would|'d) like to\b")


@dataclass(frozen=True)
class Question:
    """What is to be read from the results, of which parts, in which unit, and if it is compared.

    `difference` is what values less a reference are called, and `kinds` which there are, see
    `Sentence`.
    """

    reads: tuple[str, ...] = ()
    compare: bool = False
    unit: str = ""
    parts: tuple[str, ...] = ()
    difference: tuple[str, int, int] | None = None
    kinds: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])


@dataclass(frozen=True)
class Plan:
    """What a request comes to: calls, or a problem; `understood` says how odd words were read.

    Of a word that was not read `meant` is the nearest that there is, with the request of it;
    `unread` are all those words. `command` is the line that does all of it, where one does that a
    call cannot, such as writing a file.
    """

    calls: tuple[ToolCall, ...] = ()
    question: Question = Question()
    understood: tuple[str, ...] = ()
    problem: str = ""
    suggestions: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    command: str = ""


def plan(text: str, defaults: Mapping[str, Any] = USUAL, before: Sequence[str] = ()) -> Plan:
    """Return what a request in English comes to; it never raises.

    It is read with the words of the workflows that it names; only where that leaves something
    open, with those of all, which have to be imported.

    Args:
        text: the request.
        defaults: of the settings, see `form.fill`.
        before: what was asked before in this conversation; “and in water?” is about the last that
            was understood.
    """
    earlier: Sentence | None = None
    for one in before[-EARLIER:]:
        found, at = _understood(one, defaults, earlier)
        if not found.problem:
            earlier = at or earlier
        elif not FOLLOWS.match(one):  # what it was about nobody knows
            earlier = None
    return _understood(text, defaults, earlier)[0]


def _understood(
    text: str, defaults: Mapping[str, Any], earlier: Sentence | None
) -> tuple[Plan, Sentence | None]:
    if several := _in_line(text) or _in_turn(text, defaults):
        return several, None
    found, at = _planned(text, defaults, earlier, every=False)
    if not found.problem:
        told = drawn_by([*lines_of(found)]) if is_drawing(text) else ()
        return replace(found, understood=(*found.understood, *told)), at
    if asked := picture_in(text):
        less, _ = _planned(asked.said, defaults, earlier, every=True)
        if not less.problem or asked.formula():
            ran = [*lines_of(less)]
            lines = asked.formula() or asked.lines(ran)
            runs = len(lines) == 1 and " && " not in lines[0] and asked.is_written(ran)
            command = lines[0] if runs else ""
            said = {"problem": asked.problem(ran), "suggestions": lines, "command": command}
            return replace(less, calls=(), **said), None
    if missing := absent(text):
        if done := _command_alone(missing):
            return done, missing.at
        return replace(found, problem=missing.problem, suggestions=(missing.nearest,)), None
    found, at = _planned(text, defaults, earlier, every=True)
    if found.unread and (less := _without_asides(text, defaults, earlier)):
        return less

    def works(asked: str) -> bool:
        return not _planned(asked, defaults, earlier, every=True)[0].problem

    if found.meant and works(found.meant[1]):
        asked = f"{found.problem}; did you mean “{found.meant[0]}”?"
        found = replace(found, problem=asked, suggestions=found.meant[1:])
    if found.problem:
        tries = [one for one in found.suggestions if one.startswith("grafico ") or works(one)]
        advice = [one for one in found.suggestions if one not in tries]
        found = replace(
            found,
            problem="; ".join([found.problem, *advice]),
            suggestions=(*tries,) if tries or advice else EXAMPLES,
        )
    return found, at


def _command_alone(said: Absent) -> Plan | None:
    """Return the plan of a sentence that says what a command of an action does, and no more.

    Words that would carry nothing in a request may here: “its”, “in”, “with”, “from”.
    """
    rest = WISHES.sub(" ", said.at.rest).lower()
    left = {
        one for one in re.findall(rf"[^\s,;:?!(){GAP}\"]+", rest) if one.strip(".") not in ASKING
    }
    call = None if left or not said.whole else acted(said.nearest, {})
    if call is None:
        return None
    if len(call.arguments["subjects"]) == 1 and not call.arguments["arguments"]:
        joined = ";" in call.arguments["subjects"][0]
        call.arguments["subjects"] = call.arguments["subjects"] if joined else [*said.named]
    return Plan((call,))


def lines_of(found: Plan) -> Iterator[str]:
    """Iterate over the command lines of a plan."""
    return (line for call in found.calls for line in commands(call))


def _in_line(text: str) -> Plan | None:
    """Refuse command lines of actions that stand beside others, or beside anything else."""
    lines, count = actions_among("\n".join(n for n in text.splitlines() if not _marker(n)))
    said = f"one command line is read at a time, and these are {count} lines: ask in turn"
    return Plan(problem=said, suggestions=(*lines,)) if lines else None


def _in_turn(text: str, defaults: Mapping[str, Any]) -> Plan | None:
    """Refuse requests in a row that are about different things and ask for different things.

    Read as one, what is asked of the one would be asked of the other, too.
    """
    parts = [one.strip(" ,;.") for one in IN_TURN.split(text.strip()) if one.strip(" ,;.")]
    if not 2 <= len(parts) <= MOST_IN_TURN:
        return None
    read = [_planned(one, defaults, None, every=True) for one in parts]
    asked = [at for found, at in read if at and found.calls]
    if len(asked) < len(parts) or not all(one.reads or one.workflow for one in asked):
        return None
    about = [{one.given for one in at.subjects} for at in asked]
    alike = [
        [(one.name, {**one.arguments, noun_of(one) + "s": 0, "subjects": 0}) for one in found.calls]
        for found, _ in read
    ]
    apart = all(one and not one & other for one, other in pairwise(about))
    if not apart or all(one == alike[0] for one in alike):
        return None
    return Plan(problem=f"these are {len(parts)} requests: ask in turn", suggestions=(*parts,))


def _without_asides(
    text: str, defaults: Mapping[str, Any], earlier: Sentence | None
) -> tuple[Plan, Sentence | None] | None:
    """Return what is planned without clauses of circumstance; None where that is nothing."""
    parts = [
        (line, ()) if _marker(line) else set_aside(in_figures(tidied(line)))
        for line in text.splitlines()
    ]
    rest, aside = "\n".join(line for line, _ in parts), [n for _, some in parts for n in some]
    found, at = _planned(rest, defaults, earlier, every=True)
    if found.problem or at is None or not (at.reads or at.workflow or at.asked or at.mentions):
        return None
    told = (f"set aside: “{one}”" for one in aside)
    return replace(found, understood=(*found.understood, *told)), at


def _planned(
    text: str, defaults: Mapping[str, Any], earlier: Sentence | None, *, every: bool
) -> tuple[Plan, Sentence | None]:
    if (command := commanded(text)) is not None:
        kept, calls = deepcopy(command), calls_of(command, ("energy",), False, defaults)
        why = command.problem
        return (Plan((), problem=why[0], suggestions=why[1:]), None) if why else (Plan(calls), kept)
    lines = [(line, _marker(line)) for line in text.splitlines()]
    bare = tidied("\n".join(line for line, marker in lines if not marker)).strip()
    came = {tidied(str(one.get("file", one.get("table")))): one for _, one in lines if one}
    given = {name: str(one["structure"]) for name, one in came.items() if one.get("structure")}
    if (call := acted("\n".join(line for line, marker in lines if not marker), given)) is not None:
        return Plan((call,)), None
    if not came and len(bare) <= LONGEST and (direct := _direct(bare.rstrip("?!. "))):
        if isinstance(direct, tuple):
            return Plan(problem=direct[0], suggestions=direct[1:]), None
        said = str(direct.arguments.get("below") or direct.arguments.get("above") or "")
        unit = said.lstrip("-+.e0123456789").strip()  # in which a bound was given
        return Plan((direct,), Question((direct.name,), unit=unit)), None
    for name in sorted(given, key=len, reverse=True):
        bare = bare.replace(name, given[name])
    place, bare = _placed(bare)
    at = Sentence(bare, bare, before=earlier, attached=(*given.values(),))
    if len(bare) > LONGEST:
        at.refuse(f"a plain request has at most {LONGEST} characters; this has {len(bare)}")
    for name, one in came.items():
        if "unreadable" in one:
            at.refuse(f"{name} cannot be read: {one['unreadable']}")
        elif "table" in one:
            way = f"ask with a model, or at the shell: grafico batch {name}"
            at.refuse(f"{name} is a table, and a plain request is about one thing", way)
    if CLUSTER.search(bare):
        at.refuse("which cluster is not said", "name it, as in “on the cluster hpc”")
    follows = FOLLOWS.match(bare) if earlier else None
    if earlier and (made := MADE.search(bare)):
        at.refuse(f"“{made[0]}” has no name here", "give its IRI: energy of g:id/Geometry/…")
    if follows:
        at.blank(*follows.span())
    if earlier:
        at.take(AGAIN)
    unit = "" if at.problem else _read(at, every)
    if {*at.attached} - {one.given for one in at.subjects}:
        at.refuse("a structure came with this, and it is about something else", "leave one out")
    if other := elsewhere(at.text, [one.start for one in at.subjects]):
        at.refuse(f"it is not clear what “{other}” says of this; say it, or leave it out")
    if OPINION.search(bare):
        at.refuse("what is good is not computed", "gap of benzene at B3LYP/def2-SVP")
    if both := BOTH.search(at.text):
        at.refuse(f"“{both[0]}” is more than one request", "ask for one, then for the other")
    if not (at.reads or at.workflow or at.asked or at.mentions or follows) and ASKS.search(at.text):
        at.refuse("it is not said which quantity is asked for")
    bare_name = not (
        {name for _, name in at.reads} - {"compare"} or at.asked or at.mentions or at.workflow
    )
    if not earlier and bare_name and re.match(r"(?i)(?:ok|and|then|now|also)\b", bare):
        at.refuse("nothing that this goes on with was understood before", "say all of it")
    if earlier and not at.problem and (follows or not at.subjects or bare_name):
        go_on(at, earlier, unit, follows)
    kept = deepcopy(at)
    reads = list(dict.fromkeys(name for _, name in sorted(at.reads)))
    gather(at, reads)
    if at.workflow:
        command = workflows()[at.workflow].command.replace("-", "_")
        named = [workflows()[n].command.replace("-", "_") for n in at.others]
        more = set(reads) - {"energy", "geometry", "compare", command, *named}
        if others := [*dict.fromkeys(at.others), *(("",) if more else ())]:
            each = [line for one in (at.workflow, *others) for line in alone(at, one, defaults)]
            what = listed([*dict.fromkeys([*at.others, *sorted(more)]), at.workflow])
            at.refuse(f"{what} are {len(others) + 1} requests", *each, "ask in turn")
        reads = [command, "compare"]
    compare = "compare" in reads and "find_results" not in reads
    chosen = tuple(name for name in reads if name != "compare") or ("energy",)
    calls = () if at.problem else calls_of(at, chosen, compare, defaults)
    if place and any(call.name == "find_results" for call in calls):
        at.refuse("only what is computed can be computed elsewhere or later")
    calls = tuple(replace(call, arguments=call.arguments | place) for call in calls)
    if at.problem:
        return Plan((), Question(), (), at.problem[0], at.problem[1:], at.meant, at.unread), None
    read = (one.said for one in at.subjects if one.said)
    parts = tuple(dict.fromkeys(at.parts)) if "geometry" in chosen else ()
    understood = (*(f"{name} is {iri}" for name, iri in given.items()), *read, *at.notes)
    question = Question(chosen, compare, unit, parts, at.difference, at.kinds)
    return Plan(calls, question, understood), kept


def _marker(line: str) -> dict[str, Any]:
    """Return what a line says of a structure that came with the request; nothing of other lines."""
    with suppress(ValueError, RecursionError):
        said: Any = json.loads(line[6:-1]) if line[:7] + line[-2:] == "[data {}]" else None
        if said and (
            IRI.fullmatch(str(said.get("structure"))) or {"unreadable", "table"} & {*said}
        ):
            return said
    return {}


def _placed(text: str) -> tuple[dict[str, str], str]:
    """Return where and when a request is to be computed, and the rest of it."""
    place: dict[str, str] = {}
    if where := WHERE.search(text):
        place["on"] = where[2] or "here"
    if when := TIME.search(text):
        place["begin"] = when[1]
    return place, TIME.sub("", WHERE.sub("", text))


def _direct(text: str) -> ToolCall | tuple[str, ...] | None:
    """Return the call of a tool that computes nothing, where one is asked for.

    Returns:
        The call; or why it cannot be made, with what can be asked; None where something else is.
    """
    if JOBS.fullmatch(text):
        return ToolCall("jobs")
    if found := OF_JOB.fullmatch(text):
        name = "resume" if found[1] else "cancel_job" if found[2] else "jobs"
        return ToolCall(name, {"run" if found[1] else "job": found[3]})
    if (found := OF_RUN.fullmatch(text)) and IRI.fullmatch(found[2]):
        name, argument = ("resume", "run") if found[1] else ("get", "iri")
        return ToolCall(name, {argument: found[2]})
    if compared := side_by_side(text):
        return compared
    if found := by_value(text):
        return found
    if found := CONVERT.fullmatch(text):
        units = [UNITS.get(one or "") for one in (found[3], found[4] or found[1])]
        if all(units):
            source, target = ("hartree" if one == "Eh" else one for one in units)
            value = 1.0 if found[2].isalpha() else float(found[2])
            one = {"value": value, "from_unit": source, "to_unit": target}
            return ToolCall("convert_units", {"conversions": [one]})
    return None


# --- reading -------------------------------------------------------------------------------------


def _read(at: Sentence, every: bool) -> str:
    """Take a request with structures that came with it apart; return the unit of the answer."""
    run_stage("wholes", at)
    reference = REFERENCE.search(at.rest)
    take_places(at)
    _table(at)
    at.subjects += [Named(*one.span(), one[0]) for one in at.take(IRI)]
    for one in at.take(ADDRESS):
        at.refuse(f"{one[0][:60]} cannot be fetched", "give a file, a name or a SMILES")
    run_stage("notations", at)
    at.subjects += [Named(*n.span(), (n[1] or n[2]).strip()) for n in at.take(QUOTED)]
    unit = take_unit(at)
    run_stage("conditions", at)
    take_phrases(at, every)
    take_measures(at, workflows()[at.workflow] if at.workflow else workflows().usual)
    for one in re.finditer(rf"[^\s,;:?!(){GAP}]+", at.rest):
        if one[0].lower().rstrip(".") in IDLE:
            at.blank(*one.span())
    run_stage("names", at)
    if not at.subjects:
        end = len(at.text)
        at.subjects += [Named(end, end, iri) for iri in at.attached]
    _unread(at)
    run_stage("settle", at)
    if at.workflow and reference:
        at.refuse(f"“{reference[0]}” is not understood here", "ask for each, then compare them")
    at.subjects.sort(key=lambda one: one.start)
    return unit


def _table(at: Sentence) -> None:
    """Take out a file of many subjects, of each of which the same is asked."""
    for one in list(EACH.finditer(at.rest)):
        path = Path(one["file"])
        if is_source(path) or (one["every"] and re.fullmatch(r"\.[a-z]\w{1,7}", path.suffix)):
            at.blank(*one.span())
            at.subjects.append(Named(*one.span(), one["file"]))
            at.source = at.source or one["file"]


def _unread(at: Sentence) -> None:
    """Refuse where a word is left that may carry something."""
    left = [one.strip(".'-") for one in re.findall(rf"[^\s,;:?!(){GAP}\"]+", at.rest)]
    left = [one for one in left if re.search(r"\w", one) and one.lower() not in IDLE]
    if not left:
        return
    at.unread = (*left,)
    known = {one for row in phrases() for one in re.findall(r"[a-z]{4,}", row.phrases)}
    near = difflib.get_close_matches(left[0].lower(), sorted(known - {left[0].lower()}), 1, 0.8)
    quoted = f'leave it out, or, if it is a name, write "{left[0]}" in quotation marks'
    if is_source(Path(left[0])):
        quoted = f"ask for its entries with: grafico batch {left[0]}"
    if near and not at.problem:
        at.meant = (near[0], at.text.replace(left[0], near[0], 1)[:200])
    at.refuse(
        f"{listed([f'“{word}”' for word in left[:8]])} {'are' if left[1:] else 'is'} not understood"
        + (
            ""
            if at.subjects
            else "; no molecule is named that is known here: give its SMILES or a file"
        ),
        quoted,
    )
