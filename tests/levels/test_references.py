"""What is cited: everything that is offered has a reference, or is known to have none here."""

import re

import pytest
from pyscf.dft import libxc
from pyscf.gto import basis

from ontologies.elements import SYMBOLS
from ontologies.level import LevelOfTheory
from ontologies.tightbinding import TightBinding
from triplestore.errors import InputError
from workflows.dft.level.bases import functions_of, usual_basis
from workflows.dft.level.citing import of_component
from workflows.dft.level.dispersion import FORMS
from workflows.dft.level.functionals import NAMES, functional_code
from workflows.dft.level.methods import NAMED
from workflows.dft.level.solvents import MODELS
from workflows.registry.levels import offered, programs
from workflows.registry.references import basis_cited, is_listed, known, references

WITHOUT = {"B3P86"}
"""Functionals of which libxc names no publication."""


def codes() -> dict[str, str]:
    named = {name: functional_code(name)[1] for name in NAMES.split() if name != "HF"}
    return named | {one.name: one.code for one in NAMED}


def test_each_functional_has_a_reference_of_libxc() -> None:
    lacking: set[str] = set()
    for name, code in codes().items():
        found = [one for which, _ in libxc.parse_xc(code)[1] for one in of_component(int(which))]
        lacking |= set() if found else {name}
        assert all(one.text and one.bibtex.startswith("@") for one in found)
    assert lacking == WITHOUT


@pytest.mark.parametrize(
    ("code", "doi"),
    [
        ("HYB_GGA_XC_B3LYP", "10.1021/j100096a001"),
        ("GGA_X_PBE", "10.1103/PhysRevLett.77.3865"),
        ("HYB_MGGA_XC_WB97M_V", "10.1063/1.4952647"),
    ],
)
def test_the_publication_of_a_component(code: str, doi: str) -> None:
    components = list(libxc.parse_xc(code)[1])
    which = components[0][0]
    assert doi in [one.doi for one in of_component(int(which))]


def test_each_basis_set_is_in_the_table() -> None:
    usual: set[str] = set()
    for alias in basis.ALIAS:
        try:
            usual.add(usual_basis(alias))
        except InputError:  # a set for fitting, or for valence electrons
            continue
    assert len(usual) > 150
    assert {one for one in usual if not is_listed("basis", one)} == set()


@pytest.mark.parametrize(
    "name", ["def2-SVP", "def2-TZVP", "def2-QZVPPD", "ma-def2-TZVP", "cc-pVTZ", "aug-cc-pVDZ"]
)
def test_a_common_basis_set_has_a_reference_for_each_element(name: str) -> None:
    numbers = [n for n in range(1, 87) if functions_of(name, SYMBOLS[n])]
    assert len(numbers) > 20
    assert [SYMBOLS[n] for n in numbers if not known("basis", name, [n])] == []


def test_elements_are_told_apart() -> None:
    assert [one.key for one in known("basis", "cc-pVDZ", [1, 17])] == ["dunning1989", "woon1993"]
    iodine = [one.key for one in known("basis", "def2-SVP", [53])]
    assert iodine == ["weigend2005", "peterson2003b"]
    neon, carbon = basis_cited("6-31G*", [6, 10])[::-1]
    assert neon.text == "the basis set 6-31G* for Ne"
    assert neon.references == ()
    assert [one.key for one in carbon.references] == ["hehre1972", "hariharan1973"]


def test_the_heads_of_pyscf_files_agree() -> None:
    """Volume and page of each reference stand in the head of the file that PySCF ships."""
    for name, file, numbers in [
        ("cc-pVDZ", "cc-pvdz.dat", [1, 2, 6, 17, 20, 25]),
        ("def2-SVP", "def2-svp.dat", [1, 6, 17]),
        ("6-31G", "pople-basis/6-31G.dat", [1, 5, 6, 17, 25]),
        ("6-311G", "pople-basis/6-311G.dat", [1, 6, 17, 20, 35, 53]),
        ("3-21G", "pople-basis/3-21G.dat", [1, 6, 20, 25, 47]),
    ]:
        with open(f"{basis.__path__[0]}/{file}", encoding="utf-8") as opened:
            head = "".join(line for line in opened if line.startswith("#"))
        for one in known("basis", name, numbers):
            found = re.search(r" (\d+), (\d+)", one.text)
            assert found
            assert {found[1], found[2].lstrip("0")} <= {
                digits.lstrip("0") for digits in re.findall(r"\d+", head)
            }, (name, one.text)


def test_each_correction_and_continuum_has_a_reference() -> None:
    for kind in FORMS:
        assert known("dispersion", kind), kind
    for model in {*MODELS.values(), "ALPB", "GBSA"}:
        assert known("solvation", model), model
    assert known("nonlocal", "VV10")


def test_each_method_is_in_the_table() -> None:
    names = {one for program in programs() if not program.usual for one in program.methods}
    shipped = {"GFN1-xTB", "GFN2-xTB", "GFN-FF", "MP2", "DF-MP2", "CCSD", "CCSD(T)"}
    assert shipped <= names
    for name in shipped:
        assert known("method", name), name


def test_references_are_whole() -> None:
    found = references()
    dois = [one.doi for one in found.values() if one.doi]
    assert len(set(dois)) == len(dois)
    for one in found.values():
        assert re.match(r"10\.\d{4}/\S+$", one.doi) or one.key in ("rdkit", "gaussian")
        assert one.bibtex.count("{") == one.bibtex.count("}")
        assert re.search(r"\((19|20)\d\d\)$", one.text) or one.key in ("rdkit", "gaussian")


def test_how_a_reference_is_written() -> None:
    one = references()["marenich2009"]
    said = "A. V. Marenich, C. J. Cramer and D. G. Truhlar, J. Phys. Chem. B 113, 6378–6396 (2009)"
    assert one.text == said
    assert one.formatted == f"{said}, doi:10.1021/jp810292n."
    assert "  pages = {6378--6396},\n" in one.bibtex


def test_a_level_says_what_it_is_made_of() -> None:
    level = LevelOfTheory(
        method="PBE",
        basis="def2-SVP",
        reference="restricted",
        functional=("1 × GGA_X_PBE (libxc 101)", "1 × GGA_C_PBE (libxc 130)"),
        grid_level=3,
    )
    said = offered(level).described(level, [1, 8])
    assert [one.text.split(" (")[0] for one in said.cited] == [
        "the functional PBE",
        "the library libxc",
        "the basis set def2-SVP",
    ]
    assert all(one.references for one in said.cited)
    assert "integration grid 3 of PySCF" in said.settings
    iodine = offered(level).described(level, [1, 53])
    assert "effective core potentials of that set for I" in iodine.settings
    assert not any("potentials" in one for one in said.settings)
    tight = TightBinding(method="GFN2-xTB")
    assert [one.key for one in offered(tight).described(tight, [1]).cited[0].references] == [
        "bannwarth2019"
    ]
