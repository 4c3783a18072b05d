"""``grafico ontology``: the classes and their properties, for people, programs and models."""

from __future__ import annotations

import click

from ..say import say
from .options import options


@click.command()
@click.argument("names", metavar="[CLASS]...", nargs=-1)
@options(
    click.option(
        "--format",
        "form",
        type=click.Choice(["text", "ttl", "shacl", "json", "mapping"]),
        default="text",
        show_default=True,
        help="What to print, and how.",
    ),
)
def ontology(
    names: tuple[str, ...], form: str, store: str | None, as_json: bool, debug: bool
) -> None:
    """Show the classes of the ontology and how their objects are stored.

    Give the names of classes (SinglePoint or g:SinglePoint) to see these and their parents only.
    Classes of other packages that are installed follow those of Grafico.
    The text is short enough to be given to a language model that writes SPARQL.
    """
    from ..session.ontology import described

    say(described(names, "json" if as_json else form).rstrip("\n"))
