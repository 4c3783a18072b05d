"""What comes together: groups, the chart's combinations, and that what lacks is said."""

from __future__ import annotations

import csv
import json
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ogm import KnowledgeGraph
from tests.typed import typed
from triplestore import open_store
from triplestore.errors import InputError
from workflows.controlled.parts import parts_of
from workflows.engine import Executor
from workflows.engine.request.workflow import prepare_action
from workflows.liquids.protocol import protocol
from workflows.registry import Action, workflows
from workflows.safety import chart
from workflows.safety.chart import dangers, groups_of, meets_no_water, separate
from workflows.safety.mixing import MOST, materials, mixing
from workflows.trust.caller import Caller, ConsentQuestion, asked_by

MEMBERS = [
    ("Cl", {1}),
    ("OP(=O)(O)O", {1}),
    ("[H+].[Cl-]", {1}),
    ("OS(=O)(=O)O", {2}),
    ("O[N+](=O)[O-]", {2}),
    ("CC(=O)O", {3}),
    ("CC(=O)[O-].[Na+]", set()),
    ("OCC(O)CO", {4}),
    ("CC=O", {5}),
    ("C=O", {5}),
    ("CN(C)C=O", {6}),
    ("N", {7}),
    ("CCN(CC)CC", {7}),
    ("c1ccncc1", {7}),
    ("[Cl-].CC[NH3+]", set()),
    ("NN", {8}),
    ("[Na+].[N-]=[N+]=[N-]", {8}),
    ("N[Na]", {107}),
    ("CCOC(N)=O", {9}),
    ("O[Na]", {10}),
    ("[Ca]=O", {10, 204}),
    ("[Na]C#N", {11}),
    ("C#N", {11}),
    ("CCOC(C)=O", {13}),
    ("C1CCOC1", {14}),
    ("[Na+].[F-]", {15}),
    ("Cc1ccccc1", {16}),
    ("ClC(Cl)Cl", {17}),
    ("CN=C=O", {18}),
    ("CC(C)=O", {19}),
    ("CCS", {20}),
    ("[Na]", {21}),
    ("[Zn]", {22}),
    ("CC#N", {26}),
    ("O=[N+]([O-])c1ccccc1", {27}),
    ("C=CC", {28}),
    ("CCc1ccccc1", {16}),
    ("CCCCCC", {29}),
    ("CC(C)(C)OO", {30}),
    ("Oc1ccccc1", {31}),
    ("[Na+].[Na+].[S-2]", {33}),
    ("C1CO1", {34}),
    ("[Na+].[O-]Cl", {104, 202}),
    ("[K+].[O-][Mn](=O)(=O)=O", {104}),
    ("OO", {104, 205}),
    ("[Na+].[O-][N+](=O)[O-]", {104}),
    ("[Na+].[BH4-]", {105}),
    ("[Li+].[AlH4-]", {105, 107}),
    ("[Li]CCCC", {105, 107}),
    ("C[Mg]Br", {105, 107}),
    ("O", {106}),
    ("CC(=O)Cl", {107}),
    ("C[Si](C)(C)Cl", {107}),
    ("Cn1c(=O)c2c(ncn2C)n(C)c1=O", set()),
    ("[Na+].[Cl-]", set()),
    ("NS(=O)(=O)c1ccccc1", set()),
    ("[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1", set()),
    ("[NH4+].[OH-]", {7, 10}),
    ("[NH4+].[Cl-]", {201}),
    ("[K+].[O-]Cl(=O)=O", {104, 203}),
    ("OCl(=O)(=O)=O", {2, 104}),
    ("[H+].[O-]Cl(=O)(=O)=O", {2, 104}),
    ("OC=O", {3}),
    ("[Na+].OC(=O)[O-]", set()),
    ("O=C=O", set()),
    ("CN=[N+]=[N-]", {8}),
    ("[C-]#[N+]C(C)(C)C", set()),
    ("[Na+].[C-]#N", {11}),
    ("O=[Ce]=O", set()),
    ("[Ce+4].[O-]S(=O)(=O)[O-].[O-]S(=O)(=O)[O-]", {104}),
    ("O=[Mn]=O", {104}),
    ("CC[Pb](CC)(CC)CC", {24}),
    ("[Fe]" + ".[C-]#[O+]" * 5, set()),
    ("[Ni]" + ".[C-]#[O+]" * 4, set()),
    ("[Al].[Ni]", {22}),
    ("[Pd].[C]", {22, 101}),
    ("N#[Ti]", set()),
    ("[Li]N([Li])[Li]", {25}),
    ("[Ba+2].[O-]S(=O)(=O)[O-]", set()),
    ("[Ba+2].[Cl-].[Cl-]", {24}),
    ("Cl[Al](Cl)Cl", {107}),
    ("O.O.O.O.O.O.[Al+3].[Cl-].[Cl-].[Cl-]", {106}),
    ("CC(=O)OC(C)=O", {107}),
    ("CC(C)(C)OC(=O)OC(=O)OC(C)(C)C", {13}),
    ("CC(C)[N-]C(C)C.[Li+]", {107}),
    ("[K+].O=C1[N-]C(=O)c2ccccc21", set()),
    ("P#[In]", set()),
    ("[Na+].F[B-](F)(F)F", set()),
]

KNOWN = [  # what chemists know of two that meet: each is in Prudent Practices (1995), table 3.9
    ("[Na+].[O-]Cl", "N", {"GT"}),
    ("[Na+].[O-]Cl", "Cl", {"GT"}),
    ("[Na+].[C-]#N", "Cl", {"GT"}),
    ("[Na+].[Na+].[S-2]", "OS(=O)(=O)O", {"GF"}),
    ("[Na+].[N-]=[N+]=[N-]", "Cl", {"G"}),
    ("[K+].[O-][Mn](=O)(=O)=O", "OCC(O)CO", {"F"}),
    ("O[N+](=O)[O-]", "CC(C)=O", {"F"}),
    ("OO", "CC(C)=O", {"F"}),
    ("[Na]", "O", {"GF"}),
    ("[Na]", "ClC(Cl)Cl", {"E"}),
    ("[Na+].[O-]Cl(=O)(=O)=O", "[Na+].[BH4-]", {"F"}),
    ("[K+].[O-][Mn](=O)(=O)=O", "OS(=O)(=O)O", {"E"}),
    ("[Li+].[AlH4-]", "O", {"X"}),
    ("CC(=O)Cl", "O", {"X"}),
    ("CC(=O)OO", "CC(C)=O", {"E"}),
    ("CN=C=O", "O", {"G"}),
]


EMPTY = "the chart is empty here"
AMMONIUM_CHLORIDE, BLEACH, WATER = "[NH4+].[Cl-]", "[Na+].[O-]Cl", "O"

DANGEROUS = [  # codes that must be among those told, and why
    ("[NH4+].[OH-]", BLEACH, "GT", "chloramines"),
    (AMMONIUM_CHLORIDE, BLEACH, "GT E", "chloramines and nitrogen trichloride"),
    ("[NH4+].[NH4+].[O-]S(=O)(=O)[O-]", BLEACH, "GT E", "likewise"),
    (AMMONIUM_CHLORIDE, "[K+].[O-]Cl(=O)=O", "F E", "ammonium chlorate explodes"),
    (AMMONIUM_CHLORIDE, "[Na+].[OH-]", "GT", "ammonia"),
    (BLEACH, "CC(=O)O", "GT", "chlorine"),
    (BLEACH, "OO", "G", "oxygen, at once"),
    ("[Ca+2].[O-]Cl.[O-]Cl", "OCC(O)CO", "F", "pool chlorine with glycerol burns"),
    ("OO", "NN", "E", "a rocket's fuel"),
    ("O[N+](=O)[O-]", "CCO", "H F", "nitric acid with alcohol"),
    ("O[N+](=O)[O-]", "Nc1ccccc1", "H GT", "hypergolic"),
    ("OS(=O)(=O)O", WATER, "H", "acid goes into water"),
    ("OS(=O)(=O)O", "[K+].[O-]Cl(=O)=O", "F E", "chlorine dioxide"),
    ("OCl(=O)(=O)=O", "CC(=O)OC(C)=O", "X", "Los Angeles, 1947"),
    ("OCl(=O)(=O)=O", "CCO", "H F", "ethyl perchlorate"),
    ("O=[Cr](=O)=O", "CC(C)=O", "H F", "ignites"),
    ("[K]", WATER, "GF", "hydrogen"),
    ("[Al]", "[Na+].[OH-]", "H GF", "hydrogen, as in drain cleaner"),
    ("[Mg]", "ClC(Cl)(Cl)Cl", "E", "as all that reducing metals do with it"),
    ("[Na+].[H-]", WATER, "X", "hydrogen"),
    ("[Ca+2].[C-]#[C-]", WATER, "X", "acetylene"),
    ("[Ca]=O", WATER, "H", "lime is slaked"),
    ("[Ca+2].[Ca+2].[Ca+2].[P-3].[P-3]", WATER, "X", "phosphine"),
    ("[Zn]=P[Zn]P=[Zn]", WATER, "X", "phosphine"),
    ("CC(=O)OC(C)=O", WATER, "X", "heat"),
    ("O=S(=O)=O", WATER, "X", "violent"),
    ("FCl(F)F", WATER, "X", "violent"),
    ("FBr(F)(F)(F)F", WATER, "X", "explodes"),
    ("FB(F)F", WATER, "X", "hydrogen fluoride"),
    ("[H]1->[BH2][H]->[BH2]1", WATER, "X", "hydrogen"),
    ("[Na+].[NH2-]", WATER, "X", "ammonia"),
    ("S=P12SP3(=S)SP(=S)(S1)SP(=S)(S2)S3", WATER, "X", "hydrogen sulfide"),
    ("Cl[Ti](Cl)(Cl)Cl", WATER, "X", "hydrogen chloride"),
    ("Cl[Sb](Cl)Cl", WATER, "X", "hydrogen chloride"),
    ("ClP(Cl)(Cl)(Cl)Cl", WATER, "X", "hydrogen chloride"),
    ("[Na+].[N-]=[N+]=[N-]", "ClCCl", "G", "diazidomethane"),
    ("[K+].[C-]#N", "CC(=O)O", "GT", "hydrogen cyanide"),
    ("[Na+].[H-]", "CN(C)C=O", "X", "runs away"),
    ("CS(C)=O", "CC(=O)Cl", "X", "explodes"),
    ("C[N+](=O)[O-]", "[Na+].[OH-]", "E", "the nitronate"),
    ("C=CC#N", "[Na+].[OH-]", "P", "polymerises"),
]

HARMLESS = [  # of which nothing may be told
    ("CCO", WATER, "spirits"),
    ("[Na+].[Cl-]", WATER, "brine"),
    ("[Na+].OC(=O)[O-]", "[Na+].[Cl-]", "two salts"),
    ("[Na+].OC(=O)[O-]", "CCO", "no acid that an ester comes of"),
    ("[Na+].[Na+].[O-]C(=O)[O-]", WATER, "washing soda"),
    ("O=C=O", WATER, "soda water"),
    ("CC(C)=O", "CCCCCC", "chromatography"),
    ("OCC1OC(O)C(O)C(O)C1O", WATER, "glucose"),
    ("CS(C)=O", "CO", "solvents"),
    ("CC(=O)O", "CC(=O)[O-].[Na+]", "a buffer"),
    ("[Na+].[Na+].[O-]S(=O)(=O)[O-]", "CCOC(C)=O", "drying"),
    ("[Mg+2].[O-]S(=O)(=O)[O-]", "ClCCl", "drying"),
    ("CCOC(C)=O", "CCCCCC", "chromatography"),
    ("CO", "ClCCl", "chromatography"),
    ("CC#N", WATER, "chromatography"),
    ("C1CCOC1", WATER, "solvents"),
    ("CN(C)C=O", WATER, "solvents"),
    ("O.O.O.O.O.O.[Al+3].[Cl-].[Cl-].[Cl-]", WATER, "a hydrate dissolves"),
    ("O.O.O.O.O.[Cu+2].[O-]S(=O)(=O)[O-]", WATER, "a hydrate dissolves"),
    ("[Na+].[Na+].[S-2]" + ".O" * 9, "CCO", "a hydrate"),
    ("O=[Ce]=O", "CCO", "a catalyst's support, no oxidiser of alcohol"),
    ("[C-]#[N+]C(C)(C)C", "CC(=O)O", "the Ugi reaction's: no hydrogen cyanide"),
    ("N#[Ti]", WATER, "a coating of tools"),
    ("O=[Ti]=O", WATER, "paint"),
    ("O=[Si]=O", "CCO", "sand"),
    ("[Fe]" + ".[C-]#[O+]" * 5, "Cl", "no metal's powder"),
    ("[Ni](<-[C-]#[O+])(<-[C-]#[O+])(<-[C-]#[O+])<-[C-]#[O+]", "Cl", "likewise"),
    ("[Ba+2].[O-]S(=O)(=O)[O-]", WATER, "does not dissolve"),
    (AMMONIUM_CHLORIDE, "[Na+].[Cl-]", "two salts"),
    (AMMONIUM_CHLORIDE, WATER, "dissolves"),
    ("NCC(=O)O", WATER, "glycine"),
    ("NC(N)=O", WATER, "urea"),
    ("[K+].[K+].[O-]C(=O)[O-]", "CN(C)C=O", "alkylations"),
    ("[Na+].F[B-](F)(F)F", WATER, "a salt that dissolves"),
]

UNKNOWN = [  # dangers that no source read here has with groups: never told as harmless
    ("[K+].[O-][Mn](=O)(=O)=O", "OO", EMPTY),
    ("II", "N", EMPTY),
    ("ClC(Cl)Cl", "CC(C)=O", EMPTY),
]


@pytest.mark.parametrize(("first", "second", "codes", "why"), DANGEROUS)
def test_famous_dangers_are_told(first: str, second: str, codes: str, why: str) -> None:
    found = mixing([("one", first), ("other", second)])
    assert {*codes.split()} <= {code for each in found.dangers for code in each.codes}, why


@pytest.mark.parametrize(("first", "second", "why"), HARMLESS)
def test_what_meets_every_day_is_not_accused(first: str, second: str, why: str) -> None:
    found = mixing([("one", first), ("other", second)])
    assert not found.unread
    assert not found.dangers, why


@pytest.mark.parametrize(("first", "second", "why"), UNKNOWN)
def test_what_no_source_has_is_not_known(first: str, second: str, why: str) -> None:
    found = mixing([("one", first), ("other", second)])
    assert found.empty == [("one", "other")], why
    assert "not known here" in str(found)


@pytest.mark.parametrize(("smiles", "numbers"), MEMBERS)
def test_substances_are_in_the_groups_of_their_names(smiles: str, numbers: set[int]) -> None:
    assert {one.number for one in groups_of(smiles)} == numbers


@pytest.mark.parametrize(("first", "second", "codes"), KNOWN)
def test_what_chemists_keep_apart_is_told(first: str, second: str, codes: set[str]) -> None:
    for one, other in ((first, second), (second, first)):
        found = dangers({"one": one, "other": other})
        assert codes <= {code for each in found for code in each.codes}


def test_the_tables_are_whole() -> None:
    text = (files("workflows.safety") / "combinations.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    pairs = [(int(row["first"]), int(row["second"])) for row in rows]
    assert len(set(pairs)) == len(pairs) == 305
    assert all(first < second for first, second in pairs)
    for row in rows:
        assert row["codes"].split()
        assert {*row["codes"].split()} <= chart.CONSEQUENCES.keys()
        assert row["source"] in chart.SOURCES
    names = {(group.number, group.name) for group, _, _ in chart._patterns()}
    assert len({number for number, _ in names}) == len(names)
    members = list(chart.rows("reactivity.csv"))
    assert {row["source"] for row in members} - {""} <= chart.SOURCES.keys()
    assert all(row["source"] for row in members if int(row["group"]) > 200)
    assert all(pattern is not None for _, pattern, _ in chart._patterns())


def test_rows_are_those_of_a_second_copy_of_the_chart() -> None:
    """The first rows as another public copy has them, cell by cell; empty cells are left out."""
    second = {
        5: ["H P", "F H", "H P"],
        7: ["H", "GT H", "H", "H"],
        8: ["G H", "GT H", "G H", "G H", "H"],
        9: ["G H", "GT H", "G H"],
        10: ["H", "H", "H", "H", "G H"],
        11: ["GF GT", "GF GT", "GF GT", "G"],
        12: ["F GF H", "F GF H", "GF GT H", "GF GT", "U", "G H"],
        13: ["H", "F H", "G H", "H"],
        14: ["H", "F H"],
        15: ["GT", "GT", "GT"],
        16: ["F H"],
    }
    found = chart._combinations()
    for high, cells in second.items():
        ours = sorted((low, codes) for (low, at), (codes, _) in found.items() if at == high)
        assert [" ".join(sorted(codes)) for _, codes in ours] == cells, high


@pytest.mark.parametrize(
    ("smiles", "told"),
    [
        ("[Na]", True),
        ("CCCC[Li]", True),
        ("CC(=O)Br", True),
        ("ClP(Cl)Cl", True),
        ("CCO", False),
        ("NS(=O)(=O)Cl", False),
        ("[Na+].[BH4-]", False),
        ("Cl[Al](Cl)Cl", True),
        ("O.O.O.O.O.O.[Al+3].[Cl-].[Cl-].[Cl-]", False),
        ("[Al+3].[Cl-].[Cl-].[Cl-].O", False),
    ],
)
def test_what_must_not_meet_water(smiles: str, told: bool) -> None:
    assert bool(meets_no_water(smiles)) is told


def test_metals_keep_the_hydrogen_of_what_they_are_bonded_to() -> None:
    assert {one.smiles for one in parts_of("O[Na]")} == {"[OH-]", "[Na+]"}
    assert {one.smiles for one in parts_of("[Li]CC")} == {"[CH2-]C", "[Li+]"}


def test_ions_together_are_one_substance_and_products_are_none() -> None:
    assert set(separate("[Na+].[O-]Cl.N")) == {"N", "[O-]Cl.[Na+]"}
    assert set(separate("CCO.Cl>O>CCCl")) == {"CCO", "Cl", "O"}
    assert len(mixing([("one", "CCO.CC(C)=O.CCO")]).groups) == 2
    assert separate("O.[Na+].[Cl-]") == ("[Na+].[Cl-].O",)
    assert len(separate("[Fe]" + "<-[C-]#[O+]")) == len(separate("[Fe].[C-]#[O+].[C-]#[O+]")) == 1
    assert set(separate("[Fe].[C-]#[O+].O")) == {"[Fe]", "[C-]#[O+]", "O"}
    assert len(separate("O.[Na+].[H-]")) == len(separate("O.[Ca]=O")) == 2
    with pytest.raises(InputError, match="reaction"):
        groups_of("C>>C")


def test_too_many_are_refused() -> None:
    with pytest.raises(InputError, match=f"{MOST} are compared"):
        mixing([(f"{n}", "C" * (n + 1)) for n in range(MOST + 1)])


@given(st.text(max_size=40))
def test_no_text_upsets_it(text: str) -> None:
    found = mixing([("one", text), ("other", "O")])
    assert found.groups or found.unread


def test_at_the_command_line() -> None:
    done = typed("mixing", "sodium hypochlorite; ammonia; brine")
    assert "sodium hypochlorite with ammonia: heat, fire, toxic gas" in done.stdout
    assert "EPA-600/2-80-076" in done.stdout
    assert "ammonia with brine: not known here" in done.stdout
    assert "compatible" not in done.stdout + done.stderr
    assert "brine: its structure is not known here" in done.stderr
    told = json.loads(typed("mixing", "[Na+].[C-]#N; Cl", "--json").stdout)
    assert told["dangers"][0]["codes"] == ["GT", "GF"]
    assert "one substance" in typed("mixing", "ethanol", status=2).stderr


@pytest.mark.parametrize(
    "words",
    [("ammonia", "hydrogen peroxide"), ("ammonia; hydrogen peroxide",)],
)
def test_names_are_told_as_they_are_given(words: tuple[str, ...]) -> None:
    told = typed("mixing", *words).stdout
    assert told.startswith("ammonia with hydrogen peroxide: heat, fire, toxic gas")


def test_a_name_of_two_is_told_by_their_names() -> None:
    told = typed("mixing", "ammonia", "hydrogen", "peroxide").stdout
    assert told.startswith("hydrogen peroxide with ammonia: ")


def test_what_the_household_calls_a_reagent_is_told_as_what_it_is() -> None:
    done = typed("mixing", "Bleach; vinegar; sodium")
    assert "Bleach with vinegar: heat, toxic gas" in done.stdout
    assert "Bleach with sodium: heat, flammable gas" in done.stdout  # it is a solution
    assert "Bleach is taken as sodium hypochlorite in water" in done.stderr
    for name, one in materials().items():
        assert name == name.casefold()
        assert parts_of(one.smiles), name


def test_safety_of_a_mixture_says_so() -> None:
    assert "together: N with" in typed("safety", "[Na+].[O-]Cl.N").stderr
    assert "together" not in typed("safety", "[Na+].[O-]Cl").stderr


async def test_a_person_is_told_before_they_permit() -> None:
    heard: list[str] = []

    async def yes(question: ConsentQuestion) -> bool:
        heard.append(str(question))
        return True

    verb = workflows().verb("permit")
    assert isinstance(verb, Action)
    with (
        open_store("memory:") as store,
        asked_by(Caller(is_person=True, ask=yes, door="a test")),
    ):
        executor = Executor(KnowledgeGraph(store))
        plan = "potassium permanganate; glycerol"
        product = await (await prepare_action(verb, plan, {}, executor)).make()
        executor.close()
    assert "potassium permanganate with glycerol: heat, fire" in heard[0]
    assert "potassium permanganate with glycerol: heat, fire" in str(product.text)


def test_a_protocol_warns(tmp_path: Path) -> None:
    design = {
        "name": "two",
        "chemicals": {
            "permanganate": {"state": "solid", "structure": "[K+].[O-][Mn](=O)(=O)=O"},
            "glycerol": {
                "state": "liquid",
                "structure": "OCC(O)CO",
                "density": {"value": "1.26 g/mL", "temperature": "25 °C", "source": "handbook"},
            },
        },
        "plate": {"array": "6x8", "capacity": "2 mL"},
        "samples": [{"amounts": {"permanganate": "5 mg", "glycerol": "1 mL"}}],
    }
    path = tmp_path / "two.json"
    path.write_text(json.dumps(design), encoding="utf-8")
    remarks = protocol(path).remarks
    assert any("in vial A1 permanganate with glycerol: heat, fire" in one for one in remarks)
