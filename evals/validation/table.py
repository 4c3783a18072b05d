"""The table as a page: docs/validation.md."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from triplestore.release import release

from . import xtb
from .entries import Verdict

PAGE = Path(__file__).parents[2] / "docs" / "validation.md"

BEGIN, END = "<!-- begin of what make validate writes -->", "<!-- end of it -->"

PACKAGES = ("pyscf", "pyscf-dispersion", "tblite", "geometric", "numpy", "scipy")

HEAD = "| molecule | quantity | level | unit | Grafico | reference | deviation | allowed | because of | source |"  # noqa: E501


def line(verdict: Verdict) -> str:
    """Return a verdict as a row."""
    entry, deviation = verdict.entry, verdict.deviation
    ours, reference = (
        "" if value is None else entry.text(value) for value in (verdict.ours, verdict.reference)
    )
    apart = "same" if verdict.passed else "differs"
    if deviation is not None:
        apart = entry.text(deviation, "+")
    if not verdict.passed:
        apart = f"**{apart if deviation is not None else verdict.problem or apart}**"
    level = entry.level.label if entry.level else ""
    allowed = f"{entry.allowed:g}" if entry.allowed else "none"
    cells = (
        entry.molecule,
        entry.quantity,
        level,
        entry.unit,
        ours,
        reference,
        apart,
        allowed,
        entry.why,
        entry.source,
    )
    return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"


def by_kind(verdicts: Iterable[Verdict]) -> dict[str, list[Verdict]]:
    """Return the verdicts of each kind, in the order in which they came."""
    kinds: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        kinds.setdefault(verdict.entry.kind, []).append(verdict)
    return kinds


def worst(verdicts: Iterable[Verdict]) -> tuple[float, Verdict | None]:
    """Return the largest share of what is allowed that a deviation takes, and whose it is."""
    shares = [
        (abs(verdict.deviation) / verdict.entry.allowed, verdict)
        for verdict in verdicts
        if verdict.deviation is not None
    ]
    return max(shares, key=lambda one: one[0], default=(0.0, None))


def document(verdicts: Sequence[Verdict], psi4: str | None, seconds: float) -> str:
    """Return what stands between the markers."""
    return "\n".join(_lines(verdicts, psi4, seconds))


def _lines(verdicts: Sequence[Verdict], psi4: str | None, seconds: float) -> Iterator[str]:
    outside = [verdict for verdict in verdicts if not verdict.passed]
    kept = sum(verdict.remembered for verdict in verdicts)
    programs = [f"grafico {release()}", *(f"{name} {version(name)}" for name in PACKAGES)]
    programs.append(f"Psi4 {psi4 or 'none'}")
    programs.append(f"xtb {xtb.version() or 'none'}")
    yield f"{len(verdicts)} entries, {len(verdicts) - len(outside)} within what is allowed, on"
    yield f"{datetime.now(UTC):%Y-%m-%d} by `make validate` in {seconds / 60:.1f} minutes"
    yield f"({kept} entries from a store): Python {platform.python_version()},"
    yield ", ".join(programs) + "."
    yield ""
    yield "| kind | entries | outside | largest share of what is allowed |"
    yield "|---|---|---|---|"
    kinds = by_kind(verdicts)
    for kind, those in kinds.items():
        share, whose = worst(those)
        said = ""
        if whose is not None:
            level = f", {whose.entry.level.label}" if whose.entry.level else ""
            said = f"{share:.0%}: {whose.entry.quantity} of {whose.entry.molecule}{level}"
        missed = sum(not verdict.passed for verdict in those)
        yield f"| {kind} | {len(those)} | {missed} | {said.replace('%', ' %', 1)} |"
    for kind, those in kinds.items():
        yield ""
        yield f"### {kind[0].upper()}{kind[1:]}"
        yield ""
        yield HEAD
        yield "|" + "---|" * (HEAD.count("|") - 1)
        yield from (line(verdict) for verdict in those)


def write(text: str, page: Path = PAGE) -> None:
    """Put the table in its place on the page, which keeps its other words."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
