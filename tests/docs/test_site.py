"""The documentation builds as a site: every page has its place and every link leads somewhere."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_site_is_built_strictly_and_needs_no_network(tmp_path: Path) -> None:
    runpy.run_path(str(ROOT / ".ci" / "site.py"))["build"](tmp_path / "site")
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        text = page.read_text(encoding="utf-8")
        tags = re.findall(r"<(?:script|link|img|iframe)[^>]+>", text)
        assert not [tag for tag in tags if re.search('(src|href)="https?:', tag)], page.name


def test_every_page_is_sorted() -> None:
    listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert f"docs/{page.name}" in listed, f"{page.name} has no place in mkdocs.yml"
        sorted_there = page.name == "index.md" or f"({page.name})" in index
        assert sorted_there, f"docs/index.md lacks {page.name}"


@pytest.mark.parametrize("name", ["docs/gallery.md", "README.md"])
def test_pictures_are_there(name: str) -> None:
    page = ROOT / name
    for one in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / one).is_file(), f"{one}: make gallery"
