"""Measure what Grafico itself costs, as ratios in one run: ``make bench``.

Each figure stands beside a baseline of the same run, taken in turn with it, so that a slow or busy
machine slows both.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from importlib import import_module

from . import batch
from .figures import Figure, say
from .programs import ROOT, workplace

SECTIONS = {
    "calculation": "calculation", "engine": "engine", "remembering": "remembering",
    "mapper": "mapper", "peers": "compared", "links": "links", "size": "size", "memory": "memory",
    "reading": "reading", "agent": "agent", "batch": "batch", "reaction": "reaction",
    "ensemble": "ensemble", "library": "library", "jobs": "jobs", "mof": "mof",
}  # fmt: skip
"""By their names, the modules whose `measure` takes a folder and yields figures."""


def short(number: float) -> str:
    """Return a number with about three digits."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def line(figure: Figure) -> str:
    """Return a figure as a line of the table."""
    baseline = "" if figure.baseline is None else short(figure.baseline)
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    met = {True: ": met", False: ": MISSED", None: ""}[figure.met]
    return (
        f"{figure.name:38s} {short(figure.ours):>9s} {baseline:>9s} {ratio:>7s} {figure.unit:11s}"
        f" {figure.target}{met}  (against {figure.against})"
    )


def main() -> int:
    """Measure the sections asked for and print a table, or JSON; return 1 if one could not end."""
    parser = argparse.ArgumentParser(prog="make bench", description="what Grafico itself costs")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, help="sections (default: all)")
    pairs = "how often a batch is run with and without Grafico (default: %(default)s)"
    parser.add_argument("--pairs", type=int, default=batch.PAIRS, help=pairs)
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    os.chdir(ROOT)
    figures: list[Figure] = []
    failed = False
    if not options.json:
        head = f"{'what':38s} {'ours':>9s} {'baseline':>9s} {'ratio':>7s} {'unit':11s} target"
        print(head, flush=True)
    for name in options.only or SECTIONS:
        try:
            section = import_module(f"{__package__}.{SECTIONS[name]}")
            given = {"pairs": options.pairs} if name == "batch" else {}
            with workplace() as folder:
                for figure in section.measure(folder, **given):
                    figures.append(figure)
                    if not options.json:
                        print(line(figure), flush=True)
        except Exception:  # the other sections are worth having all the same
            failed = True
            say(f"{name}: {traceback.format_exc()}")
    if options.json:
        json.dump([figure.as_dict() for figure in figures], sys.stdout, indent=2)
        print()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
