"""Tables as files for people: Markdown, LaTeX and workbooks; CSV of a block is `chart_data`'s."""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from xml.sax.saxutils import escape

from workflows.show.blocks import Table
from workflows.text.safe_text import on_one_line

from .chart_data import table_as_csv
from .text import written

Cells: TypeAlias = "Iterable[Iterable[Any]]"


def table_file(form: str, table: Table) -> bytes:
    """Return a table as a file of a kind, see `TABLE_FILES`; without what a short form leaves out.

    Args:
        form: the ending of its name.
        table: which.
    """
    if form == ".csv":
        return table_as_csv(table).encode()
    kept = [n for n, one in enumerate(table.columns) if not one.minor]
    columns = [table.columns[n] for n in kept]
    heads = [f"{one.label} ({one.unit})".removesuffix(" ()") for one in columns]
    rows = [[row[n] for n in kept] for row in table.rows]
    return AS_FILE[form](heads, rows, [one.digits for one in columns])


def markdown(heads: Sequence[str], rows: Cells, digits: Sequence[str]) -> bytes:
    """Return a table in Markdown, numbers to the right."""
    listed = [[*row] for row in rows]
    sides = [
        "---:" if any(isinstance(row[n], float | int) for row in listed) else "---"
        for n in range(len(heads))
    ]
    lines = [[*map(_plain, heads)], sides]
    lines += [[_plain(_cell(x, d)) for x, d in zip(r, digits, strict=True)] for r in listed]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines).encode()


def _plain(text: str) -> str:
    return on_one_line(text).replace("\\", "\\\\").replace("|", "\\|")


_TEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "–": "--", "−": "$-$", "Å": r"\AA{}", "°": r"$^\circ$", "⁻": r"$^{-}$", "¹": r"$^{1}$",
    "²": r"$^{2}$", "³": r"$^{3}$",
}  # fmt: skip


def latex(heads: Sequence[str], rows: Cells, digits: Sequence[str]) -> bytes:
    r"""Return a table as a `tabular` of LaTeX, which \usepackage{booktabs} rules."""
    listed = [[*row] for row in rows]
    sides = "".join(
        "r" if any(isinstance(row[n], float | int) for row in listed) else "l"
        for n in range(len(heads))
    )
    body = [[_cell(x, d) for x, d in zip(row, digits, strict=True)] for row in listed]
    lines = [
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        rf"{_line(heads)} \\",
        r"\midrule",
        *(rf"{_line(row)} \\" for row in body),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return ("\n".join(lines) + "\n").encode()


def _line(cells: Iterable[str]) -> str:
    return " & ".join("".join(_TEX.get(c, c) for c in on_one_line(one)) for one in cells)


def _cell(value: Any, digits: str) -> str:
    return "" if value is None else written(value, digits)


_SCHEMAS = "http://schemas.openxmlformats.org"
_KIND = "application/vnd.openxmlformats-"
_SHEETS = f"{_SCHEMAS}/spreadsheetml/2006/main"
_LINKS = f"{_SCHEMAS}/officeDocument/2006/relationships"
_PACKED = f"{_SCHEMAS}/package/2006"


def _link(kind: str, target: str) -> str:
    one = f'<Relationship Id="r1" Type="{_LINKS}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{_PACKED}/relationships">{one}</Relationships>'


_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKED}/content-types">'
    f'<Default Extension="rels" ContentType="{_KIND}package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" '
    f'ContentType="{_KIND}officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/sheet.xml" '
    f'ContentType="{_KIND}officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": _link("officeDocument", "xl/workbook.xml"),
    "xl/_rels/workbook.xml.rels": _link("worksheet", "sheet.xml"),
    "xl/workbook.xml": f'<workbook xmlns="{_SHEETS}" xmlns:r="{_LINKS}"><sheets>'
    '<sheet name="table" sheetId="1" r:id="r1"/></sheets></workbook>',
}
"""What a workbook of one sheet has beside it (ECMA-376)."""

_DECLARED = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def workbook(heads: Sequence[str], rows: Cells, digits: Sequence[str] = ()) -> bytes:
    """Return a table as a workbook (.xlsx): numbers whole, texts as texts, never formulas."""
    lines = [heads, *rows]
    cells = "".join(f"<row>{''.join(map(_in_sheet, line))}</row>" for line in lines)
    sheet = f'<worksheet xmlns="{_SHEETS}"><sheetData>{cells}</sheetData></worksheet>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for place, text in {**_PARTS, "xl/sheet.xml": sheet}.items():
            packed.writestr(zipfile.ZipInfo(place), _DECLARED + text)  # the same at any time
    return file.getvalue()


def _in_sheet(value: Any) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, float | int) and not isinstance(value, bool) and math.isfinite(value):
        return f"<c><v>{value!r}</v></c>"
    text = "".join(c for c in str(value) if c >= " " or c in "\t\n")
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'


AS_FILE: Mapping[str, Callable[[Sequence[str], Cells, Sequence[str]], bytes]] = {
    ".md": markdown,
    ".tex": latex,
    ".xlsx": workbook,
}

TABLE_FILES = (".csv", *AS_FILE)
"""Endings of the files that a table can stand in."""
