"""The verbs of the command line that compute: one for each workflow, made of its forms."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from .forms import FormCommand, Forms, given
from .say import say

if TYPE_CHECKING:
    from workflows.engine.workflow import Ready
    from workflows.registry import Workflow

SHOWN = {"method": "B3LYP", "basis": "def2-SVP"}
"""What the settings fill in, as the help shows it."""


class Verbs(click.Group):
    """A group whose commands are its own and one for each workflow that is installed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from workflows.registry import workflows

        return sorted({*super().list_commands(ctx), *(one.command for one in workflows().values())})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = super().get_command(ctx, cmd_name)
        if known is not None:
            return known
        from workflows.registry import plain, workflows

        for one in workflows().values():
            if plain(cmd_name) in one.names:
                return verb(one)
        return None

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        from workflows.registry import workflows

        for place, why in workflows().broken.items():
            formatter.write_paragraph()
            formatter.write_text(f"Left out, as it is broken: {place} ({why})")


class WorkflowCommand(FormCommand):
    """The command of a workflow; the workflow is imported when its options are looked at.

    Args:
        workflow: what is asked for.
    """

    def __init__(self, workflow: Workflow, **more: Any) -> None:
        super().__init__(workflow.command, forms=self._offered, **more)
        self.workflow = workflow

    def _offered(self) -> Forms:
        return self.workflow.whole.all_forms, SHOWN

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        subject = self.workflow.whole.subject
        if subject.metavar and not any(isinstance(one, click.Argument) for one in self.params):
            self.params.insert(0, click.Argument([subject.metavar.lower()]))
        return super().get_params(ctx)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        whole = self.workflow.whole
        self.help = "\n\n".join(filter(None, [self.workflow.title, whole.help, whole.subject.help]))
        super().format_help_text(ctx, formatter)


def verb(workflow: Workflow) -> click.Command:
    """Return the command of a workflow."""
    from .cli import computing, options, router_option

    def call(**said: Any) -> None:
        """Do what the command asks for."""
        named = workflow.whole.subject.metavar.lower()
        run(workflow, subject=said.pop(named, None), **said)

    decorated = options(
        router_option,
        click.option("--plan", is_flag=True, help="Show the steps and the estimate, do nothing."),
        *computing,
    )(call)
    params = list(reversed(vars(decorated).pop("__click_params__")))
    title = workflow.title
    return WorkflowCommand(
        workflow, callback=decorated, params=params, help=title, short_help=title
    )  # fmt: skip


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
    **asked: Any,
) -> None:
    """Do what a command asks for, and show what it came to."""
    from .cli import session
    from .progress import Progress

    with (
        Progress(quiet) as progress,
        session(store, threads_per_calculation=threads, listener=progress, trace=trace) as grafico,
    ):
        said: dict[str, Any] = {**given(asked), "workflow": workflow.name, "recompute": recompute}
        if plan:
            ready = grafico.wait_for(lambda: grafico.prepare_async(subject, **said))
            if ready.prepared.goal is None:
                raise click.UsageError("--plan needs a wish")
            show_plans(ready, as_json)
            return
        result = grafico.run(subject, router=router, **said)
        show(result, as_json)
    if result.status != "finished":
        sys.exit(1)


def show(result: Any, as_json: bool) -> None:
    """Print what a request came to."""
    if as_json:
        from .views.jsonable import result_as_dict

        say(json.dumps(result_as_dict(result), indent=2, allow_nan=False))
        return
    from ontologies.units import symbol
    from workflows.run_blocks import leading

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
            f"a plan for {ready.prepared.label} was asked for", f"there is none: {plans.obstacles}",
            "ask for something else",
        )  # fmt: skip
    cost = ready.estimate(force=True)
    if as_json:
        told = cost and {"seconds": cost.seconds, "memory_MB": cost.memory, "text": cost.text}
        say(json.dumps({"plans": found, "estimate": told}, indent=2))
        return
    for number, steps in enumerate(found, 1):
        say(f"{number}. {', '.join(steps) or 'nothing to do'}")
    if cost is not None:
        say(f"estimated: {cost.text}")
