"""``grafico trust``: a person looks at what settings or a program can do, and lets them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..say import say
from .options import options

if TYPE_CHECKING:
    from workflows.trust.book import TrustRecord

    from ..session.settings_file import SettingsFile


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path(), metavar="[WHERE]")
@options(
    click.option("--show", is_flag=True, help="Only show it, and change nothing."),
    click.option("--remove", is_flag=True, help="Trust it no longer."),
)
def trust(
    folder: Path, show: bool, remove: bool, store: str | None, as_json: bool, debug: bool
) -> None:
    """Let the settings of a folder run programs, name addresses and places, use keys.

    WHERE is a folder (this one if none), or the file of an agent. Shows all that its grafico.toml,
    or that file, says beyond the calculation itself, and what of that is new since you trusted it;
    then asks you, at a terminal. It is asked anew when any of that changes.

    Of a FILE.py, a program of somebody else such as the driver of a device, it shows place, size,
    imports and digest, and lets this very file run; once edited, it is a stranger again.
    """
    from triplestore.errors import TrustError
    from workflows.trust.book import TrustBook

    from ..session.settings import PROJECT_FILE, Settings
    from ..session.shown_fields import shown
    from ..session.trust import digest_of, found_in, powerful, record_of, why_not

    if show and remove:
        raise click.UsageError("--show changes nothing, and --remove does")
    if folder.suffix.lower() == ".py":
        _program(folder, show=show, remove=remove, as_json=as_json)
        return
    book = TrustBook.of_user()
    name, known = PROJECT_FILE, Settings.model_fields
    if folder.suffix == ".toml" and not folder.is_dir() and folder.name != PROJECT_FILE:
        from ..agent.agent_file import AgentFile

        folder, name, known = folder.parent, folder.name, AgentFile.model_fields
    if remove:
        place = str(folder.resolve() / name)
        said = "is no longer trusted" if book.remove(place) else "was not trusted"
        say(json.dumps({"file": place, "trusted": False}) if as_json else f"{place} {said}")
        return
    file = found_in(folder, name)
    _check(file, agent=name != PROJECT_FILE)
    fields = powerful(file.data, known)
    told = shown(fields, known)
    digest, former = digest_of(fields), book.record(file.place)
    why = why_not(file, fields) if fields else ""
    if as_json:
        said = {"file": file.place, "digest": digest, "trusted": not why, "problem": why}
        rows = [{"field": name, "value": text, "can": can} for name, (text, _, can) in told.items()]
        say(json.dumps({**said, "fields": rows}, indent=2))
    else:
        _show(file, told, former, digest)
    if not fields or not why or show:
        if not as_json and not why:
            say("all of it counts" if fields else "there is nothing in it to be trusted")
        return
    if file.flaw:
        raise TrustError(
            f"{file.place} is to be trusted",
            file.flaw,
            "copy what you want of it into a file of your own",
        )
    if as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise TrustError(
            f"{file.place} is to be trusted",
            "nobody is asked without a terminal",
            f"give the command at a terminal; or, for a script, set GRAFICO_TRUST to {digest}",
        )
    say("whatever it names in that folder is trusted with it, also when that changes", err=True)
    if not click.confirm(f"do you trust {file.place} with this?", default=False, err=True):
        say("nothing was changed", err=True)
        sys.exit(1)
    book.add(
        record_of(file, digest, {name: (text, mark) for name, (text, mark, _) in told.items()})
    )
    say(f"{file.place} is trusted until any of this changes; `grafico trust --remove` ends it")


def _program(file: Path, *, show: bool, remove: bool, as_json: bool) -> None:
    """Have a program trusted, or no longer.

    Raises:
        GraficoError: it cannot be, or nobody says so.
    """
    import asyncio

    from workflows.trust.book import TrustBook
    from workflows.trust.programs import program_of, told, trust

    if remove:
        place = os.path.join(os.path.realpath(file.parent), file.name)
        said = "is no longer trusted" if TrustBook.of_user().remove(place) else "was not trusted"
        say(json.dumps({"file": place, "trusted": False}) if as_json else f"{place} {said}")
        return
    found = program_of(file)
    if as_json:
        parts = {"size_bytes": len(found.content), "imports": found.imports}
        state = {"trusted": not found.problem, "problem": found.problem}
        say(json.dumps({"file": found.place, "digest": found.digest, **parts, **state}, indent=2))
    if show or as_json or not found.problem:
        if not as_json:
            say(f"{told(found)}\n{found.problem or 'you have trusted it'}")
        return
    asyncio.run(trust(found))
    say(f"{found.place} is trusted until it is edited; `grafico trust --remove` ends it")


def _check(file: SettingsFile, *, agent: bool) -> None:
    """Refuse a file of what cannot be: what is trusted must mean something.

    Raises:
        InputError: a name or a value that cannot be.
    """
    from ..agent.agent_file import agent_of
    from ..session.settings import check_settings

    if agent:
        agent_of(file)
    else:
        check_settings(file)


def _show(
    file: SettingsFile,
    told: dict[str, tuple[str, str, str]],
    former: TrustRecord | None,
    digest: str,
) -> None:
    """Print each field with what it can do: new, other than before, as before, or gone."""
    say(file.place)
    marks = former.marks if former is not None else {}
    before = former.shown if former is not None else {}
    for name, (text, mark, can) in told.items():
        if marks.get(name) == mark:
            say(f"    {name} = {text}    {can}; as you trusted it")
            continue
        if name in before:
            say(f"  - {name} = {before[name]}")
        say(f"  + {name} = {text}    {can}")
    for name, text in before.items():
        if name not in told:
            say(f"  - {name} = {text}    gone")
    if told:
        say(f"digest: {digest}")
