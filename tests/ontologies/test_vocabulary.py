"""The classes as an ontology: one name, one meaning; everything says what it is."""

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest
from rdflib import OWL, RDF, RDFS, Graph, URIRef
from rdflib.compare import isomorphic

import ogm
import ontologies
from ogm import GRAFICO, GraphModel, KnowledgeGraph
from ogm.model import subclasses
from ogm.schema import SCHEMA, VERSION
from ogm.shapes import violations
from ontologies.quantum import ElectronicResult, EnergyResult, SinglePoint
from ontologies.schema import ONTOLOGY, SHAPES, generated, turtle
from tests.ontologies.instances import ACTIVITY, EVERYTHING, OPTIMISED, WATER
from triplestore import open_store

MODULES = [
    importlib.import_module(f"{package.__name__}.{found.name}")
    for package in (ogm, ontologies)
    for found in pkgutil.iter_modules(package.__path__)
]
CLASSES = sorted(
    {c for c in subclasses(GraphModel) if c.__module__.startswith("ontologies.")},
    key=lambda c: c.__name__,
)


def test_one_property_has_one_meaning() -> None:
    meanings: dict[str, dict[object, str]] = {}
    for cls in CLASSES:
        for plan in cls.fields():
            kind = "object" if plan.kind in ("model", "link") else plan.kind
            kind = "str" if kind == "enum" else kind
            where = f"{cls.__name__}.{plan.name}"
            meanings.setdefault(plan.predicate, {}).setdefault((kind, plan.unit), where)
    clashes = {name: found for name, found in meanings.items() if len(found) > 1}
    assert not clashes


def test_classes_have_terms_of_their_own() -> None:
    assert len({cls.term() for cls in CLASSES}) == len(CLASSES)


@pytest.mark.parametrize("path", [ONTOLOGY, SHAPES], ids=lambda path: path.name)
def test_the_committed_files_are_up_to_date(path: Path) -> None:
    """If not: ``python -m ontologies``."""
    now = turtle(generated()[path])
    if path.read_text(encoding="utf-8") != now:  # the order of equal things is rdflib's
        assert isomorphic(Graph().parse(path), Graph().parse(data=now, format="turtle"))


def test_the_ontology_says_class_type_unit_and_meaning() -> None:
    graph = Graph().parse(ONTOLOGY)
    energy = URIRef(GRAFICO.term("energy"))
    assert (URIRef(SinglePoint.term()), RDFS.subClassOf, URIRef(ElectronicResult.term())) in graph
    assert (URIRef(ElectronicResult.term()), RDFS.subClassOf, URIRef(EnergyResult.term())) in graph
    assert (energy, RDF.type, OWL.DatatypeProperty) in graph
    assert (energy, RDF.type, OWL.FunctionalProperty) in graph
    unit = graph.value(energy, URIRef("http://qudt.org/schema/qudt/hasUnit"))
    assert str(unit) == "http://qudt.org/vocab/unit/E_h"
    assert str(graph.value(energy, RDFS.comment)).startswith("total energy")


def test_every_term_is_of_one_kind_and_says_whose_it_is_and_what_it_means() -> None:
    graph = Graph().parse(ONTOLOGY)
    objects, data, classes = (
        set(graph.subjects(RDF.type, kind))
        for kind in (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.Class)
    )
    assert not objects & data
    assert not (objects | data) & classes
    assert len(classes) == len(CLASSES)
    for term in objects | data:
        assert graph.value(term, RDFS.comment), f"{term}: add it to its class's Attributes"
        owners = set(graph.objects(term, SCHEMA.domainIncludes))
        assert owners
        assert owners <= classes
        assert set(graph.objects(term, SCHEMA.rangeIncludes)) <= classes
        assert (graph.value(term, RDFS.range) is None) == (term in objects)
    assert VERSION in data
    for term in classes:
        assert graph.value(term, RDFS.comment)
        assert graph.value(term, OWL.versionInfo)


@pytest.fixture(scope="module")
def data() -> bytes:
    """What a store says of an object of every class."""
    with open_store("memory:") as store:
        KnowledgeGraph(store).push(*EVERYTHING)
        return b"".join(store.dump())


def test_objects_of_every_class_conform_to_the_committed_shapes(data: bytes) -> None:
    leaves = {cls for cls in CLASSES if not cls.__subclasses__()}
    assert leaves <= {type(model) for model in EVERYTHING} <= set(CLASSES)
    assert violations(data, Graph().parse(SHAPES)) == []


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        (f"<{ACTIVITY.iri}> <{GRAFICO.term('device')}> <", "<urn:x:1> <urn:x:2> <", "device"),
        ('"goal unmet"', '"unmet"', "status"),
        ('"restricted"', '"closed"', "reference"),
        ('"C2v"', '"C2v"@en', "pointGroup"),
        ("<f8 3,3 ", "<f8 9 ", "positions"),
        ("<i8 3 ", "<f8 3 ", "numbers"),
        (f"atoms> <{WATER.iri}>", f"atoms> <{OPTIMISED.iri}>", "atoms"),
        (f"generated> <{OPTIMISED.iri}>", 'generated> "it"', "generated"),
    ],
    ids=lambda part: part if isinstance(part, str) and part.isidentifier() else "quads",
)
def test_what_is_damaged_is_refused_by_name(
    data: bytes, before: str, after: str, name: str
) -> None:
    assert before.encode() in data
    found = violations(data.replace(before.encode(), after.encode()), Graph().parse(SHAPES))
    assert name in {violation.property.replace("#", "/").rpartition("/")[2] for violation in found}


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_what_is_public_is_described(module: object) -> None:
    missing: list[str] = []
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", "") != getattr(module, "__name__"):  # noqa: B009
            continue
        if inspect.isclass(thing) or inspect.isfunction(thing):
            own = vars(thing) if inspect.isclass(thing) else {}
            members = [
                (f"{name}.{key}", getattr(value, "__func__", value))
                for key, value in own.items()
                if not key.startswith("_")
                and isinstance(
                    value, (classmethod, property, type(missing.append), type(inspect.getdoc))
                )
            ]
            missing += [
                key for key, value in [(name, thing), *members] if not inspect.getdoc(value)
            ]
    assert inspect.getdoc(module)
    assert not missing
