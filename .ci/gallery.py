"""Make the pictures of docs/gallery.md anew, by the commands of that page."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "gallery.md"


def main() -> None:
    """Run each command in a folder of its own and take the pictures that the page shows."""
    text = PAGE.read_text(encoding="utf-8")
    wanted = set(re.findall(r"\]\((gallery/[^)]+)\)", text))
    with tempfile.TemporaryDirectory(prefix="grafico-gallery-") as folder:
        work = Path(folder)
        shutil.copytree(ROOT / "examples", work / "examples")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = os.environ | {"GRAFICO_STORE": str(work / "store"), "PATH": path}
        for command in re.findall(r"^\$ (grafico .*--plot.*)$", text, re.MULTILINE):
            print(command, flush=True)
            subprocess.run(command, shell=True, check=True, cwd=work, env=environment)
        if lacking := wanted - {f"gallery/{one.name}" for one in work.glob("*.svg")}:
            sys.exit(f"no command of {PAGE.name} makes {', '.join(sorted(lacking))}")
        shutil.rmtree(PAGE.with_suffix(""), ignore_errors=True)
        PAGE.with_suffix("").mkdir()
        for one in sorted(wanted):
            shutil.copy(work / Path(one).name, PAGE.parent / one)
    print(f"{len(wanted)} pictures in docs/gallery")


if __name__ == "__main__":
    main()
