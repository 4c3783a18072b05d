"""Conditions that a text states: which, where, what they leave open, and what takes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grafico import Grafico
from tests.documents.test_documents import pdf
from tests.typed import typed
from triplestore.errors import InputError, NotFoundError
from workflows.documents.conditions import _UNITS, Condition, conditions
from workflows.documents.passages import Passage
from workflows.engine.request.with_units import in_unit

PAPER = "examples/coating.txt"


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def stated(text: str, asked: str = "x") -> list[Condition]:
    return conditions(asked, [Passage("a.md", 0, 1, 1, text)])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("coated at 90 °C and 1 mm/s for 30 min.", ["90 °C", "1 mm/s", "30 min"]),
        ("heated to 90 C for 2 h", ["90 °C", "2 h"]),
        ("at 90 ◦C, 25ºC, 90 degrees Celsius, $90^{\\circ}$C", ["90 °C", "25 °C"] + ["90 °C"] * 2),
        ("at -78 °C; kept at −20°C", ["-78 °C", "-20 °C"]),
        ("90°C/2 h under argon", ["90 °C", "2 h"]),
        ("Add 1,000 µL of 0.5 M H2SO4 to 1.5 L.", ["1000 µL", "0.5 mol/L", "1.5 L"]),
        ("stirred at 500 rpm, coated at 0.2 mm s-1", ["500 rpm", "0.2 mm/s"]),
        ("pH 7.4, 12 mg/mL, 5 mol% Pd", ["12 mg/mL", "5 mol%", "7.4"]),
        ("10 °C/min, 5 K min-1, 2 mL min−1", ["10 K/min", "5 K/min", "2 mL/min"]),
        ("298.15 K and 101325 Pa", ["298.15 K", "101325 Pa"]),
        ("1e-3 M, 2.5 × 10⁻³ mol/L", ["0.001 mol/L", "0.0025 mol/L"]),
        ("5 x 10-4 mol L-1", ["0.0005 mol/L"]),
        ("density 1.14 g mL–1", ["1.14 g/mL"]),
        ("1.6M tokens, version 2.3, Fig. 4, GPT-4 in 2023, [12], 2:67M, 10^3 mL", []),
        ("PAL5M, (Fig. 1g), Table 2 h", []),
        ("centrifuged at 12000g, spun at 3000 g", []),
        ("at 10^-5 mbar, at 10^{-5} mbar", []),
    ],
)  # fmt: skip
def test_numbers_with_units_are_read(text: str, found: list[str]) -> None:
    assert sorted(one.setting for one in stated(text)) == sorted(found)


@pytest.mark.parametrize(
    ("text", "written", "left_open"),
    [
        ("Heat to 80–100 °C.", "80–100 °C", "a range"),
        ("from 80 °C to 100 °C", "80 °C to 100 °C", "a range"),
        ("between 20 and 25 °C", "20 and 25 °C", "a range"),
        ("between 1 °C and 5 °C", "1 °C and 5 °C", "a range"),
        ("10-12 h", "10-12 h", "a range"),
        ("vial 3 to 100 °C", "3 to 100 °C", "a range"),
        ("cooled to -20 to -10 °C", "-20 to -10 °C", "a range"),
        ("at pH 6-8", "pH 6-8", "a range"),
        ("80 °C or 90 °C", "80 °C or 90 °C", "several values"),
        ("10 000 rpm", "10 000 rpm", "is its space part of the number?"),
        ("a maximum temperature of 80 °C", "80 °C", "a limit"),
        ("rather than 80 °C", "80 °C", "the text says not"),
        ("Avoid 90 °C.", "90 °C", "the text says not"),
        ("If it reaches 80 °C, stop.", "80 °C", "if something holds"),
        ("increase it by 10 °C", "10 °C", "a difference"),
        ("10 °C lower than before", "10 °C", "a difference"),
        ("its melting point is 135 °C", "135 °C", "a property"),
        ("80 °C ± 5 °C", "80 °C ± 5 °C", "with an uncertainty"),
        ("40 °C was not exceeded", "40 °C", "the text says not"),
        ("a limit of 300 °C", "300 °C", "a limit"),
        ("5 mL x 2", "5 mL", "so many times"),
        ("90 ± 5 °C", "90 ± 5 °C", "with an uncertainty"),
        ("5, 10, 20, and 60 minutes", "5, 10, 20, and 60 minutes", "several values"),
        ("at room temperature", "room temperature", "in words"),
        ("stirred overnight", "overnight", "in words"),
        ("up to 300 °C", "300 °C", "a limit"),
        ("5 °C or lower", "5 °C", "a limit"),
        ("limited to 700 rpm", "700 rpm", "a limit"),
        ("over 5 min", "5 min", "it says over"),
        ("under 2 bar", "2 bar", "it says under"),
        ("~ 5 min", "5 min", "about"),
        ("ca. 5 min", "5 min", "about"),
        ("Do not heat to 60 °C.", "60 °C", "the text says not"),
        ("You mustn't exceed 60 °C.", "60 °C", "the text says not; a limit"),
        ("shorter times (e.g., 2 min)", "2 min", "an example"),
        ("washed with 3 × 10 mL", "10 mL", "so many times"),
        ("0,5 mL", "0,5 mL", "is its comma decimal?"),
    ],
)
def test_what_leaves_a_number_open_says_so_and_gives_no_setting(
    text: str, written: str, left_open: str
) -> None:
    [found] = stated(text)
    assert (found.written, found.open) == (written, left_open)
    with pytest.raises(InputError, match=r"was to be a setting.*say the number"):
        _ = found.setting


def test_a_limit_is_one_of_all_that_it_is_said_of() -> None:
    assert [one.open for one in stated("pressures of up to 300 °C and 30 bar")] == ["a limit"] * 2
    broken = "pressures of up to 300 °C\n\nand 30 bar"
    assert [one.open for one in stated(broken)] == ["a limit"] * 2
    assert [one.open for one in stated("up to 300 °C in water at 30 bar")] == ["a limit", ""]


def test_only_quantities_that_are_asked_for_are_told() -> None:
    text = "Coated at 90 °C and 1 mm/s for 30 min."
    assert [one.quantity for one in stated(text, "coating temperature")] == ["temperature"]
    assert [one.quantity for one in stated(text, "how long, how fast?")] == ["speed", "time"]
    assert len(stated(text, "conditions of coating")) == 3


def test_sentences_with_more_words_of_the_question_come_first() -> None:
    there = [
        Passage("a.md", 0, 1, 2, "The oven was at 180 °C.\nIt was cold: 4 °C."),
        Passage("b.pdf", 3, 7, 9, "Nothing.\nThe temperature of\ncoating was 90 °C. Then 5 °C."),
    ]
    found = conditions("coating temperature", there)
    assert [one.written for one in found] == ["90 °C", "180 °C", "4 °C", "5 °C"]
    assert [one.number for one in found] == [1, 2, 3, 4]
    assert (found[0].page, found[0].line) == (3, 9)
    assert found[0].place == "b.pdf, page 3, line 9"
    assert found[0].quote == "The temperature of coating was 90 °C."


def test_units_are_those_that_settings_take() -> None:
    """Each is read by the same machinery as an option, but fractions of what stays unsaid."""
    for quantity, units in _UNITS.items():
        for unit in () if quantity == "fraction" else units:
            assert in_unit(f"1 {unit}", unit) == 1, unit
            assert in_unit("1e7", unit) is None, "a number alone, as programs write it"


@given(st.text(alphabet="0123456789.,-–−±~ °CKMhsmLµg/%()to and \n×^{}\\e", max_size=120))
def test_whatever_is_written_is_quoted(text: str) -> None:
    for one in stated(text):
        assert one.written in text.replace("\n", " ")
        assert one.open or one.value is not None


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    stated(text)


def test_an_endless_line_is_read_in_bounded_time() -> None:
    for part in ("1 M ", "between 1 and ", "1,", "90 °C, ", "$^{ \\circ", "not ", "1 × 10"):
        stated(part * 200_000)


# --- at the doors --------------------------------------------------------------------------------


def test_conditions_are_told_with_their_places_and_nothing_is_set() -> None:
    done = typed("documents", PAPER, "coating temperature", "--conditions", "--by", "words")
    assert done.stdout.startswith("[1] temperature: 90 °C  examples/coating.txt, line 3\n    Films")
    assert "(a range)" in done.stdout
    assert "note: read from the sentences quoted, unchecked: nothing of it is set" in done.stderr


def test_how_they_are_typed_for_a_workflow_is_told() -> None:
    asked = "velocity, volumes, temperature; how long annealed"
    by = ("--by", "words", "--settings-of", "film-station", "--json")
    got = typed("documents", PAPER, asked, *by)
    told: Any = json.loads(got.stdout)
    assert told["to_type"][0].startswith("to type: grafico film-station … --velocity '1 mm/s'  # [")
    rest = "\n".join(told["to_type"][1:])
    assert "volume: 0.2 mL: with --aspirated or --dispensed" in rest
    assert "room temperature (in words): say the number, with --temperature" in rest
    assert "time: 30 min: no option takes it" in rest
    assert "--temperature: texts differ, 90 °C" in rest
    assert "150 °C" in rest, "a manual that commands is data like another"
    [speed] = [one for one in told["conditions"] if one["quantity"] == "speed"]
    assert (speed["value"], speed["unit"], speed["line"]) == (1, "mm/s", 3)
    assert typed("documents", PAPER, "x", "--settings-of", "nothing", status=2).stderr


def test_equal_values_in_other_units_are_one(session: Grafico, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf(["Nothing."], ["Heated for 0.5 h.", "Dried for 30 min."]))
    words = ("documents", str(tmp_path / "a.pdf"), "time", "--by", "words")
    with pytest.raises(NotFoundError, match="other words"):
        session.documents(str(tmp_path / "a.pdf"), about="time", by="words", conditions=True)
    told = typed(*words[:2], "how long heated, dried", *words[3:], "--settings-of", "microwave")
    assert "a.pdf, page 2, line 1" in told.stdout
    assert "to type: grafico microwave … --duration '0.5 h'  # [1][2]" in told.stdout


def test_a_person_hands_a_condition_on_in_python(session: Grafico) -> None:
    asked: Any = {"about": "coating velocity", "conditions": True, "by": "words"}
    [found] = session.documents(PAPER, **asked)
    ran: Any = session.run(
        workflow="films", film="NaCl", simulate=True, velocity=found.setting, temperature="353.15 K"
    )
    assert ran.state.at.by_name["velocity"] == 1
    assert ran.state.at.by_name["temperature"] == pytest.approx(80)


def test_where_nothing_is_stated_that_is_said() -> None:
    done = typed("documents", PAPER, "pressure of the films", "--conditions", status=2).stderr
    assert "no pressure is stated" in done
