"""Twelve workflows more: a model is told of them in a few words, and can use each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.agent import Agent, ToolContext
from grafico.agent.prompt import prompt
from grafico.agent.toolbox import size
from grafico.agent.tools import tools
from tests.extension.conftest import install
from workflows.registry import workflows

from .helpers import HF, ran, scripted, used
from .twelve import TITLES

HERE = Path(__file__).parent


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The package, as pip would install it."""
    folder = tmp_path_factory.mktemp("site")
    install(folder, "twelve", "[grafico.workflows]\ntwelve = twelve\n")
    workflows.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(folder), str(HERE), *sys.path])
        yield
    workflows.cache_clear()


def test_tools_and_prompt_stay_short_with_twelve_workflows_more() -> None:
    """Counted as in test_tools; each workflow adds its name and no more."""
    found = {name: one for name, one in tools().items() if name != "web_search"}
    assert (size(found) + len(prompt())) / 3.5 <= 2530
    told = found["run_workflow"].description
    assert set(TITLES) <= set(told.partition("describe. ")[2].partition(". ")[0].split("; "))
    assert not set(TITLES) & set(found)
    assert "NMR" not in prompt()  # there is a workflow for it now


def test_nothing_of_them_is_imported_to_tell_of_them(context: ToolContext) -> None:
    sys.modules.pop("twelve.definitions", None)
    assert tools()
    assert "twelve.definitions" not in sys.modules
    told = {*used(context, "describe")["workflows"]}
    assert told >= {f"{command}: {title}" for command, title in TITLES.items()}
    assert "twelve.definitions" not in sys.modules
    assert used(context, "describe", name="logP")["title"] == TITLES["logp"]
    assert "twelve.definitions" in sys.modules


def test_each_is_described_and_runs(context: ToolContext) -> None:
    row = ran(context, "reaction-path", "[He]", multiplicities=[1], **HF)
    assert row["status"] == "finished"
    assert row["values"]["ground_multiplicity"] == 1
    again = used(context, "resume", run=row["run"])
    assert again["status"] == "finished"
    for name in TITLES:
        found = used(context, "describe", name=name)
        assert "multiplicities" in found["arguments"]
        assert "molecule" in found["subjects"].lower()


def test_a_model_mends_wrong_arguments_with_the_form_that_it_is_sent(
    session: Grafico, tmp_path: Path
) -> None:
    came: list[Any] = []
    wrong = {"multiplicity_list": [1], "theory_name": "HF", "basis": "STO-3G"}

    def call(arguments: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        return [
            ("run_workflow", {"name": "tautomers", "subjects": ["[He]"], "arguments": arguments})
        ]

    def mended(seen: list[Any]) -> Any:
        came.extend(seen)
        [text] = seen
        form = json.loads(text[text.index('{"') :])
        field = next(name for name, said in form.items() if said.get("type") == "array")
        return call({field: [1], "method": "HF", "basis": "STO-3G"})

    def told(seen: list[Any]) -> str:
        came.extend(seen)
        [row] = seen[0]["molecules"]
        [state] = row["values"]["states"]
        return f"The singlet of helium has {state['energy_Eh']} Eh."

    with Agent(scripted(call(wrong), mended, told), session=session, folder=tmp_path) as agent:
        reply = agent.ask("Compare the tautomers of [He] with HF/STO-3G.")
    refused, found = came
    assert "multiplicity_list" in refused
    assert "theory_name" in refused
    assert len(refused) / 3.5 < 700
    assert found["molecules"][0]["status"] == "finished"
    assert "-2.80778" in reply.text
    assert not reply.unsourced
    assert reply.usage.requests == 3
