"""The documentation as a site with search in build/site, which needs no network: `make docs`."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def build(target: Path) -> None:
    """Build the site.

    Args:
        target: folder for it; its source stands beside it, made anew.
    """
    source = target.with_name(f"{target.name}-source")
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "docs", source / "docs")
    for name in ("README.md", "CHANGELOG.md", "LICENSE", "CITATION.cff"):
        shutil.copy(ROOT / name, source)
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for name, place in (("docs_dir", source), ("site_dir", target)):
        settings += f"\n{name}: {place}"
    (source.parent / "mkdocs.yml").write_text(settings, encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    subprocess.run([*command, "-f", str(source.parent / "mkdocs.yml")], check=True)


if __name__ == "__main__":
    folder = ROOT / "build" / "site"
    folder.parent.mkdir(exist_ok=True)
    build(folder)
    print(f"the site is {folder / 'index.html'}")
