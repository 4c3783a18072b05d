"""``grafico approve``: a person agrees to what a run would do to the world."""

from __future__ import annotations

import json
import sys

import click

from ..say import say
from .options import options, reading


@click.command()
@click.argument("run")
@options(click.option("--show", is_flag=True, help="Only show what is waited for."))
def approve(run: str, show: bool, store: str | None, as_json: bool, debug: bool) -> None:
    """Agree to what a run would do to the world, which waits for that.

    RUN is its IRI, as the message says that it waits, and as `grafico runs` lists it. Shows the
    operations and asks you, at a terminal: no option says yes. A yes is for exactly what was shown,
    each operation once, and ends after 8 hours. Go on with `grafico resume`.
    """
    from ogm.terms import shorten
    from workflows.engine.graph.approval import told
    from workflows.registry import workflows

    with reading(store) as grafico:
        waiting = grafico.waiting_for_yes(run)
        text = f"{waiting.run.subject}: {told(waiting.deeds)}"
        facts = {
            "run": waiting.run.iri,
            "deeds": [one.model_dump(mode="json") for one in waiting.deeds],
        }
        if show:
            say(json.dumps(facts, indent=2) if as_json else text)
            return
        from .controlling import agreed_at_terminal

        asked = f"a yes to what {shorten(waiting.run.iri)} would do was asked for"
        if not agreed_at_terminal(text, "do you agree to exactly this?", asked):
            say("nothing was agreed to", err=True)
            sys.exit(1)
        until = grafico.agree(waiting, "grafico approve")
    if as_json:
        say(json.dumps({**facts, "until": until.isoformat()}, indent=2))
    else:
        go_on = f"go on with grafico resume {shorten(waiting.run.iri)}"
        if waiting.run.graph not in workflows():  # it is a part of what an action does
            go_on = "ask for the same again"
        say(f"agreed until {until:%Y-%m-%d %H:%M} UTC; {go_on}")
