"""Chemicals that a text names, as structures one by one; what does not resolve is named.

A name within a longer one is no name: petroleum ether is no ether. So a word that stands for a
class, such as ether or nitrate, goes with the word before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from triplestore.errors import GraficoError
from workflows.molecule import chemicals_names
from workflows.molecule.names import smiles_of, unclear
from workflows.molecule.table import index, key
from workflows.text.ranking import EVERYWHERE

MOST_WORDS = 4
"""Of one name."""

LONGEST = 100
"""Letters of a name."""

MOST_READ = 30
"""Names that are read by their parts for one answer, each of which takes OPSIN half a second."""

TOKEN = re.compile(r"\(?[^\W_]+(?:[,'’′:.\-‐‑–()\[\]+][^\W_()\[\]]+|[(\[][^\s()\[\]]*[)\]]-?)*\)?")
SALTS = (
    "oxide|peroxide|hydroxide|fluoride|chloride|bromide|iodide|sulfate|sulphate|sulfite|sulfide|"
    "sulfonate|triflate|nitrate|nitrite|nitride|azide|phosphate|acetate|carbonate|bicarbonate|"
    "benzoate|acrylate|oxalate|citrate|tartrate|hydride|borohydride|cyanide|permanganate|chromate"
)
CLASS = re.compile(
    rf"(?:(?:mono|di|tri|tetra|penta|hexa)?(?:{SALTS})|ether|alcohol|glycol|ester|ketone|aldehyde|"
    r"amine|amide|acid|anhydride|resin|oil|wax|gel)s?",
    re.IGNORECASE,
)
"""Last words of names that say less without the word before."""

LIKE = re.compile(
    rf"(?:anol|enol|diol|amine|amide|nitrile|azole|idine|quinone|furan|pyran|ylene|ketone|aldehyde|"
    rf"{SALTS}|(?:eth|prop|but|pent|hex|hept|oct|benz|tolu|xyl)\w{{0,30}}(?:ane|ene|yne))s?$"
    r"|^\d[\d,]{0,20}-[^\W\d]|[^\W\d]-\d{1,3}(?:,\d{1,3})*-[^\W\d]"
    r"|^(?:N|O|S|tert|sec|iso|cis|trans|[RSEZ])-[^\W\d]",
    re.IGNORECASE,
)
"""Of words that look like names of chemicals."""

ENDING = re.compile(r"[^\W\d]{3}(?:ate|ite|ide|one|ane|ene|yne|ine|ol|yl)s?$", re.IGNORECASE)
"""Of the last of several words that may be a name."""

FORMULA = re.compile(
    r"(?=.*(?:\d|[a-z]))(?:\(?(?:Me|Et|Pr|Bu|Ph|Ac|Bn|Bz|Ts|Tf|Boc|H|D|Li|Be?|C[adelorsu]?|N[aib]?|O|F"
    r"e?|M[gno]|A[glsu]|S[bceimnr]?|Pb?|Pd|Pt|K|T[il]|V|Zn|Zr|Ga|Ge|Br|R[buh]|Y|I[nr]?|Hg|W|Bi|U|Ni"
    r")\)?\d{0,2}){2,10}"
)
"""Formulas with a figure or a small letter, of elements and of groups as they are abbreviated."""

PLAIN = re.compile(
    r"(?:dry|anhydrous|aqueous|aq|saturated|sat|conc|concentrated|dilute|cold|hot|warm|ice-cold|"
    r"fresh|pure|neat|solid|liquid|glacial|excess|over|using|onto|mg|g|kg|ml|l|µl|μl|mol|mmol|µmol|"
    r"m|n|mm|eq|equiv|give|gave|gives|afford|yield|furnish|made|use|add|wt|vol|more|some|no|only|after|each|both|between|through|under|\w+(?:ed|ing|ly)"
    r"|[\d.,]+)",
    re.IGNORECASE,
)
"""Words before a name that are no part of it."""

BEHIND = re.compile(
    r"(?:\d[\d,]*-|N-)?oxide|(?:\w*hydro)?(?:chloride|bromide)|\w*hydrate|salt|ester|ether|resin|"
    r"group|groups|ring|rings|moiety|unit|units|radical|anion|cation",
    re.IGNORECASE,
)
"""Words behind a name that make something else of it."""

MANY_CHARGES = re.compile(
    r"(?:copper|iron|tin|lead|silver|mercury|cobalt|manganese|chromium|cerium|nickel|vanadium|"
    r"palladium|platinum|gold|titanium|molybdenum|tungsten|thallium|antimony|bismuth) \w+",
    re.IGNORECASE,
)
"""Salts of metals that have several charges, of which a name says none."""


@dataclass(frozen=True)
class Named:
    """A chemical that a text names.

    Attributes:
        name: as it stands there.
        smiles: its structure; empty where it does not resolve.
        why: what is wrong with it, or who has told it.
    """

    name: str
    smiles: str
    why: str

    def __str__(self) -> str:
        return f"{self.name}  {self.smiles}" if self.smiles else f"{self.name}  not {self.why}"


def chemicals(text: str) -> list[Named]:
    """Return the chemicals that a text names, in its order, each once.

    The longest name that resolves is taken; what looks like the name of a chemical, and is in none
    that resolves, is told with the reason.
    """
    found: dict[str, Named] = {}
    read = _Read()
    for line in text.splitlines():
        for one in _Line(line, read).names():
            found.setdefault(one.name.casefold(), one)
    return [*found.values()]


class _Read:
    """Structures of names that were asked for already."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, str]] = {}
        self._left = MOST_READ

    def structure(self, name: str) -> tuple[str, str]:
        """Return the structure of a name with who told it, or nothing and why."""
        spelt = name.casefold()
        if spelt not in self._known:
            self._known[spelt] = self._asked(name)
        return self._known[spelt]

    def _asked(self, name: str) -> tuple[str, str]:
        words = name.split()
        if entry := index().get(key(name)):
            return entry.smiles, "the table"
        looks = bool(LIKE.search(name) or CLASS.fullmatch(words[-1]))
        looks = looks or bool(words[1:] and ENDING.search(words[-1]))
        if not words[1:] and FORMULA.fullmatch(name):
            return "", "resolved: it is a formula"
        if several := unclear(name):
            return "", f"resolved: it is several molecules, such as {several[0]}"
        if not looks:  # tables of others have names that are words of every day
            return "", ""
        if MANY_CHARGES.fullmatch(name):
            return "", "resolved: the charge of the metal is not said"
        try:
            if smiles := chemicals_names.smiles_of(name):
                return smiles, chemicals_names.SOURCE
        except GraficoError as error:
            return "", f"resolved: {error.found or error.asked}"
        if words[1:]:
            return "", ""
        if not self._left:
            return "", "looked up: there are too many"
        self._left -= 1
        try:
            return smiles_of(name)
        except GraficoError as error:
            return "", f"resolved: {error.found or error.asked}"


class _Line:
    """A line, whose names are looked for from the left."""

    def __init__(self, text: str, read: _Read) -> None:
        self._text, self._read = text, read
        self._tokens = [(one.start(), one.end()) for one in TOKEN.finditer(text)]

    def names(self) -> Iterator[Named]:
        at = 0
        while at < len(self._tokens):
            many, found = self._at(at)
            if found:
                yield found
            at += many

    def _at(self, at: int) -> tuple[int, Named | None]:
        """Return how many words from here on are done with, and what they name."""
        unread: Named | None = None
        for many in range(min(MOST_WORDS, len(self._tokens) - at), 0, -1):
            name = self._name(at, many)
            if not 2 < len(name) <= LONGEST or not any(map(str.isalpha, name)):
                continue
            smiles, why = self._read.structure(name)
            if not smiles and why and (unread is None or many > 1):
                unread = unread or Named(self._whole(at, many) or name, "", why)
            if not smiles:
                continue
            if re.search(r"yl$|^poly", name, re.IGNORECASE):
                return many, None  # a group, or units of a polymer
            if whole := self._whole(at, many):
                return many + self._behind(at + many), Named(
                    whole, "", f"resolved: {name} is only a part of the name"
                )
            if many == 1 and CLASS.fullmatch(name):
                return many, None  # a class, or an ion
            return many, Named(name, smiles, why)
        return 1, unread

    def _name(self, at: int, many: int) -> str:
        return self._text[self._tokens[at][0] : self._tokens[at + many - 1][1]].strip(".,;:")

    def _whole(self, at: int, many: int) -> str:
        """Return the longer name that one is a part of; empty where it is whole."""
        first, last = at, at + many + self._behind(at + many)
        if CLASS.fullmatch(self._name(at + many - 1, 1)) and at and self._adjoins(at - 1):
            word = self._name(at - 1, 1)
            if not (EVERYWHERE.fullmatch(word.casefold()) or PLAIN.fullmatch(word)):
                first -= 1
        return "" if (first, last) == (at, at + many) else self._name(first, last - first)

    def _behind(self, at: int) -> int:
        """Return whether the word there makes something else of the name before it."""
        return int(
            at < len(self._tokens)
            and self._adjoins(at - 1)
            and bool(BEHIND.fullmatch(self._name(at, 1)))
        )

    def _adjoins(self, at: int) -> bool:
        return self._text[self._tokens[at][1] : self._tokens[at + 1][0]] == " "
