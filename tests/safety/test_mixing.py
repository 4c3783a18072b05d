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
from workflows.safety.mixing import MOST, mixing
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
    ("N[Na]", set()),
    ("CCOC(N)=O", {9}),
    ("O[Na]", {10}),
    ("[Ca]=O", {10}),
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
    ("[Na+].[O-]Cl", {104}),
    ("[K+].[O-][Mn](=O)(=O)=O", {104}),
    ("OO", {104}),
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
    assert len(set(pairs)) == len(pairs) == 300
    assert all(first < second for first, second in pairs)
    for row in rows:
        assert row["codes"].split()
        assert {*row["codes"].split()} <= chart.CONSEQUENCES.keys()
        assert row["source"] in chart.SOURCES
    names = {(group.number, group.name) for group, _, _ in chart._patterns()}
    assert len({number for number, _ in names}) == len(names)
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
