"""The fourteen published tasks: what answers each here does, and stops where it has to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from evals.chemcrow import PublishedTask, dataset, task, tasks
from evals.requests.checks import missing
from evals.requests.wanted import Request
from evals.running import session_for
from grafico import Grafico
from tests.agent.helpers import scripted

SYNTHESIS = all(find_spec(one) for one in ("chython", "synspace", "molbloom"))
OF_SYNTHESIS = {"routes", "products", "classify", "sold"}
"""What the extra does; it refuses what is not made without it, too."""


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with session_for("memory:") as opened:
        yield opened


def test_there_are_fourteen_with_what_was_published_of_them() -> None:
    every = tasks()
    assert len(every) == len({one.name for one in every}) == 14
    graded = [one.published for one in every if one.published.with_tools is not None]
    assert len(graded) == 13  # one notebook broke off
    for one in graded:  # the judge preferred answers without tools throughout
        assert one.without is not None
        assert one.with_tools is not None
        assert one.without > one.with_tools
    preferred = {one.name for one in every if one.published.preferred == "GPT-4"}
    assert preferred == {"insect repellent", "paracetamol with its dangers", "aspirin"}
    assert len(dataset().cases) == 14


@pytest.mark.parametrize("one", tasks(), ids=lambda one: one.name)
def test_a_conversation_that_calls_what_is_there_has_the_answer(
    session: Grafico, one: PublishedTask
) -> None:
    """A script calls the tools one after the other and repeats what came: nobody agrees."""
    does = one.declined != "must" and OF_SYNTHESIS.intersection(call.name for call in one.calls)
    if does and not SYNTHESIS:
        pytest.skip("the extra synthesis")
    if not find_spec("chemicals"):
        pytest.skip("the extra names")
    came: list[Any] = []

    def heard(last: list[Any]) -> None:
        came.append(last)

    steps: list[Any] = []
    for at, call in enumerate(one.calls):
        given = {"name": call.name, "subjects": list(call.subjects)}
        given |= {"arguments": dict(call.arguments)} if call.arguments else {}

        def step(last: list[Any], given: dict[str, Any] = given, at: int = at) -> Any:
            if at:
                heard(last)
            return [("run_workflow", given)]

        steps.append(step)

    def ends(last: list[Any]) -> str:
        heard(last)
        return f"It came to this: {json.dumps(came, ensure_ascii=False)}"

    ask = task(session, scripted(*steps, ends))
    answer = ask(Request(text=one.text))
    [case] = [case for case in dataset().cases if case.name == one.name]
    assert case.metadata is not None
    said = answer.text.replace("\\\\", "\\").replace('\\"', '"')
    wanted = case.metadata.model_copy(update={"declined": "no"})
    assert not missing(said, wanted), said[:2000]
    for call, told in zip(one.calls, came, strict=True):
        text = json.dumps(told)
        stopped = bool(re.search(r"pending|whoever asks|nobody (agreed|has stated)", text))
        assert stopped == call.stops, (call, text[:600])
