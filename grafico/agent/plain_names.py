"""The molecules of a plain request: which words name one, and how each is to be given."""

from __future__ import annotations

import difflib
import functools
import re

from ontologies.elements import SYMBOLS
from workflows.molecule.names import FORMULA as NEUTRAL
from workflows.molecule.names import Entry, folded, index, is_formula, key, spellings, table
from workflows.molecule.recognition import FILE, smiles_fault

from .plain_scan import Found, Reading
from .plain_tables import CLASSES, ENDINGS, ENGLISH, NAMED_ELEMENTS
from .plain_words import BINDING, KEYWORDS, STOP

QUOTED = re.compile(
    r'"([^"]{1,300})"|`([^`]{1,300})`|(?<![^\s(,;:])\'([^\']{1,300})\'(?![^\s),.;:?!])'
)
PATH = re.compile(
    r"(?i)[^\s\0,;()\[\]\"'<>|]{0,200}[^\s\0,;()\[\]\"'<>|.:]\.(?:xyz|extxyz|mol2?|sdf|"
    r"cif|pdb|cml)(?![\w-])"
)
IRI = re.compile(r"https?://w3id\.org/grafico/id/\w+/[\w-]+|(?<![\w/:])(?:g:)?id/\w+/[\w-]+")
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s\0]*")
INCHI = re.compile(r"InChI=[^\s\0\"']{2,1000}", re.IGNORECASE)

LOCANT_BEHIND = re.compile(r"(?:-\d[\d,'-]{0,12}|\([IV]{1,4}\))$")
LOCANTS = re.compile(
    r"(?<![A-Za-z])(?:\d{1,2}[a-z]?'{0,2}|[NOSP]'?)(?:,(?:\d{1,2}[a-z]?'{0,2}|[NOSP]'?)"
    r"){1,9}(?![A-Za-z])"
)
FORMULA_WITH_CHARGE = re.compile(r"((?:[A-Z][a-z]?\d{0,2}|[()]\d{0,2}){1,8})(?:\^?(\d?)([+-]))$")
CONDENSED = re.compile(r"(?:[A-Z][a-z]?\d{0,3}|\(|\)\d{0,2}){2,}")
LOOKS_SMILES = re.compile(r"[=#@\[\]/\\]|[cnos]\d|[A-Z]\d|\([A-Za-z=#]")


def take_given(at: Reading, files: tuple[str, ...]) -> None:
    """Take out the molecules that cannot be mistaken: quoted, files, IRIs, InChI, SMILES."""
    for one in at.take(QUOTED):
        inner = (one[1] or one[2] or one[3] or "").strip()
        if inner:
            at.molecules.append(Found(one.start(), one.end(), inner, "as quoted"))
    for name in sorted({name for name in files if name.strip()}, key=len, reverse=True):
        start = at.rest.find(name)
        if start >= 0:
            at.blank(start, start + len(name))
            at.molecules.append(Found(start, start + len(name), name, "a file"))
    for one in URL.finditer(at.rest):
        if not IRI.match(one[0]):
            at.refuse(f"{one[0][:60]} cannot be fetched", "give a file, a name or a SMILES")
            at.blank(*one.span())
    for pattern, said in ((IRI, "by its IRI"), (INCHI, "an InChI")):
        for one in at.take(pattern):
            at.molecules.append(Found(one.start(), one.end(), one[0].rstrip(".,;"), said))
    for one in at.take(PATH):
        if FILE.fullmatch(one[0]):
            at.molecules.append(Found(one.start(), one.end(), one[0], "a file"))
    for one in re.finditer(r"[^\s\0]+", at.rest):
        start, end = _stripped(at.rest, one.start(), one.end())
        for a, b in _smiles_parts(at.rest, start, end):
            at.molecules.append(Found(a, b, at.rest[a:b], "a SMILES"))
    for one in at.molecules:
        at.blank(one.start, one.end)


def _smiles_parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the parts of a word that can be nothing but SMILES, none if not all of it is."""
    parts: list[tuple[int, int]] = []
    position = start
    for part in text[start:end].split(","):
        if len(part) < 3 or not LOOKS_SMILES.search(part) or smiles_fault(part) is not None:
            return []
        if key(part) in index() or re.fullmatch(r"(?i)s[0-9]|t[0-9]|c[0-9]h?|[cm]\d+", part):
            return []
        parts.append((position, position + len(part)))
        position += len(part) + 1
    return parts


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of a word without the punctuation around it."""
    while end > start and (text[end - 1] in ".,;:?!" or _unmatched(text[start:end], -1)):
        end -= 1
    while end > start and (text[start] in ".,;:" or _unmatched(text[start:end], 0)):
        start += 1
    return start, end


def _unmatched(word: str, place: int) -> bool:
    for left, right in ("()", "[]", "{}"):
        if word[place] == (right if place else left) and word.count(left) != word.count(right):
            return True
    return False


def take_names(at: Reading) -> list[tuple[str, bool]]:
    """Take the molecules out of what is left; return the other words, and whether each may be one.

    Words that stand together name one molecule, or a part of them does.
    """
    left: list[tuple[str, bool]] = []
    surrounding: list[Found] = []
    ends = {one.end for one in at.molecules}
    for run in _runs(at.rest):
        found = _longest(at, run)
        if found is None:
            words = [at.rest[a:b] for a, b in run]
            listed = _is_listed(at, run[0][0], ends)
            ends |= {run[-1][1]} if listed else set()
            left += [(word, listed and len(words) <= 2) for word in words]
            continue
        first, last, molecule = found
        before = [at.rest[a:b] for a, b in run[:first]]
        after = [at.rest[a:b] for a, b in run[last:]]
        whole = at.rest[run[0][0] : run[-1][1]]
        if (strange := [one for one in before[-1:] if not one.endswith("ly")]) and not slip(
            strange[0]
        ):
            at.refuse(
                f"“{strange[0]} {at.rest[molecule.start : molecule.end]}” is not known, and may be "
                f"something else than {molecule.given}",
                f'write it in quotation marks if it is a name: "{whole[:80]}"; else leave it out',
            )
        elif after and not after[0].endswith("ly") and not slip(after[0]):
            binds = after[0].lower().strip(".,") in BINDING
            at.refuse(
                f"“{at.rest[molecule.start : run[last][1]]}” is not known, and may be "
                f"something else "
                f"than {molecule.given}",
                "give a file of the structure, or a SMILES with the parts set apart by dots"
                if binds
                else f'write it in quotation marks if it is a name: "{whole[:80]}"; '
                f"else leave it out",
            )
        if re.search(r"(?i)\bin\s+(?:the\s+|liquid\s+|pure\s+)?$", at.rest[: molecule.start]):
            surrounding.append(molecule)
        at.molecules.append(molecule)
        ends.add(molecule.end)
        left += [(word, False) for word in (*before, *after)]
    if surrounding and len(at.molecules) > 1:
        name = at.rest[surrounding[0].start : surrounding[0].end]
        at.refuse(
            f"“in {name}” was asked for, and no solvent of that name is known",
            "name another solvent, or give its permittivity as in “ε = 10”",
        )
    return left


def _is_listed(at: Reading, start: int, ends: set[int]) -> bool:
    """Return whether what begins there stands where a molecule is expected."""
    before = at.rest[:start]
    if re.search(r"(?i)\b(?:of|for|compare|between)\s+(?:the\s+|an?\s+)?$", before):
        return True
    found = re.search(
        r"(?i)[\s)\"']*(?:,\s*and|,|\band|\bor|\bvs\.?|\bversus)\s*(?:the\s+|an?\s+)?$", before
    )
    return found is not None and found.start() in ends


def _runs(rest: str) -> list[list[tuple[int, int]]]:
    """Return the words that stand together, with nothing between them but spaces."""
    runs: list[list[tuple[int, int]]] = [[]]
    locants = {n for one in LOCANTS.finditer(rest) for n in range(*one.span())}
    shouted = not re.search("[a-z]", rest)
    end_before = -1
    for one in re.finditer(r"[^\s\0]+", rest):
        cuts = [n for n in range(*one.span()) if rest[n] in ",;" and n not in locants]
        for a, b in zip([one.start(), *(n + 1 for n in cuts)], [*cuts, one.end()], strict=True):
            start, end = _stripped(rest, a, b)
            word = rest[start:end]
            if not word or not re.search(r"\w", word) or _idle(word, shouted):
                runs.append([])
                continue
            if a != start or end_before < 0 or rest[end_before:start].strip(" "):
                runs.append([])
            runs[-1].append((start, end))
            end_before = end
            if end != b or cuts:
                runs.append([])
    return [run for run in runs if run]


def _idle(word: str, shouted: bool) -> bool:
    if word.lower() not in STOP:
        return False
    return shouted or not (
        len(word) > 1 and word.isupper() and is_formula(word) and key(word) in index()
    )


def _longest(at: Reading, run: list[tuple[int, int]]) -> tuple[int, int, Found] | None:
    run = run[:40]
    for size in range(min(len(run), 6), 0, -1):
        for first in range(len(run) - size + 1):
            start, end = run[first][0], run[first + size - 1][1]
            if found := _molecule(at, at.rest[start:end], start, end, size == len(run)):
                return first, first + size, found
    return None


def _molecule(at: Reading, text: str, start: int, end: int, whole: bool) -> Found | None:
    """Return the molecule that a text names, if it does."""
    entry = index().get(key(text)) or (None if is_formula(text) else _singular(text))
    usual = spellings().get(folded(text), "") if re.search(r"\d", text) else ""
    if entry is None and is_formula(usual) and not is_formula(text):  # h2o
        entry = index().get(usual)
    if entry is None and re.match(r"\s*radical", at.text[end : end + 12]):
        entry = index().get(folded(text) + "radical")
    if entry is not None:
        given, said = text, ""
        if is_formula(text) and smiles_fault(text) is None:
            given = entry.names[0]
            said = f"{given}, by its formula; as a SMILES it would be another molecule"
        elif is_formula(text) and folded(text) != folded(entry.names[0]):
            given, said = entry.names[0], f"{entry.names[0]}, by its formula"
        elif key(text) not in index():
            given = entry.names[0]
        return Found(start, end, given, said, _charge(entry))
    if " " in text:
        return _atom(text, start, end) or (
            Found(start, end, text, "a systematic name, to be looked up")
            if whole and _systematic(text)
            else None
        )
    if charged := _charged(at, text, start, end):
        return charged
    if CONDENSED.fullmatch(text) and is_formula(text) and smiles_fault(text) is not None:
        return _isomers(at, text, start, end)
    if smiles_fault(text) is None and text not in ("I",) and not text.islower():
        return Found(start, end, text, f"{text} is read as a SMILES, hydrogens implied", 0)
    if text in SYMBOLS[1:]:
        return Found(start, end, f"[{text}]", f"an atom of {text}", 0)
    if text.lower() in NAMED_ELEMENTS:
        symbol = NAMED_ELEMENTS[text.lower()]
        return Found(start, end, f"[{symbol}]", f"an atom of {symbol}", 0)
    return (
        Found(start, end, text, "a systematic name, to be looked up") if _systematic(text) else None
    )


def _singular(text: str) -> Entry | None:
    return index().get(key(text[:-1])) if len(text) > 4 and text.endswith("s") else None


def _atom(text: str, start: int, end: int) -> Found | None:
    found = re.fullmatch(r"([A-Za-z]+) atoms?", text)
    if not found:
        return None
    symbol = NAMED_ELEMENTS.get(found[1].lower()) or (found[1] if found[1] in SYMBOLS[1:] else None)
    return Found(start, end, f"[{symbol}]", f"an atom of {symbol}", 0) if symbol else None


def _charge(entry: Entry) -> int:
    found = re.search(r"([+-])(\d*)$", entry.formula)
    return int(found[1] + (found[2] or "1")) if found else 0


@functools.cache
def _ions() -> dict[tuple[tuple[tuple[str, int], ...], int], list[Entry]]:
    found: dict[tuple[tuple[tuple[str, int], ...], int], list[Entry]] = {}
    for entry in table():
        bare = re.sub(r"[+-]\d*$", "", entry.formula)
        if bare and (atoms := _composition(bare)):
            found.setdefault((atoms, _charge(entry)), []).append(entry)
    return found


def _composition(formula: str) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    flat = re.sub(r"\(([A-Za-z0-9]{1,12})\)(\d{0,2})", lambda m: m[1] * int(m[2] or 1), formula)
    for symbol, number in re.findall(r"([A-Z][a-z]?)(\d*)", flat):
        counts[symbol] = counts.get(symbol, 0) + int(number or 1)
    return tuple(sorted(counts.items())) if all(s in SYMBOLS for s in counts) else ()


def _charged(at: Reading, text: str, start: int, end: int) -> Found | None:
    """Return the ion of a formula such as NH4+ or SO4^2-."""
    found = FORMULA_WITH_CHARGE.fullmatch(text)
    if not found or not (atoms := _composition(found[1])):
        return None
    figures, sign = found[2], found[3]
    readings = [(atoms, int(sign + (figures or "1")))]
    if not figures and (last := re.search(r"\d$", found[1])) and "^" not in text:
        readings.append((_composition(found[1][: last.start()]), int(sign + last[0])))
    for one in readings:
        entries = _ions().get(one, [])
        if len(entries) == 1:
            name = entries[0].names[0]
            return Found(start, end, name, f"{name}, by its formula", one[1])
    if len(atoms) == 1 and atoms[0][1] == 1:
        return Found(start, end, f"[{atoms[0][0]}{sign}{figures}]", f"an ion of {atoms[0][0]}", 1)
    at.refuse(
        f"{text} is a formula that no ion of the table has alone",
        "give its name, or a SMILES such as CC(=O)[O-]",
    )
    return Found(start, end, text)


def _isomers(at: Reading, text: str, start: int, end: int) -> Found | None:
    known = _ions().get((_composition(text), 0), [])
    names = [f"energy of {entry.names[0]}" for entry in known[:4]]
    at.refuse(
        f"{text} is a formula; molecules are told apart by their names",
        *(names or ["give the name or a SMILES"]),
    )
    return Found(start, end, text)


def _systematic(text: str) -> bool:
    if text.lower() in ENGLISH or not 4 <= len(text) <= 200 or NEUTRAL.fullmatch(text):
        return False
    words = text.split(" ")
    if any(word.lower() in STOP or word.lower() in ENGLISH for word in words):
        return False
    if len(words) > 1:
        ends = all(
            re.fullmatch(
                r"\S{0,60}(?:yl|ic|oic|ous|ene|ine|ium|en)|"
                r"[\w-]*\([IV]+\)|di|tri|\S{1,20}-\S{1,60}"
                r"|[a-z]{4,12}(?:um|on)",
                word.lower(),
            )
            for word in words[:-1]
        )
        return ends and bool(
            re.fullmatch(rf"(?:[\w,'()-]{{1,60}}-)?(?:{CLASSES})", words[-1].lower())
        )
    if re.search(r"\d", text) and re.search(r"[a-z]{3}", text) and re.search(r"-", text):
        return True
    bare = LOCANT_BEHIND.sub("", text.lower())
    return (
        len(bare) > 5 and bare.endswith(ENDINGS) and bool(re.fullmatch(r"[\w,'()\[\]+.-]+", bare))
    )


def slip(word: str) -> str:
    """Return the keyword that a word is a slip of, empty if of none."""
    bare = word.strip("-()[]'\".,").lower()
    if len(bare) < 4 or not bare.isalpha():
        return ""
    close = difflib.get_close_matches(bare, KEYWORDS, 1, 0.79)
    return close[0] if close and not bare.startswith(close[0]) else ""


def nearest_name(word: str) -> str:
    """Return the name in the table that is nearest to a word, empty if none is near."""
    if len(word) < 4 or len(word) > 40:
        return ""
    close = difflib.get_close_matches(folded(word), spellings(), 1, 0.82)
    return spellings()[close[0]] if close else ""
