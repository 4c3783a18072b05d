"""Names that the package chemicals knows; what it fixes of itself is refused, not taken over."""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.typed import typed
from triplestore.errors import GraficoError, InputError
from workflows.molecule import chemicals_names
from workflows.molecule.chemicals_names import smiles_of
from workflows.molecule.notation import canonical

pytestmark = pytest.mark.skipif(find_spec("chemicals") is None, reason="the extra names")

KNOWN = {  # InChIKeys' structures as PubChem's compound pages draw them
    "hepes": "OCCN1CCN(CCS(O)(=O)=O)CC1",  # CID 23831
    "tris": "NC(CO)(CO)CO",  # CID 6503
    "dabco": "C1CN2CCN1CC2",  # CID 9237
    "diazepam": "CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc21",  # CID 3016
    "malathion": "CCOC(=O)CC(C(=O)OCC)SP(=S)(OC)OC",  # CID 4004, one centre, as sold
    "trans-2-butene": "C/C=C/C",  # CID 62695
    "2,2'-bipyridine": "c1ccc(nc1)-c1ccccn1",  # CID 1474
    "439-14-5": "CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc21",
}

AMINO_ACIDS = [
    "alanine",
    "arginine",
    "asparagine",
    "aspartic-acid",
    "cysteine",
    "glutamine",
    "glutamic-acid",
    "histidine",
    "isoleucine",
    "leucine",
    "lysine",
    "methionine",
    "phenylalanine",
    "proline",
    "serine",
    "threonine",
    "tryptophan",
    "tyrosine",
    "valine",
]


@pytest.mark.parametrize("name", KNOWN)
def test_what_it_has_for_certain_is_taken(name: str) -> None:
    assert canonical(smiles_of(name), name) == canonical(KNOWN[name], name)


@pytest.mark.parametrize("name", AMINO_ACIDS)
def test_no_amino_acid_is_taken_in_a_configuration_that_its_name_does_not_say(name: str) -> None:
    """The first row of "alanine" is D-alanine."""
    try:
        found = smiles_of(name.replace("-", " "))
    except InputError:
        return
    assert "@" not in found


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("xylene", "places of groups"),
        ("butanol", "places of groups"),
        ("bipyridine", "places of groups"),
        ("chloronitrobenzene", "places of groups"),
        ("2-butene", "several substances"),
        ("glucose", "several substances"),
        ("ephedrine", "several substances"),
        ("maleic acid", "a configuration that the name does not say"),
        ("rotenone", "a configuration that the name does not say"),
        ("strychnine", "leaves the configuration open"),
        ("menthol", "leaves the configuration open"),
        ("petroleum ether", "a lesser name"),  # of benzene
        ("mineral naphtha", "a lesser name"),
        ("benzen", "a lesser name"),
    ],
)
def test_what_a_name_leaves_open_is_refused_with_what_it_may_be(name: str, why: str) -> None:
    with pytest.raises(InputError) as error:
        smiles_of(name)
    assert why in error.value.found
    assert ": " in error.value.found
    assert "SMILES" in error.value.advice


def test_a_radical_is_not_taken_for_the_molecule() -> None:
    """Its largest table calls a hexyl radical hexane."""
    with pytest.raises(InputError, match="hexane: CCCCCC") as error:
        smiles_of("hexane")  # of the molecule it has names with places
    assert "[CH]" not in error.value.found
    assert smiles_of("no such name") == ""


@given(st.text(max_size=40))
def test_no_text_upsets_it(name: str) -> None:
    with suppress(GraficoError):
        smiles_of(name)


def test_broken_tables_are_read_as_far_as_they_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "chemicals" / "Identifiers"
    folder.mkdir(parents=True)
    (tmp_path / "chemicals" / "__init__.py").touch()
    good = "1\t439-14-5\tCH4\t16\tC\tCH4/h1H4\tVNWKTOKETHGBQD-UHFFFAOYSA-N\tmethane\tmarsh gas"
    long = "2\t" + "x" * 300_000 + "\tmine gas"
    lines = ["", "mine gas", "\t\tmine gas", "\xff\tmine gas", long, good, "3\tmine gas"]
    (folder / chemicals_names.TABLES[0]).write_bytes("\n".join(lines).encode("latin-1"))
    (folder / chemicals_names.TABLES[1]).touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(chemicals_names, "_contents", chemicals_names._contents.__wrapped__)
    monkeypatch.setattr(chemicals_names, "_index", chemicals_names._index.__wrapped__)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(
        chemicals_names.importlib.util,
        "find_spec",
        lambda name: type("Found", (), {"origin": str(tmp_path / "chemicals" / "__init__.py")}),
    )
    assert smiles_of("marsh gas") == "C"
    assert smiles_of("mine gas") == ""


def test_lookup_says_what_a_molecule_is_and_who_says_so() -> None:
    told = typed("lookup", "diazepam").stdout
    assert "CAS             439-14-5" in told
    assert "average mass    284.74" in told  # 284.74 g/mol, PubChem CID 3016
    assert "exact mass      284.07164" in told  # 284.0716407 Da, likewise
    assert "InChIKey        AAOVKJBEBIDNHE-UHFFFAOYSA-N" in told
    hepes = typed("lookup", "hepes").stdout
    assert "the package chemicals" in hepes
    assert "7365-45-9" in hepes
    refused = typed("lookup", "xylene", status=2).stderr
    assert "o-xylene, m-xylene, p-xylene" in refused
