"""What commands share: options, the session that they open, and files that they write."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..say import say
from ..whole_files import write_whole as write_whole
from .forms import threads_option
from .meant import Option

if TYPE_CHECKING:
    from ..session.client import Grafico
    from ..session.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])

MOST = 10_000_000
"""Rows or runs that can be asked for at once."""


def options(*extra: Callable[[Any], Any]) -> Callable[[F], F]:
    """Add the options that every command has."""
    common = (
        click.option(
            "--store", metavar="URL", help="Folder or server of the store, or memory: for none."
        ),
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option("--debug", is_flag=True, help="Show where an error came from."),
    )

    def add(function: F) -> F:
        for option in reversed((*extra, *common)):
            function = option(function)
        return function

    return add


router_option = click.option(
    "--router",
    metavar="goal|ask|model:NAME",
    default="goal",
    show_default=True,
    help="Who chooses the steps: the plan, you, or a language model.",
)


narrowing = (
    click.option(
        "--since",
        metavar="TIME",
        help="Since then: today, yesterday, monday, last week, 3 days ago, 2026-11-27.",
    ),
    click.option(
        "--level",
        cls=Option,
        otherwise=("level-of-theory", "theory"),
        default="",
        metavar="METHOD[/BASIS]",
        help="At this level, such as B3LYP/def2-SVP or GFN2-xTB.",
    ),
    click.option("--method", default="", help="With this in the method's name."),
    click.option("--basis", default="", help="With this in the basis set's name."),
    click.option("--solvent", default="", help="With this in the solvent's name."),
    click.option("--workflow", default="", metavar="NAME", help="Of a workflow, such as react."),
    click.option("--failed", is_flag=True, help="Of runs that failed or missed their goal."),
    click.option("--tag", default="", metavar="WORD", help="Of runs with a tag."),
    click.option("--formula", default="", help="About a molecule of that formula."),
)
"""Options that narrow a list of runs or results; see `grafico.session.narrowed`."""

plan_option = click.option(
    "--plan", is_flag=True, help="Show the steps and the estimate, do nothing."
)


def reading(store: str | None, **more: Any) -> Grafico:
    """Open a session with a store that is there; see `existing`."""
    existing(store)
    return session(store, **more)


def existing(store: str | None) -> Settings:
    """Return the settings with a store that is there: a slip in its name must not make a new one.

    Raises:
        NotFoundError: the folder that was named does not exist.
    """
    from triplestore.errors import NotFoundError
    from triplestore.store import folder_of, is_remote

    from ..session.settings import default_store, read_settings

    settings = read_settings(store=store)
    named = settings.store
    local = named != "memory:" and not is_remote(named) and named != default_store()
    if local and not folder_of(named).exists():
        raise NotFoundError(
            f"cannot read the store {named}",
            "there is no such folder",
            "check the name; `grafico run` and `grafico restore` make new stores",
        )
    return settings


def session(store: str | None, **more: Any) -> Grafico:
    """Open a session; imported late because it brings the classes along."""
    from triplestore.store import folder_of, is_remote

    from ..session.client import Grafico

    local = store is not None and store != "memory:" and not is_remote(store)
    missing = store is not None and local and not folder_of(store).parent.exists()
    opened = Grafico(store, **more)
    if missing and store is not None:  # a slip in a path must not look like an empty store
        say(f"note: a new store is made: {folder_of(store)}", err=True)
    for name, problem in opened.jobs_not_taken_in.items():
        say(f"note: {name}: {problem}", err=True)
    return opened


trace_option = click.option(
    "--trace",
    metavar="WHERE",
    help="Where spans go: a file, logfire, a collector's URL, or off.  [default: off]",
)

under_option = click.option(
    "--as",
    "under",
    metavar="SECTION",
    help="Take over a job that came with a store: it goes on under this section of your settings.",
)

on_option = click.option(
    "--on",
    metavar="CLUSTER",
    help="Compute there and leave: a section of the settings, or `here` for the background.",
)


def where_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of what can be computed elsewhere or later; all of them give `where`."""

    @on_option
    @click.option("--follow", is_flag=True, help="With --on: follow the job to its end.")
    @click.option(
        "--begin",
        metavar="TIME",
        help="Not before; 22:00, 2027-01-31T08:00.  [default of --on: here]",
    )
    @click.option(
        "--after",
        multiple=True,
        metavar="JOB",
        help="When JOB has ended; can be repeated.  [default of --on: here]",
    )
    @functools.wraps(command)
    def call(
        *, on: str | None, begin: str | None, after: tuple[str, ...], follow: bool, **said: Any
    ) -> Any:
        from .sending import Where

        return command(where=Where(on, begin, after, follow), **said)

    return call


def _in_unit(ctx: click.Context, _: click.Parameter, unit: str | None) -> None:
    """Have a command show energies in a unit, as if the environment said so."""
    if not unit:
        return
    before = os.environ.get(UNIT)
    os.environ[UNIT] = unit

    def back() -> None:
        os.environ.pop(UNIT, None)
        if before is not None:
            os.environ[UNIT] = before

    ctx.call_on_close(back)


UNIT = "GRAFICO_ENERGY_UNIT"
"""The variable that says what the option does for one command."""

unit_option = click.option(
    "--unit",
    cls=Option,
    otherwise=("units", "energy-unit"),
    type=click.Choice(["kJ/mol", "kcal/mol"], case_sensitive=False),
    expose_value=False,
    callback=_in_unit,
    help="Show energies, in charts too, in kJ/mol or kcal/mol.  [default: the setting energy_unit]",
)

computing = (
    threads_option,
    unit_option,
    click.option("--recompute", is_flag=True, help="Compute also what is remembered."),
    click.option(
        "--accept",
        multiple=True,
        metavar="NAME",
        help="Take as answers, too: imported, read from files of other programs.",
    ),
    trace_option,
    click.option("--quiet", is_flag=True, help="Show no progress."),
)
"""Options of every command that computes something."""


def check_output(
    path: Path,
    *,
    force: bool,
    endings: tuple[str, ...] = (),
    unwritten: Mapping[str, tuple[str, str]] | None = None,
) -> None:
    """Check that a file can stand at a path, before what is to stand in it is made.

    Args:
        path: of the file.
        force: whether it may be replaced.
        endings: those that its name may have; none for any.
        unwritten: see `check_ending`.

    Raises:
        InputError: it is a folder, in none, exists and is not to be replaced, or is called like
            something else than it would be.
    """
    from triplestore.errors import InputError

    asked = f"cannot write {path}"
    if path.is_dir():
        raise InputError(asked, "it is a folder", "name a file in it")
    if not path.parent.is_dir():
        advice = "make it, or choose another place"
        raise InputError(asked, f"there is no folder {path.parent}", advice)
    if endings:
        from workflows.engine.request.endings import check_ending

        check_ending(str(path), endings, unwritten)
    if path.exists() and not force:
        raise InputError(asked, "it exists", "choose another name, or add --force")
    import tempfile

    try:
        tempfile.TemporaryFile(dir=path.parent).close()  # it has no name, and leaves nothing behind
    except OSError as error:
        found = f"no file can be made in {path.parent}: {error.strerror or error}"
        raise InputError(asked, found, "choose another place") from error
