"""Blocks as HTML and charts as SVG: what they hold, and that nothing in them breaks a page."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

from grafico.views.html import Article, fragment, page, xyz
from grafico.views.svg import LABELS, draw, number
from workflows.blocks import (
    Axis,
    Block,
    Chart,
    Column,
    Fact,
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


def chart(*series: Series, x: Axis | None = None, y: Axis | None = None, title="A chart") -> Chart:
    return Chart(title, x or Axis("time", "s"), y or Axis("energy", "Eh"), series)


def texts(drawn: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(drawn).iter("text")]


KINDS = ("line", "sticks", "points", "levels")
ODD = [
    ((), ()),
    ((1.0,), (2.0,)),
    ((0.0,), (0.0,)),
    ((1.0, 1.0), (3.0, 3.0)),
    ((math.nan,), (1.0,)),
    ((1.0, 2.0, 3.0), (math.inf, -math.inf, math.nan)),
    ((1.0, 2.0), (1e308, -1e308)),
    ((1.0, 2.0), (1e-300, -1e-300)),
    ((1e15, 1e15 + 1), (0.0, 1.0)),
    ((1.0, 2.0, 3.0), (1.0,)),
    ((-5.0, 5.0), (-1e-12, 1e12)),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("x", "y"), ODD)
def test_charts_of_anything(kind, x, y) -> None:
    for series in (
        Series("", x, y, kind),
        Series("dashed", x, y, kind, dashed=True),
        Series("own", x, y, kind, ("a",) * len(x), ("↑↓",) * len(x), Axis("strength")),
    ):
        for across in (Axis("time", "s"), Axis("", reversed=True)):
            drawn = draw(chart(series, Series("other", (1.0, 2.0), (1.0, 2.0)), x=across))
            alone = draw(chart(series, x=across))
            for one in (drawn, alone):
                ElementTree.fromstring(one)
                assert not re.search(r"[ \"(,](nan|-?inf)\b", one)
                places = re.findall(r'\b[xy]="(-?[\d.]+)"', one)
                assert all(-1 <= float(place) <= 600 for place in places), places


def test_what_is_not_finite_is_counted_and_the_rest_is_drawn() -> None:
    drawn = draw(chart(Series("", (1.0, 2.0, 3.0), (1.0, math.nan, 3.0), "points")))
    assert "A chart (1 point without a finite value left out)" in drawn
    assert drawn.count("<circle") == 2
    assert "nothing to draw" in draw(chart(Series("", (), ())))


@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_points_keep_their_extremes_and_a_size(kind) -> None:
    x = np.arange(10_000.0)
    y = np.random.default_rng(1).random(10_000)
    y[1234], y[8765] = 7.5, -7.5
    labels = tuple(f"n{n}" for n in range(10_000))
    drawn = draw(chart(Series("", tuple(x.tolist()), tuple(y.tolist()), kind, labels)))
    ElementTree.fromstring(drawn)
    assert len(drawn) < 700_000
    if kind == "line":
        heights = [
            float(p.split(",")[1]) for p in re.findall(r'points="([^"]*)"', drawn)[0].split()
        ]
        assert len(heights) < 2000
        middle = sorted(heights)[len(heights) // 2]
        assert min(heights) < middle - 80 < middle + 80 < max(heights)
    elif kind != "levels":
        assert "1,234 s, 7.5 Eh" in drawn


def test_values_stand_where_the_axes_say() -> None:
    """The pixel of each point, read against the ticks, is its value."""
    x, y = (100.0, 900.0, 3000.0), (2.0, 50.0, 17.0)
    for reverse in (False, True):
        drawn = draw(chart(Series("", x, y, "points"), x=Axis("wavenumber", "cm⁻¹", reverse)))
        across = [
            (float(place), float(said.replace(",", "").replace("−", "-")))
            for place, said in re.findall(
                r'<text x="([\d.]+)" y="254" text-anchor="middle">([^<]*)<', drawn
            )
        ]
        up = [
            (float(place) - 4, float(said))
            for place, said in re.findall(
                r'<text x="71" y="([\d.]+)" text-anchor="end">([^<]*)<', drawn
            )
        ]
        points = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawn)
        assert len(points) == 3
        assert (across[0][1] > across[-1][1]) is False
        for ticks, values, place in ((across, x, 0), (up, y, 1)):
            (p, a), (q, b) = ticks[0], ticks[-1]
            found = [a + (float(point[place]) - p) / (q - p) * (b - a) for point in points]
            assert found == pytest.approx(values, abs=abs(b - a) / 200)


def test_sticks_stand_on_a_scale_of_their_own_beside_a_curve() -> None:
    drawn = draw(
        chart(
            Series("absorption", (0.0, 1.0, 2.0), (0.0, 600.0, 0.0)),
            Series(
                "strength",
                (1.0, 1.5),
                (0.02, 1e-9),
                "sticks",
                ("strong", "weak"),
                axis=Axis("oscillator strength"),
            ),
        )
    )
    said = texts(drawn)
    assert {"absorption", "strength", "strong", "600", "0.02", "oscillator strength"} <= set(said)
    assert "weak" not in said
    assert drawn.count('class="faint"') == 1


def test_the_strongest_are_labelled_and_no_label_hides_another() -> None:
    x, y = (3700.0, 3690.0, 1600.0, 800.0), (90.0, 80.0, 50.0, 0.1)
    labels = tuple(f"{place:.0f}" for place in x)
    said = set(texts(draw(chart(Series("", x, y, "sticks", labels), x=Axis("", reversed=True)))))
    assert {"3700", "1600"} <= said
    assert not {"3690", "800"} & said
    many = tuple(np.linspace(400, 3900, 60).tolist())
    drawn = draw(chart(Series("", many, many, "sticks", tuple(map(str, many)))))
    assert drawn.count('class="peak"') == LABELS


def test_levels_of_like_height_stand_side_by_side_and_hold_their_electrons() -> None:
    columns = Axis("", ticks=((0.0, "alpha"), (1.0, "beta")))
    drawn = draw(
        chart(
            Series(
                "occupied",
                (0.0, 0.0, 1.0),
                (-10.0, -10.0, -9.0),
                "levels",
                ("HOMO", "HOMO", "HOMO"),
                ("↑", "↑", "↓"),
            ),
            Series("empty", (0.0, 1.0), (2.0, 3.0), "levels", ("LUMO", "LUMO"), dashed=True),
            x=columns,
            y=Axis("orbital energy", "eV"),
        )
    )
    found = [
        (kind, float(x), float(y))
        for kind, x, y in re.findall(r'class="series s0( dashed)?" d="M([\d.]+) ([\d.]+)h', drawn)
    ]
    (_, left, low), (_, right, same) = found[0], found[1]
    assert left < right
    assert low == same
    assert [kind.strip() for kind, _, _ in found].count("dashed") == 2
    assert drawn.count('class="spin"') == 3
    said = texts(drawn)
    assert {"alpha", "beta", "HOMO −10.00", "LUMO 2.00", "LUMO 3.00", "orbital energy / eV"} <= set(
        said
    )


def test_where_levels_stand_measures_nothing_unless_it_is_named() -> None:
    levels = Series("", (0.0, 0.0), (-2.0, 3.0), "levels")
    energy = Axis("energy", "eV")
    bare = texts(draw(chart(levels, x=Axis(""), y=energy)))
    named = texts(draw(chart(levels, x=Axis("step"), y=energy)))
    assert [bare.count(said) for said in ("−1", "0", "1")] == [1, 1, 1], "of the energy"
    assert [named.count(said) for said in ("−1", "0", "1")] == [2, 2, 2]


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
