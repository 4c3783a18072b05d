"""Any door says on which lists chemicals stand; nothing that is computed is stopped."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from grafico import Grafico
from grafico.agent.context import ToolContext
from tests.agent.helpers import used
from tests.typed import typed
from triplestore.errors import InputError
from workflows.controlled.naming import screen
from workflows.controlled.screening import Screening


@pytest.fixture
def session() -> Iterator[Grafico]:
    with Grafico("memory:") as found:
        yield found


WITHOUT_STRUCTURE = [
    "PEDOT:PSS",
    "silica gel",
    "brine",
    "petroleum ether",
    "Celite",
    "molecular sieves",
    "Amberlyst 15",
    "polystyrene",
    "cellulose",
    "gelatin",
    "agarose",
    "kerosene",
    "activated charcoal",
    "mineral oil",
    "bovine serum albumin",
    "graphene oxide",
    "carbon black",
    "zeolite",
    "polyethylene glycol",
    "ligroin",
    "silicone oil",
    "starch",
    "Propan-2-ol, techn. grade mix",
    "Salzsäure und Wasser",
    "エタノール",
]


@pytest.mark.parametrize("name", WITHOUT_STRUCTURE)
def test_what_has_no_structure_stops_until_a_person_says_what_it_is(name: str) -> None:
    found = screen(name)
    assert found.verdict.tier == "unreadable"
    assert found.verdict.stops
    assert found.structure == ""
    assert all(found.verdict.unread.values())


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("sarin", "1.A.1"),
        ("107-44-8", "1.A.1"),
        ("CAS 50782-69-9", "1.A.3"),
        ("VX", "1.A.3"),
        ("mustard gas", "1.A.4"),
        ("Sulphur Mustard", "1.A.4"),
        ("ricin", "1.A.8"),
        ("InChI=1S/C4H8Cl2S/c5-1-3-7-4-2-6/h1-4H2", "1.A.4"),
        ("thiodiglycol", "2.B.13"),
        ("phosgene", "3.A.1"),
        ("nitrocellulose", "explosive"),
    ],
)
def test_names_numbers_and_notations_come_to_the_same(text: str, entry: str) -> None:
    assert entry in {one.entry for one in screen(text).verdict.findings}


def test_a_wrong_check_digit_and_a_name_of_several_are_not_compared() -> None:
    assert "check digit" in "".join(screen("107-44-9").verdict.unread.values())
    assert screen("xylene").verdict.stops


def test_a_name_beside_a_harmless_structure_counts() -> None:
    found = screen("CCO", called="tabun")
    assert {one.by for one in found.verdict.findings} == {"name"}
    assert found.verdict.tier == "stop"
    assert screen("O=C(O)c1cc(O)c(O)c(O)c1", called="GA").verdict.tier == ""  # gallic acid


def test_the_command_line_says_list_entry_source_and_date() -> None:
    done = typed("controlled", "OCCN(CCO)CCO; CCO; CC(C)OP(C)(=O)F.O")
    assert done.stdout.splitlines() == [
        "OCCN(CCO)CCO: making it needs one confirmation by a person, for the whole plan",
        "  Chemical Weapons Convention, Schedule 3, 3.B.17: triethanolamine, CAS 102-71-6; by "
        "structure (Annex on Chemicals, with the changes C-24/DEC.4 and C-24/DEC.5; 2020-06-07)",
        "CCO: on none of these lists",
        "CC(C)OP(C)(=O)F.O: making it stops here, whoever asks",
        "  Chemical Weapons Convention, Schedule 1, 1.A.1: Sarin, CAS 107-44-8; by structure "
        "(Annex on Chemicals, with the changes C-24/DEC.4 and C-24/DEC.5; 2020-06-07) "
        "[CC(C)OP(C)(=O)F]",
    ]
    assert "lists: Chemical Weapons Convention, Schedule 1 (2020-06-07); " in done.stderr
    assert "safe" not in (done.stdout + done.stderr).casefold()


def test_json_has_all_of_it() -> None:
    told = json.loads(typed("controlled", "OCCSCCO; nonsense gel", "--json").stdout)
    assert told["tier"] == "unreadable"
    first, second = told["chemicals"]
    assert first["tier"] == "statement"
    assert {one["entry"] for one in first["findings"]} == {"2.B.13"}
    assert second["tier"] == "unreadable"
    assert second["unread"] == ["its structure is not known here"]
    assert len(told["digest"]) == 64
    assert {"CWC 1", "CWC 2", "CWC 3", "AG", "GHS"} <= {one["key"] for one in told["lists"]}


def test_tables_and_files_of_structures_are_read(tmp_path: Path) -> None:
    table = tmp_path / "plan.csv"
    with table.open("w", newline="") as stream:
        rows = [["name", "smiles"], ["soap", "OCCN(CCO)CCO"], ["ethanol", "CCO"], ["bad", "C("]]
        csv.writer(stream).writerows(rows)
    lines = typed("controlled", str(table)).stdout.splitlines()
    assert lines[0].startswith("soap (OCCN(CCO)CCO): making it needs one confirmation")
    assert "ethanol (CCO): on none of these lists" in lines
    assert "bad (C(): making it stops until a person has stated what it is" in lines
    names = tmp_path / "names.txt"
    names.write_text("ethanol\nricin\n")
    assert "1.A.8" in typed("controlled", str(names)).stdout
    xyz = tmp_path / "hydrogen cyanide.xyz"
    xyz.write_text("3\n\nH 0 0 -1.064\nC 0 0 0\nN 0 0 1.156\n")
    assert "3.A.3" in typed("controlled", str(xyz)).stdout
    assert "none.csv" in typed("controlled", str(tmp_path / "none.csv"), status=2).stderr


def test_a_session_is_handed_what_was_found(session: Grafico) -> None:
    found = session.controlled(["CCO", "ClCCSCCCl"])
    assert isinstance(found, Screening)
    assert found.tier == "stop"
    assert [one.verdict.tier for one in found.each] == ["", "stop"]
    with pytest.raises(InputError, match="1 to"):
        session.controlled("; ;")


def test_a_model_is_told_and_reads_no_file_of_others(session: Grafico, tmp_path: Path) -> None:
    outside = tmp_path / "plan.csv"
    outside.write_text("smiles\nCCO\n")
    context = ToolContext(session, tmp_path / "talk")
    try:
        given = {"name": "controlled", "subjects": ["OCCSCCO", str(outside)]}
        told, refused = used(context, "run_workflow", **given)["chemicals"]
    finally:
        context.close()
    assert told["tier"] == "statement"
    assert "2.B.13" in told["text"]
    assert refused["status"] == "failed"


def test_computing_what_is_listed_is_not_stopped(session: Grafico) -> None:
    """Nitromethane and phosgene are computed as anything is."""
    result = session.run("ClC(Cl)=O", method="GFN2-xTB")
    assert result.energy < 0


@pytest.mark.parametrize(
    "name",
    ["nitroglycérine", "trinitroglycerin", "NITROGLYCERINE", "Sarín", "ｓａｒｉｎ", "s-a-r-i-n"],
)
def test_accents_letters_and_longer_names_are_no_way_round(name: str) -> None:
    """OPSIN reads nitroglycerin by the letter, as a nitro group on glycerol."""
    assert screen(name).verdict.tier == "stop"


@pytest.mark.parametrize(
    "name",
    [
        "(E)-1-(2-chloro-1,3-thiazol-5-ylmethyl)-3-methyl-2-nitroguanidine",
        "4-nitrophenol",
        "glycerol",
        "2-nitropropane",
    ],
)
def test_names_that_only_have_such_a_part_are_let_pass(name: str) -> None:
    assert screen(name).verdict.tier in ("", "warning")


def test_a_table_of_unknown_headings_is_told_how_to_call_them(tmp_path: Path) -> None:
    table = tmp_path / "odd.csv"
    table.write_text("Material;Strukturformel\nsarin;CCO\n", encoding="utf-8")
    told = typed("controlled", str(table), status=2).stderr
    assert "call the column of structures `smiles`" in told
