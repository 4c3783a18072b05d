"""docs/extending.md: the toy that the other tests here install is written down from it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.extension.conftest import FILES, ROOT
from workflows.registry.page import page


def test_it_tells_whole_projects() -> None:
    files = {"pyproject.toml", "test_huckel.py"}
    files |= {
        f"huckel/{name}.py"
        for name in (
            "__init__",
            "model",
            "calculations",
            "program",
            "workflow",
            "blocks",
            "plausible",
        )
    }
    files |= {f"emt/{name}.py" for name in ("__init__", "model", "calculations", "program")}
    files |= {f"vertical/{name}.py" for name in ("__init__", "model", "workflow")}
    assert set(FILES) == files


def test_its_code_is_typed_and_laid_out_like_ours(toy: Path) -> None:
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)]}
    (toy / "pyrightconfig.json").write_text(json.dumps(settings))
    config = ["--no-cache", "--config", str(ROOT / "pyproject.toml"), "."]
    for words in (
        ["ruff", "check", "--ignore", "D103,I001", *config],
        ["ruff", "format", "--check", *config],
        ["pyright", "--pythonpath", sys.executable],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=toy, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_of_workflows_is_that_of_today() -> None:
    kept = Path(ROOT / "docs" / "workflows.md").read_text(encoding="utf-8")
    assert kept == page(), "`python -m workflows` writes it"
