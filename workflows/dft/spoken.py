"""What people write for calculations of a molecule: levels, surroundings, excited states, parts."""

from __future__ import annotations

import re
from typing import Any

from workflows.molecule.names import index, key
from workflows.registry.levels import programs
from workflows.registry.spoken import GAP, Named, Sentence, words
from workflows.text.names import nearest, plain

from .level.functionals import DOUBLE_HYBRIDS, ELSEWHERE, USUAL
from .level.methods import is_known
from .level.solvents import SYNONYMS, key_of
from .request.forms import IN_WORDS

TASKS = ("energy", "optimise", "frequencies")
BASIS = (
    r"(?:ma-?)?def2[- ]?(?:m?SV\(P\)|\w{2,6})|(?:aug-|jun-)?cc-?p(?:w?C)?V\(?[DTQ56](?:\+d)?\)?Z"
    r"|\d-\d{2,3}\+{0,2}G(?:\*{1,2}|\([\w,+]{1,9}\))?|STO-?\dG\*?|LANL2\wZ|pc(?:seg)?-\d|[TQ]ZVPP?"
)
"""Names of basis sets by their shapes; whether PySCF has one is found out when it is used."""
METHOD = (
    r"(?<![\w./+*=#-])([A-Za-zω][\w+*]{0,20}(?:-[A-Za-z0-9]{1,8}){0,3}"
    r"(?:\((?:BJ|0|zero|T|OP|2|2,2)\))?)"
)
LEVEL = re.compile(rf"(?i){METHOD} ?(/|,? ?(?:with |and )?(?:the )?) ?({BASIS})(?![\w*+(/]|-\w)")
ALONE = re.compile(rf"(?i)(?<![\w/*-])({BASIS})(?![\w*+(/]|-\w)")
LONE = re.compile(rf"{METHOD}(?![\w*+(/=#\[]|-\w)")
IN = re.compile(rf"(?i)\b(?:in[ {GAP}](?:the |liquid )?|solvent ?[=:]? ?|(?<=smd|pcm|smo),? ?\(?)")
NEXT = re.compile(r"(?i)(?:,? and|,|,? or| vs\.?) (?:in )?")
_LIQUIDS = "toluene acetone cyclohexane anisole xylene formamide nitrobenzene aniline solution"
LIQUIDS = {*SYNONYMS, *map(key_of, SYNONYMS.values()), *_LIQUIDS.split()}
"""What is more often a solvent than not: behind `in` it is never what is asked about."""

STATE = re.compile(r"[ST]\d+")
COUNT = "one two three four five six seven eight nine ten".split()  # noqa: SIM905
STATES = words(
    rf"(?:the |vertical )?(?:(?P<which>first|lowest) )?(?:(?P<count>\d{{1,4}}|{'|'.join(COUNT)}) )?"
    r"(?:lowest )?"
    r"(?P<spin>singlet|triplet)?(?: and (?P<other>triplet))?(?: ?electronic)? ?(?:excited states?|"
    r"excitations?(?: energ(?:y|ies))?|roots|transitions)(?! (?:geom|struct|optim))"
    rf"|lowest (?P<many>\d{{1,4}}) (?P<only>singlet|triplet) states"
)
LABEL = re.compile(
    r"(?:(?<![\w-])|(?<=S\d(-)))(?:S0-)?([ST])([1-9]\d?)(?: (?:state|gap|energy))?(?!\w)"
)


def conditions(at: Sentence) -> None:
    """Take out levels, solvents and excited states."""
    _levels(at)
    for one in list(IN.finditer(at.rest)):
        at.blank(one.start(), _solvents(at, one.end()) or one.start())
    _states(at)


def settle(at: Sentence) -> None:
    """Find out what all that was asked means together."""
    inside = at.asked.get("solvent", [])
    if not at.subjects and len(inside) == 1 and (at.reads or at.workflow):
        name = str(inside[0]["solvent"])  # the strain in cyclopropane
        if name and key_of(name) not in LIQUIDS:
            place = at.text.find(name)
            at.subjects.append(Named(place, place + len(name), name))
            del at.asked["solvent"]
    reads = {name for _, name in at.reads}
    asked = (one["task"] for one in at.asked.get("task", []))
    if tasks := [one for one in asked if one in TASKS]:  # others are of another workflow
        at.asked["task"] = [{"task": max(tasks, key=TASKS.index)}]
    if len(at.asked.get("level", ())) > 1 and (
        {"relaxation", "geometry"} & reads or re.search("(?i)then|single.point", at.text)
    ):
        at.refuse("that may be a step at one level after another", "ask for one after the other")
    if "as is" in reads and tasks:
        at.refuse("frequencies and relaxed geometries need an optimisation", "leave that out")
    if "relaxation" in reads:
        at.reads += [(len(at.text), "geometry")]
        at.reads += [(0, "energy")] if not reads - {"relaxation", "compare"} else []
    idle = {"as is", "relaxation", *(["states"] if any(map(STATE.fullmatch, reads)) else [])}
    at.reads = [one for one in at.reads if one[1] not in idle]
    if "solvation" in at.asked and "solvent" not in at.asked:
        at.refuse("a model of solvation needs a solvent", "energy of acetone in water (SMD)")
    counts = [one["states"] for one in at.asked.get("states", [])]
    if counts or "states" in reads or "response" in at.asked:
        at.asked["states"] = [{"states": max(counts, default=5)}]
        if tasks and {"relaxation", "geometry"} & reads:
            at.refuse("geometries of excited states are not relaxed here", "S1 of formaldehyde")
    if at.workflow == "counterpoise":
        files = [one for one in at.subjects if "." in one.given or "id/" in one.given]
        at.subjects = files if len(files) == 1 else at.subjects
        if tasks:
            at.refuse("an interaction is that of a geometry as it is given", "optimise it first")
        if len(at.subjects) > max(len(files), 1):
            at.refuse(
                "molecules were named apart; an interaction is that of one structure, which holds "
                "them beside each other",
                "interaction energy of complex.xyz",
                'interaction energy of "O.N"',
            )


def _levels(at: Sentence) -> None:
    """Take out methods and basis sets."""
    levels: list[dict[str, Any]] = []
    for one in LEVEL.finditer(at.rest):
        if named := _method(at, one[1], certain=one[2] == "/"):
            at.blank(*one.span())
            levels.append({**named, "basis": one[3].replace(" ", "-")})
    bases = [{"basis": one[1].replace(" ", "-")} for one in at.take(ALONE)]
    methods = [{"method": "HF"} for _ in at.take(words("hartree fock"))]
    for one in LONE.finditer(at.rest):
        before, after = at.rest[: one.start()], at.rest[one.end() :]
        if not re.search(r"\b(?:at|with|using|by|via) (?:the )?$", before):
            listed = re.search(r"[,(] ?$", before) and any(n.recognises(one[1]) for n in programs())
            if one[1].isalpha() and one[1].islower() and not listed:
                continue  # a word that is the name of a functional, too: scan
            if one[1] == "HF" and _is_molecule(before, after):
                continue
        if named := _method(at, one[1]):
            at.blank(*one.span())
            methods.append(named)
    if levels:
        levels = [one | {"basis": levels[-1]["basis"]} for one in methods] + levels
        levels += [levels[-1] | one for one in bases]
    elif methods or bases:
        levels = [a | b for a in methods or [{}] for b in bases or [{}]]
    for one in levels:
        at.ask("level", one)


def _is_molecule(before: str, after: str) -> bool:
    """Return whether HF is hydrogen fluoride there, not Hartree-Fock."""
    listed = rf"(?i)\b(?:of|for|optimis\w+|relax) (?:[^{GAP}]{{0,60}}(?:,| and) )?$"
    other = r"(?i)\b(?:of|for) (?!the HF)\w"
    return bool(re.search(listed, before)) or not re.search(other, before + after)


def _method(at: Sentence, name: str, certain: bool = False) -> dict[str, Any]:
    """Return the fields of a method, where that is one; refuse what is not computed."""
    stem = re.sub(r"(?i)^(?:cis|tdhf)$", "HF", re.sub(r"(?i)^td(?:a|-?dft)?-(?=\w)", "", name))
    if stem != name and is_known(stem):
        at.ask("response", "TDA" if name.lower().startswith(("cis", "tda")) else "TDDFT")
        at.reads.append((0, "states"))
        name = stem
    for reference, spelt in {"": ("",), **IN_WORDS.otherwise}.items():
        letters = spelt[0] if reference == "" or "restricted" in reference else "?"
        stem = name[len(letters) :].lstrip("-")
        if plain(name).startswith(letters) and is_known(stem):
            if re.search(r"(?i)-D2?$", stem) and plain(stem) not in USUAL:
                at.refuse(f"{name} brings the correction D2, which is not computed")
            return {"method": stem} | ({"reference": reference} if reference else {})
    if any(program.recognises(name) for program in programs()):
        return {"method": name}
    if certain or DOUBLE_HYBRIDS.fullmatch(plain(name)) or ELSEWHERE.match(plain(name)):
        close = nearest(plain(name), USUAL, 2)
        at.refuse(f"no method {name} is computed here", *(f"energy of water at {n}" for n in close))
    return {}


def _solvents(at: Sentence, start: int) -> int:
    """Read the solvents that are named at a place; return where they end, 0 for none."""
    ends = [one.end() for one in re.finditer(rf"[^\s{GAP}:;?!]+", at.rest[start : start + 60])]
    for end in reversed(ends[:3]):
        name = at.rest[start : start + end].rstrip(".,)")
        behind = start + len(name)
        several = re.search("(?i) (?:dimer|trimer|cluster|complex)", at.rest[start : behind + 8])
        if GAP in name or several or not (key_of(name) in SYNONYMS or key(name) in index()):
            continue
        at.ask("solvent", name)
        more = NEXT.match(at.rest, behind)
        return (_solvents(at, more.end()) if more else 0) or behind
    return 0


def _states(at: Sentence) -> None:
    """Take out what is said of excited states."""
    for one in at.take(STATES):
        count, spin = (one["count"] or one["many"] or "").lower(), one["spin"] or one["only"]
        single = one["which"] and not count and not one[0].lower().endswith("s")
        if count or single:
            at.ask("states", COUNT.index(count) + 1 if count in COUNT else int(count or 1))
        for named in filter(None, (spin, one["other"])):
            at.ask("spin", named.lower())
        single = single and f"{(spin or 's')[0].upper()}1"
        at.reads.append((one.start(), single or "states"))
    for one in LABEL.finditer(at.rest):
        if key(one[0]) in index() and not re.match(r" (?:of|for|and T)", at.rest[one.end() :]):
            continue  # S8 is a molecule
        at.blank(*one.span())
        at.reads.append((one.start(), one[2] + one[3]))
        at.reads += [(one.start(), "compare")] if one[1] else []  # S1-T1
        at.ask("states", int(one[3]))
        at.ask("spin", "singlet" if one[2] == "S" else "triplet")
