"""A package whose steps act on the world: each writes a line into the file that is the world.

`careful` counts atoms and then moves a device, `first` moves it and counts then, `around` asks for
`careful` within a step of its own, `sends` sends something to a server and pays for it.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from tests.extension.conftest import install

WHOLE = dedent('''
    import os
    from collections.abc import Sequence
    from dataclasses import dataclass, replace
    from typing import Any

    from pydantic_graph import End, GraphRunContext

    from ogm import GraphModel
    from ontologies.atoms import ConceptualAtoms
    from workflows.engine import (
        Answer, Backend, Definition, Done, Executor, Finish, Form, Goal, Graph, Journey, Node,
        Prepared, Target, calculation,
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
    class FirstRequest(Form):
        """Nothing."""
    class SendsRequest(Form):
        """Nothing."""

    @dataclass(frozen=True)
    class Standing:
        counted: bool = False
        moved: bool = False

    @dataclass(frozen=True)
    class Counting:
        atoms: ConceptualAtoms
        situation: Standing = Standing()
        answers: tuple[Answer[Any], ...] = ()
        product: None = None

        @property
        def recorded(self) -> Sequence[str]:
            return [one.recorded for one in self.answers]

    def world() -> list[str]:
        try:
            with open(os.environ.get("WORLD", "nowhere")) as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def act(what: str) -> None:
        with open(os.environ["WORLD"], "a") as file:
            file.write(what + "\\n")
        if os.environ.get("DIE"):
            os._exit(9)
        if os.environ.get("SLOW"):
            import time
            time.sleep(float(os.environ["SLOW"]))

    class CountAtoms(Node[Counting]):
        """Count the atoms."""
        def precondition(self, situation: Standing) -> str | None:
            return "they are counted" if situation.counted else None
        def effect(self, situation: Standing) -> Standing:
            return replace(situation, counted=True)
        async def work(self, state: Counting, executor: Executor) -> Done[Counting]:
            answer = await executor.run(count_atoms.bind(state.atoms))
            after = self.effect(state.situation)
            return Done(replace(state, situation=after, answers=(answer,)), answer)

    class CountFirst(CountAtoms):
        """Count the atoms before."""
        async def run(
            self, ctx: GraphRunContext[Journey[Counting], None]
        ) -> "MoveDevice | End[Finish]":
            return await self.proceed(ctx)

    class CountThen(CountAtoms):
        """Count the atoms afterwards."""
        async def run(self, ctx: GraphRunContext[Journey[Counting], None]) -> End[Finish]:
            return await self.proceed(ctx)

    class MoveDevice(Node[Counting]):
        """Move the device."""
        effects = frozenset({"device"})
        def precondition(self, situation: Standing) -> str | None:
            return None if situation.counted and not situation.moved else "not yet, or done"
        def effect(self, situation: Standing) -> Standing:
            return replace(situation, moved=True)
        def target(self, state: Counting) -> Target:
            return Target("bench", os.environ.get("STATE", str(len(world()))))
        def checks(self, situation: Standing) -> tuple[str, ...]:
            return (os.environ.get("CHECK", "the lid is closed"),)
        async def work(self, state: Counting, executor: Executor) -> Done[Counting]:
            act(f"moved for {state.atoms.formula}")
            return Done(replace(state, situation=self.effect(state.situation)))
        async def run(self, ctx: GraphRunContext[Journey[Counting], None]) -> End[Finish]:
            return await self.proceed(ctx)

    class MoveFirst(MoveDevice):
        """Move the device before all."""
        def precondition(self, situation: Standing) -> str | None:
            return "done" if situation.moved else None
        async def already_done(self, state: Counting, executor: Executor) -> Done[Counting] | None:
            return Done(replace(state, situation=self.effect(state.situation)))
        async def run(
            self, ctx: GraphRunContext[Journey[Counting], None]
        ) -> CountThen | End[Finish]:
            return await self.proceed(ctx)

    class AskForMove(CountAtoms):
        """Ask the careful one."""
        async def work(self, state: Counting, executor: Executor) -> Done[Counting]:
            request = Request.of(workflows().named("careful"), (state.atoms,), {})
            asked = await prepare(request, executor)
            done = await completed(asked)
            after = replace(state.situation, counted=True, moved=True)
            return Done(replace(state, situation=after, answers=done.answers))
        async def run(self, ctx: GraphRunContext[Journey[Counting], None]) -> End[Finish]:
            return await self.proceed(ctx)

    class SendRequest(MoveDevice):
        """Send something."""
        effects = frozenset({"network", "money"})
        def precondition(self, situation: Standing) -> str | None:
            return "done" if situation.moved else None
        def target(self, state: Counting) -> Target:
            return Target("api.example.org", dollars=float(os.environ.get("DOLLARS", "0.40")))
        async def run(self, ctx: GraphRunContext[Journey[Counting], None]) -> End[Finish]:
            return await self.proceed(ctx)

    async def prepare_count(given, request, executor) -> Prepared[Counting]:
        atoms = given.model
        goal = Goal("device moved", lambda known: known.moved)
        return Prepared(Counting(atoms), goal, (atoms,), f"device for {atoms.formula}")

    async def prepare_both(given, request, executor) -> Prepared[Counting]:
        atoms = given.model
        goal = Goal("moved and counted", lambda known: known.moved and known.counted)
        return Prepared(Counting(atoms), goal, (atoms,), f"device for {atoms.formula}")

    async def prepare_around(given, request, executor) -> Prepared[Counting]:
        atoms = given.model
        goal = Goal("asked", lambda known: known.counted)
        return Prepared(Counting(atoms), goal, (atoms,), f"device for {atoms.formula}")

    def whole(name, form, ready, *nodes):
        return Definition(Graph(name, *nodes), (form,), MOLECULE_OF_ANY_SPIN, ready)

    CAREFUL = whole("careful", CarefulRequest, prepare_count, CountFirst, MoveDevice)
    FIRST = whole("first", FirstRequest, prepare_both, MoveFirst, CountThen)
    AROUND = whole("around", AroundRequest, prepare_around, AskForMove)
    SENDS = whole("sends", SendsRequest, prepare_count, SendRequest)
''')
DECLARED = dedent('''
    """Moves a device, after a yes."""
    from workflows.registry import Workflow

    WORKFLOWS = (
        Workflow("careful", "Count, then move.", "careful.whole:CAREFUL"),
        Workflow("first", "Move, then count.", "careful.whole:FIRST"),
        Workflow("around", "Have it moved.", "careful.whole:AROUND"),
        Workflow("sends", "Send and pay.", "careful.whole:SENDS"),
    )
''')


def install_careful(folder: Path) -> None:
    """Write the package, as pip would install it."""
    install(folder, "careful", "[grafico.workflows]\ncareful = careful\n")
    (folder / "careful").mkdir()
    (folder / "careful" / "__init__.py").write_text(DECLARED)
    (folder / "careful" / "whole.py").write_text(WHOLE)
