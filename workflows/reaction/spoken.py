"""How people ask for a reaction: "reaction enthalpy of C=C + [H][H] -> CC at HF/STO-3G"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from workflows.molecule.table import index, key
from workflows.registry.spoken import Named, Sentence, is_name

from .written import FORMULA, balanced, equation, is_formula, plain_equations, spaced

TERM = r"(?:(?:\d{1,4}(?:\.\d{1,4}|/\d{1,4})?|½) )?[^\s\0+,;:]\S*(?: ?\{[^{}\0]{1,40}\})?"
SIDE = rf"{TERM}(?: \+ {TERM}){{0,9}}"
_ARROW = r" (?:-+>|=+>|<=+>|<-+>|=|[→⟶⇒⇌⇄]) "
EQUATION = re.compile(rf"(?<!\S){SIDE}{_ARROW}{SIDE}(?!\S)")


STATES = re.compile(r"^[ST]\d (?:-+>|→) [ST]\d")
"""An excitation, which is written as a reaction is."""
FILES = re.compile(r"[.]\w+$|[:/]")
ASK = "reaction energy of ethylene + H2 -> ethane"
ARROW = re.compile(_ARROW)
PART = re.compile(r"(?:(?<=^)|(?<=\+ )|(?<=> )|(?<=→ )|(?<=\d ))[^\s+,;:]+(?: [a-z]+)*")

BORDER = re.compile(r"[\0,;:?!]|[.](?=\s)")
"""Where an equation of names cannot go on."""
COUNT = re.compile(r"^(?:\d{1,4}(?:\.\d{1,4}|/\d{1,4})?|½) ")
COUNTED = re.compile(rf"(?:^|\+ |> ){COUNT.pattern[1:]}")
MOST_WORDS = 5
"""Of a species, with its number."""

_HEAT = r"(?:enthalpy|heat|energy|free energy|gibbs (?:free )?energy|delta [hge]|[δΔ] ?[hge])"
_FIRST = (
    rf"(?:(?:the |a )?(?:(?:standard|molar|total|reaction) )*{_HEAT}s?(?: change)? (?:of|for) )?"
    r"(?:(?:the|complete|full|standard|molar|total|catalytic) )*"
)
_LAST = rf"(?: (?:reaction|{_HEAT}s?))*(?: of| for)?(?: the)?(?![\w-])"
HAPPENS = {
    "combustion": re.compile(
        rf"(?i)\b{_FIRST}(?:combustion|burning|calorific value|heating value){_LAST}"
    ),
    "hydrogenation": re.compile(rf"(?i)\b{_FIRST}hydrogenation{_LAST}"),
    "atomisation": re.compile(rf"(?i)\b{_FIRST}atomi[sz]ation{_LAST}"),
    "proton affinity": re.compile(
        rf"(?i)\b(?:{_FIRST}protonation|(?:gas[- ]phase )?proton affinit(?:y|ies)|"
        rf"gas[- ]phase basicit(?:y|ies)){_LAST}"
    ),
}
"""What happens to a molecule, by which a reaction is named."""

PROTON = (
    "the proton affinity is the enthalpy change, the gas-phase basicity the Gibbs change, of the "
    "loss of the proton"
)

NAMED_BY = "named by"
"""Where it is kept until the molecules are read."""

OF_IT = ("enthalpy", "equilibrium_constant", "gibbs", "thermochemistry", "react")
"""What is told of a reaction whatever is asked for."""


_NAME = r"[^\s,;:?!()\0]+(?: [^\s,;:?!()\0]+){0,2}?"
_KINDS = (
    r"reaction|(?:cyclo-?)?addition|isomeri[sz]ation|conversion|rearrangement|tautomeri[sz]ation|"
    r"dimeri[sz]ation|trimeri[sz]ation|cycli[sz]ation|ring[ -](?:opening|closure|closing)|"
    r"hydrogenation|dehydrogenation|hydration|dehydration|decomposition|dissociation|hydrolysis|"
    r"enoli[sz]ation|equilibrium constant|K_?eq|equilibrium|interconversion|transformation|"
    r"esterification|oxidation|reduction"
)
IN_WORDS = re.compile(
    r"(?i)(?:\b(?:for|of|the|energy|enthalpy|heat|diels-alder|claisen|cope|addition|"
    r"hydrogenation) )*"
    rf"\b(?P<kind>{_KINDS})"
    r"(?: energy| enthalpy| free energy| heat)? (?:of|between|from|for) "
    rf"(?P<left>{_NAME}(?:,? (?:and|with|\+|to) {_NAME})?)"
    r",? (?:(?:giving|gives|yielding|forming|producing|into)|to(?: give| form| yield)?) "
    rf"(?P<right>(?:{_NAME} and )?[^\s,;:?!()\0]+(?: [^\s,;:?!()\0]+){{0,2}})"
)
"""A reaction that is told, each of whose parts stands once in it."""

TAKEN = {"hydrogenation": ("H2", 1), "dehydrogenation": ("H2", -1), "hydration": ("water", 1),
         "hydrolysis": ("water", 1), "dehydration": ("water", -1)}  # fmt: skip
"""What such a reaction takes up besides, or gives off."""


def _balanced(kind: str, sides: list[list[str]]) -> list[list[str]]:
    """Return the sides of a reaction with what its kind takes up, and how many of its one part."""
    left, right = (_counted(one) for one in sides)
    if not left or not right or left == right:
        return sides
    if len(sides[0]) == 1 and len(sides[1]) == 1:  # a dimer of one, two of which one is made
        times = {right.get(one, 0) / left[one] for one in left}
        if {*left} == {*right} and times <= {2.0, 3.0} and len(times) == 1:
            return [[f"{int(*times)} {sides[0][0]}"], sides[1]]
        if {*left} == {*right} and times == {0.5}:
            return [sides[0], [f"2 {sides[1][0]}"]]
    what, sign = TAKEN.get(kind.lower(), ("", 0))
    other = _counted([what]) if what else {}
    more = {n: sign * (right.get(n, 0) - left.get(n, 0)) for n in {*left, *right}}
    number = max((more[n] / other[n] for n in other if n in more), default=0)
    if number > 0 and all(more[n] == number * other.get(n, 0) for n in more) and number % 1 == 0:
        taken = f"{int(number)} {what}" if number > 1 else what
        return [sides[0] + [taken] * (sign > 0), sides[1] + [taken] * (sign < 0)]
    return sides


def wholes(at: Sentence) -> None:
    """Take out equations: before their parts are read as molecules, or `2 F` as a temperature."""
    for found in IN_WORDS.finditer(at.rest):
        *more, last = re.split(" and ", found["right"])
        words = last.split(" ")
        tried = (" ".join(words[:n]) for n in range(len(words), 0, -1))
        right = [*more, next(filter(is_name, tried), "")]
        sides = [re.split(r",? (?:and|with|\+|to) ", found["left"]), right]
        if not all(is_name(one) for side in sides for one in side):
            continue
        sides = _balanced(found["kind"], sides)
        text = " -> ".join(" + ".join(side) for side in sides)
        at.blank(found.start(), found.start("right") + len(" and ".join(right)))
        at.subjects.append(Named(found.start(), found.end(), text, f"the reaction is {text}"))
        at.reads.append((found.start(), "react"))
        at.workflow = "reaction"
    plain = [
        one.span()
        for one in EQUATION.finditer(at.rest)
        if not STATES.search(one[0]) and (" = " not in one[0] or _is_equation(one[0]))
    ]
    places = [*_named_equations(at.rest), *plain_equations(at.rest), *plain]
    for start, end in places:
        text = at.rest[start:end].rstrip(",;:.?!")
        if "\0" in text:  # it is taken out already
            continue
        at.blank(start, start + len(text))
        plain = spaced(text)
        given = text if ARROW.sub(" -> ", text) == plain else plain
        given = given.replace(" = ", " -> ")
        at.subjects.append(Named(start, start + len(text), given))
        at.reads.append((start, "react"))
        at.workflow = "reaction"
    for kind, phrase in HAPPENS.items() if at.workflow != "reaction" else ():
        if found := at.take(phrase):
            at.ask(NAMED_BY, kind)
            at.workflow = "reaction"
            at.reads.append((found[0].start(), "react"))


def _is_equation(text: str) -> bool:
    """Tell whether what has an equals sign is an equation, and not `T = 298`."""
    return all(_is_sure(one) for side in ARROW.split(text) for one in side.split(" + "))


def _is_sure(part: str) -> bool:
    """Tell whether a part is a name or a formula."""
    name = COUNT.sub("", part)
    return is_name(name) or bool(re.fullmatch(FORMULA, name) and is_formula(name))


def _named_equations(rest: str) -> Iterator[tuple[int, int]]:
    """Iterate over the places of equations in which a name has several words, as acetic acid."""
    for arrow in ARROW.finditer(rest):
        first = max((at.end() for at in BORDER.finditer(rest, 0, arrow.start())), default=0)
        last = next((at.start() for at in BORDER.finditer(rest, arrow.end())), len(rest))
        left = rest[first : arrow.start()].split(" + ")
        right = rest[arrow.end() : last].split(" + ")
        words = left[0].split(" ")
        heads = (" ".join(words[n:]) for n in range(max(0, len(words) - MOST_WORDS), len(words)))
        head = next(filter(_is_species, heads), "")
        words = right[-1].split(" ")
        tails = (" ".join(words[:n]) for n in range(min(MOST_WORDS, len(words)), 0, -1))
        tail = next(filter(_is_species, tails), "")
        between = [*left[1:], *right[:-1]]
        several = any(" " in COUNT.sub("", one) for one in (head, tail, *between))
        certain = arrow[0] != " = " or all(map(_is_sure, (head, tail, *between)))
        if head and tail and several and certain and all(map(_is_species, between)):
            start = first + len(left[0]) - len(head)
            yield start, last - len(right[-1]) + len(tail)


def _is_species(text: str) -> bool:
    """Tell whether a text is one species of an equation: a name of some words, or what has none."""
    name = COUNT.sub("", text.rstrip(".?!"))
    return name == name.strip() and (
        is_name(name) if " " in name else re.fullmatch(TERM, name) is not None
    )


def _counted(names: list[str]) -> dict[str, float]:
    """Return how many atoms of each element some molecules have; nothing if one is not known."""
    found: dict[str, float] = {}
    for part in names:
        times, name = re.fullmatch(r"(\d+(?:\.\d+)? )?(.*)", part.strip()).groups("1")  # type: ignore[union-attr]
        if (entry := index().get(key(name))) is None:
            return {}
        for symbol, number in re.findall(
            r"([A-Z][a-z]?)(\d*)", re.sub(r"[+-]\d*$", "", entry.formula)
        ):
            found[symbol] = found.get(symbol, 0) + float(times) * int(number or 1)
    return found


def _with_counts(text: str) -> str:
    """Return an equation with the counts with which it balances; empty if there are none."""
    sides = [side.split(" + ") for side in ARROW.split(text)]
    names = [COUNT.sub("", one) for side in sides for one in side]
    species: list[dict[object, int]] = [
        {kind: int(n) for kind, n in _counted([one]).items()} for one in names
    ]
    counts = balanced(species, len(sides[0]))
    return equation(names, counts, len(sides[0])) if counts else ""


def settle(at: Sentence) -> None:
    """Enthalpy and Gibbs energy of a reaction are told with it; what reacts is no other subject."""
    names = {name for _, name in at.reads}
    if at.before and at.before.workflow == "reaction" and not (at.subjects or at.workflow):
        at.workflow = "reaction" if names and names <= {*OF_IT, "energy"} else ""
    if kinds := at.asked.pop(NAMED_BY, []):
        kind = kinds[0][NAMED_BY]
        at.subjects = [replace(one, given=f"{kind} of {one.given}") for one in at.subjects]
        at.notes += [PROTON] if kind == "proton affinity" else []
        at.reads = [one for one in at.reads if one[1] not in (*OF_IT, "energy")] + [(0, "react")]
    elif at.workflow == "reaction":
        parts = [key(part) for one in at.subjects for part in PART.findall(one.given)]
        known = {id(index().get(part)) for part in parts if part in index()}
        for one in at.subjects:
            sides = [_counted(side.split(" + ")) for side in ARROW.split(one.given)]
            if all(sides) and sides[0] != sides[-1]:
                whole = _with_counts(one.given)
                counts = COUNTED.search(one.given)
                if counts or not whole:
                    other = "write it with its numbers: 2 H2 + O2 -> 2 H2O"
                    at.refuse(f"{one.given} is not balanced", whole or other)
        whole = [one for one in at.subjects if EQUATION.fullmatch(one.given)]
        others = [one for one in at.subjects if one not in whole]
        if whole and all(id(index().get(key(one.given))) in known for one in others):
            at.subjects = whole
        elif at.subjects and not whole and not any("->" in one.given for one in at.subjects):
            if all(FILES.search(one.given) is None for one in at.subjects):
                at.refuse("a reaction is written with an arrow", ASK)
        elif whole and others:
            at.refuse(f"{others[0].given} is no part of the reaction", "leave it out")
        at.reads = [one for one in at.reads if one[1] not in OF_IT] + [(0, "react")]
