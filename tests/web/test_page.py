"""The page as people use it, in a real browser."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from evals.planner import Message, calls, says
from tests.agent.server import serving
from tests.conftest import Need

from .served import PATIENCE, Served, served, until, with_model

WATER = b"3\nwater <b>bold</b>\nO 0 0 0.117\nH 0 0.757 -0.469\nH 0 -0.757 -0.469\n"
SECONDS = "optimise methanol with HF/def2-SVP"
LONG = "optimise benzene with B3LYP/def2-TZVP"
HOURS = "optimise c1ccc(cc1)c1ccccc1 with B3LYP/def2-TZVP"
DRAWN = (
    "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"
)  # fmt: skip

expect.set_options(timeout=PATIENCE * 1000)  # on a busy machine

pytestmark = pytest.mark.xdist_group("browser")

Opened = Callable[..., Page]


@pytest.fixture(scope="module")
def browser(need: Need) -> Iterator[Browser]:
    chromium = need("chromium")
    with sync_playwright() as play:
        one = play.chromium.launch(executable_path=chromium, args=DRAWN)
        yield one
        one.close()


@pytest.fixture
def opened(browser: Browser, server: Served) -> Iterator[Opened]:
    """Opens the page; in the end nothing must have broken its policy or failed in it."""
    contexts: list[Any] = []
    faults: list[str] = []

    def open_page(address: str = "", own: bool = True, **more: Any) -> Page:
        if own or not contexts:
            contexts.append(browser.new_context(**more))
            contexts[-1].set_default_timeout(PATIENCE * 1000)
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if is_fault(said.text) else None)
        page.goto(address or server.page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def is_fault(text: str) -> bool:
    return "Content Security Policy" in text or "Uncaught" in text


def ask(page: Page, text: str) -> None:
    field = page.get_by_label("Your question")
    field.fill(text)
    field.press("Enter")


def handed(page: Page, how: str, name: str, text: str) -> None:
    """Drop a file on the page, or paste it into the question."""
    page.evaluate(
        """([how, name, text]) => {
            const data = new DataTransfer();
            data.items.add(new File([text], name));
            const also = { bubbles: true, cancelable: true };
            const made = how === "drop" ? new DragEvent("drop", { ...also, dataTransfer: data })
                : new ClipboardEvent("paste", { ...also, clipboardData: data });
            (document.querySelector("textarea") ?? document.body).dispatchEvent(made);
        }""",
        [how, name, text],
    )


def axe(page: Page) -> list[tuple[str, str]]:
    """What keeps people from using what is shown."""
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]})
    violations = found.response["violations"]
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in violations]


def done(page: Page, number: int = 0) -> Any:
    """Wait until a question is answered, the first if nothing is said; return it."""
    turn = page.locator("article.turn:not(.live)").nth(number)
    expect(turn).to_be_visible(timeout=PATIENCE * 1000)
    return turn


def test_from_a_name_to_a_structure_and_where_its_number_comes_from(opened: Opened) -> None:
    page = opened()
    ask(page, "optimise methanol with GFN2-xTB")
    turn = done(page)
    assert page.url.split("#")[1].startswith("/c/")
    assert "token" not in page.url
    expect(turn.locator("canvas").first).to_be_visible()
    expect(turn.locator(".card.finished h3")).to_have_text("Calculate: methanol")
    expect(turn.locator("dl.key").first).to_contain_text("−8.2261")  # xtb 6.5.1: -8.226118433 Eh
    number = turn.locator("a", has_text="-8.2261").first
    number.click()
    expect(page.locator("h1")).to_have_text("Tight binding optimisation")
    page.get_by_text("What it rests on").click()
    rests = page.get_by_role("group", name="What it rests on")
    expect(
        rests.get_by_role("link", name=re.compile("methanol|Molecule|CH4O", re.I))
    ).not_to_have_count(0)
    assert axe(page) == []
    page.go_back()
    done(page)


def test_a_reload_in_the_middle_finds_the_calculation_and_a_stop_ends_it(opened: Opened) -> None:
    page = opened()
    ask(page, LONG)
    page.locator(".live .card.open").wait_for()
    expect(page.locator(".live")).to_contain_text("benzene")
    page.reload()
    expect(page.locator(".live h2")).to_have_text(LONG)
    page.locator(".live .card.open").wait_for()
    other = opened(page.url, own=False)  # another tab
    other.locator(".live .card.open").wait_for()
    page.get_by_role("button", name="Stop").click()
    expect(done(page)).to_contain_text("Interrupted")
    expect(done(other)).to_contain_text("Interrupted")
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_two_tabs_agree_and_one_answers_what_is_asked(opened: Opened, server: Served) -> None:
    page = opened()
    ask(page, HOURS)
    page.get_by_role("group", name="Waits for you").wait_for()
    other = opened(f"{server.page}", own=False)
    other.locator("nav a", has_text="optimise c1ccc").first.click()
    waiting = other.get_by_role("group", name="Waits for you")
    expect(waiting).to_contain_text("hours")
    waiting.get_by_role("button", name="No", exact=True).click()
    expect(done(page)).to_contain_text("not done")
    expect(done(other)).to_contain_text("not done")


def test_a_file_is_brought_and_its_comment_is_data(opened: Opened) -> None:
    page = opened()
    name = "<img src=x onerror=hacked=1>.xyz"
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "chemical/x-xyz", "buffer": WATER}
    )
    expect(page.locator(".chip.there")).to_contain_text("<img src=x")
    expect(page.locator(".chip.there")).to_contain_text("formula H2O, atoms 3")
    page.get_by_text(f"Look at {name}").click()  # before anything is asked
    expect(page.locator(".composer canvas")).to_be_visible()
    handed(page, "drop", "notes.foo", "words")
    expect(page.locator(".chip.failed")).to_contain_text("it is no file of a structure")
    handed(page, "paste", "two.xyz", "2\n\nH 0 0 0\nH 0 0 0.74\n")
    expect(page.locator(".chip.there").nth(1)).to_contain_text("formula H2")
    page.get_by_role("button", name="Leave out two.xyz").click()
    ask(page, "energy with GFN2-xTB")
    expect(done(page)).to_contain_text("-5.07")
    assert page.evaluate("() => window.hacked") is None
    assert page.locator("article img[src='x']").count() == 0


def test_a_model_over_http_streams_and_a_number_without_source_is_marked(
    opened: Opened, tmp_path: Path
) -> None:
    hf = {"molecules": ["H2"], "method": "HF", "basis": "STO-3G"}

    def answer(request: dict[str, Any]) -> Message:
        used = [one for one in request["messages"] if one["role"] == "tool"]
        if not used:
            return calls(("calculate", hf))
        return says("**-1.117 Eh**; experiment says 104.2 kcal/mol. <script>hacked=1</script>")

    with serving(answer) as model, with_model(tmp_path, model.url) as own:
        page = opened(own.page)
        ask(page, "How deep is the well of H2?")
        turn = done(page)
        expect(turn.locator("strong")).to_contain_text("-1.117")
        expect(turn).to_contain_text("104.2")
        expect(turn).to_contain_text(re.compile("no source", re.I))
        assert page.evaluate("() => window.hacked") is None
        assert "sk-secret" not in page.content()


def test_a_killed_server_is_seen_and_another_one_has_all_that_was_finished(
    opened: Opened, tmp_path: Path
) -> None:
    with served(tmp_path / "store", tmp_path / "here") as first:
        page = opened(first.page)
        ask(page, "energy of H2 with HF/STO-3G")
        done(page)
        ask(page, SECONDS)
        page.locator(".live .card.open .course").first.wait_for()
        os.killpg(first.process.pid, signal.SIGKILL)
        first.process.wait()
        expect(page.locator("p.lost")).to_be_visible(timeout=PATIENCE * 1000)
        place = first.host.rpartition(":")[2]
    with served(tmp_path / "store", tmp_path / "here", "--at", place) as second:
        assert second.host == first.host
        page.goto(second.page)  # the page sees by itself that the token is another one
        page.locator("nav a", has_text="energy of H2").first.click()
        expect(done(page, 0)).to_contain_text("-1.11")
        turn = done(page, 1)
        expect(turn).to_contain_text("Cut off")
        page.reload()
        turn.get_by_role("button", name="Go on with it").click()
        # Psi4 1.3.2, optimised there: -114.9548617
        expect(done(page, 2)).to_contain_text(re.compile(r"-114\.95486"))


def test_a_command_asks_for_the_yes_that_it_needs(opened: Opened) -> None:
    page = opened()
    ask(page, "grafico modify phosgene")  # analogues of what stands on a list
    waiting = page.get_by_role("group", name="Waits for you")
    expect(waiting).to_contain_text("it lets chemicals be made")
    expect(waiting).to_contain_text("Chemical Weapons Convention, Schedule 3")
    assert axe(page) == []
    waiting.get_by_role("button", name="No", exact=True).click()
    expect(done(page)).not_to_contain_text("these stand on paper")
    ask(page, "grafico lookup aspirin")
    expect(done(page, 1).locator("pre").first).to_contain_text("50-78-2")
    expect(done(page, 1).locator("mark")).to_have_count(0)


def test_each_of_twelve_tabs_is_answered(opened: Opened, server: Served) -> None:
    pages = [opened(server.page, own=number == 0) for number in range(12)]
    for page in pages:
        page.get_by_label("Your question").wait_for()
    for number, page in enumerate(pages):
        ask(page, f"what is {number + 2} kcal/mol in kJ/mol?")
    for number, page in enumerate(pages):
        expect(done(page)).to_contain_text(f"{(number + 2) * 4.184:.3f}"[:5])


def test_a_form_is_filled_in_and_says_what_it_would_do(opened: Opened) -> None:
    page = opened()
    page.get_by_role("link", name="Fill in a form").click()
    page.get_by_role("textbox", name=re.compile("^molecule", re.I)).fill("ammonia")
    page.get_by_role("textbox", name=re.compile("^method", re.I)).fill("GFN2-xTB")
    planned = page.get_by_role("region", name="What it would do")  # beside, without being asked
    page.get_by_role("textbox", name=re.compile("^method", re.I)).press("Tab")
    expect(planned).to_contain_text("grafico run ammonia --method GFN2-xTB")
    page.get_by_role("textbox", name=re.compile("^molecule", re.I)).fill("no such thing")
    page.get_by_role("button", name="What would it do?").click()
    expect(planned.get_by_role("alert")).to_contain_text("no such thing")
    page.get_by_role("textbox", name=re.compile("^molecule", re.I)).fill("ammonia")
    handed(page, "drop", "water.xyz", WATER.decode())
    expect(planned).to_contain_text("grafico run water.xyz")
    page.get_by_role("textbox", name=re.compile("^molecule", re.I)).fill("ammonia")
    page.get_by_role("button", name="Compute").click()
    expect(done(page)).to_contain_text("-4.42")  # xtb 6.5.1 at this geometry, near -4.4270 Eh
    ask(page, "and of methane?")
    expect(done(page, 1)).to_contain_text("CH4")
    expect(done(page, 1)).to_contain_text("GFN2-xTB")
    page.get_by_role("link", name="Runs").click()
    listed = page.get_by_role("group", name="Runs")
    expect(listed).to_contain_text("ammonia")
    page.get_by_label("Of what").fill("Ammon")
    page.get_by_label("Status").select_option("finished")
    expect(listed).not_to_contain_text("methane")
    page.get_by_label("Status").select_option("failed")
    expect(page.get_by_text("No run fits")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_people_can_use_it_whatever_they_see_with(opened: Opened, scheme: str, width: int) -> None:
    page = opened(color_scheme=scheme, viewport={"width": width, "height": 800})
    page.get_by_label("Your question").wait_for()
    ask(page, "energy of H2 with HF/STO-3G")
    done(page)
    hashes = ["", "#/runs", "#/form", "#/computing"]
    here = page.url.partition("#")[0]
    for place in hashes:
        if place:
            page.goto(f"{here}{place}")
            page.locator("h1").wait_for()
        assert axe(page) == []
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= width
    if width == 390:
        page.get_by_role("button", name="Menu").click()
        expect(page.get_by_role("navigation", name="Places")).to_be_visible()


def test_a_wrong_token_is_said_and_nothing_is_shown(opened: Opened, server: Served) -> None:
    page = opened(f"{server.address}/#token=wrong")
    expect(page.locator("body")).to_contain_text("grafico web")
    assert page.locator("nav.side").count() == 0


def test_the_figures_of_its_size(server: Served) -> None:
    """The first screen has at most 250 kB compressed, all of it 900 kB."""
    import gzip

    page = server.ask("GET", "/").body.decode()
    first = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)
    sizes = {
        path.name: len(gzip.compress(path.read_bytes()))
        for path in (Path(__file__).parents[2] / "grafico/web/static/assets").iterdir()
    }
    assert first
    assert sum(sizes[name.rpartition("/")[2]] for name in first) < 250_000
    assert sum(sizes.values()) < 900_000


def test_the_page_stays_small_and_so_does_its_server() -> None:
    """Lines of Python at most 1,500; of TypeScript, but for blank ones, 3,500."""
    here = Path(__file__).parents[2] / "grafico/web"
    python = [line for path in here.glob("*.py") for line in path.read_text().splitlines()]
    typed = [
        one for path in here.glob("page/src/**/*.ts*") for one in path.read_text().splitlines()
    ]
    assert len(python) <= 1500
    assert len([line for line in typed if line.strip()]) <= 3500


def test_what_ends_leaves_nothing_behind(tmp_path: Path) -> None:
    with served(tmp_path / "store", tmp_path / "here") as one:
        one.say(one.talk(), "energy of H2 with HF/STO-3G")
        group = one.process.pid
    until(lambda: not _lives(group), 30)


def _lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_agent_shows_marks_and_looks(opened: Opened, tmp_path: Path) -> None:
    seen: list[bytes] = []

    def answer(request: dict[str, Any]) -> Message:
        used = [one for one in request["messages"] if one["role"] == "tool"]
        if not used:
            return calls(("calculate", {"molecules": ["CCO"], "method": "GFN2-xTB"}))
        if len(used) == 1:
            geometry = re.search(r"g:id/ConceptualAtoms/\w+", used[0]["content"])
            assert geometry
            marks = [{"atom": 3, "label": "acidic"}, {"atom": 99}]
            return calls(("show_in_viewer", {"iri": geometry[0], "marks": marks}))
        if len(used) == 2:
            assert "it has 9 atoms" in used[1]["content"]
            marks = [{"atom": 3, "label": "acidic <b>"}]
            return calls(("show_in_viewer", {"iri": "last", "marks": marks}))
        if len(used) == 3:
            return calls(("look_at_viewer", {}))
        told = json.dumps(request["messages"][-1])
        seen.extend(base64.b64decode(one) for one in re.findall(r"png;base64,([\w+/=]+)", told))
        return says("It is shown.")

    with serving(answer) as model, with_model(tmp_path, model.url) as own:
        page = opened(own.page)
        ask(page, "Show me ethanol")
        turn = done(page)
        expect(turn).to_contain_text("It is shown.")
        viewer = page.get_by_role("complementary", name="Viewer")
        expect(viewer.locator("canvas")).to_be_visible()
        expect(turn).to_contain_text("O3 acidic <b>")
        picture = Image.open(io.BytesIO(seen[0]))
        assert picture.width <= 800
        assert len(picture.convert("RGB").getcolors(1 << 24) or ()) > 50  # something is drawn
        viewer.get_by_label("Measure atoms").fill("1 3")
        viewer.get_by_label("Measure atoms").press("Tab")
        viewer.get_by_role("button", name="Ask about these").click()
        field = page.get_by_label("Your question")
        expect(field).to_have_value(re.compile(r"distance 1-3 of g:id/ConceptualAtoms/\w+ "))
        assert axe(page) == []
        viewer.get_by_role("button", name="Close").click()
        expect(viewer).to_have_count(0)
        page.reload()
        expect(viewer.locator("canvas")).to_be_visible()


def test_a_run_keeps_its_geometries_and_is_withdrawn_and_taken_back(opened: Opened) -> None:
    page = opened()
    ask(page, "optimise formaldehyde with HF/STO-3G")
    done(page)
    page.reload()
    turn = done(page)
    turn.get_by_text("Its geometries, one by one").click()
    slider = turn.get_by_role("slider", name="Step of optimise")
    slider.fill("1")
    expect(turn.locator(".course .facts-line")).to_contain_text("Step 2 of")
    expect(turn.locator(".course canvas").first).to_be_visible()
    turn.get_by_role("link", name="Open it alone").click()
    page.get_by_role("button", name="Withdraw…").click()
    page.get_by_label("Why").fill("another conformer was meant <b>")
    page.get_by_role("button", name="Withdraw", exact=True).click()
    banner = page.get_by_text("do not rely on this")
    expect(banner).to_be_visible()
    expect(page.get_by_text("another conformer was meant <b>")).to_be_visible()
    page.get_by_role("button", name="Take it back into use").click()
    expect(banner).to_have_count(0)


def test_what_is_under_way_is_listed_and_ended_from_the_list(opened: Opened) -> None:
    page = opened()
    ask(page, LONG)
    page.locator(".live .card.open").wait_for()
    page.get_by_role("link", name="What computes now").click()
    page.get_by_role("button", name=f"Stop: {LONG}").click()
    expect(page.get_by_role("group", name="Asked on this page")).to_have_count(0)
    page.get_by_role("link", name="New conversation").click()
    ask(page, f"{LONG} in the background")
    done(page)
    page.get_by_role("link", name="What computes now").click()
    jobs = page.get_by_role("group", name="Jobs, elsewhere or later")
    expect(jobs).to_contain_text("benzene")
    jobs.get_by_role("button", name=re.compile("^Cancel: grafico-")).click()
    expect(jobs).to_contain_text("cancelled")
    assert axe(page) == []


def coloured(picture: bytes) -> tuple[int, int]:
    """How many points are blue, and how many red, as lobes of an orbital are."""
    there: Any = Image.open(io.BytesIO(picture)).convert("RGB").getcolors(1 << 24) or []
    points = [(n, r - b) for n, (r, g, b) in there if g < max(r, b) - 20]
    return sum(n for n, red in points if red < -40), sum(n for n, red in points if red > 40)


def test_an_orbital_is_drawn_around_its_molecule(opened: Opened) -> None:
    page = opened()
    ask(page, "energy of ethylene with HF/STO-3G")  # no red oxygen, no blue nitrogen
    turn = done(page)
    atoms = turn.locator(".atoms").first
    before = coloured(atoms.screenshot())
    turn.get_by_text("Surfaces").click()
    orbital = turn.get_by_role("combobox", name=re.compile("^Orbital"))
    orbital.fill("nonsense")
    turn.get_by_role("button", name="Draw", exact=True).click()  # with the mouse, at once
    expect(turn.get_by_role("alert")).to_contain_text("rite homo, lumo, somo, homo-1")
    orbital.fill("lumo")  # antibonding: both signs on either side
    turn.get_by_role("button", name="Draw", exact=True).click()
    expect(turn.get_by_role("button", name="Clear")).to_be_visible()
    blue, red = until(lambda: drawn if min(drawn := coloured(atoms.screenshot())) > 500 else None)
    assert blue > before[0] + 500
    assert red > before[1] + 500
    assert axe(page) == []
    turn.get_by_role("button", name="Clear").click()
    until(lambda: coloured(atoms.screenshot())[1] < 100)


def test_a_row_or_a_line_of_the_spectrum_sets_its_mode_in_motion(opened: Opened) -> None:
    page = opened()
    ask(page, "frequencies of water with HF/STO-3G")
    done(page).get_by_role("link", name="Open it alone").click()
    shown = page.get_by_label("Shown moving").locator("option:checked")
    page.get_by_role("button", name="Show mode 2").click()
    expect(shown).to_have_text(re.compile("^mode 2, 41"))
    lines = page.locator(".curve .u-over")
    lines.scroll_into_view_if_needed()
    box = lines.bounding_box()
    assert box
    lines.click(position={"x": 0.5 * box["width"], "y": 40})  # the bend is alone there
    expect(shown).to_have_text(re.compile("^mode 1, 21"))
    expect(page.locator("tr.picked")).to_contain_text("2170")
    assert axe(page) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_a_molecule_is_drawn_where_one_is_asked_for(opened: Opened, width: int) -> None:
    page = opened(viewport={"width": width, "height": 800})

    def draw() -> None:
        page.get_by_role("button", name="Draw").click()
        place = page.locator(".drawing canvas").last
        place.click()  # a bond
        place.click()  # one more at its end
        assert axe(page) == []
        page.get_by_role("button", name="Use it").click()

    field = page.get_by_label("Your question")
    field.fill("energy with GFN2-xTB of ")
    draw()
    expect(field).to_have_value("energy with GFN2-xTB of CCC")
    field.press("Enter")
    expect(done(page)).to_contain_text("-10.5")  # xtb 6.5.1: propane -10.5202 Eh
    page.goto(f"{page.url.partition('#')[0]}#/form")
    draw()
    expect(page.get_by_role("textbox", name=re.compile("^molecule", re.I))).to_have_value("CCC")
