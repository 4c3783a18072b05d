"""The classes of the ontology that are installed, as text for people, programs and models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    from workflows.registry.packages import classes_of_others

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
    """Return the classes of these names and their parents, in their order; all for no names.

    Raises:
        NotFoundError: there are no such classes.
    """
    from triplestore.errors import NotFoundError

    if wrong := unknown_classes(names, classes):
        raise NotFoundError(
            f"the class {', '.join(map(repr, wrong))} was asked for",
            "the ontology has none of that name",
            "; ".join(n.removeprefix("; ") for n in wrong.values() if n)
            or "ask without a name to see all",
        )
    known = _by_name(classes)
    wanted = [known[name.removeprefix("g:")] for name in names]
    return [cls for cls in classes if not names or any(issubclass(w, cls) for w in wanted)]


def unknown_classes(
    names: Iterable[str], classes: Iterable[type[GraphModel]] | None = None
) -> dict[str, str]:
    """Return the names that no class has, each with those that are near, as half a sentence.

    Args:
        names: of classes.
        classes: that there are; None for all that are installed.
    """
    from difflib import get_close_matches

    known = _by_name(installed() if classes is None else classes)
    wrong = [name for name in names if name.removeprefix("g:") not in known]
    return {n: _near(get_close_matches(n.removeprefix("g:"), known, n=3)) for n in wrong}


def unknown_terms(sparql: str) -> list[str]:
    """Return a line for each class or property of ours in a query that there is not.

    It names those that are near. The query is one that could be answered.
    """
    from ogm.terms import BASE, PREFIXES, RESERVED
    from triplestore.guard.lexer import tokens
    from workflows.text.names import nearest, plain

    classes = installed()
    known = {term for cls in classes for term in (cls.term(), *(f.predicate for f in cls.fields()))}
    known |= {*RESERVED}
    asked = [
        token.text[1:-1] if token.kind == "iri" else token.text.replace("g:", BASE, 1)
        for token in tokens(sparql, PREFIXES)
        if token.text.startswith(("g:", f"<{BASE}"))
    ]
    strange = [one.removeprefix(BASE) for one in dict.fromkeys(asked) if one not in known]
    wrong = [one for one in strange if one and "/" not in one]
    if not wrong:  # the usual case: no name is compared with any other
        return []
    names = {plain(one.removeprefix(BASE)): one.replace(BASE, "g:") for one in sorted(known)}
    return [
        f"g:{one}: no class or property is called so{_near(nearest(plain(one), names))}"
        for one in wrong
    ]


def _by_name(classes: Iterable[type[GraphModel]]) -> dict[str, type[GraphModel]]:
    return {name: cls for cls in classes for name in (cls.term(), cls.__name__)}


def _near(names: Sequence[str]) -> str:
    return f"; did you mean {' or '.join(names)}?" if names else ""
