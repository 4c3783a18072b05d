"""What clients can read: runs, diagrams, structures, the ontology, files that tools have made."""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mcp.types as wire
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate
from pydantic_core import to_json

from grafico.session.inspection import shorten
from triplestore.errors import GraficoError, NotFoundError
from workflows.text.safe_text import printable, printable_json

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from grafico.session.client import Grafico

    from .hub import Hub

LATEST = 20
"""Runs that are listed."""

MOST = 1000
"""Runs in the list of runs."""

JSON, TEXT, MERMAID, XYZ = "application/json", "text/plain", "text/vnd.mermaid", "chemical/x-xyz"
MARKDOWN = "text/markdown"

RUN = UriTemplate.parse("grafico://runs/{+iri}")
DIAGRAM = UriTemplate.parse("grafico://diagrams/{+iri}")
GRAPH = UriTemplate.parse("grafico://graphs/{name}")
STRUCTURE = UriTemplate.parse("grafico://structures/{+iri}")
CLASS = UriTemplate.parse("grafico://ontology/{name}")
SKILL = UriTemplate.parse("grafico://skills/{name}")
FILE = UriTemplate.parse("grafico://files/{+name}")


def run(session: Grafico, iri: str) -> str:
    """Return a run and its steps, as JSON.

    Raises:
        GraficoError: there is no such run.
    """
    from ogm.terms import full_iri
    from ontologies.provenance import Outcome, Transition
    from workflows.engine.graph.stored_runs import stored_run

    one = stored_run(session.kg, full_iri(iri))
    steps = sorted(session.kg.find(Transition, run=one), key=lambda step: step.index)
    outcomes = session.kg.find(Outcome, run=one)
    return as_json(
        {
            "run": shorten(one.iri),
            **one.model_dump(mode="json"),
            "steps": [step.model_dump(mode="json", exclude={"run"}) for step in steps],
            "outcome": outcomes[0].model_dump(mode="json", exclude={"run"}) if outcomes else None,
        }
    )


def runs(session: Grafico) -> str:
    """Return the latest runs, as JSON."""
    return as_json([vars(line) | {"run": shorten(line.run)} for line in session.runs(MOST)])


def diagram(session: Grafico, iri: str) -> str:
    """Return the graph of a run with its path, in Mermaid's language.

    Raises:
        GraficoError: there is no such run.
    """
    from grafico.session.graphs import chosen, path_of
    from ogm.terms import full_iri

    name, path = path_of(session.kg, full_iri(iri))
    return chosen(name).mermaid(path)


def graph(_: Grafico, name: str) -> str:
    """Return a graph in Mermaid's language.

    Raises:
        NotFoundError: there is none of that name.
    """
    from grafico.session.graphs import chosen

    return chosen(name).mermaid(None)


def structure(session: Grafico, iri: str) -> str:
    """Return a structure as XYZ, in Å.

    Raises:
        GraficoError: there is no structure of that IRI.
    """
    from workflows.registry import workflows

    return workflows().usual.whole.subject.written(session.atoms(iri))


def ontology(_: Grafico) -> str:
    """Return the classes, for who writes SPARQL."""
    from grafico.session.ontology import described

    return described((), "text")


def one_class(_: Grafico, name: str) -> str:
    """Return a class, its parents and their properties.

    Raises:
        NotFoundError: there is no such class.
    """
    from grafico.session.ontology import described

    return described((name,), "text")


def skill(session: Grafico, name: str) -> str:
    """Return a recipe, as its file has it.

    Raises:
        NotFoundError: there is none of that name.
    """
    from workflows.registry.skills import skills

    return skills(session.settings.skill_folder).named(name).text


def as_json(value: Any) -> str:
    """Return JSON for people too."""
    return to_json(value, indent=2, inf_nan_mode="null").decode()


FIXED: dict[str, tuple[str, str, str, Callable[[Grafico], str]]] = {
    "grafico://runs": ("runs", "The latest runs, newest first.", JSON, runs),
    "grafico://ontology": ("ontology", "Classes, for SPARQL.", TEXT, ontology),
}
"""Name, description, type and reader by URI."""

OPEN: tuple[tuple[UriTemplate, str, str, str, Callable[[Grafico, str], str]], ...] = (
    (RUN, "run", "A run and its steps, by its IRI.", JSON, run),
    (DIAGRAM, "diagram", "The graph of a run, with the way that it took.", MERMAID, diagram),
    (GRAPH, "graph", "An execution graph, by its name.", MERMAID, graph),
    (
        STRUCTURE,
        "structure",
        "A structure in Å, by its IRI or that of a result or run.",
        XYZ,
        structure,
    ),
    (CLASS, "class", "A class and its properties, by its name.", TEXT, one_class),
    (SKILL, "skill", "A recipe, by its name.", MARKDOWN, skill),
)
"""Template, name, description, type and reader."""


async def list_resources(ctx: ServerRequestContext[Hub], _: Any) -> wire.ListResourcesResult:
    """Answer `resources/list`."""
    from grafico.session.graphs import graphs

    session = await opened(ctx)
    resources = [
        wire.Resource(uri=uri, name=name, description=text, mime_type=kind)
        for uri, (name, text, kind, _) in FIXED.items()
    ]
    resources += [
        wire.Resource(uri=GRAPH.expand({"name": name}), name=f"graph {name}", mime_type=MERMAID)
        for name in graphs()
    ]
    for one in (await ctx.lifespan_context.skills()).found.values():
        uri, about = SKILL.expand({"name": one.name}), one.description
        resources.append(
            wire.Resource(uri=uri, name=f"skill {one.name}", description=about, mime_type=MARKDOWN)
        )
    for line in session.runs(LATEST):
        uri = RUN.expand({"iri": shorten(line.run)})
        title = printable(f"{line.subject}: {line.goal}")
        told = printable(", ".join(filter(None, (line.level, line.status, line.started))))
        resources.append(wire.Resource(uri=uri, name=title[:200], description=told, mime_type=JSON))
    return wire.ListResourcesResult(resources=resources)


async def list_templates(_: ServerRequestContext[Hub], __: Any) -> wire.ListResourceTemplatesResult:
    """Answer `resources/templates/list`."""
    return wire.ListResourceTemplatesResult(
        resource_templates=[
            wire.ResourceTemplate(
                uri_template=str(template), name=name, description=text, mime_type=kind
            )
            for template, name, text, kind, _ in OPEN
        ]
    )


async def read_resource(
    ctx: ServerRequestContext[Hub], params: wire.ReadResourceRequestParams
) -> wire.ReadResourceResult:
    """Answer `resources/read`."""
    uri = params.uri
    try:
        if (named := FILE.match(uri)) is not None:
            contexts = await ctx.lifespan_context.contexts()
            content = file(uri, contexts.file(str(named["name"])))
        else:
            text, kind = read(await opened(ctx), uri)
            content = wire.TextResourceContents(uri=uri, mime_type=kind, text=printable(text))
    except GraficoError as error:
        data = {"asked": error.asked, "found": error.found, "advice": error.advice, "uri": uri}
        raise MCPError(wire.INVALID_PARAMS, printable(str(error)), printable_json(data)) from error
    return wire.ReadResourceResult(contents=[content])


def read(session: Grafico, uri: str) -> tuple[str, str]:
    """Return a resource and its type.

    Raises:
        GraficoError: there is none of that URI.
    """
    if uri in FIXED:
        _, _, kind, reader = FIXED[uri]
        return reader(session), kind
    for template, _, _, kind, of in OPEN:
        if (given := template.match(uri)) is not None:
            (value,) = given.values()
            return of(session, str(value)), kind
    known = ", ".join((*FIXED, *(str(one[0]) for one in OPEN)))
    raise NotFoundError(f"cannot read {uri}", "there is none of that kind", f"try {known}")


def file(uri: str, path: Path | None) -> wire.TextResourceContents | wire.BlobResourceContents:
    """Return a file that a tool has made.

    Raises:
        NotFoundError: it is not there any more, or never was.
    """
    if path is None:
        raise NotFoundError(f"cannot read {uri}", "it is not there", "have it made again")
    kind, content = mime_type(path), path.read_bytes()
    if kind.startswith(("text/", "chemical/")):
        text = content.decode(errors="replace")
        return wire.TextResourceContents(uri=uri, mime_type=kind, text=text)
    blob = base64.b64encode(content).decode()
    return wire.BlobResourceContents(uri=uri, mime_type=kind, blob=blob)


def mime_type(path: Path) -> str:
    """Return the type of a file, by its name."""
    return mimetypes.guess_type(path.name)[0] or "application/octet-stream"


async def opened(ctx: ServerRequestContext[Hub]) -> Grafico:
    """Return the session of a request's server."""
    return await ctx.lifespan_context.session()
