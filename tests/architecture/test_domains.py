"""No door names a domain: what still does is listed here, and the list may only get shorter."""

from __future__ import annotations

import ast
import pkgutil
import re
from collections import Counter
from pathlib import Path

import pytest

import ontologies
import workflows
from workflows.registry import workflows as installed
from workflows.registry.packages import ROOMS
from workflows.text.names import plain

ROOT = Path(__file__).parents[2]

WORD = re.compile(r"\w[\w -]*")

GENERAL = {
    "alignment", "collection", "conversation", "conversion", "derived", "elements", "factors",
    "identification", "level", "marks", "origins", "properties", "provenance", "schema", "units",
}  # fmt: skip
"""Modules of `ontologies` that every domain has something to do with."""

DOMAINS = {one.name for one in pkgutil.iter_modules(workflows.__path__) if one.ispkg} - {
    *ROOMS,
    "batch",
}
"""Folders of `workflows` but what all use, and what asks any of them of many subjects."""

SCIENCE = {one.name for one in pkgutil.iter_modules(ontologies.__path__)} - GENERAL


OURS = {"run", "calculation", "geometry", "batch", "transition", "cluster", "clusters"}
"""Words of the doors' own that are names of a domain or a workflow, too: a step of a run is a
transition, and jobs go to a cluster."""


def names() -> set[str]:
    """What the domains and their workflows are called."""
    found = {name for one in installed().values() for name in one.names}
    return (found | set(map(plain, DOMAINS))) - OURS


def named(source: str, words: set[str]) -> list[str]:
    """Return what of a module names a domain: imports, and whole strings that are one's name."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module=str(module), level=0):
                places = [module, *(f"{module}.{one.name}" for one in node.names)]
            case ast.Import():
                places = [one.name for one in node.names]
            case ast.Constant(value=str(text)) if WORD.fullmatch(text) and plain(text) in words:
                found.append(repr(text))
                continue
            case _:
                continue
        for place in places:
            package, _, rest = place.partition(".")
            module = rest.partition(".")[0]
            if (package == "workflows" and module in DOMAINS) or (
                package == "ontologies" and module in SCIENCE
            ):
                found.append(f"{package}.{module}")
                break
    return found


def counted() -> dict[str, int]:
    """How often each file of the doors names a domain."""
    words = names()
    found = Counter[str]()
    for path in sorted((ROOT / "grafico").rglob("*.py")):
        times = len(named(path.read_text(encoding="utf-8"), words))
        if times:
            found[str(path.relative_to(ROOT / "grafico"))] = times
    return dict(found)


LEFT: dict[str, int] = {
    "__init__.py": 4,
    "agent/rules/making.py": 1,
    "agent/workflow_tools.py": 3,
}


def test_no_more_doors_name_a_domain() -> None:
    now = counted()
    more = {name: times for name, times in now.items() if times > LEFT.get(name, 0)}
    assert not more, f"a domain declares what is its own, see docs/extending.md: {more}"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from workflows.dft import x", ["workflows.dft"]),
        ("def f():\n  import workflows.molecule.names", ["workflows.molecule"]),
        ("from workflows import dft", ["workflows.dft"]),
        ("from ontologies.atoms import A", ["ontologies.atoms"]),
        ("from ontologies.level import A\nimport workflows.engine", []),
        ("x = 'spin-states'", ["'spin-states'"]),
        ("'a sentence on spin states'", []),
    ],
)
def test_what_names_a_domain_is_caught(source: str, found: list[str]) -> None:
    assert named(source, names()) == found
