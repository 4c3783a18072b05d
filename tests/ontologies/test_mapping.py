"""The alignment speaks of our terms, of real terms of others, and mixes up no kinds."""

from __future__ import annotations

import re

import pytest
from rdflib import OWL, RDF, RDFS, SKOS, Graph, URIRef
from rdflib.namespace import PROV

from ogm.schema import QUDT, SCHEMA
from ogm.terms import OWN_UNIT
from ontologies.schema import MAPPING, ONTOLOGY

OURS = Graph().parse(ONTOLOGY)
MAPPED = Graph().parse(MAPPING)
UNIT = "http://qudt.org/vocab/unit/"
KIND = "http://qudt.org/vocab/quantitykind/"

READ = {
    "http://purl.org/gc/": """GeometryOptimization VibrationalAnalysis Molecule SourcePackage
        hasResult hasElectronicEnergy hasBasisSet hasFormalCharge""",
    "http://theworldavatar.com/ontology/ontocompchem/ontocompchem.owl#": """LevelOfTheory
        hasHomoEnergy hasLumoEnergy hasSpinMultiplicity hasRotationalSymmetryNumber
        hasFrequencies""",
    "http://www.theworldavatar.com/ontology/ontospecies/OntoSpecies.owl#": """Species Geometry
        hasCharge hasMolecularFormula hasSMILES""",
    UNIT: """ANGSTROM ATM CentiM DA DEBYE DEG DEG_C E E_h EV GigaHZ GigaPA GM GM-PER-CentiM3 HR HZ K
        KiloCAL-PER-MOL KiloJ-PER-MOL KiloM L M MegaBYTE MIN MOL NanoM PA
        PERCENT PER-CentiM PER-SEC SEC UNITLESS V""",
    KIND: """ElectricCharge ElectricDipoleMoment Energy InverseLength Length
        ThermodynamicTemperature""",
}
"""Terms that were looked up in the vocabularies' own files, which mapping.ttl names."""

KNOWN = {space + name for space, names in READ.items() for name in names.split()}
SKOS_RELATIONS = {
    SKOS.exactMatch,
    SKOS.closeMatch,
    SKOS.broadMatch,
    SKOS.narrowMatch,
    SKOS.relatedMatch,
}
PROV_DATA = {"startedAtTime", "endedAtTime", "atTime", "generatedAtTime", "value"}


def kinds(term: object) -> set[object]:
    return set(OURS.objects(URIRef(str(term)), RDF.type))


def is_class(term: object) -> bool:
    """Whether a term is a class: ours by what the ontology says, others by their spelling."""
    name = re.split(r"[/#]", str(term))[-1]
    return OWL.Class in kinds(term) if kinds(term) else name[0].isupper()


def alignments() -> list[tuple[URIRef, URIRef, URIRef]]:
    relations = {*SKOS_RELATIONS, RDFS.subClassOf, RDFS.subPropertyOf}
    return sorted((s, p, o) for s, p, o in MAPPED if p in relations)  # pyright: ignore[reportReturnType]


def test_every_subject_is_a_term_of_ours() -> None:
    for subject in MAPPED.subjects():
        if isinstance(subject, URIRef) and not subject.startswith(OWN_UNIT):
            assert kinds(subject), f"{subject} is no term of {ONTOLOGY.name}"


def test_every_relation_is_one_that_this_test_understands() -> None:
    found = {p for s, p in MAPPED.subject_predicates() if not str(s).startswith(OWN_UNIT)}
    known = {*SKOS_RELATIONS, RDFS.subClassOf, RDFS.subPropertyOf, QUDT.hasQuantityKind}
    assert found <= known | {QUDT.hasUnit, QUDT.exponent}


@pytest.mark.parametrize(
    "triple", alignments(), ids=lambda t: " ".join(re.split("[/#]", x)[-1] for x in t)
)
def test_classes_are_like_classes_and_properties_like_properties(
    triple: tuple[URIRef, URIRef, URIRef],
) -> None:
    subject, relation, other = triple
    assert is_class(subject) == is_class(other)
    if relation == RDFS.subClassOf:
        assert is_class(subject)
    if relation == RDFS.subPropertyOf:
        name = other.removeprefix(str(PROV))
        kind = OWL.DatatypeProperty if name in PROV_DATA else OWL.ObjectProperty
        assert kind in kinds(subject)
    if other.startswith(str(PROV)):
        assert PROV[other.removeprefix(str(PROV))] == other  # raises for what PROV-O has not
    else:
        assert str(other) in KNOWN


def test_what_prov_lacks_is_noticed() -> None:
    with pytest.raises(AttributeError, match="not in namespace"):
        assert PROV["wasComputedBy"]


def test_terms_of_prov_in_the_ontology_are_real_and_stand_at_their_kind_of_thing() -> None:
    activities = set(MAPPED.subjects(RDFS.subClassOf, PROV.Activity))
    entities = set(MAPPED.subjects(RDFS.subClassOf, PROV.Entity))
    assert not activities & entities  # PROV-O says that they are disjoint
    used = {t for t in OURS.subjects(RDF.type) if str(t).startswith(str(PROV))}
    assert PROV.used in used
    for term in used:
        assert PROV[str(term).removeprefix(str(PROV))] == term
    for term in (PROV.used, PROV.generated, PROV.startedAtTime):  # their domain is Activity
        assert set(OURS.objects(term, SCHEMA.domainIncludes)) <= activities
    assert not set(OURS.objects(PROV.endedAtTime, SCHEMA.domainIncludes)) & entities


def test_quantities_are_of_kinds_that_qudt_has() -> None:
    for subject, kind in MAPPED.subject_objects(QUDT.hasQuantityKind):
        assert str(kind) in KNOWN
        assert OURS.value(subject, QUDT.hasUnit), f"{subject} has no unit"


def factors(code: str) -> dict[str, float]:
    """The factors of a unit whose code is spelt by QUDT's rules: E_h-PER-BOHR2."""
    above, _, below = code.rpartition("PER-") if "PER-" in code else (code, "", "")
    found: dict[str, float] = {}
    for part, sign in ((above, 1), (below, -1)):
        for unit in part.strip("-").split("-"):
            if match := re.fullmatch(r"(.*?)([\d.]*)", unit):
                name, power = match.groups()
                if name:
                    found[name] = sign * float(power or 1)
    return found


def test_every_unit_is_one_of_qudt_or_is_explained_by_its_factors() -> None:
    used = {str(unit) for unit in OURS.objects(predicate=QUDT.hasUnit)}
    own = {str(unit) for unit in MAPPED.subjects(RDF.type, QUDT.Unit)}
    assert used <= KNOWN | own
    assert all(unit.startswith(OWN_UNIT) for unit in own)
    for unit in own:
        code = unit.removeprefix(OWN_UNIT)
        term = URIRef(unit)
        assert UNIT + code not in KNOWN
        assert MAPPED.value(term, RDFS.label)
        found: dict[str, float] = {}
        for factor in MAPPED.objects(term, QUDT.hasFactorUnit):
            base, power = MAPPED.value(factor, QUDT.hasUnit), MAPPED.value(factor, QUDT.exponent)
            assert str(base) in KNOWN | own
            found[str(base).rpartition("/")[2]] = float(str(power))
        if found:
            assert found == factors(code)
        else:
            scaled = MAPPED.value(term, QUDT.scalingOf) or MAPPED.value(term, QUDT.exactMatch)
            assert str(scaled) in KNOWN
