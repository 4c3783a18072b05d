"""Which nets and blocks are looked at: all that are stored, or those that are named."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import Field

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import full_iri
from ontologies.mof_proposals import FrameworkSelection
from ontologies.mofs import BlockGeometry, BuildingBlock, MetalNode, Net, OrganicLinker
from triplestore.errors import InputError, NotFoundError
from workflows.engine import Executor
from workflows.engine.request.definition import Given, Subject
from workflows.engine.request.form import Form
from workflows.text.words import listed

from .search_graph import rows_of

MOST = 500
"""Nets, nodes or linkers of one request: stores take long to read more in one query."""

PORMAKE = "PORMAKE "
"""Stands before the name of a block of PORMAKE where a geometry says where it is from."""

TOLD = 60
"""Characters of what was given that are repeated."""


class SelectionForm(Form):
    """Which nets and blocks are looked at."""

    net: Annotated[
        tuple[str, ...], Field(description="Nets: names or IRIs; several with commas.")
    ] = ()
    nodes: Annotated[
        tuple[str, ...],
        Field(description="Metal nodes: IRIs, codes or names in PORMAKE; several with commas."),
    ] = ()
    linkers: Annotated[
        tuple[str, ...],
        Field(description="Organic linkers: IRIs, codes or names in PORMAKE, with commas."),
    ] = ()


class Selections(Subject[FrameworkSelection]):
    """Stored nets and blocks, chosen by options."""

    name: ClassVar[str] = "selection"
    stored: ClassVar[bool] = True
    model = FrameworkSelection
    form = SelectionForm
    help: ClassVar[str] = "Without options it is about all nets and blocks that are stored."

    def label(self, model: FrameworkSelection) -> str:
        parts = (
            [f"the net {listed(model.net_symbols)}"] if model.net_symbols else [],
            [f"the node {listed([one.formula for one in model.nodes])}"] if model.nodes else [],
            [f"the linker {listed([one.formula for one in model.linkers])}"]
            if model.linkers
            else [],
        )
        return ", ".join(part for each in parts for part in each) or "all that is stored"

    async def read(
        self, given: object, said: Form, executor: Executor
    ) -> Given[FrameworkSelection]:
        """Return what is meant, each net and block once.

        Raises:
            InputError: too many are named, or a block is of the other kind.
            NotFoundError: one is not stored.
        """
        if isinstance(given, FrameworkSelection):
            return Given(given, self.label(given))
        assert isinstance(said, SelectionForm)
        if isinstance(given, str) and given.strip():
            found = self.stored_object(executor.kg, given.strip())
            return Given(found, self.label(found))
        kg = executor.kg
        chosen = FrameworkSelection(
            net_symbols=tuple(dict.fromkeys(net_name(kg, one) for one in _each(said.net, "net"))),
            nodes=_blocks(kg, _each(said.nodes, "node"), MetalNode),
            linkers=_blocks(kg, _each(said.linkers, "linker"), OrganicLinker),
        )
        return Given(chosen, self.label(chosen))


def _each(said: Sequence[str], noun: str) -> list[str]:
    """Return what texts name, which may stand with commas between them.

    Raises:
        InputError: they name too many.
    """
    found = list(dict.fromkeys(part.strip() for text in said for part in text.split(",")))
    found = [one for one in found if one]
    if len(found) > MOST:
        raise InputError(
            f"{len(found)} {noun}s were named",
            f"{MOST} are looked at in one search",
            "name fewer, or none for all",
        )
    return found


def is_iri(text: str) -> bool:
    """Tell whether a text is meant as an IRI."""
    return text.startswith(("g:id/", "id/")) or "://" in text


def net_name(kg: KnowledgeGraph, text: str) -> str:
    """Return the name of a stored net that is named or given by its IRI.

    Raises:
        InputError: the IRI is of something else.
        NotFoundError: none of that name is stored.
    """
    asked = f"the net {text[:TOLD]!r} was asked for"
    if is_iri(text):
        model = kg.pull(GraphModel, full_iri(text))
        if isinstance(model, Net):
            return model.name
        raise InputError(asked, f"that is a {type(model).__name__}", "give the IRI of a Net")
    names = {row[0] for row in rows_of(kg.store, "SELECT DISTINCT ?n { ?net a g:Net ; g:name ?n }")}
    same = [name for name in names if name.lower() == text.lower()]
    if text in names or len(same) == 1:
        return text if text in names else same[0]
    close = difflib.get_close_matches(text, names, 3)
    raise NotFoundError(
        asked,
        f"no framework on it is stored ({len(names)} nets are)",
        (f"did you mean {listed(close)}? " if close else "")
        + "build or read a framework on it first",
    )


def _blocks(
    kg: KnowledgeGraph, texts: Sequence[str], kind: type[BuildingBlock]
) -> tuple[BuildingBlock, ...]:
    found = {one.iri: one for text in texts for one in [stored_block(kg, text, kind)]}
    return tuple(found.values())


def stored_block(kg: KnowledgeGraph, text: str, kind: type[BuildingBlock]) -> BuildingBlock:
    """Return a block by its IRI, its code or its name in PORMAKE.

    Raises:
        InputError: it is something else, or of the other kind.
        NotFoundError: it is not stored.
    """
    noun = "metal node" if kind is MetalNode else "organic linker"
    asked = f"the {noun} {text[:TOLD]!r} was asked for"
    if is_iri(text):
        model = kg.pull(GraphModel, full_iri(text))
        model = model.block if isinstance(model, BlockGeometry) else model
    else:
        coded = kg.find(BuildingBlock, block_code=text)
        named = coded or [one.block for one in kg.find(BlockGeometry, found_in=PORMAKE + text)]
        if not named:
            raise NotFoundError(
                asked,
                "no block of that code or name is stored",
                "give the IRI of one, or build a framework with it first",
            )
        model = named[0]
    if isinstance(model, kind):
        return model
    found = f"that is a {type(model).__name__}"
    if isinstance(model, BuildingBlock):
        other = "--linkers" if kind is MetalNode else "--nodes"
        raise InputError(asked, f"{found}: {model.formula}", f"give it to {other}")
    raise InputError(asked, found, f"give the IRI of a {kind.__name__}")


SELECTIONS = Selections()
