"""Crystals by name: `silicon crystal`, `bulk copper`, `NaCl crystal`, `rutile`, `alpha quartz`.

Measured structures, each with its source, which is told: elements as ASE has them (N. W. Ashcroft,
N. D. Mermin, Solid State Physics, 1976), cubic compounds of `crystals.csv` (lattice constants at
0 K without the motion of nuclei: P. Hao et al., Phys. Rev. B 85, 014111 (2012)), minerals as
pymatgen brings them (M. J. Mehl et al., Comput. Mater. Sci. 136, S1 (2017)).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import csv
import functools
import gzip
import importlib.util
import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from ontologies.elements import SYMBOLS
from triplestore.errors import InputError, NotFoundError

from .files import FileContent, content_of_values
from .formulas import composition, elements
from .table import index, is_formula, key

CRYSTAL = re.compile(
    r"(?i)(?:(?:crystalline|bulk|solid|crystals? of) (?P<behind>\S.*)|(?P<before>.*\S) crystals?)"
)
LIKE_MINERAL = re.compile(
    r"(?i)(?:(?:alpha|beta|low|high|[αβ])[ -])?\w{2,12}(?:ite|ile|ase|artz|mond|ndum|blende|nel)"
)
SIMPLE = ("diamond", "fcc", "bcc", "hcp", "sc")
"""Structures of elements that ASE builds from their lattice constants."""

NO_NAMES = frozenset({"theoretical", "pressure", "parent", "structure", "phase", "high"})
"""Words of prototypes that are not what a compound is by itself."""

FORMS = frozenset({"alpha", "beta", "low", "high", "cubic", "orthorhombic", "α", "β"})
"""What stands before the name of a mineral."""

USUAL = frozenset({"alpha", "low"})
"""Of several structures of one name this is meant where none is said: quartz is alpha quartz."""


@dataclass(frozen=True)
class Known:
    """A crystal that pymatgen brings, of the library AFLOW.

    Attributes:
        name: the mineral or prototype, or its formula where it has no name.
        words: those of each of its names, without case and brackets.
        formula: counts of elements, as small as they can be.
        kind: what AFLOW calls its structure.
        source: who has published it.
        structure: as it is stored.
    """

    name: str
    words: tuple[frozenset[str], ...]
    formula: frozenset[tuple[str, int]]
    kind: str
    source: str
    structure: Any


def named(text: str) -> FileContent | None:
    """Return the crystal of a name; None where none is meant.

    Without a word that says so (`crystal`, `bulk`), only a mineral is one.

    Args:
        text: what was given.

    Raises:
        NotFoundError: a crystal is meant and none of that name is known here.
        InputError: several are known of that formula.
    """
    said = CRYSTAL.fullmatch(text.strip())
    name = (said["behind"] or said["before"]) if said else text.strip()
    if said is None:
        words = re.findall(r"\w+", name)
        of_one = [one for one in words if one.lower() not in FORMS]
        if (
            len(of_one) != 1
            or _is_short(of_one[0], words)
            or _element(name)
            or is_formula(name)
            or index().get(key(name))
        ):
            return None  # a molecule, or an atom
        found = _minerals(name)
        return _content(name, _meant(name, found)) if found else None
    symbol = _element(name)
    if simple := _element_crystal(symbol) or _compound(name):
        return simple
    if found := _minerals(name) or _of_formula(name, symbol):
        return _content(name, _meant(name, found))
    raise NotFoundError(
        f"a crystal of {name[:60]!r} was asked for",
        f"none of that name is among the {len(_known())} that are known here",
        "give a CIF, a POSCAR or extended XYZ; or a name such as silicon crystal, NaCl crystal, "
        "rutile or alpha quartz",
    )


def _is_short(word: str, words: list[str]) -> bool:
    """Tell whether a word is too short for a mineral, and no symbol behind its form: `beta Sn`."""
    return len(word) < 4 and (len(words) == 1 or word not in SYMBOLS)


def is_said(text: str) -> bool:
    """Tell whether a part of a sentence names a crystal that is known here."""
    if not CRYSTAL.fullmatch(text) and not LIKE_MINERAL.fullmatch(text):
        return False
    try:
        return named(text) is not None
    except NotFoundError:
        return False
    except InputError:
        return True  # which of several is told when it is read


def _element(name: str) -> str:
    """Return the symbol of an element; empty if it is none."""
    if name in SYMBOLS[1:]:
        return name
    return {called: one for one, called in elements().items()}.get(name.lower(), "")


def _element_crystal(symbol: str) -> FileContent | None:
    """Return an element in the structure that it has, if that is one of the simple ones."""
    from ase.data import reference_states

    state = (reference_states[SYMBOLS.index(symbol)] if symbol else None) or {}
    if state.get("symmetry") not in SIMPLE or state.get("basis", "") is None:
        return None
    source = "Ashcroft, Mermin 1976, by ASE"
    return _built(symbol, str(state["symmetry"]), float(str(state["a"])), source)


def _compound(name: str) -> FileContent | None:
    """Return a compound of the table, by its formula or its name."""
    wanted = _smallest(_counts(name))
    found = next(
        (one for one in _compounds() if _smallest(_counts(one["formula"])) == wanted), None
    )
    if found is None:
        return None
    source = "at 0 K without the motion of nuclei, Hao 2012"
    source += f"; its usual form is {found['usual form']}" if found["usual form"] else ""
    return _built(found["formula"], found["structure"], float(found["a (Å)"]), source)


@functools.cache
def _compounds() -> tuple[dict[str, str], ...]:
    text = (files("workflows.molecule") / "crystals.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def _built(formula: str, structure: str, a: float, source: str) -> FileContent:
    from ase.build import bulk

    cell = bulk(formula, None if formula in SYMBOLS else structure, a=a)
    values = {"numbers": cell.numbers, "positions": cell.positions, "cell": cell.cell.array}
    told = f"crystal: {formula} as {structure}, a = {a:g} Å ({source})"
    return _of_values(formula, values, told)


def _of_values(name: str, values: dict[str, Any], remark: str) -> FileContent:
    periodic = (True, True, True)
    return content_of_values(Path(name), {**values, "periodic": periodic, "remark": remark})


@functools.cache
def _known() -> tuple[Known, ...]:
    """Return the crystals that pymatgen brings; none where it does not."""
    package = importlib.util.find_spec("pymatgen")
    places = package.submodule_search_locations if package else None
    for place in places or ():
        for file in Path(place).rglob("aflow_prototypes.json.gz"):
            with gzip.open(file) as stream:
                return tuple(filter(None, map(_read, json.load(stream))))
    return ()


def _read(entry: Any) -> Known | None:
    structure = entry["snl"]
    species = [one["species"] for one in structure["sites"]]
    if any(len(one) != 1 or one[0]["occu"] != 1 for one in species):
        return None
    formula = _smallest(Counter(one[0]["element"] for one in species))
    mineral = entry["tags"].get("mineral") or ""
    if "theoretical" in mineral.lower() or "_" in mineral:  # or one of a mixture: Hg_xSn
        return None
    names = [one.strip() for one in mineral.split(",") if one.strip()]
    each = (frozenset(re.findall(r"\w+", one.lower())) for one in names)
    words = tuple(one for one in each if one - FORMS)
    return Known(
        names[0] if names else "".join(f"{s}{n if n > 1 else ''}" for s, n in sorted(formula)),
        words,
        formula,
        entry["tags"].get("aflow") or "",
        _source(structure["about"].get("references", "")),
        structure,
    )


def _source(references: str) -> str:
    """Return the first author and the year of a reference in BibTeX."""
    author = re.search(r'author = "([^"]*)"', references)
    year = re.search(r'year = "(\d{4})"', references)
    first = author[1].split(" and ")[0].split() if author else []
    return " ".join([*first[-1:], *([year[1]] if year else [])])


def _smallest(counts: Counter[str]) -> frozenset[tuple[str, int]]:
    most = math.gcd(*counts.values()) or 1
    return frozenset((symbol, count // most) for symbol, count in counts.items())


def _minerals(name: str) -> list[Known]:
    """Return crystals of a name: those that have just its words, else those that have them all."""
    words = frozenset(re.findall(r"\w+", name.lower().replace("α", "alpha").replace("β", "beta")))
    if (
        (len(name) < 4 and name not in SYMBOLS)
        or not words
        or not re.fullmatch(r"[\w\s()αβ-]+", name)
    ):
        return []
    same = [one for one in _known() if words in one.words]
    return same or [
        one for one in _known() if any(words < each and each - words <= FORMS for each in one.words)
    ]


def _of_formula(name: str, symbol: str) -> list[Known]:
    """Return crystals of a formula, or of a compound by its name, which are called something.

    Molecules of one composition are many: C6H6 is not cubane.
    """
    counts = _counts(symbol or name)
    if len(counts) > 1 and math.gcd(*counts.values()) > 1:
        return []
    wanted = _smallest(counts)
    return [
        one
        for one in _known()
        if one.formula == wanted and any(not NO_NAMES & words for words in one.words)
    ]


def _counts(name: str) -> Counter[str]:
    """Return how many atoms of each element there are in a formula, or a compound by its name."""
    entry = index().get(key(name))
    formula = name if is_formula(name) else entry.formula if entry else ""
    return Counter() if "(" in formula else composition(formula)[0]


def _meant(name: str, found: list[Known]) -> Known:
    """Return the one of several crystals that a name means.

    Raises:
        InputError: it may be each of them.
    """
    if len(found) == 1:
        return found[0]
    usual = [one for one in found if any(USUAL & words for words in one.words)]
    kinds = {one.formula for one in found}
    if len(usual) == 1 and len(kinds) == 1 and not any(name == one.name for one in found):
        return usual[0]
    by_name = {one.name.lower(): one for one in reversed(found)}
    if len(by_name) == 1:
        return found[0]
    names = sorted(one.name for one in by_name.values())
    raise InputError(
        f"a crystal of {name[:60]!r} was asked for",
        f"several are known here: {', '.join(names)}",
        f"ask for one by its name, such as {names[0]}; or give a CIF",
    )


def _content(name: str, known: Known) -> FileContent:
    sites = known.structure["sites"]
    values = {
        "numbers": [SYMBOLS.index(one["species"][0]["element"]) for one in sites],
        "positions": [one["xyz"] for one in sites],
        "cell": known.structure["lattice"]["matrix"],
    }
    source = f", {known.source}" if known.source else ""
    remark = f"crystal: {known.name} ({known.kind}{source}, by pymatgen)"
    return _of_values(name, values, remark)
