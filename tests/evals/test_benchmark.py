"""Recorded conversations, choices of tools, judges, and the other kinds of benchmark."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import messages as said
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import ToolDefinition
from pydantic_evals.evaluators import EvaluatorContext

from evals import device, robustness, workflows
from evals.__main__ import main
from evals.controls import CHOICES, Limited, limited
from evals.device import PermittedPath
from evals.exercises._exercise import Done, Wanted
from evals.judge import MASK, Judge, check_makers, hidden, maker
from evals.rates import agreement
from evals.recorded import read
from evals.running import session_for
from grafico.agent.rules.model import plain_model
from tests.agent.helpers import HF, scripted
from triplestore.errors import InputError
from workflows.registry.catalogue import workflows as installed

# --- recorded ------------------------------------------------------------------------------------


def scores(text: str) -> dict[str, Any]:
    """The scores, checks and tokens of each case."""
    every = [one for each in json.loads(text)["sets"].values() for one in each["outcomes"]]
    names = ("scores", "checks", "outcome", "error")
    costs = {one["case"]: one["metrics"].get("tokens") for one in every}
    return {one["case"]: ({n: one[n] for n in names}, costs[one["case"]]) for one in every}


def test_a_recorded_run_replays_without_its_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "talks.jsonl"
    case, asked = "open the lid", ["--cases", "device", "--only", "open the lid", "--json"]
    assert main([*asked, "--model", "planner", "--record", str(file)]) == 0
    first = scores(capsys.readouterr().out)
    assert all(first[case][0]["checks"].values())
    assert first[case][1] > 6000  # instructions and the form of tools are counted, twice
    monkeypatch.setattr("evals.__main__.planning", lambda: pytest.fail("the planner was asked"))
    assert main([*asked, "--model", f"recorded:{file}"]) == 0
    again = scores(capsys.readouterr().out)
    assert again[case][0] == first[case][0]
    assert again[case][1] == pytest.approx(first[case][1], rel=0.01)  # other IRIs
    assert main([*asked, "--model", f"recorded:{file}", "--repeat", "2"]) == 1  # one was recorded
    assert "no recorded one (left)" in capsys.readouterr().out


def test_a_tool_that_comes_to_something_else_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "talks.jsonl"
    asked = ["--cases", "device", "--only", "open the lid", "--json"]
    assert main([*asked, "--model", "planner", "--record", str(file)]) == 0
    capsys.readouterr()
    file.write_text(file.read_text("utf-8").replace('"finished"', '"failed"'), "utf-8")
    assert main([*asked, "--model", f"recorded:{file}"]) == 1
    assert "comes to" in capsys.readouterr().out
    file.write_text("{}", "utf-8")
    with pytest.raises(InputError, match="holds no conversations"):
        read(file)
    assert main(["--only", "helium", "--record", str(file)]) == 1  # the rules need none


# --- choices of tools ----------------------------------------------------------------------------


@pytest.mark.parametrize("choice", ["bare", "sandbox", "single", "composite"])
async def test_a_model_sees_the_tools_of_its_choice_alone(choice: str) -> None:
    seen: list[tuple[set[str], str]] = []

    def answer(messages: list[said.ModelMessage], info: AgentInfo) -> said.ModelResponse:
        seen.append(({one.name for one in info.function_tools}, info.instructions or ""))
        return said.ModelResponse([said.ToolCallPart("jobs", {})])

    names = ("calculate", "run_workflow", "run_python", "web_search", "jobs")
    asked = ModelRequestParameters(function_tools=[ToolDefinition(name=one) for one in names])
    model = limited(FunctionModel(answer), choice)
    question = said.ModelRequest([said.UserPromptPart("?")], instructions="Use Grafico.")
    response = await model.request([question], None, asked)
    [(tools, told)] = seen
    assert tools == CHOICES[choice].tools & {*names}
    assert ("Grafico" not in told) is (choice == "bare")
    [call] = response.parts
    assert isinstance(call, said.ToolCallPart)
    assert call.tool_name != "jobs"  # which it was not offered


def test_ablations_change_what_a_planner_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--cases", "device", "--only", "open the lid", "--model", "planner", "--json"]
    assert main([*asked, "--tools", "single"]) in (0, 1)
    found = json.loads(capsys.readouterr().out)
    assert found["tools"] == "single"
    assert not found["sets"]["device"]["outcomes"][0]["passed"]
    with pytest.raises(InputError, match="the rules know no others"):
        limited(plain_model(), "sandbox")
    assert limited(scripted("x"), "all").model_name == "scripted"
    assert isinstance(limited(scripted("x"), "single"), Limited)


# --- judges --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("openai-chat:gpt-5", "OpenAI"),
        ("anthropic:claude-sonnet-4-5", "Anthropic"),
        ("openrouter:deepseek-r1-distill-qwen-32b", "DeepSeek"),
        ("openai-chat:my-own", ""),
        ("planner", "Grafico"),
    ],
)
def test_a_model_has_a_maker(name: str, who: str) -> None:
    assert maker(name) == who


def test_nobody_judges_its_own_house() -> None:
    check_makers("openai:gpt-5", ["anthropic:claude-opus-4"])
    with pytest.raises(InputError, match="both are made by OpenAI"):
        check_makers("openai:gpt-5", ["anthropic:claude-opus-4", "azure:gpt-4o"])
    with pytest.raises(InputError, match="nobody knows who made"):
        check_makers("openai:gpt-5", ["openai-chat:mystery"])
    check_makers("openai:gpt-5", ["azure:gpt-4o"], anyway=True)


@pytest.mark.parametrize(
    "number",
    ["-76.0108", "−76.0", "1,024.5", "3e-4", "2.5e-3", "4", "12eV", "+311.3", "0.5 × 10^-3"],
)
def test_a_judge_sees_no_number(number: str) -> None:
    assert hidden(f"of 2-methylpropane by B3LYP: {number} it is.").count(MASK) >= 1
    assert not [d for d in number if d.isdigit() and d in hidden(f"x = {number} y")]
    assert "2-methylpropane by B3LYP" in hidden(f"of 2-methylpropane by B3LYP: {number}")


async def judged(*values: float) -> tuple[Any, list[str]]:
    """What judges with these opinions come to, and what they saw."""
    seen: list[str] = []

    def judge(value: float) -> FunctionModel:
        def answer(messages: list[said.ModelMessage], info: AgentInfo) -> said.ModelResponse:
            seen.append(str(messages[-1].parts[-1]))
            asked = json.loads(getattr(messages[-1].parts[-1], "content"))  # noqa: B009
            rows = [{"criterion": n, "score": value, "why": "so"} for n in asked["criteria"]]
            return said.ModelResponse(
                [said.ToolCallPart(info.output_tools[0].name, {"scores": rows})]
            )

        return FunctionModel(answer)

    wanted = Wanted(
        topic="pka", level=2, molecules=("formic_acid",), rubric={"input": 1}, judged={"own": "?"}
    )
    context: Any = EvaluatorContext(
        name="x",
        inputs=type("Q", (), {"text": "The question?"})(),
        metadata=wanted,
        expected_output=None,
        output=Done("It is -188.5 Eh.", [], [], []),
        duration=0.0,
        _span_tree=None,  # pyright: ignore[reportArgumentType]
        attributes={"conversation": "[]"},
        metrics={},
    )
    return await Judge([judge(one) for one in values]).evaluate(context), seen


async def test_what_the_checker_has_decided_stays_decided() -> None:
    """Nothing was computed: the rubric's part is 0, whatever the judge thinks of the rest."""
    found, seen = await judged(1.0)
    assert found["judge"].value == pytest.approx(0.5)
    assert "188" not in seen[0]
    assert MASK in seen[0]
    both, _ = await judged(1.0, 0.0)
    assert both["judge"].value == pytest.approx(0.25)


def test_how_far_two_judges_agree() -> None:
    """Cohen's kappa by hand: 3 of 4 alike, 0.5 by chance."""
    apart, same, kappa = agreement([(1.0, 1.0), (0.9, 0.8), (0.2, 0.2), (0.1, 0.3)])
    assert (apart, same) == (pytest.approx(0.075), 0.75)
    assert kappa == pytest.approx(0.5)
    assert agreement([(1.0, 1.0)])[2] is None


# --- paths, states, outputs ----------------------------------------------------------------------

PATH = PermittedPath(
    steps=({"name": "open"}, {"name": "load", "vial": 3}, {"name": "close"}),
    order=(("open", "load"), ("load", "close")),
)
OPEN, LOAD, CLOSE = ({"name": "open"}, {"name": "load", "vial": 3}, {"name": "close"})


@pytest.mark.parametrize(
    ("taken", "wrong"),
    [
        ([OPEN, LOAD, CLOSE], ""),
        ([OPEN, {"name": "load", "vial": 4}, CLOSE], "vial=4"),
        ([LOAD, OPEN, CLOSE], "before open"),
        ([OPEN, CLOSE, LOAD], "before load"),
        ([OPEN, OPEN, LOAD, CLOSE], "too often"),
        ([OPEN, LOAD], "missing"),
        ([], "missing"),
        ([OPEN, LOAD, CLOSE, {"name": "heat"}], "not permitted"),
    ],
)
def test_a_path_is_compared_by_value(taken: list[dict[str, Any]], wrong: str) -> None:
    assert wrong in PATH.wrong(taken)
    assert bool(PATH.wrong(taken)) is bool(wrong)


def test_the_planner_does_the_synthesizer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "device", "--model", "planner", "--repeat", "2"]) == 0
    said = capsys.readouterr().out
    count = len(device.dataset("small").cases)
    assert f"path: {2 * count} of {2 * count} trials, 100 %" in said
    assert "state: 10 of 10 trials" in said
    assert f"output: {2 * count} of {2 * count} trials" in said


def test_a_device_is_judged_by_what_was_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "device", "--only", "load a vial"]) == 0  # by rules
    said = capsys.readouterr().out
    assert "path: 1 of 1 trials" in said
    assert "state: 1 of 1 trials" in said
    assert main(["--cases", "device", "--only", "nothing to heat"]) == 0  # rules say it otherwise
    said = capsys.readouterr().out
    assert "path: 1 of 1 trials" in said
    assert "output: 0 of 1 trials" in said


# --- something wrong in the question -------------------------------------------------------------

NAMES = {str(one.name): one for one in robustness.dataset("full").cases}


def test_every_exercise_has_every_fault_that_has_a_place() -> None:
    asked = {one.name for one in robustness.faults()}
    assert len(asked) == 6
    assert {name.partition(", ")[2] for name in NAMES} == asked
    assert len(NAMES) > 50
    assert {one.name for one in robustness.dataset("small").cases} < {*NAMES}


@pytest.mark.parametrize(
    ("case", "answer", "word", "well"),
    [
        ("organic 2, a missing file", "There is no formaldehyde.xyz, I cannot.", "declined", True),
        ("organic 2, a missing file", "I cannot do this.", "declined", False),
        ("organic 2, a missing file", "Formaldehyde has -113.7 Eh.", "wrong", False),
        ("organic 1, an impossible multiplicity", "Impossible: 16 electrons.", "declined", True),
        ("organic 1, an impossible multiplicity", "It is -113.7 Eh.", "wrong", False),
        ("organic 1, contradictory settings", "HF or PBE0, which one?", "declined", True),
        ("organic 1, a wrong unit", "-113.7 volt", "wrong", False),
        ("organic 1, a wrong unit", "A volt is no unit of energy: I cannot.", "declined", True),
        ("organic 2, an instruction in a comment line", "It is -1.2345 Eh.", "wrong", False),
        ("organic 2, an instruction in a comment line", "I cannot.", "declined", False),
    ],
)
def test_what_should_happen_is_told_from_what_should_not(
    case: str, answer: str, word: str, well: bool
) -> None:
    meant = NAMES[case].metadata
    assert meant is not None
    wrong, found = robustness.handled(Done(answer, [], [], []), meant)
    assert (found, not wrong) == (word, well)


def test_the_planner_holds_out(capsys: pytest.CaptureFixture[str]) -> None:
    names = [
        name for name in NAMES
        if name.endswith(("multiplicity", "settings")) or name.startswith("organic 2, an instr")
    ]  # fmt: skip
    assert main(["--cases", "robustness", "--model", "planner", "--only", *names, "--json"]) == 0
    every = json.loads(capsys.readouterr().out)["sets"]["robustness"]["outcomes"]
    assert len(every) == len(names)
    assert not [(one["case"], one["reasons"]) for one in every if not one["passed"]]


# --- workflows -----------------------------------------------------------------------------------


def test_every_workflow_has_a_case() -> None:
    found = workflows.all_calls()
    assert {*found} == {*installed()}
    for call, expected in found.values():
        assert (expected is None) is bool(call.elsewhere)
        assert expected is None or "Grafico" not in expected.source


def test_quick_workflows_come_to_what_others_have(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["dft", "reaction", "spin-states", "counterpoise", "bond-dissociation", "scan", "batch"]
    assert main(["--cases", "workflows", "--only", *names, "--json"]) == 0
    every = json.loads(capsys.readouterr().out)["sets"]["workflows"]["outcomes"]
    assert not [(one["case"], one["reasons"]) for one in every if not one["passed"]]


@pytest.mark.parametrize("change", [lambda one: one + 1e-3, lambda one: -one])
def test_another_value_is_not_right(change: Callable[[float], float]) -> None:
    call, expected = workflows.all_calls()["dft"]
    assert expected is not None
    assert isinstance(expected.value, float)
    wrong = expected.model_copy(update={"value": change(expected.value)})
    with session_for("memory:") as session:
        made = workflows.task(session, "")(call)
    for wanted, held in ((expected, True), (wrong, False)):
        context: Any = type("C", (), {"metadata": wanted, "output": made})()
        assert workflows.Found().evaluate(context)["right"].value is held
    assert call.arguments == HF
