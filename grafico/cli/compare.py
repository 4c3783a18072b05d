"""``grafico compare`` and ``converge``: the same question at several levels or other settings."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ..say import say
from .batch import OF_THE_WORKFLOW
from .forms import PLAIN, added_options, given
from .options import computing, options, plan_option, session, where_option
from .plots import plot_option

if TYPE_CHECKING:
    from workflows.registry import Workflow
    from workflows.show.blocks import Section

    from .sending import Where

LOCANT = re.compile(r"\d+'?|[NOSP]")
"""What stands before a comma that belongs to a name: 1,2-dichloroethane, N,N-dimethylformamide."""


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
    for piece in (one.strip() for one in text.split(",")):
        if names and found and LOCANT.fullmatch(found[-1].rpartition(",")[2]):
            found[-1] += f",{piece}"
        else:
            found.append(piece)
    return [piece for piece in found if piece]


class CompareCommand(click.Command):
    """A command that begins with what is asked, and whose options are those of that, as lists."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        workflow, rest = asked_first(list(args))
        ctx.meta[f"{OF_THE_WORKFLOW}.name"] = workflow.name
        ctx.meta[OF_THE_WORKFLOW] = offered(self, workflow)
        return super().parse_args(ctx, rest)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *ctx.meta.get(OF_THE_WORKFLOW, ())]


def asked_first(args: list[str]) -> tuple[Workflow, list[str]]:
    """Return the workflow that arguments begin with, else the usual one, and the others."""
    from workflows.registry import Workflow, workflows

    for words in (2, 1):
        found = workflows().verb(" ".join(args[:words])) if len(args) > words else None
        if isinstance(found, Workflow) and not any(one.startswith("-") for one in args[:words]):
            return found, args[words:]
    return workflows().usual, args


def offered(command: click.Command, workflow: Workflow) -> list[click.Option]:
    """Return the options of a workflow, of which most take several values."""
    from ..session.comparing import takes_several
    from ..session.settings import USUAL

    found = added_options(command, workflow.whole.all_forms, USUAL)
    about = workflow.whole.subject.form.offered()
    for one in found:
        flag = one.is_flag or one.multiple or one.name in about
        if one.name and not flag and not takes_several(workflow, one.name):
            one.type, one.multiple = Values(one.type), True
    return found


@click.command(cls=CompareCommand)
@click.argument("words", nargs=-1, required=True, metavar="[WHAT] SUBJECT")
@options(
    click.option(
        "--columns",
        metavar="NAMES",
        default="",
        help="Quantities to compare, set apart by commas.  [default: the headlines]",
    ),
    plot_option,
    plan_option,
    where_option,
    *computing,
)
@click.pass_context
def compare(
    ctx: click.Context,
    words: tuple[str, ...],
    columns: str,
    plots: tuple[Path, ...],
    plan: bool,
    threads: int | None,
    trace: str | None,
    quiet: bool,
    recompute: bool,
    where: Where,
    store: str | None,
    as_json: bool,
    debug: bool,
    **said: Any,
) -> None:
    """Ask the same at several levels or other settings: grafico compare water --method HF,PBE0.

    WHAT is any verb, with its own subject and options; `run` if none is named. An option takes
    several values between commas, or is repeated, and each combination is asked, as if alone: what
    is remembered is not computed. The table has what each comes to and how far it is from the
    first. An option that some methods do not take, such as a basis set, is left out of these.
    """
    from ..session.comparing import asked_of_each, beside
    from ..views.progress import Progress
    from .plots import check_plots, told, write_plots
    from .verbs import show_plans

    check_plots(plots, where, plan=plan)
    asked = asked_of_each(ctx.meta[f"{OF_THE_WORKFLOW}.name"], together(given(said)))
    request: dict[str, Any] = {**asked, "workflow": "batch", "recompute": recompute}
    subject = " ".join(words)
    with (
        Progress(quiet) as progress,
        session(store, threads_per_calculation=threads, listener=progress, trace=trace) as grafico,
    ):
        if plan:
            show_plans(grafico.wait_for(lambda: grafico.prepare_async(subject, **request)), as_json)
            return
        got = grafico.run(subject, **request, **where.said)
        result = where.result(grafico, got, progress, as_json)
        found = beside(result, apart(columns, names=False))
        sections = found.shown_sections()
        if as_json:
            head = {"run": found.run, "batch": result.batch.iri, "status": result.status}
            said_of_it = {**head, "remarks": result.remarks, **found.comparison.as_json()}
            say(json.dumps(said_of_it, indent=2, allow_nan=False))
        else:
            _print(sections, result)
        told(write_plots(sections, plots, found.run))
    if any(row.status != "finished" for row in found.comparison.rows):
        sys.exit(1)


@click.command(cls=CompareCommand)
@click.argument("words", nargs=-1, required=True, metavar="[WHAT] SUBJECT")
@options(
    click.option("--quantity", default="", help="What is to stand.  [default: the first headline]"),
    click.option(
        "--tolerance",
        type=PLAIN[float],
        help="By which it may still change, in the unit of its differences.  "
        "[default: 4 kJ/mol of an energy, else 1 %]",
    ),
    plot_option,
    *computing,
)
@click.pass_context
def converge(
    ctx: click.Context,
    words: tuple[str, ...],
    quantity: str,
    tolerance: float | None,
    plots: tuple[Path, ...],
    threads: int | None,
    trace: str | None,
    quiet: bool,
    recompute: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
    **said: Any,
) -> None:
    """Make a setting better until a result stands: grafico converge water --quantity dipole.

    WHAT is any verb, with its own subject and options; `run` if none is named. An option with
    several values, the best last, is what varies; if there is none, the basis set goes on through
    its family: def2-SVP, def2-TZVP, def2-QZVP. It ends at the first step that changes the result
    by no more than the tolerance, and says what it costs to be there.
    """
    from ..views.progress import Progress
    from .plots import check_plots, told, write_plots

    check_plots(plots)
    subject, name = " ".join(words), ctx.meta[f"{OF_THE_WORKFLOW}.name"]
    with (
        Progress(quiet) as progress,
        session(store, threads_per_calculation=threads, listener=progress, trace=trace) as grafico,
    ):
        found = grafico.converge(
            subject,
            workflow=name,
            quantity=quantity,
            tolerance=tolerance,
            recompute=recompute,
            **together(given(said)),
        )
        sections = found.shown_sections()
        if as_json:
            head = {"run": found.run, "status": found.result.status}
            say(json.dumps({**head, **found.as_json()}, indent=2, allow_nan=False))
        else:
            _print(sections, found.result)
        told(write_plots(sections, plots, found.run))
    if found.enough is None:
        sys.exit(1)


def _print(sections: Sequence[Section], result: Any) -> None:
    from ..views.text import rows, tables
    from .tables import listing

    for names, cells in tables(sections):
        listing(names, cells)
    listing(("quantity", "value"), [*rows(sections), *about(result)])


def together(said: dict[str, Any]) -> dict[str, Any]:
    """Return what was said with the values of an option in one list; one value as it is."""
    found = dict(said)
    for name, value in said.items():
        if isinstance(value, tuple) and value and isinstance(value[0], tuple):
            parts = cast("Sequence[Sequence[Any]]", value)
            many = [one for part in parts for one in part]
            found[name] = many[0] if len(many) == 1 else many
    return found


def about(result: Any) -> list[tuple[str, str]]:
    """Return what is said of a comparison beneath its table."""
    from ..session.inspection import shorten

    return [*(("note", text) for text in result.remarks), ("run", shorten(result.run))]
