"""The verbs that ask another verb several times, such as ``compare`` and ``converge``."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ..say import say
from .forms import added_options, given
from .meant import Command, Option, output_names
from .near import typed
from .options import computing, options, plan_option, session, where_option
from .plots import plot_option

if TYPE_CHECKING:
    from workflows.engine.request.wrapping import Rounds, WrapperAnswer
    from workflows.registry import Workflow, Wrapper
    from workflows.show.blocks import Section

    from .sending import Where

ASKED = "grafico.asked"
"""Where the verb that is asked, and its options, are kept with what was typed."""

LOCANT = re.compile(r"\d+'?|[NOSP]")
"""What stands before a comma that belongs to a name: 1,2-dichloroethane, N,N-dimethylformamide."""


BETWEEN = re.compile(r",(?![^()\[\]]*[)\]])")
"""A comma that is in no brackets, as of 6-31G(d,p) or CBS(cc-pVTZ,cc-pVQZ)."""


table_option = click.option(
    "-o",
    "--output",
    cls=Option,
    otherwise=(*output_names, "csv", "table"),
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the table: .csv, .xlsx, .md or .tex; several can.",
)


class Values(click.ParamType[Any, Any]):
    """Several values between commas, each of some kind."""

    def __init__(self, kind: click.ParamType[Any, Any]) -> None:
        self._kind, self.name = kind, f"{kind.name}[,…]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        names = self._kind is click.STRING
        pieces = apart(value, names=names) if isinstance(value, str) else [value]
        return tuple(self._kind.convert(piece, param, ctx) for piece in pieces)


def apart(text: str, *, names: bool = True) -> list[str]:
    """Return what stands between commas; names of substances keep those after their locants."""
    found: list[str] = []
    for piece in (one.strip() for one in BETWEEN.split(text)):
        if names and found and LOCANT.fullmatch(found[-1].rpartition(",")[2]):
            found[-1] += f",{piece}"
        else:
            found.append(piece)
    return [piece for piece in found if piece]


class WrapperCommand(Command):
    """A command that begins with what is asked, and whose options are those of that, as lists.

    Args:
        wrapper: the verb about other verbs.
    """

    def __init__(self, wrapper: Wrapper) -> None:
        function = _command(wrapper)
        params = list(reversed(vars(function)["__click_params__"]))
        title = wrapper.title
        super().__init__(
            wrapper.command, callback=function, params=params, help=title, short_help=title
        )
        self.wrapper = wrapper

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        workflow, rest = asked_first(list(args))
        if rest == args and not _is_usual(workflow):
            line = ["grafico", self.wrapper.command, workflow.command, *args]
            say(f"read as: {shlex.join(line)}", err=True)
        own = self._own()
        taken = {one.name for one in own}
        more = [one for one in offered(self, workflow) if one.name not in taken]
        ctx.meta[ASKED] = workflow, own, more
        return super().parse_args(ctx, rest)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        asked = ctx.meta.get(ASKED)
        _, own, more = (None, self._own(), ()) if asked is None else asked
        return [*own, *super().get_params(ctx), *more]

    def _own(self) -> list[click.Option]:
        return added_options(self, (self.wrapper.whole.form,), {})

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        what = (
            "WHAT is any verb, with its own subject and options; `run` if none is named. An option "
            "takes several values between commas, or is repeated."
        )
        self.help = "\n\n".join(filter(None, [self.wrapper.title, what, self.wrapper.whole.help]))
        super().format_help_text(ctx, formatter)


def _is_usual(workflow: Workflow) -> bool:
    """Return whether a workflow is the one that is meant where nobody names one."""
    from workflows.registry import workflows

    return workflow.name == workflows().usual.name


def asked_first(args: list[str]) -> tuple[Workflow, list[str]]:
    """Return the workflow that arguments begin with, or mean, and the others."""
    from workflows.registry import Workflow, workflows

    for words in (2, 1):
        found = workflows().verb(" ".join(args[:words])) if len(args) > words else None
        if isinstance(found, Workflow) and not any(one.startswith("-") for one in args[:words]):
            return found, args[words:]
    return workflows().meant_by(" ".join(args)), args


def offered(command: click.Command, workflow: Workflow) -> list[click.Option]:
    """Return the options of a workflow, of which most take several values."""
    from ..session.settings import USUAL

    found = added_options(command, workflow.whole.all_forms, USUAL)
    take_lists(workflow, found)
    return found


def take_lists(workflow: Workflow, found: Iterable[click.Option]) -> None:
    """Let options of a workflow take several values, where they take no list by themselves."""
    from workflows.batch.comparing import takes_several

    about = workflow.whole.subject.form.offered()
    for one in found:
        flag = one.is_flag or one.multiple or one.name in about
        if one.name and not flag and not takes_several(workflow, one.name):
            one.type, one.multiple = Values(one.type), True
            if isinstance(one, Option):  # --levels, as people call several
                one.otherwise = (*one.otherwise, f"{one.name}s", f"{one.name}_list")


def _command(wrapper: Wrapper) -> Callable[..., None]:
    """Return what the command of a verb about other verbs calls."""

    def call(words: tuple[str, ...], **said: Any) -> None:
        context = click.get_current_context()
        workflow, *_ = context.meta[ASKED]
        try:
            _ask(wrapper, workflow, words, **said)
        except _Several as several:  # the session of this command is closed by then
            say(f"read as: {shlex.join(['grafico', *several.line])}", err=True)
            root = context.find_root().command
            context.exit(root.main(several.line, prog_name="grafico", standalone_mode=False) or 0)

    own = (plan_option, where_option) if wrapper.at_once else ()
    subject = click.argument("words", nargs=-1, required=True, metavar="[WHAT] SUBJECT")
    return subject(options(plot_option, table_option, *own, *computing)(call))


def _ask(
    wrapper: Wrapper,
    workflow: Workflow,
    words: tuple[str, ...],
    *,
    plots: tuple[Path, ...],
    output: tuple[Path, ...],
    plan: bool = False,
    threads: int | None,
    trace: str | None,
    quiet: bool,
    recompute: bool,
    accept: tuple[str, ...],
    where: Where | None = None,
    store: str | None,
    as_json: bool,
    debug: bool,
    **said: Any,
) -> None:
    """Ask it, and show what came of it."""
    from triplestore.errors import InputError
    from workflows.batch.comparing import varied
    from workflows.show.blocks import Table

    from ..views.progress import Progress
    from ..views.table_files import TABLE_FILES, table_file
    from .options import check_output, write_whole
    from .plots import check_plots, told, write_plots
    from .tables import as_read
    from .verbs import show_plans

    check_plots(plots, where, plan=plan)
    for path in output:
        check_output(path, force=True, endings=TABLE_FILES)
    subject = " ".join(words)
    with (
        Progress(quiet) as progress,
        session(
            store, threads_per_calculation=threads, listener=progress, trace=trace, accept=accept
        ) as grafico,
    ):
        asked = {"workflow": workflow.name, **together(given(said))}
        if (there := grafico.on_stored(wrapper, subject, given(said))) is not None:
            found = there
        elif wrapper.at_once and len(words) > 1 and not varied(workflow, asked):
            raise _Several(workflow, words)
        elif where is None:
            found = grafico.wait_for(
                lambda: grafico.ask_async(wrapper, subject, recompute=recompute, **asked)
            )
        else:
            rounds = grafico.rounds(wrapper, **asked)
            first: dict[str, Any] = {**next(rounds), "recompute": recompute}
            try:
                ready = grafico.wait_for(lambda: grafico.prepare_async(subject, **first))
            except InputError as error:
                if len(words) > 1 and subject in error.asked:  # no name of several words
                    raise _Several(workflow, words) from error
                raise
            if plan:
                show_plans(ready, as_json)
                return
            got = grafico.run(subject, **first, **where.said)
            found = answered(rounds, where.result(grafico, got, progress, as_json))
        sections = found.shown_sections()
        if as_json:
            head = {"run": found.run, "status": found.status, "remarks": list(found.remarks)}
            say(json.dumps({**head, **found.as_json()}, indent=2, allow_nan=False))
        else:
            _print(sections, found)
        for path in output:
            shown = (block for one in as_read(sections) for block in one.blocks)
            table = next((block for block in shown if isinstance(block, Table)), None)
            if table is not None:
                write_whole(path, table_file(path.suffix.lower(), table))
                say(f"table written to {path.resolve()}", err=True)
        told(write_plots(sections, plots, found.run))
    if not found.complete:
        sys.exit(1)


class _Several(Exception):
    """Several subjects are no comparison of settings, but a batch.

    Args:
        workflow: what is asked of each.
        words: what it is asked of.
    """

    def __init__(self, workflow: Workflow, words: tuple[str, ...]) -> None:
        of = [] if _is_usual(workflow) else ["--workflow", workflow.command]
        each = [word for word in words if word not in {"and", "the", "vs", "versus", "with"}]
        self.line = ["batch", *each, *of, *typed(click.get_current_context())]
        super().__init__(*words)


def answered(rounds: Rounds, result: Any) -> WrapperAnswer:
    """Return what a verb makes of the only thing that it asks."""
    try:
        rounds.send(result)
    except StopIteration as end:
        return end.value
    raise AssertionError("a verb that asks all at once asks again")


def _print(sections: Sequence[Section], found: WrapperAnswer) -> None:
    from ..views.text import rows, tables
    from .tables import as_read, listing

    sections = as_read(sections)
    for names, cells in tables(sections):
        listing(names, cells)
    if beneath := [*rows(sections), *about(found)]:
        listing(("quantity", "value"), beneath)


def together(said: dict[str, Any]) -> dict[str, Any]:
    """Return what was said with the values of an option in one list; one value as it is."""
    found = dict(said)
    for name, value in said.items():
        if isinstance(value, tuple) and value and isinstance(value[0], tuple):
            parts = cast("Sequence[Sequence[Any]]", value)
            many = [one for part in parts for one in part]
            found[name] = many[0] if len(many) == 1 else many
    return found


def about(found: WrapperAnswer) -> list[tuple[str, str]]:
    """Return what is said of a comparison beneath its table."""
    from ..session.inspection import shorten

    run = [("run", shorten(found.run))] if found.run else []
    return [*(("note", text) for text in found.remarks), *run]
