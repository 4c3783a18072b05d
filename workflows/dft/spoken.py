"""What people write for calculations of a molecule: levels, surroundings, excited states, parts."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from typing import Any

from ontologies.elements import SYMBOLS
from workflows.molecule.recognition import FILE
from workflows.molecule.spoken import beside, is_part
from workflows.molecule.table import index, key
from workflows.registry.levels import programs
from workflows.registry.spoken import GAP, Named, Sentence, run_stage, words
from workflows.text.names import nearest, plain

from .level.functionals import DOUBLE_HYBRIDS, ELSEWHERE, USUAL
from .level.methods import is_known
from .level.solvents import SYNONYMS, key_of
from .request.basis_sets import BASIS_SETS
from .request.forms import IN_WORDS
from .spoken_states import EXCITED_ONES, FIRST, STATE, TRIPLET, counted, settle_spins, take_states

TASKS = ("energy", "optimise", "frequencies")
BASIS = (
    r"(?:ma-?)?def2[- ]?(?:m?SV\(P\)|\w{2,6})|(?:aug-|jun-)?cc-?p(?:w?C)?V\(?[DTQ56](?:\+d)?\)?Z"
    r"|gth-[a-z]{2,3}\d?[vp]p?(?:-molopt(?:-sr)?)?|\d-\d{2,3}\+{0,2}G(?:\*{1,2}|\([\w,+]{1,9}\))?|STO-?\dG\*?|LANL2\wZ|pc(?:seg)?-\d|[TQ]ZVPP?"
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
BEHIND = re.compile(r"(?i)\b(?:(?:in|with|using|as) )?(\w[\w-]*)(?: as(?: an?| the)?)? solvent\b")
NEXT = re.compile(r"(?i)(?:,? and|,|,? or| vs\.?) (?:in )?")
GAS = r"(?:the )?(?:gas(?: phase)?|vacuum)"
BOTH = re.compile(
    rf"(?i)(?:\bin |, ?|[(]){GAS},? (?:and|or|vs\.?|versus) (?:in )?(?P<other>\w[\w-]+)"
)
BETWEEN = re.compile(
    rf"(?i)\b(?:from|between) (?:(?P<gas>{GAS})|(?P<one>\w[\w-]*)) (?:in)?(?:to|and) "
    r"(?P<other>\w[\w-]+)"
)
CHANGES = re.compile(
    r"(?i)\b(?:chang|differ|shift|var(?:y|ies)|transfer|partition)\w*\b(?!.*\b(?:with|in)\b)"
)
_LIQUIDS = "toluene acetone cyclohexane anisole xylene formamide nitrobenzene aniline solution"
LIQUIDS = {*SYNONYMS, *map(key_of, SYNONYMS.values()), *_LIQUIDS.split()}
"""What is more often a solvent than not: behind `in` it is never what is asked about."""

DIATOMIC = {
    "hydrogen": "H2",
    "nitrogen": "N2",
    "oxygen": "O2",
    "fluorine": "F2",
    "chlorine": "Cl2",
    "bromine": "Br2",
}
"""Names of elements, which are those of molecules, too."""

PARTS = "bond|angle|length|distance|stretch|stretching|mode"
BANDS = re.compile(
    r"(?i),? ?\b(?:in the (?:range|region) )?(?:between|from|of) \d{2,4}(?: ?cm\^?-1)? "
    r"(?:and|to|-) \d{3,4} ?cm\^?-1(?: (?:region|range))?(?!\w)"
)
"""Which of the vibrations are shown: all are computed and told."""
NO_SOLVENT = re.compile(r"(?i)\bgas[- ]phase|\bvacuum|\bunsolvated|\bwithout (?:a |any )?solvent")
SEVERAL = re.compile(r"(?i)\b(?:energies|dipoles|moments|gaps|affinities|potentials|compare)\b")
TO = re.compile(r"(?i),? (?:and )?(?:in)?to (\w[\w-]+)")
STABLER = re.compile(r"(?i)\b(?:more|most|less|least) stable\b|\bstabilit(?:y|ies)\b")
UNRELAXED = re.compile(
    r"(?i)single[- ]points?|vertical|as (?:it is|they are|given)|same geometr|force[- ]?field|"
    r"(?:un|not |without (?:geometry )?)(?:optimi|relax)"
)
BETTER = words(r"(?:with |at |in |use |using )?(?:an? )?(?:bigger|larger|better) basis(?: set)?")


def conditions(at: Sentence) -> None:
    """Take out levels, solvents and excited states."""
    if re.search(r"(?i)infra-?red|\bIR\b|vibration|frequenc", at.text):
        at.take(BANDS)
    _levels(at)
    _better_basis(at)
    for one in BOTH.finditer(at.rest):
        if key_of(one["other"]) in LIQUIDS:
            at.blank(*one.span())
            at.ask("solvent", "")
            at.ask("solvent", one["other"])
    for one in BETWEEN.finditer(at.rest):
        said = at.text[: one.start()]
        both = all(key_of(n) in LIQUIDS for n in (one["other"], one["one"]) if n)
        if both and (one["gas"] or one[0].lower().startswith("from") or CHANGES.search(said)):
            at.blank(*one.span())
            at.ask("solvent", one["one"] or "")
            at.ask("solvent", one["other"])
            while (more := TO.match(at.rest, one.end())) and key_of(more[1]) in LIQUIDS:
                at.blank(*more.span())
                at.ask("solvent", more[1])
                one = more
    for one in list(BEHIND.finditer(at.rest)):
        if key_of(one[1]) in LIQUIDS:
            at.blank(*one.span())
            at.ask("solvent", one[1])
    for one in list(IN.finditer(at.rest)):
        if not is_part(at.text, one.start()):
            at.blank(one.start(), _solvents(at, one.end()) or one.start())
    take_states(at)


def settle(at: Sentence) -> None:
    """Find out what all that was asked means together."""
    inside = at.asked.get("solvent", [])
    named = [str(one["solvent"]) for one in inside if one["solvent"]]
    if not at.subjects and named and len(named) == len(inside) and (at.reads or at.workflow):
        parts = re.search(rf"\b(?:{PARTS})s? (?:\w+ ){{0,2}}in {re.escape(named[0])}", at.text)
        if parts or not any(
            key_of(name) in LIQUIDS for name in named
        ):  # the strain in cyclopropane
            for name in named:
                place, one = at.text.find(name), Sentence(name, name)
                run_stage("names", one)
                at.subjects += [
                    replace(n, start=place, end=place + len(name)) for n in one.subjects
                ]
            del at.asked["solvent"]
    bare = not (
        {n for _, n in at.reads} - {"compare"}
        or at.asked
        or re.search(r"\b(?:for|of|same)\b", at.text)
    )
    if bare and at.before and at.before.asked.get("solvent") and len(at.subjects) == 1:
        name = at.subjects[0].given
        if key_of(name) in LIQUIDS and {} in at.before.asked["solvent"]:  # of solvation energies
            at.ask("solvent", name)
            at.subjects.clear()
        elif key_of(name) in LIQUIDS:
            both = (f"and in {name}?", f"and for {name}?")
            at.refuse(f"{name} may be the solvent or the molecule", *both)
    reads = {name for _, name in at.reads}
    if "energy_at" in at.asked and not at.workflow:
        _in_two(at)
    _one_phase(at, inside)
    if "gap" in reads and len({one[3] for one in at.mentions if one[2] == "multiplicity"}) > 1:
        at.refuse(
            "that may be the gap between the states or those between orbitals",
            *(
                f"{one} of {n.given}"
                for one in ("singlet-triplet gap", "HOMO-LUMO gap")
                for n in at.subjects[:1]
            ),
        )
    _without_orbitals(at, reads)
    _differences(at, reads)
    settle_spins(at)
    if EXCITED_ONES.search(at.text):
        at.refuse(
            "of excited states the energies are computed, not their properties", "S1 of acetone"
        )
    if one := TRIPLET.search(at.text):
        both = (at.text.replace(one[0], n) for n in ("T1 energy", "energy of triplet"))
        at.refuse(f"“{one[0]}” may be that of T1 or of the triplet itself", *both)
    totals = {"compare", "relaxation", "geometry", "energy", "gibbs", "enthalpy"}
    if "compare" in reads and not at.workflow and reads <= totals:
        made = {entry.formula for one in at.subjects if (entry := index().get(key(one.given)))}
        if len(made) > 1:
            at.refuse(
                "energies of different atoms cannot be compared",
                "energy of ethylene + H2 -> ethane",
            )
    _stability(at, reads)
    asked = (one["task"] for one in at.asked.get("task", []))
    both = reads & {"ionisation", "affinity"} and BOTH_KINDS.search(at.text)
    tasks = [] if both else [one for one in asked if one in TASKS]
    if tasks:  # others are of another workflow
        at.asked["task"] = [{"task": max(tasks, key=TASKS.index)}]
    if len(at.asked.get("level", ())) > 1 and (
        "relaxation" in reads
        or ("geometry" in reads and "compare" not in reads)
        or re.search("(?i)then|single.point", at.text)
    ):
        at.refuse("that may be a step at one level after another", "ask for one after the other")
    if "as is" in reads and tasks:
        at.refuse("frequencies and relaxed geometries need an optimisation", "leave that out")
    cells = [one["relax_cell"] for one in at.asked.get("relax_cell", [])]
    if len(cells) > 1:
        at.refuse("the cell is to be relaxed, and to be kept", "say one of the two")
    elif cells:
        at.notes.append(f"the cell is {'relaxed too' if cells[0] else 'kept as it is'}")
    if "relaxation" in reads:
        at.reads += [(len(at.text), "geometry")]
        at.reads += [(0, "energy")] if not reads - {"relaxation", "compare"} else []
    idle = {"as is", "relaxation", *(["states"] if any(map(STATE.fullmatch, reads)) else [])}
    at.reads = [one for one in at.reads if one[1] not in idle]
    if "solvation" in at.asked and "solvent" not in at.asked:
        at.refuse("a model of solvation needs a solvent", "energy of acetone in water (SMD)")
    counts = [one["states"] for one in at.asked.get("states", [])]
    counts = counted(at.text) or counts  # "UV spectrum" alone asks for as many as are usual
    if counts or "states" in reads or "response" in at.asked:
        at.asked["states"] = [{"states": max(counts, default=5)}]
        if tasks and {"relaxation", "geometry"} & reads and not FIRST.search(at.text):
            at.refuse("geometries of excited states are not relaxed here", "S1 of formaldehyde")
    _loose_solvent(at)
    if TIGHT.search(at.text) and not {"level", "method", "basis"} & {*at.asked}:
        at.ask("level", {"method": "GFN2-xTB"})
    if at.workflow == "counterpoise":
        files = [one for one in at.subjects if "." in one.given or "id/" in one.given]
        at.subjects = files if len(files) == 1 else at.subjects
        if tasks:
            at.refuse("an interaction is that of a geometry as it is given", "optimise it first")
        names = [one.given for one in at.subjects]
        names *= 2 if len(names) == 1 and DIMERISES.search(at.text) and beside(names) else 1
        if not files and len(names) == 2 and (whole := beside(names)):
            first, last = at.subjects[0], at.subjects[-1]
            said = f"{names[0]} beside {names[1]} is {whole}, in the best of a few arrangements"
            at.subjects = [Named(first.start, last.end, whole, said)]
        elif len(at.subjects) > max(len(files), 1):
            at.refuse(
                "molecules were named apart; an interaction is that of one structure, which holds "
                "them beside each other",
                "interaction energy of complex.xyz",
                'interaction energy of "O.N"',
            )


TIGHT = re.compile(r"(?i)\b(?:ALPB|GBSA)\b")
"""Models of solvation that tight binding alone has."""

DIMERISES = re.compile(r"(?i)\bdimeri[sz]ation (?:energy|strength)\b(?!.*(?:->|→))")


def _without_orbitals(at: Sentence, reads: set[str]) -> None:
    """Refuse gaps at levels that have no orbitals, before anything is computed."""
    for read in [one for one in ("band_gap", "gap") if one in reads]:
        for method in [str(one.get("method", "")) for one in at.asked.get("level", ())]:
            if any(one.recognises(method) and not one.orbitals for one in programs()):
                said = read.replace("_", " ")
                named = [one.given for one in at.subjects[:1]]
                at.refuse(
                    f"{method} has no orbitals, and so no {said}",
                    *(f"{said} of {one} at GFN1-xTB" for one in named),
                )


def _stability(at: Sentence, reads: set[str]) -> None:
    """Relax isomers of which the more stable is asked for, and tell it; not what files hold."""
    named = {
        one.given for one in at.subjects if not (FILE.fullmatch(one.given) or "id/" in one.given)
    }
    isomers = len(named) > 1 and len(named) == len({one.given for one in at.subjects})
    usual = not at.workflow and not at.source and "task" not in at.asked
    if not (usual and isomers and "compare" in reads and reads <= {"compare", "energy"}):
        return
    if STABLER.search(at.text) and not UNRELAXED.search(at.text):
        at.ask("task", "optimise")
        at.notes.append("the geometries are relaxed, as stabilities are asked for")


def _one_phase(at: Sentence, inside: list[dict[str, Any]]) -> None:
    """Refuse what is said to be in a solvent and in none, where these are not compared."""
    named = [str(one["solvent"]) for one in inside if one.get("solvent")]
    none = NO_SOLVENT.search(at.text)
    if not named or none is None or len(named) == len(inside):
        return
    places = [at.text.find(one) for one in named]
    for place, one in zip(places, named, strict=True):
        first, last = sorted([(place, place + len(one)), none.span()])
        if not re.search(
            r"(?i)[,;/]|\b(?:and|or|vs|versus|to|than|compared with)\b", at.text[first[1] : last[0]]
        ):
            at.refuse(f"{one} is a solvent, and “{none[0]}” says that there is none", "say which")


def _loose_solvent(at: Sentence) -> None:
    """Take a liquid behind a comma for the solvent; refuse it where it may be the next molecule."""
    ordered = sorted(at.subjects, key=lambda one: one.start)
    if len(ordered) != 2 or re.search(r"\b(?:and|or)\b", at.text):
        return
    last = ordered[-1]
    if key_of(last.given) in LIQUIDS and at.text[: last.start].endswith(", "):
        apart = at.text[ordered[0].end : last.start] != ", " and not SEVERAL.search(at.text)
        if apart and "solvent" not in at.asked:
            at.ask("solvent", last.given)
            at.subjects.remove(last)
            return
        head, rest = at.text[: last.start - 2], at.text[last.end :]
        both = (f"{head} {word} {last.given}{rest}" for word in ("in", "and"))
        at.refuse(f"{last.given} may be the solvent or another molecule", *both)


BOTH_KINDS = re.compile(r"(?i)\b(vertical and adiabatic|adiabatic and vertical)\b")
"""Of ionisation energies and affinities: each is a difference of its own."""

DIFFERENCES = {
    "ionisation": (
        ("ionisation energy", 0, 1),
        "the ionisation energy is that of the ion, less that of the molecule",
    ),
    "affinity": (
        ("electron affinity", 0, -1),
        "the electron affinity is the energy of the molecule, less that of the anion: negative "
        "where the anion lies above it",
    ),
    "solvated": (
        ("solvation energy", -1, 1),
        "the solvation energy is that in the solvent, less that in the gas phase: negative where "
        "the gas phase lies above it",
    ),
}
"""Of each the name, the place of the energy that is taken off, the sign of what is left; and that
in words."""


def _differences(at: Sentence, reads: set[str]) -> None:
    """Make differences of energies of what is asked for by their names."""
    if not reads & {"ionisation", "affinity", "solvated"}:
        return
    if len(reads & {"ionisation", "affinity", "solvated", "energy", "gibbs", "enthalpy"}) > 1:
        at.refuse("these are differences of several energies", "ask for one, then for the other")
    charges = [one for one in at.mentions if one[2] == "charge" and "solvated" not in reads]
    if charges and len(at.subjects) > 1:
        at.refuse("ionisation energies and affinities are asked for one molecule at a time")
    if any(loose for *_, loose in charges):
        at.refuse("a charge besides that of an ionisation energy or an affinity is not understood")
    if "solvated" not in reads:  # as a SMILES it is a hydride: Cl is hydrogen chloride
        at.subjects = [
            replace(one, given=f"[{one.given}]", said=f"an atom of {one.given}")
            if one.given in SYMBOLS[1:]
            else one
            for one in at.subjects
        ]
    for one in at.subjects if "solvated" not in reads else ():
        if key(one.given) in DIATOMIC and one.given.lower() in at.text.lower():
            atom, both = (
                re.sub(rf"(?i)\b{one.given}\b", n, at.text, count=1)
                for n in (f"the {one.given} atom", DIATOMIC[key(one.given)])
            )
            at.refuse(f"{one.given} may be the atom or the molecule", atom, both)
    before = at.before if at.before and "charge" in {one[2] for one in at.before.mentions} else None
    if before and "task" not in before.asked and "adiabatic" not in at.text and not at.subjects:
        at.asked.pop("task", None)  # an affinity after a vertical ionisation is vertical, too
    if reads & {"ionisation", "affinity"}:
        at.outside = "an electron"
    if "solvated" in reads:
        model = next(iter(at.asked.pop("solvation", [])), dict[str, Any]())
        if "hydration" in at.text.lower():
            at.asked.setdefault("solvent", [{"solvent": "water"}])
        if inside := [one for one in at.asked.get("solvent", []) if one["solvent"]]:
            at.asked["solvent"] = [*(one | model for one in inside), {}]
        else:
            at.refuse("in which solvent is not said", "solvation energy of phenol in water")
        if "task" in at.asked:
            at.refuse(
                "a solvation energy is that of a geometry as it is given", "optimise it first"
            )
    for (name, place, sign), meaning in (one for n, one in DIFFERENCES.items() if n in reads):
        at.difference = (name, place, sign)
        at.notes.append(meaning)
        if "solvated" not in reads:
            at.kinds = {"task": {"": "vertical", "energy": "vertical", "optimise": "adiabatic"}}
            at.notes.append(
                "vertical: both at the geometry as it is given; adiabatic: each at its own, relaxed"
            )
    at.reads = [one for one in at.reads if one[1] not in ("ionisation", "affinity", "solvated")]
    at.reads += [(0, "energy"), (0, "compare")]


GEOMETRIES = re.compile(
    r"(?: ?// ?| (?:at|on|with|using|from) (?:the )?"
    r"(?=[^ ]{1,60}(?: \w{1,12})? (?:geometr|struct)))"
    r"(?P<method>[\w()-]{1,30}?)(?:/(?P<basis>[\w()*+-]{1,30}?))?"
    r"(?:[- ](?:optimi[sz]ed|relaxed))?(?: geometr(?:y|ies)| structures?)?(?![\w()*+/-])"
)
"""The level of the geometries, behind that of the energies."""


def _levels(at: Sentence) -> None:
    """Take out methods and basis sets."""
    levels: list[dict[str, Any]] = []
    below: dict[str, Any] = {}
    for one in GEOMETRIES.finditer(at.rest):
        if named := _method(at, one["method"]):
            at.blank(*one.span())
            below = named | ({"basis": one["basis"]} if one["basis"] else {})
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
    if below and len(levels) == 1 and "method" in levels[0]:
        at.ask("energy_at", "/".join(filter(None, map(levels[0].get, ("method", "basis")))))
        levels = [below]
    elif below:
        at.refuse("it is not said at which level the energies are, of the geometries alone")
    for one in levels:
        at.ask("level", one)


def _in_two(at: Sentence) -> None:
    """Refuse energies at one level on geometries of another where these are two calculations."""
    below, above = at.asked["level"][0], str(at.asked["energy_at"][0]["energy_at"])
    level = "/".join(filter(None, map(below.get, ("method", "basis"))))
    lines = (
        f"grafico run {shlex.quote(one.given)} --task optimise --level {shlex.quote(level)} && "
        f"grafico run last --level {shlex.quote(above)}"
        for one in at.subjects
    )
    at.refuse(f"energies at {above} on geometries of {level} are two calculations", *lines)


def _better_basis(at: Sentence) -> None:
    """Take the next basis set after the one before: “now with a bigger basis”."""
    before = at.before.asked.get("level", []) if at.before else []
    steps = BASIS_SETS.steps(before[0].get("basis", "")) if len(before) == 1 else ()
    if len(steps) < 2 or not at.take(BETTER):
        return
    if not any("basis" in one for one in at.asked.get("level", [])):  # it is not named besides
        at.ask("level", {"basis": steps[1]})


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
                fits = [f"{stem[:-2].rstrip('-')}-{n}" for n in ("D3", "D4", "V")]
                near = (at.text.replace(name, one) for one in fits if is_known(one))
                at.refuse(f"{name} brings the correction D2, which is not computed", *near)
            return {"method": stem} | ({"reference": reference} if reference else {})
    if any(program.recognises(name) for program in programs()):
        return {"method": name}
    if re.search(r"(?i)-?3c$", name) and is_known(name[:-2].rstrip("-")):
        other = f"{name[:-2].rstrip('-')}-D4/def2-TZVP"
        at.refuse(f"no method {name} is computed here", at.text.replace(name, other))
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
