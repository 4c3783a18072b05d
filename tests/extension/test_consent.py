"""Steps that act on the world: nothing is done without a person's yes, whichever way it is asked.

The world is a file into which a step writes a line (see `careful.py`): each test counts lines.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.extension.careful import install_careful
from tests.extension.conftest import Shell
from tests.terminal import at_terminal
from tests.warm import program


class World(Shell):
    """A shell in whose world something may happen."""

    def __init__(self, folder: Path, site: Path) -> None:
        super().__init__(folder, site)
        self.file = folder / "world"
        self.environment |= {"WORLD": str(self.file)}

    @property
    def lines(self) -> list[str]:
        return self.file.read_text().splitlines() if self.file.exists() else []

    def last_run(self) -> str:
        return json.loads(self("runs", "--json")[0])[0]["run"]

    def person(self, *arguments: str, typed: str = "y", **settings: str) -> tuple[int, str]:
        """Give a command at a terminal."""
        env: dict[str, str] = {**self.environment, **settings}
        # a real process: one of those that are kept warm has no terminal
        command = [sys.executable, "-m", "grafico", *arguments]
        return at_terminal(command, typed, env=env, cwd=self.folder)

    def agreed(self, run: str) -> str:
        status, shown = self.person("approve", run)
        assert status == 0, shown
        return shown

    def refused(self, *arguments: str, **settings: str) -> str:
        """Give a command that ends pending; return what it says."""
        _, told = self(*arguments, status=1, **settings)
        told = " ".join(told.split())
        assert "nobody agreed" in told
        assert "grafico approve g:id/Run/" in told
        assert "--yes" not in told
        return told


@pytest.fixture(scope="module")
def careful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("careful")
    install_careful(folder)
    return folder


@pytest.fixture
def world(careful: Path, tmp_path: Path) -> World:
    (tmp_path / "two.smi").write_text("O water\nN ammonia\n")
    atoms = {"water": "OHH", "ammonia": "NHHH", "methane": "CHHHH", "fluorine": "FH"}
    for name, symbols in atoms.items():
        at = [f"{one} {0.9 * (k % 2)} {0.9 * (k // 2)} 0" for k, one in enumerate(symbols)]
        (tmp_path / f"{name}.xyz").write_text("\n".join([str(len(at)), "", *at, ""]))
    return World(tmp_path, careful)


# --- nobody is there -----------------------------------------------------------------------------


def test_at_a_command_line_without_a_terminal_all_end_pending(world: World) -> None:
    for asked in (
        ("careful", "methane.xyz"),
        ("around", "methane.xyz"),
        ("batch", "two.smi", "--workflow", "careful"),
        ("first", "methane.xyz", "--on", "here"),
    ):
        world.refused(*asked)
    assert world.lines == []
    said = json.loads(world("runs", "--json")[0])
    assert {one["status"] for one in said} == {"interrupted"}
    assert "nobody is asked without a terminal" in world("approve", world.last_run(), status=1)[1]
    world.refused("resume", world.last_run())
    assert world.lines == []


def test_in_python_and_by_tools_of_a_model_all_end_pending(world: World) -> None:
    found = json.loads(
        world.script(
            dedent("""
        import json
        from pathlib import Path
        from grafico import Grafico
        from grafico.agent import ToolContext
        from grafico.agent.tools import tools
        from triplestore.errors import ConsentError
        from workflows.trust.caller import Caller, ConsentQuestion, asked_by

        told, rows, asked = [], [], []

        def refused(function):
            try:
                function()
            except ConsentError as error:
                told.append([error.found, len(session.waiting_for_yes(error.run).deeds)])

        async def no(question):
            asked.append([question.what, sorted(question.effects)])
            return False

        ways = [
            {"name": "careful", "subjects": ["O"]},
            {"name": "around", "subjects": ["O"]},
            {"name": "batch", "subjects": ["two.smi"], "arguments": {"each": "careful"}},
            {"name": "first", "subjects": ["O"], "on": "here"},
            {"name": "batch", "subjects": ["two.smi"], "arguments": {"each": "careful"},
             "on": "here"},
        ]
        with Grafico() as session:
            refused(lambda: session.run("water.xyz", workflow="careful"))
            refused(lambda: session.run("water.xyz", workflow="around"))
            refused(lambda: session.batch("two.smi", workflow="careful").result())
            refused(lambda: session.run("water.xyz", workflow="first", on="here"))
            with asked_by(Caller(is_person=True, ask=no)):
                refused(lambda: session.run("water.xyz", workflow="around"))
            context = ToolContext(session, Path("folder"))
            Path("folder/two.smi").write_text("O water\\nN ammonia\\n")
            for approve in (None, lambda _: False):
                context.approve = approve
                for way in ways:
                    got = session.wait_for(lambda: tools()["run_workflow"](context, way)).found
                    rows += next(iter(got.values()))
            runs = [line.run for line in session.runs(50)]
            for run in runs[:3]:
                got = session.wait_for(lambda: tools()["resume"](context, {"run": run})).found
                rows.append(got)
            context.close()
        print(json.dumps([told, rows, asked]))
        """)
        )
    )
    told, rows, asked = found
    why = "it commands a device"
    assert [text for text, _ in told] == [f"{why}, and nobody agreed"] * 4 + [
        f"{why}, and the person said no"
    ]
    assert all(number for _, number in told)
    assert "MoveDevice at bench (state 0)" in asked[0][0]
    assert "the lid is closed" in asked[0][0]
    assert asked[0][1] == ["device"]
    assert {one["status"] for one in rows} == {"pending"}, rows
    assert all(f"grafico approve {one['run']}" in one["advice"] for one in rows)
    assert world.lines == []


def test_a_job_waits_where_it_comes_to_it_and_goes_on_here_after_a_yes(world: World) -> None:
    before = dedent("""
        import json, os, sys
        from grafico import Grafico
        from triplestore.errors import ConsentError
        from workflows.engine.jobs.desk import Desk
        from workflows.engine.runners.cluster import Cluster

        session = Grafico()
        here = Cluster(environment={"PYTHONPATH": os.environ["PYTHONPATH"]})
        session.desk = Desk(session.kg, {"here": here})
    """)
    submitted = dedent("""
        job = session.run("water.xyz", workflow="careful", on="here")
        ended = session.follow(job.name)
        try:
            session.resume(ended.name)
        except ConsentError as error:
            told = [error.found, error.advice, error.run]
        [part] = ended.parts
        print(json.dumps([ended.name, part.state, part.told, part.advice, part.run, told]))
        session.close()
    """)
    name, state, told, advice, run, refused = json.loads(world.script(before + submitted))
    assert (state, told) == ("waiting for a choice", "a yes is needed: it commands a device")
    assert "grafico approve g:id/Run/" in advice
    assert "nobody agreed" in refused[0]
    assert "grafico approve g:id/Run/" in refused[1]
    assert world.lines == []
    world.agreed(run)
    done = world.script(before + f"print(session.resume({name!r}).status, end='')\nsession.close()")
    assert done == "finished"
    assert world.lines == ["moved for H2O"]


# --- a yes ---------------------------------------------------------------------------------------


def test_a_yes_is_for_what_was_shown_and_used_once(world: World) -> None:
    world.refused("careful", "water.xyz")
    run = world.last_run()
    status, shown = world.person("approve", run, typed="n")
    assert status == 1
    world.refused("resume", run)
    shown = world.agreed(run)
    assert "1. MoveDevice at bench (state 0): it commands a device" in shown
    assert "the lid is closed" in shown
    for change in ({"STATE": "7"}, {"CHECK": "the lid is open"}):
        world.refused("resume", run, **change)
    world.refused("careful", "ammonia.xyz")  # another molecule
    assert world.lines == []
    world("resume", run)
    assert world.lines == ["moved for H2O"]
    world.refused("resume", run)
    world.refused("resume", run, STATE="0")  # the very same again
    assert world.lines == ["moved for H2O"]


def test_what_is_computed_before_it_voids_no_yes(world: World) -> None:
    world.refused("careful", "water.xyz")
    world.agreed(world.last_run())
    world("careful", "water.xyz", "--recompute")
    assert world.lines == ["moved for H2O"]


def test_of_two_who_go_on_at_once_one_does_it(world: World) -> None:
    world.refused("careful", "water.xyz")
    run = world.last_run()
    world.agreed(run)
    command = [*program(), "resume", run]
    env: dict[str, str] = {**world.environment, "STATE": "0", "SLOW": "2"}
    both = [
        subprocess.Popen(
            command,
            cwd=world.folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(2)
    ]
    assert sorted(one.wait(120) for one in both) == [0, 1]
    assert world.lines == ["moved for H2O"]


def test_what_was_sent_and_is_not_known_done_waits_for_a_person(world: World) -> None:
    world.refused("careful", "water.xyz")
    run = world.last_run()
    world.agreed(run)
    world("resume", run, status=9, DIE="1")  # killed in the middle of it
    assert world.lines == ["moved for H2O"]
    world.refused("resume", run)
    world.refused("careful", "water.xyz", STATE="0")
    shown = world.agreed(world.last_run())
    assert "nobody knows whether it was done: look before you agree" in " ".join(shown.split())
    world("careful", "water.xyz", STATE="0")
    assert world.lines == ["moved for H2O"] * 2, "a person has looked, and wants it again"


def test_what_was_done_is_not_done_again_when_its_run_goes_on(world: World) -> None:
    world.script(
        dedent("""
        import asyncio

        from grafico import Grafico
        from workflows.trust.caller import Caller, asked_by

        class Router:
            name = "cut"
            async def choose(self, at):
                from workflows.engine import Choice
                if at.last is not None:
                    raise asyncio.CancelledError
                return Choice(at.menu.options[0], "first")

        async def yes(question):
            return True

        with Grafico() as session:
            with asked_by(Caller(is_person=True, ask=yes)):
                try:
                    session.run("water.xyz", workflow="first", router=Router())
                except BaseException:
                    pass
        """)
    )
    assert world.lines == ["moved for H2O"]
    world("resume", world.last_run())
    assert world.lines == ["moved for H2O"]


def test_a_batch_is_agreed_to_as_a_closed_set_and_each_is_done_once(world: World) -> None:
    world.refused("batch", "two.smi", "--workflow", "careful")
    run = world.last_run()
    shown = " ".join(world.agreed(run).split())
    assert "2 subjects, for each at most once: MoveDevice (it commands a device)" in shown
    world.refused("careful", "water.xyz")  # it is in the batch, and not asked for by that
    (world.folder / "more.smi").write_text("O water\nN ammonia\nC methane\n")
    world.refused("batch", "more.smi", "--workflow", "careful")
    assert world.lines == []
    world("resume", run)
    assert sorted(world.lines) == ["moved for H2O", "moved for H3N"]
    world("batch", "two.smi", "--workflow", "careful")  # there is nothing left
    assert len(world.lines) == 2


def test_entries_of_a_pack_whose_inner_requests_act_are_agreed_to_at_once(world: World) -> None:
    """A worker that they share keeps no yes: it hands them back, and it is asked here."""
    world.refused("batch", "two.smi", "--workflow", "around")
    assert world.lines == []
    run = world.last_run()
    assert "2 operations, each once" in world.agreed(run)
    world.refused("resume", run)  # for the second one the device stands otherwise than agreed
    assert len(world.lines) == 1, "that one waits keeps no other from being done"
    run = world.last_run()
    assert "1 operation, each once" in world.agreed(run)
    world("resume", run)
    assert sorted(world.lines) == ["moved for H2O", "moved for H3N"]


def test_at_a_terminal_the_verb_asks(world: World) -> None:
    status, shown = world.person("around", "water.xyz", typed="n")
    assert status == 1
    assert "the person said no" in " ".join(shown.split())
    assert world.lines == []
    status, shown = world.person("around", "water.xyz")
    assert status == 0, shown
    assert world.lines == ["moved for H2O"]


# --- attacks -------------------------------------------------------------------------------------


def test_a_yes_of_somebody_else_that_comes_with_a_bundle_counts_for_nothing(
    world: World, careful: Path, tmp_path: Path
) -> None:
    other = World(tmp_path / "other", careful)
    other.folder.mkdir()
    other.environment |= {"XDG_STATE_HOME": str(tmp_path / "state"), "WORLD": str(world.file)}
    other.refused("careful", "../water.xyz")
    run = other.last_run()
    other.agreed(run)
    other("export", run, "--output", "bundle.zip")
    world("import", "other/bundle.zip")
    world.refused("resume", run)
    assert world.lines == []
    other("resume", run)
    assert world.lines == ["moved for H2O"], "where it was given, it counts"


def test_a_yes_that_was_changed_in_the_store_counts_for_nothing(world: World) -> None:
    world.refused("careful", "ammonia.xyz")
    other = world.last_run()
    world.refused("careful", "water.xyz")
    world.agreed(world.last_run())
    world.script(
        dedent(f"""
        from datetime import timedelta
        from grafico import Grafico
        from ogm import Link
        from ontologies.consent import Consent, Pending

        with Grafico() as session:
            [yes] = session.kg.find(Consent)
            [pending] = [one for one in session.kg.find(Pending) if one.run.iri == "{other}"]
            deeds = frozenset(pending.deeds)
            for change in ({{"deeds": deeds}}, {{"deeds": deeds | yes.deeds}},
                           {{"deeds": deeds, "until": yes.until + timedelta(days=1)}},
                           {{"deeds": deeds, "signed": ""}}):
                session.kg.push(yes.model_copy(update=change))
        """)
    )
    world.refused("resume", other)
    world.refused("careful", "ammonia.xyz")
    assert world.lines == []
    world("careful", "water.xyz")
    world.refused("careful", "water.xyz", STATE="0")  # a copy under another name is the same yes
    assert world.lines == ["moved for H2O"]


def test_no_option_and_no_model_gives_a_yes(world: World) -> None:
    found = json.loads(
        world.script(
            dedent("""
        import json
        from pathlib import Path
        from grafico import Grafico
        from grafico.agent import ToolContext
        from grafico.agent.context import agreeing_beforehand
        from grafico.agent.tools import tools

        with Grafico() as session:
            context = ToolContext(session, Path("folder"), approve=agreeing_beforehand(None))
            way = {"name": "careful", "subjects": ["O"]}
            got = session.wait_for(lambda: tools()["run_workflow"](context, way)).found
            [row] = next(iter(got.values()))
            code = (
                "import os, subprocess\\n"
                "for try_ in (lambda: open('/dev/tty', 'r+b', buffering=0),\\n"
                f"             lambda: subprocess.run(['grafico', 'approve', {row['run']!r}]),\\n"
                "             lambda: __import__('grafico'),\\n"
                "             lambda: os.listdir(os.path.expanduser('~/.local'))):\\n"
                "    try:\\n"
                "        try_()\\n"
                "        print('DONE')\\n"
                "    except BaseException as error:\\n"
                "        print(type(error).__name__)\\n"
            )
            said = {}
            if context.no_sandbox() is None:
                said = session.wait_for(
                    lambda: tools()["run_python"](context, {"code": code})
                ).found
            context.close()
        print(json.dumps([row, sorted(tools()), said]))
        """)
        )
    )
    row, names, said = found
    assert row["status"] == "pending"
    assert not [one for one in names if "approve" in one or "agree" in one]
    assert "DONE" not in json.dumps(said)
    world("ask", "--help")
    for command in ("approve", "resume", "careful"):
        assert "--yes" not in world(command, "--help")[0]
    assert world.lines == []


def allowing(**more: str) -> dict[str, Any]:
    hosts = {"GRAFICO_ALLOWED_HOSTS": '["api.example.org"]', "GRAFICO_ALLOWED_SPENDING": "1"}
    return {**hosts, **more}


def test_servers_and_money_are_allowed_standing_by_ones_own_settings_alone(world: World) -> None:
    world.refused("sends", "water.xyz")
    own = 'allowed_hosts = ["api.example.org"]\nallowed_spending = 1.0\n'
    project = world.folder / "grafico.toml"
    project.write_text(own)
    world.refused("sends", "water.xyz")
    digest = json.loads(world("trust", "--show", "--json")[0])["digest"]
    world.refused("sends", "water.xyz", GRAFICO_TRUST=digest)
    status, _ = world.person("trust")
    assert status == 0
    world.refused("sends", "water.xyz")
    project.unlink()
    world.refused("sends", "water.xyz", GRAFICO_ALLOWED_HOSTS='["api.example.org"]')
    world.refused("sends", "water.xyz", **allowing(GRAFICO_ALLOWED_HOSTS='["other.example.org"]'))
    world.refused("sends", "water.xyz", **allowing(DOLLARS="nan"))
    world.refused("sends", "water.xyz", **allowing(DOLLARS="-1"))
    assert world.lines == []
    world("sends", "water.xyz", **allowing())
    world("sends", "ammonia.xyz", **allowing())
    assert world.lines == ["moved for H2O", "moved for H3N"]
    world.refused("sends", "methane.xyz", **allowing())  # 0.40 and 0.40 of 1 are spent
    world.refused("careful", "methane.xyz", **allowing())  # a device never
    world("sends", "methane.xyz", **allowing(GRAFICO_ALLOWED_SPENDING="2"))
    assert len(world.lines) == 3
    world("sends", "fluorine.xyz", status=9, **allowing(GRAFICO_ALLOWED_SPENDING="9", DIE="1"))
    world.refused("sends", "fluorine.xyz", **allowing(GRAFICO_ALLOWED_SPENDING="9"))
    assert len(world.lines) == 4, "paid already, as far as anybody knows"
