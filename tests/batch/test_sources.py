"""Sources of many: tables as they come, files of each kind, folders; what is broken is named."""

import csv
import gzip
import io
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplestore.errors import GraficoError, InputError, NotFoundError
from workflows.batch import lines
from workflows.batch.reading import read_chunk
from workflows.batch.sources import opened, records
from workflows.batch.tables import as_text, unmarked
from workflows.engine.request.library import Raw
from workflows.molecule.library import MOLECULES

WATER = "3\n\nO 0 0 0.117\nH 0 0.757 -0.469\nH 0 -0.757 -0.469\n"


def read(path: Path, **said: str) -> list[Raw]:
    with opened(str(path), MOLECULES) as source:
        return list(records(source, MOLECULES, **said))


def texts(raws: list[Raw]) -> list[tuple[str, str]]:
    return [(one.name, one.text) for one in raws]


CELLS = st.text("'=+-@\t1.e", max_size=6) | st.text(
    st.characters(exclude_categories=["Cs", "Cc"]),
    max_size=12,  # of controls: "it is binary"
)


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
        table.writerows(["C", *(as_text(one.strip()) for one in row)] for row in rows)
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
        ("line 2", False),
        ("line 3", True),
        ("line 5", False),
        ("line 6", True),
        ("line 7", False),
    ]
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
        ("a.csv", "a,b\n1,2\n", {}, "name one of its columns (`column`): a, b"),
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
        "a.smi, line 2",
        "a.smi, line 5",
        "b.xyz, structure 1, line 1",
        "b.xyz, structure 2, line 7",
        "c.csv.gz, line 2",
    ]
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


# --- dirt ----------------------------------------------------------------------------------------


def test_a_quotation_mark_that_is_never_closed_takes_no_rows_along(tmp_path: Path):
    path = tmp_path / "quotes.csv"
    rows = [f"m{at},{'C' * (1 + at % 9)},plain" for at in range(1000)]
    rows[3] = 'm3,C,"it begins'
    rows[500] = 'm500,"CC,never closed'
    rows[700] = 'm700,CC,"two\nlines"'
    rows[800] = 'm800,C,"5" wide"'
    path.write_text("id,smiles,note\n" + "\n".join(rows) + "\n")
    found = read(path)
    assert len(found) == 1000
    bad = {one.place: one.problem for one in found if one.problem}
    assert list(bad) == ["line 5", "line 502", "line 803"]
    assert all("quotation mark" in problem for problem in bad.values())
    whole = next(one for one in found if one.name == "m700")
    assert (whole.place, whole.columns["note"]) == ("lines 702 to 703", "two\nlines")
    assert found[-1].place == "line 1002"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_texts_that_say_their_encoding(encoding: str, tmp_path: Path):
    path = tmp_path / "coded.csv"
    mark = "\ufeff" if encoding.endswith(("le", "be")) else ""
    path.write_bytes(f"{mark}name;smiles\r\nµ-oxide;O\r\n".encode(encoding))
    [one] = read(path)
    assert (one.name, one.text, one.remarks) == ("µ-oxide", "O", ())


def test_old_ends_of_lines(tmp_path: Path):
    path = tmp_path / "old.smi"
    path.write_bytes(b"CCO one\rCC two\r\nC three\n")
    assert texts(read(path)) == [("one", "CCO"), ("two", "CC"), ("three", "C")]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.csv", "smiles,SMILES\nC,CC\n", "several of its columns are called smiles"),
        ("a.csv", "\nsmiles\nC\n", "it has no headings"),
        ("a.smi", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "it is binary"),
        ("a.csv", "smiles\nC\n".encode("utf-16-le"), "it is binary"),
        ("a.csv", gzip.compress(bytes(10_000_000), mtime=0), "it is binary"),
        ("a.csv", b"PK\x03\x04" + bytes(500), "it is binary"),
    ],
)
def test_what_is_no_such_text_is_refused(
    name: str, content: str | bytes, told: str, tmp_path: Path
):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError) as caught:
        read(path)
    assert told in str(caught.value)
    assert caught.value.advice


def test_an_archive_that_is_made_to_fill_disks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lines, "UNPACKED", 1_000_000)
    path = tmp_path / "a.smi.gz"
    path.write_bytes(gzip.compress(b"C\n" * 5_000_000))
    with pytest.raises(InputError, match="100 times its size"):
        read(path)
    path.write_bytes(gzip.compress(b"C\n" * 400_000))
    assert len(read(path)) == 400_000


def test_lines_and_records_without_end(tmp_path: Path):
    path = tmp_path / "long.smi"
    path.write_text("C one\n" + "C" * 3_000_000 + " two\nCC three\n")
    found = read(path)
    assert [(one.place, one.name) for one in found] == [
        ("line 1", "one"),
        ("line 2", ""),
        ("line 3", "three"),
    ]
    assert found[1].problem == "it has a line of more than 1,000,000 characters"
    (tmp_path / "long.csv").write_text("id,smiles\na,C\nb," + "C" * 1_500_000 + "\nc,CC\n")
    assert [bool(one.problem) for one in read(tmp_path / "long.csv")] == [False, True, False]
    endless = tmp_path / "endless.sdf"
    endless.write_text("a\n\n\n" + "a line of a record\n" * 400_000)
    [one] = read(endless)
    assert "7,600,004 characters; 5,000,000 are allowed" in one.problem


def test_files_of_a_folder_that_cannot_be_read_stand_beside(tmp_path: Path):
    (tmp_path / "a.smi").write_text("CCO ethanol\n")
    (tmp_path / "b.csv").write_text("x,y\n1,2\n")
    (tmp_path / "c.smi.gz").write_bytes(gzip.compress(b"CCO\n" * 10_000)[:-20])
    (tmp_path / "d.xyz").symlink_to(tmp_path / "none.xyz")
    (tmp_path / "e.sdf").symlink_to("e.sdf")
    os.mkfifo(tmp_path / "f.smi")
    (tmp_path / "g.csv").mkdir()
    (tmp_path / "g.csv" / "h.smi").write_text("O water\n")
    (tmp_path / "round").symlink_to(tmp_path)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "a.smi").write_text("N\n")
    found = read(tmp_path)
    assert [(one.name, one.place) for one in found if not one.problem] == [
        ("ethanol", "a.smi, line 1"),
        ("water", "g.csv/h.smi, line 1"),
    ]
    bad = {one.place: one.problem for one in found if one.problem}
    assert sorted(bad) == ["b.csv", "c.smi.gz", "d.xyz", "e.sdf", "f.smi"]
    assert "none of its columns" in bad["b.csv"]
    assert "damaged" in bad["c.smi.gz"]
    assert "no such file" in bad["d.xyz"]
    assert "symbolic links" in bad["e.sdf"]
    assert "a pipe" in bad["f.smi"]


@pytest.mark.parametrize("place", ["/dev/zero", "loop.csv", "x" * 5000, "a\0b"])
def test_what_is_no_file_is_refused(place: str, tmp_path: Path):
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    with pytest.raises(InputError):
        read(tmp_path / place)


def test_a_copy_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    source = tmp_path / "a.smi"
    source.write_text("C\n")
    with opened(str(source), MOLECULES) as found:
        source.write_text("CC\nCCC\n")  # what comes later is another source
        assert os.listdir(tmp_path) == ["a.smi"]
        assert [one.text for one in records(found, MOLECULES)] == ["C"]


def test_wrong_counts_of_atoms(tmp_path: Path):
    path = tmp_path / "wrong.xyz"
    few, many = WATER.replace("3", "2", 1), WATER.replace("3", "4", 1)
    path.write_text(WATER + few + WATER + many + WATER + WATER)
    found = read_chunk(MOLECULES, read(path), MOLECULES.form())
    assert [bool(one.problem) for one in found] == [False, True, False, True, True, False]
    assert "announces 2 atoms" in found[1].problem


def test_texts_with_commands_stay_texts(tmp_path: Path):
    path = tmp_path / "odd.csv"
    path.write_text("id,smiles\n\x1b[2J<b>x</b>,C\n")
    [one] = read(path)
    assert one.name == "\x1b[2J<b>x</b>"


@pytest.mark.parametrize(
    "text", ['=HYPERLINK("http://x.example")', "=cmd|' /C calc'!A0", "=O", "@x"]
)
def test_what_looks_like_a_formula_is_marked_as_text(text: str):
    assert as_text(text) == f"'{text}"
    assert unmarked(f"'{text}") == text
    assert as_text(f"'{text}") == f"''{text}"


@pytest.mark.parametrize("value", ["-5", "+1.5e-3", -5.0, None, True, "CCO", "'tis"])
def test_numbers_and_other_texts_have_no_mark(value: object):
    assert as_text(value) is value


def test_a_link_out_of_a_folder_is_not_followed(tmp_path: Path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret.smi").write_text("CCO secret\n")
    (folder / "a.smi").write_text("O water\n")
    (folder / "b.smi").symlink_to(tmp_path / "secret.smi")
    (folder / "c.smi").symlink_to("a.smi")
    out, *found = read(folder)
    assert (out.place, out.problem) == ("b.smi", "it is a link out of that folder")
    assert texts(found) == [("water", "O"), ("water", "O")]


FREESOLV = """# FreeSolv; fields are separated by semicolons
# compound id; SMILES; name; experimental value (kcal/mol)
mobley_1017962; CCCCCC(=O)OC; methyl hexanoate; -2.49
mobley_1019269; CCCCO; butan-1-ol; -4.72
"""


def test_a_table_with_comments_and_no_headings_by_the_number_of_its_column(tmp_path: Path):
    path = tmp_path / "database.txt"
    path.write_text(FREESOLV)
    found = read(path, kind="csv", column="2")
    assert texts(found) == [("methyl hexanoate", "CCCCCC(=O)OC"), ("butan-1-ol", "CCCCO")]
    assert found[1].columns["experimental value (kcal/mol)"] == "-4.72"
    assert [one.place for one in found] == ["line 3", "line 4"]
    assert read(path) == read(path, column="SMILES") == read(path, column="2") == found
    path.write_text("# two columns, no headings\nmobley; CCO\n\n# and more\nnext; O\n")
    assert read(path, column="2", names="1") == read(path, column="2", names="column 1")
    found = read(path, column="2", names="column 1")
    assert texts(found) == [("mobley", "CCO"), ("next", "O")]
    assert [one.place for one in found] == ["line 2", "line 5"]
    path.write_text(FREESOLV)
    with pytest.raises(InputError, match="from 1 to 4"):
        read(path, kind="csv", column="5")


def test_a_comment_is_no_heading_of_names_a_line(tmp_path: Path):
    path = tmp_path / "list.txt"
    path.write_text("# name, or SMILES\nwater\nethanol\n")
    assert [one.text for one in read(path)] == ["water", "ethanol"]
    path = tmp_path / "plain.csv"
    path.write_text("# from our laboratory, name withheld\nid,smiles\na,CCO\n")
    assert texts(read(path)) == [("a", "CCO")]


def test_a_column_by_its_number_where_there_are_headings(tmp_path: Path):
    path = tmp_path / "headed.csv"
    path.write_text("id,drawn\na,CCO\n")
    assert texts(read(path, column="2")) == [("a", "CCO")]
    assert texts(read(path, column="drawn", names="1")) == [("a", "CCO")]
    assert texts(read(path, column="2", names="2")) == [("CCO", "CCO")]
    with pytest.raises(InputError, match="it has no column 3"):
        read(path, column="2", names="3")


def test_a_file_of_one_structure_in_a_folder_is_called_as_the_file_is(tmp_path: Path):
    (tmp_path / "one.xyz").write_text(WATER)
    (tmp_path / "two.xyz").write_text(WATER * 2)
    found = read(tmp_path)
    assert [one.name for one in found] == ["one.xyz", "", ""]
    assert [one.place.partition(",")[0] for one in found] == ["one.xyz", "two.xyz", "two.xyz"]
