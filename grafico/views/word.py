"""A document as a Word file: pandoc, a program of its own, makes it where it is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workflows.programs.installed import InstalledProgram, scratch

from .document import Piece, markdown

PANDOC = InstalledProgram(
    "pandoc",
    "pandoc",
    r"^pandoc (\S+)",
    "install it (apt-get install pandoc), or write si.md and have somebody else's make it: "
    "pandoc si.md -o si.docx",
)

SECONDS = 120.0
"""That it may take."""

READS = "commonmark+pipe_tables+implicit_figures"
"""What of Markdown counts: no TeX, no HTML, no files that are taken in."""


def check_pandoc(name: str) -> None:
    """Check that a Word file can be made.

    Raises:
        ComponentError: pandoc is not installed.
    """
    PANDOC.required(f"{name} was asked for")


def word(parts: Iterable[Piece], pictures: Mapping[str, bytes]) -> bytes:
    """Return a document as a Word file.

    Args:
        parts: what it says.
        pictures: PNG files by the names that its figures have.

    Raises:
        ComponentError: pandoc is not installed.
        RecipeError: it could not make one.
    """
    asked = "a Word file was asked for"
    with scratch() as folder:
        for name, picture in pictures.items():
            (folder / name).write_bytes(picture)
        (folder / "si.md").write_text(markdown(parts), encoding="utf-8")
        options = ["--from", READS, "--to", "docx", "--output", "si.docx", "si.md"]
        output = PANDOC.run(options, folder, asked, seconds=SECONDS)
        made = folder / "si.docx"
        if output.status or not made.exists():
            raise PANDOC.failed(asked, output, "write a .md or .html instead")
        return made.read_bytes()
