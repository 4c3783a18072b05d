"""``grafico resume``: going on with a run after a break."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .errors import leave
from .forms import added_options, given, threads_option
from .options import options, reading, trace_option, under_option, where_option
from .plots import check_plots, plot_option
from .verbs import show

if TYPE_CHECKING:
    from .sending import Where

OF_THE_RUN = "grafico.options"
"""Where the options of a run are kept with what was typed."""


class ResumeCommand(click.Command):
    """A command whose options are, besides its own, those of the workflow of the run it names."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[OF_THE_RUN] = self._of_the_run(ctx, args)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *ctx.meta.get(OF_THE_RUN, ())]

    def _of_the_run(self, ctx: click.Context, args: list[str]) -> list[click.Option]:
        """Return the options of the run's workflow, where they or the help are asked for."""
        from ..session.jobs import IRI
        from ..session.naming import is_short

        parser = self.make_parser(ctx)
        parser.ignore_unknown_options = True
        said, rest, _ = parser.parse_args(list(args))
        words = [word for word in (said.get("run"), *rest) if isinstance(word, str)]
        values = {word for before, word in pairwise(args) if before.startswith("-")}
        named = [
            word
            for word in words
            if IRI.match(word) or (is_short(word) and (word not in values or len(words) == 1))
        ]
        run = min(named, key=lambda word: not IRI.match(word), default="")  # `--max-steps 9 IRI`
        asks = self.get_help_option(ctx)
        helps = asks is not None and said.get(asks.name)
        if not run or not (helps or any(word.startswith("-") for word in words)):
            return []
        from workflows.engine.request.previous import read_previous

        with reading(said.get("store")) as grafico:
            former = read_previous(grafico.iri(run), grafico.kg)
        said = {name: str(value) for name, value in former.said.items() if value is not True}
        return added_options(self, former.workflow.whole.forms, said)


@click.command(cls=ResumeCommand)
@click.argument("run", default="")
@options(
    threads_option,
    click.option(
        "--router",
        metavar="goal|ask|model:NAME",
        help="Who chooses the steps.  [default: goal; of a job, who chose before]",
    ),
    where_option,
    under_option,
    plot_option,
    click.option("--force", is_flag=True, help="Go on however long it takes."),
    trace_option,
    click.option("--quiet", is_flag=True, help="Show no progress."),
)
def resume(
    run: str,
    threads: int | None,
    router: str | None,
    force: bool,
    trace: str | None,
    quiet: bool,
    where: Where,
    under: str | None,
    plots: tuple[Path, ...],
    store: str | None,
    as_json: bool,
    debug: bool,
    **asked: Any,
) -> None:
    """Go on with a run that was cut off, or that ended before its goal.

    RUN is what it is called, as for `grafico show`, or a batch; the latest that did not reach its
    goal if none is given; or the name of a job, which is then submitted again where it was; where
    it waits for a choice, that is made before. What it has computed is remembered. What is asked
    otherwise than then, such as more steps, is said as for the verb that started it: `grafico
    resume RUN --help` lists these options.
    """
    from ..views.progress import Progress

    check_plots(plots, where)
    with (
        Progress(quiet) as progress,
        reading(store, threads_per_calculation=threads, listener=progress, trace=trace) as grafico,
    ):
        got = grafico.resume(
            run, router=router, force=force, under=under, **given(asked), **where.said
        )
        result = where.result(grafico, got, progress, as_json, router or "goal")
        show(result, as_json, plots)
    leave(result)
