"""``grafico si``: the supporting information of a paper."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..say import say
from .meant import Command, Option, output_names
from .options import check_output, options, reading, write_whole

if TYPE_CHECKING:
    from workflows.show.paper import Paper

    from ..session.client import Grafico
    from ..views.document import Figure

ENDINGS = (".md", ".html", ".htm", ".docx", ".zip", ".bib")
UNWRITTEN = {
    ".pdf": (
        "no PDF is made here",
        "name a .html and print it from a browser, or a .docx",
    ),
    ".tex": (
        "no TeX is made here",
        "name a .md, and let pandoc make it of that: pandoc si.md -o si.tex; .bib is BibTeX alone",
    ),
}
"""Endings that people ask for, why there is none, and what to do."""

WORD = ".docx"


RECENT = 50
"""Runs among which the latest that has ended is looked for."""


@click.command("si", cls=Command)
@click.argument("run", nargs=-1)
@options(
    click.option(
        "-o",
        "--output",
        cls=Option,
        otherwise=output_names,
        type=click.Path(dir_okay=False, path_type=Path),
        help="Where to write it: .md, .html, .docx (by pandoc), .zip, or .bib for what is "
        "to be cited alone.  [default: si.md]",
    ),
    click.option("--mixed", is_flag=True, help="Runs of different levels may stand together."),
    click.option("--force", is_flag=True, help="Replace the output if it exists."),
    click.option("--author", default="", metavar="NAME", help="Who publishes it; of a .zip."),
    click.option("--licence", default="", metavar="URL", help="The licence; of a .zip."),
)
def si(
    run: tuple[str, ...],
    output: Path | None,
    mixed: bool,
    force: bool,
    author: str,
    licence: str,
    store: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Write the supporting information of a paper on one or several runs.

    RUN is what a run is called, as for `grafico show`; `last 3` are the latest three that are
    finished. The latest that has ended is taken if none is given. It has each structure with
    coordinates and energies, a table of all, the methods in words, and what is to be cited. A .zip
    has it as Markdown and as a page, BibTeX, XYZ files, figures and the data themselves.
    """
    from triplestore.errors import NotFoundError

    output = output or Path("si.md")
    check_output(output, force=force, endings=ENDINGS, unwritten=UNWRITTEN)
    if output.suffix.lower() == WORD:
        from ..views.word import check_pandoc

        check_pandoc(str(output))
    with reading(store) as grafico:
        many = _latest(run)
        chosen = [*islice(_ended(grafico, many), many)] if many else grafico.iris(*run)
        if not chosen:
            raise NotFoundError(
                "a supporting information was asked for",
                "the store has no runs",
                "see `grafico run --help`",
            )
        written = _write(grafico, chosen, output, mixed, author, licence)
    found, files = written
    if as_json:
        said = {
            "written": [str(one.resolve()) for one in files],
            "runs": [one.record.run.iri for one in found.runs],
            "levels": [one.label for one in found.levels],
            "structures": [
                {"title": one.title, "iri": one.iri}
                for each in found.runs
                for one in each.structures
            ],
            "references": [
                {"key": one.key, "text": one.text, "doi": one.doi} for one in found.references
            ],
            "without_reference": list(found.without),
            "mixed": found.mixed,
        }
        say(json.dumps(said, ensure_ascii=False, indent=2))
        return
    for one in files:
        say(f"written to {one.resolve()}")
    if found.without:
        say(f"note: no reference is known here for {'; '.join(found.without)}", err=True)


def _latest(run: tuple[str, ...]) -> int:
    """Return how many of the latest runs are meant; 0 where runs are named in another way."""
    match " ".join(run).lower().split():
        case [] | ["last"]:
            return 1
        case ["last", number] if number.isdecimal():
            return min(int(number[:9]), RECENT)
        case _:
            return 0


def _ended(grafico: Grafico, many: int) -> Iterator[str]:
    """Iterate over the latest runs that have ended; of several, those that failed are passed by."""
    from ..session.narrowed import RUNNING

    for line in grafico.runs(RECENT):
        if line.status == "finished" or (many == 1 and line.status != RUNNING):
            yield line.run
        elif line.status != RUNNING:
            called = f"#{line.number}" if line.number else line.run
            told = f"{called} ({line.goal} of {line.subject}) is left out: {line.status}"
            say(f"note: {told}", err=True)


def _write(
    grafico: Grafico, runs: list[str], output: Path, mixed: bool, author: str, licence: str
) -> tuple[Paper, list[Path]]:
    from workflows.show.paper import paper

    from ..views.document import markdown, page
    from ..views.supporting import bibtex, pieces

    found = paper(grafico.kg, runs, mixed=mixed)
    if output.suffix.lower() == ".bib":
        write_whole(output, bibtex(found.references).encode())
        return found, [output]
    figures = _figures(found, "png" if output.suffix.lower() == WORD else "svg")
    parts = list(pieces(found, figures))
    match output.suffix.lower():
        case ".zip":
            files = _files(found, figures)
            files["si.md"] = markdown(parts, "figures/").encode()
            files["si.html"] = page(parts).encode()
            files["data.zip"] = _data(grafico, found, author, licence)
            write_whole(output, _zipped(files))
            return found, [output]
        case ".md":
            beside = {output.with_name(f"{output.stem}-{one.name}"): one.picture for one in figures}
            write_whole(output, markdown(parts, f"{output.stem}-"))
        case ".docx":
            from ..views.word import word

            beside = {}
            write_whole(output, word(parts, {one.name: one.picture for one in figures}))
        case _:
            beside = {}
            write_whole(output, page(parts))
    beside[output.with_suffix(".bib")] = bibtex(found.references).encode()
    for path, content in beside.items():
        write_whole(path, content)
    return found, [output, *beside]


def _figures(found: Paper, form: str) -> list[Figure]:
    from ..views.document import Figure
    from ..views.drawing import files_of
    from ..views.supporting import charts

    drawn = charts(found)
    if not drawn:
        return []
    return [
        Figure(f"Figure S{place}. {said}", f"figure{place}.{form}", picture)
        for place, (said, picture) in enumerate(
            zip(drawn.values(), files_of(list(drawn), form), strict=True), 1
        )
    ]


def _files(found: Paper, figures: list[Figure]) -> dict[str, bytes]:
    from ..views.supporting import bibtex, xyz

    files = {"references.bib": bibtex(found.references).encode()}
    files |= {f"figures/{one.name}": one.picture for one in figures}
    for place, ((_, one), *_) in enumerate(found.structures.values(), 1):
        files[f"structures/S{place}.xyz"] = xyz(one, place).encode()
    return files


def _data(grafico: Grafico, found: Paper, author: str, licence: str) -> bytes:
    """Return the runs with all that they rest on: a file that `grafico import` takes."""
    import tempfile

    from ogm.keeping.bundle import export_bundle

    with tempfile.TemporaryDirectory(prefix="grafico-si-") as folder:
        path = Path(folder) / "data.zip"
        runs = [one.record.run.iri for one in found.runs]
        export_bundle(grafico.kg, runs, path, author=author, licence=licence)
        return path.read_bytes()


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as an archive; equal files give equal bytes."""
    import zipfile

    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return buffer.getvalue()
