"""What the graph knows of nets, blocks and frameworks, read in five bounded queries.

The store lists which block stands where; what that comes to, such as which pairs are missing, is
worked out here. To have the store do it takes longer by far: grouping the 20,000 placements of
10,000 frameworks takes 0.4 s in Oxigraph and 6 s in Blazegraph, listing them 0.3 s in both; leaving
out what exists by FILTER NOT EXISTS takes more than a minute.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ogm.terms import checked_iri, with_prefixes
from ontologies.mofs import PlacedOn
from triplestore import Store, Table
from triplestore.errors import ResourceError

MOST_ROWS = 2_000_000
"""Placements that are read: those of a million frameworks of two kinds of blocks."""

WIDEST_GAP = 0.5
CLOSEST = 1.0
"""Å. In a built framework in which connection points that should meet are farther apart (root mean
square), or atoms of blocks that are not connected are nearer, the blocks do not go together."""

FRAMEWORKS = """SELECT ?framework ?net ?placement WHERE {
    %s ?framework a g:Framework ; g:net ?net ; g:blocks ?placement .
    FILTER(ISIRI(?placement)) }"""

PLACEMENTS = """SELECT ?placement ?block ?on ?kind ?figure ?rmsd WHERE {
    ?placement g:placedOn ?on ; g:block ?block ; g:kindNumber ?kind . ?placement a g:Placement .
    OPTIONAL { ?placement g:figure ?figure ; g:figureRmsd ?rmsd } }"""

BLOCKS = """SELECT ?block ?class ?code ?formula ?connections WHERE {
    VALUES ?class { g:MetalNode g:OrganicLinker }
    ?block a ?class ; g:blockCode ?code ; g:formula ?formula ; g:connections ?connections }"""

FITS = """SELECT ?block ?figure ?rmsd WHERE {
    ?fit a g:Fit ; g:block ?block ; g:figure ?figure ; g:figureRmsd ?rmsd }"""

NETS = """SELECT ?net ?name ?vertex ?figure ?edge ?first ?second WHERE {
    ?net a g:Net ; g:name ?name .
    OPTIONAL {
        { ?net g:vertexKinds ?kind . ?kind g:kindNumber ?vertex ; g:figure ?figure }
        UNION
        { ?net g:edgeKinds ?kind .
          ?kind g:kindNumber ?edge ; g:firstVertex ?first ; g:secondVertex ?second } } }"""

UNSOUND = f"""SELECT DISTINCT ?framework WHERE {{
    {{ ?made g:framework ?framework ; g:gapRms ?gap FILTER(?gap > {WIDEST_GAP}) }}
    UNION
    {{ ?made g:framework ?framework ; g:closest ?near FILTER(?near < {CLOSEST}) }} }}"""

NAMES = """SELECT ?framework ?name WHERE {
    VALUES ?framework { %s } ?framework g:frameworkName ?name }"""


class Place(NamedTuple):
    """A kind of vertices or edges of a net.

    Attributes:
        on: `vertex` or `edge`.
        kind: which kind of them, from 0.
    """

    on: PlacedOn
    kind: int


@dataclass(frozen=True)
class Block:
    """A building block.

    Attributes:
        iri: its IRI.
        code: what tells it from others.
        formula: of its atoms.
        connections: how many connection points it has.
        metal: whether it is a metal node.
    """

    iri: str
    code: str
    formula: str
    connections: int
    metal: bool


@dataclass
class StoredNet:
    """A net, as all objects of its name tell it together.

    Attributes:
        name: its symbol.
        iri: of one of these objects, one that says its kinds if there is one.
        figures: what its kinds of vertices ask for, by number.
        ends: the kinds of vertices at both ends of its kinds of edges, by number.
    """

    name: str
    iri: str
    figures: dict[int, str] = field(default_factory=dict[int, str])
    ends: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])


class StoredFramework(NamedTuple):
    """A framework: which blocks stand where.

    Attributes:
        iri: its IRI.
        net: name of its net.
        blocks: IRIs of those at each place.
        sound: whether it shows that these go together: it was read, or built as it should be.
    """

    iri: str
    net: str
    blocks: dict[Place, tuple[str, ...]]
    sound: bool = True


@dataclass(frozen=True)
class MofGraph:
    """What is stored that a search needs.

    Attributes:
        nets: by name.
        blocks: by IRI.
        frameworks: whose net and blocks are known.
        fits: how far blocks are from figures, by the IRIs of both.
    """

    nets: Mapping[str, StoredNet]
    blocks: Mapping[str, Block]
    frameworks: tuple[StoredFramework, ...]
    fits: Mapping[tuple[str, str], float]

    def on(self, net: str) -> list[StoredFramework]:
        """Return the frameworks on a net."""
        return [one for one in self.frameworks if one.net == net]


def read_graph(store: Store, nets: Collection[str] = ()) -> MofGraph:
    """Return what is stored of some nets, by their names; of all if none is named.

    Blocks and fits are read of all: what has never been on a net may fit it.

    Raises:
        ResourceError: there is more than can be read at once.
    """
    wanted = [one for one in _nets(store) if not nets or one[0].name in nets]
    known = {net.name: net for net, _ in wanted}
    names = {iri: net.name for net, iris in wanted for iri in iris}
    placed: dict[str, tuple[str, Place]] = {}
    fits: dict[tuple[str, str], float] = {}
    for placement, block, on, kind, figure, rmsd in rows_of(store, PLACEMENTS):
        placed[placement] = block, Place("vertex" if on == "vertex" else "edge", int(kind))
        if figure and rmsd:
            _keep(fits, block, figure, float(rmsd))
    for block, figure, rmsd in rows_of(store, FITS):
        _keep(fits, block, figure, float(rmsd))
    blocks = {
        iri: Block(iri, code, formula, int(connections), cls.endswith("MetalNode"))
        for iri, cls, code, formula, connections in rows_of(store, BLOCKS)
    }
    found = tuple(_frameworks(store, names, placed, restricted=bool(nets)))
    return MofGraph(known, blocks, found, fits)


def framework_names(store: Store, iris: Iterable[str]) -> dict[str, str]:
    """Return what frameworks are called, by their IRIs."""
    values = " ".join(f"<{checked_iri(iri)}>" for iri in sorted(set(iris)))
    rows = rows_of(store, NAMES % values) if values else []
    return {row[0]: row[1] for row in rows}


def _keep(fits: dict[tuple[str, str], float], block: str, figure: str, rmsd: float) -> None:
    fits[block, figure] = min(rmsd, fits.get((block, figure), rmsd))


def _nets(store: Store) -> list[tuple[StoredNet, set[str]]]:
    """Return nets, each with the IRIs of all objects of its name."""
    found: dict[str, StoredNet] = {}
    iris: defaultdict[str, set[str]] = defaultdict(set)
    for iri, name, vertex, figure, edge, first, second in sorted(rows_of(store, NETS)):
        iris[name].add(iri)
        net = found.setdefault(name, StoredNet(name, iri))
        if vertex and not net.figures and not net.ends:
            net.iri = iri
        if vertex:
            net.figures.setdefault(int(vertex), figure)
        if edge:
            net.ends.setdefault(int(edge), (int(first), int(second)))
    return [(net, iris[name]) for name, net in found.items()]


def _frameworks(
    store: Store,
    nets: Mapping[str, str],
    placed: Mapping[str, tuple[str, Place]],
    *,
    restricted: bool,
) -> Iterator[StoredFramework]:
    values = " ".join(f"<{checked_iri(iri)}>" for iri in sorted(nets)) if restricted else ""
    if restricted and not nets:
        return
    query = FRAMEWORKS % (f"VALUES ?net {{ {values} }}" if values else "")
    unsound = {row[0] for row in rows_of(store, UNSOUND)}
    found: dict[str, StoredFramework] = {}
    unplaced: set[str] = set()
    for framework, net, placement in rows_of(store, query):
        if placement in placed and net in nets:
            block, place = placed[placement]
            if framework not in found:
                sound = framework not in unsound
                found[framework] = StoredFramework(framework, nets[net], {}, sound)
            blocks = found[framework].blocks
            blocks[place] = (*blocks.get(place, ()), block)
        else:
            unplaced.add(framework)  # nobody knows on which kind a block of it stands
    for iri in sorted(found.keys() - unplaced):
        yield found[iri]


def rows_of(store: Store, query: str) -> list[tuple[str, ...]]:
    """Return the rows of a query as texts, empty where nothing is bound.

    Raises:
        ResourceError: there are more than can be read at once.
    """
    answer = store.query(with_prefixes(query), max_rows=MOST_ROWS)
    assert isinstance(answer, Table)
    if answer.cut:
        raise ResourceError("look through all frameworks", answer.cut, "name some nets")
    return [tuple("" if term is None else term.value for term in row) for row in answer.rows]
