"""Packages as pip would install them, and the command line that meets them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from tests.warm import program

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^\*\*`([\w./]+)`\*\*\n\n```\w+\n(.*?)^```$", TUTORIAL, re.S | re.M))
"""Of both toys: a block under a line such as ``**`huckel/model.py`**`` is that file."""


def install(folder: Path, name: str, entries: str) -> None:
    """Write what pip writes beside a package."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(entries)


def entries_of(project: Path) -> str:
    """The entry points of a pyproject.toml, as they stand in what is installed."""
    said = tomllib.loads(project.read_text())["project"]["entry-points"]
    return "\n".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in found.items())
        for group, found in said.items()
    )


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project that docs/extending.md tells, written down by its reader."""
    folder = tmp_path_factory.mktemp("toy")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def site(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the toy, as it is installed."""
    folder = tmp_path_factory.mktemp("site")
    install(folder, "huckel", entries_of(toy / "pyproject.toml"))
    copytree(toy / "huckel", folder / "huckel")
    return folder


class Shell:
    """Runs the command line with a store of its own and some packages besides."""

    def __init__(self, folder: Path, *sites: Path) -> None:
        self.folder, self.store = folder, folder / "store"
        self.environment = {
            **os.environ,
            "GRAFICO_STORE": str(self.store),
            "COLUMNS": "160",
            "PYTHONPATH": os.pathsep.join(map(str, [*sites, ROOT])),
        }

    def start(self, *arguments: str, **more: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "grafico", *arguments],
            cwd=self.folder,
            text=True,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            **more,
        )

    def __call__(self, *arguments: str, status: int = 0, **settings: str) -> tuple[str, str]:
        done = subprocess.run(
            [*program(), *arguments],
            cwd=self.folder,
            text=True,
            env={**self.environment, **settings},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
        )
        assert done.returncode == status, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stdout + done.stderr
        return done.stdout, done.stderr

    def script(self, text: str) -> str:
        """What a program in Python prints in such an environment."""
        done = subprocess.run(
            [sys.executable, "-c", text],
            cwd=self.folder,
            text=True,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
