"""Factors between units are written in one place."""

import ast
import math
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LAYERS = ("grafico", "workflows", "ontologies", "ogm", "triplestore", "evals")
DEFINING = ROOT / "grafico" / "agent" / "arithmetic.py"
"""It tells exact constants, as people write them, from numbers without a source."""

CLOSE = 1e-5
"""A fraction: a copy of a factor may have fewer digits."""


def numbers(path: Path) -> Iterator[tuple[int, float]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield node.lineno, node.value


def test_no_factor_is_written_twice() -> None:
    place = ROOT / "ontologies" / "factors.py"
    known = {value for _, value in numbers(place) if value != 1.0}
    assert len(known) == 9
    copies = [
        f"{path.relative_to(ROOT)}:{line}: {value}"
        for layer in LAYERS
        for path in sorted((ROOT / layer).rglob("*.py"))
        if path not in (place, DEFINING)
        for line, value in numbers(path)
        if any(math.isclose(value, factor, rel_tol=CLOSE) for factor in known)
    ]
    assert not copies, "take it from ontologies.factors:\n" + "\n".join(copies)
