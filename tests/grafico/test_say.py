"""What is shown to a person neither commands a terminal nor hides anything."""

import json
import sys
import unicodedata

import pytest

from grafico.agent.toolbox import as_error
from grafico.say import as_text, say
from triplestore.errors import InputError
from workflows.text.safe_text import STACKED, on_one_line, printable, printable_json

BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
UNSEEN = "\u200b\u200c\u200d\u2060\u2061\ufeff\u00ad\u034f\u115f\u3164\uffa0\u180e\u2800\ufe0f"
TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "obey") + "\U000e0100\U000e01ef"
COMMANDS = "\x1b[2J\x1b]0;x\x07\x9b31m\r\b\x7f\x85\v\f\0"


@pytest.mark.parametrize("hidden", [BIDI, UNSEEN, TAGS, "\ud800\udfff", "\ufff9\ufffa\ufffb"])
def test_nothing_hidden_is_shown(hidden: str) -> None:
    assert printable(f"1{hidden}0") == "10"
    assert printable(hidden * 1000) == ""
    assert [printable(one) for one in hidden] == [""] * len(hidden)


def test_nothing_commands_the_terminal() -> None:
    assert printable(f"a{COMMANDS}b") == "a[2J]0;x31mb"
    assert printable("one\u2028two\u2029three") == "one two three"
    assert on_one_line("a\nb\tc\x1b") == "a b c"


def test_what_is_ordinary_stays() -> None:
    kept = "E = −76.4 Eh, Å, cm⁻¹, é e\u0301, Ω, 日本語, שלום, हिन्दी, ไทย, 🧪\n\tdone"
    assert printable(kept) == kept
    every = [chr(code) for code in range(sys.maxunicode + 1)]
    letters = [one for one in every if unicodedata.category(one)[0] in "LNPS"]
    lost = [f"{ord(one):x}" for one in letters if printable(one) != one]
    assert lost == ["115f", "1160", "2800", "3164", "ffa0"]


def test_marks_do_not_paint_over_other_lines() -> None:
    assert printable("a" + "\u0301" * 500 + "b") == "a" + "\u0301" * STACKED + "b"


def test_it_is_quick() -> None:
    assert len(printable("H 0.0 0.0 0.0\n" * 1_000_000)) == 14_000_000


def test_every_print_is_cleaned(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"x{BIDI}{COMMANDS}y")
    say(f"x{TAGS}y", err=True, nl=False)
    out, err = capsys.readouterr()
    assert (out, err) == ("x[2J]0;x31my\n", "xy")


def test_json_for_a_terminal_escapes_and_keeps() -> None:
    value = {f"a{BIDI}": [f"é{UNSEEN}{TAGS}{COMMANDS}", "\u2028", 1.5]}
    text = as_text(value, 2)
    assert json.loads(text) == value
    assert text == printable(text)
    assert "é" in text


def test_what_a_client_is_told_is_clean() -> None:
    error = as_error(InputError(f"a{BIDI}", f"b{TAGS}", f"c{COMMANDS}"))
    assert error == {"kind": "InputError", "asked": "a", "found": "b", "advice": "c[2J]0;x31m"}
    assert printable_json({f"k{TAGS}": [f"v{BIDI}", 1, None, {"x": UNSEEN}]}) == {
        "k": ["v", 1, None, {"x": ""}]
    }
