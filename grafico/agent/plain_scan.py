"""A request as it is read: what was understood is taken out of the text, the rest stays."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any

GAP = "\0"
"""Stands in the rest for each character that was understood."""

SAME = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−﹣－", "-"),
        **dict.fromkeys("‘’‚′`´", "'"),
        **dict.fromkeys("“”„«»″", '"'),
        "·": "*",
        "×": "x",
    }
)


def tidied(text: str) -> str:
    """Return a text in one spelling of dashes, quotes and spaces, without control characters."""
    plain = unicodedata.normalize("NFKC", text).translate(SAME)
    spaced = (" " if unicodedata.category(c) in ("Cc", "Cs", "Zs") else c for c in plain)
    return re.sub(" {2,}", " ", "".join(spaced))


def words(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of whole words in any case; a space stands for spaces or a hyphen."""

    def gap(found: re.Match[str]) -> str:
        return {" ?": r"[\s-]{0,3}", " ": r"[\s-]{1,3}"}.get(found[0], found[0])

    spaced = re.sub(r"\\.|\[[^\]]*\]| \?| ", gap, pattern)
    return re.compile(rf"(?<![\w-])(?:{spaced})(?!\w|-\w)", re.IGNORECASE)


@dataclass(frozen=True)
class Mention:
    """A word that says something about one molecule, or about all.

    Attributes:
        start: where it begins.
        end: where it ends.
        field: `charge` or `multiplicity`.
        value: of it.
        plural: whether it must mean all.
        loose: whether a molecule that is charged by its name explains it.
    """

    start: int
    end: int
    field: str
    value: int
    plural: bool = False
    loose: bool = False


@dataclass(frozen=True)
class Found:
    """A molecule of the request.

    Attributes:
        start: where it stands.
        end: where it ends.
        given: what the tool is given.
        said: how it was read.
        charged: charge that its name says, 0 where it says none; None if that is not known.
    """

    start: int
    end: int
    given: str
    said: str = ""
    charged: int | None = None


@dataclass
class Reading:
    """What has been made of a request so far.

    Attributes:
        text: the whole of it, tidied.
        rest: what is not understood yet.
        fields: arguments of the calculation.
        said: how the parts were understood.
        reads: what is to be read from the results, in the order of the text.
        problem: the first thing that cannot be done; empty for none.
        suggestions: requests that can be done in its place.
        molecules: where they stand and what they are.
        mentions: of charges and multiplicities.
        axis: alternatives of some fields, of which each makes a call.
        tool: what is called.
    """

    text: str
    rest: str = ""
    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    said: list[str] = field(default_factory=list[str])
    reads: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    problem: str = ""
    suggestions: list[str] = field(default_factory=list[str])
    molecules: list[Found] = field(default_factory=list[Found])
    mentions: list[Mention] = field(default_factory=list[Mention])
    axis: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    tool: str = "calculate"

    def __post_init__(self) -> None:
        self.rest = self.rest or self.text

    def take(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """Return where a pattern stands in the rest, and take it out."""
        found = list(pattern.finditer(self.rest))
        for one in found:
            self.blank(*one.span())
        return found

    def blank(self, start: int, end: int) -> None:
        """Take a part out of the rest."""
        self.rest = self.rest[:start] + GAP * (end - start) + self.rest[end:]

    def refuse(self, why: str, *instead: str) -> None:
        """Say why the request cannot be done; the first reason stays."""
        if not self.problem:
            self.problem, self.suggestions = why, [one for one in instead if one]

    def vary(self, values: list[dict[str, Any]], what: str) -> None:
        """Set fields, or make a call for each of several alternatives."""
        unique = [one for n, one in enumerate(values) if one not in values[:n]]
        if len(unique) == 1:
            self.fields |= unique[0]
        elif self.axis:
            self.refuse(
                f"several of two things were asked for at once, of which one is {what}",
                "ask for one after the other",
            )
        elif len(unique) > 12:
            self.refuse(f"{len(unique)} of {what} were asked for; 12 are allowed")
        else:
            self.axis = unique

    def put(self, name: str, value: Any, what: str) -> None:
        """Set a field that may be said once only."""
        if self.fields.get(name, value) != value:
            self.refuse(f"{what} is said twice: {self.fields[name]} and {value}", "say it once")
        self.fields[name] = value

    def say(self, what: str) -> None:
        """Note how a part was understood."""
        if what not in self.said:
            self.said.append(what)
