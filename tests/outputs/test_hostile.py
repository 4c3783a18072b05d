"""Files that are broken, lie or are too much: each says what is wrong with it, the others go on."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.typed import typed
from workflows.outputs.digits import Numbers
from workflows.outputs.programs import recognised

DATA = Path(__file__).parent / "data"
GOOD = DATA / "psi4_hf.out"
ENERGY = -74.96294665659144


def told(store: Path, *files: Path, status: int) -> list[dict[str, Any]]:
    """What `grafico import` says of files."""
    return json.loads(typed("import", *files, "--store", store, "--json", status=status).stdout)


@pytest.mark.parametrize(
    ("encoding", "called"), [("latin-1", "Latin-1"), ("utf-16", "UTF-16"), ("utf-8", "UTF-8")]
)
def test_a_file_is_read_however_it_is_encoded(tmp_path: Path, encoding: str, called: str) -> None:
    text = GOOD.read_text().replace("release", "release für Müller", 1)
    (tmp_path / "a.out").write_bytes(text.replace("\n", "\r\n").encode(encoding))
    (one,) = told(tmp_path / "store", tmp_path / "a.out", status=0)
    assert one["energy"] == ENERGY
    asked = "SELECT ?how { ?file a g:OutputFile ; g:encoding ?how }"
    assert called in typed("query", asked, "--store", tmp_path / "store").stdout


def test_what_is_wrong_with_one_is_told_of_that_one(tmp_path: Path) -> None:
    text = GOOD.read_text()
    there = tmp_path / "runs"
    (there / "deeper").mkdir(parents=True)
    (there / "charged.out").write_text(re.sub(r"(?i)(charge +=) 0", r"\1 1", text))
    (there / "liar.out").write_text(text.splitlines()[2] + "\nnothing else\n")
    (there / "orca.out").write_text("            * O   R   C   A *\n" + text)
    (there / "notes.txt").write_text("Psi4 was slow today\n")
    (there / "picture.png").write_bytes(b"\x89PNG\0\0\0" * 100)
    (there / ".hidden.out").write_text(text)
    (there / "deeper" / "good.out").write_text(text)
    (there / "loop").symlink_to(there)
    os.mkfifo(there / "pipe")
    found = {Path(one["file"]).name: one for one in told(tmp_path / "s", there, status=1)}
    assert found.keys() == {"charged.out", "liar.out", "orca.out", "good.out"}
    assert found["good.out"]["energy"] == ENERGY
    assert "orbitals hold 5 of alpha and 5 of beta" in found["charged.out"]["message"]
    assert "neither atoms nor energies" in found["liar.out"]["message"]
    assert "banner of ORCA" in found["orca.out"]["message"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.out", b"", "it is empty"),
        ("notes.txt", b"a note", "no banner"),
        ("table.csv", b"\0\1\2" * 50, "binary"),
    ],
)
def test_a_file_that_is_no_output_says_what_would_be(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    done = typed("import", tmp_path / name, "--store", tmp_path / "s", status=2)
    assert said in done.stderr
    assert "an output of ORCA" in done.stderr
    typed("import", tmp_path / "no such.out", "--store", tmp_path / "s", status=2)


def test_a_hundred_broken_files_are_refused_or_read_and_the_good_one_is(tmp_path: Path) -> None:
    draw, there = random.Random(3), tmp_path / "runs"
    there.mkdir()
    for number in range(100):
        data = bytearray((DATA / draw.choice(["psi4_hf.out", "xtb_ohess.out"])).read_bytes())
        start = draw.randrange(2000, len(data) - 600)
        match number % 4:
            case 0:
                del data[start:]
            case 1:
                data[start : start + 400] = draw.randbytes(400).replace(b"\0", b" ")
            case 2:
                del data[start : start + 500]
            case _:
                data[start : start + 300] = b"********** NaN 1E999 -" * 14
        (there / f"{number}.out").write_bytes(data)
    (there / "good.out").write_text(GOOD.read_text())
    said = json.loads(typed_any("import", there, "--store", tmp_path / "s", "--json"))
    found = {Path(one["file"]).name: one for one in said}
    assert len(found) == 101
    assert found["good.out"]["energy"] == ENERGY
    for name, one in found.items():
        text = (there / name).read_bytes().decode("utf-8", "replace")
        if one["energy"] is not None:  # whatever was broken, a number that is kept stands there
            assert Numbers(text).find(one["energy"]) is not None
        assert one["energy"] is not None or one["message"]
    typed("fsck", "--store", tmp_path / "s")


def typed_any(*words: str | Path) -> str:
    """What a command prints, whatever its status; no traceback."""
    from click.testing import CliRunner

    from grafico.cli.app import main

    done = CliRunner().invoke(main, [str(one) for one in words])
    assert done.exit_code in (0, 1), done.output
    assert "Traceback" not in done.output
    return done.stdout


def test_what_would_command_a_terminal_does_not(tmp_path: Path) -> None:
    evil = "\x1b[31mSTO\u202e-3G"
    (tmp_path / "a\x1b[2J.out").write_text(GOOD.read_text().replace("STO-3G", evil))
    done = typed("import", tmp_path / "a\x1b[2J.out", "--store", tmp_path / "s")
    found = typed("find", "--store", tmp_path / "s")
    assert not {"\x1b", "\u202e"} & {*done.output, *found.output}


def test_a_line_without_end_is_looked_at_once() -> None:
    assert recognised(GOOD.read_text() + "9" * 900_000) is not None
    assert recognised("9" * 1_000_000) is None
    assert Numbers("9" * 3_000_000).find(1.5) is None


def test_a_number_is_found_by_all_of_its_digits() -> None:
    found = Numbers("E = -76.02677274 a\nEUMP2 = -0.7602677274793972D+02\n x1.234567 1.2345678")
    met = found.find(-76.02677274793972)
    assert met is not None
    assert met.value == -76.02677274793972
    assert found.line(met.at) == 1
    assert found.find(-76.02677275) is None  # near, and another number
    assert found.find(1.234567) is None  # a part of a word
    assert found.find(1.2345678) is not None
