"""Measure what Grafico itself costs, as ratios in one run: ``make bench``.

Each figure stands beside a baseline of the same run, taken in turn with it, so that a slow or busy
machine slows both.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from . import (
    agent,
    batch,
    calculation,
    compared,
    engine,
    ensemble,
    jobs,
    library,
    links,
    mapper,
    memory,
    mof,
    reaction,
    reading,
    remembering,
    size,
)
from .figures import Figure, say
from .peers import ROOT
from .place import workplace

SECTIONS: dict[str, Callable[[Path], Iterator[Figure]]] = {
    "calculation": calculation.measure,
    "engine": engine.measure,
    "remembering": remembering.measure,
    "mapper": mapper.measure,
    "peers": compared.measure,
    "links": links.measure,
    "size": size.measure,
    "memory": memory.measure,
    "reading": reading.measure,
    "agent": agent.measure,
    "batch": batch.measure,
    "reaction": reaction.measure,
    "ensemble": ensemble.measure,
    "library": library.measure,
    "jobs": jobs.measure,
    "mof": mof.measure,
}


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
    parser.add_argument(
        "--pairs",
        type=int,
        default=batch.PAIRS,
        help="how often a batch is run with and without Grafico (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    options = parser.parse_args()
    sections = {**SECTIONS, "batch": functools.partial(batch.measure, pairs=options.pairs)}
    os.environ["OMP_NUM_THREADS"] = "1"
    os.chdir(ROOT)
    figures: list[Figure] = []
    failed = False
    if not options.json:
        head = f"{'what':38s} {'ours':>9s} {'baseline':>9s} {'ratio':>7s} {'unit':11s} target"
        print(head, flush=True)
    for name in options.only or SECTIONS:
        try:
            with workplace() as folder:
                for figure in sections[name](folder):
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
