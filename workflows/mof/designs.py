"""Many designs of one source: a line, or a row of a table, each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from workflows.engine.request.form import Form
from workflows.engine.request.library import Library, Raw, Record


class Designs(Library):
    """Texts such as `pcu N16 E14`; each is read when it is computed."""

    suffixes: ClassVar[tuple[str, ...]] = (".designs",)
    columns: ClassVar[tuple[str, ...]] = ("design", "blocks", "framework")

    def split(self, lines: Iterator[str], suffix: str) -> Iterator[Raw]:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if text and not text.startswith("#"):
                yield Raw(f"line {number}", text)

    def read(self, raws: Sequence[Raw], said: Form) -> list[Record]:
        return [
            Record(raw, given=text, canonical=text, name=raw.name or text)
            for raw in raws
            for text in [" ".join(raw.text.split())]
        ]

    def suffix_of(self, head: str) -> str:
        return ".designs"
