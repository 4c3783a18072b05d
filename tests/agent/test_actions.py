"""What writes texts and files, pictures and archives, and what withdraws a run: as a model asks."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.agent import Approval, ToolContext
from grafico.agent.sources import Ledger, check
from grafico.agent.toolbox import ArgumentsError
from grafico.views.brief import together
from workflows.registry import workflows

from .helpers import HF, used


def made(context: ToolContext, name: str, *subjects: str, **asked: object) -> list[dict[str, str]]:
    found = used(context, "run_workflow", name=name, subjects=[*subjects], arguments=asked)
    return next(iter(found.values()))


@pytest.mark.parametrize("name", [one.command for one in workflows().actions if not one.personal])
def test_every_action_is_told_and_described(context: ToolContext, name: str) -> None:
    from grafico.agent.tools import tools

    assert name in tools()["run_workflow"].description.partition("(argument file)")[2]
    found = used(context, "describe", name=name)
    assert found["name"] == name
    assert found["subjects"]  # one that takes no arguments names none
    with pytest.raises(ArgumentsError, match="there is no such argument"):
        made(context, name, "[He]", nonsuch=1)
    with pytest.raises(ArgumentsError, match="takes a moment"):
        used(context, "run_workflow", name=name, subjects=["[He]"], on="here")


def test_stereoisomers_are_told(context: ToolContext) -> None:
    [row] = made(context, "stereoisomers", "CC(O)F")
    assert {one.split()[-1] for one in row["text"].splitlines()} == {"R", "S"}
    [row] = made(context, "stereoisomers", "CC(O)F", file="both.smi")
    assert row["file"] == "both.smi"
    assert len((context.folder / "both.smi").read_text().splitlines()) == 2


def test_a_file_is_written_into_the_folder_and_replaces_nothing(context: ToolContext) -> None:
    (context.folder / "gas.xyz").write_text("mine")
    [row] = made(context, "convert", "[He]", file="gas.xyz")
    assert row["file"] != "gas.xyz"
    assert (context.folder / "gas.xyz").read_text() == "mine"
    assert "He" in (context.folder / row["file"]).read_text()
    for name in ("../out.xyz", ".hidden.xyz", "a/../../out.xyz"):
        [row] = made(context, "convert", "[He]", file=name)
        assert row["status"] == "failed", name
    assert not (context.folder.parent / "out.xyz").exists()
    [outside] = made(context, "convert", "[He]", file="/tmp/grafico-out.xyz")
    assert not Path("/tmp/grafico-out.xyz").exists()
    assert outside.get("file") in (None, "grafico-out.xyz")


def test_one_subject_that_fails_ends_no_other(context: ToolContext) -> None:
    good, bad = made(context, "convert", "[He]", "[Xx]", to="xyz")
    assert good["status"] == "finished"
    assert bad["error"]["kind"]  # type: ignore[index]


@pytest.fixture(scope="module")
def asked() -> Iterator[tuple[ToolContext, list[Approval]]]:
    """A store of its own, and a person who agrees to what has a good reason."""
    heard: list[Approval] = []

    def approve(what: Approval) -> bool:
        heard.append(what)
        return "the basis set is too small" in what.why

    with Grafico("memory:", threads_per_calculation=1) as session:
        made = ToolContext(session, approve=approve)
        yield made, heard
        made.close()


def test_charts_as_pictures_and_runs_as_an_archive(
    asked: tuple[ToolContext, list[Approval]],
) -> None:
    context, _ = asked
    [row] = used(context, "calculate", molecules=["[H][H]"], states=1, **HF)["molecules"]
    found = used(context, "report", runs=[row["run"]], to="pictures")
    for file in found["files"]:
        assert (context.folder / file).read_bytes().startswith(b"\x89PNG")
    assert found["files"]
    found = used(context, "report", runs=[row["run"]], to="archive")
    with zipfile.ZipFile(context.folder / found["file"]) as archive:
        assert archive.namelist()


def test_a_run_is_withdrawn_with_a_persons_yes(
    asked: tuple[ToolContext, list[Approval]],
) -> None:
    from grafico.agent.job_tools import cancel_job

    context, heard = asked
    [row] = used(context, "calculate", molecules=["[He]"], **HF)["molecules"]
    run = row["run"]

    def withdrawn(why: str) -> dict[str, Any]:  # the tool itself is off with a store in memory
        call = cancel_job.function
        said = context.session.wait_for(lambda: call(context, job=run, why=why))
        assert isinstance(said, dict)
        return said

    said = withdrawn("I do not like it")
    assert said["status"] == "denied"
    assert run in [one.run.replace("https://w3id.org/grafico/", "g:")
                   for one in context.session.runs()]  # fmt: skip
    said = withdrawn("the basis set is too small")
    assert run in said["withdrawn"]
    assert [one.tool for one in heard] == ["cancel_job"] * 2
    [again] = used(context, "calculate", molecules=["[He]"], **HF)["molecules"]
    assert "remembered" not in again["reading"]


def test_molar_energies_are_known_in_both_units() -> None:
    ledger = Ledger()
    ledger.call("calculate", {}, {"molecules": [{"run": "g:id/Run/1", "values": {
        "barrier_kcal/mol": 10.0}}]})  # fmt: skip
    assert [one.source for one in check("10.0 kcal/mol, 41.84 kJ/mol, 41.9 kJ/mol", ledger)] == [
        "g:id/Run/1",
        "g:id/Run/1",
        None,
    ]


def test_what_a_run_took_where_nobody_said_it_is_a_setting() -> None:
    ledger = Ledger()
    asked = {"name": "conformers", "subjects": ["CO"]}
    ledger.call("run_workflow", asked, {"molecules": [{"molecule": "CO", "run": "g:id/Run/1"}]})
    field = workflows().named("conformers").whole.arguments["window"]
    [number] = check(f"within {field.default:g} kcal/mol", ledger)
    assert (number.how, number.source) == ("setting", "g:id/Run/1")


def test_remarks_that_differ_in_numbers_are_told_as_one() -> None:
    said = ["A: 72 gradients at 0.005 bohr", "x", "B: 90 gradients at 0.005 bohr", "x", "C: none"]
    assert together(said) == ["A, B: 72, 90 gradients at 0.005 bohr", "x", "C: none"]
    assert together(["A: CH3 is bent", "B: CH4 is bent"]) == ["A: CH3 is bent", "B: CH4 is bent"]


def test_molecules_are_compared_with_files_of_the_folder_alone(
    context: ToolContext, tmp_path: Path
) -> None:
    secret = tmp_path / "mine.smi"
    secret.write_text("CCCCO secret\n")
    for name in (str(secret), "../mine.smi", "/etc/passwd"):
        [row] = made(context, "similar", "CCO", to=[name])
        assert row["status"] == "failed", name
        assert "secret" not in str(row)
        assert "CCCCO" not in str(row)
    (context.folder / "ours.smi").write_text("CCCCO butanol\n")
    [row] = made(context, "similar", "CCO", to=["ours.smi"])
    assert "CCCCO butanol" in row["text"]


def test_no_model_sends_what_a_person_has_to_agree_to(context: ToolContext) -> None:
    [row] = made(context, "published", "CCO")
    assert row["status"] == "failed"
    assert "nobody has said yes" in str(row)
    with pytest.raises(ArgumentsError):
        made(context, "published", "CCO", online=True)
    with pytest.raises(ArgumentsError):
        made(context, "safety", "CCO", online=True)
