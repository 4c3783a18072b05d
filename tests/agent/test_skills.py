"""Recipes of the field: what each says is tried against what is installed, so that none grows old.

What lies in a person's own folder is refused clearly where it cannot be one, and holds up none.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grafico.agent import ToolContext
from grafico.agent.describe_tool import MOST_SKILLS
from grafico.agent.toolbox import size
from grafico.agent.tools import tools, usable
from grafico.session.settings import read_settings
from tests.agent.helpers import ran, used
from tests.typed import typed
from workflows.engine.request.request import Request
from workflows.registry.skills import LONGEST_DESCRIPTION, MOST_BYTES, skills
from workflows.registry.skills import MOST_SKILLS as MOST
from workflows.trust.caller import asked_by

SHIPPED = skills().found
BLOCK = re.compile(r"```(\w+)\n(.*?)\n```", re.DOTALL)
EXAMPLES = Path(__file__).parents[2] / "examples"
CRYSTAL = Path(__file__).parents[1] / "mof" / "crystals" / "IRMOF-9.cif"
GOOD = "---\nname: {}\ndescription: {}\n---\nDo it.\n"


def blocks(name: str, language: str) -> list[str]:
    """What stands in the blocks of a recipe that are written in a language."""
    return [text for kind, text in BLOCK.findall(SHIPPED[name].body) if kind == language]


CALLS = [(name, json.loads(one)) for name in SHIPPED for one in blocks(name, "json")]
LINES = [
    (name, line) for name in SHIPPED for one in blocks(name, "bash") for line in one.split("\n")
]


def test_the_recipes_of_the_field_are_there() -> None:
    assert {"carbocations", "ring-strain", "pka", "s1-t1", "conformer-spectra", "mof-study",
            "screening"} <= set(SHIPPED)  # fmt: skip
    assert skills().refused == {}
    for name in SHIPPED:
        assert blocks(name, "json"), f"{name} says no call"
        assert {"## Reading it", "## What to warn of"} <= set(SHIPPED[name].body.split("\n"))


@pytest.fixture
def folder(context: ToolContext) -> Path:
    """A folder with the files that recipes speak of."""
    shutil.copy(EXAMPLES / "screening.csv", context.folder / "library.csv")
    shutil.copy(CRYSTAL, context.folder)
    return context.folder


@pytest.mark.parametrize(("name", "call"), CALLS)
def test_each_call_can_be_planned(
    context: ToolContext, folder: Path, name: str, call: dict[str, Any]
) -> None:
    """As the tool takes it, and as far as the estimate: levels, basis sets, equations, files."""
    assert set(call) == {"tool", "arguments"}
    asked = dict(call["arguments"])
    if "RUN" in asked.get("subjects", ()):
        found = ran(context, "conformers", "OO", sampler="embedding", starts=2)
        asked["subjects"] = [found["run"]]
    if asked["name"] == "mof search":  # of what is stored
        ran(context, "mof process", CRYSTAL.name)
    fine, read, left = tools()[call["tool"]].read(context, asked)
    request = read["request"]
    assert isinstance(request, Request)
    assert left == []
    session = context.session
    for subject in request.subjects or (None,):
        about = () if subject is None else (subject,)
        with asked_by(context.caller):
            ready = session.wait_for(
                lambda about=about: session.prepare_async(replace(request, subjects=about))
            )
        assert ready.prepared.label
    assert fine["name"] in SHIPPED[name].body


@pytest.mark.parametrize(("name", "line"), LINES)
def test_each_command_can_be_planned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(EXAMPLES / "screening.csv", tmp_path / "library.csv")
    words = shlex.split(line)
    assert words[0] == "grafico"
    drawn = words.index("-o") if "-o" in words else len(words)
    typed(*words[1:drawn], "--plan", "--store", "memory:")


def test_a_call_of_a_recipe_is_run(context: ToolContext, folder: Path) -> None:
    pytest.importorskip("tblite")
    [call] = [json.loads(one) for one in blocks("screening", "json")]
    asked = call["arguments"]
    asked["arguments"] |= {"limit": 4}
    [row] = used(context, call["tool"], **asked)["sources"]
    assert row["status"] == "finished"
    assert {one["by"] for one in row["rows"]} == {*asked["arguments"]["sort"]}


def test_a_model_reads_a_recipe_by_its_name(context: ToolContext) -> None:
    told = tools()["describe"]
    for name in SHIPPED:
        assert name in told.description
        found = used(context, "describe", name=name)
        assert found["recipe"] == name
        assert found["text"] == SHIPPED[name].body
    assert used(context, "describe", name="Ring strain")["recipe"] == "ring-strain"
    assert "reference_acid" in used(context, "describe", name="pka")["arguments"], "workflow too"
    assert [one.partition(":")[0] for one in used(context, "describe")["recipes"]] == [*SHIPPED]


def put(folder: Path, name: str, text: str | bytes) -> None:
    (folder / name).mkdir(parents=True)
    content = text if isinstance(text, bytes) else text.encode()
    (folder / name / "SKILL.md").write_bytes(content)


def test_a_person_adds_their_own(
    context: ToolContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "mine", "our-acids", GOOD.format("our-acids", '"Acids: of our laboratory."'))
    put(tmp_path / "mine", "pka", GOOD.format("pka", "Another."))
    monkeypatch.setenv("GRAFICO_SKILL_FOLDER", str(tmp_path / "mine"))
    there = usable(read_settings(store="memory:"))
    found = context.session.wait_for(lambda: there["describe"](context, {"name": "our-acids"}))
    assert found.found == {"recipe": "our-acids", "text": "Do it."}
    assert "our-acids" in there["describe"].description
    said = json.loads(typed("skills", "--json").stdout)
    assert [one["description"] for one in said["skills"] if one["name"] == "our-acids"] == [
        "Acids: of our laboratory."
    ]
    [(place, why)] = said["refused"].items()
    assert place.endswith("mine/pka")
    assert "taken by one of workflows.acidity" in why


def linked(folder: Path) -> None:
    put(folder.parent, "elsewhere", GOOD.format("secret", "Of somebody."))
    (folder / "secret").symlink_to(folder.parent / "elsewhere")


def linked_file(folder: Path) -> None:
    (folder / "key").mkdir()
    (folder.parent / "private").write_text(GOOD.format("key", "Of somebody."))
    (folder / "key" / "SKILL.md").symlink_to(folder.parent / "private")


def waiting(folder: Path) -> None:
    (folder / "pipe").mkdir()
    os.mkfifo(folder / "pipe" / "SKILL.md")


def laughing(folder: Path) -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40))]
    put(folder, "laugh", "---\nname: laugh\n" + "\n".join(lines) + "\n---\nDo it.\n")


def many(folder: Path) -> None:
    for number in range(MOST + 1):
        put(folder, f"z-{number:03}", GOOD.format(f"z-{number:03}", "One of many."))


HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link to a folder": (linked, "it is a link"),
    "a link to a file": (linked_file, "it is a link"),
    "a pipe": (waiting, "no regular file"),
    "no file": (lambda at: (at / "empty").mkdir(), "cannot be read"),
    "a folder for it": (lambda at: (at / "d" / "SKILL.md").mkdir(parents=True), "SKILL.md"),
    "too long": (
        lambda at: put(at, "long", GOOD.format("long", "Long.") + "x" * MOST_BYTES),
        f"more than {MOST_BYTES} bytes",
    ),
    "not UTF-8": (lambda at: put(at, "odd", b"---\nname: odd\xff\n---\n"), "not UTF-8"),
    "no front matter": (lambda at: put(at, "bare", "# Bare\n"), "front matter"),
    "no YAML": (lambda at: put(at, "odd", "---\nname: [odd\n---\nDo it.\n"), "is no YAML"),
    "code in YAML": (
        lambda at: put(at, "odd", '---\nname: !!python/object/apply:os.system ["true"]\n---\nx\n'),
        "is no YAML",
    ),
    "brackets without end": (lambda at: put(at, "odd", f"---\n{'[' * 20_000}\n---\nx\n"), "YAML"),
    "a list": (lambda at: put(at, "odd", "---\n- name\n---\nDo it.\n"), "no mapping"),
    "aliases": (laughing, "no description"),
    "another name": (lambda at: put(at, "one", GOOD.format("other", "Odd.")), "call both the same"),
    "a path for a name": (
        lambda at: put(at, "one", GOOD.format("../../one", "Odd.")),
        "small letters",
    ),
    "no description": (lambda at: put(at, "odd", GOOD.format("odd", "' '")), "no description"),
    "a long description": (
        lambda at: put(at, "odd", GOOD.format("odd", "x" * (LONGEST_DESCRIPTION + 1))),
        f"has {LONGEST_DESCRIPTION + 1} letters",
    ),
    "nothing to read": (
        lambda at: put(at, "odd", "---\nname: odd\ndescription: x\n---\n"),
        "nothing follows",
    ),
    "many": (many, f"2 of {MOST + 2} folders"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_cannot_be_one_is_left_out_with_the_reason(tmp_path: Path, kind: str) -> None:
    make, why = HOSTILE[kind]
    mine = tmp_path / "mine"
    put(mine, "a-good-one", GOOD.format("a-good-one", "Good."))
    make(mine)
    there = skills(mine)
    [(place, said)] = there.refused.items()
    assert why in said
    assert place.startswith(str(mine))
    assert "a-good-one" in there.found
    assert set(SHIPPED) <= set(there.found)
    assert "secret" not in there.found
    every = tools(str(mine))
    shown = {"describe": every["describe"]}
    assert size(shown) <= size({"describe": tools()["describe"]}) + 20 * MOST_SKILLS


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    there = skills(tmp_path / "nowhere")
    assert set(there.found) == set(SHIPPED)
    assert "No such file" in there.refused[str(tmp_path / "nowhere")]


def test_commands_to_the_terminal_are_not_shown(tmp_path: Path) -> None:
    put(
        tmp_path,
        "loud",
        GOOD.format("loud", '"Red \\e[31m."') + "\x1b]0;title\x07 and\u202e more\n",
    )
    found = skills(tmp_path).found["loud"]
    assert "\x1b" not in found.description + found.body + found.text
    assert "\u202e" not in found.text


def test_recipes_are_written_for_other_assistants(tmp_path: Path) -> None:
    there = tmp_path / "skills"
    said = json.loads(typed("skills", "--to", there, "--json").stdout)
    assert {Path(one).parent.name for one in said["files"]} == set(SHIPPED)
    again = skills(there)
    assert len(again.refused) == len(SHIPPED), "each is a skill, and its name is taken"
    assert all("is taken by" in why for why in again.refused.values())
    assert "nothing new" in typed("skills", "--to", there).stdout
    changed = there / "pka" / "SKILL.md"
    changed.write_text("mine")
    assert "says something else" in typed("skills", "pka", "--to", there, status=2).stderr
    assert changed.read_text() == "mine"
    typed("skills", "pka", "--to", there, "--replace")
    assert changed.read_text() == SHIPPED["pka"].text
    assert typed("skills", "pka").stdout.strip() == SHIPPED["pka"].text.strip()
    assert "did you mean ring-strain" in typed("skills", "ringstrain2", status=2).stderr
