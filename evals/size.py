"""How much there is to read: statements and definitions of each package, by its syntax trees.

Lines depend on how code is laid out, statements do not: what one formatter writes in nine lines
and another in two is the same call. ``python -m evals.size`` prints the table, ``--files`` the
largest files, and folders may be named: ``python -m evals.size workflows/dft tests/dft``.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("triplestore", "ogm", "ontologies", "workflows", "grafico", "evals", "tests")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Size:
    """What Python files hold.

    Attributes:
        files: how many there are.
        definitions: functions, methods and classes.
        statements: all other statements; docstrings are none.
        lines: of text, blank ones and comments included.
    """

    files: int = 0
    definitions: int = 0
    statements: int = 0
    lines: int = 0

    @property
    def total(self) -> int:
        """Statements and definitions together."""
        return self.definitions + self.statements

    def __add__(self, other: Size) -> Size:
        return Size(
            self.files + other.files,
            self.definitions + other.definitions,
            self.statements + other.statements,
            self.lines + other.lines,
        )


def size(text: str) -> Size:
    """Return what one file of Python holds.

    Raises:
        SyntaxError: it is none.
    """
    kinds = Counter(_kinds(ast.parse(text)))
    return Size(1, kinds["definition"], kinds["statement"], len(text.splitlines()))


def _kinds(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, DEFINITIONS):
            yield "definition"
        elif isinstance(node, ast.stmt) and not _is_text(node):
            yield "statement"


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def sizes(folder: Path) -> dict[Path, Size]:
    """Return what each file of Python below a folder holds (or one file)."""
    files = [folder] if folder.is_file() else sorted(folder.rglob("*.py"))
    return {file: size(file.read_text(encoding="utf-8")) for file in files}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m evals.size", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--files", type=int, default=0, metavar="N", help="the N largest files too")
    parser.add_argument("--json", action="store_true", help="as JSON")
    options = parser.parse_args(arguments)
    folders = options.folders or [ROOT / name for name in PACKAGES]
    found = {folder: sizes(folder) for folder in folders}
    rows = {folder.name: sum(each.values(), Size()) for folder, each in found.items()}
    product = [name for name in PACKAGES[:-2] if name in rows]
    if not options.folders:
        rows["product"] = sum((rows[name] for name in product), Size())
    if options.json:
        print(json.dumps({name: vars(one) | {"total": one.total} for name, one in rows.items()}))
        return
    print(f"{'':13}{'files':>7}{'definitions':>13}{'statements':>12}{'together':>10}{'lines':>9}")
    for name, one in rows.items():
        print(
            f"{name:13}{one.files:7,}{one.definitions:13,}{one.statements:12,}"
            f"{one.total:10,}{one.lines:9,}"
        )
    every = {file: one for each in found.values() for file, one in each.items()}
    largest = sorted(every, key=lambda file: -every[file].total)[: options.files]
    for file in largest:
        print(f"{every[file].total:7,}  {file.relative_to(ROOT) if ROOT in file.parents else file}")


if __name__ == "__main__":
    main()
