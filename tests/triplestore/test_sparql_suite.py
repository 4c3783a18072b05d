"""The W3C's query tests, where a copy of them lies beside the checkout."""

import re
from pathlib import Path

import pytest

from tests.triplestore.sparql_suite import KINDS, table, verdicts

ROOT = Path(__file__).parents[2]
FOLDER = ROOT.parent / "shared" / "data" / "sparql11"
PAGE = (ROOT / "docs" / "stores.md").read_text(encoding="utf-8")

here = pytest.mark.skipif(not FOLDER.is_dir(), reason="the W3C's tests are not here")


@here
@pytest.mark.xdist_group("blazegraph")
def test_what_differs_stands_in_the_docs():
    kinds = ["memory", "blazegraph"]
    told = verdicts(FOLDER, kinds)
    assert all(len(found) > 200 for found in told.values())
    columns = [1 + KINDS.index(kind) for kind in kinds]
    documented: list[str] = []
    for line in PAGE.partition("<!-- written by tests.triplestore.sparql_suite -->")[
        2
    ].splitlines():
        if line.startswith("| ") and line.count("|") == len(KINDS) + 2:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            documented.append(f"| {' | '.join([cells[0], *(cells[at] for at in columns)])} |")
        elif documented and line.startswith("*Refused*"):
            break
    found = [line for line in table(told) if line.startswith("| ")]
    assert [
        line for line in documented if not re.fullmatch(r"\| \S+ (\| right )+\|", line)
    ] == found


def test_a_folder_without_tests_is_named(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match="manifest"):
        verdicts(tmp_path, ["memory"])
