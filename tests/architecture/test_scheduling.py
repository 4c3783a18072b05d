"""Tests of a file and of a group stay in one process, and all are run whatever becomes of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTED = """
import os, pytest
from pathlib import Path

@pytest.fixture(autouse=True)
def noted(request):
    with Path(__file__).with_name("noted").open("a") as notes:
        print(os.environ["PYTEST_XDIST_WORKER"], request.node.nodeid, file=notes)
"""
FILE = "import os, pytest\n@pytest.mark.parametrize('n', range({tests}))\ndef test(n): {body}\n"
GROUP = "@pytest.mark.xdist_group('one')\n"


def run(folder: Path, **files: str) -> tuple[int, dict[str, list[tuple[str, str]]]]:
    """Run tests in two processes; return the status, and of each file the process of each test."""
    (folder / "conftest.py").write_text(NOTED)
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(text)
    words = [
        "-p",
        "xdist",
        "-p",
        "tests.scheduling",
        "-n2",
        "--dist=loadgroup",
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    left_out = ("PYTEST_", "COV_")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "--rootdir", str(folder), str(folder)],
        cwd=folder,
        env={
            **{n: v for n, v in os.environ.items() if not n.startswith(left_out)},
            "PYTHONPATH": str(ROOT),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # those that no test here needs
        },
        capture_output=True,
        text=True,
    )
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in files}
    for line in (folder / "noted").read_text().splitlines():
        worker, test = line.split()
        found[test.partition("::")[0][5:-3]].append((worker, test))
    return ran.returncode, found


def workers(noted: list[tuple[str, str]]) -> set[str]:
    return {worker for worker, _ in noted}


def test_files_stay_whole_but_for_the_last(tmp_path: Path):
    few = {f"f{n}": FILE.format(tests=5, body="pass") for n in range(8)}
    status, found = run(tmp_path, **few)
    assert status == 0
    assert {name: len(set(noted)) for name, noted in found.items()} == dict.fromkeys(few, 5)
    assert sum(len(workers(noted)) > 1 for noted in found.values()) <= 2, "one that each had left"


def test_a_group_stays_whole_and_a_file_is_shared_where_nothing_else_is_left(tmp_path: Path):
    text = FILE.format(tests=40, body="pass")
    group = text.replace("@", f"{GROUP}@", 1)
    status, found = run(tmp_path, a=group, b=group, c=text)
    assert status == 0
    assert [len(set(found[name])) for name in "abc"] == [40] * 3
    assert len(workers(found["a"] + found["b"])) == 1
    alone = tmp_path / "alone"
    alone.mkdir()
    _, found = run(alone, c=text)
    assert len(workers(found["c"])) == 2


def test_what_a_process_that_died_has_left_is_run_by_others(tmp_path: Path):
    dying = FILE.format(tests=6, body="n == 2 and os._exit(3)")
    text = FILE.format(tests=5, body="pass")
    status, found = run(tmp_path, a=text, b=dying, c=text)
    assert status == 1
    assert {name: len({test for _, test in noted}) for name, noted in found.items()} == {
        "a": 5, "b": 6, "c": 5,
    }  # fmt: skip
