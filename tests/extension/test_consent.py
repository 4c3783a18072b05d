"""What a person has to agree to is asked for by the engine, whichever door it came through.

A package brings a workflow that needs a yes (`careful`), and one that does not and asks for the
first within a step of its own (`around`). Each test counts what was computed.
"""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from tests.extension.conftest import Shell, install

WHOLE = dedent('''
    from collections.abc import Sequence
    from dataclasses import dataclass, replace
    from typing import Any

    from pydantic_graph import End, GraphRunContext

    from ogm import GraphModel
    from ontologies.atoms import ConceptualAtoms
    from workflows.engine import (
        Answer, Backend, Definition, Done, Executor, Finish, Form, Goal, Graph, Journey, Node,
        Prepared, calculation,
    )
    from workflows.engine.request.request import Request
    from workflows.engine.request.workflow import completed, prepare
    from workflows.molecule.subject import MOLECULE_OF_ANY_SPIN
    from workflows.registry import workflows

    class AtomCount(GraphModel, identity="result"):
        """How many atoms."""
        counted: ConceptualAtoms
        number: int

    @calculation("careful.count", version="1", backend=Backend(name="none", epoch="1"), gpu=False)
    def count_atoms(atoms: ConceptualAtoms) -> AtomCount:
        """Count."""
        return AtomCount(counted=atoms, number=len(atoms.numbers))

    class CarefulRequest(Form):
        """Nothing."""

    class AroundRequest(Form):
        """Nothing."""

    @dataclass(frozen=True)
    class Counting:
        atoms: ConceptualAtoms
        situation: bool = False
        answers: tuple[Answer[Any], ...] = ()
        product: None = None

        @property
        def recorded(self) -> Sequence[str]:
            return [one.recorded for one in self.answers]

    class CountAtoms(Node[Counting]):
        """Count the atoms."""
        def precondition(self, situation: bool) -> str | None:
            return "they are counted" if situation else None
        def effect(self, situation: bool) -> bool:
            return True
        async def work(self, state: Counting, executor: Executor) -> Done[Counting]:
            answer = await executor.run(count_atoms.bind(state.atoms))
            return Done(replace(state, situation=True, answers=(answer,)), answer)
        async def run(self, ctx: GraphRunContext[Journey[Counting], None]) -> End[Finish]:
            return await self.proceed(ctx)

    class AskForCount(CountAtoms):
        """Ask the careful one."""
        async def work(self, state: Counting, executor: Executor) -> Done[Counting]:
            request = Request.of(workflows().named("careful"), (state.atoms,), {})
            asked = await prepare(request, executor)
            done = await completed(asked)
            return Done(replace(state, situation=True, answers=done.answers))

    async def prepare_count(given, request, executor) -> Prepared[Counting]:
        atoms = given.model
        goal = Goal("atoms counted", lambda known: known)
        return Prepared(Counting(atoms), goal, (atoms,), f"atoms of {atoms.formula}")

    CAREFUL = Definition(
        Graph("careful", CountAtoms), (CarefulRequest,), MOLECULE_OF_ANY_SPIN, prepare_count,
        confirm="it commands a device", makes=(AtomCount,),
    )
    AROUND = Definition(
        Graph("around", AskForCount), (AroundRequest,), MOLECULE_OF_ANY_SPIN, prepare_count,
    )
''')
DECLARED = dedent('''
    """Counts atoms, after a yes."""
    from workflows.registry import Workflow

    WORKFLOWS = (
        Workflow("careful", "Count the atoms.", "careful.whole:CAREFUL"),
        Workflow("around", "Have the atoms counted.", "careful.whole:AROUND"),
    )
''')

COUNTED = dedent("""
    from ontologies.provenance import Activity

    def made(session):
        return len(session.kg.find(Activity, calculation="careful.count"))
""")


@pytest.fixture(scope="module")
def careful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("careful")
    install(folder, "careful", "[grafico.workflows]\ncareful = careful\n")
    (folder / "careful").mkdir()
    (folder / "careful" / "__init__.py").write_text(DECLARED)
    (folder / "careful" / "whole.py").write_text(WHOLE)
    return folder


@pytest.fixture
def shell(careful: Path, tmp_path: Path) -> Shell:
    (tmp_path / "two.smi").write_text("O water\nN ammonia\n")
    return Shell(tmp_path, careful)


def test_at_a_command_line_who_types_the_verb_has_agreed_to_it_and_to_nothing_besides(
    shell: Shell,
) -> None:
    for asked in (("batch", "two.smi", "--workflow", "careful"), ("around", "C")):
        _, told = shell(*asked, status=1)
        assert "it commands a device, and nobody agreed" in " ".join(told.split())
    made = (
        'from grafico import Grafico\nwith Grafico() as session:\n    print(made(session), end="")'
    )
    assert shell.script(COUNTED + made) == "0"
    shell("careful", "C")
    assert shell.script(COUNTED + made) == "1"


def test_in_python_who_names_the_workflow_has_agreed_to_it_and_to_nothing_besides(
    shell: Shell,
) -> None:
    found = json.loads(
        shell.script(
            COUNTED
            + dedent("""
        import asyncio, json
        from grafico import Grafico
        from triplestore.errors import ConsentError
        from workflows.caller import Caller, asked_by

        told, heard = [], []

        def refused(function):
            try:
                function()
            except ConsentError as error:
                told.append([made(session), error.found])

        async def yes(what, why):
            heard.append(why)
            return True

        async def no(what, why):
            return False

        with Grafico("memory:") as session:
            batch = lambda: session.batch("two.smi", workflow="careful").result()
            refused(batch)
            refused(lambda: session.run("O", workflow="around"))
            with asked_by(Caller(is_person=True, ask=no)):
                refused(lambda: session.run("O", workflow="around"))
            session.run("O", workflow="careful")
            named = made(session)
            with asked_by(Caller(is_person=True, ask=yes)):
                counts = batch().counts
                session.run("C", workflow="around")
            print(json.dumps([told, named, counts, made(session), heard]))
        """)
        )
    )
    told, named, counts, made, heard = found
    assert [number for number, _ in told] == [0, 0, 0]
    assert told[0][1] == "careful is asked of 2 subjects: it commands a device, and nobody agreed"
    assert told[1][1] == "it commands a device, and nobody agreed"
    assert told[2][1] == "it commands a device, and the person said no"
    assert (named, made) == (1, 3), "water was counted already"
    assert counts["finished"] == 2
    assert heard == ["careful is asked of 2 subjects: it commands a device", "it commands a device"]


def test_a_model_gets_nothing_done_without_a_yes_however_it_asks(shell: Shell) -> None:
    found = json.loads(
        shell.script(
            COUNTED
            + dedent("""
        import json
        from pathlib import Path
        from grafico import Grafico
        from grafico.agent import ToolContext
        from grafico.agent.tools import tools

        ways = [
            {"name": "careful", "subjects": ["O"]},
            {"name": "around", "subjects": ["O"]},
            {"name": "batch", "subjects": ["two.smi"], "arguments": {"each": "careful"}},
            {"name": "careful", "subjects": ["O"], "on": "here"},
            {"name": "around", "subjects": ["O"], "on": "here"},
            {"name": "batch", "subjects": ["two.smi"], "arguments": {"each": "careful"},
             "on": "here"},
        ]
        heard, rows = [], []

        def approve(asked):
            heard.append(asked.why)
            return answer

        with Grafico() as session:
            def used(tool, **asked):
                return session.wait_for(lambda: tools()[tool](context, asked)).found

            for answer in (None, False):
                context = ToolContext(session, Path("folder"),
                                      approve=None if answer is None else approve)
                Path("folder/two.smi").write_text("O water\\nN ammonia\\n")
                rows += [one["status"] for way in ways
                         for one in next(iter(used("run_workflow", **way).values()))]
            before = made(session)
            failed = [line.run for line in session.runs(50)]
            rows += [used("resume", run=run)["status"] for run in failed]
            context.close()
        answer = True
        with Grafico("memory:") as session:
            context = ToolContext(session, Path("folder"), approve=approve)
            done = [[one["status"], str(one)] for way in ways[:3]
                    for one in next(iter(used("run_workflow", **way).values()))]
            context.close()
            print(json.dumps([rows, before, done, made(session), heard]))
        """)
        )
    )
    rows, before, done, made, heard = found
    assert set(rows) == {"denied"}, rows
    assert before == 0
    assert [status for status, _ in done] == ["finished"] * 3, done
    assert made == 2
    assert all("it commands a device" in why for why in heard)


def test_a_job_rests_on_the_yes_that_was_given_when_it_was_submitted(shell: Shell) -> None:
    found = json.loads(
        shell.script(
            COUNTED
            + dedent("""
        import json, os
        from grafico import Grafico
        from triplestore.errors import ConsentError
        from workflows.engine.jobs.desk import Desk
        from workflows.engine.runners.cluster import Cluster

        with Grafico() as session:
            here = Cluster(environment={"PYTHONPATH": os.environ["PYTHONPATH"]})
            session.desk = Desk(session.kg, {"here": here})
            try:
                session.run("O", workflow="around", on="here")
            except ConsentError as error:
                told = error.found
            job = session.run("N", workflow="careful", on="here")
            ended = session.follow(job.name)
            print(json.dumps([told, made(session), getattr(ended, "status", str(ended))]))
        """)
        )
    )
    assert found == ["it commands a device, and nobody agreed", 1, "finished"]
