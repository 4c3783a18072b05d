"""The conversation: mending, limits, approval, memory, and switching models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from grafico import Grafico
from grafico.agent import Agent, Approval, Told
from grafico.session.models import make_model, model_settings
from triplestore.errors import ComponentError, InputError, RecipeError, ResourceError

from .helpers import H2, HF, scripted

HELIUM = ("calculate", {"molecules": ["[He]"], **HF})


def test_wrong_arguments_are_mended(session: Grafico) -> None:
    heard: list[str] = []

    def mend(came: list[Any]) -> list[tuple[str, dict[str, Any]]]:
        heard.append(came[0])
        return [HELIUM]

    wrong = [("calculate", {"molecules": ["[He]"], "xyz": "HF", "methd": "HF"})]
    model = scripted(wrong, mend, lambda came: json.dumps(came[0])[:9])
    with Agent(model, session=session) as agent:
        assert agent.ask("helium?").text == '{"molecul'
    assert "xyz: there is no such argument" in heard[0]
    assert "did you mean method?" in heard[0]


def test_a_tool_that_is_not_there_and_arguments_that_are_no_object(session: Grafico) -> None:
    model = scripted([("compute", {})], [("get", "[1]")], lambda came: str(came[0]))
    with Agent(model, session=session) as agent:
        assert agent.ask("?").usage.requests == 3


def test_a_model_that_never_mends_is_given_up(session: Grafico) -> None:
    wrong = [("calculate", {"molecules": 3})]
    with Agent(scripted(*[wrong] * 9), session=session) as agent:
        with pytest.raises(RecipeError, match="choose another model"):
            agent.ask("?")
        assert agent.ask("and now?", model=scripted("now it works")).text == "now it works"


def test_requests_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFICO_AGENT_REQUEST_LIMIT", "3")
    with (
        Grafico("memory:") as session,
        Agent(scripted(*[[("describe", {})]] * 9), session=session) as agent,
    ):
        with pytest.raises(ResourceError, match="raise agent_request_limit"):
            agent.ask("?")
        # the next question is a new one, and the conversation is whole
        assert agent.ask("and now?", model=scripted("fine")).text == "fine"


class Priced(FunctionModel):
    """A model with a price that is known."""

    async def request(self, *args: Any, **kwargs: Any) -> ModelResponse:
        response = await super().request(*args, **kwargs)
        from decimal import Decimal

        response.usage = RequestUsage(input_tokens=10, output_tokens=1, cost=Decimal("0.6"))
        return response


def test_costs_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFICO_AGENT_COST_LIMIT", "1")
    plain = scripted([("describe", {})], [("describe", {})], "done")
    with Grafico("memory:") as session, Agent(plain, session=session) as agent:
        reply = agent.ask("?")
        assert reply.usage.cost is None
        assert any("not known: agent_cost_limit" in note for note in reply.notes)
        steps = scripted([("describe", {})], [("describe", {})], "done")
        with pytest.raises(ResourceError, match=r"1\.2000 US dollars; 1 are allowed"):
            agent.ask("?", model=Priced(steps.function))  # type: ignore[arg-type]


@pytest.mark.parametrize("yes", [True, False])
def test_a_no_is_a_normal_answer(session: Grafico, yes: bool) -> None:
    heard: list[Approval] = []

    async def approve(what: Approval) -> bool:
        heard.append(what)
        return yes

    asked = {"lid": "open", "device": f"that hears {yes}"}
    call = ("run_workflow", {"name": "microwave", "arguments": asked})
    model = scripted([call], lambda came: json.dumps(came[0]["devices"][0]))
    with Agent(model, session=session, approve=approve) as agent:
        said = json.loads(agent.ask("open the lid").text)
    assert ("denied" in said) != yes
    assert heard[0].why == "it commands a device"


def test_a_question_back(session: Grafico) -> None:
    model = scripted([("ask_user", {"question": "Which?"})], lambda came: came[0]["answer"])
    with Agent(model, session=session, ask=lambda text, options: "that at 2.5 eV") as agent:
        reply = agent.ask("?")
    assert reply.text == "that at 2.5 eV"
    assert reply.unsourced == []


def test_a_conversation_goes_on_elsewhere_with_another_model(session: Grafico) -> None:
    model = scripted([HELIUM], "The energy is -2.80778 Eh.")
    with Agent(model, session=session) as agent:
        first = agent.ask("helium?")

    def count(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(f"-2.80778 Eh after {len(messages)}")])

    with Agent(FunctionModel(count), session=session, conversation=first.conversation) as agent:
        reply = agent.ask("again?")
    assert reply.text == "-2.80778 Eh after 5"
    # what an earlier question computed is still a source
    assert reply.numbers[0].source == first.numbers[0].source
    assert reply.conversation == first.conversation


def test_pasted_structures_reach_the_model_as_iris(session: Grafico, tmp_path: Path) -> None:
    def use(came: list[Any]) -> list[tuple[str, dict[str, Any]]]:
        assert "0.740848" not in came[0]
        iri = came[0].split('"structure": "')[1].split('"')[0]
        return [("calculate", {"molecules": [iri], **HF})]

    model = scripted(use, lambda came: f"{came[0]['molecules'][0]['values']['energy_Eh']:.4f} Eh")
    with Agent(model, session=session, folder=tmp_path) as agent:
        reply = agent.ask(f"energy of\n{H2.format('mine')}?")
    assert reply.text == "-1.1167 Eh"  # Szabo and Ostlund, see helpers
    assert reply.attached[0].file == "pasted-1.xyz"
    assert reply.unsourced == []


async def test_inside_a_running_loop(session: Grafico) -> None:
    with Grafico("memory:") as own, Agent(scripted("a", "b"), session=own) as agent:
        assert (await agent.ask_async("?")).text == "a"
    with Agent(scripted("c"), session=session) as agent:
        assert agent.ask("?").text == "c"


def test_what_happens_is_told(session: Grafico) -> None:
    told: list[Told] = []
    with Agent(scripted([HELIUM], "done"), session=session, told=told.append) as agent:
        agent.ask("?")
    assert [(one.kind, one.subject) for one in told] == [
        ("tool", "calculate"),
        ("result", "calculate"),
    ]


def test_models_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InputError, match="none is named"):
        make_model("")
    with pytest.raises(InputError, match="Unknown model"):
        make_model("nobody:any")
    with pytest.raises(ComponentError, match="OPENAI_API_KEY"):
        make_model("openai-chat:gpt-5")
    local = make_model("openai-chat:any", "http://127.0.0.1:1/v1")  # needs no key
    assert local.model_name == "any"


def test_settings_reach_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    from grafico.session.settings import read_settings

    monkeypatch.setenv("GRAFICO_AGENT_TEMPERATURE", "0.3")
    monkeypatch.setenv("GRAFICO_AGENT_EFFORT", "high")
    found = model_settings(read_settings(), 5.0)
    assert found == {"timeout": 5.0, "temperature": 0.3, "thinking": "high"}


def test_what_is_no_question_is_refused(session: Grafico) -> None:
    with Agent(scripted("x"), session=session) as agent:
        for question in ("  ", "energy of w\udcffter"):
            with pytest.raises(InputError):
                agent.ask(question)
        assert agent.conversation == ""
