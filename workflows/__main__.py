"""``python -m workflows [FILE]``: write the page on all that can be asked, docs/workflows.md."""

from __future__ import annotations

import argparse
from pathlib import Path

from workflows.registry.packages import others
from workflows.registry.page import page

OURS = Path(__file__).resolve().parents[1] / "docs" / "workflows.md"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m workflows", description="Write a page on all workflows that are installed."
    )
    parser.add_argument("file", nargs="?", type=Path, help="if not docs/workflows.md of Grafico")
    path: Path | None = parser.parse_args().file
    if path is None and (there := others()):
        parser.error(
            f"{OURS} is on Grafico alone, and {', '.join(sorted(there))} would be in it: "
            "name another file"
        )
    path = path or OURS
    path.write_text(page(), encoding="utf-8")
    print(f"written: {path}")


if __name__ == "__main__":
    main()
