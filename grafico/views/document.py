"""A text of headings, paragraphs, tables and figures, written as Markdown or as a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias


@dataclass(frozen=True)
class Heading:
    """A heading, of level 1 to 3."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; a list item if `item`."""

    text: str
    item: bool = False


@dataclass(frozen=True)
class Grid:
    """A table with a caption."""

    head: Sequence[str]
    cells: Sequence[Sequence[str]]
    caption: str = ""


@dataclass(frozen=True)
class Lines:
    """Lines of fixed width, such as coordinates."""

    text: str


@dataclass(frozen=True)
class Figure:
    """A drawing.

    Attributes:
        caption: what it shows.
        name: of its file.
        picture: an SVG document; a PNG file where a Word file is made.
    """

    caption: str
    name: str
    picture: bytes


Piece: TypeAlias = Heading | Paragraph | Grid | Lines | Figure


def markdown(parts: Iterable[Piece], folder: str = "") -> str:
    """Write it as Markdown.

    Args:
        parts: what it says.
        folder: where the figures lie, before their names.
    """
    return "\n\n".join(_as_markdown(one, folder) for one in parts) + "\n"


def _as_markdown(one: Piece, folder: str) -> str:
    match one:
        case Heading():
            return f"{'#' * one.level} {_plain(one.text)}"
        case Paragraph():
            return _plain(one.text)
        case Lines():
            return f"```\n{one.text}\n```"
        case Figure():
            return f"![{_plain(one.caption)}]({folder}{one.name})\n\n{_plain(one.caption)}"
        case Grid():
            lines = [one.head, ["---"] * len(one.head), *one.cells]
            return "\n".join(f"| {' | '.join(_cell(cell) for cell in row)} |" for row in lines)


def _cell(text: str) -> str:
    return text if text == "---" else _plain(text)


def _plain(text: str) -> str:
    """Return text so that Markdown takes no letter of it for a sign."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", text)


STYLE = """
body { font: 15px/1.5 Georgia, "Times New Roman", serif; max-width: 54rem; margin: 2rem auto;
  padding: 0 1rem; color: #111; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #999 }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem }
table { border-collapse: collapse; margin: .5rem 0; font-size: .85rem; border-top: 2px solid #111;
  border-bottom: 2px solid #111 }
.wide { overflow-x: auto }
th { border-bottom: 1px solid #111; text-align: left } th, td { padding: .15rem .7rem .15rem 0;
  vertical-align: top }
pre { font: 12px/1.35 monospace; margin: .3rem 0 1rem }
figure { margin: 1rem 0 } figure svg { max-width: 100%; height: auto }
figcaption { font-size: .85rem } p.reference { margin: .2rem 0 .2rem 2rem; text-indent: -2rem }
@media print { h3, table { break-inside: avoid; break-after: avoid } }
"""


def page(parts: Iterable[Piece]) -> str:
    """Write it as an HTML page that loads nothing."""
    body = list(parts)
    title = next((one.text for one in body if isinstance(one, Heading)), "")
    inner = "\n".join(map(_as_html, body))
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n{inner}\n</html>\n"
    )


def _as_html(one: Piece) -> str:
    match one:
        case Heading():
            return f"<h{one.level}>{escape(one.text)}</h{one.level}>"
        case Paragraph():
            return f"<p{_reference(one.text)}>{_linked(escape(one.text))}</p>"
        case Lines():
            return f"<pre>{escape(one.text)}</pre>"
        case Figure():
            drawing = one.picture.decode()
            drawing = drawing[drawing.find("<svg") :]
            return f"<figure>{drawing}<figcaption>{escape(one.caption)}</figcaption></figure>"
        case Grid():
            head = "".join(f"<th>{escape(cell)}</th>" for cell in one.head)
            lines = "\n".join(
                f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
                for row in one.cells
            )
            return (
                f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n'
                f"<tbody>{lines}</tbody></table></div>"
            )


def _reference(text: str) -> str:
    return ' class="reference"' if re.match(r"\[\d+\] ", text) else ""


def _linked(text: str) -> str:
    """Make DOIs of escaped text links."""
    return re.sub(
        r"doi:(10\.\d{4,9}/\S+?)(?=\.?$|\s)", r'<a href="https://doi.org/\1">doi:\1</a>', text
    )
