"""Conversations are kept as they go on, and gone on with after breaks of every kind."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from evals.planner import text
from grafico import Grafico
from grafico.agent import Agent
from grafico.agent.conversations import (
    Keeper,
    answers,
    find,
    lines,
    name_of,
    rename,
    transcript,
    turns,
)
from ontologies import Conversation, Message, Run, SinglePoint, Turn, TurnOutcome
from triplestore import Table
from triplestore.errors import InputError, NotFoundError, ResourceError

from .helpers import HF, scripted
from .server import Message as Said
from .server import calls, says, serving

ROOT = Path(__file__).resolve().parents[2]
HELIUM = ("calculate", {"molecules": ["[He]"], **HF})
ACETIC_ACID = "CC(=O)O"


@pytest.fixture
def own() -> Any:
    with Grafico("memory:", threads_per_calculation=1) as session:
        yield session


def echo(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Says what it was sent, in short."""
    shown = [
        f"{'asked' if isinstance(m, ModelRequest) else 'said'}: "
        + "/".join(str(getattr(p, "content", "") or getattr(p, "tool_name", "")) for p in m.parts)
        for m in messages
    ]
    return ModelResponse(parts=[TextPart(json.dumps(shown))])


def test_a_conversation_is_in_the_graph_with_its_runs(own: Grafico) -> None:
    with Agent(scripted([HELIUM], "-2.80778 Eh"), session=own) as agent:
        assert agent.conversation == ""
        reply = agent.ask("  The energy of\nhelium?")
    [kept] = own.kg.find(Conversation)
    assert kept.iri == reply.conversation == agent.conversation
    [(turn, end)] = turns(own.kg, kept)
    assert end is not None
    assert (turn.planner, end.status, end.answer) == ("scripted", "answered", "-2.80778 Eh")
    assert name_of(own.kg, kept) == "The energy of helium?"
    [run] = own.kg.find(Run, graph="dft")
    assert [link.iri for link in end.runs] == [run.iri]
    # from the question to the number by what is stored alone
    answer = own.query(
        f"""SELECT ?energy {{ ?turn g:conversation <{kept.iri}> . ?end g:turn ?turn ; g:runs ?run .
            ?outcome g:run ?run ; g:results ?result . ?result g:energy ?energy }}"""
    )
    assert isinstance(answer, Table)
    [[energy]] = answer.rows
    assert energy
    assert float(energy.value) == own.kg.find(SinglePoint)[0].energy
    assert len(own.kg.find(Message)) == 4  # question, call, result, answer


def test_messages_are_kept_before_tools_are_at_work(own: Grafico) -> None:
    seen: list[int] = []

    def listen(told: Any) -> None:
        if told.kind == "tool":
            seen.append(len(own.kg.find(Message)))

    with Agent(scripted([HELIUM], "done"), session=own, told=listen) as agent:
        agent.ask("?")
    assert seen == [2]  # the question and the call


def test_what_fails_is_kept_too_and_the_next_question_is_a_new_one(own: Grafico) -> None:
    model = scripted([HELIUM], ValueError("no more"))
    with Agent(model, session=own) as agent, pytest.raises(Exception, match="no more"):
        agent.ask("first?")
    [(_, end)] = turns(own.kg, find(own.kg, "last"))
    assert end is not None
    assert end.status == "failed"
    with Agent(FunctionModel(echo), session=own, conversation="last") as agent:
        sent = json.loads(agent.ask("second?").text)
    assert [one.split(":")[0] for one in sent] == ["asked", "said", "asked", "said", "asked"]
    assert "No answer" in sent[3]
    assert sent[4] == "asked: second?"


def test_marks_of_an_answer_stay_where_it_is_read_again(own: Grafico) -> None:
    first, second = "-2.80778 Eh, and 12.34 kcal/mol", "Again 12.34 kcal/mol or -2.80778 Eh"
    told_once = (first, first, second, second)  # it hears which numbers nobody has given, and stays
    with Agent(scripted([HELIUM], *told_once), session=own) as agent:
        assert "12.34 kcal/mol [no source]" in agent.ask("The energy of helium?").marked
        agent.ask("Again? Is it 3.21 eV?")
    shown = transcript(own.kg, find(own.kg, "last"))
    assert "-2.80778 Eh, and 12.34 kcal/mol [no source]" in shown
    assert "Again 12.34 kcal/mol [no source] or -2.80778 Eh\n" in shown
    assert "3.21 eV [no source]" not in shown
    kept = answers(own.kg, find(own.kg, "last"))
    assert [one.marked.count("[no source]") for one in kept] == [1, 1]


def test_conversations_are_listed_named_and_found(own: Grafico) -> None:
    for question in ("one", "two"):
        with Agent(scripted("yes"), session=own) as agent:
            agent.ask(question)
    with Agent(scripted("yes"), session=own, conversation="one") as agent:
        agent.ask("again")
    assert [(line.name, line.turns) for line in lines(own.kg)] == [("one", 2), ("two", 1)]
    assert len(lines(own.kg, 1)) == 1
    rename(own, "ONE", "  three\nwords ")
    assert [line.name for line in lines(own.kg)] == ["three words", "two"]
    assert find(own.kg, "three words") == find(own.kg, lines(own.kg)[0].conversation)
    rename(own, "two", "three words")
    with pytest.raises(InputError, match="2 are called so"):
        find(own.kg, "three words")
    with pytest.raises(NotFoundError, match="three words; three words"):
        find(own.kg, "one")
    with pytest.raises(NotFoundError):
        find(own.kg, "g:id/Conversation/0")
    with pytest.raises(NotFoundError):
        Agent(scripted("x"), session=own, conversation="https://example.org/x")
    for name in ("", "x" * 1000):
        with pytest.raises(InputError, match="characters"):
            rename(own, "last", name)


def test_a_run_is_no_conversation(own: Grafico) -> None:
    with Agent(scripted([HELIUM], "yes"), session=own) as agent:
        [run] = agent.ask("one").runs
    with pytest.raises(NotFoundError):
        find(own.kg, run)


def test_a_transcript_says_it_all_and_is_data(own: Grafico) -> None:
    hostile = "energy?\n# not a heading\x1b[2J `rm -rf`"
    with Agent(scripted([HELIUM], "-2.80778 Eh"), session=own) as agent:
        agent.ask(hostile)
        with pytest.raises(Exception, match="gone"):
            agent.ask("and?", model=scripted(ValueError("gone")))
    own.executor.record(
        Turn(
            conversation=turns(own.kg, find(own.kg, "last"))[0][0].conversation,
            question="cut off",
            planner="x",
            started=lines(own.kg)[0].last,
        )
    )
    shown = transcript(own.kg, find(own.kg, "last"))
    assert "\n# not a heading" not in shown
    assert "> # not a heading" in shown
    assert '- `calculate {"' in shown
    assert "-2.80778 Eh" in shown
    assert "*failed: " in shown
    assert "*No answer: it was cut off.*" in shown


def test_costs_add_up_over_processes_and_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from .test_agent import Priced

    monkeypatch.setenv("GRAFICO_AGENT_COST_LIMIT", "1")
    for left in (0.6, 1.2):
        with (
            Grafico(tmp_path / "store") as session,
            Agent(
                Priced(scripted("yes").function),  # type: ignore[arg-type]
                session=session,
                conversation="last" if left > 1 else "",
            ) as agent,
        ):
            if left > 1:
                with pytest.raises(ResourceError, match=r"1\.2000 US dollars; 1 are allowed"):
                    agent.ask("again?")
                asked = len(session.kg.find(Turn))
                with pytest.raises(ResourceError, match=r"1\.2000"):
                    agent.ask("and again?")  # not even asked
                assert len(session.kg.find(Turn)) == asked
            else:
                agent.ask("first?")
            assert agent.kept.spent.dollars == pytest.approx(left)


def test_two_who_go_on_with_one_conversation_lose_nothing(own: Grafico) -> None:
    with Agent(scripted("a"), session=own) as first:
        first.ask("one")
        with Agent(scripted("b"), session=own, conversation=first.conversation) as second:
            second.ask("two")
        first.ask("three", model=scripted("c"))
    kept = find(own.kg, first.conversation)
    assert [turn.question for turn, _ in turns(own.kg, kept)] == ["one", "two", "three"]
    assert [len(bodies) for _, bodies, _ in Keeper(own, kept.iri).history()] == [2, 2, 2]


def test_pictures_and_instructions_are_not_kept(own: Grafico) -> None:
    def show(came: list[Any]) -> list[tuple[str, dict[str, Any]]]:
        return [("show_structure", {"iri": came[0]["molecules"][0]["geometry"]})]

    with Agent(scripted([HELIUM], show, "seen"), session=own) as agent:
        agent.ask("show me water")
    bodies = [one.body for one in own.kg.find(Message)]
    assert any("a picture was shown here" in body for body in bodies)
    assert max(map(len, bodies)) < 5000
    assert not any("You are Grafico" in body for body in bodies)
    with Agent(FunctionModel(echo), session=own, conversation="last") as agent:
        assert "a picture was shown here" in agent.ask("and?").text


def test_odd_texts_survive(own: Grafico) -> None:
    odd = 'a"b\\c\td\u2028e 😀 {"x": 1} \x01'
    with Agent(scripted(odd), session=own) as agent:
        agent.ask(odd)
    with Agent(FunctionModel(echo), session=own, conversation="last") as agent:
        sent = json.loads(agent.ask("?").text)
    assert sent[:2] == [f"asked: {odd}", f"said: {odd}"]


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_conversation_goes_on_elsewhere(tmp_path: Path, ending: signal.Signals) -> None:
    """Killed while its calculation runs: the call is known, and what was computed is remembered."""

    def answer(request: dict[str, Any]) -> Said:
        last = request["messages"][-1]
        if last["role"] == "user" and "go on" not in text(last):
            asked = {"molecules": ["[He]", ACETIC_ACID], "task": "optimise", **HF}
            return calls(("calculate", asked))
        told = [text(m) for m in request["messages"] if m["role"] == "assistant"]
        return says(json.dumps([[m["role"] for m in request["messages"]], told[-1]]))

    def chat(*more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "grafico", "chat", "--model", "any", "-t", "1",
             "--store", str(tmp_path / "store"), *more],
            cwd=tmp_path, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT), "GRAFICO_AGENT_BASE_URL": server.url},
        )  # fmt: skip

    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        session.run("[He]", task="optimise", **HF)
    with serving(answer) as server:
        first = chat()
        assert first.stdin
        assert first.stderr
        first.stdin.write("both energies, relaxed\n")
        first.stdin.flush()
        for line in first.stderr:
            if "step   1" in line:
                break
        first.send_signal(ending)
        first.communicate(timeout=60)
        second = chat("--conversation", "last", "--quiet")
        out, err = second.communicate("go on\n", timeout=60)
    assert second.returncode == 0, err
    roles, said = json.loads(out)
    assert "[He]: finished (g:id/Run/" in said, said
    cut = "interrupted" if ending == signal.SIGTERM else "not finished"
    assert f"{ACETIC_ACID}: {cut} (g:id/Run/" in said, said
    # its question, the call, a word on the result of each, that there was no answer; the question
    assert roles[1:] == ["user", "assistant", "tool", "assistant", "user"], roles
    with Grafico(tmp_path / "store") as session:
        ends = [end.status if end else "" for _, end in turns(session.kg, find(session.kg, "last"))]
        assert ends == ["" if ending == signal.SIGKILL else "interrupted", "answered"]
        assert session.kg.find(TurnOutcome)


def test_tokens_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFICO_AGENT_TOKEN_LIMIT", "120")
    with Grafico("memory:") as session, Agent(scripted("word " * 100), session=session) as agent:
        with pytest.raises(ResourceError, match="tokens; 120 are allowed"):
            agent.ask("one?")
        assert agent.kept.spent.tokens > 120
        with pytest.raises(ResourceError, match="raise agent_token_limit"):
            agent.ask("two?")


def test_what_is_no_text_poisons_nothing(own: Grafico, tmp_path: Path) -> None:
    """Halves of characters: from a model, in arguments, and in what a tool found."""
    half = "\ud800"
    steps = ([("get", '{"iri": "g:id/\\ud800"}')], f"it is {half}")
    with Agent(scripted(*steps), session=own) as agent:
        assert agent.ask("?").text == "it is ?"
        assert agent.ask("and?", model=scripted("fine")).text == "fine"
        assert json.loads(agent.messages)
    with Agent(FunctionModel(echo), session=own, conversation="last") as agent:
        assert "it is ?" in agent.ask("again?").text


def test_an_answer_that_cannot_be_kept_is_given_and_kept_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store refuses all but the question, as a full disk does; then there is room again."""
    with Grafico(tmp_path / "store") as session, Agent(scripted("dear"), session=session) as agent:
        record, full = session.executor.record, [True]

        def refuse(*models: Any, durable: bool = True) -> None:
            if full[0] and not any(isinstance(one, Turn) for one in models):
                raise ResourceError("quads were to be inserted", "the disk is full", "free space")
            record(*models, durable=durable)

        monkeypatch.setattr(session.executor, "record", refuse)
        reply = agent.ask("one?")
        assert reply.text == "dear"
        assert any("not kept: the disk is full" in note for note in reply.notes)
        assert session.kg.find(TurnOutcome) == []
        full[0] = False
        assert agent.ask("two?", model=scripted("cheap")).notes == []
        kept = find(session.kg, "last")
        ends = [end.answer for _, end in turns(session.kg, kept) if end]
        assert ends == ["dear", "cheap"]
        assert len(session.kg.find(Message)) == 4


def test_a_question_that_was_never_answered_is_known(own: Grafico) -> None:
    """Killed before the first response: nothing but the turn is stored."""
    with Agent(scripted("yes"), session=own) as agent:
        agent.ask("first?")
        agent.kept.begin("the acidity of acetic acid?", "x")
    with Agent(FunctionModel(echo), session=own, conversation="last") as agent:
        sent = json.loads(agent.ask("go on").text)
    assert sent[2] == "asked: the acidity of acetic acid?"
    assert "No answer: it was cut off" in sent[3]
    assert sent[4] == "asked: go on"


AT_WORK = """
import sys, time
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel
from grafico.agent import Agent

def answer(messages, info):
    print("at work", flush=True)
    time.sleep(600)
    return ModelResponse(parts=[TextPart("never")])

with Agent(FunctionModel(answer), store=sys.argv[1], conversation=sys.argv[2]) as agent:
    agent.ask("the long one")
"""


@pytest.mark.parametrize("how", ["new", "gone on with"])
def test_a_conversation_in_which_a_program_is_at_work_is_nobody_elses(
    tmp_path: Path, how: str
) -> None:
    store, which = tmp_path / "store", ""
    if how != "new":
        with Agent(FunctionModel(echo), store=store) as agent:
            agent.ask("the long one")
            which = agent.ask("again").conversation
    with (
        subprocess.Popen(
            [sys.executable, "-c", AT_WORK, str(store), which], stdout=subprocess.PIPE, text=True
        ) as other,
        Grafico(store) as session,
    ):
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "at work\n"
            iri = find(session.kg, "last").iri
            for name in ("last", iri, "the long one"):
                with pytest.raises(ResourceError) as caught:
                    Agent(FunctionModel(echo), session=session, conversation=name)
                assert f"the process {other.pid} on {platform.node()}" in caught.value.found
                assert "begin another conversation" in caught.value.advice
                assert "the long one" in caught.value.asked
            with Agent(FunctionModel(echo), session=session) as own:
                own.ask("something else")  # and another one is nobody's business
        finally:
            other.kill()
        other.wait()
        with Agent(FunctionModel(echo), session=session, conversation=iri) as agent:
            assert agent.ask("go on").conversation.endswith(iri.rpartition("/")[2])
        assert list((store / "conversations").iterdir()) == []
