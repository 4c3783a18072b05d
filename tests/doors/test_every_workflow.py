"""What all verbs have in common, at every door: one request for each workflow that is installed.

A door is one for all workflows, so whatever it does is proved here, and not by each domain again.
Python asks first; what comes after it is remembered, which costs next to nothing.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.doors.conftest import Doors
from tests.doors.examples import EXAMPLES
from triplestore.errors import GraficoError
from workflows.registry import workflows


def first(name: str) -> str:
    """The example that is asked before all others of its store."""
    example = EXAMPLES.get(name)
    return first(example.after) if example and example.after else name


NAMES = [
    pytest.param(name, marks=pytest.mark.xdist_group(f"doors-{first(name)}"))
    for name in sorted({*workflows(), *EXAMPLES})
]
each = pytest.mark.parametrize("name", NAMES)


def blocks(told: dict[str, Any]) -> list[dict[str, Any]]:
    """What is shown, whatever section it stands in."""
    return [one for part in told.get("blocks", ()) for one in part.get("blocks", (part,))]


def headlines(told: dict[str, Any]) -> list[str]:
    """What the facts are called that an answer begins with."""
    return [one["label"].rpartition(": ")[2] for one in blocks(told) if one.get("headline")]


@each
def test_it_has_an_example(name: str) -> None:
    assert name in EXAMPLES, f"add a small request of {name} to tests/doors/examples.py"
    assert name in workflows(), f"{name} is gone: remove it from tests/doors/examples.py"


@each
def test_its_help_says_what_can_be_asked(doors: Doors, name: str) -> None:
    """All options of all verbs stand in tests/golden/doors.json."""
    workflow, example = workflows()[name], EXAMPLES[name]
    words = doors.call(*workflow.command.split(), "--help").stdout.split()
    shown, title = " ".join(words), workflow.title.rstrip(".")
    assert title in shown or example.typed
    assert workflow.whole.subject.metavar in shown
    common = ("json", "plan", "store", "recompute", "quiet", "on", "begin", "after")
    own = {one for one in example.words if one.startswith("--")}
    assert own | {f"--{one}" for one in common} <= {one.rstrip(",") for one in words}


@each
def test_terminal_and_json_tell_what_python_computed(doors: Doors, name: str) -> None:
    example, run = EXAMPLES[name], doors.ask(name)
    text = doors.type(name, "--quiet").stdout
    told = doors.told(name)
    for word in (*example.shows, *headlines(told)):
        assert word in text
    tables = [one for one in blocks(told) if one["kind"] == "table"]
    units = {one.get("name"): one.get("unit") for table in tables for one in table["columns"]}
    assert {**units, **example.units} == units
    assert told["run"] != run, "each asking is a run of its own"
    assert told.get("status", "finished") == "finished"
    assert not told.get("implausible")
    if example.kept:
        assert told["reused"] is True
        assert "remembered, nothing computed" in text
        assert [one for one in told["remarks"] if one.startswith("computed again")] == []


@each
def test_what_is_kept_of_a_run(doors: Doors, name: str) -> None:
    run, workflow = doors.ask(name), workflows()[name]
    listed = json.loads(doors.call("runs", "--limit", "1000", "--json").stdout)
    [line] = [one for one in listed if one["run"] == run]
    assert line["status"] == "finished"
    assert line["subject"]
    assert line["goal"]
    assert line["outdated"] is False
    assert line["goal"] in " ".join(doors.call("runs", "--limit", "1000").stdout.split())
    shown = dict(json.loads(doors.call("show", run, "--json").stdout)["properties"])
    assert shown["g:graph"] == name
    forms = json.loads(shown["g:forms"])
    assert workflow.whole.forms[0].__name__ in forms
    said = {key: value for form in forms.values() for key, value in form.items()}
    asked = json.loads(json.dumps(EXAMPLES[name].said))
    assert {key: said[key] for key in asked if key in said} | asked == asked
    drawn = doors.call("graph", "--run", run).stdout
    assert drawn.startswith("stateDiagram-v2")
    assert drawn != doors.call("graph", workflow.command).stdout, "its path is marked"


@each
def test_its_report(doors: Doors, name: str) -> None:
    run, page = doors.ask(name), doors.folder / f"{name}.html"
    told = doors.told(name)
    doors.call("report", run, "-o", str(page))
    text = page.read_text("utf-8")
    for word in (*EXAMPLES[name].page, *headlines(told), run.rpartition("/")[2]):
        assert word in text


@each
def test_its_plan_is_shown_and_nothing_done(doors: Doors, name: str) -> None:
    doors.ask(name)
    before = doors.runs()
    told = json.loads(doors.type(name, "--plan", "--json").stdout)
    assert doors.type(name, "--plan").stdout.startswith("1. ")
    assert doors.runs() == before
    assert {"plans", "estimate"} <= {*told}
    steps = {step for plan in told["plans"] for step in plan}
    assert steps or not EXAMPLES[name].kept, "a device may stand so already"
    if EXAMPLES[name].kept:
        assert steps <= {one.__name__ for one in workflows()[name].whole.graph.nodes}


@each
def test_what_there_is_not_is_refused_before_anything_runs(doors: Doors, name: str) -> None:
    example, command = EXAMPLES[name], workflows()[name].command
    doors.ask(name)
    before = doors.runs()
    said = doors.type(name, "--nonsuch", "1", status=2).output
    assert "No such option '--nonsuch'" in said
    subject = doors.subject(example) or None
    with pytest.raises(GraficoError, match="nonsuch"):
        doors.session.run(subject, workflow=command, **example.said, nonsuch=1)
    arguments = {"nonsuch": 1}
    given = {"name": name, "subjects": [subject] if subject else [], "arguments": arguments}
    with pytest.raises(GraficoError, match="there is no such argument"):
        doors.used("run_workflow", **given)
    assert doors.runs() == before


@each
def test_it_goes_on_from_its_run(doors: Doors, name: str) -> None:
    run = doors.ask(name)
    told = json.loads(doors.call("resume", run, "--quiet", "--json").stdout)
    assert told.get("status", "finished") == "finished"
    if EXAMPLES[name].kept:
        assert told["reused"] is True


@each
def test_a_model_is_told_the_same(doors: Doors, name: str) -> None:
    """What a person agrees to for a model is proved in tests/extension."""
    example, whole = EXAMPLES[name], workflows()[name].whole
    doors.ask(name)
    told = doors.used("describe", name=name)
    listed = {*told["arguments"], *told.get("as_calculate", ()), *told.get("as_run", ())}
    assert {*whole.arguments} <= listed
    if whole.graph.effects:
        return
    subject = doors.subject(example)
    given = {"name": name, "subjects": [subject] if subject else [], "arguments": {**example.said}}
    [rows] = doors.used("run_workflow", **given).values()
    [row] = rows
    assert row["status"] == "finished"
    assert row["run"].startswith("g:id/Run/")
    assert None not in row["values"].values()
    if example.kept:
        assert row["reading"].endswith("remembered")
