"""The command line. Each command imports what it needs when it runs, so that help is quick."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..say import say
from ..session.renamed import telling
from .forms import threads_option
from .verbs import Verbs

if TYPE_CHECKING:
    from ..session.client import Grafico
    from ..session.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])

FILE = re.compile(r"[^\s<>{}]*[./][^\s<>{}]*")
"""What can be the name of a file, but not a query."""

MOST = 10_000_000
"""Rows or runs that can be asked for at once."""


class Group(Verbs):
    """A group that turns errors meant for people into one message and an exit status."""

    def invoke(self, ctx: click.Context) -> Any:
        for name in ("stdout", "stderr"):  # closed by the caller: no file may take its number
            if getattr(sys, name) is None:
                setattr(sys, name, ctx.with_resource(open(os.devnull, "w")))  # noqa: SIM115
        ctx.with_resource(telling(lambda text: say(f"note: {text}", err=True)))
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            sys.stderr.close()
            ctx.exit(1)
        except KeyboardInterrupt:
            say(
                "\ninterrupted; what was finished is remembered: ask again, or `grafico resume` it"
                " (`grafico runs` lists its IRI)",
                err=True,
            )
            ctx.exit(130)
        except Exception as error:
            if "--debug" in sys.argv:
                traceback.print_exc()
            ctx.exit(fail(error))


def fail(error: Exception) -> int:
    """Print an error for a person (or as JSON) and return the exit status."""
    from triplestore.errors import GraficoError, InputError, ResourceError

    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        error = ResourceError(
            "a file could not be used", f"{name}{error.strerror or error}", advice_on(error.errno)
        )
    if not isinstance(error, GraficoError):
        error = GraficoError(
            "something went wrong inside Grafico",
            f"{type(error).__name__}: {error}",
            "run it again with --debug to see where",
        )
    if "--json" in sys.argv:
        said = {"kind": type(error).__name__, "asked": error.asked, "found": error.found}
        say(json.dumps({"error": {**said, "advice": error.advice}}), err=True)
    else:
        say(f"grafico: {error.asked}", err=True)
        for label, part in (("there is", error.found), ("to do", error.advice)):
            if part:
                say(f"  {label}: {part}", err=True)
    return 2 if isinstance(error, InputError) else 1


def advice_on(number: int | None) -> str:
    """Return what to do about an error of the operating system."""
    match errno.errorcode.get(number or 0):
        case "ENOENT" | "ESTALE":
            return "it is not there (any more): ask again; what is stored is remembered"
        case "EACCES" | "EPERM" | "EROFS":
            return "give yourself permission, or choose another place"
        case "ENOSPC" | "EDQUOT":
            return "free some space and ask again; what was finished is remembered"
        case "EISDIR" | "ENOTDIR" | "EEXIST" | "ENAMETOOLONG" | "ELOOP" | "EINVAL":
            return "choose another path"
        case "EMFILE" | "ENFILE":
            return "close other programs, or raise the limit of open files (ulimit -n)"
        case "ENOMEM" | "EAGAIN":
            return "free memory or end other processes, and ask again"
        case _:
            return "see the cause and ask again; what was finished is remembered"


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
    "--router", metavar="goal|ask|model:NAME", default="goal", show_default=True,
    help="Who chooses the steps: the plan, you, or a language model.",
)  # fmt: skip


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
            f"the store {named} was to be read",
            "there is no such folder",
            "check the name; `grafico run` and `grafico restore` make new stores",
        )
    return settings


def session(store: str | None, **more: Any) -> Grafico:
    """Open a session; imported late because it brings the classes along."""
    from ..session.client import Grafico

    return Grafico(store, **more)


trace_option = click.option(
    "--trace", metavar="WHERE",
    help="Where spans go: a file, logfire, a collector's URL, or off.  [default: off]",
)  # fmt: skip


def terminated(*_: object) -> None:
    """Leave as after Ctrl-C: workers end, folders are cleared."""
    raise KeyboardInterrupt


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="grafico")
def main() -> None:
    """Ask for a calculation; every result is remembered and can be queried."""
    with contextlib.suppress(ValueError):  # only the main thread may
        signal.signal(signal.SIGTERM, terminated)
    if "TRACEPARENT" in os.environ:
        from ..session.tracing import joined

        click.get_current_context().with_resource(joined())


computing = (
    threads_option,
    click.option("--recompute", is_flag=True, help="Compute also what is remembered."),
    trace_option,
    click.option("--quiet", is_flag=True, help="Show no progress."),
)  # fmt: skip
"""Options of every command that computes something."""


@main.command()
@click.argument("sparql")
@options(
    click.option("--format", "form", type=click.Choice(["table", "json", "csv"]),
                 default="table", show_default=True, help="How to print the answer."),
    click.option("--limit", type=click.IntRange(1, MOST), default=10_000, show_default=True,
                 help="Print at most so many rows."),
)  # fmt: skip
def query(
    sparql: str, form: str, limit: int, store: str | None, as_json: bool, debug: bool
) -> None:
    """Answer a read-only SPARQL query.

    SPARQL is the query itself, a file with it, or - for standard input. The prefixes g, prov,
    rdf, rdfs, xsd and unit need no declaration.
    """
    from triplestore import open_store
    from triplestore.errors import InputError

    from ..session import inspection
    from . import tables

    if sparql == "-":
        sparql = sys.stdin.read()
    elif os.path.exists(sparql) or FILE.fullmatch(sparql):
        sparql = read_query(Path(sparql))
    if not sparql.strip():
        raise InputError(
            "a query was to be answered",
            "it is empty",
            "give one, such as SELECT * { ?run a g:Run }, a file with one, or - for standard input",
        )
    settings = existing(store)
    with open_store(settings.store, settings.home) as opened:
        answer = inspection.query(opened, sparql, limit, settings)
    tables.answer(answer, "json" if as_json else form)


def read_query(path: Path) -> str:
    """Read a query from a file."""
    from triplestore.errors import InputError, NotFoundError

    asked = f"the query in {path} was asked for"
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError) as error:
        advice = "give a file, or a query such as SELECT * { ?s ?p ?o }"
        raise NotFoundError(asked, "there is no such file", advice) from error
    except (OSError, ValueError) as error:
        found = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise InputError(asked, str(found), "give a text file with one query") from error


@main.command()
@click.argument("iri")
@options()
def show(iri: str, store: str | None, as_json: bool, debug: bool) -> None:
    """Show one object and its neighbours.

    IRI is the object's; g:id/… and id/… are short for the full one.
    """
    from . import tables

    with reading(store) as grafico:
        portrait = grafico.show(iri)
    if as_json:
        say(json.dumps(vars(portrait), indent=2))
    else:
        tables.portrait(portrait)


@main.command()
@options(
    click.option("--limit", type=click.IntRange(1, MOST), default=20, show_default=True,
                 help="Show at most so many.")
)  # fmt: skip
def runs(limit: int, store: str | None, as_json: bool, debug: bool) -> None:
    """List the latest runs, newest first."""
    from . import tables

    with reading(store) as grafico:
        found = grafico.runs(limit + 1)
    lines, more = found[:limit], len(found) > limit
    if as_json:
        say(json.dumps([vars(line) for line in lines], indent=2))
    else:
        tables.runs(lines)
    if more:
        say(f"these are the latest {limit}; --limit N lists more", err=True)
    if any(line.outdated for line in lines):
        say(
            "outdated: a result would be computed anew today, with other numbers; `grafico fsck` "
            "says why", err=True,
        )  # fmt: skip


@main.command()
@click.argument("run", nargs=-1)
@options(
    click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
                 default=Path("report.html"), show_default=True, help="Where to write it."),
)  # fmt: skip
def report(
    run: tuple[str, ...], output: Path, store: str | None, as_json: bool, debug: bool
) -> None:
    """Write one HTML file on one or several runs.

    RUN is the IRI of a run; the latest is taken if none is given.
    """
    from triplestore.errors import NotFoundError

    check_output(output, force=True)
    with reading(store) as grafico:
        chosen = list(run) or [line.run for line in grafico.runs(1)]
        if not chosen:
            raise NotFoundError(
                "a report was asked for", "the store has no runs", "see `grafico run --help`"
            )
        page = grafico.report(*chosen)
    write_whole(output, page)
    if as_json:
        say(json.dumps({"report": str(output.resolve()), "runs": chosen}))
    else:
        say(f"report written to {output.resolve()}")


def check_output(path: Path, *, force: bool) -> None:
    """Check that a file can stand at a path, before what is to stand in it is made.

    Raises:
        InputError: it is a folder, in none, or exists and is not to be replaced.
    """
    from triplestore.errors import InputError

    asked = f"{path} was to be written"
    if path.is_dir():
        raise InputError(asked, "it is a folder", "name a file in it")
    if not path.parent.is_dir():
        advice = "make it, or choose another place"
        raise InputError(asked, f"there is no folder {path.parent}", advice)
    if path.exists() and not force:
        raise InputError(asked, "it exists", "choose another name, or add --force")


def write_whole(path: Path, content: str) -> None:
    """Write a file that appears whole or not at all."""
    import tempfile

    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


from . import chat as chat  # noqa: E402 - adds its commands to `main`
from . import find as find  # noqa: E402 - adds its command to `main`
from . import mcp as mcp  # noqa: E402 - adds its command to `main`
from . import upkeep as upkeep  # noqa: E402 - adds its commands to `main`
