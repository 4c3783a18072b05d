"""Passages of documents: lines that belong together, with their place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workflows.text.safe_text import printable

from .reading import READERS, Page

TITLE, SHORTEST, LONGEST = 10, 40, 120
"""Words: what is shorter than the first goes with the heading after it, paragraphs shorter than the
second with the next; lines are cut after the third."""


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
