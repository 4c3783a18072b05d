"""What is committed works anywhere: it names no package registry and no folder of one machine."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Put together here, so that this file does not name them itself.
REGISTRIES = (
    "pypi" + ".org",
    "python" + "hosted.org",
    "anaconda" + ".org",
    "npmjs" + ".org",
    "npmjs" + ".com",
    "yarnpkg" + ".com",
    "crates" + ".io",
    "proxy.golang" + ".org",
)
COMMON = r"/(?:home|Users|root|work|mnt|scratch|opt)/[\w.-]+"
HERE = [re.escape(str(folder)) + "/" for folder in (ROOT, Path.home()) if folder.name]
MACHINE_PATH = re.compile(rf"(?<![\w.$}}~>*-])(?:{'|'.join([COMMON, *HERE])})", re.ASCII)


def committed() -> list[Path]:
    """What git tracks or would add; without git, all but what is hidden or built."""
    if shutil.which("git") and (ROOT / ".git").exists():
        listing = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        paths = [ROOT / name for name in listing.split("\0") if name]
    else:
        built = {".venv", ".git", "__pycache__", "build", "dist"}
        built |= {".pytest_cache", ".ruff_cache", ".hypothesis"}
        paths = [
            path
            for path in ROOT.rglob("*")
            if not built.intersection(path.relative_to(ROOT).parts)
            and not any(part.endswith(".egg-info") for part in path.parts)
        ]
    return sorted(path for path in paths if path.is_file())


def faults(text: str) -> list[str]:
    lowered = text.lower()
    found = [host for host in REGISTRIES if host in lowered]
    return found + MACHINE_PATH.findall(text)


def test_no_registry_and_no_path_of_one_machine():
    found = {
        str(path.relative_to(ROOT)): wrong
        for path in committed()
        if (wrong := faults(path.read_bytes().decode("utf-8", errors="replace")))
    }
    assert not found


@pytest.mark.parametrize(
    "text",
    [
        "index = https://" + REGISTRIES[0] + "/simple",
        "see /" + "home/ada/grafico",
        f"{ROOT}/README.md",
        '"/' + 'work/main"',
    ],
)
def test_a_fault_is_caught(text: str):
    assert faults(text)


def test_ordinary_text_is_fine():
    assert not faults("https://example.org/home/work/x, ~/work/grafico, $HOME/root/x, pip install")


def test_one_list_of_versions():
    assert not (ROOT / "uv.lock").exists(), "the versions stand in constraints.txt"


@pytest.mark.xdist_group("grouped")
def test_the_tests_of_a_group_stay_together(request: pytest.FixtureRequest):
    """Exercises are computed once for a group; a release of pytest once undid groups unseen."""
    if not getattr(request.config.option, "loadgroup", False):
        pytest.skip("needs several workers and --dist loadgroup")
    assert request.node.nodeid.endswith("@grouped")


def test_no_test_asks_for_speed():
    """A bound on elapsed time is for what would never end; speed is measured by `make bench`."""
    bound = re.compile(
        r"assert .*(?:monotonic|perf_counter|process_time|thread_time|time\.time)\(\)"
        r" - \w+\)?(?: / \d+)? < (?P<most>[\d. +]+)"
    )
    tight = {
        f"{path.relative_to(ROOT)}: {found.group()}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for found in bound.finditer(path.read_text(encoding="utf-8"))
        if sum(map(float, found["most"].strip(" +").split("+"))) < 8
    }
    assert not tight
