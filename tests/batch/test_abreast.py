"""Within a worker, entries go abreast: the store is asked once for what all of them need."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from evals.bench.counting import Counting
from ogm import KnowledgeGraph
from ontologies.quantum import Embedding
from triplestore import open_store
from triplestore.errors import InputError
from workflows.engine.execution.answer import Answer
from workflows.engine.execution.context import Context
from workflows.engine.execution.inline import InlineExecutor
from workflows.molecule import embed


def embedded(store: Counting, texts: Sequence[str]) -> list[Answer[Embedding]]:
    """Embed SMILES abreast, and return what each that can be read came to."""
    executor = InlineExecutor(KnowledgeGraph(store), Context())
    answers: list[Answer[Embedding]] = []

    async def one(text: str) -> None:
        try:
            answers.append(await executor.run(embed.bind(text, "smiles")))
        except InputError:
            await asyncio.sleep(0)  # whoever ends early holds up nobody

    asyncio.run(executor.abreast(map(one, texts)))
    return answers


def test_the_store_is_asked_once_for_what_many_need() -> None:
    texts = ["C", "CC", "C(", "CCC", "C", "CCCC", "N", "O", "CO", "CN"]
    with Counting(open_store("memory:")) as store:
        first = embedded(store, texts)
        asked = store.queries
        again = embedded(store, ["CC", "CCCCC", "C"])
    assert sum(answer.reused for answer in first) == 1  # the same twice
    assert len({answer.recorded for answer in first}) == len(first) - 1 == 8
    assert asked == 1
    made = {answer.recorded for answer in first}
    assert [answer.recorded in made for answer in again].count(True) == 2
    assert [answer.reused for answer in again].count(True) == 2


def test_a_twin_does_not_wait_for_those_who_have_ended() -> None:
    """What one needs of others quietly goes by a twin, which sees who still goes abreast."""
    with open_store("memory:") as store:
        executor = InlineExecutor(KnowledgeGraph(store), Context())
        ended: list[str] = []

        async def one(text: str, *more: str) -> None:
            twin = executor.unheard()
            for other in (text, *more):
                await twin.run(embed.bind(other, "smiles"))
            ended.append(text)

        async def both() -> None:
            await asyncio.wait_for(executor.abreast([one("C"), one("N", "O", "CO")]), 60)

        asyncio.run(both())
    assert ended == ["C", "N"]
