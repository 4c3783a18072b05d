"""What people and their scripts type: options of the verbs, and imports."""

from __future__ import annotations

import re
from pathlib import Path

import click

from grafico.cli.app import main

ROOT = Path(__file__).parents[2]
FENCED = re.compile(r"^ *```python\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"^ *from ([\w.]+) import (\([^)]*\)|[^\n(]+)$", re.MULTILINE)
OURS = ("grafico", "ogm", "ontologies", "triplestore", "workflows")


def options(
    group: click.Group = main, within: click.Context | None = None, above: str = ""
) -> dict[str, list[str]]:
    """Return the names of options and arguments by verb."""
    found: dict[str, list[str]] = {}
    context = click.Context(group, within, **group.context_settings)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, context)
        own = [one for one in command.get_params(inner) if one.name != "_click_default_help"]
        # A command keeps the option for help of the context that asked first, whichever that was.
        names = {o for p in own for o in (*p.opts, *p.secondary_opts)}
        found[above + name] = sorted(names | {*command.get_help_option_names(inner)})
        if isinstance(command, click.Group):
            found |= options(command, context, f"{above}{name} ")
    return found


def imports() -> list[str]:
    """Return what README and docs import from us, as `module.name`."""
    found: set[str] = set()
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for block in FENCED.findall(page.read_text("utf-8")):
            for module, names in IMPORT.findall(block):
                if module.partition(".")[0] in OURS:
                    words = re.findall(r"(\w+)(?: as \w+)?", re.sub(r"#.*", "", names))
                    found |= {f"{module}:{word}" for word in words}
    return sorted(found)
