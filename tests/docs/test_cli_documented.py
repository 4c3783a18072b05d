"""The command line and its pages agree: a section a command, and every option somewhere.

Options of a workflow's forms stand in docs/workflows.md, which is made of them; those that all
verbs that compute have stand at the head of docs/cli.md, once.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
WORKFLOWS = PAGE.with_name("workflows.md")
HEADING = re.compile(r"^##+ (?P<name>grafico(?: [\w-]+)+) *$")


def commands(group: click.Group, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    """Every command that is not hidden, by its full name; groups are looked into."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command, f"{context.command_path} lists {name} but does not know it"
        if command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        yield inner.command_path, command
        if isinstance(command, click.Group):
            yield from commands(command, inner)


def sections(text: str) -> dict[str, str]:
    """Each heading's text, up to the next heading outside a code block."""
    found: dict[str, str] = {}
    name, fenced = "", False
    for line in text.splitlines(keepends=True):
        fenced ^= line.lstrip().startswith("```")
        if not fenced and re.match(r"##? ", line):
            name = ""
        if not fenced and (heading := HEADING.match(line)):
            name = heading["name"]
        if name:
            found[name] = found.get(name, "") + line
    return found


def mentions(text: str) -> set[str]:
    """The options that a text mentions."""
    return set(re.findall(r"(?<![\w-])--?\w[\w-]*", text))


def arguments(name: str) -> set[str]:
    """The options of a verb by its arguments in docs/workflows.md; none for other commands."""
    text = sections(WORKFLOWS.read_text(encoding="utf-8")).get(name, "")
    found = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    return {f"--{'no-' * no}{one.replace('_', '-')}" for one in found for no in (False, True)}


def shared() -> set[str]:
    """The options that stand at the head of docs/cli.md for all verbs that compute."""
    return mentions(PAGE.read_text(encoding="utf-8").partition("\n## ")[0])


def missing(
    command: click.Command, section: str, elsewhere: set[str] | frozenset[str] = frozenset()
) -> list[str]:
    """The long options (or short, where there is no other) that the section does not mention."""
    mentioned = mentions(section) | elsewhere | {"--help"}
    lacking: list[str] = []
    for option in command.get_params(click.Context(command)):
        if not isinstance(option, click.Option) or option.hidden:
            continue
        names = [*option.opts, *option.secondary_opts]
        names = [name for name in names if name.startswith("--")] or names
        lacking += [name for name in names if name not in mentioned]
    return lacking


@pytest.fixture(scope="module")
def known() -> dict[str, click.Command]:
    from grafico.cli.app import main

    return dict(commands(main, click.Context(main, info_name="grafico")))


@pytest.fixture(scope="module")
def documented() -> dict[str, str]:
    return sections(PAGE.read_text(encoding="utf-8"))


def test_every_command_has_a_section_and_every_section_a_command(
    known: dict[str, click.Command], documented: dict[str, str]
):
    assert sorted(documented) == sorted(known)


def test_every_option_is_mentioned(known: dict[str, click.Command], documented: dict[str, str]):
    lacking = {
        name: names
        for name, command in known.items()
        if (names := missing(command, documented.get(name, ""), _elsewhere(name)))
    }
    assert not lacking


def _elsewhere(name: str) -> set[str]:
    """What stands elsewhere of a verb: nothing of a command that asks for no workflow."""
    own = arguments(name)
    return own | shared() if own else set()


def test_a_gap_is_caught():
    @click.command()
    @click.option("--store", "-s")
    @click.option("--json/--no-json")
    @click.option("-v", count=True)
    def show(**_: object) -> None: ...

    text = "## grafico show\n`--store-all`, --json, -v\n```\n## grafico x\n```\n## Other\n-s\n"
    found = sections(text)
    assert list(found) == ["grafico show"]
    assert missing(show, found["grafico show"]) == ["--store", "--no-json"]
