"""Whether what is to be made stands on a list: by identity, by family; groups alone warn.

Screening says which list and entry matched, and nothing else. That nothing was found means that it
is on none of these lists; it does not mean that a substance is harmless.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from triplestore.errors import InputError
from workflows.text.words import count

from .closing import closed
from .families import families_of
from .lists import Family, Substance, Tier, lists
from .parts import ALKALI, Part, is_metal, joined, parts_of

T = TypeVar("T")
By: TypeAlias = Literal["structure", "family", "name", "group"]
Outcome: TypeAlias = Literal["stop", "unreadable", "statement", "confirmation", "warning", ""]
ORDER: tuple[Outcome, ...] = ("stop", "unreadable", "statement", "confirmation", "warning", "")
RANK = {one: at for at, one in enumerate(ORDER)}

ARROW = re.compile("(?<!-)>")
"""Between what a reaction takes, is in, and gives; `->` is a dative bond."""

MOST_PARTS = 200
"""Of one text; with more it is refused."""

LONGEST_REASON = 200
"""Letters."""

WITHIN = 8
"""Letters of a name that counts as part of a longer one, at least."""

NEEDS: dict[Outcome, str] = {
    "stop": "making it stops here, whoever asks",
    "unreadable": "making it stops until a person has stated what it is",
    "statement": "making it stops unless a person's stored statement names it",
    "confirmation": "making it needs one confirmation by a person, for the whole plan",
    "warning": "nothing is needed; mind the groups",
    "": "",
}
"""What making something asks for."""


@dataclass(frozen=True)
class Finding:
    """An entry of a list that matches.

    Attributes:
        given: the text that was screened.
        part: SMILES of what matches in it; empty where its name does.
        list: title of the list.
        entry: where it stands there.
        name: of the substance or family on the list.
        cas: registry number; empty for families.
        tier: what making it asks for.
        by: what matches: the structure, a family, a name, or a group that explosives have.
        date: of the list as it was entered.
        source: who publishes it.
    """

    given: str
    part: str
    list: str
    entry: str
    name: str
    cas: str
    tier: Tier
    by: By
    date: str
    source: str

    def __str__(self) -> str:
        number = f", CAS {self.cas}" if self.cas else ""
        return (
            f"{self.list}, {self.entry}: {self.name}{number}; by {self.by} "
            f"({self.source}; {self.date})"
        )


@dataclass(frozen=True)
class Verdict:
    """What screening came to.

    Attributes:
        tier: what making all of it asks for, the strictest; empty if nothing matches.
        findings: the strictest first.
        unread: texts that could not be read, each with the reason.
        digest: of the lists.
    """

    tier: Outcome
    findings: tuple[Finding, ...]
    unread: Mapping[str, str]
    digest: str

    @property
    def stops(self) -> bool:
        """Whether making stops here, unless a statement or none at all lets it go on."""
        return RANK[self.tier] <= RANK["statement"]


def gate(structures: Sequence[str]) -> Verdict:
    """Return on which lists anything stands that is made or used.

    Args:
        structures: SMILES, of substances, mixtures (`.`) or reactions (`>`). Each part of each is
            compared. What cannot be read is unread, which stops making as well.

    Raises:
        ComponentError: the lists were changed.
    """
    from rdkit import rdBase

    with rdBase.BlockLogs():
        return _screened(structures)


def _screened(structures: Sequence[str]) -> Verdict:
    found: dict[Finding, None] = {}
    unread: dict[str, str] = {}
    for text in structures:
        pieces = [one.strip() for one in ARROW.split(text)]
        if not any(pieces) or len(pieces) not in (1, 3):
            unread[text] = "it is no structure"
            continue
        for piece in filter(None, pieces):
            try:
                parts = parts_of(piece)
                if len(parts) > MOST_PARTS:
                    unread[text] = f"it has {len(parts):,} parts; {MOST_PARTS} are allowed"
                    continue
                found.update(dict.fromkeys(_findings(text, parts)))
                for one in joined(parts) if len(parts) > 1 else ():
                    found.update(dict.fromkeys(_findings(text, (one,))))
            except InputError as error:
                unread[text] = error.found[:LONGEST_REASON]
    return verdict(tuple(found), unread)


def verdict(findings: Sequence[Finding], unread: Mapping[str, str]) -> Verdict:
    """Return what findings come to together."""
    ordered = tuple(sorted(findings, key=lambda one: RANK[one.tier]))
    every: set[Outcome] = {one.tier for one in findings}
    if unread:
        every.add("unreadable")
    return Verdict(strictest(every), ordered, dict(unread), lists().digest)


def strictest(every: Collection[Outcome]) -> Outcome:
    """Return the strictest of several outcomes; empty of none."""
    for one in ORDER:
        if one in every:
            return one
    return ""


def noted(found: Verdict) -> tuple[str, ...]:
    """Return what is told beside an answer that makes nothing: the entries that match.

    Groups that explosives have are not among them.
    """
    matching = (str(one) for one in found.findings if one.tier != "warning")
    every = tuple(f"a list names it: {one}" for one in dict.fromkeys(matching))
    return (*every, NEEDS[found.tier]) if every else ()


def not_made(steps: Mapping[T, str]) -> dict[T, Outcome]:
    """Return those that are not made here, whoever asks, or cannot be read.

    Args:
        steps: what there is to choose from, each with its notation.
    """
    tiers = {one: gate([step]).tier for one, step in steps.items()}
    return {one: tier for one, tier in tiers.items() if tier in ("stop", "unreadable")}


def left_out(tiers: Sequence[Outcome], noun: str) -> tuple[str, ...]:
    """Return what is told of what is left out of an answer: how many, and why.

    Args:
        tiers: of each of them.
        noun: what one is.
    """
    unread = sum(one == "unreadable" for one in tiers)
    listed = len(tiers) - unread
    told = f"{count(listed, noun)} left out: on lists of what is not made" if listed else ""
    why = f"{count(unread, noun)} left out: cannot be compared with the lists" if unread else ""
    return tuple(one for one in (told, why) if one)


def named(text: str) -> tuple[Finding, ...]:
    """Return the entries of lists that have a name or a registry number."""
    return tuple(_finding(text, "", one, "name") for one in _names().get(plain_name(text), ()))


def misread(text: str, smiles: str) -> tuple[Finding, ...]:
    """Return the entries of what stops whose name is part of a longer one, but not its structure.

    A reader of systematic names takes trivial ones by the letter: as nitro groups on glycerol.

    Args:
        text: the name.
        smiles: how it was read.
    """
    from rdkit import Chem, rdBase

    whole = plain_name(text)
    within = [
        one
        for name, each in _names().items()
        if len(name) >= WITHIN and not name.isdecimal() and name in whole
        for one in each
        if one.on.tier == "stop"
    ]
    if not within:
        return ()
    chem: Any = Chem
    loosely: Any = chem.AdjustQueryParameters.NoAdjustments()
    loosely.makeBondsGeneric = True  # of whatever tautomer
    with rdBase.BlockLogs():
        mol: Any = chem.MolFromSmiles(smiles)
        return tuple(
            _finding(text, "", one, "name")
            for one in dict.fromkeys(within)
            if mol is None
            or not one.smiles
            or not mol.HasSubstructMatch(
                chem.AdjustQueryProperties(chem.MolFromSmiles(one.smiles), loosely)
            )
        )


def plain_name(text: str) -> str:
    """Return the letters and digits of a name, without its case and accents."""
    folded = unicodedata.normalize("NFKD", text.casefold().removeprefix("cas"))
    return re.sub(r"[\W_]+", "", folded)


@functools.cache
def _names() -> dict[str, tuple[Substance, ...]]:
    found: dict[str, list[Substance]] = defaultdict(list)
    for one in lists().substances:
        for name in (*one.names, one.cas):
            called = found[plain_name(name)]
            if all((one.on, one.entry) != (other.on, other.entry) for other in called):
                called.append(one)
    return {name: tuple(each) for name, each in found.items()}


def _finding(text: str, part: str, one: Substance | Family, by: By) -> Finding:
    name, cas = (one.names[0], one.cas) if isinstance(one, Substance) else (one.name, "")
    on = one.on
    return Finding(text, part, on.title, one.entry, name, cas, on.tier, by, on.date, on.source)


def _findings(text: str, parts: Sequence[Part]) -> Iterator[Finding]:
    for part in dict.fromkeys(parts):
        identical = _identical(part)
        forms = tuple(closed(part))
        # a proton or a radical is no way round what is not made, whoever asks
        identical += [one for form in forms for one in _identical(form) if _stops(one)]
        described = list(families_of(part, groups=not identical))
        described += [one for form in forms for one in families_of(form) if _stops(one)]
        # “except for those listed in Schedule 1”
        scheduled = {one.on.tier for one in (*identical, *described)}
        entries = {(one.on.key, one.entry) for one in identical}
        for one in dict.fromkeys([*identical, *described]):
            if isinstance(one, Family) and (
                (one.on.tier == "statement" and "stop" in scheduled)
                or (one.on.key, one.entry) in entries
            ):
                continue
            yield _finding(text, part.smiles, one, _by(one))
    for one in _composed(parts):
        yield _finding(text, ".".join(part.smiles for part in parts), one, "structure")


def _stops(one: Substance | Family) -> bool:
    return one.on.tier == "stop"


def _by(one: Substance | Family) -> By:
    if isinstance(one, Substance):
        return "structure"
    return "group" if one.on.tier == "warning" else "family"


def _identical(part: Part) -> list[Substance]:
    """Return the substances of one part that a part is; an ion only where salts count."""
    near = [
        (one, other) for one, other in _single().get(part.atoms, ()) if one.salts or not part.charge
    ]
    equal = [one for one, other in near if part.key == other.key]
    return equal or [one for one, other in near if _same(part, other)]


def _same(part: Part, other: Part) -> bool:
    """Tell whether two molecules with the same atoms are tautomers of each other."""
    if part.key[1] or other.key[1]:
        return False
    return _hydrogens(part) == _hydrogens(other) and part.tautomer == other.tautomer


def _hydrogens(part: Part) -> int:
    return sum(atom.GetTotalNumHs(includeNeighbors=True) for atom in part.unloaded.GetAtoms())


def _composed(parts: Sequence[Part]) -> Iterator[Substance]:
    """Iterate over the salts whose ions are all among the parts.

    Another metal than those of the alkalis makes it another salt: a hexacyanoferrate is no cyanide.
    """
    if len(parts) < 2:
        return
    atoms = {part.atoms for part in parts}
    near = [one for one in _salts() if one[1] <= atoms]
    if not near:
        return
    there = Counter(part.key for part in parts)
    metals = {number for part in parts for number in _metals(part)} - ALKALI
    for one, _, keys, own in near:
        if keys <= there and metals <= own:
            yield one


def _metals(part: Part) -> Iterator[int]:
    return (n for a in part.mol.GetAtoms() if is_metal(n := a.GetAtomicNum()))


@functools.cache
def _single() -> dict[str, tuple[tuple[Substance, Part], ...]]:
    """Return the substances of one part, by the atoms that they have."""
    found: dict[str, list[tuple[Substance, Part]]] = defaultdict(list)
    for one in lists().substances:
        if one.smiles and len(parts := parts_of(one.smiles)) == 1:
            found[parts[0].atoms].append((one, parts[0]))
    return {atoms: tuple(each) for atoms, each in found.items()}


@functools.cache
def _salts() -> tuple[tuple[Substance, frozenset[str], Counter[tuple[str, int]], set[int]], ...]:
    """Return the substances of several parts: atoms, keys and metals of these."""
    found: list[tuple[Substance, frozenset[str], Counter[tuple[str, int]], set[int]]] = []
    for one in lists().substances:
        if one.smiles and len(parts := parts_of(one.smiles)) > 1:
            metals = {number for part in parts for number in _metals(part)}
            keys = Counter(part.key for part in parts)
            found.append((one, frozenset(part.atoms for part in parts), keys, metals))
    return tuple(found)
