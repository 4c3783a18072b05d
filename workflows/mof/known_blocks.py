"""The blocks of the library by what they are: how the table is made, and how it is looked up.

The table stands beside this module. To write it again, where PORMAKE is installed (seconds):

    python3 -m workflows.mof.known_blocks
"""

from __future__ import annotations

import csv
import functools
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from workflows.text.words import count

from .library import block_named, block_names

TABLE = Path(__file__).with_name("known_blocks.csv")

COLUMNS = ("name", "atoms", "code")


@functools.cache
def names_by_code() -> Mapping[str, tuple[str, ...]]:
    """Return the names of blocks by their codes; a few that differ in shape alone share one."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in _rows():
        found[row["code"]].append(row["name"])
    return {code: tuple(names) for code, names in found.items()}


@functools.cache
def largest() -> int:
    """Return how many atoms the largest block has."""
    return max(int(row["atoms"]) for row in _rows())


def _rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def rows() -> list[tuple[str, int, str]]:
    """Return the rows of the table."""
    found = [block_named(name) for name in block_names()]
    return [
        (one.found_in.removeprefix("PORMAKE "), len(one.atoms.numbers), one.block.block_code)
        for one in found
    ]


def main() -> None:
    """Write the table."""
    made = rows()
    with TABLE.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(made)
    names_by_code.cache_clear()
    largest.cache_clear()
    print(f"{count(len(made), 'block')} in {TABLE.name}")


if __name__ == "__main__":
    main()
