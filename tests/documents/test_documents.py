"""Passages of documents: where they stand, which are nearest, and what is no document."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from grafico import Grafico
from tests.typed import typed
from triplestore.errors import InputError, NotFoundError
from workflows.documents import finding
from workflows.documents.chemicals import MOST_READ, chemicals
from workflows.documents.passages import passages
from workflows.documents.reading import Page, text_of
from workflows.molecule.notation import canonical
from workflows.text.ranking import by_words, words_of

MANUAL = Path("examples/documents/handler.md").read_text(encoding="utf-8")


def pdf(*pages: list[str], times: int = 1) -> bytes:
    """Return a PDF whose pages have these lines, each page so many times."""
    writer = PdfWriter()
    for lines in pages:
        font = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
            }
        )
        fonts = DictionaryObject({NameObject("/F1"): font})
        told = "".join(f"({line}) Tj T* " for line in lines)
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 11 Tf 14 TL 50 700 Td {told} ET".encode("latin-1"))
        stream = writer._add_object(content)  # pyright: ignore[reportPrivateUsage]
        for _ in range(times):
            page = writer.add_blank_page(612, 792)
            fonts = DictionaryObject({NameObject("/F1"): font})
            page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
            page[NameObject("/Contents")] = stream
    held = io.BytesIO()
    writer.write(held)
    return held.getvalue()


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def manuals(tmp_path: Path) -> Path:
    folder = tmp_path / "manuals"
    (folder / "old").mkdir(parents=True)
    (folder / "handler.md").write_text(MANUAL, encoding="utf-8")
    far = ["Nothing of note."], ["Safety first.", "The oven is limited to 180 degrees Celsius."]
    (folder / "old" / "oven.pdf").write_bytes(pdf(*far))
    page = (
        "<html><head><title>vortexer</title></head><body>\n<h1>Balance</h1>\n<p>It weighs up to\n"
    )
    (folder / "balance.html").write_text(
        page + "20 g.</p><script>vortexer()</script></body></html>"
    )
    cells = {"cells": [{"source": ["# Day 1\n", "weighed"]}, {"source": "the centrifuge broke"}]}
    (folder / "day.ipynb").write_text(json.dumps(cells))
    (folder / ".hidden.md").write_text("The vortexer hums.")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return folder


def quoted(place: Path, about: str, *more: str) -> Any:
    return json.loads(typed("documents", place, "--about", about, "--json", *more).stdout)


@pytest.mark.parametrize(
    ("about", "place"),
    [
        ("how fast may the vortexer turn?", ("handler.md", 0, 6, 10)),
        ("limit of the oven", ("old/oven.pdf", 2, 1, 2)),
        ("what does the balance weigh", ("balance.html", 0, 2, 3)),
        ("centrifuges", ("day.ipynb", 2, 1, 1)),
    ],
)
def test_a_question_finds_file_page_and_lines(
    manuals: Path, about: str, place: tuple[str, int, int, int]
) -> None:
    first, *_ = quoted(manuals, about)["passages"]
    assert (first["file"], first["page"], first["first"], first["last"]) == place
    if first["file"].endswith(".md"):
        lines = MANUAL.splitlines()[first["first"] - 1 : first["last"]]
        assert first["text"] == "\n".join(lines)


def test_what_is_quoted_is_told_with_its_place_and_nothing_hidden(manuals: Path) -> None:
    done = typed("documents", manuals, "--about", "vortexer")
    assert "handler.md, lines 6–10\n" in done.stdout
    assert "hums" not in done.stdout
    assert "unchecked" in done.stderr
    page = typed("documents", manuals / "old" / "oven.pdf", "--about", "oven").stdout
    assert re.search(r"oven\.pdf, page 2, lines 1–2\n {4}Safety first\.", page)


def test_python_is_handed_passages(manuals: Path, session: Grafico) -> None:
    found = session.documents(str(manuals), about="flushing lines with methanol", most=1)
    assert [(one.file, one.page) for one in found] == [("handler.md", 0)]


def test_a_second_question_reads_no_file_again(manuals: Path, cache: Path) -> None:
    quoted(manuals, "oven")
    kept = sorted((cache / "grafico" / "documents").glob("*.pdf.*.json"))
    assert len(kept) == 1
    held = json.loads(kept[0].read_text())
    held["pages"][1]["lines"] = ["The oven is kept."]
    kept[0].write_text(json.dumps(held))
    assert quoted(manuals, "oven")["passages"][0]["text"] == "The oven is kept."
    kept[0].write_text("{")
    assert "limited" in quoted(manuals, "oven")["passages"][0]["text"]


def test_chemicals_become_structures_one_by_one(manuals: Path) -> None:
    (manuals / "steps.txt").write_text(
        "Dissolve 3-(acetyloxy)benzoic acid and naphthalene in methanol; add zorbyl chloride."
    )
    found = quoted(manuals / "steps.txt", "dissolve", "--chemicals")["chemicals"]
    told = {one["name"]: one["smiles"] for one in found}
    assert told["naphthalene"] == "c1ccc2ccccc2c1"
    assert told["methanol"] == "CO"
    assert told["zorbyl chloride"] == ""
    assert "chloride" not in told


@pytest.mark.parametrize(
    ("text", "name", "smiles"),
    [
        ("eluted with petroleum ether", "petroleum ether", ""),
        ("a crown ether", "crown ether", ""),
        ("dry diethyl ether", "diethyl ether", "CCOCC"),
        ("zirconium tetrachloride", "zirconium tetrachloride", ""),
        ("ceric ammonium nitrate", "ceric ammonium nitrate", ""),
        ("ammonium nitrate", "ammonium nitrate", "[NH4+].O=[N+]([O-])[O-]"),
        ("polyethylene glycol", "polyethylene glycol", ""),
        ("copper acetate", "copper acetate", ""),
        ("Palladium(II) acetate", "Palladium(II) acetate", "CC(=O)[O-].CC(=O)[O-].[Pd+2]"),
        ("pyridine-2-carbaldehyde 1-oxide", "pyridine-2-carbaldehyde 1-oxide", ""),
        ("to give 4-methoxyphenylboronic acid", "4-methoxyphenylboronic acid", "COc1ccc(B(O)O)cc1"),
        ("with triisopropyl borate", "triisopropyl borate", "CC(C)OB(OC(C)C)OC(C)C"),
        ("dried over K2CO3", "K2CO3", ""),
        ("LiAlH4 in ice", "LiAlH4", ""),
        ("glucose", "glucose", ""),
    ],
)
def test_a_name_within_a_longer_one_is_none(text: str, name: str, smiles: str) -> None:
    (found,) = chemicals(text)
    assert found.name == name
    assert bool(found.smiles) == bool(smiles)
    if smiles:
        assert canonical(found.smiles, "") == canonical(smiles, "")


def test_names_are_read_in_bounded_time() -> None:
    many = [f"qx{n}zanol" for n in range(200)]
    told = [one.why for one in chemicals(" ".join([*many, "eth" * 20_000]))]
    assert sum("too many" in why for why in told) == len(many) - MOST_READ


@pytest.mark.parametrize(
    "text",
    [
        "",
        "and so on: the end",
        "We were there at nine.",
        "a methyl group, the phenyl ring and the protected alcohol by NMR and TLC",
    ],
)
def test_texts_without_chemicals_have_none(text: str) -> None:
    assert chemicals(text) == []


# --- ranks ---------------------------------------------------------------------------------------


def test_rare_words_count_more_and_long_passages_less() -> None:
    there = ["vial " * 30 + "tip", "tip", "vial", "vial rack"]
    (first, _), (second, _), *_ = by_words("tip of a vial", there)
    assert (first, second) == (1, 0)
    assert by_words("nothing of it", there) == []


def test_scores_are_those_of_the_formula() -> None:
    """Counted by hand: one of two passages has the word once, both are of two words."""
    (_, score), *_ = by_words("tip", ["tip rack", "vial rack"])
    assert score == pytest.approx(0.6931471806 * 2.5 / 2.5)  # ln(1 + 1.5/1.5)


@given(st.lists(st.text(alphabet="ab c\n.", max_size=60), max_size=40))
def test_each_line_with_a_word_is_in_one_passage(lines: list[str]) -> None:
    page = Page(3, tuple(line.replace("\n", " ") for line in lines))
    found = [n for one in passages("x.md", [page]) for n in range(one.first, one.last + 1)]
    assert found == sorted({*found})
    assert {n for n, line in enumerate(page.lines, 1) if line.strip()} <= {*found}


@given(st.binary(max_size=400), st.sampled_from([".pdf", ".html", ".txt", ".ipynb"]))
def test_whatever_stands_in_a_file_is_read_or_refused(content: bytes, ending: str) -> None:
    found = text_of(ending, content)
    assert found.pages or found.problem


# --- bad input -----------------------------------------------------------------------------------


def test_what_is_no_document_is_refused(tmp_path: Path, manuals: Path, session: Grafico) -> None:
    with pytest.raises(NotFoundError, match="no such file"):
        session.documents(str(tmp_path / "nowhere.pdf"), about="x")
    with pytest.raises(InputError, match=r"\.ipynb"):
        session.documents(str(manuals / "picture.png"), about="x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no document"):
        session.documents(str(tmp_path / "empty"), about="x")
    with pytest.raises(InputError, match="everywhere"):
        session.documents(str(manuals), about="what is it?")
    with pytest.raises(NotFoundError, match="other words"):
        session.documents(str(manuals), about="xylophone", by="words")


BAD = {
    "broken.pdf": b"%PDF-1.7\n1 0 obj <</Type /Catalog",
    "lies.pdf": b"GIF89a",
    "binary.txt": b"\0\1\2" * 100,
    "bomb.ipynb": b"[" * 100_000,
    "deep.html": b"<div>" * 50_000,
    "scan.pdf": pdf([]),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_named_and_the_others_are_read(manuals: Path, name: str) -> None:
    (manuals / name).write_bytes(BAD[name])
    done = typed("documents", manuals, "--about", "vortexer")
    assert "1000 revolutions" in done.stdout
    assert f"note: {name}: " in done.stderr


def test_a_file_that_takes_too_long_is_named_and_the_others_are_read(
    manuals: Path, session: Grafico, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its 1,000 pages share a stream of many operators, which takes minutes."""
    monkeypatch.setattr(finding, "SECONDS", 4)
    (manuals / "slow.pdf").write_bytes(pdf(["slow " * 20] * 4000, times=1000))
    found = session.documents(str(manuals), about="vortexer")
    assert found[0].file == "handler.md"
    done = {one.name: one.text.problem for one in finding.documents(str(manuals))}
    assert done["slow.pdf"]


def test_a_name_in_capitals_and_wide_letters_are_read(manuals: Path) -> None:
    (manuals / "OVEN.PDF").write_bytes((manuals / "old" / "oven.pdf").read_bytes())
    told = typed("documents", manuals / "OVEN.PDF", "--about", "oven").stdout
    assert "page 2, lines 1–2" in told
    (manuals / "wide.txt").write_bytes("the vortexer hums".encode("utf-16"))
    assert "hums" in typed("documents", manuals / "wide.txt", "--about", "vortexer").stdout
    (manuals / "odd.ipynb").write_text('{"cells": [{}, {"source": "the vortexer hums"}]}')
    assert "cell 2" in typed("documents", manuals / "odd.ipynb", "--about", "vortexer").stdout


def test_a_manual_cannot_command_a_terminal(manuals: Path) -> None:
    (manuals / "evil.txt").write_text("vortexer \x1b[2J\x1b]0;owned\x07 \u202egnp")
    done = typed("documents", manuals / "evil.txt", "--about", "vortexer")
    assert not re.search(r"[\x1b\x07\u202e]", done.stdout + done.stderr)


def test_words_are_taken_without_case_and_plural() -> None:
    assert words_of("The Vials, a vial; glass: 1.2 mL") == ["vial", "vial", "glass", "1.2", "ml"]
