"""Device files that people edit: contradictions, absurd values and bombs are refused with words."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

from ogm import KnowledgeGraph
from tests.typed import typed
from triplestore import open_store
from triplestore.errors import GraficoError, InputError
from workflows.drivers.files import card_of, written
from workflows.engine import Executor
from workflows.engine.devices.brought import simulated
from workflows.engine.devices.card import spelt
from workflows.engine.devices.described import DescribedGraph
from workflows.engine.devices.meaning import refusal
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.walk import walk
from workflows.engine.devices.wish import Wish
from workflows.engine.graph.planner import plan

GOOD: dict[str, Any] = {
    "format": "grafico-device/1",
    "name": "box",
    "states": {"lid": {"begins": "shut", "values": ["shut", "open"]}, "n": {"begins": 0}},
    "commands": {
        "open_lid": {
            "refused": [{"when": "lid == 'open'", "because": "it is open"}],
            "makes": {"lid": "'open'"},
        },
        "put": {
            "arguments": {"mass": {"kind": "float", "low": 1, "high": 5, "unit": "mg"}},
            "refused": [{"when": "lid != 'open'", "because": "it is shut"}],
            "makes": {"n": "n + given.mass"},
        },
    },
}


def edited(*places: str, to: Any) -> dict[str, Any]:
    said = json.loads(json.dumps(GOOD))
    inner = said
    for one in places[:-1]:
        inner = inner[one] if not isinstance(inner, list) else inner[int(one)]
    inner[places[-1]] = to
    return said


MASS = ("commands", "put", "arguments", "mass")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (edited("format", to="grafico-device/2"), "format"),
        (edited("name", to=""), "name"),
        (edited("surprise", to=1), "surprise"),
        (edited("commands", to={}), "commands"),
        (edited(*MASS, "low", to=9), "from 9 to 5"),
        (edited(*MASS, "high", to=float("nan")), "high"),
        (edited(*MASS, "high", to=float("inf")), "high"),
        (edited(*MASS, "high", to=1e300), "high"),
        (edited(*MASS, "kind", to="colour"), "kind"),
        (edited(*MASS, "kind", to="str"), "a str has no limits"),
        (edited(*MASS, "default", to=2), "is not optional"),
        (edited(*MASS, "choices", to=[7]), "outside 1 to 5 mg"),
        (edited("states", "lid", "begins", to="ajar"), "none of its values"),
        (edited("states", "lid", "begins", to=[1]), "no number, text"),
        (edited("states", "n", "begins", to=float("nan")), "no number"),
        (edited("states", "class", to={}), "cannot be a name"),
        (edited("states", "__class__", to={}), "cannot be a name"),
        (edited("states", "given", to={}), "cannot be a name"),
        (edited("halt", to="os.system"), "; halt: 'os.system' cannot be a name here; see"),
        (edited("commands", "open_lid", "makes", to={"lid": "'ajar'"}), "none of its values"),
        (edited("commands", "open_lid", "makes", to={"door": "1"}), "no state door"),
        (edited("commands", "put", "makes", to={"n": "mass"}), "write given.mass"),
        (edited("commands", "put", "makes", to={"n": "given.weight"}), "no argument weight"),
        *(
            (edited("commands", "put", "makes", to={"n": text}), "term")
            for text in (
                "__import__('os').system('x')", "lid.upper()", "n ** n", "[n for n in (1,)]",
                "lambda: 1", "f'{n}'", "n[0]", "lid.__class__", "(n := 1)", "'a' * n +",
            )
        ),
        (edited("commands", "put", "makes", to={"n": "n" + " + n" * 300}), "deep"),
        (edited("commands", "put", "makes", to={"n": "1" * 3000}), "more than 2000 letters"),
        (edited("commands", "put", "makes", to={"n": "1e999"}), "term"),
    ],
)  # fmt: skip
def test_a_file_that_contradicts_itself_is_refused(said: Any, words: str) -> None:
    with pytest.raises(InputError) as refused:
        card_of(said)
    assert words in str(refused.value)
    assert refused.value.advice
    assert len(str(refused.value)) < 1500


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: &a [1]\nb: *a\n", "anchors and aliases"),
        ("a: !!python/object/apply:os.system [x]\n", "no YAML"),
        ("a: !unknown 1\n", "no YAML"),
        ("a: 1\na: 2\n", "no YAML"),
        ("\n" + "a: [" * 10_000, "brackets within brackets"),
        ("about: '" + "]" * 2000 + "'\na: " + "[" * 2000, "brackets within brackets"),
        ("a: " + "[']', " * 2000 + "\n", "brackets within brackets"),
        ("\n".join(f"{' ' * n}a:" for n in range(300)), "names below names"),
        ("\n".join(f"{' ' * n}a:" for n in range(3000)), ""),
        ("- 1\n- 2\n", "nothing by name"),
        ("a: \x1b[31m\n", "no YAML"),
        ("\n" + "x" * 300_000, "more than 200,000 bytes"),
        ("name: 2020-01-01\ncommands: {}\n", "name"),
    ],
    ids=lambda text: text[:16],
)
def test_bombs_and_tags_of_yaml_are_refused(text: str, words: str) -> None:
    bomb = time.monotonic()
    with pytest.raises(GraficoError) as refused:
        card_of(text)
    assert words in str(refused.value)
    assert "\x1b" not in str(refused.value)
    assert time.monotonic() - bomb < 10


def test_brackets_in_a_text_are_no_depth() -> None:
    assert card_of(json.dumps({**GOOD, "about": "[" * 200})).about == "[" * 200


def test_a_billion_laughs_are_no_laughs() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40))]
    with pytest.raises(InputError, match="anchors and aliases"):
        card_of("\n".join(lines))


def test_what_stands_in_a_file_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "box.yaml"
    path.write_text(written(card_of(GOOD)), encoding="utf-8")
    assert card_of(path) == card_of(GOOD) == card_of(json.dumps(GOOD))
    assert "Traceback" not in typed("device", "check", path).output


def test_an_effect_without_a_value_is_told_by_the_walk(tmp_path: Path) -> None:
    """Contradictions that show only in some situations."""
    said = edited("commands", "put", "makes", to={"lid": "lid if given.mass < 3 else 'ajar'"})
    found = walk(card_of(said))
    assert found.wrong == {"put": "it makes lid: 'ajar' is no value of it"}
    path = tmp_path / "box.yaml"
    path.write_text(written(card_of(said)), encoding="utf-8")
    came = typed("device", "check", path, status=1)
    assert "contradiction: put: it makes lid: 'ajar' is no value of it" in came.output


def test_what_leads_nowhere_is_told() -> None:
    """A command that is never possible, and a situation that nothing leads out of."""
    said = edited("commands", "put", "refused", to=[{"when": "True", "because": "no"}])
    found = walk(card_of(said))
    assert found.never == ["put"]
    assert [dict(one.states) for one in found.dead_ends] == [{"lid": "open", "n": 0}]
    assert (found.situations, found.pairs, found.admissible) == (2, 4, 1)


def test_a_walk_without_end_ends() -> None:
    said = edited("commands", "put", "refused", to=[])
    began = time.monotonic()
    found = walk(card_of(said))
    assert not found.whole
    assert time.monotonic() - began < 30


def test_heavy_terms_end_a_walk_and_a_plan_soon() -> None:
    """Many refusals that never hold, each as long as a term may be, in many situations."""
    long = " and ".join(["n < 0"] * 60)
    heavy = [{"when": f"n < -{one} or ({long})", "because": "no"} for one in range(100)]
    one = {"refused": heavy, "makes": {"n": "n + 1"}}
    two = {"refused": [{"when": f"n < -{x} or " + " or ".join(["n < 0"] * 60), "because": "no"}
                       for x in range(100)], "makes": {"m": "m + 1"}}  # fmt: skip
    card = card_of(
        {
            "name": "slow",
            "states": {"n": {"begins": 0}, "m": {"begins": 0}, "lid": {"begins": "shut"}},
            "commands": {"one": one, "two": two, "never": {
                "refused": [{"when": "n >= 0", "because": "no"}], "makes": {"lid": "'open'"},
            }},
        }
    )  # fmt: skip
    began = time.monotonic()
    found = walk(card)
    assert not found.whole
    assert found.stopped == "after 10,000,000 parts of terms"
    assert time.monotonic() - began < 20
    wish = Wish.of("lid=open", card)
    plans = plan(DescribedGraph(card, wish).candidates, Standing.of(card.begins, card), wish.goal)
    assert plans.first() is None
    assert "where the search ended" in plans.obstacles
    assert time.monotonic() - began < 40


def test_true_and_one_are_two_values() -> None:
    said = {
        "name": "box",
        "states": {"s": {"begins": True}},
        "commands": {"set": {"makes": {"s": "1"}}, "use": {
            "refused": [{"when": "s is True", "because": "no"}], "makes": {"s": "2"},
        }},
    }  # fmt: skip
    found = walk(card_of(said))
    assert [repr(one) for one in found.reached["s"]] == ["True", "1", "2"]
    assert (found.situations, found.possible) == (3, {"set": 3, "use": 2})


def test_a_file_with_a_question_is_not_run() -> None:
    card = card_of({**GOOD, "unknown": ["put, line 3: which unit has mass"]})
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        with pytest.raises(InputError, match="a question is open: put, line 3"):
            asyncio.run(simulated(card, "lid=open", executor))
        executor.close()


TOML = """
name = "oven"
[reasons]
shut = { when = "not open", because = "the {colour} lid is closed; open it first" }
[states]
open = { begins = false }
colour = { begins = "red" }
[commands.open]
makes = { open = "True" }
[commands.load]
arguments.mass = { kind = "float", unit = "g" }
program = ["oven.load({mass})"]
refused = ["shut"]
"""


def test_a_file_may_be_toml_and_name_its_reasons(tmp_path: Path) -> None:
    file = tmp_path / "oven.toml"
    file.write_text(TOML, encoding="utf-8")
    card = card_of(file)
    assert card_of(written(card)) == card
    said = "the red lid is closed; open it first"
    assert refusal(card.commands["load"], {"mass": 2.5}, card.begins) == said
    assert spelt(card.commands["load"].program[0], {"mass": 2.5}) == "oven.load(2.5)"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('["shut"]', '["shutt"]', "commands, load, refused: there is no reason shutt"),
        ("not open", "not opened", "there is no state opened"),
        ("[reasons]", "[reasons", "it is no TOML"),
        ("[reasons]", "x = " + "[" * 5000, "it is no TOML"),
        ('kind = "float"', "kind = 2026-11-29", "commands, load, arguments, mass, kind"),
        ("[reasons]", "[reason]", "commands, load, refused: there is no reason shut"),
    ],
)
def test_toml_that_says_nothing_is_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    file = tmp_path / "oven.toml"
    file.write_text(TOML.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        card_of(file)
    assert words in str(refused.value)
    assert refused.value.advice


def test_braces_of_a_stranger_are_text() -> None:
    odd = "{a.__class__} {0} {b!r} {c:>9999999} {d}"
    assert spelt(odd, {"a": "x", "d": 1.5}) == odd.replace("{d}", "1.5")
