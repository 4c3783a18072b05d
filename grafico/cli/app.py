"""The command line. What each command needs is imported when it runs, so that help is quick."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from itertools import takewhile
from typing import Any

import click

from triplestore.release import PACKAGE
from workflows.text.safe_text import printable
from workflows.trust.caller import Caller, ConsentQuestion, asked_by, caller

from ..say import say
from .controlling import has_terminal
from .errors import fail, spelled
from .verbs import CALCULATIONS, LOOKED_UP, Verbs

SECTIONS = {
    CALCULATIONS: {
        "ask": "ask:ask", "batch": "batch:batch", "chat": "chat:chat", "web": "web:web",
    },
    LOOKED_UP: {},
    "Results": {
        "chats": "chat:chats", "export": "archive:export", "find": "find:find",
        "import": "importing:bring_in", "query": "query:query", "report": "report:report",
        "resume": "resume:resume", "runs": "query:runs", "show": "query:show", "si": "si:si",
        "tag": "marks:tag", "withdraw": "marks:withdraw",
    },
    "Jobs": {
        "cancel": "jobs:cancel", "clusters": "jobs:clusters", "follow": "jobs:follow",
        "jobs": "jobs:jobs", "slots": "slots:slots",
    },
    "Laboratory": {"approve": "approve:approve", "stop": "stopping:stop"},
    "Store, programs, help": {
        "backup": "archive:backup", "completion": "helping:completion",
        "doctor": "doctor:doctor", "du": "doctor:du", "fsck": "archive:fsck",
        "graph": "graph:graph", "help": "helping:help_on", "mcp": "mcp:mcp",
        "migrate": "archive:bring_up_to_date", "ontology": "ontology:ontology",
        "restore": "archive:restore", "skills": "skills:skills", "trust": "trust:trust",
    },
}  # fmt: skip
"""The heads of help, in its order, each with the commands that no domain brings."""

JOINING = frozenset({"of", "the", "with", "for", "and", "by", "using"})
"""Words that stand in sentences, and are no subject of a command."""

COMMANDS = {name: place for own in SECTIONS.values() for name, place in own.items()}
"""Where each command is, in this folder: no command needs to know the others."""


RUN = re.compile(r"#?[1-9][0-9]*|last")
"""What a run is called, which by itself is to be shown."""


async def _asked(question: ConsentQuestion) -> bool:
    """Have the person at the terminal agree, or not."""
    from .terminal import yes

    say(f"{question.what}\n{question.why}", err=True)
    return await yes()


async def _answered(question: str, choices: Sequence[str]) -> str | None:
    """Have the person at the terminal say what a request leaves open."""
    from .terminal import typed

    say(printable(question), err=True)
    usual = f" (Enter: {printable(choices[0])})" if choices else ""
    return await typed(f"answer{usual}: ")


def _person() -> Caller:
    """Return who gives the command; who has called this from a program says who answers."""
    if sys.stdin is not None and sys.stdin.isatty() and has_terminal():
        return Caller(is_person=True, ask=_asked, door="the terminal", question=_answered)
    return replace(caller(), is_person=True)


class Group(Verbs):
    """A group that turns errors meant for people into one message and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from workflows.registry import workflows

        wrappers = (one.command for one in workflows().wrappers)
        return sorted({*COMMANDS, *wrappers, *super().list_commands(ctx)})

    def sections(self, ctx: click.Context) -> dict[str, set[str]]:
        found = {head: set(own) for head, own in SECTIONS.items()}
        for head, names in super().sections(ctx).items():
            found.setdefault(head, set()).update(names)
        return found

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            from workflows.registry import workflows

            wrapper = workflows().wrapper(cmd_name)
            if wrapper is None:
                return super().get_command(ctx, cmd_name)
            from .wrapping import WrapperCommand

            return WrapperCommand(wrapper)
        module, _, name = COMMANDS[cmd_name].partition(":")
        return getattr(import_module(f".{module}", __package__), name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if len(args) > 1 and (line := self._by_its_sign(args)):
            say(f"read as: {shlex.join(['grafico', *line])}", err=True)
            return super().resolve_command(ctx, line)
        if args and RUN.fullmatch(args[0]):
            say(f"read as: {shlex.join(['grafico', 'show', *args])}", err=True)
            return super().resolve_command(ctx, ["show", *args])
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from .near import meant, no_command, written

            sentence = any(mark.isspace() for mark in args[0].strip())  # in quotation marks
            line = written(args) or ([] if sentence else meant(self, ctx, args))
            if sentence and not line:
                return super().resolve_command(ctx, ["ask", *args])
            if not line:
                ctx.fail(no_command(self, ctx, args))
            say(f"read as: {shlex.join(['grafico', *line])}", err=True)
            return super().resolve_command(ctx, line)
        if self._is_sentence(ctx, args):
            from .near import meant

            if line := meant(self, ctx, args):
                say(f"read as: {shlex.join(['grafico', *line])}", err=True)
                return super().resolve_command(ctx, line)
        return super().resolve_command(ctx, args)

    def _is_sentence(self, ctx: click.Context, args: list[str]) -> bool:
        """Tell whether a verb has more words behind it than it takes, or some of a sentence."""
        words = [*takewhile(lambda one: not one.startswith("-"), args)]
        if len(words) < 3 or words[0] in COMMANDS:
            return False
        params = command.get_params(ctx) if (command := self.get_command(ctx, words[0])) else []
        takes = [one.nargs for one in params if isinstance(one, click.Argument)]
        if not takes:
            return False
        return 0 < sum(takes) < len(words) - 1 or not JOINING.isdisjoint(words[1:])

    @staticmethod
    def _by_its_sign(args: list[str]) -> list[str]:
        """Return the command of what has a sign, such as an equation, if the usual was named."""
        if args[0] in COMMANDS or args[1].startswith("-"):
            return []
        from workflows.registry import workflows

        usual, other = workflows().usual, workflows().meant_by(args[1])
        is_other = args[0] == usual.command and other.name != usual.name
        return [other.command, *args[1:]] if is_other else []

    def invoke(self, ctx: click.Context) -> Any:
        for name in ("stdout", "stderr"):  # closed by the caller: no file may take its number
            if getattr(sys, name) is None:
                setattr(sys, name, ctx.with_resource(open(os.devnull, "w")))  # noqa: SIM115
        ctx.with_resource(asked_by(_person()))
        try:
            return super().invoke(ctx)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            ctx.exit(fail(_misused(error)))
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            sys.stderr.close()
            ctx.exit(1)
        except KeyboardInterrupt:
            say(
                "\ninterrupted; what is finished is kept: ask again, or `grafico resume` it"
                " (`grafico runs` lists it)",
                err=True,
            )
            ctx.exit(130)
        except Exception as error:
            if "--debug" in sys.argv:
                import traceback

                traceback.print_exc()
            ctx.exit(fail(error, self._options(ctx)))

    def _options(self, ctx: click.Context) -> dict[str, str]:
        """Return how the options of the command that was called are written, by their names."""
        found: dict[str, str] = {}
        with contextlib.suppress(Exception):  # of a workflow that is broken nobody knows them
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            inner = command.commands.values() if isinstance(command, click.Group) else ()
            for part in filter(None, (command, *inner)):
                found |= spelled(part.get_params(ctx))
        return found


def _misused(error: click.UsageError) -> Exception:
    """Return what is wrong with how a command was called, in the form of our errors."""
    from triplestore.errors import InputError

    path = error.ctx.command_path if error.ctx else "grafico"
    found = error.format_message()
    if isinstance(error, click.NoSuchOption):
        from .near import no_option

        found = no_option(error)
    elif isinstance(error, click.MissingParameter):
        from .near import no_argument

        found = no_argument(error)
    elif isinstance(error, click.BadParameter):
        from .near import no_choice

        found = no_choice(error)
    else:
        from .near import too_many

        found = too_many(error)
    return InputError(f"`{path}` was called", found, f"see `{path} --help`")


def terminated(*_: object) -> None:
    """Leave as after Ctrl-C: workers end, folders are cleared."""
    raise KeyboardInterrupt


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name=PACKAGE, prog_name="grafico")
def main() -> None:
    """Ask for a calculation; every result is remembered and can be queried.

    Plain words do, too: grafico "dipole of acetone with PBE0/def2-SVP". Options: grafico COMMAND
    --help.
    """
    with contextlib.suppress(ValueError):  # only the main thread may
        signal.signal(signal.SIGTERM, terminated)
    if "TRACEPARENT" in os.environ:
        from ..session.tracing import joined

        click.get_current_context().with_resource(joined())
