"""``grafico find``: stored results by substance."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from .cli import KINDS, main, options, reading
from .say import say

if TYPE_CHECKING:
    from .finding import Hit

BY = ["substance", "connectivity", "substructure"]


@main.command()
@click.argument("molecule", default="")
@options(
    click.option(
        "--by", type=click.Choice(BY), default="substance", show_default=True,
        help="What must agree with MOLECULE.",
    ),
    click.option(
        "--kind", type=click.Choice(KINDS), help="How to read MOLECULE, if not by its looks."
    ),
    click.option("--method", default="", help="Part of the method's name."),
    click.option("--basis", default="", help="Part of the basis set's name."),
    click.option(
        "--property", "name", default="", metavar="NAME",
        help="The number to show, such as gibbs_energy or dipole_moment.  [default: energy]",
    ),
    click.option(
        "--limit", type=click.IntRange(1), default=50, show_default=True,
        help="How many at most, the newest.",
    ),
    click.option("--online", is_flag=True, default=None,
                 help="Ask PubChem for a name that is not known here."),
    click.option("--quiet", is_flag=True, help="Show no progress."),
)  # fmt: skip
def find(
    molecule: str, store: str | None, as_json: bool, debug: bool, quiet: bool, **asked: Any
) -> None:
    """Find stored results of MOLECULE, newest first; without it, of all.

    MOLECULE is a SMILES, a name, an InChI, an InChIKey, a formula, a file or an IRI.
    Stereochemistry that it leaves open may be any. With --by substructure it may be SMARTS.
    """
    from .progress import Progress

    with Progress(quiet) as progress, reading(store, listener=progress) as grafico:
        hits = grafico.find(molecule, **asked)
    if as_json:
        say(json.dumps([_as_dict(hit) for hit in hits], indent=2))
    else:
        _show(hits, asked["name"])


def _as_dict(hit: Hit) -> dict[str, Any]:
    return {
        "result": hit.result, "class": hit.kind, "formula": hit.formula, "smiles": hit.smiles,
        "level": hit.level, "value": hit.value, "unit": hit.unit, "geometry": hit.atoms,
        "ended": hit.ended,
    }  # fmt: skip


def _number(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _show(hits: list[Hit], name: str) -> None:
    from .inspection import shorten
    from .tables import listing

    if not hits:
        say("nothing is stored of that")
        return
    units = sorted({hit.unit for hit in hits} - {""})
    value = f"{name or 'energy'}{f' ({units[0]})' if len(units) == 1 else ''}"
    listing(
        ["ended", "formula", "SMILES", "level of theory", value, "class", "result"],
        [
            [
                hit.ended[:19].replace("T", " "), hit.formula, hit.smiles, hit.level,
                f"{_number(hit.value)} {hit.unit if len(units) > 1 else ''}".strip(), hit.kind,
                shorten(hit.result),
            ]
            for hit in hits
        ],
    )  # fmt: skip
