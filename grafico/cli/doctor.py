"""``grafico doctor`` and ``grafico du``: what works here, and what takes space."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

import click

from ..say import say
from .options import options, reading, session

SIGNS = {"fine": "✓", "missing": "–", "wrong": "✗"}


@click.command()
@options(
    click.option(
        "--ask", is_flag=True, help="Ask the language model's server whether it is there, too."
    )
)
def doctor(ask: bool, store: str | None, as_json: bool, debug: bool) -> None:
    """Say what works on this machine and what is missing, each with what to do.

    The status is 1 if something is wrong; what is only missing does not count.
    """
    from ..session.health import findings

    with session(store) as grafico:
        found = list(findings(grafico, ask=ask))
    if as_json:
        say(json.dumps([asdict(one) for one in found], ensure_ascii=False, indent=2))
    else:
        for one in found:
            advice = f"; {one.advice}" if one.advice else ""
            say(f"{SIGNS[one.state]} {one.what}: {one.found}{advice}")
    if any(one.state == "wrong" for one in found):
        sys.exit(1)


@click.command()
@options()
def du(store: str | None, as_json: bool, debug: bool) -> None:
    """Show what takes space in the store and the cache, and what can go without losing a number."""
    from triplestore.errors import InputError

    from ..session.health import spaces
    from .tables import listing

    with reading(store) as grafico:
        home, place = grafico.kg.store.home, grafico.settings.store
    if home is None:
        raise InputError(
            f"the space of {place} was asked for",
            "that is no folder",
            "ask of a store in a folder; who runs the server knows its size",
        )
    found = spaces(home)
    if as_json:
        say(json.dumps([asdict(one) for one in found], indent=2))
        return
    rows = [(one.part, f"{one.size / 1e6:,.2f}", f"{one.files:,}", one.can_go) for one in found]
    total = sum(one.size for one in found) / 1e6
    listing(("part", "MB", "files", "can it go?"), [*rows, ("together", f"{total:,.2f}", "", "")])
