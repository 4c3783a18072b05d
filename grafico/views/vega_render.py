"""Specifications as pictures, by vl-convert: what runs in a process of its own.

What is drawn is taken apart before anything else sees it, and only shapes and texts are kept:
vl-convert refuses to fetch data, but what makes pixels of an SVG would still fetch its images.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

VERSION = "6.4"
"""Of Vega-Lite."""

FONTS = Path(__file__).parent / "fonts"

SHARP = 2.0
"""Pixels of a PNG for one of a specification."""

NAMESPACE = "http://www.w3.org/2000/svg"

SHAPES = {
    "g": ("transform",),
    "path": ("transform", "d"),
    "line": ("transform", "x1", "x2", "y1", "y2"),
    "rect": ("transform", "x", "y", "width", "height"),
    "circle": ("transform", "cx", "cy", "r"),
    "text": ("transform", "x", "y", "text-anchor", "font-size", "font-weight", "font-family"),
    "tspan": ("x", "dy"),
}
"""Elements that are kept, with their attributes; those of their paint are `PAINT`."""

PAINT = (
    "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-miterlimit", "opacity",
    "fill-opacity", "stroke-opacity",
)  # fmt: skip


def render(
    specifications: Sequence[dict[str, Any]], form: str, colours: Mapping[str, str]
) -> list[bytes]:
    """Return pictures of specifications, for which nothing is fetched.

    Args:
        specifications: of Vega-Lite.
        form: `svg`, `png`, `pdf`, or `page` for an SVG element that stands in a page.
        colours: in a page, what stands for a colour.

    Raises:
        ValueError: one of them cannot be drawn, or names an address.
    """
    import vl_convert as vega

    vega.register_font_directory(str(FONTS))
    made: list[bytes] = []
    for one in specifications:
        drawn = vega.vegalite_to_svg(one, VERSION, allowed_base_urls=[])
        whole = cleaned(drawn, str(one.get("description", "")), form == "page", colours)
        if form == "png":
            made.append(vega.svg_to_png(whole, SHARP))
        elif form == "pdf":
            made.append(vega.svg_to_pdf(whole))
        else:
            made.append(whole.encode())
    return made


def cleaned(svg: str, title: str, in_page: bool, colours: Mapping[str, str]) -> str:
    """Return a drawing of which shapes and texts are kept.

    Args:
        svg: the drawing.
        title: what it is called.
        in_page: whether it stands in a page, which has its own ground and font.
        colours: in a page, what stands for a colour.
    """
    root = ElementTree.fromstring(svg)
    size = {name: root.get(name, "") for name in ("viewBox", "width", "height")}
    own = {"class": "chart"} if in_page else {"xmlns": NAMESPACE}
    whole = Element("svg", {**own, "role": "img", **size})
    _title(whole, title)
    parts = list(_kept(root))
    if in_page:
        parts = [one for one in parts if one.tag != "rect"]  # the ground
        for one in (inner for part in parts for inner in part.iter()):
            one.attrib.pop("font-family", None)
            for name in ("fill", "stroke"):
                if (colour := one.get(name, "")) in colours:
                    one.set(name, colours[colour])
    whole.extend(parts)
    return ElementTree.tostring(whole, encoding="unicode")


def _title(whole: Element, text: str) -> None:
    title = Element("title")
    title.text = text
    whole.insert(0, title)


def _kept(parent: Element) -> Iterator[Element]:
    for one in parent:
        tag = one.tag.removeprefix(f"{{{NAMESPACE}}}")
        unseen = one.get("opacity") == "0" or one.get("display") == "none"
        if tag not in SHAPES or unseen or one.get("d") in ("", "M0,0h0v0h0Z"):
            continue
        kept = {name: one.attrib[name] for name in (*SHAPES[tag], *PAINT) if name in one.attrib}
        if kept.get("opacity") == "1":
            del kept["opacity"]
        copy = Element(tag, {name: _short(value) for name, value in kept.items()})
        copy.text = one.text
        if tag != "g" and (said := one.get("aria-label")):
            _title(copy, said)
        copy.extend(_kept(one))
        if tag != "g" or len(copy):
            yield copy


def _short(value: str) -> str:
    """Return an attribute with as many decimals as are seen, and no address."""
    if "url(" in value:
        return "none"
    return re.sub(r"\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}", value)
