"""Blocks as HTML: what they hold, and that nothing in them breaks a page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from grafico.views.html import Article, fragment, page, xyz
from grafico.views.numbers import number
from workflows.show.blocks import (
    Axis,
    Block,
    Chart,
    Column,
    Fact,
    Motion,
    Note,
    Section,
    Series,
    Structure,
    Table,
)

H = HOSTILE = (
    "</title></text><script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}\u202e"
)
WATER = Structure(
    "H2O",
    "",
    ("O", "H", "H"),
    ((0, 0, 0.1), (0, 0.8, -0.5), (0, -0.8, -0.5)),
    ((0, 1, 1.0), (0, 2, 1.0)),
)
VOID = {"meta", "br"}


class Tags(HTMLParser):
    """A page in pieces; parsing it tells whether every tag is closed in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.stack, self.tags, self.texts = list[str](), list[str](), list[str]()
        self.feed(source)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        assert not any(name.startswith("on") or name in ("src", "style") for name, _ in attrs)
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        self.texts.append("" if self.stack[-1:] in (["style"], ["script"]) else data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.texts))


def chart(*series: Series) -> Chart:
    return Chart("A chart", Axis("time", "s"), Axis("energy", "Eh"), series)


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [
        (-74.96590118757, ".8f", "−74.96590119"),
        (7.3e-5, ".1e", "7.3×10⁻⁵"),
        (0.0, "", "0"),
        (-1e-9, ".2f", "0.00"),
        (5000.0, "", "5,000"),
        (1e-6, "", "1×10⁻⁶"),
        (2.5, "+.1f", "+2.5"),
    ],
)
def test_numbers_are_written_as_people_do(value, digits, said) -> None:
    assert number(value, digits) == said


# --- pages ---------------------------------------------------------------------------------------


def section(*blocks: Block, title: str = "Some results") -> Section:
    return Section(title, blocks, "https://w3id.org/grafico/id/Run/1", "Some")


EVERYTHING = section(
    WATER,
    Fact("energy", -74.96590118757, "Eh", "energy", digits=".8f",
         also=(Fact("", -2039.9, "eV", "energy"), Fact("of it dispersion", -0.001, "Eh"))),
    Fact("Gibbs energy", -1.0, "Eh", at=(Fact("", 298.15, "K"), Fact("", 101325.0, "Pa"))),
    Fact("stable", False, digits="stable|unstable"), Fact("converged", True),
    Fact("axes", (1.0, -2.5, 3.0), "GHz", digits=".1f"), Fact("steps", 12),
    Fact("hidden", 3.25, "Da", minor=True),
    Table("Modes", (Column("mode"), Column("wavenumber", "cm⁻¹", digits=".1f")),
          ((1, 1600.04), (2, None))),
    Table("Seldom read", (Column("a"),), (("x",),), minor=True),
    chart(Series("", (1.0, 2.0), (3.0, 4.0))), Note("be careful"), Note("harmonic", minor=True),
)  # fmt: skip


def test_every_block_is_rendered_with_its_values_and_units() -> None:
    shown = Tags(fragment(EVERYTHING))
    for text in (
        "−74.96590119 Eh", "= −2039.9 eV", "of it dispersion −0.001 Eh", "at 298.15 K, 101325 Pa",
        "unstable", "yes", "1.0, −2.5, 3.0 GHz", "12", "3.25 Da", "wavenumber / cm⁻¹", "1600.0",
        "Seldom read (1)", "time / s", "Be careful.", "Harmonic.", "H2O as balls and sticks",
        "Download H2O.xyz",
    ):  # fmt: skip
        assert text in shown.text, text
    assert '<data value="-74.96590118757">' in fragment(EVERYTHING)
    assert shown.tags.count("script") == 0


def test_what_is_minor_is_folded_away() -> None:
    seen = re.sub(r"<details>.*?</details>", "", fragment(EVERYTHING), flags=re.DOTALL)
    assert "3.25" not in seen
    assert "Seldom read" not in seen
    assert "1600.0" in seen


def test_hostile_texts_are_inert_everywhere() -> None:
    blocks: list[Block] = [
        Fact(H, H, H, H, H, note=H, also=(Fact(H, H, H),), at=(Fact(H, H, H),)),
        Fact("digits", 1.5, "", digits=H),
        Fact("words", True, "", digits=f"{H}|no"),
        Table(H, (Column(H, H),), ((H,),), note=H),
        Table(H, (Column(H, H, digits=H),), ((1.5,),), minor=True),
        Chart(
            H,
            Axis(H, H, ticks=((1.0, H),)),
            Axis(H, H),
            (
                Series(H, (1.0, 2.0), (1.0, 2.0), "points", (H, H)),
                Series(H, (1.0, 2.0), (1.0, 2.0), "sticks", (H, H), (), Axis(H, H)),
            ),
            note=H,
            above=Axis(H, H, ticks=((1.5, H),)),
        ),
        Chart(H, Axis(""), Axis(""), (Series(H, (1.0,), (1.0,), "levels", (H,), (H,)),)),
        Structure(H, H, (H, "H"), ((0, 0, 0), (0, 0, 1)), ((0, 1, 1.0),), note=H),
        Note(H, H),
        Note(H, minor=True),
    ]
    hostile = Section(HOSTILE, tuple(blocks), HOSTILE, HOSTILE)
    article = Article(HOSTILE, hostile, (hostile,), HOSTILE, HOSTILE, HOSTILE, "failed", (H, H))
    overview = Table(HOSTILE, (Column(HOSTILE, HOSTILE), Column("E")), ((HOSTILE, 1.0),) * 2)
    whole = page([article, article], HOSTILE, [HOSTILE] * 2, overview, HOSTILE, HOSTILE)
    for source, scripts in ((whole, 1), (fragment(hostile, hostile), 0)):
        shown = Tags(source)
        assert "img" not in shown.tags
        assert "\u202e" not in source
        assert "49" not in shown.text
        assert "alert(1)" in shown.text
        own = re.findall(r"<script(?: [^>]*)?>", source)
        assert len([tag for tag in own if "json" not in tag]) == scripts
        assert not re.search(r"<script[^>]*>[^<]*alert", source)


def test_a_structure_of_five_thousand_atoms_is_drawn_plain() -> None:
    places = np.random.default_rng(2).normal(0, 30, (5000, 3)).tolist()
    large = Structure(
        "C5000",
        "",
        ("C",) * 5000,
        tuple((x, y, z) for x, y, z in places),
        tuple((n, n + 1, 1.0) for n in range(4999)),
    )
    source = fragment(section(large))
    shown = Tags(source)
    assert source.count('class="ball"') == 5000
    assert "5000 atoms" in shown.text
    assert len(source) < 3_000_000
    assert "scene" not in re.sub(r"<style>.*?</style>", "", source, flags=re.DOTALL)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_structures_of_few_atoms(count: int) -> None:
    few = Structure("x", "", ("He",) * count, ((0.0, 0.0, 0.0),) * count)
    source = fragment(section(few))
    Tags(source)
    assert source.count('class="ball"') == count
    assert "nan" not in source


def test_an_xyz_file_of_a_crystal_has_its_cell_and_one_line_of_comment() -> None:
    from urllib.parse import unquote

    cell = ((4.0, 0.0, 0.0), (0.0, 4.0, 0.0), (0.0, 0.0, 4.0))
    name, data = xyz(
        Structure("NaCl", "", ("Na", "Cl"), ((0, 0, 0), (2, 2, 2)), cell=cell, note="a\nb")
    )
    lines = unquote(data.partition(",")[2]).splitlines()
    assert name == "NaCl.xyz"
    assert lines[0] == "2"
    assert lines[1].startswith('Lattice="4.000000000 0.000000000')
    assert lines[1].endswith("a b")
    assert [line.split()[0] for line in lines[2:]] == ["Na", "Cl"]


def test_nothing_at_all_is_a_page() -> None:
    Tags(page([], "empty", ["nothing"]))
    Tags(fragment())
    Tags(fragment(Section("", ())))


def test_motions_can_be_chosen_and_turn_with_the_structure() -> None:
    shifts = ((0.0, 0.0, 0.02), (0.0, 0.0, -0.3), (0.1, 0.0, 0.0))
    moving = replace(WATER, motions=(Motion(H, shifts), Motion("mode 2", shifts)))
    shown = page([Article("water", Section("", (moving,)), ())], "water", ["water"])
    tags = Tags(shown)
    assert tags.tags.count("option") == 3
    assert "mode 2" in tags.texts
    assert H not in shown
    [numbers] = re.findall(r'class="scene">(.*?)</script>', shown)
    scene = json.loads(numbers)
    plain = np.array(WATER.positions) * 100
    places, [ways, _] = np.array(scene["points"]), np.array(scene["motions"])
    # lengths, and the angles with the bonds, stay as they were
    assert np.linalg.norm(ways, axis=1) == pytest.approx([2, 30, 10], abs=0.2)
    for k, hydrogen in enumerate((1, 2)):
        bond, before = places[hydrogen] - places[0], plain[hydrogen] - plain[0]
        for way, shift in zip(ways, 100 * np.array(shifts), strict=True):
            assert way @ bond == pytest.approx(shift @ before, abs=15), k


def test_what_cannot_be_turned_has_no_motions() -> None:
    moving = replace(WATER, motions=(Motion("mode 1", WATER.positions),))
    assert "<select>" not in fragment(Section("", (moving,)))
