"""No file needs itself: imports that are executed, also within functions, form no circle.

Those for type checkers form few.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from .test_arrows import LAYERS, ROOT


def modules() -> dict[str, Path]:
    found = [path for layer in LAYERS[:-1] for path in (ROOT / layer).rglob("*.py")]
    return {name_of(path): path for path in found}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def executed(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import but those for type checkers."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=other):
                for one in other:
                    yield from executed(one)
            case ast.Import() | ast.ImportFrom():
                yield node
            case _:
                yield from executed(node)


def imported(
    name: str,
    is_package: bool,
    source: str,
    known: set[str],
    which: Callable[[ast.AST], Iterator[ast.AST]] = executed,
) -> set[str]:
    """The modules of ours that a module imports, and the packages that this imports first."""
    found: set[str] = set()
    package = name.split(".") if is_package else name.split(".")[:-1]
    for node in which(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if not isinstance(node, ast.ImportFrom):
            continue
        before = package[: len(package) - node.level + 1] if node.level else []
        origin = ".".join([*before, *filter(None, [node.module])])
        for alias in node.names:
            whole = f"{origin}.{alias.name}"
            found.add(whole if whole in known else origin)
    within = {".".join(name.split(".")[:n]) for n in range(1, name.count(".") + 2)}
    packages = {".".join(one.split(".")[:n]) for one in found for n in range(1, one.count(".") + 1)}
    return (found | packages) & known - within


def circle(imports: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def tied(imports: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """The circles: files each of which leads to all others of its circle."""
    left = dict(imports)
    while ends := {name for name, needs in left.items() if not needs & left.keys()}:
        left = {name: needs for name, needs in left.items() if name not in ends}
    reached: dict[str, set[str]] = {}
    for name in left:
        found, new = set[str](), {name}
        while new:
            new = set[str]().union(*(left[one] for one in new)) & left.keys() - found
            found |= new
        reached[name] = found
    return {
        frozenset(one for one in found if name in reached[one])
        for name, found in reached.items()
        if name in found
    }


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    paths = modules()
    return {
        name: imported(name, path.name == "__init__.py", path.read_text("utf-8"), set(paths))
        for name, path in paths.items()
    }


def test_no_import_leads_back_to_where_it_started(imports: dict[str, set[str]]):
    found = circle(imports)
    assert not found, " → ".join(reversed(found))


def test_no_library_needs_the_command_line(imports: dict[str, set[str]]):
    line = {name for name in imports if f"{name}.".startswith("grafico.cli.")}
    wrong = {name: needs & line for name, needs in imports.items() if needs & line}
    assert wrong.keys() - line == {"grafico.__main__"}


@pytest.mark.parametrize(
    "source",
    ["from .b import x", "import l.b", "def f():\n    from . import b", "from l import b"],
)
def test_a_circle_is_caught(source: str):
    known = {"l", "l.a", "l.b"}
    imports = {
        "l.a": imported("l.a", False, source, known),
        "l.b": imported("l.b", False, "from l.a import f", known),
    }
    assert set(circle(imports)) == {"l.a", "l.b"}


def test_files_that_know_each_other_for_type_checkers_are_few():
    paths = modules()
    every = {
        name: {
            one
            for one in imported(
                name, path.name == "__init__.py", path.read_text("utf-8"), set(paths), ast.walk
            )
            if paths[one].name != "__init__.py"
        }
        for name, path in paths.items()
    }
    found = tied(every)
    assert len(found) <= 8, "\n".join(" ".join(sorted(one)) for one in found)


def test_circles_are_told_apart():
    imports = {"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"e"}, "e": {"c"}, "f": {"a"}}
    assert tied(imports) == {frozenset("ab"), frozenset("cde")}


def test_an_import_for_type_checkers_makes_none():
    source = "if TYPE_CHECKING:\n    from .b import x"
    assert not imported("l.a", False, source, {"l", "l.a", "l.b"})
