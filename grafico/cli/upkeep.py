"""``grafico slots`` and ``resume``: what this machine is busy with, and going on after a break."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import click

from workflows.words import count

from ..say import say
from .app import main, options, reading, router_option, session, trace_option
from .forms import added_options, given, threads_option
from .verbs import show

IRI = re.compile(r"(https?://|g:|id/)")
"""How the IRI of a run begins."""

OF_THE_RUN = "grafico.options"
"""Where the options of a run are kept with what was typed."""


@main.command()
@options()
def slots(store: str | None, as_json: bool, debug: bool) -> None:
    """Show who computes on this machine, who waits, and what is in flight in the store.

    All commands of this user on this machine are seen, whatever their store.
    """
    from workflows.engine.task import in_flight

    from ..session.client import machine_slots

    with session(store) as grafico:
        machine = machine_slots(grafico.settings)
        home = grafico.kg.store.home
        tasks = in_flight(home / "tasks") if home is not None else []
    assert machine.board is not None
    said = {
        "cores": machine.total_cores,
        "memory_MB": machine.memory,
        "gpus": [{**vars(gpu), "slots": machine.per_card} for gpu in machine.gpus],
        "held": machine.board.holders(),
        "queue": machine.board.queue(),
        "tasks": tasks,
    }
    say(json.dumps(said, indent=2) if as_json else "\n".join(lines(said)))


def lines(said: dict[str, Any]) -> list[str]:
    """Return the answer in words."""
    cards = [f"{g['name']} ({g['memory']:,} MB, {count(g['slots'], 'slot')})" for g in said["gpus"]]
    text = [
        f"{count(said['cores'], 'core')}, {said['memory_MB']:,} MB"
        + "".join(f"; {card}" for card in cards)
    ]
    for who, tokens in by_holder(said["held"]).items():
        text.append(f"  {who}: {', '.join(tokens)}")
    if not said["held"]:
        text.append("  nothing is computed")
    text += [
        f"  waiting: {wish.get('what') or '?'}, {count(wish.get('threads', 0), 'thread')}, "
        f"process {wish.get('pid')} since {wish.get('since')}"
        + (" (stopped: it is passed over until it goes on)" if wish.get("silent") else "")
        for wish in said["queue"]
    ]
    text += [
        f"  task {task['key'][:12]}: {task['calculation']}, {task['state']}"
        for task in said["tasks"]
    ]
    return text


def by_holder(held: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the tokens of each holder."""
    holders: dict[str, list[str]] = {}
    for one in held:
        name = f"{one.get('what') or '?'}, process {one.get('pid')} since {one.get('since')}"
        holders.setdefault(name, []).append(one["token"])
    return holders


class ResumeCommand(click.Command):
    """A command whose options are, besides its own, those of the workflow of the run it names."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[OF_THE_RUN] = self._of_the_run(ctx, args)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *ctx.meta.get(OF_THE_RUN, ())]

    def _of_the_run(self, ctx: click.Context, args: list[str]) -> list[click.Option]:
        """Return the options of the run's workflow, where they or the help are asked for."""
        parser = self.make_parser(ctx)
        parser.ignore_unknown_options = True
        said, rest, _ = parser.parse_args(list(args))
        words = [word for word in (said.get("run"), *rest) if isinstance(word, str)]
        run = next((word for word in words if IRI.match(word)), "")
        asks = self.get_help_option(ctx)
        helps = asks is not None and said.get(asks.name)
        if not run or not (helps or any(word.startswith("-") for word in words)):
            return []
        from ogm.terms import full_iri
        from workflows.engine.former import read_former

        with reading(said.get("store")) as grafico:
            former = read_former(full_iri(run), grafico.kg)
        said = {name: str(value) for name, value in former.said.items() if value is not True}
        return added_options(self, former.workflow.whole.forms, said)


@main.command(cls=ResumeCommand)
@click.argument("run")
@options(
    threads_option,
    router_option,
    click.option("--force", is_flag=True, help="Go on however long it takes."),
    trace_option,
    click.option("--quiet", is_flag=True, help="Show no progress."),
)  # fmt: skip
def resume(
    run: str,
    threads: int | None,
    router: str,
    force: bool,
    trace: str | None,
    quiet: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
    **asked: Any,
) -> None:
    """Go on with a run that was cut off, or that ended before its goal.

    RUN is its IRI, as `grafico runs` lists it. What it has computed is remembered. What is asked
    otherwise than then, such as more steps, is said as for the verb that started it: `grafico
    resume RUN --help` lists these options.
    """
    from .progress import Progress

    with (
        Progress(quiet) as progress,
        reading(store, threads_per_calculation=threads, listener=progress, trace=trace) as grafico,
    ):
        result = grafico.resume(run, router=router, force=force, **given(asked))
        show(result, as_json)
    if result.status != "finished":
        sys.exit(1)
