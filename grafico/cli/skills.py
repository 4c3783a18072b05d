"""``grafico skills``: recipes of the field, for people, and for the assistants that they use."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ..say import say
from .options import options


@click.command()
@click.argument("name", default="", metavar="[NAME]")
@options(
    click.option(
        "--to",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        help="Write them there, a folder each: the skills folder of an assistant.",
    ),
    click.option("--replace", is_flag=True, help="With --to: also what stands there otherwise."),
)
def skills(
    name: str, folder: Path | None, replace: bool, store: str | None, as_json: bool, debug: bool
) -> None:
    """List recipes of the field; with NAME show one; with --to write them for an assistant.

    Each says when it is of use, the one call, how its result is read, and what to warn of. Your own
    lie in the folder of the setting `skill_folder`.
    """
    from workflows.registry.skills import skills as all_skills

    from ..session.settings import read_settings

    if replace and folder is None:
        raise click.UsageError("--replace is for --to")
    there = all_skills(read_settings(store=store).skill_folder)
    chosen = [there.named(name)] if name else [*there.found.values()]
    written = _written(folder, {one.name: one.text for one in chosen}, replace) if folder else []
    if as_json:
        told = [
            {"name": one.name, "description": one.description, "origin": one.origin}
            | ({"text": one.text} if name else {})
            for one in chosen
        ]
        files = {"files": [str(one) for one in written]} if folder else {}
        say(json.dumps({"skills": told, "refused": dict(there.refused), **files}, indent=2))
        return
    for place, why in there.refused.items():
        say(f"left out: {place}: {why}", err=True)
    if folder:
        for path in written:
            say(f"written to {path}")
        if not written:
            say(f"nothing new for {folder.resolve()}")
    elif name:
        say(chosen[0].text.rstrip())
    else:
        for one in chosen:
            say(f"{one.name}: {one.description}")


def _written(folder: Path, texts: dict[str, str], replace: bool) -> list[Path]:
    """Write skills into a folder; return the files that are new or changed.

    Raises:
        InputError: something else stands there, or nothing can be written there.
    """
    from triplestore.errors import InputError
    from workflows.registry.skills import FILE

    from .options import write_whole

    places = {folder.resolve() / name / FILE: text for name, text in texts.items()}
    asked = f"skills were to be written into {folder.resolve()}"
    try:
        held = {path: path.read_text(encoding="utf-8") for path in places if path.is_file()}
        other = [path for path, text in held.items() if text != places[path]]
        if other and not replace:
            found = f"{other[0]} is there already, and says something else"
            raise InputError(asked, found, "take --replace, or another folder")
        new = [path for path, text in places.items() if held.get(path) != text]
        for path in new:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, places[path])
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(asked, str(error), "choose another folder") from error
    return new
