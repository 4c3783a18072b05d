"""Sources of many: tables as they come, files of each kind, folders; what is broken is named."""

import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplestore.errors import GraficoError, InputError, NotFoundError
from workflows.batch.sources import opened, records
from workflows.engine.request.library import Raw
from workflows.molecule.library import MOLECULES

WATER = "3\n\nO 0 0 0.117\nH 0 0.757 -0.469\nH 0 -0.757 -0.469\n"


def read(path: Path, **said: str) -> list[Raw]:
    with opened(str(path), MOLECULES) as source:
        return list(records(source, MOLECULES, **said))


def texts(raws: list[Raw]) -> list[tuple[str, str]]:
    return [(one.name, one.text) for one in raws]


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=12)


@given(
    rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8),
    separator=st.sampled_from(",;\t"),
)
def test_a_table_is_read_as_it_was_written(
    rows: list[tuple[str, str]], separator: str, tmp_path_factory: pytest.TempPathFactory
):
    path = tmp_path_factory.mktemp("table") / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, delimiter=separator)
        table.writerow(["smiles", "id", "remark, or so"])
        table.writerows(["C", *row] for row in rows)
    found = read(path)
    assert [one.columns["remark, or so"] for one in found] == [row[1].strip() for row in rows]
    assert [one.name for one in found] == [row[0].strip() for row in rows]
    assert {one.text for one in found} == {"C"}


def test_lines_that_are_broken_are_named_and_the_others_stay(tmp_path: Path):
    path = tmp_path / "dirty.csv"
    path.write_bytes(
        b"\xef\xbb\xbfid,SMILES,where\r\na,CCO,x\r\nb,,y\r\n\r\nc,CC,caf\xe9\r\nd,C,1,2,3\r\ne,N,\0\r\n"
    )
    found = read(path)
    assert [(one.place, bool(one.problem)) for one in found] == [
        ("line 2", False), ("line 3", True), ("line 5", False), ("line 6", True),
        ("line 7", False),
    ]  # fmt: skip
    assert found[1].problem == "nothing stands under SMILES"
    assert found[2].columns["where"] == "café"
    assert found[2].remarks == ("not in UTF-8: read as Latin-1",)
    assert "5 fields, the headings 3" in found[3].problem


def test_headings_that_stand_twice_and_columns_that_are_chosen(tmp_path: Path):
    path = tmp_path / "twice.csv"
    path.write_text("x,x,drawn,known as\n1,2,CCO,ethanol\n")
    [one] = read(path, column="Drawn", names="known_as")
    assert (one.text, one.name) == ("CCO", "ethanol")
    assert dict(one.columns) == {"x": "1", "x (2)": "2", "drawn": "CCO", "known as": "ethanol"}


@pytest.mark.parametrize(
    ("name", "content", "said", "told"),
    [
        ("a.csv", "a,b\n1,2\n", {}, "name one of its columns: a, b"),
        ("a.csv", "smiles,b\nC,2\n", {"column": "c"}, "it has no column c"),
        ("a.csv", "", {}, "it is empty"),
        ("a.xlsx", "C", {"kind": "xlsx"}, "its kind is not known"),
        ("a.csv.gz", "smiles\nC\n", {}, ""),
    ],
)
def test_what_cannot_be_read_is_refused(
    name: str, content: str, said: dict[str, str], told: str, tmp_path: Path
):
    path = tmp_path / name
    path.write_text(content)
    if not told:  # not compressed, whatever its name says
        assert texts(read(path)) == [("", "C")]
        return
    with pytest.raises(InputError) as caught:
        read(path, **said)
    assert told in str(caught.value)


def test_a_damaged_archive_and_a_missing_file(tmp_path: Path):
    path = tmp_path / "a.smi.gz"
    path.write_bytes(gzip.compress(b"CCO\n" * 10_000)[:-20])
    with pytest.raises(GraficoError, match="damaged"):
        read(path)
    with pytest.raises(NotFoundError):
        read(tmp_path / "none.csv")


def test_a_folder_of_files_of_each_kind(tmp_path: Path):
    (tmp_path / "a.smi").write_text("smiles name\nCCO ethanol\n# none\n\nO\twater\n")
    (tmp_path / "b.xyz").write_text(WATER + "\n" + WATER)
    (tmp_path / "c.csv.gz").write_bytes(gzip.compress(b"name\nbenzene\n"))
    (tmp_path / "notes.md").write_text("C")
    found = read(tmp_path)
    assert [one.place for one in found] == [
        "a.smi, line 2", "a.smi, line 5", "b.xyz, structure 1, line 1",
        "b.xyz, structure 2, line 7", "c.csv.gz, line 2",
    ]  # fmt: skip
    assert found[2].text == WATER
    with opened(str(tmp_path), MOLECULES) as one:
        before = one.digest
    (tmp_path / "a.smi").write_text("CCC\n")
    with opened(str(tmp_path), MOLECULES) as one:
        assert one.digest != before


def test_frames_after_a_broken_one_are_read(tmp_path: Path):
    path = tmp_path / "run.xyz"
    path.write_text(WATER + "nonsense\nO 0 0 0\n" + WATER)
    found = read(path)
    assert [bool(one.problem) for one in found] == [False, True, False]
    assert found[1].place == "structure 2, line 6"
    assert found[2].text == WATER


@pytest.mark.parametrize(
    ("content", "number"),
    [
        ("CCO one\nCC two\n", 2),
        ("id;smiles\na;CC\n", 1),
        (WATER * 3, 3),
        ("a\n\n\n  0  0  0  0  0  0            999 V2000\nM  END\n$$$$\n" * 2, 2),
    ],
)
def test_standard_input_is_known_by_its_beginning(
    content: str, number: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    with opened("-", MOLECULES) as source:
        assert len(list(records(source, MOLECULES))) == number
        assert source.name == "standard input"
