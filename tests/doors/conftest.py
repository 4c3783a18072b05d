"""One store for all examples, which Python has asked for and every other door remembers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from grafico import Grafico
from grafico.agent import ToolContext
from grafico.cli.app import main
from ontologies.provenance import Run
from tests.agent.helpers import used
from tests.agreeing import agreeing
from tests.doors.examples import EXAMPLES, RUN, Example
from workflows.registry import workflows


@dataclass
class Doors:
    """What examples are asked through.

    Attributes:
        session: for Python; the others use its store.
        context: for a model.
        folder: of the store and of files.
        ran: the runs that the examples came to, by workflow.
        said: what the command line then said of them in JSON.
    """

    session: Grafico
    context: ToolContext
    folder: Path
    ran: dict[str, str] = field(default_factory=dict[str, str])
    said: dict[str, Any] = field(default_factory=dict[str, Any])

    def subject(self, example: Example) -> str:
        """What an example is about, its files written and what it rests on computed."""
        for name, text in example.files.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        if example.after:
            self.ask(example.after)
        if example.subject == RUN:
            return self.ran[example.after]
        return str(self.folder / example.subject) if example.files else example.subject

    def ask(self, name: str) -> str:
        """The run of an example, which Python asks for the first time."""
        example = EXAMPLES[name]
        if name not in self.ran:
            subject = self.subject(example) or None
            with agreeing():  # where it acts on the world
                self.session.run(subject, workflow=name, **example.said)
            self.ran[name] = self.session.runs()[0].run
        return self.ran[name]

    def told(self, name: str) -> dict[str, Any]:
        """What the command line says of an example in JSON, asked after Python."""
        if name not in self.said:
            self.ask(name)
            self.said[name] = json.loads(self.type(name, "--quiet", "--json").stdout)
        return self.said[name]

    def type(self, name: str, *more: str, status: int = 0) -> Result:
        """What the verb of a workflow does with its example."""
        example = EXAMPLES[name]
        subject = list(filter(None, [self.subject(example)]))
        return self.call(
            *workflows()[name].command.split(), *subject, *example.words, *more, status=status
        )

    def call(self, *words: str, status: int = 0) -> Result:
        """What a command does."""
        store = ["--store", str(self.folder / "store")]
        with agreeing():
            done = CliRunner(env={"COLUMNS": "300"}).invoke(main, [*words, *store])
        assert done.exit_code == status, (words, done.output, done.exception)
        return done

    def runs(self) -> int:
        """How many runs were recorded."""
        return len(self.session.kg.find(Run))

    def used(self, tool: str, **arguments: Any) -> Any:
        """What a tool tells a model."""
        return used(self.context, tool, **arguments)


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    folder = tmp_path_factory.mktemp("doors")
    with Grafico(folder / "store", threads_per_calculation=1) as session:
        context = ToolContext(session, folder)
        yield Doors(session, context, folder)
        context.close()
