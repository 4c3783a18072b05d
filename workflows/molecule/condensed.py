"""Condensed formulas: what a formula says of its structure by the order of its atoms.

`CH3CH2OH`, `(CH3)2CO`, `CF3COOH`, `HOOH`, `CH2=CH2`, `(CH3)4N+`. Atoms are joined as they follow
each other, groups in parentheses are branches (or links, where they have two free valences), O
right behind carbon that has room is a carbonyl, and what valences are left between neighbours are
multiple bonds. A formula that is only a composition (`C4H10`), or whose valences do not come out,
is none.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from dataclasses import dataclass, field

from .formulas import HIGH

VALENCES = {"C": (4,), "Si": (4,), "N": (3,), "P": (3, 5), "O": (2,), "S": (2, 4, 6), "B": (3,)}
ENDS = ("F", "Cl", "Br", "I")

GROUPS = {
    "COOH": "C(=O)O", "CO2H": "C(=O)O", "CHO": "C=O", "CONH2": "C(=O)N", "CO2": "C(=O)O",
    "COO": "C(=O)O", "NO2": "[N+](=O)[O-]", "CN": "C#N", "NC": "[N+]#[C-]", "NCO": "N=C=O",
    "OCN": "OC#N", "NCS": "N=C=S", "SCN": "SC#N", "N3": "N=[N+]=[N-]", "SO3H": "S(=O)(=O)O",
    "SO2": "S(=O)(=O)", "C6H5": "c1ccccc1", "Ph": "c1ccccc1", "Me": "C", "Et": "CC",
    "Pr": "CCC", "nPr": "CCC", "n-Pr": "CCC", "iPr": "C(C)C", "i-Pr": "C(C)C", "Bu": "CCCC",
    "nBu": "CCCC", "n-Bu": "CCCC", "tBu": "C(C)(C)C", "t-Bu": "C(C)(C)C", "iBu": "CC(C)C",
    "sBu": "C(C)CC", "Ac": "C(=O)C", "Bn": "Cc1ccccc1", "Bz": "C(=O)c1ccccc1", "C2H5": "CC",
    "C2H3": "C=C", "Ts": "S(=O)(=O)c1ccc(C)cc1", "Ms": "S(=O)(=O)C", "Tf": "S(=O)(=O)C(F)(F)F",
}  # fmt: skip
"""Groups that are read whole, from the atom by which they are bound on."""

LINKS = {"COO", "CO2", "SO2"}
"""Which have a second place: the last atom, of SO2 the first."""

AT_THE_END = {"CHO", "CN", "NC", "NCO", "NCS", "SCN", "OCN", "NO2", "N3", "COOH", "CO2H", "CONH2"}
"""Which mean that only where nothing, a closing parenthesis or a count follows."""

FRONT = {"HOOC": "C(=O)O", "HO2C": "C(=O)O", "OHC": "C=O", "O2N": "[N+](=O)[O-]"}
"""Groups as they are written at the beginning."""

ATOM = re.compile(r"(Si|Cl|Br|[CNOPSBFI])(?:H(\d*))?")
FIRST = re.compile(r"H(\d*)(?=[A-Z(])")
BOND = {"=": 2, "≡": 3, "#": 3, "-": 1, "–": 1}
ORDER = {1: "", 2: "=", 3: "#"}


class _Unclear(Exception):
    """The formula does not say one structure."""


@dataclass
class _Atom:
    """An atom as a formula has it, or the atom by which a group is bound."""

    symbol: str
    hydrogens: int = 0
    text: str = ""  # of a group: its SMILES
    used: int = 0  # valences to others
    arms: list[tuple[int, _Atom]] = field(default_factory=list[tuple[int, "_Atom"]])

    @property
    def room(self) -> int:
        """Valences that are free."""
        if self.text:
            return (2 if self.symbol == "link" else 1) - self.used
        return VALENCES[self.symbol][0] - self.hydrogens - self.used


def smiles_of_condensed(text: str) -> str:
    """Return the SMILES of a condensed formula; empty where it is none."""
    plain = unicodedata.normalize("NFKC", HIGH.sub(r"^\1", text.strip())).replace("−", "-")
    found = re.fullmatch(r"(.*?[A-Za-z0-9)])(?:\^?\{?([+-])\}?|)", plain)
    if found is None or not re.search(r"[A-Z(].*[A-Z(]", plain):
        return ""
    charge = {"+": 1, "-": -1}.get(found[2] or "", 0)
    try:
        return _Reader(found[1]).smiles(charge)
    except _Unclear:
        return ""


class _Reader:
    """Reads one formula from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self.atoms: list[_Atom] = []
        self.order = 1  # of the next bond of the chain, where it is written
        self.written = False

    def smiles(self, charge: int) -> str:
        if re.fullmatch(r"(?:[A-Z][a-z]?\d*)+", self.text) and _is_composition(self.text):
            raise _Unclear
        chain = self.chain()
        if self.place < len(self.text) or not chain:
            raise _Unclear
        self.saturate(chain)
        return self.written_out(chain[0], charge)

    def chain(self, pending: list[_Atom] | None = None) -> list[_Atom]:
        """Read a chain up to its end or a closing parenthesis; return its backbone."""
        backbone: list[_Atom] = []
        waiting: list[_Atom] = list(pending or [])
        before = 0  # hydrogens in front of the next atom
        while self.place < len(self.text) and self.text[self.place] != ")":
            here = self.text[self.place]
            if here in BOND and (backbone or waiting):
                self.order, self.written = BOND[here], True
                self.place += 1
                continue
            if here == "(":
                self.group(backbone, waiting)
                continue
            front = next((name for name in FRONT if self.text.startswith(name)), "")
            hydrogens = FIRST.match(self.text, self.place)
            if front and not self.place and not pending:
                self.place += len(front)
                self.join(backbone, waiting, self.add(_Atom("group", text=FRONT[front])))
            elif hydrogens:
                if before:
                    raise _Unclear
                before, self.place = int(hydrogens[1] or 1), hydrogens.end()
            else:
                before = self.atom(backbone, waiting, before)
        if waiting or before:
            raise _Unclear
        return backbone

    def atom(self, backbone: list[_Atom], waiting: list[_Atom], before: int) -> int:
        if named := self.named():
            name = named
            self.place += len(name)
            new = self.add(_Atom("link" if name in LINKS else "group", text=GROUPS[name]))
            if before > 1:
                raise _Unclear
            new.used, new.hydrogens = new.used + before, before
            times = self.count()
            if times > 1:
                self.many(backbone, new, times, waiting)
            else:
                self.join(backbone, waiting, new)
            return 0
        found = ATOM.match(self.text, self.place)
        if found is None:
            raise _Unclear
        symbol, figures = found[1], found[2]
        self.place = found.end()
        attached = int(figures or 1) if figures is not None else 0
        times = self.count() if figures is None else 1
        if symbol in ENDS:
            if attached and (self.atoms or waiting):
                raise _Unclear
            for _ in range(times):
                end = self.add(_Atom("end", text=symbol))
                if backbone and backbone[-1].room > 0:
                    self.bond(backbone[-1], end, 1)
                else:
                    waiting.append(end)
            return before
        if symbol in "OS" and not attached and self.carbonyl(backbone, times):
            for _ in range(times):
                self.bond(backbone[-1], self.add(_Atom(symbol)), 2)
            return before
        if times > 1:
            raise _Unclear  # how several are joined is not said
        self.join(backbone, waiting, self.add(_Atom(symbol, attached + before)))
        return 0

    def carbonyl(self, backbone: list[_Atom], times: int) -> bool:
        """Tell whether O or S here is bound twice to the atom before it."""
        if not backbone or self.written or backbone[-1].text:
            return False
        last, rest = backbone[-1], self.text[self.place :]
        if last.symbol == "C":
            return times == 1 and last.room >= 2 and not rest.startswith("H")
        if last.symbol == "P" and not last.arms and rest.startswith("("):
            return True  # PO(OCH3)3
        if last.symbol in ("S", "P") and last.room <= 0 and not rest.startswith("H"):
            return True
        return last.symbol == "N" and last.room == 2 and times == 1 and not rest

    def group(self, backbone: list[_Atom], waiting: list[_Atom]) -> None:
        start, depth, end = self.place, 0, self.place
        for end in range(start, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[end], 0)
            if not depth:
                break
        if depth:
            raise _Unclear
        inner = self.text[start + 1 : end]
        self.place = end + 1
        times = self.count()
        kind = _open_valences(inner)
        alone = not backbone and not waiting
        if kind == 2 and not alone:
            for _ in range(times):
                part = self.part(inner)
                self.join(backbone, waiting, part[0])
                backbone[-1:] = part
            return
        if kind != 1:
            raise _Unclear
        for _ in range(times):
            part = self.part(inner)
            first = next(atom for atom in part if atom.room > 0)
            if alone or not backbone:
                waiting.append(first)
            else:
                self.bond(self.roomy(backbone), first, 1)
        if alone and self.place >= len(self.text) and times == 2:  # (COOH)2
            one, other = waiting
            self.bond(one, other, 1)
            backbone += [one]
            waiting.clear()

    def part(self, inner: str) -> list[_Atom]:
        """Read a group once; return its backbone."""
        kept, self.text, self.place = (self.text, self.place), inner, 0
        backbone = self.chain()
        self.saturate(backbone, but=1)
        self.text, self.place = kept
        return backbone

    def named(self) -> str:
        rest = self.text[self.place :]
        for name in sorted(GROUPS, key=len, reverse=True):
            if not rest.startswith(name) or re.match(r"[a-z]", rest[len(name) :]):
                continue
            after = rest[len(name) :]
            if name in AT_THE_END and after[:1] not in ("", ")"):
                continue
            if name in ("C2H5", "C2H3", "C6H5", "N3") and re.match(r"\d", after):
                continue
            if name == "CO2" and after[:1] == "H":
                continue
            if name in ("Ac", "Pr", "Ts", "Bn", "Bz") and not after and not self.atoms:
                continue
            if name in ("CN", "NC", "CHO") and after == "" and not self.atoms:
                continue  # by itself it is a molecule or a radical of its own
            return name
        return ""

    def count(self) -> int:
        found = re.compile(r"\d+").match(self.text, self.place)
        if found is None:
            return 1
        self.place = found.end()
        if not 2 <= int(found[0]) <= 60:
            raise _Unclear
        return int(found[0])

    def many(self, backbone: list[_Atom], new: _Atom, times: int, waiting: list[_Atom]) -> None:
        every = [new, *(self.add(_Atom(new.symbol, text=new.text)) for _ in range(times - 1))]
        for one in every:
            if backbone:
                self.bond(self.roomy(backbone), one, 1)
            else:
                waiting.append(one)

    def join(self, backbone: list[_Atom], waiting: list[_Atom], new: _Atom) -> None:
        """Bind the next atom of the chain to the one before, and to what waited for it."""
        for one in waiting:
            self.bond(new, one, 1)
        waiting.clear()
        if backbone:
            at = backbone[-1] if self.written else self.roomy(backbone)
            self.bond(at, new, self.order)
        self.order, self.written = 1, False
        backbone.append(new)

    def roomy(self, backbone: list[_Atom]) -> _Atom:
        """Return the last atom of a chain that a bond can go from."""
        last = backbone[-1]
        if last.room > 0 or last.symbol in ("S", "P", "N"):
            return last
        for before in backbone[-2:-1]:  # behind OH or NH2 in the midst
            if before.room > 0 and last.hydrogens and len(last.arms) == 1:
                return before
        raise _Unclear

    def add(self, atom: _Atom) -> _Atom:
        self.atoms.append(atom)
        return atom

    def bond(self, one: _Atom, other: _Atom, order: int) -> None:
        one.used += order
        other.used += order
        one.arms.append((order, other))
        other.arms.append((order, one))

    def saturate(self, chain: list[_Atom], but: int = 0) -> None:
        """Make multiple bonds of free valences between neighbours of a chain."""
        for one, other in itertools.pairwise(chain):
            if one.text or other.text or not any(arm is other for _, arm in one.arms):
                continue
            if one is chain[0] and but and one.room <= but:
                continue
            while one.room > 0 and other.room > 0 and one.symbol != "O" != other.symbol:
                at = next(n for n, (_, arm) in enumerate(one.arms) if arm is other)
                back = next(n for n, (_, arm) in enumerate(other.arms) if arm is one)
                order = one.arms[at][0] + 1
                if order > 3:
                    raise _Unclear
                one.arms[at], other.arms[back] = (order, other), (order, one)
                one.used += 1
                other.used += 1

    def written_out(self, start: _Atom, charge: int) -> str:
        charged: _Atom | None = None
        for atom in self.atoms:
            if atom.text:
                if atom.room < 0 or (atom.room and not (atom.symbol == "link" and charge < 0)):
                    raise _Unclear
                if atom.room:
                    charged = self.only(charged, atom)
                continue
            bonds = atom.hydrogens + atom.used
            if bonds in VALENCES[atom.symbol]:
                continue
            if (charge == 1 and atom.symbol in ("N", "P") and bonds == 4) or (
                bonds == VALENCES[atom.symbol][0] - 1 and atom.symbol != "B"
            ):
                charged = self.only(charged, atom)
            else:
                raise _Unclear
        if bool(charge) and charged is None:
            raise _Unclear
        if charge == 1 and charged is not None and charged.symbol in ("O", "S", "link"):
            raise _Unclear
        return self.branch(start, None, charged, charge)

    def only(self, charged: _Atom | None, atom: _Atom) -> _Atom:
        if charged is not None:
            raise _Unclear
        return atom

    def branch(self, atom: _Atom, parent: _Atom | None, charged: _Atom | None, charge: int) -> str:
        """Return the SMILES of an atom and what hangs on it."""
        others = [(order, arm) for order, arm in atom.arms if arm is not parent]
        arms = [f"{ORDER[order]}{self.branch(arm, atom, charged, charge)}" for order, arm in others]
        if atom.symbol == "link":
            return self.link(atom, parent, arms, charged is atom)
        if atom.text:
            if parent is None and arms:  # a group begins with the atom by which it is bound
                return _behind(atom.text, arms)
            return atom.text
        own = atom.symbol
        if atom is charged or own == "Si" or (atom.hydrogens + atom.used) not in (VALENCES[own]):
            hydrogens = f"H{atom.hydrogens}" if atom.hydrogens else ""
            sign = {1: "+", -1: "-", 0: ""}[charge if atom is charged else 0]
            own = f"[{own}{hydrogens}{sign}]"
        elif len(VALENCES[own]) > 1 and atom.hydrogens:
            own = f"[{own}H{atom.hydrogens}]"
        return own + "".join(f"({arm})" for arm in arms[:-1]) + (arms[-1] if arms else "")

    def link(self, atom: _Atom, parent: _Atom | None, arms: list[str], anion: bool) -> str:
        if atom.text == "S(=O)(=O)":
            return "S(=O)(=O)" + "".join(f"({arm})" for arm in arms)
        end = "[O-]" if anion else "O"
        first, last = ("", arms) if parent is not None else (arms[:1], arms[1:])
        if atom.hydrogens:
            first, last = [], arms
        return "C" + "".join(f"({arm})" for arm in first) + f"(=O){end}" + "".join(last)


def _behind(text: str, arms: list[str]) -> str:
    """Return a group with what it is bound to behind its first atom."""
    at = 1 if not text.startswith("[") else text.index("]") + 1
    while at < len(text) and text[at].isdigit():
        at += 1
    return text[:at] + "".join(f"({arm})" for arm in arms) + text[at:]


def _open_valences(inner: str) -> int:
    """Return how many free valences a group in parentheses has; 0 where it is none."""
    reader = _Reader(inner)
    try:
        chain = reader.chain()
        if reader.place < len(inner):
            return 0
        reader.saturate(chain, but=1)
    except _Unclear:
        return 0
    free = [max(0, atom.room) for atom in reader.atoms]
    return sum(free) if sum(free) <= 2 else 0


def _is_composition(text: str) -> bool:
    """Tell whether a formula says no more than how many atoms of each element there are."""
    counts = re.findall(r"([A-Z][a-z]?)(\d*)", text)
    symbols = [symbol for symbol, _ in counts]
    carbons = sum(int(number or 1) for symbol, number in counts if symbol == "C")
    if re.match(r"HO[CFBI]|HC[A-Z]|H2?N?C[OS]|HN", text):
        return False
    groups = "C6H5" in text or text.startswith(("C2H5", "C2H3"))
    if len(symbols) > len(set(symbols)):
        return False
    return not (groups and len(symbols) > 2) and (carbons > 1 or symbols[0] == "H")
