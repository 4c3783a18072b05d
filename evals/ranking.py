"""``python -m evals.ranking``: how often the right passage is found, by words, meaning or both.

Two sets that nobody wrote for it: docstrings of NumPy and SciPy, asked for by their first lines,
and sections of Grafico's documentation, asked for by their headings.
"""

from __future__ import annotations

import importlib
import inspect
import random
import re
import warnings
from collections.abc import Sequence
from pathlib import Path

from workflows.text.minilm import required
from workflows.text.ranking import by_meaning, by_words, fused

MODULES = (
    *("numpy", "numpy.linalg", "scipy.optimize", "scipy.signal", "scipy.linalg", "scipy.spatial"),
    *("scipy.stats", "scipy.interpolate", "scipy.integrate", "scipy.special", "scipy.ndimage"),
    "scipy.sparse",
)
MOST, WORDS, SEED = 400, 120, 0
"""Passages of a set, words of each, and the seed by which they are chosen."""


def docstrings() -> list[tuple[str, str]]:
    """Return what functions do at length, each with its first line without their name."""
    found = dict[str, str]()
    for module in map(importlib.import_module, MODULES):
        for name in dir(module):
            with warnings.catch_warnings(action="ignore"):
                one = getattr(module, name)
            text = (inspect.getdoc(one) or "") if callable(one) else ""
            parts = re.split(r"\n\s*\n", text)
            parts = [part for part in parts if not re.match(r"\w+\(", part.strip())]
            asked = " ".join("".join(parts[:1]).split()).replace(name, "")
            rest = "\n\n".join(parts[1:])
            notes = re.search(r"Notes\n-+\n(.*?)(?:\n\w+\n-+\n|\Z)", rest, re.DOTALL)
            body = f"{rest.split('Parameters')[0].strip()}\n{notes[1] if notes else ''}".strip()
            if len(body.split()) >= 25 and len(asked.split()) >= 4:
                found[body] = asked
    return _chosen(found)


def sections(folder: Path) -> list[tuple[str, str]]:
    """Return sections of documentation, each with its heading."""
    found = dict[str, str]()
    for file in sorted(folder.glob("**/*.md")):
        text = file.read_text(encoding="utf-8")
        for heading, body in re.findall(r"^#{2,4} (.+)\n((?:(?!^#).*\n)+)", text, re.MULTILINE):
            if len(body.split()) > 20 and len(heading.split()) > 1:
                found[body.strip()] = heading
    return _chosen(found)


def _chosen(found: dict[str, str]) -> list[tuple[str, str]]:
    every = [(" ".join(body.split()[:WORDS]), asked) for body, asked in found.items()]
    random.Random(SEED).shuffle(every)
    return every[:MOST]


def places(items: Sequence[tuple[str, str]]) -> dict[str, list[int]]:
    """Return which the right passage is, counted from 1 and 0 for none, of each way.

    Raises:
        ComponentError: the weights of all-MiniLM-L6-v2 are not installed.
    """
    encoder = required("passages were to be ranked")
    there = [body for body, _ in items]
    vectors, asked = encoder.vectors(there), encoder.vectors([one for _, one in items])
    found: dict[str, list[int]] = {"words": [], "meaning": [], "both": []}
    for right, (_, question) in enumerate(items):
        worded, meant = by_words(question, there), by_meaning(asked[right], vectors)
        for way, ranked in zip(found, (worded, meant, fused(worded, meant)), strict=True):
            order = [at for at, _ in ranked]
            found[way].append(order.index(right) + 1 if right in order else 0)
    return found


def main() -> None:
    """Print shares of right passages that are the first, and among the first five."""
    sets = {"docstrings": docstrings(), "sections": sections(Path("docs"))}
    for name, items in sets.items():
        for way, ranks in places(items).items():
            first, five = (sum(0 < one <= most for one in ranks) / len(ranks) for most in (1, 5))
            print(f"{name:10} of {len(items)}  by {way:8}first {first:6.1%}  of five {five:6.1%}")


if __name__ == "__main__":
    main()
