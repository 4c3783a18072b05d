"""Passages of documents, and which of them a question is nearest to."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workflows.text.safe_text import printable

from .reading import READERS, Page

TITLE, SHORTEST, LONGEST = 10, 40, 120
"""Words: what is shorter than the first goes with the heading after it, paragraphs shorter than the
second with the next; lines are cut after the third."""

K1, B = 1.5, 0.75
"""How soon more of a word says no more, and how much longer passages count less.

Source: S. Robertson, H. Zaragoza, Found. Trends Inf. Retr. 3, 333 (2009), doi:10.1561/1500000019.
"""

WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
EVERYWHERE = re.compile(
    "an?|and|are|as|at|be|been|by|can|do|does|for|from|has|have|how|if|in|into|is|it|its|may|must|"
    "not|of|on|or|shall|should|such|than|that|the|their|then|there|these|this|to|was|were|what|"
    "when|where|which|while|will|with|would|you|your"
)
"""Words that say nothing of what a passage is about."""


@dataclass(frozen=True)
class Passage:
    """Lines of a document that belong together.

    Attributes:
        file: as it was found.
        page: its number; 0 where there is none.
        first, last: its lines, counted from 1 on that page.
        text: of these lines.
    """

    file: str
    page: int
    first: int
    last: int
    text: str

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        called, _ = READERS[Path(self.file).suffix.lower()]
        lines = f"line {self.first}" if self.first == self.last else f"lines {self._lines}"
        return ", ".join(filter(None, (self.file, called and f"{called} {self.page}", lines)))

    @property
    def _lines(self) -> str:
        return f"{self.first}–{self.last}"


def passages(file: str, pages: Sequence[Page]) -> Iterator[Passage]:
    """Iterate over the passages of a document, none of which goes over a page."""
    for page in pages:
        begun, words = 0, 0
        for at, line in enumerate(page.lines):
            ends = words >= SHORTEST if not line.strip() else words >= LONGEST
            if words and (ends or (line.startswith("#") and words >= TITLE)):
                yield _passage(file, page, begun, at)
                begun, words = at, 0
            words += len(line.split())
        if words:
            yield _passage(file, page, begun, len(page.lines))


def _passage(file: str, page: Page, begun: int, end: int) -> Passage:
    while not page.lines[begun].strip():
        begun += 1
    while not page.lines[end - 1].strip():
        end -= 1
    text = "\n".join(printable(line).rstrip() for line in page.lines[begun:end])
    return Passage(file, page.number, begun + 1, end, text)


def words_of(text: str) -> list[str]:
    """Return the words of a text that say what it is about, without case and plural."""
    found = (word.casefold() for word in WORD.findall(text))
    return [_singular(word) for word in found if not EVERYWHERE.fullmatch(word)]


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def nearest(asked: str, there: Sequence[Passage], most: int) -> list[tuple[Passage, float]]:
    """Return the passages that a question is nearest to, with their scores (BM25), best first.

    Those that have none of its words are left out; of equal ones the earlier comes first.

    Args:
        asked: the question, or words.
        there: what there is.
        most: how many at most.
    """
    wanted = {*words_of(asked)}
    counted = [Counter(words_of(one.text)) for one in there]
    lengths = [sum(one.values()) for one in counted]
    usual = sum(lengths) / max(len(lengths), 1)
    having = Counter(word for one in counted for word in wanted & one.keys())
    rarity = {
        word: math.log(1 + (len(there) - times + 0.5) / (times + 0.5))
        for word, times in having.items()
    }
    scores: list[tuple[float, int]] = []
    for at, (words, length) in enumerate(zip(counted, lengths, strict=True)):
        score = 0.0
        for word in wanted & words.keys():
            times = words[word]
            score += rarity[word] * times * (K1 + 1) / (times + K1 * (1 - B + B * length / usual))
        if score:
            scores.append((-score, at))
    return [(there[at], -score) for score, at in sorted(scores)[:most]]
