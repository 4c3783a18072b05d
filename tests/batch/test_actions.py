"""Actions that are asked of a table: each entry has its answer or its reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grafico import Grafico
from tests.typed import typed
from triplestore.errors import ComponentError, ConsentError, GraficoError, ResourceError
from workflows.batch.actions import each
from workflows.engine.request.definition import PreparedAction, Product
from workflows.engine.request.library import Raw
from workflows.molecule.looking_up import LOOKUP

ROWS = "name,smiles\nethanol,CCO\nthiodiglycol,OCCSCCO\nbroken,C(C\nsarin,CC(C)OP(C)(=O)F\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "four.csv"
    file.write_text(ROWS)
    return file


def test_each_entry_has_its_answer_or_its_reason(table: Path) -> None:
    done = typed("lookup", table)
    assert done.stdout.count("average mass") == 3
    assert "# broken: " in done.stdout
    assert "a parenthesis is left open" in done.stdout
    assert "1 of 4 entries have no answer" in done.stderr
    assert "thiodiglycol: a list names it: Chemical Weapons Convention, Schedule 2" in done.stderr
    told = json.loads(typed("lookup", table, "--json").stdout)["entries"]
    assert [one["entry"] for one in told] == ["ethanol", "thiodiglycol", "broken", "sarin"]
    assert {"name": "formula", "value": "C2H6O", "unit": "", "source": ""} in told[0]["facts"]
    assert "parenthesis" in told[2]["problem"]


def test_what_needs_a_person_stops_no_other(table: Path) -> None:
    """Analogues of ethanol are told; of what Schedule 2 and 1 name they are not."""
    told = json.loads(typed("modify", table, "--json").stdout)["entries"]
    assert told[0]["analogues"]
    assert "nobody has stated" in told[1]["problem"]
    assert "Sarin" in told[3]["problem"]
    assert not any("analogues" in one for one in told[1:])


def test_python_is_handed_a_list(table: Path) -> None:
    with Grafico("memory:") as session:
        found = session.groups(str(table))
    assert [one.name for one in found[0]] == ["primary alcohol"]
    assert isinstance(found[2], Exception)


def test_a_structure_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "one.xyz").write_text("3\n\nO 0 0 0\nH 0 0 0.96\nH 0.93 0 -0.24\n")
    assert not typed("lookup", tmp_path / "one.xyz").stdout.startswith("#")
    assert typed("convert", tmp_path / "none.csv", status=2).stderr


def test_an_entry_is_no_file_no_run_and_no_table(tmp_path: Path) -> None:
    """What stands in a table may be somebody else's: it opens nothing, and names nothing stored."""
    water = tmp_path / "water.xyz"
    water.write_text("3\n\nO 0 0 0\nH 0 0 0.96\nH 0.93 0 -0.24\n")
    table = tmp_path / "theirs.csv"
    table.write_text(f"name,smiles\nethanol,CCO\nfile,{water}\nrun,last\nitself,{table}\n")
    assert "average mass" in typed("lookup", water).stdout  # but for whoever names it
    told = json.loads(typed("lookup", table, "--json").stdout)["entries"]
    assert [one["entry"] for one in told if "facts" in one] == ["ethanol"]
    assert [one["entry"] for one in told if "problem" in one] == ["file", "run", "itself"]
    assert "run" not in told[2]["problem"]  # read as a name of a molecule, which it is not


def test_a_table_without_any_answer_fails(tmp_path: Path) -> None:
    table = tmp_path / "none.csv"
    table.write_text("name,smiles\nfirst,C(C\nsecond,N(C\n")
    done = typed("lookup", table, status=1)
    assert "2 of 2 entries have no answer" in done.stderr
    assert len(json.loads(typed("lookup", table, "--json", status=1).stdout)["entries"]) == 2


@pytest.mark.parametrize(
    ("error", "asked"),
    [
        (ComponentError("it was asked", "a package is missing", "install it"), 1),
        (ResourceError("it was asked", "the store is gone", "ask again"), 1),
        (ConsentError("it was asked", "nobody has agreed", "ask a person"), 3),
    ],
)
async def test_what_is_missing_for_all_is_told_once(error: GraficoError, asked: int) -> None:
    tried: list[str] = []

    async def ask(one: Raw, about: object) -> PreparedAction:
        tried.append(one.text)
        raise error

    found = [Raw(place, "C", f"entry {place}") for place in "abc"]
    if asked == 1:
        with pytest.raises(type(error)) as caught:
            await each(found, ask, LOOKUP).make()
        assert caught.value is error
    else:
        assert (await each(found, ask, LOOKUP).make()).failed
    assert len(tried) == asked


async def test_a_remark_on_many_entries_names_the_first_few() -> None:
    async def ask(one: Raw, about: object) -> PreparedAction:
        async def make() -> Product:
            return Product("done\n", one.text, {}, () if one.text == "C" else ("it is long",))

        return PreparedAction(make)

    found = [Raw(str(n), "CC" if n else "C", f"entry{n}") for n in range(9_001)]
    (note,) = (await each(found, ask, LOOKUP).make()).remarks
    assert note.startswith("9,000 entries (entry1, entry2, ")
    assert note.endswith("): it is long")
    assert len(note) < 100


def test_a_name_that_would_be_a_smiles_too_is_a_name_under_its_heading(tmp_path: Path) -> None:
    """CO is carbon monoxide under `name`, and methanol under `smiles`."""
    for heading, number in (("name", "630-08-0"), ("smiles", "67-56-1")):
        (tmp_path / "t.csv").write_text(f"{heading}\nCO\nN\n", encoding="utf-8")
        assert number in typed("lookup", tmp_path / "t.csv").stdout
