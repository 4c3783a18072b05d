"""A conversation about an exercise, and what can be seen of it afterwards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.planner import Row, Slip, planner, rows, text
from grafico import Grafico
from grafico.agent import Agent, Reply
from ogm import GraphModel
from ogm.terms import full_iri
from ontologies.provenance import Activity

from ..server import Answer, Server, serving
from .questions import EXERCISES


@dataclass
class Talk:
    """One conversation, as it went over the wire.

    Attributes:
        reply: of the agent.
        server: with what it was asked.
        computed: calculations that were run for it, not remembered.
    """

    session: Grafico
    reply: Reply
    server: Server
    computed: int

    @property
    def results(self) -> list[tuple[str, str]]:
        """Names of the tools that were called, and what they replied."""
        messages = self.server.asked[-1]["messages"]
        said = {one["tool_call_id"]: text(one) for one in messages if one["role"] == "tool"}
        return [
            (call["function"]["name"], said[call["id"]])
            for message in messages
            for call in message.get("tool_calls") or ()
        ]

    @property
    def calls(self) -> dict[str, int]:
        """How often each tool was called."""
        return dict(Counter(name for name, _ in self.results))

    @property
    def molecules(self) -> dict[str, Row]:
        """What was told of each molecule."""
        return {row["molecule"]: row for row in self.rows if "molecule" in row}

    @property
    def rows(self) -> list[Row]:
        """What was told of each calculation that went well."""
        tools = ("calculate", "run_workflow")
        every = [row for name, said in self.results if name in tools for row in rows(said)]
        return [row for row in every if row["status"] == "finished"]

    @property
    def objects(self) -> set[str]:
        """IRIs of the results that were told."""
        return {iri for row in self.rows for iri in row["results"].values()}

    def stored(self, molecule: str, kind: str) -> Any:
        """Return the object in the graph that a result names."""
        iri = self.molecules[molecule]["results"][kind]
        return self.session.kg.pull(GraphModel, full_iri(iri))

    def number(self, start: str) -> float:
        """Return the number of the answer that a text stands before."""
        found = re.search(re.escape(start) + r"\D*?(-?\d+\.\d+)", self.reply.text)
        assert found, f"{start} in {self.reply.text}"
        return float(found[1])


@dataclass
class Talking:
    """Makes conversations.

    Attributes:
        session: computes and remembers.
        folder: of the files of conversations.
    """

    session: Grafico
    folder: Path

    def agent(self, url: str, **more: Any) -> Agent:
        """Return an agent whose model answers there, by the real adapter."""
        return Agent(
            "openai-chat:any", session=self.session, base_url=url, folder=self.folder, **more
        )

    def __call__(
        self,
        name: str,
        wording: int = 0,
        slip: Slip = "",
        *,
        change: Callable[[Answer], Answer] = lambda answer: answer,
        faults: tuple[int | str, ...] = (),
        streams: bool = False,
    ) -> Talk:
        """Ask for an exercise.

        Args:
            name: of the exercise.
            wording: which.
            slip: what the planner gets wrong at first.
            change: done to the planner.
            faults: of the server.
            streams: answers come piece by piece.
        """
        exercise = EXERCISES[name]
        before = len(self.session.kg.find(Activity))
        more: dict[str, Any] = {"told": lambda _: None} if streams else {}
        with serving(change(planner(exercise.recipe, slip))) as server:
            server.faults = list(faults)
            with self.agent(server.url, **more) as agent:
                reply = agent.ask(exercise.wordings[wording])
        return Talk(self.session, reply, server, len(self.session.kg.find(Activity)) - before)


def backwards(answer: Answer) -> Answer:
    """Return a planner that sees results, and makes calls, in the other order."""

    def changed(request: Row) -> dict[str, Any]:
        told: list[Row] = []
        for message in request["messages"]:
            at = len(told)
            while message["role"] == "tool" and told[at - 1]["role"] == "tool":
                at -= 1
            told.insert(at, message)
        said = answer({**request, "messages": told})
        return {**said, "tool_calls": said["tool_calls"][::-1]} if "tool_calls" in said else said

    return changed
