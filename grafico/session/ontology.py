"""The classes of the ontology that are installed, as text for people, programs and models."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ogm import GraphModel


def described(names: tuple[str, ...], form: str) -> str:
    """Return what is to be printed.

    Raises:
        NotFoundError: there is no such class.
    """
    from ogm.snapshot import as_json, snapshot
    from ontologies.schema import EXAMPLES, MAPPING

    wanted = chosen(names, installed())
    match form:
        case "text":
            return snapshot(wanted) if names else snapshot(wanted, EXAMPLES, brief=True)
        case "json":
            return as_json(wanted)
        case "mapping" if not names:
            return MAPPING.read_text(encoding="utf-8")
        case _:
            return as_turtle(wanted, form)


def installed() -> list[type[GraphModel]]:
    """Return the classes of Grafico, then those that other packages bring."""
    from ontologies.schema import classes
    from workflows.packages import classes_of_others

    return [*classes(), *classes_of_others()]


def as_turtle(classes: list[type[GraphModel]], form: str) -> str:
    """Return the ontology, the shapes or the alignment of classes."""
    from rdflib import Graph, URIRef

    from ogm.meaning import own_fields
    from ogm.schema import ontology as ontology_of
    from ogm.shapes import shapes
    from ontologies.schema import EDITION, MAPPING, turtle

    if form == "ttl":
        return turtle(ontology_of(classes, EDITION))
    if form == "shacl":
        return turtle(shapes(classes))
    whole, part = Graph().parse(MAPPING), Graph()
    for prefix, namespace in whole.namespaces():
        part.bind(prefix, namespace)
    for cls in classes:
        for term in (cls.term(), *(plan.predicate for plan, _ in own_fields(cls))):
            for triple in whole.triples((URIRef(term), None, None)):
                part.add(triple)
    return turtle(part)


def chosen(names: tuple[str, ...], classes: list[type[GraphModel]]) -> list[type[GraphModel]]:
    """Return the classes of these names and their parents, in their order; all for no names."""
    from difflib import get_close_matches

    from triplestore.errors import NotFoundError

    known = {name: cls for cls in classes for name in (cls.term(), cls.__name__)}
    wanted: list[type[GraphModel]] = []
    for name in names:
        plain = name.removeprefix("g:")
        if plain not in known:
            near = get_close_matches(plain, known, n=3)
            raise NotFoundError(
                f"the class {name!r} was asked for",
                "the ontology has none of that name",
                f"did you mean {' or '.join(near)}?" if near else "see `grafico ontology`",
            )
        wanted.append(known[plain])
    return [cls for cls in classes if not names or any(issubclass(w, cls) for w in wanted)]
