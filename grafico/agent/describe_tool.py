"""The tool that tells what there is: what workflows take, what recipes say, what classes have."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field, create_model
from pydantic.fields import FieldInfo

from grafico.session.ontology import described as described_classes
from grafico.session.ontology import installed as installed_classes
from grafico.session.ontology import unknown_classes
from grafico.views.row_choice import RowChoice
from ogm.snapshot import outline
from triplestore.errors import NotFoundError
from workflows.engine.graph.effects import why
from workflows.engine.request.definition import Definition
from workflows.engine.request.rules import is_rare
from workflows.registry import Action, Workflow, workflows
from workflows.registry.skills import Skills, skills
from workflows.text.names import plain
from workflows.text.words import duration

from .context import ToolContext
from .tool_forms import schema_of, usual_workflow
from .toolbox import Found, Tool, cut, lean

COMPARE = "Give a list of values of an argument, such as method, to have them side by side."

MANY = "batch"
"""The workflow whose result is a table."""

CLASSES = "classes"
"""What all classes of the graph are asked for by."""

MOST_SKILLS = 20
"""Recipes whose names a model sees without asking."""


def describing_tool(own: str) -> Tool:
    """Return the tool.

    Args:
        own: the person's folder of skills; empty for none.
    """
    there = skills(own)
    names = ", ".join([*there.found][:MOST_SKILLS])
    recipes = f", a recipe says: {names}" if names else ""

    async def describe(context: ToolContext, name: str = "") -> Found:
        return _everything(there) if not name else _named(context, there, name)

    return Tool(
        "describe",
        f"See what a workflow takes, a class of the graph has{recipes}.",
        create_model(
            "describe",
            __config__=ConfigDict(extra="forbid"),
            name=(str, Field("", description=f"None: list all; {CLASSES}: all of these.")),
        ),
        describe,
        reads=True,
    )


def _everything(there: Skills) -> Found:
    """Return all that can be asked, and the recipes."""
    told = [f"{one.name}: {one.description}" for one in there.found.values()]
    verbs = [one for one in workflows().verbs if not (isinstance(one, Action) and one.personal)]
    every: Found = {"workflows": [f"{one.command}: {one.title}" for one in verbs]}
    every |= {"recipes": told} if told else {}
    return every | ({"recipes_refused": dict(there.refused)} if there.refused else {})


def _named(context: ToolContext, there: Skills, name: str) -> Found:
    """Return what there is of a name; a recipe comes with the workflow that is called so.

    Raises:
        NotFoundError: nothing is called so.
    """
    verb, found = workflows().verb(name), Found()
    try:
        skill = there.named(name)
        found |= {"recipe": skill.name, "text": skill.body}
        if verb is not None and plain(verb.command) != plain(skill.name):
            verb = None  # which the recipe speaks of
    except NotFoundError:
        if verb is None:
            stored = _on_stored(name)
            return stored or _classes(name)
    if verb is None:
        return found
    if isinstance(verb, Action):
        return found | _described_action(verb)
    return found | described(verb, context)


def _classes(text: str) -> Found:
    """Return what classes have, by their names, with commas between them; all for `classes`.

    Raises:
        NotFoundError: none is called so.
    """
    if text.strip().lower() == CLASSES:
        return {CLASSES: {one.term: cut(one.text) for one in outline(installed_classes())}}
    names = tuple(filter(None, (one.strip() for one in text.split(","))))
    wrong = {one: f"no such class{near}" for one, near in unknown_classes(names).items()}
    there = tuple(one for one in names if one not in wrong)
    if not there and all(one[:1].islower() and one[:2] != "g:" for one in names):
        workflows().named(text)  # a workflow was meant: it says which is near
    found: Found = {"text": described_classes(there, "text")} if there else {}
    return found | ({"unknown": wrong} if wrong else {})


def described(workflow: Workflow, context: ToolContext) -> Found:
    """Return what can be asked of a workflow; what the usual one takes too is only named."""
    whole, own = workflow.whole, _own(workflow.whole)
    long = duration(min(context.long, context.settings.hours * 3600))
    defaults = context.settings.defaults
    required = [
        name
        for name, field in whole.arguments.items()
        if field.is_required() and name not in defaults
    ]
    table: Found = RowChoice.model_json_schema() if workflow.name == MANY else {}
    found: Found = {
        "name": workflow.command,
        "title": workflow.title,
        "help": whole.help,
        "subjects": whole.subject.help if whole.subject.metavar else "none",
        "arguments": schema_of(whole, own),
        "rows": lean(table).get("properties"),
        "required": required,
        "as_calculate": [name for name in whole.arguments if name not in own],
        "compare": COMPARE,
        "needs_a_yes": why(whole.graph.effects) or f"what is estimated to take more than {long}",
    }
    return {name: value for name, value in found.items() if value}


def _own(whole: Definition[Any, Any]) -> list[str]:
    """Return the arguments of a workflow that the tool of the usual one does not show like that."""
    usual = usual_workflow()
    every = usual.whole.arguments if usual else {}
    inline = {name: field for name, field in every.items() if not is_rare(field)}
    return [name for name, one in whole.arguments.items() if not _alike(one, inline.get(name))]


def _alike(one: FieldInfo, other: FieldInfo | None) -> bool:
    """Return whether what is said of a field is said of another too, perhaps among more."""
    if other is None or not (one.is_required() or one.default == other.default):
        return False
    return (one.description or "") in (other.description or "")


def _on_stored(name: str) -> Found:
    """Return what a verb says of stored runs, where it answers to a name; else nothing."""
    verb = workflows().wrapper(name)
    if verb is None or verb.whole.stored is None:
        return {}
    form = lean(verb.whole.form.model_json_schema()).get("properties", {})
    said = {"name": verb.command, "subjects": "stored runs", "help": verb.whole.help}
    return said | {"arguments": form, "settings": COMPARE}


def _described_action(action: Action) -> Found:
    """Return what can be asked of an action."""
    whole, typed = action.whole, action.whole.subject.typed
    own: Found = {} if typed is None else {whole.subject.name: lean(typed.model_json_schema())}
    found: Found = {
        "name": action.command,
        "title": action.title,
        "help": whole.help,
        "subjects": whole.subject.help if whole.subject.metavar else "none",
        "arguments": own | schema_of(whole, whole.arguments),
        "endings": ", ".join(whole.endings),
    }
    return {name: value for name, value in found.items() if value}
