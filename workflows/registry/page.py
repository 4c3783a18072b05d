"""The page of docs/workflows.md: what can be asked, made from what the workflows declare.

``python -m workflows`` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from pydantic.fields import FieldInfo

from triplestore.errors import ComponentError
from workflows.engine import Node
from workflows.engine.graph.effects import why
from workflows.engine.request.rules import choices_of
from workflows.registry.catalogue import Workflow, workflows

HEAD = """# What can be asked

*Made by `python -m workflows` from what the workflows declare; do not edit it.*

Each of these is a verb of the command line, `session.run(subject, workflow=NAME, …)` in Python, and
what assistants call with `run_workflow`. [extending.md](extending.md) tells how to add one.
"""


def page() -> str:
    """Return the page, a section for each workflow that is installed and can be used."""
    known = workflows()
    parts = [HEAD]
    for name in sorted(known):
        try:
            parts.append("\n".join(section(known[name])))
        except ComponentError as error:
            parts.append(f"## grafico {known[name].command}\n\nCannot be used: {error.found}.\n")
    return "\n".join(parts)


def section(workflow: Workflow) -> Iterator[str]:
    """Iterate over the lines of one workflow."""
    whole = workflow.whole
    subject = whole.subject
    yield f"## grafico {workflow.command}\n"
    others = sorted({workflow.name, *workflow.synonyms} - {workflow.command})
    called = f" Also called {', '.join(f'`{one}`' for one in others)}." if others else ""
    yield f"{workflow.title}{called}"
    acts = why(whole.graph.effects)
    for text in (whole.help, f"A person must agree: {acts}." if acts else ""):
        if text:
            yield f"\n{text}"
    metavar = f" (`{subject.metavar}`)" if subject.metavar else ""
    yield f"\n**Subject**: a {subject.name}{metavar}. {subject.help}".rstrip()
    yield "\n| argument | takes | default | what it is |\n|---|---|---|---|"
    for name, form in whole.fields.items():
        field = form.offered()[name]
        takes, default = kind_of(field), default_of(field)
        yield f"| `{name}` | {takes} | {default} | {_cell(field.description or '')} |"
    made = [one.__name__ for one in whole.makes]
    if made:
        yield f"\n**Makes**: {', '.join(f'`{one}`' for one in made)}."
    yield f"\n```mermaid\n{whole.graph.mermaid().strip()}\n```\n"
    yield from (f"- `{node.__name__}`: {_first(node)}" for node in whole.graph.nodes)
    yield ""


def kind_of(field: FieldInfo) -> str:
    """Return what a field takes, in words."""
    if choices := choices_of(field.annotation):
        return ", ".join(f"`{one}`" for one in choices)
    names: list[str] = []
    stack: list[Any] = [field.annotation]
    while stack:
        one = stack.pop(0)
        if one in WORDS:
            names.append(WORDS[one])
        elif one is tuple or getattr(one, "__origin__", None) is tuple:
            names.append("a list")
        else:
            stack = [*get_args(one), *stack]
    return " or ".join(dict.fromkeys(names)) or "a text"


WORDS: dict[Any, str] = {
    bool: "yes or no",
    int: "a whole number",
    float: "a number",
    str: "a text",
}


def default_of(field: FieldInfo) -> str:
    """Return the default of a field, as it is written."""
    if field.is_required():
        return "required, or from the settings"
    if field.default in (None, "", ()):
        return ""
    if isinstance(field.default, bool):
        return "yes" if field.default else "no"
    return f"`{field.default}`"


def _first(node: type[Node[Any]]) -> str:
    return _cell((node.__doc__ or "").strip().partition("\n")[0])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
