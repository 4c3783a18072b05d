"""``grafico find``: stored results by what they are about."""

from __future__ import annotations

import json
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ..say import say
from .forms import FormCommand, Forms, given
from .meant import Option, output_names
from .options import check_output, narrowing, options, reading, write_whole

if TYPE_CHECKING:
    from triplestore.errors import NotFoundError
    from workflows.engine.request.definition import Subject

    from ..session.client import Grafico
    from ..session.listing import Listing
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
    click.option(
        "-o",
        "--output",
        cls=Option,
        otherwise=output_names,
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write the table: .csv, .xlsx, .md or .tex.",
    ),
    click.option("--force", is_flag=True, help="Replace the file if it exists."),
    click.option("--quiet", is_flag=True, help="Show no progress."),
)
def find(
    store: str | None,
    as_json: bool,
    debug: bool,
    quiet: bool,
    output: Path | None,
    force: bool,
    **asked: Any,
) -> None:
    """Find stored results."""
    from triplestore.errors import InputError, NotFoundError

    from ..session.search import similar
    from ..views.progress import Progress
    from ..views.table_files import AS_FILE, TABLE_FILES

    subjects = [one.name for one in find.params if isinstance(one, click.Argument) and one.name]
    for name in subjects:
        if asked[name] is not None and not asked[name].strip():
            raise InputError(
                f"results of an empty {name} were asked for",
                "it names nothing",
                f"name a {name}, or leave it out for the results of all",
            )
    if output:
        check_output(output, force=force, endings=TABLE_FILES)
    with Progress(quiet) as progress, reading(store, listener=progress) as grafico:
        try:
            hits = grafico.find(**given(asked))
        except NotFoundError as error:
            hits = _otherwise(grafico, asked, subjects, error)
        near = [] if hits else similar(grafico, asked["name"])
    if near:
        say(f"no number is called {asked['name']}; near it are: {', '.join(near)}", err=True)
    if as_json:
        say(json.dumps([_as_dict(hit) for hit in hits], indent=2))
    elif hits and not output:
        _show(hits, asked["name"], (asked["above"], asked["below"]))
        if hits.older:
            say(f"note: {hits.older} older or intermediate left out; --all has them", err=True)
    elif not hits and not near:
        say("nothing is stored of that")
    if output and hits:
        from workflows.batch.choosing import as_number

        from .tables import comma_separated

        heads, rows = _table(hits, asked["name"], whole=True)
        form = AS_FILE.get(output.suffix.lower())
        numbers = [[as_number(cell) for cell in row] for row in rows]
        content = (
            form(heads, numbers, [".10g"] * len(heads)) if form else comma_separated(heads, rows)
        )
        write_whole(output, content)
        say(f"written to {output.resolve()}", err=as_json)
    for remark, about in _remarks(hits).items() if not as_json else ():
        say(f"note: {asked['name']} of {', '.join(about)} {remark}", err=True)


def _otherwise(
    grafico: Grafico, asked: dict[str, Any], subjects: list[str], error: NotFoundError
) -> Listing[Hit]:
    """Return what is stored of a word that names no subject: a quantity, or a level.

    Raises:
        NotFoundError: it is neither.
    """
    from ontologies.properties import difference, is_known
    from triplestore.errors import GraficoError

    place = next((name for name in subjects if asked[name]), "")
    word = str(asked.get(place) or "")
    meanings = {"name": "--property"} if is_known(word) or difference(word) else {}
    for name, option in {**meanings, "level": "--level"}.items():
        if not word or asked.get(name):
            continue
        with suppress(GraficoError):
            if hits := grafico.find(**given({**asked, place: None, name: word})):
                say(f"read as: {shlex.join(['grafico', 'find', option, word])}", err=True)
                asked[name] = word
                return hits
    raise error


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
        **hit.others,
        **({"remark": hit.remark} if hit.remark else {}),
    }


def _number(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_number, cast('list[Any]', value)))}]"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _show(hits: list[Hit], name: str, bounds: tuple[object, object]) -> None:
    """Print results, their values also in the unit in which a bound was said, as with `3 eV`."""
    from ontologies.conversion import convert, same_kind
    from workflows.engine.request.with_units import written_unit

    from ..session.sifting import unit_symbol
    from .tables import listing

    heads, rows = _table(hits, name)
    asked = next(filter(None, (written_unit(one) for one in bounds if isinstance(one, str))), "")
    units = {unit_symbol(hit) for hit in hits}
    if asked and units != {asked} and all(unit and same_kind(unit, asked) for unit in units):
        at = next(n for n, head in enumerate(heads) if head.startswith(name or "energy"))
        heads.insert(at, f"{name or 'energy'} ({asked})")
        for row, hit in zip(rows, hits, strict=True):
            row.insert(at, _number(convert(hit.value, unit_symbol(hit), asked)))
    listing(heads, rows)


def _table(hits: list[Hit], name: str, *, whole: bool = False) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows; what else is told of subjects where it differs.

    Args:
        hits: the results.
        name: of the quantity.
        whole: whether numbers, IRIs and times are written whole, and remarks have a column.
    """
    from ogm.terms import full_iri

    from ..session.inspection import shorten
    from ..session.sifting import unit_symbol

    symbols = [unit_symbol(hit) for hit in hits]
    units = sorted({*symbols} - {""})
    value = f"{name or 'energy'}{f' ({units[0]})' if len(units) == 1 else ''}"
    names = dict.fromkeys(key for hit in hits for key in hit.others)
    differing = [n for n in names if len({hit.others.get(n, "") for hit in hits}) > 1]
    remarked = whole and any(hit.remark for hit in hits)
    heads = ["formula", "SMILES", *differing, value]
    heads += ["unit"] if whole and len(units) > 1 else []
    heads += ["level of theory", "geometry", "ended", "class", "result"]
    rows = list[list[str]]()
    for hit, unit in zip(hits, symbols, strict=True):
        row = [hit.formula, hit.smiles, *(hit.others.get(n, "") for n in differing)]
        several = unit if len(units) > 1 else ""
        if whole:
            row += [_exact(hit.value), *([several] if len(units) > 1 else [])]
            rest = [hit.level, hit.standing, hit.ended, hit.kind, full_iri(hit.result)]
        else:
            row.append(f"{_number(hit.value)} {several}".strip())
            ended = hit.ended[:19].replace("T", " ")
            rest = [hit.level, hit.standing, ended, hit.kind, shorten(hit.result)]
        rows.append([*row, *rest, *([hit.remark] if remarked else [])])
    return [*heads, *(["remark"] if remarked else [])], rows


def _exact(value: Any) -> str:
    """Return a number with all of its digits."""
    if isinstance(value, list):
        return " ".join(map(_exact, cast("list[Any]", value)))
    return repr(value) if isinstance(value, float) else str(value)


def _remarks(hits: list[Hit]) -> dict[str, list[str]]:
    """Return what is to be known of values, with the subjects whose they are."""
    found = dict[str, list[str]]()
    for hit in hits:
        if hit.remark and hit.formula not in found.setdefault(hit.remark, []):
            found[hit.remark].append(hit.formula)
    return found
