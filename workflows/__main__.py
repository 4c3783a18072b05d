"""``python -m workflows``: write docs/workflows.md from what the workflows declare."""

from __future__ import annotations

from pathlib import Path

from .page import page

if __name__ == "__main__":
    path = Path(__file__).resolve().parents[1] / "docs" / "workflows.md"
    path.write_text(page(), encoding="utf-8")
    print(f"written: {path}")
