"""``grafico withdraw`` and ``tag``: what a person says of what is stored."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from workflows.text.words import count

from ..say import say
from .meant import Command, Option
from .options import options, reading


@click.command(cls=Command)
@click.argument("run")
@options(
    click.option(
        "--why",
        default="",
        metavar="TEXT",
        help="The reason, in words.",
        cls=Option,
        otherwise=("reason", "because", "message"),
    ),
    click.option("--with-dependents", is_flag=True, help="Withdraw also all that rests on it."),
    click.option("--undo", is_flag=True, help="Take it back into use."),
)
def withdraw(
    run: str,
    why: str,
    with_dependents: bool,
    undo: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Say that a run is not to be relied upon; nothing is deleted.

    RUN is what a run or an activity is called, as for `grafico show`; `last` is the last run that
    has ended, so that one that began meanwhile is never meant. What it computed is not
    remembered any more, so that who asks the same again has it computed anew. Lists what rests on
    it, which stays as it is without --with-dependents.
    """
    from ogm.terms import shorten

    with reading(store) as grafico:
        done = grafico.withdraw(run, why=why, with_dependents=with_dependents, undo=undo)
    if as_json:
        say(json.dumps(asdict(done), indent=2))
        return
    many = count(len(done.marked), "object") if done.marked else "nothing more, it was so already"
    say(f"{'back in use' if undo else 'withdrawn'}: {many}")
    lines = {line.run: line for line in done.told}

    def called(iri: str) -> str:
        if (line := lines.get(iri)) is None:
            return f"  {shorten(iri)}"
        number = "" if line.number is None else f"#{line.number} "
        energy = "" if line.energy is None else f"{line.energy:.6f} Eh"
        facts = (line.subject, line.goal, line.level, energy or line.result, line.status)
        return f"  {number}{', '.join(filter(None, facts))} ({shorten(iri)})"

    for iri in done.marked:
        say(called(iri))
    if done.runs or done.activities:
        say(f"on it {'rest' if len(done.runs + done.activities) > 1 else 'rests'}, unchanged:")
        for iri in (*done.runs, *done.activities):
            say(called(iri))
        if not undo:
            say("--with-dependents withdraws these, too", err=True)


@click.command()
@click.argument("run")
@click.argument("word", nargs=-1)
@options(click.option("--remove", is_flag=True, help="Take these words away again."))
def tag(
    run: str, word: tuple[str, ...], remove: bool, store: str | None, as_json: bool, debug: bool
) -> None:
    """Give a run words by which it is found again; without a word list those that it has.

    RUN is what a run or another object is called, as for `grafico show`. A word that one thing
    alone has can stand wherever a run is asked for.
    """
    with reading(store) as grafico:
        iri = grafico.iri(run)
        words = grafico.tag(run, *word, remove=remove)
    say(json.dumps({"iri": iri, "tags": words}) if as_json else ", ".join(words) or "no tags")
