"""Charts as pictures: that values stand where axes say, and that nothing in them can act."""

from __future__ import annotations

import csv
import math
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast
from xml.etree import ElementTree

import numpy as np
import pytest

from grafico.views import drawing
from grafico.views.chart_data import SERIES, as_csv, heading
from grafico.views.drawing import Picture, files_of, pictures
from grafico.views.vega import specification
from grafico.views.vega_render import FONTS, cleaned, render
from grafico.views.vega_series import LABELS
from triplestore.errors import GraficoError
from workflows.geometry.spectra import infrared_chart, lines
from workflows.programs.isolated import in_subprocess_now
from workflows.show.blocks import Axis, Chart, Series

if TYPE_CHECKING:
    from ontologies.vibrations import VibrationalAnalysis

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


def chart(*series: Series, x: Axis | None = None, y: Axis | None = None, title="A chart") -> Chart:
    return Chart(title, x or Axis("time", "s"), y or Axis("energy", "Eh"), series)


class Drawn:
    """A drawing in pieces, each with its place: pixels from the corner of the axes."""

    def __init__(self, made: Picture) -> None:
        assert made.trouble == ""
        self.source = made.svg
        self.parts = list[tuple[str, dict[str, str], str, float, float]]()
        self._walk(ElementTree.fromstring(made.svg), 0.0, 0.0)

    def _walk(self, one, x: float, y: float) -> None:
        for a, b in re.findall(r"translate\(([-\d.]+),([-\d.]+)\)", one.get("transform", "")):
            x, y = x + float(a), y + float(b)
        title = next((part.text or "" for part in one if part.tag == "title"), one.text or "")
        self.parts.append((one.tag, dict(one.attrib), title, x, y))
        for part in one:
            self._walk(part, x, y)

    @property
    def texts(self) -> list[str]:
        return [text for tag, _, text, _, _ in self.parts if tag == "text"]

    def titled(self) -> list[tuple[str, dict[str, str], float, float]]:
        """Shapes that tell something."""
        return [
            (text, attributes, x, y)
            for tag, attributes, text, x, y in self.parts
            if tag in ("path", "line") and text
        ]


CHARTS = dict[str, list[Chart]]()
"""What tests look at, all drawn at once: a process for each would take a minute."""


def looked_at(*charts: Chart):
    """Let a test look at drawings of charts."""

    def mark(test):
        CHARTS[test.__name__] = list(charts)
        return test

    return mark


@pytest.fixture(scope="module")
def all_drawn() -> dict[str, list[Drawn]]:
    made = iter(pictures([one for charts in CHARTS.values() for one in charts]))
    return {name: [Drawn(next(made)) for _ in charts] for name, charts in CHARTS.items()}


@pytest.fixture
def drawn(request, all_drawn) -> list[Drawn]:
    return all_drawn[request.node.name]


# --- whatever is drawn ---------------------------------------------------------------------------


@looked_at(
    *(
        chart(*series, x=across)
        for kind in KINDS
        for x, y in ODD
        for series, across in (
            (
                (
                    Series("own", x, y, kind, ("a",) * len(x), ("↑↓",) * len(x), Axis("strength")),
                    Series("other", (1.0, 2.0), (1.0, 2.0)),
                    Series("dashed", x, y, kind, dashed=True),
                ),
                Axis("time", "s"),
            ),
            ((Series("", x, y, kind),), Axis("", reversed=True)),
        )
    )
)
def test_charts_of_anything(drawn) -> None:
    assert len(drawn) == 2 * len(KINDS) * len(ODD)
    for one in drawn:
        assert not re.search(r"[ \"(,](nan|-?inf|undefined|null)\b", one.source, re.IGNORECASE)
        assert all(-1 <= x <= 720 and -1 <= y <= 560 for *_, x, y in one.parts)


@looked_at(
    chart(Series("", (1.0, 2.0, 3.0), (1.0, math.nan, 3.0), "points")), chart(Series("", (), ()))
)
def test_what_is_not_finite_is_counted_and_the_rest_is_drawn(drawn) -> None:
    one, none = drawn
    assert "<title>A chart (1 point without a finite value left out)</title>" in one.source
    assert [text for text, *_ in one.titled()] == ["1 s, 1 Eh", "3 s, 3 Eh"]
    assert "nothing to draw" in none.texts


def many_points() -> Iterator[Chart]:
    x = np.arange(10_000.0)
    y = np.random.default_rng(1).random(10_000)
    y[1234], y[8765] = 7.5, -7.5
    labels = tuple(f"n{n}" for n in range(10_000))
    for kind in KINDS:
        yield chart(Series("", tuple(x.tolist()), tuple(y.tolist()), kind, labels))


@looked_at(*many_points())
def test_ten_thousand_points_keep_their_extremes_and_a_size(drawn) -> None:
    for kind, one in zip(KINDS, drawn, strict=True):
        assert len(one.source) < 900_000
        if kind == "line":
            (line,) = (a["d"] for _, a, *_ in one.parts if a.get("stroke") == "var(--accent)")
            heights = [float(y) for y in re.findall(r",(-?[\d.]+)", line)]
            assert len(heights) < 2000
            middle = sorted(heights)[len(heights) // 2]
            assert min(heights) < middle - 70 < middle + 70 < max(heights)
        elif kind != "levels":
            assert "1,234 s, 7.5 Eh" in one.source


MANY = chart(*(Series(f"s{n}", (0.0, 1.0), (0.0, float(n))) for n in range(SERIES + 20)))


@looked_at(MANY)
def test_a_hundred_series_are_drawn_and_the_others_counted(drawn) -> None:
    assert heading(MANY) == f"A chart (the first {SERIES} series of {SERIES + 20})"
    (one,) = drawn
    assert sum(a.get("fill") != "none" and "L" in a.get("d", "") for _, a, *_ in one.parts) <= 250
    assert any("entries" in text for text in one.texts), "the legend is cut"


# --- axes ----------------------------------------------------------------------------------------


def ticks(one: Drawn, *, across: bool) -> list[tuple[float, float]]:
    """Places of numbers at an axis, with the numbers."""
    numbers = [
        (x, y, float(text.replace("−", "-")), a.get("text-anchor"))
        for tag, a, text, x, y in one.parts
        if tag == "text" and re.fullmatch(r"−?[\d.]+", text)
    ]
    if across:
        return sorted((x, value) for x, _, value, anchor in numbers if anchor == "middle")
    return sorted((y, value) for _, y, value, anchor in numbers if anchor == "end")


X, Y = (100.0, 900.0, 3000.0), (2.0, 50.0, 17.0)


@looked_at(
    *(
        chart(Series("", X, Y, "points"), x=Axis("wavenumber", "cm⁻¹", reverse))
        for reverse in (False, True)
    )
)
def test_values_stand_where_the_axes_say(drawn) -> None:
    """The pixel of each point, read against the ticks, is its value."""
    for reverse, one in zip((False, True), drawn, strict=True):
        across, up = ticks(one, across=True), ticks(one, across=False)
        assert len(across) > 3
        assert len(up) > 3
        assert (across[0][1] > across[-1][1]) is reverse
        points = [(px, py) for _, _, px, py in one.titled()]
        assert len(points) == 3
        for marks, values, place in ((across, X, 0), (up, Y, 1)):
            (p, a), (q, b) = marks[0], marks[-1]
            found = [a + (point[place] - p) / (q - p) * (b - a) for point in points]
            # a number's baseline stands some pixels below its tick
            assert found == pytest.approx(values, abs=abs(b - a) / 40)


@looked_at(
    chart(Series("", (-2000.0, 4000.0), (1e-9, 4e-9))),
    chart(Series("", (1.0, 5.0), (1e8, 3e8)), x=Axis("step")),
)
def test_numbers_at_axes_have_a_real_minus_no_comma_and_raised_powers(drawn) -> None:
    one, other = drawn
    assert {"−2000", "4000", "1×10⁻⁹"} <= set(one.texts)
    assert {"1×10⁸", "3×10⁸", "1", "2", "5"} <= set(other.texts)
    assert not {"1.0", "1.5"} & set(other.texts), "steps are whole"


@looked_at(
    Chart(
        "c",
        Axis("energy", "eV"),
        Axis("ε"),
        (Series("", (2.0, 3.0, 4.0), (0.0, 1.0, 0.0)),),
        above=Axis("wavelength", "nm", ticks=((2.0, "620"), (4.0, "310"), (9.0, "138"))),
    )
)
def test_an_axis_read_in_another_unit_stands_above(drawn) -> None:
    (one,) = drawn
    places = {text: (x, y) for tag, _, text, x, y in one.parts if tag == "text"}
    assert places["620"][0] < places["310"][0]
    assert places["620"][1] == places["310"][1] < places["2"][1]
    assert places["310"][0] == pytest.approx(places["4"][0], abs=1.5)
    assert "138" not in places, "that is not shown of the axis"
    assert "wavelength / nm" in places


# --- sticks --------------------------------------------------------------------------------------


STRENGTH = Axis("oscillator strength")


@looked_at(
    chart(
        Series("absorption", (0.0, 1.0, 2.0), (0.0, 600.0, 0.0)),
        Series("strength", (1.0, 1.5), (0.02, 1e-9), "sticks", ("strong", "weak"), axis=STRENGTH),
    )
)
def test_sticks_stand_on_a_scale_of_their_own_beside_a_curve(drawn) -> None:
    (one,) = drawn
    said = set(one.texts)
    assert {"absorption", "strength", "strong", "600", "0.020", "oscillator strength"} <= said
    assert "weak" not in said
    faint = [a for _, a, *_ in one.titled() if a["stroke"] == "var(--soft)"]
    assert len(faint) == 1, "what is too small to be seen is told of all the same"


STRONG = (3700.0, 3690.0, 1600.0, 800.0), (90.0, 80.0, 50.0, 0.1)
SIXTY = tuple(np.linspace(400, 3900, 60).tolist())


@looked_at(
    chart(
        Series("", *STRONG, "sticks", tuple(f"n{place:.0f}" for place in STRONG[0])),
        x=Axis("", reversed=True),
    ),
    chart(Series("", SIXTY, SIXTY, "sticks", tuple(f"m{place}" for place in SIXTY))),
)
def test_the_strongest_are_labelled_and_no_label_hides_another(drawn) -> None:
    one, other = drawn
    assert {text for text in one.texts if text.startswith("n")} == {"n3700", "n1600"}
    assert sum(text.startswith("m") for text in other.texts) == LABELS


# --- series --------------------------------------------------------------------------------------


@looked_at(
    chart(
        Series("there", (1.0, 2.0, 1.5), (0.0, 5.0, 1.0)),
        Series("back", (1.0, 2.0, 1.5), (1.0, 5.0, 0.0), dashed=True),
    )
)
def test_a_line_goes_in_its_own_order_and_what_is_dashed_looks_so(drawn) -> None:
    (one,) = drawn
    lines = [a for _, a, *_ in one.parts if a.get("d", "").count("L") == 2]
    first, second = (a for a in lines if "stroke-dasharray" in a or "stroke" in a)
    x = [float(place) for place in re.findall(r"[ML](-?[\d.]+),", first["d"])]
    assert x[0] < x[2] < x[1]
    assert first["stroke"] != second["stroke"]
    assert second["stroke-dasharray"] == "5,3"
    assert {"there", "back"} <= set(one.texts)


# --- levels --------------------------------------------------------------------------------------


PLACES = (0.0, 0.0, 1.0), (-10.0, -10.0, -9.0)


@looked_at(
    chart(
        Series("occupied", *PLACES, "levels", ("HOMO", "HOMO", "HOMO"), ("↑", "↑", "↓")),
        Series("empty", (0.0, 1.0), (2.0, 3.0), "levels", ("LUMO", "LUMO"), dashed=True),
        x=Axis("", ticks=((0.0, "alpha"), (1.0, "beta"))),
        y=Axis("orbital energy", "eV"),
    )
)
def test_levels_of_like_height_stand_side_by_side_and_hold_their_electrons(drawn) -> None:
    (one,) = drawn
    found = [(text, "stroke-dasharray" in a, x, y) for text, a, x, y in one.titled()]
    (_, _, left, low), (_, _, right, same) = found[0], found[1]
    assert left < right
    assert low == same
    assert [dashed for _, dashed, _, _ in found].count(True) == 2
    arrows = [a for tag, a, *_ in one.parts if tag == "path" and a.get("stroke") == "var(--ink)"]
    assert len(arrows) == 3
    said = one.texts
    assert {"alpha", "beta", "HOMO −10.00", "LUMO 2.00", "LUMO 3.00"} <= set(said)
    assert "orbital energy / eV" in said
    assert said.count("HOMO −10.00") == 1


BARRIERS = {"ΔE": 188.0, "ΔE + ΔZPE": 186.0, "ΔG": 187.0}


@looked_at(
    chart(
        *(Series(name, (0.0, 1.0), (0.0, high), "levels") for name, high in BARRIERS.items()),
        x=Axis("", ticks=((0.0, "HCN"), (1.0, "transition state"))),
        y=Axis("above", "kJ/mol"),
    )
)
def test_levels_of_several_kinds_are_told_apart_and_none_is_lost(drawn) -> None:
    """Three barriers within three pixels each have their name and number."""
    (one,) = drawn
    wanted = {f"{name} {high:.2f}" for name, high in BARRIERS.items()}
    assert wanted | {f"{name} 0.00" for name in BARRIERS} <= set(one.texts)
    heights = sorted(y for tag, _, text, _, y in one.parts if tag == "text" and text in wanted)
    assert min(b - a for a, b in pairwise(heights)) > 12
    assert len({a["stroke"] for _, a, *_ in one.titled()}) == 3


@looked_at(
    chart(
        *(
            Series(name, (0.0, 1.0, 2.0), (0.0, high, -20.0), "levels", joined=True)
            for name, high in BARRIERS.items()
        ),
        x=Axis("", ticks=((0.0, "N=C"), (1.0, "transition state"), (2.0, "C#N"))),
        y=Axis("above", "kJ/mol"),
    )
)
def test_levels_that_follow_each_other_are_joined(drawn) -> None:
    """What is alike is one level: a line each leads up to a barrier, and one down from it."""
    (one,) = drawn
    assert {f"{name} {high:.2f}" for name, high in BARRIERS.items()} <= set(one.texts)
    assert one.texts.count("0.00") == 1 + 1  # once before the ground of white, once on it
    dotted = [a for tag, a, *_ in one.parts if tag == "line" and a.get("stroke-dasharray") == "2,3"]
    assert len(dotted) == 3 + 3
    assert len({a["stroke"] for a in dotted}) == 3


def test_labels_find_room_however_their_heights_are_rounded() -> None:
    """A height and a line more may be less than a line away: that once went on for ever."""
    some = np.random.default_rng(1)
    for _ in range(300):
        heights = 280 + some.random(3) * 30
        specification(
            chart(
                *(Series(str(one), (0.0, 1.0), (0.0, one), "levels") for one in heights),
                x=Axis("", ticks=((0.0, "HCN"), (1.0, "transition state"))),
                y=Axis("above", "kJ/mol"),
            )
        )


@looked_at(
    *(
        chart(Series("", (0.0, 0.0), (-2.0, 3.0), "levels"), x=Axis(name), y=Axis("energy", "eV"))
        for name in ("", "step")
    )
)
def test_where_levels_stand_measures_nothing_unless_it_is_named(drawn) -> None:
    bare, named = drawn
    assert "0" in bare.texts
    assert bare.texts.count("0") < named.texts.count("0")
    assert "step" in named.texts


# --- numbers -------------------------------------------------------------------------------------


def read(one: Chart) -> list[list[str]]:
    return list(csv.reader(as_csv(one).splitlines()))


def test_numbers_are_a_table_with_units() -> None:
    curve = Series("absorption", (0.0, 1.0), (0.5, 600.0))
    sticks = Series("strength", (1.0, 2.0), (0.02, 0.1), "sticks", ("a", "b"), axis=Axis("f", "km"))
    assert read(chart(curve, sticks)) == [
        ["time / s", "absorption, energy / Eh", "strength, f / km", "strength, label"],
        ["0.0", "0.5", "", ""],
        ["1.0", "600.0", "0.02", "a"],
        ["2.0", "", "0.1", "b"],
    ]


def test_a_series_drawn_twice_has_one_column_and_levels_a_row_each() -> None:
    x, y = (1.0, 2.0), (3.0, 4.0)
    assert read(chart(Series("", x, y), Series("", x, y, "points"))) == [
        ["time / s", "energy / Eh"], ["1.0", "3.0"], ["2.0", "4.0"],
    ]  # fmt: skip
    columns = Axis("", ticks=((0.0, "alpha"),))
    levels = Series("", (0.0, 0.0), (-1.0, -1.0), "levels", ("HOMO", "=1+1"), ("↑", "↑"))
    assert read(chart(levels, x=columns))[1:] == [
        ["alpha", "-1.0", "HOMO", "↑"], ["alpha", "-1.0", "'=1+1", "↑"],
    ]  # fmt: skip


# --- nothing acts --------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """An address, and what was asked for there."""
    asked = list[str]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"a,b\n1,2\n")

        def log_message(self, format, *args) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}/", asked
        listening.shutdown()
        thread.join()


def fetching(address: str) -> list[dict]:
    """Specifications that name an address where Vega would fetch something."""
    x = {"field": "a", "type": "quantitative"}
    values = {"values": [{"a": 1}]}
    more = {"data": {"url": f"{address}more.csv"}, "key": "a", "fields": ["b"]}
    return [
        {"data": {"url": f"{address}data.csv"}, "mark": "point", "encoding": {"x": x}},
        {"data": values, "mark": "point", "transform": [{"lookup": "a", "from": more}],
         "encoding": {"x": x}},
    ]  # fmt: skip


FETCHED = """
import sys, vl_convert
vl_convert.vegalite_to_svg({"data": {"url": sys.argv[1] + "data.csv"}, "mark": "point",
    "encoding": {"x": {"field": "a", "type": "quantitative"}}}, "6.4")
vl_convert.svg_to_png(sys.argv[2])
"""


def test_nothing_is_fetched_whatever_a_specification_says(server) -> None:
    address, asked = server
    for one in fetching(address):
        with pytest.raises(RuntimeError, match="not allowed"):
            in_subprocess_now("a test", render, [one], "svg", {})
    image = {"type": "image", "url": f"{address}picture.png", "width": 20, "height": 20}
    pictured = {"data": {"values": [{}]}, "mark": image}
    for form in ("png", "pdf"):
        assert in_subprocess_now("a test", render, [pictured], form, {})
    assert asked == []
    # what draws would have fetched both, had it been let
    space = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    place = f'width="9" height="9" xlink:href="{image["url"]}"'
    bare = f'<svg {space} width="9" height="9"><image {place}/></svg>'
    subprocess.run([sys.executable, "-c", FETCHED, address, bare], check=True)
    assert asked == ["/data.csv", "/picture.png"]
    assert "image" not in cleaned(bare, "", False, {})


def test_what_is_kept_of_a_drawing_are_shapes_and_texts() -> None:
    space = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    drawn = (
        f'<svg {space} viewBox="0 0 9 9" onload="a()"><script>a()</script><style>b</style>'
        '<a href="javascript:a()"><text>c</text></a><foreignObject><p>d</p></foreignObject>'
        '<use xlink:href="#e"/><g onclick="a()"><path d="M0,0L1,1" style="f" fill="url(http://g)"/>'
        '<text font-family="h">i &lt;j&gt;</text></g></svg>'
    )
    assert cleaned(drawn, "k", True, {}) == (
        '<svg class="chart" role="img" viewBox="0 0 9 9" width="" height=""><title>k</title>'
        '<g><path d="M0,0L1,1" fill="none" /><text>i &lt;j&gt;</text></g></svg>'
    )


def test_texts_are_texts_wherever_they_stand(server) -> None:
    address, asked = server
    texts = [
        "40 + 2",
        "datum['y']",
        '{"signal": "40 + 2"}',
        f"{address}x.png",
        "javascript:alert(1)",
        '</title></text><script>alert(1)</script>"\'><image href="x">',
        "${40 + 2}",
        "__proto__",
    ]
    charts = [
        Chart(
            text,
            Axis(text, text, ticks=((1.0, text),)),
            Axis(text, text, ticks=((2.0, text),)),
            (
                Series(text, (1.0, 2.0), (1.0, 2.0), kind, (text, text), (text, text)),
                Series("b", (1.0, 2.0), (1.0, 2.0), "sticks", (text, text), (), Axis(text, text)),
                Series("c", (1.0, 2.0), (2.0, 1.0), dashed=True),
            ),
            note=text,
            above=Axis(text, text, ticks=((1.5, text),)),
        )
        for text in texts
        for kind in KINDS
    ]
    drawn = map(Drawn, pictures(charts))
    for text, one in zip([text for text in texts for _ in KINDS], drawn, strict=True):
        tags = {tag for tag, *_ in one.parts}
        assert tags <= {"svg", "title", "g", "path", "line", "rect", "circle", "text", "tspan"}
        names = {name for _, attributes, *_ in one.parts for name in attributes}
        assert not any(name.startswith("on") or "href" in name for name in names)
        assert not names & {"style", "src", "id"}
        assert text in one.texts, "a tick that says what it says"
        assert not any(said.startswith("42") for said in one.texts)
    assert b"/URI" not in files_of(charts[12:13], "pdf")[0]
    assert asked == []


def test_what_is_drawn_with_is_not_loaded_here() -> None:
    assert "vl_convert" not in sys.modules
    pictures([chart(Series("", (1.0,), (1.0,)))])
    assert "vl_convert" not in sys.modules


def test_a_chart_that_cannot_be_drawn_says_so_and_others_are_drawn(monkeypatch) -> None:
    def broken(one: Chart, *, titled: bool = True) -> dict:
        return {"mark": "nothing"} if one.title == "broken" else specification(one, titled=titled)

    monkeypatch.setattr(drawing, "specification", broken)
    point = Series("", (1.0,), (1.0,))
    whole, lost = pictures([chart(point), chart(point, title="broken")])
    assert whole.svg
    assert lost.svg == ""
    assert lost.trouble
    with pytest.raises(GraficoError, match="a chart was to be drawn"):
        files_of([chart(point, title="broken")], "png")


# --- the font ------------------------------------------------------------------------------------

LETTERS = "ν / cm⁻¹ Å − ′ ⁺ ⁻ ‡ Δ ε α β σ π ρ ∫ ± × · ° ₀ ₂ ½ ≤ ≥ → ← ⇌ ↑ ↓ é ö ł Ж"


def test_every_letter_of_the_field_is_of_the_font_that_comes_along() -> None:
    (font,) = FONTS.glob("*.ttf")
    assert font.stat().st_size < 200_000
    tools = pytest.importorskip("fontTools.ttLib")
    known = tools.TTFont(font).getBestCmap()
    assert [letter for letter in LETTERS if ord(letter) not in known] == []
    said = Chart(LETTERS, Axis(LETTERS), Axis(LETTERS), (Series("", (1.0,), (1.0,)),), note=LETTERS)
    used = re.findall(rb"/BaseFont\s*/(?:\w+\+)?([\w-]+)", files_of([said], "pdf")[0])
    assert set(used) == {b"GraficoSans"}


def test_files_are_what_they_are_called() -> None:
    one = chart(Series("", (1.0, 2.0), (1.0, 2.0)), title="Energies of water")
    assert files_of([one], "png")[0].startswith(b"\x89PNG")
    assert files_of([one], "pdf")[0].startswith(b"%PDF")
    root = ElementTree.fromstring(files_of([one], "svg")[0])
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = [part.text for part in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Energies of water" in texts
    assert "time / s" in texts


def test_an_infrared_curve_is_smooth_at_its_peaks() -> None:
    """A straight line between two places is nowhere 2 % of the highest peak off the curve."""
    at, heights = np.array([500.0, 1784.3, 1790.0, 2951.7]), np.array([20.0, 300.0, 40.0, 5.0])
    chart = infrared_chart(
        cast(
            "VibrationalAnalysis",
            SimpleNamespace(wavenumbers=at, infrared=heights),
        )
    )
    x, y = np.array(chart.series[0].x), np.array(chart.series[0].y)
    middle = (x[1:] + x[:-1]) / 2
    off = np.abs(lines(at, heights, middle) - (y[1:] + y[:-1]) / 2)
    assert off.max() < 0.02 * y.max()
