"""Whatever a door prints is cleaned on its way: nothing prints but through `grafico.say`."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSIDE = ROOT / "grafico" / "sandbox" / "inside"
"""Runs confined; what it prints is caught."""

FUNCTIONS = {"echo", "secho", "print", "pager", "echo_via_pager"}


def prints(source: str) -> list[int]:
    """Lines that print by themselves."""
    found = list[int]()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="print")):
                found.append(node.lineno)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
                if (owner in ("click", "rich") and name in FUNCTIONS) or name == "secho":
                    found.append(node.lineno)
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Attribute(attr="stdout" | "stderr"), attr="write" | "writelines"
                )
            ):
                found.append(node.lineno)
            case _:
                pass
    return found


def test_every_door_prints_through_one() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "grafico").rglob("*.py"))
        if path.name != "say.py" and not path.is_relative_to(INSIDE)
        for line in prints(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, f"say() cleans what others have written: {wrong}"


@pytest.mark.parametrize(
    "source", ["click.echo(x)", "print(x)", "sys.stdout.write(x)", "def f():\n  click.secho(x)"]
)
def test_what_prints_by_itself_is_caught(source: str) -> None:
    assert prints(source)
