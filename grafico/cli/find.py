"""``grafico find``: stored results by what they are about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import click

from ..say import say
from .forms import FormCommand, Forms, given
from .options import narrowing, options, reading

if TYPE_CHECKING:
    from workflows.engine.request.definition import Subject

    from ..session.search import Hit


class Find(FormCommand):
    """The command whose argument and options are those of what can be searched for."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _of_properties(self, ctx, args))

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if not any(isinstance(one, click.Argument) for one in self.params):
            first = next(iter(_kinds()), None)
            name = first.metavar.lower() if first else "subject"
            self.params.insert(0, click.Argument([name], required=False))
        found = super().get_params(ctx)
        usual = [one for name in FIRST for one in found if one.name == name]
        first = [one for one in found if isinstance(one, click.Argument)]
        return [*first, *usual, *(one for one in found if one not in (*first, *usual))]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from workflows.text.words import listed

        first, *others = _kinds()
        also = listed([one.name for one in others])
        texts = [first.search_help or first.help, f"What verbs take is found, too: {also}."]
        self.help = "\n\n".join([SHORT, *texts])
        super().format_help_text(ctx, formatter)


def _of_properties(command: click.Command, ctx: click.Context, args: list[str]) -> list[str]:
    """Return arguments in which a property is named: `--dipole '>2'`, `--sort gap`."""
    from ontologies.properties import difference, is_known

    from ..session.sifting import bounds

    known = {name for one in command.get_params(ctx) for name in one.opts}
    taken, rest = list[str](), list(args)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        said = value if equals else rest[0] if rest else ""
        if word in ORDERS and said and (is_known(said) or difference(said)):  # by that property
            taken += ["--property", rest.pop(0), word]
            continue
        found = bounds([said]) if word.startswith("--") and name not in known else {}
        if found and is_known(name[2:].replace("-", "_")):
            rest = rest if equals else rest[1:]
            taken += ["--property", name[2:], *(w for n, v in found.items() for w in (f"--{n}", v))]
        else:
            taken.append(word)
    return taken


SHORT = "Find stored results of something, newest first; without it, of all."
ORDERS = ("--sort", "--largest")
FIRST = ("name", "above", "below", "sort", "largest", "every")
"""The usual options, which the help lists first."""


def _kinds() -> list[Subject[Any]]:
    from workflows.registry import subjects

    return list(subjects().values())


def _forms() -> Forms:
    return [kind.search for kind in _kinds()], {}


@click.command(cls=Find, forms=_forms, help=SHORT)
@options(
    click.option(
        "--property",
        "name",
        default="",
        metavar="NAME",
        help="The quantity to show, such as gibbs_energy or dipole.  [default: energy]",
    ),
    click.option("--above", metavar="VALUE", help="Of values above, such as 2 or '10 kcal/mol'."),
    click.option("--below", metavar="VALUE", help="Of values below."),
    click.option("--sort", is_flag=True, help="By value, the smallest first."),
    click.option("--largest", is_flag=True, help="By value, the largest first."),
    click.option(
        "--all",
        "every",
        is_flag=True,
        default=None,
        help="Of all molecules also older and intermediate values, not the newest at each level.",
    ),
    click.option(
        "--limit",
        type=click.IntRange(1),
        default=50,
        show_default=True,
        help="How many at most: the newest, or the first by value.",
    ),
    *narrowing,
    click.option("--withdrawn", is_flag=True, help="Also what was withdrawn."),
    click.option("--quiet", is_flag=True, help="Show no progress."),
)
def find(store: str | None, as_json: bool, debug: bool, quiet: bool, **asked: Any) -> None:
    """Find stored results."""
    from triplestore.errors import InputError

    from ..session.search import similar
    from ..views.progress import Progress

    for name in (one.name for one in find.params if isinstance(one, click.Argument) and one.name):
        if asked[name] is not None and not asked[name].strip():
            raise InputError(
                f"results of an empty {name} were asked for",
                "it names nothing",
                f"name a {name}, or leave it out for the results of all",
            )
    with Progress(quiet) as progress, reading(store, listener=progress) as grafico:
        hits = grafico.find(**given(asked))
        near = [] if hits else similar(grafico, asked["name"])
    if near:
        say(f"no number is called {asked['name']}; near it are: {', '.join(near)}", err=True)
    if as_json:
        say(json.dumps([_as_dict(hit) for hit in hits], indent=2))
    elif hits:
        _show(hits, asked["name"])
        if hits.older:
            say(f"note: {hits.older} older or intermediate left out; --all has them", err=True)
    elif not near:
        say("nothing is stored of that")


def _as_dict(hit: Hit) -> dict[str, Any]:
    return {
        "result": hit.result,
        "class": hit.kind,
        "formula": hit.formula,
        "smiles": hit.smiles,
        "level": hit.level,
        "value": hit.value,
        "unit": hit.unit,
        "geometry": hit.atoms,
        "standing": hit.standing,
        "ended": hit.ended,
    }


def _number(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_number, cast('list[Any]', value)))}]"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _show(hits: list[Hit], name: str) -> None:
    from ..session.inspection import shorten
    from ..session.sifting import unit_symbol
    from .tables import listing

    symbols = [unit_symbol(hit) for hit in hits]
    units = sorted({*symbols} - {""})
    value = f"{name or 'energy'}{f' ({units[0]})' if len(units) == 1 else ''}"
    listing(
        ["formula", "SMILES", value, "level of theory", "geometry", "ended", "class", "result"],
        [
            [
                hit.formula,
                hit.smiles,
                f"{_number(hit.value)} {unit if len(units) > 1 else ''}".strip(),
                hit.level,
                hit.standing,
                hit.ended[:19].replace("T", " "),
                hit.kind,
                shorten(hit.result),
            ]
            for hit, unit in zip(hits, symbols, strict=True)
        ],
    )
