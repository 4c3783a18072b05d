"""Designs as people give them: files, texts, tables, and what is no design."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplestore.errors import GraficoError, InputError, NotFoundError
from workflows.liquids.protocol import protocol
from workflows.liquids.reading import design_of
from workflows.trust.caller import Caller, asked_by

DESIGNS = Path(__file__).parent / "designs"
TABLE = """vial,salt (mg),ethanol (µL),solvent,volume (mL)
A1,5,100,water,1
A2,10,200,water,1
B3,,300,water,1
"""


@pytest.fixture
def _person() -> Any:
    with asked_by(Caller(is_person=True)):
        yield


@pytest.mark.usefixtures("_person")
def test_yaml_json_and_a_mapping_say_the_same(tmp_path: Path) -> None:
    design = design_of(DESIGNS / "exp4.yaml")
    path = tmp_path / "design.json"
    path.write_text(design.model_dump_json(by_alias=True), encoding="utf-8")
    assert design_of(path) == design == design_of(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.usefixtures("_person")
def test_a_table_is_a_design(tmp_path: Path) -> None:
    path = tmp_path / "design.csv"
    path.write_text(TABLE, encoding="utf-8")
    found = protocol(path)
    assert found.amounts["Plate 1"]["A2"] == {"salt": 10, "ethanol": 200, "water": 800}
    assert found.amounts["Plate 1"]["B3"] == {"ethanol": 300, "water": 700}
    assert found.table.splitlines()[0].startswith("plate,vial,")
    assert "salt (mg)" in found.table


@pytest.mark.usefixtures("_person")
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", TABLE.replace("(mg)", ""), "has no unit"),
        ("a.csv", TABLE.replace("A2,10", "A2"), "too many or too few"),
        ("a.csv", "vial\n", "a table of 0 rows"),
        ("a.yaml", "- 1\n", "nothing by name"),
        ("a.yaml", "a: [", "no YAML"),
        ("a.yaml", "a: &x 1\nb: *x\n", "anchors"),
        ("a.yaml", "name: x\n", "chemicals: Field required"),
        ("a.yaml", "x" * 70_000, "more than 60,000 bytes"),
        ("a.yaml", "a: !!python/object/apply:os.system ['true']\n", "no YAML"),
        ("a.yaml", "[" * 50_000, "brackets within brackets"),
        ("a.txt", "name: x\n", "no format of designs"),
    ],
)
def test_what_is_no_design_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        design_of(tmp_path / name)


@pytest.mark.usefixtures("_person")
def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        design_of(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="folder"):
        design_of(tmp_path)


def test_files_are_opened_for_those_who_may_read_them(tmp_path: Path) -> None:
    with asked_by(Caller(folder=tmp_path)), pytest.raises(NotFoundError):
        design_of(str(DESIGNS / "exp1.yaml"))


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=12),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["name", "chemicals", "stocks", "samples", "volume", "amounts", "x"]
                ),
                inner,
                max_size=5,
            )
        ),
        max_leaves=25,
    )
)
def test_anything_else_is_refused_and_never_an_accident(said: Any) -> None:
    with pytest.raises(GraficoError):
        protocol({"name": "x", "chemicals": said, "samples": said})


@pytest.mark.parametrize("name", ["\x1b[31mred", "a\nb", "=1+1", "", "x" * 81, "\u202egnp", " a"])
def test_names_hold_nothing_that_a_terminal_or_a_table_would_obey(name: str) -> None:
    said = {"name": name, "chemicals": {name: {"state": "liquid"}}, "samples": [{}]}
    with pytest.raises(InputError):
        design_of(said)
