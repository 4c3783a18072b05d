"""Imports run only leftwards: a layer knows the layers before it and none after."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = ("triplestore", "ogm", "ontologies", "workflows", "grafico", "evals", "tests")


def imported(source: str) -> Iterator[tuple[int, str]]:
    """Line and top-level name of every absolute import, inside functions too."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name.partition(".")[0]) for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield node.lineno, module.partition(".")[0]
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__")
                | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                yield node.lineno, module.partition(".")[0]
            case _:
                pass


def rightward(layer: str, source: str) -> list[tuple[int, str]]:
    after = LAYERS[LAYERS.index(layer) + 1 :]
    return [(line, name) for line, name in imported(source) if name in after]


@pytest.mark.parametrize("layer", LAYERS[:-1])
def test_imports_run_only_leftwards(layer: str):
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sorted((ROOT / layer).rglob("*.py"))
        for line, name in rightward(layer, path.read_text(encoding="utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "source",
    [
        "import workflows.dft",
        "from grafico.session.settings import Settings",
        "def f():\n    from evals import cases",
        "from importlib import import_module\nimport_module('workflows.mof')",
        "if TYPE_CHECKING:\n    import numpy, workflows",
    ],
)
def test_a_rightward_import_is_caught(source: str):
    assert rightward("ontologies", source)


def test_leftward_and_relative_imports_are_fine():
    assert not rightward("ontologies", "import ogm, numpy\nfrom triplestore import Store")
    assert not rightward("ontologies", "from . import grafico\nfrom .workflows import x")
