"""``python -m evals.validation``: compute, compare, and write docs/validation.md."""

from __future__ import annotations

import argparse
import json
import os
import pkgutil
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from triplestore.errors import ComponentError, GraficoError

from . import psi4, table
from .entries import Entry, Verdict
from .laboratory import At, Laboratory

STORE = "validation-store"


def all_entries() -> list[Entry]:
    """Return the entries of every module here that has some, their kinds in alphabetical order."""
    names = (found.name for found in pkgutil.iter_modules([str(Path(__file__).parent)]))
    modules = (import_module(f"{__package__}.{name}") for name in names if name != "__main__")
    every = (entry for one in modules if hasattr(one, "entries") for entry in one.entries())
    return sorted(every, key=lambda entry: entry.kind.casefold())


def judge(entry: Entry, laboratory: Laboratory) -> Verdict:
    """Compute both values of an entry."""
    started, before = time.perf_counter(), laboratory.computed
    ours = reference = None
    problem, left_out = "", False
    try:
        reference = entry.reference() if callable(entry.reference) else entry.reference
        ours = entry.ours(At(laboratory, entry.level))
    except ComponentError as error:
        problem, left_out = str(error), True
    except (GraficoError, AssertionError) as error:
        problem = f"{type(error).__name__}: {error}"
    return Verdict(
        entry,
        ours,
        reference,
        time.perf_counter() - started,
        laboratory.computed == before,
        " ".join(problem.split()),
        left_out,
    )


def say(text: str) -> None:
    """Tell how it goes, beside what is printed."""
    print(text, file=sys.stderr, flush=True)


def progress(verdict: Verdict, number: int, count: int) -> str:
    """Return a line about an entry that is done."""
    entry = verdict.entry
    said = verdict.problem
    if not said and verdict.ours is not None:
        said = f"{entry.text(verdict.ours)} {entry.unit}".rstrip()
        if verdict.deviation is not None:
            said += f" (off by {entry.text(verdict.deviation, '+')}, allowed {entry.allowed:g})"
    source = "remembered" if verdict.remembered else f"{verdict.seconds:.1f} s"
    return f"{number:3d}/{count} {verdict.word:8s} {entry.name}: {said} [{source}]"


def as_dict(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict for JSON."""
    entry = verdict.entry
    return {
        "kind": entry.kind,
        "molecule": entry.molecule,
        "quantity": entry.quantity,
        "level": entry.level.label if entry.level else None,
        "unit": entry.unit,
        "ours": verdict.ours,
        "reference": verdict.reference,
        "deviation": verdict.deviation,
        "allowed": entry.allowed,
        "why": entry.why,
        "source": entry.source,
        "verdict": verdict.word,
        "problem": verdict.problem,
        "seconds": round(verdict.seconds, 3),
        "remembered": verdict.remembered,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the entries asked for; return 1 if one is outside of what is allowed."""
    entries = all_entries()
    kinds = list(dict.fromkeys(entry.kind for entry in entries))
    parser = argparse.ArgumentParser(
        prog="make validate",
        description="Grafico's numbers beside those of others",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=kinds,
        metavar="KIND",
        help=f"kinds: {', '.join(map(repr, kinds))} (default: all)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, leave the page as it is")
    parser.add_argument(
        "--store", default=STORE, help="folder of the results, or memory: (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    os.environ["OMP_NUM_THREADS"] = "1"
    wanted = [entry for entry in entries if not options.only or entry.kind in options.only]
    started = time.perf_counter()
    verdicts: list[Verdict] = []
    laboratory = Laboratory(options.store)
    try:
        for number, entry in enumerate(wanted, 1):
            verdicts.append(judge(entry, laboratory))
            say(progress(verdicts[-1], number, len(wanted)))
    finally:
        laboratory.close()
    seconds = time.perf_counter() - started
    missing = [verdict for verdict in verdicts if verdict.left_out]
    outside = [verdict for verdict in verdicts if not verdict.passed and not verdict.left_out]
    if options.json:
        json.dump([as_dict(verdict) for verdict in verdicts], sys.stdout, indent=2)
        print()
    elif options.only or missing:
        say("docs/validation.md is left as it is: not every entry was judged")
    else:
        table.write(table.document(verdicts, psi4.version(), seconds))
        say("docs/validation.md is written")
    found = f"{len(outside)} outside, {len(missing)} left out"
    say(f"{len(verdicts)} entries in {seconds:.0f} s: {found}")
    return int(bool(outside))


if __name__ == "__main__":
    sys.exit(main())
