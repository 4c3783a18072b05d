"""Tools that derive numbers from numbers: units, sums, Python."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from grafico.session.inspection import shorten
from grafico.views.brief import tidy
from ogm import GraphModel, Link
from ontologies.conversion import convert, evaluate
from ontologies.derived import Derivation, DerivedQuantity
from triplestore.errors import InputError

from .context import ToolContext
from .snippet_provenance import constants, is_kept, unfounded, unread
from .toolbox import Batch, Found, as_error, tool

if TYPE_CHECKING:
    from grafico.sandbox import Ran
    from grafico.sandbox.values import Kept

LETTERS = 4000
"""Letters of what a snippet printed that are told."""


UNMOVED_WHY = "they stay what they are when the numbers that were read change, or hang on chance"
"""Why single numbers of a snippet have no source."""

UNGIVEN_WHY = (
    "no tool gave them, so what rests on them has no source: take them from results{} or leave it "
    "out"
)
"""Why numbers of a sum have no source, and what helps."""

CITE = ", cite(value, unit, reference) them in run_python"


class UnitConversion(BaseModel):
    """A value and its units."""

    model_config = ConfigDict(extra="forbid")

    value: Annotated[
        str | float,
        WithJsonSchema({"type": "string", "description": "Number or sum, as '2*-1.1+76.4'."}),
    ]
    from_unit: str
    to_unit: str


@tool(reads=True)
async def convert_units(
    context: ToolContext,
    conversions: Annotated[list[UnitConversion], Batch, Field(min_length=1, max_length=100)],
) -> Found:
    """Compute sums and convert units (hartree, kcal/mol, cm^-1, K, …)."""
    rows: list[Found] = []
    lacking: dict[str, None] = {}
    given = context.ledger() if context.ledger else None
    failed: list[InputError] = []
    for one in conversions:
        if given is not None:
            lacking |= dict.fromkeys(given.lacking(str(one.value), one.from_unit))
        try:
            made = evaluate(one.value) if isinstance(one.value, str) else one.value
            value = tidy(convert(made, one.from_unit, one.to_unit), 10)
        except InputError as error:
            failed.append(error)
            rows.append({"of": one.value, "error": as_error(error)})
            continue
        rows.append(
            {"of": tidy(made, 12), "from": one.from_unit, "value": value, "unit": one.to_unit}
        )
    if len(failed) == len(conversions):
        raise failed[0]
    if not lacking:
        return {"values": rows}
    why = UNGIVEN_WHY.format("" if context.no_sandbox() else CITE)
    return {"values": rows, "no_source": {"numbers": [*lacking], "why": why}}


@tool(off=lambda _: ToolContext.no_sandbox())
async def run_python(context: ToolContext, code: str) -> Found:
    """Run Python with np, pd, plt and g: g.value(iri).energy, g.query(sparql), g.table(batch run).

    Print results; g.keep("pKa", x, unit, of=iri) stores one; cite(value, unit, reference) gives a
    literature constant. Figures and files are kept, variables not.
    """
    came = await context.sandbox.run(code, again=True)
    result = ran(came, context)
    kept = [one for at, one in enumerate(came.kept) if is_kept(came, at)]
    result |= {"kept": store(context, code, came, kept)} if kept else {}
    if refused := [one.name for one in came.kept if one not in kept]:
        why = unread(came) or "the number stays what it is when those that were read change"
        result["refused"] = [
            *result.get("refused", ()),
            f"{', '.join(refused)}: not kept, for {why}; keep what is computed from stored "
            "objects, and cite(value, unit, reference) what the literature gives",
        ]
    bad = [n for name in ("value", "stdout") for n in unfounded(came, result.get(name, ""), name)]
    if bad:
        result["no_source"] = {"numbers": bad, "why": unread(came) or UNMOVED_WHY}
    if not unread(came):
        result["derived"] = True
        result |= {"rests_on": rests} if (rests := constants(code, came.cited)) else {}
    if came.cited:
        result["cited"] = [vars(one) for one in came.cited]
    return result


def store(context: ToolContext, code: str, came: Ran, wanted: Sequence[Kept]) -> list[Found]:
    """Store numbers of a snippet with the code and all that it was told of; return them by IRI."""
    made = Derivation(
        code=code,
        used=frozenset(Link[GraphModel](iri) for iri in (*came.read, *came.seen)),
        constants=frozenset(constants(code, came.cited)),
        ended=datetime.now(UTC),
    )
    kept = [
        DerivedQuantity(
            name=one.name,
            value=one.value,
            unit=one.unit,
            of=frozenset(Link[GraphModel](iri) for iri in one.of),
            derivation=Link(made),
        )
        for one in wanted
    ]
    context.session.executor.record(made, *kept)
    return [
        {"iri": shorten(one.iri), "name": one.name, "value": tidy(one.value, 10), "unit": one.unit}
        for one in kept
    ]


def ran(came: Ran, context: ToolContext) -> Found:
    """Return what a model is told of a snippet."""
    files = [str(file.path.relative_to(context.folder)) for file in came.files]
    found: Found = {
        "ok": came.ok,
        "value": came.value[:LETTERS],
        "stdout": came.stdout[:LETTERS],
        "stderr": came.stderr[:1000],
        "error": {"kind": "PythonError", "found": came.error[-2000:]} if came.error else None,
        "exceeded": came.exceeded,
        "files": files,
        "refused": list(came.refused),
        "read": [shorten(iri) for iri in came.read],
    }
    return {name: value for name, value in found.items() if value not in (None, "", [])}
