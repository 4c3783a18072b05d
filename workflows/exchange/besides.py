"""What an input says besides structure, level and task: cores, memory, and words of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from triplestore.errors import InputError

WORDS = re.compile(r"[A-Za-z0-9_()=,./+\-*: ]{1,200}")
"""What stays within a line of ORCA and Gaussian: no line ends, %, !, $, #, ; and no quotes."""

AMOUNT = re.compile(r"(?i)\s*(\d{1,9}(?:\.\d{1,6})?)\s*([mgt])i?b?\s*")
MEGABYTES = {"m": 1, "g": 1000, "t": 1_000_000}

SHARE = 0.75
"""Of a core's memory, that `%maxcore` says: ORCA takes more at times."""

ALIKE = (
    re.compile(r"(?i)(no)?(ri|cosx|rij\w*|rik\w*|ri-?\w*|split-?rij\w*)"),
    re.compile(r"(?i)\w*scf(conv\d*)?"),
    re.compile(r"(?i)(def)?grid\d"),
    re.compile(r"(?i)\w*opt"),
    re.compile(r"(?i)(an|num)?freq"),
)
"""Words of ORCA of which one alone holds: fitting, convergence, grid, optimisation, frequencies."""

NOT_ALIKE = re.compile(r"(?i)(slow|veryslow|easy|normal)conv|.*scfconv")

SHORT = {"int": "integral", "geom": "geometry"}
"""Keywords of Gaussian that have a shorter form."""


@dataclass(frozen=True)
class Besides:
    """What an input says besides.

    Attributes:
        cores: of the machine where it is to run; 0 where nothing is said.
        memory: MB, of the whole calculation; 0 where nothing is said.
        keywords: words of one's own for the line of the method; they are no part of the level.
    """

    cores: int = 0
    memory: float = 0
    keywords: tuple[str, ...] = ()

    @property
    def core_memory(self) -> int:
        """MB for `%maxcore` of ORCA."""
        return max(1, int(SHARE * self.memory / (self.cores or 1)))

    def named(self, replaced: Iterable[str] = ()) -> str:
        """Return what to write beside words of one's own; empty for none.

        Args:
            replaced: words of the level in whose place they stand.
        """
        if not self.keywords:
            return ""
        there = " ".join(replaced)
        return f"added, not part of the level: {' '.join(self.keywords)}" + (
            f" (in place of {there})" if there else ""
        )

    def among(self, words: Iterable[str]) -> tuple[list[str], list[str]]:
        """Return words of a line of ORCA with those of one's own, and those that they replace."""
        own = [_kind(one) for one in self.keywords]
        written = [one for one in words if one]
        replaced = [one for one in written if (kind := _kind(one)) is not None and kind in own]
        return [one for one in written if one not in replaced] + [*self.keywords], replaced

    def in_route(self, words: Iterable[str]) -> tuple[list[str], list[str]]:
        """Return words of a route section of Gaussian likewise."""
        own = {_name(one) for one in self.keywords}
        written = [one for one in words if one]
        replaced = [one for one in written if _name(one) in own]
        return [one for one in written if one not in replaced] + [*self.keywords], replaced


def _kind(word: str) -> int | None:
    if NOT_ALIKE.fullmatch(word):
        return None
    return next((n for n, one in enumerate(ALIKE) if one.fullmatch(word)), None)


def _name(word: str) -> str:
    """Return the keyword of Gaussian that a word begins with."""
    name = re.split(r"[=(]", word, maxsplit=1)[0].lower()
    return SHORT.get(name, name)


def megabytes(text: str) -> float:
    """Return memory as people write it, `16GB` or `2000 MB`, in MB; 0 for an empty text.

    Raises:
        InputError: it is none, or has no unit.
    """
    if not text.strip():
        return 0
    found = AMOUNT.fullmatch(text)
    amount = float(found[1]) * MEGABYTES[found[2].lower()] if found else 0
    if amount < 1:
        number = text.strip() if text.strip().isdecimal() else "16"
        raise InputError(
            f"the memory {text[:40]!r} was asked for",
            "a number and its unit are needed" if found is None else "it is less than 1 MB",
            f"say it as in {number}GB or {number}000MB: that of the whole calculation",
        )
    return amount


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of one's own for the line of a method.

    Raises:
        InputError: they could end that line, or begin another part of the input.
    """
    if text and not WORDS.fullmatch(text):
        wrong = sorted({*re.sub(WORDS, "", text)})
        found = f"they have {' '.join(map(repr, wrong[:5]))}" if wrong else "they are too long"
        raise InputError(
            f"the keywords {text[:80]!r} were asked for",
            f"{found}, and they stand in the line of the method",
            "give words such as RIJCOSX TightSCF, and write blocks into the file yourself",
        )
    return tuple(text.split())
