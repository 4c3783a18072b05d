"""Text of documents, by pages and lines. It runs in a process of its own: files may be hostile."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

MOST_PAGES = 5000
"""Of one file; what comes after is left out, and said."""

MOST_LETTERS = 20_000_000
"""Of one file, likewise."""

BLOCKS = (
    *("p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "dt", "dd", "pre", "caption"),
    *("blockquote", "div", "section", "article", "body", "tr"),
)
"""Elements of HTML that begin a line."""


@dataclass(frozen=True)
class Page:
    """Lines of a document.

    Attributes:
        number: of the page in a PDF, of the cell in a notebook of Jupyter; 0 where there is none.
        lines: text of each line; those of HTML stand where its source has them.
    """

    number: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Text:
    """What a document says.

    Attributes:
        pages: with their lines.
        problem: why there is none, or not all of it; empty otherwise.
    """

    pages: tuple[Page, ...] = ()
    problem: str = ""


Reading: TypeAlias = Callable[[bytes], list[Page]]


def texts(files: Sequence[tuple[str, bytes]]) -> list[Text]:
    """Return what files say, each by the ending of its name.

    Args:
        files: the ending of the name of each, as in `.pdf`, and its content.
    """
    return [text_of(ending, content) for ending, content in files]


def text_of(ending: str, content: bytes) -> Text:
    """Return what a file says."""
    try:
        pages = READERS[ending][1](content)
    except Exception as error:  # readers of others' files raise whatever they like
        return Text(problem=f"it cannot be read: {type(error).__name__}: {error}"[:200])
    kept, letters = list[Page](), 0
    for page in pages[:MOST_PAGES]:
        letters += sum(map(len, page.lines))
        if letters > MOST_LETTERS:
            break
        kept.append(page)
    left = len(pages) - len(kept)
    if not any(line.strip() for page in kept for line in page.lines):
        scan = " (a scan needs its characters recognised first)" if ending == ".pdf" else ""
        return Text(problem=f"it has no text{scan}")
    return Text(tuple(kept), f"{left} of its {len(pages)} pages were left out" if left else "")


def _plain(content: bytes) -> list[Page]:
    wide = content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    if b"\0" in content[:4096] and not wide:
        raise ValueError("it is no text")
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "latin-1"):
        try:
            return [Page(0, tuple(content.decode(encoding).splitlines()))]
        except UnicodeDecodeError:
            continue
    raise ValueError("it is no text")


def _pdf(content: bytes) -> list[Page]:
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(content))
    if reader.is_encrypted and not reader.decrypt(""):
        raise ValueError("it asks for a password")
    pages = (reader.pages[at] for at in range(min(len(reader.pages), MOST_PAGES + 1)))
    return [
        Page(number, tuple(page.extract_text().splitlines()))
        for number, page in enumerate(pages, 1)
    ]


def _html(content: bytes) -> list[Page]:
    from lxml import html

    parser = html.HTMLParser(no_network=True, remove_comments=True, huge_tree=False)
    lines: dict[int, str] = {}
    at = 1
    for event, node in _walked(cast("Any", html).document_fromstring(content, parser=parser)):
        if event == "start" and node.tag in BLOCKS:
            at = max(at, node.sourceline or at)
        text = node.text if event == "start" else node.tail
        if text and text.strip():
            lines[at] = f"{lines.get(at, '')} {' '.join(text.split())}".strip()
    return [Page(0, tuple(lines.get(n, "") for n in range(1, max(lines, default=0) + 1)))]


def _walked(root: Any) -> list[tuple[str, Any]]:
    """Return elements as they begin and end, without what is not text."""
    found, waiting = list[tuple[str, Any]](), [("start", root)]
    while waiting:
        event, node = waiting.pop()
        if event == "start" and (
            not isinstance(node.tag, str) or node.tag in ("script", "style", "template", "head")
        ):
            found.append(("end", node))
            continue
        found.append((event, node))
        if event == "start":
            waiting.append(("end", node))
            waiting += [("start", one) for one in reversed(list(node))]
    return found


def _notebook(content: bytes) -> list[Page]:
    cells = cast("dict[str, Any]", json.loads(content))["cells"]
    return [
        Page(number, tuple("".join(cell.get("source", "")).splitlines()))
        for number, cell in enumerate(cells, 1)
    ]


READERS: dict[str, tuple[str, Reading]] = {
    **dict.fromkeys((".txt", ".text", ".md", ".rst", ".tex", ".log"), ("", _plain)),
    ".pdf": ("page", _pdf),
    **dict.fromkeys((".html", ".htm"), ("", _html)),
    ".ipynb": ("cell", _notebook),
}
"""By the ending of a name, what a page is called, and what reads it."""
