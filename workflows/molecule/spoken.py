"""What people write for molecules, their charges and their spins."""

from __future__ import annotations

import difflib
import functools
import re

from ontologies.elements import SYMBOLS
from workflows.spoken import GAP, Named, Reading

from .names import Entry, folded, index, is_formula, key, spellings, table
from .recognition import FILE, smiles_fault

SMILES_LIKE = re.compile(r"[=#@\[\]/\\]|[cnos]\d|[A-Z]\d|\([A-Za-z=#]")
PATH = re.compile(r"[^\s\0,;()\[\]\"'<>|]{1,200}\.\w{2,6}(?![\w-])")
INCHI = re.compile(r"InChI=[^\s\0\"']{2,1000}", re.IGNORECASE)
LOCANTS = re.compile(
    r"(?<![A-Za-z])(?:\d{1,2}[a-z]?'{0,2}|[NOSP]'?)(?:,(?:\d{1,2}'{0,2}|[NOSP]'?))+"
)
ION = re.compile(r"((?:[A-Z][a-z]?\d{0,2}|[()]\d{0,2}){1,8})(?:\^?(\d?)([+-]))")
_ELEMENTS = """
carbon C nitrogen N oxygen O fluorine F chlorine Cl silicon Si sulfur S phosphorus P boron B
lithium Li sodium Na potassium K magnesium Mg calcium Ca aluminium Al iron Fe copper Cu zinc Zn
helium He neon Ne argon Ar
"""
ELEMENTS: dict[str, str] = dict(zip(_ELEMENTS.split()[::2], _ELEMENTS.split()[1::2], strict=True))
CLASSES = re.compile(
    r".*(?:acid|alcohol|ether|ketone|aldehyde|chloride|bromide|iodide|fluoride|oxide|cyanide|"
    r"sulfide|amine|nitrile|hydride|amide|[a-z]{3}ate)"
)
"""Second words of systematic names, such as methyl vinyl ketone."""
ENDINGS = re.compile(
    r"[\w,'()\[\]+.-]*[a-z]{3}(?:ane|ene|yne|ol|one|amine|amide|nitrile|acid|oate|ether|benzene|"
    r"ine|ide|ose|urea|ate|\([IV]{1,3}\))(?:-[\d,'-]+)?"
)


def notations(at: Reading) -> None:
    """Take out files, InChI and SMILES."""
    for one in PATH.finditer(at.rest):
        if FILE.fullmatch(one[0]):
            at.subjects.append(Named(*one.span(), one[0]))
            at.blank(*one.span())
    for one in at.take(INCHI):
        at.subjects.append(Named(*one.span(), one[0].rstrip(".,;")))
    for start, end in pieces(at.rest):
        text = at.rest[start:end]
        other = key(text) in index() or re.fullmatch(r"(?i)[stcm]\d+h?", text)
        shaped = len(text) > 2 and SMILES_LIKE.search(text) and smiles_fault(text) is None
        if shaped and not other:
            at.blank(start, end)
            at.subjects.append(Named(start, end, text))


def names(at: Reading) -> None:
    """Take out names and formulas: the longest first."""
    places = pieces(at.rest)
    n = 0
    while n < len(places):
        for size in range(min(6, len(places) - n), 0, -1):
            start, end = places[n][0], places[n + size - 1][1]
            between = at.rest[start:end].split(" ")
            whole = len(between) == size and GAP not in at.rest[start:end]
            if whole and (found := _molecule(at, at.rest[start:end], start, end)):
                radical = re.match(" radicals?(?!\\w)", at.rest[end:])
                at.subjects.append(found)
                at.blank(start, end + radical.end() if radical and _is_odd(found.given) else end)
                n += size - 1
                break
        n += 1


def settle(at: Reading) -> None:
    """Refuse what looks like a solvent, and is none."""
    for one in at.subjects if len(at.subjects) > 1 else ():
        if re.search(r"(?i)\bin (?:(?!of\b|for\b|between\b)\w+ ){0,2}$", at.text[: one.start]):
            at.refuse(
                f"no solvent {one.given} is known", "name another, or its permittivity: ε = 10"
            )


def near(word: str) -> str:
    """Return the name in the table that a word is a slip of, empty for none."""
    close = difflib.get_close_matches(folded(word), spellings(), 1, 0.82)
    return spellings()[close[0]] if close else ""


def pieces(rest: str) -> list[tuple[int, int]]:
    """Return where words stand, without punctuation around them; commas of locants are no such."""
    inside = {n for one in LOCANTS.finditer(rest) for n in range(*one.span())}
    found: list[tuple[int, int]] = []
    for one in re.finditer(rf"[^\s{GAP}]+", rest):
        cuts = [n for n in range(*one.span()) if rest[n] in ",;" and n not in inside]
        for a, b in zip([one.start(), *(n + 1 for n in cuts)], [*cuts, one.end()], strict=True):
            while b > a and (rest[b - 1] in ".:?!" or _unmatched(rest[a:b], -1)):
                b -= 1
            while b > a and (rest[a] in ".:" or _unmatched(rest[a:b], 0)):
                a += 1
            found += [(a, b)] if b > a else []
    return found


def _unmatched(word: str, place: int) -> bool:
    pairs = ("()", "[]")
    return any(word[place] in pair and word.count(pair[0]) != word.count(pair[1]) for pair in pairs)


def _molecule(at: Reading, text: str, start: int, end: int) -> Named | None:
    """Return the molecule that a text names, if it does."""
    formula = is_formula(text)
    entry = index().get(key(text))
    if entry is None and not formula:
        entry = index().get(key(text.removesuffix("s"))) if len(text) > 4 else None
        usual = spellings().get(folded(text), "") if re.search(r"\d", text) else ""
        entry = entry or index().get(usual)  # h2o
    if entry is None and re.match(r"\s*radical", at.text[end : end + 12]):
        entry = index().get(folded(text) + "radical")
    if entry is not None:
        bare = re.sub("(?i) radical$", "", text)
        text = bare if index().get(key(bare)) is entry else text
        usual = formula or key(text) not in index()
        given = entry.names[0] if usual else text
        said = f"{text} is {given}" if formula and given != text else ""
        return Named(start, end, given, said, {"charge": _charge(entry)})
    if atom := re.fullmatch(r"([A-Za-z]+)( atoms?)?", text):
        symbol = ELEMENTS.get(atom[1].lower()) or (atom[1] if atom[1] in SYMBOLS[1:] else "")
        if symbol and not (atom[1] == symbol and smiles_fault(symbol) is None and not atom[2]):
            return Named(start, end, f"[{symbol}]", f"an atom of {symbol}", {"charge": 0})
    if ion := ION.fullmatch(text):
        return _ion(at, ion, start, end)
    if smiles_fault(text) is None and not text.islower() and text != "I":
        return Named(start, end, text, f"{text} is read as a SMILES", {"charge": 0})
    if formula and len(text) > 2:
        same = _formulas().get((_composition(text), 0), [])
        at.refuse(
            f"{text} is a formula; molecules are told apart by their names",
            *(f"energy of {one.names[0]}" for one in same[:4]),
        )
    elif _systematic(text):
        return Named(start, end, text, f"{text} is a systematic name, to be looked up")
    return None


def _ion(at: Reading, found: re.Match[str], start: int, end: int) -> Named | None:
    """Return the ion of a formula such as NH4+ or SO4^2-."""
    bare, figures, sign = found.groups()
    readings = [(_composition(bare), int(sign + (figures or "1")))]
    if not figures and "^" not in found[0] and bare[-1].isdigit():
        readings.append((_composition(bare[:-1]), int(sign + bare[-1])))
    for one in readings:
        if len(same := _formulas().get(one, [])) == 1:
            name = same[0].names[0]
            return Named(start, end, name, f"{found[0]} is {name}", {"charge": one[1]})
    at.refuse(f"{found[0]} is a formula that no ion of the table has alone", "give its name")
    return None


def _systematic(text: str) -> bool:
    if "/" in text:
        return False
    *before, last = text.lower().split(" ")
    if before:
        parts = r"\S{0,60}yl|\S{3,}oic|\S{2,10}ium|di|tri"
        known = all(re.fullmatch(parts, word) or word in ELEMENTS for word in before)
        return known and bool(CLASSES.fullmatch(last))
    if re.search(r"\d", last) and "-" in last and re.search(r"[a-z]{3}", text):
        return True
    return 5 < len(last) < 200 and bool(ENDINGS.fullmatch(last.replace("iii", "III")))


def _is_odd(name: str) -> bool:
    """Return whether a molecule of the table has an odd number of electrons."""
    entry = index().get(key(name))
    atoms = _composition(entry.formula) if entry else ()
    protons = sum(SYMBOLS.index(symbol) * count for symbol, count in atoms)
    return bool(entry and (protons - _charge(entry)) % 2)


def _charge(entry: Entry) -> int:
    found = re.search(r"([+-])(\d*)$", entry.formula)
    return int(found[1] + (found[2] or "1")) if found else 0


@functools.cache
def _formulas() -> dict[tuple[tuple[tuple[str, int], ...], int], list[Entry]]:
    """Return the molecules of the table by their atoms and charge."""
    found: dict[tuple[tuple[tuple[str, int], ...], int], list[Entry]] = {}
    for entry in table():
        atoms = _composition(re.sub(r"[+-]\d*$", "", entry.formula))
        found.setdefault((atoms, _charge(entry)), []).append(entry)
    return found


def _composition(formula: str) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    flat = re.sub(r"\(([A-Za-z0-9]{1,12})\)(\d{0,2})", lambda m: m[1] * int(m[2] or 1), formula)
    for symbol, number in re.findall(r"([A-Z][a-z]?)(\d{0,3})", flat):
        counts[symbol] = counts.get(symbol, 0) + int(number or 1)
    return tuple(sorted(counts.items()))
