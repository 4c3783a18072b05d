"""What filters say of molecules: probably there, or not known; files that are none are refused."""

from __future__ import annotations

import json
import struct
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from tests.agreeing import agreeing
from tests.typed import typed
from triplestore.errors import ComponentError, InputError, NotFoundError
from workflows.synthesis import extra
from workflows.synthesis.filters import of_file, of_package

needs_molbloom = pytest.mark.skipif(find_spec("molbloom") is None, reason="the extra synthesis")

REAGENTS = {
    "ethanol": "CCO", "benzene": "c1ccccc1", "aspirin": "CC(=O)Oc1ccccc1C(=O)O",
    "aniline": "Nc1ccccc1", "caffeine": "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
    "DEET": "CCN(CC)C(=O)c1cccc(C)c1", "L-alanine": "C[C@H](N)C(=O)O", "toluene": "Cc1ccccc1",
}  # fmt: skip
NOBODY_HAS = ("CC1CC2(C1)C(C#N)C2(F)OC1CC1Br", "FC1(Cl)C2(N)CC1(C#C)C2S(=O)C1CCC1I",
              "BrC1=CC2(CC(F)C2)C(=O)N1OC1CCC1", "CC(C)(F)C1CC1(S)C1(O)CC1(Br)C=C=C")  # fmt: skip


@needs_molbloom
def test_reagents_are_probably_sold_and_fancies_are_not_known() -> None:
    """Of those that nobody has, one in fourteen may seem to be sold."""
    for name, smiles in REAGENTS.items():
        found = of_package(smiles)
        assert found.is_there, name
    assert sum(of_package(one).is_there for one in NOBODY_HAS) <= 1


@needs_molbloom
def test_how_often_the_filter_is_wrong_is_counted_from_it() -> None:
    """Molbloom's own list says 0.07."""
    found = of_package("CCO")
    assert found.mistaken == pytest.approx(0.07, abs=0.002)
    assert "molbloom 3." in found.catalogue
    assert "ZINC20" in found.catalogue
    assert found.digest.startswith("995b6905")
    assert "6.9 %" in found.source


@needs_molbloom
def test_catalogue_version_and_slips_are_told(tmp_path: Path) -> None:
    told = json.loads(typed("sold", "ethanol", "--json").stdout)["facts"]
    sold, patents, price = told
    assert (sold["name"], sold["value"]) == ("sold", "probably sold")
    assert sold["is_there"] is True
    assert sold["mistaken"] == pytest.approx(0.07, abs=0.002)
    assert patents["value"].startswith("not known here")
    assert price["value"].startswith("not known here")
    unknown = typed("sold", NOBODY_HAS[0]).stdout
    assert "sold            not known here  (ZINC20" in unknown
    assert "\nno" not in unknown


@needs_molbloom
def test_a_filter_of_ones_own(tmp_path: Path) -> None:
    molbloom: Any = import_module("molbloom")
    CustomFilter, canon = molbloom.CustomFilter, molbloom.canon
    made = CustomFilter(8000, 100, "mine")
    made.add(canon("CC(=O)Nc1ccc(O)cc1"))
    made.save(str(tmp_path / "mine.bloom"))
    told = typed("sold", "paracetamol", "--patents", tmp_path / "mine.bloom").stdout
    assert "patents         probably named in one  (the filter mine.bloom; SHA-256 " in told
    told = typed("sold", "ethanol", "--patents", tmp_path / "mine.bloom").stdout
    assert "patents         not known here  (the filter mine.bloom" in told
    other = typed("sold", "ethanol", "--catalogue", tmp_path / "mine.bloom").stdout
    assert "sold            not known here  (the filter mine.bloom" in other
    with Grafico("memory:") as session:
        sold, *_ = session.sold("paracetamol", catalogue=str(tmp_path / "mine.bloom"))
    assert sold.value == "probably sold"
    assert sold.filtered is not None
    assert sold.filtered.mistaken < 1e-6


HEAD = struct.Struct("<5sBIQ")


@needs_molbloom
@pytest.mark.parametrize(
    "content",
    [
        b"", b"BLOOM", b"no filter at all, but a text of some length", b"\x89PNG\r\n\x1a\n" * 20,
        HEAD.pack(b"BLOOM", 2, 8, 8000),  # it has no bits
        HEAD.pack(b"BLOOM", 2, 8, 8000) + b"\0" * 999,  # one byte is missing
        HEAD.pack(b"BLOOM", 2, 8, 8000) + b"\0" * 5000,
        HEAD.pack(b"BLOOM", 1, 8, 8000) + b"\0" * 1000,
        HEAD.pack(b"BLOOM", 2, 0, 8000) + b"\0" * 1000,
        HEAD.pack(b"BLOOM", 2, 2**32 - 1, 8000) + b"\0" * 1000,
        HEAD.pack(b"BLOOM", 2, 8, 2**63) + b"\0" * 1000,
        HEAD.pack(b"BLOOM", 2, 8, 0),
    ],
    ids=range(12),
)  # fmt: skip
def test_a_file_that_is_no_filter_is_refused(tmp_path: Path, content: bytes) -> None:
    """Molbloom itself ends the process with a segmentation fault on some of them."""
    (tmp_path / "none.bloom").write_bytes(content)
    with pytest.raises(InputError, match="no Bloom filter"):
        of_file("CCO", str(tmp_path / "none.bloom"))


@needs_molbloom
def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no Bloom filter"):
        of_file("CCO", str(tmp_path))
    with pytest.raises(InputError, match="no Bloom filter"):
        of_file("CCO", "/dev/zero")
    with pytest.raises(NotFoundError):
        of_file("CCO", str(tmp_path / "nowhere.bloom"))
    said = typed("sold", "ethanol", "--patents", tmp_path / "nowhere.bloom", status=2).stderr
    assert "no such file" in said


@pytest.mark.parametrize("molecule", ["sarin", "nitroglycerin"])
def test_what_is_not_made_is_not_looked_for(molecule: str) -> None:
    done = typed("sold", molecule, status=2)
    assert "whoever asks" in done.stderr
    assert not done.stdout


@needs_molbloom
def test_what_is_listed_takes_a_persons_word(tmp_path: Path) -> None:
    asked = ("sold", "triethanolamine", "--store", tmp_path / "store")
    done = typed(*asked, status=1)
    assert "grafico approve" in done.stderr
    assert "sold   " not in done.stdout
    with agreeing():
        assert "sold            probably sold" in typed(*asked).stdout
    typed(*asked, status=1)  # it was for one answer


def test_without_the_extra_it_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ComponentError, match=r"grafico-chem\[synthesis\]"):
        of_package("CCO")
