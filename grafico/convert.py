"""``grafico convert``: a molecule as text in another format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from .cli import KINDS, check_output, main, options, session, write_whole
from .say import say

FORMATS = ["xyz", "extxyz", "mol", "sdf", "cif", "smiles", "inchi", "selfies"]
SUFFIXES = {".smi": "smiles", **{f".{form}": form for form in FORMATS}}


@main.command()
@click.argument("molecule")
@options(
    click.option("--to", type=click.Choice(FORMATS),
                 help="The format.  [default: by the name of the output, else xyz]"),
    click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
                 help="Where to write it, if not to standard output."),
    click.option("--force", is_flag=True, help="Replace the file if it exists."),
    click.option("--kind", type=click.Choice(KINDS),
                 help="How to read MOLECULE, if not by its looks."),
    click.option("--charge", type=int, help="Total charge in e."),
    click.option("--multiplicity", type=int, help="2S+1, the number of spin states."),
    click.option("--online", is_flag=True, default=None,
                 help="Ask PubChem for a name that is not known here."),
)  # fmt: skip
def convert(
    molecule: str,
    to: str | None,
    output: Path | None,
    force: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
    **asked: Any,
) -> None:
    """Write MOLECULE in another format, and say what that cannot hold.

    MOLECULE is what `grafico run` takes: a file, the IRI of a stored structure, result or run, a
    notation or a name.
    """
    wanted = to or SUFFIXES.get(output.suffix.lower() if output else "", "xyz")
    if output:
        check_output(output, force=force)
    with session(store) as grafico:
        written = grafico.convert(molecule, wanted, **asked)
    if output:
        write_whole(output, written.text)
    if as_json:
        where = {"file": str(output.resolve())} if output else {"text": written.text}
        said = {"format": written.form, "notes": list(written.notes), **where}
        say(json.dumps(said, indent=2))
        return
    for note in written.notes:
        say(f"note: {note}", err=True)
    if output:
        say(f"written to {output.resolve()}")
    else:
        say(written.text, nl=False)
