"""Which known name a person may have meant by one that nobody knows: slips of the pen alone.

`butene` is no slip for `butane`: a name that differs in a part with a meaning of its own means
something else, and a hint would mislead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

PARTS = re.compile(
    "cyclo|bicyclo|mono|bis|di|tri|tetra|penta|pent|hexa|hex|hepta|hept|octa|oct|nona|non|deca|dec|"
    "undec|dodec|meth|eth|prop|but|phen|benz|tolu|fluoro|fluor|chloro|chlor|bromo|brom|iodo|iod|"
    "thio|seleno|sulf|phosph|phos|ars|bor|sil|germ|stann|nitroso|nitro|nitr|amino|amin|azo|aza|oxo|"
    "oxa|oxy|hydroxy|hydro|per|hypo|ortho|meta|para|iso|neo|sec|tert|cis|trans|alpha|beta|gamma|"
    "yl|ane|ene|yne|ine|ol|al|one|oic|ous|ic|ate|ite|ide|ium|amide|imide|nitrile|ether|ester|acid|"
    "cation|anion|radical|ion"
)
"""Parts of chemical names that mean something."""

LOCANTS = re.compile(r"\d+|(?<![a-z])(?:[a-z]|dl)(?![a-z])")
SOUNDS = (("ph", "f"), ("th", "t"), ("y", "i"), ("ae", "e"), ("oe", "e"), ("k", "c"), ("z", "s"))
SHORTEST, SHORT, LONG = 5, 8, 12
"""Letters. Shorter names get no hint; in short ones a letter may be missing, doubled or swapped
with the next, but not be another; two slips are granted to long ones that end alike."""


def nearest(name: str, known: Mapping[str, str], most: int = 2) -> list[str]:
    """Return known names of which a name may be a slip, the likeliest first.

    Args:
        name: as it was given.
        known: the usual spelling by the folded one.
        most: how many.
    """
    folded, near = _folded(name), list[tuple[int, str]]()
    if more := [known[text] for text in (f"alpha{folded}", f"beta{folded}") if text in known]:
        return more  # a sugar of which the ring is known by its hand alone
    for usual in dict.fromkeys(known.values()):
        off = slip(folded, _folded(usual))
        if off is not None:
            near.append((off, usual))
    near.sort()
    return [usual for off, usual in near if off == near[0][0]][:most]


def slip(name: str, known: str) -> int | None:
    """Return how far two folded names are apart if one may be a slip for the other, else None."""
    if name == known:
        return 0
    if min(len(name), len(known)) < SHORTEST or _locants(name) != _locants(known):
        return None
    one, other = (re.sub(r"[^a-z]", "", text) for text in (name, known))
    if abs(len(one) - len(other)) > 2 or one[:1] != other[:1]:
        return None
    if _sound(one) == _sound(other):
        return 1
    if _parts(one) - _parts(other):
        return None  # what it says beside is not said by the known one
    if len(one) == len(other) < SHORT and sorted(one) != sorted(other):
        return None
    off = distance(one, other)
    return off if off <= (2 if len(one) >= LONG and one[-3:] == other[-3:] else 1) else None


def distance(one: str, other: str) -> int:
    """Return the fewest letters to put in, leave out, replace or swap with the next.

    Source: F. J. Damerau, Commun. ACM 7, 171 (1964).
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, there in enumerate(other, 1):
            cost = min(last[j] + 1, row[-1] + 1, last[j - 1] + (letter != there))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == there:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


def _folded(name: str) -> str:
    return re.sub(r"[\s‐‑–−]", "-", name.casefold().strip())


def _locants(text: str) -> Counter[str]:
    return Counter(LOCANTS.findall(text))


def _sound(letters: str) -> str:
    for spelt, heard in SOUNDS:
        letters = letters.replace(spelt, heard)
    return re.sub(r"(.)\1+", r"\1", letters).removesuffix("e")


def _parts(letters: str) -> Counter[str]:
    return Counter(PARTS.findall(letters))
