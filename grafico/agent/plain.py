"""Plain requests, understood without a language model: text in, calls of tools out.

What is understood is documented in docs/requests.md. The parts of a request are taken out of the
text one kind after the other; what is left is no part of it, is said, and keeps the request from
being done where it may change what is meant.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, cast

from workflows.dft.methods import is_known

from .plain_calls import ToolCall, asked_in, calls_of, several_spins
from .plain_compare import fitted, read_comparison, read_fragments
from .plain_conditions import read_conditions, read_ions, read_states, read_unit
from .plain_level import check_fields, read_level, read_solvent
from .plain_names import IRI, nearest_name, slip, take_given, take_names
from .plain_other import other
from .plain_said import understood
from .plain_scan import Found, Reading, tidied, words
from .plain_words import (
    AS_IS,
    BACK,
    CANNOT,
    EXAMPLES,
    OPTIMISE,
    WISHES,
)

LONGEST = 1200
"""Characters of a plain request."""

MOST = 50
"""Molecules of a request."""

SOLUTION = words(r"(?:scf |ks |dft )?(?:wave ?functions?|solutions?|scf)")
STABLE = words(r"(?:un|in)?stab(?:le|ility)")
FOREIGN = re.compile(
    r"(?i:von|vom|mit|und|der|das|für|des?|del|du|la|le|les|el|con|avec|pour|para|di|della|och|av)"
    r"|.*[\u0400-\u1eff\u2e80-\uffef].*"
)
"""Words that are left of requests in other languages."""

HELP = words(
    r"(?:please )?(?:help(?: me)?|usage|(?:what|which) (?:requests |questions |things )?can "
    r"(?:you|i|we) (?:do|compute|calculate|answer|ask)(?: for| you)?|what do you (?:do|understand)"
    r"|how (?:does this work|do (?:i|you) (?:work|use (?:this|you))))"
)
IDLE = words(
    r"or not|if possible|(?:check|see|tell me|find out|determine|know|ask) "
    r"(?:if|whether)|not only|"
    r"also (?:without|not) problem"
)


@dataclass(frozen=True)
class Question:
    """What is to be read from the results.

    Attributes:
        reads: such as `energy`, `dipole`, `S1`, in the order of the request.
        compare: whether differences and an order are wanted.
        unit: of the answer; empty for the usual one.
    """

    reads: tuple[str, ...] = ()
    compare: bool = False
    unit: str = ""


@dataclass(frozen=True)
class Plan:
    """What a request comes to.

    Attributes:
        calls: of tools; none where it cannot be done.
        question: what is to be read from their results.
        understood: how each part was understood, and what was assumed, in words.
        left_over: words that were not understood.
        problem: why it cannot be done; empty where it can.
        suggestions: what can be asked in its place.
    """

    calls: tuple[ToolCall, ...] = ()
    question: Question = Question()
    understood: str = ""
    left_over: tuple[str, ...] = ()
    problem: str = ""
    suggestions: tuple[str, ...] = ()


def plan(text: str, files: Sequence[str] = ()) -> Plan:
    """Return what a request comes to; it never raises.

    Args:
        text: the request, in English.
        files: names of structures that came with it.
    """
    if not text.strip():
        return Plan(problem="nothing was asked", suggestions=EXAMPLES[:3])
    bare, markers, unreadable = _markers(text)
    if unreadable:
        return Plan(problem="; ".join(unreadable))
    if len(bare) > LONGEST:
        return Plan(
            problem=f"a plain request has at most {LONGEST} characters; this has {len(bare)}",
            suggestions=EXAMPLES[:3],
        )
    tidy = tidied(bare)
    if HELP.fullmatch(tidy.strip(" ?!.")):
        return Plan(
            problem="what is asked for has to be a quantity of a molecule, or what is stored",
            suggestions=EXAMPLES,
        )
    if found := other(tidy):
        tool, arguments, how = found
        return Plan((ToolCall(tool, arguments),), Question((tool,)), f"{how}.")
    at = Reading(tidy)
    read_fragments(at)
    names = tuple(tidied(name) for name in files)
    take_given(at, tuple({*names, *(PurePath(name).name for name in names if name.strip())}))
    _attach(at, markers, names)
    unit, as_is = _quantities(at)
    left = take_names(at)
    return _made(at, left, unit, as_is)


def _markers(text: str) -> tuple[str, dict[str, str], list[str]]:
    """Return a text without the markers of structures, their IRIs by name, and what is wrong."""
    found: dict[str, str] = {}
    wrong: list[str] = []
    lines: list[str] = []
    for line in text.splitlines():
        said = _marker(line)
        iri = str(said.get("structure") or "")
        if "unreadable" in said:
            wrong.append(f"{said.get('file')} cannot be read: {said['unreadable']}")
            continue
        if not IRI.fullmatch(iri):
            lines.append(line)
            continue
        origin = str(said.get("from") or "").removeprefix("attached ")
        found[tidied(origin if "." in origin else str(said.get("file") or iri))] = iri
    return "\n".join(lines), found, wrong


def _marker(line: str) -> dict[str, Any]:
    """Return what a line says of a structure that came with the request; nothing of other lines."""
    if not (line.startswith("[data {") and line.endswith("}]")):
        return {}
    try:
        said = json.loads(line[6:-1])
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", said) if isinstance(said, dict) else {}


def _attach(at: Reading, markers: dict[str, str], files: Sequence[str]) -> None:
    """Let names of attached files mean these; take the files as the molecules if none is named."""
    for n, one in enumerate(at.molecules):
        if iri := markers.get(PurePath(one.given).name):
            at.molecules[n] = Found(one.start, one.end, iri, f"{one.given} is {iri}")
    if not at.molecules:
        end = len(at.text)
        came = list(markers.items()) or [
            (name, name) for name in dict.fromkeys(files) if name.strip()
        ]
        for n, (name, given) in enumerate(came):
            at.molecules.append(Found(end + n, end + n, given, f"{name}, which came with it"))


def _quantities(at: Reading) -> tuple[str, bool]:
    """Take everything but the molecules out of a request; the unit, and whether not to relax."""
    as_is = bool(at.take(AS_IS))
    at.take(IDLE)
    unit = read_unit(at)
    read_level(at)
    read_conditions(at)
    read_solvent(at)
    read_comparison(at)
    for pattern, why, instead in CANNOT:
        if found := pattern.search(at.rest):
            at.refuse(f"“{found[0].strip()}”: {why}", instead)
            at.take(pattern)
    read_states(at)
    read_ions(at)
    if SOLUTION.search(at.rest) and STABLE.search(at.rest):
        at.reads += [(one.start(), "stability") for one in (*at.take(SOLUTION), *at.take(STABLE))]
        at.fields["stability"] = True
    tasks = {"task": at.fields.pop("task", "energy")}
    for wish in WISHES:
        for one in at.take(wish.pattern):
            at.reads.append((one.start(), wish.name))
            task = wish.fields.get("task")
            if task == "frequencies" or (task and tasks["task"] != "frequencies"):
                tasks["task"] = task
            at.fields |= {name: value for name, value in wish.fields.items() if name != "task"}
    if relaxed := at.take(OPTIMISE):
        tasks["task"] = "optimise" if tasks["task"] == "energy" else tasks["task"]
        if not at.reads:
            at.reads.append((relaxed[0].start(), "energy"))
        at.reads.append((len(at.text), "geometry"))
    if "constraints" in at.fields and tasks["task"] == "energy":
        tasks["task"] = "optimise"
        at.reads.append((len(at.text), "geometry"))
        at.say("constraints are held in an optimisation")
    if "constraints" in at.fields and tasks["task"] == "frequencies":
        at.refuse(
            "frequencies need a free optimisation", "ask for an optimisation with constraints"
        )
    if as_is and tasks["task"] != "energy":
        at.refuse(
            "frequencies and relaxed geometries need an optimisation",
            "leave out that the geometry is to stay",
        )
    if tasks["task"] != "energy":
        at.fields["task"] = tasks["task"]
    return unit, as_is


def _made(at: Reading, left: list[tuple[str, bool]], unit: str, as_is: bool) -> Plan:
    at.molecules.sort(key=lambda one: one.start)
    reads = [name for _, name in sorted(at.reads)]
    compare = "compare" in reads
    reads = list(dict.fromkeys(name for name in reads if name != "compare"))
    if {"S", "T"} & {
        name[:1] for name in reads if re.fullmatch(r"[ST]\d+", name)
    } and "states" in reads:
        reads.remove("states")
    spins = {one.value for one in at.mentions if one.field == "multiplicity"}
    of_spins = at.tool == "spin_states" or (compare and len(spins) > 1)
    if of_spins and "stability" in reads and at.fields.pop("stability", False):
        reads.remove("stability")  # of each state the stable solution
        at.fields["stable"] = True
    if compare and len(spins) > 1 and set(reads) <= {"energy", "geometry"}:
        at.tool = "spin_states"
    if at.tool != "calculate":
        fitted(at, reads)
        reads, compare = [at.tool], True
    asked = bool(reads) or compare
    left_over = tuple(word for word, _ in left)
    if re.search(
        r"(?i)\b(?:instead|as before|like before|last time|same (?:for|with|but|thing|"
        r"again|at|in))\b",
        at.text,
    ) or (not at.molecules and BACK.search(at.text)):
        at.refuse(
            "plain requests stand alone: they do not know what was said before",
            "name the molecule (or its IRI) again, and all that is wanted of it",
        )
    _check_left(at, left, asked)
    if not at.molecules:
        _no_molecule(at, left_over)
    if len(at.molecules) > MOST:
        at.refuse(f"{len(at.molecules)} molecules were named", f"{MOST} at a time are allowed")
    if not reads:
        reads = ["energy"]
        at.say("the energy, as no other quantity was named")
    several_spins(at)
    if at.tool == "calculate" and compare and len(at.molecules) * max(len(at.axis), 1) < 2:
        at.refuse("one thing cannot be compared", "name two molecules, levels or solvents")
    _heatless(at, reads)
    calls = calls_of(at)
    for call in calls if not at.problem else ():
        if wrong := check_fields(at.tool, asked_in(call)):
            at.refuse(wrong, "see docs/requests.md for what can be given")
    question = Question(tuple(reads), compare, unit)
    if at.problem:
        return Plan((), question, "", left_over, at.problem, _suggested(at))
    return Plan(
        calls, question, understood(at, [asked_in(call) for call in calls], reads, as_is), left_over
    )


def _check_left(at: Reading, left: list[tuple[str, bool]], asked: bool) -> None:
    """Refuse where a word that is left may change what is meant."""
    if any(FOREIGN.fullmatch(word) for word, _ in left):
        at.refuse("plain requests are understood in English only", *EXAMPLES[:3])
    for word, _ in left[:12]:
        if close := slip(word):
            mended = at.text.replace(word.strip("-()[]'\".,"), close, 1)
            at.refuse(f"“{word}” is not understood; did you mean “{close}”?", mended.strip()[:200])
    for word, _ in left:
        if re.search(r"\d", word) or is_known(word):
            at.refuse(
                f"“{word}” is not understood, and may change what is meant",
                "leave it out, or put it in quotation marks if it is a molecule",
            )
    for word, listed in left[:12]:
        if not at.problem and (listed or (asked and not at.molecules)) and len(left) <= 6:
            name = nearest_name(word) if (word.isalpha() or "-" in word) else ""
            if name and name.lower() != word.lower():
                at.refuse(
                    f"no molecule “{word}” is known; did you mean {name}?",
                    at.text.replace(word, name, 1).strip()[:200],
                )
            elif listed and not (word.isdigit()):
                at.refuse(
                    f"“{word}” is not known as a molecule",
                    f'put it in quotation marks if it is one: "{word}"',
                )
    if left and not asked:
        at.refuse(f"“{left[0][0]}” is not understood, and no quantity was named", *EXAMPLES[:3])


def _no_molecule(at: Reading, left_over: Sequence[str]) -> None:
    surroundings = [at.fields.get("solvent"), *(one.get("solvent") for one in at.axis)]
    if named := [one for one in surroundings if one]:
        at.refuse(
            f"{named[0]} is taken for the solvent, and no molecule is named",
            f"energy of {named[0]}",
            f"energy of acetone in {named[0]}",
        )
    what = f"; “{' '.join(left_over[:4])}” is none that is known" if left_over else ""
    at.refuse(f"no molecule is named{what}", *_near(at.text))


def _near(text: str) -> list[str]:
    return difflib.get_close_matches(text[:200].lower(), EXAMPLES, 2, 0.3) or list(EXAMPLES[:2])


def _suggested(at: Reading) -> tuple[str, ...]:
    return tuple(at.suggestions or _near(at.text))


def _heatless(at: Reading, reads: list[str]) -> None:
    """Leave out conditions that play no part, and say so."""
    if at.fields.get("task") == "frequencies":
        return
    given = [
        n for n in ("temperature", "pressure", "symmetry_number", "treatment") if n in at.fields
    ]
    if at.axis and set(at.axis[0]) & {"temperature", "pressure"}:
        at.refuse(
            "temperature and pressure change nothing but thermochemistry",
            at.text.strip()[:150]
            .replace("energies", "Gibbs energies")
            .replace("energy", "Gibbs energy"),
        )
    for name in given:
        del at.fields[name]
        at.say(f"the {name.replace('_', ' ')} is left out: it plays no part in the {reads[0]}")
    if "convergence" in at.fields and at.fields.get("task", "energy") == "energy":
        del at.fields["convergence"]
        at.say("thresholds of convergence are those of an optimisation, and none is asked for")
