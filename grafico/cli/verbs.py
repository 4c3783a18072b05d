"""The verbs of the command line that domains bring, made of the forms of workflows and actions."""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ..say import say
from .errors import leave
from .forms import FormCommand, Forms, given, threads_option
from .meant import Option, output_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from workflows.engine.request.workflow import Ready
    from workflows.registry import Action, Workflow

    from ..session.client import Grafico
    from .sending import Where


CALCULATIONS = "Questions and calculations"
LOOKED_UP = "Looked up, drawn, written: nothing is computed"
"""The heads of help under which verbs stand that name none."""


class Verbs(click.Group):
    """A group whose commands are its own and one for each workflow and action that is installed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from workflows.registry import workflows

        verbs = (one.command.partition(" ")[0] for one in workflows().verbs)
        return sorted({*super().list_commands(ctx), *verbs})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = super().get_command(ctx, cmd_name)
        if known is not None:
            return known
        from workflows.registry import workflows

        workflow = workflows().verb(cmd_name)
        return several(cmd_name) if workflow is None else Verb(workflow)

    def sections(self, ctx: click.Context) -> dict[str, set[str]]:
        """Return the heads of help, in its order, each with its commands."""
        from workflows.registry import Workflow, workflows

        found: dict[str, set[str]] = {CALCULATIONS: {one.command for one in workflows().wrappers}}
        for one in workflows().verbs:
            head = one.section or (CALCULATIONS if isinstance(one, Workflow) else LOOKED_UP)
            found.setdefault(head, set()).add(one.command.partition(" ")[0])
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        told: set[str] = set()
        for head, names in self.sections(ctx).items():
            known = {name: self.get_command(ctx, name) for name in sorted(names - told)}
            shown = [(name, one) for name, one in known.items() if one and not one.hidden]
            width = max(map(len, self.list_commands(ctx)))
            rows = [(f"{name:{width}}", one.get_short_help_str(500)) for name, one in shown]
            told.update(names)
            if rows:
                with formatter.section(head):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        from workflows.registry import workflows
        from workflows.registry.properties import declared

        for place, why in {**workflows().broken, **declared().broken}.items():
            formatter.write_paragraph()
            formatter.write_text(f"Left out, as it is broken: {place} ({why})")


class Verb(FormCommand):
    """The command of a workflow or an action, which is imported when its options are looked at.

    Args:
        asked: what is asked for.
    """

    def __init__(self, asked: Workflow | Action) -> None:
        super().__init__(
            asked.command,
            forms=self._offered,
            callback=self._called,
            help=asked.title,
            short_help=asked.title,
        )
        self.asked = asked

    def _offered(self) -> Forms:
        from ..session.settings import USUAL

        return self.asked.whole.all_forms, USUAL

    @functools.cached_property
    def _decorated(self) -> Callable[..., None]:
        """What the command calls: it takes the options that are no fields of its forms."""

        def call(**said: Any) -> None:
            self._call(**said)

        return _options_of(self.asked)(call)

    def own_params(self) -> list[click.Parameter]:
        subject = self.asked.whole.subject
        own = list(reversed(vars(self._decorated)["__click_params__"]))
        if subject.metavar:
            count, name = (-1 if subject.words else 1), [subject.metavar.lower()]
            own.insert(0, click.Argument(name, nargs=count, required=True))
        return own

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        whole = self.asked.whole
        self.help = "\n\n".join(filter(None, [self.asked.title, whole.help, whole.subject.help]))
        super().format_help_text(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self._with_output(ctx, args))

    def _with_output(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return what was typed; one word too many, called like what is written, is the file.

        So `grafico convert a.cif a.xyz` is `grafico convert a.cif -o a.xyz`.
        """
        from workflows.engine.request.endings import ending_of
        from workflows.registry import Action

        if not isinstance(self.asked, Action):
            return args
        self.get_params(ctx)
        try:
            said, rest, _ = self.make_parser(ctx).parse_args(list(args))
        except (click.UsageError, ValueError):  # told by what parses it in earnest
            return args
        whole = self.asked.whole
        if len(rest) != 1 or "output" in said or args.count(rest[0]) != 1:
            return args
        if ending_of(rest[0]) not in (*whole.endings, *whole.unwritten):
            return args
        at = args.index(rest[0])
        return [*args[:at], "-o", *args[at:]]

    def _called(self, **said: Any) -> None:
        self._decorated(**said)

    def _call(self, **said: Any) -> None:
        """Do what the command asks for."""
        from workflows.registry import Workflow

        asked = self.asked
        about = asked.whole.subject
        subject = said.pop(about.metavar.lower(), None)
        if isinstance(subject, tuple):
            words = [str(one) for one in cast("tuple[object, ...]", subject)]
            # a name in quotes is whole, and so are those beside it
            quoted = about.apart and any(" " in one for one in words)
            subject = f"{about.apart} ".join(words) if quoted else " ".join(words)
        if subject == "-" and about.library is not None and not sys.stdin.isatty():
            subject = sys.stdin.read().strip()
        if isinstance(asked, Workflow):
            run(asked, subject=subject, **said)
        else:
            make(asked, subject=subject, **said)


def _options_of(asked: Workflow | Action) -> Callable[[Any], Any]:
    """Return what adds the options of a verb that are no fields of its forms."""
    from workflows.registry import Workflow

    from .options import computing, options, plan_option, router_option, where_option
    from .plots import plot_option

    if isinstance(asked, Workflow):
        writing = click.option(
            "-o",
            "--output",
            metavar="FILE",
            cls=Option,
            otherwise=output_names,
            help="Write the result as `grafico write` does: .xyz, .sdf, .molden and so on.",
            type=click.Path(dir_okay=False, path_type=Path),
        )
        own = (plot_option, writing)
        return options(router_option, plan_option, where_option, *own, *computing)
    output = click.option(
        "-o",
        "--output",
        cls=Option,
        otherwise=output_names,
        help="Where to write it.",
        type=click.Path(dir_okay=False, path_type=Path),
    )
    force = click.option("--force", is_flag=True, help="Replace the file if it exists.")
    # whoever computes nothing shows little of it, and is not refused for it
    hidden = not asked.computes
    quiet = click.option("--quiet", is_flag=True, hidden=hidden, help="Show no progress.")
    threads = asked.computes and "threads" not in asked.whole.other_names  # else a form has them
    return options(output, force, *((threads_option,) if threads else ()), quiet)


def several(word: str) -> click.Group | None:
    """Return the group of the verbs that begin with a word, such as `mof`; None for none."""
    from workflows.registry import workflows

    parts = [(one.command.partition(" "), one) for one in workflows().verbs]
    found: dict[str, click.Command] = {
        rest: Verb(one) for (first, _, rest), one in parts if rest and first == word
    }
    text = f"What can be asked of {word}: {', '.join(sorted(found))}."
    return click.Group(word, found, help=text, short_help=text) if found else None


def make(
    action: Action,
    *,
    subject: str | None = None,
    output: Path | None,
    force: bool,
    threads: int | None = None,
    quiet: bool = True,
    store: str | None,
    as_json: bool,
    debug: bool,
    **asked: Any,
) -> None:
    """Do what an action is asked for, and write or show it."""
    from ..views.progress import Progress
    from .options import check_output, existing, session, write_whole

    if output:
        whole = action.whole
        endings = () if asked.get(whole.format_field) else whole.endings
        check_output(output, force=force, endings=endings, unwritten=whole.unwritten)
    if action.whole.subject.stored:
        existing(store)
    with (
        Progress(quiet or not action.computes) as progress,
        session(store, threads_per_calculation=threads, listener=progress) as grafico,
    ):
        ready = grafico.wait_for(
            lambda: grafico.prepare_action_async(
                action, subject, file=output.name if output else "", **given(asked)
            )
        )
        if ready.file and not output:
            output = Path(ready.file)
            check_output(output, force=force)
        made = grafico.wait_for(ready.make)
    if made.failed and not made.text:
        output = None
    if output:
        write_whole(output, made.text)
    text = made.text if isinstance(made.text, str) else ""  # what is none has a file
    if as_json:
        where = {"file": str(output.resolve())} if output else {"text": text}
        say(json.dumps({**where, **made.facts}, indent=2))
    else:
        for note in made.remarks:
            say(f"note: {note}", err=True)
        if output is None:
            say(text, nl=False)
        else:
            if made.headline:
                say(made.headline)
            say(f"written to {output.resolve()}{', remembered' if made.reused else ''}")
    if made.failed:
        sys.exit(1)


def run(
    workflow: Workflow,
    *,
    subject: str | None = None,
    threads: int | None,
    trace: str | None,
    quiet: bool,
    plan: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
    router: str,
    recompute: bool,
    accept: tuple[str, ...],
    where: Where,
    plots: tuple[Path, ...] = (),
    output: Path | None = None,
    **asked: Any,
) -> None:
    """Do what a command asks for, and show what it came to."""
    from ..views.progress import Progress
    from .options import session
    from .plots import check_plots

    check_plots(plots, where, plan=plan)
    writer = _writer(output, where, plan=plan) if output else None
    with (
        Progress(quiet) as progress,
        session(
            store, threads_per_calculation=threads, listener=progress, trace=trace, accept=accept
        ) as grafico,
    ):
        said: dict[str, Any] = {**given(asked), "workflow": workflow.name, "recompute": recompute}
        if plan:
            ready = grafico.wait_for(lambda: grafico.prepare_async(subject, **said))
            if ready.prepared.goal is None:
                raise click.UsageError("--plan needs a wish")
            show_plans(ready, as_json)
            return
        got = grafico.run(subject, router=router, **said, **where.said)
        result = where.result(grafico, got, progress, as_json, router)
        show(result, as_json, plots)
        if writer and output:
            _write(grafico, writer, result.run, output)
    leave(result)


OTHER_FILES = {
    ".html": ("a page is the report on a run", "report last -o"),
    **dict.fromkeys((".md", ".docx"), ("a text is its supporting information", "si last -o")),
    **dict.fromkeys(
        (".png", ".svg", ".pdf", ".csv"),
        ("a picture or its numbers are a chart of a run", "report last --plot"),
    ),
}
"""What other commands write of a run, by endings."""


def _writer(output: Path, where: Where, *, plan: bool) -> Action:
    """Return what writes a result into a file of that name, before anything is computed.

    Raises:
        InputError: nothing is written under such a name, or there will be no result.
    """
    from workflows.engine.request.endings import check_ending
    from workflows.registry import workflows

    from .options import check_output
    from .plots import check_there

    check_there(output, "write", "write it later: grafico write RUN -o FILE", where, plan=plan)
    writers = [one for one in workflows().actions if one.of_results]
    endings = {ending: one for one in writers for ending in one.whole.endings}
    unwritten = {
        ending: (found, f"without -o, and then: grafico {command} {output.name}")
        for ending, (found, command) in OTHER_FILES.items()
    }
    ending = check_ending(str(output), endings, unwritten)
    check_output(output, force=False)
    return endings[ending]


def _write(grafico: Grafico, writer: Action, run: str, output: Path) -> None:
    """Write what a run came to into a file."""
    from .options import write_whole

    ready = grafico.wait_for(lambda: grafico.prepare_action_async(writer, run, file=output.name))
    made = grafico.wait_for(ready.make)
    write_whole(output, made.text)
    for note in made.remarks:
        say(f"note: {note}", err=True)
    say(f"written to {output.resolve()}", err=True)


def show(result: Any, as_json: bool, plots: tuple[Path, ...] = ()) -> None:
    """Print what a request came to, and write its charts."""
    from .plots import told, write_plots

    _print(result, as_json)
    if plots:
        from ..views.plotted import charted

        told(write_plots(charted(result.ran), plots, result.run))


def _print(result: Any, as_json: bool) -> None:
    if as_json:
        from ..views.jsonable import result_as_dict

        say(json.dumps(result_as_dict(result), indent=2, allow_nan=False))
        return
    from ontologies.units import symbol
    from workflows.show.run_blocks import leading

    from .tables import summary

    summary(result)
    for answer in result.ran.answers:
        plan = leading(answer.result)
        if plan and (change := result.ran.differences.get(answer.recorded)) is not None:
            what = f"{plan.name.replace('_', ' ')} of {type(answer.result).__name__}"
            say(f"computed again: {what} {change:+.1e} {symbol(plan.unit)} from before")


def show_plans(ready: Ready, as_json: bool) -> None:
    """Print the cheapest ways to what is asked, and what it will take.

    Raises:
        RefusedError: there is none.
    """
    from triplestore.errors import RecipeError

    plans = ready.plans()
    found = [[str(getattr(node, "verb", node.name)) for node in steps] for steps in plans]
    if not found:
        raise RecipeError(
            f"a plan for {ready.prepared.label} was asked for",
            f"there is none: {plans.obstacles}",
            "ask for something else",
        )
    cost = ready.estimate(force=True)
    if as_json:
        told = cost and {"seconds": cost.seconds, "memory_MB": cost.memory, "text": cost.text}
        say(json.dumps({"plans": found, "estimate": told}, indent=2))
        return
    for number, steps in enumerate(found, 1):
        say(f"{number}. {', '.join(steps) or 'nothing to do'}")
    for note in ready.remarks:
        say(f"note: {note}", err=True)
    if cost is not None:
        say(f"estimated: {cost.text}")
