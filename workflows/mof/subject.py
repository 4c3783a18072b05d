"""What frameworks are asked for by: a net with its blocks, and crystals of files or the store."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import full_iri
from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import (
    BlockGeometry,
    BuildingBlock,
    ConstructedFramework,
    Framework,
    FrameworkDesign,
    Net,
)
from triplestore.errors import InputError, NotFoundError
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import Given, Subject
from workflows.engine.request.form import Form
from workflows.engine.request.library import Library, TextLibrary
from workflows.molecule.subject import Molecule

from .codes import described
from .designed import designed
from .drawn import DrawnNet, drawn
from .entries import ReadingEntry, entry_of, read_entry, read_file
from .library import block_named

LONGEST = 2000
"""Characters of what names a framework."""

EXAMPLE = "name a net, a node for each kind of its vertices, then linkers: pcu N16 E14"


class Designs(TextLibrary):
    """Texts such as `pcu N16 E14`."""

    suffixes: ClassVar[tuple[str, ...]] = (".designs",)
    columns: ClassVar[tuple[str, ...]] = ("design", "blocks", "framework")


class DesignForm(Form):
    """Nothing is said of a design besides."""


class Design(Subject[FrameworkDesign]):
    """A net with the blocks that stand on it."""

    name: ClassVar[str] = "framework design"
    metavar: ClassVar[str] = "BLOCKS"
    words: ClassVar[bool] = True
    model = FrameworkDesign
    form = DesignForm
    library: ClassVar[Library | None] = Designs()
    help: ClassVar[str] = (
        "BLOCKS are a net, a node for each kind of its vertices and linkers for each kind of its "
        "edges, such as 'pcu N16 E14' or 'tbo N10 N409': names of PORMAKE, or IRIs of stored "
        "blocks. One linker stands on all edges; - stands for none, so that nodes are bonded to "
        "each other."
    )

    def label(self, model: FrameworkDesign) -> str:
        return model.name

    async def read(self, given: object, said: Form, executor: Executor) -> Given[FrameworkDesign]:
        """Return the design that is meant.

        Raises:
            InputError: that names none, or blocks and net do not go together.
            NotFoundError: there is no such net, block or design.
        """
        if isinstance(given, FrameworkDesign):
            return Given(given, given.name)
        text = str(given or "").strip()
        words = text.split()
        if not words or len(text) > LONGEST:
            raise InputError("a framework was asked for", "no net is named", EXAMPLE)
        if len(words) == 1 and "FrameworkDesign" in text:
            known = self.stored_object(executor.kg, text)
            return Given(known, known.name)
        net = _net(words[0], executor.kg)
        blocks = [None if word == "-" else _block(word, executor.kg) for word in words[1:]]
        return Given(design_of(net, blocks, text), text)


def design_of(net: DrawnNet, blocks: Sequence[BlockGeometry | None], text: str) -> FrameworkDesign:
    """Return the design of a net and blocks: nodes have more than two connections.

    Raises:
        InputError: they do not go together.
    """
    asked = f"the framework {text!r} was asked for"
    nodes = [one for one in blocks if one is not None and one.block.connections > 2]
    linkers = [one for one in blocks if one is None or one.block.connections <= 2]
    pairs, each_node = net.net.edge_kinds, _assigned(asked, net, nodes)
    if linkers and len(linkers) not in (1, len(pairs)):
        raise InputError(
            asked,
            f"{len(linkers)} linkers are named, and {net.name} has {len(pairs)} kinds of "
            f"edges: {_edges(net)}",
            "name one linker for all edges, or one for each kind (- for none)",
        )
    each = linkers * len(pairs) if len(linkers) == 1 else linkers or [None] * len(pairs)
    return designed(net, each_node, each)


def _assigned(asked: str, net: DrawnNet, nodes: Sequence[BlockGeometry]) -> list[BlockGeometry]:
    """Return a node for each kind of vertices: in the order given where that fits, else by counts.

    Raises:
        InputError: no node is left for a kind, or one is left over.
    """
    wanted = net.net.connections
    if len(nodes) == len(wanted) and tuple(one.block.connections for one in nodes) == wanted:
        return list(nodes)
    left, found = list(nodes), list[BlockGeometry]()
    for kind, connections in enumerate(wanted):
        unused = [one for one in left if one.block.connections == connections]
        again = [one for one in nodes if one.block.connections == connections]
        if not again:
            from .fitting import fitting_nodes

            names, count = fitting_nodes(net.directions(net.kinds.index(kind)))
            have = "; ".join(f"{_called(one)} has {one.block.connections}" for one in nodes)
            raise InputError(
                asked,
                f"{net.name} asks for blocks with {_list(wanted)} connections on its "
                f"vertices; {have or 'no node is named'}",
                f"nodes with {connections} connections that fit: {', '.join(names)} (of {count})"
                if names
                else EXAMPLE,
            )
        shape = (unused or again)[0]
        if unused:
            left.remove(shape)
        found.append(shape)
    if left:
        raise InputError(
            asked,
            f"{_called(left[0])} ({described(left[0].block)}) has no place: {net.name} has "
            f"vertices of {_list(wanted)} connections",
            "name one node for each kind of vertices",
        )
    return found


def _list(numbers: Sequence[int]) -> str:
    return " and ".join(map(str, dict.fromkeys(numbers)))


def _called(shape: BlockGeometry) -> str:
    return shape.found_in.removeprefix("PORMAKE ") or shape.block.formula


def _edges(net: DrawnNet) -> str:
    counts = Counter(net.edge_kinds)
    return ", ".join(
        f"{number} between vertices of kinds {one} and {other} ({counts[number]} a cell)"
        for number, (one, other) in enumerate(net.pairs)
    )


def _net(word: str, kg: KnowledgeGraph) -> DrawnNet:
    """Return the net of a name or an IRI."""
    if not _is_iri(word):
        return drawn(word)
    found = kg.pull(GraphModel, full_iri(word))
    if not isinstance(found, Net):
        raise NotFoundError(
            f"the net {word} was asked for", f"that is a {type(found).__name__}", EXAMPLE
        )
    return drawn(found.name)


def _block(word: str, kg: KnowledgeGraph) -> BlockGeometry:
    """Return the block of a name or an IRI: of its atoms, or of the block that they are."""
    if not _is_iri(word):
        return block_named(word)
    found = kg.pull(GraphModel, full_iri(word))
    if isinstance(found, BuildingBlock):
        shapes = sorted(
            kg.find(BlockGeometry, block=found), key=lambda one: (one.found_in, one.iri)
        )
        if shapes:
            return shapes[0]
    if isinstance(found, BlockGeometry):
        return found
    raise NotFoundError(
        f"the building block {word} was asked for",
        f"that is a {type(found).__name__}" + (" without atoms" * isinstance(found, BuildingBlock)),
        "give the IRI of a BlockGeometry, or a name of PORMAKE",
    )


def _is_iri(word: str) -> bool:
    return re.match(r"https?://|<|\w+:?/?\w+/", word) is not None or "/" in word


class Crystal(Molecule):
    """A crystal: of a file, a structure or a framework that is stored."""

    metavar: ClassVar[str] = "CRYSTAL"
    help: ClassVar[str] = (
        "CRYSTAL is a CIF file, a reference code such as DOTSOV01, or the IRI of a stored "
        "structure, framework or result. It is measured as it is: what stands in its pores counts "
        "as atoms."
    )

    def __init__(self) -> None:
        super().__init__(any_spin=True)
        self.form = ReadingEntry

    def stored_object(self, kg: KnowledgeGraph, iri: str) -> ConceptualAtoms:
        model = kg.pull(GraphModel, full_iri(iri))
        if isinstance(model, ConstructedFramework):
            model = model.framework
        return model.atoms if isinstance(model, Framework) else super().stored_object(kg, iri)

    async def read(self, given: object, said: Form, executor: Executor) -> Given[ConceptualAtoms]:
        from .pores import check_crystal

        if isinstance(given, ConstructedFramework):
            given = given.framework
        assert isinstance(said, ReadingEntry)
        entry = await entry_of(given, said)
        found = await (read_file(given, said) if entry is None else read_entry(entry, said))
        if found is None:
            found = await super().read(
                given.atoms if isinstance(given, Framework) else given, said, executor
            )
        check_crystal(found.model)
        return found


DESIGN = Design()
CRYSTAL = Crystal()
