"""PubChem is asked when that is allowed, and never else; a loopback server speaks its JSON."""

import json
import urllib.parse
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import ClassVar

import pytest

from tests.triplestore.servers import Answerer, OddServer, reply
from triplestore.errors import InputError, NotFoundError, ResourceError
from workflows.molecule import embed, pubchem
from workflows.molecule.names import smiles_of
from workflows.molecule.pubchem import look_up

# As PUG REST answers, with the names that its properties have had since 2025.
KNOWN = {
    "name of a test": [
        {
            "CID": 5904,
            "SMILES": "CC1([C@@H](N2[C@H](S1)[C@@H](C2=O)NC(=O)CC3=CC=CC=C3)C(=O)O)C",
        }
    ],
    "two": [{"CID": 1, "SMILES": "C"}, {"CID": 2, "SMILES": "N"}],
    "old": [{"CID": 3, "IsomericSMILES": "O"}],
    "sixfold carbonyl": [
        {
            "CID": 98884,
            "SMILES": ".".join(["[C-]#[O+]"] * 6 + ["[W]"]),
        }
    ],
}
NOT_FOUND = {
    "Fault": {
        "Code": "PUGREST.NotFound",
        "Message": "No CID found",
        "Details": ["No CID found that matches the given name"],
    }
}
BUSY = {"Fault": {"Code": "PUGREST.ServerBusy", "Message": "Too many requests or server too busy"}}


class PubChem:
    """Answers `POST /rest/pug/compound/name/property/SMILES/JSON` with `name=…`."""

    asked: ClassVar[list[str]] = []
    busy = 0

    @classmethod
    def answer(cls, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        assert handler.path == "/rest/pug/compound/name/property/SMILES/JSON"
        [name] = urllib.parse.parse_qs(body.decode())["name"]
        cls.asked.append(name)
        status, said = cls.found(name)
        reply(handler, json.dumps(said).encode(), "application/json", status)

    @classmethod
    def found(cls, name: str) -> tuple[int, object]:
        if cls.busy:
            cls.busy -= 1
            return 503, BUSY
        if name == "nonsense":
            return 200, ["not", "this"]
        if known := KNOWN.get(name.lower()):
            return 200, {"PropertyTable": {"Properties": known}}
        return 404, NOT_FOUND


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch, odd: Callable[[Answerer], OddServer]) -> str:
    for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(pubchem, "PAUSES", (0.01, 0.01))
    PubChem.asked, PubChem.busy = [], 0
    return f"http://127.0.0.1:{odd(PubChem.answer).port}/rest/pug"


def test_a_name_that_only_pubchem_knows(address: str):
    result = embed("name of a test", "name", address)
    assert result.atoms.formula == "C16H18N2O4S"
    assert result.told_by == "PubChem, CID 5904"
    assert result.method.startswith("name from PubChem, CID 5904; RDKit ETKDGv3")
    assert PubChem.asked == ["name of a test"]


def test_a_name_that_is_known_here_is_not_asked_for(address: str):
    assert embed("acetic acid", "name", address).told_by == "the table"
    assert PubChem.asked == []


def test_nobody_is_asked_unless_allowed(address: str):
    with pytest.raises(NotFoundError, match=r"allow PubChem to be asked \(online\)"):
        smiles_of("name of a test")
    assert PubChem.asked == []


def test_ligands_as_pubchem_writes_them(address: str):
    result = embed("sixfold carbonyl", "name", address)
    assert result.atoms.formula == "C6O6W"
    assert "6 ligands put onto W; built with octahedral W" in result.method


def test_several_answers_are_told(address: str):
    assert look_up("two", address) == ("C", "PubChem, CID 1, the first of 2")


def test_the_former_name_of_the_property_is_read(address: str):
    assert look_up("old", address + "/") == ("O", "PubChem, CID 3")


def test_odd_names_arrive_whole(address: str):
    name = "β-carotene/+&=? #1"
    with pytest.raises(NotFoundError, match="it knows no compound of that name"):
        look_up(name, address)
    assert PubChem.asked == [name]


def test_a_busy_server_is_asked_again(address: str):
    PubChem.busy = 2
    assert look_up("two", address)[0] == "C"
    PubChem.busy = 3
    with pytest.raises(ResourceError, match="it answers 503: Too many requests"):
        look_up("two", address)
    assert len(PubChem.asked) == 6


def test_an_answer_of_another_kind(address: str):
    with pytest.raises(ResourceError, match="the answer is no table of properties"):
        look_up("nonsense", address)


def test_offline_is_told():
    with pytest.raises(ResourceError, match="it cannot be reached"):
        look_up("water", "http://127.0.0.1:9/rest/pug")


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://a", "nowhere", "/a"])
def test_an_address_of_another_kind(address: str):
    with pytest.raises(InputError, match="no address of a web server"):
        look_up("water", address)
