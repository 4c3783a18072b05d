"""What a model and a person are told: all faults at once, near names, no path and no option."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico.agent import Told, ToolContext
from grafico.agent.toolbox import ArgumentsError, brief_names
from grafico.agent.tools import tools
from grafico.session.ontology import described, unknown_terms
from ogm.terms import PREFIXES
from triplestore import Table
from triplestore.errors import NotFoundError

from .helpers import H2, HF, used

ROOT = Path(__file__).parents[2]
OPTION = re.compile(r"(^|[\s(`])--[a-z]|`grafico |grafico (run|runs|show|fsck|ontology|resume)\b")
BARE = re.compile(r"--[a-z0-9]+")
"""An argument of a program, as `--chrg` of xtb: a text that is shown has more words than that."""
PATH = re.compile(r"""(?<![\w:/.'"<])/(?:[\w.+-]+/)+""")

FOR_PEOPLE = (
    "grafico/cli",
    "grafico/mcp",
    "grafico/session/models.py",
    "grafico/agent/conversations.py",
    "grafico/sandbox/jail.py",
    "grafico/session/inspection.py",
    "grafico/session/marks.py",
    "ogm/keeping",
    "ogm/reading.py",
    "triplestore/broker",
    "triplestore/remote",
    "grafico/agent/rules/pictures.py",  # plain requests are of people
    "workflows/show/paper.py",
    "workflows/show/run_record.py",
    "workflows/engine/graph/yeses.py",  # a yes is for a person alone to give, at a terminal
    "workflows/engine/local/person_key.py",
    "workflows/engine/request/consent.py",
    "workflows/engine/jobs/trust.py",  # a person's part alone
    "workflows/engine/jobs/taking.py",
    "workflows/engine/queues/slurm",
)
"""Where no text goes to a model: commands, servers, settings, copies of stores."""


# --- batches -------------------------------------------------------------------------------------


def test_one_bad_item_loses_no_batch(context: ToolContext) -> None:
    (context.folder / "bad.xyz").write_text("2\n\nH 0 0 x\nH 0 0 1\n")
    bad = ["heliom", "missing.xyz", "bad.xyz", "C1CC", "g:id/ConceptualAtoms/none", "", "[H]"]
    asked = ["[He]", *bad, "[Ne]"]
    rows = used(context, "calculate", molecules=asked, multiplicity=1, **HF)["molecules"]
    assert [row["molecule"] for row in rows] == asked
    assert rows[0]["status"] == rows[-1]["status"] == "finished"
    for row in rows[1:-1]:  # the last of them has an odd electron: refused for this one alone
        assert row["status"] == "failed", row
        assert {"asked", "found"} <= set(row["error"]), row
    rows = used(
        context,
        "run_workflow",
        name="spin-states",
        subjects=["heliom", "[He]"],
        arguments={"multiplicities": [1, 3], "method": "HF", "basis": "6-31G"},
    )["molecules"]
    assert [row["status"] for row in rows] == ["failed", "finished"]
    sums = [("1 + ", "Eh", "eV"), ("1", "Eh", "nonsense"), ("2", "Eh", "Eh")]
    given = [dict(zip(("value", "from_unit", "to_unit"), one, strict=True)) for one in sums]
    values = used(context, "convert_units", conversions=given)["values"]
    assert ["error" in one for one in values] == [True, True, False]
    run = rows[1]["run"]
    reported = used(context, "report", runs=["g:id/Run/none", run])["runs"]
    assert [one["run"] for one in reported if "error" not in one] == [run]
    mixed = [given[2], {"value": [1], "from_unit": "Eh"}, "3 Eh in eV", given[2]]
    heard: list[Told] = []
    context.told = heard.append
    found = used(context, "convert_units", conversions=mixed)
    assert [one["value"] for one in found["values"]] == [2, 2]
    assert "conversions.1.to_unit: Field required" in found["left_out"]
    assert heard[0].data == {"conversions": [given[2], given[2]]}, "as it was called"
    context.told = None
    assert {one.split(":")[0].split(".")[1] for one in found["left_out"]} == {"1", "2"}
    found = used(context, "calculate", molecules=["[He]", 5], **HF)
    assert [row["status"] for row in found["molecules"]] == ["finished"]
    assert found["left_out"] == ["molecules.1: Input should be a valid string"]
    with pytest.raises(ArgumentsError, match=r"molecules\.1: .*nonsense: there is no such arg"):
        used(context, "calculate", molecules=["[He]", 5], nonsense=1, **HF)


def test_remarks_that_most_share_are_told_once_and_lists_of_many_stay_behind_their_iris(
    context: ToolContext,
) -> None:
    noble = used(context, "calculate", molecules=["[He]", "[Ne]", "[Ar]"], **HF)
    shared = noble["remarks"]
    assert shared
    for row in noble["molecules"]:
        assert not set(shared) & set(row.get("remarks", ())), row
    mixed = used(context, "calculate", molecules=["[He]", "[Ne]", "[H][H]", "heliom"], **HF)
    [atoms] = [text for text in mixed["remarks"] if "single atom" in text]
    assert atoms.endswith("(not: [H][H])")
    assert all("single atom" not in str(row) for row in mixed["molecules"])
    [atom] = used(context, "calculate", molecules=["[He]"], task="frequencies", **HF)["molecules"]
    assert [] not in atom["details"].values()
    series = ["C=C", "[H][H]", "[He]", "[Ne]"]
    [alone] = used(context, "calculate", molecules=series[:1], task="frequencies", **HF)[
        "molecules"
    ]
    assert alone["stages"] == ["Optimisation"], "its frequencies are what was asked for"
    assert not {"stages"} & noble["molecules"][0].keys()
    wavenumbers = alone["details"]["wavenumbers_cm-1"]
    assert len(wavenumbers) == 12
    rows = used(context, "calculate", molecules=series, task="frequencies", **HF)["molecules"]
    iri = rows[0]["results"]["FrequencyAnalysis"]
    assert rows[0]["details"]["wavenumbers_cm-1"] == "12 in FrequencyAnalysis"
    assert rows[0]["values"] == alone["values"]
    found = used(context, "get", iri=iri)
    assert found["lists"]["wavenumbers_cm-1"] == wavenumbers


# --- names that are near -------------------------------------------------------------------------


def test_a_nested_argument_that_there_is_not_is_answered_with_those_that_there_are(
    context: ToolContext,
) -> None:
    given = {"value": "1", "fromunit": "Eh", "target": "eV"}
    with pytest.raises(ArgumentsError) as error:
        used(context, "convert_units", conversions=[given])
    assert "conversions.0.fromunit: there is no such argument, did you mean from_unit" in (
        error.value.found
    )
    assert "did you mean value, from_unit, to_unit?" in error.value.found
    assert "Extra inputs" not in error.value.told
    assert "conversions: Field required" not in error.value.told, "they were given, and wrong"


def test_classes_that_there_are_not_are_named_beside_those_that_there_are(
    context: ToolContext,
) -> None:
    found = used(context, "describe", name="SinglePoint, g:Frequencie, Xylophon")
    assert "g:SinglePoint <" in found["text"]
    assert "FrequencyAnalysis" in found["unknown"]["g:Frequencie"]
    assert found["unknown"]["Xylophon"] == "no such class"
    assert "text" not in used(context, "describe", name="Xylophon")
    with pytest.raises(NotFoundError, match=r"'SinglePont', 'Outcom'.*SinglePoint.*Outcome"):
        described(("SinglePont", "Outcom"), "text")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("gibbs_energy", "g:gibbsEnergy"),
        ("gibbs_energy_Eh", "g:gibbsEnergy"),
        ("gibbsEnergies", "g:gibbsEnergy"),
        ("SinglePont", "g:SinglePoint"),
    ],
)
def test_a_query_with_a_name_that_there_is_not_is_answered_with_those_near(
    context: ToolContext, wrong: str, right: str
) -> None:
    for term in (f"g:{wrong}", f"<{PREFIXES['g']}{wrong}>"):
        [line] = used(context, "query", sparql=f"SELECT ?x {{ ?x {term} ?y }}")["unknown"]
        assert line.startswith(f"g:{wrong}: ")
        assert line.partition("did you mean ")[2].startswith(right)
    assert unknown_terms(f"SELECT ?x {{ ?x a {right} ; prov:used <{PREFIXES['g']}id/A/b> }}") == []


def test_all_that_is_stored_is_known_to_queries(context: ToolContext) -> None:
    used(context, "calculate", molecules=["[H][H]"], task="frequencies", **HF)
    answer = context.session.query("SELECT DISTINCT ?p { { ?s ?p ?o } UNION { ?s a ?p } }")
    assert isinstance(answer, Table)
    every = " ".join(f"?s <{str(row[0]).strip('<>')}> ?o ." for row in answer.rows)
    assert "energy" in every
    assert unknown_terms(f"SELECT * {{ {every} }}") == []


def test_code_with_a_name_that_there_is_not_is_answered_with_those_near(
    context: ToolContext, confined: None
) -> None:
    [row] = used(context, "calculate", molecules=["[H][H]"], task="frequencies", **HF)["molecules"]
    iri = row["results"]["Thermochemistry"]
    found = used(context, "run_python", code=f"print(g.value('{iri}').gibbsEnergy)")
    assert "did you mean gibbs_energy" in found["error"]["found"]
    name = "gibbs_energy_Eh"  # as it is told of
    told = [row["values"][name], used(context, "get", iri=iri)["fields"][name]]
    code = f"it = g.value('{iri}')\nassert it.{name} == it.gibbs_energy\nprint(it.{name})"
    told.append(float(used(context, "run_python", code=code)["stdout"]))
    found = used(context, "find_results", property=name, molecule="[H][H]")
    told.append(found["rows"][0][found["columns"].index(name)])
    assert told == pytest.approx([row["values"][name]] * 4, abs=1e-8)
    found = used(context, "run_python", code="g.query('SELECT ?x { ?x g:gibbsEnergies ?y }')")
    assert "did you mean g:gibbsEnergy" in found["stderr"]


# --- neither path nor option ---------------------------------------------------------------------


def test_no_error_of_a_tool_names_a_path_or_an_option(context: ToolContext) -> None:
    (context.folder / "bad.xyz").write_text("2\n\nH 0 0 x\nH 0 0 1\n")
    (context.folder / "h2.xyz").write_text(H2.format(""))
    molecules = [
        "heliom",
        "missing.xyz",
        "bad.xyz",
        "bad.xyz#7",
        "h2.xyz",
        "7732-18-4",
        "1-11-5",
        "ethene radical cation",
        "g:id/Run/none",
        "C1CC",
        "",
        "[O][O]",
    ]
    none = "g:id/Run/none"
    calls: list[tuple[str, dict[str, Any]]] = [
        ("calculate", {"molecules": molecules, **HF}),
        ("calculate", {"molecules": ["[He]"], "method": "HFF", "basis": "STO-3G"}),
        ("calculate", {"molecules": ["[He]"], "method": "HF", "basis": "STO-33G"}),
        ("calculate", {"molecules": ["[He]"], "solvent": "watr", **HF}),
        ("calculate", {"molecules": ["[U]"], **HF}),
        ("run_workflow", {"name": "nothing"}),
        ("run_workflow", {"name": "spin-states", "subjects": molecules}),
        ("describe", {"name": "nothing"}),
        ("resume", {"run": none}),
        ("resume", {"run": "bad.xyz"}),
        ("convert_units", {"conversions": [{"value": "x", "from_unit": "a", "to_unit": "b"}]}),
        ("find_results", {"molecule": "heliom"}),
        ("find_results", {"property": "nothing"}),
        ("get", {"iri": none}),
        ("get", {"iri": "bad.xyz"}),
        ("query", {"sparql": "SELECT"}),
        ("query", {"sparql": "SELECT * { SERVICE <x:y> {} }"}),
        ("describe", {"name": "Nothing"}),
        ("report", {"runs": [none]}),
        ("show_structure", {"iri": none}),
        ("run_python", {"code": "g.value('g:id/Run/none')"}),
        ("calculate", {"molecules": ["[He]"], **HF, "on": "here"}),
        ("jobs", {}),
        ("cancel_job", {"job": none}),
    ]
    assert {name for name, _ in calls} >= set(tools()) - {"ask_user", "web_search"}
    for name, given in calls:
        try:
            found = used(context, name, **given)
        except ArgumentsError as error:
            found = {"found": error.told}
        if name == "run_python":  # its own paths are none of this machine
            assert str(ROOT) not in json.dumps(found)
            continue
        for text in texts(found):
            assert not OPTION.search(text), (name, text)
            assert not PATH.search(text), (name, text)
            assert str(context.folder) not in text


def test_paths_and_long_iris_are_named_briefly(tmp_path: Path) -> None:
    text = f"{tmp_path}/store/quads cannot be read; nothing of {PREFIXES['g']}id/Run/a"
    (tmp_path / "store").mkdir()
    assert brief_names(text) == "quads cannot be read; nothing of g:id/Run/a"
    for other in ("12.5 kJ/mol/K", "F/C=C/F", "'/etc/passwd' was asked for", "https://a.org/b/c"):
        assert brief_names(other) == other


def test_no_message_says_an_option_of_the_command_line() -> None:
    """Texts that can reach a model; what stands in help or docstrings cannot."""
    wrong = [
        f"{path.relative_to(ROOT)}: {text}"
        for folder in ("grafico", "workflows", "ontologies", "ogm", "triplestore")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not str(path.relative_to(ROOT)).startswith(FOR_PEOPLE)
        for text in messages(ast.parse(path.read_text(encoding="utf-8")))
        if OPTION.search(text) and not BARE.fullmatch(text)
    ]
    assert not wrong
    assert OPTION.search("ask PubChem (--online)")
    [said] = messages(ast.parse("raise InputError('a', f'{x}', 'use --force')"))[-1:]
    assert OPTION.search(said)


def texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    for one in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from texts(one)


def messages(tree: ast.AST) -> list[str]:
    """Texts in calls of errors, and returned ones: remarks and advice are made so."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            parts = node.args if called.endswith("Error") or called in ("extra", "emit") else []
        elif isinstance(node, ast.Return):
            parts = [node.value] if node.value else []
        else:
            continue
        for part in parts:
            inner = [one for one in ast.walk(part) if isinstance(one, ast.Constant)]
            found += [one.value for one in inner if isinstance(one.value, str)]
    return found


# --- without a sandbox ---------------------------------------------------------------------------


ALONE = """
import json, sys
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel
from grafico import Grafico
from grafico.agent import Agent

def answer(messages, info):
    seen = [[one.name for one in info.function_tools], info.instructions]
    return ModelResponse(parts=[TextPart(json.dumps(seen))])

with Grafico("memory:") as session, Agent(FunctionModel(answer), session=session) as agent:
    reply = agent.ask("what can you do?")
    print(json.dumps([*json.loads(reply.text), reply.notes]))
"""


def test_where_no_python_can_be_run_model_and_person_are_told(tmp_path: Path) -> None:
    there = {**os.environ, "PATH": str(tmp_path)}  # no bubblewrap in it
    done = subprocess.run(
        [sys.executable, "-c", ALONE],
        env=there,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names, instructions, notes = json.loads(done.stdout)
    assert "calculate" in names
    assert "run_python" not in [*names, *instructions.split()]
    assert "no Python can be run here" in instructions
    assert any("no Python can be run" in note and "bubblewrap" in note for note in notes)
