"""Export and import: all that is needed and no more, the same everywhere, and safe from anybody."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rdflib
from hypothesis import given, settings
from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, RdfFormat, parse, serialize
from rdflib.namespace import PROV, RDF

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.keeping.bundle import OBJECTS, PROVENANCE, Imported, export_bundle, import_bundle
from ogm.keeping.check import check_store
from ogm.keeping.closure import PAGE
from ogm.keeping.container import Manifest
from ontologies.provenance import Activity, Device, Outcome, Run, Software, Transition
from triplestore import ConflictError, InputError, NotFoundError, RecordError, Store, open_store
from triplestore.broker.folder import read_holder
from triplestore.release import release

from . import samples
from .samples import Arrays, Chain, Everything, Leaf, Measured

ROOT = Path(__file__).parents[2]
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
PYSCF = Software(name="PySCF", version="2.14")


def open_memory(folder: Path) -> KnowledgeGraph:
    return KnowledgeGraph(open_store("memory:"), folder)


@pytest.fixture
def source(tmp_path: Path) -> KnowledgeGraph:
    return open_memory(tmp_path / "source")


@pytest.fixture
def target(tmp_path: Path) -> KnowledgeGraph:
    return open_memory(tmp_path / "target")


def content(store: Store) -> set[bytes]:
    return {line for piece in store.dump() for line in piece.splitlines()}


def activity(result: Measured, *used: GraphModel, key: str = "k", number: int = 0) -> Activity:
    return Activity(
        calculation="toy.measure",
        version="1",
        epoch="1",
        key=key,
        family=key,
        signature=0.0,
        used=frozenset(Link[GraphModel](model.iri) for model in used),
        generated=Link[GraphModel](result.iri),
        started=NOON,
        ended=NOON + timedelta(seconds=2),
        wall_time=2.0,
        threads=1,
        device=Device(kind="cpu", name="abacus"),
        software=frozenset((PYSCF,)),
    ).identified(f"https://w3id.org/grafico/id/Activity/a{number}")


def measured(value: float = 1.5, number: int = 0) -> Measured:
    return Measured(value=value).identified(f"https://w3id.org/grafico/id/Measured/a{number}")


class Story:
    """A run with one step, in a store that holds other things too."""

    def __init__(self, kg: KnowledgeGraph) -> None:
        self.table = Arrays(f8=np.random.default_rng(1).random((100, 100)))
        self.leaf = Leaf(name="input")
        self.result = measured()
        self.activity = activity(self.result, self.leaf, self.table)
        self.run = Run(
            graph="toy",
            goal="a number",
            subject="input",
            request="{}",
            started=NOON,
            about=frozenset({Link[GraphModel](self.leaf.iri)}),
            software=PYSCF,
        )
        self.step = Transition(
            run=Link[Run](self.run.iri),
            index=0,
            node="Measure",
            inputs="{}",
            chosen_by="goal",
            reason="",
            menu=("Measure",),
            started=NOON,
            ended=NOON,
            activity=Link[Activity](self.activity.iri),
        )
        self.outcome = Outcome(
            run=Link[Run](self.run.iri),
            status="finished",
            message="done",
            ended=NOON + timedelta(seconds=3),
            results=(Link[GraphModel](self.result.iri),),
        )
        self.all = (
            self.table,
            self.leaf,
            self.result,
            self.activity,
            self.run,
            self.step,
            self.outcome,
        )
        other = measured(2.0, 9)
        stranger = Leaf(name="stranger"), Arrays(f8=np.random.default_rng(2).random((100, 100)))
        kg.push(*self.all, other, activity(other, self.leaf, key="l", number=9), *stranger)


@pytest.fixture
def story(source: KnowledgeGraph) -> Story:
    return Story(source)


def objects(path: Path) -> set[str]:
    """The subjects of a bundle's default graph."""
    with zipfile.ZipFile(path) as file:
        quads = parse(file.read(OBJECTS), format=RdfFormat.TRIG)
        return {str(q.subject)[1:-1] for q in quads if isinstance(q.graph_name, DefaultGraph)}


# --- out -----------------------------------------------------------------------------------


def test_a_run_goes_with_all_that_it_rests_on_and_nothing_else(
    source: KnowledgeGraph, story: Story, tmp_path: Path
):
    made = export_bundle(source, [story.run.iri], tmp_path / "b")
    needed = {model.iri for model in (*story.all, PYSCF, story.activity.device)}
    assert objects(tmp_path / "b") == needed
    assert (made.objects, made.arrays, made.unknown) == (len(needed), 1, ())


def test_a_result_goes_with_its_activity_but_without_runs(
    source: KnowledgeGraph, story: Story, tmp_path: Path
):
    export_bundle(source, [story.result.iri], tmp_path / "b")
    needed = (story.result, story.activity, story.leaf, story.table, PYSCF, story.activity.device)
    assert objects(tmp_path / "b") == {model.iri for model in needed}


def test_a_value_goes_alone(source: KnowledgeGraph, story: Story, tmp_path: Path):
    export_bundle(source, [story.leaf.iri], tmp_path / "b")
    assert objects(tmp_path / "b") == {story.leaf.iri}


def test_import_brings_the_same_objects_and_again_nothing(
    source: KnowledgeGraph, target: KnowledgeGraph, story: Story, tmp_path: Path
):
    export_bundle(source, [story.run.iri], tmp_path / "b")
    first = import_bundle(target, tmp_path / "b")
    assert first == Imported(9, 9, 1, (story.run.iri,), ())
    for model in story.all:
        assert target.pull(type(model), model.iri) == model
    before = content(target.store)
    assert before <= content(source.store)
    assert import_bundle(target, tmp_path / "b").new == 0
    assert import_bundle(source, tmp_path / "b").new == 0
    assert content(target.store) == before


def test_equal_content_gives_an_equal_file(
    source: KnowledgeGraph, target: KnowledgeGraph, story: Story, tmp_path: Path
):
    export_bundle(source, [story.run.iri, story.leaf.iri], tmp_path / "b")
    import_bundle(target, tmp_path / "b")
    export_bundle(target, [story.leaf.iri, story.run.iri, story.leaf.iri], tmp_path / "c")
    assert (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()


@given(samples.everything)
@settings(max_examples=25)
def test_any_object_survives_the_way_through_a_file(
    tmp_path_factory: pytest.TempPathFactory, model: Everything
):
    folder = tmp_path_factory.mktemp("any")
    one, two = open_memory(folder / "one"), open_memory(folder / "two")
    one.push(model)
    export_bundle(one, [model.iri], folder / "b")
    import_bundle(two, folder / "b")
    assert two.pull(Everything, model.iri) == model
    assert content(one.store) == content(two.store)


def test_levels_cost_a_constant_number_of_queries(
    source: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    leaves = tuple(Leaf(name=f"{i}") for i in range(PAGE + 1))
    roots = [Measured(value=i, of=leaf).identified(f"urn:x:{i}") for i, leaf in enumerate(leaves)]
    source.push(*roots)
    asked: list[str] = []
    query = source.store.query
    monkeypatch.setattr(source.store, "query", lambda text: asked.append(text) or query(text))
    made = export_bundle(source, [root.iri for root in roots], tmp_path / "b")
    assert made.objects == 2 * (PAGE + 1)
    told = "two levels of two pages, each asked for triples, activities and marks; two for runs"
    assert len(asked) <= 14, told


def test_a_long_chain(source: KnowledgeGraph, target: KnowledgeGraph, tmp_path: Path):
    chain: Chain | None = None
    for index in range(200):
        chain = Chain(index=index, next=chain)
    assert chain is not None
    source.push(chain)
    assert export_bundle(source, [chain.iri], tmp_path / "b").objects == 200
    import_bundle(target, tmp_path / "b")
    assert target.pull(Chain, chain.iri) == chain


def test_links_that_lead_nowhere_are_told(source: KnowledgeGraph, tmp_path: Path):
    result = measured()
    lonely = activity(result, Leaf(name="never stored"))
    source.push(result, lonely)
    made = export_bundle(source, [result.iri], tmp_path / "b")
    assert made.unknown == (Leaf(name="never stored").iri,)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # within rdflib
def test_provenance_is_said_as_others_expect_it(
    source: KnowledgeGraph, story: Story, tmp_path: Path
):
    export_bundle(source, [story.run.iri], tmp_path / "b")
    with zipfile.ZipFile(tmp_path / "b") as file:
        dataset = rdflib.Dataset()
        dataset.parse(data=file.read(OBJECTS), format="trig")
    said: Any = dataset.graph(rdflib.URIRef(PROVENANCE))
    leaf, result, act, run, agent = (
        rdflib.URIRef(m.iri) for m in (story.leaf, story.result, story.activity, story.run, PYSCF)
    )
    for triple in (
        (result, RDF.type, PROV.Entity),
        (result, PROV.wasGeneratedBy, act),
        (result, PROV.wasDerivedFrom, leaf),
        (leaf, RDF.type, PROV.Entity),
        (act, RDF.type, PROV.Activity),
        (act, PROV.used, leaf),
        (act, PROV.wasAssociatedWith, agent),
        (agent, RDF.type, PROV.SoftwareAgent),
        (run, RDF.type, PROV.Activity),
        (run, PROV.used, leaf),
        (run, PROV.wasAssociatedWith, agent),
    ):
        assert triple in said
    assert said.value(act, PROV.startedAtTime).toPython() == NOON
    assert said.value(act, PROV.endedAtTime).toPython() == NOON + timedelta(seconds=2)
    assert said.value(run, PROV.endedAtTime).toPython() == NOON + timedelta(seconds=3)
    assert str(said.value(agent, rdflib.RDFS.label)) == "PySCF 2.14"


def test_the_crate_names_every_file_and_nothing_else(
    source: KnowledgeGraph, story: Story, tmp_path: Path
):
    export_bundle(source, [story.run.iri], tmp_path / "b")
    with zipfile.ZipFile(tmp_path / "b") as file:
        names = {*file.namelist()}
        crate = json.loads(file.read("ro-crate-metadata.json"))
    assert crate["@context"] == "https://w3id.org/ro/crate/1.1/context"
    entities = {entity["@id"]: entity for entity in crate["@graph"]}
    assert len(entities) == len(crate["@graph"]), "each is described once"
    descriptor, root = entities["ro-crate-metadata.json"], entities["./"]
    assert descriptor["@type"] == "CreativeWork"
    assert descriptor["conformsTo"]["@id"] == "https://w3id.org/ro/crate/1.1"
    assert descriptor["about"]["@id"] == "./"
    assert root["@type"] == "Dataset"
    assert {"name", "description", "license"} < set(root)
    assert root["datePublished"] == "2026-05-04"
    parts = {part["@id"] for part in root["hasPart"]}
    assert parts == names - {"ro-crate-metadata.json"}
    assert all(entities[part]["@type"] == "File" for part in parts)
    assert entities[PYSCF.iri]["version"] == "2.14"
    linked = {item["@id"] for key in ("hasPart", "about", "mentions") for item in root[key]}
    assert linked <= set(entities)
    assert entities[root["author"]["@id"]]["name"]
    assert entities[root["license"]["@id"]]["description"]
    actions = {name: one for name, one in entities.items() if one["@type"] == "CreateAction"}
    assert story.run.iri in actions
    made = [action for name, action in actions.items() if "/Activity/" in name]
    assert made
    for action in actions.values():
        assert {"@id": action["@id"]} in root["mentions"]
        assert {"name", "startTime", "endTime"} <= set(action)
        assert action["actionStatus"] == {"@id": "http://schema.org/CompletedActionStatus"}
        for key in ("instrument", "object", "result"):
            assert {item["@id"] for item in action[key]} <= set(entities)
    assert all(one["object"] and one["result"] and one["instrument"] for one in made)
    assert {entities[i["@id"]]["@type"] for i in made[0]["instrument"]} == {"SoftwareApplication"}


def test_author_and_licence_are_those_that_are_said(
    source: KnowledgeGraph, story: Story, tmp_path: Path
):
    who, terms = "https://orcid.org/0000-0002-1825-0097", "https://example.org/licence"
    said = {"author": f"Josiah Carberry <{who}>", "licence": terms}
    export_bundle(source, [story.run.iri], tmp_path / "b", **said)  # pyright: ignore[reportArgumentType]
    with zipfile.ZipFile(tmp_path / "b") as file:
        graph = json.loads(file.read("ro-crate-metadata.json"))["@graph"]
    entities = {entity["@id"]: entity for entity in graph}
    root = entities["./"]
    assert (root["author"]["@id"], root["license"]["@id"]) == (who, terms)
    assert entities[who] == {"@id": who, "@type": "Person", "name": "Josiah Carberry"}
    assert terms in entities


def test_what_cannot_be_exported(source: KnowledgeGraph, story: Story, tmp_path: Path):
    path = tmp_path / "b"
    with pytest.raises(NotFoundError, match="nothing is stored of urn:x"):
        export_bundle(source, ["urn:x"], path)
    with pytest.raises(NotFoundError, match="not an IRI"):
        export_bundle(source, ["no IRI"], path)
    with pytest.raises(InputError, match="no object is named"):
        export_bundle(source, [], path)
    assert source.files is not None
    [name, _] = sorted(source.files.folder.rglob("*.npy"))
    for table in source.files.folder.rglob("*.npy"):
        table.write_bytes(table.read_bytes()[:-1] + b"x")
    with pytest.raises(RecordError, match="its checksum differs"):
        export_bundle(source, [story.run.iri], path)
    source.store.insert(b"<urn:b> <urn:p> _:x .\n")
    with pytest.raises(RecordError, match="no name elsewhere"):
        export_bundle(source, ["urn:b"], path)
    assert not path.exists()
    path.write_text("precious")
    with pytest.raises(InputError, match="it exists"):
        export_bundle(source, [story.leaf.iri], path)
    assert export_bundle(source, [story.leaf.iri], path, overwrite=True).objects == 1
    assert name.exists()


# --- in, from anybody ----------------------------------------------------------------------


def forged(
    path: Path,
    quads: Callable[[list[Quad]], list[Quad]] = list,
    arrays: dict[str, bytes] | None = None,
) -> Path:
    """A copy of a bundle with other quads and more arrays, and with checksums that are right."""
    copy = path.with_name("forged")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
        text = serialize(
            quads(list(parse(old.read(OBJECTS), format=RdfFormat.TRIG))), format=RdfFormat.TRIG
        )
        assert text is not None
        manifest: dict[str, Any] = json.loads(old.read("manifest.json"))
        said = {"bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
        manifest["parts"][OBJECTS] = said
        for name in old.namelist():
            changed = {OBJECTS: text, "manifest.json": json.dumps(manifest).encode()}
            new.writestr(name, changed.get(name, old.read(name)))
        for name, raw in (arrays or {}).items():
            new.writestr(name, raw)
    return copy


def altered(subject: str, predicate: str, value: Any) -> Callable[[list[Quad]], list[Quad]]:
    """Replaces the value of a property, or adds it."""

    def change(quads: list[Quad]) -> list[Quad]:
        place = NamedNode(subject), NamedNode(predicate)
        kept = [q for q in quads if (q.subject, q.predicate) != place]
        return [*kept, Quad(NamedNode(subject), NamedNode(predicate), value)]

    return change


def added(*lines: str) -> Callable[[list[Quad]], list[Quad]]:
    def change(quads: list[Quad]) -> list[Quad]:
        return [*quads, *parse("\n".join(lines), format=RdfFormat.TRIG)]

    return change


@pytest.fixture
def bundle(source: KnowledgeGraph, story: Story, tmp_path: Path) -> Path:
    export_bundle(source, [story.run.iri], tmp_path / "b")
    return tmp_path / "b"


@pytest.fixture
def refused(target: KnowledgeGraph) -> Callable[..., None]:
    """Imports a file, which must be refused and leave no trace."""
    before = content(target.store)

    def check(path: Path, match: str, **more: Any) -> None:
        with pytest.raises(InputError, match=match):
            import_bundle(target, path, **more)
        assert content(target.store) == before
        assert target.files is not None
        assert not target.files.folder.exists()

    return check


def prop(name: str) -> str:
    return samples.VOCAB.term(name)


G = "https://w3id.org/grafico/"
XSD_DOUBLE = "http://www.w3.org/2001/XMLSchema#double"


def test_values_must_be_what_their_name_says(
    bundle: Path, story: Story, refused: Callable[..., None]
):
    iri, name = story.leaf.iri, prop("name")
    refused(forged(bundle, altered(iri, name, Literal("other"))), "not what its name says")
    refused(forged(bundle, added(f'<{iri}> <urn:more> "x" .')), "which no Leaf has")
    refused(forged(bundle, added(f'<{iri}> <{name}> "b" .')), "several values")
    for version, match in ((0, "schema version"), (2, "knows 1")):
        said = f"<{iri}> <{G}schemaVersion> {version} ."
        refused(forged(bundle, added(said)), match)


def test_results_of_which_nothing_says_how_they_were_made_are_refused(
    bundle: Path, story: Story, target: KnowledgeGraph, refused: Callable[..., None]
):
    gone = {story.activity.iri, story.step.iri}

    def without_activity(quads: list[Quad]) -> list[Quad]:
        return [quad for quad in quads if str(quad.subject)[1:-1] not in gone]

    refused(forged(bundle, without_activity), "an activity that made it")  # the run names it still
    kind, planted = Measured.term(), f"{G}id/Measured/planted"
    value = f'<{planted}> <{prop("value")}> "-99.5"^^<{XSD_DOUBLE}> .'
    refused(forged(bundle, added(f"<{planted}> a <{kind}> .", value)), "an activity that made it")
    import_bundle(target, bundle)
    import_bundle(target, forged(bundle, without_activity))  # here is what made it


def test_a_bundle_of_an_earlier_grafico_says_the_first_version(
    bundle: Path, source: KnowledgeGraph, target: KnowledgeGraph, story: Story
):
    later = {story.run.iri, story.outcome.iri}  # of classes whose schemas have later versions
    every = [f"<{iri}> <{G}schemaVersion> 1 ." for iri in {*objects(bundle)} - later]
    old = forged(bundle, added(*every))
    with zipfile.ZipFile(bundle) as file:
        quads = [*parse(file.read(OBJECTS), format=RdfFormat.TRIG)]
    said = {q.subject.value for q in quads if q.predicate.value == G + "schemaVersion"}
    assert said == later
    before = content(source.store)
    for path in (old, bundle):  # beside what is stored without, and with, a word of it
        assert import_bundle(source, path).new == 0
    assert content(source.store) == before
    import_bundle(target, old)
    assert import_bundle(target, bundle).new == 0
    fresh = KnowledgeGraph(target.store, target.files.folder if target.files else None)
    assert fresh.pull(Leaf, story.leaf.iri) == story.leaf
    assert check_store(fresh).clean


def test_classes_must_match_names_and_accept_the_values(
    bundle: Path, story: Story, refused: Callable[..., None]
):
    leaf, run = story.leaf.iri, story.run.iri
    kind = str(rdflib.RDF.type)
    stranger = NamedNode("urn:Stranger")
    refused(forged(bundle, altered(leaf, kind, stranger)), "named like a Leaf")
    refused(forged(bundle, altered(leaf, kind, NamedNode(G + "Run"))), "named like a Leaf")
    refused(forged(bundle, altered(run, kind, NamedNode(Leaf.term()))), "named like a Run")
    refused(forged(bundle, added(f"<{leaf}> a <{Run.term()}> .")), "at once")
    refused(forged(bundle, altered(run, G + "goal", Literal(5))), "no plain text")
    refused(forged(bundle, altered(story.activity.iri, G + "threads", Literal("x"))), "threads")
    fake = f"<urn:leaf> a <{Leaf.term()}> ; <{prop('name')}> 'x' ; <{G}schemaVersion> 1 ."
    refused(forged(bundle, added(fake)), "no name of a Leaf")


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ('_:a <urn:p> "x" .', "without an IRI"),
        ("<urn:a> <urn:p> _:a .", "without an IRI"),
        ("<urn:g> { <urn:a> <urn:p> <urn:b> }", "it has a graph"),
        (f"<{G}goal> <http://www.w3.org/2000/01/rdf-schema#label> 'x' .", "a word of a vocab"),
        ("<http://www.w3.org/ns/prov#used> a <urn:X> .", "a word of a vocabulary"),
        (f"<{Leaf.term()}> a <urn:X> .", "a word of a vocabulary"),
        (f"<urn:a> <urn:p> '<f8 3 AAAA'^^<{G}array> .", "array literal cannot be read"),
        (f"<urn:a> <urn:p> '<f8 1000000000 AAAA'^^<{G}array> .", "array literal cannot be read"),
        (f"<urn:a> <urn:p> '|O 1 AAAA'^^<{G}array> .", "array literal cannot be read"),
        (f"<urn:a> <urn:p> '<f8 3 sha256:../../etc'^^<{G}array> .", "is not in it"),
    ],
)
def test_odd_quads_are_refused(bundle: Path, refused: Callable[..., None], line: str, match: str):
    refused(forged(bundle, added(line)), match)


def test_arrays_must_be_what_they_are_said_to_be(
    bundle: Path, story: Story, refused: Callable[..., None]
):
    with zipfile.ZipFile(bundle) as file:
        [name] = (n for n in file.namelist() if n.endswith(".npy"))
    digest = name[7:-4]
    literal = Literal(f"<f8 10000 sha256:{digest}", datatype=NamedNode(G + "array"))
    refused(forged(bundle, altered(story.table.iri, prop("f8"), literal)), "but the array is")
    refused(forged(bundle, lambda quads: [q for q in quads if digest not in str(q)]), "nothing in")
    other = {f"arrays/{'0' * 64}.npy": b"\x93NUMPY\x01\x00"}
    refused(forged(bundle, arrays=other), "header is damaged")


def test_things_of_unknown_classes_pass_with_a_warning(
    bundle: Path, target: KnowledgeGraph, refused: Callable[..., None]
):
    forged(bundle, added("<urn:a> a <urn:Stranger> ; <urn:p> 5 . <urn:b> <urn:p> <urn:a> ."))
    made = import_bundle(target, bundle.with_name("forged"))
    assert made.warnings == (
        "1 of no class, which is not known here: not checked",
        "1 of urn:Stranger, which is not known here: not checked",
    )
    refused_text = forged(bundle, added("<urn:a> <urn:p> 6 ."))
    with pytest.raises(ConflictError, match="is stored with <urn:p>"):
        import_bundle(target, refused_text)


def test_a_class_that_cannot_be_stored_is_in_nobodys_way(bundle: Path, target: KnowledgeGraph):
    class Wrong(GraphModel):
        number: complex

    with pytest.raises(TypeError, match="no form in the graph"):
        Wrong.fields()
    assert import_bundle(target, bundle).warnings == ()
    check_store(target)
    with zipfile.ZipFile(bundle) as file:
        assert json.loads(file.read("manifest.json"))["program"] == f"grafico {release()}"


def test_what_is_stored_cannot_be_changed(
    bundle: Path, target: KnowledgeGraph, story: Story, tmp_path: Path
):
    import_bundle(target, bundle)
    before = content(target.store)
    result, run = story.result.iri, story.run.iri
    another = activity(story.result, story.leaf, number=5)
    later = Outcome(run=Link[Run](run), status="failed", message="no", ended=NOON)
    for change, match in (
        (altered(result, prop("value"), Literal(2.5)), r"2\.5"),
        (added(f"<{result}> <{prop('of')}> <{story.leaf.iri}> ."), "nothing, in it with"),
        (added(f"<{result}> <urn:more> 'x' ."), "urn:more"),
        (altered(run, G + "goal", Literal("another")), "a number"),
    ):
        # refused for what is stored, or already for the digest of what it says
        with pytest.raises((ConflictError, InputError), match=f"{match}|says of itself"):
            import_bundle(target, forged(bundle, change))
        assert content(target.store) == before
    for model, match in ((another, "was made by"), (later, "ended with")):
        kg = open_memory(tmp_path / f"forger {type(model).__name__}")
        kg.push(*story.all, model)
        export_bundle(kg, [run, model.iri], tmp_path / "b2", overwrite=True)
        with pytest.raises(ConflictError, match=match):
            import_bundle(target, tmp_path / "b2")
        assert content(target.store) == before


def test_a_run_that_went_on_can_be_imported_again(
    source: KnowledgeGraph, target: KnowledgeGraph, tmp_path: Path
):
    run = Run(graph="t", goal="g", subject="s", request="{}", started=NOON, software=PYSCF)
    source.push(run)
    export_bundle(source, [run.iri], tmp_path / "early")
    import_bundle(target, tmp_path / "early")
    source.push(Outcome(run=Link[Run](run.iri), status="finished", message="", ended=NOON))
    export_bundle(source, [run.iri], tmp_path / "late")
    assert import_bundle(target, tmp_path / "late").new == 1


def test_the_same_calculation_done_twice_is_told(
    bundle: Path, target: KnowledgeGraph, story: Story
):
    own = measured(1.4999, 7)
    target.push(own, activity(own, story.leaf, number=7))
    made = import_bundle(target, bundle)
    assert made.warnings == ("1 calculations in it were done here too: both results are kept",)


def test_bombs_are_not_unpacked(bundle: Path, refused: Callable[..., None], tmp_path: Path):
    bomb = tmp_path / "bomb"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(OBJECTS, bytes(40 << 20))
        said = {"format": "grafico-bundle", "version": 1, "program": ""}
        file.writestr("manifest.json", json.dumps(said))
    refused(bomb, "unpack to")
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("manifest.json", bytes(80 << 20))
    refused(bomb, "its manifest.json is too large")
    refused(bundle, "more than 1,000 bytes", max_bytes=1000)


def test_other_files_are_refused(
    bundle: Path, refused: Callable[..., None], tmp_path: Path, source: KnowledgeGraph
):
    from ogm.keeping.backup import backup

    backup(source, tmp_path / "backup")
    refused(tmp_path / "backup", "use `grafico restore`")
    (tmp_path / "text").write_text("a letter")
    refused(tmp_path / "text", "something else")
    refused(tmp_path / "none", "no such file")
    whole = bundle.read_bytes()
    for length in range(0, len(whole), len(whole) // 20):
        (tmp_path / "cut").write_bytes(whole[:length])
        refused(tmp_path / "cut", "get the file again")
    assert Manifest.model_fields["format"].is_required()


def test_bad_text_is_refused(bundle: Path, refused: Callable[..., None]):
    copy = bundle.with_name("copy")
    for text in (b"<urn:a> <urn:b>", b"\xff\xfe", b"<a> <b> <c> .", b"(" * 50_000):
        with zipfile.ZipFile(bundle) as old, zipfile.ZipFile(copy, "w") as new:
            manifest: dict[str, Any] = json.loads(old.read("manifest.json"))
            said = {"bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
            manifest["parts"][OBJECTS] = said
            new.writestr("manifest.json", json.dumps(manifest))
            new.writestr(OBJECTS, text)
            new.writestr("ro-crate-metadata.json", old.read("ro-crate-metadata.json"))
        refused(copy, "not valid TriG|something without an IRI")


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from ogm import KnowledgeGraph
    from ogm.keeping.bundle import import_bundle
    import ontologies, tests.ogm.samples
    from triplestore import open_store
    def tell(text):
        if text.endswith(sys.argv[3]):
            os.kill(os.getpid(), signal.SIGKILL)
    import_bundle(KnowledgeGraph(open_store(sys.argv[1])), Path(sys.argv[2]), tell=tell)
"""


def test_killed_while_it_imports_and_repeated(
    source: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    results = [measured(i, i) for i in range(40)]
    for number, result in enumerate(results):
        long = Leaf(name=f"{number}" + "x" * 60_000)  # a transaction holds about a megabyte
        source.push(result, long, activity(result, long, number=number))
    export_bundle(source, [result.iri for result in results], tmp_path / "b")
    code, folder = textwrap.dedent(KILLED), tmp_path / "store"
    try:
        for moment in ("checking object 0 of 122", " of 122 objects"):
            done = subprocess.run(
                [sys.executable, "-c", code, str(folder), str(tmp_path / "b"), moment],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
        assert done.returncode == -signal.SIGKILL, done.stderr
        with open_store(str(folder)) as store:
            half = content(store)
            assert half
            assert half < content(source.store)
            import_bundle(KnowledgeGraph(store), tmp_path / "b")
            assert half < content(store)
            assert content(store) <= content(source.store)
            assert import_bundle(KnowledgeGraph(store), tmp_path / "b").new == 0
    finally:
        if holder := read_holder(folder):
            os.kill(holder.pid, signal.SIGKILL)


def test_a_result_that_is_not_what_it_says_is_refused(
    bundle: Path, target: KnowledgeGraph, story: Story
):
    change = altered(story.result.iri, prop("value"), Literal(2.5))
    with pytest.raises(InputError, match="the digest of its content"):
        import_bundle(target, forged(bundle, change))
    assert content(target.store) == set()
