"""The benchmark of the agent asks, uses tools, answers and keeps the conversation."""

from pathlib import Path

from evals.bench import agent
from grafico import Grafico
from ontologies import Message, TurnOutcome


def test_requests_are_made_and_kept(tmp_path: Path):
    figure = agent.per_request(tmp_path, calls=2, rounds=2)
    assert figure.target == "under 30 ms"
    assert figure.ours > 0
    assert figure.baseline
    with Grafico(tmp_path) as session:
        ends = session.kg.find(TurnOutcome)
        assert [end.requests for end in ends] == [3] * 2
        assert ends[0].answer == "It is -29.9325 eV."
        assert len(session.kg.find(Message)) == 2 * 6


def test_a_conversation_is_begun_and_ended(tmp_path: Path):
    figure = agent.ready(tmp_path / "store", starts=1)
    assert figure.ours > figure.baseline > 0  # type: ignore[operator]
