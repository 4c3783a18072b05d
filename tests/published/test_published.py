"""What PubChem has published: asked only after a yes, in turn, once.

The answers are MADE BY HAND from the shape of PUG REST as its documentation describes it, not
recorded: numbers of compounds but PZM21's, and all rows but that of AID 1573390, are made up. What
that row and its description say is as printed in the SciBORG paper (Extended Data Fig. 7). A server
on loopback speaks them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import pytest

from grafico import Grafico
from tests.triplestore.servers import Answerer, OddServer, reply
from tests.typed import typed
from triplestore.errors import NotFoundError, ResourceError
from workflows.molecule import pubchem, turns
from workflows.published import records
from workflows.published.records import (
    Activity,
    Published,
    about,
    activities,
    compound,
    described,
)

PZM21 = "C[C@@H](Cc1ccsc1)NC(=O)NC[C@H](Cc1ccc(O)cc1)N(C)C"
KEY = "MEDBIJOVZJEMBI-YOEHRIQHSA-N"  # of PubChem's page of CID 121596705
CID = 121596705

COLUMNS = [
    "AID", "Panel Member ID", "SID", "CID", "Activity Outcome", "Target Accession",
    "Target GeneID", "Activity Value [uM]", "Activity Name", "Assay Name", "Assay Type",
    "PubMed ID", "RNAi",
]  # fmt: skip
ROWS: list[list[object]] = [
    ["1573390", "", "1", str(CID), "Active", "P35372", "4988", "0.0011", "Ki",
     "Binding affinity to human recombinant receptor", "Confirmatory", "29939744", ""],
    ["100001", "", "2", str(CID), "Active", "P41145", "4986", "0.018", "Ki",
     "Binding affinity at kappa-opioid receptor", "Confirmatory", "1", ""],
    [100002, "", 3, CID, "Active", "P35372", 4988, 0.0046, "EC50",
     "Agonist activity at \u03bc-opioid receptor \x1b[31m", "Confirmatory", "", ""],
    ["100003", "", "4", str(CID), "Inactive", "", "", "", "", "Cytotoxicity", "Other", "", ""],
]  # fmt: skip


def described_as(aid: int, name: str, target: str, *comment: str) -> dict[str, Any]:
    said = {"aid": {"id": aid, "version": 1}, "name": name, "comment": list(comment),
            "target": [{"name": target}] if target else []}  # fmt: skip
    return {"PC_AssayContainer": [{"assay": {"descr": said}}]}


ANSWERS: dict[str, object] = {
    f"compound/inchikey/{KEY}/cids/JSON": {"IdentifierList": {"CID": [CID]}},
    f"compound/cid/{CID}/property/{','.join(records.PROPERTIES)}/JSON": {
        "PropertyTable": {"Properties": [
            {"CID": CID, "Title": "PZM21", "MolecularFormula": "C19H27N3O2S",
             "MolecularWeight": "361.5", "XLogP": 3.2, "TPSA": 92.8},
        ]}
    },
    f"compound/cid/{CID}/assaysummary/JSON": {
        "Table": {"Columns": {"Column": COLUMNS}, "Row": [{"Cell": row} for row in ROWS]}
    },
    f"compound/cid/{CID}/description/JSON": {"InformationList": {"Information": [
        {"CID": CID, "Title": "PZM21"},
        {"CID": CID, "Description": "Made up\x07 for\nthis test.", "DescriptionSourceName": "Us"},
    ]}},
    "assay/aid/1573390/description/JSON": described_as(
        1573390, "Binding affinity to human recombinant receptor", "",
        "Journal: J Med Chem", "Year: 2018", "Volume: 61", "Issue: 22", "First Page: 9841",
        "Last Page: 9878", "DOI: 10.1021/acs.jmedchem.8b00435", "Target ChEMBL ID: ChEMBL233",
        "ChEMBL Target Name: Mu opioid receptor",
    ),
    "assay/aid/100001/description/JSON": described_as(100001, "x", "Kappa-type opioid receptor"),
}  # fmt: skip


HAZARDS = "/rest/pug_view/data/compound/1140/JSON?heading=GHS+Classification"
OF_TOLUENE: dict[str, object] = {
    "compound/inchikey/YXFVVABEGXRONW-UHFFFAOYSA-N/cids/JSON": {"IdentifierList": {"CID": [1140]}},
    HAZARDS: {
        "Record": {
            "RecordNumber": 1140,
            "Section": [{"TOCHeading": "Safety and Hazards", "Section": [{
                "TOCHeading": "GHS Classification",
                "Information": [
                    {"ReferenceNumber": 7, "Name": "Signal",
                     "Value": {"StringWithMarkup": [{"String": "Danger"}]}},
                    {"ReferenceNumber": 7, "Name": "GHS Hazard Statements",
                     "Value": {"StringWithMarkup": [
                         {"String": "H225 (100%): Highly flammable liquid and vapor"},
                     ]}},
                ],
            }]}],
            "Reference": [
                {"ReferenceNumber": 7, "SourceName": "European Chemicals Agency (ECHA)"},
            ],
        }
    },
}  # fmt: skip


class Server:
    """Answers what stands in `ANSWERS`."""

    asked: ClassVar[list[str]] = []
    busy: ClassVar[int] = 0
    throttling: ClassVar[str] = ""
    odd: ClassVar[dict[str, bytes]] = {}

    @classmethod
    def answer(cls, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        path = handler.path.removeprefix("/rest/pug/")
        cls.asked.append(path)
        headers: dict[str, Any] = {}
        if cls.throttling:
            headers["X-Throttling-Control"] = cls.throttling
        if cls.busy:
            cls.busy -= 1
            fault = {"Fault": {"Code": "PUGREST.ServerBusy", "Message": "Too many requests"}}
            reply(handler, json.dumps(fault).encode(), "application/json", 503, **headers)
        elif path in cls.odd:
            reply(handler, cls.odd[path], "application/json", **headers)
        elif path in (every := ANSWERS | OF_TOLUENE):
            reply(handler, json.dumps(every[path]).encode(), "application/json", **headers)
        else:
            fault = {"Fault": {"Code": "PUGREST.NotFound", "Message": "No CID found"}}
            reply(handler, json.dumps(fault).encode(), "application/json", 404, **headers)


@pytest.fixture
def address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: Callable[[Answerer], OddServer]
) -> str:
    for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(pubchem, "PAUSES", (0.01, 0.01))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Server.asked, Server.busy, Server.throttling, Server.odd = [], 0, "", {}
    where = f"http://127.0.0.1:{odd(Server.answer).port}/rest/pug"
    monkeypatch.setenv("GRAFICO_PUBCHEM", where)
    return where


def test_an_odd_answer_is_not_kept(address: str) -> None:
    asked = ["published", "CC(=O)C", "--online"]
    path = "compound/inchikey/CSCPPACGZOOCGX-UHFFFAOYSA-N/cids/JSON"
    Server.odd = dict.fromkeys((path, f"/rest/pug/{path}"), b'{"a": [1]}')
    for _ in range(2):
        before = len(Server.asked)
        assert "no list of numbers" in typed(*asked, status=1).stderr
        assert len(Server.asked) == before + 1, "what was odd is asked again"


def test_safety_tells_what_is_known_where_pubchem_answers_nonsense(address: str) -> None:
    path = "compound/inchikey/LFQSCWFLJHTTHZ-UHFFFAOYSA-N/cids/JSON"
    Server.odd = dict.fromkeys((path, f"/rest/pug/{path}"), b"nonsense")
    done = typed("safety", "ethanol", "--online")
    assert "flash point" in done.stdout
    assert "PubChem was asked, the answer is no JSON" in done.stderr


def test_the_published_question(address: str) -> None:
    """Ki of PZM21 at the mu opioid receptor: 0.0011 µM, AID 1573390, with the paper."""
    asked = ["published", PZM21, "--activity", "Ki", "--target", "µ-opioid receptor", "--online"]
    told = json.loads(typed(*asked, "--json").stdout)
    [found] = told["activities"]
    assert (found["kind"], found["value"], found["assay"]) == ("Ki", 0.0011, 1573390)
    [assay] = told["assays"]
    assert assay["doi"] == "10.1021/acs.jmedchem.8b00435"
    assert assay["paper"] == "J Med Chem, 2018, 61, 9841–9878"
    assert assay["targets"] == ["Mu opioid receptor"]
    lines = typed(*asked).stdout
    assert "Ki 0.0011 µM      AID 1573390, PubMed 29939744" in lines
    assert "average mass    361.5 g/mol  (PubChem, 20" in lines
    assert "SHA-256" in lines


def test_python_is_handed_what_is_published(address: str) -> None:
    with Grafico("memory:") as session:
        found = session.published(PZM21, activity="Ki", target="mu opioid", online=True)
    assert isinstance(found, Published)
    assert [(one.kind, one.value) for one in found.activities] == [("Ki", 0.0011)]
    assert found.assays[0].doi == "10.1021/acs.jmedchem.8b00435"


def test_only_an_inchikey_leaves_and_only_after_a_yes_that_shows_it(address: str) -> None:
    said = " ".join(typed("published", PZM21, status=2).stderr.split())
    assert f"its InChIKey, {KEY}, would be sent to {address}" in said
    assert "(online)" in said
    assert Server.asked == []
    typed("published", PZM21, "--online")
    assert Server.asked[0] == f"compound/inchikey/{KEY}/cids/JSON"
    assert not any("thi" in one or "ccsc" in one for one in Server.asked)


def test_a_setting_is_no_yes_to_what_a_structure_is(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAFICO_ONLINE", "true")
    assert "nobody has said yes" in typed("published", PZM21, status=2).stderr
    if find_spec("chemicals") is not None:
        typed("safety", "toluene")
    assert Server.asked == []


@pytest.mark.skipif(find_spec("chemicals") is None, reason="the extra names")
def test_hazards_are_told_by_whom_and_when(address: str) -> None:
    done = typed("safety", "toluene")
    assert "GHS                       not known here" in done.stdout
    assert "YXFVVABEGXRONW-UHFFFAOYSA-N, would be sent to" in done.stderr
    assert Server.asked == []
    told = typed("safety", "toluene", "--online").stdout
    assert (
        "GHS                       Danger  (European Chemicals Agency (ECHA); PubChem, 20" in told
    )
    assert "GHS                       H225 (100%): Highly flammable liquid and vapor" in told
    told = typed("safety", "ethanol", "--online").stdout
    assert "GHS                       not known at PubChem" in told
    Server.odd = {HAZARDS: b'{"Record": {"RecordNumber": 1140, "Section": 3}}'}
    with pytest.raises(ResourceError, match="no record of hazards"):
        records.hazards(1140, address, again=True)


def test_no_model_can_say_yes() -> None:
    from workflows.registry import workflows

    [action] = [one for one in workflows().actions if one.command == "published"]
    assert not {"online", "pubchem"} & {*action.whole.arguments}


def test_what_was_answered_is_kept_with_its_date_and_digest(address: str, tmp_path: Path) -> None:
    first = compound(KEY, address)
    assert compound(KEY, address) == first
    assert len(Server.asked) == 1
    assert compound(KEY, address, again=True)[1].digest == first[1].digest
    assert len(Server.asked) == 2
    [kept] = (tmp_path / "cache" / "grafico" / "pubchem").iterdir()
    kept.write_text(kept.read_text().replace(str(CID), "666"))  # it is not what was answered
    assert compound(KEY, address)[0] == [CID]
    kept.write_text("not JSON")
    assert compound(KEY, address)[0] == [CID]
    assert len(Server.asked) == 4


def test_a_compound_that_is_not_there_is_not_known_there(address: str) -> None:
    assert "PubChem has no compound" in typed("published", "CCN", "--online", status=2).stderr
    with pytest.raises(NotFoundError):
        activities(5, address)


@pytest.mark.parametrize(
    "answer",
    [b"", b"<html>", b"[]", b"null", b"{}", b'{"IdentifierList": {"CID": []}}', b"\xff\xfe",
     b'{"IdentifierList": {"CID": ["x"]}}', b'{"IdentifierList": 3}', b"[" * 100_000],
    ids=range(10),
)  # fmt: skip
def test_nonsense_is_refused(address: str, answer: bytes) -> None:
    Server.odd = {f"compound/inchikey/{KEY}/cids/JSON": answer}
    with pytest.raises(ResourceError):
        compound(KEY, address)


@pytest.mark.parametrize(
    "table",
    [{}, {"Columns": {"Column": ["AID"]}}, {"Columns": {"Column": COLUMNS}, "Row": [{}]},
     {"Columns": {"Column": COLUMNS}, "Row": [{"Cell": ["1"]}]}],
)  # fmt: skip
def test_tables_of_another_kind_are_refused(address: str, table: object) -> None:
    Server.odd = {f"compound/cid/{CID}/assaysummary/JSON": json.dumps({"Table": table}).encode()}
    with pytest.raises(ResourceError, match="no table of assays"):
        activities(CID, address)
    Server.odd = {"assay/aid/1/description/JSON": json.dumps(table).encode()}
    with pytest.raises(ResourceError, match="no description"):
        described(1, address)


def test_what_it_says_obeys_no_terminal(address: str) -> None:
    told = typed("published", PZM21, "--online").stdout
    assert "\x1b" not in told
    assert "[31m" not in told
    assert "Agonist activity at μ-opioid receptor" in told
    assert "description     Made up for this test.  (Us; PubChem, 20" in told


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("receptor \x1b[31m", "receptor"),
        ("\x1b[1;31mred\x1b[0m cell", "red cell"),
        ("a\x9b31mb", "ab"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]8;;http://x\x1b\\b", "ab"),
        ("a\x1b(Bb\x1bc", "ab"),
        ("[31P] NMR, [M+H]", "[31P] NMR, [M+H]"),
        ("left \x1b]open", "left ]open"),
        (None, ""),
        (3, "3"),
    ],
)
def test_of_a_sequence_that_commands_a_terminal_nothing_is_left(cell: object, shown: str) -> None:
    assert records.plain(cell) == shown


@pytest.mark.parametrize(
    ("target", "fits"),
    [
        ("mu opioid", True), ("µ opioid receptors", True), ("μ-opioid", True), ("P35372", True),
        ("4988", True), ("mu-type opioid", True), ("kappa opioid", False), ("498", False),
        ("m", False), ("---", False),
    ],
)  # fmt: skip
def test_targets_by_name_accession_and_gene(target: str, fits: bool) -> None:
    one = Activity("Ki", 1.0, "Active", 1, "Affinity for Mu-opioid receptor", "P35372", "4988")
    assert about(target, one) == fits


# --- in turn --------------------------------------------------------------------------------------


ASKING = """
import time
from workflows.molecule import turns
for _ in range(6):
    turns.wait("a.test")
    print(time.time(), flush=True)
"""


def test_all_processes_together_ask_five_times_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    command = [sys.executable, "-c", ASKING]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    times = sorted(float(one) for process in both for one in process.communicate()[0].split())
    assert len(times) == 12
    [kept] = (tmp_path / "grafico-requests").iterdir()
    put_down = json.loads(kept.read_text())["times"]
    for first, sixth in zip(put_down, put_down[5:], strict=False):
        assert sixth - first >= 0.999
    assert all(asked >= put for asked, put in zip(times, put_down, strict=True))
    assert (tmp_path / "grafico-requests").stat().st_mode & 0o077 == 0


def test_four_hundred_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    slept = list[float]()
    monkeypatch.setattr(turns.time, "sleep", slept.append)
    for _ in range(401):
        turns.wait("b.test")
    assert 70 < slept[-1] <= 80.1  # 5 a second would be over after 80 s, and this is their 401st


def test_a_busy_server_slows_everybody_down(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    Server.busy = 1
    assert compound(KEY, address)[0] == [CID]
    Server.throttling = (
        "Request Count status: Green (0%), Request Time status: Red (80%), "
        "Service status: Yellow (60%)"
    )
    compound(KEY, address, again=True)
    slept = list[float]()
    monkeypatch.setattr(turns.time, "sleep", slept.append)
    host = address.removeprefix("http://").partition("/")[0]
    turns.wait(host)
    assert 3 < slept[-1] <= 5
    turns.wait("another.test")
    assert slept[-1] == 0
    turns.heed(host, "Request Count status: Black (100%)")
    turns.wait(host)
    assert 50 < slept[-1] <= 60


@pytest.mark.parametrize(
    "content",
    ["", "[", "[]", '{"times": ["x"], "not_before": 0}', '{"times": [NaN], "not_before": 1e300}',
     '{"times": [1e12], "not_before": -1}', '{"times": 3}', "[" * 50_000],
    ids=range(8),
)  # fmt: skip
def test_a_broken_file_of_times_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    turns.wait("c.test")
    [file] = (tmp_path / "grafico-requests").iterdir()
    file.write_text(content)
    slept = list[float]()
    monkeypatch.setattr(turns.time, "sleep", slept.append)
    turns.wait("c.test")
    assert slept == [0]


def test_a_folder_of_somebody_else_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "grafico-requests").mkdir(mode=0o755)
    with pytest.raises(ResourceError, match="open to others"):
        turns.wait("d.test")
